"""The status document: the state of a table as data. The controller sends every key. For a key that an older controller
does not send, a client uses the default.
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
    """The steps of a session, as the status's `session` names them."""

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
    """One step towards the end of a hold. `optional`: taken only if needed. `tools`: commands for a technician."""

    name: str
    text: str
    state: StepState
    who: list[str]
    acts: list[Suggestion] = []
    optional: bool = False
    tools: list[str] = []


class EvidenceStatus(Struct, frozen=True):
    """A condition for a hold's next step. `to`: the step, `clear` or `confirm` (the end of the hold). `met`: True if
    the condition is true now.
    """

    what: str
    met: bool
    to: str


class HoldStatus(Struct, frozen=True):
    """An open hold: the hold's state, its sentence, the steps to its end, and the people who may do the next step."""

    id: str = ""
    kind: str = ""
    phase: str = ""
    device: str | None = None
    place: str = ""
    text: str = ""
    steps: list[str] = []  # the texts of `plan`
    step: int = 0  # the number of the next step, from 1
    plan: list[StepStatus] = []
    who: list[str] = []  # the roles that may take the next step
    since: int = 0  # table time in milliseconds
    place_code: str = ""  # `feed`, `carousel` or `mouth` of a shuffler
    attended_by: int | None = None
    times: int = 0
    recorded: bool = True  # False: its present state is not durable yet
    # 1: cards or record are at stake; 2: play waits for a person at the table; 3: something else waits
    priority: int = 1
    clause: str | None = None
    forbids: list[str] = []  # the operations that it makes impossible
    evidence: list[EvidenceStatus] = []
    technician_called: bool = False
    cause: str | None = None  # its reason, where holds of its kind have several
    about: dict[str, str] = {}  # the values of its sentence, such as the card or its place (seat, 0 for the bank)


class SecondStatus(Struct, frozen=True):
    """A case in which an act has no effect without a second person. `values`: the act's values in this case, empty for
    any. `who`: the roles of the second person.

    `afterwards`: True if the act is done at once, and the second person agrees before money moves. `certain`: False if
    the need depends on an amount.
    """

    values: dict[str, str] = {}
    who: list[str] = []
    afterwards: bool = False
    certain: bool = True


class NextStatus(Struct, frozen=True):
    """An act that is possible now, and the roles that may ask for it.

    `asks`: the credential that the act needs: `does`, `decides` or `attests` (a sign-in may suffice), or `pin` (only a
    PIN given with the act suffices). `second`: the cases in which it needs a second person.
    """

    act: str = ""
    who: list[str] = []
    asks: str = "does"
    second: list[SecondStatus] = []


class DutyStatus(Struct, frozen=True):
    """A report that a person still owes. `since`: the table time in milliseconds at which the duty began."""

    id: str = ""
    kind: str = ""
    who: str = ""
    since: int = 0
    text: str = ""


class OwedStatus(Struct, frozen=True):
    """The card to be dealt next. `purpose`: the card's purpose. `seat`: the seat that gets the card, 0 for the bank,
    None for a burnt card.
    """

    purpose: str = ""
    seat: int | None = None


class FaceDownStatus(Struct, frozen=True):
    """A card that lies face down. `seat`: the card's seat (0: the bank). `position`: the card's number among that
    seat's cards, from 1.
    """

    seat: int = 0
    position: int = 0


class PresentStatus(Struct, frozen=True):
    """A person who is present for `operation`. `until`: the table time (ms) when the presence ends unless the person
    confirms it; None if time does not end it.
    """

    person: int = 0
    role: str = ""
    operation: str = ""
    until: int | None = None


class WaitingStatus(Struct, frozen=True):
    """An act that waits for a second person. `person`: the person who asked first; `who`: the roles that may complete
    it.
    """

    act: str
    values: dict[str, str]
    text: str
    person: int
    role: str
    who: list[str]
    since: int


class LapsedStatus(Struct, frozen=True):
    """An act that has ceased to wait for a second person, with the reason in `text`."""

    act: str
    text: str
    since: int


class LoadingStatus(Struct, frozen=True):
    packets: list[int] = []
    packet_open: bool = False


class PuttingBackStatus(Struct, frozen=True):
    due: int = 0
    done: int = 0


class ShoeStatus(Struct, frozen=True):
    """The shoe or the box of a table without a shuffler: its filling, the cut, the warning card, the last round."""

    filling: int = 0  # the number of fillings so far
    players: list[int] | None = None  # the occupied seats; None: not stated yet
    decks_shuffled: list[int] = []
    cut_offered_to: int | None = None  # the seat to which the cut is offered; None: no player takes it
    warning_card: str = "none"  # (not used), or `waiting` (to be placed), `placed`, `out`
    cards_behind: int | None = None  # the number of cards that must lie behind the warning card
    announced: bool = False  # the last round was announced
    last_round: bool = False  # the last round is known and must be announced
    new_deck: bool = False  # a deck was replaced since the filling: all cards must be shown and mixed before a draw


class SecondCopyStatus(Struct, frozen=True):
    """The state of the journal's second copy. `condition`: `in-step`, `behind` or `failed`. `reason`: the fault, "" for
    none. `behind`: the number of entries that the copy lacks. `lag_ms`: the time for which it has lacked entries, 0 in
    step. `same_medium`: True if a loss of the journal's medium would lose the copy, too.
    """

    condition: str = ""
    behind: int = 0
    lag_ms: int = 0
    same_medium: bool = False
    reason: str = ""


class JournalStatus(Struct, frozen=True):
    """The state of the journal. `seq`, `head`: number and chain value of the last durable entry; `code`: that entry's
    code for the inspectors' book. `waiting`: the number of entries that are not durable. `lag_ms`: the time for which
    the oldest of them has waited. `slow`: True if `lag_ms` is too long. `condition`: `writing`, `failed` or `damaged`.
    `reason`: the fault, "" for none.
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
    """One device, or a part of the computer: lamp, buzzer, key switch or badge reader. A part has no counters of a
    line.
    """

    connected: bool = False
    text: str = ""
    trouble: str | None = None
    reconnects: int = 0
    identity: str = "unknown"  # no device has answered yet; or `stated`, `unauthenticated` (known only by its port)
    good: int | None = None  # valid frames
    rejected: int | None = None
    rejected_by_reason: dict[str, int] = {}
    retransmissions: int | None = None
    rtt_ms: float | None = None
    last_good_s: float | None = None  # seconds since the last valid frame
    quality: str = ""
    model: str | None = None
    serial_number: str | None = None
    firmware: str | None = None
    proof: str | None = None  # `proven` by the key shared with the table, or `unproven`; None for no device or a part
    proof_text: str = ""


class PresentedStatus(Struct, frozen=True):
    """The person whom a badge has just identified. `by`: `badge-and-key`, which replaces the PIN for one request at the
    table's screen, or `badge`, which replaces no PIN.
    """

    person: int = 0
    role: str = ""
    by: str = ""


class PowerStatus(Struct, frozen=True):
    """The computer's power supply. `undervoltage`: `no`, `now`, `earlier` (since the computer started) or `unknown`."""

    undervoltage: str = "unknown"
    text: str = ""


class NoticeStatus(Struct, frozen=True):
    """A message for the people at the table. `id`: rises with each message since the controller's start. `agreed`: the
    second person, in a message that a second person has agreed.
    """

    id: int = 0
    text: str = ""
    agreed: int | None = None


class HandStatus(Struct, frozen=True):
    """A hand on the table: its cards in the order dealt, by rank and suit; "" for an unread card, null for a hidden
    one.

    In the status each card is null, since programs without a signed-in person read it; the line `Hands` has the faces.
    `hand`: its number at the seat, from 1. `total`: as people say it, `17` or `7/17`, "" if unknown. `called`:
    `bust` or `blackjack`.
    """

    seat: int
    cards: list[str | None]
    hand: int = 1
    total: str = ""
    called: str = ""


class FiguresStatus(Struct, frozen=True):
    """Figures of the table and its deck set, and the shuffler's sensors."""

    seats: int = 0
    decks: int = 0
    packets: int = 0  # the fewest packets of a loading
    presence_ms: int = 0  # the time for which a presence lasts
    lid_open: bool = False
    path_blocked: bool = False
    found: list[int] = []  # the count of each card found in the deck check, in the order of the grid
    foreign: int = 0
    provisional: bool = False  # the last card, at `last_at`, may still be corrected
    last_at: str = ""
    deck_set: int = 0  # the number of the set in use; 0 before there is one


class DifferenceStatus(Struct, frozen=True):
    """An amount that is still to be settled after a correction: "+" is paid to the player, "-" comes back from the
    player.
    """

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
    lapsed: list[LapsedStatus] = []
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
