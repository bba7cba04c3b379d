"""The acts that move a pool to another computer, and their guards.

People type the line of an export or of a receipt. The shell verifies the line's signature by the key in the line
(`verified`).
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.house.jackpot_two import has_the_manager, is_anothers, is_asked
from controller.core.house.pool_export import (
    Export,
    Receipt,
    code_of,
    computer_named,
    export_away,
    export_of,
    is_a_computer,
    name_of,
    parameters_name,
    read_export,
    read_receipt,
    written,
    written_receipt,
)
from controller.core.house.rule import ActGuard, Guard
from controller.core.house.state import State


class ExportJackpot(Act, frozen=True):
    """Sends the pool to the computer with this name.

    `signature`: the signature of the export; only the second person's act uses it.
    """

    computer: str
    journal_at: str = ""
    signature: str = ""


class TakeOverJackpot(Act, frozen=True):
    """Takes the exported pool over at this computer. Both people give the export's `code`.

    `export`: the export, as the status of the old computer shows it; the second person leaves it out. `verified`: True
    if the export is signed by the key that it names. `signature`: the signature of the receipt.
    """

    code: str
    export: str | None = None
    verified: bool = False
    journal_at: str = ""
    signature: str = ""


class TakeBackJackpot(Act, frozen=True):
    """Takes the exported pool back at this computer, if no other computer has taken the pool over."""

    reference: str


class ShowExport(Act, frozen=True):
    """Records an export that this computer has made and its journal has lost. The pool is then away."""

    export: str
    verified: bool = False
    journal_at: str = ""


class ShowReceipt(Act, frozen=True):
    """Records the receipt by which another computer confirms that it has the pool.

    `verified`: True if the receipt is signed by the key that it names.
    """

    receipt: str
    verified: bool = False


OfTwo: TypeAlias = ExportJackpot | TakeOverJackpot | TakeBackJackpot | ShowExport
OfExport: TypeAlias = TakeOverJackpot | ShowExport

NAMES: Final[dict[type[Act], str]] = {
    ExportJackpot: "export-jackpot",
    TakeOverJackpot: "take-over-jackpot",
    TakeBackJackpot: "take-back-jackpot",
    ShowExport: "show-export",
}


# --- the object of an act


def line_meant(state: State, act: OfExport) -> str:
    """The line of the export in `act`, or that of the first person's request if the second person gives only a code. ""
    without a line.
    """
    handover = state.house.handover
    is_second = act.export is None and handover.asked_for == NAMES[TakeOverJackpot]
    return handover.asked if is_second else act.export or ""


def export_meant(state: State, act: OfExport) -> Export | None:
    return read_export(line_meant(state, act))


def what_is_asked(state: State, act: OfTwo) -> str:
    """The value that both people must give alike: a computer's name, an export's code, or an export's line."""
    match act:
        case ExportJackpot():
            return act.computer
        case TakeBackJackpot():
            return f"{code_of(state.house.handover.export)} {act.reference}"
        case _:
            return line_meant(state, act)


def is_second(state: State, act: OfTwo) -> bool:
    """True if the first of the two people has already asked for the same act with the same values."""
    return is_asked(state, NAMES[type(act)], what_is_asked(state, act))


def export_text(state: State, act: ExportJackpot) -> str:
    """The text that the controller's process signs for an export. "" if this table has no pool."""
    pool, handover = state.house.pool, state.house.handover
    if pool is None:
        return ""
    table = state.setup.table
    return written(export_of(pool, handover.exports, act.computer, table, handover.key, act.journal_at))


def receipt_text(state: State, act: TakeOverJackpot) -> str:
    """The text that the shell signs for a receipt. "" for an act without an export."""
    export, line = export_meant(state, act), line_meant(state, act)
    if export is None:
        return ""
    table, key = state.setup.table, state.house.handover.key
    return written_receipt(Receipt(table, key, act.journal_at, export.source, code_of(line)))


# --- guards


def _is_anothers(state: State, act: OfTwo) -> bool:
    return is_anothers(state, act, NAMES[type(act)], what_is_asked(state, act))


def _has_the_manager(state: State, act: OfTwo) -> bool:
    return has_the_manager(state, act, NAMES[type(act)], what_is_asked(state, act))


TWO_PEOPLE_MOVE_IT = ActGuard[State, OfTwo]("two_people_move_it", _is_anothers)
ROOM_MANAGER_MOVES_IT = ActGuard[State, OfTwo]("room_manager_moves_it", _has_the_manager)
POOL_IS_HERE = Guard[State](
    "pool_is_here",
    lambda state: state.house.pool is not None,
    lambda state: (("export", state.house.handover.export or "-"),),
)
NO_POOL_IS_HERE = Guard[State]("no_pool_is_here", lambda state: state.house.pool is None)
POOL_IS_AWAY = Guard[State]("pool_is_away", lambda state: export_away(state.house.handover) is not None)
NO_PRIZE_IS_OWED = Guard[State]("no_prize_is_owed", lambda state: state.house.pool is None or not state.house.pool.owed)
ANOTHER_COMPUTER_IS_NAMED = ActGuard[State, ExportJackpot](
    "another_computer_is_named",
    lambda state, act: is_a_computer(act.computer) and computer_named(act.computer) != state.house.handover.computer,
)


def _no_values(_state: State, _act: Act | None) -> Values:
    return ()


def _of_export(
    name: str, holds: Callable[[State, Export], bool], says: Callable[[State, Act | None], Values] = _no_values
) -> ActGuard[State, OfExport]:
    """Returns a guard on the export that an act names. The guard fails if the act's line is no export."""

    def held(state: State, act: OfExport) -> bool:
        export = export_meant(state, act)
        return export is not None and holds(state, export)

    return ActGuard(name, held, says)


def _says_computer(state: State, _act: Act | None) -> Values:
    return (("computer", name_of(state.house.handover)),)


def _are_the_same(state: State, export: Export) -> bool:
    rules = state.setup.jackpot
    return rules is not None and export.rules == parameters_name(rules)


EXPORT_IS_WHOLE = _of_export("export_is_whole", lambda _state, _export: True)
EXPORT_IS_SIGNED = ActGuard[State, OfExport]("export_is_signed", lambda _state, act: act.verified)
CODE_IS_THE_EXPORTS = ActGuard[State, TakeOverJackpot](
    "code_is_the_exports", lambda state, act: code_of(line_meant(state, act)) == act.code.lower()
)
EXPORT_NAMES_THIS_COMPUTER = _of_export(
    "export_names_this_computer",
    lambda state, export: computer_named(export.target) == state.house.handover.computer,
    _says_computer,
)
EXPORT_IS_OF_THIS_COMPUTER = _of_export(
    "export_is_of_this_computer", lambda state, export: export.key == state.house.handover.key
)
PARAMETERS_ARE_THE_POOLS = _of_export("parameters_are_the_pools", _are_the_same)


def _away_fits(state: State) -> bool:
    export = export_away(state.house.handover)
    return export is not None and _are_the_same(state, export)


PARAMETERS_ARE_THE_AWAY_POOLS = Guard[State](
    "parameters_are_the_away_pools", _away_fits, rule="parameters_are_the_pools"
)
EXPORT_IS_TAKEN_ONCE = ActGuard[State, TakeOverJackpot](
    "export_is_taken_once", lambda state, act: code_of(line_meant(state, act)) not in state.house.handover.taken
)
EXPORT_IS_NOT_RECORDED = ActGuard[State, ShowExport](
    "export_is_not_recorded", lambda state, act: code_of(act.export) not in state.house.handover.exported
)
RECEIPT_IS_SIGNED = ActGuard[State, ShowReceipt](
    "receipt_is_signed", lambda _state, act: act.verified and read_receipt(act.receipt) is not None
)


def answers(receipt: Receipt) -> str:
    """The text that matches a receipt to its export: the export's code, and the computer that has got the pool."""
    return f"{receipt.code} {computer_named(receipt.key)}"


def awaited(state: State) -> str:
    """The text that a receipt must contain (`answers`) for the export without a receipt. "" without such an export."""
    export = export_away(state.house.handover)
    return "" if export is None else f"{code_of(state.house.handover.export)} {computer_named(export.target)}"


def _is_ours(state: State, act: ShowReceipt) -> bool:
    receipt, handover = read_receipt(act.receipt), state.house.handover
    if receipt is None or receipt.source != handover.computer:
        return False
    return answers(receipt) in {awaited(state), *handover.returned}


RECEIPT_IS_OF_AN_EXPORT = ActGuard[State, ShowReceipt](
    "receipt_is_of_an_export",
    _is_ours,
    possible=lambda state: bool(awaited(state) or state.house.handover.returned),
)
