"""Serves the panel until a signal ends the process."""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import Any, Final

import uvicorn

from controller.machine import web
from controller.machine.connections import LOOK_EVERY_S, Attended, Door, DoorSocket, descriptors
from controller.machine.crash import tell_of
from controller.panel.app import Panel
from controller.panel.settings import PanelSettings

KEEP_ALIVE_S: Final = 5


class ListenRefused(Exception):  # noqa: N818 (the name says what became of it)
    """The panel cannot listen at its address. The exception's cause is the operating system's error."""


def listen(settings: PanelSettings) -> socket.socket:
    """Returns a listening socket at the settings' address. Raises ListenRefused."""
    try:
        return web.listening(settings.listen, settings.port)
    except OSError as error:
        raise ListenRefused from error


def serve(settings: PanelSettings, server: socket.socket, tell: Callable[[str], None]) -> None:
    """Serves at `server` until SIGINT or SIGTERM. Calls `tell` with the panel's address once the panel serves.

    Raises OSError for a certificate that cannot be used.
    """
    logging.disable(logging.CRITICAL)  # the libraries' own log quotes their arguments: PINs, names, values
    asyncio.run(_serve(settings, server, tell), debug=False)  # debug output quotes arguments


def _failed(_loop: asyncio.AbstractEventLoop, what: dict[str, Any]) -> None:
    """Reports an error in a task that no other code awaits."""
    tell_of(what.get("exception"))


async def _serve(settings: PanelSettings, server: socket.socket, tell: Callable[[str], None]) -> None:
    loop, port = asyncio.get_running_loop(), server.getsockname()[1]
    panel, door = Panel(settings), Door(descriptors())
    loop.set_exception_handler(_failed)
    attended = Attended(panel.application(port), door)
    serving = uvicorn.Server(web.settings(attended, keep_alive_s=KEEP_ALIVE_S, certificate=settings.certificate))
    serving.config.load()
    try:
        async with asyncio.TaskGroup() as group:
            attending = group.create_task(_attend(serving, door, panel))
            tell(_address(settings, port))
            await serving.serve([DoorSocket(server, door, loop.time)])
            attending.cancel()
    finally:
        await panel.stop()


async def _attend(serving: uvicorn.Server, door: Door, panel: Panel) -> None:
    """Closes late clients' connections until the server stops.

    Then ends all streams, since the server waits for them.
    """
    while not serving.should_exit:
        door.hang_up_on_the_late(asyncio.get_running_loop().time())
        await asyncio.sleep(LOOK_EVERY_S)
    panel.browsers.end()


def _address(settings: PanelSettings, port: int) -> str:
    name = settings.names[0] if settings.names else settings.listen
    host = f"[{name}]" if ":" in name else name
    return f"{settings.scheme}://{host}:{port}/"
