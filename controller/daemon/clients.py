"""What clients ask and are told: requests to runtime and gate, answers back, changes to those who subscribed."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from controller.catalogue import Language
from controller.catalogue.words import notice_text, variants_of
from controller.core.words import Person
from controller.daemon.limits import Limits
from controller.daemon.protocol import (
    Changed,
    Do,
    Request,
    Speaker,
    StatusAnswer,
    Subscribed,
    decode_request,
    encode_line,
)
from controller.daemon.server import Client
from controller.runtime.answers import Failed, Trouble
from controller.runtime.gate import Gate
from controller.runtime.kernel import Runtime
from controller.status import StatusMaker
from controller.status_document import KEYS, NoticeStatus, Status
from controller.surroundings import Surroundings

CHANGES_EVERY_S: Final = 0.05  # to a subscriber, at most: more than eyes can follow
FIGURES_EVERY_S: Final = 1.0  # counters and the journal's lag, when nothing else changes
NOTICES_SHOWN: Final = 20


class Clients:
    """Speaks with every client. `turn` lets the controller carry on after a request."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        runtime: Runtime,
        gate: Gate,
        language: Language,
        turn: Callable[[], None],
        surroundings: Surroundings | None = None,
    ) -> None:
        self._loop = loop
        self._runtime = runtime
        self._gate = gate
        self._language = language
        self._turn = turn
        self._speaker = Speaker(language, variants_of(runtime.ledger.latest.setup.procedure))
        self._status = StatusMaker(runtime, language, surroundings)
        self._tickets = 0
        self._asked: dict[int, tuple[Client, Request]] = {}
        self.limits = Limits()
        self._notices: deque[NoticeStatus] = deque(maxlen=NOTICES_SHOWN)
        self._notice_id = 0
        self._subscribers: list[Client] = []
        self._told: Status | None = None  # what subscribers know
        self._told_version = -1
        self._next_change: asyncio.TimerHandle | None = None

    # ---- for the server

    def handle(self, client: Client, line: bytes) -> None:
        """One line of a client."""
        request = decode_request(line)
        if request is None:
            self.refuse(client, "bad-request")
            return
        match request.do:
            case Do.STATUS:
                client.send(encode_line(StatusAnswer(request.id, self._status_now())))
            case Do.LIST:
                listed = self._speaker.listed(request.id, self._runtime.permitted(), self._runtime.trouble())
                client.send(encode_line(listed))
            case Do.SUBSCRIBE:
                self._subscribe(client, request)
            case Do.ACT:
                self._act(client, request)

    def refuse(self, client: Client, code: str) -> None:
        """Says why, and ends the connection."""
        client.send(encode_line(self._speaker.error(None, code)))
        client.hang_up()

    # ---- for the controller

    def give_answers(self) -> None:
        """Sends the answers that may be given now, and sees to it that subscribers hear of changes."""
        for ticket, answer in self._gate.answers():
            client, request = self._asked.pop(ticket)
            if request.pin is not None:
                wrong = isinstance(answer, Failed) and answer.trouble is Trouble.PIN_WRONG
                self.limits.answered(client.number, client.user, self._loop.time(), wrong=wrong)
            client.send_answer(encode_line(self._speaker.answer(request.id, answer)))
        for notice in self._runtime.notices():
            self._notice_id += 1
            self._notices.append(NoticeStatus(self._notice_id, notice_text(notice, self._language)))
        if self._runtime.version != self._told_version:
            self._schedule_changes(CHANGES_EVERY_S)

    def stop(self) -> None:
        """Subscribers hear the last of it."""
        if self._next_change is not None:
            self._next_change.cancel()
            self._next_change = None
        self._send_changes()
        self._subscribers.clear()

    # ---- within

    def _act(self, client: Client, request: Request) -> None:
        if request.pin is not None:
            trouble = self.limits.trouble(client.number, client.user, self._loop.time())
            if trouble is not None:
                if request.person is not None:
                    self._runtime.minute.kept_away(Person(request.person))
                client.send(encode_line(self._speaker.error(request.id, trouble)))
                return
            self.limits.asked(client.number, client.user)
        self._tickets += 1
        self._asked[self._tickets] = (client, request)
        client.expect_answer()
        self._gate.ask(self._tickets, request.asked(), self._loop.time())
        self._turn()

    def _subscribe(self, client: Client, request: Request) -> None:
        self._send_changes()  # so that everybody knows the same
        status = self._status_now() if self._told is None else self._told
        self._told = status
        client.send(encode_line(Subscribed(request.id, self._runtime.ledger.durable_seq, status)))
        client.listens = True
        if client not in self._subscribers:
            self._subscribers.append(client)
        self._schedule_changes(FIGURES_EVERY_S)

    def _status_now(self) -> Status:
        return self._status.status(self._loop.time(), list(self._notices))

    def _schedule_changes(self, within_s: float) -> None:
        due_s = self._loop.time() + within_s
        if not self._subscribers or (self._next_change is not None and self._next_change.when() <= due_s):
            return
        if self._next_change is not None:
            self._next_change.cancel()
        self._next_change = self._loop.call_at(due_s, self._changes_due)

    def _changes_due(self) -> None:
        self._next_change = None
        self._send_changes()
        self._schedule_changes(FIGURES_EVERY_S)

    def _send_changes(self) -> None:
        """One line to every subscriber, with what is other than it was; the last value wins."""
        self._subscribers = [client for client in self._subscribers if not client.is_gone]
        self._told_version = self._runtime.version
        if not self._subscribers:
            self._told = None
            return
        before, now = self._told, self._status_now()
        self._told = now
        changed = {key: getattr(now, key) for key in KEYS if getattr(now, key) != getattr(before, key)}
        if changed:
            line = encode_line(Changed(self._runtime.ledger.durable_seq, changed))
            for client in self._subscribers:
                client.send(line)
