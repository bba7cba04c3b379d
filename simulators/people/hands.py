"""What hands can do at a table: physical acts as data. `room.py` does them."""

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import TypeAlias

from controller.core.words import Device, Purpose
from simulators.people.slips import Slip


@unique
class FreedTo(StrEnum):
    """Where a card that was stuck is put."""

    INSIDE = "inside"  # into a slot, through the open lid
    RACK = "rack"
    PACKET = "packet"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class HandOverPacket:
    """The chief supervisor cuts a packet off the cards outside and lays it beside the feed."""

    cards: int


@dataclass(frozen=True, slots=True)
class FeedPacket:
    """The packet goes into the hopper."""


@dataclass(frozen=True, slots=True)
class FeedRack:
    """Everything in the discard rack goes into the hopper."""


@dataclass(frozen=True, slots=True)
class EmptyHopper:
    """What was not fed is taken back, to the rack or (loading) to the cards outside."""

    to: FreedTo


@dataclass(frozen=True, slots=True)
class PullCard:
    """The card in the mouth is drawn and laid where it is owed."""

    purpose: Purpose
    seat: int | None
    session: int
    round_number: int
    face_down: bool = False
    hand: int = 1  # which of the seat's


@dataclass(frozen=True, slots=True)
class SeparatePair:
    """The second card of a seat's hand is laid by itself, and is the hand of this number."""

    seat: int
    hand: int
    becomes: int


@dataclass(frozen=True, slots=True)
class PullWrongly:
    """The same, and the card is laid as it should not be."""

    pull: PullCard
    slip: Slip


@dataclass(frozen=True, slots=True)
class MoveLaid:
    """The card that lies wrongly is moved to where it belongs."""


@dataclass(frozen=True, slots=True)
class ForgetSlip:
    """What was dealt wrongly is said, or left to whoever decides: nobody speaks of it any more."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """The last card on the table is laid aside, face down, for whoever asks next."""


@dataclass(frozen=True, slots=True)
class GiveAside:
    """The card that lies aside is given to this seat, or to the bank (0)."""

    seat: int
    face_down: bool = False
    hand: int = 1


@dataclass(frozen=True, slots=True)
class RulingIsCalled:
    """Whoever wanted a ruling has been heard."""


@dataclass(frozen=True, slots=True)
class SendForSpare:
    """The spare device is sent for, to stand in the place of the one that has failed."""


@dataclass(frozen=True, slots=True)
class SendSpareBack:
    """It is not needed after all."""


@dataclass(frozen=True, slots=True)
class BringSpare:
    """The technician puts it in with the cards of the other, and writes its number into the configuration."""


@dataclass(frozen=True, slots=True)
class TurnHoleCard:
    """The bank's face-down card is turned on the table."""


@dataclass(frozen=True, slots=True)
class ShowCards:
    """The cards of this seat that lie face down are turned on the table: the player shows them."""

    seat: int


@dataclass(frozen=True, slots=True)
class CollectHand:
    """The first so many cards of this seat, or of one hand there, go to the discard rack, while the others play on."""

    seat: int
    cards: int
    session: int
    round_number: int
    hand: int = 0


@dataclass(frozen=True, slots=True)
class CollectTable:
    """Every card on the table goes to the discard rack."""

    session: int
    round_number: int


@dataclass(frozen=True, slots=True)
class MixCards:
    """The cards that lie outside are mixed by hand (pt.bj.8a, mo.2.1.1a, br.prep.4a)."""


@dataclass(frozen=True, slots=True)
class CutCards:
    """Somebody cuts the pack with the cutting card (pt.bj.8)."""


@dataclass(frozen=True, slots=True)
class LayWarningCard:
    """The warning card is put into the pack, as near as one can to so many cards from its end (pt.bj.9a)."""

    behind: int


@dataclass(frozen=True, slots=True)
class FillMachine:
    """The pack goes into the shoe or the box (pt.bj.9c); so many of its first cards stay outside, unnoticed."""

    left: int = 0


@dataclass(frozen=True, slots=True)
class GatherCards:
    """All cards come together on the table: those of the machine, the rack, the burnt ones, the table (pt.bj.11b).

    So many of the rack's stay there, unnoticed.
    """

    left: int = 0


@dataclass(frozen=True, slots=True)
class LayBehind:
    """Cards that were left outside, and so many of the rack's, are laid behind those in the shoe or the box."""

    of_rack: int = 0


@dataclass(frozen=True, slots=True)
class OpenLid:
    pass


@dataclass(frozen=True, slots=True)
class CloseLid:
    pass


@dataclass(frozen=True, slots=True)
class FreeJam:
    """The stuck cards are taken out and put somewhere."""

    to: FreedTo


@dataclass(frozen=True, slots=True)
class TakeOutInside:
    """Through the open lid, every card that lies in the machine, to those outside."""


@dataclass(frozen=True, slots=True)
class FeedTooEarly:
    """So many cards of those outside are put into the feed, whose rollers are pushed by hand though it is shut."""

    cards: int


@dataclass(frozen=True, slots=True)
class EmptyTray:
    """What was unloaded joins the cards outside."""


@dataclass(frozen=True, slots=True)
class TidyAside:
    """Cards that belong to nobody go to the discard rack, or to the burnt ones."""

    to_burnt: bool = False


@dataclass(frozen=True, slots=True)
class TakeOffTable:
    """The last cards laid on the table go to the discard rack, or to the burnt ones: the book does not know them."""

    cards: int
    to_burnt: bool = False


@dataclass(frozen=True, slots=True)
class SwapDamaged:
    """The damaged card leaves the game, a spare of the same face takes its place."""


@dataclass(frozen=True, slots=True)
class SwapDeck:
    """Every card of the damaged card's deck leaves the game, a new one of the same face and back takes its place."""


@dataclass(frozen=True, slots=True)
class HearPlayer:
    """The player who complains is heard."""


@dataclass(frozen=True, slots=True)
class OrderDecks:
    """All cards that lie outside the machine are ordered by deck for the check."""


@dataclass(frozen=True, slots=True)
class Plug:
    """A cable that was pulled is put back."""

    device: Device


@dataclass(frozen=True, slots=True)
class CallTechnicianOver:
    """Somebody telephones, and the technician comes."""


@dataclass(frozen=True, slots=True)
class RepairMachine:
    """The technician mends what was broken."""


@dataclass(frozen=True, slots=True)
class TechnicianLeaves:
    pass


AtShuffler: TypeAlias = (
    FeedPacket | FeedRack | FeedTooEarly | EmptyHopper | OpenLid | CloseLid | FreeJam | TakeOutInside | EmptyTray
)
"""What is done to a shuffler: at a table without one nobody does it."""

WithPack: TypeAlias = MixCards | CutCards | LayWarningCard | FillMachine
"""What is done with the pack where the machine is filled by hand."""


@dataclass(frozen=True, slots=True)
class LayChip:
    """A player puts a chip into the jackpot slot at his seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class TakeChip:
    """The chip is taken out of that slot."""

    seat: int


AmongPeople: TypeAlias = SwapDamaged | SwapDeck | HearPlayer | CallTechnicianOver | RepairMachine | TechnicianLeaves
"""What concerns damaged cards, players and the technician."""

AboutSlips: TypeAlias = MoveLaid | ForgetSlip | SetAside | GiveAside | RulingIsCalled | SendForSpare | SendSpareBack

HandAct: TypeAlias = (
    HandOverPacket
    | FeedPacket
    | FeedRack
    | FeedTooEarly
    | EmptyHopper
    | WithPack
    | GatherCards
    | LayBehind
    | PullCard
    | PullWrongly
    | SeparatePair
    | TurnHoleCard
    | ShowCards
    | CollectHand
    | CollectTable
    | OpenLid
    | CloseLid
    | FreeJam
    | TakeOutInside
    | EmptyTray
    | TidyAside
    | TakeOffTable
    | SwapDamaged
    | SwapDeck
    | HearPlayer
    | OrderDecks
    | Plug
    | CallTechnicianOver
    | RepairMachine
    | TechnicianLeaves
    | BringSpare
    | LayChip
    | TakeChip
    | AboutSlips
)
