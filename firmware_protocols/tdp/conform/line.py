"""A host for checks, which sends any frame that a check wants, even a forbidden one, and keeps the device's answers.
Sans-IO except for its `Line`, which is a port or a simulated device.
"""

from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec import Struct

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.arrivals import Arrivals
from firmware_protocols.tdp.conform.asked import ANSWERED
from firmware_protocols.tdp.conform.bench import Bench, Deed, Nobody, Statement
from firmware_protocols.tdp.conform.tags import OWN, Own, has_its_tag
from firmware_protocols.tdp.conform.watch import Watch
from firmware_protocols.tdp.conform.wire import Line
from firmware_protocols.tdp.conform.words import Moment, in_lines, note
from firmware_protocols.tdp.host_proof import HostProof
from firmware_protocols.tdp.link import (
    HEARTBEAT_EVERY_S,
    HELLO_EVERY_S,
    IDENTIFY_WITHIN_S,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    UNPAIRED_MINOR,
    FrameIo,
    FrameKind,
    Header,
    build,
)
from firmware_protocols.tdp.proof import NONCE_BYTES, HostPairing
from firmware_protocols.tdp.schema import DeviceSchema, Nature

Schema: TypeAlias = DeviceSchema[Any, Any, Any]

ANSWERS_WITHIN_S: Final = 1.0  # twenty times the limit of section 5, which another check measures
REALLY_WITHIN_S: Final = 3.0  # on a real line, where a computer may stall
SETTLES_WITHIN_S: Final = 2.0  # for a display's panel or a lock's magnet
ANSWERS_TIMED: Final = 20
FRAMES_KEPT: Final = 24  # for the report of a finding
NOT_THERE: Final = "stated-without"
NOT_DONE: Final = "hands-cannot"


class Broken(Exception):  # noqa: N818 (the name says what became of the check)
    """The device breaks the duty numbered `duty`. `found`: the device's behaviour, in the words of PROTOCOL.md."""

    def __init__(self, duty: str, found: str) -> None:
        super().__init__(f"TDP-{duty}: {found}")
        self.duty, self.found = duty, found


class Skipped(Exception):  # noqa: N818 (the name says what became of the check)
    """The check cannot be made now. `why`: the key of a sentence with the reason."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Heard(Struct, frozen=True):
    """A frame from the device. `raw`: its payload as received. `payload`: `raw` without a proof's nonce and pad."""

    header: Header
    payload: bytes
    at_s: float
    raw: bytes = b""

    def __str__(self) -> str:
        return f"{FrameKind(self.header.kind).name} {self.header.number}"


class Answer(Struct, frozen=True):
    """The fields of an ANSWER that came `after_s` seconds after its COMMAND."""

    result: int
    newest_event: int
    status: Any
    after_s: float


class Event(Struct, frozen=True, gc=False):
    """One arrival of an EVENT. `body`: message id, status block and fields, which are the same at each arrival."""

    number: int
    oldest: int
    body: bytes
    at_s: float


class Host:
    """The host at the line of one device. A check calls it to send frames, to listen, and to have hands act.

    Each session has a greater opening than the last. Only a check acknowledges events or repeats frames.
    """

    def __init__(
        self,
        line: Line,
        schema: Schema,
        opening: int,
        *,
        is_simulated: bool | None = None,
        moves: bool = False,
        bench: Bench | None = None,
        statement: Statement | None = None,
    ) -> None:
        """`bench`: None without hands. `statement`: None if no part is missing. `is_simulated`: None if unknown."""
        self.line, self.schema, self.opening, self.is_simulated = line, schema, opening, is_simulated
        self.moves = moves  # the check may move cards
        self.statement = statement or Statement()
        self.boot = self.minor = self.nonces_more = 0  # nonces_more: another number, another nonce of an opening
        self.pair_key: bytes | None = None  # the key that the device has taken
        self.is_denied = False  # the last frame of the device is NOT_PROVEN: it has the key of another host
        self.proof = self._proof_before = HostProof(None)
        self.last_command = self.command_before = self._pulse = 0
        self._begun_s = self._pulse_due_s = line.now_s()
        self._answered_s, self._log = deque[float](maxlen=ANSWERS_TIMED), deque[Moment](maxlen=FRAMES_KEPT)
        self.bench = bench or Nobody()
        self.arrivals = Arrivals(line.now_s(), is_exact=self.bench.is_quick)
        self.watch = Watch(schema, self.statement, self.arrivals)
        self.late_s = 0.0  # the longest by which this computer has missed a time
        self.answers_within_s = ANSWERS_WITHIN_S if self.bench.is_quick else REALLY_WITHIN_S
        self._io = FrameIo(from_device=True, takes_tags=True)
        self._arrived: deque[Heard] = deque()
        self.also: Callable[[Header, bytes, float], None] | None = None  # hears each frame of the device, too

    def frames(self) -> list[str]:
        """The last frames in both directions, in words."""
        return in_lines(self._log, self.schema, self._begun_s)

    # ---- hands

    def has(self, part: str) -> None:
        """Raises Skipped if the maker's statement says that the device lacks `part`."""
        if not self.statement.has(part):
            raise Skipped(NOT_THERE)

    def hand(self, deed: Deed, times: int = 1, *, alive: bool = True) -> None:
        """Makes hands do `deed`; sends heartbeats meanwhile if `alive`. Raises Skipped if the deed cannot be done."""
        self.watch.hands = deed
        if not self.bench.do(deed, times, lambda: self._hear_meanwhile(alive=alive)):
            raise Skipped("no-hands" if isinstance(self.bench, Nobody) else f"{NOT_DONE}:{deed}")

    def load(self) -> None:
        """Makes hands lay cards into the device. Does nothing if the bench cannot load cards."""
        self.watch.hands = Deed.LOAD
        self.bench.do(Deed.LOAD, 1, lambda: self._hear_meanwhile(alive=True))

    def _hear_meanwhile(self, *, alive: bool) -> None:
        """Receives frames while hands are busy, and keeps them for the check. Sends heartbeats if `alive`."""
        heard = self.listen(0.1, alive=alive)
        self._arrived.extendleft(reversed(heard))

    def say(
        self,
        kind: int,
        number: int = 0,
        payload: bytes = b"",
        *,
        opening: int | None = None,
        boot: int | None = None,
        key: bytes | Own | None = OWN,
    ) -> None:
        """Sends one frame. `opening`, `boot`, `key` replace those of the open session; `key` None: no tag."""
        opening, boot = self.opening if opening is None else opening, self.boot if boot is None else boot
        header = Header(kind, opening % 2**32, boot % 2**32, number % 2**32)
        self._note(header, payload, is_said=True)
        if isinstance(key, Own) or kind == FrameKind.HELLO:
            self.watch.said(header, payload, self.line.now_s())
        else:
            self.is_wrong(number, "18.6" if self.proof.is_asked else "2.2")
        if isinstance(key, Own):
            key = self.pair_key if kind == FrameKind.HELLO else self.proof.session
        self.line.say(build(header, payload, key))

    def is_wrong(self, number: int, duty: str) -> None:
        """Notes that the device must drop the frame with this number. If the device answers it, this breaks `duty`."""
        self.watch.asked.is_wrong(self.opening, ANSWERED, number % 2**32, duty)

    def say_bytes(self, data: bytes) -> None:
        """Sends bytes that are not a valid frame."""
        self._note(None, data, is_said=True)
        self.line.say(data)

    def _note(self, header: Header | None, payload: bytes, *, is_said: bool) -> None:
        note(self._log, Moment(self.line.now_s(), is_said, header, payload))

    def say_hello(self, *, opening: int | None = None, boot: int = 0, number: int = 0, committed: int = 0) -> None:
        """Sends HELLO 1.1 if proof is wanted, else 1.0. `committed`: the boot's last event on the host's disk."""
        minor = PROTOCOL_MINOR if self.proof.is_asked else UNPAIRED_MINOR
        body = rows.HelloBody(PROTOCOL_MAJOR, minor, self.boot if committed else 0, committed)
        payload = rows.HELLO_LAYOUT.encode(body) + self.proof.nonce
        self.say(FrameKind.HELLO, number, payload, opening=opening, boot=boot)

    def say_pulse(self, *, not_yet_durable: bool = False) -> int:
        """Sends the next HEARTBEAT and returns its number."""
        self._pulse += 1
        self._pulse_due_s = self.line.now_s() + HEARTBEAT_EVERY_S
        payload = rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(not_yet_durable))
        self.say(FrameKind.HEARTBEAT, self._pulse, payload)
        return self._pulse

    def listen(
        self,
        seconds: float,
        *,
        alive: bool = True,
        until: Callable[[Heard], bool] | None = None,
    ) -> list[Heard]:
        """The frames of the next `seconds`, or up to one for which `until` is true. `alive`: sends heartbeats."""
        heard: list[Heard] = []
        end_s = self.line.now_s() + seconds
        while self._arrived or (now_s := self.line.now_s()) < end_s:
            if not self._arrived:
                if alive and now_s >= self._pulse_due_s:
                    self.say_pulse()
                until_s = min(end_s, self._pulse_due_s) if alive else end_s
                self._take(self.line.hear(until_s))
                self.late_s = max(self.late_s, self.line.now_s() - until_s)
                continue
            heard.append(self._arrived.popleft())
            if until is not None and until(heard[-1]):
                break
        return heard

    def _take(self, data: bytes) -> None:
        at_s = self.line.now_s()
        for one in self._io.frames(data):
            if isinstance(one, RejectReason):
                self._note(None, data, is_said=False)
                self.watch.rejected(one, self.frames)
            else:
                self._take_frame(*one, at_s)

    def _take_frame(self, header: Header, raw: bytes, at_s: float) -> None:
        self.is_denied = header.kind == FrameKind.NOT_PROVEN
        is_ours = header.host_opening == self.opening
        if self.proof.is_asked and is_ours:
            self.watch.tagged(header, raw, self.frames, self.proof)
        elif self.pair_key is None and header.tag != NO_TAG and not has_its_tag(self._proof_before, header, raw):
            self._note(None, raw, is_said=False)
            self.watch.rejected(RejectReason.UNEXPECTED_TAG, self.frames)
            return
        payload = (self.proof if is_ours else self._proof_before).plain(header, raw)
        self._note(header, payload, is_said=False)
        self._arrived.append(Heard(header, payload, at_s, raw))
        self.watch.heard(header, payload, at_s, self.frames)
        if self.also is not None:
            self.also(header, payload, at_s)

    def first(self, kind: FrameKind, number: int, *, within_s: float | None = None) -> Heard | None:
        """The next frame of this kind and number; None if no such frame comes in time. Drops the frames before it."""
        within_s = self.answers_within_s if within_s is None else within_s
        heard = self.listen(within_s, until=lambda one: (one.header.kind, one.header.number) == (kind, number))
        return next((one for one in heard[-1:] if (one.header.kind, one.header.number) == (kind, number)), None)

    # ---- conversations

    def open(self, *, committed: int = 0, opening: int | None = None) -> tuple[rows.IdentityBody, Any]:
        """Opens a session of `opening` (None: the next); returns identity and status. Raises Broken."""
        self.opening = (self.opening + 1 if opening is None else opening) % 2**32
        self._proof_before, self.proof = self.proof, HostProof(self._pairing())
        self.command_before = self.last_command or self.command_before
        self.last_command = self._pulse = 0
        self.watch.expects(self.opening)
        for _ in range(round(IDENTIFY_WITHIN_S / HELLO_EVERY_S)):
            self.say_hello(committed=committed)
            for one in self.listen(HELLO_EVERY_S, alive=False, until=self._is_our_identity):
                if self._is_our_identity(one):
                    self.boot = one.header.device_boot
                    body, status = self.read_identity(one)
                    self.minor = body.minor
                    return body, status
        raise Broken("4.1", "no IDENTITY")

    def _pairing(self) -> HostPairing | None:
        """The pair's key, with a nonce that no other opening has; None if the host uses no key."""
        if self.pair_key is None:
            return None
        nonce = (int(self._begun_s * 1000) + self.nonces_more + (self.opening << 64)).to_bytes(NONCE_BYTES, "little")
        return HostPairing(self.pair_key, nonce, self.schema.secret_at)

    def _is_our_identity(self, one: Heard) -> bool:
        return one.header.kind == FrameKind.IDENTITY and one.header.host_opening == self.opening

    def read_identity(self, one: Heard) -> tuple[rows.IdentityBody, Any]:
        """Identity and status in the IDENTITY frame `one`. Raises Broken if the frame's content is invalid."""
        try:
            body, block = rows.IDENTITY_LAYOUT.split(one.payload)
            return body, self.schema.decode_status(block)
        except FrameError as error:
            raise Broken("3.4", f"IDENTITY: {error}") from error

    @property
    def slowest_s(self) -> float:
        """The longest answer time in seconds: of the last 20 answers or, on a real line, of all answers."""
        return max(0.0, 0.0 if self.arrivals.is_exact else self.arrivals.late_s, *self._answered_s)

    def ask(self, payload: bytes, *, number: int | None = None, within_s: float | None = None) -> Answer | None:
        """Sends a COMMAND of this number (None: the next). Returns the answer, None without one. Raises Broken."""
        if number is None:
            number = self.last_command = self.last_command + 1
        said_s = self.line.now_s()
        self.say(FrameKind.COMMAND, number, payload)
        one = self.first(FrameKind.ANSWER, number, within_s=within_s)
        if one is None:
            return None
        self._answered_s.append(one.at_s - said_s)
        try:
            body, block = rows.ANSWER_LAYOUT.split(one.payload)
            self.watch.answered(body.result, one.at_s - said_s)
            return Answer(body.result, body.newest_event, self.schema.decode_status(block), one.at_s - said_s)
        except FrameError as error:
            raise Broken("3.4", f"ANSWER {number}: {error}") from error

    def answer(self, payload: bytes) -> Answer:
        """Sends the next COMMAND and returns its answer. Raises Broken if none comes."""
        found = self.ask(payload)
        if found is None:
            self._is_counted_on(payload)
            raise Broken("5.1", f"no ANSWER {self.last_command}")
        return found

    def _is_counted_on(self, payload: bytes) -> None:
        """Raises Broken if a new session ignores COMMAND 1 and obeys the number after the last session's."""
        if self.last_command == 1 and self.ask(payload, number=self.command_before + 1) is not None:
            raise Broken("4.5", f"COMMAND 1 is not executed in a new session, COMMAND {self.command_before + 1} is")

    def apply(self, message: object) -> Answer:
        """Sends `message` as the next COMMAND and returns its answer. Raises Broken if none comes."""
        return self.answer(self.schema.encode_command(message))

    @property
    def query(self) -> bytes:
        """The payload of the COMMAND that only asks for the status."""
        return next(bytes((row.id,)) for row in self.schema.commands if row.nature is Nature.QUERY)

    def status(self, *, not_yet_durable: bool = False) -> tuple[Any, int]:
        """The status and its newest event, asked for by a heartbeat. Raises Broken without a valid reply."""
        number, said_s = self.say_pulse(not_yet_durable=not_yet_durable), self.line.now_s()
        one = self.first(FrameKind.HEARTBEAT_REPLY, number)
        if one is None:
            raise Broken("7.2", f"no HEARTBEAT_REPLY {number}")
        self._answered_s.append(one.at_s - said_s)
        try:
            body, block = rows.REPLY_LAYOUT.split(one.payload)
            return self.schema.decode_status(block), body.newest_event
        except FrameError as error:
            raise Broken("3.4", f"HEARTBEAT_REPLY: {error}") from error

    def status_becomes(self, is_so: Callable[[Any], bool], within_s: float = SETTLES_WITHIN_S) -> Any:  # noqa: ANN401 (any kind's)
        """The first status for which `is_so` is true; after `within_s`, the last status instead. Raises Broken."""
        status = self.status()[0]
        begun_s = self.line.now_s()
        while not is_so(status) and self.line.now_s() < begun_s + within_s:
            self.listen(0.1 if self.line.now_s() < begun_s + SETTLES_WITHIN_S else HEARTBEAT_EVERY_S)
            status = self.status()[0]
        return status

    def events(self, seconds: float, *, alive: bool = True) -> list[Event]:
        """The EVENTs that come within `seconds`, with all their repetitions. Raises Broken."""
        heard = self.listen(seconds, alive=alive)
        return [self.read_event(one) for one in heard if one.header.kind == FrameKind.EVENT]

    def read_event(self, one: Heard) -> Event:
        """The event in the EVENT frame `one`, its body still encoded. Raises Broken if the content is invalid."""
        try:
            head, body = rows.EVENT_LAYOUT.split(one.payload)
            self.schema.decode_event(body)
        except FrameError as error:
            raise Broken("3.4", f"EVENT {one.header.number}: {error}") from error
        return Event(one.header.number, head.oldest_event, body, one.at_s)

    def acknowledge(self, number: int) -> None:
        """Acknowledges all events up to `number`."""
        self.say(FrameKind.ACK, number)


def must(duty: str, is_so: bool, found: str) -> None:  # noqa: FBT001 (a statement that must be true, as in an assert)
    """Raises Broken with `found` unless `is_so`."""
    if not is_so:
        raise Broken(duty, found)


def there(duty: str, heard: Heard | None, found: str) -> Heard:
    """Returns `heard`. Raises Broken for `duty`, with the words `found`, if `heard` is None."""
    if heard is None:
        raise Broken(duty, found)
    return heard


def shown(heard: list[Heard]) -> str:
    """The frames in words, for a finding; "nothing" if the list is empty."""
    return ", ".join(map(str, heard)) or "nothing"
