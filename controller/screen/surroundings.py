"""The equipment around the table's program, for the status: the computer's power supply, lamp, buzzer, key switch, last
badge, and second copy of the journal.
"""

from enum import StrEnum, unique
from typing import Final

from msgspec import Struct, field

from controller.catalogue import Language, sentence
from controller.core.words import Role
from controller.journal.second_copy import SecondCopy
from controller.protocol.status import DeviceStatus, PresentedStatus, SecondCopyStatus


@unique
class Undervoltage(StrEnum):
    """The times at which the computer's supply voltage was too low. Low voltage often causes other faults."""

    NO = "no"
    NOW = "now"
    EARLIER = "earlier"  # since the computer was switched on
    UNKNOWN = "unknown"  # this computer does not report it


class Part(Struct, frozen=True, gc=False):
    """The present state of a lamp, buzzer, key switch or badge reader. `trouble`: the fault of the part in technical
    words; "" without a fault.
    """

    connected: bool
    state: str  # a word under `part-state`
    trouble: str = ""
    reconnects: int = 0


class Presented(Struct):
    """The last person whom a badge has identified. `at_s`: the time of the badge in seconds, by the program's clock.
    `is_used`: True if the badge has already served one request.
    """

    person: int
    role: Role
    at_s: float
    is_used: bool = False


PRESENTED_FOR_S: Final = 30.0
"""Seconds for which a badge names its person at the table: about as long as typing a PIN twice."""


BADGE_SERVES_S: Final = 10.0
"""Seconds for which a badge, with the key turned on, is a credential for one request."""


class Surroundings(Struct):
    """The last known state of the equipment around the table's program, for the status, with the badge that was read
    last. Badge and key together replace the PIN of one request (`badge_now`).
    """

    undervoltage: Undervoltage = Undervoltage.UNKNOWN
    software: str = ""  # the running program's version and commit
    parts: dict[str, Part] = field(default_factory=dict)
    presented: Presented | None = None
    second_copy: SecondCopy | None = None

    def presented_now(self, now_s: float) -> PresentedStatus | None:
        """Returns the person of the last badge, for the status; None if no badge came in the last PRESENTED_FOR_S."""
        who = self.presented
        if who is None or now_s - who.at_s > PRESENTED_FOR_S:
            return None
        return PresentedStatus(
            who.person, who.role.value, "badge" if self.badge_now(now_s) is None else "badge-and-key"
        )

    def badge_now(self, now_s: float) -> Presented | None:
        """Returns the person whom badge and key identify for the next request. None if the key is off, if no badge has
        come, or if the last badge is used or older than BADGE_SERVES_S.
        """
        key, who = self.parts.get("key_switch"), self.presented
        if who is None or who.is_used or now_s - who.at_s > BADGE_SERVES_S:
            return None
        return who if key is not None and key.connected and key.state == "on" else None

    def second_copy_now(self, now_s: float) -> SecondCopyStatus | None:
        """Returns the status of the journal's second copy; None without a second copy."""
        if self.second_copy is None:
            return None
        state = self.second_copy.state()
        lag_ms = 0 if state.since_s is None else max(0, round((now_s - state.since_s) * 1000))
        same = self.second_copy.shares_medium
        return SecondCopyStatus(state.condition.value, state.behind, lag_ms, same, state.reason)

    def devices(self, language: Language) -> dict[str, DeviceStatus]:
        """Returns the status of lamp, buzzer, key switch and badge reader, by name."""
        return {name: _part_status(part, language) for name, part in self.parts.items()}


def _part_status(part: Part, language: Language) -> DeviceStatus:
    key = "status.part" if part.connected else "status.part-trouble"
    text = sentence(key, {"state": part.state, "detail": part.trouble}, language)
    return DeviceStatus(part.connected, text, part.trouble or None, part.reconnects, "unauthenticated")
