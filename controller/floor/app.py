"""The HTTP application through which tables send their entries to the floor.

The size and time of a request are bounded. Each answer is one JSON document.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar
from weakref import WeakValueDictionary

import msgspec
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from controller.floor.certificates import PEER, Peer
from controller.floor.database import Database, DatabaseAway, DatabaseBusy, NotDurable
from controller.floor.ledger import Ledger
from controller.machine.places import caller_of
from controller.protocol.carried import LARGEST_BATCH, LARGEST_SEQ, Batch, FloorAnswer, Said, decode_batch

BODY_WITHIN_S: Final = 30.0
MOST_AT_ONCE: Final = 12
"""The most batches that are read and stored at once; further batches wait in the sockets, not in memory."""

MOST_OF_AN_ADDRESS: Final = 3
"""The most requests of one other computer at once, so that one that floods, or never ends its batches, keeps no table
waiting.
"""

_STATUS: Final = {
    Said.TAKEN: 200,
    Said.NOT_UNDERSTOOD: 400,
    Said.NOT_SIGNED: 403,
    Said.UNKNOWN_TABLE: 404,
    Said.NOT_DURABLE: 503,
    Said.BUSY: 503,
    Said.NO_DATABASE: 503,
}
"""The HTTP status of each answer; any other answer has 409."""

T = TypeVar("T")


class TableApp:
    """The HTTP application for tables, one in each process of the floor. The application waits for each write that has
    begun in a thread, so no COMMIT is cancelled.
    """

    def __init__(self, ledger: Ledger, database: Database) -> None:
        self._ledger = ledger
        self._database = database
        self._threads = CapacityLimiter(MOST_AT_ONCE)
        self._bodies = asyncio.Semaphore(MOST_AT_ONCE)
        self._of_addresses = WeakValueDictionary[str, asyncio.Semaphore]()

    def application(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/uplink/1/{table}", self._place, methods=["GET"]),
                Route("/uplink/1/{table}/{seq:int}", self._at, methods=["GET"]),
                Route("/uplink/1/{table}", self._take, methods=["POST"]),
            ]
        )

    async def _place(self, request: Request) -> Response:
        async with self._share_of(request):
            return _answered(await self._in_thread(partial(self._ledger.place, request.path_params["table"])))

    async def _at(self, request: Request) -> Response:
        table, seq = request.path_params["table"], request.path_params["seq"]
        if not 0 < seq <= LARGEST_SEQ:
            return _answered(FloorAnswer(Said.NOT_UNDERSTOOD))
        try:
            async with self._share_of(request):
                found = await self._in_thread(partial(self._ledger.at, table, seq))
        except (DatabaseAway, DatabaseBusy):
            return _answered(FloorAnswer(Said.NO_DATABASE))
        return Response(msgspec.json.encode(found), media_type="application/json")

    async def _take(self, request: Request) -> Response:
        if not _has_size(request):
            return _answered(FloorAnswer(Said.NOT_UNDERSTOOD))
        async with self._share_of(request), self._bodies:
            try:
                async with asyncio.timeout(BODY_WITHIN_S):
                    batch = decode_batch(await request.body())
            except (TimeoutError, ClientDisconnect):
                return _answered(FloorAnswer(Said.NOT_UNDERSTOOD))
            if batch is None:
                return _answered(FloorAnswer(Said.NOT_UNDERSTOOD))
            table, peer = request.path_params["table"], request.scope.get("state", {}).get(PEER)
            return _answered(await self._in_thread(partial(self._taken, table, batch, peer)))

    def _taken(self, table: str, batch: Batch, peer: Peer | None) -> FloorAnswer:
        """Stores a batch and returns the answer. After TAKEN also stores the time at which the table's certificate
        ends; if that fails, a later batch stores it.
        """
        answer = self._ledger.take(table, batch)
        if answer.said is Said.TAKEN and peer is not None:
            with suppress(DatabaseAway, DatabaseBusy, NotDurable):
                peer.keep(self._database, table)
        return answer

    def _share_of(self, request: Request) -> asyncio.Semaphore:
        """Returns the semaphore of the request's address. The floor's own computer may use all places."""
        caller = caller_of(request.scope["client"][0], request.scope["server"][0])
        most = MOST_AT_ONCE if caller.is_own else MOST_OF_AN_ADDRESS
        return self._of_addresses.setdefault(caller.address, asyncio.Semaphore(most))

    async def _in_thread(self, does: Callable[[], T]) -> T:
        return await to_thread.run_sync(does, limiter=self._threads)


def _has_size(request: Request) -> bool:
    """True if the request declares the size of its body, and the size is at most LARGEST_BATCH."""
    size = request.headers.get("content-length", "")
    return size.isascii() and size.isdigit() and len(size) < 10 and int(size) <= LARGEST_BATCH


def _answered(answer: FloorAnswer) -> Response:
    status = _STATUS.get(answer.said, 409)
    return Response(msgspec.json.encode(answer), status_code=status, media_type="application/json")
