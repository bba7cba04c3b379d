"""The credentials that replace the PIN of a request: a signed-in connection, badge and key, or the PIN of an earlier
act.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from controller.core.house.manner import Credential
from controller.core.house.registry import Registry
from controller.core.words import Role
from controller.daemon.rights import Rights, serves_shared
from controller.daemon.server import Client
from controller.protocol.lines import TABLE_SCREEN, PersonDocument, Request
from controller.screen.surroundings import Surroundings


class Known(Struct, frozen=True, gc=False):
    """A person's role, and the credential that has identified the person. An unchecked PIN is no credential."""

    role: Role
    credential: Credential


class Credentials:
    """Finds the credential of a request: the right of a signed-in person (`rights`), or badge reader and key switch
    (`around`).
    """

    def __init__(self, rights: Rights, around: Surroundings, registry: Registry[Any]) -> None:
        self._rights = rights
        self._around = around
        self._registry = registry

    def signed_in(self, client: Client, request: Request) -> Known | None:
        """Returns the role and credential of the person signed in over the client's connection.

        Returns None if the request names another person, or if the right does not cover the requested act.
        """
        right, rule = self._rights.of(client), self._registry.act_named.get(request.act)
        if right is None or right.person != request.person or rule is None:
            return None
        credential = self._rights.credential(right)
        is_strong = credential is not Credential.SHARED_SCREEN
        serves = is_strong or serves_shared(right, rule.manner, rule.money, request.values)
        return Known(right.role, credential) if serves else None

    def by_badge(self, request: Request, now_s: float) -> Known | None:
        """Returns the role of the person whose badge was held to the reader with the key turned on, and uses the badge
        up. Returns None without such a badge, if `request` names another person, or if `request` does not come from the
        table's screen.
        """
        who = self._around.badge_now(now_s)
        if who is None or who.person != request.person or request.terminal != TABLE_SCREEN:
            return None
        who.is_used = True
        return Known(who.role, Credential.BADGE_AND_KEY)


def by_pin(request: Request, people: Sequence[PersonDocument]) -> Known | None:
    """Returns the role of the request's person, with the PIN as credential, for the request's further acts. To be
    called only after the PIN was right for the first act. Returns None if the request has no PIN, or if the person is
    not in `people`.
    """
    roles = (Role(one.role) for one in people if one.number == request.person and request.pin is not None)
    return next((Known(role, Credential.PIN) for role in roles), None)
