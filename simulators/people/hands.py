"""All deeds that hands can do at a card table, as data. `room.py` carries them out."""

import re
from enum import Enum, StrEnum, auto, unique
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import fields

from controller.core.words import Device, Purpose
from simulators.people.dealing_errors import DealingError


@unique
class FreedTo(StrEnum):
    """The place to which hands take a card that was stuck."""

    INSIDE = "inside"  # into a slot, through the open lid
    RACK = "rack"
    PACKET = "packet"
    OUTSIDE = "outside"


class Plain(StrEnum):
    """The base class of deeds without values. The value of the member FEED_PACKET is "FeedPacket", like the name of a
    class.
    """

    @staticmethod
    def _generate_next_value_(name: str, _start: int, _count: int, _last: list[str]) -> str:
        return name.title().replace("_", "")


@unique
class AtShuffler(Plain):
    """A deed at a shuffler; has no effect at any other table."""

    FEED_PACKET = auto()  # the packet goes into the hopper
    FEED_RACK = auto()  # all cards of the discard rack go into the hopper
    OPEN_LID = auto()
    CLOSE_LID = auto()
    TAKE_OUT_INSIDE = auto()  # every card in the machine goes outside through the open lid
    EMPTY_TRAY = auto()  # the unloaded cards join the cards outside


@unique
class AtPack(Plain):
    """A deed with the pack of cards, at a table whose machine is filled by hand."""

    MIX_CARDS = auto()  # the cards outside are mixed (pt.bj.8a, mo.2.1.1a, br.prep.4a)
    CUT_CARDS = auto()  # a person cuts the pack with the cutting card (pt.bj.8)


@unique
class AtTable(Plain):
    TURN_HOLE_CARD = auto()  # the bank's face-down card is turned
    ORDER_DECKS = auto()  # all cards that lie outside the machine are ordered by deck for the check
    SWAP_DAMAGED = auto()  # the damaged card leaves the game, a spare of the same face takes its place
    SWAP_DECK = auto()  # every card of its deck is replaced by a new card of the same face and back
    HEAR_PLAYER = auto()  # the complaining player is heard
    CALL_TECHNICIAN_OVER = auto()  # a person telephones, and the technician comes
    REPAIR_MACHINE = auto()  # the technician repairs the broken part
    TECHNICIAN_LEAVES = auto()
    BRING_SPARE = auto()  # the technician installs the spare device with the failed device's cards


@unique
class AboutDealingError(Plain):
    MOVE_LAID = auto()  # the wrong card is moved to its right place
    FORGET_SLIP = auto()  # people no longer speak of the wrongly dealt card
    SET_ASIDE = auto()  # the last card on the table is laid aside for the next player who asks
    FORGET_ENTRY = auto()  # the mistyped value is corrected, or can no longer be named
    LEAVE_ENTRY = auto()  # the entry cannot be corrected: a ruling is needed
    DISPUTE = auto()  # a player asks for a ruling
    RULING_IS_CALLED = auto()  # the player who asked for a ruling has been heard
    SEND_FOR_SPARE = auto()  # the spare device is sent for, to replace the failed device
    SEND_SPARE_BACK = auto()  # the spare device is not needed after all


class HandOverPacket(Struct, frozen=True):
    """The chief supervisor cuts a packet off the cards outside and lays it beside the feed."""

    cards: int


class EmptyHopper(Struct, frozen=True):
    """Takes the cards that are left in the hopper to the place `to`."""

    to: FreedTo


class PullCard(Struct, frozen=True):
    """Draws the card in the mouth, and lays it where the procedure demands."""

    purpose: Purpose
    seat: int | None
    session: int
    round_number: int
    face_down: bool = False
    hand: int = 1  # the number of the seat's hand


class SeparatePair(Struct, frozen=True):
    """Takes the second card of a hand of cards as the first card of a new hand with the number `becomes`."""

    seat: int
    hand: int
    becomes: int


class LayTogether(Struct, frozen=True):
    """Lays the cards of a seat's hand number `of` back to its hand number `hand`."""

    seat: int
    hand: int
    of: int


class PullWrongly(Struct, frozen=True):
    """Draws a card, and lays it in the wrong place that `slip` names."""

    pull: PullCard
    slip: DealingError


class GiveAside(Struct, frozen=True):
    """Gives this seat (0: the bank) the card that was laid aside."""

    seat: int
    face_down: bool = False
    hand: int = 1


class ShowCards(Struct, frozen=True):
    """Turns the face-down cards of the player at `seat`, who shows these cards."""

    seat: int


class CollectHand(Struct, frozen=True):
    """Lays the first `cards` cards of a seat's hand in the discard rack while other hands are still in play. `hand` 0:
    the first cards of the seat, whatever their hand.
    """

    seat: int
    cards: int
    session: int
    round_number: int
    hand: int = 0


class CollectTable(Struct, frozen=True):
    """Lays every card on the table in the discard rack."""

    session: int
    round_number: int


class LayBack(Struct, frozen=True):
    """Lays the last `burnt` cards of the rack back to the burnt cards, and the `cards` cards before them back on the
    table.
    """

    cards: int
    burnt: int = 0


class LayWarningCard(Struct, frozen=True):
    """Puts the warning card into the pack, about `behind` cards from its end (pt.bj.9a)."""

    behind: int


class FillMachine(Struct, frozen=True):
    """Puts the pack into the shoe or box (pt.bj.9c). The first `left` cards stay outside, unnoticed."""

    left: int = 0


class GatherCards(Struct, frozen=True):
    """Moves the cards of machine, rack and table, and the burnt cards, to the cards outside (pt.bj.11b). The last
    `left` cards of the rack stay there, unnoticed.
    """

    left: int = 0


class LayBehind(Struct, frozen=True):
    """Lays all cards from outside, and `of_rack` cards from the rack, behind the cards in the shoe or box."""

    of_rack: int = 0


class FreeJam(Struct, frozen=True):
    """Takes the stuck cards out of the machine, to the place `to`."""

    to: FreedTo


class FeedTooEarly(Struct, frozen=True):
    """Pushes `cards` cards from outside into the closed feed, by turning its rollers."""

    cards: int


class TidyAside(Struct, frozen=True):
    """Moves the cards laid aside to the discard rack, or with `to_burnt` to the burnt cards."""

    to_burnt: bool = False


class TakeOffTable(Struct, frozen=True):
    """Moves the last `cards` cards on the table, which the book does not have there, to the discard rack. With
    `to_burnt` moves the cards to the burnt cards.
    """

    cards: int
    to_burnt: bool = False


class Plug(Struct, frozen=True):
    """Plugs the cable of `device` in again."""

    device: Device


class LayChip(Struct, frozen=True):
    """A player puts a chip into the jackpot slot at the seat."""

    seat: int


class TakeChip(Struct, frozen=True):
    """Takes the chip out of the jackpot slot at the seat."""

    seat: int


PlainAct: TypeAlias = AtShuffler | AtPack | AtTable | AboutDealingError
ToShuffler: TypeAlias = AtShuffler | FeedTooEarly | EmptyHopper | FreeJam
WithPack: TypeAlias = AtPack | LayWarningCard | FillMachine
WithDealingError: TypeAlias = AboutDealingError | GiveAside

HandAct: TypeAlias = (
    ToShuffler
    | WithPack
    | AtTable
    | WithDealingError
    | HandOverPacket
    | GatherCards
    | LayBehind
    | PullCard
    | PullWrongly
    | SeparatePair
    | LayTogether
    | ShowCards
    | CollectHand
    | CollectTable
    | LayBack
    | TidyAside
    | TakeOffTable
    | Plug
    | LayChip
    | TakeChip
)


def name_of(hand: HandAct) -> str:
    return hand.value if isinstance(hand, Plain) else type(hand).__name__


def word_of(name: str) -> str:
    """Returns the name in lower case with hyphens: `feed-packet` for `FeedPacket`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def told(hand: HandAct) -> str:
    """Returns the deed `hand` in words, with its values."""
    if isinstance(hand, PullWrongly):
        return f"{told(hand.pull)}, {hand.slip.kind.value}: lies at {hand.slip.lies or 'the bank'}"
    values = {} if isinstance(hand, Plain) else {one.name: getattr(hand, one.name) for one in fields(hand)}
    shown = {name: one.value if isinstance(one, Enum) else one for name, one in values.items() if one is not None}
    return " ".join([word_of(name_of(hand)), *(f"{name}={value}" for name, value in shown.items())])
