"""A table played through the core alone: acts and facts by hand, with counters like a real shuffler's."""

from controller.config.profile_file import law
from controller.core.custody.closing import BeginUnloading, CompleteUnloading
from controller.core.custody.deck_check import ConfirmDeckCheck
from controller.core.custody.desired import of_shuffler
from controller.core.custody.devices import (
    CardCountedIn,
    CardCountedOut,
    JamPathCleared,
    JamReleased,
    LidClosed,
    LidOpened,
    ShufflerJammed,
    ShufflerRecounted,
)
from controller.core.custody.doubt import face_down_number
from controller.core.custody.mixing import ConfirmMixing
from controller.core.custody.opening import (
    BeginLoading,
    ClosePacket,
    CompleteLoading,
    ConfirmDisplay,
    NumberDeckSet,
    OpenPacket,
)
from controller.core.custody.putting_back import BeginPuttingBack, CollectCards, EndPuttingBack
from controller.core.custody.reader import CardRead
from controller.core.custody.state import DECK, Card, commitment
from controller.core.engine.act import Act, Fact, Source
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.games.blackjack.table import TABLE
from controller.core.house.attendance import SignIn
from controller.core.house.deciding import Decision, decide_by
from controller.core.house.facts import DeviceConnected, ShufflerStatus
from controller.core.house.plain_session import IndicateClosing, OpenSession
from controller.core.setup import Parameters, Setup
from controller.core.words import Device, HoldKind, JamPlace, Operation, Person, Role, TableMs

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
SETUP = Setup("t1", "pt-csm", 6, 7, True, True, True, PARAMETERS, law("pt-csm").procedure)
DEALER, CHIEF, MANAGER, TECHNICIAN, INSPECTOR = (Person(n) for n in (11, 21, 31, 41, 51))
ROLES = {
    DEALER: Role.DEALER,
    CHIEF: Role.CHIEF_SUPERVISOR,
    MANAGER: Role.ROOM_MANAGER,
    TECHNICIAN: Role.TECHNICIAN,
    INSPECTOR: Role.TABLE_INSPECTOR,
}


SALT = bytes(32)


class RefusedError(AssertionError):
    """An act that the test expected to be allowed was refused."""


class CoreTable:
    """Drives `decide`; `cards` come out in deck order, the shuffler's own figures follow the real movements."""

    def __init__(self, setup: Setup = SETUP) -> None:
        self.state: BlackjackState = initial_state(setup)
        self.now = 0
        self.number = 0
        self.reads = 0
        self.next_card = 0
        self.face_down = DECK[0]  # the last card dealt face down
        self.status = ShufflerStatus(1000, 1000, 0, 3, 7, True, False, False, False)
        self.last: Decision | None = None

    def hold_kinds(self) -> list[HoldKind]:
        """The kinds of the open holds, the oldest first."""
        return [hold.kind for hold in self.state.house.holds]

    # --- events

    def put(self, event: Fact | Act) -> Decision:
        decision = decide_by(TABLE, self.state, event, TableMs(self.now))
        self.state = decision.state
        if self.state.devices.shuffler.link.connected:
            self._obey()
        self.last = decision
        return decision

    def wait(self, ms: int) -> None:
        self.now += ms

    def act(self, kind: type, person: Person, **values: object) -> Decision:
        decision = self.put(kind(person=person, role=ROLES[person], **values))
        if decision.refusal is not None:
            raise RefusedError(f"{kind.__name__}: {decision.refusal}")
        return decision

    def refuse(self, kind: type, person: Person, **values: object) -> str:
        before = self.state
        decision = self.put(kind(person=person, role=ROLES[person], **values))
        assert decision.refusal is not None, f"{kind.__name__} was allowed"
        assert self.state is before
        return decision.refusal.guard

    def _source(self) -> Source:
        self.number += 1
        return Source(1, self.number)

    def _obey(self) -> None:
        """Makes the device end its jam and recount its cards, if the table has commanded that."""
        wanted = of_shuffler(self.state)
        if self.status.jammed and wanted.jams_ended == self.status.jams and not self.status.path_blocked:
            self.status = replace(self.status, jammed=False)
            self.put(JamReleased(self._source(), self.status))
        if wanted.recount_request != self.status.recounts and not self.status.jammed and not self.status.lid_open:
            self.status = replace(self.status, recounts=wanted.recount_request)
            self.put(ShufflerRecounted(self._source(), self.status, wanted.recount_request, self.status.inside or 0))

    def connect(self, boot: int = 1, serial: str = "S1") -> None:
        self.put(DeviceConnected(Device.SHUFFLER, "CSM", serial, "1.0", boot, True, self.status, None))
        if self.state.setup.has_reader:
            self.put(DeviceConnected(Device.SHOE, "R", "R1", "1.0", 1, True, None, self.reads))

    def card_in(self) -> Decision:
        inside = self.status.inside
        self.status = replace(
            self.status, cards_in=self.status.cards_in + 1, inside=None if inside is None else inside + 1
        )
        return self.put(CardCountedIn(self._source(), self.status))

    def count_out(self) -> Decision:
        inside = self.status.inside
        self.status = replace(
            self.status, cards_out=self.status.cards_out + 1, inside=None if inside is None else inside - 1
        )
        return self.put(CardCountedOut(self._source(), self.status))

    def read(self, card: Card | None = None, *, readable: bool = True) -> Decision:
        self.reads += 1
        if card is None:
            card = DECK[self.next_card % 52]
            self.next_card += 1
        number = face_down_number(self.state, TableMs(self.now))
        face = card if readable and number is None else None
        promise = commitment(SALT, card) if readable and number is not None else None
        if promise is not None:
            self.face_down = card
        return self.put(CardRead(Source(1, self.reads), self.reads, face, promise))

    def draw(self) -> None:
        """Draws a card at the mouth; shuffler and reader report that card."""
        assert of_shuffler(self.state).release_after == self.status.cards_out, "the mouth is locked"
        self.count_out()
        if self.state.setup.has_reader:
            self.read()

    def unload_one(self) -> None:
        assert of_shuffler(self.state).unload
        self.count_out()
        if self.state.setup.has_reader:
            self.read()

    def jam(self, place: JamPlace = JamPlace.MOUTH, cards: int = 1) -> None:
        self.status = replace(self.status, jams=self.status.jams + 1, jammed=True, path_blocked=True)
        self.put(ShufflerJammed(self._source(), self.status, place, cards))

    def clear_path(self) -> None:
        self.status = replace(self.status, path_blocked=False)
        self.put(JamPathCleared(self._source(), self.status))

    def lid(self, *, is_open: bool) -> None:
        self.status = replace(self.status, lid_open=is_open)
        kind = LidOpened if is_open else LidClosed
        self.put(kind(self._source(), self.status))

    # --- longer courses

    def display_and_mix(self, deck_set: int = 1) -> None:
        self.act(SignIn, DEALER, operation=Operation.TABLE)
        self.act(OpenSession, DEALER)
        self.act(NumberDeckSet, CHIEF, deck_set=deck_set)
        self.act(ConfirmDisplay, DEALER)
        self.act(ConfirmMixing, DEALER)

    def load(self, *packets: int) -> None:
        self.act(SignIn, CHIEF, operation=Operation.LOADING)
        self.act(BeginLoading, DEALER)
        for packet in packets:
            self.packet(packet)

    def packet(self, cards: int) -> None:
        self.act(OpenPacket, CHIEF)
        for _ in range(cards):
            self.card_in()
        self.act(ClosePacket, CHIEF)

    def open(self) -> None:
        """Brings the table into play: devices connected, cards loaded in two packets, one card burnt."""
        self.connect()
        self.display_and_mix()
        half = self.state.setup.cards // 2
        self.load(half, half)
        self.act(CompleteLoading, DEALER)
        self.draw()

    def deal(self, *seats: int) -> None:
        self.act(TakeBets, DEALER, seats=seats)
        self.act(AnnounceNoMoreBets, DEALER)
        for _ in range(2 * (len(seats) + 1)):
            self.draw()

    def finish_round(self) -> None:
        self.act(ConfirmSettled, DEALER)
        self.act(CollectCards, DEALER)
        self.act(BeginPuttingBack, DEALER)
        for _ in range(self.state.custody.book.rack):
            self.card_in()
        self.act(EndPuttingBack, DEALER)

    def close(self) -> None:
        self.act(IndicateClosing, DEALER)
        self.act(SignIn, CHIEF, operation=Operation.UNLOADING)
        self.act(BeginUnloading, DEALER)
        self.next_card = 0
        while self.status.inside:
            self.unload_one()
        self.act(CompleteUnloading, DEALER)
        self.act(ConfirmDeckCheck, DEALER)
