"""Credentials besides the PIN of a request: signed in, badge and key, the PIN of the act before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from controller.core.house.registry import Registry
from controller.core.words import Role
from controller.daemon.rights import Rights, serves_shared
from controller.daemon.server import Client
from controller.protocol.lines import TABLE_SCREEN, PersonDocument, Request
from controller.screen.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Known:
    """The person's role. `is_own`: the credential serves for what he attests, too."""

    role: Role
    is_own: bool


class Credentials:
    """Those of every request. `rights`: who is signed in; `around` has badge and key."""

    def __init__(self, rights: Rights, around: Surroundings, registry: Registry[Any]) -> None:
        self._rights = rights
        self._around = around
        self._registry = registry

    def signed_in(self, client: Client, request: Request) -> Known | None:
        """By the right of this connection, as far as it serves this act."""
        right, rule = self._rights.of(client), self._registry.act_named.get(request.act)
        if right is None or right.person != request.person or rule is None:
            return None
        if self._rights.is_alone(right):
            return Known(right.role, is_own=True)
        return Known(right.role, is_own=False) if serves_shared(right, rule.manner, request.values) else None

    def by_badge(self, request: Request, now_s: float) -> Known | None:
        """By the badge at the table's screen, which serves for one request."""
        who = self._around.badge_now(now_s)
        if who is None or who.person != request.person or request.terminal != TABLE_SCREEN:
            return None
        who.is_used = True
        return Known(who.role, is_own=True)


def by_pin(request: Request, people: Sequence[PersonDocument]) -> Known | None:
    """A request whose PIN was given needs none for its further acts."""
    roles = (Role(one.role) for one in people if one.number == request.person and request.pin is not None)
    return next((Known(role, is_own=True) for role in roles), None)
