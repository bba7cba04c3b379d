"""Facts: what devices report, what the controller itself went through, which timer fired. Past tense, data only.

Acts (what people ask for) are in acts.py. A fact is never refused. Every class here has a wire name in `FACTS`;
the journal stores name and fields. `Source` numbers an event within one boot of its device, so that nothing is
counted twice; a shuffler's status carries its own cumulative counts as they were after the event.
"""

from dataclasses import dataclass
from typing import TypeAlias

from controller.core.cards import Card
from controller.core.setup import Setup
from controller.core.words import Device, JamPlace, Person, Timer


@dataclass(frozen=True, slots=True)
class Source:
    """The number of a device's event within one boot of that device."""

    boot: int
    number: int


@dataclass(frozen=True, slots=True)
class ShufflerStatus:
    """The shuffler's own figures: cumulative counts over its life, `inside` by its own slots (None: unknown)."""

    cards_in: int
    cards_out: int
    inside: int | None
    jams: int
    recounts: int
    counts_known: bool
    jammed: bool
    path_blocked: bool
    lid_open: bool


# --- the controller itself


@dataclass(frozen=True, slots=True)
class ControllerStarted:
    """The first entry of every start: binds table, configuration, profile, rules and version."""

    start_number: int
    setup: Setup
    config_digest: str
    rules_digest: str
    software: str
    findings: tuple[str, ...]  # what the journal's recovery did: a torn tail cut
    public_key: str = ""  # of the key that signs this journal's exports


@dataclass(frozen=True, slots=True)
class ControllerStopped:
    """An orderly end of the process."""


@dataclass(frozen=True, slots=True)
class TimerFired:
    timer: Timer


@dataclass(frozen=True, slots=True)
class JournalFailed:
    """The journal could not be written; what is permitted waits."""

    reason: str


@dataclass(frozen=True, slots=True)
class JournalRestored:
    """The journal can be written again (the hold stays until it is ended)."""


# --- any device


@dataclass(frozen=True, slots=True)
class DeviceConnected:
    """A device identified itself; a shuffler with its figures, a reader with its cumulative passages."""

    device: Device
    model: str
    serial: str
    firmware: str
    boot: int
    simulated: bool
    shuffler: ShufflerStatus | None
    passages: int | None
    keeps_events: bool = True  # until we acknowledge them; otherwise what nobody hears is gone


@dataclass(frozen=True, slots=True)
class DeviceLost:
    device: Device
    reason: str


@dataclass(frozen=True, slots=True)
class DeviceRefused:
    """Another device than the configured one answered."""

    device: Device
    what: str
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class EventsMissed:
    """The device says that events of these numbers are gone; its cumulative counts say what they moved."""

    device: Device
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CardsMayHavePassed:
    """Nobody listened, or telegrams are gone, on a wire that keeps nothing. `missed`: how many, where it is known."""

    device: Device
    cause: str
    missed: int | None


# --- people


@dataclass(frozen=True, slots=True)
class PersonRemoved:
    """Somebody who was signed in is not among the casino's people any more, or has another role."""

    person: Person


# --- shuffler


@dataclass(frozen=True, slots=True)
class CardCountedOut:
    source: Source
    status: ShufflerStatus


@dataclass(frozen=True, slots=True)
class CardCountedIn:
    source: Source
    status: ShufflerStatus


@dataclass(frozen=True, slots=True)
class ShufflerJammed:
    source: Source
    status: ShufflerStatus
    place: JamPlace
    cards: int


@dataclass(frozen=True, slots=True)
class JamPathCleared:
    source: Source
    status: ShufflerStatus


@dataclass(frozen=True, slots=True)
class JamReleased:
    """The device has ended its own jam latch, as it was told."""

    source: Source
    status: ShufflerStatus


@dataclass(frozen=True, slots=True)
class CardRetried:
    """A motion that the device freed by itself: counted, no jam."""

    source: Source
    status: ShufflerStatus
    place: JamPlace
    tries: int


@dataclass(frozen=True, slots=True)
class LidOpened:
    source: Source
    status: ShufflerStatus


@dataclass(frozen=True, slots=True)
class LidClosed:
    source: Source
    status: ShufflerStatus


@dataclass(frozen=True, slots=True)
class ShufflerRecounted:
    """The shuffler counted its own slots for request number `request`."""

    source: Source
    status: ShufflerStatus
    request: int
    inside: int


@dataclass(frozen=True, slots=True)
class ShufflerStarted:
    source: Source
    status: ShufflerStatus
    cause: str


@dataclass(frozen=True, slots=True)
class ShufflerStatusHeard:
    """Figures without an event (heartbeat, answer) that differ from the last ones known."""

    status: ShufflerStatus


# --- reader


@dataclass(frozen=True, slots=True)
class CardRead:
    """A card passed the reader. Face up and owed: `card`. Otherwise only a commitment. Not readable: neither.

    The identity of a card that is face down, not owed or not yet known to be face up never enters the core.
    `passage`: the reader's own number, where it has one. `told`: what the reader itself takes the card for; recorded,
    and at this table never believed.
    """

    source: Source
    passage: int | None
    card: Card | None
    commitment: str | None
    told: str | None = None


@dataclass(frozen=True, slots=True)
class ReaderStatusHeard:
    """The reader says how many passages it has counted, with no event of its still on the way."""

    passages: int


@dataclass(frozen=True, slots=True)
class ReaderErrorRaised:
    source: Source
    code: int


@dataclass(frozen=True, slots=True)
class ReaderErrorCleared:
    source: Source
    code: int


@dataclass(frozen=True, slots=True)
class ReaderNoted:
    """Something of the reader that is recorded and changes nothing; `told` where it may be known."""

    source: Source
    what: str
    told: str | None


@dataclass(frozen=True, slots=True)
class ReaderRestarted:
    """A reader without boot numbers says that it begins anew."""

    source: Source


@dataclass(frozen=True, slots=True)
class CardReversed:
    """A card was moved backwards past the reader."""

    source: Source
    code: int


@dataclass(frozen=True, slots=True)
class PresetChanged:
    """A setting of the reader was changed at the reader itself."""

    source: Source
    address: str
    value: str


@dataclass(frozen=True, slots=True)
class DeviceStarted:
    """A reader or a display says that it has started."""

    device: Device
    source: Source
    cause: str


@dataclass(frozen=True, slots=True)
class DisplayFaulted:
    source: Source
    code: int


Fact: TypeAlias = (
    ControllerStarted
    | ControllerStopped
    | TimerFired
    | JournalFailed
    | JournalRestored
    | DeviceConnected
    | DeviceLost
    | DeviceRefused
    | EventsMissed
    | CardsMayHavePassed
    | PersonRemoved
    | CardCountedOut
    | CardCountedIn
    | ShufflerJammed
    | JamPathCleared
    | JamReleased
    | CardRetried
    | LidOpened
    | LidClosed
    | ShufflerRecounted
    | ShufflerStarted
    | ShufflerStatusHeard
    | CardRead
    | ReaderStatusHeard
    | ReaderErrorRaised
    | ReaderErrorCleared
    | ReaderNoted
    | ReaderRestarted
    | CardReversed
    | PresetChanged
    | DeviceStarted
    | DisplayFaulted
)

FACTS: dict[str, type[Fact]] = {
    "controller-started": ControllerStarted,
    "controller-stopped": ControllerStopped,
    "timer-fired": TimerFired,
    "journal-failed": JournalFailed,
    "journal-restored": JournalRestored,
    "device-connected": DeviceConnected,
    "device-lost": DeviceLost,
    "device-refused": DeviceRefused,
    "events-missed": EventsMissed,
    "cards-may-have-passed": CardsMayHavePassed,
    "person-removed": PersonRemoved,
    "card-counted-out": CardCountedOut,
    "card-counted-in": CardCountedIn,
    "shuffler-jammed": ShufflerJammed,
    "jam-path-cleared": JamPathCleared,
    "jam-released": JamReleased,
    "card-retried": CardRetried,
    "lid-opened": LidOpened,
    "lid-closed": LidClosed,
    "shuffler-recounted": ShufflerRecounted,
    "shuffler-started": ShufflerStarted,
    "shuffler-status-heard": ShufflerStatusHeard,
    "card-read": CardRead,
    "reader-status-heard": ReaderStatusHeard,
    "reader-error-raised": ReaderErrorRaised,
    "reader-error-cleared": ReaderErrorCleared,
    "reader-noted": ReaderNoted,
    "reader-restarted": ReaderRestarted,
    "card-reversed": CardReversed,
    "preset-changed": PresetChanged,
    "device-started": DeviceStarted,
    "display-faulted": DisplayFaulted,
}
