"""The table's state: one frozen value. No sets, no floats, no clock; its canonical encoding is the state's digest."""

from msgspec import Struct

from controller.core.cards import Card
from controller.core.events import ShufflerStatus
from controller.core.replacing import replace
from controller.core.setup import Setup
from controller.core.words import (
    Closing,
    Device,
    DutyId,
    DutyKind,
    HoldId,
    HoldKind,
    HoldPhase,
    JamPlace,
    Operation,
    Outage,
    OutageOutcome,
    Outcome,
    Person,
    Purpose,
    Role,
    RoundPhase,
    SessionPhase,
    TableMs,
)


class Book(Struct, frozen=True, gc=False):
    """How many cards are in each place, as the events say. `jammed_feed` has not been counted in by the shuffler."""

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
        """Cards of the deck set wherever they are: without withdrawn, spare and foreign."""
        return (
            self.outside + self.inside + self.rack + self.table + self.burnt + self.pending + self.jammed + self.in_hand
        )


class Hold(Struct, frozen=True, gc=False):
    """One latched reason for which the table does not go on."""

    id: HoldId
    kind: HoldKind
    phase: HoldPhase
    raised_ms: TableMs
    device: Device | None = None
    place: JamPlace | None = None
    details: tuple[tuple[str, str], ...] = ()  # values of the sentence
    times: int = 1  # how often the cause came again before it was ended
    attended_by: Person | None = None
    technician_called: bool = False
    technician: Person | None = None
    recount_request: int | None = None  # the shuffler's recount that may end it
    needs_count: bool = False  # only a supervised count ends it
    counted: bool = False  # that count was made and was whole
    not_serial: str = ""  # a spare device was ruled: the one with this number does not end it


class Duty(Struct, frozen=True, gc=False):
    """Something that somebody owes after the fact; it forbids nothing but the final report (pt.bj.51b)."""

    id: DutyId
    kind: DutyKind
    who: Role
    since_ms: TableMs
    details: tuple[tuple[str, str], ...] = ()


class Presence(Struct, frozen=True, gc=False):
    """A person at this table for one operation; confirmed again by each act with the PIN."""

    person: Person
    role: Role
    operation: Operation
    since_ms: TableMs
    confirmed_ms: TableMs


class Dealt(Struct, frozen=True, gc=False):
    """One card on the table: seat 0 is the bank. `face_down` numbers a card whose face nobody has seen."""

    seat: int
    purpose: Purpose
    face_down: int | None = None
    card: Card | None = None
    commitment: str | None = None
    disputed: bool = False  # people gave another face than the seal: after the hold for it theirs counts
    named: bool = False  # no reader, but people have said what it is


class Identity(Struct, frozen=True, gc=False):
    """What the reader said of one passage; neither field: it could not read."""

    card: Card | None
    commitment: str | None


class Join(Struct, frozen=True, gc=False):
    """The half of one card that waits for the other: counted out without identity, or read without count."""

    counted_ms: TableMs | None = None
    counted_for: Purpose | None = None  # None: it was not owed
    read: Identity | None = None
    read_ms: TableMs | None = None
    contested: bool = False  # two counts or two identities for one partner: neither is believed


class Link(Struct, frozen=True, gc=False):
    """Who answers at a port, and the last of its events that was taken (so that none is taken twice).

    `awaited`: the last that it says it has made and should have sent by now; 0 none. `version`: model and firmware.
    """

    connected: bool = False
    serial: str = ""
    boot: int = 0
    taken: int = 0
    awaited: int = 0
    version: str = ""


class ShufflerKnown(Struct, frozen=True, gc=False):
    """What the table knows of its shuffler. `counted_*` are the numbers that the book has followed."""

    link: Link = Link()
    counted_in: int = 0
    counted_out: int = 0
    counted_jams: int = 0
    counted_recounts: int = 0
    status: ShufflerStatus | None = None


class ReaderKnown(Struct, frozen=True, gc=False):
    link: Link = Link()
    passages: int | None = 0  # None: events of it are gone, and how many of them were passages nobody knows
    faults: int = 0
    missing: int = 0  # cards counted whose passage has not been told: it may still come, late
    unseen: int = 0  # cards of this round that it says it never saw: until the round is over its word is not believed
    heard: int | None = None  # its own figure, where it differs from `passages` and no event explains it
    keeps_events: bool = True  # False: what it did not tell at once it never tells


class DisplayKnown(Struct, frozen=True, gc=False):
    link: Link = Link()


class Tally(Struct, frozen=True, gc=False):
    """Counts for reports; they decide nothing. Loadings are those of the session, the others of the table's life.

    `drawn`: cards that came out of the machine in play, burnt ones and those that nobody was owed among them.
    """

    rounds: int = 0
    drawn: int = 0
    burned: int = 0
    loads: int = 0
    failed_loads: int = 0
    jams_raised: int = 0
    jams_cleared: int = 0
    retried: int = 0
    complaints: int = 0
    corrections: int = 0
    voided: int = 0


class SetAside(Struct, frozen=True, gc=False):
    """A card that was dealt by mistake and lies face down for whoever asks next (pt.bj.18d)."""

    card: Card | None = None
    commitment: str | None = None
    outlives_round: bool = False  # it is the next card to be drawn, whenever that is (mo.6.1b)


class Ruling(Struct, frozen=True, gc=False):
    """What was decided in an incident, and by whom."""

    outcome: Outcome
    person: Person
    role: Role
    stakes_back: tuple[int, ...] = ()  # the seats whose stakes go back


class ShoeGame(Struct, frozen=True, gc=False):
    """The life of one filling of shoe or box: who cut, where the warning card went in and came out, its last round."""

    players: tuple[int, ...] | None = None  # seats at which somebody sits; None: nobody has said
    decks_shuffled: tuple[int, ...] = ()
    counted_again: bool = False  # all cards, mixed for the next filling (br.prep.3b)
    cut_refused: tuple[int, ...] = ()
    last_cut: int = 0  # the seat that cut last; 0: the turn begins at the lowest
    behind: int | None = None  # cards behind the warning card; None: it is not in
    expected: int | None = None  # cards before it, as the rule says; None: no warning card in this filling
    measured: int | None = None  # cards before it, as they came out
    filled_at: int | None = None  # the reader's own figure at the filling, where it has one
    out: int = 0  # cards since the filling
    first_round: int = 1
    last_round: int | None = None
    announced: bool = False


NO_CARDS_FOUND: tuple[int, ...] = (0,) * 52


class House(Struct, frozen=True, gc=False):
    """What every table has: its session, its people, what holds it and what is owed."""

    start_number: int = 0
    session: SessionPhase = SessionPhase.CLOSED
    session_number: int = 0
    last_closing: Closing = Closing.NONE
    closing_final: bool = True  # False while duties keep the closing report provisional
    irregular_proposed_by: Person | None = None
    irregular: bool = False
    holds: tuple[Hold, ...] = ()
    last_hold: HoldId = HoldId(0)
    duties: tuple[Duty, ...] = ()
    last_duty: DutyId = DutyId(0)
    journal_failed: bool = False
    outage: Outage = Outage.NONE
    outage_doubted_until_ms: TableMs = TableMs(0)  # until then devices may still tell what came while it was down
    outage_said: OutageOutcome | None = None  # by the chief supervisor; the dealer's word is still owed
    present: tuple[Presence, ...] = ()
    tally: Tally = Tally()


class Devices(Struct, frozen=True, gc=False):
    """What the devices said last, and which of it has been taken: it outlives sessions and rounds."""

    shuffler: ShufflerKnown = ShufflerKnown()
    reader: ReaderKnown = ReaderKnown()
    display: DisplayKnown = DisplayKnown()
    jams_seen: int = 0  # the number of the device's last jam that raised a hold
    jams_ended: int = 0  # and of the last that people ended
    recount_request: int = 0
    devices_due_ms: TableMs | None = None


class Custody(Struct, frozen=True, gc=False):
    """Where the cards are, and what is known of them."""

    deck_set: int | None = None
    refused_deck_sets: tuple[int, ...] = ()
    packets: tuple[int, ...] = ()
    packet_open: bool = False
    burned: int = 0
    shoe_game: ShoeGame = ShoeGame()
    away: tuple[int, ...] = NO_CARDS_FOUND  # faces that left the table and cannot have come back (faces.py)
    set_aside: SetAside | None = None
    heard_up_to: int = 0  # of this round and those before it complaints come too late (pt.bj.61)
    face_down: int = 0  # the last number given to a face-down card
    join: Join = Join()
    book: Book = Book()
    damaged: Card | None = None
    damaged_at_check: bool = False  # found imperfect at the display or in the deck check, not come out so (pt.bj.5b)
    replaced_alone: tuple[Card, ...] = ()  # damaged cards of this session whose decks go at the closing (pt.bj.5b)
    authorised: str = ""  # the reference under which the damaged card alone may be replaced (pt.bj.5c)
    differing_since_ms: TableMs | None = None
    found: tuple[int, ...] = NO_CARDS_FOUND
    found_foreign: int = 0
    found_by_back: tuple[tuple[int, ...], ...] = ()  # each back colour's own counts and foreign cards; (): not entered
    read_out: tuple[int, ...] = NO_CARDS_FOUND  # what the reader itself saw of the unloading
    read_out_foreign: int = 0


class Round(Struct, frozen=True, gc=False):
    """One round, from the bets to the cards put back; it begins and ends whole."""

    phase: RoundPhase = RoundPhase.IDLE
    number: int = 0
    seats: tuple[int, ...] = ()
    dealt: tuple[Dealt, ...] = ()
    collected: tuple[int, ...] = ()  # seats whose cards of this round lie in the rack already (pt.bj.58)
    asked: tuple[int, ...] = ()  # those of them that had asked for further cards (pt.bj.18c)
    turn_back: int | None = None  # seat that was passed over and may ask all the same; 0: whichever asks next
    requested: int | None = None  # seat that a further card was asked for; 0 the bank
    burned: int = 0  # cards burnt in this round (mo.4.2)
    provisional: bool = False  # the last card may still be corrected: no other card, no act of the round since
    last_ruling: Ruling | None = None  # of this round, or made since the last round ended
    put_back_due: int = 0
    put_back: int = 0


class State(Struct, frozen=True, gc=False):
    """Everything the table knows."""

    setup: Setup
    house: House = House()
    devices: Devices = Devices()
    custody: Custody = Custody()
    game: Round = Round()


def initial_state(setup: Setup) -> State:
    """A closed table whose whole deck set is outside."""
    return State(setup=setup, custody=Custody(book=Book(outside=setup.cards)))


def without_round(state: State) -> State:
    """The state without what was known of a round; phase and number of the round stay."""
    return replace(state, game=Round(phase=state.game.phase, number=state.game.number))
