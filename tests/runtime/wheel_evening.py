"""Two sessions at a wheel whose bets are followed: spins, a null spin, a complaint, a hold, a corrected entry."""

from pathlib import Path

from msgspec.structs import replace

from controller.core.games.roulette.bets import PlaceChips
from controller.core.games.roulette.chips import ConfirmValue, ExchangeChips, GiveColour
from controller.core.games.roulette.cloth import Group
from controller.core.games.roulette.correcting import CorrectSpinEntry
from controller.core.games.roulette.incidents import DecideClaim, RecordClaim
from controller.core.games.roulette.paying import ConfirmPayments, PayPrizes
from controller.core.games.roulette.spins import AnnounceNumber, DeclareNullSpin, LaunchBall, PutBallBack
from controller.core.games.roulette.state import ChipColour, RouletteState
from controller.core.games.roulette.wheel import SpinEnded
from controller.core.hand_rules import BetLimits
from controller.core.house.attendance import SignIn
from controller.core.house.clocks import CompareClock
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.house.plain_session import EndSession, IndicateClosing, OpenSession
from controller.core.house.shift_acts import HandOverShift, TakeOverShift
from controller.core.words import Cents, HoldId, Operation
from controller.runtime.answers import Refused
from tests.runtime.wheel import CHIEF_21, DEALER_11, LAW, MANAGER_31, SETUP, WheelTable

RULES = LAW.wheel_rules(BetLimits(Cents(500), Cents(15_000), Cents(50)), follows_bets=True)
FOLLOWED = replace(SETUP, wheel_rules=RULES)

REFUSED = ("launch_alternates", "player_has_a_colour", "round_is_at_this_step")
"""The guards of the refused acts, in their order."""


def _state(table: WheelTable) -> RouletteState:
    state = table.runtime.ledger.latest
    assert isinstance(state, RouletteState)
    return state


def _refused(table: WheelTable, make: type, *values: object) -> None:
    assert isinstance(answer := table.ask(make, DEALER_11, *values), Refused), answer


def _opened(table: WheelTable) -> None:
    """Opens a session in which player 1 has red chips of 5.00, and has bet two of them on red."""
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    table.act(GiveColour, DEALER_11, 1, ChipColour.RED, Cents(500))
    table.act(ConfirmValue, DEALER_11, 1)
    table.act(PlaceChips, DEALER_11, 1, "red", 2)


def _first_spin(table: WheelTable) -> None:
    """The ball falls on a red number; the player complains, and is not right."""
    table.launch()
    table.fact(SpinEnded(1, 9))
    table.act(AnnounceNumber, DEALER_11, 9)
    table.act(PayPrizes, DEALER_11, Group.SIMPLE)
    table.act(ConfirmPayments, DEALER_11)
    table.act(RecordClaim, DEALER_11, 1)
    table.now_s += 2
    table.act(DecideClaim, CHIEF_21, False)


def _second_spin(table: WheelTable) -> None:
    """A launch in the same direction and a bet without a colour are refused; a null spin, and a bet put right."""
    _refused(table, LaunchBall, _state(table).wheel.clockwise)
    _refused(table, PlaceChips, 7, "red", 2)
    table.act(PlaceChips, DEALER_11, 1, "straight-17", 1)
    table.launch()
    _refused(table, ConfirmPayments)
    table.act(DeclareNullSpin, DEALER_11)
    table.act(PutBallBack, DEALER_11, 9)
    table.launch()
    table.fact(SpinEnded(2, 8))
    entry = next(one.number for one in _state(table).log.events if one.name == "place-chips")
    for who in (DEALER_11, CHIEF_21):
        table.act(CorrectSpinEntry, who, entry, None, None, None, None, 2)
    table.act(AnnounceNumber, DEALER_11, 8)
    table.act(ConfirmPayments, DEALER_11)


def play(journal: Path) -> WheelTable:
    """Plays a whole session, and the beginning of a second one with one bet; returns the table, still running."""
    table = WheelTable(journal, FOLLOWED)
    _opened(table)
    _first_spin(table)
    _second_spin(table)
    table.disk_fails_once()
    for make in (AttendHold, ClearHold, ConfirmHold):
        table.now_s += 3
        table.act(make, CHIEF_21, HoldId(2))
    table.act(CompareClock, DEALER_11, 22, 0, 0)
    table.act(HandOverShift, CHIEF_21)
    table.act(TakeOverShift, MANAGER_31)
    table.act(ExchangeChips, DEALER_11, 1, 6)
    table.act(IndicateClosing, DEALER_11)
    table.act(EndSession, CHIEF_21)
    _opened(table)
    return table
