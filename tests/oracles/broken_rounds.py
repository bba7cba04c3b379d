"""Evenings whose rounds break the law: for each rule at least one, as small as it can be."""

from collections.abc import Callable

from tests.oracles.broken_evenings import playing
from tests.oracles.evening import CHIEF, DEALER, Evening


def no_burn() -> Evening:
    return Evening().begin().mixed().loaded().announced()


def seat_nine() -> Evening:
    return Evening().in_play().act("take-bets", DEALER, seats=[9])


def seat_twice() -> Evening:
    return Evening().in_play().act("take-bets", DEALER, seats=[1, 1])


def too_few_inside() -> Evening:
    evening = Evening().in_play()
    for _ in range(3):
        evening.deal(*range(1, 8)).collected().act("leave-in-rack", DEALER)
    return evening.announced(*range(1, 8))


def settled_in_the_deal() -> Evening:
    return Evening().in_play().announced().draw("9D").draw("9C").settled()


def settled_over_a_card_owed() -> Evening:
    return playing().act("draw-card", DEALER, seat=1).settled()


def drawn_before_the_last_is_known() -> Evening:
    return playing().act("draw-card", DEALER, seat=1).card_out().act("draw-card", DEALER, seat=1)


def hand_that_is_not_there() -> Evening:
    return playing().act("collect-hand", DEALER, seat=3)


def drawn_for_another_seat() -> Evening:
    return playing().act("draw-card", DEALER, seat=3)


def burn_with_a_face() -> Evening:
    return Evening().begin().mixed().loaded().draw("2C")


def hole_card_with_a_face() -> Evening:
    return Evening().in_play().announced().draw("9D").draw("9C").draw("9H").draw("KH")


def stray_card_with_a_face() -> Evening:
    return Evening().in_play().draw("5H")


def seat_card_without_its_face() -> Evening:
    return Evening().in_play().announced().draw_down("9D")


def turned_twice() -> Evening:
    return playing().turn().turn()


def turned_without_a_face() -> Evening:
    return playing().act("turn-hole-card", DEALER, card=None, salt=None, seal_differs=False)


def salt_of_a_card_that_was_not_turned() -> Evening:
    return playing().turn("AS")


def another_card_turned() -> Evening:
    return playing().turn("AS").settled()


def half_a_card() -> Evening:
    return playing().act("draw-card", DEALER, seat=1).card_out().wait(5_000).act("sign-in", CHIEF, operation="hold")


def put_back_beside_the_table() -> Evening:
    evening = playing().collected().act("begin-putting-back", DEALER).card_in(5)
    evening.add("device-lost", {"device": "shoe", "reason": "port-lost"}).attend(1).counted(table=1)
    evening.machine = evening.machine.__class__(**{**vars(evening.machine), "inside": 51})
    evening.heard().counted(table=1).connect().clear(1).confirm(1)
    return evening.act("end-putting-back", DEALER)


def complaint_too_late() -> Evening:
    return playing().collected().put_back(5).act("record-complaint", DEALER, seat=1)


def complaint_while_putting_back() -> Evening:
    evening = playing().collected().act("begin-putting-back", DEALER).card_in(1)
    return evening.act("record-complaint", DEALER, seat=1)


def no_complaint_to_decide() -> Evening:
    return playing().act("decide-complaint", CHIEF, upheld=True)


def nothing_to_name() -> Evening:
    return playing().act("name-card", DEALER, card="9D")


def drawn_from_an_empty_machine() -> Evening:
    evening = playing()
    for _ in range(47):
        evening.act("draw-card", DEALER, seat=1).draw("3C")
    return evening.act("draw-card", DEALER, seat=1)


def named() -> Evening:
    """The reader may still tell of the first card, which people have named."""
    evening = Evening().in_play().announced().card_out().wait(2_000).timer("join")
    return evening.act("name-card", DEALER, card="7H")


def drawn_while_an_identity_is_missing() -> Evening:
    return named().told(2).card_out()


def decided_once_too_often() -> Evening:
    evening = Evening().in_play().deal(1, 3).collected()
    for seat in (1, 3, 3):
        evening.act("record-complaint", DEALER, seat=seat)
    for _ in range(3):
        evening.act("decide-complaint", CHIEF, upheld=True)
    return evening


BROKEN_ROUNDS: tuple[tuple[str, Callable[[], Evening]], ...] = (
    ("burnt before the deal", no_burn),
    ("seats exist", seat_nine),
    ("seats exist", seat_twice),
    ("cards are enough", too_few_inside),
    ("a card is inside", drawn_from_an_empty_machine),
    ("nothing is under way", settled_in_the_deal),
    ("nothing is under way", settled_over_a_card_owed),
    ("nothing is under way", drawn_before_the_last_is_known),
    ("seat plays", drawn_for_another_seat),
    ("hand lies", hand_that_is_not_there),
    ("face down has no face", burn_with_a_face),
    ("face down has no face", hole_card_with_a_face),
    ("face down has no face", stray_card_with_a_face),
    ("face up is shown", seat_card_without_its_face),
    ("reader before the next card", drawn_while_an_identity_is_missing),
    ("card lies face down", turned_twice),
    ("card lies face down", turned_without_a_face),
    ("no salt beside a wrong face", salt_of_a_card_that_was_not_turned),
    ("waits for the end of unexpected-card", another_card_turned),
    ("identity in time", half_a_card),
    ("all is put back", put_back_beside_the_table),
    ("complaint is in time", complaint_too_late),
    ("complaint is in time", complaint_while_putting_back),
    ("complaint is open", no_complaint_to_decide),
    ("complaint is open", decided_once_too_often),
    ("card waits for its name", nothing_to_name),
)
"""Rule: an evening that breaks it."""
