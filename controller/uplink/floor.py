"""The uplink's connection to the floor: HTTP/1.1 over TLS with certificates on both sides, with limits of time and
size.
"""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPSConnection
from socket import SHUT_RDWR
from threading import Timer
from typing import Final, Self, TypeVar
from urllib.parse import quote

import msgspec

from controller.protocol.carried import LARGEST_ANSWER, Batch, FloorAnswer, FoundAt, encode_batch
from controller.uplink.errors import FloorAway
from controller.uplink.settings import UplinkSettings
from drivers.errors import system_word

SILENT_S: Final = 30.0
"""The longest silence of the floor in seconds: a commit that waits for a replica may take several seconds."""

WHOLE_S: Final = 60.0
"""The longest time of a request with its answer, so that a floor that sends byte by byte cannot hold the uplink."""

T = TypeVar("T")


def context(settings: UplinkSettings) -> ssl.SSLContext:
    """Returns TLS settings that accept only a floor that the casino's authority has certified.

    Raises FloorAway if the files of certificates or keys cannot be used.
    """
    try:
        made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        made.minimum_version = ssl.TLSVersion.TLSv1_3
        made.load_verify_locations(settings.authority)
        made.load_cert_chain(settings.certificate)
    except OSError as error:
        detail = "no-certificate" if isinstance(error, ssl.SSLError) else system_word(error)
        raise FloorAway(detail) from error
    return made


class FloorEnd:
    """One connection to the floor. All methods raise FloorAway."""

    def __init__(self, settings: UplinkSettings, silent_s: float = SILENT_S, whole_s: float = WHOLE_S) -> None:
        self._table = quote(settings.table, safe="")
        self._whole_s = whole_s
        self._connection = HTTPSConnection(
            settings.host, settings.port, timeout=silent_s, context=context(settings), blocksize=65_536
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def begin(self) -> FloorAnswer:
        """Returns the floor's answer to a new connection: a nonce, and the last entry of this table that it has."""
        return self._asked("GET", f"/uplink/1/{self._table}", None, FloorAnswer)

    def head_at(self, seq: int) -> str | None:
        """Returns the chain value of entry `seq` at the floor; None if the floor lacks the entry or the table."""
        return self._asked("GET", f"/uplink/1/{self._table}/{seq}", None, FoundAt).head

    def send(self, batch: Batch) -> FloorAnswer:
        return self._asked("POST", f"/uplink/1/{self._table}", encode_batch(batch), FloorAnswer)

    def _asked(self, method: str, path: str, body: bytes | None, kind: type[T]) -> T:
        with self._in_time():
            self._connection.request(method, path, body)
            answer = self._connection.getresponse()
            data = answer.read(LARGEST_ANSWER + 1)
        if len(data) > LARGEST_ANSWER:
            raise FloorAway("too-large")
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise FloorAway(f"not-understood {answer.status}") from error

    @contextmanager
    def _in_time(self) -> Iterator[None]:
        timer = Timer(self._whole_s, self._hang_up)
        timer.daemon = True
        timer.start()
        try:
            yield
        except ssl.SSLCertVerificationError as error:
            raise FloorAway("certificate") from error
        except OSError as error:
            raise FloorAway(system_word(error)) from error
        except HTTPException as error:
            raise FloorAway("not-understood") from error
        finally:
            timer.cancel()
            timer.join()

    def _hang_up(self) -> None:
        with suppress(OSError):  # the connection has ended meanwhile
            if self._connection.sock is not None:
                self._connection.sock.shutdown(SHUT_RDWR)
