"""Serves tables and the room's page until a signal ends the process."""

import asyncio
import logging
import os
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uvicorn
from starlette.applications import Starlette

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
from controller.witness.place import name_and_signer

if TYPE_CHECKING:
    from controller.floor.sign_in import SignIn

MOST_REQUESTS: Final = 4096
KEEP_ALIVE_S: Final = 30
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
    tables = _settings(TableApp(ledger, database).application(), config.path(uplink.certificate))
    tables.http = WithPeer
    tables.ssl_ca_certs = str(config.path(uplink.authority))
    tables.ssl_cert_reqs = ssl.CERT_REQUIRED
    served = [(_server(tables), web.listening(uplink.listen, uplink.port))]
    tell("tables", f"https://{uplink.listen}:{served[0][1].getsockname()[1]}/")
    if page is not None:
        sign_in = _sign_in(config, nonces.secret, partial(tell, "sign-in-failed"))
        room = Page(database, Language(page.language), certificates_of(config), page.zone, sign_in)
        served.append(_page(room, page, config, tell))
    async with asyncio.TaskGroup() as group:  # an error of the pools ends the process too: no hit would be decided
        looking = group.create_task(_look(pools))
        await asyncio.gather(*(server.serve([listener]) for server, listener in served))
        looking.cancel()


def _sign_in(config: FloorConfig, secret: bytes, told: Callable[[str], None]) -> "SignIn | None":
    if config.sign_in is None:
        return None
    from controller.floor.sign_in import SignIn

    return SignIn(config, config.sign_in, secret, told)


def _page(room: Page, page: PageSection, config: FloorConfig, tell: Tell) -> tuple[uvicorn.Server, socket.socket]:
    """Opens the socket of the room's page, and returns its server and the socket.

    With sign-in, serves the page over TLS to other computers, too. Without sign-in, serves it to this computer alone.
    """
    to = config.sign_in
    if to is None:
        served, scheme, listen = _settings(room.application()), "http", LOOPBACK
    else:
        served, scheme, listen = _settings(room.application([to.name]), config.path(to.certificate)), "https", to.listen
    listener = web.listening(listen, page.port)
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


def _settings(app: Starlette, certificate: Path | None = None) -> uvicorn.Config:
    return web.settings(app, keep_alive_s=KEEP_ALIVE_S, certificate=certificate, most_requests=MOST_REQUESTS)


def _server(config: uvicorn.Config) -> uvicorn.Server:
    config.load()
    if config.ssl is not None:
        config.ssl.minimum_version = ssl.TLSVersion.TLSv1_3
    return uvicorn.Server(config)
