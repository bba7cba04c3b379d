"""Facts: what devices report, what the controller itself went through, which timer fired. Past tense, data only.

Acts (what people ask for) are in acts/. A fact is never refused. Every class here has a wire name in facts/table.py;
the journal stores name and fields. `Source` numbers an event within one boot of its device, so that nothing is
counted twice; a shuffler's status carries its own cumulative counts as they were after the event.
"""

from msgspec import Struct

from controller.core.cards import Card
from controller.core.setup import Setup
from controller.core.words import Device, DutyKind, JamPlace, Person, Timer


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


class Fact(Struct, frozen=True, gc=False):
    """Something that has happened; the rows that name each fact and say what it does stand in facts/."""


# --- the controller itself


class ControllerStarted(Fact, frozen=True):
    """The first entry of every start: binds table, configuration, profile, rules and version."""

    start_number: int
    setup: Setup
    config_digest: str
    rules_digest: str
    software: str
    findings: tuple[str, ...]  # what the journal's recovery did: a torn tail cut
    public_key: str = ""  # of the key that signs this journal's exports
    seal_key: str = ""  # names the key of the seals, and does not tell it
    staff_digest: str = ""  # of the staff file, as `staff-changed` has it
    state_digest: str = ""  # of the state that this start began with; "" at a table's first


class ControllerStopped(Fact, frozen=True):
    """An orderly end of the process."""


class TimerFired(Fact, frozen=True):
    timer: Timer


class JournalFailed(Fact, frozen=True):
    """The journal could not be written; what is permitted waits."""

    reason: str


class JournalRestored(Fact, frozen=True):
    """The journal can be written again (the hold stays until it is ended)."""


# --- any device


class DeviceConnected(Fact, frozen=True):
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
    approved: bool = False  # its firmware is one of those that the configuration names


class DeviceLost(Fact, frozen=True):
    device: Device
    reason: str


class DeviceRefused(Fact, frozen=True):
    """Another device than the configured one answered."""

    device: Device
    what: str
    expected: str
    found: str


class EventsMissed(Fact, frozen=True):
    """The device says that events of these numbers are gone; its cumulative counts say what they moved."""

    device: Device
    first: int
    last: int


class EventsAwaited(Fact, frozen=True):
    """The device says that it has made events up to number `last` that it should have sent by now, and has not."""

    device: Device
    last: int


class CardsMayHavePassed(Fact, frozen=True):
    """Nobody listened, or telegrams are gone, on a wire that keeps nothing. `missed`: how many, where it is known."""

    device: Device
    cause: str
    missed: int | None


# --- people


class PersonRemoved(Fact, frozen=True):
    """Somebody who was signed in is not among the casino's people any more, or has another role."""

    person: Person


class DutyArose(Fact, frozen=True):
    """Something beside the procedure that the room manager has to look into; one of a kind is open at a time."""

    kind: DutyKind


# --- shuffler


class CardCountedOut(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class CardCountedIn(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class ShufflerJammed(Fact, frozen=True):
    source: Source
    status: ShufflerStatus
    place: JamPlace
    cards: int


class JamPathCleared(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class JamReleased(Fact, frozen=True):
    """The device has ended its own jam latch, as it was told."""

    source: Source
    status: ShufflerStatus


class CardRetried(Fact, frozen=True):
    """A motion that the device freed by itself: counted, no jam."""

    source: Source
    status: ShufflerStatus
    place: JamPlace
    tries: int


class LidOpened(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class LidClosed(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class ShufflerRecounted(Fact, frozen=True):
    """The shuffler counted its own slots for request number `request`."""

    source: Source
    status: ShufflerStatus
    request: int
    inside: int


class ShufflerStarted(Fact, frozen=True):
    source: Source
    status: ShufflerStatus
    cause: str


class ShufflerStatusHeard(Fact, frozen=True):
    """Figures without an event (heartbeat, answer) that differ from the last ones known."""

    status: ShufflerStatus


# --- reader


class CardRead(Fact, frozen=True):
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


class ReaderStatusHeard(Fact, frozen=True):
    """The reader says how many passages it has counted, with no event of its still on the way."""

    passages: int


class ReaderErrorRaised(Fact, frozen=True):
    source: Source
    code: int


class ReaderErrorCleared(Fact, frozen=True):
    source: Source
    code: int


class ReaderNoted(Fact, frozen=True):
    """Something of the reader that is recorded and changes nothing; `told` where it may be known."""

    source: Source
    what: str
    told: str | None


class ReaderRestarted(Fact, frozen=True):
    """A reader without boot numbers says that it begins anew."""

    source: Source


class CardReversed(Fact, frozen=True):
    """A card was moved backwards past the reader."""

    source: Source
    code: int


class PresetChanged(Fact, frozen=True):
    """A setting of the reader was changed at the reader itself."""

    source: Source
    address: str
    value: str


class DeviceStarted(Fact, frozen=True):
    """A reader or a display says that it has started."""

    device: Device
    source: Source
    cause: str


class DisplayFaulted(Fact, frozen=True):
    source: Source
    code: int
