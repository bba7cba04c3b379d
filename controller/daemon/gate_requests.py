"""The requests that wait for the gate's answer: acts and sign-ins, each under a number (its ticket)."""

import asyncio
from collections.abc import Callable, Mapping

import msgspec

from controller.catalogue import Language
from controller.core.engine.decision import Notice
from controller.core.house.manner import Credential
from controller.core.words import Person, SessionPhase
from controller.daemon.credentials import Credentials, Known, by_pin
from controller.daemon.language_views import LanguageViews
from controller.daemon.limits import Limits, terminal_of
from controller.daemon.open_requests import OpenRequest, OpenRequests
from controller.daemon.peers import Right, may
from controller.daemon.rights import is_for
from controller.daemon.server import Client
from controller.daemon.signed_in import SignedInPeople
from controller.protocol.lines import Do, DoneAct, NotDecided, Request, encode_line
from controller.runtime.answers import Answer, Done, Trouble, Vouched
from controller.runtime.gate import Asked, BadValues, Gate
from controller.runtime.kernel import Runtime
from controller.screen.scene import scene_of


class GateRequests:
    """Passes requests to the gate, and sends each client the gate's answer.

    After a request it calls `turn`, which runs the controller's next step.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        runtime: Runtime,
        gate: Gate,
        language: Language,
        turn: Callable[[], None],
        views: LanguageViews,
        signed_in: SignedInPeople,
        credentials: Credentials,
        peers: Mapping[int, Right],
    ) -> None:
        self._loop = loop
        self._runtime = runtime
        self._gate = gate
        self._turn = turn
        self._views = views
        self._signed_in = signed_in
        self._credentials = credentials
        self.limits = Limits()
        self._peers = peers
        self._tickets = 0
        self._asked: dict[int, tuple[Client, Request, OpenRequest]] = {}
        self._open_requests = OpenRequests(language)
        self._agreed: list[Notice] = []

    def act(self, client: Client, request: Request) -> None:
        """Passes a requested act to the gate. Sends an error at once for a refused request, and the known answer for a
        repeated request.

        A request that is repeated while the first is under way is not passed on: the gate's answer goes to both
        clients.
        """
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

    def sign_in(self, client: Client, request: Request) -> None:
        """Signs a person in by badge, or begins to check the PIN; a right PIN then signs the person in. Sends an error
        at once if person or PIN is missing, or the PIN may not be checked now.
        """
        speaker = self._views.of(request.language).speaker
        if request.person is not None and (known := self._by_badge(client, request)) is not None:
            vouched = Vouched(Person(request.person), known.role)
            client.send(encode_line(self._signed_in.sign_in(client, request, vouched)))
            self._signed_in.tell_hands()
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

    def answer(self, ticket: int, answer: Answer | BadValues) -> None:
        """Sends the gate's answer to the client whose request has `ticket`. If the act is done and the request has
        further acts, asks the gate for the next act instead.
        """
        client, request, open_request = self._asked.pop(ticket)
        if isinstance(answer, Done):
            is_closed = answer.state.house.session is SessionPhase.CLOSED
            self.limits.act_done(client.user, self._loop.time(), is_closed=is_closed)
            open_request.done.append(DoneAct(request.act, answer.seq))
            self._agreed += [] if answer.agreed is None else [answer.agreed]
            self._signed_in.has_proven(client, request)
            if request.then:
                open_request.known = open_request.known or by_pin(open_request.request, self._signed_in.people)
                self._go_on(ticket, request, open_request)
                return
        if open_request.request.pin is not None:
            self.limits.answered(client.number, client.user, request.terminal)
        if isinstance(answer, Vouched):
            client.send_answer(encode_line(self._signed_in.sign_in(client, request, answer)))
            self._signed_in.tell_hands()
            return
        line = self._views.of(request.language).speaker.answer(request.id, answer, request.values)
        for asker, told in self._open_requests.decided(open_request, line):
            asker.send_answer(encode_line(told))

    def take_agreed(self) -> list[Notice]:
        """Returns the notices of second people's agreements that are new since the last call."""
        taken, self._agreed = self._agreed, []
        return taken

    def _hindrance(self, client: Client, request: Request) -> NotDecided | None:
        """Returns the error that forbids passing a requested act to the gate. Returns None if the act may be passed on.
        Counts the request's acts against the user's limit.
        """
        speaker = self._views.of(request.language).speaker
        wait_ms = self.limits.act(client.user, self._loop.time(), 1 + len(request.then))
        if wait_ms is not None:
            return speaker.error(request.id, "too-many-acts", wait_ms=wait_ms)
        latest = self._runtime.ledger.latest
        if request.scene not in {"", scene_of(latest, self._runtime.game.screen().owed(latest))}:
            return speaker.changed(request.id, latest)
        if not self._are_within_rights(client, request):
            return speaker.error(request.id, "not-for-this")
        return None if request.pin is None else self._hindrance_of_pin(client, request)

    def _are_within_rights(self, client: Client, request: Request) -> bool:
        """True if every act of the request is within the purpose of the sign-in that the request relies on."""
        right, own = self._signed_in.right_for(client, request), self._signed_in.rights.of(client)
        by_post = [step.values for step in request.then if step.by_post]
        others = [request.values, *(step.values for step in request.then if not step.by_post)]
        is_his = right is None or all(is_for(right, values) for values in others)
        return is_his and (not by_post or (own is not None and all(is_for(own, values) for values in by_post)))

    def _hindrance_of_pin(self, client: Client, request: Request) -> NotDecided | None:
        """Returns the error that forbids hashing the request's PIN now. Returns None if the PIN may be hashed.

        Counts a PIN that will be hashed against the limits, and reports a refused PIN to the runtime.
        """
        trouble = self.limits.trouble(client.number, client.user, request.terminal)
        if trouble is None:
            self.limits.asked(client.number, client.user, request.terminal)
            return None
        if request.person is not None:
            self._runtime.minute.kept_away(Person(request.person))
        return self._views.of(request.language).speaker.error(request.id, trouble)

    def _go_on(self, ticket: int, request: Request, open_request: OpenRequest) -> None:
        """Asks the gate for the next of a request's acts, under the same ticket and for the same person. With `by_post`
        the person is the one signed in over the connection.
        """
        step, first = request.then[0], open_request.request
        following = msgspec.structs.replace(first, act=step.act, values=step.values, then=request.then[1:])
        if step.by_post:
            right = self._signed_in.rights.of(open_request.client)
            own = None if right is None else right.person
            following = msgspec.structs.replace(following, person=own, pin=None, badge=False)
        self._asked[ticket] = (open_request.client, following, open_request)
        self._gate.ask(ticket, self._asked_by(open_request.client, following, open_request), self._loop.time())
        self._loop.call_soon(self._turn)

    def _asked_by(self, client: Client, request: Request, open_request: OpenRequest) -> Asked:
        known = open_request.known if request.person == open_request.request.person else None
        if self._signed_in.right_for(client, request) is not None:
            known = self._credentials.signed_in(client, request)
        role, credential = (None, Credential.PIN) if known is None else (known.role, known.credential)
        terminal = terminal_of(client.user, request.terminal)
        return Asked(request.act, request.person, request.pin, request.values, terminal, role, credential)

    def _by_badge(self, client: Client, request: Request) -> Known | None:
        """Returns the role of the person whose badge is at the reader.

        Returns None if the request does not ask for a badge or has a PIN, or if the client's user may not sign people
        in.
        """
        if not request.badge or request.pin is not None or not may(self._peers, client.user, Do.SIGN_IN):
            return None
        return self._credentials.by_badge(request, self._loop.time())

    def _ticket(self, client: Client, request: Request, open_request: OpenRequest) -> int:
        self._tickets += 1
        self._asked[self._tickets] = (client, request, open_request)
        client.expect_answer()
        return self._tickets
