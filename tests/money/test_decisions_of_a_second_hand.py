"""A screen offers for a seat's second hand each decision whose act names the hand, and no other."""

from controller.core.games.blackjack.state import BlackjackState
from controller.games.money_status import decisions
from controller.scenario.play import play
from controller.scenario.text import read_scenarios

SPLIT = """scenario X x
set tracks hands
given
  in-play
  bet 1 20
  dealer: announce-no-more-bets
  draw 8S 10D 8C 7H
  split 1
  hit 1/1 10C
  stand 1/1
then turn 1/2
"""


def test_a_second_hand_is_offered_what_names_it() -> None:
    found, mistakes = read_scenarios(SPLIT)
    assert mistakes == []
    played = play(found[0])
    assert played.failure is None
    state = played.states[-1]
    assert isinstance(state, BlackjackState)
    offered = [(one.act, one.values.get("hand")) for one in decisions(state)]
    assert offered
    assert {hand for _act, hand in offered} == {"2"}
