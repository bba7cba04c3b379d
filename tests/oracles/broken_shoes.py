"""Evenings at a shoe or a box that break the law: for each rule at least one, as small as it can be."""

from collections.abc import Callable

from tests.oracles.evening import CHIEF, DEALER, INSPECTOR, Evening
from tests.oracles.good_shoes import few_cards
from tests.oracles.shoe_evening import ShoeEvening


def shoe() -> ShoeEvening:
    """Its cards are mixed, and nobody sits at the table."""
    return ShoeEvening.of("pt-shoe").begin().mixed().players()


def box() -> ShoeEvening:
    """Nothing counts its cards; the burn lies aside."""
    return ShoeEvening.of("mo-box", has_reader=False).in_play()


def numbered(profile: str) -> Evening:
    return ShoeEvening.of(profile).begin().act("open-session", DEALER).act("number-deck-set", CHIEF, deck_set=1)


def supervisor_decides_in_brazil() -> Evening:
    """A complaint about the shoe's cards, which is the inspector's to settle."""
    evening = ShoeEvening.of("br").in_play().deal(1)
    return evening.act("record-complaint", DEALER, seat=1).act("decide-complaint", CHIEF, upheld=False)


# --- what a table has not


def shoe_loaded_like_a_shuffler() -> Evening:
    return shoe().act("begin-loading", DEALER)


def shuffler_filled_by_hand() -> Evening:
    return Evening().begin().mixed().act("fill-shoe", DEALER)


def shuffler_gathered() -> Evening:
    return Evening().in_play().act("gather-cards", DEALER)


def displayed_in_brazil() -> Evening:
    return numbered("br").act("confirm-display", DEALER)


def counted_in_portugal() -> Evening:
    return numbered("pt-shoe").act("confirm-count", DEALER, counted=[52])


def mixed_for_a_shuffler_of_macau() -> Evening:
    evening = Evening.of("mo-csm").begin().act("open-session", DEALER).act("number-deck-set", CHIEF, deck_set=1)
    return evening.act("confirm-mixing", DEALER)


def one_by_one_in_portugal() -> Evening:
    return numbered("pt-shoe").act("confirm-display", DEALER).act("shuffle-deck", DEALER, deck=1, passes=3)


def cut_for_a_shuffler() -> Evening:
    return Evening().begin().mixed().act("confirm-cut", INSPECTOR, seat=0)


def warning_card_in_a_box() -> Evening:
    return ShoeEvening.of("mo-box").begin().mixed().players().cut().marked()


def warning_card_in_one_deck() -> Evening:
    return ShoeEvening.of("mo-shoe").begin().mixed().players().cut().marked()


def last_round_of_a_shuffler() -> Evening:
    return Evening().in_play().act("announce-last-round", DEALER)


def spread_in_macau() -> Evening:
    return ShoeEvening.of("mo-shoe").in_play().act("spread-cards", DEALER)


def stated_beside_a_shuffler() -> Evening:
    return Evening().in_play().announced(1).act("confirm-card-dealt", DEALER)


# --- opening and cut


def mixed_unseen() -> Evening:
    return numbered("pt-shoe").act("confirm-mixing", DEALER)


def loaded_unseen() -> Evening:
    evening = Evening().begin().act("open-session", DEALER).act("number-deck-set", CHIEF, deck_set=1)
    return evening.loading()


def loaded_unmixed() -> Evening:
    return Evening.of("pt-csm", opening_check="none").begin().act("open-session", DEALER).loading()


def deck_of_51() -> Evening:
    return numbered("br").act("confirm-count", DEALER, counted=[51])


def counted_in_brazil() -> Evening:
    return numbered("br").act("confirm-count", DEALER, counted=[52])


def deck_two_of_one() -> Evening:
    return counted_in_brazil().act("shuffle-deck", DEALER, deck=2, passes=3)


def deck_shuffled_twice() -> Evening:
    evening = counted_in_brazil().act("shuffle-deck", DEALER, deck=1, passes=3)
    return evening.act("shuffle-deck", DEALER, deck=1, passes=3)


def two_passes() -> Evening:
    return counted_in_brazil().act("shuffle-deck", DEALER, deck=1, passes=2)


def not_shuffled() -> Evening:
    return counted_in_brazil().act("confirm-mixing", DEALER)


def next_shoe_of_brazil() -> ShoeEvening:
    """The first one is over: its cards are together."""
    evening = ShoeEvening.of("br").in_play().announced(1).draw("9D").draw("9C").last_round()
    return evening.draw("8C").ended().act("gather-cards", DEALER).act("shuffle-deck", DEALER, deck=1, passes=3)


def next_shoe_uncounted() -> Evening:
    return next_shoe_of_brazil().act("confirm-mixing", DEALER)


def mixed_over_a_complaint() -> Evening:
    evening = ShoeEvening.of("pt-shoe").in_play().deal(1).turn().ended().act("spread-cards", DEALER)
    return evening.act("record-complaint", DEALER, seat=1).act("confirm-mixing", DEALER)


def player_at_two_seats() -> Evening:
    return ShoeEvening.of("pt-shoe").begin().mixed().players(2, 2)


def nobody_said_who_plays() -> Evening:
    return ShoeEvening.of("pt-shoe").begin().mixed().cut()


def cut_out_of_turn() -> Evening:
    return ShoeEvening.of("pt-shoe").begin().mixed().players(2, 4).cut(4)


def same_seat_cuts_again() -> Evening:
    evening = ShoeEvening.of("pt-shoe").begin().mixed().players(2, 4).cut(2).filled().burnt()
    return evening.deal(2).last_round().turn().ended().act("gather-cards", DEALER).act("confirm-mixing", DEALER).cut(2)


def turn_goes_on_after_an_interruption() -> Evening:
    evening = ShoeEvening.of("pt-shoe").begin().mixed().players(2, 4).cut(2).filled().burnt()
    return evening.act("spread-cards", DEALER).act("confirm-mixing", DEALER).cut(4)


def inspector_cuts_before_a_player() -> Evening:
    return ShoeEvening.of("pt-shoe").begin().mixed().players(2).cut(0)


def who_refused_cuts() -> Evening:
    evening = ShoeEvening.of("mo-shoe").begin().mixed().players(2, 4).act("refuse-cut", DEALER, seat=2)
    return evening.cut(2)


def refused_for_nobody() -> Evening:
    return shoe().act("refuse-cut", DEALER, seat=0)


def dealer_cuts_in_portugal() -> Evening:
    return shoe().act("confirm-cut", DEALER, seat=0)


def inspector_says_a_player_cut() -> Evening:
    return ShoeEvening.of("pt-shoe").begin().mixed().players(2).act("confirm-cut", INSPECTOR, seat=2)


# --- the warning card and the last round


def all_behind_the_warning_card() -> Evening:
    return shoe().cut().marked(52)


def less_than_a_round_behind() -> Evening:
    return ShoeEvening.of("br").begin().mixed().players(1, 2).cut(1).marked(5)


def filled_without() -> Evening:
    return shoe().cut().act("fill-shoe", DEALER)


def out_twice() -> Evening:
    return ShoeEvening.of("pt-shoe").in_play().warning_card().act("report-warning-card", DEALER)


def announced_before_it_is_out() -> Evening:
    return ShoeEvening.of("pt-shoe").in_play().act("announce-last-round", DEALER)


def settled_unannounced() -> Evening:
    return ShoeEvening.of("pt-shoe").in_play().deal(1).warning_card().turn().settled()


def dealt_unannounced() -> Evening:
    return ShoeEvening.of("pt-shoe").in_play().warning_card().announced(1)


def few_cards_unannounced() -> Evening:
    return few_cards().ended()


def few_cards_played_on() -> Evening:
    return few_cards().act("announce-last-round", DEALER).ended().act("take-bets", DEALER, seats=[1])


def enough_cards_announced() -> Evening:
    return ShoeEvening.of("mo-shoe").in_play().announced(1).act("announce-last-round", DEALER)


def played_on() -> Evening:
    evening = ShoeEvening.of("pt-shoe").in_play().deal(1).last_round().turn().ended()
    return evening.act("take-bets", DEALER, seats=[1])


def second_round_out_of_a_box() -> Evening:
    return box().announced(1).voided().act("take-bets", DEALER, seats=[1])


def warning_card_between_rounds() -> Evening:
    """One more is played, and no other (pt.bj.11c)."""
    return ShoeEvening.of("pt-shoe").in_play().last_round().deal(1).turn().ended().act("take-bets", DEALER, seats=[1])


def gathered_early() -> Evening:
    return ShoeEvening.of("pt-shoe").in_play().deal(1).turn().ended().act("gather-cards", DEALER)


def two_places_and_no_count() -> Evening:
    evening = ShoeEvening.of("pt-shoe").in_play().announced(1).draw("9D").warning_card().draw("9C").warning_card()
    return evening.act("take-bets", DEALER, seats=[1])


def abandoned_after_a_round() -> Evening:
    evening = ShoeEvening.of("pt-shoe").in_play().deal(1).turn().ended().act("spread-cards", DEALER)
    return evening.act("confirm-mixing", DEALER).act("abandon-opening", DEALER)


# --- rounds


def bets_in_the_deal() -> Evening:
    return Evening().in_play().announced(1).act("take-bets", DEALER, seats=[1, 2])


def bets_behind_the_card() -> Evening:
    evening = Evening.of("house", bets_close="own-first-card").in_play().announced(3).draw("9D")
    return evening.act("take-bets", DEALER, seats=[1, 3])


def bets_taken_back_in_the_deal() -> Evening:
    evening = Evening.of("house", bets_close="own-first-card").in_play().announced(3, 4)
    return evening.act("take-bets", DEALER, seats=[3, 5])


def settled_face_down() -> Evening:
    evening = ShoeEvening.of("mo-shoe", player_cards="down").in_play().announced(1).draw_down("KH").draw("9C")
    return evening.draw_down("KH").settled()


def players_card_with_a_face() -> Evening:
    return ShoeEvening.of("mo-shoe", player_cards="down").in_play().announced(1).draw("9D")


def card_of_another_seat_turned() -> Evening:
    evening = ShoeEvening.of("mo-shoe", player_cards="down").in_play().announced(1).draw_down("KH").draw("9C")
    return evening.draw_down("KH").shown(2, 1)


def burn_of_the_second_round_left_out() -> Evening:
    """The card that should have been burnt lies at a seat, with its face."""
    evening = ShoeEvening.of("mo-shoe", burn_each_round="start").in_play().announced(1)
    evening.draw("9D").draw("9C").draw("8C").ended()
    return evening.announced(1).draw("2D")


def four_burnt_in_brazil() -> Evening:
    evening = ShoeEvening.of("br").begin().mixed().players().cut().filled()
    return evening.draw_down("2C").draw_down("3C").draw_down("4C").draw_down("5C").announced(1)


def out_of_the_shoe_unowed() -> Evening:
    return ShoeEvening.of("pt-shoe").in_play().draw_down("5H").act("take-bets", DEALER, seats=[1])


# --- counts


def stated_unowed() -> Evening:
    return box().stated()


def counted_twice() -> Evening:
    return box().act("call-for-count", DEALER).act("call-for-count", DEALER)


def blind_and_played_on() -> Evening:
    return box().announced(1).start().stated()


def counted_without_the_shoe() -> Evening:
    return ShoeEvening.of("pt-shoe").in_play().lost("shoe").attend(1).counted(rack=1)


def retracted_twice() -> Evening:
    return box().announced(1).stated().act("retract-card", DEALER).act("retract-card", DEALER)


def renamed_though_nobody_named_it() -> Evening:
    evening = box().announced(1)
    for _ in range(4):
        evening.stated()
    return evening.act("rename-card", DEALER, seat=1, position=1, card="9H")


def retracted_though_it_was_read() -> Evening:
    return ShoeEvening.of("pt-shoe").in_play().announced(1).draw("9D").act("retract-card", DEALER)


def grid_of_a_back_that_is_not() -> Evening:
    evening = ShoeEvening.of("pt-shoe").in_play().emptied()
    return evening.act("enter-grid", DEALER, counts=[1] * 52, foreign=0, back=1)


def one_back_of_two() -> Evening:
    evening = ShoeEvening.of("pt-shoe", decks=2, back_colours=2).in_play().emptied()
    return evening.act("enter-grid", DEALER, counts=[1] * 52, foreign=0, back=1).act("confirm-deck-check", DEALER)


def cards_of_the_other_back() -> Evening:
    """Together they are two whole decks; by their backs they are not."""
    evening = ShoeEvening.of("pt-shoe", decks=2, back_colours=2).in_play().emptied()
    evening.act("enter-grid", DEALER, counts=[2, 0] + [1] * 50, foreign=0, back=1)
    evening.act("enter-grid", DEALER, counts=[0, 2] + [1] * 50, foreign=0, back=2)
    return evening.act("confirm-deck-check", DEALER).act("open-session", DEALER)


BROKEN_SHOES: tuple[tuple[str, Callable[[], Evening]], ...] = (
    ("complaint by the authority", supervisor_decides_in_brazil),
    ("table has a shuffler", shoe_loaded_like_a_shuffler),
    ("table has shoe or box", shuffler_filled_by_hand),
    ("table has shoe or box", shuffler_gathered),
    ("table has a display at the opening", displayed_in_brazil),
    ("table has a count at the opening", counted_in_portugal),
    ("table has mixing by hand", mixed_for_a_shuffler_of_macau),
    ("table has decks shuffled one by one", one_by_one_in_portugal),
    ("table has a cut", cut_for_a_shuffler),
    ("table has a warning card", warning_card_in_a_box),
    ("table has a warning card", warning_card_in_one_deck),
    ("table has a last round", last_round_of_a_shuffler),
    ("table has spreading", spread_in_macau),
    ("table has cards that people state", stated_beside_a_shuffler),
    ("cards are shown before mixing", mixed_unseen),
    ("cards are shown before mixing", loaded_unseen),
    ("cards are mixed before loading", loaded_unmixed),
    ("decks are whole", deck_of_51),
    ("deck is to be shuffled", deck_two_of_one),
    ("deck is to be shuffled", deck_shuffled_twice),
    ("passes are enough", two_passes),
    ("each deck is shuffled", not_shuffled),
    ("cards are counted again", next_shoe_uncounted),
    ("no complaint waits when cards are mixed", mixed_over_a_complaint),
    ("players sit once", player_at_two_seats),
    ("players are stated", nobody_said_who_plays),
    ("cut goes in turn", cut_out_of_turn),
    ("cut goes in turn", same_seat_cuts_again),
    ("cut goes in turn", turn_goes_on_after_an_interruption),
    ("cut goes in turn", inspector_cuts_before_a_player),
    ("cut goes in turn", who_refused_cuts),
    ("cut goes in turn", refused_for_nobody),
    ("cut by the right person", dealer_cuts_in_portugal),
    ("cut by the right person", inspector_says_a_player_cut),
    ("warning card lies right", all_behind_the_warning_card),
    ("warning card lies right", less_than_a_round_behind),
    ("warning card is placed", filled_without),
    ("warning card is inside", out_twice),
    ("warning card is out", announced_before_it_is_out),
    ("warning card is out", enough_cards_announced),
    ("last round is announced", few_cards_unannounced),
    ("shoe is not over", few_cards_played_on),
    ("last round is announced", settled_unannounced),
    ("last round is announced", dealt_unannounced),
    ("shoe is not over", played_on),
    ("shoe is not over", second_round_out_of_a_box),
    ("shoe is not over", warning_card_between_rounds),
    ("cards may be shuffled", gathered_early),
    ("waits for the end of count", two_places_and_no_count),
    ("nothing was played", abandoned_after_a_round),
    ("bets are open", bets_in_the_deal),
    ("bets are open", bets_behind_the_card),
    ("bets are open", bets_taken_back_in_the_deal),
    ("players' cards are shown", settled_face_down),
    ("face down has no face", players_card_with_a_face),
    ("card lies face down", card_of_another_seat_turned),
    ("face down has no face", burn_of_the_second_round_left_out),
    ("burnt before the deal", four_burnt_in_brazil),
    ("waits for the end of unexpected-card", out_of_the_shoe_unowed),
    ("stated card is owed", stated_unowed),
    ("count is called once", counted_twice),
    ("waits for the end of count", blind_and_played_on),
    ("machine has counted", counted_without_the_shoe),
    ("card was read off", renamed_though_nobody_named_it),
    ("last card was said", retracted_though_it_was_read),
    ("grid of one back", grid_of_a_back_that_is_not),
    ("every back is counted", one_back_of_two),
    ("deck check was regular", cards_of_the_other_back),
    ("last card can change", retracted_twice),
)
"""Rule: an evening that breaks it."""
