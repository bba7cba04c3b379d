"""The words about an amount: a refusal names the nearest amounts that chips make up; people are told each amount once,
and each of several equal amounts.
"""

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


def _macau(*bets: tuple[str, ...]) -> Player:
    """A table of Macau at the end of its bets: the words of each of the scenario's lines of bets."""
    player = Player(make_table("mo-csm", [("tracks", "hands")]).setup)
    player.start()
    for words in (("in-play",), *bets):
        _do(player, *words)
    player.act("dealer", "announce-no-more-bets", {})
    return player


def _do(player: Player, word: str, *values: str) -> list[tuple[tuple[str, str], ...]]:
    """Does one line of a scenario and returns the amounts that people were told at it."""
    before = len(player.notices)
    vocabulary_of("mo-csm").steps[word].do(player, values)
    return _amounts(player, before)


def _amounts(player: Player, before: int) -> list[tuple[tuple[str, str], ...]]:
    return [one.values[:4] for one in player.notices[before:] if one.key == "amount"]


def test_a_second_pair_of_a_hand_that_wins_as_much_as_its_first_is_told_too() -> None:
    """mo.13.1.2: the stake of a pair plays for each later pair of the hand that was separated."""
    player = _macau(("bet", "1", "10"), ("side-bet", "1", "any-pair", "10"))
    won = [(("hand", "1"), ("player", "1"), ("payment", "any-pair"), ("amount", "+110.00"))]
    assert _do(player, "draw", "8H", "9C", "8C") == won
    _do(player, "split", "1")
    assert _do(player, "hit", "1", "8D") == won
    _do(player, "split", "1")
    assert _do(player, "hit", "1", "8S") == won
    assert _do(player, "hit", "1", "2S") == []


def test_a_stake_below_13_that_has_won_is_not_told_again_where_a_card_becomes_an_ace() -> None:
    """mo.14.3: the ace counts either way, a remark of the amount that changes nothing in it."""
    player = _macau(("bet", "1", "10"), ("side-bet", "1", "under", "10"), ("bet", "2", "10"))
    won = [(("hand", "1"), ("player", "1"), ("payment", "over-under"), ("amount", "+10.00"))]
    _do(player, "draw-unread")
    player.act("dealer", "name-card", {"card": "3H"})
    assert _do(player, "draw", "9D", "9C", "2C", "5C") == won
    before = len(player.notices)
    player.act("dealer", "rename-card", {"seat": "1", "position": "1", "card": "AH"})
    assert player.refusal is None
    assert _amounts(player, before) == []


def test_an_amount_that_people_decide_is_told_once_more_at_each_decision() -> None:
    """pt.bj.21a: 3:2 of 25 is 37.50, so people decide 37 or 38; each decision changes what is paid."""
    player = Player(make_table("pt-csm", [("tracks", "hands"), ("minimum_bet", "5"), ("maximum_bet", "150")]).setup)
    player.start()
    for word, *values in (("in-play",), ("bet", "1", "25"), ("bet", "2", "25"), ("no-more-bets",)):
        _do(player, word, *values)
    _do(player, "draw", "AS", "10S", "8H", "KD", "9S", "10C")
    for amount in ("37", "38"):
        before = len(player.notices)
        player.act("dealer", "decide-amount", {"seat": "1", "amount": amount})
        told = [dict(one.values)["paid"] for one in player.notices[before:] if one.key == "amount-decided"]
        assert told == [f"{amount}.00"]
