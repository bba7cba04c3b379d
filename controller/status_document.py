"""The parts of the status document: what stands in it, as data. status.py fills it in."""

from typing import Final

from msgspec import Struct


class HoldStatus(Struct, frozen=True):
    """`recorded` False: the hold, as it is now, is not durable yet. `who` may take the next step towards its end.

    `since` in milliseconds of table time.

    `step`: the number, from 1, of the step of `steps` that is next; those before it are done.
    """

    id: str
    kind: str
    phase: str
    device: str | None
    place: str
    text: str
    steps: list[str]
    step: int
    who: list[str]
    since: int
    times: int
    recorded: bool


class NextStatus(Struct, frozen=True):
    act: str
    who: list[str]


class DutyStatus(Struct, frozen=True):
    """`since` in milliseconds of table time."""

    id: str
    kind: str
    who: str
    since: int
    text: str


class OwedStatus(Struct, frozen=True):
    """The card that comes next: what it is for, and the seat (0: the bank, None: the burn)."""

    purpose: str
    seat: int | None


class FaceDownStatus(Struct, frozen=True):
    """A card that lies face down: its seat (0: the bank), and its place among that seat's cards, from 1."""

    seat: int
    position: int


class PresentStatus(Struct, frozen=True):
    person: int
    role: str
    operation: str


class LoadingStatus(Struct, frozen=True):
    packets: list[int]
    packet_open: bool


class PuttingBackStatus(Struct, frozen=True):
    due: int
    done: int


class ShoeStatus(Struct, frozen=True):
    """A shoe or a box. `filling`: how often it was filled; `players`: who sits at the table (None: nobody has said).

    `cut_offered_to`: the seat whose turn it is (None: no player will). `warning_card`: `none` (there is none),
    `waiting` (to be placed), `placed`, `out`; `cards_behind`: so many are to lie behind it. `announced`: the last
    round was; `last_round`: it is known which one is, and to be announced.
    """

    filling: int
    players: list[int] | None
    decks_shuffled: list[int]
    cut_offered_to: int | None
    warning_card: str
    cards_behind: int | None
    announced: bool
    last_round: bool


class SecondCopyStatus(Struct, frozen=True):
    """`condition`: `in-step`, `behind` or `failed`; `behind`: entries that it has not; `lag_ms`: for how long.

    `same_medium`: it lies on the medium of the first copy, and would be lost with it.
    """

    condition: str
    behind: int
    lag_ms: int
    same_medium: bool
    reason: str


class JournalStatus(Struct, frozen=True):
    """`seq` and `head` of the last durable entry; `lag_ms`: how long the oldest one waits that is not."""

    seq: int
    head: str
    lag_ms: int
    slow: bool
    waiting: int
    condition: str
    reason: str
    second_copy: SecondCopyStatus | None


class DeviceStatus(Struct, frozen=True):
    """`last_good_s`: seconds since the last valid frame. `identity`: what is known of who answers, one of

    `stated` (it says who it is), `unauthenticated` (known by its port alone), `unknown` (nobody has answered yet).
    """

    connected: bool
    text: str
    trouble: str | None
    good: int
    rejected: int
    rejected_by_reason: dict[str, int]
    retransmissions: int
    rtt_ms: float | None
    reconnects: int
    last_good_s: float | None
    quality: str
    identity: str
    model: str | None
    serial_number: str | None
    firmware: str | None


class PartStatus(Struct, frozen=True):
    """A lamp, buzzer, key switch or badge reader; it has no frames to count."""

    connected: bool
    text: str
    trouble: str | None
    reconnects: int
    identity: str = "unauthenticated"


class PresentedStatus(Struct, frozen=True):
    """Whom a badge (`by`) has just named; what the person may do still takes the PIN."""

    person: int
    role: str
    by: str


class PowerStatus(Struct, frozen=True):
    """`undervoltage` of the computer itself: `no`, `now`, `earlier` (since it started) or `unknown`."""

    undervoltage: str
    text: str


class NoticeStatus(Struct, frozen=True):
    """Something that people at the table should hear; `id` grows."""

    id: int
    text: str


class Status(Struct, frozen=True):
    table: str
    simulated: bool
    language: str
    profile: str
    machine: str
    state: str
    session: str
    session_number: int
    round: str
    round_number: int
    seats: list[int]
    collected: list[int]  # seats of this round whose cards lie in the rack already
    owed: OwedStatus | None
    face_down: list[FaceDownStatus]
    holds: list[HoldStatus]
    counts: dict[str, int]
    loading: LoadingStatus
    putting_back: PuttingBackStatus
    shoe: ShoeStatus | None
    grids_entered: list[int]  # at the deck check: the back colours that were counted, where there are two
    grid_cards: list[int]  # and how many cards were found of each
    present: list[PresentStatus]
    next: list[NextStatus]
    duties: list[DutyStatus]
    notices: list[NoticeStatus]
    tally: dict[str, int]
    journal: JournalStatus
    devices: dict[str, DeviceStatus | PartStatus]
    presented: PresentedStatus | None
    power: PowerStatus
    software: str
    state_digest: str


KEYS: Final = Status.__struct_fields__
"""The keys of the document, for those who send only what has changed."""
