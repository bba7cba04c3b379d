"""Evenings that break the law: for each rule at least one, as small as it can be. The rule's name says what is wrong.

The acts of STEPS, each by a wrong role and at a wrong step, are made in test_rules.py.
"""

from collections.abc import Callable

from simulators.oracles.course import FACES
from tests.oracles.evening import CHIEF, DEALER, MANAGER, Evening

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
    evening.last["refusal"] = {"reason": "no", "rule": "burn_is_done", "clause": "pt.bj.10"}
    return evening


def refused_without_rule() -> Evening:
    return Evening().begin().refused("open-session", DEALER, "", "")


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
    ("only acts are refused", refused_without_rule),
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
    ("duty is open", no_such_duty),
    ("duty is open", duty_twice),
    ("reference is given", no_reference),
)
"""Rule: an evening that breaks it."""
