"""Nonces that every process of the floor can check without storing them.

A nonce has the time of its end in seconds, 16 random bytes, and an HMAC over both and the table's name. The HMAC's key
is the floor's secret in the database. A statement with the nonce was therefore signed for this floor within the last
minutes.
"""

import hmac
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LASTS_S: Final = 600
_END: Final = struct.Struct(">Q")
_RANDOM: Final = 16
_TAG: Final = 32


@dataclass(frozen=True, slots=True)
class Nonces:
    """Makes and checks nonces. `random`: returns the given number of random bytes."""

    secret: bytes
    random: Callable[[int], bytes]

    def fresh(self, table: str, now_s: float) -> str:
        body = _END.pack(int(now_s) + LASTS_S) + self.random(_RANDOM)
        return (body + self._tag(table, body)).hex()

    def is_fresh(self, nonce: str, table: str, now_s: float) -> bool:
        """True if the nonce was made for `table` and has not ended, and if its end is at most twice LASTS_S away.
        Raises ValueError unless `nonce` is an even number of hexadecimal digits.
        """
        data = bytes.fromhex(nonce)
        if len(data) != _END.size + _RANDOM + _TAG:
            return False
        body, tag = data[:-_TAG], data[-_TAG:]
        (end_s,) = _END.unpack_from(body)
        return hmac.compare_digest(tag, self._tag(table, body)) and now_s <= end_s <= now_s + 2 * LASTS_S

    def _tag(self, table: str, body: bytes) -> bytes:
        return hmac.digest(self.secret, body + table.encode(), "sha256")
