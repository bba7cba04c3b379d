"""The part of a table's state that is the same for every game: session, people, holds, duties, devices."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from fractions import Fraction
from operator import attrgetter
from typing import Any, ClassVar, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from msgspec import UNSET, Struct, UnsetType

from controller.core.engine.machine import ProcedureMachine
from controller.core.engine.replacing import replace
from controller.core.house.facts import DeviceConnected, ShufflerStatus, SlotsStatus
from controller.core.house.linked_pool import Linked
from controller.core.house.pool import Pool
from controller.core.house.pool_export import Handover
from controller.core.house.round_log import NO_LOG, RoundLog
from controller.core.house.session_table import PLAIN_SESSION
from controller.core.house.waiting import Lapsed, Waiting
from controller.core.setup import Setup
from controller.core.words import (
    Cents,
    Closing,
    Device,
    DutyId,
    DutyKind,
    HoldId,
    HoldKind,
    HoldPhase,
    JamPlace,
    Operation,
    Outage,
    OutageOutcome,
    Person,
    Role,
    RoundPhase,
    SessionPhase,
    TableMs,
)


class Hold(Struct, frozen=True, gc=False):
    """One standing reason for which play may not go on."""

    id: HoldId
    kind: HoldKind
    phase: HoldPhase
    raised_ms: TableMs
    device: Device | None = None
    place: JamPlace | None = None
    details: tuple[tuple[str, str], ...] = ()  # values of the sentence
    times: int = 1  # the number of times that the cause came
    attended_by: Person | None = None
    technician_called: bool = False
    technician: Person | None = None
    recount_request: int | None = None  # number of the shuffler's recount that may end the hold
    needs_count: bool = False  # the hold ends only after a supervised count
    counted: bool = False  # that count was made, and found every card
    not_serial: str = ""  # the serial number of a device that a spare one must replace; "": none

    @property
    def cause(self) -> str | None:
        """The reason for raising the hold, if its kind has several reasons; None otherwise."""
        return dict(self.details).get("cause")


class Duty(Struct, frozen=True, gc=False):
    """A report that people still owe. A session that ends while a duty is open has no final report (pt.bj.51b)."""

    id: DutyId
    kind: DutyKind
    who: Role
    since_ms: TableMs
    details: tuple[tuple[str, str], ...] = ()


class Presence(Struct, frozen=True, gc=False):
    """A person signed in at this table for one operation. `confirmed_ms`: the time of his last allowed act."""

    person: Person
    role: Role
    operation: Operation
    since_ms: TableMs
    confirmed_ms: TableMs


class Link(Struct, frozen=True, gc=False):
    """The table's record of one device, and of the events recorded from it: no event is recorded twice. `taken`,
    `awaited`: the numbers of the device's last recorded and last overdue event, 0: none. `version`: model, firmware.
    """

    connected: bool = False
    serial: str = ""
    boot: int = 0
    taken: int = 0
    awaited: int = 0
    version: str = ""
    undone: int = 0  # the number of times that the device failed to execute a command


class Known(Struct, frozen=True, gc=False):
    """The table's knowledge of one device; each kind of device adds fields of its own."""

    link: Link = Link()


class ShufflerKnown(Known, frozen=True, gc=False):
    """The table's knowledge of its shuffler. `counted_*`: the device's counts that the book already includes."""

    counted_in: int = 0
    counted_out: int = 0
    counted_jams: int = 0
    counted_recounts: int = 0
    status: ShufflerStatus | None = None


class ReaderKnown(Known, frozen=True, gc=False):
    passages: int | None = 0  # None: events are lost, with an unknown number of passages among them
    faults: int = 0  # passages that it could not read
    missing: int = 0  # counted cards whose passage may still be reported late
    unseen: int = 0  # cards of this round that the reader never saw: it is not believed until the round is over
    heard: int | None = None  # the reader's own figure, where no event explains its difference from `passages`
    keeps_events: bool = True  # False: an event that the reader did not report at once is lost


class DisplayKnown(Known, frozen=True, gc=False):
    """The table's knowledge of the jackpot's sign.

    `shown`: the amount that the sign reports, None if unknown; `is_hidden`: the sign shows its fault message
    instead.
    """

    shown: Cents | None = None
    is_hidden: bool = False
    reads_back: bool = True
    is_read: bool = False  # a person has read the pool's amount on a sign that cannot report it
    differs_ms: TableMs | None = None  # the time since which it has shown another amount than the pool's
    is_stale: bool = False  # it has not followed in time


class MarkersKnown(Known, frozen=True, gc=False):
    """The table's knowledge of the display of chip values. `values`: the reported ones by colour; empty if unknown."""

    values: tuple[Cents, ...] = ()
    differs_ms: TableMs | None = None  # the time since which it has shown other values than the players'
    is_stale: bool = False  # it has not followed in time


class SlotsKnown(Known, frozen=True, gc=False):
    """The table's knowledge of the jackpot slots. `collection_due`: the number of the collection still to be made.

    `is_set_aside`: the slots are not used in this session; people state the chips.
    """

    status: SlotsStatus = SlotsStatus()
    collection_due: int | None = None
    is_set_aside: bool = False


class Tally(Struct, frozen=True, gc=False):
    """Counts for reports.

    `loads` and `failed_loads` are counts of the session, on which acts and facts also depend. All others are of the
    table's whole life. `drawn`: cards that came out of the machine in play, including burnt cards and cards for no
    hand.
    """

    rounds: int = 0
    drawn: int = 0
    burned: int = 0
    loads: int = 0
    failed_loads: int = 0
    jams_raised: int = 0
    jams_cleared: int = 0
    retried: int = 0
    complaints: int = 0
    corrections: int = 0
    voided: int = 0
    put_right: int = 0  # corrections of entries of a round's log


class GameState(Struct, frozen=True, gc=False):
    """The part of a round's state that every game has. Each game adds fields, and each round begins with a new one."""

    MACHINE: ClassVar[ProcedureMachine[Any]]
    """The steps of a round, and their order."""

    phase: RoundPhase = RoundPhase.IDLE
    number: int = 0


class Shift(Struct, frozen=True, gc=False):
    """The table's shift. `number`: the number of hand-overs with both signatures. `by`: the first signer of the present
    hand-over, None before the first signature; `matters`: the matters that were open when he signed.
    """

    number: int = 0
    by: Person | None = None
    matters: tuple[str, ...] = ()


class House(Struct, frozen=True, gc=False):
    """The part of the state that is the same for every game: session, holds, duties, people present, jackpot."""

    start_number: int = 0
    session: SessionPhase = SessionPhase.CLOSED
    session_number: int = 0
    last_closing: Closing = Closing.NONE
    closing_final: bool = True  # False while duties keep the closing report provisional
    irregular_proposed_by: Person | None = None
    irregular: bool = False  # from the confirmation of an irregular closing to the end of the session
    holds: tuple[Hold, ...] = ()
    last_hold: HoldId = HoldId(0)
    duties: tuple[Duty, ...] = ()
    last_duty: DutyId = DutyId(0)
    journal_failed: bool = False
    outage: Outage = Outage.NONE
    outage_said: OutageOutcome | None = None  # the chief supervisor's statement, before the dealer's
    present: tuple[Presence, ...] = ()
    tally: Tally = Tally()
    pool: Pool | None = None  # the jackpot, kept from session to session
    handover: Handover = Handover()
    linked: Linked | UnsetType = UNSET  # unset at a table without a linked pool
    waiting: tuple[Waiting, ...] = ()  # acts that wait for a second person
    lapsed: tuple[Lapsed, ...] = ()  # see `lapses.with_lapsed`
    shift: Shift | UnsetType = UNSET  # unset before the first hand-over of a shift


class Devices(Struct, frozen=True, gc=False):
    """The devices' last reports, and the numbers of their recorded events, kept over sessions and rounds."""

    shuffler: ShufflerKnown = ShufflerKnown()
    reader: ReaderKnown = ReaderKnown()
    display: DisplayKnown = DisplayKnown()
    wheel: Known = Known()
    markers: MarkersKnown = MarkersKnown()
    slots: SlotsKnown = SlotsKnown()
    jams_seen: int = 0  # the number of the device's last jam that raised a hold
    jams_ended: int = 0  # the number of the device's last jam that people ended
    recount_request: int = 0  # the number of the last recount that was asked of the shuffler
    devices_due_ms: TableMs | None = None  # the time by which needed devices must connect after a start


KNOWN_AS: Final[Mapping[Device, str]] = {
    Device.SHUFFLER: "shuffler",
    Device.SHOE: "reader",
    Device.JACKPOT_DISPLAY: "display",
    Device.ROULETTE_WHEEL: "wheel",
    Device.VALUE_DISPLAY: "markers",
    Device.JACKPOT_SLOTS: "slots",
}
"""The field of `Devices` for each kind of device."""


class Due(NamedTuple):
    """An amount that a player is paid (positive) or loses, in cents and fractions of a cent. `seat`: 0 at a wheel."""

    seat: int
    player: int
    cents: Fraction
    hand: int = 1  # the number of the seat's hand


class State(Struct, frozen=True, gc=False):
    """The whole state of a table as one frozen value. `custody`: the cards' places; None at a table without cards. The
    value contains no set, no float and no clock: equal states have one canonical encoding, and one digest.
    """

    SESSION: ClassVar[ProcedureMachine[SessionPhase]] = PLAIN_SESSION
    """The steps of a session, and their order."""

    setup: Setup
    house: House = House()
    devices: Devices = Devices()
    custody: Struct | None = None
    game: GameState = GameState()
    log: RoundLog = NO_LOG

    def is_under_way(self, _operation: Operation) -> bool:
        """True while cards are moved for this operation. Always False at a table without cards."""
        return False

    def due(self) -> tuple[Due, ...]:
        """The amounts that each player wins or loses in this round; between rounds those of the last round. Empty at a
        table that follows no money.
        """
        return ()

    def lying(self) -> tuple[int, ...]:
        """The seat of each card on the table, in the order of the deal; the bank is 0. Empty without cards."""
        return ()

    def lying_aside(self) -> bool:
        """True if a card dealt by mistake is laid aside for the next seat that asks."""
        return False


StateT = TypeVar("StateT", bound=State)
"""The type of a game's state: a function of the house returns a state of the type that it was given."""

Values = ParamSpec("Values")


def changing(_part: Callable[Values, Struct], *path: str) -> Callable[Concatenate[StateT, Values], StateT]:
    """Returns a function that gives the state with other values in the part at `path`, which has the type `_part`."""
    part_of = attrgetter(".".join(path))
    around = [(path[at], attrgetter(".".join(path[:at]))) for at in range(len(path) - 1, 0, -1)]  # from within

    def changed(state: StateT, /, *args: Values.args, **values: Values.kwargs) -> StateT:
        part = replace(part_of(state), *args, **values)
        for name, whole_of in around:
            part = replace(whole_of(state), **{name: part})
        return replace(state, **{path[0]: part})

    return changed


with_house = changing(House, "house")
with_tally = changing(Tally, "house", "tally")
with_devices = changing(Devices, "devices")
with_shuffler = changing(ShufflerKnown, "devices", "shuffler")
with_reader = changing(ReaderKnown, "devices", "reader")
with_markers = changing(MarkersKnown, "devices", "markers")
with_slots = changing(SlotsKnown, "devices", "slots")


_LINKS: Final = {device: attrgetter(f"devices.{field}.link") for device, field in KNOWN_AS.items()}
_WITH_LINK: Final[Mapping[Device, Callable[..., Any]]] = {
    device: changing(Known, "devices", field) for device, field in KNOWN_AS.items()
}


def link_of(state: State, device: Device) -> Link:
    """The table's record of the device of this kind."""
    link: Link = _LINKS[device](state)
    return link


def link_to(event: DeviceConnected, before: Link) -> Link:
    """The record of a device that has identified itself. `before`: the table's earlier record of this device. `taken`
    is kept only for the same device in the same boot; otherwise it is 0.
    """
    is_same = before.boot in {0, event.boot} and before.serial in {"", event.serial}
    version = f"{event.model} {event.firmware}"
    taken = before.taken if is_same else 0
    return Link(connected=True, serial=event.serial, boot=event.boot, taken=taken, version=version)


def with_link(state: StateT, device: Device, link: Link) -> StateT:
    """The state with `link` as the record of the device."""
    changed: StateT = _WITH_LINK[device](state, link=link)
    return changed


def without_links(state: StateT) -> StateT:
    """The state in which every device counts as not connected. The rest of each device's record stays."""
    for device in KNOWN_AS:
        state = with_link(state, device, replace(link_of(state, device), connected=False))
    return state


def without_round(state: StateT, *, over: bool = False) -> StateT:
    """The state with the round's values emptied, except its number and its step. With `over` the step becomes idle."""
    phase = state.game.MACHINE.initial if over else state.game.phase
    return replace(state, game=type(state.game)(phase=phase, number=state.game.number))


def session_moved(state: StateT, trigger: StrEnum) -> StateT:
    """The state with the session at the step to which `trigger` leads. Unchanged if `trigger` leads to no step."""
    phase = state.SESSION.target(state.setup.procedure, state.house.session, trigger)
    return state if phase is None else with_house(state, session=phase)


def round_moved(state: StateT, trigger: StrEnum) -> StateT:
    """The state with the round at the step to which `trigger` leads. Unchanged if `trigger` leads to no step."""
    phase = state.game.MACHINE.target(state.setup.procedure, state.game.phase, trigger)
    return state if phase is None else replace(state, game=replace(state.game, phase=phase))
