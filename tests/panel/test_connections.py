"""Connections that ask nothing, or not to the end, are ended; what is asked whole is answered, whenever that is."""

import asyncio
import contextlib

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from controller.panel import connections
from controller.panel.connections import Connection

HALF = [b"", b"GET / HTTP/1.1\r\nHost: x\r\n", b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nn"]
WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
LATE_S = 0.05


async def answers_late(_scope: Scope, receive: Receive, send: Send) -> None:
    while (await receive()).get("more_body"):
        pass
    await asyncio.sleep(4 * LATE_S)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def heard(*sent: bytes) -> bytes:
    """All that comes back until the connection is ended; each piece is sent once the one before is answered."""
    config = uvicorn.Config(answers_late, http=Connection, log_config=None, timeout_keep_alive=60)
    state = ServerState()
    server = await asyncio.get_running_loop().create_server(lambda: Connection(config, state, {}), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    told = b""
    for piece in sent[:-1]:
        writer.write(piece)
        told += await reader.readuntil(b"ok")
    writer.write(sent[-1])
    with contextlib.suppress(ConnectionResetError):
        told += await asyncio.wait_for(reader.read(), 10)
    writer.close()
    server.close()
    await server.wait_closed()
    return told


@pytest.mark.parametrize("half", HALF)
def test_what_is_not_asked_to_the_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, half: bytes) -> None:
    monkeypatch.setattr(connections, "ASKED_WITHIN_S", LATE_S)
    assert asyncio.run(heard(half)) == b""
    if half:
        assert asyncio.run(heard(WHOLE, half)).endswith(b"ok")
