"""Who a viewer is: an identity made by the server, under a name that is a label only.

Whatever decides (the lease, the heartbeat, handing control over) goes by the identity. Nobody can
take another's: its id is random, and the secret with which a page takes up its identity after it
lost the connection is known to that page alone.
"""

import hmac
import secrets
from collections.abc import Collection
from dataclasses import dataclass

from pliant.controller.intake import RESERVED_NAMES
from pliant.errors import Refused

_RESERVED = (*RESERVED_NAMES, "console-server", "viewer-")
_MOST_KEPT = 256


@dataclass
class Identity:
    """One viewer, also across connections.

    Attributes:
        id: What others refer to it by.
        client: Its name at the controller, which no other client can have by chance.
        secret: What its page presents to take it up again.
        name: Its label.
    """

    id: str
    client: str
    secret: str
    name: str

    def renew_client(self) -> None:
        """Take another name at the controller, for another connection to it."""
        self.client = f"viewer.{secrets.token_hex(6)}"


class Identities:
    """Makes identities, and keeps those of viewers that have left."""

    def __init__(self) -> None:
        self._kept: dict[str, Identity] = {}
        self._count = 0

    def new(self, present: Collection[str]) -> Identity:
        """The identity of a viewer that has just come.

        Args:
            present: The ids of the viewers that are there.
        """
        self._count += 1
        if len(self._kept) >= _MOST_KEPT:
            del self._kept[next(id for id in self._kept if id not in present)]
        label, id = f"viewer-{self._count}", secrets.token_hex(4)
        made = Identity(id=id, client="", secret=secrets.token_urlsafe(16), name=label)
        made.renew_client()
        self._kept[id] = made
        return made

    def of_secret(self, secret: str) -> Identity | None:
        """The identity that a page has had before; None if this console has never known it."""
        for identity in self._kept.values():
            if hmac.compare_digest(identity.secret.encode(), secret.encode()):
                return identity
        return None

    def of_client(self, client: str) -> Identity | None:
        """The identity with that name at the controller."""
        return next((kept for kept in self._kept.values() if kept.client == client), None)

    def rename(self, identity: Identity, name: str) -> None:
        """Give an identity another label.

        Raises:
            Refused: Another viewer has that label, or it is reserved.
        """
        taken = any(kept.name == name for kept in self._kept.values() if kept is not identity)
        if taken or name.startswith(_RESERVED):
            raise Refused(f"the name {name} is taken or reserved; choose another")
        identity.name = name

    def forget(self, identity: Identity) -> None:
        """Forget the identity of a viewer that takes up another one."""
        self._kept.pop(identity.id, None)

    def labelled(self, text: str) -> str:
        """A text of the controller with the labels of the viewers instead of their client names."""
        for kept in self._kept.values():
            text = text.replace(kept.client, kept.name)
        return text
