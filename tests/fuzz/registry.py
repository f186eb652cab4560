"""The kinds of attack. A new one is an entry here and a class with `run` and `close`."""

from .kind import Kind

_ALL = (
    Kind(name="lines", attack="lines:Lines", unit="lines", full=1_000_000, batch=2000, short=4),
    Kind(
        name="socket",
        attack="socket_clients:SocketClients",
        unit="scenarios",
        full=600,
        batch=12,
        short=1,
        patience=300.0,
    ),
    Kind(
        name="console",
        attack="console_messages:ConsoleMessages",
        unit="messages",
        full=100_000,
        batch=500,
        short=1,
        patience=300.0,
    ),
    Kind(
        name="recordings",
        attack="recordings:Recordings",
        unit="files",
        full=10_000,
        batch=10,
        short=4,
    ),
    Kind(name="configs", attack="configs:Configs", unit="configs", full=10_000, batch=5, short=6),
    Kind(name="motions", attack="motions:Motions", unit="files", full=10_000, batch=20, short=6),
    Kind(
        name="rings",
        attack="rings:Rings",
        unit="folders",
        full=2000,
        batch=5,
        short=8,
        patience=40.0,
    ),
    Kind(name="faults", attack="faults:Faults", unit="faults", full=600, batch=1, short=6),
    Kind(name="laws", attack="own_laws:OwnLaws", unit="laws", full=1000, batch=2, short=4),
    *(
        Kind(
            name=f"soak-{arm}",
            attack=f"soak:Soak{arm.capitalize()}",
            unit="ticks",
            full=10_000_000,
            batch=20_000,
            short=1,
            patience=300.0,
        )
        for arm in ("ur5e", "panda", "fr3")
    ),
    Kind(
        name="guardian",
        attack="guarded_arm:Stuck",
        unit="trials",
        full=60,
        batch=1,
        short=0,
        alone=True,
    ),
    Kind(
        name="calm",
        attack="guarded_arm:Calm",
        unit="seconds",
        full=600,
        batch=60,
        short=0,
        patience=300.0,
        alone=True,
    ),
)

KINDS = {kind.name: kind for kind in _ALL}
"""All kinds by name, in the order in which they are reported."""


def chosen(names: str) -> list[Kind]:
    """The kinds of a comma-separated list of names, or of their beginnings; all if it is empty.

    Raises:
        ValueError: There is no such kind.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    unknown = [name for name in wanted if not any(kind.startswith(name) for kind in KINDS)]
    if unknown:
        raise ValueError(f"unknown kind {unknown[0]!r}; valid: {', '.join(KINDS)}")
    return [
        kind
        for name, kind in KINDS.items()
        if not wanted or any(name.startswith(beginning) for beginning in wanted)
    ]
