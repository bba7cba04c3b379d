"""Rights at the socket, by the user of the computer that has connected (SO_PEERCRED).

The mode of the socket's file binds no process that may read past modes, so the controller decides. The panel passes on
people who have signed in with it. The figures' service reads. Every other user may act, each time with the credential
of the person named. The controller's own user has its keys anyway; in a demo, panel and people are that user, too.
"""

import os
import pwd
from collections.abc import Mapping
from contextlib import suppress
from enum import IntEnum, unique
from typing import Final

from controller.protocol.lines import Do


@unique
class PeerRight(IntEnum):
    """Each right includes those before it."""

    READ = 0
    ACT = 1
    PASS_ON = 2


_OF_SERVICES: Final[Mapping[str, PeerRight]] = {
    "sabot-metrics": PeerRight.READ,
    "sabot-panel": PeerRight.PASS_ON,
}
"""By the name of the user that a unit runs as."""

_ASKED: Final[Mapping[Do, PeerRight]] = {Do.ACT: PeerRight.ACT, Do.SIGN_IN: PeerRight.PASS_ON}
"""Of each request that needs more than reading."""


def rights_of_users() -> dict[int, PeerRight]:
    """The users of this machine whose right is another than to act, by their number."""
    rights: dict[int, PeerRight] = {}
    for name, right in _OF_SERVICES.items():
        with suppress(KeyError):  # the package of that service is not installed
            rights[pwd.getpwnam(name).pw_uid] = right
    return rights | {os.geteuid(): PeerRight.PASS_ON}


def may(rights: Mapping[int, PeerRight], user: int, do: Do) -> bool:
    """True where a client of this user may send this request."""
    return rights.get(user, PeerRight.ACT) >= _ASKED.get(do, PeerRight.READ)
