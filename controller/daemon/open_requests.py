"""The requests for acts under way, each with its done acts, and the requests that a client repeats.

A request with a `key` is done once. A repetition of the request by the same user of the computer gets the same answer,
while the first is under way and for a while afterwards.
"""

from collections import OrderedDict
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct, field

from controller.catalogue import Language, sentence
from controller.daemon.credentials import Known
from controller.daemon.server import Client
from controller.protocol.lines import Allowed, DoneAct, ErrorDocument, NotAllowed, NotDecided, Request, RequestId

Decided: TypeAlias = Allowed | NotAllowed | NotDecided
Key: TypeAlias = tuple[int, str]

MOST_REMEMBERED: Final = 256


class OpenRequest(Struct):
    """A request under way, with its done acts. `known`: the credential of its first act, which serves the further acts,
    too; None without one.
    """

    client: Client
    request: Request
    done: list[DoneAct] = field(default_factory=list)
    known: Known | None = None


class _Known(Struct):
    """A keyed request: its contents, the clients that wait for its answer, and the answer once there is one."""

    asked: tuple[object, ...]
    waiting: list[tuple[Client, RequestId]] = field(default_factory=list)
    answer: Decided | None = None


class OpenRequests:
    """The requests under way, and the remembered requests with a key. `language`: for error messages about a key."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._known: OrderedDict[Key, _Known] = OrderedDict()

    def begin(self, client: Client, request: Request) -> OpenRequest | Decided | None:
        """Begins a request, and returns it for execution. Returns an answer instead for a repeated request whose answer
        is known, and an error for another request with the same key.

        None where the same request is under way: its answer goes to both clients.
        """
        if not request.key:
            return OpenRequest(client, request)
        asked = (request.act, request.values, request.then, request.person, request.badge)
        known = self._known.get((client.user, request.key))
        if known is None:
            self._remember((client.user, request.key), _Known(asked))
            return OpenRequest(client, request)
        if known.asked != asked:
            text = sentence("trouble.key-used", (), self._language)
            return NotDecided(request.id, ErrorDocument("key-used", text))
        if known.answer is not None:
            return msgspec.structs.replace(known.answer, id=request.id)
        known.waiting.append((client, request.id))
        return None

    def decided(self, open_request: OpenRequest, answer: Decided) -> list[tuple[Client, Decided]]:
        """Notes the answer of a request, and returns the clients that wait for it, each with the answer to send.

        An error before any act was done is not remembered, so that the same request may come again.
        """
        told = msgspec.structs.replace(answer, done=list(open_request.done))
        key = (open_request.client.user, open_request.request.key)
        known = self._known.get(key) if open_request.request.key else None
        if known is None:
            return [(open_request.client, told)]
        if isinstance(told, NotDecided) and not open_request.done:
            del self._known[key]  # no act was done: the same request may come again
        known.answer = told
        others = [(client, msgspec.structs.replace(told, id=number)) for client, number in known.waiting]
        return [(open_request.client, told), *others]

    def _remember(self, key: Key, known: _Known) -> None:
        """Remembers a keyed request, and forgets the oldest answered requests beyond MOST_REMEMBERED."""
        self._known[key] = known
        answered = [one for one, other in self._known.items() if other.answer is not None]
        for one in answered[: max(0, len(self._known) - MOST_REMEMBERED)]:
            del self._known[one]
