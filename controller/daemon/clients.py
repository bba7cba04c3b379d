"""What clients ask and are told: requests to runtime and gate, answers back, changes to those who subscribed."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from controller.catalogue import Language, sentence
from controller.catalogue.words import notice_text, variants_of
from controller.config.citations import cited
from controller.core.engine.decision import Notice
from controller.core.house.state import State
from controller.core.words import Person, SessionPhase
from controller.daemon.beside import Beside
from controller.daemon.courses import Course, Courses
from controller.daemon.limits import Limits, terminal_of
from controller.daemon.rights import Right, Rights, end_of, is_for, is_purpose
from controller.daemon.server import Client
from controller.daemon.speaker import Speaker
from controller.protocol.lines import (
    ActDocument,
    Changed,
    Do,
    DoneAct,
    Hands,
    Line,
    Listed,
    NotDecided,
    PeopleAnswer,
    PersonDocument,
    Pong,
    Request,
    SignedIn,
    SignedOut,
    SignInAnswer,
    StatusAnswer,
    Subscribed,
    decode_request,
    encode_line,
)
from controller.protocol.status import KEYS, HandStatus, NoticeStatus, Status
from controller.runtime.answers import Answer, Done, Trouble, Vouched
from controller.runtime.gate import Asked, BadValues, Gate
from controller.runtime.kernel import Runtime
from controller.screen.scene import scene_of
from controller.screen.status import StatusMaker
from controller.screen.surroundings import Surroundings
from controller.staff import StaffBook

CHANGES_EVERY_S: Final = 0.05  # to a subscriber, at most: more than eyes can follow
FIGURES_EVERY_S: Final = 1.0  # counters and the journal's lag, when nothing else changes
NOTICES_SHOWN: Final = 20


@dataclass(slots=True)
class _Tongue:
    """All that is said in one language, and what its subscribers know."""

    speaker: Speaker
    status: StatusMaker
    told: Status | None = None
    subscribers: list[Client] = field(default_factory=list)
    acts: list[ActDocument] = field(default_factory=list)
    acts_of: State | None = None  # and of which trouble these acts are
    acts_trouble: Trouble | None = None


class Clients:
    """Speaks with every client. `turn` lets the controller carry on after a request."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        runtime: Runtime,
        gate: Gate,
        language: Language,
        turn: Callable[[], None],
        surroundings: Surroundings,
        beside: Beside,
    ) -> None:
        self._loop = loop
        self._runtime = runtime
        self._gate = gate
        self._language = language
        self._turn = turn
        self._around = surroundings
        self._tongues: dict[Language, _Tongue] = {}
        self._tickets = 0
        self._asked: dict[int, tuple[Client, Request, Course]] = {}
        self._courses = Courses(language)
        self._beside = beside
        self.limits = Limits()
        self._rights = Rights()
        self._people: tuple[PersonDocument, ...] = ()
        self._told_hands: dict[Client, list[HandStatus]] = {}
        self._notices: deque[tuple[int, Notice]] = deque(maxlen=NOTICES_SHOWN)
        self._notice_id = 0
        self._seen_version = -1
        self._next_change: asyncio.TimerHandle | None = None

    # ---- for the server

    def handle(self, client: Client, line: bytes) -> None:
        """One line of a client."""
        request = decode_request(line)
        if request is None:
            self.refuse(client, "bad-request")
            return
        self.end_rights()
        match request.do:
            case Do.STATUS:
                client.send(encode_line(StatusAnswer(request.id, self._status_now(self._tongue_for(request)))))
            case Do.LIST:
                client.send(encode_line(self._listed(request)))
            case Do.SUBSCRIBE:
                self._subscribe(client, request)
            case Do.ACT:
                self._act(client, request)
            case Do.PING:
                client.send(encode_line(self._pong(request)))
            case Do.SIGN_IN:
                self._sign_in(client, request)
            case Do.PEOPLE:
                client.send(encode_line(self._people_of(client, request)))
            case Do.RECORD | Do.TRY:
                self._ask_beside(client, request)

    def refuse(self, client: Client, code: str) -> None:
        """Says why, and ends the connection."""
        client.send(encode_line(self._tongue(self._language).speaker.error(None, code)))
        client.hang_up()

    # ---- for the controller

    def answer(self, ticket: int, answer: Answer | BadValues) -> None:
        """Whoever asked under this ticket is told, or what was to follow his act is asked for."""
        client, request, course = self._asked.pop(ticket)
        if isinstance(answer, Done):
            is_closed = answer.state.house.session is SessionPhase.CLOSED
            self.limits.act_done(client.user, self._loop.time(), is_closed=is_closed)
            course.done.append(DoneAct(request.act, answer.seq))
            if request.then:
                self._go_on(ticket, request, course)
                return
        if request.pin is not None:
            self.limits.answered(client.number, client.user, request.terminal)
        if isinstance(answer, Vouched):
            client.send_answer(encode_line(self._vouched(client, request, answer)))
            self._told_hands.pop(client, None)
            self._tell_hands()
            return
        line = self._tongue_for(request).speaker.answer(request.id, answer, request.values)
        for asker, told in self._courses.decided(course, line):
            asker.send_answer(encode_line(told))

    def keep(self, notices: Sequence[Notice]) -> None:
        """What people at the table should hear stands in each status for a while."""
        profile = self._runtime.ledger.latest.setup.profile
        for notice in notices:
            self._notice_id += 1
            self._notices.append((self._notice_id, cited(profile, notice)))

    def tell_changes(self) -> None:
        """Where anything has changed: ends the rights that it ends, and sees to it that subscribers hear of it."""
        if self._runtime.version != self._seen_version:
            self._seen_version = self._runtime.version
            self.end_rights()
            self._tell_hands()
            self._schedule_changes(CHANGES_EVERY_S)

    def end_rights(self) -> None:
        """Ends those that have run out, also by time alone."""
        self._tell_ended(self._rights.ended(self._runtime.ledger.latest, self._loop.time()))

    def stop(self) -> None:
        """Subscribers hear the last of it."""
        if self._next_change is not None:
            self._next_change.cancel()
            self._next_change = None
        self._send_changes()
        self._tongues.clear()

    def staff_known(self, book: StaffBook) -> None:
        """Who the casino's people are now: whoever was removed is signed out at once."""
        self._people = tuple(PersonDocument(one.number, one.name, one.role.value) for one in book.people)
        self._tell_ended(self._rights.removed({one.number: one.role for one in book.people}))

    # ---- within

    def _act(self, client: Client, request: Request) -> None:
        course = self._courses.begin(client, request)
        if course is None:
            client.expect_answer()  # the same request is under way
        elif not isinstance(course, Course):
            client.send(encode_line(course))
        elif (hindrance := self._hindrance(client, request)) is not None:
            for asker, told in self._courses.decided(course, hindrance):
                asker.send(encode_line(told))
        else:
            ticket = self._ticket(client, request, course)
            self._gate.ask(ticket, self._asked_by(client, request), self._loop.time())
            self._turn()

    def _hindrance(self, client: Client, request: Request) -> NotDecided | None:
        """Why an act of this client is not asked for at all."""
        speaker = self._tongue_for(request).speaker
        wait_ms = self.limits.act(client.user, self._loop.time(), 1 + len(request.then))
        if wait_ms is not None:
            return speaker.error(request.id, "too-many-acts", wait_ms=wait_ms)
        latest = self._runtime.ledger.latest
        if request.scene not in {"", scene_of(latest, self._runtime.game.screen().owed(latest))}:
            return speaker.changed(request.id, latest)
        right = self._right_for(client, request)
        every = [request.values, *(step.values for step in request.then)]
        if right is not None and not all(is_for(right, values) for values in every):
            return speaker.error(request.id, "not-for-this")
        if request.pin is not None and request.then:
            return speaker.error(request.id, "pin-for-several")
        return None if request.pin is None else self._hindrance_of_pin(client, request)

    def _hindrance_of_pin(self, client: Client, request: Request) -> NotDecided | None:
        """Why a PIN of this client is not looked at now; where it is, it counts as asked."""
        trouble = self.limits.trouble(client.number, client.user, request.terminal)
        if trouble is None:
            self.limits.asked(client.number, client.user, request.terminal)
            return None
        if request.person is not None:
            self._runtime.minute.kept_away(Person(request.person))
        return self._tongue_for(request).speaker.error(request.id, trouble)

    def _go_on(self, ticket: int, request: Request, course: Course) -> None:
        """What follows an act that was done, for the same person, under the same answer."""
        step = request.then[0]
        following = msgspec.structs.replace(request, act=step.act, values=step.values, then=request.then[1:])
        self._asked[ticket] = (course.client, following, course)
        self._gate.ask(ticket, self._asked_by(course.client, following), self._loop.time())
        self._loop.call_soon(self._turn)

    def _asked_by(self, client: Client, request: Request) -> Asked:
        right = self._right_for(client, request)
        role = None if right is None else right.role
        return Asked(
            request.act, request.person, request.pin, request.values, terminal_of(client.user, request.terminal), role
        )

    def _sign_in(self, client: Client, request: Request) -> None:
        """Checks the PIN; the right itself is given when it was right."""
        speaker = self._tongue_for(request).speaker
        if request.person is None or request.pin is None:
            trouble = Trouble.PERSON_MISSING if request.person is None else Trouble.PIN_MISSING
            client.send(encode_line(speaker.error(request.id, trouble.value)))
        elif (hindrance := self._hindrance_of_pin(client, request)) is not None:
            client.send(encode_line(hindrance))
        else:
            course = Course(client, msgspec.structs.replace(request, key=""))  # a key is an act's
            ticket, terminal = self._ticket(client, request, course), terminal_of(client.user, request.terminal)
            self._gate.sign_in(ticket, request.person, request.pin, terminal)
            self._turn()

    def _ticket(self, client: Client, request: Request, course: Course) -> int:
        self._tickets += 1
        self._asked[self._tickets] = (client, request, course)
        client.expect_answer()
        return self._tickets

    def _right_for(self, client: Client, request: Request) -> Right | None:
        """The right of this connection, where the request is its person's and brings no PIN of its own."""
        right = self._rights.of(client)
        if right is None or request.pin is not None or request.person != right.person:
            return None
        right.used_s = self._loop.time()
        return right

    def _vouched(self, client: Client, request: Request, vouched: Vouched) -> Line:
        """The PIN was right: the connection is this person's, if it can be for what was asked."""
        speaker = self._tongue_for(request).speaker
        right = Right(vouched.person, vouched.role, request.purpose, self._loop.time())
        if not is_purpose(right.purpose, right.role):
            return speaker.error(request.id, "not-this-person")
        if end_of(right, self._runtime.ledger.latest, right.used_s):
            return speaker.error(request.id, "not-for-this")
        client.listens = True  # it may think for as long as the right lasts
        self._rights.give(client, right)
        name = next((one.name for one in self._people if one.number == right.person), "")
        return SignInAnswer(request.id, SignedIn(right.person, name, right.role.value, right.purpose))

    def _ask_beside(self, client: Client, request: Request) -> None:
        """What is no act, for whoever is signed in over this connection."""
        right, state, speaker = self._rights.of(client), self._runtime.ledger.durable, self._tongue_for(request).speaker
        if right is not None:
            right.used_s = self._loop.time()
        if request.do is Do.RECORD:
            self._beside.record(client, request, right, state, speaker)
        else:
            client.send(encode_line(self._beside.try_out(request, right, state, speaker)))

    def _people_of(self, client: Client, request: Request) -> Line:
        if self._rights.of(client) is None:
            return self._tongue_for(request).speaker.error(request.id, "not-signed-in")
        return PeopleAnswer(request.id, list(self._people))

    def _pong(self, request: Request) -> Line:
        state = self._runtime.ledger.latest
        now_ms = self._runtime.table_ms(self._loop.time())
        return Pong(request.id, self._runtime.ledger.durable_seq, state.house.start_number, now_ms)

    def _tell_ended(self, ended: list[tuple[Client, str]]) -> None:
        for client, why in ended:
            client.send(encode_line(SignedOut(why, sentence(f"signed-out.{why}", (), self._language))))

    def _tell_hands(self) -> None:
        """Whoever is signed in sees the faces of the cards on the table."""
        signed_in = self._rights.clients()
        now = self._runtime.game.screen().hands(self._runtime.ledger.durable) if signed_in else []
        for client in signed_in:
            if self._told_hands.get(client) != now:
                client.send(encode_line(Hands(now)))
        self._told_hands = dict.fromkeys(signed_in, now)

    def _listed(self, request: Request) -> Line:
        """The acts that the request is about, of the durable state."""
        tongue = self._tongue_for(request)
        acts = [one for one in self._acts_now(tongue) if request.act in {"", one.act}]
        if not acts:
            return tongue.speaker.error(request.id, Trouble.UNKNOWN_ACT.value)
        asked = [one for one in acts if one.allowed or not request.allowed]
        return Listed(request.id, self._runtime.ledger.durable_seq, asked)

    def _acts_now(self, tongue: _Tongue) -> list[ActDocument]:
        """Made once per durable state: some hundred questions to the core."""
        durable, trouble = self._runtime.ledger.durable, self._runtime.trouble()
        if tongue.acts_of is not durable or tongue.acts_trouble is not trouble:
            tongue.acts_of, tongue.acts_trouble = durable, trouble
            tongue.acts = tongue.speaker.acts(durable, self._runtime.permitted(), trouble)
        return tongue.acts

    def _subscribe(self, client: Client, request: Request) -> None:
        self._send_changes()  # so that everybody knows the same
        tongue = self._tongue_for(request)
        if tongue.told is None:
            tongue.told = self._status_now(tongue)
        client.send(encode_line(Subscribed(request.id, self._runtime.ledger.durable_seq, tongue.told)))
        client.listens = True
        if client not in tongue.subscribers:
            tongue.subscribers.append(client)
        self._schedule_changes(FIGURES_EVERY_S)

    def _tongue_for(self, request: Request) -> _Tongue:
        """The language that the request asks for; the table's where the catalogue has not got it."""
        return self._tongue(next((one for one in Language if one.value == request.language), self._language))

    def _tongue(self, language: Language) -> _Tongue:
        if language not in self._tongues:
            variants = variants_of(self._runtime.ledger.latest.setup.procedure)
            status = StatusMaker(self._runtime, language, self._around)
            self._tongues[language] = _Tongue(Speaker(self._runtime.game, language, variants), status)
        return self._tongues[language]

    def _status_now(self, tongue: _Tongue) -> Status:
        language = tongue.speaker.language
        notices = [NoticeStatus(number, notice_text(notice, language)) for number, notice in self._notices]
        return tongue.status.status(self._loop.time(), notices)

    def _schedule_changes(self, within_s: float) -> None:
        due_s = self._loop.time() + within_s
        if self._next_change is not None and self._next_change.when() <= due_s:
            return
        if not any(tongue.subscribers for tongue in self._tongues.values()):
            return
        if self._next_change is not None:
            self._next_change.cancel()
        self._next_change = self._loop.call_at(due_s, self._changes_due)

    def _changes_due(self) -> None:
        self._next_change = None
        self.end_rights()
        self._send_changes()
        self._schedule_changes(FIGURES_EVERY_S)

    def _send_changes(self) -> None:
        """One line to every subscriber, with what is other than it was; the last value wins."""
        for tongue in self._tongues.values():
            self._send_changes_in(tongue)

    def _send_changes_in(self, tongue: _Tongue) -> None:
        tongue.subscribers = [client for client in tongue.subscribers if not client.is_gone]
        if not tongue.subscribers:
            tongue.told = None
            return
        before, now = tongue.told, self._status_now(tongue)
        tongue.told = now
        changed = {key: getattr(now, key) for key in KEYS if getattr(now, key) != getattr(before, key)}
        if changed:
            line = encode_line(Changed(self._runtime.ledger.durable_seq, changed))
            for client in tongue.subscribers:
                client.send(line)
