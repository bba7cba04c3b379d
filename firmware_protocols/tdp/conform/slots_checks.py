"""Checks of PROTOCOL.md, section 14: jackpot slots."""

from collections.abc import Callable
from itertools import product
from typing import Final

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.kind_checks import HELD_S
from firmware_protocols.tdp.conform.line import Host, Skipped, must
from firmware_protocols.tdp.conform.parts import OK, QUIET_S, U16, make_events, told
from firmware_protocols.tdp.link import IDENTIFY_WITHIN_S
from firmware_protocols.tdp.slots import SlotsApply, SlotsChanged, SlotsStatus

U8: Final = 256
LONG_S: Final = 2.5  # longer than a solenoid is busy


def the_lamps_of_slots_obey(host: Host) -> None:
    """Checks that each command shows in the lamps' status, without an event."""
    newest = host.status()[1]
    before: SlotsStatus = host.status()[0]
    one_by_one = (0b1010, 0b0110), (0b1010, 0b0101), (0b0011, 0b0101)  # a half of the lamps changes
    for lit, blinking in ((1, 0), (0, 1), *one_by_one, (0xFFFF, 0), (0, 0xFFFF), (0, 0)):
        answer = host.apply(SlotsApply(before.collections, lit=lit, blinking=blinking))
        must("14.6", answer.result == OK, f"lit {lit}, blinking {blinking}: result {answer.result}")
        after: SlotsStatus = host.status_becomes(_burns(lit, blinking))
        must("14.6", _burns(lit, blinking)(after), f"lit {lit}, blinking {blinking}: {after}")
    must("14.2", host.status()[1] == newest, f"newest event {host.status()[1]}, {newest} before the lamps")


def _burns(lit: int, blinking: int) -> Callable[[SlotsStatus], bool]:
    return lambda now: (now.lit, now.blinking) == (lit, blinking)


def a_collection_is_made_once(host: Host) -> None:
    """Checks that only the next number makes a collection. The answer must count the collection, and one event must
    report it. The commands here name no slot.
    """
    before: SlotsStatus = host.status()[0]
    newest = host.status()[1]
    made = (before.collections + 1) % U16
    first = host.apply(SlotsApply(made, lit=0x8001, blinking=0x4002))
    must("14.4", first.status.collections == made, f"collection {made} behind {before.collections}: {first.status}")
    is_lit = _burns(0x8001, 0x4002)(host.status_becomes(_burns(0x8001, 0x4002), QUIET_S))
    must("14.6", is_lit, f"the lamps of a collection are not lit: {host.status()[0]}")
    host.listen(LONG_S)
    must("14.6", _burns(0x8001, 0x4002)(host.status()[0]), f"{LONG_S} s behind a collection: {host.status()[0]}")
    low = made + 1 + 2**8  # the next one's low byte
    for asked in (made, before.collections, made + 2, made + 1000, made - 2, made + U16 // 2, low, low + U16 // 2):
        answer = host.apply(SlotsApply(asked % U16))
        found = f"collection {asked % U16} behind {made}: {answer.status}"
        must("14.5", (answer.result, answer.status.collections) == (OK, made), found)
    must("14.2", host.status()[1] == newest + 1, f"one collection, {host.status()[1] - newest} events")
    must("14.2", any(isinstance(one, SlotsChanged) for one in told(host, newest)), "no slots-changed")


def a_chip_is_told_and_taken_in(host: Host) -> None:
    """Checks that only the next collection number takes in chips, and only from the slots that it names."""
    host.hand(Deed.LOAD)
    now: SlotsStatus = host.status_becomes(lambda one: one.chips != 0, HELD_S)
    must("14.2", now.chips != 0, f"chips lie there: {now}")
    kept = host.apply(SlotsApply((now.collections + 2) % U16, seats=now.chips)).status
    must("14.5", kept.chips == now.chips, f"a collection that is not the next takes chips: {kept}")
    now = _takes_no_other_seats(host, now)
    one_seat, newest = now.chips & -now.chips, host.status()[1]
    after = host.apply(SlotsApply((now.collections + 1) % U16, seats=one_seat)).status
    must("14.4", after.chips == now.chips & ~one_seat, f"seats {one_seat:#x} of {now.chips:#x}: {after}")
    host.listen(QUIET_S)
    must("14.2", host.status()[1] == newest + 1, f"a chip is taken in, {host.status()[1] - newest} events: {after}")
    again = host.apply(SlotsApply((now.collections + 1) % U16, seats=now.chips)).status
    must("14.5", again.chips == after.chips, f"the same collection again takes chips: {again}")
    host.hand(Deed.POWER)
    host.open()
    again = host.apply(SlotsApply((now.collections + 1) % U16, seats=now.chips)).status
    must("14.5", again.chips == after.chips, f"the same collection again behind a start takes chips: {again}")
    _each_is_told(host)
    _takes_from_any_lamp(host)


def _takes_from_any_lamp(host: Host) -> None:
    """Checks that a collection takes in the chips of slots whose lamps are dark, lit or blinking, before the command
    and by it.
    """
    for lit, blinking, stays in product((0, 1), repeat=3):
        host.hand(Deed.LOAD)
        now: SlotsStatus = host.status_becomes(lambda one: one.chips != 0, HELD_S)
        chips, made = now.chips, (now.collections + 1) % U16
        host.apply(SlotsApply(now.collections, lit=lit * chips, blinking=blinking * chips))
        after = host.apply(SlotsApply(made, chips, lit * chips * stays, blinking * chips * stays)).status
        found = f"chips {chips:#x} are collected, lit {lit} and blinking {blinking} before: {after}"
        must("14.4", not after.chips & chips, found)


def _each_is_told(host: Host) -> None:
    """Checks that the device reports each collection, even if the seats in it, as bits, are equal to the bits by which
    its number changes.
    """
    for seats in (1, 3):
        host.hand(Deed.LOAD)
        now: SlotsStatus = host.status()[0]
        for _ in range(seats + 1):
            if now.collections % (seats + 1) == seats // 2:
                break
            now = host.apply(SlotsApply((now.collections + 1) % U16)).status
        newest = host.status()[1]
        after = host.apply(SlotsApply((now.collections + 1) % U16, seats=seats)).status
        host.listen(QUIET_S)
        must("14.2", host.status()[1] > newest, f"seats {seats:#x} are collected, and no event: {after}, before {now}")


def _takes_no_other_seats(host: Host, now: SlotsStatus) -> SlotsStatus:
    """Checks that collections at seats without a chip take in none: at each such seat, then at all of them. Returns the
    status.
    """
    others = [1 << place for place in range(16) if not now.chips >> place & 1]
    for seats in (*others, sum(others)):
        after = host.apply(SlotsApply((now.collections + 1) % U16, seats=seats)).status
        must("14.4", after.chips == now.chips, f"seats {seats:#x} are collected: {after}, before {now}")
        now = after
    return now


def a_collection_number_has_two_bytes(host: Host) -> None:
    """Makes collections of no slot until their number and that of their events have passed a multiple of 256."""
    for _ in range(2 * U8):
        before: SlotsStatus = host.status()[0]
        made = (before.collections + 1) % U16
        after = host.apply(SlotsApply(made)).status
        must("14.4", after.collections == made, f"collection {made} behind {before.collections}: {after}")
        host.acknowledge(host.status()[1])
        if made % U8 == 1 and host.status()[1] > U8:
            break


def a_collection_of_0_behind_0_is_none(host: Host) -> None:
    """Checks that a device that has lost its number begins at 0, and that only number 1 then makes a collection."""
    make_events(host, 3)  # so that a start that keeps its boot number is seen
    host.hand(Deed.FORGET)
    host.open()
    host.hand(Deed.LOAD)
    now: SlotsStatus = host.status_becomes(lambda one: one.chips != 0, HELD_S)
    if now.collections or not now.chips:
        raise Skipped("no-event-waits")
    for asked in (0, U16 - 1, U16 // 2):
        kept = host.apply(SlotsApply(asked, seats=now.chips)).status
        is_same = (kept.chips, kept.collections) == (now.chips, 0)
        must("14.5", is_same, f"collection {asked} behind 0: {kept}, before {now}")


def a_collection_number_survives(host: Host) -> None:
    for starts in (1, 2):
        host.apply(SlotsApply((host.status()[0].collections + 1) % U16))
        before: SlotsStatus = host.status()[0]
        for _ in range(starts - 1):
            host.hand(Deed.POWER, alive=False)
            host.listen(IDENTIFY_WITHIN_S, alive=False)
        host.hand(Deed.POWER)
        _identity, after = host.open()
        must("14.3", after.collections == before.collections, f"behind {starts} starts: {after}, before {before}")
