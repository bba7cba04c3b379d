"""Tests that the device refuses and hides the same in two states: while 48 events wait, and while the switch for
pairing is on.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from firmware_protocols.tdp.conform import far
from firmware_protocols.tdp.conform.line import Host, must
from firmware_protocols.tdp.conform.parts import (
    BAD_COMMAND,
    PERMISSIONS,
    QUIET_S,
    REFUSED_HOST_SILENT,
    SWITCHES,
    U16,
    U32,
    lock_of_shuffler,
)
from firmware_protocols.tdp.conform.pictures import ALL_SHOWN, BLANK, PARTLY_SHOWN, as_it_is
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import ShufflerStatus
from firmware_protocols.tdp.slots import SlotsApply


class Lock(Struct, frozen=True, gc=False):
    """A state in which a device refuses every permission. `when`: the state, in the words of a finding. `duty`: the
    duty that every finding breaks; "" if each finding has a duty of its own.
    """

    when: str
    duty: str = ""

    def must(self, duty: str, is_so: bool, found: str) -> None:  # noqa: FBT001 (a statement that must be true)
        """Raises Broken unless `is_so`. The duty is this lock's own; if this lock has no duty, it is `duty`. `found`:
        the words of the finding.
        """
        must(self.duty or duty, is_so, found)


AT_48: Final = Lock("at 48 waiting events")
SHOWN_AT_48: Final = {DeviceKind.DISPLAY: "12.5", DeviceKind.VALUE_DISPLAY: "13.5", DeviceKind.SLOTS: "14.9"}


def refuses(host: Host, lock: Lock) -> None:
    """Checks that each kind of command has the result and the effect that PROTOCOL.md asks for while 48 events wait.
    `lock`: the state of the device, with its words and its duty.
    """
    before = host.status()[0]
    result = host.answer(host.query).result
    lock.must("5.11", result == 0, f"a query {lock.when}: result {result}")
    _nonsense_is_bad(host, before, lock)
    match host.schema.kind:
        case DeviceKind.SHUFFLER:
            for permission in PERMISSIONS[DeviceKind.SHUFFLER]:
                result = host.apply(permission.ask(before)).result
                lock.must("10.13", result == REFUSED_HOST_SILENT, f"{permission.name} {lock.when}: result {result}")
                lock.must("10.13", permission.is_locked(host.status()[0]), f"{permission.name} {lock.when} is done")
            _changes_its_lamp(host, before, lock)
            for asked in (*far.releases(before), *far.recounts(before)):
                result = host.apply(asked).result
                lock.must("10.13", result == REFUSED_HOST_SILENT, f"{asked} {lock.when}: result {result}")
        case DeviceKind.SHOE:
            switch = SWITCHES[DeviceKind.SHOE]
            result = host.apply(switch.ask(before, on=True)).result
            lock.must("11.3", result == REFUSED_HOST_SILENT, f"unlocking {lock.when}: result {result}")
            result = host.apply(switch.ask(before, on=False)).result
            lock.must("11.4", result == 0, f"locking {lock.when}: result {result}")
        case kind if kind in SHOWN_AT_48:
            _nothing_is_shown(host, before, lock)
        case _:
            pass  # a sensor takes no command that it could refuse


def _nonsense_is_bad(host: Host, before: Any, lock: Lock) -> None:  # noqa: ANN401 (any kind's status)
    """Checks that what is no command is answered as at any other time, also where a command would change nothing."""
    good = host.schema.encode_command(as_it_is(host, before))
    for payload in (b"\xee", b"\xee" + good[1:], good[:-1], good + b"\0"):
        result = host.answer(payload).result
        must("5.6", result == BAD_COMMAND, f"COMMAND {payload.hex()} {lock.when}: result {result}")


def _nothing_is_shown(host: Host, before: Any, lock: Lock) -> None:  # noqa: ANN401 (any kind's status)
    switch, duty = SWITCHES[host.schema.kind], SHOWN_AT_48[host.schema.kind]
    result = host.apply(switch.ask(before, on=not switch.is_on(before))).result
    lock.must(duty, result == 0, f"an apply {lock.when}: result {result}")
    after = host.status_becomes(lambda now: now != before, QUIET_S)
    if host.schema.kind is DeviceKind.DISPLAY:
        lock.must(duty, after.fault_shown and after.host_silent, f"{lock.when}: {after}")
        _amounts_are_hidden(host, lock)
    else:
        lock.must(duty, after == before, f"an apply {lock.when} changes: {after}, before {before}")
        for picture in (BLANK[host.schema.kind], ALL_SHOWN[host.schema.kind], *PARTLY_SHOWN[host.schema.kind]):
            host.apply(picture(before))
            after = host.status_becomes(lambda now: now != before, QUIET_S)
            lock.must(duty, after == before, f"{picture(before)} {lock.when} changes: {after}, before {before}")
    if host.schema.kind is DeviceKind.SLOTS:
        made = host.apply(SlotsApply((before.collections + 1) % U16, seats=before.chips)).status
        lock.must(duty, made == before, f"a collection {lock.when} changes: {made}, before {before}")


def _amounts_are_hidden(host: Host, lock: Lock) -> None:
    """Checks TDP-12.5: while 48 events wait, a display keeps its fault picture, and each command sets the amount hidden
    behind it.
    """
    for cents, fault in ((1700, False), (1800, True), (1900, True), (2000, False), (U32 + 2000, False)):
        host.apply(DisplayApply(cents, fault=fault))
        status = host.status_becomes(_hides(cents))
        lock.must("12.5", _hides(cents)(status), f"told to show {cents} {lock.when}, fault {fault}: {status}")


def _hides(cents: int) -> Callable[[Any], bool]:
    return lambda now: (now.shown_cents, now.fault_shown) == (cents, True)


def _changes_its_lamp(host: Host, before: ShufflerStatus, lock: Lock) -> None:
    """Checks that a refused command still sets the lamp. Finds no break if an accepted command does not set it."""
    for lamp in (True, False):
        result = host.apply(lock_of_shuffler(before, lamp=lamp)).result
        lock.must("10.13", result == 0, f"a lamp {lock.when}: result {result}")
        host.apply(lock_of_shuffler(before, lamp=not lamp, feed_open=True))
        status: ShufflerStatus = host.status()[0]
        if status.lamp_lit is lamp:
            host.apply(lock_of_shuffler(before, lamp=not lamp))
            is_stuck = host.status()[0].lamp_lit is lamp  # 10.8, which `Watch` says, and no fault of the refusal
            lock.must("9.22", is_stuck, f"refused {lock.when}, and lamp {not lamp} is not done: {status}")
