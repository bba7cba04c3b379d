"""Reads the times at which certificates end: the floor's own from its files, and a connected table's from TLS."""

import asyncio
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, cast

from cryptography import x509
from uvicorn.protocols.http.h11_impl import H11Protocol

from controller.floor.config import FloorConfig
from controller.floor.database import Database, statement
from controller.floor.fleet import Certificate

PEER: Final = "peer"
_CERTIFICATE: Final = statement("certificate")


def certificates_of(config: FloorConfig) -> list[Certificate]:
    """Returns the certificates in the floor's files, each by the name of its file, with those of the tables' issuers.

    Raises OSError, and ssl.SSLError for a bad file.
    """
    of_page = () if config.sign_in is None else (config.sign_in.certificate,)
    paths = dict.fromkeys((config.uplink.certificate, config.uplink.authority, *of_page))
    return [one for path in paths for one in _in_file(config.path(path))]


def _in_file(path: Path) -> list[Certificate]:
    try:
        found = x509.load_pem_x509_certificates(path.read_bytes())
    except ValueError as error:
        raise ssl.SSLError from error
    return [Certificate(path.name, one.not_valid_after_utc) for one in found]


@dataclass(slots=True)
class Peer:
    """The table at the other end of a connection. `until`: the time at which its certificate ends. `is_kept`: True once
    `until` is in the database.
    """

    until: datetime
    is_kept: bool = False

    def keep(self, database: Database, table: str) -> None:
        """Stores the time at which the certificate ends, once for each connection. Raises the errors of
        `Database.write`.
        """
        if not self.is_kept:
            database.write(_CERTIFICATE, {"table": table, "until": self.until})
            self.is_kept = True


class WithPeer(H11Protocol):
    """A connection that puts a `Peer` into the state of its requests if the client has shown a certificate."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        over: ssl.SSLObject | None = transport.get_extra_info("ssl_object")
        known = None if over is None else over.getpeercert()
        if known:
            end = datetime.fromtimestamp(ssl.cert_time_to_seconds(str(known["notAfter"])), UTC)
            self.app_state = self.app_state | {PEER: Peer(end)}
        super().connection_made(cast("asyncio.Transport", transport))
