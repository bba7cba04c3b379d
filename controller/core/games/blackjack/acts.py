"""Acts of a round, from the bets to the cards put back; corrections, rulings and complaints."""

from controller.core.engine.act import Act
from controller.core.jackpot_rules import Marking
from controller.core.words import Cents

# --- bets and decisions, where hands are followed


class DecideAmount(Act, frozen=True):
    """What is paid or taken instead of an amount that no chips make up; `bettor`: whose, who sits there without it."""

    seat: int
    amount: Cents
    hand: int | None = None
    bettor: int | None = None


# --- the jackpot


class PlaceJackpotBet(Act, frozen=True):
    """A chip in the place for it. `bettor`: whose it is; None: who sits there."""

    seat: int
    bettor: int | None = None


class WithdrawJackpotBet(Act, frozen=True):
    """The chip is taken back before the announcement."""

    seat: int
    bettor: int | None = None


class CollectJackpotBets(Act, frozen=True):
    """The chips of these seats are collected, and markers lie in their places; without seats all are."""

    seats: tuple[int, ...] | None = None


class ChooseJackpotMarking(Act, frozen=True):
    """People say which chips lie, in place of the slots, until the session closes; or the slots do again."""

    marking: Marking


class RaiseJackpot(Act, frozen=True):
    """By how much the dealer has raised the sign for this round's bets."""

    amount: Cents


class PayJackpot(Act, frozen=True):
    """The prize that is next was paid to who sits there, with the table's chips."""

    seat: int


class PayJackpotByHand(Act, frozen=True):
    """The same, paid by hand."""

    seat: int


# --- corrections and rulings
