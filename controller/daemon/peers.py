"""Rights at the socket, by the user of the computer that has connected (SO_PEERCRED).

The mode of the socket's file binds no process that may read past modes, so the controller decides. The panel passes on
people who have signed in with it. The figures' service reads. The uplink has entries signed, hands in what a witness
has signed, and reads the status. Every other user may act, each time with the credential of the person named. The
controller's own user has its keys anyway; in a demo, panel and people are that user, too.
"""

import os
import pwd
from collections.abc import Mapping
from contextlib import suppress
from typing import Final, TypeAlias

from controller.protocol.lines import Do

Right: TypeAlias = frozenset[Do]
"""The requests that a user may send."""

READ: Final = frozenset(Do) - {Do.ACT, Do.SIGN_IN, Do.CARRY, Do.KEEP, Do.CHECKPOINT, Do.POOL}
ACT: Final = READ | {Do.ACT}
PASS_ON: Final = ACT | {Do.SIGN_IN}
CARRY: Final = frozenset((Do.PING, Do.CARRY, Do.KEEP, Do.CHECKPOINT, Do.POOL, Do.STATUS))

_OF_SERVICES: Final[Mapping[str, Right]] = {
    "sabot-metrics": READ,
    "sabot-panel": PASS_ON,
    "sabot-uplink": CARRY,
}
"""By the name of the user that a unit runs as."""


def rights_of_users() -> dict[int, Right]:
    """The users of this machine whose right is another than to act, by their number."""
    rights: dict[int, Right] = {}
    for name, right in _OF_SERVICES.items():
        with suppress(KeyError):  # the package of that service is not installed
            rights[pwd.getpwnam(name).pw_uid] = right
    return rights | {os.geteuid(): frozenset(Do)}


def may(rights: Mapping[int, Right], user: int, do: Do) -> bool:
    """True where a client of this user may send this request."""
    return do in rights.get(user, ACT)
