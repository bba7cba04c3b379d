"""A device's link as the text has it, beside the device: it hears what the device hears, and says what is due.

It follows the device: an event is made in it as soon as a frame tells of it. Frames are compared by kind, session and
number, EVENTs by their times, too.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from math import inf
from typing import Final

from msgspec import Struct

from firmware_protocols.errors import RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.seldom import Seldom
from firmware_protocols.tdp.conform.wire import Line
from firmware_protocols.tdp.link import (
    EVENTS_LOCK,
    CommandReceived,
    DeviceIdentity,
    DeviceLinkEvent,
    FrameIo,
    FrameKind,
    Header,
    SessionOpened,
)
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import DevicePairing
from firmware_protocols.tdp.schema import DeviceKind

LATE_S: Final = 0.12  # of an EVENT on a simulated line
STALLED_S: Final = 0.3  # by so much line or computer were late: what was said about then proves nothing
EDGE_S: Final = 0.45  # around the moment at which the host is silent: a frame may be late by a stall
DENIED_WITHIN_S: Final = 3.0  # of a real line
CAME: Final = 200
_NO_EVENT: Final = b"\1"
_DENIALS: Final = (FrameKind.NO_SESSION, FrameKind.NOT_PROVEN)


Due = tuple[float, int, int]
"""Time, number and oldest_event of an EVENT."""
Sent = tuple[int, int, int, int]
"""Kind, opening, boot and number of a frame."""


class Difference(Struct, frozen=True, gc=False):
    """A frame that the device has left out, or has said too often."""

    kind: FrameKind
    number: int
    is_missing: bool


class Twin(PairableLink):
    """The link of one boot, without a device behind it: every command is answered at once."""

    def __init__(self, kind: DeviceKind, boot: int, now_s: float, key: bytes | None) -> None:
        pairing = DevicePairing(lambda: bytes(16), lambda _event: None, key)
        super().__init__(DeviceIdentity(kind, simulated=True, model="", serial="", firmware=""), boot, now_s, pairing)

    @property
    def silent_at_s(self) -> float:
        """The time at which the host is silent, if it says nothing."""
        return self._silent_at_s

    @property
    def is_full(self) -> bool:
        """True where 48 events wait."""
        return self.waiting_events >= EVENTS_LOCK

    @property
    def opening(self) -> int | None:
        return self._opening

    @property
    def newest(self) -> int:
        return self._next_event - 1

    @property
    def oldest(self) -> int:
        return self._oldest()

    def prove(self, key: bytes | None) -> None:
        """Takes the key that host and device have made for this session."""
        self._key = key

    def wake(self, number: int, now_s: float) -> None:
        """Makes all events up to this one."""
        while self._next_event <= number:
            self.post_event(_NO_EVENT, now_s)


class Followed:
    """The line to the device, at which its twin listens (satisfies `Line`).

    `is_exact`: the line and both ends are simulated, so that each EVENT has its time. On a real line, where a computer
    may stall at any moment, only EVENTs that do not come at all, or far too often, are differences.
    """

    def __init__(
        self, line: Line, twin: Twin, happens: Callable[[DeviceLinkEvent], None], *, is_exact: bool = True
    ) -> None:
        self.twin = twin
        self.is_late = False  # something said or heard since the last comparison was late by a stall
        self._seldom = None if is_exact else Seldom(line.now_s())
        self._denied_s: dict[Sent, float] = {}  # the last time at which each refusal was due
        self._asked_s: dict[Sent, float] = {}  # the time at which each frame that is due was asked for
        self._line, self._happens = line, happens
        self._said = FrameIo(from_device=True, takes_tags=True)
        self._due: Counter[Sent] = Counter()
        self._events: list[Due] = []  # EVENTs that are due
        self._extra: list[Due] = []  # those that came before they were
        self._free_s = inf  # EVENTs come at any time from then on
        self._came: deque[tuple[float, int]] = deque(maxlen=CAME)  # times and numbers of the last EVENTs
        self._first_s: dict[int, float] = {}  # by number, the time at which it came first
        self.stale: list[tuple[int, int, int]] = []  # EVENTs with another oldest_event: number, theirs, ours

    def now_s(self) -> float:
        return self._line.now_s()

    @property
    def awaits_reply(self) -> bool:
        """True while a frame is due that is no EVENT."""
        return any(times > 0 for times in self._due.values())

    def say(self, data: bytes) -> None:
        now_s, was_silent, oldest = self.now_s(), self.twin.host_silent, self.twin.oldest
        self.is_late |= abs(self.twin.silent_at_s - now_s) < EDGE_S
        self._line.say(data)
        self.is_late |= self.now_s() - now_s > STALLED_S
        self.twin.receive_data(data, now_s)
        happened = self.twin.events()
        if any(isinstance(one, SessionOpened) for one in happened):
            self._opened(now_s)
        elif self.twin.oldest != oldest:
            self._free_s = inf
        elif was_silent and not self.twin.host_silent:
            self._free_s = now_s + LATE_S
        if self._seldom is not None and (was_silent or self.twin.oldest != oldest or self._free_s == inf):
            self._seldom.begin(now_s)
        for one in happened:
            self._happens(one)
            if isinstance(one, CommandReceived):
                self.twin.answer(one.number, 0, b"")

    def _opened(self, now_s: float) -> None:
        """Forgets EVENTs of the session before, that may be on their way."""
        self._free_s = inf
        self._events = [one for one in self._events if one[0] + LATE_S < now_s]

    def hear(self, until_s: float) -> bytes:
        self._go_on(self.now_s())
        data = self._line.hear(until_s)
        self.is_late |= self.now_s() - until_s > STALLED_S
        self._go_on(self.now_s())
        return data

    def _go_on(self, now_s: float) -> None:
        while (due_s := self.twin.next_timeout_s()) is not None and due_s <= now_s:
            self._collect(due_s)
            self.twin.handle_timeout(due_s)
            self._collect(due_s)
        self._collect(now_s)

    def _collect(self, now_s: float) -> None:
        for one in self._said.frames(self.twin.data_to_send()):
            if isinstance(one, RejectReason):
                continue
            kind, opening, boot, number, _tag = one[0]
            if kind == FrameKind.EVENT:
                self._take_due(now_s, number, _oldest_in(one[1]))
            else:
                self._due[kind, opening, boot, number] += 1
                self._asked_s[kind, opening, boot, number] = now_s
                if kind in _DENIALS:
                    self._denied_s[kind, opening, boot, number] = now_s

    def _is_free(self, now_s: float) -> bool:
        """True where an EVENT may come or not: the host falls silent just now, or was silent before.

        The retry time behind a silence is the device's choice, until an ACK or a session makes it short.
        """
        return self._seldom is not None or now_s > self._free_s or abs(self.twin.silent_at_s - now_s) < LATE_S

    def _take_due(self, now_s: float, number: int, oldest: int) -> None:
        if _taken(self._extra, now_s, number) is None and not self._is_free(now_s):
            self._events.append((now_s, number, oldest))

    def heard(self, header: Header, payload: bytes, now_s: float) -> float:
        """Takes a frame of the device, and gives the time at which it was asked for; `now_s` for an EVENT."""
        waited = self.twin.waiting_events
        if (header.device_boot, header.kind) == (self.twin.boot, FrameKind.EVENT):
            self.twin.wake(header.number, now_s)
        elif header.device_boot == self.twin.boot and (newest := newest_in(header, payload)) is not None:
            self.twin.wake(newest, now_s)
        if self._seldom is not None and not waited:
            self._seldom.begin(now_s)
        self._collect(now_s)
        if header.kind != FrameKind.EVENT:
            return self._take_reply(header[:4], now_s)
        if header.host_opening == self.twin.opening:
            self._first_s.setdefault(header.number, now_s)
            self._came.append((now_s, header.number))
            self._take_event(now_s, header.number, _oldest_in(payload))
        return now_s

    def _take_reply(self, sent: Sent, now_s: float) -> float:
        asked_s = self._asked_s.get(sent, now_s)
        self.is_late |= now_s - asked_s > STALLED_S
        if self._seldom is not None and now_s - self._denied_s.get(sent, -inf) < DENIED_WITHIN_S:
            self._due[sent] = 0  # a stall decides how many frames are denied
            return asked_s
        self._due[sent] -= 1
        if self._seldom is not None and self.twin.waiting_events and not self.twin.host_silent:
            self._seldom.answered(asked_s)
        return asked_s

    def _take_event(self, now_s: float, number: int, oldest: int) -> None:
        if self._seldom is not None and number == self.twin.oldest:
            self._seldom.came(now_s)
        due = _taken(self._events, now_s, number)
        if due is None and not self._is_free(now_s):
            self._extra.append((now_s, number, oldest))
        elif due is not None and due[2] != oldest:
            self.stale.append((number, oldest, due[2]))

    def restart(self, twin: Twin) -> None:
        """Goes on with the twin of another boot."""
        self.twin = twin
        self._due.clear()
        self._asked_s.clear()
        self._free_s = inf
        self._came.clear()
        self._first_s.clear()
        self._events, self._extra, self.stale = [], [], []

    def differences(self) -> Iterator[Difference]:
        """The frames that are missing or too many by now; a second call does not give them again."""
        due, self._due = self._due, Counter()
        self._asked_s.clear()
        for (kind, _opening, _boot, number), times in due.items():
            if times:
                yield Difference(FrameKind(kind), number, times > 0)
        for is_missing in self._seldom.differences(self.now_s()) if self._seldom is not None else ():
            yield Difference(FrameKind.EVENT, self.twin.oldest, is_missing)
        for list_of, is_missing in ((self._events, True), (self._extra, False)):
            late = [one for one in list_of if one[0] + LATE_S < self.now_s()]
            list_of[:] = [one for one in list_of if one not in late]
            for at_s, number, _oldest in late:
                if not self._is_a_tie(at_s, number, is_missing=is_missing):
                    yield Difference(FrameKind.EVENT, number, is_missing)

    def _is_a_tie(self, at_s: float, number: int, *, is_missing: bool) -> bool:
        """True where an EVENT was made just when all are sent again: it comes once, or twice."""
        if not is_missing:
            return abs(self._first_s[number] - at_s) < LATE_S
        return any(one == number and abs(came_s - at_s) < LATE_S for came_s, one in self._came)


def newest_in(header: Header, payload: bytes) -> int | None:
    """The newest event that a status in this frame takes in; None for a frame without one, and for an EVENT."""
    match header.kind:
        case FrameKind.IDENTITY:
            return rows.IDENTITY_LAYOUT.split(payload)[0].next_event - 1
        case FrameKind.ANSWER:
            return rows.ANSWER_LAYOUT.split(payload)[0].newest_event
        case FrameKind.HEARTBEAT_REPLY:
            return rows.REPLY_LAYOUT.split(payload)[0].newest_event
        case _:
            return None


def _oldest_in(payload: bytes) -> int:
    return rows.EVENT_LAYOUT.split(payload)[0].oldest_event


def _taken(frames: list[Due], now_s: float, number: int) -> Due | None:
    """Takes the first frame of this number about this time out of the list; None where it has none."""
    for one in frames:
        if one[1] == number and abs(now_s - one[0]) <= LATE_S:
            frames.remove(one)
            return one
    return None
