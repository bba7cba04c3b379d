"""The oracles' own lists of acts: an act by its number, its replacement, and the bets and decisions that follow."""

from itertools import count

from simulators.oracles.export_entries import Entry, Refusal
from simulators.oracles.stakes import Book, House, Stakes

HOUSE = House({1: 1, 2: 2}, splits_followed=False, doubles_followed=True, chips_are_said=True)
BETS = (("place-bet", {"seat": 1, "amount": 2000}), ("place-bet", {"seat": 1, "bettor": 8, "amount": 1000}))
_SEQ = count(1)


def entry(
    kind: str, body: dict[str, object], person: int = 11, role: str = "dealer", *, refused: bool = False
) -> Entry:
    refusal = Refusal("guard", None, "rule") if refused else None
    seq = next(_SEQ)
    return Entry(seq, 1, 0, 0, True, seq, kind, {**body, "person": person, "role": role}, None, refusal, "")


def fact(kind: str) -> Entry:
    return entry(kind, {})._replace(body={})


def book_of(*acts: tuple[str, dict[str, object]]) -> Book:
    book = Book()
    for kind, body in acts:
        assert book.take(entry(kind, body)) == ""
    return book


def put_right(book: Book, **values: object) -> str:
    """Makes a correction by a dealer and a chief supervisor; returns the fault in the correction, or ""."""
    assert book.take(entry("correct-entry", values)) == ""
    return book.take(entry("correct-entry", values, 21, "chief_supervisor"))


def stakes(book: Book) -> Stakes:
    return book.stakes(HOUSE)


def test_an_act_stands_with_another_value() -> None:
    book = book_of(*BETS)
    assert put_right(book, entry=1, amount=5000, instead=None) == ""
    assert [dict(hand.stakes) for hand in stakes(book).hands] == [{"1": 5000, "8": 1000}]


def test_an_act_is_taken_back_and_stands_again() -> None:
    book = book_of(*BETS, ("double-down", {"seat": 1}))
    assert stakes(book).hands[0].doubled == {"1", "8"}
    put_right(book, entry=3)
    assert not stakes(book).hands[0].doubled
    put_right(book, entry=3, instead="surrender")
    assert stakes(book).hands[0].ended == "surrendered"


def test_facts_and_refused_acts_have_no_number() -> None:
    book = book_of(BETS[0])
    for one in (fact("card-read"), entry("place-bet", {"seat": 2, "amount": 1000}, refused=True)):
        book.take(one)
    book.take(entry("place-bet", {"seat": 2, "amount": 1000}))
    put_right(book, entry=2, amount=3000)
    assert [dict(hand.stakes) for hand in stakes(book).hands] == [{"1": 2000}, {"2": 3000}]


def test_one_person_alone_and_two_dealers_put_nothing_right() -> None:
    book = book_of(*BETS)
    for person in (11, 11, 12):
        book.take(entry("correct-entry", {"entry": 1, "amount": 5000}, person))
    book.step()
    book.take(entry("correct-entry", {"entry": 1, "amount": 5000}, 21, "chief_supervisor"))
    assert (book.corrected, dict(stakes(book).hands[0].stakes)) == (0, {"1": 2000, "8": 1000})


def test_a_number_that_no_act_of_the_round_has_is_told() -> None:
    book = book_of(*BETS)
    book.end_round()
    assert put_right(book, entry=3, amount=5000) != ""
    assert put_right(book, entry=1, amount=5000) == ""
    book.take(entry(*BETS[0]))
    assert put_right(book, entry=2, amount=5000) != ""


def test_several_acts_are_taken_back_at_once() -> None:
    book = book_of(*BETS, ("double-down", {"seat": 1}))
    assert put_right(book, entry=2, also=[3]) == ""
    (hand,) = stakes(book).hands
    assert (dict(hand.stakes), hand.doubled) == ({"1": 2000}, frozenset())
    assert put_right(book, entry=1, also=[9]) != ""


def test_a_correction_that_names_an_act_too_many_changes_none() -> None:
    book = book_of(*BETS)
    assert put_right(book, entry=1, also=[2, 9]) != ""
    assert [dict(hand.stakes) for hand in stakes(book).hands] == [{"1": 2000, "8": 1000}]


def test_an_act_is_added_at_its_place_and_has_the_next_number() -> None:
    book = book_of(*BETS, ("announce-no-more-bets", {}))
    for person, role in ((11, "dealer"), (21, "chief_supervisor")):
        values: dict[str, object] = {"before": 3, "adds": "place-bet", "seat": 2, "amount": 3000}
        assert book.take(entry("add-entry", values, person, role)) == ""
    assert [dict(hand.stakes) for hand in stakes(book).hands][1:] == [{"2": 3000}]
    assert put_right(book, entry=4, amount=4000) == ""
    assert [dict(hand.stakes) for hand in stakes(book).hands][1:] == [{"2": 4000}]


def test_nothing_is_paid_before_differences_are_confirmed() -> None:
    book = book_of(*BETS)
    book.differs = True
    assert book.take(entry("confirm-settled", {})) != ""
    book.take(entry("confirm-differences", {}))
    assert book.differs
    book.take(entry("confirm-differences", {}, 21, "chief_supervisor"))
    assert book.take(entry("collect-cards", {})) == ""


def test_a_pair_is_separated_with_those_who_follow() -> None:
    followed = book_of(*BETS, ("split-pair", {"seat": 1, "others": [8]}))
    alone = book_of(*BETS, ("split-pair", {"seat": 1, "others": None}))
    assert [dict(hand.stakes) for hand in stakes(followed).hands] == [{"1": 2000, "8": 1000}] * 2
    assert [dict(hand.stakes) for hand in stakes(alone).hands] == [{"1": 2000, "8": 1000}, {"1": 2000}]


def test_chips_count_once_all_are_collected() -> None:
    book = book_of(*BETS, ("place-jackpot-bet", {"seat": 1}), ("place-jackpot-bet", {"seat": 2}))
    assert stakes(book).jackpot_bets == 0
    book.take(entry("collect-jackpot-bets", {"seats": [1]}))
    assert stakes(book).jackpot_bets == 0
    book.take(entry("collect-jackpot-bets", {"seats": None}))
    assert stakes(book).jackpot_bets == 2
    put_right(book, entry=4)
    assert stakes(book).jackpot_bets == 1
