"""The money of settled rounds, against the worked figures of the law's own texts and of the written scenarios.

Stakes and results are whole currency units here, results as exact fractions.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.oracles.settle import CLAUSES, PAYS, Award, Hand, Round, SideBet, total

UNIT = 100  # cents
CHIPS = (50, 100, 500, 2500)


def hand(faces: str, stake: int = 20, *, seat: int = 1, index: int = 1, begin: int = 1, **options: object) -> Hand:
    """Makes a hand of one bettor "A" whose cards are dealt one after another from number `begin`."""
    options.setdefault("stakes", {"A": stake})
    stakes, insured = (_cents(options.pop(name, {})) for name in ("stakes", "insured"))
    cards = tuple(enumerate(faces.split(), start=begin))
    return Hand(seat, index, stakes, cards, insured=insured, **options)  # type: ignore[arg-type]


def _cents(amounts: object) -> dict[str, int]:
    assert isinstance(amounts, Mapping)
    return {who: round(amount * UNIT) for who, amount in amounts.items()}


def played(profile: str, bank: str, *hands: Hand, bets: tuple[SideBet, ...] = (), **options: object) -> Round:
    return Round(profile, hands, tuple(bank.split()), bets, **options)  # type: ignore[arg-type]


def gains(settled: Round) -> list[Fraction]:
    return [award.gain / UNIT for award in settled.awards()]


def net(settled: Round) -> dict[str, Fraction]:
    found: dict[str, Fraction] = {}
    for award in settled.awards():
        found[award.bettor] = found.get(award.bettor, Fraction(0)) + award.gain / UNIT
    return found


def clauses(settled: Round) -> list[str]:
    return [award.clause for award in settled.awards()]


# ---- the same in every profile (XP)


@pytest.mark.parametrize(
    ("faces", "points"),
    [("AS KH", 21), ("AS 6H", 17), ("AS 6H 9C", 16), ("QS JH AD", 21), ("9S 7H 6D", 22), ("10S 5H 6D", 21),
     ("AS AH", 12), ("AS AH 9D", 21), ("AS AH AC AD", 14), ("AS 2S 4S", 17)],
)  # fmt: skip
def test_xp_01_values(faces: str, points: int) -> None:
    assert total(faces.split()) == points


ROUNDS = {
    # XP-02: faces, bank, the gain of 20
    "19-18": ("10S 9H", "10D 8C", 20),
    "18-19": ("10S 8H", "10D 9C", -20),
    "18-18": ("10S 8H", "10D 8C", 0),
    "blackjack-20": ("AS KH", "10D QC", 30),
    "22-24": ("10S 8H 4C", "10D 4C KC", -20),
    "13-22": ("10S 3H", "10D 4C 8C", 20),
    # PY-03, PY-02
    "blackjack-21": ("AS KH", "10D 5C 6H", 30),
    "21-blackjack": ("9S 7H 5D", "KD AC", -20),
    "both": ("AS KH", "AD QC", 0),
    "18-blackjack": ("10S 8H", "AD QC", -20),
    "21-20": ("9S 7H 5D", "KD QC", 20),
    "21-21": ("9S 7H 5D", "KD 5C 6C", 0),
    "22-blackjack": ("10S 8H 4C", "AD KC", -20),
}
ROUND_CLAUSES = {
    "pt-csm": "pt.bj.23 pt.bj.23 pt.bj.24a pt.bj.21a pt.bj.22a pt.bj.23 pt.bj.21a pt.bj.20a pt.bj.21a pt.bj.23 "
    "pt.bj.23 pt.bj.24a pt.bj.22a",
    "house": "house.18 pt.bj.23 house.19 house.17 house.1 pt.bj.23 house.17 pt.bj.20a house.17 pt.bj.23 house.18 "
    "house.19 house.1",
    "br": "br.play.8c br.play.8c br.play.8c br.play.7 br.play.6 br.play.8b br.play.7 br.play.2 br.play.7 br.play.2 "
    "br.play.8c br.play.8c br.play.6",
    "mo-box": "mo.9 mo.9 mo.11.2 mo.10.2 mo.7.2 mo.9 mo.10.2 mo.10.6a mo.11.1 mo.12.2 mo.10.4 mo.11.2 mo.7.2",
}


@pytest.mark.parametrize("profile", ROUND_CLAUSES)
def test_xp_02_the_same_rounds_in_every_law_each_with_its_own_clause(profile: str) -> None:
    expected = zip(ROUNDS.items(), ROUND_CLAUSES[profile].split(), strict=True)
    for (name, (faces, bank, gain)), clause in expected:
        settled = played(profile, bank, hand(faces))
        assert gains(settled) == [gain], name
        assert clauses(settled) == [clause], name


def test_xp_07_the_house_leaflet() -> None:
    split = (hand("AS KH", index=1, begin=1), hand("AC 5C", index=2, begin=3))
    assert gains(played("house", "10D 9C", *split)) == [20, -20]
    doubled = hand("4S 5H KD", stakes={"X": 20, "Y": 10}, doubled=frozenset("XY"))
    awards = list(played("house", "10D 8C", doubled).awards())
    assert [award.stake / UNIT for award in awards] == [40, 20]
    assert [award.gain / UNIT for award in awards] == [40, 20]
    given_up = played("house", "10D 8C", hand("10S 6H", ended="surrendered"))
    assert (gains(given_up), clauses(given_up)) == ([-10], ["house.16a"])
    insured = played("house", "AD KC", hand("10S 6H", insured={"A": 10}))
    assert (gains(insured), clauses(insured)) == ([-20, 20], ["pt.bj.23", "house.15b"])
    not_won = played("house", "AD 9C", hand("10S 6H", insured={"A": 10}))
    assert (gains(not_won), clauses(not_won)) == ([-20, -10], ["pt.bj.23", "house.15b"])


def test_xp_08_and_09_brazil() -> None:
    insured = played("br", "AD KC", hand("10S 9H", 1000, insured={"A": 500}))
    assert (gains(insured), clauses(insured)) == ([-1000, 1000], ["br.play.2", "br.ins.4"])
    lost = played("br", "AD 9C", hand("10S 9H", 1000, insured={"A": 500}))
    assert (gains(lost), clauses(lost)) == ([-1000, -500], ["br.play.8c", "br.ins.5"])
    aces = (hand("AS 10H", 100, index=1), hand("AC 10C", 100, index=2, begin=3))
    assert gains(played("br", "10D 9C", *aces)) == [100, 100]
    tens = (hand("KS AH", 100, index=1), hand("JC 9C", 100, index=2, begin=3))
    assert gains(played("br", "10D 9C", *tens)) == [100, 0]
    assert gains(played("br", "AD KC", *tens)) == [-100, -100]
    assert gains(played("br", "10D 9C", hand("6S 5H 10D", 100, doubled=frozenset("A")))) == [200]


def test_xp_12_macau() -> None:
    assert gains(played("mo-shoe", "AD KC", hand("10S 9H", 100, insured={"A": 100}))) == [-100, 200]
    kept = played("mo-shoe", "AD KC", hand("AS KH", 100, insured={"A": 100}))
    assert (gains(kept), clauses(kept)) == ([0, 200], ["mo.11.1", "mo.12.2"])
    lost = played("mo-shoe", "AD 7C", hand("10S 9H", 100, insured={"A": 100}))
    assert (gains(lost), clauses(lost)) == ([100, -100], ["mo.9", "mo.12.3"])
    aces = (hand("AS 10H", 100, index=1), hand("AC 5C", 100, index=2, begin=3))
    assert gains(played("mo-shoe", "10D 9C", *aces)) == [100, -100]


# ---- whole rounds (RD, DM)


def test_rd_01_a_complete_round() -> None:
    settled = played(
        "pt-csm", "6C 10H 7S",
        hand("10S 6D", seat=1, stakes={"S1": 20}),
        hand("9H 2S 9D", seat=3, stakes={"S3": 50}, doubled=frozenset({"S3"})),
        hand("AD KC", seat=5, stakes={"S5": 30}),
    )  # fmt: skip
    assert net(settled) == {"S1": 20, "S3": 100, "S5": 45}
    assert sum(net(settled).values()) == 165


def test_dm_01_the_exposed_card_never_counts() -> None:
    assert gains(played("pt-csm", "9D 5C 7D", hand("10S 8C"))) == [-20]


def test_dm_03_the_bank_stays_on_17() -> None:
    assert gains(played("pt-csm", "10D 7C", hand("10S 8C"))) == [20]


def test_dm_09_the_unseen_card_is_the_banks_third() -> None:
    assert gains(played("pt-csm", "10D 6C 5C", hand("10S 8C"))) == [-20]


def test_dm_12_all_busted_needs_no_second_card() -> None:
    settled = played("pt-csm", "10D", hand("10S 8C 4D"), hand("10H 6C 9D", seat=2))
    assert gains(settled) == [-20, -20]


def test_dm_14_blackjack_against_a_low_card_is_paid_though_nobody_knows_the_second() -> None:
    assert gains(played("pt-csm", "6D", hand("AS KC", 30))) == [45]
    for unknown in ("10D", "AD", "KD", "QD", "JD"):
        assert gains(played("pt-csm", unknown, hand("AS KC", 30))) == []


# ---- payments of all kinds: PY


def test_py_01_three_to_two_of_an_odd_amount_is_exact_and_marked_where_no_chip_pays_it() -> None:
    with_half = played("pt-csm", "10D 8C", hand("AS KC", 25), chips=(50, 500))
    without = played("pt-csm", "10D 8C", hand("AS KC", 25), chips=(500, 2500))
    assert gains(with_half) == gains(without) == [Fraction("37.5")]
    assert [award.mark for settled in (with_half, without) for award in settled.awards()] == ["", "no chip"]


def test_a_part_of_a_cent_is_marked_and_never_rounded() -> None:
    odd = Hand(1, 1, {"A": 25}, ((1, "AS"), (2, "KH")))
    [award] = Round("pt-csm", (odd,), ("10D", "8C"), chips=(1,)).awards()
    assert (award.gain, award.mark) == (Fraction(75, 2), "no whole cents")


def test_py_04_split_of_king_and_queen() -> None:
    first, second = hand("KD AC", 40, index=1), hand("QC 9H", 40, index=2, begin=3)
    assert gains(played("pt-csm", "10D KH", first, second)) == [40, -40]
    against_blackjack = played("pt-csm", "AD KH", first, second)
    assert gains(against_blackjack) == [-40, -40]
    assert clauses(against_blackjack) == ["pt.bj.20a", "pt.bj.23"]


def test_py_05_split_aces() -> None:
    assert gains(
        played("pt-csm", "10D 9H", hand("AD KC", 50, index=1), hand("AC 5H", 50, index=2, begin=3))
    ) == [50, -50]  # fmt: skip


def test_py_08_a_double() -> None:
    assert gains(played("pt-csm", "10D 7H", hand("5S 5H 8D", 30, doubled=frozenset("A")))) == [60]


FIXED_ACES = [
    ("pt-csm", "AS 8H 2D", -40),  # PY-10: 11, not 21
    ("pt-csm", "AS 9H AD", 40),  # the second ace is free: 1 + 9 + 11
    ("pt-csm", "8H AS 2D", -40),  # the ace came second
    ("pt-csm", "5S 4H AD", 40),  # a drawn ace is free
    ("house", "AS 8H 2D", -40),
    ("br", "AS 8H 2D", 40),  # no clause fixes it
    ("mo-shoe", "AS 8H 2D", 40),  # mo.8: by the player's choice
]


@pytest.mark.parametrize(("profile", "faces", "gain"), FIXED_ACES)
def test_py_10_an_ace_doubled_on_as_one(profile: str, faces: str, gain: int) -> None:
    assert gains(played(profile, "10D 7H", hand(faces, doubled=frozenset("A")))) == [gain]
    undoubled = played(profile, "10D 7H", hand(faces))
    assert gains(undoubled) == [20], "without doubling every ace is free"


def test_py_14_followers_double_or_not() -> None:
    stakes = {"holder": 20, "Y": 30, "Z": 10}
    settled = played("pt-csm", "10D 9H", hand("6S 5H 9D", stakes=stakes, doubled=frozenset({"holder", "Z"})))
    assert net(settled) == {"holder": 40, "Y": 30, "Z": 20}


def test_a_follower_who_did_not_split_has_the_first_hands_result() -> None:
    """Clause: pt.bj.28b."""
    first = hand("8S 3H 10D", index=1, stakes={"holder": 20, "Y": 30, "Z": 10})
    second = hand("8H 5C 9S", index=2, begin=4, stakes={"holder": 20, "Z": 10})
    assert net(played("pt-csm", "10D 9H", first, second)) == {"holder": 0, "Y": 30, "Z": 0}


INSURANCES = [
    # PY-15, PY-16: insured, bank, main and insurance
    (15, "AD KC", [-30, 30]),
    (10, "AD KC", [-30, 20]),
    (15, "AD 6C", [30, -15]),
]


def test_the_clauses_of_insurance_in_portugal() -> None:
    settled = [played("pt-csm", bank, hand("10S QH", 30, insured={"A": 15})) for bank in ("AD KC", "AD 6C")]
    assert [one[1] for one in map(clauses, settled)] == ["pt.bj.33c", "pt.bj.33c"]


@pytest.mark.parametrize(("insured", "bank", "expected"), INSURANCES)
def test_py_15_insurance(insured: int, bank: str, expected: list[int]) -> None:
    assert gains(played("pt-csm", bank, hand("10S QH", 30, insured={"A": insured}))) == expected


def test_py_18_and_19_even_money() -> None:
    taken = played("pt-csm", "AD", hand("AS KC", 30, ended="even-money"))
    assert (gains(taken), clauses(taken)) == ([30], ["pt.bj.34"])
    assert gains(played("pt-csm", "AD KC", hand("AS KC", 30))) == [0]
    assert gains(played("pt-csm", "AD 9C", hand("AS KC", 30))) == [45]
    in_macau = played("mo-shoe", "10D", hand("AS KC", 30, ended="even-money"))
    assert (gains(in_macau), clauses(in_macau)) == ([30], ["mo.10.3"])
    insured_too = played("mo-shoe", "AD KC", hand("AS KC", 30, ended="even-money", insured={"A": 30}))
    assert gains(insured_too) == [30, 60]


def test_py_20_surrender_costs_half_whatever_the_bank_holds() -> None:
    for bank in ("10D", "10D AC", "10D 5C 9D"):
        assert gains(played("pt-csm", bank, hand("10S 6C", 25, ended="surrendered"))) == [Fraction("-12.5")]


def test_what_was_asked_for_stands_also_where_the_blackjack_would_have_been_paid() -> None:
    assert gains(played("pt-csm", "6D", hand("AS KC", 30, ended="surrendered"))) == [-15]


ASKED = [
    ("pt-csm", "surrendered", "pt.bj.36a"), ("house", "surrendered", "house.16a"), ("mo-csm", "surrendered", "mo.18.1"),
    ("br", "surrendered", ""), ("pt-csm", "even-money", "pt.bj.34"), ("house", "even-money", "pt.bj.34"),
    ("mo-csm", "even-money", "mo.10.3"), ("br", "even-money", ""), ("pt-csm", "five-cards", ""),
    ("house", "five-cards", ""), ("br", "five-cards", ""), ("mo-csm", "five-cards", "mo.19.1"),
]  # fmt: skip


@pytest.mark.parametrize(("profile", "ended", "clause"), ASKED)
def test_what_can_be_asked_for_and_by_which_clause(profile: str, ended: str, clause: str) -> None:
    assert clauses(played(profile, "10D 7C", hand("AS KC", ended=ended))) == [clause]


SPECIAL = [
    # PY-22, PY-23, PY-34: profile, faces, bank, special prize and main
    ("pt-csm", "7S 7D 7H", "10D KC", [60, 20]),
    ("pt-csm", "6H 7H 8H", "KD AC", [60, -20]),
    ("pt-shoe", "8H 6H 7H", "KD AC", [60, -20]),
    ("house", "7S 7D 7H", "10D KC", [60, 20]),
    ("mo-shoe", "7S 7D 7H", "AD 8C", [60, 20]),
    ("br", "7S 7D 7H", "10D KC", [20]),
    ("pt-csm", "6H 7H 8D", "10D KC", [20]),
    ("pt-csm", "7S 7D 6H", "10D KC", [0]),
    ("pt-csm", "7S 7D 7H 7C", "10D KC", [-20]),
]


@pytest.mark.parametrize(("profile", "faces", "bank", "expected"), SPECIAL)
def test_py_22_the_special_prize(profile: str, faces: str, bank: str, expected: list[int]) -> None:
    assert gains(played(profile, bank, hand(faces))) == expected


def test_the_special_prize_is_of_the_stake_before_doubling_and_for_followers_as_the_house_has_it() -> None:
    doubled = hand("7S 7D 7H", doubled=frozenset("A"))
    assert gains(played("mo-shoe", "10D KC", doubled)) == [60, 40]
    assert gains(played("mo-shoe", "10D KC", doubled, choices={"prize_of_doubled": True})) == [120, 40]
    shared = hand("7S 7D 7H", stakes={"holder": 20, "Y": 10})
    assert net(played("pt-csm", "10D KC", shared)) == {"holder": 80, "Y": 40}
    alone = played("pt-csm", "10D KC", shared, choices={"prize_for_followers": False})
    assert net(alone) == {"holder": 80, "Y": 10}
    assert [award.clause for award in alone.awards()] == ["pt.bj.35", "pt.bj.23", "pt.bj.23"]
    split = (hand("7S 7D 7H", index=1), hand("7C 10D", index=2, begin=4))
    assert gains(played("pt-csm", "10D KC", *split)) == [60, 20, -20]


def test_a_doubled_hand_waits_for_the_banks_second_card_as_any_other() -> None:
    assert gains(played("mo-shoe", "10D", hand("6S 5H 9D", doubled=frozenset("A")))) == []


def test_py_29_five_cards() -> None:
    asked = played("mo-shoe", "9D", hand("2C 3D 4H 2S 5C", 100, ended="five-cards"))
    assert (gains(asked), clauses(asked)) == ([50], ["mo.19.1"])
    assert gains(played("mo-shoe", "9D KC", hand("2C 3D 4H 2S 5C", 100))) == [-100]


def test_mo_10_7_the_loss_of_a_doubled_hand_may_be_limited() -> None:
    doubled = hand("6S 5H 9D", 100, doubled=frozenset("A"))
    limited = {"double_against_blackjack": "initial"}
    assert gains(played("mo-shoe", "AD KC", doubled)) == [-200]
    settled = played("mo-shoe", "AD KC", doubled, choices=limited)
    assert (gains(settled), clauses(settled)) == ([-100], ["mo.10.7"])
    assert gains(played("mo-shoe", "10D 5C 6C", doubled, choices=limited)) == [-200], "no blackjack, no limit"
    split = (hand("6S 5H 9D", 100, index=1, doubled=frozenset("A")), hand("6C KD", 100, index=2, begin=4))
    assert gains(played("mo-shoe", "AD KC", *split, choices=limited)) == [-100, -100]
    busted = hand("6S 6H KD", 100, doubled=frozenset("A"))
    assert gains(played("mo-shoe", "AD KC", busted, choices=limited)) == [-200], "it had lost before"


# ---- Macau's side bets (SB), 10 each


def side(kind: str, *hands: Hand, law: str = "mo-shoe", **options: object) -> list[tuple[int, str]]:
    """Returns whole units won and clause for a side bet of 10 at seat 1."""
    choices = options.pop("choices", {})
    bet = SideBet("A", kind, 1, 10 * UNIT, **options)  # type: ignore[arg-type]
    settled = played(law, "10D 9C", *hands, bets=(bet,), choices=choices)
    return [(int(award.gain / UNIT), award.clause) for award in settled.awards() if award.bet == kind]


SIDE_BETS = [
    ("pair", "JS JH", 110, "mo.14.1"),  # SB-01
    ("pair", "JS QH", -10, "mo.13.1"),
    ("sevens", "7S 7H", 500, "mo.14.2.1"),  # SB-03
    ("sevens", "7S 7S", 1500, "mo.14.2.2"),
    ("sevens", "7S 7H 7D", 500, "mo.14.2.1"),  # the third card did not follow a split
    ("sevens", "7S 8H 7D", -10, "mo.13.2"),
    ("over", "10S 4H", 10, "mo.14.3"),  # SB-07
    ("under", "6S 5H", 10, "mo.14.3"),
    ("over", "6S 7H", -10, "mo.13.3"),
    ("under", "6S 7H", -10, "mo.13.3"),
    ("over", "6S 5H", -10, "mo.13.3"),
    ("under", "10S 4H", -10, "mo.13.3"),
    ("under", "AS 2H", 10, "mo.14.3"),  # SB-08
    ("over", "AS KH", -10, "mo.13.3"),
]


@pytest.mark.parametrize(("kind", "faces", "gain", "clause"), SIDE_BETS)
def test_sb_on_the_first_two_cards(kind: str, faces: str, gain: int, clause: str) -> None:
    assert side(kind, hand(faces)) == [(gain, clause)]


def test_sb_08_with_an_ace_as_the_bettor_likes() -> None:
    liked = {"choices": {"over_under_ace": "choice"}}
    assert side("over", hand("AS 3H"), **liked) == side("under", hand("AS 3H"), **liked) == [(10, "mo.14.3")]
    assert side("over", hand("AS 2H"), **liked) == [(-10, "mo.13.3")], "3 or 13, and 13 loses"
    assert side("over", hand("AS AH"), **liked) == side("under", hand("AS AH"), **liked) == [(10, "mo.14.3")]


def test_sb_06_sevens_behind_a_split() -> None:
    def sevens(second: str, third: str) -> list[tuple[int, str]]:
        first_hand = Hand(1, 1, {"A": 1}, ((1, "7S"), (3, third), (5, "4C")))
        return side("sevens", first_hand, Hand(1, 2, {"A": 1}, ((2, second), (4, "7C"))))

    assert sevens("7H", "9D") == [(500, "mo.14.2.1")]
    assert sevens("7S", "9D") == [(1500, "mo.14.2.2")]
    assert sevens("7H", "7D") == sevens("7S", "7D") == [(5000, "mo.14.2.3")]
    assert sevens("7S", "7S") == [(50000, "mo.14.2.4")]


def test_sb_02_a_pair_after_a_split() -> None:
    kings = (Hand(1, 1, {"A": 1}, ((1, "KS"), (3, "KD"))), Hand(1, 2, {"A": 1}, ((2, "KH"), (4, "9C"))))
    again = (  # the new pair is split too, and forms a third
        Hand(1, 1, {"A": 1}, ((1, "KS"), (4, "5C"))),
        Hand(1, 2, {"A": 1}, ((2, "KH"), (6, "9C"))),
        Hand(1, 3, {"A": 1}, ((3, "KD"), (5, "KC"))),
    )
    assert side("pair", *kings) == [(220, "mo.14.1")]
    assert side("pair", *kings, until=2) == [(110, "mo.14.1")], "taken down"
    assert side("pair", *again) == [(330, "mo.14.1")]
    assert side("pair", *again, until=3) == [(220, "mo.14.1")]
    without = (replace(kings[0], cards=((1, "KS"), (3, "QD"))), kings[1])
    assert side("pair", *without) == [(110, "mo.14.1")], "a stake that has won is not lost any more"


def test_sb_02_ten_values_that_a_house_lets_separate_are_no_pair() -> None:
    """J and Q are separated where cards of the same value may be; they win no bet on a pair (mo.13.1.1)."""
    mixed = (Hand(1, 1, {"A": 1}, ((1, "JS"), (5, "8C"))), Hand(1, 2, {"A": 1}, ((2, "QH"), (4, "9C"))))
    assert side("pair", *mixed) == [(-10, "mo.13.1")]
    further = Hand(1, 3, {"A": 1}, ((3, "QD"), (6, "2C")))
    assert side("pair", *mixed, replace(further, split_from=1)) == [(-10, "mo.13.1")]
    assert side("pair", *mixed, replace(further, split_from=2)) == [(110, "mo.14.1")]


def test_sb_02_a_new_stake_for_each_pair() -> None:
    new = {"choices": {"later_pairs": "new-stake"}}
    kings = (Hand(1, 1, {"A": 1}, ((1, "KS"), (3, "KD"))), Hand(1, 2, {"A": 1}, ((2, "KH"), (4, "9C"))))
    assert side("pair", *kings, **new) == [(110, "mo.14.1")]
    assert side("pair", *kings, since=2, **new) == [(110, "mo.14.1")]
    assert side("pair", *kings, since=3, **new) == [(-10, "mo.13.1")]


def test_sb_11_any_pair_on_somebody_elses_hand() -> None:
    bets = tuple(SideBet("A", "pair", seat, 10 * UNIT) for seat in (1, 3))
    settled = played("mo-shoe", "10D 9C", hand("JS QH"), hand("JC JD", seat=3, stakes={"B": 20}), bets=bets)
    assert [(one.bettor, one.seat, one.gain / UNIT) for one in settled.awards() if one.bet == "pair"] == [
        ("A", 1, -10),
        ("A", 3, 110),
    ]


# ---- Brazil's worked game (BR)

SEVEN = {"A": "6C 6D 2H 4S", "B": "AS JS", "C": "KH QC", "D": "6H 5S KD", "E": "5D 3C 4H 2S 9C", "F": "3S 3H 4D 9D",
         "G": "10C JD"}  # fmt: skip


def worked_game(bank: str = "AD 4C 4H") -> Round:
    hands = [
        hand(faces, 1000, seat=seat, stakes={who: 1000}, doubled=frozenset("D" if who == "D" else ""),
             insured={who: 500} if who in "ADEF" else {})
        for seat, (who, faces) in enumerate(SEVEN.items(), start=1)
    ]  # fmt: skip
    return played("br", bank, *hands)


def test_br_01_the_worked_game() -> None:
    settled = worked_game()
    assert net(settled) == {"A": -1500, "B": 1500, "C": 1000, "D": 1500, "E": -1500, "F": -500, "G": 1000}
    assert -sum(net(settled).values()) == -1500
    won = sum(award.gain for award in settled.awards() if award.gain > 0) / UNIT
    lost = -sum(award.gain for award in settled.awards() if award.gain < 0) / UNIT
    assert (won, lost) == (5500, 4000)
    assert sum(award.gain for award in settled.awards() if award.bet == "insurance") / UNIT == -2000


def test_br_02_the_insurance_stays_when_the_hand_has_bust() -> None:
    of_e = [award for award in worked_game("AD KC").awards() if award.bettor == "E"]
    assert [(award.bet, award.gain / UNIT, award.clause) for award in of_e] == [
        ("main", -1000, "br.play.6"),
        ("insurance", 1000, "br.ins.4"),
    ]


WHAT_IFS = {
    # br.ex.12b: the bank's third card, its points, the house's win
    "2C": (17, -4500),  # A, B, C, D, F and G win: 7,500 against 1,000 of E and 2,000 of insurances
    "3C": (18, -3500),  # A ties
    "4H": (19, -1500),
    "5C": (20, 1500),  # C and G tie, F loses
    "6C": (21, 5500),  # D ties too, C and G lose
}


@pytest.mark.parametrize(("third", "expected"), WHAT_IFS.items())
def test_br_03_the_texts_what_ifs(third: str, expected: tuple[int, int]) -> None:
    settled = worked_game(f"AD 4C {third}")
    assert (total(settled.bank), -sum(net(settled).values())) == expected


@pytest.mark.parametrize(("third", "points"), [("7C", 12), ("8C", 13), ("9C", 14), ("10C", 15), ("KC", 15)])
def test_br_ex_12b_with_a_seven_or_higher_the_ace_is_one_and_the_bank_has_to_draw(third: str, points: int) -> None:
    assert total(worked_game(f"AD 4C {third}").bank) == points < 17


# ---- rounds that are void


def test_a_cancelled_round_in_macau_gives_everything_back() -> None:
    bet = SideBet("A", "pair", 1, 1000)
    settled = played("mo-csm", "AD", hand("7S 7D 7H", insured={"A": 20}), bets=(bet,), is_void=True)
    assert [(one.bet, one.gain, one.clause) for one in settled.awards()] == [
        ("main", 0, "mo.5.1.2b"), ("insurance", 0, "mo.5.1.2b"), ("pair", 0, "mo.5.1.2b"),
    ]  # fmt: skip
    assert gains(played("mo-csm", "10D", hand("10S 6H KD"), is_void=True)) == [0], "a bust too"


def test_a_separator_that_voids_the_round_leaves_what_was_collected() -> None:
    settled = played("br", "AD", hand("10S 6H KD", insured={"A": 10}), hand("9S 6H", seat=2), is_void=True)
    assert [(one.bet, one.gain / UNIT, one.clause) for one in settled.awards()] == [
        ("main", -20, "br.play.6"), ("insurance", 0, "br.dev.3b"), ("main", 0, "br.dev.3b"),
    ]  # fmt: skip


# ---- on average, six decks

RANKS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
SIX_DECKS = 24  # cards of each rank
PUBLISHED = {
    # the house's part of a stake; by hand, and rounded by blackjackfair.com (Side-Bets)
    "over": (Fraction(265, 4043), 0.066),
    "under": (Fraction(407, 4043), 0.10),
    "pair": (Fraction(288 - 11 * 23, 311), None),
}


@pytest.mark.parametrize("kind", PUBLISHED)
def test_side_bets_cost_on_average_what_others_say(kind: str) -> None:
    gained = Fraction(0)
    for one in RANKS:
        for other in RANKS:
            ways = SIX_DECKS * (SIX_DECKS - (one == other))
            gained += side(kind, hand(f"{one}S {other}H"))[0][0] * ways
    exact, published = PUBLISHED[kind]
    assert -gained / 10 / (312 * 311) == exact
    assert published is None or float(exact) == pytest.approx(published, abs=0.001)


def test_insurance_costs_on_average_7_4_of_a_hundred() -> None:
    """No other card is known: 96 of 311 cards after the ace are tens, so 23 of 311 of the insurance is lost."""
    gained = Fraction(0)
    for rank in RANKS:
        settled = played("pt-csm", f"AD {rank}C", hand("9S 9H", 20, insured={"A": 10}))
        [insurance] = [one.gain / UNIT for one in settled.awards() if one.bet == "insurance"]
        gained += insurance * (SIX_DECKS - (rank == "A"))
    assert -gained / 10 / 311 == Fraction(23, 311)


# ---- any round

FACES = st.sampled_from([f"{rank}{suit}" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "CDHS"])
HANDS = st.lists(FACES, min_size=2, max_size=6).map(" ".join)


@given(st.sampled_from(["pt-csm", "house", "br", "mo-box"]), HANDS, HANDS, st.integers(1, 500), st.integers(2, 9))
def test_a_stake_so_many_times_as_large_gains_so_many_times_as_much(
    profile: str, faces: str, bank: str, stake: int, times: int
) -> None:
    once = gains(played(profile, bank, hand(faces, stake)))
    assert gains(played(profile, bank, hand(faces, stake * times))) == [gain * times for gain in once]
    assert all(-stake <= gain <= 3 * stake for gain in once)


@given(st.sampled_from(["pt-csm", "house", "br", "mo-box"]), HANDS, HANDS)
def test_bettors_on_one_hand_gain_in_proportion_and_suits_do_not_decide_a_main_bet(
    profile: str, faces: str, bank: str
) -> None:
    shared = list(played(profile, bank, hand(faces, stakes={"A": 10, "B": 30})).awards())
    assert sum(one.gain for one in shared if one.bettor == "B") == 3 * sum(
        one.gain for one in shared if one.bettor == "A"
    )
    spades = " ".join(f"{face[:-1]}S" for face in faces.split())
    main = [
        [one.gain for one in played(profile, bank, hand(cards)).awards() if one.bet == "main"]
        for cards in (faces, spades)
    ]
    assert main[0] == main[1]


# ---- the tables


def test_a_choice_that_the_law_does_not_leave_is_refused() -> None:
    with pytest.raises(ValueError, match="leaves no choice of later_pairs"):
        played("pt-csm", "10D", hand("10S 6C"), choices={"later_pairs": "new-stake"})


def test_every_outcome_has_a_law() -> None:
    assert set(PAYS) == {name for law in CLAUSES.values() for name in law}
    assert set(CLAUSES) == {"pt", "house", "br", "mo"}
    assert all(isinstance(award, Award) for award in worked_game().awards())
