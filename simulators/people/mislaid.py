"""The cards on the table, and the errors about them (a wrongly dealt card, a mistyped entry), noticed or not."""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from controller.core.words import Cause, Device, Role
from simulators.devices.cards import PhysicalCard
from simulators.people import hands as h
from simulators.people.dealing_errors import DealingError
from simulators.people.mistyped import Mistyped


class Laid(Struct, frozen=True):
    """A card on the table, with the seat and the hand at which it lies."""

    card: PhysicalCard
    seat: int
    face_down: bool
    hand: int = 1  # the number of the seat's hand
    order: int = 0  # grows with each card laid in the round


def behind(laid: Iterable[Laid]) -> int:
    """Returns the `order` of the next card to be laid: after all cards in `laid`."""
    return 1 + max((one.order for one in laid), default=0)


class Mislaid(Struct):
    """The last wrongly dealt card, a mistyped entry, and a ruling that a person wants."""

    slip: DealingError | None = None  # noticed or not
    card: int = 0  # the number of the slip's card
    hand: int = 1  # the number of the hand at its right place
    is_noticed: bool = False
    mistyped: Mistyped | None = None
    ruling_wanted: Cause | None = None
    spare_for: Device | None = None  # the failed device, where the casino has another device of its kind
    spare_is_called: bool = False

    @property
    def seen(self) -> DealingError | None:
        """The dealing error, if a person has noticed it; else None."""
        return self.slip if self.is_noticed else None

    @property
    def concerns_people(self) -> bool:
        """True if a noticed dealing error waits for a person other than the dealer, or if a mistyped
        entry was noticed.
        """
        is_slip = self.is_noticed and self.slip is not None and self.slip.said_by is not Role.DEALER
        return is_slip or self.seen_entry is not None

    @property
    def seen_entry(self) -> Mistyped | None:
        """The mistyped entry, if a person has noticed it; else None."""
        return self.mistyped if self.mistyped is not None and self.mistyped.is_noticed else None

    def look_again(self) -> None:
        """Records that people have noticed the dealing error, as after the table's refusal of an act."""
        self.is_noticed = self.slip is not None

    def lay(self, slip: DealingError, table: list[Laid]) -> None:
        """Moves the last card on the table to the wrong place that `slip` names, and stores the error as not noticed.

        At another seat the card lies in the first hand, even if the right seat has more hands after a split.
        """
        laid = table[-1]
        lies_in = laid.hand if slip.lies == laid.seat else 1
        table[-1] = replace(laid, seat=slip.lies, hand=lies_in, face_down=not slip.seen)
        self.slip, self.card, self.hand, self.is_noticed = slip, laid.card.number, laid.hand, False

    def do(self, hand: h.WithDealingError, table: list[Laid], aside: list[PhysicalCard]) -> None:
        """Carries out the deed `hand` about a wrongly dealt card, a mistyped entry, a ruling or a spare device.
        `table`, `aside`: the cards on the table and the cards laid aside, which the deed may change.
        """
        match hand:
            case h.AboutDealingError.MOVE_LAID:
                self._move(table)
            case h.AboutDealingError.FORGET_SLIP:
                self.slip = None
            case h.AboutDealingError.SET_ASIDE:
                aside += [laid.card for laid in table[-1:]]
                del table[-1:]
            case h.GiveAside():
                table += [Laid(card, hand.seat, hand.face_down, hand.hand, behind(table)) for card in aside[:1]]
                del aside[:1]
            case h.AboutDealingError.FORGET_ENTRY:
                self.mistyped = None
            case h.AboutDealingError.LEAVE_ENTRY | h.AboutDealingError.DISPUTE:
                self.mistyped, self.ruling_wanted = None, Cause.DISPUTE
            case h.AboutDealingError.RULING_IS_CALLED:
                self.ruling_wanted = None
            case h.AboutDealingError.SEND_FOR_SPARE:
                self.spare_is_called = True
            case h.AboutDealingError.SEND_SPARE_BACK:
                self.spare_is_called = False
            case _:
                assert_never(hand)

    def look_at(self, table: list[Laid]) -> None:
        """Drops the dealing error once its card is no longer on the table."""
        if self.slip is not None and all(laid.card.number != self.card for laid in table):
            self.slip = None

    def _move(self, table: list[Laid]) -> None:
        if self.slip is None:
            return
        self.slip = replace(self.slip, lies=self.slip.belongs)
        for at, laid in enumerate(table):
            if laid.card.number == self.card:
                table[at] = replace(laid, seat=self.slip.belongs, hand=self.hand)


def lay_together(hand: h.LayTogether, table: list[Laid]) -> None:
    """Moves the cards of a seat's hand `hand.of` to its hand `hand.hand`."""
    for at, laid in enumerate(table):
        if (laid.seat, laid.hand) == (hand.seat, hand.of):
            table[at] = replace(laid, hand=hand.hand)


def separate(hand: h.SeparatePair, table: list[Laid]) -> None:
    """Moves the second card of a seat's hand to a new hand."""
    of_hand = [at for at, laid in enumerate(table) if (laid.seat, laid.hand) == (hand.seat, hand.hand)]
    for at in of_hand[1:2]:
        table[at] = replace(table[at], hand=hand.becomes)
