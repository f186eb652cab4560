"""The places of HTTP connections: who keeps one, and who loses it."""

from typing import Any

from pliant.console.server.connection_guard import MOST_CONNECTIONS, MOST_FROM_ONE, Places


class Connection:
    """A connection that may be silent."""

    def __init__(self, places: Places, address: str, silent: bool = True) -> None:
        self.address, self.silent, self.open = address, silent, True
        self._places: Any = places
        self._places.take(self)

    def close_silent(self) -> None:
        self.open = False
        self._places.leave(self)


def test_the_longest_silent_connection_of_a_crowd_makes_room() -> None:
    places = Places()
    busy = Connection(places, "a", silent=False)
    silent = [Connection(places, "a") for _ in range(500)]
    last = Connection(places, "a")
    assert busy.open and last.open
    assert sum(made.open for made in silent) == MOST_FROM_ONE - 2
    # the oldest went first
    assert [made.open for made in silent] == sorted(made.open for made in silent)


def test_a_crowd_from_one_address_leaves_room_for_others() -> None:
    places = Places()
    mine = Connection(places, "mine")
    crowds = [Connection(places, address) for address in "abc" for _ in range(200)]
    assert mine.open
    assert sum(made.open for made in crowds) == MOST_CONNECTIONS - 1
    later = Connection(places, "mine")
    assert later.open and mine.open


def test_a_connection_that_is_used_is_not_the_oldest() -> None:
    places = Places()
    first, second = Connection(places, "a"), Connection(places, "a")
    places.renew(first)  # type: ignore[arg-type]
    for _ in range(MOST_FROM_ONE - 1):
        Connection(places, "a")
    assert first.open and not second.open
