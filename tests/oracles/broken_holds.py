"""Evenings that go on over a hold, or end it against the law: for each rule at least one, as small as it can be."""

from collections.abc import Callable

from tests.oracles.broken_evenings import jammed, playing
from tests.oracles.evening import CHIEF, DEALER, MANAGER, TECHNICIAN, Evening

# --- their ends: what waits for their end


def in_a_jam() -> Evening:
    return jammed().act("draw-card", DEALER, seat=1)


def bet_in_a_jam_that_is_only_cleared() -> Evening:
    evening = Evening().in_play().jam().attend(1).freed().clear(1).released().recounted(50)
    return evening.act("take-bets", DEALER, seats=[1])


def jam_seen_in_figures_alone() -> Evening:
    return playing().heard(jammed=True, jams=4, path_blocked=True).settled()


def under_an_open_lid() -> Evening:
    return playing().shuffler("lid-opened", lid_open=True).act("draw-card", DEALER, seat=1)


def after_a_lid_under_another_hold() -> Evening:
    evening = Evening().in_play().draw_down("5H").attend(1).shuffler("lid-opened", lid_open=True)
    evening.shuffler("lid-closed", lid_open=False).recounted(50)
    evening.act("state-cards-moved", CHIEF, source="pending", target="rack", count=1).clear(1).confirm(1)
    return evening.act("take-bets", DEALER, seats=[1])


def another_shuffler_uncounted() -> Evening:
    evening = Evening().in_play().lost()
    evening.numbers["shuffler"], evening.boots["shuffler"] = 0, 9
    return evening.connect(shuffler="S2").attend(1).clear(1).confirm(1).act("take-bets", DEALER, seats=[1])


def unloading_completed_without_the_machine() -> Evening:
    """By hand only after an irregular closing."""
    return Evening().in_play().unloading().lost().act("complete-unloading", DEALER)


def checked_under_an_open_lid() -> Evening:
    evening = Evening().in_play().whole_round().unloading().unloaded().shuffler("lid-opened", lid_open=True)
    return evening.act("confirm-deck-check", DEALER)


def with_a_card_that_nobody_owes() -> Evening:
    return Evening().in_play().draw_down("5H").act("take-bets", DEALER, seats=[1])


def with_a_second_card_of_one_opening() -> Evening:
    return (
        Evening()
        .in_play()
        .announced()
        .card_out()
        .card_out()
        .wait(2_000)
        .timer("join")
        .act("name-card", DEALER, card="9D")
        .act("indicate-closing", DEALER)
    )


def after_a_reconnect() -> Evening:
    evening = Evening().in_play().add("device-lost", {"device": "shoe", "reason": "port-lost"})
    return evening.connect().act("take-bets", DEALER, seats=[1])


def after_a_reboot() -> Evening:
    evening = Evening().in_play()
    evening.boots["shuffler"], evening.numbers["shuffler"] = 2, 0
    return evening.connect().act("take-bets", DEALER, seats=[1])


def device_that_never_came() -> Evening:
    return Evening().in_play().start().timer("devices").act("take-bets", DEALER, seats=[1])


def journal_that_failed() -> Evening:
    evening = Evening().in_play().add("journal-failed", {"reason": "disk full"}).add("journal-restored", {})
    return evening.act("take-bets", DEALER, seats=[1])


def counts_that_differ() -> Evening:
    return Evening().in_play().heard(inside=50).wait(2_000).timer("counts").act("take-bets", DEALER, seats=[1])


def put_back_short() -> Evening:
    return playing().collected().put_back(4).act("take-bets", DEALER, seats=[1])


def card_slipped_in() -> Evening:
    return Evening().in_play().card_in().act("take-bets", DEALER, seats=[1])


def unread_card() -> Evening:
    evening = playing().act("draw-card", DEALER, seat=1).card_out().read()
    return evening.settled()


def damaged_card() -> Evening:
    return playing().act("report-damaged-card", DEALER, card="9D").act("draw-card", DEALER, seat=1)


def open_complaint() -> Evening:
    evening = playing().collected().act("record-complaint", DEALER, seat=1)
    return evening.act("begin-putting-back", DEALER)


def second_complaint() -> Evening:
    evening = playing().collected().act("record-complaint", DEALER, seat=1).act("record-complaint", DEALER, seat=2)
    return evening.act("decide-complaint", CHIEF, upheld=True).act("begin-putting-back", DEALER)


def face_of_a_card_that_may_be_late() -> Evening:
    evening = Evening().in_play().announced().card_out().wait(2_000).timer("join")
    return evening.act("name-card", DEALER, card="7H").draw("8H")


def lid_seen_open_in_figures_alone() -> Evening:
    return Evening().in_play().heard(lid_open=True).act("take-bets", DEALER, seats=[1])


def proposal_outlived_its_cause() -> Evening:
    evening = Evening().in_play().jam().attend(1).act("propose-irregular-closing", CHIEF).freed()
    evening.clear(1).released().recounted(50).confirm(1)
    return evening.act("confirm-irregular-closing", MANAGER)


def supervisor_gone() -> Evening:
    evening = Evening().begin().mixed().loading().act("open-packet", CHIEF).card_in().act("sign-out", CHIEF)
    return evening.act("close-packet", CHIEF).act("open-packet", CHIEF)


def supervisor_here_for_something_else() -> Evening:
    evening = Evening().begin().mixed().loading().act("open-packet", CHIEF).card_in().act("sign-out", CHIEF)
    evening.act("close-packet", CHIEF).act("sign-in", CHIEF, operation="unloading")
    return evening.act("open-packet", CHIEF)


def fed_in_a_jam() -> Evening:
    evening = playing().collected().act("begin-putting-back", DEALER).jam(place="feed").attend(1).freed()
    return evening.clear(1).released().card_in()


def drawn_in_a_jam() -> Evening:
    evening = Evening().in_play().announced(1, 2, 3).jam().attend(1).freed().clear(1).released()
    return evening.draw("9D").draw("9C")


# --- holds: who ends them, in which order, on what evidence


def technician_attends_a_jam() -> Evening:
    return jammed().attend(1, TECHNICIAN)


def technician_clears_a_count() -> Evening:
    evening = Evening().in_play().heard(inside=50).wait(2_000).timer("counts").attend(1).recounted(50)
    return evening.counted(rack=2).clear(1, TECHNICIAN)


def cleared_unattended() -> Evening:
    return jammed().shuffler("jam-path-cleared", path_blocked=False).clear(1)


def cleared_after_he_left() -> Evening:
    return jammed().attend(1).freed().act("sign-out", CHIEF).clear(1)


def cleared_though_it_came_again() -> Evening:
    return jammed().attend(1).freed().jam().clear(1)


def confirmed_uncleared() -> Evening:
    return jammed().attend(1).freed().confirm(1)


def technician_clears_uncalled() -> Evening:
    return jammed().attend(1).freed().clear(1, TECHNICIAN)


def technician_called_by_nobody_there() -> Evening:
    return jammed().act("call-technician", CHIEF, hold=1)


def technician_uncalled() -> Evening:
    return jammed().attend(1).act("attest-repair", TECHNICIAN, hold=1)


def technician_no_longer_called() -> Evening:
    evening = jammed().attend(1).act("call-technician", CHIEF, hold=1).attend(1)
    return evening.act("attest-repair", TECHNICIAN, hold=1)


def repair_unattested() -> Evening:
    return jammed().attend(1).act("call-technician", CHIEF, hold=1).freed().clear(1)


def path_blocked() -> Evening:
    return jammed().attend(1).act("state-cards-moved", CHIEF, source="jammed", target="rack", count=1).clear(1)


def lid_still_open() -> Evening:
    return playing().shuffler("lid-opened", lid_open=True).attend(1).clear(1)


def jammed_cards_unstated() -> Evening:
    return jammed().attend(1).shuffler("jam-path-cleared", path_blocked=False).clear(1)


def still_pending() -> Evening:
    return Evening().in_play().draw_down("5H").attend(1).clear(1)


def count_unmade() -> Evening:
    return Evening().in_play().heard(inside=50).wait(2_000).timer("counts").attend(1).recounted(50).clear(1)


def count_not_whole() -> Evening:
    evening = Evening().in_play().heard(inside=50).wait(2_000).timer("counts").attend(1).recounted(50)
    return evening.counted(rack=1).clear(1)


def still_jammed() -> Evening:
    return jammed().attend(1).freed().clear(1).recounted(46).confirm(1)


def not_counted_anew() -> Evening:
    return jammed().attend(1).freed().clear(1).released().confirm(1)


def counts_not_compared() -> Evening:
    return jammed().attend(1).freed().clear(1).released().recounted(45).confirm(1)


def loaded_with_a_card_inside() -> Evening:
    """It went in before the loading, everything was counted, and nobody has taken it out."""
    return Evening().begin().mixed().card_in().attend(1).recounted(1).counted(outside=51).clear(1).confirm(1)


def found_inside_before_the_loading() -> Evening:
    """Only its slots show it, and the opening goes on."""
    return Evening().begin().mixed().heard(inside=1).wait(9_000).act("sign-in", CHIEF, operation="loading")


def read_before_the_shoe_was_filled() -> Evening:
    """A card has come out of the shoe, and nobody minds."""
    evening = Evening.of("pt-shoe").begin().mixed().read(commitment="ab" * 32)
    return evening.act("abandon-opening", DEALER)


def compared_with_nothing() -> Evening:
    return jammed().attend(1).freed().clear(1).released().recounted(46).lost().confirm(1)


def still_in_a_hand() -> Evening:
    evening = jammed().attend(1).freed()
    evening.act("state-cards-moved", CHIEF, source="rack", target="in_hand", count=1)
    return evening.clear(1)


def device_still_gone() -> Evening:
    return Evening().in_play().add("device-lost", {"device": "shoe", "reason": "port-lost"}).attend(1).clear(1)


def journal_still_failing() -> Evening:
    return Evening().in_play().add("journal-failed", {"reason": "disk full"}).attend(1).clear(1)


def damaged_card_stays() -> Evening:
    return playing().act("report-damaged-card", DEALER, card="9D").attend(1).clear(1)


def another_card_for_it() -> Evening:
    evening = playing().act("report-damaged-card", DEALER, card="9D").attend(1)
    return evening.act("replace-card", CHIEF, replacement="9H")


def two_damaged_cards() -> Evening:
    evening = playing().act("report-damaged-card", DEALER, card="9D")
    return evening.act("report-damaged-card", DEALER, card="KH")


def stated_outside_in_play() -> Evening:
    return jammed().attend(1).act("state-cards-moved", CHIEF, source="jammed", target="outside", count=1)


def dealt_card_stated_in_the_rack() -> Evening:
    evening = jammed().attend(1).act("state-cards-moved", CHIEF, source="table", target="in_hand", count=1)
    return evening.act("state-cards-moved", CHIEF, source="in_hand", target="rack", count=1)


def moved_by_nobody() -> Evening:
    return jammed().act("state-cards-moved", CHIEF, source="jammed", target="rack", count=1)


def more_than_were_there() -> Evening:
    return jammed().attend(1).act("state-cards-moved", CHIEF, source="jammed", target="rack", count=2)


def difference_unheld() -> Evening:
    return Evening().in_play().heard(inside=50).wait(4_000).act("sign-in", CHIEF, operation="hold")


def lid_open_and_no_hold() -> Evening:
    evening = Evening().in_play().heard(lid_open=True).attend(1).clear(1).confirm(1)
    return evening.wait(4_000).act("sign-in", CHIEF, operation="hold")


BROKEN_HOLDS: tuple[tuple[str, Callable[[], Evening]], ...] = (
    ("beyond mending", proposal_outlived_its_cause),
    ("waits for the end of jam", in_a_jam),
    ("waits for the end of jam", bet_in_a_jam_that_is_only_cleared),
    ("waits for the end of jam", jam_seen_in_figures_alone),
    ("waits for the end of lid", under_an_open_lid),
    ("waits for the end of lid", after_a_lid_under_another_hold),
    ("other holds are ended", checked_under_an_open_lid),
    ("waits for the end of unexpected-card", with_a_card_that_nobody_owes),
    ("waits for the end of unexpected-card", with_a_second_card_of_one_opening),
    ("waits for the end of device-lost", after_a_reconnect),
    ("waits for the end of device-lost", after_a_reboot),
    ("waits for the end of device-lost", device_that_never_came),
    ("waits for the end of device-lost", unloading_completed_without_the_machine),
    ("waits for the end of journal-fault", journal_that_failed),
    ("waits for the end of unexpected-card", read_before_the_shoe_was_filled),
    ("waits for the end of count", counts_that_differ),
    ("waits for the end of count", put_back_short),
    ("waits for the end of count", card_slipped_in),
    ("waits for the end of count", another_shuffler_uncounted),
    ("waits for the end of unread-card", unread_card),
    ("waits for the end of damaged-card", damaged_card),
    ("waits for the end of complaint", open_complaint),
    ("waits for the end of complaint", second_complaint),
    ("face down has no face", face_of_a_card_that_may_be_late),
    ("waits for the end of lid", lid_seen_open_in_figures_alone),
    ("two people close", proposal_outlived_its_cause),
    ("waits for the end of supervisor-absent", supervisor_gone),
    ("waits for the end of supervisor-absent", supervisor_here_for_something_else),
    ("nothing moves in a jam", fed_in_a_jam),
    ("nothing moves in a jam", drawn_in_a_jam),
    ("attended by the chief supervisor", technician_attends_a_jam),
    ("cleared by the chief supervisor", technician_clears_a_count),
    ("cleared by a technician who was called", technician_clears_uncalled),
    ("attended before it is cleared", cleared_unattended),
    ("attended before it is cleared", cleared_after_he_left),
    ("attended before it is cleared", cleared_though_it_came_again),
    ("cleared before it is confirmed", confirmed_uncleared),
    ("attended before a technician", technician_called_by_nobody_there),
    ("technician was called", technician_uncalled),
    ("technician was called", technician_no_longer_called),
    ("repair is attested", repair_unattested),
    ("path is clear", path_blocked),
    ("lid is closed", lid_still_open),
    ("jammed cards are stated", jammed_cards_unstated),
    ("no card pending", still_pending),
    ("supervised count is made", count_unmade),
    ("supervised count is made", count_not_whole),
    ("machine runs again", still_jammed),
    ("cards are counted anew", not_counted_anew),
    ("counts are compared", counts_not_compared),
    ("counts are compared", compared_with_nothing),
    ("counts are compared", loaded_with_a_card_inside),
    ("difference is held", found_inside_before_the_loading),
    ("no card in hand", still_in_a_hand),
    ("device is there", device_still_gone),
    ("journal is written", journal_still_failing),
    ("damaged card is replaced", damaged_card_stays),
    ("same card for same card", another_card_for_it),
    ("one damaged card at a time", two_damaged_cards),
    ("somebody attends", moved_by_nobody),
    ("moved cards were there", more_than_were_there),
    ("cards stay at the table", stated_outside_in_play),
    ("dealt cards lie on the table", dealt_card_stated_in_the_rack),
    ("difference is held", difference_unheld),
    ("open lid is held", lid_open_and_no_hold),
)
"""Rule: an evening that breaks it."""
