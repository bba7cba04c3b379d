"""A table's setup: its jurisdiction and equipment, which stay fixed while a session runs. The journal's entry of each
start contains it.

The fields of `Parameters` and `Procedure` are named as in the profile's file, which also names the law's clause for
each.
"""

from typing import Final

from msgspec import UNSET, Struct, UnsetType

from controller.core import choices as c
from controller.core.hand_rules import HandRules
from controller.core.jackpot_rules import JackpotRules
from controller.core.linked_rules import LinkedRules
from controller.core.wheel_rules import WheelRules
from controller.core.words import Role

USUAL_RECORDING_DAYS: Final = 30


class Parameters(Struct, frozen=True, gc=False):
    """The profile's numbers for loading, burn, reserve cards, time limits, payments by two people and recordings."""

    min_packets: int
    loads_per_session: int
    burn_cards: int
    presence_timeout_ms: int
    join_ms: int
    difference_ms: int
    devices_due_ms: int
    reserve_cards_per_hand: int
    second_person_prize_cents: int = 0  # one player's jackpot prizes in a round take two people from this amount on
    second_person_payment_cents: int = 0  # payments to one player in a round take two people from there on; 0: none
    recording_days: int | UnsetType = UNSET  # unset in a journal from before this parameter: its text stays the same

    @property
    def days_of_recordings(self) -> int:
        """The number of days for which an incident's recordings are kept: the profile's, or USUAL_RECORDING_DAYS."""
        return USUAL_RECORDING_DAYS if isinstance(self.recording_days, UnsetType) else self.recording_days


class Procedure(Struct, frozen=True, gc=False):
    """The profile's choices among the procedures that the regulations know."""

    machine: c.Machine
    # opening
    opening_check: c.OpeningCheck
    shuffle_passes: int  # 0: the cards are not mixed by hand
    shuffle_each_deck: bool
    cut: c.Cut
    cut_fallback: c.CutFallback
    warning_card: c.WarningCard
    warning_card_behind: int  # cards behind the warning card, where they are counted
    warning_card_from_decks: int  # the fewest decks with which it is placed; 0: never
    warning_card_middle_if_alone: bool
    loading_supervised: bool  # a chief supervisor must be present
    # burn
    burn_each_deck: bool  # one card for each deck, instead of `burn_cards`
    burn_each_round: c.RoundBurn
    burn_place: c.BurnPlace
    # deal
    player_cards: c.Faces
    bank_second_card: c.BankSecond
    misdealt_unseen: c.Misdealt
    misdealt_seen: c.Misdealt
    face_up_card: c.FaceUpCard
    bank_extra_card: c.ExtraCard
    bets_close: c.BetsClose
    # the end of a round, and of the cards in the machine
    last_round: c.LastRound
    last_round_voided: bool
    shuffle_at_will: bool
    spread_on_interruption: bool
    put_back: c.PutBack
    leftovers: c.Leftovers
    complaints: c.ComplaintWindow
    # incidents and closing
    damaged_card: c.DamagedCard
    incident_authority: Role
    unloading_supervised: bool  # a chief supervisor must be present
    back_colours: int = 1  # 2: half of the decks have another back
    deck_replaced_at_check: bool = False  # pt.bj.5b: a card found imperfect at the display, or in the deck check
    deck_replaced_at_closing: bool = False  # pt.bj.5b: the deck of each card that was replaced alone, at the closing
    last_round_below: int = 0  # without a warning card: a round that begins with fewer cards inside is the last
    clock_compared: bool = False  # in each session the recorder's clock is compared with the table's


WITHOUT_CARDS: Final[dict[str, object]] = {
    "min_packets": 0,
    "loads_per_session": 0,
    "burn_cards": 0,
    "join_ms": 0,
    "difference_ms": 0,
    "reserve_cards_per_hand": 0,
    "machine": c.Machine.NONE,
    "opening_check": c.OpeningCheck.NONE,
    "shuffle_passes": 0,
    "shuffle_each_deck": False,
    "cut": c.Cut.NONE,
    "cut_fallback": c.CutFallback.NONE,
    "warning_card": c.WarningCard.NONE,
    "warning_card_behind": 0,
    "warning_card_from_decks": 0,
    "warning_card_middle_if_alone": False,
    "loading_supervised": False,
    "burn_each_deck": False,
    "burn_each_round": c.RoundBurn.NONE,
    "burn_place": c.BurnPlace.RACK,
    "player_cards": c.Faces.UP,
    "bank_second_card": c.BankSecond.AFTER_PLAYERS,
    "misdealt_unseen": c.Misdealt.DISCARD,
    "misdealt_seen": c.Misdealt.DISCARD,
    "face_up_card": c.FaceUpCard.DISCARD,
    "bank_extra_card": c.ExtraCard.DISCARD,
    "bets_close": c.BetsClose.BEFORE_DEAL,
    "last_round": c.LastRound.NONE,
    "last_round_voided": False,
    "shuffle_at_will": False,
    "spread_on_interruption": False,
    "put_back": c.PutBack.NONE,
    "leftovers": c.Leftovers.NONE,
    "complaints": c.ComplaintWindow.UNTIL_PUT_BACK,
    "damaged_card": c.DamagedCard.CARD,
    "unloading_supervised": False,
}
"""The values of parameters and procedure at a table without cards: a wheel."""


class Setup(Struct, frozen=True, gc=False):
    """Table, profile and equipment of one configuration."""

    table: str
    profile: str
    decks: int
    seats: int
    has_reader: bool
    has_display: bool
    simulated: bool
    parameters: Parameters
    procedure: Procedure
    delivery: c.Delivery = c.Delivery.EJECTS
    hand_rules: HandRules | None = None  # None: the table follows cards alone, no hands and no money
    reminders: tuple[str, ...] = ()  # people's reminders at a step, by the names of the house's rows
    wheel_rules: WheelRules | None = None  # None: no wheel stands here
    has_wheel: bool = False  # a wheel with a line that reports its spins
    has_value_display: bool = False
    has_slots: bool = False  # slots that report the jackpot chips in them
    jackpot: JackpotRules | None = None  # as configured; only approved rules apply
    linked: LinkedRules | UnsetType = UNSET  # unset at a table without a linked pool

    @property
    def has_shuffler(self) -> bool:
        """True if cards are dealt from a shuffler, not from a shoe or a box."""
        return self.procedure.machine is c.Machine.SHUFFLER

    @property
    def is_dealt_by_word(self) -> bool:
        """True if no device counts the cards that leave the shoe or box. People then state the dealt cards."""
        return not self.has_shuffler and not self.has_reader

    @property
    def cards(self) -> int:
        """The number of cards of the whole deck set (pt.bj.3a-b)."""
        return 52 * self.decks
