"""Notices about the jackpot: movements of the pool, requests, returned chips, and a sign that the dealer has raised by
a wrong amount.
"""

from controller.core.engine.decision import Notice, Values
from controller.core.games.blackjack.jackpot.prizes import paid_in_vain
from controller.core.games.blackjack.jackpot.slots import marking
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.pool import Move, moves_between
from controller.core.jackpot_rules import CENT, MILLION, Marking
from controller.core.money import units
from controller.core.words import RoundPhase


def of_jackpot(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns the notices of a new request, returned chips, movements of the pool, and a sign that the dealer has
    raised by a wrong amount.
    """
    moved = [Notice(move.kind.value, _told(move)) for move in moves_between(before.house.pool, after.house.pool)]
    return [*_asked(before, after), *_returned(before, after), *moved, *_raised(before, after)]


def of_paid_in_vain(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns a notice for each paid prize that the cards do not win any more."""
    if not after.game.jackpot.paid:
        return []
    new = (one for one in paid_in_vain(after) if one not in paid_in_vain(before))
    figures = ((("seat", str(one.owed.seat)), ("amount", units(one.cents))) for one in new)
    return [Notice("jackpot-paid-in-vain", told) for told in figures]


def _asked(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns the notice that a new request about the pool waits for a second person; else []."""
    handover = after.house.handover
    is_news = handover is not before.house.handover and handover.asked != before.house.handover.asked
    return [Notice("jackpot-waits-for-second")] if is_news and handover.asked else []


def _told(move: Move) -> Values:
    """Returns the values of a notice about a movement of the pool, such as its amount and the pool after it."""
    cents = move.cents
    figures = {
        "amount": units(cents or move.millionths // CENT or move.bets * move.stake_cents * move.rate_ppm // MILLION),
        "bets": str(move.bets),
        "seat": str(move.seat),
        "seats": " ".join(str(win.seat) for win in move.wins),
        "level": move.level.value or "house",
        "target": move.target.value or "house",
        "reference": move.reference,
        "pool": units(move.pool // CENT),
    }
    return tuple(figures.items())


def _returned(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns a notice for each jackpot chip that went back because the main bet was withdrawn."""
    was, now = before.game, after.game
    is_before_the_deal = now.phase in (RoundPhase.BETTING, RoundPhase.IDLE) and was.phase is RoundPhase.BETTING
    if not is_before_the_deal or was.stakes.places == now.stakes.places:
        return []
    gone = [chip for chip in was.jackpot.chips if chip not in now.jackpot.chips]
    return [Notice("jackpot-chip-returned", (("seat", str(chip.seat)),)) for chip in gone]


def _raised(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns the notice that the dealer has raised the sign by another amount than the bets have added, or not at all
    (pt.bj.41b1); else []. It comes when the dealer enters the amount, and at the settlement.
    """
    was, now = before.game, after.game
    if not now.jackpot.is_collected or after.house.pool is None:
        return []
    entered, expected = now.jackpot.raised or 0, now.jackpot.rise
    is_settled = was.phase is not now.phase and now.phase is RoundPhase.SETTLED
    is_entered = now.jackpot.raised is not None and was.jackpot.raised != now.jackpot.raised
    is_manual = marking(after) is Marking.MANUAL
    if entered == expected or not is_manual or not (is_settled or is_entered):
        return []
    figures = (
        ("entered", units(entered)),
        ("expected", units(expected)),
        ("difference", units(abs(entered - expected))),
    )
    return [Notice("jackpot-increment-differs", figures)]
