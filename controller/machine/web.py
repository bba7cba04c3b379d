"""A web server of this program: its socket, and the settings that all of them share."""

import socket
from pathlib import Path
from typing import Final

import uvicorn
from starlette.types import ASGIApp

BACKLOG: Final = 1024
"""Connections that may wait to be accepted, which takes milliseconds; the system drops further ones."""


def listening(address: str, port: int) -> socket.socket:
    """A listening socket. Raises OSError, OverflowError."""
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
    """The settings of a server. `certificate`: a PEM file with key; None: plain HTTP."""
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
