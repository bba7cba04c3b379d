"""Sections 9 to 14: what a device of each kind withdraws, locks, lights and shows, and what it says of it."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from msgspec import structs

from firmware_protocols.tdp.conform.line import Answer, Host, Skipped, must
from firmware_protocols.tdp.conform.link_checks import BAD_COMMAND, OK, QUIET_S
from firmware_protocols.tdp.display import CENTS_MAX, DisplayApply, DisplayStatus
from firmware_protocols.tdp.link import SILENT_AFTER_S, FrameKind
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import ShoeApply, ShoeStatus
from firmware_protocols.tdp.shuffler import (
    CardOut,
    Recounted,
    ShufflerApply,
    ShufflerResult,
    ShufflerStatus,
)
from firmware_protocols.tdp.slots import SlotsApply, SlotsStatus
from firmware_protocols.tdp.value_display import COLOURS, VALUE_MAX, Markers, MarkersApply, MarkersStatus

HALF: Final = 2**31  # of the range of cards_out
RECOUNTED_WITHIN_S: Final = 60.0  # a real carousel
CARD_WITHIN_S: Final = 20.0  # a hand may have to draw it


# --- what is locked


def _shuffler_is_locked(status: ShufflerStatus) -> bool:
    permits = status.feed_open or status.unloading or status.mouth_open
    return status.release_until == status.cards_out and not permits


def _shoe_is_locked(status: ShoeStatus) -> bool:
    """One that cannot lock says so by never being locked: nothing can be told of it here."""
    return status.locked


def _display_is_hidden(status: DisplayStatus) -> bool:
    return status.fault_shown


LOCKED: Final[Mapping[DeviceKind, Callable[[Any], bool]]] = {
    DeviceKind.SHUFFLER: _shuffler_is_locked,
    DeviceKind.SHOE: _shoe_is_locked,
    DeviceKind.DISPLAY: _display_is_hidden,
}


def lock_of_shuffler(status: ShufflerStatus, **wishes: bool | int) -> ShufflerApply:
    """Nothing moves, no jam ends, no recount is asked for; but for these wishes."""
    older_than_a_latched_jam = (status.jams - 1) % 2**16
    lock = ShufflerApply(status.cards_out, jams_ended=older_than_a_latched_jam, recount_request=status.recounts)
    return structs.replace(lock, **wishes)


Locks: TypeAlias = Callable[[Any], object]
LOCKS: Final[Mapping[DeviceKind, Locks]] = {
    DeviceKind.SHUFFLER: lock_of_shuffler,
    DeviceKind.SHOE: lambda _status: ShoeApply(locked=True),
    DeviceKind.DISPLAY: lambda status: DisplayApply(status.shown_cents, fault=True),
}
"""What is said to a device behind each check, so that it is left locked."""


# --- every kind


def a_session_begins_locked(host: Host) -> None:
    if host.schema.kind not in LOCKED:
        raise Skipped("nothing-to-lock")
    if host.schema.kind is DeviceKind.SHOE and not _can_lock(host):
        raise Skipped("cannot-lock")
    _permit(host)
    _identity, status = host.open()
    must(LOCKED[host.schema.kind](status), f"IDENTITY of a new session: {status}")
    must(not status.host_silent, "host_silent in IDENTITY")


def silence_locks(host: Host) -> None:
    """Permissions are withdrawn after 2 s, and nothing of them comes back with the next frame."""
    if host.schema.kind not in LOCKED:
        raise Skipped("nothing-to-lock")
    if host.schema.kind is DeviceKind.SHOE and not _can_lock(host):
        raise Skipped("cannot-lock")
    _permit(host)
    host.listen(SILENT_AFTER_S + 0.4, alive=False)
    status, _newest = host.status()
    must(LOCKED[host.schema.kind](status), f"behind the silence: {status}")
    must(not status.host_silent, "host_silent in the reply that ends it")


def any_frame_of_the_session_is_a_sign_of_life(host: Host) -> None:
    """Also one whose payload is dropped."""
    if host.schema.kind not in LOCKED or host.schema.kind is DeviceKind.SHUFFLER:
        raise Skipped("nothing-to-lock")
    if host.schema.kind is DeviceKind.SHOE and not _can_lock(host):
        raise Skipped("cannot-lock")
    _permit(host)
    for _ in range(10):
        host.say(FrameKind.HEARTBEAT, 1, b"\7\7")
        host.listen(0.3, alive=False)
    must(not LOCKED[host.schema.kind](host.status()[0]), "locked although frames of the session came")


def _permit(host: Host) -> None:
    """Something that is withdrawn later: a lock is open, an amount is seen; a shuffler's moving parts stay closed."""
    match host.schema.kind:
        case DeviceKind.SHOE:
            host.apply(ShoeApply(locked=False))
        case DeviceKind.DISPLAY:
            host.apply(DisplayApply(cents=100))
        case _:
            pass


def _can_lock(host: Host) -> bool:
    host.apply(ShoeApply(locked=True))
    return bool(host.status_becomes(_shoe_is_locked).locked)


# --- shoe


def the_shoe_locks_and_unlocks(host: Host) -> None:
    if not _can_lock(host):
        raise Skipped("cannot-lock")
    _ok(host.apply(ShoeApply(locked=False)))
    must(not host.status_becomes(lambda status: not status.locked).locked, "locked still")
    must(host.answer(b"\1\2").result == BAD_COMMAND, "locked = 2 is taken")
    must(not host.status()[0].locked, "locked by a bad command")


# --- display


def the_amount_is_read_back(host: Host) -> None:
    for cents in (1, 123_456_789, 0):
        _ok(host.apply(DisplayApply(cents)))
        status = host.status_becomes(_shows(cents))
        must((status.shown_cents, status.fault_shown) == (cents, False), f"{cents} cents: {status}")
    answer = host.answer(b"\1" + (CENTS_MAX + 1).to_bytes(8, "little") + b"\0")
    must(answer.result == BAD_COMMAND, f"{CENTS_MAX + 1} cents: result {answer.result}")
    must(host.status()[0].shown_cents == 0, "an amount out of bounds is shown")


def _shows(cents: int) -> Callable[[DisplayStatus], bool]:
    return lambda status: status.shown_cents == cents and not status.fault_shown


def the_fault_hides_the_amount(host: Host) -> None:
    host.apply(DisplayApply(500))
    _ok(host.apply(DisplayApply(500, fault=True)))
    must(host.status_becomes(_display_is_hidden).fault_shown, "fault_shown is not set")


# --- value display


def the_markers_are_read_back(host: Host) -> None:
    for red, grey in ((250, 0), (0, VALUE_MAX)):
        _ok(host.apply(MarkersApply(red=red, grey=grey)))
        status = host.status_becomes(_marks(red, grey))
        must(_marks(red, grey)(status), f"red {red}, grey {grey}: {status}")
    too_much = (VALUE_MAX + 1).to_bytes(4, "little")
    answer = host.answer(b"\1" + too_much * len(COLOURS))
    must(answer.result == BAD_COMMAND, f"{VALUE_MAX + 1} cents: result {answer.result}")
    must(_marks(0, VALUE_MAX)(host.status()[0]), "values out of bounds are shown")


def _marks(red: int, grey: int) -> Callable[[MarkersStatus], bool]:
    """These two colours are marked so, and no other is."""
    wanted = Markers(red=red, grey=grey).values
    return lambda status: status.values == wanted


# --- jackpot slots


def the_lamps_of_slots_obey(host: Host) -> None:
    before: SlotsStatus = host.status()[0]
    for lit, blinking in ((0b1, 0), (0, 0b1), (0, 0)):
        _ok(host.apply(SlotsApply(before.collections, lit=lit, blinking=blinking)))
        after: SlotsStatus = host.status_becomes(_burns(lit, blinking))
        must(_burns(lit, blinking)(after), f"lit {lit}, blinking {blinking}: {after}")


def _burns(lit: int, blinking: int) -> Callable[[SlotsStatus], bool]:
    return lambda status: (status.lit, status.blinking) == (lit, blinking)


def a_collection_is_made_once(host: Host) -> None:
    """Of no slot, so that no chip falls."""
    before: SlotsStatus = host.status()[0]
    made = (before.collections + 1) % 2**16
    for asked in (made, made, before.collections, (made + 2) % 2**16):
        answer = host.apply(SlotsApply(asked))
        _ok(answer)
        must(answer.status.collections == made, f"collection {asked} behind {before.collections}: {answer.status}")


# --- shuffler: nothing moves in these


def the_lamp_obeys(host: Host) -> None:
    if (before := host.status()[0]).jammed:
        raise Skipped("jammed")
    for lamp in (True, False):
        for _ in range(2):  # the second changes nothing
            _ok(host.apply(lock_of_shuffler(before, lamp=lamp)))
            must(host.status_becomes(_is_lit if lamp else _is_dark).lamp_lit is lamp, f"lamp_lit {not lamp}")


def _is_lit(status: ShufflerStatus) -> bool:
    return status.lamp_lit


def _is_dark(status: ShufflerStatus) -> bool:
    return not status.lamp_lit


def an_older_count_locks(host: Host) -> None:
    before = host.status()[0]
    _ok(host.apply(lock_of_shuffler(before, release_until=(before.cards_out - 1) % 2**32)))
    host.listen(QUIET_S)
    after = host.status()[0]
    must(not after.mouth_open and after.cards_out == before.cards_out, f"{after}")


def a_jam_to_come_is_not_ended(host: Host) -> None:
    before = host.status()[0]
    if before.jammed:
        raise Skipped("jammed")
    _ok(host.apply(lock_of_shuffler(before, jams_ended=(before.jams + 1) % 2**16)))
    must(host.status()[0].jams == before.jams, "the number of jams changed")


def wrong_flags_are_a_bad_command(host: Host) -> None:
    before = host.status()[0]
    good = bytearray(host.schema.encode_command(lock_of_shuffler(before)))
    good[5] = 2  # feed_open
    answer = host.answer(bytes(good))
    must(answer.result == BAD_COMMAND, f"feed_open = 2: result {answer.result}")
    must(host.status()[0] == before, "the status changed")


def a_jam_refuses_what_moves(host: Host) -> None:
    before = host.status()[0]
    if not before.jammed:
        raise Skipped("not-jammed")
    answer = host.apply(lock_of_shuffler(before, feed_open=True))
    must(answer.result == ShufflerResult.REFUSED_JAMMED, f"result {answer.result}")
    must(answer.status.lamp_lit and not answer.status.feed_open, f"{answer.status}")


# --- shuffler: cards move


def a_recount_is_told(host: Host) -> None:
    before = _ready(host)
    request = (before.recounts + 1) % 2**16
    _ok(host.apply(lock_of_shuffler(before, recount_request=request)))
    after: ShufflerStatus = host.status_becomes(lambda one: one.recounts == request, RECOUNTED_WITHIN_S)
    must(after.recounts == request, f"recounts {after.recounts}, not {request}")
    told = [one for one in _told(host) if isinstance(one, Recounted)]
    must((request, after.inside) in [(one.request, one.inside) for one in told], f"recounted: {told}")


def a_recount_is_taken_back(host: Host) -> None:
    before = _ready(host)
    _ok(host.apply(lock_of_shuffler(before, recount_request=(before.recounts + 1) % 2**16)))
    _ok(host.apply(lock_of_shuffler(before)))
    host.listen(3.0)
    must(host.status()[0].recounts == before.recounts, "it was made all the same")


def half_the_range_is_no_release(host: Host) -> None:
    before = _ready(host)
    if not before.inside:
        raise Skipped("no-card-inside")
    _ok(host.apply(lock_of_shuffler(before, release_until=(before.cards_out + HALF) % 2**32)))
    host.listen(1.0)
    after = host.status()[0]
    must(not after.mouth_open and after.cards_out == before.cards_out, f"{after}")


def one_card_is_one_card(host: Host) -> None:
    before = _ready(host)
    if not before.inside:
        raise Skipped("no-card-inside")
    wanted = (before.cards_out + 1) % 2**32
    _ok(host.apply(lock_of_shuffler(before, release_until=wanted)))
    after: ShufflerStatus = host.status_becomes(lambda one: one.cards_out == wanted, CARD_WITHIN_S)
    if after.cards_out == before.cards_out and after.mouth_open:
        raise Skipped("nobody-drew")
    must(after.cards_out == wanted, f"cards_out {after.cards_out}, not {wanted}")
    host.listen(1.0)
    settled = host.status()[0]
    must(_shuffler_is_locked(settled), f"behind the card: {settled}")
    must(settled.inside == before.inside - 1, f"inside {settled.inside}, not {before.inside - 1}")
    told = [one for one in _told(host) if isinstance(one, CardOut)]
    must(bool(told), "no card-out")


def an_open_feed_is_shut_by_silence(host: Host) -> None:
    before = _ready(host)
    _ok(host.apply(lock_of_shuffler(before, feed_open=True)))
    must(host.status()[0].feed_open, "feed_open is not set")
    host.listen(SILENT_AFTER_S + 0.4, alive=False)
    must(not host.status()[0].feed_open, "the feed is open behind the silence")
    must(not host.open()[1].feed_open, "the feed is open in a new session")


# --- parts


def _ok(answer: Answer) -> None:
    must(answer.result == OK, f"result {answer.result}")


def _ready(host: Host) -> ShufflerStatus:
    """The status of a shuffler that may move cards. Raises Skipped."""
    status: ShufflerStatus = host.status()[0]
    if status.jammed:
        raise Skipped("jammed")
    if status.lid_open:
        raise Skipped("lid-open")
    if status.counts_unknown:
        raise Skipped("counts-unknown")
    return status


def _told(host: Host) -> list[object]:
    """The events that wait, each once; acknowledged, so that those behind them come."""
    told: dict[int, object] = {}
    while came := [one for one in host.events(0.5) if one.number not in told]:
        told |= {one.number: host.schema.decode_event(one.body)[0] for one in came}
        host.acknowledge(max(told))
    return list(told.values())
