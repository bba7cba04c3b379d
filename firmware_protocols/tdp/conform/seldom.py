"""EVENTs on a real line, judged without their times: they must come again and again, and not too often."""

from collections.abc import Iterator
from typing import Final

from firmware_protocols.tdp.conform.why import Why
from firmware_protocols.tdp.link import EVENT_RETRY_MAX_S

STARVED_S: Final = EVENT_RETRY_MAX_S + 1.0  # since the oldest event came: the line may be late by the second
SOON: Final = 5  # in the first second: at once, three times again, and one that was on its way


class Seldom:
    """The comings of the oldest event since something began its retry time anew."""

    def __init__(self, now_s: float) -> None:
        self._began_s = self._last_s = now_s
        self._why, self._came = Why.NEW, 0
        self._proven_s: float | None = None  # a question of this time was answered, and the event had not come before

    def begin(self, now_s: float, why: Why) -> None:
        """Takes an acknowledgement, a new session, or the end of a silence: events are sent anew."""
        self._began_s = self._last_s = now_s
        self._why, self._came, self._proven_s = why, 0, None

    def came(self, now_s: float) -> None:
        """Takes the oldest event."""
        self._last_s, self._proven_s = now_s, None
        self._came += 1

    def answered(self, asked_s: float) -> None:
        """Takes a reply to a question of this time: the device was awake behind it."""
        self._proven_s = asked_s

    def differences(self, now_s: float) -> Iterator[tuple[bool, Why]]:
        """True for an event that is missing, False for one too many; each once, with the reason why it was due."""
        if self._proven_s is not None and self._proven_s - self._last_s > STARVED_S:
            yield True, Why.TIME if self._came else self._why
        elif self._came > SOON + (now_s - self._began_s) / EVENT_RETRY_MAX_S:
            yield False, Why.TIME
        else:
            return
        self.begin(now_s, Why.TIME)
