"""The state of a table with cards: places and identities of the cards, and the steps of a session (pt.bj.53 to 57).

`irregular_closing_confirmed` is the only exit from a count that cannot be resolved. From any step of an open session it
leads to the unloading; in the deck check it closes the session at once.
"""

from enum import StrEnum, unique
from hashlib import sha256
from operator import attrgetter
from typing import Any, ClassVar, Final, NewType, TypeVar

from msgspec import UNSET, Struct, UnsetType

from controller.core.choices import Cut, Machine, OpeningCheck
from controller.core.engine.machine import ProcedureMachine, Row
from controller.core.engine.replacing import replace
from controller.core.house.session_table import SessionTrigger as H
from controller.core.house.state import GameState, State, changing
from controller.core.words import HoldCause, Operation, Outcome, Person, Purpose, Role, SessionPhase, TableMs
from controller.core.words import SessionPhase as S

Card = NewType("Card", str)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
DECK: tuple[Card, ...] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""The 52 cards of one deck in the order of the closing grid."""

BANK: Final = 0
"""The seat number of the bank."""

FOREIGN = Card("FOREIGN")
"""A joker, a card of another back, a special card: no card of the deck set (pt.bj.3b, pt.bj.52b)."""

_KNOWN = frozenset(DECK)


def rank_of(card: Card) -> str:
    """The rank of a card: `10` of `10H`."""
    return card[:-1]


def suit_of(card: Card) -> str:
    return card[-1]


def parse_card(text: str) -> Card | None:
    """The card that `text` names, `FOREIGN` for a joker, None for any other text."""
    upper = text.strip().upper()
    if upper in {"JOKER", "FOREIGN"}:
        return FOREIGN
    return Card(upper) if upper in _KNOWN else None


def commitment(salt: bytes, card: Card) -> str:
    """The SHA-256 of salt and card, in hex. This hash represents a card whose face is unseen."""
    return sha256(salt + card.encode()).hexdigest()


@unique
class CardTrigger(StrEnum):
    DISPLAY_CONFIRMED = "display_confirmed"
    DECKS_COUNTED = "decks_counted"
    MIXING_CONFIRMED = "mixing_confirmed"
    CUT_MADE = "cut_made"
    CUT_TAKEN_BACK = "cut_taken_back"
    SHOE_FILLED = "shoe_filled"
    LOADING_BEGUN = "loading_begun"
    LOADING_COMPLETED = "loading_completed"
    TAKING_OUT_BEGUN = "taking_out_begun"
    TAKEN_OUT = "taken_out"
    OPENING_ABANDONED = "opening_abandoned"
    DECK_REPLACED = "deck_replaced"  # the deck of a damaged card: all cards are out, new ones not yet seen or mixed
    DECKS_UNSHUFFLED = "decks_unshuffled"  # a deck was replaced at a table that counts and shuffles decks one by one
    BURN_DRAWN = "burn_drawn"
    BURN_MISSED = "burn_missed"  # people stated the burn, and a whole count does not find it
    CARDS_GATHERED = "cards_gathered"
    UNLOADING_BEGUN = "unloading_begun"
    UNLOADING_COMPLETED = "unloading_completed"
    DECK_CHECK_CONFIRMED = "deck_check_confirmed"
    IRREGULAR_CLOSING_CONFIRMED = "irregular_closing_confirmed"


T = CardTrigger
_DISPLAYED = ("opening_check", OpeningCheck.DISPLAY)
_COUNTED = ("opening_check", OpeningCheck.COUNT)
_NOT_SHOWN = ("opening_check", OpeningCheck.NONE)
_SHUFFLER = ("machine", Machine.SHUFFLER)
SESSION = ProcedureMachine(
    "session",
    [
        Row(H.SESSION_OPENED, S.CLOSED, S.OPENED),
        Row(T.DISPLAY_CONFIRMED, S.OPENED, S.DISPLAYED, only=_DISPLAYED),
        Row(T.DECKS_COUNTED, S.OPENED, S.DISPLAYED, only=_COUNTED),  # br.prep.2b
        Row(T.DECKS_COUNTED, S.GATHERED, S.GATHERED, only=_COUNTED),  # br.prep.3b
        Row(T.MIXING_CONFIRMED, S.OPENED, S.MIXED, only=_NOT_SHOWN),  # mo.2.1.1a
        Row(T.MIXING_CONFIRMED, S.DISPLAYED, S.MIXED, unless=_NOT_SHOWN),
        Row(T.MIXING_CONFIRMED, S.GATHERED, S.MIXED, unless=_SHUFFLER),  # pt.bj.11b
        Row(T.CUT_MADE, S.MIXED, S.CUT, unless=("cut", Cut.NONE)),  # pt.bj.8a
        Row(T.CUT_TAKEN_BACK, S.CUT, S.MIXED, unless=("cut", Cut.NONE)),
        Row(T.CUT_TAKEN_BACK, S.LOADED, S.MIXED, unless=_SHUFFLER),
        Row(T.SHOE_FILLED, S.CUT, S.LOADED, unless=_SHUFFLER),  # pt.bj.9c
        Row(T.LOADING_BEGUN, S.OPENED, S.LOADING, only=_NOT_SHOWN),  # mo.2.1.2
        Row(T.LOADING_BEGUN, S.MIXED, S.LOADING, only=_SHUFFLER),
        Row(T.LOADING_COMPLETED, S.LOADING, S.LOADED),
        Row(T.TAKING_OUT_BEGUN, S.LOADING, S.TAKING_OUT),
        Row(T.TAKEN_OUT, S.TAKING_OUT, S.MIXED),
        Row(T.DECK_REPLACED, S.DISPLAYED, S.OPENED, only=_DISPLAYED),  # pt.bj.5b, 7a
        Row(T.DECK_REPLACED, S.MIXED, S.OPENED, only=_DISPLAYED),
        Row(T.DECK_REPLACED, S.CUT, S.OPENED, only=_DISPLAYED),
        Row(T.DECK_REPLACED, S.GATHERED, S.OPENED, only=_DISPLAYED),
        Row(T.DECKS_UNSHUFFLED, S.MIXED, S.DISPLAYED, only=_COUNTED),  # br.prep.4a
        Row(T.DECKS_UNSHUFFLED, S.CUT, S.DISPLAYED, only=_COUNTED),
        Row(T.OPENING_ABANDONED, S.OPENED, S.CLOSED),
        Row(T.OPENING_ABANDONED, S.DISPLAYED, S.CLOSED),
        Row(T.OPENING_ABANDONED, S.MIXED, S.CLOSED),
        Row(T.OPENING_ABANDONED, S.CUT, S.CLOSED, unless=_SHUFFLER),
        Row(T.BURN_DRAWN, S.LOADED, S.IN_PLAY),
        Row(T.BURN_MISSED, S.IN_PLAY, S.LOADED, unless=_SHUFFLER),
        Row(T.CARDS_GATHERED, S.LOADED, S.GATHERED, unless=_SHUFFLER),
        Row(T.CARDS_GATHERED, S.IN_PLAY, S.GATHERED, unless=_SHUFFLER),  # pt.bj.11b, 12
        Row(H.CLOSING_INDICATED, S.GATHERED, S.CLOSING, unless=_SHUFFLER),
        Row(H.CLOSING_INDICATED, S.MIXED, S.CLOSING, unless=_SHUFFLER),  # the next shoe is prepared and not played
        Row(H.CLOSING_INDICATED, S.CUT, S.CLOSING, unless=_SHUFFLER),
        Row(H.CLOSING_INDICATED, S.LOADED, S.CLOSING),
        Row(H.CLOSING_INDICATED, S.IN_PLAY, S.CLOSING),
        Row(H.CLOSING_TAKEN_BACK, S.CLOSING, S.IN_PLAY),
        Row(T.UNLOADING_BEGUN, S.CLOSING, S.UNLOADING),
        Row(T.UNLOADING_COMPLETED, S.UNLOADING, S.CHECKING),
        Row(T.DECK_CHECK_CONFIRMED, S.CHECKING, S.CLOSED),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.OPENED, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.DISPLAYED, S.UNLOADING, unless=_NOT_SHOWN),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.MIXED, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.GATHERED, S.UNLOADING, unless=_SHUFFLER),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.CUT, S.UNLOADING, unless=_SHUFFLER),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.LOADING, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.TAKING_OUT, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.LOADED, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.IN_PLAY, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.CLOSING, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.UNLOADING, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.CHECKING, S.CHECKING),
    ],
    initial=S.CLOSED,
)
NO_CARDS_FOUND: tuple[int, ...] = (0,) * 52


class Book(Struct, frozen=True, gc=False):
    """The number of cards in each place, as the events say. `jammed_feed`: cards jammed before they were counted in."""

    outside: int = 0
    inside: int = 0
    rack: int = 0
    table: int = 0
    burnt: int = 0
    pending: int = 0
    jammed_inside: int = 0
    jammed_feed: int = 0
    in_hand: int = 0
    withdrawn: int = 0
    spare: int = 0
    foreign: int = 0

    @property
    def jammed(self) -> int:
        return self.jammed_inside + self.jammed_feed

    @property
    def total(self) -> int:
        """The number of cards of the deck set in all places, without withdrawn, spare and foreign ones."""
        moving = self.pending + self.jammed_inside + self.jammed_feed + self.in_hand
        return self.outside + self.inside + self.rack + self.table + self.burnt + moving


class Identity(Struct, frozen=True, gc=False):
    """The reader's data on one passage of a card. Both fields are None if the reader could not read the card."""

    card: Card | None
    commitment: str | None


class Join(Struct, frozen=True, gc=False):
    """One half of a card's data, which waits for the other half: the machine's count, or the reader's data."""

    counted_ms: TableMs | None = None
    counted_for: Purpose | None = None  # None: the card was not owed
    read: Identity | None = None
    read_ms: TableMs | None = None
    # the count or reading came within the joining time of the card before, and may be of that card (doubt.py)
    follows_open: bool = False
    contested: bool = False  # two counts or two identities for one card: neither is believed


class SetAside(Struct, frozen=True, gc=False):
    """A card that was dealt by mistake and is laid aside for the next seat that asks (pt.bj.18d)."""

    card: Card | None = None
    commitment: str | None = None
    outlives_round: bool = False  # the card is the next to be drawn, in this round or a later one (mo.6.1b)


class CutTurn(Struct, frozen=True, gc=False):
    """The turn to cut. `last`: the seat that cut last, 0 for none; `refused`: the seats that have refused since."""

    last: int = 0
    refused: tuple[int, ...] = ()


class ShoeGame(Struct, frozen=True, gc=False):
    """One filling of shoe or box: the cut, the expected and the measured place of the warning card, the last round."""

    players: tuple[int, ...] | None = None  # occupied seats; None: not stated yet
    decks_shuffled: tuple[int, ...] = ()  # numbers of decks that were shuffled by themselves (br.prep.4a)
    counted_again: bool = False  # all cards were counted before the next filling (br.prep.3b)
    cut_refused: tuple[int, ...] = ()  # seats
    last_cut: int = 0  # the seat that cut last; 0: the turn begins at the lowest
    behind: int | None = None  # cards behind the warning card; None: not placed
    expected: int | None = None  # cards before the warning card by the rule; None: no warning card in this filling
    measured: int | None = None  # cards that had come out when the warning card came
    filled_at: int | None = None  # the reader's own figure at the filling, where it has one
    out: int = 0  # the number of cards that came out since the filling
    first_round: int = 1  # the number of the first round of this filling
    last_round: int | None = None  # the number of its last round; None: not known yet
    announced: bool = False  # the last round was announced
    # a deck was replaced while a round lay on the table: no card is drawn from it (pt.bj.5b, 7 to 10)
    new_deck: bool = False
    cut_turn: CutTurn | UnsetType = UNSET  # as it was before the cut of this filling; unset before that cut


class Dealt(Struct, frozen=True, gc=False):
    """One card on the table. `seat`: 0 for the bank. `face_down`: the number of a card with an unseen face; None for a
    face-up card.
    """

    seat: int
    purpose: Purpose
    face_down: int | None = None
    card: Card | None = None
    commitment: str | None = None
    disputed: bool = False  # people name another face than the seal; their name counts after the hold
    named: bool = False  # people have named it, not a reader
    was_stated: bool = False  # people have stated it as dealt; no device has counted it
    hand: int = 1  # the number of the hand, where a pair was separated
    paired_ms: TableMs | None = None  # the time at which an identity of the reader joined its count
    follows_open: bool = False  # it was read before it was counted, within the last card's joining time (doubt.py)
    doubted: tuple[Card, ...] | None = None  # read faces that are not believed
    replaces: bool = False  # it has the place of a card that left: one of no deck, or one taken back
    arrival: int = 0  # its rank by arrival, from a replaced card on; 0: the place gives it


class Ruling(Struct, frozen=True, gc=False):
    """A decision in an incident, and the person who made it."""

    outcome: Outcome
    person: Person
    role: Role
    stakes_back: tuple[int, ...] = ()  # the seats whose stakes go back
    seat: int | None = None  # the seat that the ruling names


class Undue(Struct, frozen=True, gc=False):
    """A card or a decision of a hand that was not permitted, as far as the cards are known now. `what`: the decision,
    or the number of the hand's cards before the first that was not permitted. `seat`: 0 for the bank.
    """

    cause: HoldCause
    seat: int
    hand: int
    what: str


class Corrector(Struct, frozen=True, gc=False):
    """A person whose correction waits for a second person's agreement."""

    person: Person
    role: Role


class CardRound(GameState, frozen=True, gc=False):
    """The fields of a round that every card game has."""

    PLAY: ClassVar[Any]
    """The game's own functions (custody/game.py)."""

    dealt: tuple[Dealt, ...] = ()  # the cards on the table, in the order in which they were due (`by_arrival`: came)
    requested: int | None = None  # the seat that has asked for a further card; 0: the bank
    requested_hand: int = 1
    replaced_at: int | None = None  # the index in `dealt` of the card that left and is owed again
    burned: int = 0  # cards burnt in this round (mo.4.2)
    provisional: bool = False  # the last card may still be corrected: no other card or act of the round has followed
    put_back_due: int = 0  # cards to be put back, those put back already included
    put_back: int = 0  # cards put back so far
    seats: tuple[int, ...] = ()  # seats that play
    collected: tuple[int, ...] = ()  # seats whose cards of this round lie in the rack already (pt.bj.58)
    asked: tuple[int, ...] = ()  # collected seats that had asked for further cards (pt.bj.18c)
    turn_back: int | None = None  # passed-over seat whose turn a ruling has given back, where no hands are followed
    corrected_by: tuple[Corrector, ...] = ()  # people whose corrections wait for agreement
    stands: tuple[Undue, ...] = ()  # cards and decisions that stay by a ruling
    last_ruling: Ruling | None = None  # the ruling of this round, or since the last round ended


class Custody(Struct, frozen=True, gc=False):
    """The record of the cards: their places, their loading or filling, and all that is known about single cards."""

    deck_set: int | None = None
    refused_deck_sets: tuple[int, ...] = ()
    packets: tuple[int, ...] = ()  # the number of cards of each packet of the loading
    packet_open: bool = False
    burned: int = 0  # cards burnt after the loading or filling, before its first round
    shoe_game: ShoeGame = ShoeGame()
    away: tuple[int, ...] = NO_CARDS_FOUND  # faces that left the table and cannot have come back (game.py)
    set_aside: SetAside | None = None
    # People who have moved a kept card away between two rounds; the next round waits for agreement. Unset if there are
    # none.
    kept_moved_by: tuple[Corrector, ...] | UnsetType = UNSET
    heard_up_to: int = 0  # the last round for which complaints come too late (pt.bj.61)
    face_down: int = 0  # the last number given to a face-down card
    join: Join = Join()
    book: Book = Book()
    damaged: Card | None = None
    damaged_at_check: bool = False  # found damaged at the opening or in the deck check, not in play (pt.bj.5b)
    replaced_alone: tuple[Card, ...] = ()  # damaged cards of this session whose decks go at the closing (pt.bj.5b)
    authorised: str = ""  # the reference under which the damaged card alone may be replaced (pt.bj.5c)
    differing_since_ms: TableMs | None = None  # the time since which book and evidence differ
    found: tuple[int, ...] = NO_CARDS_FOUND  # the deck check's count of each card of DECK
    found_foreign: int = 0
    found_in_place: int = 0  # of those, in a missing card's place; below 0: cards of the set that were called foreign
    found_by_back: tuple[tuple[int, ...], ...] = ()  # each back colour's own counts and foreign cards; (): not entered
    read_out: tuple[int, ...] = NO_CARDS_FOUND  # cards that the reader read at the unloading
    read_out_foreign: int = 0


class CardState(State, frozen=True, gc=False):
    """The state of a table with cards; each card game adds its round and its results."""

    SESSION: ClassVar[ProcedureMachine[SessionPhase]] = SESSION

    custody: Custody = Custody()
    game: CardRound = CardRound()

    def lying(self) -> tuple[int, ...]:
        return tuple(one.seat for one in self.game.dealt)

    def lying_aside(self) -> bool:
        return self.custody.set_aside is not None

    def is_under_way(self, operation: Operation) -> bool:
        session = self.house.session
        match operation:
            case Operation.LOADING:
                return self.custody.packet_open or session is SessionPhase.TAKING_OUT
            case Operation.UNLOADING:
                return session is SessionPhase.UNLOADING
            case Operation.TABLE | Operation.HOLD:
                return False


CardStateT = TypeVar("CardStateT", bound=CardState)
with_custody = changing(Custody, "custody")
with_shoe_game = changing(ShoeGame, "custody", "shoe_game")
with_round = changing(CardRound, "game")


ARRIVAL: Final = attrgetter("arrival")
"""A card's rank by arrival: 0 where its place tells it."""


def by_arrival(state: CardState) -> list[int]:
    """The indexes of the cards on the table, in the order of their arrival.

    A card that replaces another one has that card's index, but came later.
    """
    arrivals = list(map(ARRIVAL, state.game.dealt))
    return sorted(range(len(arrivals)), key=arrivals.__getitem__)


def last_dealt(state: CardState) -> Dealt:
    """The card that came last. At least one card must lie on the table."""
    return max(reversed(state.game.dealt), key=ARRIVAL)


def with_last(state: CardStateT, changed: Dealt) -> CardStateT:
    """The state with `changed` in place of the card that came last."""
    dealt, last = list(state.game.dealt), by_arrival(state)[-1]
    dealt[last] = changed
    return with_round(state, dealt=tuple(dealt))


def laid_at(state: CardStateT, card: Dealt, at: int) -> CardStateT:
    """The state with `card` added at index `at` of the dealt cards, as the last card to arrive."""
    dealt = state.game.dealt
    latest = max(map(ARRIVAL, dealt), default=0)
    card = card if at >= len(dealt) and not latest else replace(card, arrival=latest + 1)
    return with_round(state, dealt=(*dealt[:at], card, *dealt[at:]))
