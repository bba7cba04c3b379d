"""Runs the controller in virtual time: the production runtime on a simulated computer that can lose its power.

All code between bytes and journal is production code, composed as in the daemon. Input from a device, a person, the
disk or a timer goes into the runtime. Then all of the runtime's output is delivered.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias, assert_never

import msgspec
from msgspec.structs import replace

from controller.catalogue import Language
from controller.core.house.state import State
from controller.core.words import Device
from controller.daemon.copies import ANSWERED_WITHIN_S
from controller.journal.approval import Approval
from controller.journal.errors import JournalError
from controller.journal.seals import SealKey, SealStore
from controller.journal.writer_logic import Batch
from controller.runtime.answers import Answer
from controller.runtime.boot import Binding, begin, inspect_journal
from controller.runtime.checkpoint import encode_checkpoint
from controller.runtime.devices import MakeSupervisor, number_of_sessions, tdp_supervisor
from controller.runtime.gate import Answered, Asked, BadValues, Gate, Happened, Noticed, Output, PinCheck
from controller.runtime.health import Journaling
from controller.runtime.kernel import Runtime, SpokenTo
from controller.runtime.log_events import LogEvent
from controller.screen.status import StatusMaker
from firmware_protocols.tdp.link import FrameKind
from simulators.device_kinds import KINDS
from simulators.world.clock import Alarm, ShiftedClock, VirtualClock, chance
from simulators.world.device_end import DeviceEnd
from simulators.world.installation import MINUTE_S, PIN_S, SIGNER, Disk, Installation, WallClock
from simulators.world.machine import DiskShell, MakeQuiet, PortShell, Quiet
from simulators.world.outputs import Outputs
from simulators.world.paired import pair_of
from simulators.world.quiet import QuietLine
from simulators.world.second_copy import CopyShell, Medium, match
from simulators.world.wires import Line, only_kind

Reply: TypeAlias = Callable[[Answer | BadValues | None], None]
"""Receives the answer to an act; None if the controller was down, or died before it answered."""


class _Undigested(StatusMaker):
    """Makes a status without the state's digest, which is expensive and never needed to compare worlds."""

    def _digest_now(self, _state: State) -> str:
        return ""


class Host:
    """The simulated computer of the controller, at a table of any game. The controller runs only after `start`; the
    devices run earlier.
    """

    def __init__(
        self,
        clock: VirtualClock,
        seed: int,
        installation: Installation,
        lines: Mapping[Device, Line],
        ends: Mapping[Device, DeviceEnd],
        outputs: Outputs,
    ) -> None:
        self.clock = clock
        self.disk = Disk(chance(seed, "disk"))
        self.approval: Approval | None = None  # the approval of two people who close a damage, for the next start
        self.second: Medium | None = None  # the medium of the journal's second copy, where there is one
        self.wall = WallClock(clock)
        self.run: Run | None = None
        self.starts = 0
        self.seed = seed
        self.installation = installation
        self.lines = lines
        self.ends = ends
        self.outputs = outputs
        self.on_change: Callable[[], None] = lambda: None  # called when the screen may show a change
        self.on_durable: Callable[[int], None] = lambda _: None
        self.on_log_event: Callable[[LogEvent], None] = lambda _: None
        self.on_power: Callable[[str], None] = lambda _: None
        self.on_booted: Callable[[], None] = lambda: None  # called after the journal's recovery
        self.on_damaged: Callable[[], object] = lambda: None  # called when the process has started and may not write
        self.on_sent: Callable[[Device, bytes], None] = lambda _device, _data: None
        self.on_synced: Callable[[Batch, bytes], None] = lambda _batch, _head: None
        self._power_on_s = 0.0

    @property
    def is_up(self) -> bool:
        return self.run is not None

    def start(self, *, waited: bool = False) -> None:
        """Starts the controller's process from its journal. If the second copy hangs, delays the start once. `waited`:
        True for the start after that delay.
        """
        if self.second is not None and self.second.hangs and not waited:
            self.second.on_wait()
            self.clock.after(ANSWERED_WITHIN_S, lambda: self.start(waited=True))
            return
        self.starts += 1
        self.on_power("starts")
        self.run = Run(self, ShiftedClock(self.clock, self._power_on_s))
        if self.run.runtime.health.condition is Journaling.DAMAGED:
            self.on_damaged()
        self.run.changed()

    def kill(self) -> None:
        """Ends the process at once. All bytes that it has written survive, synced or not."""
        self.on_power("dies")
        self._end_run()
        for medium in self._media():
            medium.after_kill()

    def cut_power(self, keep: Callable[[int], int]) -> None:
        """Cuts the computer's power. `keep(size)`: how many of a file's `size` unsynced bytes survive."""
        self.on_power("loses power")
        self._end_run()
        for medium in self._media():
            medium.after_power_cut(keep)
        self._power_on_s = self.clock.now_s

    def _media(self) -> tuple[Disk, ...]:
        return (self.disk,) if self.second is None else (self.disk, self.second)

    def configure(self, device: Device, serial: str) -> None:
        """Sets the device's serial number in the configuration that the next start reads."""
        serials = {**self.installation.serials, device: serial}
        self.installation = replace(self.installation, serials=serials)

    def approve(self, technician: int, chief: int) -> None:
        """Stores two people's approval to close the journal's damage at the next start, and replaces the second copy's
        medium by an empty one.
        """
        recovery = inspect_journal(self.disk.storage).recovery
        if recovery.damage is not None:
            self.approval = Approval(chief, recovery.segment_after_damage().damaged.hex(), technician)
        if self.second is not None:
            self.second.is_replaced()

    def ask(self, asked: Asked, reply: Reply) -> None:
        """Asks the controller for `asked`. Calls `reply` with the answer, or with None while the controller is down."""
        if self.run is None:
            reply(None)
        else:
            self.run.ask(asked, reply)

    # ---- parts that differ from game to game

    def supervisor(
        self, device: Device, serial: str | None, start_number: int, jitter: Callable[[], float]
    ) -> MakeSupervisor:
        """Returns the factory of a device's supervisor. `serial`: None for any serial number."""
        deals = Device.SHUFFLER not in self.ends
        is_paired = self.installation.paired and serial is not None
        return tdp_supervisor(
            device,
            serial,
            simulated=True,
            start_number=start_number,
            jitter=jitter,
            deals=deals,
            pair=pair_of(self.seed, device, serial or "", start_number) if is_paired else None,
        )

    def quiet(self, device: Device) -> MakeQuiet:
        """Returns the factory of the `Quiet` of this device's line. Only the lines to devices in `ends` can rest."""
        return partial(QuietLine, self.ends[device]) if device in self.ends else lambda *_: Quiet()

    def says_nothing(self, _latest: State) -> bool:
        """True if the controller ignores a device's unchanged status. Idle lines may then rest. The base class always
        returns True.
        """
        return True

    def rendered(self, _latest: State, _durable: State) -> object | None:
        """Returns the screen of signed-in people, to compare two worlds. None for a game without such a screen."""
        return None

    def _end_run(self) -> None:
        if self.run is not None:
            run, self.run = self.run, None
            run.end()
            self.on_change()


class Run:
    """One run of the controller's process, from its start to its end."""

    def __init__(self, host: Host, clock: ShiftedClock) -> None:
        self._host = host
        self._clock = clock
        self._has_ended = False
        self._replies: dict[int, Reply] = {}
        self._tickets = 0
        installation = host.installation
        storage = host.disk.storage
        matched = match(storage, host.second)
        binding = Binding(installation.setup, "world", "world", "sabot", SIGNER.public_key)
        booted = begin(
            storage,
            inspect_journal(storage, key=SIGNER.public_key),
            binding,
            matched.findings,
            matched.damage,
            host.approval,
        )
        if booted.tip is not None:
            host.on_booted()
        drawn = chance(host.seed, "sessions", host.starts)
        is_recorded = booted.tip is not None
        number = number_of_sessions(booted.start.started.start_number, is_recorded=is_recorded, draw=drawn.randrange)
        jitter = chance(host.seed, "jitter", number)
        makers = {
            device: host.supervisor(device, serial, number, jitter.random)
            for device, serial in installation.serials.items()
        }
        salts = chance(host.seed, "salts", host.starts)
        seals = SealStore(SealKey(bytes(32), created=False), host.disk.storage, salts.randbytes)
        self.runtime = Runtime(booted.start, makers, seals, host.wall.read, clock.now_s, SIGNER.sign)
        self.gate = Gate(self.runtime)
        self._status = _Undigested(self.runtime, Language.EN)
        self._shells = {
            device: PortShell(
                clock,
                host.lines[device],
                supervisor,
                self.changed,
                partial(self._sent, device),
                host.quiet(device),
                self._says_nothing,
                KINDS[device].opens_after_s,
            )
            for device, supervisor in self.runtime.devices.supervisors.items()
        }
        self._disk: DiskShell | None = None
        if booted.tip is not None:
            self._disk = DiskShell(
                clock,
                host.disk.storage,
                booted.tip,
                sync_s=host.disk.takes_s,
                on_synced=host.on_synced,
                on_durable=self._durable,
                on_failure=self._failed,
                checkpoint=lambda tip: encode_checkpoint(self.runtime.checkpoint(), tip.head, SIGNER),
            )
        self._copy: CopyShell | None = None
        if host.second is not None and booted.tip is not None:
            self._copy = CopyShell(clock, storage, host.second, booted.tip, self._copy_changed)
        self._alarm = Alarm(clock, self._time_has_come)
        self._minute = Alarm(clock, self._minute_has_passed)
        self._minute.set(clock.now_s + MINUTE_S)
        self._version = -1

    @property
    def permits(self) -> bool:
        """True if the controller accepts acts."""
        return self.runtime.trouble() is None

    def changed(self, shell: PortShell | None = None) -> None:
        """Runs the runtime and delivers its output. `shell`: the port with new input; None if the input has another
        source.
        """
        if not self._has_ended:
            self._carry(self._clock.now_s, shell)

    def ask(self, asked: Asked, reply: Reply) -> None:
        now_s = self._clock.now_s
        self._tickets += 1
        self._replies[self._tickets] = reply
        self.gate.ask(self._tickets, asked, now_s)
        self._carry(now_s)

    def end(self) -> None:
        """Ends the run; each person who waits for an answer gets None."""
        self._has_ended = True
        self._alarm.set(None)
        self._minute.set(None)
        for shell in self._shells.values():
            shell.end()
        if self._disk is not None:
            self._disk.end()
        if self._copy is not None:
            self._copy.end()
        replies, self._replies = self._replies, {}
        for reply in replies.values():
            reply(None)

    # ---- within

    def _carry(self, now_s: float, shell: PortShell | None = None) -> None:
        """Runs one step of the gate, delivers its output, and reports a change of the table's state."""
        if not self._says_nothing() and (reader := self._host.lines.get(Device.SHOE)) is not None:
            reader.wake()
        for output in self.gate.step(now_s):
            self._carry_out(output)
        if shell is not None:
            shell.pump()  # the supervisor may have answered by itself
        if shell is not None and self.runtime.version == self._version:
            return  # the input was no news
        self._alarm.set(self.runtime.next_timeout_s(self._clock.now_s))
        if self.runtime.version != self._version:
            self._version = self.runtime.version
            self._host.on_change()
            ledger = self.runtime.ledger
            if self._host.outputs.keep and (shown := self._host.rendered(ledger.latest, ledger.durable)) is not None:
                for line in self._host.lines.values():
                    line.catch_up()
                self._put("status", msgspec.json.encode(self._status.status(now_s, [])))
                self._put("hands", msgspec.json.encode(shown))  # for signed-in people

    def _carry_out(self, output: Output) -> None:
        match output:
            case SpokenTo(devices=devices):
                for device in devices:
                    self._shells[device].pump()
            case Batch():
                self._submit(output)
            case PinCheck():
                self._clock.after(PIN_S, lambda: self._checked(output))
            case Answered(ticket=ticket, answer=answer):
                self._put("answer", f"{ticket} {type(answer).__name__} {getattr(answer, 'act', '')}")
                self._replies.pop(ticket)(answer)
            case Noticed(notices=notices):
                for notice in notices:
                    self._put("notice", repr(notice))
            case Happened(log_events=log_events):
                self._tell(log_events)
            case _:
                assert_never(output)

    def _tell(self, log_events: Sequence[LogEvent]) -> None:
        for log_event in log_events:
            self._put("log", repr(log_event))
            self._host.on_log_event(log_event)

    def _submit(self, batch: Batch) -> None:
        if self._disk is None:
            return
        if self._host.outputs.keep:
            for seal in batch.seals:
                self._put("seals", seal)
            for payload in batch.payloads:
                self._put("journal", payload)
        self._disk.submit(batch)

    def _checked(self, check: PinCheck) -> None:
        if self._has_ended:
            return
        known = {person.number: person for person in self._host.installation.people}
        person = known.get(check.person)
        role = person.role if person is not None and person.pin == check.pin else None
        now_s = self._clock.now_s
        self.gate.checked(check, role, now_s)
        self._carry(now_s)

    def _copy_changed(self, reason: str) -> None:
        self.runtime.minute.copy_trouble = reason
        self.runtime.version += 1
        self._carry(self._clock.now_s)

    def _durable(self, seq: int, head: bytes) -> None:
        if self._copy is not None and self._disk is not None:
            self._copy.durable(self._disk.durable)
        now_s = self._clock.now_s
        self.runtime.journal_durable(seq, head, now_s)
        self._carry(now_s)  # also reports the change
        self._host.on_durable(seq)

    def _failed(self, failure: JournalError) -> None:
        now_s = self._clock.now_s
        self.runtime.journal_failed(failure, now_s)
        self._carry(now_s)

    def _time_has_come(self) -> None:
        if not self._has_ended:
            now_s = self._clock.now_s
            self.runtime.handle_timeout(now_s)
            self._carry(now_s)

    def _minute_has_passed(self) -> None:
        if not self._has_ended:
            now_s = self._clock.now_s
            self.runtime.minute_passed(now_s)
            self._minute.set(now_s + MINUTE_S)
            self._carry(now_s)

    def _says_nothing(self) -> bool:
        return self._host.says_nothing(self.runtime.ledger.latest)

    def _sent(self, device: Device, data: bytes) -> None:
        self._host.on_sent(device, data)
        if only_kind(data) != FrameKind.HEARTBEAT:  # a heartbeat is no news
            self._put(device, data)

    def _put(self, stream: str, what: bytes | str) -> None:
        data = what if isinstance(what, bytes) else what.encode()
        self._host.outputs.put(stream, self._host.clock.now_s, data)
