"""A scripted TDP device for driver tests: the real DeviceLink, a status, answers that the test decides."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from msgspec.structs import replace

from controller.devices.device_kinds import TDP_KINDS
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.display import DisplayApply, DisplayStatus
from firmware_protocols.tdp.link import CommandReceived, DeviceIdentity, SessionOpened
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import DevicePairing
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import CardPassed, ShoeApply, ShoeStatus
from firmware_protocols.tdp.shuffler import CardOut, ShufflerApply, ShufflerStatus
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import MarkersApply, MarkersStatus

FIRST_STATUS: dict[DeviceKind, Any] = {
    DeviceKind.SHUFFLER: ShufflerStatus(cards_in=312, cards_out=0, inside=312, release_until=0, jams=0, recounts=0),
    DeviceKind.SHOE: ShoeStatus(passages=0),
    DeviceKind.DISPLAY: DisplayStatus(shown_cents=0),
}
"""The first status of kinds that do not begin with an empty one."""


def identity(kind: DeviceKind, **changes: object) -> DeviceIdentity:
    usual = {"simulated": True, "model": "Sabot Test", "serial": f"{kind.name}-1", "firmware": "1.0.0"}
    return DeviceIdentity(kind, **(usual | changes))


def after(status: object, command: object) -> object:
    """The status of an obedient device of any kind after it has executed `command`."""
    match command:
        case ShufflerApply():
            return replace(
                status,
                release_until=command.release_until,
                feed_open=command.feed_open,
                unloading=command.unload,
                lamp_lit=command.lamp,
                recounts=command.recount_request,
                jammed=status.jammed and command.jams_ended < status.jams,
            )
        case ShoeApply():
            return replace(status, locked=command.locked)
        case MarkersApply():
            return MarkersStatus(*command.values)
        case SlotsApply():
            return replace(status, collections=command.collection, lit=command.lit, blinking=command.blinking)
        case DisplayApply():
            return replace(status, shown_cents=command.cents, fault_shown=command.fault)
    return status


@dataclass
class Reaction:
    """The device's reaction to a command: the result in its answer, and if it executes and answers the command."""

    result: int = 0
    obeys: bool = True
    answers: bool = True


class TdpPeer:
    """One device. `reboot` keeps the status and takes the next boot number. `key`: the pair's key; b"": none yet."""

    def __init__(
        self, kind: DeviceKind, boot: int = 1, now_s: float = 0.0, *, key: bytes | None = None, **changes: object
    ) -> None:
        self.kind = kind
        self.schema = TDP_KINDS[kind].schema
        self.identity = identity(kind, **changes)
        self.boot = boot
        self.status = FIRST_STATUS[kind] if kind in FIRST_STATUS else self.schema.status.made()
        self.react: Callable[[Any], Reaction] = lambda _: Reaction()
        self.commands: list[Any] = []
        self.sessions: list[int] = []
        self._nonces = count(1)
        self.pairing = None if key is None else DevicePairing(self._draw, self.schema.secret_at, key or None)
        self.link = self._new_link(now_s)
        self.set_status(self.status)

    def _draw(self) -> bytes:
        return next(self._nonces).to_bytes(16, "little")

    def _new_link(self, now_s: float) -> DeviceLink:
        if self.pairing is None:
            return DeviceLink(self.identity, self.boot, now_s)
        return PairableLink(self.identity, self.boot, now_s, self.pairing)

    def reboot(self, now_s: float) -> None:
        self.boot += 1
        self.link = self._new_link(now_s)
        self.set_status(self.status)

    def set_status(self, status: object) -> None:
        self.status = status
        self.link.set_status(self.schema.encode_status(status))

    def change(self, **changes: object) -> None:
        self.set_status(replace(self.status, **changes))

    def post(self, event: object, now_s: float, **changes: object) -> int:
        self.change(**changes)
        return self.link.post_event(self.schema.encode_event(event, self.status), now_s)

    def card_out(self, now_s: float) -> int:
        count = self.status.cards_out + 1
        return self.post(CardOut(), now_s, cards_out=count, inside=self.status.inside - 1)

    def card_passed(self, now_s: float, card: int = 0x18) -> int:
        passage = self.status.passages + 1
        return self.post(CardPassed(passage, card), now_s, passages=passage)

    def receive_data(self, data: bytes, now_s: float) -> None:
        self.link.receive_data(data, now_s)
        for event in self.link.events():
            match event:
                case SessionOpened():
                    self.sessions.append(event.opening)
                case CommandReceived():
                    self._obey(event)

    def _obey(self, received: CommandReceived) -> None:
        command = self.schema.decode_command(received.payload)
        self.commands.append(command)
        reaction = self.react(command)
        if reaction.obeys:
            self.set_status(after(self.status, command))
        if reaction.answers:
            self.link.answer(received.number, reaction.result, self.schema.encode_status(self.status))
