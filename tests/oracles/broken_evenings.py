"""Evenings that break the law: for each rule at least one, as small as it can be. The rule's name says what is wrong.

The acts of STEPS, each by a wrong role and at a wrong step, are made in test_rules.py.
"""

from collections.abc import Callable

from simulators.oracles.course import FACES
from tests.oracles.evening import CHIEF, DEALER, MANAGER, TECHNICIAN, Evening

AWAY_MS = 200_000
"""Longer than a presence lasts."""


def playing() -> Evening:
    """The cards are dealt: seat 1 and the bank."""
    return Evening().in_play().deal(1)


def jammed() -> Evening:
    return playing().jam()


def changed(evening: Evening, back: int, **body: object) -> Evening:
    """The body of an entry, counted from the end, is another one."""
    evening.rows[-back]["body"] |= body
    return evening


# --- the record


def another_number() -> Evening:
    evening = Evening().begin()
    evening.last["seq"] = 9
    return evening


def table_time_back() -> Evening:
    evening = Evening().begin()
    evening.last["table_ms"] -= 15
    return evening


def table_time_jumps() -> Evening:
    evening = Evening().begin()
    evening.ms += 3_600_000  # somebody set the wall clock
    return evening.act("sign-out", DEALER)


def time_went_on_while_down() -> Evening:
    evening = Evening().begin()
    evening.ms += 60_000
    return evening.start()


def no_start() -> Evening:
    evening = Evening().begin()
    evening.boot = 2
    return evening.connect()


def two_starts_in_one() -> Evening:
    evening = Evening().begin().start()
    evening.last["boot"] = 1
    return evening


def old_start() -> Evening:
    return changed(Evening().begin().start(), 1, start_number=1)


def five_decks() -> Evening:
    evening = Evening().start()
    return changed(evening, 1, setup=evening.last["body"]["setup"] | {"decks": 5})


def one_packet_is_enough() -> Evening:
    evening = Evening().start()
    setup = evening.last["body"]["setup"]
    return changed(evening, 1, setup=setup | {"parameters": setup["parameters"] | {"min_packets": 1}})


def taken_twice() -> Evening:
    evening = Evening().in_play()
    evening.numbers["shuffler"] -= 1
    return evening.shuffler("lid-closed")


def taken_twice_after_a_restart() -> Evening:
    evening = Evening().in_play().start().connect()
    evening.numbers["shuffler"] -= 5
    return evening.shuffler("card-retried", {"place": "feed", "tries": 1})


def older_start_of_a_device() -> Evening:
    evening = Evening().in_play()
    evening.boots["shoe"], evening.numbers["shoe"] = 0, 50
    return evening.event("shoe", "reader-error-raised", {"code": 1})


def event_skipped() -> Evening:
    evening = Evening().in_play()
    evening.numbers["shuffler"] += 1
    return evening.shuffler("lid-closed")


def missed_what_was_taken() -> Evening:
    evening = Evening().in_play()
    return evening.add("events-missed", {"device": "shuffler", "first": 1, "last": evening.numbers["shuffler"]})


def another_source() -> Evening:
    return changed(Evening().in_play(), 1, source={"boot": 1, "number": 77})


def refused_fact() -> Evening:
    evening = Evening().in_play()
    evening.last["refusal"] = {"reason": "no", "clause": "pt.bj.10"}
    return evening


def refused_without_clause() -> Evening:
    return Evening().begin().refused("open-session", DEALER, "no", "")


def nobody_acts() -> Evening:
    return changed(Evening().begin().act("open-session", DEALER), 1, person=0)


def another_dealer() -> Evening:
    return changed(Evening().begin().act("open-session", DEALER), 1, person=12)


# --- opening, loading, closing


def packet_two_alone() -> Evening:
    evening = Evening().begin().mixed().loading().packet().wait(AWAY_MS)
    return evening.act("open-packet", CHIEF)


def packet_after_signing_out() -> Evening:
    return Evening().begin().mixed().loading().packet().act("sign-out", CHIEF).act("open-packet", CHIEF)


def packet_after_a_restart() -> Evening:
    return Evening().begin().mixed().loading().packet().start().connect().act("open-packet", CHIEF)


def loading_by_an_inspector() -> Evening:
    evening = Evening().begin().mixed().act("sign-in", "table_inspector", operation="loading")
    return evening.act("begin-loading", DEALER)


def fed_alone() -> Evening:
    return Evening().begin().mixed().loading().act("open-packet", CHIEF).card_in().wait(AWAY_MS).card_in()


def unloading_alone() -> Evening:
    return Evening().in_play().act("indicate-closing", DEALER).act("begin-unloading", DEALER)


def completed_alone() -> Evening:
    return Evening().in_play().unloading().wait(AWAY_MS).unloaded()


def unloaded_alone() -> Evening:
    return Evening().in_play().unloading().draw("AC").act("sign-out", CHIEF).wait(6_000).draw("2C")


def no_deck_set() -> Evening:
    return Evening().begin().act("open-session", DEALER).act("confirm-display", DEALER)


def refused_deck_set() -> Evening:
    evening = Evening().in_play().unloading().unloaded(FACES[:51]).act("confirm-deck-check", DEALER)
    evening.act("propose-irregular-closing", CHIEF).act("confirm-irregular-closing", MANAGER)
    return evening.act("open-session", DEALER).act("number-deck-set", CHIEF, deck_set=1)


def loaded_on_top() -> Evening:
    evening = Evening()
    evening.machine = evening.machine.__class__(inside=3)
    return evening.begin().mixed().loading()


def loaded_twice() -> Evening:
    return Evening().in_play().loading()


def one_packet() -> Evening:
    return Evening().begin().mixed().loading().packet(52).act("complete-loading", DEALER)


def one_card_short() -> Evening:
    return Evening().begin().mixed().loading().packet(26).packet(25).act("complete-loading", DEALER)


def packet_closed_twice() -> Evening:
    return Evening().begin().mixed().loading().packet().act("close-packet", CHIEF)


def packet_opened_twice() -> Evening:
    return Evening().begin().mixed().loading().act("open-packet", CHIEF).act("open-packet", CHIEF)


def loading_with_an_open_packet() -> Evening:
    evening = Evening().begin().mixed().loading().packet().act("open-packet", CHIEF).card_in(26)
    return evening.act("complete-loading", DEALER)


def cards_left_inside() -> Evening:
    return Evening().in_play().unloading().draw("AC").act("complete-unloading", DEALER)


def fed_while_the_decks_are_checked() -> Evening:
    return Evening().in_play().whole_round().unloading().unloaded().card_in().act("confirm-deck-check", DEALER)


def card_in_a_hand() -> Evening:
    evening = Evening().in_play().add("device-lost", {"device": "shoe", "reason": "port-lost"}).attend(1)
    evening.act("state-cards-moved", CHIEF, source="rack", target="in_hand", count=1)
    return evening.connect().clear(1).confirm(1).unloading().unloaded()


def pending_at_the_closing() -> Evening:
    evening = Evening().in_play().draw_down("AC").attend(1).clear(1).confirm(1)
    return evening.unloading().unloaded()


def opened_over_a_short_deck() -> Evening:
    evening = Evening().in_play().unloading().unloaded(FACES[:51]).act("confirm-deck-check", DEALER)
    return evening.act("open-session", DEALER)


def opened_over_a_doubled_card() -> Evening:
    evening = Evening().in_play().unloading().unloaded((*FACES[:51], "AC")).act("confirm-deck-check", DEALER)
    return evening.act("open-session", DEALER)


def one_person_closes() -> Evening:
    evening = jammed().act("propose-irregular-closing", CHIEF).act("confirm-irregular-closing", MANAGER)
    return changed(evening, 1, person=21)


def nobody_proposed() -> Evening:
    return jammed().act("confirm-irregular-closing", MANAGER)


def nothing_is_wrong() -> Evening:
    return Evening().in_play().act("propose-irregular-closing", CHIEF)


def no_such_duty() -> Evening:
    return Evening().in_play().act("report-duty", MANAGER, duty=1, reference="SRIJ 1")


def duty_twice() -> Evening:
    evening = playing().act("report-damaged-card", DEALER, card="9D").attend(1)
    evening.act("replace-card", CHIEF, replacement="9D").confirm(1)
    report = {"duty": 1, "reference": "SRIJ 1"}
    return evening.act("report-duty", MANAGER, **report).act("report-duty", MANAGER, **report)


def no_reference() -> Evening:
    evening = playing().act("report-damaged-card", DEALER, card="9D").attend(1)
    evening.act("replace-card", CHIEF, replacement="9D").confirm(1)
    return evening.act("report-duty", MANAGER, duty=1, reference=" ")


# --- the round


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
    evening = playing().collected().act("begin-putting-back", DEALER)
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


# --- holds: what waits for their end


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


BROKEN: tuple[tuple[str, Callable[[], Evening]], ...] = (
    ("export is whole", another_number),
    ("table time grows", table_time_back),
    ("table time is no wall clock", table_time_jumps),
    ("table time stands while down", time_went_on_while_down),
    ("start comes first", no_start),
    ("start comes first", two_starts_in_one),
    ("start is a new one", old_start),
    ("setup is the profile's", five_decks),
    ("setup is the profile's", one_packet_is_enough),
    ("event taken once", taken_twice),
    ("event taken once", taken_twice_after_a_restart),
    ("event taken once", older_start_of_a_device),
    ("no event skipped", event_skipped),
    ("missed is what was not taken", missed_what_was_taken),
    ("source is the event's", another_source),
    ("only acts are refused", refused_fact),
    ("only acts are refused", refused_without_clause),
    ("act has a person", nobody_acts),
    ("dealer at table", another_dealer),
    ("chief supervisor at loading", packet_two_alone),
    ("chief supervisor at loading", packet_after_signing_out),
    ("chief supervisor at loading", packet_after_a_restart),
    ("chief supervisor at loading", loading_by_an_inspector),
    ("loading is watched", fed_alone),
    ("chief supervisor at unloading", unloading_alone),
    ("chief supervisor at unloading", completed_alone),
    ("unloading is watched", unloaded_alone),
    ("deck set is numbered", no_deck_set),
    ("deck set is not refused", refused_deck_set),
    ("machine is empty before loading", loaded_on_top),
    ("loaded once", loaded_twice),
    ("packets are enough", one_packet),
    ("all cards are loaded", one_card_short),
    ("packet is open", packet_closed_twice),
    ("packet is closed", packet_opened_twice),
    ("packet is closed", loading_with_an_open_packet),
    ("machine is empty", cards_left_inside),
    ("machine is empty", fed_while_the_decks_are_checked),
    ("nothing is forgotten", card_in_a_hand),
    ("nothing is forgotten", pending_at_the_closing),
    ("deck check was regular", opened_over_a_short_deck),
    ("deck check was regular", opened_over_a_doubled_card),
    ("two people close", one_person_closes),
    ("two people close", nobody_proposed),
    ("beyond mending", nothing_is_wrong),
    ("beyond mending", proposal_outlived_its_cause),
    ("duty is open", no_such_duty),
    ("duty is open", duty_twice),
    ("reference is given", no_reference),
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
