"""`pliant bench`: measure the speed of Pliant on this machine."""

import json as json_format

from rich.console import Console
from rich.table import Table

from pliant.bench import Report, measure
from pliant.bench.figure import Figure
from pliant.controller.warm_up import warm


def bench(
    json: bool = False,
    quick: bool = False,
    check: bool = False,
    realtime: bool = True,
    console: bool = False,
) -> None:
    """Measure laws, tick, simulation, memory and real-time behaviour against their bounds.

    Args:
        json: Print one JSON object instead of tables.
        quick: Take only a few seconds: less precise, and fewer ticks for memory.
        check: Exit with status 1 if a value exceeds its bound.
        console: Measure only the console, with a headless Chromium.
        realtime: Compare controller processes with a bare loop; half of the total time.
    """
    warm()
    warm("sim:panda")
    report = _console(quick) if console else measure(quick=quick, realtime=realtime)
    if json:
        print(json_format.dumps(report.as_dict(), ensure_ascii=False))
    else:
        _print_tables(report)
    if check and not report.ok:
        raise SystemExit(1)


VERB = bench


def _console(quick: bool) -> Report:
    # imported here, because only this needs the web server
    from pliant.bench.console_bench import measure_console

    return Report(figures={}, stages={}, console=measure_console(quick=quick))


def _print_tables(report: Report) -> None:
    console = Console()
    if report.console:
        console.print(_table("The console in a browser", report.console))
        return
    console.print(_table("Pliant on this machine", report.figures))
    console.print(_table("Stages of a tick, each called from Python", report.stages))
    console.print(_table("A tick of the Panda under each law, without physics", report.laws))
    if report.realtime:
        console.print(_table("The controller process in real time", report.realtime))
    console.print("R is one call of Pinocchio's forward kinematics and frame Jacobian from Python.")


def _table(title: str, figures: dict[str, Figure]) -> Table:
    table = Table("what", title=title, title_justify="left")
    for heading in ("value", "time", "bound", ""):
        table.add_column(heading, justify="right")
    for figure in figures.values():
        table.add_row(
            figure.meaning,
            f"{figure.value:.3g} {figure.unit}",
            "" if figure.microseconds is None else f"{figure.microseconds:.2f} µs",
            "" if figure.bound is None else f"≤ {figure.bound:g} {figure.unit}",
            _verdict(figure),
        )
    return table


def _verdict(figure: Figure) -> str:
    if figure.bound is None:
        return ""
    return "[green]pass[/]" if figure.ok else "[red]FAIL[/]"
