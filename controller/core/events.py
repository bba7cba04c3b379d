"""Facts: what devices report, what the controller itself went through, which timer fired. Past tense, data only.

Acts (what people ask for) are in acts.py. A fact is never refused. Every class here has a wire name in `FACTS`;
the journal stores name and fields. `Source` numbers an event within one boot of its device, so that nothing is
counted twice; a shuffler's status carries its own cumulative counts as they were after the event.
"""

from typing import TypeAlias

from msgspec import Struct

from controller.core.cards import Card
from controller.core.setup import Setup
from controller.core.words import Device, JamPlace, Person, Timer


class Source(Struct, frozen=True, gc=False):
    """The number of a device's event within one boot of that device."""

    boot: int
    number: int


class ShufflerStatus(Struct, frozen=True, gc=False):
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


class ControllerStarted(Struct, frozen=True, gc=False):
    """The first entry of every start: binds table, configuration, profile, rules and version."""

    start_number: int
    setup: Setup
    config_digest: str
    rules_digest: str
    software: str
    findings: tuple[str, ...]  # what the journal's recovery did: a torn tail cut
    public_key: str = ""  # of the key that signs this journal's exports


class ControllerStopped(Struct, frozen=True, gc=False):
    """An orderly end of the process."""


class TimerFired(Struct, frozen=True, gc=False):
    timer: Timer


class JournalFailed(Struct, frozen=True, gc=False):
    """The journal could not be written; what is permitted waits."""

    reason: str


class JournalRestored(Struct, frozen=True, gc=False):
    """The journal can be written again (the hold stays until it is ended)."""


# --- any device


class DeviceConnected(Struct, frozen=True, gc=False):
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


class DeviceLost(Struct, frozen=True, gc=False):
    device: Device
    reason: str


class DeviceRefused(Struct, frozen=True, gc=False):
    """Another device than the configured one answered."""

    device: Device
    what: str
    expected: str
    found: str


class EventsMissed(Struct, frozen=True, gc=False):
    """The device says that events of these numbers are gone; its cumulative counts say what they moved."""

    device: Device
    first: int
    last: int


class CardsMayHavePassed(Struct, frozen=True, gc=False):
    """Nobody listened, or telegrams are gone, on a wire that keeps nothing. `missed`: how many, where it is known."""

    device: Device
    cause: str
    missed: int | None


# --- people


class PersonRemoved(Struct, frozen=True, gc=False):
    """Somebody who was signed in is not among the casino's people any more, or has another role."""

    person: Person


# --- shuffler


class CardCountedOut(Struct, frozen=True, gc=False):
    source: Source
    status: ShufflerStatus


class CardCountedIn(Struct, frozen=True, gc=False):
    source: Source
    status: ShufflerStatus


class ShufflerJammed(Struct, frozen=True, gc=False):
    source: Source
    status: ShufflerStatus
    place: JamPlace
    cards: int


class JamPathCleared(Struct, frozen=True, gc=False):
    source: Source
    status: ShufflerStatus


class JamReleased(Struct, frozen=True, gc=False):
    """The device has ended its own jam latch, as it was told."""

    source: Source
    status: ShufflerStatus


class CardRetried(Struct, frozen=True, gc=False):
    """A motion that the device freed by itself: counted, no jam."""

    source: Source
    status: ShufflerStatus
    place: JamPlace
    tries: int


class LidOpened(Struct, frozen=True, gc=False):
    source: Source
    status: ShufflerStatus


class LidClosed(Struct, frozen=True, gc=False):
    source: Source
    status: ShufflerStatus


class ShufflerRecounted(Struct, frozen=True, gc=False):
    """The shuffler counted its own slots for request number `request`."""

    source: Source
    status: ShufflerStatus
    request: int
    inside: int


class ShufflerStarted(Struct, frozen=True, gc=False):
    source: Source
    status: ShufflerStatus
    cause: str


class ShufflerStatusHeard(Struct, frozen=True, gc=False):
    """Figures without an event (heartbeat, answer) that differ from the last ones known."""

    status: ShufflerStatus


# --- reader


class CardRead(Struct, frozen=True, gc=False):
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


class ReaderStatusHeard(Struct, frozen=True, gc=False):
    """The reader says how many passages it has counted, with no event of its still on the way."""

    passages: int


class ReaderErrorRaised(Struct, frozen=True, gc=False):
    source: Source
    code: int


class ReaderErrorCleared(Struct, frozen=True, gc=False):
    source: Source
    code: int


class ReaderNoted(Struct, frozen=True, gc=False):
    """Something of the reader that is recorded and changes nothing; `told` where it may be known."""

    source: Source
    what: str
    told: str | None


class ReaderRestarted(Struct, frozen=True, gc=False):
    """A reader without boot numbers says that it begins anew."""

    source: Source


class CardReversed(Struct, frozen=True, gc=False):
    """A card was moved backwards past the reader."""

    source: Source
    code: int


class PresetChanged(Struct, frozen=True, gc=False):
    """A setting of the reader was changed at the reader itself."""

    source: Source
    address: str
    value: str


class DeviceStarted(Struct, frozen=True, gc=False):
    """A reader or a display says that it has started."""

    device: Device
    source: Source
    cause: str


class DisplayFaulted(Struct, frozen=True, gc=False):
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
