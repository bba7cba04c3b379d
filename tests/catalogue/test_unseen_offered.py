"""The list of acts names the seats whose unseen cards may have won, and no other seat."""

from typing import Final

from controller.catalogue import Language
from controller.core.games.blackjack.jackpot.unseen import StateUnseenCards
from controller.core.games.blackjack.table import TABLE
from controller.core.house.permitted import permitted_act
from controller.daemon.speaker import Speaker
from controller.runtime.game import game_of
from controller.scenario.play import play
from controller.scenario.text import read_scenarios

FINISHED: Final = """scenario X A round that people finished by hand
  set jackpot manual
given
  in-play
  bet 1 20
  bet 2 20
  bet 3 20
  bet 4 20
  chip 1 2 3
  no-more-bets
  draw 7S 9H 6C 2C 5C 7D 9C 8C 3C 6D
  dealer: draw-card seat=1
  vanish
  restart
  wait 30
  chief: attend-hold hold=count
  chief: state-outage became=finished
  dealer: confirm-outage became=finished
then no-hold jackpot-owed
"""


def test_a_seat_is_listed_where_its_unseen_cards_may_make_a_combination() -> None:
    """Seat 1 has 7-7 and seat 3 has 6-8 of one suit; 9-9 at seat 2 makes none, and seat 4 has no chip."""
    found, _wrong = read_scenarios(FINISHED)
    played = play(found[0])
    assert played.failure is None
    state = played.states[-1]
    (listed,) = Speaker(game_of("pt-csm"), Language.EN).acts(
        state, [permitted_act(TABLE, state, StateUnseenCards)], None
    )
    assert listed.allowed
    assert [choice.value for value in listed.values if value.name == "seat" for choice in value.choices] == ["1", "3"]
