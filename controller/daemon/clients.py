"""Answers the clients' requests and sends subscribers the changes of the status.

The runtime and the gate decide on acts.
"""

import asyncio
from collections.abc import Callable, Sequence

from controller.catalogue import Language
from controller.core.engine.decision import Notice
from controller.daemon.beside import Beside
from controller.daemon.carrying import Carrying
from controller.daemon.cosigning import Cosigning
from controller.daemon.credentials import Credentials
from controller.daemon.gate_requests import GateRequests
from controller.daemon.language_views import LanguageViews
from controller.daemon.linking import Linking
from controller.daemon.peers import may, rights_of_users
from controller.daemon.server import Client
from controller.daemon.signed_in import SignedInPeople
from controller.daemon.subscribers import Subscribers
from controller.protocol.lines import (
    Do,
    KeptAnswer,
    Line,
    Listed,
    Pong,
    Request,
    StatusAnswer,
    decode_request,
    encode_line,
)
from controller.runtime.answers import Trouble
from controller.runtime.gate import Gate
from controller.runtime.kernel import Runtime
from controller.screen.surroundings import Surroundings


class Clients:
    """Answers the requests of every client. After a request it calls `turn`, which runs the controller's next step."""

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
        self._turn = turn
        self._views = LanguageViews(runtime, language, surroundings)
        self._beside = beside
        self._carrying = carrying
        self._cosigning = cosigning
        self._linking = linking
        self._peers = rights_of_users()
        self.signed_in = SignedInPeople(loop, runtime, self._views, language)
        self._subscribers = Subscribers(loop, runtime, self._views, self.signed_in.end_rights)
        credentials = Credentials(self.signed_in.rights, surroundings, runtime.game.registry)
        self.requests = GateRequests(
            loop, runtime, gate, language, turn, self._views, self.signed_in, credentials, self._peers
        )
        self._seen_version = -1

    # ---- for the server

    def handle(self, client: Client, line: bytes) -> None:
        """Decodes one line of a client and answers it: with an error if the line is no request, or if the client's user
        may not send the request.
        """
        request = decode_request(line)
        if request is None:
            self.refuse(client, "bad-request")
        elif not may(self._peers, client.user, request.do):
            client.send(encode_line(self._views.of(request.language).speaker.error(request.id, "not-by-this-user")))
        else:
            self._answer_to(client, request)

    def _answer_to(self, client: Client, request: Request) -> None:
        self.signed_in.end_rights()
        match request.do:
            case Do.STATUS:
                status = self._views.status(self._views.of(request.language), self._loop.time())
                client.send(encode_line(StatusAnswer(request.id, status)))
            case Do.LIST:
                client.send(encode_line(self._listed(request)))
            case Do.SUBSCRIBE:
                self._subscribers.add(client, request)
            case Do.ACT:
                self.requests.act(client, request)
            case Do.PING:
                client.send(encode_line(self._pong(request)))
            case Do.SIGN_IN:
                self.requests.sign_in(client, request)
            case Do.PEOPLE:
                client.send(encode_line(self.signed_in.list_people(client, request)))
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

    def keep(self, notices: Sequence[Notice]) -> None:
        """Adds notices to the status, which keeps only the newest few."""
        self._views.keep(notices)

    def tell_changes(self) -> None:
        """Adds the notices of agreements to the status, and tells the clients if the runtime's state has changed.

        After a change, signs out people whose rights are over, sends the other people the changed hands of cards, and
        schedules the subscribers' next line.
        """
        self.keep(self.requests.take_agreed())  # behind the notices of what each has changed
        if self._runtime.version != self._seen_version:
            self._seen_version = self._runtime.version
            self.signed_in.end_rights()
            self.signed_in.tell_hands()
            self._subscribers.tell_changes()

    def stop(self) -> None:
        """Sends the subscribers their last change, and forgets them."""
        self._subscribers.stop()

    # ---- within

    def _ask_beside(self, client: Client, request: Request) -> None:
        """Answers a request for a record or for trying a part. The answer is an error if the person signed in over the
        connection has no right to it.
        """
        right, state = self.signed_in.used(client), self._runtime.ledger.durable
        speaker = self._views.of(request.language).speaker
        if request.do is Do.RECORD:
            self._beside.record(client, request, right, state, speaker)
        else:
            client.send(encode_line(self._beside.try_out(request, right, state, speaker)))

    def _pong(self, request: Request) -> Line:
        state = self._runtime.ledger.latest
        now_ms = self._runtime.table_ms(self._loop.time())
        return Pong(request.id, self._runtime.ledger.durable_seq, state.house.start_number, now_ms)

    def _listed(self, request: Request) -> Line:
        """Returns the act named in the request, or every act if the request names none. Returns an error for an unknown
        act.

        With `allowed`, leaves out acts that the durable state does not permit.
        """
        view = self._views.of(request.language)
        if request.act and request.act not in self._runtime.game.registry.act_named:
            return view.speaker.error(request.id, Trouble.UNKNOWN_ACT.value)
        asked = self._views.acts(view, request.act, allowed=request.allowed)
        return Listed(request.id, self._runtime.ledger.durable_seq, asked)
