"""The requests that each user of the computer may send at the socket. The system tells who has connected (SO_PEERCRED).

A process may have the right to override the socket's file mode, so the controller decides. The panel signs people in.
The metrics service reads. The uplink requests signed entries, delivers signatures of witnesses and statements on the
linked pool, and reads the status. Any other user may request acts, each with the credential of the named person.

The controller's own user may send every request, since that user can read the keys. In a demo, panel and people run as
the controller's own user. The system's administrator may sign people in like the panel, since an update runs as
administrator and asks for PINs.
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
"""The rights of the services, by the name of their unit's user."""

_ADMINISTRATOR: Final = 0


def rights_of_users() -> dict[int, Right]:
    """Returns the rights of the computer's users by their numbers. A user not listed has the usual right (ACT)."""
    rights: dict[int, Right] = {_ADMINISTRATOR: PASS_ON}
    for name, right in _OF_SERVICES.items():
        with suppress(KeyError):  # the package of that service is not installed
            rights[pwd.getpwnam(name).pw_uid] = right
    return rights | {os.geteuid(): frozenset(Do)}


def may(rights: Mapping[int, Right], user: int, do: Do) -> bool:
    """True if a client that runs as `user` may send the request `do`."""
    return do in rights.get(user, ACT)
