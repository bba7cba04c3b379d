"""A round's worth is computed once while round and rules are the same; rules evaluated together ask for it once."""

from typing import Final

from controller.config.profile_file import law
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.one_hand import as_the_rules_say
from controller.core.games.blackjack.decisions.turns import HAND_HAS_TWO_CARDS, Stand
from controller.core.games.blackjack.hand import HAND_IS_LIVE, TOTAL_IS_BELOW_21, Answer
from controller.core.games.blackjack.hands import HandId, PlayedHand, Stakes
from controller.core.games.blackjack.settling import Bet
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import BetLimits
from controller.core.house.deciding import failed_guard
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import ActRule, unchanged
from controller.core.house.undoing import AGAIN
from controller.core.words import Cents, Person, Role
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, LAST, D, dealt

LIMITS: Final = BetLimits(Cents(1_000), Cents(100_000), Cents(500))
STAKES: Final = Stakes(hands=(PlayedHand(HandId(1), (Bet(1, Cents(1_000)),), 1),))


def in_play() -> BlackjackState:
    """Makes a hand with one bet against the bank's open card."""
    state = changed(dealt(*DEAL), stakes=STAKES)
    return changed(state, setup=replace(state.setup, hand_rules=law("pt-csm").hand_rules(LIMITS)))


def table_of(state: BlackjackState) -> Table:
    assert state.table is not None
    return state.table


def test_a_round_has_one_table_for_as_long_as_it_and_the_rules_are_the_same() -> None:
    state = in_play()
    first = table_of(state)
    assert table_of(changed(state, irregular=True, provisional=False)) is first
    assert table_of(changed(state, dealt=(*DEAL, LAST))) is not first
    other = law("mo-csm").hand_rules(LIMITS)
    assert table_of(changed(state, setup=replace(state.setup, hand_rules=other))).rules is other


def test_rules_that_are_looked_at_together_are_asked_once() -> None:
    asked: list[Act] = []

    def answer(_state: BlackjackState, _table: Table, act: Act) -> Answer:
        asked.append(act)
        return TOTAL_IS_BELOW_21

    rules = (HAND_IS_LIVE, TOTAL_IS_BELOW_21, HAND_HAS_TWO_CARDS)
    guards = as_the_rules_say(answer, *rules)
    row = ActRule("stand", Stand, (Role.DEALER,), unchanged, guards, undone=AGAIN, money=Money.NONE, manner=Manner.DOES)
    act = Stand(Person(D[0]), Role.DEALER, 1)
    failed = failed_guard(in_play(), act, row)
    assert failed is not None
    assert (failed.name, asked) == (TOTAL_IS_BELOW_21, [act])
