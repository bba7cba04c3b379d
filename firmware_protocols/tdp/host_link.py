"""The host's end of a TDP link: bytes and time in, bytes and events out. Each connection has an object of its own."""

from collections import Counter
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from firmware_protocols.errors import FrameError, LinkBusy, RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.host_proof import HostProof
from firmware_protocols.tdp.inbox import Arrival, EventInbox
from firmware_protocols.tdp.link import (
    COMMAND_RETRY_MAX_S,
    COMMAND_RETRY_S,
    COMMAND_TRIES,
    HEARTBEAT_EVERY_S,
    HELLO_EVERY_S,
    IDENTIFY_WITHIN_S,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    SILENT_AFTER_S,
    UNPAIRED_MINOR,
    CommandAnswered,
    EventsMissed,
    EventTaken,
    FrameIo,
    FrameKind,
    FrameRejected,
    Header,
    Identified,
    LinkDown,
    LinkDownReason,
    LinkEvent,
    StatusHeard,
    split,
)
from firmware_protocols.tdp.proof import HostPairing

_HEARTBEATS: Final = {waiting: rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(waiting)) for waiting in (False, True)}
_FRESH: Final = round(SILENT_AFTER_S / HEARTBEAT_EVERY_S)  # heartbeats that are sent within the silence limit
_NEVER_IN_SESSION: Final = frozenset((FrameKind.NOT_PROVEN, FrameKind.PAIRED))


class _Phase(Enum):
    IDENTIFYING = auto()
    OPEN = auto()
    DOWN = auto()


class _Outstanding(Struct):
    """A command that waits for its answer; there is at most one."""

    number: int
    payload: bytes
    sent_s: float
    due_s: float
    retry_s: float = COMMAND_RETRY_S
    tries: int = 1


class HostLink:
    """The host's end of one connection to one device. Sans-IO: the caller passes the arrived bytes, then reports that
    time has passed, then sends `data_to_send`. `opening` must grow with each connection. `committed_boot`,
    `committed_number`: this device's last event in the journal (0, 0: none). `pairing`: the keys of a device that must
    prove itself; None for a device that needs no proof.
    """

    def __init__(
        self,
        *,
        opening: int,
        committed_boot: int,
        committed_number: int,
        now_s: float,
        pairing: HostPairing | None = None,
    ) -> None:
        self._io = FrameIo(from_device=True, takes_tags=pairing is not None)
        self.stats = self._io.stats
        self._phase = _Phase.IDENTIFYING
        self._opening = opening
        self._boot = 0
        self._proof = HostProof(pairing)
        minor = PROTOCOL_MINOR if self._proof.is_asked else UNPAIRED_MINOR
        hello = rows.HelloBody(PROTOCOL_MAJOR, minor, committed_boot, committed_number)
        self._hello = rows.HELLO_LAYOUT.encode(hello) + self._proof.nonce
        self._committed = (committed_boot, committed_number)
        self.inbox = EventInbox()  # of this boot, with the events that earlier connections made durable
        self._ack_due = False
        self._outstanding: _Outstanding | None = None
        self._commands = 0
        self._heartbeats = 0
        self._replies = 0
        self._heartbeat_sent_s = now_s
        self._due_s = now_s  # time of the next HELLO or HEARTBEAT
        self._silent_at_s = now_s + IDENTIFY_WITHIN_S
        self._happened: list[LinkEvent] = []
        self._rejected: Counter[RejectReason] = Counter()
        self._say_hello(now_s)

    @property
    def is_identified(self) -> bool:
        """True from the arrival of IDENTITY until the link ends."""
        return self._phase is _Phase.OPEN

    @property
    def is_down(self) -> bool:
        """True once the link has ended with LinkDown."""
        return self._phase is _Phase.DOWN

    @property
    def command_outstanding(self) -> bool:
        """True while a command waits for its answer."""
        return self._outstanding is not None

    def command_is_due(self, now_s: float) -> bool:
        """True if the answer to a command is overdue. `handle_timeout` will then repeat the command or end the link."""
        return self._outstanding is not None and now_s >= self._outstanding.due_s

    # ---- what the shell calls ----

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives the bytes that the port has read."""
        for found in self._io.frames(data):
            if self._phase is _Phase.DOWN:
                return
            if not isinstance(found, tuple):
                self._reject(found)
                continue
            try:
                self._dispatch(*found, now_s)
            except FrameError as error:
                self._reject(error.reason)

    def handle_timeout(self, now_s: float) -> None:
        """Does the work that is due at `now_s`, if any."""
        if self._phase is _Phase.DOWN:
            return
        if now_s >= self._silent_at_s:
            self._go_down(LinkDownReason.SILENT, f"last good frame {self._last_good(now_s)}")
        elif self._phase is _Phase.IDENTIFYING:
            if now_s >= self._due_s:
                self.stats.retransmissions += 1
                self._say_hello(now_s)
        else:
            if now_s >= self._due_s:
                self._beat(now_s)
            if self._outstanding is not None and now_s >= self._outstanding.due_s:
                self._retry(self._outstanding, now_s)

    def next_timeout_s(self) -> float | None:
        """Returns the time at which `handle_timeout` is due; None once the link is down."""
        if self._phase is _Phase.DOWN:
            return None
        due_s = min(self._silent_at_s, self._due_s)
        return due_s if self._outstanding is None else min(due_s, self._outstanding.due_s)

    def data_to_send(self) -> bytes:
        """Returns the bytes to write to the port, each once."""
        if self._ack_due:
            self._ack_due = False
            self._send(FrameKind.ACK, self.inbox.committed)
        return self._io.drain() if self._io.unsent else b""

    def events(self) -> list[LinkEvent]:
        """Returns the events since the last call, and forgets them. No event follows LinkDown."""
        happened, self._happened = self._happened, []
        if self._rejected:
            happened[:0] = [FrameRejected(reason, count) for reason, count in self._rejected.items()]
            self._rejected.clear()
        return happened

    # ---- what the driver calls ----

    def send_command(self, payload: bytes, now_s: float) -> int:
        """Sends a command and returns its number. Raises LinkBusy, ValueOutOfBounds."""
        if self._phase is not _Phase.OPEN:
            raise LinkBusy("no device is identified")
        if self._outstanding is not None:
            raise LinkBusy(f"command {self._outstanding.number} is not answered yet")
        self._send(FrameKind.COMMAND, self._commands + 1, payload)
        self._commands += 1
        self._outstanding = _Outstanding(self._commands, payload, now_s, now_s + COMMAND_RETRY_S)
        return self._commands

    def change_command(self, payload: bytes, now_s: float) -> None:
        """Immediately repeats the command that waits for its answer, with another payload. The device executes the
        payload that arrives first. Raises LinkBusy if no command waits, and ValueOutOfBounds.
        """
        if self._outstanding is None:
            raise LinkBusy("no command is on its way")
        self._outstanding.payload = payload
        self._repeat(self._outstanding, now_s)

    def acknowledge(self, number: int) -> None:
        """Notes that the events up to `number` are durable. Does nothing before IDENTITY and after the link's end.
        Raises ValueError for an event that the host has never taken.
        """
        if self._phase is not _Phase.OPEN:
            return
        self._ack_due |= self.inbox.commit(number)

    # ---- receiving ----

    def _dispatch(self, header: Header, payload: bytes, now_s: float) -> None:
        kind, opening, boot = header[:3]
        if opening != self._opening:
            raise FrameError(RejectReason.WRONG_SESSION)
        if kind == FrameKind.IDENTITY:
            self._take_identity(header, payload, now_s)
        elif self._phase is _Phase.IDENTIFYING:
            self._take_too_early(header, payload)
        elif kind in _NEVER_IN_SESSION or (boot != self._boot and kind != FrameKind.NO_SESSION):
            raise FrameError(RejectReason.WRONG_SESSION)
        elif self._proof.is_asked and not self._proof.takes(header, payload):
            self._refuse(f"{FrameKind(kind).name} {header.number} of the session")
        elif kind == FrameKind.NO_SESSION:
            self._take_no_session(header, payload)
        else:
            self._take(header, payload, now_s)

    def _take(self, header: Header, payload: bytes, now_s: float) -> None:
        """Handles a frame of the session. With proof, only an answer or a new heartbeat reply is a sign of life."""
        if not self._proof.is_asked:
            self._heard(now_s)
        number, is_life = header.number, False  # an EVENT has no time: a person at the cable could keep it back
        if header.kind == FrameKind.EVENT:
            self._take_event(number, payload)
        elif header.kind == FrameKind.ANSWER:
            is_life = self._take_answer(number, payload, now_s)
        else:
            is_life = self._take_reply(number, payload, now_s) and number > self._heartbeats - _FRESH
        if is_life and self._proof.is_asked:
            self._heard(now_s)

    def _take_too_early(self, header: Header, payload: bytes) -> None:
        if header.kind != FrameKind.NOT_PROVEN:
            self.stats.out_of_order += 1  # it overtook the IDENTITY and will come again
        elif payload:
            raise FrameError(RejectReason.BAD_LENGTH, f"{len(payload)} bytes in NOT_PROVEN")
        elif not self._proof.is_asked:
            self._go_down(LinkDownReason.PAIRED, f"boot {header.device_boot}")
        else:
            self._refuse(f"NOT_PROVEN of boot {header.device_boot}")

    def _take_identity(self, header: Header, payload: bytes, now_s: float) -> None:
        version, _ = split(payload, 2)
        if version[0] != PROTOCOL_MAJOR and self._phase is _Phase.IDENTIFYING:
            ours = f"{self._hello[0]}.{self._hello[1]}"
            self._go_down(LinkDownReason.VERSION, f"host {ours}, device {version[0]}.{version[1]}")
            return
        if not self._proof.takes_identity(header, payload):
            self._refuse(f"IDENTITY of {version[0]}.{version[1]}")
            return
        if self._phase is _Phase.OPEN:
            self._take_identity_again(header, now_s)
            return
        fields, rest = rows.IDENTITY_LAYOUT.split(payload)
        status = self._proof.status_of(rest)
        identity = rows.identity_of(header.device_boot, fields, is_proven=self._proof.is_asked)
        committed = self._committed[1] if identity.boot == self._committed[0] else 0
        if committed >= identity.next_event:
            detail = f"boot {identity.boot}: we hold event {committed}, its next is {identity.next_event}"
            self._go_down(LinkDownReason.BOOT_NUMBER_REUSED, detail)
            return
        self.inbox = EventInbox(committed)
        self._boot = identity.boot
        self._phase = _Phase.OPEN
        self._heard(now_s)
        self._happened.append(Identified(identity, status))
        self._miss_before(identity.oldest_event)
        self._beat(now_s)

    def _take_identity_again(self, header: Header, now_s: float) -> None:
        if header.device_boot != self._boot:
            self._go_down(LinkDownReason.REBOOTED, f"boot {self._boot}, now {header.device_boot}")
        else:
            self.stats.duplicates += 1
            if not self._proof.is_asked:
                self._heard(now_s)

    def _take_no_session(self, header: Header, payload: bytes) -> None:
        if payload:
            raise FrameError(RejectReason.BAD_LENGTH, f"{len(payload)} bytes in NO_SESSION")
        if header.device_boot != self._boot:
            self._go_down(LinkDownReason.REBOOTED, f"boot {self._boot}, now {header.device_boot}")
        else:
            self._go_down(LinkDownReason.SESSION_LOST, f"boot {self._boot} forgot opening {self._opening}")

    def _take_event(self, number: int, payload: bytes) -> None:
        head, event = rows.EVENT_LAYOUT.split(payload)
        if head.oldest_event > number:
            oldest = f"event {number} older than the oldest, {head.oldest_event}"
            raise FrameError(RejectReason.OUT_OF_BOUNDS, oldest)
        self._miss_before(head.oldest_event)
        match self.inbox.arrive(number):
            case Arrival.NEXT:
                plain = self._proof.uncovered(number, event) if self._proof.is_asked else event
                self._happened.append(EventTaken(number, plain))
            case Arrival.TOO_EARLY:
                self.stats.out_of_order += 1
            case Arrival.DUPLICATE:
                self.stats.duplicates += 1
            case Arrival.COMMITTED_DUPLICATE:
                self.stats.duplicates += 1
                self._ack_due = True

    def _miss_before(self, oldest: int) -> None:
        if (missed := self.inbox.lose_before(oldest)) is not None:
            self._happened.append(EventsMissed(*missed))

    def _take_answer(self, number: int, payload: bytes, now_s: float) -> bool:
        answer, status = rows.ANSWER_LAYOUT.split(payload)
        command = self._outstanding
        if command is None or command.number != number:
            self.stats.duplicates += 1
            return False
        if command.tries == 1:  # after a repetition the answer may belong to any of the tries
            self._measure(now_s - command.sent_s)
        self._outstanding = None
        self._happened.append(CommandAnswered(number, answer.result, status, answer.newest_event))
        return True

    def _take_reply(self, number: int, payload: bytes, now_s: float) -> bool:
        reply, status = rows.REPLY_LAYOUT.split(payload)
        if not self._replies < number <= self._heartbeats:
            self.stats.duplicates += 1
            return False
        if number == self._heartbeats:
            self._measure(now_s - self._heartbeat_sent_s)
        self._replies = number
        self._happened.append(StatusHeard(status, reply.newest_event))
        return True

    # ---- sending ----

    def _say_hello(self, now_s: float) -> None:
        self._io.send(Header(FrameKind.HELLO, self._opening, 0, 0), self._hello, self._proof.pair_key)
        self._due_s = now_s + HELLO_EVERY_S

    def _beat(self, now_s: float) -> None:
        self._heartbeats += 1
        self._send(FrameKind.HEARTBEAT, self._heartbeats, _HEARTBEATS[self.inbox.has_uncommitted])
        self._heartbeat_sent_s = now_s
        self._due_s = now_s + HEARTBEAT_EVERY_S

    def _retry(self, command: _Outstanding, now_s: float) -> None:
        if command.tries == COMMAND_TRIES:
            self._go_down(LinkDownReason.COMMAND_UNANSWERED, f"command {command.number}, {COMMAND_TRIES} tries")
            return
        self._repeat(command, now_s)

    def _repeat(self, command: _Outstanding, now_s: float) -> None:
        command.tries += 1
        command.retry_s = min(2 * command.retry_s, COMMAND_RETRY_MAX_S)
        command.due_s = now_s + command.retry_s
        self.stats.retransmissions += 1
        self._send(FrameKind.COMMAND, command.number, command.payload)

    def _send(self, kind: FrameKind, number: int, payload: bytes = b"") -> None:
        self._io.send(Header(kind, self._opening, self._boot, number), payload, self._proof.session)

    # ---- bookkeeping ----

    def _heard(self, now_s: float) -> None:
        self.stats.good_frames += 1
        self.stats.last_good_s = now_s
        self._silent_at_s = now_s + SILENT_AFTER_S

    def _measure(self, sample_s: float) -> None:
        old_s = self.stats.rtt_s
        self.stats.rtt_s = sample_s if old_s is None else old_s + (sample_s - old_s) / 8

    def _reject(self, reason: RejectReason) -> None:
        self.stats.rejected[reason] += 1
        self._rejected[reason] += 1

    def _refuse(self, said: str) -> None:
        """Ends the link, since a complete frame lacks the device's proof: another device must be on the line (noise
        makes no complete frame).
        """
        self._reject(RejectReason.UNPROVEN)
        self._go_down(LinkDownReason.UNPROVEN, said)

    def _last_good(self, now_s: float) -> str:
        last_s = self.stats.last_good_s
        return "never" if last_s is None else f"{now_s - last_s:.1f} s ago"

    def _go_down(self, reason: LinkDownReason, detail: str) -> None:
        unknown = None if self._outstanding is None else self._outstanding.number
        self._phase = _Phase.DOWN
        self._outstanding = None
        self._ack_due = False
        self._io.drain()
        self._happened.append(LinkDown(reason, detail, unknown))
