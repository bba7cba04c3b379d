"""Which options a settled round's money may rest on: those that the written scenarios accept, and no other."""

import pytest

from simulators.oracles.options import breaches
from simulators.oracles.settle import Hand, Round, SideBet
from tests.oracles.test_settle import hand, played

DOUBLED = frozenset("A")


def told(settled: Round) -> list[str]:
    return [breach.clause for breach in breaches(settled)]


def of(profile: str, bank: str, *hands: Hand, **options: object) -> list[str]:
    return told(played(profile, bank, *hands, **options))  # type: ignore[arg-type]


DOUBLES = [
    # PY-09, PY-12, XP-07: profile, method, faces, the clause that forbids it
    ("pt-csm", 0, "5S 3H KD", ["pt.bj.29a"]),
    ("pt-csm", 0, "10S 2H 5D", ["pt.bj.29a"]),
    ("pt-csm", 0, "5S 4H KD", []),
    ("pt-csm", 0, "6S 4H KD", []),
    ("pt-csm", 0, "6S 5H KD", []),
    ("pt-csm", 0, "AS 8H KD", []),
    ("pt-csm", 0, "AS 10H KD", ["pt.bj.18b", "pt.bj.29a"]),
    ("house", 0, "5S 3H KD", ["house.12"]),
    ("br", 0, "5S 3H KD", ["br.double.1"]),
    ("br", 0, "6S 5H KD", []),
    ("br", 0, "AS KH KD", ["br.double.1"]),
    ("mo-shoe", 1, "5S 3H KD", []),
    ("mo-shoe", 1, "10S 2H 5D", []),
    ("mo-shoe", 2, "5S 3H KD", ["mo.17"]),
    ("mo-shoe", 2, "6S 5H KD", []),
    ("mo-shoe", 1, "AS KH 5D", ["mo.6.4.1", "mo.17"]),
    ("pt-csm", 0, "6S 4H", ["pt.bj.29a"]),  # no further card
    ("pt-csm", 0, "6S 4H 2D 5C", ["pt.bj.29a"]),  # two
]


@pytest.mark.parametrize(("profile", "method", "faces", "expected"), DOUBLES)
def test_doubling(profile: str, method: int, faces: str, expected: list[str]) -> None:
    choices = {"double_method": method} if method else {}
    assert of(profile, "10D 7C", hand(faces, doubled=DOUBLED), choices=choices) == expected


def test_doubling_behind_a_split() -> None:
    eights = hand("8S 3H KD", index=1, doubled=DOUBLED), hand("8C KC", index=2, begin=4)
    aces = hand("AS 9H KD", index=1, doubled=DOUBLED), hand("AC KC", index=2, begin=4)
    assert of("pt-csm", "10D 7C", *eights) == []
    assert of("mo-shoe", "10D 7C", *eights) == []
    assert of("mo-shoe", "10D 7C", *eights, choices={"double_method": 2}) == ["mo.17"]
    tens = hand("KS AH 5D", index=1, doubled=DOUBLED), hand("KC 9C", index=2, begin=4)
    assert of("br", "10D 7C", *tens) == []
    assert of("house", "10D 7C", *tens) == ["pt.bj.18b", "house.12"]
    assert of("pt-csm", "10D 7C", *aces) == ["pt.bj.26c", "pt.bj.29a"]


def test_a_follower_neither_doubles_nor_insures_alone() -> None:
    stakes = {"holder": 20, "Y": 20}
    assert of("pt-csm", "10D 7C", hand("6S 5H KD", stakes=stakes, doubled=frozenset("Y"))) == ["pt.bj.30"]
    assert of("pt-csm", "AD 7C", hand("10S KH", stakes=stakes, insured={"Y": 10})) == ["pt.bj.15c"]
    assert of("br", "AD 7C", hand("10S KH", stakes=stakes, insured={"Y": 10})) == []
    assert of("pt-csm", "AD 7C", hand("10S KH", stakes=stakes, insured={"holder": 5, "Y": 10})) == []


SPLITS = [
    # faces, what pt and mo say
    (("KS 9H", "QC 9C"), [], ["mo.16.1", "mo.16.1"]),
    (("8S 9H", "8C 9C"), [], []),
    (("8S 9H", "9C 9S"), ["pt.bj.26a", "pt.bj.26a"], ["mo.16.1", "mo.16.1"]),
    (("8S 9H", "8C"), ["pt.bj.18a", "pt.bj.26a"], ["mo.16.1"]),
    (("AS 9H 2C", "AC 9C"), ["pt.bj.26c"], ["mo.16.3"]),
    (("8S 9H",) * 4, [], []),
    (("8S 9H",) * 5, [], ["mo.16.1"] * 5),
]


@pytest.mark.parametrize(("faces", "in_portugal", "in_macau"), SPLITS)
def test_splits(faces: tuple[str, ...], in_portugal: list[str], in_macau: list[str]) -> None:
    hands = [hand(one, index=place, begin=10 * place) for place, one in enumerate(faces, start=1)]
    assert of("pt-csm", "10D 7C", *hands) == in_portugal
    assert of("mo-shoe", "10D 7C", *hands) == in_macau


def test_py_33_aces_split_again() -> None:
    aces = [hand("AS 9H", index=place, begin=10 * place) for place in (1, 2, 3)]
    for profile, clause in (("pt-csm", "pt.bj.26c"), ("mo-shoe", "mo.16.3"), ("br", "br.pairs.6a")):
        assert of(profile, "10D 7C", *aces) == []
        assert of(profile, "10D 7C", *aces, choices={"resplit_aces": False}) == [clause] * 3


def test_a_split_hand_has_the_first_ones_stake_and_its_decider() -> None:
    assert of("mo-shoe", "10D 7C", hand("8S KH", 20), hand("8C KC", 30, index=2, begin=3)) == ["mo.16.1"]
    alone = hand("8C KC", index=2, begin=3, stakes={"Y": 10})
    assert of("pt-csm", "10D 7C", hand("8S KH", stakes={"holder": 20, "Y": 10}), alone) == ["pt.bj.26a"]


INSURANCES = [
    # PY-15, PY-17, PY-31, XP-08, XP-07: profile, open card, stake, insurance, clause
    ("pt-csm", "AD", 30, 15, []),
    ("pt-csm", "AD", 30, 16, ["pt.bj.33b"]),
    ("pt-csm", "KD", 30, 15, ["pt.bj.33b"]),
    ("house", "AD", 20, 10, []),
    ("house", "AD", 20, 11, ["house.15a"]),
    ("br", "AD", 1000, 500, []),
    ("br", "AD", 1000, 600, ["br.ins.3"]),
    ("mo-shoe", "AD", 100, 49, ["mo.12.1"]),
    ("mo-shoe", "AD", 100, 50, []),
    ("mo-shoe", "AD", 100, 100, []),
    ("mo-shoe", "AD", 100, 101, ["mo.12.1"]),
]


@pytest.mark.parametrize(("profile", "shown", "stake", "insured", "expected"), INSURANCES)
def test_insurance(profile: str, shown: str, stake: int, insured: int, expected: list[str]) -> None:
    assert of(profile, f"{shown} 7C", hand("10S 9C", stake, insured={"A": insured})) == expected


ENDINGS = [
    # PY-18 to PY-20, PY-29, XP-07, XP-12: profile, open card, faces, what was asked for, clause
    ("pt-csm", "AD", "AS KC", "even-money", []),
    ("pt-csm", "10D", "AS KC", "even-money", ["pt.bj.34"]),
    ("mo-shoe", "10D", "AS KC", "even-money", []),
    ("mo-shoe", "9D", "AS KC", "even-money", ["mo.10.3"]),
    ("mo-shoe", "AD", "9S KC", "even-money", ["mo.10.3"]),
    ("br", "AD", "AS KC", "even-money", ["", ""]),
    ("pt-csm", "10D", "10S 6C", "surrendered", []),
    ("pt-csm", "AD", "10S 6C", "surrendered", ["pt.bj.36a"]),
    ("pt-csm", "10D", "10S 2C 3D", "surrendered", ["pt.bj.36a"]),
    ("house", "AD", "10S 6C", "surrendered", ["house.16a"]),
    ("mo-shoe", "AD", "10S 6C", "surrendered", ["mo.18.1"]),
    ("br", "10D", "10S 6C", "surrendered", [""]),
    ("mo-shoe", "9D", "2C 3D 4H 2S 5C", "five-cards", []),
    ("mo-shoe", "AD", "2C 3D 4H 2S 5C", "five-cards", ["mo.19.1"]),
    ("mo-shoe", "9D", "2C 3D 4H 2S", "five-cards", ["mo.19.1"]),
    ("mo-shoe", "9D", "2C 3D 4H 2S KC", "five-cards", []),
    ("mo-shoe", "9D", "2C 3D 4H 3S KC", "five-cards", ["mo.19.1"]),
    ("pt-csm", "9D", "2C 3D 4H 2S 5C", "five-cards", [""]),
]


@pytest.mark.parametrize(("profile", "shown", "faces", "ended", "expected"), ENDINGS)
def test_what_ends_a_hand(profile: str, shown: str, faces: str, ended: str, expected: list[str]) -> None:
    assert of(profile, shown, hand(faces, ended=ended)) == expected


def test_cards_drawn_and_not_drawn() -> None:
    assert of("pt-csm", "10D 7C", hand("6S 5H")) == ["pt.bj.18a"]
    assert of("house", "10D 7C", hand("6S 5H")) == ["house.9b"]
    assert of("br", "10D 7C", hand("5S 4H")) == of("mo-shoe", "10D 7C", hand("5S 4H")) == [], "DM-16"
    assert of("pt-csm", "10D 7C", hand("AS 5H")) == of("pt-csm", "10D 7C", hand("AS AH")) == [], "DM-15"
    assert of("pt-csm", "10D 7C", hand("AS 3H 7D 2C")) == ["pt.bj.18b"], "DM-17"
    assert of("br", "10D 7C", hand("AS 3H 7D 2C")) == []
    assert of("br", "10D 7C", hand("KS 8H 7D 2C")) == ["br.play.4"], "a card behind a bust"


BANKS = [
    # the bank, the hand, clause
    ("10D 6C", "10S 8C", ["pt.bj.19a"]),
    ("AD 6C", "10S 8C", []),  # DM-04
    ("AD 6C 2H", "10S 8C", ["pt.bj.19a"]),
    ("AD 2C 4H", "10S 8C", []),
    ("AD 2C 4H 2D", "10S 8C", ["pt.bj.19a"]),
    ("10D 6C", "10S 8C 9D", []),
    ("10D 6C 5H", "10S 8C 9D", ["pt.bj.22b"]),
    ("10D 6C", "AS KC", []),  # a blackjack that waited asks for no third card
    ("10D", "10S 8C", ["pt.bj.19a"]),
    ("AD KC", "10S 8C", []),
]


@pytest.mark.parametrize(("bank", "faces", "expected"), BANKS)
def test_the_banks_cards(bank: str, faces: str, expected: list[str]) -> None:
    assert of("pt-csm", bank, hand(faces)) == expected


def test_an_insurance_asks_for_the_banks_second_card_and_no_third() -> None:
    bust = hand("10S 8C 9D", insured={"A": 10})
    assert of("br", "AD", bust) == ["br.play.8a"]
    assert of("br", "AD 4C", bust) == []
    assert of("br", "AD 4C 5C", bust) == [""], "our reading: no third card"
    assert of("br", "AD", bust, is_void=True) == []


def test_side_bets() -> None:
    sevens, over, under = (SideBet("A", kind, 1, 1000) for kind in ("sevens", "over", "under"))
    pairs = tuple(SideBet("A", "pair", seat, 1000) for seat in (1, 3))
    hands = (hand("10S KH"), hand("10C KD", seat=3))
    assert of("mo-shoe", "10D 7C", *hands, bets=pairs) == of("mo-shoe", "10D 7C", *hands, bets=(over, under)) == []
    assert of("mo-shoe", "10D 7C", *hands, bets=(sevens, over)) == ["mo.13"], "SB-10"
    assert of("mo-shoe", "10D 7C", *hands, bets=(sevens, *pairs)) == ["mo.13"], "SB-11"
    assert of("mo-shoe", "10D 7C", *hands, bets=(sevens._replace(bettor="B"),)) == ["mo.13"], "SB-12"
    assert of("mo-shoe", "10D 7C", *hands, bets=(over._replace(since=1),)) == ["mo.13"], "SB-09"
    late = pairs[0]._replace(since=2)
    split = (hand("10S 9H", begin=1), hand("10C KD", index=2, begin=3))
    assert of("mo-shoe", "10D 7C", *split, bets=(late,)) == ["mo.13"], "SB-02"
    assert of("mo-shoe", "10D 7C", *split, bets=(late,), choices={"later_pairs": "new-stake"}) == []
    assert of("pt-csm", "10D 7C", *hands, bets=(over,)) == [""]


def test_xt_02_at_most_three_bettors_by_the_second_procedure() -> None:
    four = hand("10S KH", stakes=dict.fromkeys("SABC", 10))
    assert of("mo-shoe", "10D 7C", four) == []
    assert of("mo-shoe", "10D 7C", four, choices={"shared_place": 2}) == ["mo.20.1.2"]
    assert of("mo-shoe", "10D 7C", hand("10S KH", stakes=dict.fromkeys("SAB", 10)), choices={"shared_place": 2}) == []


THREE = (hand("8S 9H", index=1), hand("8C 9C", index=2, begin=3), hand("8D 9D", index=3, begin=5))
NO_PAIR = (hand("8S 9H", index=1), hand("9C 9S", index=2, begin=3))
ACES = (hand("AS 9H 2C", index=1), hand("AC 9C", index=2, begin=4))
ALONE = hand("6S 5H KD", stakes={"holder": 20, "Y": 20}, doubled=frozenset("Y"))
INSURED_ALONE = hand("10S KH", stakes={"holder": 20, "Y": 20}, insured={"Y": 10})
DREW = hand("KS 7H 5D 2C")

BY_LAW: list[tuple[str, tuple[Hand, ...], dict[str, str]]] = [
    # the bank, the hands, and the clause by which each law forbids it
    ("10D 7C", (hand("AS KC", ended="even-money"),), {"house": "pt.bj.34"}),
    ("AD 7C", (INSURED_ALONE,), {"pt-csm": "pt.bj.15c", "house": "pt.bj.15c"}),
    ("10D 7C", (ALONE,), {"pt-csm": "pt.bj.30", "house": "house.14", "br": "br.players.2", "mo-csm": "mo.20.1"}),
    ("10D 7C", NO_PAIR, dict.fromkeys(("pt-csm",), "pt.bj.26a") | {"house": "house.10a", "br": "br.pairs.1"}),
    ("10D 7C", ACES, {"pt-csm": "pt.bj.26c", "house": "house.11a", "br": "br.pairs.6a", "mo-csm": "mo.16.3"}),
    ("10D 7C", (DREW,), {"house": "pt.bj.18b", "br": "br.play.4", "mo-csm": "mo.6.4.1"}),
    ("10D 6C", (hand("10S 8C"),), {"house": "pt.bj.19a", "br": "br.play.8a", "mo-csm": "mo.6.1a"}),
    ("10D 6C 5H", (hand("10S 8C 9D"),), {"pt-csm": "pt.bj.22b", "house": "pt.bj.22b", "br": "", "mo-csm": ""}),
]


@pytest.mark.parametrize(("bank", "hands", "by_law"), BY_LAW)
def test_each_law_forbids_it_by_its_own_clause(bank: str, hands: tuple[Hand, ...], by_law: dict[str, str]) -> None:
    assert {profile: set(of(profile, bank, *hands)) for profile in by_law} == {
        profile: {clause} for profile, clause in by_law.items()
    }


def test_what_was_given_up_or_is_void_need_not_go_on() -> None:
    assert of("pt-csm", "10D", hand("6S 5H", ended="surrendered")) == []
    assert of("pt-csm", "10D 7C", hand("6S 5H"), is_void=True) == []
    split = (hand("8S 9H", index=1), hand("8C", index=2, begin=3))
    assert of("mo-csm", "10D 7C", *split, is_void=True) == []
    assert of("mo-csm", "10D 4C 3H", hand("10S 8C"), is_void=True) == []


def test_no_giving_up_behind_a_split_or_a_double() -> None:
    split = (hand("8S 9H", index=1, ended="surrendered"), hand("8C 9C", index=2, begin=3))
    assert of("pt-csm", "10D 7C", *split) == ["pt.bj.36a"]
    doubled = hand("6S 5H", ended="surrendered", doubled=DOUBLED)
    assert of("pt-csm", "10D 7C", doubled) == ["pt.bj.36a", "pt.bj.29a"]


def test_only_aces_are_bound_not_to_be_split_again() -> None:
    once = {"resplit_aces": False}
    assert of("pt-csm", "10D 7C", *THREE, choices=once) == []
    two = (hand("AS 9H", index=1), hand("AC 9C", index=2, begin=3))
    assert of("pt-csm", "10D 7C", *two, choices=once) == []


def test_macaus_first_method_doubles_any_two_cards() -> None:
    for faces in ("AS AH KD", "KS QH AD", "2S 2H KD"):
        assert of("mo-shoe", "10D 7C", hand(faces, doubled=DOUBLED)) == []


def test_an_insurance_lies_on_the_first_hand_and_on_a_stake() -> None:
    split = (hand("8S 9H", index=1), hand("8C 9C", index=2, begin=3, insured={"A": 10}))
    assert of("pt-csm", "AD 7C", *split) == ["pt.bj.33b"]
    assert "pt.bj.33b" in of("pt-csm", "AD 7C", hand("10S 9C", insured={"A": 5, "B": 5}))


def test_a_new_stake_is_for_pairs_alone() -> None:
    late = SideBet("A", "sevens", 1, 1000, since=1)
    assert of("mo-shoe", "10D 7C", hand("7S 7H 7D"), bets=(late,), choices={"later_pairs": "new-stake"}) == ["mo.13"]
