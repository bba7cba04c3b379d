"""The table of checks, the code that runs them one after the other, and the verdict on each duty for a report."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from firmware_protocols.tdp.conform import again_checks as a
from firmware_protocols.tdp.conform import boot_checks as n
from firmware_protocols.tdp.conform import command_checks as c
from firmware_protocols.tdp.conform import dropped_checks as o
from firmware_protocols.tdp.conform import event_checks as e
from firmware_protocols.tdp.conform import frame_checks as f
from firmware_protocols.tdp.conform import full_checks as q
from firmware_protocols.tdp.conform import idle_checks as d
from firmware_protocols.tdp.conform import jam_checks as j
from firmware_protocols.tdp.conform import kind_checks as k
from firmware_protocols.tdp.conform import life_checks as v
from firmware_protocols.tdp.conform import lock_checks as l
from firmware_protocols.tdp.conform import pairing_checks as g
from firmware_protocols.tdp.conform import piece_checks as p
from firmware_protocols.tdp.conform import proof_checks as w
from firmware_protocols.tdp.conform import proven_checks as z
from firmware_protocols.tdp.conform import recount_checks as r
from firmware_protocols.tdp.conform import session_checks as s
from firmware_protocols.tdp.conform import shuffler_checks as u
from firmware_protocols.tdp.conform import shut_checks as h
from firmware_protocols.tdp.conform import silence_checks as i
from firmware_protocols.tdp.conform import slots_checks as t
from firmware_protocols.tdp.conform import start_checks as b
from firmware_protocols.tdp.conform import unopened_checks as y
from firmware_protocols.tdp.conform import walk as x
from firmware_protocols.tdp.conform.book import Break
from firmware_protocols.tdp.conform.duties import (
    COUNT,
    DISPLAY,
    PERMIT,
    SHOE,
    SHUFFLER,
    SLOTS,
    UNTRIED,
    VALUE_DISPLAY,
    WATCHED,
    Untried,
    binds,
)
from firmware_protocols.tdp.conform.line import NOT_THERE, Host
from firmware_protocols.tdp.conform.making import Check, Made, make_check

KIT_VERSION: Final = "15"
"""Raised by one with each change of the checks: a report of an older kit proves less."""

SHOWN: Final = VALUE_DISPLAY | SLOTS

CHECKS: Final = (
    # checks of waiting events, while at least `started` of this boot waits
    Check(e.the_first_event_is_started, ("6.1", "7.7")),
    Check(s.it_is_as_stated, ("17.1",)),
    Check(s.it_says_who_it_is, ("4.11", "4.12")),
    Check(e.events_come_again_as_they_were, ("6.4", "6.9")),
    Check(e.a_slow_host_is_given_time, ("6.11",)),
    Check(e.nobody_is_told_in_silence, ("6.17",)),
    Check(f.an_ack_has_no_payload, ("3.2",)),
    Check(f.nothing_of_another_session_is_acknowledged, ("3.7",)),
    Check(s.a_hello_acknowledges_nothing_else, ("4.9",)),
    Check(e.other_acks_mean_nothing, ("6.13",)),
    Check(e.events_come_again_in_time, ("6.9",), moves=SHUFFLER),
    Check(e.an_event_is_told_until_it_is_acknowledged, ("6.9",)),
    Check(e.other_frames_change_no_time, ("6.9",)),
    Check(e.a_dropped_heartbeat_changes_no_time, ()),
    Check(e.a_hello_again_changes_no_time, ("4.3",)),
    Check(s.events_come_again_in_a_new_session, ("4.6",), moves=SHUFFLER),
    Check(e.the_oldest_is_told, ("6.5", "4.10"), moves=SHUFFLER),
    Check(e.an_ack_makes_the_retry_time_short, ("6.10",), moves=SHUFFLER),
    Check(e.an_ack_of_before_changes_no_time, ("6.13",), moves=SHUFFLER),
    Check(s.a_hello_acknowledges, ("4.8",), moves=SHUFFLER),
    Check(e.acknowledged_events_are_gone, ("6.12", "4.10"), moves=SHUFFLER),
    Check(f.a_tag_is_refused, ("2.2",)),
    Check(p.zeros_and_pieces_do_no_harm, ("2.3",)),
    Check(p.every_byte_is_heard, ("2.3",)),
    Check(f.too_long_a_frame_is_dropped_whole, ("2.4",)),
    Check(f.the_longest_frame_is_heard, ("2.5",)),
    Check(f.damaged_frames_are_dropped, ("2.5",)),
    Check(o.a_crc_of_another_sort_is_wrong, ("2.5",)),
    Check(f.noise_does_no_harm, ("2.7",)),
    Check(o.noise_behind_noise_does_no_harm, ("2.7",)),
    Check(f.many_damaged_frames_do_no_harm, ("2.7",)),
    Check(o.a_dropped_hello_acknowledges_nothing, ("3.2", "3.8")),
    Check(o.what_is_dropped_takes_nothing_with_it, ("2.3", "2.7")),
    Check(f.other_kinds_are_dropped, ("3.2", "3.5")),
    Check(f.payloads_have_their_length, ("3.2", "3.3")),
    Check(f.hello_has_no_boot_and_no_number, ("3.8",)),
    Check(f.other_sessions_are_refused, ("3.5", "4.13")),
    Check(f.nothing_of_another_session_is_executed, ("3.7",)),
    Check(f.another_session_is_no_sign_of_life, ("3.7",), PERMIT, SHUFFLER),
    Check(s.each_hello_is_answered_once, ("4.1",)),
    Check(s.another_major_is_told_ours, ("4.2",)),
    Check(s.another_major_withdraws_nothing, ("4.2",), PERMIT, SHUFFLER),
    Check(s.another_major_is_no_sign_of_life, ("4.2",), PERMIT, SHUFFLER),
    Check(s.another_minor_is_taken, ("4.15",)),
    Check(s.the_same_hello_resets_nothing, ("4.3",)),
    Check(s.the_same_hello_withdraws_nothing, ("4.3",), PERMIT, SHUFFLER),
    Check(s.a_silent_host_is_replaced, ("4.4", "4.7")),
    Check(s.a_new_session_counts_from_one, ("4.5",)),
    Check(s.older_hellos_are_dropped, ("4.7",)),
    Check(s.openings_wrap, ("4.4",)),
    Check(s.refusals_do_not_fill_the_line, ("4.13", "4.14")),
    Check(c.the_next_command_is_executed, ("5.1", "5.9")),
    Check(c.the_last_command_is_not_done_again, ("5.2", "5.5")),
    Check(c.an_answer_again_has_the_status_of_now, ("5.2",), PERMIT, SHUFFLER),
    Check(c.commands_are_counted_beyond_a_byte, ("5.1",)),
    Check(c.other_numbers_are_not_executed, ("5.3",)),
    Check(c.without_a_lock_the_number_counts, ("5.1", "5.2", "5.3", "5.5"), SHOE),
    Check(c.there_is_no_command_0, ("5.4",)),
    Check(c.nonsense_is_a_bad_command, ("5.6",)),
    Check(c.nonsense_withdraws_nothing, ("5.6",), PERMIT, SHUFFLER),
    Check(c.answers_come_at_once, ("5.8",)),
    Check(c.answers_wait_for_no_motor, ("5.8",), SHUFFLER, SHUFFLER),
    Check(c.what_is_answered_ok_comes_true, ("5.9",), PERMIT, SHUFFLER),
    Check(c.what_was_withdrawn_can_be_said_again, ("5.9",), PERMIT, SHUFFLER),
    Check(c.a_query_changes_nothing, ("5.11",)),
    Check(c.a_query_withdraws_nothing, ("5.11",), PERMIT, SHUFFLER),
    Check(v.heartbeats_are_answered, ("7.2",)),
    Check(v.a_reply_ends_the_silence, ("7.3", "9.23")),
    Check(v.the_frame_that_ends_a_silence_is_done, ("4.8", "5.9", "6.12", "7.8"), moves=SHUFFLER),
    Check(v.any_frame_of_the_session_is_a_sign_of_life, ("7.4",)),
    Check(v.a_sign_of_life_keeps_what_is_permitted, ("7.4",), PERMIT, SHUFFLER),
    Check(v.a_slow_disk_is_no_silence, ("7.5", "7.6"), PERMIT, SHUFFLER),
    Check(v.nothing_else_is_a_sign_of_life, ("7.6",)),
    Check(v.an_older_hello_is_no_sign_of_life, ("7.6",), PERMIT, SHUFFLER),
    Check(v.silence_locks, ("7.6", "7.8", "9.12"), PERMIT, SHUFFLER),
    Check(i.a_long_silence_stays_one, ("7.6",)),
    Check(l.a_session_begins_locked, ("9.11", "9.17"), PERMIT, SHUFFLER),
    Check(l.what_a_silence_leaves, ("9.12",), SHUFFLER),
    Check(l.a_new_session_withdraws_behind_a_silence, ("7.8",), PERMIT, SHUFFLER),
    Check(l.protections_stay, ("9.18", "9.24"), PERMIT),
    Check(l.what_is_shown_stays, ("13.4", "14.8"), SHOWN),
    Check(k.a_shoe_locks, ("5.9", "11.4"), SHOE),
    Check(k.one_that_cannot_lock_says_so, ("11.1",), SHOE),
    Check(k.the_amount_is_read_back, ("12.1", "12.2"), DISPLAY),
    Check(k.the_markers_are_read_back, ("13.1",), VALUE_DISPLAY),
    Check(t.the_lamps_of_slots_obey, ("14.6",), SLOTS),
    Check(t.a_collection_is_made_once, ("14.2", "14.4", "14.5", "14.6"), SLOTS),
    Check(u.the_lamp_obeys, ("10.8",), SHUFFLER),
    Check(u.an_older_count_locks, ("10.17",), SHUFFLER, SHUFFLER),
    Check(u.a_jam_to_come_is_not_ended, ("10.15",), SHUFFLER),
    Check(u.served_requests_are_served, ("10.23",), SHUFFLER),
    # checks that move cards
    Check(r.a_recount_is_told, ("10.20", "10.21"), SHUFFLER, SHUFFLER),
    Check(r.a_recount_is_taken_back, ("10.23",), SHUFFLER, SHUFFLER),
    Check(l.a_recount_is_withdrawn, ("9.20",), SHUFFLER, SHUFFLER),
    Check(r.the_recount_comes_first, ("10.21", "10.22", "10.24"), SHUFFLER, SHUFFLER),
    Check(u.cards_go_out_before_they_come_in, ("10.24",), SHUFFLER, SHUFFLER),
    Check(u.one_card_is_one_card, ("10.1", "10.3", "10.16", "6.3"), SHUFFLER, SHUFFLER),
    Check(u.cards_go_one_by_one, ("10.15", "10.16", "6.3"), SHUFFLER, SHUFFLER),
    Check(l.the_mouth_is_shut, ("9.21",), SHUFFLER, SHUFFLER),
    Check(u.unloading_goes_on, ("10.3", "10.19"), SHUFFLER, SHUFFLER),
    Check(u.cards_are_taken_in, ("10.18",), SHUFFLER, SHUFFLER),
    Check(v.a_silence_is_taken_in_any_motion, ("7.6",), SHUFFLER, SHUFFLER),
    # checks that need hands
    Check(c.an_answer_again_counts_the_events_of_now, ()),
    Check(e.events_that_join_put_nothing_off, ()),
    Check(i.silence_is_said, ("7.6",)),
    Check(i.hands_are_told_behind_a_silence, (), SHUFFLER | SHOE | SLOTS, SHUFFLER),
    Check(i.one_that_cannot_lock_says_its_silence, ("9.25",), SHOE),
    Check(h.behind_a_lock_no_card_passes, ("5.10",), COUNT, SHUFFLER),
    Check(k.each_passage_is_reported, ("11.5", "6.3"), SHOE),
    Check(k.an_error_is_raised_and_cleared, ("11.9", "11.10"), SHOE),
    Check(t.a_chip_is_told_and_taken_in, ("14.2", "14.4", "14.5"), SLOTS),
    Check(u.an_open_lid_refuses, ("9.22", "10.12", "10.25", "10.33", "10.34"), SHUFFLER, SHUFFLER),
    Check(l.the_lid_locks, ("9.15", "9.17", "10.33"), SHUFFLER, SHUFFLER),
    Check(l.a_jam_locks, ("9.14", "9.17"), SHUFFLER, SHUFFLER),
    Check(
        j.a_jam_is_ended_by_people_alone,
        (
            *("10.4", "10.5", "10.6", "10.7", "10.8", "10.9", "10.11", "10.15"),
            *("10.25", "10.27", "10.28", "10.29", "10.31", "10.33", "9.22"),
        ),
        SHUFFLER,
        SHUFFLER,
    ),
    Check(a.a_refusal_is_kept, ("5.2",), SHUFFLER, SHUFFLER),
    Check(a.a_refused_word_for_a_jam_is_kept, ("5.2",), SHUFFLER, SHUFFLER),
    Check(j.a_second_jam_needs_its_own_word, ("10.7", "10.15"), SHUFFLER, SHUFFLER),
    Check(j.a_new_session_leaves_a_jam, ("9.18", "10.30"), SHUFFLER, SHUFFLER),
    Check(
        q.forty_eight_lock_it,
        ("6.15", "9.13", "9.17", "9.23", "10.13", "11.3", "11.4", "12.5", "13.5", "14.9"),
        moves=SHUFFLER,
    ),
    Check(q.sixty_four_are_kept, ("4.8", "6.6", "6.7", "6.8", "6.12", "6.16")),
    Check(q.events_are_counted_beyond_a_byte, ()),
    Check(g.a_key_is_taken_by_hands_alone, ("18.13", "18.14", "18.15", "18.16")),
    Check(
        w.a_paired_device_proves_itself,
        ("18.1", "18.2", "18.4", "18.5", "18.6", "18.7", "18.8", "18.9", "18.10"),
        moves=SHUFFLER,
    ),
    Check(g.a_card_is_covered, ("18.11", "18.12"), SHOE),
    Check(g.a_key_outlives_a_start, ("18.4", "18.17", "18.19")),
    Check(g.a_start_ends_the_minute, ("18.13",)),
    Check(b.counts_survive_a_start, ("9.5",), COUNT),
    Check(n.before_its_first_session_it_refuses, ("4.13", "9.1")),
    Check(n.a_start_without_a_word_is_a_boot, ("9.1",)),
    Check(y.before_its_first_session_it_waits, ("4.13", "7.7", "9.26")),
    Check(b.each_start_is_a_boot, ("7.7", "9.1", "9.26")),
    Check(b.an_error_outlives_a_start, (), SHOE),
    Check(b.a_start_begins_locked, ("9.16",), PERMIT, SHUFFLER),
    Check(t.a_collection_number_survives, ("14.3",), SLOTS),
    Check(t.a_collection_number_has_two_bytes, ("14.4",), SLOTS),
    Check(b.what_a_start_shows, ("12.2", "12.4", "13.3", "14.7"), DISPLAY | SHOWN),
    Check(b.a_lit_lamp_outlives_a_start, ("9.19",), SHUFFLER),
    Check(j.a_jam_outlives_a_start, ("10.30",), SHUFFLER, SHUFFLER),
    Check(j.a_jams_end_outlives_a_start, ("9.5", "9.19"), SHUFFLER, SHUFFLER),
    Check(j.a_jam_in_a_jam_has_its_own_number, ("10.6", "10.8", "10.27"), SHUFFLER, SHUFFLER),
    Check(k.a_fault_is_told_once, ("12.1", "12.3", "13.1", "13.2"), DISPLAY | VALUE_DISPLAY),
    Check(k.a_mended_panel_shows_no_old_amount, ("12.2",), DISPLAY),
    Check(k.a_stuck_panel_shows_no_fault_picture, ("12.1", "12.3"), DISPLAY),
    Check(k.a_stuck_fault_picture_stays, ("12.1", "12.3"), DISPLAY),
    Check(u.an_unloading_outlasts_the_cards, ("10.15", "10.19"), SHUFFLER, SHUFFLER),
    Check(d.what_waits_is_withdrawn, (), SHUFFLER, SHUFFLER),
    # checks after which the device's numbers begin anew
    Check(j.a_jam_outlives_lost_counts, ("9.7", "10.30"), SHUFFLER, SHUFFLER),
    Check(b.each_card_is_stored, ("9.5",), SHUFFLER, SHUFFLER),
    Check(u.unknown_counts_release_nothing, ("9.22", "10.14", "10.20", "10.34"), SHUFFLER, SHUFFLER),
    Check(b.lost_counts_are_said, ("9.7", "11.2"), COUNT),
    Check(t.a_collection_of_0_behind_0_is_none, (), SLOTS),
    Check(g.a_key_outlives_lost_numbers, ()),
    # checks in a proven session, and of any order of acts
    Check(z.a_paired_device_keeps_what_others_keep, (), moves=SHUFFLER, of_unbroken=True),
    Check(x.a_walk_finds_nothing_else, (), of_unbroken=True),
    Check(x.a_paired_walk_finds_nothing_else, (), of_unbroken=True),
)

NUMBERS: Final = tuple(
    sorted(
        {*UNTRIED, *WATCHED, *(number for check in CHECKS for number in check.tries)},
        key=lambda number: tuple(map(int, number.split("."))),
    )
)
"""The number of each duty, in the text's order."""


# --- making the checks


def make_checks(host: Host, *, only: Collection[str] = ()) -> Iterator[Made]:
    """Runs the checks of this kind of device one after the other, and yields each once it is made or skipped. Each
    leaves the device locked.

    `only`: names of checks, or numbers of duties, to which the run is limited; empty for all checks.
    """
    is_broken = False
    for check in CHECKS:
        if host.schema.kind not in check.kinds or (only and not {check.name, *check.tries} & set(only)):
            continue
        if host.schema.kind in check.moves and not host.moves:
            yield Made(check, skipped="cards-would-move")
            continue
        if check.of_unbroken and (is_broken or host.watch.breaks):
            yield Made(check, skipped="broken-on-the-way")
            continue
        made = make_check(check, host)
        is_broken |= made.broken is not None
        yield made


# --- the report


class Status(StrEnum):
    """The verdict on a duty in one word."""

    KEPT = "kept"
    BROKEN = "broken"
    NOT_TRIED = "not-tried"


_NOT_ASKED: Final = "not-asked-for"
CAME_ONCE: Final = "came-once"
LINE_STALLED: Final = "line-stalled"


class Verdict(Struct, frozen=True, gc=False):
    """The verdict on one duty. `why`: the finding, or the key of the reason why the duty was not tried; `frames`: the
    frames before the finding, in words.
    """

    number: str
    status: Status
    why: str = ""
    frames: tuple[str, ...] = ()


def verdicts(host: Host, made: Iterable[Made], *, only: Collection[str] = ()) -> list[Verdict]:
    """Returns the verdict on each duty. A duty's first break counts, even if another check of it ends well.

    `only`: as for `make_checks`.
    """
    all_made = list(made)
    breaks = dict(host.watch.breaks)
    for one in all_made:
        if one.broken is not None:
            breaks.setdefault(one.broken.duty, one.broken)
    asked = {number for number in NUMBERS if not only or number in only or UNTRIED.get(number) is Untried.HOST}
    return [_verdict(number, host, breaks, all_made, is_asked=number in asked) for number in NUMBERS]


def _verdict(number: str, host: Host, breaks: Mapping[str, Break], made: list[Made], *, is_asked: bool) -> Verdict:
    if found := breaks.get(number):
        return Verdict(number, Status.BROKEN, found.found, tuple(found.frames))
    if stalled := host.watch.stalled.get(number):
        return Verdict(number, Status.NOT_TRIED, f"{LINE_STALLED}:{stalled.found}", tuple(stalled.frames))
    if once := host.watch.once.get(number):
        return Verdict(number, Status.NOT_TRIED, f"{CAME_ONCE}:{once.found}", tuple(once.frames))
    why = _why_not(number, host, [one for one in made if number in one.check.tries], is_asked=is_asked)
    return Verdict(number, Status.NOT_TRIED if why else Status.KEPT, why)


def _why_not(number: str, host: Host, made: list[Made], *, is_asked: bool) -> str:
    """Returns the key of the reason why a duty is not proven to be kept. Empty if every check of it has ended well, or
    was skipped for a part that the device lacks.
    """
    if not binds(number, host.schema.kind):
        return "other-kind"
    if number in UNTRIED:
        return UNTRIED[number].value if is_asked else _NOT_ASKED
    if number in WATCHED:
        return "" if number in host.watch.seen else "not-seen"
    if any(one.broken for one in made):
        return "broken-on-the-way"
    skipped = {one.skipped for one in made}
    if skipped == {NOT_THERE, ""}:
        return ""  # kept as far as it shows without that part
    return next((one.skipped for one in made if one.skipped), "" if made else _NOT_ASKED)
