"""The simulated card reader, which serves at a shuffler's mouth or as a dealing shoe."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from firmware_protocols.cards import FOREIGN, UNREAD, card_byte
from firmware_protocols.errors import UnknownCard
from firmware_protocols.tdp.common import Query, StartCause
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.shoe import (
    SHOE,
    CardPassed,
    ReaderErrorCleared,
    ReaderErrorRaised,
    ShoeApply,
    ShoeCommand,
    ShoeEvent,
    ShoeResult,
    ShoeStarted,
    ShoeStatus,
)
from simulators.devices.cards import CARDS_LOADED, WARNING_CARD, PhysicalCard, make_cards
from simulators.devices.faults import NO_FAULTS, CardShown, FaultPlan, Misread, ReaderError, UnseenPassage, WrongRead
from simulators.devices.firmware import Hands, Power, TdpFirmware
from simulators.devices.magazine import Magazine

U32 = 2**32


class SimulatedShoe(TdpFirmware[ShoeStatus, ShoeCommand, ShoeEvent], Magazine):
    """A card reader with a lock. At a shuffler's mouth, the shuffler calls `card_passes` with each card that leaves."""

    def __init__(
        self,
        *,
        now_s: float,
        serial: str = "SIM-SHOE",
        boot: int = 1,
        faults: FaultPlan = NO_FAULTS,
        has_lock: bool = True,
    ) -> None:
        super().__init__(SHOE, now_s=now_s, serial=serial, boot=boot, faults=faults)
        Magazine.__init__(self)
        self._has_lock = has_lock
        self._passages = 0  # persistent
        self._seen = 0  # cards that ever passed, by which the fault plan counts
        self._counts_unknown = False  # persistent
        self._error: int | None = None
        self._locked = True
        self._begin(now_s)

    # ---- what hands do

    def deeds(self) -> Mapping[Deed, Hands]:
        cards = make_cards(1)[:CARDS_LOADED]
        return {
            **super().deeds(),
            Deed.LOAD: lambda _now_s: self.put_cards(cards),
            Deed.DRAW: self.draw_card,
            Deed.EVENT: lambda now_s: self.card_passes(cards[0], now_s),
            Deed.FAULT: lambda now_s: self.raise_error(1, now_s),
            Deed.MEND: self.clear_error,
        }

    def card_passes(self, card: PhysicalCard, now_s: float) -> None:
        """Moves a card past the reader, even if the shoe is locked. The reader reports it if its firmware runs."""
        self._seen += 1
        if self._power is Power.ON and (shown := self._faults.take(CardShown, self._seen)):
            self.tell_of((shown.face,), now_s)
        if self._power is Power.ON and not self._faults.take(UnseenPassage, self._seen):
            self._passages = (self._passages + 1) % U32
            self._post(CardPassed(self._passages, self._read(card)), now_s)
        if error := self._faults.take(ReaderError, self._seen):
            self.raise_error(error.code, now_s)
        self._meet_power_faults(self._seen, now_s)
        self._settle(now_s)

    def tell_of(self, faces: Iterable[str], now_s: float) -> None:
        """Falsely reports that cards with these faces have passed."""
        for face in faces:
            self._passages = (self._passages + 1) % U32
            self._post(CardPassed(self._passages, card_byte(face)), now_s)
        self._settle(now_s)

    @property
    def is_free(self) -> bool:
        """True if hands can draw a card from the magazine: the firmware runs and nothing locks it."""
        return self._power is Power.ON and not (self._has_lock and self._locked)

    def draw_card(self, now_s: float) -> PhysicalCard | None:
        """Draws a card from the magazine; returns None if the shoe is locked, its firmware does not run, or it is
        empty.
        """
        if not self.is_free or not self._lying:
            return None
        card = self._lying.popleft()
        if card.face != WARNING_CARD:  # no card of the decks, so no passage: the dealer reports it
            self.card_passes(card, now_s)
        return card

    def raise_error(self, code: int, now_s: float) -> None:
        """Makes the reader fail with error `code`; no card is read until the error is cleared."""
        if self._error is None:
            self._error = code
            self._post(ReaderErrorRaised(code), now_s)
            self._settle(now_s)

    def clear_error(self, now_s: float) -> None:
        """Repairs the reader."""
        if self._error is not None:
            code, self._error = self._error, None
            self._post(ReaderErrorCleared(code), now_s)
            self._settle(now_s)

    def _read(self, card: PhysicalCard) -> int:
        if self._error is not None or self._faults.take(Misread, self._seen):
            return UNREAD
        wrong = self._faults.take(WrongRead, self._seen, changes=lambda fault: fault.face != card.face)
        try:
            return card_byte(wrong.face if wrong else card.face)
        except UnknownCard:
            return FOREIGN

    # ---- firmware

    def _status(self) -> ShoeStatus:
        return ShoeStatus(
            passages=self._passages,
            locked=self._has_lock and self._locked,
            error=self._error is not None,
            host_silent=self._link.must_lock,
            counts_unknown=self._counts_unknown,
        )

    def _started(self, cause: StartCause) -> ShoeEvent:
        return ShoeStarted(cause)

    def _obey(self, command: ShoeCommand, _now_s: float) -> ShoeResult:
        match command:
            case ShoeApply() if self.disobeys:
                return ShoeResult.OK
            case ShoeApply(locked=locked):
                is_refused = not locked and self._link.must_lock
                self._locked = locked or is_refused
                return ShoeResult.REFUSED_HOST_SILENT if is_refused else ShoeResult.OK
            case Query():
                return ShoeResult.OK
            case _:
                assert_never(command)

    def _lock_down(self) -> None:
        self._locked = self._locked or not self.disobeys

    def _power_lost(self) -> None:
        self._locked = True

    def _forget_counts(self) -> None:
        self._passages = 0
        self._counts_unknown = True

    def _lower_counts(self, by: int) -> None:
        self._passages = (self._passages - by) % U32
