"""Connections that ask nothing, or not to the end, or take no answer, are ended; what is asked whole is answered."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from controller.panel import app, connections
from controller.panel.connections import MOST_OF_AN_ADDRESS, OTHER_DESCRIPTORS, Attended, Door, DoorSocket

HALF = [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nn"]
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LATE_S = 0.05
HANGS_S = 10.0
PIECE = b"x" * 65_536


async def answers_late(_scope: Scope, receive: Receive, send: Send) -> None:
    while (await receive()).get("more_body"):
        pass
    await asyncio.sleep(4 * LATE_S)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def answers_for_ever(_scope: Scope, receive: Receive, send: Send) -> None:
    """Until the connection is gone."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    gone = asyncio.create_task(_gone(receive))
    while not gone.done():
        await send({"type": "http.response.body", "body": PIECE, "more_body": True})
        await asyncio.sleep(0)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@asynccontextmanager
async def served(asked: connections.ASGIApp, descriptors: int = 1024) -> AsyncIterator[tuple[str, int]]:
    """The address at which a door serves this application, its clock looked at all the time."""
    loop, listener, door = asyncio.get_running_loop(), socket.create_server(("127.0.0.1", 0)), Door(descriptors)
    where = listener.getsockname()
    config = uvicorn.Config(Attended(asked, door), http="h11", log_config=None, lifespan="off", timeout_keep_alive=60)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve([DoorSocket(listener, door, loop.time)]))

    async def look() -> None:
        while not serving.done():
            door.hang_up_on_the_late(loop.time())
            await asyncio.sleep(LATE_S / 5)

    looking = asyncio.create_task(look())
    try:
        yield where
    finally:
        server.should_exit = True
        await asyncio.gather(serving, looking)


async def heard(*sent: bytes) -> bytes:
    """All that comes back until the connection is ended; each piece is sent once the one before is answered."""
    async with served(answers_late) as where:
        reader, writer = await asyncio.open_connection(*where)
        told = b""
        for piece in sent[:-1]:
            writer.write(piece)
            told += await reader.readuntil(b"ok")
        writer.write(sent[-1])
        with contextlib.suppress(ConnectionResetError):
            told += await asyncio.wait_for(reader.read(), HANGS_S)
        writer.close()
        return told


@pytest.mark.parametrize("half", HALF)
def test_what_is_not_asked_to_the_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, half: bytes) -> None:
    monkeypatch.setattr(connections, "ASKED_WITHIN_S", LATE_S)
    monkeypatch.setattr(connections, "TAKEN_WITHIN_S", 20 * LATE_S)
    assert asyncio.run(heard(half)) == b""
    if half:
        assert asyncio.run(heard(WHOLE, half)).endswith(b"ok")


def test_who_takes_nothing_of_an_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "TAKEN_WITHIN_S", LATE_S)

    async def read_after_a_while() -> bytes:
        async with served(answers_for_ever) as where:
            reader, writer = await asyncio.open_connection(*where, limit=len(PIECE))
            writer.write(WHOLE)
            await asyncio.sleep(20 * LATE_S)
            told = b""
            with contextlib.suppress(ConnectionResetError):
                async with asyncio.timeout(HANGS_S):
                    while piece := await reader.read(1 << 20):
                        told += piece
            writer.close()
            return told

    assert asyncio.run(read_after_a_while()).startswith(b"HTTP/1.1 200")


def test_a_place_is_given_back_once_the_connection_is_gone() -> None:
    async def answers(where: tuple[str, int]) -> bytes:
        reader, writer = await asyncio.open_connection(*where, local_addr=("127.0.0.2", 0))
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        told = b""
        with contextlib.suppress(ConnectionResetError):
            told = await asyncio.wait_for(reader.read(), HANGS_S)
        writer.close()
        return told

    async def come_and_go() -> None:
        async with served(answers_late, OTHER_DESCRIPTORS + 16) as where:  # three places for one address
            async with asyncio.timeout(HANGS_S):
                first = await asyncio.gather(*(answers(where) for _ in range(MOST_OF_AN_ADDRESS)))
            assert 0 < sum(told.endswith(b"ok") for told in first) < MOST_OF_AN_ADDRESS
            assert (await answers(where)).endswith(b"ok")

    asyncio.run(come_and_go())


def test_a_form_that_does_not_come_to_its_end_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "ASKED_WITHIN_S", LATE_S)
    pieces: list[Message] = [{"type": "http.request", "body": b"name=", "more_body": True}]

    async def receive() -> Message:
        if not pieces:
            await asyncio.Event().wait()
        return pieces.pop()

    assert asyncio.run(app._fields(Request({"type": "http"}, receive))) is None
