"""The recount follows each hand: what is collected early lies in the rack, and what comes next is whose it is."""

from collections import Counter
from collections.abc import Callable

import pytest

from simulators.books.journal_book import JournalBook
from simulators.books.recount_shoe import recount
from tests.oracles.evening import CHIEF, DEALER, Evening
from tests.oracles.good_corrections import turns_behind_collected_hands
from tests.oracles.shoe_evening import ShoeEvening


def book_of(evening: Evening, *at: int) -> JournalBook:
    return recount(at, has_shuffler=evening.setup["procedure"]["machine"] == "shuffler").run(evening.export().entries)


def places(evening: Evening) -> dict[str, int]:
    """Where the recount has the cards at the end; places without one are left out."""
    return {place: cards for place, cards in book_of(evening).places.items() if cards}


def test_each_hand_that_is_collected_early_lies_in_the_rack() -> None:
    """The burnt card, two cards of seat 3, then three of seat 1."""
    evening = turns_behind_collected_hands()
    at = [seq for seq, row in enumerate(evening.rows, 1) if row["kind"] == "collect-hand"]
    seen = [book_of(evening, *at).snapshots[seq] for seq in at]
    assert [(snapshot["rack"], snapshot["table"]) for snapshot in seen] == [(3, 6), (6, 4)]
    assert book_of(evening).places == Counter({"inside": 52})


def further_cards_behind_a_collected_hand() -> Evening:
    evening = Evening().in_play().deal(1, 2).act("collect-hand", DEALER, seat=1)
    return evening.act("draw-card", DEALER, seat=2).draw("3C").act("collect-hand", DEALER, seat=2)


def by_word_and_taken_back() -> Evening:
    """Seat 1's third card was not dealt: it is still inside, and comes again."""
    evening = ShoeEvening.of("mo-box").in_play().announced(1, 2)
    for _ in range(6):
        evening.stated()
    evening.act("draw-card", DEALER, seat=1).stated().act("retract-card", DEALER).stated()
    for position in (1, 2):
        evening.act("turn-card", DEALER, seat=1, position=position, card="2C", salt=None, seal_differs=False)
    return evening.act("collect-hand", DEALER, seat=1)


def burnt_before_the_banks_second() -> Evening:
    """Its second, whoever's cards are gone by then."""
    evening = ShoeEvening.of("mo-shoe", burn_each_round="start-and-second", burn_each_deck=True).in_play()
    evening.announced(1).draw("9D").draw("9C").draw("8C").act("draw-card", DEALER, seat=0).draw("7C").ended()
    evening.announced(1).draw_down("2D").draw("9D").draw("9C").draw("8C").act("collect-hand", DEALER, seat=1)
    return evening.act("draw-card", DEALER, seat=0).draw_down("3D").draw("7C")


def closed_over_a_card_on_the_table() -> Evening:
    evening = Evening().in_play().lost("shoe").attend(1).counted(table=1).connect().clear(1).confirm(1)
    return evening.act("indicate-closing", CHIEF)


@pytest.mark.parametrize(
    ("evening", "wanted"),
    [
        (further_cards_behind_a_collected_hand, {"inside": 44, "rack": 6, "table": 2}),
        (by_word_and_taken_back, {"inside": 44, "burnt": 1, "rack": 3, "table": 4}),
        (burnt_before_the_banks_second, {"inside": 41, "burnt": 3, "rack": 6, "table": 2}),
        (closed_over_a_card_on_the_table, {"inside": 51, "rack": 1}),
    ],
)
def test_places_after_hands_are_collected(evening: Callable[[], Evening], wanted: dict[str, int]) -> None:
    assert places(evening()) == wanted
