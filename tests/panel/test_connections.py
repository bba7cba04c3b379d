"""Connections without a request, with half a request or with unread answers are ended; whole requests are answered."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from controller.machine import connections
from controller.machine.connections import (
    ASKED_WITHIN_S,
    MOST_OF_AN_ADDRESS,
    OTHER_DESCRIPTORS,
    TAKEN_WITHIN_S,
    Attended,
    Door,
    DoorSocket,
)
from controller.panel import fields
from tests.endings import HANGS_S
from tests.panel.desk import run

pytestmark = pytest.mark.waits

WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LOOKS_EVERY_S = 0.005
NOT_ASKED_S = ASKED_WITHIN_S + 1.0
NOT_TAKEN_S = TAKEN_WITHIN_S + 1.0
PIECE = b"x" * 65_536
HALF = {
    b"": NOT_ASKED_S,
    b"GET / HTTP/1.1\r\nHost: x\r\n": NOT_ASKED_S,
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nn": NOT_TAKEN_S,
}
"""Incomplete requests, each with the seconds after which the panel ends the connection."""


class Clock:
    """The door's clock: `later_s` ahead of the loop's. `looks`: the number of the door's looks at it."""

    def __init__(self) -> None:
        self.later_s = 0.0
        self.looks = 0

    async def looked_at(self) -> None:
        """Waits until the door has looked at the clock again, after any look that is under way."""
        before = self.looks
        while self.looks < before + 2:
            await asyncio.sleep(LOOKS_EVERY_S)


async def nothing(_scope: Scope, receive: Receive, _send: Send) -> None:
    while (await receive()).get("more_body"):
        pass


def answers_late(clock: Clock) -> connections.ASGIApp:
    """An application whose answer takes longer than a request may."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await nothing(scope, receive, send)
        clock.later_s = NOT_ASKED_S
        await clock.looked_at()
        clock.later_s = 0.0
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
        await send({"type": "http.response.body", "body": b"ok"})

    return answer


class AnswersForEver:
    """Answers until the connection is gone. `pieces`: the number of pieces sent."""

    def __init__(self) -> None:
        self.pieces = 0

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        gone = asyncio.create_task(_gone(receive))
        while not gone.done():
            await send({"type": "http.response.body", "body": PIECE, "more_body": True})
            self.pieces += 1
            await asyncio.sleep(0)

    async def no_more_is_taken(self) -> None:
        """Waits until no more can be sent: the other end reads nothing, and all buffers on the way are full."""
        before = -1
        while not self.pieces or before != self.pieces:
            before = self.pieces
            for _ in range(TURNS):
                await asyncio.sleep(0)


TURNS = 100


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def served(asked: connections.ASGIApp, clock: Clock, descriptors: int = 1024) -> AsyncIterator[tuple[str, int]]:
    """Serves the application behind a door that looks at `clock` again and again; yields the address."""
    loop, listener, door = asyncio.get_running_loop(), socket.create_server(("127.0.0.1", 0)), Door(descriptors)
    where = listener.getsockname()
    config = uvicorn.Config(Attended(asked, door), http="h11", log_config=None, lifespan="off", timeout_keep_alive=60)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([DoorSocket(listener, door, loop.time)]))

    async def look() -> None:
        while not serving.done():
            door.hang_up_on_the_late(loop.time() + clock.later_s)
            clock.looks += 1
            await asyncio.sleep(LOOKS_EVERY_S)

    looking = asyncio.create_task(look())
    try:
        yield where
    finally:
        server.should_exit = True
        await asyncio.gather(serving, looking)


async def heard(later_s: float, *sent: bytes) -> bytes:
    """Sends the pieces, each after the answer to the one before; returns all received bytes until the connection ends.

    After the last piece the door's clock goes ahead by `later_s` seconds.
    """
    clock = Clock()
    async with asyncio.timeout(HANGS_S), served(answers_late(clock), clock) as where:
        reader, writer = await asyncio.open_connection(*where)
        told = b""
        for piece in sent[:-1]:
            writer.write(piece)
            told += await reader.readuntil(b"ok")
        writer.write(sent[-1])
        clock.later_s = later_s
        with contextlib.suppress(ConnectionResetError):
            told += await reader.read()
        writer.close()
        return told


@pytest.mark.parametrize(("half", "later_s"), HALF.items())
def test_what_is_not_asked_to_the_end_is_not_waited_for(half: bytes, later_s: float) -> None:
    assert run(heard(later_s, half)) == b""
    if half:
        assert run(heard(later_s, WHOLE, half)).endswith(b"ok")


def test_who_takes_nothing_of_an_answer_is_not_waited_for() -> None:
    async def read_after_a_while() -> bytes:
        clock, answer = Clock(), AnswersForEver()
        async with asyncio.timeout(HANGS_S), served(answer, clock) as where:
            reader, writer = await asyncio.open_connection(*where, limit=len(PIECE))
            writer.write(WHOLE)
            await answer.no_more_is_taken()
            clock.later_s = NOT_TAKEN_S
            await clock.looked_at()
            told = b""
            with contextlib.suppress(ConnectionResetError):
                while piece := await reader.read(1 << 20):
                    told += piece
            writer.close()
            return told

    assert run(read_after_a_while()).startswith(b"HTTP/1.1 200")


def test_a_place_is_given_back_once_the_connection_is_gone() -> None:
    async def answers(where: tuple[str, int]) -> bytes:
        reader, writer = await asyncio.open_connection(*where, local_addr=("127.0.0.2", 0))
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        told = b""
        with contextlib.suppress(ConnectionResetError):
            told = await reader.read()
        writer.close()
        return told

    async def come_and_go() -> None:
        clock, few = Clock(), OTHER_DESCRIPTORS + 16  # three places for one address
        async with asyncio.timeout(HANGS_S), served(answers_late(clock), clock, few) as where:
            first = await asyncio.gather(*(answers(where) for _ in range(MOST_OF_AN_ADDRESS)))
            assert 0 < sum(told.endswith(b"ok") for told in first) < MOST_OF_AN_ADDRESS
            while not (await answers(where)).endswith(b"ok"):  # the server sees the end a moment later
                pass

    run(come_and_go())


def test_a_form_that_does_not_come_to_its_end_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "ASKED_WITHIN_S", 0.05)
    pieces: list[Message] = [{"type": "http.request", "body": b"name=", "more_body": True}]

    async def receive() -> Message:
        if not pieces:
            await asyncio.Event().wait()
        return pieces.pop()

    assert run(fields.fields_of(Request({"type": "http"}, receive))) is None
