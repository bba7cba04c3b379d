"""Tests each frame of a device against all frames before it, in every check.

Each boot has a `Book` with its events and acknowledgements. `seen` has the duties that a frame has tested. `breaks` has
the first break of each duty with the frames before it; no later frame removes a break.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform import told, wished
from firmware_protocols.tdp.conform.answer_times import AnswerTimes
from firmware_protocols.tdp.conform.arrivals import ON_THE_WAY_S, Arrivals, Signs
from firmware_protocols.tdp.conform.asked import ANSWERED, Asked, Hellos
from firmware_protocols.tdp.conform.bench import Deed, Statement
from firmware_protocols.tdp.conform.between import Between
from firmware_protocols.tdp.conform.book import Book, Break, of_reply
from firmware_protocols.tdp.conform.lamp_watch import LampWatch
from firmware_protocols.tdp.conform.shut_watch import ShutWatch
from firmware_protocols.tdp.conform.tags import DUTY_OF_TAG, Nonces, Pads, has_its_tag, nonce_in
from firmware_protocols.tdp.conform.untold import Untold
from firmware_protocols.tdp.host_proof import HostProof
from firmware_protocols.tdp.link import (
    EVENT_WINDOW,
    EVENTS_KEPT,
    EVENTS_LOCK,
    FROM_DEVICE,
    SILENT_AFTER_S,
    FrameKind,
    Header,
)
from firmware_protocols.tdp.schema import DeviceSchema
from firmware_protocols.tdp.shuffler import ShufflerApply

Frames = Callable[[], list[str]]

_OF_A_HOST: Final = frozenset(kind for kind in FrameKind if not kind & FROM_DEVICE)
NOISE_ALLOWED: Final = 3  # damaged frames, since a real line has some noise
_CHANGE: Final = frozenset(Deed) - {Deed.EVENT, Deed.DRAW, Deed.LOAD}
"""Acts of hands after which a device shows something else by right."""


class Watch:
    """Tests each frame that the host sends or receives, in any check."""

    def __init__(self, schema: DeviceSchema[Any, Any, Any], statement: Statement, arrivals: Arrivals) -> None:
        self._arrivals, self._is_exact, self._signs = arrivals, arrivals.is_exact, Signs(arrivals, 0.0)
        self.breaks: dict[str, Break] = {}
        self.once: dict[str, Break] = {}  # breaks on a real line that did not come again
        self.stalled: dict[str, Break] = {}  # breaks on a line that stalls
        self.seen: set[str] = set()
        self.hands: Deed | None = None  # the last act of hands: after some of them numbers may begin anew
        self._schema, self._statement = schema, statement
        self._book = Book(0)
        self._opening: int | None = None  # the opening of the session that the device has answered
        self._expected: int | None = None
        self.hellos = Hellos()
        self._stray = set[int]()  # openings of HELLOs that open a session where a stall was a silence to the device
        self.asked = Asked()
        self._who = told.Who()
        self._is_first = False  # the next event is the first one of its session
        self._said_s = self._silence_s = self._opened_s = self._wished_s = self._alive_s = 0.0
        self._damaged = 0
        self._status: Any = None
        self._frames: Frames = list
        self._command = 0  # the last command of the session
        self._wish_said: bytes | None = None  # its payload, until it is answered
        self._before_wish: tuple[int, Any] = (0, None)  # the newest event, and the status, before that command
        self._wished: dict[str, tuple[str, object]] = {}  # fields of the status that the last command set
        self._is_of_before = False  # a session or a silence lies between that command and now
        self._outlasted: set[str] = set()  # fields that have shown it behind that session or silence
        self._was_shown: set[str] = set()  # fields that have shown what it set
        self._answered_s = AnswerTimes()
        self.nonces, self._pads = Nonces(), Pads(schema.secret_at)
        self.lamp, self._untold, self._between, self._shut = LampWatch(), Untold(), Between(), ShutWatch()
        self.is_locked_by_right = False  # the device's switch is on, or the host sends only copies

    @property
    def newest(self) -> int:
        """The number of this boot's newest event that the device has mentioned; 0 if none."""
        return self._book.newest

    @property
    def events(self) -> Mapping[int, bytes]:
        """The bytes of every event received in this boot, by number."""
        return self._book.events

    @property
    def acked(self) -> int:
        """The last event that is acknowledged, or lost without an ACK, as far as the host can know."""
        return self._book.acked

    @property
    def _is_stuck(self) -> bool:
        """True from the time when hands make a panel stick until their next deed. The panel may then show anything."""
        return self.hands is Deed.FAULT and self._schema.kind in wished.SHOWS_WITHIN_S

    @property
    def _is_full(self) -> bool:  # 48 events wait
        return self._book.newest - self._book.acked >= EVENTS_LOCK

    def _surely_acked(self, now_s: float) -> int:
        return self._book.surely_acked(self._arrivals.until(now_s))

    def said(self, header: Header, payload: bytes, now_s: float) -> None:
        """Notes a whole frame that the host sends. A kind that no host sends is no sign of life and is left out."""
        self._arrivals.said(header, now_s)
        is_hello, is_of_boot = header.kind == FrameKind.HELLO, header.device_boot == self._book.boot
        if header.kind not in _OF_A_HOST:
            self.asked.is_wrong(header.host_opening, ANSWERED, header.number, "3.2")
            return
        self._silence_s, self._said_s = now_s - self._said_s, now_s
        if is_hello:
            self.hellos.said(header, payload)
            self._stray |= {header.host_opening} - {self._expected} if not self._is_exact else set()
            self._book.commit(header, payload)
        if is_hello or not is_of_boot or header.host_opening not in (self._opening, self._expected):
            return
        self.asked.asks(header.host_opening, header.kind, header.number)  # the device may have taken HELLO already
        if header.host_opening == self._opening:
            self._live(now_s)
            self._wish(header, payload)
        if header.host_opening == self._opening and header.kind == FrameKind.ACK and not payload:
            self._book.acknowledge(header.number, self._arrivals.mark(now_s))

    def _live(self, now_s: float) -> None:
        self._signs.said()
        self._heard_none_for(now_s - self._alive_s)
        self._alive_s = now_s

    def _heard_none_for(self, gap_s: float) -> None:
        """Notes a gap between signs of life. After a long one the device may have withdrawn what it showed."""
        if gap_s > SILENT_AFTER_S - ON_THE_WAY_S:
            self._between.part()
            self._wished = self._wished if self._schema.kind in wished.STAY else {}
        if gap_s > SILENT_AFTER_S:
            self._is_of_before, self._outlasted = True, set()

    def _wish(self, header: Header, payload: bytes) -> None:
        if header.kind == FrameKind.COMMAND:
            self._between.part()
            self._wished = {} if len(payload) != 1 else self._wished  # a query changes nothing
        if header.kind == FrameKind.COMMAND and header.number == self._command + 1:
            self._command, self._wish_said = header.number, payload
            self.lamp.command_said()

    def rejected(self, why: RejectReason, frames: Frames) -> None:
        """Notes a frame dropped for the reason `why`. Duty 2.8 allows NOISE_ALLOWED damaged frames and no other."""
        self._frames = frames
        is_noise = why in (RejectReason.BAD_COBS, RejectReason.BAD_CRC, RejectReason.OVERSIZE)
        self._damaged += is_noise
        is_little = self._damaged <= NOISE_ALLOWED * (not self._is_exact)
        self._must("2.8", is_noise and is_little, f"a frame that is dropped: {why}")

    def tagged(self, header: Header, raw: bytes, frames: Frames, proof: HostProof) -> None:
        """Tests tag, pad and unchanged nonce of a paired device's frame. `proof`: the session's proof."""
        self._frames, is_right = frames, has_its_tag(proof, header, raw)
        self._must(DUTY_OF_TAG.get(header.kind, "18.3"), is_right, f"{FrameKind(header.kind).name} under another tag")
        if header.kind == FrameKind.IDENTITY and header.tag != NO_TAG:
            self._must_all(self.nonces.of_identity(header, nonce_in(raw)))
        if is_right and proof.session is not None:
            self._must_all(self._pads.of_event(header, raw, proof.session))

    def answered(self, result: int, after_s: float) -> None:
        """Tests the time of an answer, in seconds after its COMMAND (duty 5.8)."""
        self._must("5.8", *self._answered_s.is_in_time(result, after_s))

    def heard(self, header: Header, payload: bytes, now_s: float, frames: Frames) -> None:
        """Tests a whole frame of the device. `frames`: returns the record of the earlier frames, for a break."""
        self._frames = frames
        self._arrivals.heard(header, now_s)
        self.seen |= {"2.8", "3.4"}
        try:
            self._take(header, payload, now_s)
        except FrameError as error:
            self._must("3.4", False, f"{FrameKind(header.kind).name} {header.number}: {error}")  # noqa: FBT003

    def _take(self, header: Header, payload: bytes, now_s: float) -> None:
        match header.kind:
            case FrameKind.NO_SESSION | FrameKind.NOT_PROVEN | FrameKind.PAIRED:
                self._must("3.3", not payload, f"{FrameKind(header.kind).name} with a payload of {len(payload)} bytes")
            case FrameKind.IDENTITY:
                self._take_identity(header, payload, now_s)
            case _ if self._is_of_the_session(header, now_s):
                self._take_of_session(header, payload, now_s)
            case _:
                pass

    def _is_of_the_session(self, header: Header, now_s: float) -> bool:
        """True for a frame of this session. A frame of the last one may still come shortly after IDENTITY."""
        opening, boot = header.host_opening, header.device_boot
        is_ours = (opening, boot) == (self._opening, self._book.boot)
        is_right = is_ours or now_s - self._opened_s < ON_THE_WAY_S or opening in self._stray
        duty = "3.6" if is_right or opening == self._opening else self.asked.reason(opening, "3.6", self.breaks)
        is_early = not is_right and opening == self._expected != self._opening and self.hellos.is_early(opening)
        self._must(duty, is_right or is_early, f"of opening {opening}, boot {boot}")
        return is_ours

    def _take_identity(self, header: Header, payload: bytes, now_s: float) -> None:
        self._must_all(told.of_texts(payload))
        body, block = rows.IDENTITY_LAYOUT.split(payload)
        opening = header.host_opening
        self._must_all(self.hellos.answered(opening))
        may_open = self.hellos.may_open(opening)
        self._must("3.6", header.number == 0, f"IDENTITY {header.number}")
        self._must("9.3", header.device_boot != 0, "device_boot 0")
        self._must_all(self._who.of_identity(body))
        is_start = header.device_boot != self._book.boot
        was = self._status if is_start else None
        self._meet_boot(header.device_boot, body)
        self._opening = None if is_start else self._opening  # no session of a boot before is one of this
        if is_new := may_open and opening == self._expected != self._opening:
            self._opening, self._opened_s = opening, now_s
            self._between.part()
            self._is_first = not self._damaged
            self._command, self._wish_said, self._is_of_before, self._outlasted = 0, None, True, set()
            self.lamp.session_opened(is_start=is_start, is_spoilt=self.hands is Deed.FORGET)
            self._wished = {} if is_start or self._schema.kind not in wished.STAY else self._wished
            self.asked.begins(opening)
        status = self._schema.decode_status(block)
        opened = told.of_opening(status, self._statement, is_new=is_new and not is_start)
        self._must_all((*told.of_start(status, was), *opened))
        self._take_status(status)

    def _meet_boot(self, boot: int, body: rows.IdentityBody) -> None:
        if boot != self._book.boot:
            self._book = Book(boot, self._status, acked=body.oldest_event - 1, newest=body.next_event - 1)
        went_on = self._book.goes_on(body)
        self._must(*went_on)
        self._must("4.10", body.oldest_event <= body.next_event, f"oldest {body.oldest_event}, next {body.next_event}")
        if not went_on[1]:
            self._book = Book(boot, self._status, acked=body.oldest_event - 1)
        self._book.hear_of_oldest(body.oldest_event)
        self._book.hear_of_made(body.next_event - 1)
        self._hold_lost()

    def expects(self, opening: int) -> None:
        """Notes that the IDENTITY with the opening `opening` will open a session of the host."""
        self._expected = opening

    def _take_of_session(self, header: Header, payload: bytes, now_s: float) -> None:
        match header.kind:
            case FrameKind.EVENT:
                self._take_event(header.number, payload, now_s)
            case FrameKind.ANSWER:
                answer, block = rows.ANSWER_LAYOUT.split(payload)
                self._must("5.7", answer.result in set(self._schema.results), f"result {answer.result}")
                before = self._book.newest, self._status
                self._take_reply(FrameKind.COMMAND, header.number, answer.newest_event, block, now_s)
                if header.number == self._command and self._wish_said is not None:
                    self._hold_result(self._wish_said, answer.result, before, now_s)
                    self._wish_said = None
            case _:
                reply, block = rows.REPLY_LAYOUT.split(payload)
                self._take_reply(FrameKind.HEARTBEAT, header.number, reply.newest_event, block, now_s)

    def _take_reply(self, to: FrameKind, number: int, newest: int, block: bytes, now_s: float) -> None:
        self._must(*self.asked.answered(self._opening or 0, to, number, self.breaks))
        for _least_s, most_s in () if self._is_exact else self._signs.gaps(now_s):
            self._heard_none_for(most_s)
        heard_s, now_s = now_s, self._arrivals.as_of(now_s)
        self._must("3.1", newest >= self._book.newest, f"newest_event {newest}, behind {self._book.newest}")
        self._book.hear_of_newest(newest)
        self._hold_lost()
        status = self._schema.decode_status(block)
        self._must_all(of_reply(self._book, newest, status, self._schema.decode_event))
        self._hold_silence(status, now_s)
        self._hold_wished(status, now_s)
        self._hold_lamp(status, now_s)
        is_settled = to is FrameKind.HEARTBEAT and self._wish_said is None
        self._must_all(self._between.reply(self._book, newest, status, is_settled=is_settled))
        self._must_all(self._shut.reply(self._book, status, (now_s, heard_s), is_settled=is_settled))
        self._must_all(self._untold.of_status(self._book, status, now_s) if newest == self._book.newest else ())
        self._take_status(status)

    def _hold_result(self, payload: bytes, result: int, before: tuple[int, Any], now_s: float) -> None:
        """Tests the first answer to a command, and notes what the status must show from now on."""
        try:
            command = self._schema.decode_command(payload)
        except FrameError:
            return  # a bad one on purpose: its check says so
        wait = self._book.newest - self._book.acked
        is_sure = wait < EVENTS_LOCK and self._book.newest - self._surely_acked(now_s) < EVENTS_LOCK
        if result != wished.BAD_COMMAND and isinstance(command, ShufflerApply):
            self._shut.command_done(command)
            self.lamp.command_done(self._status, now_s, lamp=command.lamp, is_refused=result != wished.OK)
        right = wished.right_result(command, before[1], self._status, is_full=not is_sure)
        if right is not None and is_sure and not self.is_locked_by_right:
            duty = wished.blamed_result(result, right)
            self._must(duty, result == right[1], f"result {result}, not {right[1]}: {command}; {before[1]}")
        if fields := wished.fields_of(command, before[1], self._statement):
            self._wished = fields if result == 0 and is_sure and not self.is_locked_by_right else {}
            self._wished_s, self._is_of_before, self._outlasted = now_s, False, set()
            self._before_wish = before
            self._was_shown = {name for name, (_duty, value) in fields.items() if getattr(self._status, name) == value}

    def _hold_wished(self, status: Any, now_s: float) -> None:  # noqa: ANN401 (any kind's)
        """Tests that a status shows what the last command has set, until something withdraws it."""
        is_withdrawn = getattr(status, "jammed", False) or getattr(status, "lid_open", False) or self._is_full
        if is_withdrawn or status.host_silent or self.is_locked_by_right or self.hands in _CHANGE:
            self._wished = {}
            self.hands = None if self.hands in _CHANGE and not self._is_stuck else self.hands
        if now_s - self._wished_s < wished.SHOWS_WITHIN_S.get(self._schema.kind, wished.AT_ONCE_S):
            return
        for name, duty, value in list(wished.owed(self._wished, self._was_shown, self.breaks)):
            self._was_shown |= {name} if getattr(status, name) == value else set()
            is_changed = self._is_of_before and name in self._was_shown - self._outlasted
            stays = wished.STAYS.get(duty, duty) if is_changed and duty not in self.breaks else duty
            is_undone = wished.is_undone(self._wished, self._before_wish, (self._book.newest, status))
            stays = "5.9" if stays == duty and is_undone else stays  # nothing of it shows, and no event says why
            self._must(stays, getattr(status, name) == value, f"{name}, told to be {value}: {status}")
            if getattr(status, name) != value:
                del self._wished[name]  # said once: what follows is the same break

    def _hold_lamp(self, status: Any, now_s: float) -> None:  # noqa: ANN401 (any kind's)
        is_withdrawn = self._is_full or self._is_of_before or self._silence_s > SILENT_AFTER_S - ON_THE_WAY_S
        self._must_all(self.lamp.of_status(status, now_s, is_withdrawn=is_withdrawn))

    def _hold_silence(self, status: Any, now_s: float) -> None:  # noqa: ANN401 (any kind's)
        """Tests `host_silent`. It must be set only while 48 events wait, since the host has just sent a frame."""
        if self._is_full:
            self._must("6.15", status.host_silent, f"no host_silent, {self._book.newest - self._book.acked} wait")
        elif self._book.newest - self._surely_acked(now_s) < EVENTS_LOCK and not self.is_locked_by_right:
            ends_one = self._silence_s > SILENT_AFTER_S - ON_THE_WAY_S
            self._must("7.3" if ends_one else "9.23", not status.host_silent, "host_silent, although the host speaks")

    def _take_event(self, number: int, payload: bytes, now_s: float) -> None:
        head, body = rows.EVENT_LAYOUT.split(payload)
        event, status = self._schema.decode_event(body)
        book, acked, oldest = self._book, self._surely_acked(now_s), head.oldest_event
        is_so, self._is_first = not self._is_first or number <= oldest, False
        self._must("4.6", is_so, f"EVENT {number} first, and {oldest} waits")
        if number not in book.events:
            self.lamp.event_came(event)
        if number > book.newest and self._schema.kind in wished.STAY and not status.host_silent:
            self._hold_wished(status, self._arrivals.as_of(now_s))  # made behind the last reply
        first = book.events.setdefault(number, body)
        book.hear_of_oldest(oldest)
        self._must("6.4", first == body, f"EVENT {number} comes again with other bytes")
        self._must("6.7", number <= book.acked + EVENT_WINDOW, f"EVENT {number}, the last acknowledged is {book.acked}")
        self._must("6.12", number > acked, f"EVENT {number} behind ACK {acked}")
        self._must("6.5", acked < oldest <= number, f"EVENT {number}: oldest {oldest}, ACK {acked}")
        is_first = body[0] == self._schema.events[0].id
        self._must("6.1", number > 0 and (number == 1) is is_first, f"EVENT {number}: {event}")
        book.hear_of_made(number)
        if first == body:
            self._must("7.7", number != 1 or status.host_silent, f"started without host_silent: {status}")
            self._hold_event(number, event, status)
            self._hold_status(status, number)

    def _hold_lost(self) -> None:
        """Tests that no unacknowledged event was dropped while fewer than 64 newer ones exist."""
        lost, newest = self._book.lost, self._book.newest
        self._must("6.6", not lost or newest - lost >= EVENTS_KEPT, f"EVENT {lost} is gone, the newest is {newest}")

    def _hold_event(self, number: int, event: object, status: object) -> None:
        """Tests an event by itself, and compares it with the event before it."""
        book = self._book
        before = book.events.get(number - 1)
        was = self._schema.decode_event(before)[1] if before is not None else None
        self.seen |= {"6.2"} if before is not None else set()
        if isinstance(event, told.CHANGING) and was is not None and told.shown(was) == told.shown(status):
            self._book.stale.add(number)
        is_so = (then := book.counted.get(number)) in (None, told.counts(status))
        self._must("6.2", is_so, f"EVENT {number}: {status}, and {then} when it was made")
        is_so = number not in self._book.stale or self._book.shown.get(number) in (None, told.shown(status))
        self._must("6.2", is_so, f"EVENT {number}: {status}, and something else when it was made")
        of_all = self._between.event(book, number, status)
        earlier = map(self._schema.decode_event, book.before(number))
        than = book.told_from(number, self._schema.events[0].id, was)
        for duty, is_so, found in (*of_all, *told.of_event(event, status, was, earlier, than)):
            self._must(duty, is_so, f"EVENT {number}: {found}")

    def _take_status(self, status: Any) -> None:  # noqa: ANN401 (any kind's)
        """Tests a new status by itself, and compares it with the status before it."""
        if self._status is not None:
            excuse = status.counts_unknown if hasattr(status, "counts_unknown") else self.hands is Deed.FORGET
            went = told.went_back(self._status, status)
            self._must(told.kept_by(status), excuse or not went, f"{went} behind {self._status}")
        shown = {name for name, (_duty, value) in self._wished.items() if getattr(status, name) == value}
        self._outlasted |= shown if self._is_of_before else set()
        self._status = status
        self._hold_status(status)

    def _hold_status(self, status: Any, number: int = 0) -> None:  # noqa: ANN401 (any kind's)
        is_start = number == 1 or self._opening is None  # no session of this boot yet
        findings = told.of_status(status, self._statement, is_full=self._is_full, is_start=is_start)
        self._must_all(findings if self.hands is not Deed.FAULT else ())

    def _must_all(self, findings: Iterable[told.Finding]) -> None:
        for one in findings:
            self._must(*one)

    def _must(self, duty: str, is_so: bool, found: str) -> None:  # noqa: FBT001 (a statement that must be true)
        self.seen.add(duty)
        if not is_so and duty not in self.breaks:
            self.breaks[duty] = Break(duty, found, self._frames())
