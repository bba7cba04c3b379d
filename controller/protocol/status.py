"""The status document: what the table is doing, as data. The controller fills all of it in.

The defaults are for a client: a key that an older controller does not send is one of them.
"""

from enum import StrEnum, unique
from typing import Final

from msgspec import Struct

from controller.protocol.jackpot import JackpotExportStatus, JackpotStatus, LinkedStatus
from controller.protocol.money_status import MoneyStatus
from controller.protocol.suggestion import Suggestion
from controller.protocol.wheel_status import WheelStatus


@unique
class SessionStep(StrEnum):
    """Steps of a session that a client looks at: words of the status's `session`."""

    CLOSED = "closed"
    OPENED = "opened"
    DISPLAYED = "displayed"
    GATHERED = "gathered"
    MIXED = "mixed"
    CUT = "cut"
    LOADING = "loading"
    TAKING_OUT = "taking-out"
    LOADED = "loaded"
    IN_PLAY = "in-play"
    CLOSING = "closing"
    UNLOADING = "unloading"
    CHECKING = "checking"


@unique
class StepState(StrEnum):
    DONE = "done"  # the table knows that it was
    NEXT = "next"
    LATER = "later"
    SKIPPED = "skipped"  # its time has passed, and nothing shows that it was done


class StepStatus(Struct, frozen=True):
    """One step towards a hold's end. `optional`: only where it is needed. `tools`: commands for a technician."""

    name: str
    text: str
    state: StepState
    who: list[str]
    acts: list[Suggestion] = []
    optional: bool = False
    tools: list[str] = []


class EvidenceStatus(Struct, frozen=True):
    """A condition before the hold is cleared (`to` is `clear`) or ended (`confirm`), and its truth."""

    what: str
    met: bool
    to: str


class HoldStatus(Struct, frozen=True):
    """`recorded` False: the hold, as it is now, is not durable yet. `who` may take the next step towards its end.

    `since` in milliseconds of table time. `plan`: its steps, as data; `steps` has their texts alone, and `step` is the
    number, from 1, of the one that is next. `place_code`: `feed`, `carousel` or `mouth` of a shuffler. `priority`: 1
    cards or record are at stake, 2 play waits for somebody at the table, 3 something else waits. `forbids`: what is not
    possible while it stands. `cause`: why it was raised, where its kind has several reasons. `about`: the values of its
    sentence: the card, say, or its places (seat, 0 the bank, and position).
    """

    id: str = ""
    kind: str = ""
    phase: str = ""
    device: str | None = None
    place: str = ""
    text: str = ""
    steps: list[str] = []
    step: int = 0
    plan: list[StepStatus] = []
    who: list[str] = []
    since: int = 0
    place_code: str = ""
    attended_by: int | None = None
    times: int = 0
    recorded: bool = True
    priority: int = 1
    clause: str | None = None
    forbids: list[str] = []
    evidence: list[EvidenceStatus] = []
    technician_called: bool = False
    cause: str | None = None
    about: dict[str, str] = {}


class NextStatus(Struct, frozen=True):
    """`asks`: whether its person `attests`, `decides` or `does` something by it; `pin`: nothing else will do."""

    act: str = ""
    who: list[str] = []
    asks: str = "does"


class DutyStatus(Struct, frozen=True):
    """`since` in milliseconds of table time."""

    id: str = ""
    kind: str = ""
    who: str = ""
    since: int = 0
    text: str = ""


class OwedStatus(Struct, frozen=True):
    """The card that comes next: what it is for, and the seat (0: the bank, None: the burn)."""

    purpose: str = ""
    seat: int | None = None


class FaceDownStatus(Struct, frozen=True):
    """A card that lies face down: its seat (0: the bank), and its place among that seat's cards, from 1."""

    seat: int = 0
    position: int = 0


class PresentStatus(Struct, frozen=True):
    """`until`: table time in milliseconds at which the presence ends unless it is confirmed; None: it does not."""

    person: int = 0
    role: str = ""
    operation: str = ""
    until: int | None = None


class WaitingStatus(Struct, frozen=True):
    """An act that waits for its second person: what was asked for, by whom, and the posts whose word completes it."""

    act: str
    values: dict[str, str]
    text: str
    person: int
    role: str
    who: list[str]
    since: int


class LoadingStatus(Struct, frozen=True):
    packets: list[int] = []
    packet_open: bool = False


class PuttingBackStatus(Struct, frozen=True):
    due: int = 0
    done: int = 0


class ShoeStatus(Struct, frozen=True):
    """A shoe or a box. `filling`: how often it was filled; `players`: who sits at the table (None: nobody has said).

    `cut_offered_to`: the seat whose turn it is (None: no player will). `warning_card`: `none` (there is none),
    `waiting` (to be placed), `placed`, `out`; `cards_behind`: so many are to lie behind it. `announced`: the last
    round was; `last_round`: it is known which one is, and to be announced.
    """

    filling: int = 0
    players: list[int] | None = None
    decks_shuffled: list[int] = []
    cut_offered_to: int | None = None
    warning_card: str = "none"
    cards_behind: int | None = None
    announced: bool = False
    last_round: bool = False
    new_deck: bool = False  # one was replaced since the filling: no card is drawn before all are shown and mixed


class SecondCopyStatus(Struct, frozen=True):
    """`condition`: `in-step`, `behind` or `failed`; `behind`: entries that it has not; `lag_ms`: for how long.

    `same_medium`: it lies on the medium of the first copy, and would be lost with it.
    """

    condition: str = ""
    behind: int = 0
    lag_ms: int = 0
    same_medium: bool = False
    reason: str = ""


class JournalStatus(Struct, frozen=True):
    """`seq` and `head` of the last durable entry, `code` of it for the inspection's book.

    `lag_ms`: how long the oldest one waits that is not durable.
    """

    seq: int = 0
    head: str = ""
    code: str = ""
    lag_ms: int = 0
    slow: bool = False
    waiting: int = 0
    condition: str = ""
    reason: str = ""
    second_copy: SecondCopyStatus | None = None


class DeviceStatus(Struct, frozen=True):
    """`last_good_s`: seconds since the last valid frame. `identity`: what is known of who answers, one of

    `stated` (it says who it is), `unauthenticated` (known by its port alone), `unknown` (nobody has answered yet).
    `proof`: `proven` by the key that it shares with the table, or `unproven`; None: nobody has answered, or a part.
    What has no frames (a lamp, buzzer, key switch or badge reader) has no figures of its line.
    """

    connected: bool = False
    text: str = ""
    trouble: str | None = None
    reconnects: int = 0
    identity: str = "unknown"
    good: int | None = None
    rejected: int | None = None
    rejected_by_reason: dict[str, int] = {}
    retransmissions: int | None = None
    rtt_ms: float | None = None
    last_good_s: float | None = None
    quality: str = ""
    model: str | None = None
    serial_number: str | None = None
    firmware: str | None = None
    proof: str | None = None
    proof_text: str = ""


class PresentedStatus(Struct, frozen=True):
    """Whom a badge has just named. `by`: `badge-and-key` stands for the PIN of one request at the table's screen."""

    person: int = 0
    role: str = ""
    by: str = ""


class PowerStatus(Struct, frozen=True):
    """`undervoltage` of the computer itself: `no`, `now`, `earlier` (since it started) or `unknown`."""

    undervoltage: str = "unknown"
    text: str = ""


class NoticeStatus(Struct, frozen=True):
    """Something that people at the table should hear; `id` grows."""

    id: int = 0
    text: str = ""


class HandStatus(Struct, frozen=True):
    """The cards of a seat's hand (0: the bank) in the order dealt: rank and suit, "" not read, null: face down.

    In the status, which whoever may open the socket reads, every card is null; `Hands` has the faces. `hand`: which of
    the seat's, from 1, where a pair was separated. `total`: as people say it, `17` or `7/17`; "" where a card of it is
    not known, and where the table follows cards alone. `called`: `bust` or `blackjack`.
    """

    seat: int
    cards: list[str | None]
    hand: int = 1
    total: str = ""
    called: str = ""


class FiguresStatus(Struct, frozen=True):
    """Of the table: seats, decks, the fewest packets of a loading, and for how long a presence counts.

    Of the shuffler: what its sensors say. `found`: at the deck check, how many of each card were found, as in the
    grid. `provisional`: the last card, at `last_at`, may still be corrected. `deck_set`: the number of the
    one in use, 0 before it has one.
    """

    seats: int = 0
    decks: int = 0
    packets: int = 0
    presence_ms: int = 0
    lid_open: bool = False
    path_blocked: bool = False
    found: list[int] = []
    foreign: int = 0
    provisional: bool = False
    last_at: str = ""
    deck_set: int = 0


class DifferenceStatus(Struct, frozen=True):
    """An amount that a correction has changed: with "+" it is paid to the player, with "-" it comes back from him."""

    seat: int
    player: int
    amount: str
    text: str
    hand: int = 1  # of the seat's


class Status(Struct, frozen=True):
    table: str = ""
    simulated: bool = False
    language: str = ""
    profile: str = ""
    machine: str = "shuffler"
    state: str = ""
    session: str = ""
    session_number: int = 0
    round: str = ""
    round_number: int = 0
    seats: list[int] = []
    collected: list[int] = []  # seats of this round whose cards lie in the rack already
    owed: OwedStatus | None = None
    face_down: list[FaceDownStatus] = []
    holds: list[HoldStatus] = []
    counts: dict[str, int] | None = {}  # null: at this table nobody deals cards
    loading: LoadingStatus = LoadingStatus()
    putting_back: PuttingBackStatus = PuttingBackStatus()
    shoe: ShoeStatus | None = None
    grids_entered: list[int] = []  # at the deck check: the back colours that were counted, where there are two
    grid_cards: list[int] = []  # and how many cards were found of each
    present: list[PresentStatus] = []
    next: list[NextStatus] = []
    waiting: list[WaitingStatus] = []
    differences: list[DifferenceStatus] = []  # of entries put right: the table goes on when they are settled
    duties: list[DutyStatus] = []
    notices: list[NoticeStatus] = []
    tally: dict[str, int] = {}
    journal: JournalStatus = JournalStatus()
    devices: dict[str, DeviceStatus] = {}
    presented: PresentedStatus | None = None
    power: PowerStatus = PowerStatus()
    software: str = ""
    hands: list[HandStatus] = []
    money: MoneyStatus | None = None  # None: the table follows cards alone
    jackpot: JackpotStatus | None = None  # None: nobody plays for one here
    jackpot_export: JackpotExportStatus | None = None  # None: the configuration has no jackpot
    linked: LinkedStatus | None = None  # None: the table plays for no linked pool
    wheel: WheelStatus | None = None  # None: no wheel stands here
    figures: FiguresStatus = FiguresStatus()
    last_seats: list[int] = []  # those that bet last, as far as this start of the controller has seen
    scene: str = ""  # an act may be bound to it: it changes with whatever acts depend on
    state_digest: str = ""


KEYS: Final = Status.__struct_fields__
"""The keys of the document, for those who send only what has changed."""
