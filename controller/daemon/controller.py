"""The loop around the runtime: it passes events in and carries outputs out. It decides nothing."""

import asyncio
import errno
import secrets
from functools import partial
from typing import Final, assert_never

from controller.config import Config, DeviceConfig
from controller.core.words import Role
from controller.daemon.background import call_in_loop
from controller.daemon.beside import Beside
from controller.daemon.board import read_undervoltage
from controller.daemon.carrying import Carrying, Witnessing
from controller.daemon.clients import Clients
from controller.daemon.clocks import WallClock
from controller.daemon.cosigning import Cosigning
from controller.daemon.devices import port_opener, supervisor_makers
from controller.daemon.linking import linking_of
from controller.daemon.logs import Log
from controller.daemon.marks import Marking
from controller.daemon.parts import Parts
from controller.daemon.pins import PinChecker
from controller.daemon.prepare import Prepared
from controller.daemon.record import RecordReader
from controller.daemon.usb import UsbWatch
from controller.journal.approval import clear_approval
from controller.journal.epoch import clear_restored
from controller.journal.errors import JournalError, StorageFailed, StorageReason
from controller.journal.forgotten import clear_forgotten
from controller.journal.mark import Mark, begun_path
from controller.journal.note import read_key
from controller.journal.recovery import Tip
from controller.journal.root import clear_updated
from controller.journal.second_copy import Goal, SecondCopy
from controller.journal.storage import reported, write_whole
from controller.journal.writer import JournalWriter
from controller.journal.writer_logic import Batch
from controller.runtime.checkpoint import encode_checkpoint
from controller.runtime.devices import number_of_sessions
from controller.runtime.gate import Answered, Gate, Happened, Noticed, Output, PinCheck
from controller.runtime.health import Journaling
from controller.runtime.kernel import Runtime, SpokenTo
from controller.screen.device_status import quality_values
from controller.screen.surroundings import Presented, Surroundings
from controller.staff import StaffBook, StaffRefused, known_of
from controller.staff.book import StaffMember
from drivers.serial_io import SerialShell
from drivers.supervisor import DeviceSupervisor

LOOK_EVERY_S: Final = 2.0
"""The interval of checks of the staff file and the journal's directory while there are no requests."""

STOP_WITHIN_S: Final = 1.2
"""The longest time that an orderly stop waits for its last entry. Devices and clients get the rest of two seconds."""


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
        self._marking = Marking(config.table.id, prepared.signer, prepared.epoch)
        witness = None if config.uplink is None or config.uplink.witness is None else read_key(config.uplink.witness)
        witnessing = Witnessing(lambda: self._marking.newest, witness)
        self._linking = linking_of(config, self.runtime, loop)
        self._carrying = Carrying(
            *(loop, config.journal, config.table.id, prepared.epoch, prepared.signer, self._durable_tip),
            *(witnessing, self._linking.numbers),
        )
        self._cosigning = Cosigning(loop, config.journal, prepared.signer.public_key, config.witnesses)
        asked = (beside, self._carrying, self._cosigning, self._linking)
        self.clients = Clients(loop, self.runtime, self.gate, language, self.turn, self._around, *asked)
        self._pins = PinChecker(loop, config.staff, self._pin_checked)
        self._writer = self._make_writer(prepared)
        self._copy = self._around.second_copy = self._make_copy(prepared)
        self._usb = UsbWatch()
        self._journal = config.journal
        self._configured = config.values
        self._batch_out_since_s: float | None = None
        self._has_begun = False  # True once the run's first entry is durable
        self._shells = {device.kind: self._shell(config, device) for device in config.devices}
        self._storage = prepared.storage
        self._timer: asyncio.TimerHandle | None = None
        self._look: asyncio.TimerHandle | None = None
        self._progress = asyncio.Event()  # set whenever a batch comes back from the journal

    def start(self) -> None:
        """Opens the devices, and hands the first entry to the journal's writer."""
        for shell in self._shells.values():
            shell.start()
        self._parts.start()
        if self._copy is not None:
            self._copy.start()
        self.runtime.configuration_read(self._configured, self._loop.time())
        self.turn()
        self._look_round()

    def turn(self) -> None:
        """Takes a step of the gate and carries out its outputs. Called after each input; harmless at any time."""
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
                self._submit(output, now_s)
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

    def _submit(self, batch: Batch, now_s: float) -> None:
        if self._writer is not None:
            self._writer.submit(batch)
            self._batch_out_since_s = now_s

    def _place(self) -> dict[str, int]:
        """The numbers of the newest entry, of the session and of the round, for the log."""
        ledger = self.runtime.ledger
        session, in_session = ledger.latest.house.session_number, ledger.latest.game.number
        return {"seq": ledger.next_seq - 1, "session": session, "round": in_session}

    def say_noise(self) -> None:
        """Logs the bad frames since the last call and the quality of each line. Called once a minute."""
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
        """Writes the last entry and closes everything. False when the disk or a port hangs and was left alone."""
        self.runtime.stop(self._loop.time())
        self.turn()
        disk_is_free = await self._all_written()
        self._cancel_timer()
        if self._look is not None:
            self._look.cancel()
        self.clients.stop()
        await self._reader.stop()
        closed = await asyncio.gather(self._parts.stop(), *(shell.stop() for shell in self._shells.values()))
        self._pins.close()
        self._carrying.close()
        self._cosigning.close()
        if disk_is_free and self._writer is not None:
            await asyncio.to_thread(self._writer.close)
            await asyncio.to_thread(self._last_mark, self._mark_at(self._writer.durable))
        if self._copy is not None:
            await asyncio.to_thread(self._copy.close)
        return disk_is_free and all(closed)

    # ---- the journal

    def batch_out_s(self) -> float:
        """The seconds that the journal's writer has been busy with its batch; 0.0 without a batch."""
        return 0.0 if self._batch_out_since_s is None else self._loop.time() - self._batch_out_since_s

    def _make_writer(self, prepared: Prepared) -> JournalWriter | None:
        if prepared.booted.tip is None:
            return None
        return JournalWriter(
            prepared.storage,
            prepared.booted.tip,
            call_in_loop=partial(call_in_loop, self._loop),
            on_durable=self._durable,
            on_failure=self._failed,
            is_settled=prepared.booted.start.failed is None,
            checkpoint=lambda tip: encode_checkpoint(self.runtime.checkpoint(), tip.head, prepared.signer),
        )

    def _durable_tip(self) -> Tip | None:
        """The end of the durable journal; None where the journal is not written."""
        return None if self._writer is None else self._writer.durable

    def _durable(self, seq: int) -> None:
        self._batch_out_since_s = None
        if self._writer is not None:
            self.runtime.journal_durable(seq, self._writer.durable.head, self._loop.time())
        self._progress.set()
        self.turn()
        if self._copy is not None and self._writer is not None:  # after the turn, so that no card waits for the tree
            tip = self._writer.durable
            self._copy.durable(Goal(tip, self._mark_at(tip)))
        if not self._has_begun:
            self._has_begun = True
            self._write_mark()

    def _failed(self, error: JournalError) -> None:
        self._batch_out_since_s = None
        self.runtime.journal_failed(error, self._loop.time())
        self._progress.set()
        self.turn()

    def _make_copy(self, prepared: Prepared) -> SecondCopy | None:
        path = prepared.config.journal_second_copy
        if path is None or prepared.booted.tip is None:
            return None
        goal = Goal(prepared.booted.tip)
        return SecondCopy(prepared.config.journal, path, goal, self._copy_changed, prepared.signer)

    def _copy_changed(self) -> None:
        """Tells the loop that the state of the second copy has changed. Called in the copy's thread."""
        call_in_loop(self._loop, self._copy_told)

    def _copy_told(self) -> None:
        if self._copy is None:
            return
        reason = self._copy.state().reason
        if reason != self.runtime.minute.copy_trouble:
            self._log.say("second-copy-failed" if reason else "second-copy-restored", reason=reason)
            self.runtime.minute.copy_trouble = reason
            self.runtime.version += 1

    async def _all_written(self) -> bool:
        """Waits up to STOP_WITHIN_S until every entry is durable; False while the disk still has a batch."""
        deadline_s = self._loop.time() + STOP_WITHIN_S
        while self.runtime.ledger.waiting and self.runtime.health.condition is Journaling.WRITING:
            self._progress.clear()
            try:
                await asyncio.wait_for(self._progress.wait(), deadline_s - self._loop.time())
            except TimeoutError:
                return False
        return not self.runtime.ledger.is_out

    # ---- changes without an event: removed people, a journal whose place is gone

    def _look_round(self) -> None:
        self._look = self._loop.call_later(LOOK_EVERY_S, self._look_round)
        self._write_mark()
        self.clients.signed_in.end_rights()
        self._pins.aside.run(lambda: (self._pins.book(), self._look_at_place()), self._seen, lambda: None)
        if (plugged := self._usb.news()) and self.runtime.health.is_writing:
            for device in plugged:
                self.runtime.usb_device_kept_out(*device, self._loop.time())
            self.turn()

    def _seen(self, found: tuple[StaffBook | None, StorageFailed | None]) -> None:
        """Takes over the staff file and the journal's fault, which a thread has read since a medium may be slow."""
        people, trouble = found
        self._people_read(people)
        self._place_seen(trouble)

    def _write_mark(self) -> None:
        """Writes the journal's mark, if one is due. The second copy's thread writes the mark of that copy."""
        if self._writer is None or not self._has_begun:
            return
        tip, state = self._writer.durable, self.runtime.ledger.durable
        if (mark := self._marking.due(tip, state, self.runtime.tree, self._loop.time())) is not None:
            data = self._marking.signed(mark)
            self._pins.aside.run(lambda: self._put_mark(data), self._mark_tried, self._marking.failed)

    def _put_mark(self, data: bytes) -> str:
        """The reason why the mark was not written, "" after success, which ends the use of an approval."""
        try:
            with reported("mark", str(begun_path(self._journal))):
                write_whole(begun_path(self._journal), data)
            clear_approval(self._journal)
            clear_forgotten(self._journal)
            clear_restored(self._journal)
            clear_updated(self._journal)
        except StorageFailed as failed:
            return failed.reason.value
        return ""

    def _mark_tried(self, trouble: str) -> None:
        """Logs trouble with the mark once, and has the mark tried again at the next look."""
        if trouble:
            self._marking.failed()
        if trouble != self._marking.trouble:
            event = "journal-mark-failed" if trouble else "journal-marked"
            self._log.say(event, mark=str(begun_path(self._journal)), reason=trouble)
            self._marking.trouble = trouble

    def _mark_at(self, tip: Tip) -> Mark:
        return self._marking.at(tip, self.runtime.ledger.durable, self.runtime.tree)

    def _last_mark(self, mark: Mark) -> None:
        """Writes the mark of an orderly end."""
        if self._has_begun:
            self._put_mark(self._marking.signed(mark))

    def _people_read(self, book: StaffBook | None) -> None:
        """Signs out a person who is no longer in the staff file. An unreadable file (None) changes nothing."""
        if book is not None:
            self.clients.signed_in.staff_known(book)
            self.runtime.staff_known(known_of(book), self._loop.time())
            self.turn()

    def _look_at_place(self) -> StorageFailed | None:
        """The fault of the journal's directory; None without one."""
        try:
            if self._storage.is_in_place():
                return None
        except StorageFailed as failed:
            return failed
        return StorageFailed("look", str(self._storage.path), StorageReason.GONE, errno.errorcode[errno.ENOENT])

    def _place_seen(self, trouble: StorageFailed | None) -> None:
        """Reports a fault of the journal while no batch is out. A batch that is out will fail by itself."""
        writing = self.runtime.health.condition is Journaling.WRITING and not self.runtime.ledger.is_out
        if trouble is not None and writing:
            self._failed(trouble)

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
        """Looks up the owner of a badge at the reader. The badge and the turned key serve one request."""
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
        """Takes a turn after news of a device; most of its answers have none."""
        if supervisor.reported:
            self.turn()

    # ---- time

    def _set_timer(self) -> None:
        due_s = self.runtime.next_timeout_s(self._loop.time())
        if self._timer is not None and due_s is not None and self._timer.when() <= due_s:
            return  # an early timer is harmless, and cancelled ones would pile up in the loop
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
