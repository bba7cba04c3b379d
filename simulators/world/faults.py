"""The catalogue of what can go wrong: one row a kind, with its layer, what it does, and when it comes.

`plan_faults` draws from a seed what goes wrong in one world, as a list: each kind from a generator of its own, so
that the others stay as they are when one is added or left out. A planned fault is counted only when it is met:
when it has changed bytes, time or what a device does.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto, unique
from random import Random
from typing import Final

from controller.core.words import Device
from simulators.world.clock import chance


@unique
class FaultKind(StrEnum):
    JAM_AT_FEED = "jam-at-feed"
    JAM_IN_CAROUSEL = "jam-in-carousel"
    JAM_AT_MOUTH = "jam-at-mouth"
    RETRIED_FEED = "retried-feed"
    RETRIED_DEAL = "retried-deal"
    DOUBLE_FEED_IN = "double-feed-in"
    DOUBLE_FEED_OUT = "double-feed-out"
    MISCOUNT_IN = "miscount-in"
    MISCOUNT_OUT = "miscount-out"
    LID_SPRUNG = "lid-sprung"
    MISREAD = "misread"
    WRONG_READ = "wrong-read"
    UNSEEN_PASSAGE = "unseen-passage"
    READER_ERROR = "reader-error"
    DISPLAY_STUCK = "display-stuck"
    DISPLAY_FAULT = "display-fault"
    REBOOTED = "rebooted"
    REBOOTED_WITHOUT_COUNTS = "rebooted-without-counts"
    HUNG = "hung"
    ANSWERS_LATE = "answers-late"
    BUFFER_FILLED = "buffer-filled"
    OTHER_SERIAL = "other-serial"
    OTHER_VERSION = "other-version"
    LINK_LOSS = "link-loss"
    LINK_DUPLICATION = "link-duplication"
    LINK_CORRUPTION = "link-corruption"
    LINK_DELAY = "link-delay"
    LINK_CUT = "link-cut"
    LINK_STALL = "link-stall"
    CABLE_PULLED = "cable-pulled"
    DISK_FULL = "disk-full"
    DISK_SLOW = "disk-slow"
    SYNC_FAILED = "sync-failed"
    SYNC_LOST_DATA = "sync-lost-data"
    TORN_WRITE = "torn-write"
    BIT_FLIP = "bit-flip"
    POWER_CUT = "power-cut"
    POWER_CUT_OF_ALL = "power-cut-of-all"
    PROCESS_KILLED = "process-killed"
    KILLED_TWICE = "killed-twice"
    WALL_CLOCK_JUMPED = "wall-clock-jumped"
    PERSON_SLOW = "person-slow"
    PERSON_AWAY = "person-away"
    WRONG_KEY = "wrong-key"
    WRONG_HOLD = "wrong-hold"
    FORGOTTEN_STEP = "forgotten-step"
    PRESSED_TWICE = "pressed-twice"
    WRONG_PIN = "wrong-pin"
    LID_OPENED = "lid-opened"
    CARD_SLIPPED_IN = "card-slipped-in"
    CARD_TAKEN_OUT = "card-taken-out"


@unique
class Layer(StrEnum):
    DEVICE = "device"
    LINE = "line"
    DISK = "disk"
    MACHINE = "machine"
    PEOPLE = "people"


class Moment(Enum):
    """What the number in `PlannedFault.at` counts."""

    SECOND = auto()  # of busy time (busy.py)
    FED = auto()  # cards that went through the feed
    DEALT = auto()  # cards that went through the mouth
    MOVED = auto()  # both
    APPLIED = auto()  # commands to a display
    ENTRY = auto()  # of the journal, durable
    WATCHED = auto()  # deeds of the chief supervisor while cards are loaded or unloaded under his eyes


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One kind. `for_s`, `share` (of frames, or of cases) and `amount` are the ranges that are drawn from."""

    kind: FaultKind
    layer: Layer
    what: str
    moment: Moment = Moment.SECOND
    devices: tuple[Device, ...] = ()
    for_s: tuple[float, float] = (0.0, 0.0)
    share: tuple[float, float] = (0.0, 1.0)
    amount: tuple[int, int] = (1, 1)
    often: float = 1.0  # in a world of all kinds, against the others


K, L, M = FaultKind, Layer, Moment
_SHUFFLER = (Device.SHUFFLER,)
_SHOE = (Device.SHOE,)
_DISPLAY = (Device.JACKPOT_DISPLAY,)
_NEEDED = (Device.SHUFFLER, Device.SHOE)
_ANY = (Device.SHUFFLER, Device.SHUFFLER, Device.SHOE, Device.SHOE, Device.JACKPOT_DISPLAY)

FAULTS: Final[tuple[FaultRow, ...]] = (
    FaultRow(K.JAM_AT_FEED, L.DEVICE, "cards stick at the feed, not yet counted", M.FED, _SHUFFLER, amount=(1, 2)),
    FaultRow(K.JAM_IN_CAROUSEL, L.DEVICE, "cards stick inside the carousel", M.MOVED, _SHUFFLER, amount=(1, 3)),
    FaultRow(K.JAM_AT_MOUTH, L.DEVICE, "cards stick behind the mouth, not yet out", M.DEALT, _SHUFFLER, amount=(1, 2)),
    FaultRow(K.RETRIED_FEED, L.DEVICE, "the feed frees a card by itself", M.FED, _SHUFFLER, amount=(1, 4)),
    FaultRow(K.RETRIED_DEAL, L.DEVICE, "the mouth frees a card by itself", M.DEALT, _SHUFFLER, amount=(1, 4)),
    FaultRow(K.DOUBLE_FEED_IN, L.DEVICE, "two go in at once, one or two counted", M.FED, _SHUFFLER, amount=(1, 2)),
    FaultRow(
        K.DOUBLE_FEED_OUT,
        L.DEVICE,
        "two cards come out at once, one or both counted",
        M.DEALT,
        _SHUFFLER,
        amount=(1, 2),
    ),
    FaultRow(K.MISCOUNT_IN, L.DEVICE, "a card goes in, and none or two are counted", M.FED, _SHUFFLER, often=0.5),
    FaultRow(K.MISCOUNT_OUT, L.DEVICE, "a card comes out, and none or two are counted", M.DEALT, _SHUFFLER, often=0.5),
    FaultRow(K.LID_SPRUNG, L.DEVICE, "the lid springs open by itself", M.MOVED, _SHUFFLER),
    FaultRow(K.MISREAD, L.DEVICE, "the reader cannot read a card", M.DEALT, _SHOE, often=2.0),
    FaultRow(K.WRONG_READ, L.DEVICE, "the reader takes a card for another one", M.DEALT, _SHOE),
    FaultRow(K.UNSEEN_PASSAGE, L.DEVICE, "the reader does not notice a card", M.DEALT, _SHOE),
    FaultRow(K.READER_ERROR, L.DEVICE, "the reader fails until somebody clears it", M.DEALT, _SHOE, for_s=(5.0, 40.0)),
    FaultRow(K.DISPLAY_STUCK, L.DEVICE, "the display keeps its old picture", M.APPLIED, _DISPLAY, for_s=(5.0, 60.0)),
    FaultRow(K.DISPLAY_FAULT, L.DEVICE, "the display reports a fault", M.APPLIED, _DISPLAY),
    FaultRow(K.REBOOTED, L.DEVICE, "a device loses power for a moment", M.SECOND, _ANY, for_s=(0.2, 4.0)),
    FaultRow(K.REBOOTED_WITHOUT_COUNTS, L.DEVICE, "and its counts are gone", M.SECOND, _NEEDED, for_s=(0.2, 4.0)),
    FaultRow(K.HUNG, L.DEVICE, "a device neither hears nor moves nor answers", M.SECOND, _ANY, for_s=(0.5, 8.0)),
    FaultRow(K.ANSWERS_LATE, L.DEVICE, "a device answers after up to a second and a half", M.SECOND, _ANY, (3.0, 20.0)),
    FaultRow(
        K.BUFFER_FILLED,
        L.DEVICE,
        "its buffer fills while nothing becomes durable",
        M.SECOND,
        _SHUFFLER,
        (7.0, 12.0),
    ),
    FaultRow(K.OTHER_SERIAL, L.DEVICE, "another device stands in its place for a while", M.SECOND, _ANY, (5.0, 30.0)),
    FaultRow(K.OTHER_VERSION, L.DEVICE, "a device says another version for a while", M.SECOND, _ANY, (5.0, 30.0)),
    FaultRow(K.LINK_LOSS, L.LINE, "frames are lost", M.SECOND, _ANY, (2.0, 20.0), (0.05, 0.6)),
    FaultRow(K.LINK_DUPLICATION, L.LINE, "frames arrive twice", M.SECOND, _ANY, (2.0, 30.0), (0.1, 1.0)),
    FaultRow(K.LINK_CORRUPTION, L.LINE, "bits turn, bytes go, noise comes", M.SECOND, _ANY, (2.0, 20.0), (0.05, 0.6)),
    FaultRow(
        K.LINK_DELAY,
        L.LINE,
        "frames come up to 1.5 s late",
        M.SECOND,
        _ANY,
        (2.0, 20.0),
        (0.1, 1.0),
    ),
    FaultRow(K.LINK_CUT, L.LINE, "nothing passes", M.SECOND, _ANY, (0.1, 12.0)),
    FaultRow(K.LINK_STALL, L.LINE, "everything waits and then comes at once", M.SECOND, _ANY, (0.1, 1.8)),
    FaultRow(K.CABLE_PULLED, L.LINE, "a cable is pulled; the technician puts it back", M.SECOND, _ANY, (0.5, 20.0)),
    FaultRow(K.DISK_FULL, L.DISK, "the disk is full", M.ENTRY, (), (0.5, 30.0)),
    FaultRow(K.DISK_SLOW, L.DISK, "each sync takes seconds", M.ENTRY, (), (3.0, 25.0), amount=(1, 6)),
    FaultRow(K.SYNC_FAILED, L.DISK, "syncs fail, and what they had stays", M.ENTRY, (), (0.01, 8.0)),
    FaultRow(
        K.SYNC_LOST_DATA,
        L.DISK,
        "syncs fail, what they had is lost and still shows",
        M.ENTRY,
        (),
        (0.01, 8.0),
    ),
    FaultRow(K.TORN_WRITE, L.DISK, "power goes in the middle of a write", M.ENTRY, (), (1.0, 20.0)),
    FaultRow(
        K.BIT_FLIP,
        L.DISK,
        "a stored bit turns over while the power is off",
        M.ENTRY,
        (),
        (1.0, 10.0),
        often=0.3,
    ),
    FaultRow(K.POWER_CUT, L.MACHINE, "the controller's machine loses power", M.ENTRY, (), (0.3, 30.0), often=2.0),
    FaultRow(K.POWER_CUT_OF_ALL, L.MACHINE, "the whole table loses power", M.ENTRY, (), (1.0, 30.0)),
    FaultRow(K.PROCESS_KILLED, L.MACHINE, "the controller's process dies", M.ENTRY, (), (0.2, 3.0), often=2.0),
    FaultRow(K.KILLED_TWICE, L.MACHINE, "it dies, and again within a second of its start", M.ENTRY, (), (0.2, 1.0)),
    FaultRow(K.WALL_CLOCK_JUMPED, L.MACHINE, "the wall clock jumps by hours or days", M.SECOND, (), amount=(-400, 400)),
    FaultRow(K.PERSON_SLOW, L.PEOPLE, "somebody takes a minute for what takes a second", M.SECOND, (), (20.0, 100.0)),
    FaultRow(K.PERSON_AWAY, L.PEOPLE, "the chief supervisor walks away", M.WATCHED, (), (181.0, 300.0)),
    FaultRow(K.WRONG_KEY, L.PEOPLE, "somebody presses a wrong key", M.SECOND, amount=(1, 4), often=2.0),
    FaultRow(K.WRONG_HOLD, L.PEOPLE, "somebody names another hold than he means", M.SECOND),
    FaultRow(K.FORGOTTEN_STEP, L.PEOPLE, "somebody leaves out a step and does the next", M.SECOND, often=2.0),
    FaultRow(K.PRESSED_TWICE, L.PEOPLE, "somebody presses the same key again", M.SECOND, often=2.0),
    FaultRow(K.WRONG_PIN, L.PEOPLE, "somebody types a wrong PIN", M.SECOND, amount=(1, 3)),
    FaultRow(K.LID_OPENED, L.PEOPLE, "somebody opens the lid", M.SECOND),
    FaultRow(K.CARD_SLIPPED_IN, L.PEOPLE, "somebody lays a foreign card among the others", M.SECOND, often=0.4),
    FaultRow(K.CARD_TAKEN_OUT, L.PEOPLE, "somebody takes a card away", M.SECOND, often=0.4),
)

ROWS: Final = {row.kind: row for row in FAULTS}


@dataclass(frozen=True, slots=True)
class PlannedFault:
    """One thing that will go wrong. `number` is its place in the plan; `salt` seeds what it decides by itself."""

    number: int
    kind: FaultKind
    at: int  # counts what the row's `moment` says
    salt: int
    device: Device | None = None
    for_s: float = 0.0
    share: float = 1.0
    amount: int = 1

    @property
    def rng(self) -> Random:
        """What the fault decides by itself."""
        return Random(self.salt)


@dataclass(frozen=True, slots=True)
class Length:
    """How long a world is about to be: what there is for faults to fall on."""

    rounds: int
    cards: int

    ROUND_CARDS = 8
    ROUND_S = 37.0  # busy
    ROUND_ENTRIES = 35

    def draw(self, moment: Moment, rng: Random) -> int:
        """A moment of this world: two in three fall into play, however long loading and unloading are."""
        before, play, after = self._phases(moment)
        in_play = rng.random() < 2 / 3
        at = before + rng.random() * play if in_play else rng.random() * (before + play + after)
        return max(1, int(at))

    def _phases(self, moment: Moment) -> tuple[float, float, float]:
        match moment:
            case Moment.SECOND:
                return 52.0 + self.cards / 12, self.rounds * self.ROUND_S, 15.0 + self.cards / 6
            case Moment.FED:
                return self.cards, self.rounds * self.ROUND_CARDS, 0
            case Moment.DEALT:
                return 1, self.rounds * self.ROUND_CARDS, self.cards
            case Moment.MOVED:
                return self.cards, 2 * self.rounds * self.ROUND_CARDS, self.cards
            case Moment.APPLIED:
                return 2, 1, 1
            case Moment.ENTRY:
                return 15 + self.cards, self.rounds * self.ROUND_ENTRIES, 2 * self.cards
            case Moment.WATCHED:
                return 1, 7, 4


WORLD_OF_ALL: Final = 0.07
"""How often a kind comes up in a world of all kinds, for each ten rounds and once besides."""


def plan_faults(seed: int, length: Length, kinds: Collection[FaultKind]) -> tuple[PlannedFault, ...]:
    """What goes wrong in the world of `seed`. A world of few kinds has each of them at least once."""
    drawn: list[PlannedFault] = []
    share = WORLD_OF_ALL * (1 + length.rounds / 10) if len(kinds) > 5 else 1.0
    for row in FAULTS:
        if row.kind in kinds:
            rng = chance(seed, "fault", row.kind.value)
            count = _count(rng, share * row.often if len(kinds) > 5 else share)
            drawn += [_drawn(row, length, rng) for _ in range(count)]
    return numbered(drawn)


def numbered(faults: Sequence[PlannedFault]) -> tuple[PlannedFault, ...]:
    """With their places in the plan as numbers."""
    return tuple(
        PlannedFault(number, f.kind, f.at, f.salt, f.device, f.for_s, f.share, f.amount)
        for number, f in enumerate(faults, 1)
    )


def _count(rng: Random, share: float) -> int:
    """How often: at least once for a share of 1, and now and then once more."""
    count = 0
    while rng.random() < share and count < 3:
        count += 1
        share = min(share, 1.0) / 3
    return count


def _drawn(row: FaultRow, length: Length, rng: Random) -> PlannedFault:
    return PlannedFault(
        number=0,
        kind=row.kind,
        at=length.draw(row.moment, rng),
        salt=rng.getrandbits(32),
        device=rng.choice(row.devices) if row.devices else None,
        for_s=rng.uniform(*row.for_s),
        share=rng.uniform(*row.share),
        amount=rng.randint(*row.amount),
    )


@dataclass(slots=True)
class FaultCount:
    """Which planned faults were met, and when for the first time."""

    met: dict[int, float] = field(default_factory=dict)

    def meet(self, number: int, at_s: float) -> bool:
        """Notes it; whether it was the first time."""
        if number in self.met:
            return False
        self.met[number] = at_s
        return True
