"""Checks the duties of a kind of device in a proven session, and after a start of a paired device.

A faulty device may keep a duty without proof, and break it when its frames have tags.
"""

from collections.abc import Callable
from typing import Final

from firmware_protocols.tdp.conform import full_checks as q
from firmware_protocols.tdp.conform import jam_checks as j
from firmware_protocols.tdp.conform import kind_checks as k
from firmware_protocols.tdp.conform import recount_checks as r
from firmware_protocols.tdp.conform import slots_checks as t
from firmware_protocols.tdp.conform import start_checks as b
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.hands_done import set_right
from firmware_protocols.tdp.conform.line import Broken, Host, Skipped, must
from firmware_protocols.tdp.conform.own_key import paired
from firmware_protocols.tdp.conform.parts import forget_all_but, waiting
from firmware_protocols.tdp.schema import DeviceKind

EVENTS_LEFT: Final = 3
_OF_ANY: Final = (q.sixty_four_are_kept, q.forty_eight_lock_it, b.each_start_is_a_boot)
_OF_KIND: Final[dict[DeviceKind, tuple[Callable[[Host], None], ...]]] = {
    DeviceKind.SHUFFLER: (j.a_jam_is_ended_by_people_alone, r.a_recount_is_told, b.a_start_begins_locked),
    DeviceKind.SHOE: (
        k.each_passage_is_reported,
        k.an_error_is_raised_and_cleared,
        b.counts_survive_a_start,
        b.a_start_begins_locked,
    ),
    DeviceKind.DISPLAY: (k.the_amount_is_read_back, k.a_fault_is_told_once, b.what_a_start_shows),
    DeviceKind.VALUE_DISPLAY: (k.the_markers_are_read_back, k.a_fault_is_told_once, b.what_a_start_shows),
    DeviceKind.SLOTS: (
        t.the_lamps_of_slots_obey,
        t.a_collection_is_made_once,
        t.a_chip_is_told_and_taken_in,
        b.what_a_start_shows,
    ),
}


def a_paired_device_keeps_what_others_keep(host: Host) -> None:
    """Repeats the checks of this kind of device in a proven session, if line and hands are simulated. On a real line
    these checks are made only without proof.
    """
    if not host.bench.is_quick:
        return
    may_move = host.moves or host.schema.kind is not DeviceKind.SHUFFLER
    with paired(host):
        for check in (*_OF_KIND.get(host.schema.kind, ()), *_OF_ANY) if may_move else ():
            host.open()
            _made(check, host)
            host.open()
            forget_all_but(host, EVENTS_LEFT)
        _begins_with_its_start(host)


def _made(check: Callable[[Host], None], host: Host) -> None:
    """Runs the check `check`. If it ends early, makes hands repair the device. Raises Broken."""
    try:
        check(host)
    except Skipped:
        set_right(host)
    except Broken:
        set_right(host)
        raise


def _begins_with_its_start(host: Host) -> None:
    """Checks that `started` is the first event of a boot of a paired device, even if hands cause an event before the
    first session.
    """
    host.hand(Deed.POWER, alive=False)
    host.hand(Deed.EVENT, alive=False)
    host.open()
    first = waiting(host)[0]
    name = host.schema.name_of(host.schema.decode_event(first.body)[0])
    must("9.26", (first.number, name) == (1, "started"), f"first EVENT {first.number} of a paired device: {name}")
