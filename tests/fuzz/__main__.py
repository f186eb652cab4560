"""The hostile suite: `make fuzz`, or `python -m tests.fuzz --help`."""

import argparse
import contextlib
import sys
import time

from . import crew, report
from .crew import Result
from .kind import SEED, Kind
from .registry import KINDS, chosen


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--kinds", default="", help=f"comma-separated: {', '.join(KINDS)}")
    parser.add_argument("--share", type=float, default=1.0, help="share of the full counts")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of all cases")
    parser.add_argument("--case", type=int, help="run this case of the kinds again")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument(
        "--minutes", type=float, default=60.0, help="longest time for a kind; less may be run then"
    )
    return parser.parse_args()


def jobs_of(kind: Kind, share: float, case: int | None) -> tuple[Result, int, int]:
    """The job of a kind: its result, its first case and the one after its last."""
    if case is not None:
        return Result(kind=kind, cases=1), case, case + 1
    cases = kind.cases(share)
    return Result(kind=kind, cases=cases), 0, cases


def main() -> int:
    """Run the suite; the exit status is 1 if anything failed."""
    options = _options()
    try:
        kinds = chosen(options.kinds)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"seed {options.seed}, share {options.share:g}", flush=True)
    jobs = [jobs_of(kind, options.share, options.case) for kind in kinds]
    results = [result for result, _, _ in jobs]
    # the longest first, so that both cores end at the same time
    jobs.sort(key=lambda job: job[0].kind.name.startswith("soak"), reverse=True)
    began = time.monotonic()
    together = [job for job in jobs if not job[0].kind.alone]
    alone = [job for job in jobs if job[0].kind.alone]
    with contextlib.suppress(KeyboardInterrupt):
        crew.run(together, options.seed, options.jobs, options.minutes, _tell)
        crew.run(alone, options.seed, 1, options.minutes, _tell)
    print(f"\n{report.table(results)}\n")
    for line in report.failures(results, options.seed, traces=options.case is not None):
        print(line)
    failed = sum(len(result.failures) for result in results)
    print(f"{failed} failures, {time.monotonic() - began:.0f} s, seed {options.seed}")
    return 1 if failed else 0


def _tell(result: Result) -> None:
    failed = f", {len(result.failures)} FAILED" if result.failures else ""
    print(f"{result.kind.name}: {result.run} cases in {result.seconds:.0f} s{failed}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
