"""Prepares a table's status for the database: text without NUL, numbers within bounds, known fields only. Pure.

A batch with an unsuitable status is stored without the status.
"""

from typing import Final

import msgspec

from controller.protocol.shown import Shown, decode_shown, encode_shown

LATEST_MS: Final = 10**13
"""Three centuries of table time in milliseconds; PostgreSQL can still store a time so long ago."""

LARGEST: Final = 10**15
MOST_DAYS: Final = 36_500
_NUL: Final = b"\\u0000"
_IN_ITS_PLACE: Final = "�"


def status_in(data: bytes) -> tuple[Shown, bytes] | None:
    """Returns the status in `data` and the bytes to store. Returns None without a status, and for one that PostgreSQL
    cannot store.
    """
    shown = decode_shown(data)
    if shown is not None and _NUL in data:
        shown = msgspec.convert(_without_nul(msgspec.to_builtins(shown)), Shown)
    return None if shown is None or not _can_be_kept(shown) else (shown, encode_shown(shown))


def _without_nul(value: object) -> object:
    if isinstance(value, str):
        return value.replace("\0", _IN_ITS_PLACE)
    if isinstance(value, list):
        return [_without_nul(one) for one in value]
    if isinstance(value, dict):
        return {_without_nul(key): _without_nul(one) for key, one in value.items()}
    return value


def _can_be_kept(shown: Shown) -> bool:
    times = (shown.table_ms, *(one.since for one in shown.holds), *(one.since for one in shown.duties))
    cents = 0 if shown.jackpot is None else shown.jackpot.amount_cents
    is_of_days = 0 <= shown.recording_days <= MOST_DAYS
    return (
        is_of_days
        and all(0 <= one <= LATEST_MS for one in times)
        and all(abs(one) <= LARGEST for one in (cents, shown.figures.deck_set))
    )
