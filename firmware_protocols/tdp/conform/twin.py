"""A twin of the device: a correct link that receives the host's frames like the device, and so sends the frames that
the device must send.

The twin makes an event as soon as a frame of the device mentions the event. The frames of twin and device are compared
by kind, session and number; on a simulated line EVENTs also by their times.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from math import inf
from typing import Final

from msgspec import Struct

from firmware_protocols.errors import RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.arrivals import STALLED_S, Arrivals, Signs
from firmware_protocols.tdp.conform.seldom import Seldom
from firmware_protocols.tdp.conform.why import Why
from firmware_protocols.tdp.conform.wire import Line
from firmware_protocols.tdp.link import (
    EVENT_RETRY_S,
    EVENTS_LOCK,
    SILENT_AFTER_S,
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
EDGE_S: Final = 0.45  # around the moment at which the host is silent: a frame may be late by a stall
DENIED_WITHIN_S: Final = 3.0  # of a real line
CAME: Final = 200
_NO_EVENT: Final = b"\1"
_DENIALS: Final = (FrameKind.NO_SESSION, FrameKind.NOT_PROVEN)


class Due(Struct, frozen=True, gc=False):
    """An EVENT that is due, or an EVENT that came and was not due. `why`: the reason why it is due, or why it should
    not have come.
    """

    at_s: float
    number: int
    oldest: int
    why: Why | None


Sent = tuple[int, int, int, int]
"""Kind, opening, boot and number of a frame."""


class Difference(Struct, frozen=True, gc=False):
    """A frame that the device has not sent (`is_missing`), or has sent too often. `why`: for a missing EVENT, the
    reason why the EVENT was due. For a superfluous EVENT: ACK if the EVENT was acknowledged, TIME if it came too early,
    None if the host was silent.
    """

    kind: FrameKind
    number: int
    is_missing: bool
    why: Why | None = None


class Twin(PairableLink):
    """The device's end of a link as it should be, for one boot. `key`: the pair's key; None for a device that is not
    paired.
    """

    def __init__(self, kind: DeviceKind, boot: int, now_s: float, key: bytes | None) -> None:
        pairing = DevicePairing(lambda: bytes(16), lambda _event: None, key)
        super().__init__(DeviceIdentity(kind, simulated=True, model="", serial="", firmware=""), boot, now_s, pairing)

    @property
    def silent_at_s(self) -> float:
        """The time at which the host counts as silent, unless a sign of life comes before."""
        return self._silent_at_s

    @property
    def is_full(self) -> bool:
        """True if 48 or more events wait."""
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

    @property
    def retry_s(self) -> float:
        """The present time between two sendings of an event, in seconds."""
        return self._retry_s

    def prove(self, key: bytes | None) -> None:
        """Sets the session's key; None for a session without proof."""
        self._key = key

    def wake(self, number: int, now_s: float) -> None:
        """Makes events until the newest one has the number `number`."""
        while self._next_event <= number:
            self.post_event(_NO_EVENT, now_s)


class Followed:
    """The line to the device, with a twin that receives everything that is sent on it (satisfies `Line`).

    `happens`: called with each event of the twin's link. `arrivals`: None on a simulated line, on which each EVENT has
    an exact time. A real line may stall at any moment. So on a real line only two things are differences: an EVENT does
    not come at all, or comes far too often.
    """

    def __init__(
        self, line: Line, twin: Twin, happens: Callable[[DeviceLinkEvent], None], arrivals: Arrivals | None
    ) -> None:
        self.twin, self._arrivals = twin, arrivals
        self._signs = Signs(arrivals, line.now_s()) if arrivals is not None else None
        self.is_late = False  # something said or heard since the last comparison was late by a stall
        self._seldom = Seldom(line.now_s()) if arrivals is not None else None
        self._denied_s: dict[Sent, float] = {}  # the last time at which each refusal was due
        self._asked_s: dict[Sent, float] = {}  # the time at which each frame that is due was asked for
        self._line, self._happens = line, happens
        self._said = FrameIo(from_device=True, takes_tags=True)
        self._due: Counter[Sent] = Counter()
        self._events: list[Due] = []  # EVENTs that are due
        self._extra: list[Due] = []  # those that came before they were
        self._free_s = inf  # EVENTs come at any time from then on
        self._why, self._is_short = Why.NEW, False  # the reason for EVENTs that are sent now, or at the retry time
        self._came: deque[tuple[float, int]] = deque(maxlen=CAME)  # times and numbers of the last EVENTs
        self._first_s: dict[int, float] = {}  # by number, the time at which it came first
        self.stale: list[tuple[int, int, int]] = []  # EVENTs with another oldest_event: number, theirs, ours

    def now_s(self) -> float:
        return self._line.now_s()

    @property
    def is_unsure(self) -> bool:
        """True on a real line while a sign of life may be on its way."""
        return self._signs is not None and self._signs.are_coming

    @property
    def awaits_reply(self) -> bool:
        """True while a frame other than an EVENT is due."""
        return any(times > 0 for times in self._due.values())

    def say(self, data: bytes) -> None:
        now_s = self.now_s()
        self.is_late |= abs(self.twin.silent_at_s - now_s) < EDGE_S
        self._line.say(data)
        self.is_late |= self.now_s() - now_s > STALLED_S
        for one in self._heard_by_twin(data, now_s):
            self._happens(one)
            if isinstance(one, CommandReceived):
                self.twin.answer(one.number, 0, b"")

    def _heard_by_twin(self, data: bytes, now_s: float) -> list[DeviceLinkEvent]:
        """Passes the bytes to the twin and returns the twin's events. If the twin then sends EVENTs at once, notes the
        reason.
        """
        twin = self.twin
        was_silent, oldest, is_long = twin.host_silent, twin.oldest, twin.retry_s > EVENT_RETRY_S
        silent_at_s = twin.silent_at_s
        twin.receive_data(data, now_s)
        if self._signs is not None and twin.silent_at_s != silent_at_s:
            self._signs.said()
        happened = twin.events()
        is_over = was_silent and not twin.host_silent
        if any(isinstance(one, SessionOpened) for one in happened):
            self._opened(now_s)
        elif twin.oldest != oldest:
            self._free_s = inf
            self._sends(Why.END if is_over else Why.ACK, now_s, is_short=is_long)
        elif is_over:
            self._free_s = now_s + LATE_S
            self._sends(Why.END, now_s)
        return happened

    def _sends(self, why: Why, now_s: float, *, is_short: bool = False) -> None:
        """Notes the reason why the device sends EVENTs at once. `is_short`: True if an ACK has made the time between
        two sendings short.
        """
        self._why, self._is_short = why, is_short
        if self._seldom is not None:
            self._seldom.begin(now_s, why)

    def _opened(self, now_s: float) -> None:
        """Forgets the EVENTs of the last session that may still be on their way."""
        self._free_s = inf
        self._sends(Why.SESSION, now_s)
        self._events = [one for one in self._events if one.at_s + LATE_S < now_s]

    def hear(self, until_s: float) -> bytes:
        self._go_on(self.now_s())
        data = self._line.hear(until_s)
        self.is_late |= self.now_s() - until_s > STALLED_S
        self._go_on(self.now_s())
        return data

    def _go_on(self, now_s: float) -> None:
        while (due_s := self.twin.next_timeout_s()) is not None and due_s <= now_s:
            self._collect(due_s)
            self._why, self._is_short = Why.SHORT if self._is_short else Why.TIME, False
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
        self._why = Why.NEW

    def _is_free(self, now_s: float) -> bool:
        """True if it is right both that an EVENT comes and that it does not: the host is about to count as silent, or
        was silent before.

        After a silence the device chooses the time between two sendings, until an ACK or a new session makes it short.
        """
        return self._seldom is not None or now_s > self._free_s or abs(self.twin.silent_at_s - now_s) < LATE_S

    def _take_due(self, now_s: float, number: int, oldest: int) -> None:
        if _taken(self._extra, now_s, number) is None and not self._is_free(now_s):
            self._events.append(Due(now_s, number, oldest, self._why))

    def heard(self, header: Header, payload: bytes, now_s: float) -> float:
        """Compares a frame of the device with the frames that are due. Returns the time at which the host sent the
        question that the frame answers; `now_s` for an EVENT and for a frame without a question.
        """
        waited = self.twin.waiting_events
        self._hold_silence(now_s)
        if (header.device_boot, header.kind) == (self.twin.boot, FrameKind.EVENT):
            self.twin.wake(header.number, now_s)
        elif header.device_boot == self.twin.boot and (newest := newest_in(header, payload)) is not None:
            self.twin.wake(newest, now_s)
        if self._seldom is not None and not waited:
            self._seldom.begin(now_s, Why.NEW)
        self._collect(now_s)
        if header.kind != FrameKind.EVENT:
            return self._take_reply(header[:4], now_s)
        if header.host_opening == self.twin.opening:
            self._first_s.setdefault(header.number, now_s)
            self._came.append((now_s, header.number))
            self._take_event(now_s, header.number, _oldest_in(payload))
        return now_s

    def _hold_silence(self, now_s: float) -> None:
        """Sets `is_late` if it is unknown whether a time without a sign of life was longer than 2 s."""
        if self._signs is None or self._arrivals is None:
            return
        gaps = list(self._signs.gaps(now_s))
        self.is_late |= any(least_s <= SILENT_AFTER_S < most_s for least_s, most_s in gaps)

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
            self._extra.append(Due(now_s, number, oldest, self._why_not(number)))
        elif due is not None and due.oldest != oldest:
            self.stale.append((number, oldest, due.oldest))

    def _why_not(self, number: int) -> Why | None:
        """Returns the reason why an EVENT should not have come: ACK if it was acknowledged, TIME if it is not due yet,
        None if the host is silent.
        """
        if self.twin.host_silent:
            return None
        return Why.ACK if number < self.twin.oldest else Why.TIME

    def restart(self, twin: Twin) -> None:
        """Takes the twin of another boot, and forgets the frames that are due or were received."""
        self.twin = twin
        self._signs = Signs(self._arrivals, self.now_s()) if self._arrivals is not None else None
        self._due.clear()
        self._asked_s.clear()
        self._free_s = inf
        self._came.clear()
        self._first_s.clear()
        self._events, self._extra, self.stale = [], [], []

    def differences(self) -> Iterator[Difference]:
        """Yields the frames that are missing or superfluous now. Yields each frame only once."""
        due, self._due = self._due, Counter()
        self._asked_s.clear()
        for (kind, _opening, _boot, number), times in due.items():
            if times:
                yield Difference(FrameKind(kind), number, times > 0)
        for is_missing, why in self._seldom.differences(self.now_s()) if self._seldom is not None else ():
            yield Difference(FrameKind.EVENT, self.twin.oldest, is_missing, why)
        for list_of, is_missing in ((self._events, True), (self._extra, False)):
            late = [one for one in list_of if one.at_s + LATE_S < self.now_s()]
            list_of[:] = [one for one in list_of if one not in late]
            for one in late:
                if not self._is_a_tie(one, is_missing=is_missing):
                    yield Difference(FrameKind.EVENT, one.number, is_missing, one.why)

    def _is_a_tie(self, due: Due, *, is_missing: bool) -> bool:
        """True if the device made an EVENT just when it sent all EVENTs again, so that this EVENT may come once or
        twice. Never true in a silence.
        """
        if not is_missing:
            return due.why is not None and abs(self._first_s[due.number] - due.at_s) < LATE_S
        return any(one == due.number and abs(came_s - due.at_s) < LATE_S for came_s, one in self._came)


def newest_in(header: Header, payload: bytes) -> int | None:
    """The number of the newest event that the status in this frame counts; None for an EVENT and for a frame without a
    status.
    """
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
    """Removes from `frames` the first EVENT with this number and about this time, and returns it; None if there is no
    such EVENT.
    """
    for one in frames:
        if one.number == number and abs(now_s - one.at_s) <= LATE_S:
            frames.remove(one)
            return one
    return None
