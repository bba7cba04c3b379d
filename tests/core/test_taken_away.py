"""A casino that gives its shuffler up between two sessions: the holds of that machine can be ended."""

from controller.core.words import HoldKind
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of


def test_a_jam_of_a_shuffler_that_was_taken_away_is_ended_and_a_session_opens() -> None:
    shoe = make_table("pt-shoe", [("tracks", "cards")]).setup
    player = Player(make_table("pt-csm", [("tracks", "cards")]).setup)
    steps = vocabulary_of("pt-csm").steps

    def act(who: str, name: str, **values: str) -> None:
        player.act(who, name, values)
        assert player.refusal is None, name

    player.start()
    for words in (("in-play",), ("round", "1"), ("jam", "carousel", "1")):
        steps[words[0]].do(player, words[1:])
    act("chief", "attend-hold", hold="jam")
    act("chief", "propose-irregular-closing")
    act("manager", "confirm-irregular-closing")
    act("chief", "sign-in", operation="unloading")
    act("chief", "state-cards-moved", source="jammed", target="outside", count="1")
    act("chief", "state-cards-moved", source="inside", target="outside", count=str(player.state.custody.book.inside))
    act("dealer", "complete-unloading")
    steps["grid"].do(player, ())
    act("dealer", "confirm-deck-check")
    player.start(setup=shoe)
    assert [hold.kind for hold in player.state.house.holds] == [HoldKind.JAM]
    act("chief", "attend-hold", hold="jam")
    act("chief", "clear-hold", hold="jam")
    act("chief", "confirm-hold", hold="jam")
    act("dealer", "open-session")
