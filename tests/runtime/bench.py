"""One table in virtual time: the real runtime, drivers, core and journal; scripted devices; a disk in memory.

The disk takes `disk_s` for each batch. After that time the batch is written, or fails by a fault of the storage. `kill`
ends the process and keeps the disk; `start` boots the next one from it.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from msgspec.structs import replace

from controller.config.profile_file import law
from controller.core.custody.mixing import ConfirmMixing
from controller.core.custody.opening import (
    BeginLoading,
    ClosePacket,
    CompleteLoading,
    ConfirmDisplay,
    NumberDeckSet,
    OpenPacket,
)
from controller.core.custody.turning import TURNINGS
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.setup import Parameters, Setup
from controller.core.words import Device, Operation, Person, Role
from controller.journal.codec import canonical_digest
from controller.journal.entry import Entry
from controller.journal.errors import JournalError
from controller.journal.recovery import Recovery, Tip
from controller.journal.seals import SealKey, SealStore
from controller.journal.signing import Signer
from controller.journal.writer_logic import Batch, WriterLogic, perform
from controller.runtime.answers import Answer, Done, Failed, Refused
from controller.runtime.boot import Binding, Booted, boot
from controller.runtime.checkpoint import encode_checkpoint
from controller.runtime.clock import WallTime
from controller.runtime.devices import number_of_sessions, tdp_supervisor
from controller.runtime.gate import Gate
from controller.runtime.kernel import Runtime
from drivers.errors import PortLost, PortMissing
from drivers.events import DriverEvent
from drivers.supervisor import DeviceSupervisor
from simulators.disk import MemoryStorage
from tests.runtime.peers import DisplayPeer, Peer, ShoePeer, ShufflerPeer

PARAMETERS = Parameters(
    min_packets=2,
    loads_per_session=1,
    burn_cards=1,
    presence_timeout_ms=180_000,
    join_ms=2_000,
    difference_ms=2_000,
    devices_due_ms=5_000,
    reserve_cards_per_hand=6,
)
SETUP = Setup("t1", "pt-csm", 1, 7, True, True, True, PARAMETERS, law("pt-csm").procedure)
BINDING = Binding(SETUP, "config", "rules", "0.1.0")

DEALER, CHIEF, MANAGER, TECHNICIAN = Person(11), Person(21), Person(31), Person(41)
ROLES = {
    DEALER: Role.DEALER,
    CHIEF: Role.CHIEF_SUPERVISOR,
    MANAGER: Role.ROOM_MANAGER,
    TECHNICIAN: Role.TECHNICIAN,
}

KEY = Signer(bytes(32))
"""The table's key."""

MOST_TURNS = 200_000


def wall(now_s: float) -> WallTime:
    return WallTime(1_700_000_000_000 + int(now_s * 1000), is_synced=True)


@dataclass
class Writing:
    """A batch on its way to the disk; `done_s`: the time when it is written."""

    batch: Batch
    done_s: float


@dataclass
class Bench:
    """The table and everything around it."""

    storage: MemoryStorage = field(default_factory=MemoryStorage)
    disk_s: float = 0.001
    segment_limit: int = 1 << 20
    now_s: float = 1000.0
    setup: Setup = SETUP
    approved: tuple[str, ...] = ()  # the permitted firmware of every device
    signer: Signer | None = None  # the signer of checkpoints
    random: Random = field(default_factory=lambda: Random(7))  # noqa: S311
    answers: list[tuple[float, int, Answer]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.shuffler = ShufflerPeer(self.now_s)
        self.shoe = ShoePeer(self.now_s)
        self.display = DisplayPeer(self.now_s)
        self.peers: dict[Device, Peer] = {
            Device.SHUFFLER: self.shuffler,
            Device.SHOE: self.shoe,
            Device.JACKPOT_DISPLAY: self.display,
        }
        self.key = SealKey(bytes(32), created=False)
        self.tickets = 0
        self.start()

    # ---- process

    def start(self) -> None:
        """Boots a controller from the disk."""
        self.booted: Booted = boot(self.storage, replace(BINDING, setup=self.setup))
        is_recorded = self.booted.tip is not None
        number = number_of_sessions(
            self.booted.start.started.start_number, is_recorded=is_recorded, draw=self.random.randrange
        )
        makers = {
            device: tdp_supervisor(
                device, None, simulated=True, start_number=number, jitter=lambda: 0.0, approved_firmware=self.approved
            )
            for device in self.peers
        }
        seals = SealStore(self.key, self.storage, self.random.randbytes)
        self.runtime = Runtime(self.booted.start, makers, seals, lambda: wall(self.now_s), self.now_s, KEY.sign)
        self.gate = Gate(self.runtime)
        self.writer = None if self.booted.tip is None else self._writer(self.booted.tip)
        self.writing: Writing | None = None

    def _writer(self, tip: Tip) -> WriterLogic:
        def checkpoint(at: Tip) -> bytes:
            return encode_checkpoint(self.runtime.checkpoint(), at.head, self.signer)

        return WriterLogic(tip, segment_limit=self.segment_limit, checkpoint=checkpoint)

    def kill(self) -> None:
        """Ends the process; the disk gets no part of a batch that is still on its way."""
        self.storage = self.storage.after_kill()
        self.writing = None

    def state_on(self, storage: MemoryStorage) -> BlackjackState:
        """Boots a controller on this disk, and returns its first state."""
        return boot(storage, BINDING).start.state

    # ---- time

    def run_devices_alone(self, seconds: float) -> None:
        """Runs the devices without a controller."""
        end_s = self.now_s + seconds
        while (due_s := self._device_due_s()) is not None and due_s <= end_s:
            self.now_s = max(self.now_s, due_s)
            for peer in self.peers.values():
                peer.link.handle_timeout(self.now_s)
                peer.link.data_to_send()
        self.now_s = end_s

    def _device_due_s(self) -> float | None:
        times = [peer.link.next_timeout_s() for peer in self.peers.values()]
        return min((time_s for time_s in times if time_s is not None), default=None)

    def run(self, seconds: float) -> None:
        """Lets this much virtual time pass, with all exchanges that are due in it."""
        end_s = self.now_s + seconds
        for _ in range(MOST_TURNS):
            self._exchange()
            due_s = min((t for t in self._due() if t is not None), default=end_s)
            if due_s > end_s:
                break
            self.now_s = max(self.now_s, due_s)
            self._time_passes()
        else:
            raise AssertionError("the table never rests")
        self.now_s = end_s
        self._exchange()

    def _due(self) -> list[float | None]:
        times = [supervisor.next_timeout_s() for supervisor in self.supervisors.values()]
        times += [peer.link.next_timeout_s() for peer in self.peers.values()]
        return [*times, self.runtime.next_timeout_s(self.now_s), self.writing.done_s if self.writing else None]

    def _time_passes(self) -> None:
        if self.writing is not None and self.writing.done_s <= self.now_s:
            self._written()
        for device, supervisor in self.supervisors.items():
            self.peers[device].link.handle_timeout(self.now_s)
            supervisor.handle_timeout(self.now_s)
        self.runtime.handle_timeout(self.now_s)
        self._step()

    def _written(self) -> None:
        assert self.writing is not None
        assert self.writer is not None
        batch, self.writing = self.writing.batch, None
        try:
            for step in self.writer.begin(batch):
                perform(self.storage, step)
        except JournalError as failure:
            self.writer.failed()
            self.runtime.journal_failed(failure, self.now_s)
        else:
            self.writer.succeeded()
            self.runtime.journal_durable(batch.last_seq, self.writer.durable.head, self.now_s)

    def _step(self) -> None:
        for output in self.runtime.step(self.now_s):
            if isinstance(output, Batch):
                self.writing = Writing(output, self.now_s + self.disk_s)

    # ---- wires

    def _exchange(self) -> None:
        for _ in range(1000):
            moved = [self._line(device) for device in self.supervisors]
            self._step()
            given = self.gate.answers()
            self.answers += [(self.now_s, ticket, answer) for ticket, answer in given]
            if not any(moved) and not given:
                return
        raise AssertionError("the wires never rest")

    def _line(self, device: Device) -> bool:
        supervisor, peer = self.supervisors[device], self.peers[device]
        if supervisor.wants_close:
            supervisor.port_closed()
        if supervisor.wants_open and peer.plugged:
            supervisor.port_opened(self.now_s)
        elif supervisor.wants_open:
            supervisor.port_failed(PortMissing(device.value, "not there"), self.now_s)
        down, up = supervisor.data_to_send(), peer.data_to_send()
        if not peer.plugged:
            return False
        if up:
            supervisor.receive_data(up, self.now_s)
        if down:
            peer.receive_data(down, self.now_s)
        return bool(up or down)

    def unplug(self, device: Device) -> None:
        self.peers[device].plugged = False
        self.supervisors[device].port_lost(PortLost(device.value, "hung up"), self.now_s)

    def plug(self, device: Device) -> None:
        self.peers[device].plugged = True

    def hears(self, device: Device, event: DriverEvent) -> None:
        """Makes the driver of `device` report this event, whatever the device itself does."""
        self.supervisors[device].reported.append(event)

    # ---- views

    @property
    def supervisors(self) -> dict[Device, DeviceSupervisor]:
        return self.runtime.devices.supervisors

    @property
    def latest(self) -> BlackjackState:
        return self.runtime.ledger.latest

    @property
    def durable(self) -> BlackjackState:
        return self.runtime.ledger.durable

    def digest(self) -> str:
        return canonical_digest(self.latest)

    def entries(self) -> list[Entry]:
        """Returns the entries that are on the disk now."""
        return list(Recovery(self.storage).entries())

    def kinds(self) -> list[str]:
        return [entry.kind for entry in self.entries()]

    # ---- people

    def ask(self, kind: type[Any], person: Person, **values: object) -> int:
        """Asks for an act without waiting; returns the number of the request, by which the answer comes later."""
        self.tickets += 1
        if kind in TURNINGS:
            values = {"card": None, "salt": None} | values
        self.runtime.act(self.tickets, kind(person=person, role=ROLES[person], **values), self.now_s)
        return self.tickets

    def answer_to(self, ticket: int) -> Answer | None:
        return next((answer for _, number, answer in self.answers if number == ticket), None)

    def act(self, kind: type[Any], person: Person, **values: object) -> Done:
        answer = self.outcome(kind, person, **values)
        assert isinstance(answer, Done), answer
        return answer

    def outcome(self, kind: type[Any], person: Person, **values: object) -> Answer:
        ticket = self.ask(kind, person, **values)
        self.run(max(2 * self.disk_s, 0.05) + 0.05)
        answer = self.answer_to(ticket)
        assert answer is not None, f"{kind.__name__} was not answered"
        return answer

    def refused(self, kind: type[Any], person: Person, **values: object) -> Refused:
        answer = self.outcome(kind, person, **values)
        assert isinstance(answer, Refused), answer
        return answer

    def failed(self, kind: type[Any], person: Person, **values: object) -> Failed:
        ticket = self.ask(kind, person, **values)
        self.run(0.05)
        answer = self.answer_to(ticket)
        assert isinstance(answer, Failed), answer
        return answer

    # ---- longer courses

    def load(self) -> None:
        """Brings a closed table to a loaded shuffler, so that the burnt card is owed."""
        self.run(1)
        self.act(SignIn, DEALER, operation=Operation.TABLE)
        self.act(OpenSession, DEALER)
        self.act(NumberDeckSet, CHIEF, deck_set=1)
        self.act(ConfirmDisplay, DEALER)
        self.act(ConfirmMixing, DEALER)
        self.act(SignIn, CHIEF, operation=Operation.LOADING)
        self.act(BeginLoading, DEALER)
        for _ in range(2):
            self.act(OpenPacket, CHIEF)
            assert self.shuffler.status.feed_open
            for _ in range(self.setup.cards // 2):
                self.shuffler.card_in(self.now_s)
                self.run(0.05)
            self.run(0.1)
            self.act(ClosePacket, CHIEF)
        self.act(CompleteLoading, DEALER)

    def draw(self, card: str | None) -> None:
        """Draws a card through the open mouth: the shuffler counts it, the reader reads it."""
        assert self.shuffler.mouth_is_open, "the mouth is locked"
        self.shuffler.card_out(self.now_s)
        self.shoe.card_passed(card, self.now_s)
        self.run(0.2)

    def play(self) -> None:
        """Brings a closed table into play: shuffler loaded, one card burnt."""
        self.load()
        self.draw("2C")

    def deal(self, seats: tuple[int, ...] = (1,), cards: tuple[str, ...] = ("3C", "4C", "5C", "6C")) -> None:
        self.act(TakeBets, DEALER, seats=seats)
        self.act(AnnounceNoMoreBets, DEALER)
        for card in cards:
            self.draw(card)
