"""Tests on a real line that the device repeats its oldest event, but not too often. Exact times prove nothing on such a
line.
"""

from collections.abc import Iterator
from typing import Final

from firmware_protocols.tdp.conform.why import Why
from firmware_protocols.tdp.link import EVENT_RETRY_MAX_S

STARVED_S: Final = EVENT_RETRY_MAX_S + 1.0  # since the oldest event came: the line may be late by the second
SOON: Final = 5  # in the first second: at once, three times again, and one that was on its way


class Seldom:
    """Counts the arrivals of the oldest waiting event. The count begins anew at an ACK, at a new session and at the end
    of a silence.
    """

    def __init__(self, now_s: float) -> None:
        self._began_s = self._last_s = now_s
        self._why, self._came = Why.NEW, 0
        self._proven_s: float | None = None  # a question of this time was answered, and the event had not come before

    def begin(self, now_s: float, why: Why) -> None:
        """Begins the count anew. `why`: the reason why the event is sent now: an acknowledgement, a new session, or the
        end of a silence.
        """
        self._began_s = self._last_s = now_s
        self._why, self._came, self._proven_s = why, 0, None

    def came(self, now_s: float) -> None:
        """Counts an arrival of the oldest event."""
        self._last_s, self._proven_s = now_s, None
        self._came += 1

    def answered(self, asked_s: float) -> None:
        """Notes that the device has answered a frame that was sent at `asked_s`. So the line worked at that time."""
        self._proven_s = asked_s

    def differences(self, now_s: float) -> Iterator[tuple[bool, Why]]:
        """Yields True if the oldest waiting event has not come for 2 s although the line worked, and False if the event
        has come too often; yields nothing in all other cases. The second value is the reason why the event was due.
        Begins the count anew after each difference.
        """
        if self._proven_s is not None and self._proven_s - self._last_s > STARVED_S:
            yield True, Why.TIME if self._came else self._why
        elif self._came > SOON + (now_s - self._began_s) / EVENT_RETRY_MAX_S:
            yield False, Why.TIME
        else:
            return
        self.begin(now_s, Why.TIME)
