"""One round of blackjack."""

from typing import Any, ClassVar

from msgspec import Struct

from controller.core.custody.state import Book, CardRound, CardState, Custody
from controller.core.engine.machine import ProcedureMachine
from controller.core.games.blackjack.hands import Stakes, Takings
from controller.core.games.blackjack.jackpot_bets import RoundJackpot
from controller.core.games.blackjack.round_table import ROUND
from controller.core.games.blackjack.worth import Table, table_of
from controller.core.setup import Setup
from controller.core.words import (
    Outcome,
    Person,
    Role,
)


class Ruling(Struct, frozen=True, gc=False):
    """What was decided in an incident, and by whom."""

    outcome: Outcome
    person: Person
    role: Role
    stakes_back: tuple[int, ...] = ()  # the seats whose stakes go back


class Corrector(Struct, frozen=True, gc=False):
    """Somebody whose correction waits for a second person's word."""

    person: Person
    role: Role


class Round(CardRound, frozen=True, gc=False):
    """One round, from the bets to the cards put back; it begins and ends whole."""

    MACHINE: ClassVar[ProcedureMachine[Any]] = ROUND

    seats: tuple[int, ...] = ()
    collected: tuple[int, ...] = ()  # seats whose cards of this round lie in the rack already (pt.bj.58)
    asked: tuple[int, ...] = ()  # those of them that had asked for further cards (pt.bj.18c)
    turn_back: int | None = None  # seat that was passed over and may ask all the same; 0: whichever asks next
    stakes: Stakes = Stakes()  # empty where the table follows cards alone
    jackpot: RoundJackpot = RoundJackpot()
    corrected_by: tuple[Corrector, ...] = ()
    last_ruling: Ruling | None = None  # of this round, or made since the last round ended


class BlackjackState(CardState, frozen=True, gc=False):
    """What a table of blackjack knows."""

    game: Round = Round()
    takings: Takings = Takings()

    @property
    def table(self) -> Table | None:
        """The round's cards and stakes; None where the table follows cards alone."""
        rules = self.setup.hand_rules
        return None if rules is None else table_of(self.game.dealt, self.game.stakes, rules)


def initial_state(setup: Setup) -> BlackjackState:
    """A closed table whose whole deck set is outside."""
    return BlackjackState(setup=setup, custody=Custody(book=Book(outside=setup.cards)))
