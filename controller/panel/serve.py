"""Serves the panel until a signal ends it."""

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any, Final

import uvicorn

from controller.machine.crash import tell_of
from controller.panel.app import Panel
from controller.panel.connections import Connection
from controller.panel.settings import PanelSettings

BACKLOG: Final = 128
MOST_REQUESTS: Final = 512
"""At once, streams among them; beyond it a browser is told to come again."""


class ListenRefused(Exception):  # noqa: N818 (the name says what became of it)
    """Nobody can be served at this address; its cause is the system's error."""


def listen(settings: PanelSettings) -> socket.socket:
    """A listening socket at the settings' address. Raises ListenRefused."""
    family = socket.AF_INET6 if ":" in settings.listen else socket.AF_INET
    server = socket.socket(family, socket.SOCK_STREAM)
    try:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((settings.listen, settings.port))
        server.listen(BACKLOG)
    except OSError as error:
        server.close()
        raise ListenRefused from error
    return server


def serve(settings: PanelSettings, server: socket.socket, tell: Callable[[str], None]) -> None:
    """Serves at `server` until SIGINT or SIGTERM; `tell` is given the address once it does.

    Raises OSError for a certificate that cannot be used.
    """
    logging.disable(logging.CRITICAL)  # the libraries' own log quotes what they were handed: PINs, names, values
    asyncio.run(_serve(settings, server, tell), debug=False)  # its debugging quotes arguments


def _failed(_loop: asyncio.AbstractEventLoop, what: dict[str, Any]) -> None:
    """A mistake of the program where nobody waits for the outcome."""
    tell_of(what.get("exception"))


async def _serve(settings: PanelSettings, server: socket.socket, tell: Callable[[str], None]) -> None:
    port = server.getsockname()[1]
    panel = Panel(settings)
    asyncio.get_running_loop().set_exception_handler(_failed)
    config = uvicorn.Config(
        panel.application(port),
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        http=Connection,
        log_config=None,
        loop="asyncio",
        limit_concurrency=MOST_REQUESTS,
        h11_max_incomplete_event_size=16_384,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=2,
        ssl_certfile=None if settings.certificate is None else str(settings.certificate),
    )
    name = settings.names[0] if settings.names else settings.listen
    host = f"[{name}]" if ":" in name else name
    try:
        await _Server(config, panel, lambda: tell(f"{settings.scheme}://{host}:{port}/")).serve([server])
    finally:
        await panel.stop()


class _Server(uvicorn.Server):
    """Streams have no end of their own: they are ended before the server waits for its connections."""

    def __init__(self, config: uvicorn.Config, panel: Panel, on_start: Callable[[], None]) -> None:
        super().__init__(config)
        self._panel = panel
        self._loop = asyncio.get_running_loop()
        self._on_start = on_start
        self._is_over = asyncio.Event()

    async def main_loop(self) -> None:
        """Each second the answers get their date; the end is told. The library would look ten times a second."""
        while not await self.on_tick(0):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_over.wait(), 1.0)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self._loop.call_soon_threadsafe(self._is_over.set)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._panel.browsers.end()
        await super().shutdown(sockets)
