"""The input and output of the controller's computer in virtual time: ports take time to open, a disk takes time to
sync.

Each shell here runs one sans-IO part of the controller, as drivers/serial_io.py and journal/writer.py do with a loop
and threads. A shell lives for one run of the process. After `end` it makes no calls.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, TypeAlias

from controller.journal.errors import JournalError
from controller.journal.recovery import Tip
from controller.journal.storage import Storage
from controller.journal.writer_logic import Batch, MakeCheckpoint, Step, Sync, WriterLogic, perform
from drivers.errors import PortLost, PortMissing
from drivers.supervisor import DeviceSupervisor
from simulators.world.clock import Alarm, Clock, ShiftedClock
from simulators.world.wires import Line, nobody_reads

CLOSING_S: Final = 0.002


class Quiet:
    """Decides if a line may rest while it is idle. In this base class lines never rest."""

    is_resting = False

    def rest(self) -> bool:
        """Begins a rest instead of the next heartbeat, if the line is idle. Returns True if a rest has begun."""
        return False

    def wake(self) -> None:
        """Ends the line's rest. Called before an event on the line or at one of its ends."""

    def catch_up(self) -> None:
        """Counts at both ends the heartbeats that a resting line would have exchanged until now."""


MakeQuiet: TypeAlias = Callable[[ShiftedClock, Line, DeviceSupervisor, Alarm, Callable[[], bool]], Quiet]
"""Makes a line's `Quiet`. The alarm is the supervisor's; the last argument tells if the line may rest now."""


class PortShell:
    """Runs the supervisor of one device on one line. Calls `changed` with itself when the supervisor has a report."""

    def __init__(
        self,
        clock: ShiftedClock,
        line: Line,
        supervisor: DeviceSupervisor,
        changed: Callable[["PortShell"], None],
        sent: Callable[[bytes], None],
        quiet: MakeQuiet,
        may_rest: Callable[[], bool],
        opening_s: float,
    ) -> None:
        self._clock = clock
        self._line = line
        self._supervisor = supervisor
        self._changed = changed
        self._sent = sent
        self._opening_s = opening_s
        self._is_open = False
        self._is_busy = False
        self._has_ended = False
        self._alarm = Alarm(clock, self._time_has_come)
        self._quiet = quiet(clock, line, supervisor, self._alarm, may_rest)
        line.wake, line.catch_up = self._quiet.wake, self._quiet.catch_up

    def pump(self) -> None:
        """Sends the supervisor's bytes, opens or closes the port as the supervisor wants, and sets the alarm."""
        supervisor = self._supervisor
        if self._is_open:
            if data := supervisor.data_to_send():
                self._sent(data)
                self._line.wake()
                self._line.send_down(data)
            elif self._quiet.is_resting:
                return  # a resting supervisor without output needs no alarm
        if not self._is_busy:
            self._open_or_close()
        if not self._quiet.is_resting:
            self._alarm.set(supervisor.next_timeout_s())

    def end(self) -> None:
        """Closes the port and ends this shell, as at the end of the controller's process. The shell makes no more
        calls.
        """
        self._quiet.wake()
        self._has_ended = True
        self._alarm.set(None)
        self._let_go()

    # Input

    def _received(self, data: bytes) -> None:
        self._supervisor.receive_data(data, self._clock.now_s)
        self._go_on()

    def _lost(self) -> None:
        self._supervisor.port_lost(PortLost(self._supervisor.name, "hung up"), self._clock.now_s)
        self._go_on()

    def _time_has_come(self) -> None:
        if not self._has_ended and not self._quiet.rest():
            self._supervisor.handle_timeout(self._clock.now_s)
            self._go_on()

    def _go_on(self) -> None:
        if self._supervisor.reported:
            self._changed(self)
        else:
            self.pump()

    # Opening and closing

    def _open_or_close(self) -> None:
        if self._is_open:
            if self._supervisor.wants_close:
                self._let_go()
                self._later(CLOSING_S, self._supervisor.port_closed)
        elif self._supervisor.wants_open:
            self._later(self._opening_s, self._opened)

    def _later(self, delay_s: float, call: Callable[[], None]) -> None:
        self._is_busy = True
        self._clock.after(delay_s, lambda: None if self._has_ended else self._done(call))

    def _done(self, call: Callable[[], None]) -> None:
        self._is_busy = False
        call()
        self._go_on()

    def _opened(self) -> None:
        now_s = self._clock.now_s
        if not self._line.plugged:
            self._supervisor.port_failed(PortMissing(self._supervisor.name, "not there"), now_s)
            return
        self._is_open = True
        self._line.up.deliver, self._line.on_unplugged = self._received, self._lost
        self._supervisor.port_opened(now_s)

    def _let_go(self) -> None:
        """Closes the port; bytes from the device are lost from now on."""
        if self._is_open:
            self._is_open = False
            self._line.up.deliver = nobody_reads
            self._line.on_unplugged = _nobody_minds


def _nobody_minds() -> None:
    """Does nothing. The port is closed, so a pulled cable has no effect on it."""


SEGMENT_LIMIT: Final = 1 << 16
"""The size at which a batch begins a new segment: small, so that a world has several and starts from checkpoints."""


class DiskShell:
    """Makes batches of entries durable, one after another. `sync_s` returns the duration of each sync."""

    def __init__(
        self,
        clock: Clock,
        storage: Storage,
        tip: Tip,
        *,
        sync_s: Callable[[], float],
        on_synced: Callable[[Batch, bytes], None],
        on_durable: Callable[[int, bytes], None],
        on_failure: Callable[[JournalError], None],
        checkpoint: MakeCheckpoint,
    ) -> None:
        self._clock = clock
        self._storage = storage
        self._logic = WriterLogic(tip, segment_limit=SEGMENT_LIMIT, checkpoint=checkpoint)
        self._sync_s = sync_s
        self._on_synced = on_synced
        self._on_durable = on_durable
        self._on_failure = on_failure
        self._has_ended = False

    @property
    def durable(self) -> Tip:
        """The end of the durable journal."""
        return self._logic.durable

    def submit(self, batch: Batch) -> None:
        """Begins to make a batch durable.

        Raises ValueError while another batch is being written, or if `batch` does not continue the durable journal.
        """
        self._go_on(iter(self._logic.begin(batch)), batch)

    def end(self) -> None:
        """Ends this shell, as at the end of the controller's process. A batch that is not durable yet is never
        reported.
        """
        self._has_ended = True

    def _go_on(self, steps: Iterator[Step], batch: Batch) -> None:
        for step in steps:
            if isinstance(step, Sync):
                self._clock.after(self._sync_s(), partial(self._synced, step, steps, batch))
                return
            if not self._does(step):
                return
        seq, head = self._logic.succeeded(), self._logic.durable.head
        self._on_synced(batch, head)
        if not self._has_ended:  # the process may have died in `on_synced`
            self._on_durable(seq, head)

    def _synced(self, step: Sync, steps: Iterator[Step], batch: Batch) -> None:
        if not self._has_ended and self._does(step):
            self._go_on(steps, batch)

    def _does(self, step: Step) -> bool:
        try:
            perform(self._storage, step)
        except JournalError as failure:
            self._logic.failed()
            self._on_failure(failure)
            return False
        return True
