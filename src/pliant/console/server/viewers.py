"""All viewers, and the messages and ticks that are sent to them."""

from typing import TYPE_CHECKING

from pliant.console.server import messages as m
from pliant.console.server.subscriptions import Subscriptions
from pliant.tick import Rows

if TYPE_CHECKING:
    from pliant.console.server.viewer import Viewer


class Viewers(dict[str, "Viewer"]):
    """The viewers by the id of their identity."""

    def __init__(self) -> None:
        super().__init__()
        self._subscriptions = Subscriptions()

    def of_client(self, client: str) -> "Viewer | None":
        """The viewer that the controller knows by that name."""
        return next((viewer for viewer in self.values() if viewer.client == client), None)

    def send(self, message: m.Message) -> None:
        """Send a message to every viewer."""
        for viewer in self.values():
            viewer.send(message)

    def send_status(self, status: m.Status) -> None:
        """Send the status to every viewer; it replaces one that still waits to be sent."""
        text = status.model_dump_json()
        for viewer in self.values():
            viewer.outbox.latest(text)

    def subscribe(self, viewer: "Viewer", n: int, columns: tuple[str, ...], every: int) -> None:
        """Send these columns, for n joints, to a viewer from now on."""
        in_use = [other.subscription for other in self.values() if other.subscription]
        viewer.subscription = self._subscriptions.get(n, columns, every, in_use)
        viewer.send(viewer.subscription.schema)

    def subscribe_again(self, n: int) -> None:
        """Renew every subscription for an arm that may have another number of joints."""
        for viewer in self.values():
            if viewer.subscription is not None:
                schema = viewer.subscription.schema
                wanted = [column.name for column in schema.columns] + schema.unknown
                self.subscribe(viewer, n, tuple(wanted), schema.every)

    def stream(self, rows: Rows, missed: int) -> None:
        """Send ticks to the viewers that subscribed; equal subscriptions share their frames."""
        frames: dict[int, list[bytes]] = {}
        for viewer in self.values():
            if (wanted := viewer.subscription) is None:
                continue
            if wanted.schema.id not in frames:
                frames[wanted.schema.id] = wanted.frames(rows, missed)
            for frame in frames[wanted.schema.id]:
                viewer.outbox.frame(frame)
