"""The contents of journal entries: the events of a game by the name of their kind, and the records that only the shell
makes and reads.
"""

from typing import Any, Final, TypeAlias

from msgspec import UNSET, Raw, Struct, UnsetType

from controller.config.notice_clauses import clause_behind
from controller.core.engine.act import Act, Fact, Source
from controller.core.engine.decision import Refusal
from controller.core.house.facts import ControllerStarted
from controller.core.house.manner import Credential
from controller.core.house.pool import Move
from controller.core.house.registry import Registry
from controller.core.words import Device, Person, TableMs
from controller.journal.codec import Codec, encode_canonical
from controller.journal.entry import Entry, EntryRefusal, EntrySource, encode_entry
from controller.protocol.incidents import Told
from controller.runtime.clock import WallTime
from controller.runtime.configuration import ConfigurationChanged, Configured
from controller.runtime.configuration import after_change as after_configuration
from controller.staff.known import STAFF_CHANGED, StaffChanged, StaffKnown, after_change
from controller.staff.lockout import Lockout, TerminalName


class PinRefused(Struct, frozen=True, gc=False, omit_defaults=True):
    """The record that a person gave a wrong PIN. `act`: the act for which the PIN was given.

    The core ignores this record. The person's next try must wait longer, even after a restart.
    """

    person: Person
    act: str
    terminal: TerminalName = ""


class SignInsKeptAway(Struct, frozen=True, gc=False):
    """The number (`count`) of PINs that were tried for a locked-out person in the last minute. `person`: 0 for all
    people who are not counted one by one.
    """

    person: Person
    count: int


class FramesRejected(Struct, frozen=True, gc=False):
    """The number of bad frames that a device sent in the last minute."""

    device: Device
    count: int


class Summed(Struct, frozen=True, gc=False):
    """The number (`count`) of events of kind `what` from `source` in the last minute without an entry of their own.
    `source`: a device or a terminal; "" for all sources that are not counted one by one.
    """

    source: str
    what: str
    count: int


class ClockStepped(Struct, frozen=True, gc=False):
    """The wall clock was set by `by_ms` between two entries. No decision depends on this record."""

    by_ms: int
    wall_synced: bool


class SecondCopyFailed(Struct, frozen=True, gc=False):
    """The record that the second copy of the journal cannot be written. Play goes on.

    `reason`: a value of StorageReason, or a value of Reason with the entry or file in which the copies differ.
    """

    reason: str


class SecondCopyRestored(Struct, frozen=True, gc=False):
    """The second copy of the journal can be written again after a failure."""


class UsbDeviceKeptOut(Struct, frozen=True, gc=False):
    """The record that someone plugged in a USB device that the system does not allow. `name`: the device's own name for
    itself.
    """

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
"""The records that stay outside the core: the shell writes and reads them."""

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
"""The kind of the first entry of every start.

A journal's first entry names the game, so it is decoded by FIRST, before any game is known.
"""
FIRST: Final = Codec[ControllerStarted]({BEGINS: ControllerStarted})


def entries_of(registry: Registry[Any]) -> dict[str, type[Recorded]]:
    """Returns the entry classes that a table of this game can record, by the name of their kind."""
    facts = {rule.name: rule.fact for rule in registry.facts}
    acts = {rule.name: rule.act for rule in registry.acts}
    return {**facts, **acts, **SHELL_ONLY}


def codec_of(registry: Registry[Any]) -> Codec[Recorded]:
    return Codec[Recorded](entries_of(registry))


class Stamp(Struct, frozen=True, gc=False):
    """The time of one entry: the controller's start (`boot`), monotonic seconds, wall clock and table time."""

    boot: int
    now_s: float
    wall: WallTime
    table_ms: TableMs


def lockout_after(lockout: Lockout, recorded: Recorded, by: str | UnsetType | None, at_ms: int) -> Lockout:
    """Returns `lockout` after the entry `recorded`. A wrong PIN counts against the person; an act with a right PIN sets
    the person's count back to 0. `by`: the act's credential. An act with a credential other than a PIN, such as a
    badge, changes nothing.
    """
    match recorded:
        case PinRefused():
            return lockout.after(recorded.person, at_ms, right=False, terminal=recorded.terminal)
        case Act() if by == Credential.PIN:
            return lockout.after(recorded.person, at_ms, right=True)
        case _:
            return lockout


def staff_after(staff: StaffKnown, recorded: Recorded) -> StaffKnown:
    """Returns the known staff after an entry, changed only by an entry that records a change of the staff."""
    return after_change(staff, recorded) if isinstance(recorded, StaffChanged) else staff


def configured_after(configured: Configured, recorded: Recorded) -> Configured:
    """Returns the recorded configuration after an entry, changed only by an entry that records a change of it."""
    return after_configuration(configured, recorded) if isinstance(recorded, ConfigurationChanged) else configured


def encode_recorded(
    codec: Codec[Recorded],
    recorded: Recorded,
    seq: int,
    stamp: Stamp,
    origin: Origin = None,
    refusal: EntryRefusal | None = None,
    moves: tuple[Move, ...] = (),
    incidents: tuple[Told, ...] = (),
) -> bytes:
    """Encodes entry `seq`. `codec`: the game's codec. `origin`: the event's device or credential.

    `moves`: the amounts that the event has moved in the jackpot's pool. `incidents`: the incidents that the event
    begins, ends or withdraws.
    """
    kind, body = codec.encode(recorded)
    return encode_entry(
        Entry(
            seq=seq,
            boot=stamp.boot,
            credential=origin.value if isinstance(origin, Credential) else UNSET,
            incidents=Raw(encode_canonical(incidents)) if incidents else UNSET,
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
    """Returns the refusal as the journal stores it: guard, rule, and the rule's clause in the law of this profile. The
    clause is None if the profile has none for the rule.
    """
    return EntryRefusal(reason=refusal.guard, rule=refusal.rule, clause=clause_behind(profile, refusal.rule))


def _entry_source(origin: Origin, source: object) -> EntrySource | None:
    if not isinstance(origin, Device) or not isinstance(source, Source):
        return None
    return EntrySource(origin, source.boot, source.number)
