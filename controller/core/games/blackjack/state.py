"""The state of a blackjack table: the round in play, and the results that outlive it."""

from typing import Any, ClassVar

from controller.core.custody.round import ROUND
from controller.core.custody.state import Book, CardRound, CardState, Custody
from controller.core.engine.machine import ProcedureMachine
from controller.core.games.blackjack.hands import Stakes, Takings
from controller.core.games.blackjack.jackpot.round import RoundJackpot
from controller.core.games.blackjack.worth import Table, table_of
from controller.core.house.state import Due, changing
from controller.core.setup import Setup
from controller.core.words import RoundPhase


class Round(CardRound, frozen=True, gc=False):
    """The state of one round, from the bets until its cards are collected or put back."""

    MACHINE: ClassVar[ProcedureMachine[Any]] = ROUND

    stakes: Stakes = Stakes()  # empty where the table follows cards alone
    jackpot: RoundJackpot = RoundJackpot()


class BlackjackState(CardState, frozen=True, gc=False):
    """The whole state of a blackjack table. `takings`: the bank's result, which outlives the rounds."""

    game: Round = Round()
    takings: Takings = Takings()

    @property
    def table(self) -> Table | None:
        """Returns the round's cards and stakes with their results; None if the table tracks only cards."""
        rules = self.setup.hand_rules
        return None if rules is None else table_of(self.game.dealt, self.game.stakes, rules)

    def due(self) -> tuple[Due, ...]:
        """Returns the amounts due: the immediate ones while hands are played, then the settlement's until the next
        bets.
        """
        match self.game.phase:
            case RoundPhase.PLAYING:
                brought = () if self.table is None else self.table.amounts(settled=False)
            case RoundPhase.SETTLED | RoundPhase.COLLECTED | RoundPhase.PUTTING_BACK | RoundPhase.IDLE:
                brought = self.takings.last
            case _:
                brought = ()
        return tuple(Due(one.hand.seat, one.bettor, one.brought, one.hand.index) for one in brought)


with_game = changing(Round, "game")
with_stakes = changing(Stakes, "game", "stakes")
with_jackpot = changing(RoundJackpot, "game", "jackpot")


def initial_state(setup: Setup) -> BlackjackState:
    """Returns the state of a closed table whose whole deck set lies outside the machine."""
    return BlackjackState(setup=setup, custody=Custody(book=Book(outside=setup.cards)))
