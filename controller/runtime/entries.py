"""The contents of a journal entry: a game's events by their names, and the records that never reach the core."""

from typing import Any, Final, TypeAlias

from msgspec import UNSET, Raw, Struct

from controller.config.notice_clauses import clause_behind
from controller.core.engine.act import Act, Fact, Source
from controller.core.engine.decision import Refusal
from controller.core.house.attendance import SignIn
from controller.core.house.facts import ControllerStarted
from controller.core.house.manner import Credential
from controller.core.house.pool import Move
from controller.core.house.registry import Registry
from controller.core.words import Device, Person, Role, TableMs
from controller.journal.codec import Codec, encode_canonical
from controller.journal.entry import Entry, EntryRefusal, EntrySource, encode_entry
from controller.runtime.clock import WallTime
from controller.runtime.configuration import ConfigurationChanged, Configured
from controller.runtime.configuration import after_change as after_configuration
from controller.staff.known import STAFF_CHANGED, StaffChanged, StaffKnown, after_change
from controller.staff.lockout import Lockout, TerminalName


class PinRefused(Struct, frozen=True, gc=False, omit_defaults=True):
    """A wrong PIN for this person. It never reaches the core; it delays the person's next try, also after a restart."""

    person: Person
    act: str
    terminal: TerminalName = ""


class SignInsKeptAway(Struct, frozen=True, gc=False):
    """The PINs tried within the last minute for a locked-out person: one entry for a flood."""

    person: Person
    count: int


class FramesRejected(Struct, frozen=True, gc=False):
    """The bad frames of a device within the last minute: one entry for a flood."""

    device: Device
    count: int


class Summed(Struct, frozen=True, gc=False):
    """The number of events of one source within the last minute that got no entry of their own."""

    source: str
    what: str
    count: int


class ClockStepped(Struct, frozen=True, gc=False):
    """The wall clock was set between two entries. It decides nothing."""

    by_ms: int
    wall_synced: bool


class SecondCopyFailed(Struct, frozen=True, gc=False):
    """The second copy of the journal cannot be written, for this reason. Play goes on."""

    reason: str


class SecondCopyRestored(Struct, frozen=True, gc=False):
    """The second copy is written again."""


class UsbDeviceKeptOut(Struct, frozen=True, gc=False):
    """A USB device was plugged in that the installation keeps out, with the name that it gives and its port."""

    name: str
    port: str


ShellOnly: TypeAlias = (
    PinRefused
    | SignInsKeptAway
    | StaffChanged
    | ConfigurationChanged
    | FramesRejected
    | Summed
    | ClockStepped
    | SecondCopyFailed
    | SecondCopyRestored
    | UsbDeviceKeptOut
)
"""The records that never reach the core."""

Recorded: TypeAlias = Fact | Act | ShellOnly
"""Every record that an entry can hold."""

Origin: TypeAlias = Device | Credential | None
"""The origin of an entry: the device that reported a fact, or the credential of the acting person."""

SHELL_ONLY: Final[dict[str, type[ShellOnly]]] = {
    "pin-refused": PinRefused,
    "sign-ins-kept-away": SignInsKeptAway,
    STAFF_CHANGED: StaffChanged,
    "configuration-changed": ConfigurationChanged,
    "frames-rejected": FramesRejected,
    "summed": Summed,
    "clock-stepped": ClockStepped,
    "second-copy-failed": SecondCopyFailed,
    "second-copy-restored": SecondCopyRestored,
    "usb-device-kept-out": UsbDeviceKeptOut,
}
BEGINS: Final = "controller-started"
"""The kind of the first entry of every start. It is read before a journal's first entry, which names the game."""
FIRST: Final = Codec[ControllerStarted]({BEGINS: ControllerStarted})


def entries_of(registry: Registry[Any]) -> dict[str, type[Recorded]]:
    """Every kind of entry that the journal of such a table can hold."""
    facts = {rule.name: rule.fact for rule in registry.facts}
    acts = {rule.name: rule.act for rule in registry.acts}
    return {**facts, **acts, **SHELL_ONLY}


def codec_of(registry: Registry[Any]) -> Codec[Recorded]:
    return Codec[Recorded](entries_of(registry))


class Stamp(Struct, frozen=True, gc=False):
    """The time of an entry, by every clock."""

    boot: int
    now_s: float
    wall: WallTime
    table_ms: TableMs


def lockout_after(lockout: Lockout, recorded: Recorded, at_ms: int) -> Lockout:
    """The lockout after an entry.

    A dealer signs in once for a shift, so among his acts only the sign-in shows that his PIN was right.
    """
    match recorded:
        case PinRefused():
            return lockout.after(recorded.person, at_ms, right=False, terminal=recorded.terminal)
        case Act() if recorded.role is not Role.DEALER or isinstance(recorded, SignIn):
            return lockout.after(recorded.person, at_ms, right=True)
        case _:
            return lockout


def staff_after(staff: StaffKnown, recorded: Recorded) -> StaffKnown:
    """The casino's people after an entry."""
    return after_change(staff, recorded) if isinstance(recorded, StaffChanged) else staff


def configured_after(configured: Configured, recorded: Recorded) -> Configured:
    """The configuration after an entry."""
    return after_configuration(configured, recorded) if isinstance(recorded, ConfigurationChanged) else configured


def encode_recorded(
    codec: Codec[Recorded],
    recorded: Recorded,
    seq: int,
    stamp: Stamp,
    origin: Origin = None,
    refusal: EntryRefusal | None = None,
    moves: tuple[Move, ...] = (),
) -> bytes:
    """The bytes of entry number `seq`. `codec`: the game's. `origin`: of the event.

    `moves`: the amounts that the event has moved in the jackpot's pool.
    """
    kind, body = codec.encode(recorded)
    return encode_entry(
        Entry(
            seq=seq,
            boot=stamp.boot,
            credential=origin.value if isinstance(origin, Credential) else UNSET,
            mono_ns=int(stamp.now_s * 1_000_000_000),
            moved=Raw(encode_canonical(moves)) if moves else UNSET,
            wall_ms=stamp.wall.ms,
            wall_synced=stamp.wall.is_synced,
            table_ms=stamp.table_ms,
            kind=kind,
            body=body,
            source=_entry_source(origin, getattr(recorded, "source", None)),
            refusal=refusal,
        )
    )


def entry_refusal(profile: str, refusal: Refusal) -> EntryRefusal:
    """The refusal as the journal stores it, with the clause of this profile's law; None without a refusal."""
    return EntryRefusal(reason=refusal.guard, rule=refusal.rule, clause=clause_behind(profile, refusal.rule))


def _entry_source(origin: Origin, source: object) -> EntrySource | None:
    if not isinstance(origin, Device) or not isinstance(source, Source):
        return None
    return EntrySource(origin, source.boot, source.number)
