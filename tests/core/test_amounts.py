"""The refusal's words on an amount that no chips make up."""

from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of


def test_a_refusal_names_the_two_amounts_that_chips_make_up() -> None:
    """pt.bj.21a: 3:2 of 25 is 37.50; where the smallest chip is one unit 37 or 38 are paid."""
    settings = [("tracks", "hands"), ("minimum_bet", "5"), ("maximum_bet", "150")]
    player = Player(make_table("pt-csm", settings).setup)
    player.start()
    steps = vocabulary_of("pt-csm").steps
    steps["in-play"].do(player, ())
    for seat in ("1", "3"):
        steps["bet"].do(player, (seat, "25"))
    player.act("dealer", "announce-no-more-bets", {})
    steps["draw"].do(player, ("AS", "10S", "8H", "KD", "9S", "10C"))
    for seat, amount, values in (("1", "37.50", ("37.00", "38.00")), ("3", "37", None)):
        player.act("dealer", "decide-amount", {"seat": seat, "amount": amount})
        assert player.refusal is not None
        said = dict(player.refusal.values)
        assert values is None or (said["below"], said["above"]) == values
