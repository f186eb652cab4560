"""The documentation page of the line protocol, made from the commands and exit reasons."""

from pliant import commands as c
from pliant.commands.line_protocol import MAX_LINE, explained, meaning, usage
from pliant.controller.exit_reason import ExitReason

_PAGE = """\
# The line protocol

Made by `pliant commands --markdown` from `src/pliant/commands` and `src/pliant/controller`.

## Commands

One command per line: words and numbers separated by spaces, in UTF-8, at most {longest} bytes.
Optional arguments may also be given by name, as in `speed=0.05`.
One reply per line, in order: `OK …` with what was applied, or `ERR …` with the reason and the
expected form; then nothing has changed. A line without a line break at its end never counts.
After `REPLIES json` a reply is one JSON object instead, `{{"ok": true, "text": "…", "value": …}}`;
its value is what was applied, or what was asked for.

A command's word is the name of its method in Python. The words under *also* mean the same; they
are those of earlier clients and of the original program, and stay accepted.

| line | also | meaning | arguments | who |
|---|---|---|---|---|
{commands}

## Other lines on standard output

| line | when |
|---|---|
| `TELEM: t=<s> tcp=x,y,z,rx,ry,rz ref=… ws=… wd=… q=… T=…` | Every tenth tick: pose of tool and \
reference with rotation vectors, sensed and desired wrench in tool axes, joint positions, \
temperatures [s, m, rad, N, N·m, °C]. Omitted while nobody reads. |
| `EVENT …` | Something that no line asked for: `ready: …` after the start, `not started: …` with \
the reason, `reaction …` when a condition held, a move that ended before its target, a client in \
control that has gone, lines that were lost. |
| `END …` | The last line: why the controller exits. |

## Exit status

| status | why |
|---|---|
{statuses}
"""


def page() -> str:
    """The documentation page of the commands, in Markdown."""
    commands = []
    for kind in c.COMMANDS:
        arguments = "<br>".join(explained(field) for field in kind.model_fields.values())
        arguments = arguments.replace("|", r"\|")
        who = "anyone" if kind.anyone else "in control"
        also = " ".join(f"`{word}`" for word in kind.aliases)
        commands.append(f"| `{usage(kind)}` | {also} | {meaning(kind)} | {arguments} | {who} |")
    statuses = [f"| {ending.status} | {ending.meaning} |" for ending in ExitReason]
    return _PAGE.format(
        longest=MAX_LINE, commands="\n".join(commands), statuses="\n".join(statuses)
    )
