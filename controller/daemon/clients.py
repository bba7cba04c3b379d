"""The traffic with clients: their requests go to runtime and gate, answers go back, and subscribers hear changes."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from controller.catalogue import Language, sentence
from controller.core.engine.decision import Notice
from controller.core.house.manner import Credential
from controller.core.words import Person, SessionPhase
from controller.daemon.beside import Beside
from controller.daemon.carrying import Carrying
from controller.daemon.cosigning import Cosigning
from controller.daemon.credentials import Credentials, Known, by_pin
from controller.daemon.language_views import LanguageView, LanguageViews
from controller.daemon.limits import Limits, terminal_of
from controller.daemon.linking import Linking
from controller.daemon.open_requests import OpenRequest, OpenRequests
from controller.daemon.peers import may, rights_of_users
from controller.daemon.rights import Right, Rights, end_of, is_for, is_purpose
from controller.daemon.server import Client
from controller.protocol.lines import (
    Changed,
    Do,
    DoneAct,
    Hands,
    KeptAnswer,
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
from controller.protocol.status import KEYS, HandStatus
from controller.runtime.answers import Answer, Done, Trouble, Vouched
from controller.runtime.gate import Asked, BadValues, Gate
from controller.runtime.kernel import Runtime
from controller.screen.scene import scene_of
from controller.screen.surroundings import Surroundings
from controller.staff import StaffBook

CHANGES_EVERY_S: Final = 0.05  # the shortest interval of changes to a subscriber: eyes follow no more
FIGURES_EVERY_S: Final = 1.0  # the interval for counters and the journal's lag


class Clients:
    """Answers every client. `turn` runs the controller's next step after a request."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        runtime: Runtime,
        gate: Gate,
        language: Language,
        turn: Callable[[], None],
        surroundings: Surroundings,
        beside: Beside,
        carrying: Carrying,
        cosigning: Cosigning,
        linking: Linking,
    ) -> None:
        self._loop = loop
        self._runtime = runtime
        self._gate = gate
        self._language = language
        self._turn = turn
        self._views = LanguageViews(runtime, language, surroundings)
        self._tickets = 0
        self._asked: dict[int, tuple[Client, Request, OpenRequest]] = {}
        self._open_requests = OpenRequests(language)
        self._beside = beside
        self._carrying = carrying
        self._cosigning = cosigning
        self._linking = linking
        self.limits = Limits()
        self._peers = rights_of_users()
        self._rights = Rights()
        self._credentials = Credentials(self._rights, surroundings, runtime.game.registry)
        self._people: tuple[PersonDocument, ...] = ()
        self._told_hands: dict[Client, list[HandStatus]] = {}
        self._seen_version = -1
        self._next_change: asyncio.TimerHandle | None = None

    # ---- for the server

    def handle(self, client: Client, line: bytes) -> None:
        """Decodes one line of a client and answers it; refuses a line that is no request."""
        request = decode_request(line)
        if request is None:
            self.refuse(client, "bad-request")
        elif not may(self._peers, client.user, request.do):
            client.send(encode_line(self._views.of(request.language).speaker.error(request.id, "not-by-this-user")))
        else:
            self._answer_to(client, request)

    def _answer_to(self, client: Client, request: Request) -> None:
        self.end_rights()
        match request.do:
            case Do.STATUS:
                status = self._views.status(self._views.of(request.language), self._loop.time())
                client.send(encode_line(StatusAnswer(request.id, status)))
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
            case Do.CARRY | Do.KEEP | Do.CHECKPOINT | Do.POOL:
                self._of_the_uplink(client, request)

    def _of_the_uplink(self, client: Client, request: Request) -> None:
        if request.do is Do.POOL:
            client.send(encode_line(self._pool(request)))
            return
        asked = self._cosigning if request.do is Do.CHECKPOINT else self._carrying
        asked.answer(client, request, self._views.of(request.language).speaker)

    def _pool(self, request: Request) -> Line:
        taken = self._linking.take(request.pool)
        if isinstance(taken, str):
            return self._views.of(request.language).speaker.error(request.id, taken)
        self._turn()
        return KeptAnswer(request.id, taken)

    def refuse(self, client: Client, code: str) -> None:
        """Sends the client the error `code` and ends the connection."""
        client.send(encode_line(self._views.of().speaker.error(None, code)))
        client.hang_up()

    # ---- for the controller

    def answer(self, ticket: int, answer: Answer | BadValues) -> None:
        """Sends the client of this ticket its answer, or asks for the next step of its request."""
        client, request, open_request = self._asked.pop(ticket)
        if isinstance(answer, Done):
            is_closed = answer.state.house.session is SessionPhase.CLOSED
            self.limits.act_done(client.user, self._loop.time(), is_closed=is_closed)
            open_request.done.append(DoneAct(request.act, answer.seq))
            if request.then:
                open_request.known = open_request.known or by_pin(request, self._people)
                self._go_on(ticket, request, open_request)
                return
        if request.pin is not None:
            self.limits.answered(client.number, client.user, request.terminal)
        if isinstance(answer, Vouched):
            client.send_answer(encode_line(self._vouched(client, request, answer)))
            self._told_hands.pop(client, None)
            self._tell_hands()
            return
        line = self._views.of(request.language).speaker.answer(request.id, answer, request.values)
        for asker, told in self._open_requests.decided(open_request, line):
            asker.send_answer(encode_line(told))

    def keep(self, notices: Sequence[Notice]) -> None:
        """Adds the notices to the status; the newest few stay in it."""
        self._views.keep(notices)

    def tell_changes(self) -> None:
        """After a change of the runtime: ends the rights that are over and schedules the news for subscribers."""
        if self._runtime.version != self._seen_version:
            self._seen_version = self._runtime.version
            self.end_rights()
            self._tell_hands()
            self._schedule_changes(CHANGES_EVERY_S)

    def end_rights(self) -> None:
        """Signs out the people whose right is over, also where only time has passed."""
        self._tell_ended(self._rights.ended(self._runtime.ledger.latest, self._loop.time()))

    def stop(self) -> None:
        """Sends the subscribers their last change."""
        if self._next_change is not None:
            self._next_change.cancel()
            self._next_change = None
        self._send_changes()
        self._views.clear()

    def staff_known(self, book: StaffBook) -> None:
        """Takes over the casino's people. A person who was removed or is known otherwise now is signed out at once."""
        self._people = tuple(PersonDocument(one.number, one.name, one.role.value) for one in book.people)
        self._tell_ended(self._rights.removed(book))

    # ---- within

    def _act(self, client: Client, request: Request) -> None:
        open_request = self._open_requests.begin(client, request)
        if open_request is None:
            client.expect_answer()  # the same request is under way
        elif not isinstance(open_request, OpenRequest):
            client.send(encode_line(open_request))
        elif (hindrance := self._hindrance(client, request)) is not None:
            for asker, told in self._open_requests.decided(open_request, hindrance):
                asker.send(encode_line(told))
        else:
            ticket = self._ticket(client, request, open_request)
            open_request.known = self._by_badge(client, request)
            self._gate.ask(ticket, self._asked_by(client, request, open_request), self._loop.time())
            self._turn()

    def _hindrance(self, client: Client, request: Request) -> NotDecided | None:
        """The error that keeps an act of this client from being asked for; None where there is none."""
        speaker = self._views.of(request.language).speaker
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
        return None if request.pin is None else self._hindrance_of_pin(client, request)

    def _hindrance_of_pin(self, client: Client, request: Request) -> NotDecided | None:
        """The error that keeps a PIN from being hashed now. None: the PIN may be hashed, and the limits count it."""
        trouble = self.limits.trouble(client.number, client.user, request.terminal)
        if trouble is None:
            self.limits.asked(client.number, client.user, request.terminal)
            return None
        if request.person is not None:
            self._runtime.minute.kept_away(Person(request.person))
        return self._views.of(request.language).speaker.error(request.id, trouble)

    def _go_on(self, ticket: int, request: Request, open_request: OpenRequest) -> None:
        """Asks for the next step of a request after its act was done, for the same person and under the same ticket."""
        step = request.then[0]
        following = msgspec.structs.replace(request, act=step.act, values=step.values, then=request.then[1:])
        self._asked[ticket] = (open_request.client, following, open_request)
        self._gate.ask(ticket, self._asked_by(open_request.client, following, open_request), self._loop.time())
        self._loop.call_soon(self._turn)

    def _asked_by(self, client: Client, request: Request, open_request: OpenRequest) -> Asked:
        known = open_request.known
        if self._right_for(client, request) is not None:
            known = self._credentials.signed_in(client, request)
        role, credential = (None, Credential.PIN) if known is None else (known.role, known.credential)
        terminal = terminal_of(client.user, request.terminal)
        return Asked(request.act, request.person, request.pin, request.values, terminal, role, credential)

    def _by_badge(self, client: Client, request: Request) -> Known | None:
        """The person known by badge; None where the request has no badge or this user may not sign people in."""
        if not request.badge or request.pin is not None or not may(self._peers, client.user, Do.SIGN_IN):
            return None
        return self._credentials.by_badge(request, self._loop.time())

    def _sign_in(self, client: Client, request: Request) -> None:
        """Signs the person in by badge, or has the PIN checked; the right is given once the PIN is found right."""
        speaker = self._views.of(request.language).speaker
        if request.person is not None and (known := self._by_badge(client, request)) is not None:
            client.send(encode_line(self._vouched(client, request, Vouched(Person(request.person), known.role))))
            self._tell_hands()
        elif request.person is None or request.pin is None:
            trouble = Trouble.PERSON_MISSING if request.person is None else Trouble.PIN_MISSING
            client.send(encode_line(speaker.error(request.id, trouble.value)))
        elif (hindrance := self._hindrance_of_pin(client, request)) is not None:
            client.send(encode_line(hindrance))
        else:
            open_request = OpenRequest(client, msgspec.structs.replace(request, key=""))  # only acts have keys
            ticket, terminal = self._ticket(client, request, open_request), terminal_of(client.user, request.terminal)
            self._gate.sign_in(ticket, request.person, request.pin, terminal)
            self._turn()

    def _ticket(self, client: Client, request: Request, open_request: OpenRequest) -> int:
        self._tickets += 1
        self._asked[self._tickets] = (client, request, open_request)
        client.expect_answer()
        return self._tickets

    def _right_for(self, client: Client, request: Request) -> Right | None:
        """The right of this connection; None where the request names another person or brings its own PIN or badge."""
        right = self._rights.of(client)
        if right is None or request.pin is not None or request.badge or request.person != right.person:
            return None
        right.used_s = self._loop.time()
        return right

    def _vouched(self, client: Client, request: Request, vouched: Vouched) -> Line:
        """Gives this connection the right of a person found genuine; an error where the purpose forbids it."""
        speaker = self._views.of(request.language).speaker
        terminal = terminal_of(client.user, request.terminal)
        right = Right(vouched.person, vouched.role, request.purpose, self._loop.time(), terminal)
        if not is_purpose(right.purpose, right.role):
            return speaker.error(request.id, "not-this-person")
        if end_of(right, self._runtime.ledger.latest, right.used_s):
            return speaker.error(request.id, "not-for-this")
        client.listens = True  # the person may stay idle for as long as the right lasts
        self._rights.give(client, right)
        name = next((one.name for one in self._people if one.number == right.person), "")
        return SignInAnswer(request.id, SignedIn(right.person, name, right.role.value, right.purpose))

    def _ask_beside(self, client: Client, request: Request) -> None:
        """Answers the requests that are no acts, for the person who is signed in over this connection."""
        right, state = self._rights.of(client), self._runtime.ledger.durable
        speaker = self._views.of(request.language).speaker
        if right is not None:
            right.used_s = self._loop.time()
        if request.do is Do.RECORD:
            self._beside.record(client, request, right, state, speaker)
        else:
            client.send(encode_line(self._beside.try_out(request, right, state, speaker)))

    def _people_of(self, client: Client, request: Request) -> Line:
        if self._rights.of(client) is None:
            return self._views.of(request.language).speaker.error(request.id, "not-signed-in")
        return PeopleAnswer(request.id, list(self._people))

    def _pong(self, request: Request) -> Line:
        state = self._runtime.ledger.latest
        now_ms = self._runtime.table_ms(self._loop.time())
        return Pong(request.id, self._runtime.ledger.durable_seq, state.house.start_number, now_ms)

    def _tell_ended(self, ended: list[tuple[Client, str]]) -> None:
        for client, why in ended:
            client.send(encode_line(SignedOut(why, sentence(f"signed-out.{why}", (), self._language))))

    def _tell_hands(self) -> None:
        """Sends signed-in people the faces of the cards on the table, where these have changed."""
        signed_in = self._rights.clients()
        now = self._runtime.game.screen().hands(self._runtime.ledger.durable) if signed_in else []
        for client in signed_in:
            if self._told_hands.get(client) != now:
                client.send(encode_line(Hands(now)))
        self._told_hands = dict.fromkeys(signed_in, now)

    def _listed(self, request: Request) -> Line:
        """The acts that the request names, as they are in the durable state."""
        view = self._views.of(request.language)
        acts = [one for one in self._views.acts(view) if request.act in {"", one.act}]
        if not acts:
            return view.speaker.error(request.id, Trouble.UNKNOWN_ACT.value)
        asked = [one for one in acts if one.allowed or not request.allowed]
        return Listed(request.id, self._runtime.ledger.durable_seq, asked)

    def _subscribe(self, client: Client, request: Request) -> None:
        self._send_changes()  # so that the other subscribers have the same status
        view = self._views.of(request.language)
        if view.told is None:
            view.told = self._views.status(view, self._loop.time())
        client.send(encode_line(Subscribed(request.id, self._runtime.ledger.durable_seq, view.told)))
        client.listens = True
        if client not in view.subscribers:
            view.subscribers.append(client)
        self._schedule_changes(FIGURES_EVERY_S)

    def _schedule_changes(self, within_s: float) -> None:
        due_s = self._loop.time() + within_s
        if self._next_change is not None and self._next_change.when() <= due_s:
            return
        if not any(view.subscribers for view in self._views.every()):
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
        """Sends every subscriber one line with the keys of the status that have changed since the last line."""
        for view in self._views.every():
            self._send_changes_in(view)

    def _send_changes_in(self, view: LanguageView) -> None:
        view.subscribers = [client for client in view.subscribers if not client.is_gone]
        if not view.subscribers:
            view.told = None
            return
        before, now = view.told, self._views.status(view, self._loop.time())
        view.told = now
        changed = {key: getattr(now, key) for key in KEYS if getattr(now, key) != getattr(before, key)}
        if changed:
            line = encode_line(Changed(self._runtime.ledger.durable_seq, changed))
            for client in view.subscribers:
                client.send(line)
