"""The status document: the table's state as data. The controller fills in every key.

The defaults are for a client of an older controller: they stand for keys that this controller does not send.
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
    """The steps of a session that a client distinguishes. Each is a value of the status's `session`."""

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
    DONE = "done"  # the table knows that the step was done
    NEXT = "next"
    LATER = "later"
    SKIPPED = "skipped"  # the step's phase has passed, and nothing shows that it was done


class StepStatus(Struct, frozen=True):
    """One step towards a hold's end. `optional`: only where needed. `tools`: commands for a technician."""

    name: str
    text: str
    state: StepState
    who: list[str]
    acts: list[Suggestion] = []
    optional: bool = False
    tools: list[str] = []


class EvidenceStatus(Struct, frozen=True):
    """A condition for a step of the hold: for clearing it where `to` is `clear`, for ending it where `to` is `confirm`.
    `met`: the condition is true now.
    """

    what: str
    met: bool
    to: str


class HoldStatus(Struct, frozen=True):
    """A hold. `recorded` False: its present state is not durable yet. `who`: the roles that may take the next step.

    `since`: milliseconds of table time. `plan`: its steps as data; `steps`: their texts alone; `step`: the number of
    the next step, from 1. `place_code`: `feed`, `carousel` or `mouth` of a shuffler. `priority`: 1 cards or record are
    at stake, 2 play waits for a person at the table, 3 something else waits. `forbids`: the operations that it makes
    impossible. `cause`: its reason, where holds of its kind have several. `about`: the values of its sentence, such as
    the card or its place (seat, 0 for the bank, and position).
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
    """An act that is possible now, and the roles that may ask for it.

    `asks`: the credential that the act needs: the person `attests`, `decides` or `does` something, or `pin` (only a PIN
    given for this act suffices).
    """

    act: str = ""
    who: list[str] = []
    asks: str = "does"


class DutyStatus(Struct, frozen=True):
    """A duty. `since`: milliseconds of table time."""

    id: str = ""
    kind: str = ""
    who: str = ""
    since: int = 0
    text: str = ""


class OwedStatus(Struct, frozen=True):
    """The next card: its purpose, and its seat (0: the bank, None: the card is burned)."""

    purpose: str = ""
    seat: int | None = None


class FaceDownStatus(Struct, frozen=True):
    """A card that lies face down: its seat (0: the bank), and its position among that seat's cards, from 1."""

    seat: int = 0
    position: int = 0


class PresentStatus(Struct, frozen=True):
    """A person who is present for `operation`. `until`: the table time (ms) at which the presence ends unless it is
    confirmed again; None: without end.
    """

    person: int = 0
    role: str = ""
    operation: str = ""
    until: int | None = None


class WaitingStatus(Struct, frozen=True):
    """An act that waits for a second person: its values, the first person, and the roles that may complete it."""

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
    """A shoe or a box. `filling`: the number of fillings so far; `players`: the occupied seats (None: not stated yet).

    `cut_offered_to`: the seat that the cut is offered to (None: no player takes it). `warning_card`: `none` (not used),
    `waiting` (to be placed), `placed`, `out`; `cards_behind`: the number of cards to lie behind it. `announced`: the
    last round was announced; `last_round`: the last round is known and must be announced.
    """

    filling: int = 0
    players: list[int] | None = None
    decks_shuffled: list[int] = []
    cut_offered_to: int | None = None
    warning_card: str = "none"
    cards_behind: int | None = None
    announced: bool = False
    last_round: bool = False
    new_deck: bool = False  # a deck was replaced since the filling: all cards must be shown and mixed before a draw


class SecondCopyStatus(Struct, frozen=True):
    """The journal's second copy. `condition`: `in-step`, `behind` or `failed`; `reason`: the fault, "" without one.

    `behind`: the number of entries that it lacks; `lag_ms`: the milliseconds for which it has been behind, 0 in step.
    `same_medium`: the copy lies on the medium of the first copy, and would be lost with it.
    """

    condition: str = ""
    behind: int = 0
    lag_ms: int = 0
    same_medium: bool = False
    reason: str = ""


class JournalStatus(Struct, frozen=True):
    """The journal: `seq` and `head` of the last durable entry, and its `code` for the inspection's book.

    `waiting`: the number of entries that are not durable; `lag_ms`: the time for which the oldest of these has waited;
    `slow`: that time is too long. `condition`: `writing`, `failed` or `damaged`; `reason`: the fault, "" without one.
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
    """One device. `last_good_s`: seconds since the last valid frame.

    `identity`: `stated` (the device says who it is), `unauthenticated` (known only by its port) or `unknown` (no device
    has answered yet). `proof`: `proven` by the key that the device shares with the table, or `unproven`; None where no
    device has answered, and for a part. A part without frames (lamp, buzzer, key switch, badge reader) has no counters
    of its line.
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
    """The person whom a badge has just identified. `by`: `badge-and-key`, which replaces the PIN for one request at the
    table's screen, or `badge`, which replaces none.
    """

    person: int = 0
    role: str = ""
    by: str = ""


class PowerStatus(Struct, frozen=True):
    """The computer's own power. `undervoltage`: `no`, `now`, `earlier` (since the computer started) or `unknown`."""

    undervoltage: str = "unknown"
    text: str = ""


class NoticeStatus(Struct, frozen=True):
    """A message for the people at the table. `id`: greater than that of every earlier message since the start."""

    id: int = 0
    text: str = ""


class HandStatus(Struct, frozen=True):
    """The cards of a hand in the order dealt (seat 0: the bank): rank and suit, "" unread, null face down.

    In the status every card is null, since any process that may open the socket reads it; `Hands` has the faces.
    `hand`: the number of the hand at the seat after a split, from 1. `total`: as people say it, `17` or `7/17`; ""
    where a card is unknown, and where the table follows cards alone. `called`: `bust` or `blackjack`.
    """

    seat: int
    cards: list[str | None]
    hand: int = 1
    total: str = ""
    called: str = ""


class FiguresStatus(Struct, frozen=True):
    """Figures of the table: seats, decks, the fewest packets of a loading, the duration of a presence.

    Figures of the shuffler: the reports of its sensors. `found`: the count of each card found at the deck check, in the
    order of the grid. `provisional`: the last card, at `last_at`, may still be corrected. `deck_set`: the number of the
    set in use, 0 before there is one.
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
    """An amount that a correction has changed: "+" is paid to the player, "-" comes back from the player."""

    seat: int
    player: int
    amount: str
    text: str
    hand: int = 1  # the number of the hand at the seat


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
    counts: dict[str, int] | None = {}  # null: a table without cards
    loading: LoadingStatus = LoadingStatus()
    putting_back: PuttingBackStatus = PuttingBackStatus()
    shoe: ShoeStatus | None = None
    grids_entered: list[int] = []  # at the deck check with two back colours: the colours already counted
    grid_cards: list[int] = []  # the number of cards found of each of those colours
    present: list[PresentStatus] = []
    next: list[NextStatus] = []
    waiting: list[WaitingStatus] = []
    differences: list[DifferenceStatus] = []  # from corrected entries: the table goes on once they are settled
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
    jackpot: JackpotStatus | None = None  # None: the table has no jackpot
    jackpot_export: JackpotExportStatus | None = None  # None: the configuration has no jackpot
    linked: LinkedStatus | None = None  # None: the table plays for no linked pool
    wheel: WheelStatus | None = None  # None: the table has no wheel
    figures: FiguresStatus = FiguresStatus()
    last_seats: list[int] = []  # the seats of the last bets since this start of the controller
    recording_days: int = 30  # the days for which an incident's recordings are kept
    scene: str = ""  # changes with everything that acts depend on; a request may name it
    state_digest: str = ""


KEYS: Final = Status.__struct_fields__
"""The keys of the status document, for a line that has only the changed keys."""
