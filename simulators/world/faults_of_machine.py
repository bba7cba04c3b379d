"""Faults of the controller's computer: its disk, its power, its process and its wall clock."""

from functools import partial
from typing import Final

from msgspec import Struct, field

from controller.journal.errors import StorageReason
from controller.journal.recovery import list_segments
from simulators.disk import Call, Verb
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault
from simulators.world.scene import Scene

K = FaultKind

_VERBS: Final = {
    K.DISK_FULL: (Verb.APPEND, StorageReason.FULL, False),
    K.SYNC_FAILED: (Verb.SYNC, StorageReason.IO_ERROR, False),
    K.SYNC_LOST_DATA: (Verb.SYNC, StorageReason.IO_ERROR, True),
}


class DiskFaults(Struct):
    """The faults that affect the disk now. These faults outlast the controller's process."""

    scene: Scene
    failing: list[PlannedFault] = field(default_factory=list)
    slow: list[PlannedFault] = field(default_factory=list)
    tearing: list[PlannedFault] = field(default_factory=list)

    def install(self) -> None:
        """Makes the disk's storage behave as the present faults demand."""
        storage = self.scene.host.disk.storage
        storage.on_call = self._called if self.failing or self.tearing else None
        storage.heal()
        for fault in self.failing:
            verb, reason, drops = _VERBS[fault.kind]
            storage.fail(verb, reason, keeps=fault.salt % 50, drops=drops)

    def begin(self, fault: PlannedFault) -> None:
        match fault.kind:
            case K.TORN_WRITE:
                self.tearing.append(fault)
                self.install()
            case K.BIT_FLIP | K.DAMAGE_CLOSED:
                _lose_power(self.scene, fault)
            case K.DISK_SLOW:
                self.slow.append(fault)
                self.scene.host.disk.slow_s = float(fault.amount)
                self.scene.clock.after(fault.for_s, partial(self._end, fault))
            case _:
                self.failing.append(fault)
                self.install()
                self.scene.clock.after(fault.for_s, partial(self._end, fault))

    def slow_sync(self) -> None:
        """Counts an effect of each fault that slows the disk now. Called when a slow sync begins."""
        for fault in self.slow:
            self.scene.meet(fault)

    def _end(self, fault: PlannedFault) -> None:
        self.failing = [other for other in self.failing if other is not fault]
        self.slow = [other for other in self.slow if other is not fault]
        self.scene.host.disk.slow_s = max((float(other.amount) for other in self.slow), default=0.0)
        self.install()

    def _called(self, call: Call) -> None:
        for fault in self.failing:
            if _VERBS[fault.kind][0] is call.verb:
                self.scene.meet(fault)
        if self.tearing and call.verb is Verb.APPEND and call.name.endswith(".segment"):
            fault = self.tearing.pop()
            self.scene.clock.after(0.0, partial(_tear, self.scene, fault, call.name))


def machine_fault(scene: Scene, fault: PlannedFault) -> None:
    """Begins a fault of the controller's computer: cuts the power, kills the process, or changes the wall clock. A
    fault of power or process waits while the computer is off.
    """
    if fault.kind is K.WALL_CLOCK_JUMPED:
        scene.host.wall.offset_s += 3600.0 * (fault.amount or 1)
        scene.host.wall.is_synced = False
        scene.meet(fault)
    else:
        _lose_power(scene, fault)


def _lose_power(scene: Scene, fault: PlannedFault) -> None:
    host = scene.host
    if not host.is_up:
        scene.try_again(fault)
        return
    match fault.kind:
        case K.PROCESS_KILLED | K.KILLED_TWICE:
            host.kill()
        case K.POWER_CUT_OF_ALL:
            host.cut_power(lambda _size: 0)
            scene.restart_devices(fault.for_s / 2)
        case _:
            host.cut_power(lambda _size: 0)
    scene.meet(fault)
    scene.looks_different()
    if fault.kind is K.BIT_FLIP:
        _flip(scene, fault)
    if fault.kind is K.DAMAGE_CLOSED:
        _flip_at_the_end(scene, fault)
    scene.clock.after(fault.for_s, host.start)
    if fault.kind is K.KILLED_TWICE:
        scene.clock.after(fault.for_s + fault.share, partial(_kill_again, scene, fault))


def _kill_again(scene: Scene, fault: PlannedFault) -> None:
    if scene.host.is_up:
        scene.host.kill()
        scene.clock.after(fault.for_s, scene.host.start)


def _tear(scene: Scene, fault: PlannedFault, name: str) -> None:
    """Cuts the power in the middle of a write to the file `name`: only a part of the bytes reaches the medium."""
    host = scene.host
    size = host.disk.storage.unsynced().get(name, 0) if host.is_up else 0
    if size < 2:
        scene.try_again(fault)
        return
    kept = fault.rng.randint(1, size - 1)
    host.cut_power(lambda unsynced: min(kept, unsynced))
    scene.meet(fault)
    scene.looks_different()
    scene.clock.after(fault.for_s, host.start)


LAST_BYTES: Final = 3000
"""The number of bytes at the end of a segment in which a bit is flipped: a handful of entries."""


def _flip_at_the_end(scene: Scene, fault: PlannedFault) -> None:
    storage = scene.host.disk.storage
    *_, (_, name) = list_segments(storage)
    size = len(storage.read(name))
    storage.flip(name, fault.rng.randrange(8 * max(0, size - LAST_BYTES), 8 * size))


def _flip(scene: Scene, fault: PlannedFault) -> None:
    files = [file for file in scene.host.disk.storage.list() if file.size]
    if files:
        file = fault.rng.choice(files)
        scene.host.disk.storage.flip(file.name, fault.rng.randrange(8 * file.size))
