"""The listening socket and the common settings of this program's web servers."""

import socket
from pathlib import Path
from typing import Final

import uvicorn
from starlette.types import ASGIApp

BACKLOG: Final = 4096
"""The most connections that may wait to be accepted: Linux's own default bound.

The system drops a further one, and its browser asks again after a second. The panel turns 4096 away in 0.2 s.
"""


def listening(address: str, port: int) -> socket.socket:
    """Returns a socket that listens on `address` and `port`. Raises OSError, OverflowError."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    server = socket.socket(family, socket.SOCK_STREAM)
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((address, port))
        server.listen(BACKLOG)
    except OSError:
        server.close()
        raise
    return server


def settings(
    app: ASGIApp, *, keep_alive_s: int, certificate: Path | None = None, most_requests: int | None = None
) -> uvicorn.Config:
    """Returns uvicorn's settings for `app`. `certificate`: a PEM file with certificate and key; None for plain HTTP.
    `most_requests`: the number of open connections, including its own, from which a request gets status 503; None for
    no limit.
    """
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        http="h11",
        log_config=None,
        loop="asyncio",
        backlog=BACKLOG,
        h11_max_incomplete_event_size=16_384,
        limit_concurrency=most_requests,
        timeout_keep_alive=keep_alive_s,
        timeout_graceful_shutdown=2,
        ssl_certfile=None if certificate is None else str(certificate),
    )
