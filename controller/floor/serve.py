"""Serves tables and the room's page until a signal ends the process."""

import asyncio
import logging
import os
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn
from starlette.types import ASGIApp

from controller.catalogue import Language
from controller.floor.app import TableApp
from controller.floor.certificates import WithPeer, certificates_of
from controller.floor.config import FloorConfig, PageSection
from controller.floor.database import Database, DatabaseAway, DatabaseBusy, NotDurable
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.page import Page
from controller.floor.pools import Pools
from controller.floor.store import Store
from controller.floor.witnessing import FloorWitness
from controller.journal.signing import Signer
from controller.machine import web
from controller.machine.connections import LOOK_EVERY_S, OTHER_DESCRIPTORS, Attended, Door, DoorSocket, descriptors
from controller.witness.place import name_and_signer

if TYPE_CHECKING:
    from controller.floor.sign_in import SignIn

KEEP_ALIVE_S: Final = 30
MOST_OF_AN_ADDRESS: Final = 256
"""The most connections of one address, behind which a router may have a room of tables. Each table has one."""

POOLS_S: Final = 1.0
"""The interval at which contributions and hits are added to linked pools."""
LOOPBACK: Final = "127.0.0.1"

Tell = Callable[[str, str], None]
"""Called with `tables` or `page` and the address, once that is served; with `sign-in-failed` and the reason."""


def serve(config: FloorConfig, tell: Tell) -> None:
    """Serves until a signal. Once the tables or the page are served, calls `tell` with "tables" or "page" and the
    address.

    Raises OSError for an unusable address or certificate; DatabaseAway, DatabaseBusy; SealKeyRefused, StorageFailed for
    a witness's directory.
    """
    logging.disable(logging.CRITICAL)  # the libraries' own log quotes the data of requests
    witness = None if config.witness is None else name_and_signer(config.path(config.witness.directory))
    with Database(config.database.connection) as database:
        asyncio.run(_serve(config, database, witness, tell), debug=False)


async def _serve(config: FloorConfig, database: Database, witness: tuple[str, Signer] | None, tell: Tell) -> None:
    uplink, page = config.uplink, config.page
    store = Store(database)
    nonces = Nonces(await asyncio.to_thread(store.secret), os.urandom)
    signs = None if witness is None else FloorWitness(*witness, database, store, time.time)
    pools = None if witness is None else Pools(database, witness[1])
    ledger = Ledger(store, KnownKeys(config.path(uplink.tables)), nonces, time.time, signs, pools)
    doors = [_door()]
    tables = _settings(Attended(TableApp(ledger, database).application(), doors[0]), config.path(uplink.certificate))
    tables.http = WithPeer
    tables.ssl_ca_certs = str(config.path(uplink.authority))
    tables.ssl_cert_reqs = ssl.CERT_REQUIRED
    server = _server(tables)  # before the listener: an unusable certificate leaves no socket open
    listener = _guarded(doors[0], web.listening(uplink.listen, uplink.port))
    served: list[tuple[uvicorn.Server, socket.socket]] = [(server, listener)]
    tell("tables", f"https://{uplink.listen}:{listener.getsockname()[1]}/")
    if page is not None:
        sign_in = _sign_in(config, nonces.secret, partial(tell, "sign-in-failed"))
        room = Page(database, Language(page.language), certificates_of(config), page.zone, sign_in)
        doors.append(_door())
        served.append(_page(room, page, config, doors[1], tell))
    async with asyncio.TaskGroup() as group:  # an error of the pools ends the process too: no hit would be decided
        beside = [group.create_task(_look(pools)), group.create_task(_attend(doors))]
        await asyncio.gather(*(one.serve([at]) for one, at in served))
        for task in beside:
            task.cancel()


def _sign_in(config: FloorConfig, secret: bytes, told: Callable[[str], None]) -> "SignIn | None":
    if config.sign_in is None:
        return None
    from controller.floor.sign_in import SignIn

    return SignIn(config, config.sign_in, secret, told)


def _page(
    room: Page, page: PageSection, config: FloorConfig, door: Door, tell: Tell
) -> tuple[uvicorn.Server, socket.socket]:
    """Opens the socket of the room's page, and returns its server and the socket.

    With sign-in, serves the page over TLS to other computers, too. Without sign-in, serves it to this computer alone.
    """
    to = config.sign_in
    if to is None:
        served, scheme, listen = _settings(Attended(room.application(), door)), "http", LOOPBACK
    else:
        app = Attended(room.application([to.name]), door)
        served, scheme, listen = _settings(app, config.path(to.certificate)), "https", to.listen
    listener = _guarded(door, web.listening(listen, page.port))
    tell("page", f"{scheme}://{listen if to is None else to.name}:{listener.getsockname()[1]}/")
    return _server(served), listener


async def _look(pools: Pools | None) -> None:
    """Updates the pools every POOLS_S seconds, without end. Returns at once if the floor has no pools.

    Ignores a database that does not answer.
    """
    while pools is not None:
        with suppress(DatabaseAway, DatabaseBusy, NotDurable):
            await asyncio.to_thread(pools.look)
        await asyncio.sleep(POOLS_S)


def _door() -> Door:
    """Returns limits for the connections of one of the two listeners, which share the descriptors of the process."""
    most = (descriptors() - OTHER_DESCRIPTORS) // 2
    return Door(descriptors(), most, MOST_OF_AN_ADDRESS, KEEP_ALIVE_S)


def _guarded(door: Door, listener: socket.socket) -> DoorSocket:
    return DoorSocket(listener, door, asyncio.get_running_loop().time)


async def _attend(doors: Sequence[Door]) -> None:
    """Closes late clients' connections, without end."""
    while True:
        for door in doors:
            door.hang_up_on_the_late(asyncio.get_running_loop().time())
        await asyncio.sleep(LOOK_EVERY_S)


def _settings(app: ASGIApp, certificate: Path | None = None) -> uvicorn.Config:
    return web.settings(app, keep_alive_s=KEEP_ALIVE_S, certificate=certificate)


def _server(config: uvicorn.Config) -> uvicorn.Server:
    config.load()
    if config.ssl is not None:
        config.ssl.minimum_version = ssl.TLSVersion.TLSv1_3
    return uvicorn.Server(config)
