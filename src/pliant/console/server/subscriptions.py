"""The subscriptions in use; pages with equal subscriptions share one."""

from collections.abc import Iterable

from pliant.console.server.frames import Subscription

_Key = tuple[int, tuple[str, ...], int]


class Subscriptions:
    """Makes subscriptions, and drops those that no page uses."""

    def __init__(self) -> None:
        self._made: dict[_Key, Subscription] = {}
        self._count = 0

    def get(
        self, n: int, columns: tuple[str, ...], every: int, in_use: Iterable[Subscription]
    ) -> Subscription:
        """The subscription of these columns.

        Args:
            n: Number of joints.
            columns: Names of columns.
            every: Send every n-th tick.
            in_use: The subscriptions of all pages; the others are dropped.
        """
        used = set(in_use)
        self._made = {key: made for key, made in self._made.items() if made in used}
        key = (n, columns, every)
        if key not in self._made:
            self._count += 1
            self._made[key] = Subscription(self._count, n, columns, every)
        return self._made[key]
