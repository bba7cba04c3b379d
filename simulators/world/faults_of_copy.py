"""Faults of the second copy's medium: it is slow, hangs, is full, or loses power in the middle of a write."""

from functools import partial

from msgspec import Struct, field

from controller.journal.errors import StorageReason
from simulators.disk import Call, Verb
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault
from simulators.world.scene import Scene
from simulators.world.second_copy import Medium

K = FaultKind


class CopyFaults(Struct):
    """The faults that affect the second copy's medium now. These faults outlast the controller's process."""

    scene: Scene
    now: list[PlannedFault] = field(default_factory=list)
    tearing: list[PlannedFault] = field(default_factory=list)

    def begin(self, fault: PlannedFault) -> None:
        medium = self._medium()
        medium.on_wait, medium.on_replaced = self._waited, self._install
        if fault.kind is K.COPY_TORN:
            self.tearing.append(fault)
        else:
            self.now.append(fault)
            self.scene.clock.after(fault.for_s, partial(self._end, fault))
        self._install()

    def _medium(self) -> Medium:
        medium = self.scene.host.second
        if medium is None:
            raise ValueError("a fault of a second copy where there is none")
        return medium

    def _install(self) -> None:
        """Makes the medium behave as the present faults demand."""
        medium = self._medium()
        medium.slow_s = max((float(fault.amount) for fault in self.now if fault.kind is K.COPY_SLOW), default=0.0)
        medium.hangs = any(fault.kind is K.COPY_HANGS for fault in self.now)
        if medium.hangs:
            medium.on_hanging()
        medium.storage.heal()
        medium.storage.on_call = self._called
        for fault in self.now:
            if fault.kind is K.COPY_FULL:
                medium.storage.fail(Verb.APPEND, StorageReason.FULL, keeps=fault.salt % 50)

    def _end(self, fault: PlannedFault) -> None:
        self.now = [other for other in self.now if other is not fault]
        self._install()

    def _waited(self) -> None:
        for fault in self.now:
            if fault.kind in {K.COPY_SLOW, K.COPY_HANGS}:
                self.scene.meet(fault)

    def _called(self, call: Call) -> None:
        for fault in self.now:
            if fault.kind is K.COPY_FULL and call.verb is Verb.APPEND:
                self.scene.meet(fault)
        if self.tearing and call.verb is Verb.SYNC and call.name.endswith(".segment"):
            fault = self.tearing.pop()
            self._medium().storage.fail(Verb.SYNC, StorageReason.IO_ERROR)  # its bytes stay unwritten
            self.scene.clock.after(0.0, partial(self._tear, fault))

    def _tear(self, fault: PlannedFault) -> None:
        """Cuts the power of the controller's computer in the middle of a write: a random number of the write's bytes
        survives. While the computer is off, the fault waits for the next write.
        """
        host = self.scene.host
        self._install()
        if not host.is_up:
            self.tearing.append(fault)
            return
        host.cut_power(lambda size: fault.rng.randint(0, size))
        self.scene.meet(fault)
        self.scene.looks_different()
        self.scene.clock.after(fault.for_s, host.start)
