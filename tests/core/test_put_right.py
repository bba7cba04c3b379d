"""A corrected entry is marked as corrected, and the journal keeps its first values."""

from controller.core.house.round_log import Logged
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of

PEOPLE = ("dealer", "chief")


def bets() -> Player:
    """Makes a table in play at which seats 1 and 2 have bet."""
    player = Player(make_table("pt-csm", [("tracks", "hands")]).setup)
    player.start()
    vocabulary_of("pt-csm").steps["in-play"].do(player, ())
    for seat in ("1", "2"):
        player.act("dealer", "place-bet", {"seat": seat, "amount": "20"})
    return player


def corrected(player: Player, **values: str) -> tuple[Logged, ...]:
    for person in PEOPLE:
        player.act(person, "correct-entry", values)
    return player.state.log.correctable()


def test_an_entry_says_that_it_was_put_right_or_taken_back() -> None:
    player = bets()
    first, second = corrected(player, entry="1", amount="50")
    assert (first.is_corrected, first.is_back, second.is_corrected) == (True, False, False)
    first, second = corrected(player, entry="2")
    assert (first.is_corrected, second.is_corrected, second.is_back) == (True, True, True)
    _first, second = corrected(player, entry="2", instead="place-bet")
    assert (second.is_corrected, second.is_back) == (True, False)
