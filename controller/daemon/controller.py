"""The loop around the runtime: passes events to the runtime and carries out its outputs. Decides nothing itself."""

import asyncio
import secrets
from functools import partial
from typing import Final, assert_never

from controller.config import Config, DeviceConfig
from controller.core.words import Role
from controller.daemon.beside import Beside
from controller.daemon.board import read_undervoltage
from controller.daemon.carrying import Carrying, Witnessing
from controller.daemon.clients import Clients
from controller.daemon.clocks import WallClock
from controller.daemon.cosigning import Cosigning
from controller.daemon.devices import port_opener, supervisor_makers
from controller.daemon.linking import linking_of
from controller.daemon.logs import Log
from controller.daemon.parts import Parts
from controller.daemon.pins import PinChecker
from controller.daemon.prepare import Prepared
from controller.daemon.record import RecordReader
from controller.daemon.recording import Recording
from controller.daemon.usb import UsbWatch
from controller.journal.errors import StorageFailed
from controller.journal.note import read_key
from controller.journal.writer_logic import Batch
from controller.runtime.devices import number_of_sessions
from controller.runtime.gate import Answered, Gate, Happened, Noticed, Output, PinCheck
from controller.runtime.kernel import Runtime, SpokenTo
from controller.screen.device_status import quality_values
from controller.screen.surroundings import Presented, Surroundings
from controller.staff import StaffBook, StaffRefused, known_of
from controller.staff.book import StaffMember
from drivers.serial_io import SerialShell
from drivers.supervisor import DeviceSupervisor

LOOK_EVERY_S: Final = 2.0
"""Seconds between two looks at the staff file, the journal's directory and USB devices, and at a mark that
may be due.
"""


class Controller:
    """The controller of one table in one loop. All methods except `stop` run in callbacks of the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop, prepared: Prepared, log: Log) -> None:
        self._loop = loop
        self._log = log
        log.place = self._place
        config, start = prepared.config, prepared.booted.start
        is_recorded = prepared.booted.tip is not None and start.failed is None
        number = number_of_sessions(start.started.start_number, is_recorded=is_recorded, draw=secrets.randbelow)
        makers = supervisor_makers(config, number)
        self.runtime = Runtime(start, makers, prepared.seals, WallClock().read, loop.time(), prepared.signer.sign)
        self.gate = Gate(self.runtime)
        self._around = Surroundings(read_undervoltage(), start.started.software)
        self._parts = Parts(loop, config, self._around, log, self._badge_shown)
        self._reader = RecordReader(config.journal, config.staff)
        beside, language = Beside(self._reader, self._parts, log), config.table.language
        self._pins = PinChecker(loop, config.staff, self._pin_checked)
        self._recording = Recording(loop, prepared, self.runtime, log, self.turn, self._pins.aside)
        self._around.second_copy = self._recording.copy
        witness = None if config.uplink is None or config.uplink.witness is None else read_key(config.uplink.witness)
        witnessing = Witnessing(lambda: self._recording.marking.newest, witness)
        self._linking = linking_of(config, self.runtime, loop)
        self._carrying = Carrying(
            *(loop, config.journal, config.table.id, prepared.epoch, prepared.signer, self._recording.durable_tip),
            *(witnessing, self._linking.numbers),
        )
        self._cosigning = Cosigning(loop, config.journal, prepared.signer.public_key, config.witnesses)
        asked = (beside, self._carrying, self._cosigning, self._linking)
        self.clients = Clients(loop, self.runtime, self.gate, language, self.turn, self._around, *asked)
        self._usb = UsbWatch()
        self._configured = config.values
        self._shells = {device.kind: self._shell(config, device) for device in config.devices}
        self._timer: asyncio.TimerHandle | None = None
        self._look: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Opens the devices and parts, starts the second copy's thread, records a changed configuration, and runs the
        first step.

        The first step hands this start's entry to the journal's writer. From then on the controller checks the staff
        file, the journal and the USB devices every LOOK_EVERY_S seconds.
        """
        for shell in self._shells.values():
            shell.start()
        self._parts.start()
        self._recording.start()
        self.runtime.configuration_read(self._configured, self._loop.time())
        self.turn()
        self._look_round()

    def turn(self) -> None:
        """Runs one step of the gate and carries out the gate's outputs. To be called after each input. Extra calls do
        no harm.
        """
        now_s = self._loop.time()
        for output in self.gate.step(now_s):
            self._carry_out(output, now_s)
        self._parts.bring_about(self.runtime.devices.desired)
        self.clients.tell_changes()
        self._set_timer()

    def _carry_out(self, output: Output, now_s: float) -> None:
        match output:
            case SpokenTo(devices=devices):
                self._parts.bring_about(self.runtime.devices.desired)  # the lamp warns before any answer leaves
                for device in devices:
                    self._shells[device].pump()
            case Batch():
                self._recording.submit(output, now_s)
            case PinCheck():
                self._pins.start(output)
            case Answered(ticket=ticket, answer=answer):
                self.clients.requests.answer(ticket, answer)
            case Noticed(notices=notices):
                self.clients.keep(notices)
            case Happened(log_events=log_events):
                self._log.tell(log_events, now_s, self._line_of)
            case _:
                assert_never(output)

    def _place(self) -> dict[str, int]:
        ledger = self.runtime.ledger
        session, in_session = ledger.latest.house.session_number, ledger.latest.game.number
        return {"seq": ledger.next_seq - 1, "session": session, "round": in_session}

    def batch_out_s(self) -> float:
        """Returns the seconds for which the journal's writer has been busy with its batch. Returns 0.0 without a
        batch.
        """
        return self._recording.batch_out_s()

    def say_noise(self) -> None:
        """Does the work of each minute: has the runtime record its counts, reads the supply voltage, and logs the
        quality and the bad frames of each device's line.
        """
        self.runtime.minute_passed(self._loop.time())
        self.turn()
        self._around.undervoltage = read_undervoltage()
        self._log.noise(self.runtime.devices.supervisors)
        for device in self.runtime.devices.supervisors:
            self._log.line(device.value, self._line_of(device.value))

    def _line_of(self, name: str) -> dict[str, object]:
        supervisor = next((one for kind, one in self.runtime.devices.supervisors.items() if kind.value == name), None)
        if supervisor is None:
            return {}
        undervoltage = {"undervoltage": self._around.undervoltage.value}
        return quality_values(supervisor, self._loop.time()) | undervoltage

    async def stop(self) -> bool:
        """Writes the last entry and closes everything. Returns False if the disk or a port hangs and is left open."""
        self.runtime.stop(self._loop.time())
        self.turn()
        disk_is_free = await self._recording.all_written()
        self._cancel_timer()
        if self._look is not None:
            self._look.cancel()
        self.clients.stop()
        await self._reader.stop()
        closed = await asyncio.gather(self._parts.stop(), *(shell.stop() for shell in self._shells.values()))
        self._pins.close()
        self._carrying.close()
        self._cosigning.close()
        if disk_is_free:
            await self._recording.close()
        await self._recording.close_copy()
        return disk_is_free and all(closed)

    # ---- changes without an event: removed people, a journal whose place is gone

    def _look_round(self) -> None:
        self._look = self._loop.call_later(LOOK_EVERY_S, self._look_round)
        self._recording.write_mark()
        self.clients.signed_in.end_rights()
        self._pins.aside.run(lambda: (self._pins.book(), self._recording.look_at_place()), self._seen, lambda: None)
        if (plugged := self._usb.news()) and self.runtime.health.is_writing:
            for device in plugged:
                self.runtime.usb_device_kept_out(*device, self._loop.time())
            self.turn()

    def _seen(self, found: tuple[StaffBook | None, StorageFailed | None]) -> None:
        """Handles what a thread has read from media that may be slow: the staff file, and the fault of the journal's
        directory (None: no fault).
        """
        people, trouble = found
        self._people_read(people)
        self._recording.place_seen(trouble)

    def _people_read(self, book: StaffBook | None) -> None:
        """Signs out people who have left the staff or have a new role, PIN or badge, and gives the runtime the new
        staff. Does nothing if `book` is None because the staff file is unreadable.
        """
        if book is not None:
            self.clients.signed_in.staff_known(book)
            self.runtime.staff_known(known_of(book), self._loop.time())
            self.turn()

    # ---- people

    def _pin_checked(self, check: PinCheck, outcome: Role | StaffRefused | None) -> None:
        now_s = self._loop.time()
        if isinstance(outcome, StaffRefused):
            self._log.say("staff-refused", reason=outcome.key)
            self.gate.not_checked(check)
        else:
            self.gate.checked(check, outcome, now_s)
        self.turn()

    def _badge_shown(self, badge: str) -> None:
        self._pins.name_badge(badge, self._badge_named)

    def _badge_named(self, owner: StaffMember | StaffRefused | None) -> None:
        match owner:
            case StaffMember():
                self._around.presented = Presented(owner.number, owner.role, self._loop.time())
                self._log.say("badge-shown", person=owner.number, role=owner.role.value)
            case StaffRefused():
                self._log.say("staff-refused", reason=owner.key)
            case None:
                self._log.say("badge-unknown")
            case _:
                assert_never(owner)
        self.turn()

    # ---- devices

    def _shell(self, config: Config, device: DeviceConfig) -> SerialShell:
        supervisor = self.runtime.devices.supervisors[device.kind]
        file = None if "://" in device.port else device.port
        return SerialShell(self._loop, supervisor, port_opener(config, device), partial(self._heard, supervisor), file)

    def _heard(self, supervisor: DeviceSupervisor) -> None:
        """Runs the controller's next step if the device has reported an event. Most messages of a device report
        none.
        """
        if supervisor.reported:
            self.turn()

    # ---- time

    def _set_timer(self) -> None:
        due_s = self.runtime.next_timeout_s(self._loop.time())
        if self._timer is not None and due_s is not None and self._timer.when() <= due_s:
            return  # an early timer is harmless, and cancelled timers would pile up in the loop
        self._cancel_timer()
        if due_s is not None:
            self._timer = self._loop.call_at(due_s, self._time_has_come)

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_has_come(self) -> None:
        self._timer = None
        self.runtime.handle_timeout(self._loop.time())
        self.turn()
