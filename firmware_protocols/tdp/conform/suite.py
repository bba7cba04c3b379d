"""The table of checks, the code that runs them one after the other, and the verdict on each duty for a report."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from firmware_protocols.tdp.conform import (
    again_checks,
    boot_checks,
    command_checks,
    dropped_checks,
    event_checks,
    frame_checks,
    full_checks,
    idle_checks,
    jam_checks,
    kind_checks,
    life_checks,
    lock_checks,
    meanwhile_checks,
    no_session_checks,
    pairing_checks,
    piece_checks,
    proof_checks,
    proven_checks,
    recount_checks,
    release_checks,
    session_checks,
    shuffler_checks,
    shut_checks,
    silence_checks,
    slots_checks,
    slow_host_checks,
    start_checks,
    unopened_checks,
    walk,
)
from firmware_protocols.tdp.conform.book import Break
from firmware_protocols.tdp.conform.duties import (
    COUNT,
    DISPLAY,
    EVERY,
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

KIT_VERSION: Final = "18"
"""Raised by one with each change of the checks: a report of an older kit proves less."""

SHOWN: Final = VALUE_DISPLAY | SLOTS

CHECKS: Final = (
    # checks of waiting events, while at least `started` of this boot waits
    Check(event_checks.the_first_event_is_started, ("6.1", "7.7")),
    Check(session_checks.it_is_as_stated, ("17.1",)),
    Check(session_checks.it_says_who_it_is, ("4.11", "4.12")),
    Check(event_checks.events_come_again_as_they_were, ("6.4", "6.9")),
    Check(event_checks.a_slow_host_is_given_time, ("6.11",)),
    Check(event_checks.nobody_is_told_in_silence, ("6.17",)),
    Check(frame_checks.an_ack_has_no_payload, ("3.2",)),
    Check(frame_checks.nothing_of_another_session_is_acknowledged, ("3.7",)),
    Check(session_checks.a_hello_acknowledges_nothing_else, ("4.9",)),
    Check(event_checks.other_acks_mean_nothing, ("6.13",)),
    Check(event_checks.events_come_again_in_time, ("6.9",), moves=SHUFFLER),
    Check(event_checks.an_event_is_told_until_it_is_acknowledged, ("6.9",)),
    Check(event_checks.other_frames_change_no_time, ("6.9",)),
    Check(event_checks.a_dropped_heartbeat_changes_no_time, ()),
    Check(event_checks.a_hello_again_changes_no_time, ("4.3",)),
    Check(session_checks.events_come_again_in_a_new_session, ("4.6",), moves=SHUFFLER),
    Check(event_checks.the_oldest_is_told, ("6.5", "4.10"), moves=SHUFFLER),
    Check(event_checks.an_ack_makes_the_retry_time_short, ("6.10",), moves=SHUFFLER),
    Check(event_checks.an_ack_of_before_changes_no_time, ("6.13",), moves=SHUFFLER),
    Check(session_checks.a_hello_acknowledges, ("4.8",), moves=SHUFFLER),
    Check(event_checks.acknowledged_events_are_gone, ("6.12", "4.10"), moves=SHUFFLER),
    Check(slow_host_checks.an_ack_takes_all_whatever_the_retry_time, (), moves=SHUFFLER),
    Check(frame_checks.a_tag_is_refused, ("2.2",)),
    Check(piece_checks.zeros_and_pieces_do_no_harm, ("2.3",)),
    Check(piece_checks.every_byte_is_heard, ("2.3",)),
    Check(frame_checks.too_long_a_frame_is_dropped_whole, ("2.4",)),
    Check(frame_checks.the_longest_frame_is_heard, ("2.5",)),
    Check(frame_checks.damaged_frames_are_dropped, ("2.5",)),
    Check(dropped_checks.a_crc_of_another_sort_is_wrong, ("2.5",)),
    Check(frame_checks.noise_does_no_harm, ("2.7",)),
    Check(dropped_checks.noise_behind_noise_does_no_harm, ("2.7",)),
    Check(frame_checks.many_damaged_frames_do_no_harm, ("2.7",)),
    Check(dropped_checks.a_dropped_hello_acknowledges_nothing, ("3.2", "3.8")),
    Check(dropped_checks.what_is_dropped_takes_nothing_with_it, ("2.3", "2.7")),
    Check(frame_checks.other_kinds_are_dropped, ("3.2", "3.5")),
    Check(frame_checks.payloads_have_their_length, ("3.2", "3.3")),
    Check(frame_checks.hello_has_no_boot_and_no_number, ("3.8",)),
    Check(frame_checks.other_sessions_are_refused, ("3.5", "4.13")),
    Check(frame_checks.nothing_of_another_session_is_executed, ("3.7",)),
    Check(frame_checks.another_session_is_no_sign_of_life, ("3.7",), PERMIT, SHUFFLER),
    Check(session_checks.each_hello_is_answered_once, ("4.1",)),
    Check(session_checks.another_major_is_told_ours, ("4.2",)),
    Check(session_checks.another_major_withdraws_nothing, ("4.2",), PERMIT, SHUFFLER),
    Check(session_checks.another_major_is_no_sign_of_life, ("4.2",), PERMIT, SHUFFLER),
    Check(session_checks.another_minor_is_taken, ("4.15",)),
    Check(session_checks.the_same_hello_resets_nothing, ("4.3",)),
    Check(session_checks.the_same_hello_withdraws_nothing, ("4.3",), PERMIT, SHUFFLER),
    Check(session_checks.a_silent_host_is_replaced, ("4.4", "4.7")),
    Check(session_checks.a_new_session_counts_from_one, ("4.5",)),
    Check(session_checks.older_hellos_are_dropped, ("4.7",)),
    Check(session_checks.openings_wrap, ("4.4",)),
    Check(no_session_checks.refusals_do_not_fill_the_line, ("4.13", "4.14")),
    Check(no_session_checks.a_hello_behind_a_refusal_is_answered, ("4.1",)),
    Check(command_checks.the_next_command_is_executed, ("5.1", "5.9")),
    Check(command_checks.the_last_command_is_not_done_again, ("5.2", "5.5")),
    Check(again_checks.a_lock_under_the_same_number_is_not_done, ("5.5",), PERMIT, SHUFFLER),
    Check(command_checks.an_answer_again_has_the_status_of_now, ("5.2",), PERMIT, SHUFFLER),
    Check(command_checks.commands_are_counted_beyond_a_byte, ("5.1",)),
    Check(command_checks.other_numbers_are_not_executed, ("5.3",)),
    Check(command_checks.without_a_lock_the_number_counts, ("5.1", "5.2", "5.3", "5.5"), SHOE),
    Check(command_checks.there_is_no_command_0, ("5.4",)),
    Check(command_checks.nonsense_is_a_bad_command, ("5.6",)),
    Check(command_checks.nonsense_withdraws_nothing, ("5.6",), PERMIT, SHUFFLER),
    Check(command_checks.answers_come_at_once, ("5.8",)),
    Check(command_checks.answers_wait_for_no_motor, ("5.8",), SHUFFLER, SHUFFLER),
    Check(command_checks.what_is_answered_ok_comes_true, ("5.9",), PERMIT, SHUFFLER),
    Check(command_checks.what_was_withdrawn_can_be_said_again, ("5.9",), PERMIT, SHUFFLER),
    Check(command_checks.a_query_changes_nothing, ("5.11",)),
    Check(command_checks.a_query_withdraws_nothing, ("5.11",), PERMIT, SHUFFLER),
    Check(life_checks.heartbeats_are_answered, ("7.2",)),
    Check(slow_host_checks.a_slow_host_is_told_of_now, (), moves=SHUFFLER),
    Check(life_checks.a_reply_ends_the_silence, ("7.3", "9.23")),
    Check(life_checks.the_frame_that_ends_a_silence_is_done, ("4.8", "5.9", "6.12", "7.8"), moves=SHUFFLER),
    Check(life_checks.any_frame_of_the_session_is_a_sign_of_life, ("7.4",)),
    Check(life_checks.a_sign_of_life_keeps_what_is_permitted, ("7.4",), PERMIT, SHUFFLER),
    Check(slow_host_checks.a_slow_disk_is_no_silence, ("7.5", "7.6"), PERMIT, SHUFFLER),
    Check(life_checks.nothing_else_is_a_sign_of_life, ("7.6",)),
    Check(life_checks.an_older_hello_is_no_sign_of_life, ("7.6",), PERMIT, SHUFFLER),
    Check(life_checks.silence_locks, ("7.6", "7.8", "9.12"), PERMIT, SHUFFLER),
    Check(silence_checks.a_long_silence_stays_one, ("7.6",)),
    Check(lock_checks.a_session_begins_locked, ("9.11", "9.17"), PERMIT, SHUFFLER),
    Check(lock_checks.what_a_silence_leaves, ("9.12",), SHUFFLER),
    Check(lock_checks.a_new_session_withdraws_behind_a_silence, ("7.8",), PERMIT, SHUFFLER),
    Check(lock_checks.protections_stay, ("9.18", "9.24"), PERMIT),
    Check(lock_checks.what_is_shown_stays, ("13.4", "14.8"), SHOWN),
    Check(kind_checks.a_shoe_locks, ("5.9", "11.4"), SHOE),
    Check(kind_checks.one_that_cannot_lock_says_so, ("11.1",), SHOE),
    Check(kind_checks.the_amount_is_read_back, ("12.1", "12.2"), DISPLAY),
    Check(kind_checks.the_markers_are_read_back, ("13.1",), VALUE_DISPLAY),
    Check(slots_checks.the_lamps_of_slots_obey, ("14.6",), SLOTS),
    Check(slots_checks.a_collection_is_made_once, ("14.2", "14.4", "14.5", "14.6"), SLOTS),
    Check(shuffler_checks.the_lamp_obeys, ("10.8",), SHUFFLER),
    Check(release_checks.an_older_count_locks, ("10.17",), SHUFFLER, SHUFFLER),
    Check(shuffler_checks.a_jam_to_come_is_not_ended, ("10.15",), SHUFFLER),
    Check(shuffler_checks.served_requests_are_served, ("10.23",), SHUFFLER),
    # checks that move cards
    Check(recount_checks.a_recount_is_told, ("10.20", "10.21"), SHUFFLER, SHUFFLER),
    Check(recount_checks.a_recount_is_taken_back, ("10.23",), SHUFFLER, SHUFFLER),
    Check(lock_checks.a_recount_is_withdrawn, ("9.20",), SHUFFLER, SHUFFLER),
    Check(recount_checks.the_recount_comes_first, ("10.21", "10.22", "10.24"), SHUFFLER, SHUFFLER),
    Check(shuffler_checks.cards_go_out_before_they_come_in, ("10.15", "10.24"), SHUFFLER, SHUFFLER),
    Check(release_checks.one_card_is_one_card, ("10.1", "10.3", "10.16", "6.3"), SHUFFLER, SHUFFLER),
    Check(release_checks.cards_go_one_by_one, ("10.15", "10.16", "6.3"), SHUFFLER, SHUFFLER),
    Check(lock_checks.the_mouth_is_shut, ("9.21",), SHUFFLER, SHUFFLER),
    Check(shuffler_checks.unloading_goes_on, ("10.3", "10.19"), SHUFFLER, SHUFFLER),
    Check(shuffler_checks.cards_are_taken_in, ("10.18",), SHUFFLER, SHUFFLER),
    Check(meanwhile_checks.work_is_asked_for_in_other_work, ("10.21", "10.22", "10.24"), SHUFFLER, SHUFFLER),
    Check(life_checks.a_silence_is_taken_in_any_motion, ("7.6",), SHUFFLER, SHUFFLER),
    # checks that need hands
    Check(command_checks.an_answer_again_counts_the_events_of_now, ()),
    Check(event_checks.events_that_join_put_nothing_off, ()),
    Check(silence_checks.silence_is_said, ("7.6",)),
    Check(silence_checks.hands_are_told_behind_a_silence, (), SHUFFLER | SHOE | SLOTS, SHUFFLER),
    Check(silence_checks.one_that_cannot_lock_says_its_silence, ("9.25",), SHOE),
    Check(shut_checks.behind_a_lock_no_card_passes, ("5.10",), COUNT, SHUFFLER),
    Check(kind_checks.each_passage_is_reported, ("11.5", "6.3"), SHOE),
    Check(kind_checks.an_error_is_raised_and_cleared, ("11.9", "11.10"), SHOE),
    Check(slots_checks.a_chip_is_told_and_taken_in, ("14.2", "14.4", "14.5"), SLOTS),
    Check(shuffler_checks.an_open_lid_refuses, ("9.22", "10.12", "10.25", "10.33", "10.34"), SHUFFLER, SHUFFLER),
    Check(lock_checks.the_lid_locks, ("9.15", "9.17", "10.33"), SHUFFLER, SHUFFLER),
    Check(lock_checks.a_jam_locks, ("9.14", "9.17"), SHUFFLER, SHUFFLER),
    Check(shut_checks.a_card_in_the_mouth_is_withdrawn, (), SHUFFLER, SHUFFLER),
    Check(shut_checks.an_older_count_shuts_the_mouth, (), SHUFFLER, SHUFFLER),
    Check(
        jam_checks.a_jam_is_ended_by_people_alone,
        (
            *("10.4", "10.5", "10.6", "10.7", "10.8", "10.9", "10.11", "10.15"),
            *("10.25", "10.27", "10.28", "10.29", "10.31", "10.33", "9.22"),
        ),
        SHUFFLER,
        SHUFFLER,
    ),
    Check(again_checks.a_refusal_is_kept, ("5.2",), SHUFFLER, SHUFFLER),
    Check(again_checks.a_refused_word_for_a_jam_is_kept, ("5.2",), SHUFFLER, SHUFFLER),
    Check(jam_checks.a_second_jam_needs_its_own_word, ("10.7", "10.15"), SHUFFLER, SHUFFLER),
    Check(jam_checks.a_new_session_leaves_a_jam, ("9.18", "10.30"), SHUFFLER, SHUFFLER),
    Check(
        full_checks.forty_eight_lock_it,
        ("6.15", "9.13", "9.17", "9.23", "10.13", "11.3", "11.4", "12.5", "13.5", "14.9"),
        moves=SHUFFLER,
    ),
    Check(full_checks.sixty_four_are_kept, ("4.8", "6.6", "6.7", "6.8", "6.12", "6.16")),
    Check(full_checks.events_are_counted_beyond_a_byte, ()),
    Check(full_checks.a_silence_keeps_the_newest, ()),
    Check(pairing_checks.a_key_is_taken_by_hands_alone, ("18.13", "18.14", "18.15", "18.16")),
    Check(
        proof_checks.a_paired_device_proves_itself,
        ("18.1", "18.2", "18.4", "18.5", "18.6", "18.7", "18.8", "18.9", "18.10"),
        moves=SHUFFLER,
    ),
    Check(pairing_checks.a_card_is_covered, ("18.11", "18.12"), SHOE),
    Check(pairing_checks.a_key_outlives_a_start, ("18.4", "18.17", "18.19")),
    Check(pairing_checks.a_start_ends_the_minute, ("18.13",)),
    Check(start_checks.counts_survive_a_start, ("9.5",), COUNT),
    Check(boot_checks.before_its_first_session_it_refuses, ("4.13", "9.1")),
    Check(boot_checks.a_start_without_a_word_is_a_boot, ("9.1",)),
    Check(unopened_checks.before_its_first_session_it_waits, ("4.13", "7.7", "9.26")),
    Check(start_checks.each_start_is_a_boot, ("7.7", "9.1", "9.26")),
    Check(start_checks.an_error_outlives_a_start, (), SHOE),
    Check(start_checks.a_start_begins_locked, ("9.16",), PERMIT, SHUFFLER),
    Check(slots_checks.a_collection_number_survives, ("14.3",), SLOTS),
    Check(slots_checks.a_collection_number_has_two_bytes, ("14.4",), SLOTS),
    Check(start_checks.what_a_start_shows, ("12.2", "12.4", "13.3", "14.7"), DISPLAY | SHOWN),
    Check(start_checks.a_lit_lamp_outlives_a_start, ("9.19",), SHUFFLER),
    Check(jam_checks.a_jam_outlives_a_start, ("10.30",), SHUFFLER, SHUFFLER),
    Check(jam_checks.a_jams_end_outlives_a_start, ("9.5", "9.19"), SHUFFLER, SHUFFLER),
    Check(jam_checks.a_jam_in_a_jam_has_its_own_number, ("10.6", "10.8", "10.27", "10.30"), SHUFFLER, SHUFFLER),
    Check(kind_checks.a_fault_is_told_once, ("12.1", "12.3", "13.1", "13.2"), DISPLAY | VALUE_DISPLAY),
    Check(kind_checks.a_mended_panel_shows_no_old_amount, ("12.2",), DISPLAY),
    Check(kind_checks.a_stuck_panel_shows_no_fault_picture, ("12.1", "12.3"), DISPLAY),
    Check(kind_checks.a_stuck_fault_picture_stays, ("12.1", "12.3"), DISPLAY),
    Check(silence_checks.a_fault_of_a_silence_is_told, ("12.3",), DISPLAY),
    Check(shuffler_checks.an_unloading_outlasts_the_cards, ("10.15", "10.19"), SHUFFLER, SHUFFLER),
    Check(idle_checks.what_waits_is_withdrawn, (), SHUFFLER, SHUFFLER),
    # checks after which the device's numbers begin anew
    Check(jam_checks.a_jam_outlives_lost_counts, ("9.7", "10.30"), SHUFFLER, SHUFFLER),
    Check(start_checks.each_card_is_stored, ("9.5",), SHUFFLER, SHUFFLER),
    Check(shuffler_checks.unknown_counts_release_nothing, ("9.22", "10.14", "10.20", "10.34"), SHUFFLER, SHUFFLER),
    Check(start_checks.lost_counts_are_said, ("9.7", "11.2"), COUNT),
    Check(start_checks.a_spoilt_memory_begins_anew, (), EVERY - COUNT),
    Check(slots_checks.a_collection_of_0_behind_0_is_none, (), SLOTS),
    Check(pairing_checks.a_key_outlives_lost_numbers, ()),
    # checks in a proven session, and of any order of acts
    Check(proven_checks.a_paired_device_keeps_what_others_keep, (), moves=SHUFFLER, of_unbroken=True),
    Check(walk.a_walk_finds_nothing_else, (), of_unbroken=True),
    Check(walk.a_paired_walk_finds_nothing_else, (), of_unbroken=True),
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
    """Runs the checks of this kind of device one after the other. Yields each check when it is made or skipped. Each
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
    """Returns the verdict on each duty after the checks `made`. A duty's first break counts, even if another check of
    the duty ends well. `only`: as for `make_checks`.
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
    """Returns the key of the reason why it is not proven that the device keeps the duty. "" if every check of the duty
    ended well, or was skipped for a part that the device lacks.
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
