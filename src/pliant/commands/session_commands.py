"""Commands about the connection: who is in control, names, the watchdog, help."""

from typing import Literal

from pliant.commands.command import Command, argument


class Lease(Command):
    """Take control, release it, or ask which client has it."""

    word = "LEASE"
    asks = True
    anyone = True
    action: Literal["take", "release", "who"] = argument("action", "", "take, release or who.")


class SetName(Command):
    """Name this client; other clients and `pliant status` see the name."""

    word = "NAME"
    asks = True
    anyone = True
    name: str = argument(
        "name", "", "Letters, digits, '.', '_', '-'.", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$"
    )


class Watchdog(Command):
    """Act on silence: every line of the client in control feeds the watchdog."""

    word = "WATCHDOG"
    asks = True
    seconds: float = argument("seconds", "s", "Longest silence; 0 is off.", ge=0.0, le=3600.0)
    action: Literal["stop", "hold"] = argument(
        "action", "", "stop exits the controller; hold treats the silent client as gone.", "stop"
    )


class Ping(Command):
    """Show that this client is still there."""

    word = "PING"
    asks = True
    anyone = True


class Help(Command):
    """List the commands, or explain one."""

    word = "HELP"
    asks = True
    anyone = True
    about: str = argument("word", "", "The command to explain.", "")


class SetReplies(Command):
    """Choose the form of this client's replies: text, or a JSON object with a value beside it."""

    word = "REPLIES"
    anyone = True
    asks = True
    form: Literal["text", "json"] = argument(
        "form", "", 'text, or json: {"ok": …, "text": …, "value": …}.'
    )
