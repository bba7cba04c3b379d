"""Finds which of the host's frames have surely reached the device over a line that may stall.

A line keeps the order of its bytes. So an answer proves that its question has arrived, and every frame sent before this
question. Until such an answer comes, a frame may still be on its way, however long ago it was sent.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from firmware_protocols.tdp.link import FrameKind, Header

ON_THE_WAY_S: Final = 0.3  # until a frame must have arrived that was said on a simulated line
STALLED_S: Final = 0.3  # by so much line or computer were late: what was said about then proves nothing
_ANSWER_TO: Final[Mapping[int, FrameKind]] = {
    FrameKind.HELLO: FrameKind.IDENTITY,
    FrameKind.COMMAND: FrameKind.ANSWER,
    FrameKind.HEARTBEAT: FrameKind.HEARTBEAT_REPLY,
}


class Said(NamedTuple):
    """One frame sent by the host: the frame's number among all frames of the host, counted from 1, and the time of
    sending.
    """

    place: int
    at_s: float


class Arrivals:
    """Knows which frames of the host have surely arrived. On a simulated line (`is_exact`) frames have arrived that
    were sent at least ON_THE_WAY_S ago. On any other line the frames up to the last question that the device has
    answered have arrived.
    """

    def __init__(self, now_s: float, *, is_exact: bool) -> None:
        self.is_exact = is_exact
        self._asked: dict[tuple[int, int, int], deque[Said]] = {}
        self.last = self.sure = Said(0, now_s)  # the last frame; the last question that was answered
        self.late_s = 0.0  # the longest that an answer has taken

    def said(self, header: Header, now_s: float) -> None:
        """Notes a frame that the host has sent."""
        self.last = Said(self.last.place + 1, now_s)
        if (answer := _ANSWER_TO.get(header.kind)) is not None:
            number = 0 if answer is FrameKind.IDENTITY else header.number
            self._asked.setdefault((answer, header.host_opening, number), deque()).append(self.last)

    def heard(self, header: Header, now_s: float) -> None:
        """Notes a frame from the device. If this frame may answer several questions, it proves only that the first of
        them has arrived.
        """
        asked = self._asked.get(header[:2] + header[3:4], deque())
        while asked and asked[0].place <= self.sure.place:
            asked.popleft()  # answers come in the order of their questions: that one was left without an answer
        if asked:
            self.late_s = max(self.late_s, now_s - asked[-1].at_s)
            self.sure = asked.popleft()

    def mark(self, now_s: float) -> float:
        """Returns the value for the frame that the host has sent last: on a simulated line the time `now_s`, otherwise
        the frame's number. The frame has surely arrived once `until` returns at least this value.
        """
        return now_s if self.is_exact else self.last.place

    def until(self, now_s: float) -> float:
        """Returns the time (on a simulated line) or the number of the latest frame that has surely arrived."""
        return now_s - ON_THE_WAY_S if self.is_exact else self.sure.place

    def as_of(self, now_s: float) -> float:
        """The earliest time, in seconds, at which the device can have sent the frame that has just arrived."""
        return now_s if self.is_exact else self.sure.at_s


class Signs:
    """The signs of life of the host, each with the earliest and latest time of its arrival. `arrivals`: knows which
    frames have arrived.
    """

    def __init__(self, arrivals: Arrivals, now_s: float) -> None:
        self._arrivals = arrivals
        self._coming = deque[Said]()
        self._last, self._by_s = Said(0, now_s), now_s

    @property
    def are_coming(self) -> bool:
        """True while a sign of life may be on its way."""
        return bool(self._coming)

    def said(self) -> None:
        """Notes that the host's last frame is a sign of life."""
        self._coming.append(self._arrivals.last)

    def gaps(self, now_s: float) -> Iterator[tuple[float, float]]:
        """Yields the gaps between the host's signs of life that have arrived since the last call, then the gap from the
        last sign of life to the last answered question. Each gap is two numbers of seconds: the least and the greatest
        time for which the device can have received no sign of life.
        """
        sure = self._arrivals.sure
        while self._coming and self._coming[0].place <= sure.place:
            one = self._coming.popleft()
            yield one.at_s - self._by_s, now_s - self._last.at_s
            self._last, self._by_s = one, now_s
        if self._last.place < sure.place:
            yield sure.at_s - self._by_s, now_s - self._last.at_s
