"""The runtime passes all events through the core into the journal, and lets no output leave too early.

A shell (daemon/, a simulated world, a benchmark) passes events in and calls `step`, which records them and yields the
outputs that may leave. settling.py (devices), replies.py (people) and `permitted` here hold back what permits.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec import UNSET, Struct

from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Notice, Permitted
from controller.core.house import facts
from controller.core.house.deciding import Decision, decide_by
from controller.core.house.linked_acts import LinkedPoolHeard
from controller.core.house.permitted import offered, permitted
from controller.core.house.pool import moves_between
from controller.core.house.state import State, link_of
from controller.core.words import Device, DutyKind, Person, Role, TableMs
from controller.journal.errors import JournalError
from controller.journal.seals import SealStore
from controller.journal.tree import GrowingTree, Tree
from controller.journal.writer_logic import Batch
from controller.runtime.agreed import agreed
from controller.runtime.answers import Answer, Done, Failed, Refused, Trouble
from controller.runtime.budget import Budget, Refusals
from controller.runtime.clock import ReadWall, TableClock, WallWatch
from controller.runtime.configuration import Configured
from controller.runtime.configuration import change_between as configuration_change
from controller.runtime.devices import Devices, MakeSupervisor
from controller.runtime.entries import (
    ClockStepped,
    Origin,
    PinRefused,
    Recorded,
    Stamp,
    UsbDeviceKeptOut,
    configured_after,
    encode_recorded,
    entry_refusal,
    lockout_after,
    staff_after,
)
from controller.runtime.folded import Folded
from controller.runtime.health import JournalHealth, Journaling
from controller.runtime.incidents import first_of_round, incidents_told
from controller.runtime.ledger import Ledger, Waiting
from controller.runtime.linked import told_behind
from controller.runtime.log_events import Level, LogEvents
from controller.runtime.minute import Minute
from controller.runtime.pool_lines import Sign, place_in_journal, with_evidence
from controller.runtime.replies import Replies
from controller.runtime.settling import Settling
from controller.runtime.start import SEAL_KEY_REPLACED, Start
from controller.runtime.timers import Timers
from controller.runtime.typed import TypedWords
from controller.staff.known import StaffKnown, change_between
from controller.staff.lockout import MANY, TerminalName
from drivers.events import DeviceLost, DriverEvent, EventsMissed, LostReason

MOST_WAITING = 512
"""The most entries that wait to be durable. At this number acts get BUSY, and events stay with their devices."""

_MOST_TIMERS = 16  # the most timers that one call fires, so that a call always ends


class SpokenTo(Struct, frozen=True, gc=False):
    """An output of the runtime: the shell must send the bytes that the supervisors of these devices may have ready."""

    devices: tuple[Device, ...]


class Runtime:
    """The runtime of one table. A shell passes events in, calls `step`, and carries out its outputs."""

    def __init__(
        self,
        start: Start,
        devices: Mapping[Device, MakeSupervisor],
        seals: SealStore,
        read_wall: ReadWall,
        now_s: float,
        sign: Sign,
    ) -> None:
        self.game = start.game
        self.health = JournalHealth()
        self.ledger = Ledger(start.state, start.last_seq)
        self.head = start.head
        self.lockout, self.round_first = start.lockout, start.round_first
        self.staff, self.configured = start.staff, start.configured
        self.devices = Devices({device: make(partial(self.committed, device)) for device, make in devices.items()})
        self.version = 0  # grows with every change that a status could show
        self._boot = start.started.start_number
        self._start = start
        self._sign = sign  # signs with the table's key
        self._tree = GrowingTree(start.tree)
        self._entries_before = start.entries - start.last_seq  # below 0 where a damage that people closed lost entries
        self._clock = TableClock(start.table_ms, now_s)
        self._wall = WallWatch(read_wall)
        self._moment: Stamp | None = None  # of the last entry
        self._refusals = Refusals()
        self.minute = Minute()
        self._side = start.game.device_side(seals)
        self._typed = TypedWords(seals.salt)
        self.log = LogEvents()
        self.replies = Replies()
        self.notices: list[Notice] = []  # durable notices for people at the table
        self._settling = Settling(self.devices, start.game.registry.devices)
        self._timers = Timers(self._clock, start.game.registry.deadlines)
        self._stopping = False
        if start.damage is not None:
            self.health.damaged(start.damage)
        self._begin(start, now_s)

    # ---- events

    def step(self, now_s: float) -> Iterator[Batch | SpokenTo]:
        """Records the devices' new events. Yields the next batch, then the devices that may have bytes to send.

        The batch comes last if the events changed a hold: locks must not wait for the disk. Call it after each input.
        The caller carries out each output before it takes the next, so that the disk works meanwhile.
        """
        holds = self.ledger.latest.house.holds
        self._take_events(now_s)
        batch_waits = self.ledger.latest.house.holds is not holds
        if not batch_waits and self.ledger.waiting and (batch := self.next_batch(now_s)) is not None:
            yield batch
        is_sound = self.health.is_settled and self.health.condition is not Journaling.DAMAGED
        self._settling.settle(self.ledger.durable, self.ledger.latest, now_s, is_sound=is_sound)
        if self.devices.spoken:
            yield SpokenTo(self.devices.spoken_to())
        if batch_waits and (batch := self.next_batch(now_s)) is not None:
            yield batch

    def _take_events(self, now_s: float) -> None:
        if self.ledger.waiting >= MOST_WAITING:
            return
        for device, event, budget in self.devices.events(now_s):
            self._take(device, event, budget, now_s)
            if self.ledger.waiting >= MOST_WAITING:
                return  # the other events stay with their devices, unacknowledged

    def act(self, ticket: int, act: Act, now_s: float, terminal: TerminalName = "", by: Origin = None) -> None:
        """Decides an act. `by`: its credential. The answer leaves once the entry is durable; at once without entry."""
        trouble = self.trouble()
        if trouble is not None:
            self.replies.give(ticket, Failed(trouble))
            return
        stamp, before = self._stamp(now_s), self.ledger.latest  # a set clock is an entry of its own
        act, decision = self._decide_act(act, stamp.table_ms)
        name = self.game.registry.by_act[type(act)].name
        if decision.refusal is not None and not self._refusals.is_worth_an_entry(terminal, now_s):
            self.minute.summed(terminal, "act-refused")
            self.replies.give(ticket, Refused(decision.refusal, name, decision.state))
            return
        seq = self._record(act, decision, stamp, by)
        answer: Answer = Done(seq, name, decision.state, agreed(self.game.registry, before, act))
        if decision.refusal is not None:
            answer = Refused(decision.refusal, name, decision.state)
            self.log.tell(Level.INFO, "act-refused", act=name, person=act.person, guard=decision.refusal.guard)
        self.replies.give_after(seq, ticket, answer)
        self.log.tell(Level.INFO, "act", act=name, person=act.person, role=act.role.value, seq=seq)

    def pin_refused(self, ticket: int, person: Person, act: str, now_s: float, terminal: TerminalName = "") -> None:
        """Records a wrong PIN, and at ten in an hour a duty to look into it. Answers once the entry is durable."""
        refused = PinRefused(person, act, terminal)
        seq = self._record(refused, Decision(self.ledger.latest), self._stamp(now_s))
        self.replies.give_after(seq, ticket, Failed(Trouble.PIN_WRONG))
        self.log.tell(Level.WARNING, "pin-refused", person=person, terminal=terminal, seq=seq)
        if self.lockout.wrong_within_the_hour(self.table_ms(now_s)) >= MANY:
            self._duty_arose(DutyKind.LOOK_INTO_WRONG_PINS, now_s)
        if not self.health.is_writing:
            self.replies.give_up()

    def configuration_read(self, configured: Configured, now_s: float) -> None:
        """Records the keys of the configuration whose values have changed since the previous start, if any."""
        if (change := configuration_change(self.configured, configured)) is not None:
            self._record(change, Decision(self.ledger.latest), self._stamp(now_s))
            keys = ", ".join(one.key for one in change.changes)
            self.log.tell(Level.WARNING, "configuration-changed", keys=keys)

    def usb_device_kept_out(self, name: str, port: str, now_s: float) -> None:
        """Records that someone plugged in a USB device that the system does not allow."""
        self._record(UsbDeviceKeptOut(name, port), Decision(self.ledger.latest), self._stamp(now_s))
        self.log.tell(Level.WARNING, "usb-device-kept-out", device=name, port=port)

    def staff_known(self, staff: StaffKnown, now_s: float) -> None:
        """Records a change of the staff. Signs out each person present who was removed or has another role."""
        if (change := change_between(self.staff, staff)) is not None:
            self._record(change, Decision(self.ledger.latest), self._stamp(now_s))
        roles = {one.number: one.role for one in staff.people}
        gone = dict.fromkeys(p.person for p in self.ledger.latest.house.present if roles.get(p.person) is not p.role)
        for person in gone:
            self._fact(facts.PersonRemoved(person), now_s)

    def linked_pool_heard(self, heard: LinkedPoolHeard, now_s: float) -> None:
        """Records `heard`, the floor's figures of the linked pool. The caller has checked the floor's signature."""
        self._fact(heard, now_s)

    def minute_passed(self, now_s: float) -> None:
        """Records the counts of the last minute. To be called once a minute."""
        for recorded in self.minute.take(self.devices.supervisors):
            self._record(recorded, Decision(self.ledger.latest), self._stamp(now_s))

    def journal_durable(self, seq: int, head: bytes, now_s: float) -> None:
        """Frees the answers up to entry `seq`, on the disk with chain value `head`. Ends a failure of the journal."""
        was_writing = self.health.is_writing
        entries = self.ledger.became_durable(seq)
        self.notices += [notice for entry in entries for notice in entry.notices]
        self._tree.add([entry.payload for entry in entries])
        self.replies.became_durable(seq)
        self.head = head
        self.health.wrote()
        self.version += 1
        if not was_writing:
            self.log.tell(Level.WARNING, "journal-restored", seq=seq)
            self._fact(facts.JournalRestored(), now_s)

    def journal_failed(self, error: JournalError, now_s: float) -> None:
        """Gives every waiting client an answer, and records a new failure. No act is decided until a batch succeeds."""
        was_writing = self.health.is_writing
        self.ledger.batch_failed()
        self.health.failed(error, now_s)
        self.version += 1
        self.log.tell(Level.ERROR, "journal-failed", reason=self.health.reason, detail=str(error))
        self.replies.give_up()
        if was_writing:
            self._fact(facts.JournalFailed(self.health.reason), now_s)

    def handle_timeout(self, now_s: float) -> None:
        """Passes each due timer to the core once. To be called at `next_timeout_s`; an earlier call has no effect."""
        for _ in range(_MOST_TIMERS):
            timer = self._timers.fire(self.ledger.latest, now_s)
            if timer is None:
                break
            self._fact(facts.TimerFired(timer), now_s)

    def stop(self, now_s: float) -> None:
        """Records the last minute's counts and the run's end. Then no act is decided. A second call does nothing."""
        if not self._stopping:
            self._stopping = True
            self.minute_passed(now_s)
            self._fact(facts.ControllerStopped(), now_s)

    # ---- outputs

    def next_batch(self, now_s: float) -> Batch | None:
        """Returns the writer's next batch. None if the writer has one or may not write, or if no entry waits."""
        batch = self.ledger.take_batch() if self.health.may_write(now_s) else None
        if batch is not None:
            self.health.handed_out()
        return batch

    def next_timeout_s(self, now_s: float) -> float | None:
        """The monotonic second of the next timer, retry of the journal or device's event; None if none is due."""
        wait_s = self.devices.wait_s(now_s) if self.ledger.waiting < MOST_WAITING else None
        more_s = None if wait_s is None else now_s + wait_s
        times = (self._timers.due_s(self.ledger.latest), self.health.retry_at_s, more_s)
        return min([time_s for time_s in times if time_s is not None], default=None)

    # ---- knowledge for people

    def table_ms(self, now_s: float) -> TableMs:
        return self._clock.read(now_s)

    def trouble(self) -> Trouble | None:
        """Returns the reason why no act can be decided now; None if acts can be decided."""
        if self._stopping:
            return Trouble.STOPPING
        if not self.health.is_writing:
            return Trouble.JOURNAL_FAULT
        return Trouble.BUSY if self.ledger.waiting >= MOST_WAITING else None

    def permitted(self) -> tuple[Permitted, ...]:
        """Returns every act with the reason why the durable state forbids it; None for a permitted act."""
        return permitted(self.game.registry, self.ledger.durable)

    def offered(self) -> Iterator[tuple[str, tuple[Role, ...]]]:
        """Yields the acts that the durable state permits, each with the roles of the people who may ask for it."""
        return offered(self.game.registry, self.ledger.durable)

    def checkpoint(self) -> Folded:
        """The state after every durable entry, as a checkpoint stores it for a later start."""
        last = self.ledger.last_durable or self._start
        return Folded(
            state=self.ledger.durable,
            entries=self._entries_before + self.ledger.durable_seq,
            last_seq=self.ledger.durable_seq,
            table_ms=last.table_ms,
            lockout=last.lockout,
            staff=last.staff,
            configured=last.configured,
            started=self._start.started,
            tree=self.tree,
            round_first=last.round_first,
        )

    @property
    def tree(self) -> Tree:
        """The hash tree over every durable entry."""
        return self._tree.now()

    def committed(self, device: Device) -> tuple[int, int]:
        """Boot and number of the device's last event on the disk; (0, 0) while the entries there are unknown."""
        if self.health.condition is Journaling.DAMAGED or not self.health.is_settled:
            return 0, 0
        link = link_of(self.ledger.durable, device)
        return link.boot, link.taken

    # ---- internal

    def _begin(self, start: Start, now_s: float) -> None:
        self.log.tell(Level.INFO, "controller-started", start=start.started.start_number)
        self._fact(start.started, now_s)
        if any(finding.startswith(SEAL_KEY_REPLACED) for finding in start.started.findings):
            self._duty_arose(DutyKind.LOOK_INTO_SEALS, now_s)
        if start.damage is not None:
            self.log.tell(Level.ERROR, "journal-damaged", reason=start.damage)
            self._fact(facts.JournalFailed(start.damage), now_s)
        if start.failed is not None:
            self.health.failed_at_start(start.failed, now_s)
            self.log.tell(Level.ERROR, "journal-failed", reason=self.health.reason, detail=str(start.failed))
            self._fact(facts.JournalFailed(self.health.reason), now_s)

    def _take(self, device: Device, event: DriverEvent, budget: Budget, now_s: float) -> None:
        if self._side.reveals_hidden_card(event):
            return  # even the log omits this event
        # a damaged journal does not tell which events were recorded
        is_damaged = self.health.condition is Journaling.DAMAGED
        if not (is_damaged and isinstance(event, EventsMissed)):
            self.log.tell_device(device, event)
        fact = self._side.fact(device, event, self.ledger.latest, self.ledger.durable, self._clock.read(now_s))
        if fact is not None:
            budget.spend(now_s)
            self._fact(fact, now_s, device)
            if device is Device.JACKPOT_DISPLAY and isinstance(event, DeviceLost) and event.reason is LostReason.FLOOD:
                self._duty_arose(DutyKind.LOOK_INTO_DISPLAY, now_s)

    def _fact(self, fact: Fact, now_s: float, device: Device | None = None) -> None:
        stamp = self._stamp(now_s)
        decision = self._decide(fact, stamp.table_ms)
        self._record(fact, decision, stamp, device, self._side.take_seal())

    def _duty_arose(self, kind: DutyKind, now_s: float) -> None:
        if not any(duty.kind is kind for duty in self.ledger.latest.house.duties):
            self._fact(facts.DutyArose(kind), now_s)

    def _decide(self, event: Fact | Act, at_ms: TableMs) -> Decision[State]:
        return decide_by(self.game.registry, self.ledger.latest, event, at_ms)

    def _decide_act(self, act: Act, at_ms: TableMs) -> tuple[Act, Decision[State]]:
        """Returns the act to record and its decision. Only if the core permits it does the act name a turned card."""
        place = place_in_journal(self._start.started.findings, self.ledger.next_seq, self.head)
        act = self._typed.sealed(self.game.registry.by_act[type(act)].name, act)
        act = with_evidence(self.game.registry, act, self.ledger.latest, place, self._sign)
        prepared = self._side.prepared(act, self.ledger.latest)
        if prepared.opened is not None:
            decision = self._decide(prepared.opened, at_ms)
            if decision.refusal is None:
                return prepared.opened, decision
        return prepared.act, self._decide(prepared.act, at_ms)

    def _stamp(self, now_s: float) -> Stamp:
        """Returns the times for entries made at `now_s`. If the wall clock was set, records this first."""
        if self._moment is not None and self._moment.now_s == now_s:
            return self._moment
        wall, stepped_ms = self._wall.read(now_s)
        stamp = self._moment = Stamp(self._boot, now_s, wall, self._clock.read(now_s))
        if stepped_ms:
            self._record(ClockStepped(stepped_ms, wall.is_synced), Decision(self.ledger.latest), stamp)
        return stamp

    def _record(
        self, recorded: Recorded, decision: Decision[State], stamp: Stamp, origin: Origin = None, seal: bytes = b""
    ) -> int:
        """Queues a decision's entry unless the journal is damaged; sets the latest state; returns its number."""
        seq, before, after = self.ledger.next_seq, self.ledger.latest, decision.state
        if before.house.holds is not after.house.holds:
            self.log.tell_holds(before, after)
        words = b""
        if not isinstance(recorded, Fact):  # facts have no words, and change none of these
            words = self._typed.take(recorded)
            self.lockout = lockout_after(self.lockout, recorded, origin, stamp.table_ms)
            self.staff, self.configured = staff_after(self.staff, recorded), configured_after(self.configured, recorded)
        self.version += 1
        if self.health.condition is Journaling.DAMAGED:
            self.ledger.latest = after  # for protection only; this state never permits
        else:
            refusal = None if decision.refusal is None else entry_refusal(after.setup.profile, decision.refusal)
            moves = () if before.house.pool is after.house.pool else moves_between(before.house.pool, after.house.pool)
            incidents = incidents_told(before, after, self.round_first or seq)
            payload = encode_recorded(self.game.codec, recorded, seq, stamp, origin, refusal, moves, incidents)
            self.round_first = first_of_round(self.game, self.round_first, seq, before, after)
            of = (seq, payload, seal, words, after, decision.notices, stamp.now_s, stamp.table_ms)
            self.ledger.add(Waiting(*of, self.lockout, self.staff, self.configured, self.round_first))
        is_linked, findings = self.ledger.latest.house.linked is not UNSET, self._start.started.findings
        if is_linked and (told := told_behind(self.ledger.latest, findings, self.ledger.next_seq)) is not None:
            self._record(told, self._decide(told, stamp.table_ms), stamp)
        return seq
