"""The move of a pool: one computer exports it, another computer takes it over, a receipt confirms that.

Each step except the receipt takes two people, one of them the room manager, each with a PIN of their own; the second
request completes it. pool_export.py has the states of both computers, and the effects of a crash or a restore on them.
"""

from collections.abc import Callable
from typing import Any, Final

from controller.core.engine.replacing import replace
from controller.core.house import jackpot_moving_guards as g
from controller.core.house.jackpot_acts import (
    APPROVAL_IS_NAMED,
    CHIEF_OR_MANAGER,
    JACKPOT_IS_CONFIGURED,
    JACKPOT_IS_DOUBTED,
    JACKPOT_IS_SURE,
    TABLE_IS_CLOSED,
    doubted,
    doubted_no_more,
)
from controller.core.house.jackpot_two import asked_first, asked_no_more
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.pool import MoveKind, taken_over
from controller.core.house.pool_export import code_of, export_away, name_of, read_export, read_receipt
from controller.core.house.rule import FINAL_MS, ActRule
from controller.core.house.state import StateT, with_house
from controller.core.house.undoing import Never, by, never
from controller.core.words import HoldCause, TableMs


def _of_two(effect: Callable[[Any, Any, TableMs], Any]) -> Callable[[Any, Any, TableMs], Any]:
    """Returns the effect of an act for two people. It keeps the first request, and calls `effect` once a second person
    asks for the same.
    """

    def completed(state: StateT, act: g.OfTwo, at_ms: TableMs) -> StateT:
        if not g.is_second(state, act):
            return asked_first(state, act, g.NAMES[type(act)], g.what_is_asked(state, act))
        done: StateT = effect(state, act, at_ms)
        return asked_no_more(done)

    return completed


def _away(state: StateT, line: str, number: int) -> StateT:
    """The state without the jackpot's pool. `line`: the export by which it leaves. `number`: the number of exports so
    far.
    """
    handover = state.house.handover
    made = (*handover.exported, code_of(line))
    handover = replace(handover, exports=number, exported=made, export=line, is_received=False)
    return with_house(state, pool=None, handover=handover)


def export_jackpot(state: StateT, act: g.ExportJackpot, _at_ms: TableMs) -> StateT:
    line = f"{g.export_text(state, act)}:{act.signature}"
    return _away(state, line, state.house.handover.exports + 1)


def take_over_jackpot(state: StateT, act: g.TakeOverJackpot, at_ms: TableMs) -> StateT:
    """The state with the exported pool and the receipt for it. Unchanged without an export or a configured jackpot.

    The pool is in doubt if the export is addressed to an old name of this computer. A computer that has lost journal
    entries gets a new name.
    """
    line, export = g.line_meant(state, act), g.export_meant(state, act)
    rules, handover = state.setup.jackpot, state.house.handover
    if export is None or rules is None:
        return state
    receipt = f"{g.receipt_text(state, act)}:{act.signature}"
    is_old = export.target != name_of(handover)
    handover = replace(handover, taken=(*handover.taken, code_of(line)), receipt=receipt, export="")
    pool = taken_over(rules, export.levels, export.meters, f"{export.source}:{export.number}")
    state = with_house(state, pool=pool, handover=handover)
    return doubted(state, HoldCause.RESTORED, at_ms) if is_old else state


def take_back_jackpot(state: StateT, act: g.TakeBackJackpot, _at_ms: TableMs) -> StateT:
    export, rules, handover = export_away(state.house.handover), state.setup.jackpot, state.house.handover
    if export is None or rules is None:
        return state
    handover = replace(handover, export="", returned=(*handover.returned, g.awaited(state)))
    pool = taken_over(rules, export.levels, export.meters, act.reference, MoveKind.TAKEN_BACK)
    return with_house(state, pool=pool, handover=handover)


def show_export(state: StateT, act: g.ShowExport, _at_ms: TableMs) -> StateT:
    export = read_export(act.export)
    number = 0 if export is None else export.number
    away = _away(state, act.export, max(state.house.handover.exports, number))
    return doubted_no_more(away, act.journal_at)


def show_receipt(state: StateT, act: g.ShowReceipt, at_ms: TableMs) -> StateT:
    """The state with the export noted as received. A receipt for an export that was taken back puts the pool in doubt:
    the pool is then at two places.
    """
    receipt, handover = read_receipt(act.receipt), state.house.handover
    if receipt is None or g.answers(receipt) == g.awaited(state):
        return with_house(state, handover=replace(handover, is_received=True))
    left = tuple(one for one in handover.returned if one != g.answers(receipt))
    return doubted(with_house(state, handover=replace(handover, returned=left)), HoldCause.TAKEN_TWICE, at_ms)


JACKPOT_MOVING_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        g.NAMES[g.ExportJackpot],
        g.ExportJackpot,
        CHIEF_OR_MANAGER,
        _of_two(export_jackpot),
        (
            JACKPOT_IS_CONFIGURED,
            TABLE_IS_CLOSED,
            g.POOL_IS_HERE,
            JACKPOT_IS_SURE,
            g.ANOTHER_COMPUTER_IS_NAMED,
            g.TWO_PEOPLE_MOVE_IT,
            g.ROOM_MANAGER_MOVES_IT,
        ),
        hold_ms=FINAL_MS,
        own_pin=True,
        undone=by("take-back-jackpot"),
        money=Money.POOL,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        g.NAMES[g.TakeOverJackpot],
        g.TakeOverJackpot,
        CHIEF_OR_MANAGER,
        _of_two(take_over_jackpot),
        (
            JACKPOT_IS_CONFIGURED,
            TABLE_IS_CLOSED,
            g.EXPORT_IS_WHOLE,
            g.EXPORT_IS_SIGNED,
            g.EXPORT_NAMES_THIS_COMPUTER,
            g.EXPORT_IS_TAKEN_ONCE,
            g.NO_POOL_IS_HERE,
            g.PARAMETERS_ARE_THE_POOLS,
            g.CODE_IS_THE_EXPORTS,
            g.TWO_PEOPLE_MOVE_IT,
            g.ROOM_MANAGER_MOVES_IT,
        ),
        hold_ms=FINAL_MS,
        own_pin=True,
        undone=by("export-jackpot"),
        money=Money.POOL,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        g.NAMES[g.TakeBackJackpot],
        g.TakeBackJackpot,
        CHIEF_OR_MANAGER,
        _of_two(take_back_jackpot),
        (
            TABLE_IS_CLOSED,
            g.NO_POOL_IS_HERE,
            g.POOL_IS_AWAY,
            g.PARAMETERS_ARE_THE_AWAY_POOLS,
            APPROVAL_IS_NAMED,
            g.TWO_PEOPLE_MOVE_IT,
            g.ROOM_MANAGER_MOVES_IT,
        ),
        hold_ms=FINAL_MS,
        own_pin=True,
        undone=by("export-jackpot"),
        money=Money.POOL,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        g.NAMES[g.ShowExport],
        g.ShowExport,
        CHIEF_OR_MANAGER,
        _of_two(show_export),
        (
            TABLE_IS_CLOSED,
            JACKPOT_IS_DOUBTED,
            g.NO_PRIZE_IS_OWED,
            g.EXPORT_IS_WHOLE,
            g.EXPORT_IS_SIGNED,
            g.EXPORT_IS_OF_THIS_COMPUTER,
            g.EXPORT_IS_NOT_RECORDED,
            g.TWO_PEOPLE_MOVE_IT,
            g.ROOM_MANAGER_MOVES_IT,
        ),
        hold_ms=FINAL_MS,
        own_pin=True,
        undone=never(Never.SAID),
        money=Money.POOL,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        "show-receipt",
        g.ShowReceipt,
        CHIEF_OR_MANAGER,
        show_receipt,
        (g.RECEIPT_IS_SIGNED, g.RECEIPT_IS_OF_AN_EXPORT),
        hold_ms=FINAL_MS,
        own_pin=True,
        undone=never(Never.SAID),
        money=Money.RECEIPT,
        manner=Manner.ATTESTS,
    ),
)
