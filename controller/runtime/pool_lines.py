"""Signs and verifies the lines of text that carry a jackpot's pool from one table to another. The core can do neither.

The signature of a line is valid only for the line's own purpose, never for a mark, an export of the journal or a
checkpoint.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.deciding import refused
from controller.core.house.jackpot_acts import StateJackpot
from controller.core.house.jackpot_moving_guards import (
    ExportJackpot,
    ShowExport,
    ShowReceipt,
    TakeOverJackpot,
    export_text,
    is_second,
    line_meant,
    receipt_text,
)
from controller.core.house.pool_export import Export, Receipt, read_export, read_receipt
from controller.core.house.registry import Registry
from controller.core.house.state import State
from controller.journal.epoch import epoch_said
from controller.journal.signing import is_signed

Sign: TypeAlias = Callable[[bytes], str]
"""Signs a text with the table's key, and returns the signature."""

_EXPORT: Final = b"sabot jackpot export 1\n"
_RECEIPT: Final = b"sabot jackpot receipt 1\n"
_DIGITS_OF_HEAD: Final = 16


def place_in_journal(findings: tuple[str, ...], seq: int, head: bytes) -> str:
    """Returns a text that names entry `seq` of this journal. The text is unique even if one backup was restored twice.
    `findings`: the findings in the entry of this start, which name the epoch. `head`: the last chain value before the
    entry.
    """
    return f"{epoch_said(findings)}.{seq}.{head.hex()[:_DIGITS_OF_HEAD]}"


def with_evidence(registry: Registry[Any], act: Act, state: State, place: str, sign: Sign) -> Act:
    """Returns the act with the values that only the shell can give: the act's own entry in the journal (`place`), the
    signature of the line, and the result of verifying a line. These values replace any values from the client. Returns
    any other act unchanged.

    A line is signed when the second person completes the act. Signed earlier, it could carry away a pool that stays at
    this table.
    """
    match act:
        case StateJackpot():
            return replace(act, journal_at=place)
        case ExportJackpot():
            act = replace(act, journal_at=place, signature="")
            return _signed(registry, act, state, sign, _EXPORT, export_text)
        case TakeOverJackpot():
            line = line_meant(state, act)
            is_genuine = _is_genuine(_EXPORT, read_export(line), line)
            act = replace(act, verified=is_genuine, journal_at=place, signature="")
            return _signed(registry, act, state, sign, _RECEIPT, receipt_text)
        case ShowExport(export=line):
            return replace(act, verified=_is_genuine(_EXPORT, read_export(line), line), journal_at=place)
        case ShowReceipt(receipt=line):
            return replace(act, verified=_is_genuine(_RECEIPT, read_receipt(line), line))
        case _:
            return act


OfLine = TypeVar("OfLine", ExportJackpot, TakeOverJackpot)


def _signed(
    registry: Registry[Any],
    act: OfLine,
    state: State,
    sign: Sign,
    purpose: bytes,
    text: Callable[[State, OfLine], str],
) -> OfLine:
    """Returns the act with the signature of its line if the act's person is the second of two and no guard refuses the
    act.

    Returns any other act unchanged.
    """
    if not is_second(state, act) or refused(registry, state, act) is not None:
        return act
    return replace(act, signature=sign(purpose + text(state, act).encode()))


def _is_genuine(purpose: bytes, read: Export | Receipt | None, line: str) -> bool:
    """True if `line` was readable (`read` is not None), and has a valid signature by the key that it names."""
    text, _, signature = line.rpartition(":")
    return read is not None and is_signed(read.key, signature, purpose + text.encode())
