"""Facts that every table may record: of the controller itself, of its devices, of people.

A fact's name is in the past tense, and its struct has only data. `Source` numbers an event within one boot of its
device, so that each event is counted once. A shuffler's status has its own cumulative counts after the event.
"""

from msgspec import Struct

from controller.core.engine.act import Fact, Source
from controller.core.setup import Setup
from controller.core.words import Cents, Device, DutyKind, Person, Timer

# --- the controller itself


class ControllerStarted(Fact, frozen=True):
    """The first entry in the journal after every start. The entry names table, configuration, profile, rules and
    version.
    """

    start_number: int
    setup: Setup
    config_digest: str
    rules_digest: str
    software: str
    findings: tuple[str, ...]  # findings of the journal's recovery, such as a torn tail that was cut
    public_key: str = ""  # the key that signs this journal's exports
    seal_key: str = ""  # a name of the seals' key, which does not reveal it
    staff_digest: str = ""  # the digest of the staff file, as in `staff-changed`
    state_digest: str = ""  # the digest of the state at this start; "" at a table's first


class ControllerStopped(Fact, frozen=True):
    """The process was stopped in an orderly way."""


class TimerFired(Fact, frozen=True):
    """The time limit of `timer` has passed."""

    timer: Timer


class JournalFailed(Fact, frozen=True):
    """The journal could not be written; a hold stops play."""

    reason: str


class JournalRestored(Fact, frozen=True):
    """The journal can be written again. The hold for the earlier failure stays open until a person ends it."""


# --- any device


class ShufflerStatus(Struct, frozen=True, gc=False):
    """The figures that the shuffler reports: counts over its whole life, and its present state. `inside`: the number of
    cards in its slots; None if the shuffler does not know this number. `counts_known`: True if the counts are reliable.
    """

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
    """The report of the jackpot's sign. `shown_cents`: the sign's amount, reported even while it shows its fault
    message. `reads_back`: False for a sign that cannot report; `shown_cents` is then the amount last sent to it.
    """

    shown_cents: int
    fault_shown: bool
    reads_back: bool = True


class SlotsStatus(Struct, frozen=True, gc=False):
    """The jackpot slots' report. `chips`: the seats with a chip in their slot. `broken`: the seats with a failed
    sensor; `chips` means nothing for them.
    """

    chips: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()
    collections: int = 0  # the number of the last collection


class DeviceConnected(Fact, frozen=True):
    """A device identified itself and reported the figures of its kind."""

    device: Device
    model: str
    serial: str
    firmware: str
    boot: int
    simulated: bool
    shuffler: ShufflerStatus | None
    passages: int | None  # the number of passages that a card reader has counted
    keeps_events: bool = True  # the device keeps events until they are acknowledged; others lose unheard ones
    approved: bool = False  # the configuration names its firmware
    sign: SignStatus | None = None
    values: tuple[Cents, ...] | None = None  # the value of one chip of each colour; 0: blank
    slots: SlotsStatus | None = None


class DeviceLost(Fact, frozen=True):
    """A device has stopped answering. `reason`: a code word of its driver or of the core."""

    device: Device
    reason: str


class DeviceRefused(Fact, frozen=True):
    """A device other than the configured one answered.

    `what`: the property by which it differs, such as its serial number.
    """

    device: Device
    what: str
    expected: str
    found: str


class EventsMissed(Fact, frozen=True):
    """The device no longer has its events from `first` to `last`. The device's cumulative counts still include these
    events.
    """

    device: Device
    first: int
    last: int


class CommandUndone(Fact, frozen=True):
    """The device has accepted a command, and has failed `times` times to execute it. `times` is 0 once the device has
    succeeded.
    """

    device: Device
    times: int


class EventsAwaited(Fact, frozen=True):
    """The device has made events up to number `last`, and has not sent the last of them in time."""

    device: Device
    last: int


class DeviceStarted(Fact, frozen=True):
    """A reader, a display or the jackpot slots report that they have started."""

    device: Device
    source: Source
    cause: str
    sign: SignStatus | None = None
    values: tuple[Cents, ...] | None = None
    slots: SlotsStatus | None = None


class DisplayFaulted(Fact, frozen=True):
    """The jackpot's sign, or the value display, reports a fault. `code`: the display's own number for the fault."""

    source: Source
    code: int
    status: SignStatus | None = None
    values: tuple[Cents, ...] | None = None


class DisplayStatusHeard(Fact, frozen=True):
    """The sign reports a status that is new to the table."""

    status: SignStatus


class SlotsChanged(Fact, frozen=True):
    """A chip came or went in a jackpot slot, a sensor failed or works again, or a collection was made."""

    source: Source
    status: SlotsStatus


class SlotsStatusHeard(Fact, frozen=True):
    """The jackpot slots report a status that is new to the table."""

    status: SlotsStatus


# --- people


class PersonRemoved(Fact, frozen=True):
    """A signed-in person has left the casino's staff, or has another role."""

    person: Person


class DutyArose(Fact, frozen=True):
    """A matter outside the procedure needs the room manager, who gets a duty of this kind unless one is open."""

    kind: DutyKind
