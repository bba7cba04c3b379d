"""Judges the device during a walk: compares the device's frames with the frames of a correct link (the twin), and its
status with the status that a model expects.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from msgspec import Struct

from firmware_protocols.errors import FrameError
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.blame import blamed, blamed_oldest
from firmware_protocols.tdp.conform.book import Break
from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.model import Cause, Model
from firmware_protocols.tdp.conform.silence_checks import seen_in_silence
from firmware_protocols.tdp.conform.twin import Followed, Twin
from firmware_protocols.tdp.conform.why import Why
from firmware_protocols.tdp.conform.wished import BAD_COMMAND, blamed_result, right_result
from firmware_protocols.tdp.link import EVENTS_LOCK, CommandReceived, DeviceLinkEvent, FrameKind, Header, SessionOpened

SETTLES_S: Final = 0.15  # until what an act brings about has been said
REALLY_SETTLES_S: Final = 0.5  # by a device whose line and computer may be late
TIE_S: Final = 0.02
STARTS_S: Final = 1.0
STALLS_S: Final = 3.0
TIMES_S: Final = 3.0  # a new session's first four retry times lie within it


class Found(Struct, frozen=True, gc=False):
    """A difference of the device from the twin or the model, with the duty that it breaks.

    `by_hello`: True if an EVENT differs and a repeated HELLO may be the cause. `by_end`: True if an EVENT that was due
    at the end of a silence is missing. `is_shown`: True if a status shows the difference.
    """

    duty: str
    what: str
    by_hello: bool = False
    by_end: bool = False
    is_shown: bool = False


class Judge:
    """Judges the device by all frames that its host sends and receives. `status`: the device's present status, with
    which the model begins. `differences` yields the findings.
    """

    def __init__(self, host: Host, status: Any) -> None:  # noqa: ANN401 (any kind's)
        self.host = host
        self.model = Model(status, host.statement)
        self.settles_s = SETTLES_S if host.bench.is_quick else REALLY_SETTLES_S
        self.said: list[str] = []  # the acts since the last comparison
        self._is_behind_hello = False  # a HELLO came again before that comparison, and may have changed a time since
        self._line = host.line
        self._is_exact = host.bench.is_quick
        arrivals = None if self._is_exact else host.arrivals
        self._follow = Followed(host.line, self._made_twin(host.boot), self._happened, arrivals)
        self._asked: dict[int, bytes] = {}  # payloads of commands without an answer yet
        self._results: dict[int, int] = {}
        self._found: list[Found] = []
        self._was_full = self._was_silent = False
        self._was_waiting = 0

    @property
    def twin(self) -> Twin:
        return self._follow.twin

    @property
    def is_unsure(self) -> bool:
        """True on a real line while a sign of life may be on its way."""
        return self._follow.is_unsure

    @property
    def now_s(self) -> float:
        return self._line.now_s()

    def _made_twin(self, boot: int) -> Twin:
        return Twin(self.host.schema.kind, boot, self._line.now_s(), self.host.pair_key)

    @contextmanager
    def follows(self) -> Iterator[None]:
        """A context in which the twin receives every frame of host and device. At the beginning of the context the
        judge opens a new session, acknowledges all events, and drops earlier findings.
        """
        self.host.line, self.host.also = self._follow, self._heard
        try:
            self.twin.wake(self.host.watch.newest, self.now_s)
            self.open()
            self.host.acknowledge(self.host.watch.newest)
            self.host.listen(STARTS_S)
            self.forget()
            yield
        finally:
            self.host.line, self.host.also = self._line, None

    # ---- what the walk does

    def says(self, name: str, cause: Cause | None = None) -> None:
        """Notes the name of an act of the walk. `cause`: the cause by which the act changes the status; None for an act
        that changes no status.
        """
        self.said.append(name)
        if cause is not None:
            self.model.happened(cause)

    def begins(self) -> None:
        """Forgets the noted acts of the last step of the walk, but remembers if a HELLO was repeated in this step."""
        self._is_behind_hello = bool({"hello-again", "hello-wrong-commit"} & set(self.said))
        self.said = []

    def open(self, committed: int = 0, opening: int | None = None) -> None:
        """Opens a session and notes this act. `committed`: the last event that the HELLO acknowledges; 0 for none.
        `opening`: None for the next opening.
        """
        self.says("session")
        self.host.open(committed=committed, opening=opening)
        self.twin.prove(self.host.proof.session)

    def starts(self) -> None:
        """Follows a start of the device that hands have just caused: takes a twin for the next boot, and sets the model
        to the state after a start.
        """
        self.host.listen(STARTS_S, alive=False)
        self._follow.restart(self._made_twin(self.twin.boot + 1))
        self.twin.wake(1, self.now_s)
        self.model.start()
        self._was_silent, self._was_full = True, False

    def waits(self, seconds: float, *, alive: bool = False) -> None:
        """Listens for `seconds`, or a little longer if the twin is about to send events again. Then tells the model
        which locks have begun or ended.

        `alive`: True to send heartbeats meanwhile.
        """
        self.host.listen(seconds, alive=alive)
        due_s = self.twin.next_timeout_s()
        if due_s is not None and abs(due_s - self.now_s) < TIE_S:
            self.host.listen(2 * TIE_S, alive=False)
        self._note_locks()

    def waits_for_replies(self) -> None:
        """On a real line, waits until no reply is due: at most twice 3 s, each followed by a heartbeat, whose reply
        comes last. Does nothing on a simulated line.
        """
        for _ in range(0 if self._is_exact else 2):
            end_s = self.now_s + STALLS_S
            while self._follow.awaits_reply and self.now_s < end_s:
                self.host.listen(TIE_S, alive=False)
            if not self._follow.awaits_reply:
                return
            self.host.first(FrameKind.HEARTBEAT_REPLY, self.host.say_pulse(), within_s=STALLS_S)

    def _note_locks(self) -> None:
        is_silent, is_full = self.twin.host_silent, self.twin.is_full
        if is_silent is not self._was_silent:
            self.model.happened(Cause.SILENCE if is_silent else Cause.END)
        if is_full and not self._was_full:
            self.model.happened(Cause.FULL)
        self._was_silent, self._was_full = is_silent, is_full

    # ---- findings

    def forget(self) -> None:
        """Waits for the replies that are due, then drops all findings and the noted acts."""
        self.waits_for_replies()
        list(self.differences())
        self.said = []

    def holds(self, where: str) -> None:
        """Compares the device with twin and model. Adds the first difference to the breaks of `Watch`, if `Watch` has
        none yet.

        `where`: the place in the walk, for the finding. If a frame was late, judges nothing, and begins a new session
        with a new model.
        """
        if not self._is_exact:
            self.waits_for_replies()
            if self._follow.is_late:
                self._begin_anew()
                return
        found = list(self.differences())
        if found and not self.host.watch.breaks:
            why, frames = f"{where}, behind {', '.join(self.said)}: {found[0].what}", self.host.frames()
            duty = "6.9" if found[0].by_hello and self._is_so_without_a_hello() else found[0].duty
            if found[0].by_end and not self.twin.is_full and self._is_asleep():
                duty = "18.7" if self.host.proof.is_asked else "7.4"
            self.host.watch.breaks[duty] = Break(duty, why, frames)
            beside = {one.duty for one in found[1:] if one.is_shown and one.what == found[0].what}
            self.host.watch.breaks |= {other: Break(other, why, frames) for other in beside}

    def _is_so_without_a_hello(self) -> bool:
        """True if EVENTs are missing or superfluous also in a new session in which no HELLO is repeated. False if a
        frame was late on a real line.
        """
        self.open()
        self.waits(self.settles_s, alive=True)
        self.forget()
        self.waits(TIMES_S, alive=True)
        is_so = any(one.kind is FrameKind.EVENT for one in self._follow.differences())
        return is_so and (self._is_exact or not self._follow.is_late)

    def _is_asleep(self) -> bool:
        """True if the device treats the host as silent, although the last act of the host has ended the silence."""
        return bool(seen_in_silence(self.host)[1].host_silent)

    def _begin_anew(self) -> None:
        """Opens a session and judges the device only from then on, since the frames before it prove nothing."""
        self._follow.is_late = False
        status = self.host.open()[1]
        self.twin.prove(self.host.proof.session)
        self.host.listen(self.settles_s, alive=False)
        self.model = Model(status, self.host.statement)
        self.forget()

    def differences(self) -> Iterator[Found]:
        """Yields the duties broken since the last call, each with the finding."""
        for one in self._follow.differences():
            duty, what = blamed(one, self.said), "is missing" if one.is_missing else "is one too many"
            duty = "4.3" if duty == "6.9" and self._is_behind_hello else duty
            by_hello = duty == "4.3" and one.kind is FrameKind.EVENT
            by_end = one.is_missing and one.why is Why.END
            yield Found(duty, f"{one.kind.name} {one.number} {what}", by_hello, by_end)
        for number, oldest, right in self._follow.stale:
            yield Found(blamed_oldest(self.said, "6.5"), f"EVENT {number} has oldest_event {oldest}, not {right}")
        yield from self._found
        self._follow.stale, self._found = [], []

    # ---- what the twin hears

    def _happened(self, one: DeviceLinkEvent) -> None:
        match one:
            case SessionOpened():
                self._asked.clear()
                self._results.clear()
                self.model.happened(Cause.SESSION)
                self._was_silent = self.twin.host_silent
            case CommandReceived(number=number, payload=payload):
                self._asked[number] = payload
                self._was_waiting = self.twin.waiting_events

    # ---- what the device says

    def _heard(self, header: Header, payload: bytes, now_s: float) -> None:
        try:
            asked_s = self._follow.heard(header, payload, now_s)
            self._note_locks()
            if header.device_boot == self.twin.boot:
                self._take(header, payload, asked_s, now_s)
        except FrameError:
            return  # `Watch` says so

    def _take(self, header: Header, payload: bytes, asked_s: float, now_s: float) -> None:
        """Handles a frame of the device. Judges its status as of `asked_s`, the time of the question that the frame
        answers.
        """
        decoded = self.host.schema.decode_status
        match header.kind:
            case FrameKind.IDENTITY:
                body, block = rows.IDENTITY_LAYOUT.split(payload)
                if body.oldest_event != self.twin.oldest:
                    found = f"oldest_event {body.oldest_event}, not {self.twin.oldest}"
                    self._found.append(Found(blamed_oldest(self.said, "4.10"), found))
                self._see(decoded(block), asked_s)
            case FrameKind.ANSWER if header.host_opening == self.host.opening:
                answer, block = rows.ANSWER_LAYOUT.split(payload)
                self._take_answer(header.number, answer.result, decoded(block), now_s)
                self._see(decoded(block), asked_s)
            case FrameKind.HEARTBEAT_REPLY if header.host_opening == self.host.opening:
                self._see(decoded(rows.REPLY_LAYOUT.split(payload)[1]), asked_s)
            case _:
                pass

    def _take_answer(self, number: int, result: int, status: Any, now_s: float) -> None:  # noqa: ANN401 (any kind's)
        payload = self._asked.pop(number, None)
        if payload is not None:
            self._results[number] = result
            self._hold_result(payload, result, status, now_s)
        else:
            self.model.happened(Cause.AGAIN)
            kept = self._results.get(number, result)
            self._must("5.2", kept == result, f"ANSWER {number} again has result {result}, not {kept}")

    def _must(self, duty: str, is_so: bool, found: str) -> None:  # noqa: FBT001 (a statement that must be true)
        if not is_so:
            self._found.append(Found(duty, found))

    def _hold_result(self, payload: bytes, result: int, status: Any, now_s: float) -> None:  # noqa: ANN401 (any kind's)
        """Tests the first answer to a command, and changes the model as the command asks."""
        try:
            command = self.host.schema.decode_command(payload)
        except FrameError:
            self.model.happened(Cause.BAD)
            self._must("5.6", result == BAD_COMMAND, f"a bad COMMAND has result {result}")
            return
        if payload == self.host.query:
            self.model.happened(Cause.QUERY)
            self._must("5.11", not result, f"a query has result {result}")
            return
        was_full = self._was_waiting >= EVENTS_LOCK
        right = right_result(command, self.model.status, status, is_full=was_full)
        if right is not None and was_full is self.twin.is_full:
            duty = blamed_result(result, right)
            found = f"result {result}, not {right[1]}: {command}, {self.model.status}"
            self._must(duty, result == right[1], found)
        self.model.obeyed(command, result, now_s, is_full=was_full)
        if was_full is not self.twin.is_full:
            self.model.forget_picture()

    def _see(self, status: Any, now_s: float) -> None:  # noqa: ANN401 (any kind's)
        """Compares a status that the device had at `now_s` with the model."""
        silent = "7.6" if self.twin.in_session else "7.7"
        duty = "6.15" if self.twin.is_full else "9.23" if status.host_silent else silent
        self._must(duty, status.host_silent is self.twin.must_lock, f"host_silent {status.host_silent}: {status}")
        for broken, _is_so, found in self.model.sees(status, now_s):
            self._found.append(Found(broken, found, is_shown=True))
