"""The requests for acts that are under way, and the recent requests that a client may repeat.

A request with a `key` is done only once. If the same user of the computer repeats it, during the request or for a while
afterwards, the repetition gets the same answer.
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
    """A request under way, with its done acts. `known`: the credential of the request's first act, which also serves
    for the further acts; None without a credential.
    """

    client: Client
    request: Request
    done: list[DoneAct] = field(default_factory=list)
    known: Known | None = None


class _Known(Struct):
    """A request with a key: its contents, the further clients that wait for its answer, and the answer once it is
    known.
    """

    asked: tuple[object, ...]
    waiting: list[tuple[Client, RequestId]] = field(default_factory=list)
    answer: Decided | None = None


class OpenRequests:
    """The requests under way, and the remembered requests with a key. `language`: the language of key errors."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._known: OrderedDict[Key, _Known] = OrderedDict()

    def begin(self, client: Client, request: Request) -> OpenRequest | Decided | None:
        """Begins a request and returns it. For a repeated request returns the known answer, or None while the first
        request is under way: both clients then get its answer.

        Returns an error if the key belongs to a different request.
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
        """Stores the answer to a request. Returns the clients that wait for it, each with the answer to send.

        An error before the first act is done is not stored, so that the request may be repeated.
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
        """Stores a request with a key. Forgets the oldest answered requests if there are more than MOST_REMEMBERED."""
        self._known[key] = known
        answered = [one for one, other in self._known.items() if other.answer is not None]
        for one in answered[: max(0, len(self._known) - MOST_REMEMBERED)]:
            del self._known[one]
