"""Checks of wires and lamp while a world runs, for facts that the journal does not show.

The checks use only what can be observed from outside: the bytes on the lines and the machine's lamp.
"""

import json
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from msgspec import Struct, field

from controller.core.house.state import Hold
from controller.core.words import Device, HoldKind, HoldPhase
from controller.devices.device_kinds import KINDS
from firmware_protocols.framing import DELIMITER, NO_TAG, TAG_BYTES, decode_signed
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.display import DisplayApply, DisplayStatus
from firmware_protocols.tdp.link import FrameKind, Header, parse
from firmware_protocols.tdp.proof import NONCE_BYTES
from firmware_protocols.tdp.shoe import ShoeApply, ShoeStatus
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerStatus
from simulators.world.clock import VirtualClock
from simulators.world.wires import only_kind

Tell = Callable[[str], None]


class _Source(msgspec.Struct):
    """The origin of a device event in an entry: the device, its boot, and the event's number."""

    device: str
    device_boot: int
    event_number: int


class _Entry(msgspec.Struct):
    source: _Source | None


_NEITHER: Final = (FrameKind.HEARTBEAT, FrameKind.HELLO)
"""The kinds of host frames that neither acknowledge nor command."""

_ENTRY: Final = msgspec.json.Decoder(_Entry)


_NO_CARD: Final = (HoldKind.JAM, HoldKind.LID, HoldKind.COUNT, HoldKind.DEVICE_LOST)
_NOT_ATTENDED: Final = (HoldPhase.RAISED, HoldPhase.ATTENDED)


class WireWatch(Struct):
    """Checks the frames that the controller sends.

    An event may be acknowledged only once it is durable. After a reconnect, the controller may send no command that the
    device has already obeyed. No command to the shuffler may release more than one card, end a jam that people have not
    ended, or release any card during a hold for a jam, a lid, a count or a lost device.
    """

    tell: Tell
    holds: Callable[[], Iterable[Hold]]  # the holds of the newest state
    said_last: Callable[[], object]  # the shuffler's last status
    last_seq: int = 0  # the last entry surely on the medium
    _durable: dict[tuple[str, int], int] = field(default_factory=dict)  # device and boot: its last durable event
    _shown: dict[Device, object] = field(default_factory=dict)  # the newest status since IDENTITY, until a command

    def durable(self, payloads: Iterable[bytes], last_seq: int) -> None:
        """Records the entries `payloads` that are on the medium, after a sync or at a start. `last_seq`: the number of
        the last entry.
        """
        self.last_seq = last_seq
        for payload in payloads:
            source = _ENTRY.decode(payload).source
            if source is not None:
                key = (source.device, source.device_boot)
                self._durable[key] = max(self._durable.get(key, 0), source.event_number)
            elif b'"kind":"events-missed"' in payload:
                self._missed(json.loads(payload)["body"])

    def sent(self, device: Device, data: bytes) -> None:
        """Checks the bytes that the controller has sent."""
        if only_kind(data) in _NEITHER:
            return
        for header, payload in _frames(data, from_device=False):
            if header.kind == FrameKind.ACK:
                self._acknowledged(device, header)
            elif header.kind == FrameKind.COMMAND:
                self._commanded(device, header, payload)

    def said(self, device: Device, data: bytes) -> None:
        """Records the bytes that a device has sent."""
        if device not in self._shown and FrameKind.IDENTITY not in data:
            return  # an IDENTITY frame always contains this byte
        for header, payload in _frames(data, from_device=True):
            if header.kind == FrameKind.IDENTITY:
                nonce = 0 if header.tag == NO_TAG else NONCE_BYTES
                self._shown[device] = payload[rows.IDENTITY_LAYOUT.size + nonce :]
                self._durable.setdefault((device.value, header.device_boot), 0)  # `_missed` looks for this key
            elif header.kind == FrameKind.HEARTBEAT_REPLY and device in self._shown:
                self._shown[device] = payload[rows.REPLY_LAYOUT.size :]  # a repaired display shows another picture
            elif header.kind in {FrameKind.EVENT, FrameKind.ANSWER}:
                self._shown.pop(device, None)

    def _missed(self, body: dict[str, object]) -> None:
        """Counts missed events as durable: the device has deleted them, so the controller may acknowledge them."""
        for key in self._durable:
            if key[0] == body["device"]:
                self._durable[key] = max(self._durable[key], int(str(body["last"])))

    def _acknowledged(self, device: Device, header: Header) -> None:
        durable = self._durable.get((device.value, header.device_boot), 0)
        if header.number > durable:
            self.tell(f"acknowledged before it was durable: {device.value} event {header.number}, durable {durable}")

    def _commanded(self, device: Device, header: Header, payload: bytes) -> None:
        shown, tdp = self._shown.pop(device, None), KINDS[device].tdp
        if tdp is None:
            return
        command = tdp.schema.decode_command(payload)
        if isinstance(command, ShufflerApply) and isinstance(status := self.said_last(), ShufflerStatus):
            self._permitted(command, status)
        if header.number != 1 or not isinstance(shown, bytes):
            return
        if _changes_nothing(command, tdp.schema.decode_status(shown)):
            self.tell(f"sent blindly after a reconnect: {device.value} is already as the command says")

    def _permitted(self, command: ShufflerApply, status: ShufflerStatus) -> None:
        released = (command.release_until - status.cards_out) % 2**32
        if 1 < released < 2**31:
            self.tell(f"a release of {released} cards was sent")
        kinds = [hold.kind for hold in self.holds() if hold.kind in _NO_CARD]
        if released == 1 and kinds:
            self.tell(f"a release was sent while the table was held: {kinds[0].value}")
        ends = status.jammed and (command.jams_ended - status.jams) % 2**16 < 2**15
        if ends and any(hold.kind is HoldKind.JAM and hold.phase in _NOT_ATTENDED for hold in self.holds()):
            self.tell("a jam was ended by no people")

    def opened(self, status: ShufflerStatus) -> None:
        """Checks by the shuffler's own status that its mouth is open for at most one card."""
        if 1 < (status.release_until - status.cards_out) % 2**32 < 2**31:
            self.tell("the mouth was open for more than one card")


def _frames(data: bytes, *, from_device: bool) -> list[tuple[Header, bytes]]:
    found = (decode_signed(piece) for piece in data.split(DELIMITER) if piece)
    whole = [(signed[:-TAG_BYTES], signed[-TAG_BYTES:]) for signed in found if isinstance(signed, bytes)]
    return [parse(body, from_device=from_device, tag=tag) for body, tag in whole]


def _changes_nothing(command: object, status: object) -> bool:
    match command, status:
        case ShufflerApply(), ShufflerStatus():
            return (
                (command.release_until, command.feed_open, command.unload, command.lamp, command.recount_request)
                == (status.release_until, status.feed_open, status.unloading, status.lamp_lit, status.recounts)
            ) and not status.jammed
        case ShoeApply(), ShoeStatus():
            return command.locked == status.locked
        case DisplayApply(), DisplayStatus():
            return (command.cents, command.fault) == (status.shown_cents, status.fault_shown)
        case _:
            return False


LAMP_GRACE_S: Final = 1.5
"""Time for the lamp to light after a hold, or once the machine answers again; the hold itself shows within 0.1 s."""

LAMP_LOOK_S: Final = 0.25
"""The interval of checks of a lamp that is dark and should be lit."""


class LampWatch(Struct):
    """Checks that the lamp is lit during a hold for a jam or an open lid, while the machine
    is connected (pt.bj.51c).
    """

    clock: VirtualClock
    must_be_lit: Callable[[], bool]
    is_lit: Callable[[], bool]
    tell: Tell
    _dark_since_s: float | None = None
    _is_looking: bool = False

    def look(self) -> None:
        """Checks the lamp. While the lamp is dark and must be lit, checks the lamp again at intervals."""
        if not self._is_looking:
            self._look()

    def _look(self) -> None:
        self._is_looking = self.must_be_lit() and not self.is_lit()
        if not self._is_looking:
            self._dark_since_s = None
            return
        if self._dark_since_s is None:
            self._dark_since_s = self.clock.now_s
        elif self.clock.now_s - self._dark_since_s > LAMP_GRACE_S:
            self.tell("the lamp is dark though the table is held for a jam or its lid")
            self._dark_since_s = None
        self.clock.after(LAMP_LOOK_S, self._look)
