"""Scripted devices at wire level: each obeys its wished state and reports the test's events."""

from typing import Any

from msgspec import structs
from msgspec.structs import replace

from firmware_protocols.cards import card_byte
from firmware_protocols.framing import DELIMITER, decode_frame
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.display import DISPLAY, DisplayApply, DisplayStatus
from firmware_protocols.tdp.link import CommandReceived, DeviceIdentity, FrameKind, SessionOpened
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import SHOE, CardPassed, ShoeApply, ShoeStatus
from firmware_protocols.tdp.shuffler import (
    SHUFFLER,
    CardIn,
    CardOut,
    CardRetried,
    JamEnded,
    Jammed,
    LidClosed,
    LidOpened,
    PathCleared,
    Place,
    Recounted,
    ShufflerApply,
    ShufflerStatus,
)

SCHEMAS = {DeviceKind.SHUFFLER: SHUFFLER, DeviceKind.SHOE: SHOE, DeviceKind.DISPLAY: DISPLAY}


class Peer:
    """One device and its line. `plugged` False: the cable is out."""

    kind: DeviceKind
    status: Any

    def __init__(self, status: object, now_s: float, *, boot: int = 1, serial: str = "S1") -> None:
        self.schema: Any = SCHEMAS[self.kind]
        self.identity = DeviceIdentity(self.kind, simulated=True, model="peer", serial=serial, firmware="1.0")
        self.boot = boot
        self.plugged = True
        self.withheld = False  # the line loses every event, and nothing else
        self.commands: list[tuple[float, Any]] = []
        self.acknowledged_at: list[tuple[float, int]] = []
        self._power_up(status, now_s)

    def _power_up(self, status: object, now_s: float) -> None:
        self.link = DeviceLink(self.identity, self.boot, now_s)
        self.posted = 0
        self._set(status)

    def reboot(self, now_s: float) -> None:
        self.boot += 1
        self._power_up(self.status, now_s)

    def change(self, **changes: object) -> None:
        """Changes the status without reporting an event."""
        self._set(replace(self.status, **changes))

    def post(self, event: object, now_s: float, **changes: object) -> None:
        """Reports an event, with the status after these changes."""
        self.change(**changes)
        self.link.post_event(self.schema.encode_event(event, self.status), now_s)
        self.posted += 1

    @property
    def acknowledged(self) -> int:
        """Returns the number of the last event of this boot that the controller has acknowledged."""
        return self.posted - self.link.waiting_events

    def receive_data(self, data: bytes, now_s: float) -> None:
        before = self.acknowledged
        self.link.receive_data(data, now_s)
        if self.acknowledged != before:
            self.acknowledged_at.append((now_s, self.acknowledged))
        for event in self.link.events():
            match event:
                case SessionOpened():
                    self.opened(now_s)
                case CommandReceived(number, payload):
                    command = self.schema.decode_command(payload)
                    self.commands.append((now_s, command))
                    self.obey(command, now_s)
                    self.link.answer(number, 0, self.schema.encode_status(self.status))

    # A port's view of a device

    def data_to_send(self) -> bytes:
        data = self.link.data_to_send()
        if not self.withheld:
            return data
        return b"".join(frame + DELIMITER for frame in data.split(DELIMITER) if frame and self._passes(frame))

    def _passes(self, frame: bytes) -> bool:
        body = decode_frame(frame)
        return isinstance(body, bytes) and body[0] != FrameKind.EVENT

    def next_time_s(self) -> float | None:
        return self.link.next_timeout_s()

    def on_time(self, now_s: float) -> None:
        self.link.handle_timeout(now_s)

    # The differences between the kinds

    def opened(self, now_s: float) -> None:
        """Reacts to a new session of the host: withdraws earlier permissions."""

    def obey(self, command: object, now_s: float) -> None:
        """Executes a command; this base class ignores it."""

    def _set(self, status: object) -> None:
        self.status = status
        self.link.set_status(self.schema.encode_status(status))


class ShufflerPeer(Peer):
    kind = DeviceKind.SHUFFLER

    def __init__(self, now_s: float, *, inside: int = 0, boot: int = 1) -> None:
        first = ShufflerStatus(
            cards_in=1000 + inside, cards_out=1000, inside=inside, release_until=0, jams=3, recounts=0
        )
        self.releases = 0  # commands that let a card go, or end a jam
        super().__init__(first, now_s, boot=boot)

    @property
    def mouth_is_open(self) -> bool:
        return 0 < (self.status.release_until - self.status.cards_out) % 2**32 < 2**31

    def opened(self, now_s: float) -> None:
        self.change(release_until=self.status.cards_out, feed_open=False, unloading=False)

    def obey(self, command: object, now_s: float) -> None:
        if not isinstance(command, ShufflerApply):
            return
        self.releases += 0 < (command.release_until - self.status.cards_out) % 2**32 < 2**31
        self.releases += self.status.jammed and (command.jams_ended - self.status.jams) % 2**16 < 2**15
        self.change(
            release_until=command.release_until,
            feed_open=command.feed_open,
            unloading=command.unload,
            lamp_lit=command.lamp,
        )
        is_ended = (command.jams_ended - self.status.jams) % 2**16 < 2**15
        if self.status.jammed and is_ended and not self.status.path_blocked:
            self.post(JamEnded(), now_s, jammed=False)
        if command.recount_request != self.status.recounts:
            event = Recounted(command.recount_request, self.status.inside)
            self.post(event, now_s, recounts=command.recount_request)

    def card_out(self, now_s: float) -> None:
        self.post(CardOut(), now_s, cards_out=(self.status.cards_out + 1) % 2**32, inside=self.status.inside - 1)

    def card_in(self, now_s: float) -> None:
        self.post(CardIn(), now_s, cards_in=(self.status.cards_in + 1) % 2**32, inside=self.status.inside + 1)

    def come_back(self, now_s: float, *, serial: str = "", **changes: object) -> None:
        """Starts the next boot with these changes of the status.

        `serial`: another device is in the place of this one.
        """
        self.identity = structs.replace(self.identity, serial=serial or self.identity.serial)
        self.status = replace(self.status, **changes)
        self.releases = 0
        self.reboot(now_s)

    def lid(self, now_s: float, *, is_open: bool) -> None:
        """Opens or closes the lid; either withdraws all permissions to move cards."""
        event = LidOpened() if is_open else LidClosed()
        self.post(event, now_s, lid_open=is_open, release_until=self.status.cards_out, feed_open=False, unloading=False)

    def jam(self, now_s: float) -> None:
        jams = self.status.jams + 1
        self.post(Jammed(Place.MOUTH, 0), now_s, jams=jams, jammed=True, path_blocked=True)

    def retry(self, now_s: float) -> None:
        self.post(CardRetried(Place.FEED, 1), now_s)

    def clear_path(self, now_s: float) -> None:
        self.post(PathCleared(), now_s, path_blocked=False)


class ShoePeer(Peer):
    kind = DeviceKind.SHOE

    def __init__(self, now_s: float, *, boot: int = 1) -> None:
        super().__init__(ShoeStatus(passages=500), now_s, boot=boot)

    def obey(self, command: object, now_s: float) -> None:
        if isinstance(command, ShoeApply):
            self.change(locked=command.locked)

    def card_passed(self, card: str | None, now_s: float) -> None:
        passage = self.status.passages + 1
        self.post(CardPassed(passage, card_byte(card)), now_s, passages=passage)


class DisplayPeer(Peer):
    kind = DeviceKind.DISPLAY

    def __init__(self, now_s: float, *, boot: int = 1) -> None:
        super().__init__(DisplayStatus(shown_cents=0), now_s, boot=boot)

    def obey(self, command: object, now_s: float) -> None:
        if isinstance(command, DisplayApply):
            self.change(shown_cents=command.cents, fault_shown=command.fault)
