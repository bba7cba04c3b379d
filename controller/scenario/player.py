"""The card table of a scenario: makes the events of people and simulated devices, and gives them to the core one by
one.

Only the core changes the table's state. The simulated shuffler obeys the core's wishes at once: it recounts, and ends a
jam. A scenario can forbid both (`keeps_its_count`, `keeps_jammed`).
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Final, Self

from controller.core.custody.books import cards_of_the_set
from controller.core.custody.closing import CompleteUnloading
from controller.core.custody.counting import StateCardsMoved
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
    ShufflerStatusHeard,
)
from controller.core.custody.doubt import face_down_number
from controller.core.custody.game import next_owed
from controller.core.custody.reader import CardRead, ReaderNoted
from controller.core.custody.shoe import FillShoe, GatherCards, SpreadCards
from controller.core.custody.state import Card, Ruling, commitment
from controller.core.custody.turning import TURNINGS, Turning, card_meant
from controller.core.engine.act import Act, Fact, Source
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.jackpot.slots import SLOTS_RULE
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.facts import (
    DeviceConnected,
    DisplayStatusHeard,
    ShufflerStatus,
    SignStatus,
    SlotsChanged,
    SlotsStatus,
)
from controller.core.house.sign import sign_is_news
from controller.core.house.wanted import DISPLAY_RULE
from controller.core.setup import Setup
from controller.core.words import Device, JamPlace, Place, TableMs
from controller.scenario.needed import devices_of
from controller.scenario.pack import Pack
from controller.scenario.table_player import TablePlayer

BOOT: Final = 1


class Player(TablePlayer[BlackjackState]):
    """The card table of a scenario, with its simulated devices and its real cards."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(TABLE, setup)
        self.sign_hangs = False  # the sign no longer follows the table
        self.sign_reads_back = True
        self.slots = SlotsStatus()  # the chips in the jackpot slots
        self.pack = Pack(setup.decks)
        self._status = ShufflerStatus(
            cards_in=0,
            cards_out=0,
            inside=0,
            jams=0,
            recounts=0,
            counts_known=True,
            jammed=False,
            path_blocked=False,
            lid_open=False,
        )
        self._events = dict.fromkeys(Device, 0)
        self._passages = 0
        self._seals: dict[str, tuple[Card, str]] = {}
        self.rulings: list[Ruling] = []
        self._serials = {device: f"{device.value}-1" for device in Device}
        self.keeps_jammed = False  # the machine stays jammed though people have ended the jam
        self.keeps_its_count = False  # the machine does not recount when asked
        self.unseen: dict[int, Card] = {}  # face-down cards that no device saw, by their number

    def copied(self) -> Self:
        twin = super().copied()
        twin.pack = self.pack.copied()
        return twin

    # --- events

    @property
    def owed(self) -> str:
        owed = next_owed(self.state)
        if owed is None:
            return "nothing"
        return f"seat-{owed.seat}" if owed.purpose.value == "seat" else owed.purpose.value

    def imbalance(self) -> tuple[int, int] | None:
        """Returns the number of cards in the table's book and the number in the set, if the two differ; otherwise None.
        Also None during a hold and after an irregular closing, which explain a difference.
        """
        found, state = self.state.custody.book.total, self.state
        is_said = state.house.holds or state.house.irregular
        if is_said or found == cards_of_the_set(state, found):
            return None
        return found, state.setup.cards

    def put(self, event: Fact | Act) -> None:
        before = self.state
        super().put(event)
        made = self.state.game.last_ruling
        if made is not None and made is not before.game.last_ruling:
            self.rulings.append(made)
        is_refused = isinstance(event, Act) and self.refusal is not None
        if not is_refused and self.state.devices.shuffler.link.connected:
            self._obey()
        if not is_refused and self.state.devices.display.link.connected and not self.sign_hangs:
            self.sign_shows()
        if not is_refused and self.state.devices.slots.link.connected:
            self._take_chips_in()

    def slots_tell(self, chips: Iterable[int], broken: Iterable[int]) -> None:
        """Sets the seats with a chip in the slot (`chips`), and the seats with a failed sensor (`broken`). Connected
        slots report both now, other slots when they connect.
        """
        self.slots = replace(self.slots, chips=tuple(sorted(chips)), broken=tuple(sorted(broken)))
        if self.state.devices.slots.link.connected:
            self.put(SlotsChanged(self.source(Device.JACKPOT_SLOTS), self.slots))

    def _take_chips_in(self) -> None:
        wanted = SLOTS_RULE.desired(self.state)
        if wanted.collection != self.slots.collections:
            self.slots = replace(self.slots, collections=wanted.collection)
            self.slots_tell((seat for seat in self.slots.chips if seat not in wanted.seats), self.slots.broken)

    def sign_shows(self, cents: int | None = None) -> None:
        """Makes the sign report that it shows `cents`, or if `cents` is None the amount that the core wishes. Does
        nothing if the table already knows the sign's amount.
        """
        wanted = DISPLAY_RULE.desired(self.state)
        shown = SignStatus(wanted.amount_cents if cents is None else cents, wanted.fault, self.sign_reads_back)
        if sign_is_news(self.state, shown):
            self.put(DisplayStatusHeard(shown))

    def _obey(self) -> None:
        wanted = of_shuffler(self.state)
        if (
            self._status.jammed
            and not self.keeps_jammed
            and wanted.jams_ended == self._status.jams
            and not self._status.path_blocked
        ):
            self._say(JamReleased, jammed=False)
        counts = not (self._status.jammed or self._status.lid_open or self.keeps_its_count)
        if wanted.recount_request != self._status.recounts and counts:
            self._status = replace(self._status, recounts=wanted.recount_request)
            source, inside = self.source(Device.SHUFFLER), self._status.inside or 0
            self.put(ShufflerRecounted(source, self._status, wanted.recount_request, inside))

    def source(self, device: Device) -> Source:
        """Returns the boot and the number for the next event of the device."""
        self._events[device] += 1
        return Source(BOOT, self._events[device])

    def _say(self, kind: type[JamReleased | JamPathCleared | LidOpened | LidClosed], **changes: bool) -> None:
        self._status = replace(self._status, **changes)
        self.put(kind(self.source(Device.SHUFFLER), self._status))

    def _counted(self, *, into: int = 0, out: int = 0) -> None:
        status = self._status
        inside = (status.inside or 0) + into - out
        self._status = replace(status, cards_in=status.cards_in + into, cards_out=status.cards_out + out, inside=inside)

    # --- the controller, time, devices

    def start(self, *findings: str, setup: Setup | None = None) -> None:
        """Starts the controller, with the new `setup` if given, and connects the table's devices."""
        self.start_alone(*findings, setup=setup)
        for device, is_here in devices_of(self.state.setup).items():
            if is_here:
                self.connect(device)

    def bring_spare(self, device: Device) -> None:
        """Replaces `device` with a spare one of the same kind, in which the cards of the old one then lie."""
        self._serials[device] = f"{device.value}-2"
        if device is Device.SHUFFLER:
            self._status = replace(self._status, jams=0, jammed=False, path_blocked=False, lid_open=False)
        self.connect(device)

    def connect(self, device: Device) -> None:
        status = self._status if device is Device.SHUFFLER else None
        passages = self._passages if device is Device.SHOE else None
        self.put(
            DeviceConnected(
                device=device,
                model=device.value,
                serial=self._serials[device],
                firmware="1",
                boot=BOOT,
                simulated=True,
                shuffler=status,
                passages=passages,
                slots=self.slots if device is Device.JACKPOT_SLOTS else None,
            )
        )

    def path_blocked(self) -> None:
        """Makes the shuffler report that its path is blocked, without a jam."""
        self._status = replace(self._status, path_blocked=True)
        self.put(ShufflerStatusHeard(self._status))

    def hopper(self, *, is_loaded: bool) -> None:
        """Makes the shuffler report that cards lie in its feed; without `is_loaded`, that none lie there. No card
        moves.
        """
        self._status = replace(self._status, hopper_loaded=is_loaded)
        self.put(ShufflerStatusHeard(self._status))

    def path_cleared(self) -> None:
        self._say(JamPathCleared, path_blocked=False)

    def lid(self, *, is_open: bool) -> None:
        self._say(LidOpened if is_open else LidClosed, lid_open=is_open)

    def jam(self, place: JamPlace, cards: int) -> None:
        self._status = replace(self._status, jams=self._status.jams + 1, jammed=True, path_blocked=True)
        self.put(ShufflerJammed(self.source(Device.SHUFFLER), self._status, place, cards))

    def vanish(self, card: Card | None) -> None:
        """Removes `card` (None: the next card) from the machine without an event. One card less is then inside."""
        self.pack.draw(card)
        self.pack.away.pop()
        self._status = replace(self._status, inside=(self._status.inside or 0) - 1)

    def slip_in(self, card: Card) -> None:
        """Adds `card` to the machine without an event. One card more is then inside."""
        self.pack.inside.insert(0, card)
        self._status = replace(self._status, inside=(self._status.inside or 0) + 1)

    # --- cards

    def feed(self) -> None:
        """Puts one card through the machine's feed. The machine counts it."""
        self.pack.feed()
        self._counted(into=1)
        self.put(CardCountedIn(self.source(Device.SHUFFLER), self._status))

    def count_out(self, card: Card | None = None) -> Card:
        """Draws `card` (None: the next card) from the machine and returns it. The machine counts the card; no reader
        reads it.
        """
        drawn = self.pack.draw(card)
        self._counted(out=1)
        self.put(CardCountedOut(self.source(Device.SHUFFLER), self._status))
        return drawn

    def read(self, card: Card | None) -> None:
        """Passes `card` (None: an unreadable card) through the reader. The event of a face-down card has only a
        commitment to it.
        """
        number = face_down_number(self.state, TableMs(self.now_ms))
        promised = None
        if card is not None and number is not None:
            salt = sha256(f"{self.state.setup.table} {number}".encode()).hexdigest()
            promised = commitment(bytes.fromhex(salt), card)
            self._seals[promised] = (card, salt)
        self._passages += 1
        self.put(CardRead(self.source(Device.SHOE), self._passages, card if number is None else None, promised))

    def card_out(self, card: Card | None = None) -> Card:
        """Draws `card` (None: the next card) and returns it. The shuffler counts it and the reader reads it, if the
        table has these devices.
        """
        drawn = self.count_out(card) if self.state.setup.has_shuffler else self.pack.draw(card)
        if self.state.setup.has_reader:
            self.read(drawn)
        return drawn

    def warning_card(self) -> None:
        """Makes the shoe report that the warning card has come out of it."""
        self.put(ReaderNoted(self.source(Device.SHOE), "cut-card", None))

    # --- people

    def act(self, person: str, name: str, values: Mapping[str, str]) -> None:
        """Does the act `name` of a person, with its values as texts, and moves the real cards accordingly.

        The value for a hold or a duty may be its kind instead of its number.
        """
        made = self.made(person, name, values)
        moved = self._by_hand(made)
        self.put(self._unsealed(made) if isinstance(made, TURNINGS) else made)
        if self.refusal is None:
            self._filled_or_emptied(made)
        if self.refusal is None and moved:
            self.pack.by_hand(moved)
            self._status = replace(self._status, inside=(self._status.inside or 0) + moved)

    def _filled_or_emptied(self, act: Act) -> None:
        """Moves all cards into a shoe or box, or out of it, if the act does so."""
        if isinstance(act, FillShoe):
            self.pack.fill()
        emptied = isinstance(act, GatherCards | SpreadCards | CompleteUnloading)
        if emptied and not self.state.setup.has_shuffler:
            self.pack.empty()

    def _unsealed(self, act: Turning) -> Turning:
        """Returns the act with identity and salt of the card that it turns, from the card's seal. At a real table the
        runtime adds both.
        """
        meant = card_meant(self.state, act)
        if meant is None or meant.commitment not in self._seals:
            return act
        card, salt = self._seals[meant.commitment]
        if act.card not in {None, card}:
            return act if meant.disputed else replace(act, seal_differs=True)
        return replace(act, card=card, salt=salt)

    def _by_hand(self, act: Act) -> int:
        """Returns the number of cards that the act puts into the machine by hand; a negative number if it takes cards
        out.
        """
        if not isinstance(act, StateCardsMoved):
            return 0
        inner = act.count - min(act.count, self.state.custody.book.jammed_feed)
        out = {Place.INSIDE: act.count, Place.JAMMED: inner}.get(act.source, 0)
        return (act.count if act.target is Place.INSIDE else 0) - out
