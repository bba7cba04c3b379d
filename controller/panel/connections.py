"""The panel's connections: each address has its share of them, and no request is waited for without end."""

import asyncio
from typing import Final, cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

MOST_OF_AN_ADDRESS: Final = 64
"""Ten browsers with six connections each; whoever opens more shuts out nobody at another address."""

ASKED_WITHIN_S: Final = 10.0
"""How long a request may take from its first byte, or from the connection's beginning, to its last."""


class Connection(H11Protocol):
    """One connection of a browser; what it asks is uvicorn's."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Of an address that has its share already it is ended at once."""
        super().connection_made(cast("asyncio.Transport", transport))
        if sum(_address(one) == _address(self) for one in self.connections) > MOST_OF_AN_ADDRESS:
            self.transport.abort()
        else:
            self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait_for_request()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def _wait_for_request(self) -> None:
        if _is_whole(self.cycle):
            self._stop_waiting()
        elif self._late is None:
            self._late = self.loop.call_later(ASKED_WITHIN_S, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def _is_whole(asked: RequestResponseCycle | None) -> bool:
    """Whether a request is there to its last byte, and not answered yet."""
    return asked is not None and not asked.more_body and not asked.response_complete


def _address(connection: object) -> str | None:
    client = connection.client if isinstance(connection, Connection) else None
    return None if client is None else client[0]
