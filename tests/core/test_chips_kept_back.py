"""A chip without face value that a player keeps back is worth no more than it cost, by any acts of the dealer alone."""

from random import Random
from typing import Final

import pytest

from controller.core.games.roulette.state import ChipColour, Exchanged
from controller.core.words import Cents
from controller.scenario.table import make_table
from controller.scenario.table_player import Stopped
from controller.scenario.wheel_player import WheelPlayer
from controller.scenario.words import vocabulary_of

SETTINGS: Final = [("chip_values", "10,20,100"), ("seats", "2"), ("tracks", "bets")]
COLOURS: Final = ("red", "blue")
ACTS: Final = 120


class Dealer:
    """A dealer who tries every act about chips; his player keeps one chip of each colour that he has got."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311 - the same evening for each seed
        self.player = WheelPlayer(make_table("pt-roulette", SETTINGS).setup)
        self.player.start()
        vocabulary_of("pt-roulette").steps["in-play"].do(self.player, ())
        self.cost: dict[ChipColour, Cents] = {}  # of the cheapest chip that was kept back
        self.changed = 0

    def try_something(self) -> None:
        act = self.random.choice(("give-colour", "confirm-value", "exchange-chips", "take-colour-back", "late"))
        player, colour = self.random.choice(("1", "2")), self.random.choice(COLOURS)
        if act == "give-colour":
            self.say(act, player=player, colour=colour, value=self.random.choice(("10", "20", "100")))
        elif act == "exchange-chips":
            self.say(act, player=player, chips=self.random.choice(("0", "1", "7")))
        elif act == "late":
            self.say("exchange-late-chips", colour=colour, chips="1")
        else:
            self.say(act, player=player)

    def say(self, act: str, **values: str) -> None:
        was = self.player.state
        try:
            self.player.act("dealer", act, values)
        except Stopped:
            return
        now = self.player.state
        for one in now.players:
            if one not in was.players and not one.is_confirmed:
                self.cost[one.colour] = min(one.value, self.cost.get(one.colour, one.value))
        made = now.exchanged
        if made is not None and made != was.exchanged and made.chips:
            self.changed += 1
            assert self.worth(made) <= self.cost[made.colour], (made, self.cost)

    @staticmethod
    def worth(made: Exchanged) -> int:
        return made.amount // made.chips


@pytest.mark.parametrize("seed", range(40))
def test_a_chip_that_is_kept_back_is_changed_for_no_more_than_it_cost(seed: int) -> None:
    dealer = Dealer(seed)
    for _ in range(ACTS):
        dealer.try_something()
    assert dealer.changed > 0


def test_with_a_second_persons_word_its_colour_is_worth_more() -> None:
    """The trial can find something."""
    dealer = Dealer(0)
    dealer.say("give-colour", player="1", colour="red", value="10")
    dealer.say("take-colour-back", player="1")
    dealer.say("give-colour", player="1", colour="red", value="100")
    dealer.player.act("inspector", "give-colour", {"player": "1", "colour": "red", "value": "100"})
    dealer.say("confirm-value", player="1")
    with pytest.raises(AssertionError):
        dealer.say("exchange-chips", player="1", chips="1")
