"""The table of checks, and how they are made one after the other; the catalogue has a sentence of each (`conform`)."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from firmware_protocols.tdp.conform import kind_checks as k
from firmware_protocols.tdp.conform import link_checks as c
from firmware_protocols.tdp.conform.line import Broken, Host, Skipped
from firmware_protocols.tdp.schema import DeviceKind

EVERY: Final = frozenset(DeviceKind)
SHUFFLER: Final = frozenset({DeviceKind.SHUFFLER})
SHOE: Final = frozenset({DeviceKind.SHOE})
DISPLAY: Final = frozenset({DeviceKind.DISPLAY})
VALUE_DISPLAY: Final = frozenset({DeviceKind.VALUE_DISPLAY})
SLOTS: Final = frozenset({DeviceKind.SLOTS})


@dataclass(frozen=True, slots=True)
class Check:
    """One duty: the section of PROTOCOL.md that it stands in. `moves`: cards move, or what holds them."""

    section: int
    run: Callable[[Host], None]
    kinds: frozenset[DeviceKind] = EVERY
    moves: bool = False

    @property
    def name(self) -> str:
        """As the catalogue and a report name it."""
        return self.run.__name__.replace("_", "-")


CHECKS: Final = (
    Check(4, c.it_says_who_it_is),
    # of an event that waits, `started` of this boot at the latest; the last of them acknowledges it
    Check(6, c.the_first_event_is_started),
    Check(6, c.events_come_again),
    Check(6, c.a_slow_host_is_given_time),
    Check(6, c.events_outlive_a_session),
    Check(6, c.no_event_ends_that_was_not_made),
    Check(7, c.nobody_is_told_in_silence),
    Check(6, c.acknowledged_events_are_gone),
    Check(2, c.damaged_frames_are_dropped),
    Check(2, c.noise_does_no_harm),
    Check(3, c.other_kinds_are_dropped),
    Check(3, c.heartbeats_have_their_length),
    Check(3, c.hello_has_no_boot_and_no_number),
    Check(4, c.other_sessions_are_refused),
    Check(4, c.refusals_do_not_fill_the_line),
    Check(4, c.the_same_hello_resets_nothing),
    Check(4, c.older_hellos_are_dropped),
    Check(4, c.another_major_is_told_ours),
    Check(5, c.commands_are_done_once),
    Check(5, c.nonsense_is_a_bad_command),
    Check(5, c.answers_come_at_once),
    Check(7, c.heartbeats_are_answered),
    Check(9, k.a_session_begins_locked),
    Check(9, k.silence_locks),
    Check(7, k.any_frame_of_the_session_is_a_sign_of_life),
    Check(11, k.the_shoe_locks_and_unlocks, SHOE),
    Check(12, k.the_amount_is_read_back, DISPLAY),
    Check(12, k.the_fault_hides_the_amount, DISPLAY),
    Check(13, k.the_markers_are_read_back, VALUE_DISPLAY),
    Check(14, k.the_lamps_of_slots_obey, SLOTS),
    Check(14, k.a_collection_is_made_once, SLOTS),
    Check(10, k.the_lamp_obeys, SHUFFLER),
    Check(10, k.an_older_count_locks, SHUFFLER),
    Check(10, k.a_jam_to_come_is_not_ended, SHUFFLER),
    Check(10, k.wrong_flags_are_a_bad_command, SHUFFLER),
    Check(10, k.a_jam_refuses_what_moves, SHUFFLER),
    Check(10, k.a_recount_is_told, SHUFFLER, moves=True),
    Check(10, k.a_recount_is_taken_back, SHUFFLER, moves=True),
    Check(10, k.half_the_range_is_no_release, SHUFFLER, moves=True),
    Check(10, k.one_card_is_one_card, SHUFFLER, moves=True),
    Check(9, k.an_open_feed_is_shut_by_silence, SHUFFLER, moves=True),
)


class Outcome(StrEnum):
    """What became of a check."""

    KEPT = "kept"
    BROKEN = "broken"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Made:
    """A check that was made. `found`: what a device said that breaks the text; or the key of why it was not made."""

    check: Check
    outcome: Outcome
    found: str = ""


def make_checks(host: Host, *, moves: bool, only: Collection[str] = ()) -> Iterator[Made]:
    """Each check of this kind of device, in a session of its own; each leaves the device locked.

    `only`: those of these names, where there are any.
    """
    for check in CHECKS:
        if host.schema.kind not in check.kinds or (only and check.name not in only):
            continue
        if check.moves and not moves:
            yield Made(check, Outcome.SKIPPED, "cards-would-move")
            continue
        yield make_check(check, host)


def make_check(check: Check, host: Host) -> Made:
    """One of them, in a session of its own."""
    try:
        host.open()
        check.run(host)
        _leave_locked(host)
    except Broken as broken:
        return Made(check, Outcome.BROKEN, broken.found)
    except Skipped as skipped:
        return Made(check, Outcome.SKIPPED, skipped.why)
    return Made(check, Outcome.KEPT)


def _leave_locked(host: Host) -> None:
    """Raises Broken where nobody answers."""
    if host.schema.kind in k.LOCKS:
        _identity, status = host.open()
        host.ask(host.schema.encode_command(k.LOCKS[host.schema.kind](status)))
