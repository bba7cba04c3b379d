"""The jackpot in the status: the pool and its meters, the chips of the round, the prizes won and the one paid next."""

from enum import StrEnum, unique

from controller.core.games.blackjack.jackpot.cards import seats_that_win, seats_with_chips
from controller.core.games.blackjack.jackpot.prizes import prize_due
from controller.core.games.blackjack.jackpot.slots import chips_astray, marking
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.pool import Move
from controller.core.house.pool_export import code_of, name_of, read_export
from controller.core.house.sign import sign_says
from controller.core.jackpot_rules import CENT, Marking
from controller.protocol.jackpot import JackpotExportStatus, JackpotMoveStatus, JackpotStatus, PrizeStatus


@unique
class SlotsSay(StrEnum):
    """The source of the table's knowledge about chips in the jackpot slots: the slots' own reports, or people's
    statements.
    """

    NONE = "none"  # the configuration has no slots
    TOLD = "told"  # the slots report their chips
    LOST = "lost"
    SET_ASIDE = "set-aside"  # people report the chips instead


def slots_say(state: BlackjackState) -> SlotsSay:
    """Returns the source from which the table takes the chips in the jackpot slots now."""
    if not state.setup.has_slots:
        return SlotsSay.NONE
    if marking(state) is Marking.MANUAL:
        return SlotsSay.SET_ASIDE
    return SlotsSay.TOLD if state.devices.slots.link.connected else SlotsSay.LOST


def jackpot_status(state: BlackjackState) -> JackpotStatus | None:
    """Returns the jackpot's status. None without a jackpot, or before its parameters are approved."""
    pool, jackpot = state.house.pool, state.game.jackpot
    if pool is None:
        return None
    due, meters = prize_due(state), pool.meters
    return JackpotStatus(
        amount_cents=pool.cents,
        bet_cents=pool.rules.bet,
        marking=marking(state).value,
        chips=list(seats_with_chips(state)),
        marked=list(jackpot.marked),
        is_collected=jackpot.is_collected,
        increment_cents=jackpot.rise,
        raised_cents=jackpot.raised,
        won=list(seats_that_win(state)),
        paid=list(dict.fromkeys(one.owed.seat for one in jackpot.paid)),
        next_prize=None if due is None else PrizeStatus(due.owed.seat, due.owed.bettor, due.cents, due.is_covered),
        reserve_cents=pool.reserve // CENT,
        overflow_cents=pool.overflow // CENT,
        meters={name: getattr(meters, name) for name in meters.__struct_fields__},
        is_approved=state.setup.jackpot in (None, pool.approved or pool.rules),
        sign=sign_says(state).value,
        slots=slots_say(state).value,
        astray=list(chips_astray(state)),
        broken=list(state.devices.slots.status.broken),
        moved=pool.moved,
        moves=[_move(move) for move in pool.moves],
    )


def export_status(state: BlackjackState) -> JackpotExportStatus | None:
    """Returns the status of a move of the pool to another computer. None if the configuration has no jackpot."""
    handover = state.house.handover
    if state.setup.jackpot is None:
        return None
    asked = read_export(handover.asked)
    of_export = ("", "", 0) if asked is None else (asked.table, asked.source, asked.levels[0] // CENT)
    return JackpotExportStatus(
        name_of(handover),
        handover.asked,
        handover.export,
        handover.asked_for,
        *of_export,
        code_of(handover.export) if handover.export else "",
        handover.is_received,
        handover.receipt,
    )


def _move(move: Move) -> JackpotMoveStatus:
    level, target = (one.value or "house" for one in (move.level, move.target))
    return JackpotMoveStatus(
        move.kind.value, move.pool // CENT, move.bets, move.cents, move.millionths, move.seat, level, target
    )
