"""Faults of devices (power, hang, another identity, false reports, a full buffer) and of lines; the spare device."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from msgspec.structs import replace

from controller.core.words import Cause, Device, HoldKind, RoundPhase, SessionPhase
from firmware_protocols.tdp.link import EVENTS_LOCK, DeviceIdentity
from simulators.device_kinds import the_one
from simulators.devices.cards import RANKS, SUITS
from simulators.devices.display import SimulatedDisplay
from simulators.devices.firmware import Power
from simulators.devices.slots import SimulatedSlots
from simulators.people.choices import SEATS
from simulators.world.card_scene import CardScene
from simulators.world.dealing_errors import that_can_be_replaced
from simulators.world.device_end import DeviceEnd
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault
from simulators.world.wires import LineTrouble, Pipe

K = FaultKind

LATEST_S: Final = 1.5
"""The longest delay by a fault: a frame may be 2 s old at most (PROTOCOL.md), and the line takes a part of that."""

REPLUGGED_S: Final = 1800.0
"""Seconds after which a pulled cable is plugged in even if the technician has not come."""

CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
LONG: Final = 40
"""The factor on the outage of a device for which there is a spare device, so that the spare device is brought first."""

LOOKS_EVERY_S: Final = 0.1
SWAP_S: Final = 1.0
SEES_CABLE_S: Final = 15.0


FLICKERS_S: Final = 0.3
LOWER_BY: Final = 3
FACES: Final = [rank + suit for suit in SUITS for rank in RANKS]
_FROM_THE_DEVICE: Final = frozenset((K.ANSWERS_LATE, K.EVENTS_WITHHELD, K.EVENTS_DENIED, K.OLD_FRAMES))


def device_fault(scene: CardScene, fault: PlannedFault) -> None:
    """Begins a fault of a device; tries again later if the device is off or the fault does not fit now."""
    if fault.kind is K.ANSWERS_LATE:
        line_fault(scene, fault)
        return
    end = scene.equipment.ends[_device_of(fault)]
    if end.device.power is not Power.ON or not _is_its_moment(scene, end, fault):
        scene.try_again(fault)
        return
    match fault.kind:
        case K.REBOOTED | K.REBOOTED_WITHOUT_COUNTS | K.REBOOTED_WITH_LOWER_COUNTS:
            _begin_anew(scene, end, fault)
        case K.HUNG:
            end.device.hang(scene.clock.now_s, for_s=fault.for_s)
        case K.OTHER_SERIAL | K.OTHER_VERSION:
            _be_another(scene, end, fault)
        case K.FAILED_IN_ROUND | K.FAILED_AND_DAMAGED:
            if not _fail_in_round(scene, end, fault):
                return
        case K.BUFFER_FILLED:
            _fill_buffer(scene, end, fault)
            return
        case _:
            _lie(scene, end, fault)
    scene.meet(fault)
    end.pump()
    scene.crew.sight_changed()


def _is_its_moment(scene: CardScene, end: DeviceEnd, fault: PlannedFault) -> bool:
    if fault.kind is K.COUNTS_BACK_IN_HOLD:
        shown = scene.host.look()
        return shown is not None and bool(shown.holds)
    return not (end.is_another and fault.kind in {K.OTHER_SERIAL, K.OTHER_VERSION})


def mend_later(scene: CardScene, fault: PlannedFault) -> None:
    """Schedules the repair of a reader's error or a stuck display; does nothing for other kinds of fault."""
    equipment = scene.equipment

    def mend(put_right: Callable[[float], None]) -> None:
        put_right(scene.clock.now_s)
        equipment.pump()

    if fault.kind is K.READER_ERROR and equipment.shoe is not None:
        scene.clock.after(fault.for_s, partial(mend, equipment.shoe.clear_error))
    elif fault.kind is K.DISPLAY_STUCK and (display := the_one(SimulatedDisplay, equipment.devices)) is not None:
        scene.clock.after(fault.for_s, partial(mend, display.unstick))


def line_fault(scene: CardScene, fault: PlannedFault) -> None:
    """Disturbs a line for `fault.for_s` seconds, or pulls its cable for at least that time.

    If the cable is already pulled, the fault is tried again later.
    """
    line = scene.equipment.lines[_device_of(fault)]
    if fault.kind is not K.CABLE_PULLED:
        pipes = ((line.down,), (line.up,), (line.down, line.up))
        line.wake()
        for pipe in (line.up,) if fault.kind in _FROM_THE_DEVICE else pipes[fault.salt % 3]:
            _trouble(scene, fault, pipe)
        return
    if not line.plugged:
        scene.try_again(fault)
        return
    line.unplug()
    scene.meet(fault)
    scene.crew.sight_changed()
    scene.clock.after(fault.for_s, partial(_replug, scene, fault, scene.clock.now_s + REPLUGGED_S))


def _device_of(fault: PlannedFault) -> Device:
    if fault.device is None:
        raise ValueError(f"{fault.kind} names no device")
    return fault.device


def _trouble(scene: CardScene, fault: PlannedFault, pipe: Pipe) -> None:
    pipe.troubles.append(
        LineTrouble(
            fault.kind,
            until_s=scene.clock.now_s + fault.for_s,
            share=fault.share if fault.kind not in _FROM_THE_DEVICE else 1.0,
            delay_s=LATEST_S,
            rng=fault.rng,
            meets=partial(scene.meet, fault),
        )
    )


def _replug(scene: CardScene, fault: PlannedFault, at_last_s: float) -> None:
    """Plugs the device's cable in. During a hold for the lost device waits for the technician to plug it in, until
    `at_last_s`.
    """
    device = _device_of(fault)
    line = scene.equipment.lines[device]
    shown = scene.host.look()
    is_called = shown is not None and any(
        hold.kind is HoldKind.DEVICE_LOST and hold.device == device.value for hold in shown.holds
    )
    if line.plugged:
        return
    if is_called and scene.clock.now_s < at_last_s:
        scene.clock.after(SEES_CABLE_S, partial(_replug, scene, fault, at_last_s))
    else:
        line.plug()
        scene.crew.sight_changed()


def _of_another_version(identity: DeviceIdentity, rng: Random) -> DeviceIdentity:
    match rng.randrange(3):
        case 0:
            return replace(identity, major=2)
        case 1:
            return replace(identity, major=0)
        case _:
            return replace(identity, minor=7)


def _be_another(scene: CardScene, end: DeviceEnd, fault: PlannedFault) -> None:
    """Restarts the device with another identity; after `fault.for_s` seconds restarts it with the right one."""
    right, end.is_another = end.device.identity, True
    other = _of_another_version(right, fault.rng)
    if fault.kind is K.OTHER_SERIAL:
        other = replace(right, serial=f"OTHER-{fault.salt % 100}")
    end.device.identify_as(other)
    end.device.reboot(scene.clock.now_s, off_s=SWAP_S)

    def back() -> None:
        end.is_another = False
        if end.device.identity != other:
            return  # a spare device has replaced it meanwhile
        end.device.identify_as(right)
        end.device.reboot(scene.clock.now_s, off_s=SWAP_S)
        end.pump()

    scene.clock.after(fault.for_s, back)


def _begin_anew(scene: CardScene, end: DeviceEnd, fault: PlannedFault) -> None:
    forgets = fault.kind is K.REBOOTED_WITHOUT_COUNTS
    lower_by = LOWER_BY if fault.kind is K.REBOOTED_WITH_LOWER_COUNTS else 0
    end.device.reboot(scene.clock.now_s, off_s=fault.for_s, forget_counts=forgets, lower_by=lower_by)


def _lie(scene: CardScene, end: DeviceEnd, fault: PlannedFault) -> None:
    """Makes the device report falsely: about its counts, its boots, its motions or its cards."""
    now_s, shuffler, shoe = scene.clock.now_s, scene.equipment.shuffler, scene.equipment.shoe
    match fault.kind:
        case K.NUMBERS_CHANGED:
            end.device.change_numbers(fault.amount if fault.salt % 2 else -fault.amount, now_s)
        case K.COUNTS_BACK_IN_HOLD:
            end.device.change_numbers(-fault.amount, now_s)
        case K.BOOT_NUMBER_AGAIN:
            end.device.reboot(now_s, off_s=SWAP_S, again=True)
            scene.clock.after(fault.for_s, partial(_reboot, scene, end))
        case K.DISOBEYS:
            end.device.disobeys = True
            scene.clock.after(fault.for_s, partial(_obey_again, end))
        case K.FLOODED if shuffler is not None:
            shuffler.tell_retries(fault.amount, now_s)
        case K.PHANTOM_READ if shoe is not None:
            shoe.tell_of(fault.rng.sample(FACES, fault.amount), now_s)
        case K.SLOT_BROKEN | K.SLOT_LIES | K.SLOT_FLICKERS:
            _of_a_slot(scene, end, fault)
        case _:
            raise ValueError(fault.kind)


def _obey_again(end: DeviceEnd) -> None:
    end.device.disobeys = False


def _of_a_slot(scene: CardScene, end: DeviceEnd, fault: PlannedFault) -> None:
    """Breaks the sensor of a jackpot slot or makes it report falsely, and schedules its repair."""
    slots, seat = end.device, 1 + fault.salt % SEATS
    if not isinstance(slots, SimulatedSlots):
        raise TypeError(slots)

    def then(do: Callable[[int, float], None]) -> None:
        do(seat, scene.clock.now_s)
        end.pump()

    (slots.break_sensor if fault.kind is K.SLOT_BROKEN else slots.misread)(seat, scene.clock.now_s)
    if fault.kind is K.SLOT_FLICKERS:
        for at in range(1, fault.amount):
            do = slots.mend_sensor if at % 2 else slots.misread
            scene.clock.after(FLICKERS_S * at, partial(then, do))
    scene.clock.after(fault.for_s or FLICKERS_S * fault.amount, partial(then, slots.mend_sensor))


def _reboot(scene: CardScene, end: DeviceEnd) -> None:
    end.device.reboot(scene.clock.now_s, off_s=SWAP_S)
    end.pump()


def _fail_in_round(scene: CardScene, end: DeviceEnd, fault: PlannedFault) -> bool:
    """Makes the device fail during a round, so that a ruling is needed. Returns False, and tries again later, if the
    fault does not fit now.
    """
    shown = scene.host.look()
    if shown is None or shown.session is not SessionPhase.IN_PLAY or shown.round not in CARDS_LIE:
        scene.try_again(fault, 1.0)
        return False
    room, damages = scene.equipment.room, fault.kind is K.FAILED_AND_DAMAGED
    torn = that_can_be_replaced(room, fault.rng)[:1] if damages else []
    if damages and not torn:
        scene.try_again(fault, 1.0)
        return False
    room.damaged += torn
    mislaid, has_spare = room.mislaid, damages or fault.salt % 3 == 0
    lasts_s = fault.for_s * (LONG if has_spare else 1)
    if fault.salt % 2:
        end.device.hang(scene.clock.now_s, for_s=lasts_s)
    else:
        end.device.reboot(scene.clock.now_s, off_s=lasts_s)
    mislaid.ruling_wanted = Cause.DEVICE_MALFUNCTION
    mislaid.spare_for = fault.device if has_spare else None
    return True


def bring_spare(scene: CardScene, device: Device) -> None:
    """Replaces the device by a spare device that holds the same cards, enters the spare's serial number in the
    configuration, and restarts a running controller. The spare device has forgotten the card counts, or counts LOWER_BY
    cards less.
    """
    end, serial = scene.equipment.ends[device], f"SPARE-{device.value}"
    if end.device.identity.serial == serial:
        serial += "-2"  # the first spare device has failed, too
    end.device.identify_as(replace(end.device.identity, serial=serial))
    forgets = end.device.boot % 2 == 0
    end.device.reboot(scene.clock.now_s, off_s=SWAP_S, forget_counts=forgets, lower_by=0 if forgets else LOWER_BY)
    end.pump()
    scene.host.configure(device, serial)
    if scene.host.is_up:
        scene.host.kill()
        scene.clock.after(SWAP_S, scene.host.start)


def _fill_buffer(scene: CardScene, end: DeviceEnd, fault: PlannedFault) -> None:
    """Slows each sync of the disk during the unloading, so that the device's events fill its buffer."""
    shown = scene.host.look()
    if shown is None or shown.session is not SessionPhase.UNLOADING or scene.host.disk.slow_s:
        scene.try_again(fault, 0.5)
        return
    scene.host.disk.slow_s = fault.for_s
    until_s = scene.clock.now_s + fault.for_s

    def look() -> None:
        if end.device.power is Power.ON and end.device.waiting_events >= EVENTS_LOCK:
            scene.meet(fault)
        if scene.clock.now_s < until_s:
            scene.clock.after(LOOKS_EVERY_S, look)
        else:
            scene.host.disk.slow_s = 0.0

    look()
