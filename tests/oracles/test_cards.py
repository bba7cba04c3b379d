"""The oracle of physical cards: each card is in one place with its own face, and the table's claims are true."""

from collections.abc import Mapping

import pytest

from simulators.oracles.cards import Checkpoint, Listing, check_cards, counts_in

DECK = {1: "AS", 2: "KH", 3: "10D", 4: "AS", 5: "2C"}
LISTING: dict[str, list[tuple[int, str]]] = {
    "slots": [(1, "AS"), (2, "KH")],
    "buffer": [(3, "10D")],
    "rack": [(4, "AS")],
    "spare": [(5, "2C")],
    "hopper": [],
}
CLAIM = {"inside": 3, "rack": 1, "total": 4}


def rules(listing: Listing, claim: Mapping[str, int] = CLAIM, *, is_settled: bool = True) -> list[str]:
    look = Checkpoint("at the end", listing, 7, {"status": claim}, is_settled)
    found = check_cards(DECK, [look])
    assert all(violation.entry == 7 for violation in found)
    return [violation.rule for violation in found]


def test_cards_that_are_where_they_are_said_to_be() -> None:
    assert rules(LISTING) == []
    assert counts_in(LISTING) == {"inside": 3, "rack": 1, "spare": 1, "hopper": 0}


def test_a_card_in_two_places() -> None:
    assert rules(LISTING | {"aside": [(4, "AS")]}, CLAIM | {"pending": 1}) == ["no card twice"]


def test_a_card_twice_in_one_place() -> None:
    assert rules(LISTING | {"rack": [(4, "AS"), (4, "AS")]}, CLAIM | {"rack": 2}) == ["no card twice"]


def test_a_card_that_is_nowhere() -> None:
    assert rules(LISTING | {"spare": []}) == ["no card missing"]


def test_a_card_that_nobody_brought_in() -> None:
    assert rules(LISTING | {"spare": [(5, "2C"), (9, "AS")]}) == ["no card from elsewhere"]


def test_a_card_that_has_changed_its_face() -> None:
    assert rules(LISTING | {"rack": [(4, "AH")]}) == ["no face changes"]


@pytest.mark.parametrize("claim", [CLAIM | {"rack": 0}, CLAIM | {"table": 1}, {}])
def test_a_claim_that_is_not_true(claim: Mapping[str, int]) -> None:
    assert set(rules(LISTING, claim)) == {"places agree"}


def test_no_claim_is_due_while_something_moves() -> None:
    assert rules(LISTING, {}, is_settled=False) == []
    assert rules(LISTING | {"rack": [], "hopper": [(4, "AS")]}) == []


def test_a_violation_names_both_figures_and_the_moment() -> None:
    look = Checkpoint("after round 3", LISTING, 7, {"journal": {"inside": 2, "rack": 2}}, is_settled=True)
    texts = [str(violation) for violation in check_cards(DECK, [look])]
    assert texts == [
        "entry 7: places agree (DESIGN 4): after round 3: journal: 2 inside; expected 3, by hand",
        "entry 7: places agree (DESIGN 4): after round 3: journal: 2 rack; expected 1, by hand",
    ]
