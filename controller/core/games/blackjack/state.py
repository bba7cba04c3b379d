"""The state of a blackjack table: the round in play, and the results that outlive it."""

from functools import lru_cache
from typing import Any, ClassVar

from controller.core.custody.round import ROUND
from controller.core.custody.state import BANK, Book, CardRound, CardState, Custody, Dealt
from controller.core.engine.machine import ProcedureMachine
from controller.core.games.blackjack.hands import Brings, Stakes, Takings, without
from controller.core.games.blackjack.jackpot.round import RoundJackpot, Unseen
from controller.core.games.blackjack.worth import Table, table_of
from controller.core.house.state import Due, changing
from controller.core.setup import Setup
from controller.core.words import Purpose, RoundPhase


class Round(CardRound, frozen=True, gc=False):
    """The state of one round, from the bets until its cards are collected or put back."""

    MACHINE: ClassVar[ProcedureMachine[Any]] = ROUND

    stakes: Stakes = Stakes()  # empty where the table follows cards alone
    at_once: tuple[Brings, ...] = ()  # amounts paid or taken before the settlement, by the cards known so far
    jackpot: RoundJackpot = RoundJackpot()


@lru_cache(maxsize=4)  # the same tuple for the same cards, so that the table is found again
def _with_unknown(dealt: tuple[Dealt, ...], at: int, seat: int, hand: int) -> tuple[Dealt, ...]:
    purpose = Purpose.BANK if seat == BANK else Purpose.SEAT
    return (*dealt[:at], Dealt(seat, purpose, hand=hand), *dealt[at:])


class BlackjackState(CardState, frozen=True, gc=False):
    """The whole state of a blackjack table.

    `takings`: the bank's result; `unseen`: the jackpot of a round that an outage has ended. Both outlive the rounds.
    """

    game: Round = Round()
    takings: Takings = Takings()
    unseen: Unseen = Unseen()

    @property
    def table(self) -> Table | None:
        """Returns the round's cards and stakes with their results. None if the table tracks only cards."""
        rules = self.setup.hand_rules
        return None if rules is None else table_of(self.placed, self.game.stakes, rules)

    @property
    def placed(self) -> tuple[Dealt, ...]:
        """Returns the dealt cards. An unknown card replaces a card that left the table and is owed again, and makes the
        hand incomplete.
        """
        game = self.game
        if game.requested is None or game.replaced_at is None:
            return game.dealt
        return _with_unknown(game.dealt, game.replaced_at, game.requested, game.requested_hand)

    def at_once(self) -> tuple[Brings, ...]:
        """Returns the amounts due before the settlement.

        Amounts that were already paid or taken stay as they were at a seat with an unknown card, and at all seats while
        a card of the deal is dealt again.
        """
        table, paid = self.table, self.game.at_once
        if table is None or self.game.phase is not RoundPhase.PLAYING:
            return paid
        due = table.amounts(settled=False)
        left = () if paid is due else without(paid, due)
        unknown = tuple(one for one in left if table.up is None or not table.is_known_at(one.hand.seat))
        return (*due, *unknown) if unknown else due

    def due(self) -> tuple[Due, ...]:
        """Returns the amounts due: the immediate ones while hands are played, then the settlement's until the next
        bets.
        """
        match self.game.phase:
            case RoundPhase.DEALING | RoundPhase.PLAYING:
                brought = self.at_once()
            case RoundPhase.SETTLED | RoundPhase.COLLECTED | RoundPhase.PUTTING_BACK | RoundPhase.IDLE:
                brought = self.takings.last
            case _:
                brought = ()
        return tuple(Due(one.hand.seat, one.bettor, one.brought, one.hand.index) for one in brought)


with_game = changing(Round, "game")
with_stakes = changing(Stakes, "game", "stakes")
with_jackpot = changing(RoundJackpot, "game", "jackpot")
with_unseen = changing(Unseen, "unseen")


def initial_state(setup: Setup) -> BlackjackState:
    """Returns the state of a closed table whose whole deck set lies outside the machine."""
    return BlackjackState(setup=setup, custody=Custody(book=Book(outside=setup.cards)))
