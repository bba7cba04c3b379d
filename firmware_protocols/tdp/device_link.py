"""The device's end of a TDP line, during one boot of the device: bytes and time in, bytes and events out."""

from collections import deque
from itertools import islice

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.link import (
    EVENT_RETRY_MAX_S,
    EVENT_RETRY_S,
    EVENT_WINDOW,
    EVENTS_KEPT,
    EVENTS_LOCK,
    NO_SESSION_EVERY_S,
    SILENT_AFTER_S,
    CommandReceived,
    DeviceIdentity,
    DeviceLinkEvent,
    FrameIo,
    FrameKind,
    Header,
    SessionOpened,
    is_newer,
    split,
)

# The HELLO that opens a session. A host's openings grow. An opening newer than the session's is accepted at once. An
# older opening may be a late copy from a dead connection, and would bring the commands of that connection back to life.
# So it is accepted only when the present session has been silent for 2 s: this lets in a host that was replaced and
# counts from its own beginning. The rule relies on every frame being less than 2 s old when it arrives.


class DeviceLink:
    """The device's end of the link, during one boot. Sans-IO: the caller sends `data_to_send` after each call. `boot`:
    the boot number, which the device keeps without power; never 0.
    """

    def __init__(self, identity: DeviceIdentity, boot: int, now_s: float) -> None:
        if not 1 <= boot < 2**32:
            raise ValueError(f"boot number {boot}")
        self._io = FrameIo(from_device=False)
        self.stats = self._io.stats
        self._identity = identity
        self._boot = boot
        self._opening: int | None = None
        self._greeting: int | None = None  # the opening of a HELLO without an answer yet
        self._also_greeted: list[int] = []  # the openings of HELLOs before that one, in the same read
        self._greeted_at_s = now_s
        self._pulse: int | None = None  # the number of a heartbeat without an answer yet
        self._silent = True
        self._silent_at_s = now_s
        self._no_session_from_s = now_s
        self._status = b""
        self._command = 0
        self._result: int | None = None  # of that command; None until it is answered
        self._unanswered: dict[int, int] = {}  # by number of a command: how often it came before its answer
        self._answering = 0  # the command that the ANSWER in hand belongs to
        self._is_asked_again = False  # the command was repeated, and its answer is due again
        self._asked_more = 0  # the further times that it was repeated
        self._waiting: deque[tuple[int, bytes]] = deque()
        self._is_one_coming = False
        self._next_event = 1
        self._next_to_send = 1
        self._retry_s = EVENT_RETRY_S
        self._retry_at_s: float | None = None
        self._happened: list[DeviceLinkEvent] = []

    @property
    def boot(self) -> int:
        """Returns the boot number."""
        return self._boot

    @property
    def in_session(self) -> bool:
        """True from the first session of the boot on. A link that can be paired leaves its session when a PAIR comes,
        or when the switch's minute ends during a session without proof. The value is then False until the next HELLO
        opens a session.
        """
        return self._opening is not None

    @property
    def host_silent(self) -> bool:
        """True before the first session, and while no valid frame of the session has come for 2 s."""
        return self._silent

    @property
    def must_lock(self) -> bool:
        """True while the device must lock itself: the host is silent, or 48 or more events wait."""
        return self._silent or len(self._waiting) + self._is_one_coming >= EVENTS_LOCK

    @property
    def waiting_events(self) -> int:
        """The number of events that wait to be acknowledged, at most 64."""
        return len(self._waiting)

    # ---- what the device calls ----

    def set_status(self, status_payload: bytes) -> None:
        """Sets `status_payload`, the status block of every answer from now on. To be called before any other method,
        and at each change of the status.
        """
        self._status = status_payload

    def expect_event(self) -> None:
        """Counts an event as waiting before `post_event` gets it. The event's own status can then show a lock that the
        event itself causes (`must_lock`).
        """
        self._is_one_coming = True

    def post_event(self, payload: bytes, now_s: float) -> int:
        """Queues an event (message id, status, fields) and returns its number.

        Drops the oldest event if 64 events wait.
        """
        if len(self._waiting) == EVENTS_KEPT:
            self._waiting.popleft()
            self.stats.events_discarded += 1
        self._is_one_coming = False
        number = self._next_event
        self._waiting.append((number, payload))
        self._next_event += 1
        self._send_window(now_s)
        return number

    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        """Sends the answer to command `number`, with `result` and `status_payload`, once for each time that the command
        has come. Raises ValueError if no such command waits for an answer.
        """
        is_last = number == self._command
        if number not in self._unanswered and (not is_last or self._result is not None):
            raise ValueError(f"command {number} waits for no answer")
        self._status, self._answering = status_payload, number
        self._result = result if is_last else self._result
        for _ in range(self._unanswered.pop(number, 1)):
            self._send_answer(result)

    # ---- what the shell calls ----

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives the bytes that have arrived."""
        for found in self._io.frames(data):
            if isinstance(found, RejectReason):
                self.stats.rejected[found] += 1
            else:
                self._receive(*found, now_s)

    def handle_timeout(self, now_s: float) -> None:
        """Does the work that is due at `now_s`, if any."""
        if not self._silent and now_s >= self._silent_at_s:
            self._silent = True
            self._retry_at_s = None  # the host is silent; the queue waits for a sign of life
        if self._retry_at_s is not None and now_s >= self._retry_at_s:
            self._retry_s = min(2 * self._retry_s, EVENT_RETRY_MAX_S)
            self._send_again(now_s)

    def next_timeout_s(self) -> float | None:
        """Returns the time at which `handle_timeout` is due; None if time alone makes nothing due."""
        if self._silent:
            return None
        return self._silent_at_s if self._retry_at_s is None else min(self._silent_at_s, self._retry_at_s)

    def data_to_send(self) -> bytes:
        """Returns the bytes to send, each once. Only this call makes the answers to HELLO and HEARTBEAT, so that they
        have the newest status.
        """
        self._send_again_asked()
        self._send_pulse()
        rest = self._io.drain()
        if self._greeting is None:
            return rest
        for opening in (*self._also_greeted, self._greeting):
            self._send_identity(opening)
        self._also_greeted, self._greeting = [], None
        first = self._io.drain()
        self._send_window(self._greeted_at_s)
        return first + rest + self._io.drain()

    def events(self) -> list[DeviceLinkEvent]:
        """Returns the events since the last call, and forgets them."""
        happened = self._happened
        self._happened = []
        return happened

    # ---- receiving ----

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        try:
            self._expect(header, payload)
            if header.kind == FrameKind.HELLO:
                self._take_hello(header, payload, now_s)
            elif (header.host_opening, header.device_boot) != (self._opening, self._boot):
                self._refuse_session(header, now_s)
            else:
                self._heard(now_s)
                self._take(header, payload)
        except FrameError as error:
            self.stats.rejected[error.reason] += 1
        self._send_window(now_s)  # a frame whose payload is dropped ends a silence as well

    def _expect(self, header: Header, _payload: bytes) -> None:
        """Raises FrameError for a kind of frame that a device never accepts."""
        if header.kind == FrameKind.PAIR:
            raise FrameError(RejectReason.UNKNOWN_KIND, "of a device that can be paired")

    def _take(self, header: Header, payload: bytes) -> None:
        match header.kind:
            case FrameKind.COMMAND:
                self._take_command(header.number, payload)
            case FrameKind.ACK:
                self._take_ack(header.number, payload)
            case _:
                self._take_heartbeat(header.number, payload)

    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        version, _ = split(payload, 2)
        if version[0] != self._identity.major:  # the host will read this version and give up
            self._say_who_it_is(header.host_opening)
            return
        if header.device_boot or header.number:
            raise FrameError(RejectReason.OUT_OF_BOUNDS, "boot and number of HELLO are 0")
        self._greet(header, payload, now_s)

    def _say_who_it_is(self, opening: int) -> None:
        """Sends IDENTITY to a host that speaks another major version, and opens no session."""
        self._send_identity(opening)

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening:
            self._heard(now_s)  # even where the payload is dropped
        hello = rows.HELLO_LAYOUT.decode(payload)
        if header.host_opening != self._opening:
            self._open(header.host_opening, hello)
            self._heard(now_s)
        if hello.committed_boot == self._boot and hello.committed_number < self._next_event:
            self._forget_through(hello.committed_number)
        self._also_greeted += [] if self._greeting is None else [self._greeting]
        self._greeting, self._greeted_at_s = header.host_opening, now_s

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        if not (self._opening is None or self._silent or is_newer(opening, self._opening)):
            raise FrameError(RejectReason.WRONG_SESSION, f"opening {opening} is older than {self._opening}")
        self._opening = opening
        self._pulse = None
        self._is_asked_again, self._asked_more = False, 0
        self._unanswered.clear()
        self._command = 0
        self._result = None
        self._next_to_send = 1
        self._retry_s = EVENT_RETRY_S
        self._retry_at_s = None
        # A command of the earlier session, read together with this HELLO, can no longer be answered.
        self._happened = [one for one in self._happened if not isinstance(one, CommandReceived)]
        self._happened.append(SessionOpened(opening, hello.major, hello.minor))

    def _refuse_session(self, header: Header, now_s: float) -> None:
        self._deny(FrameKind.NO_SESSION, header.host_opening, now_s)
        raise FrameError(RejectReason.WRONG_SESSION)

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if now_s >= self._no_session_from_s:
            self._no_session_from_s = now_s + NO_SESSION_EVERY_S
            self._io.send(Header(kind, opening, self._boot, 0), b"", key)

    def _take_command(self, number: int, payload: bytes) -> None:
        if number == self._command + 1:
            self._send_again_asked()
            self._command = number
            self._result = None
            self._unanswered[number] = 1
            self._happened.append(CommandReceived(number, payload))
            return
        self.stats.duplicates += 1
        if number in self._unanswered and number == self._command:
            self._unanswered[number] += 1
        elif number == self._command and self._result is not None:
            self.stats.retransmissions += 1
            self._asked_more += self._is_asked_again
            self._is_asked_again = True

    def _take_ack(self, number: int, payload: bytes) -> None:
        if payload:
            raise FrameError(RejectReason.BAD_LENGTH, f"{len(payload)} bytes in ACK")
        if number >= self._next_event:
            raise FrameError(RejectReason.OUT_OF_BOUNDS, f"event {number} was never made")
        if not self._forget_through(number):
            self.stats.duplicates += 1

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if rows.HEARTBEAT_LAYOUT.decode(payload).not_yet_durable:
            self._retry_slowly()
        self._send_pulse()
        self._pulse = number

    def _retry_slowly(self) -> None:
        """Sets the time between two sendings of an event to its maximum, counted from the last sending."""
        if self._retry_at_s is not None:
            self._retry_at_s += EVENT_RETRY_MAX_S - self._retry_s
        self._retry_s = EVENT_RETRY_MAX_S

    # ---- sending ----

    def _send_identity(self, opening: int) -> None:
        self._io.send(Header(FrameKind.IDENTITY, opening, self._boot, 0), self._identity_fields() + self._status)

    def _identity_fields(self) -> bytes:
        return rows.IDENTITY_LAYOUT.encode(rows.identity_body(self._identity, self._oldest(), self._next_event))

    def _send_answer(self, result: int) -> None:
        body = rows.ANSWER_LAYOUT.encode(rows.AnswerBody(self._next_event - 1, result))
        self._send(FrameKind.ANSWER, self._answering, body + self._status)

    def _send_again_asked(self) -> None:
        """Answers a repeated command. The answer has the present status, since the command may have ended a silence."""
        if self._is_asked_again and self._result is not None:
            self._answering = self._command
            for _ in range(1 + self._asked_more):
                self._send_answer(self._result)
        self._is_asked_again, self._asked_more = False, 0

    def _send_pulse(self) -> None:
        if self._pulse is not None:
            body = rows.REPLY_LAYOUT.encode(rows.ReplyBody(self._next_event - 1))
            self._send(FrameKind.HEARTBEAT_REPLY, self._pulse, body + self._status)
            self._pulse = None

    def _send_again(self, now_s: float) -> None:
        self.stats.retransmissions += max(0, self._next_to_send - self._oldest())
        self._next_to_send = 1
        self._retry_at_s = None
        self._send_window(now_s)

    def _send_window(self, now_s: float) -> None:
        """Sends the unsent ones of the oldest EVENT_WINDOW events, and plans when to send them again."""
        if not self._waiting or self._silent or self._greeting is not None:
            return
        head = rows.EVENT_LAYOUT.encode(rows.EventBody(self._oldest()))
        for number, payload in islice(self._waiting, EVENT_WINDOW):
            if number >= self._next_to_send:
                self._send(FrameKind.EVENT, number, head + payload)
                self._next_to_send = number + 1
        if self._retry_at_s is None:
            self._retry_at_s = now_s + self._retry_s

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        self._io.send(self._header(kind, number), payload)

    def _header(self, kind: FrameKind, number: int) -> Header:
        return Header(kind, self._opening or 0, self._boot, number)

    # ---- bookkeeping ----

    def _oldest(self) -> int:
        return self._waiting[0][0] if self._waiting else self._next_event

    def _forget_through(self, number: int) -> bool:
        before = len(self._waiting)
        while self._waiting and self._waiting[0][0] <= number:
            self._waiting.popleft()
        is_news = len(self._waiting) < before
        if is_news:
            self._retry_s = EVENT_RETRY_S
            self._retry_at_s = None
        return is_news

    def _heard(self, now_s: float) -> None:
        self.stats.good_frames += 1
        self.stats.last_good_s = now_s
        self._silent_at_s = now_s + SILENT_AFTER_S
        if self._silent:
            self._silent = False
            self._next_to_send = 1  # the host's receipt of the events sent before is unknown
