"""Facts at every table: of the controller itself, of its devices, of people. Past tense, data only.

`Source` numbers an event within one boot of its device, so that nothing is counted twice; a shuffler's status carries
its own cumulative counts as they were after the event.
"""

from msgspec import Struct

from controller.core.engine.act import Fact, Source
from controller.core.setup import Setup
from controller.core.words import Cents, Device, DutyKind, Person, Timer

# --- the controller itself


class ControllerStarted(Fact, frozen=True):
    """The first entry of every start: binds table, configuration, profile, rules and version."""

    start_number: int
    setup: Setup
    config_digest: str
    rules_digest: str
    software: str
    findings: tuple[str, ...]  # the journal's recovery: a torn tail cut
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
    hopper_loaded: bool = False  # cards lie in the feed


class SignStatus(Struct, frozen=True, gc=False):
    """The sign's amount, behind its fault message where it shows that; not `reads_back`: the amount it was sent."""

    shown_cents: int
    fault_shown: bool
    reads_back: bool = True


class SlotsStatus(Struct, frozen=True, gc=False):
    """The jackpot slots' reports, by seat. A slot of `broken` says nothing by `chips`."""

    chips: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()
    collections: int = 0  # the number of the last collection


class DeviceConnected(Fact, frozen=True):
    """A device identified itself; a shuffler with its figures, a reader with its passages, a display as it shows."""

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
    sign: SignStatus | None = None
    values: tuple[Cents, ...] | None = None  # of one chip of each colour; 0: blank
    slots: SlotsStatus | None = None


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


class CommandUndone(Fact, frozen=True):
    """The device has taken a command over and did not do it, so many times; 0: it has done it at last."""

    device: Device
    times: int


class EventsAwaited(Fact, frozen=True):
    """The device says that it has made events up to number `last` that it should have sent by now, and has not."""

    device: Device
    last: int


class DeviceStarted(Fact, frozen=True):
    """A reader, a display or the jackpot slots say that they have started."""

    device: Device
    source: Source
    cause: str
    sign: SignStatus | None = None
    values: tuple[Cents, ...] | None = None
    slots: SlotsStatus | None = None


class DisplayFaulted(Fact, frozen=True):
    source: Source
    code: int
    status: SignStatus | None = None
    values: tuple[Cents, ...] | None = None


class DisplayStatusHeard(Fact, frozen=True):
    """The sign says what stands on it, and the table did not know it yet."""

    status: SignStatus


class SlotsChanged(Fact, frozen=True):
    """A chip came or went in a jackpot slot, a sensor failed or works again, or a collection was made."""

    source: Source
    status: SlotsStatus


class SlotsStatusHeard(Fact, frozen=True):
    """The jackpot slots say what lies in them, and the table did not know it yet."""

    status: SlotsStatus


# --- people


class PersonRemoved(Fact, frozen=True):
    """Somebody who was signed in is not among the casino's people any more, or has another role."""

    person: Person


class DutyArose(Fact, frozen=True):
    """Something beside the procedure that the room manager has to look into; one of a kind is open at a time."""

    kind: DutyKind
