"""The firmware of every simulated TDP device: it boots, hangs, talks through a DeviceLink and locks itself.

A device has three parts: hands and mechanism (which are always there), persistent memory (which survives a
loss of power), and one boot of the firmware (which does not). Here the boots are simulated.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar, assert_never

from firmware_protocols.errors import FrameError
from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import CommandReceived, DeviceIdentity, DeviceLinkEvent, SessionOpened
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import DevicePairing
from firmware_protocols.tdp.schema import DeviceSchema
from simulators.devices.faults import FaultBook, FaultPlan, Faulty, Hang, Reboot


class DeadMan(Protocol):
    """The part of every device's status that this module reads.

    `host_silent`: the device has locked itself, since no host is heard.
    """

    @property
    def host_silent(self) -> bool: ...


class FirmwareLink(Protocol):
    """A firmware's link: a DeviceLink, or the link of another program."""

    @property
    def must_lock(self) -> bool: ...

    @property
    def waiting_events(self) -> int: ...

    def receive_data(self, data: bytes, now_s: float) -> None: ...

    def handle_timeout(self, now_s: float) -> None: ...

    def next_timeout_s(self) -> float | None: ...

    def data_to_send(self) -> bytes: ...

    def events(self) -> list[DeviceLinkEvent]: ...

    def set_status(self, status_payload: bytes) -> None: ...

    def expect_event(self) -> None: ...

    def post_event(self, payload: bytes, now_s: float) -> int: ...

    def answer(self, number: int, result: int, status_payload: bytes) -> None: ...


StatusT = TypeVar("StatusT", bound=DeadMan)
CommandT = TypeVar("CommandT")
EventT = TypeVar("EventT")

FirmwareT = TypeVar("FirmwareT", bound="TdpFirmware[Any, Any, Any]")
Hands = Callable[[float], object]
"""An act of hands at one device, given the time."""
OFF_S: Final = 0.2

MODEL = "Sabot simulator"
FIRMWARE_VERSION = "1.0.0"
BAD_COMMAND = 1  # in every kind's list of results


class Power(Enum):
    """The power of a firmware."""

    ON = auto()
    HUNG = auto()  # powered, but neither hears nor answers
    OFF = auto()


class TdpFirmware(Faulty, ABC, Generic[StatusT, CommandT, EventT]):
    """One simulated device (satisfies `SimulatedDevice`). All times are in seconds."""

    link_type: ClassVar[type[DeviceLink]] = DeviceLink

    def __init__(
        self,
        schema: DeviceSchema[StatusT, CommandT, EventT],
        *,
        now_s: float,
        serial: str,
        boot: int,
        faults: FaultPlan,
    ) -> None:
        """`boot` must be greater than any boot number that a host has seen of this serial number."""
        self._schema = schema
        self._identity = DeviceIdentity(
            kind=schema.kind, simulated=True, model=MODEL, serial=serial, firmware=FIRMWARE_VERSION
        )
        self._faults = FaultBook(faults)
        self._boot = boot
        self._power = Power.ON
        self._power_until_s: float | None = None
        self.pairing = DevicePairing(self._draw_nonce, schema.secret_at)  # persistent
        self._nonces = 0  # drawn in the device's life; persistent
        self.keys: Callable[[str], bytes] | None = None  # by serial number, for a device paired from the beginning
        self._link: FirmwareLink = self._new_link(now_s)
        self._shown: StatusT | None = None  # the status in the link's messages
        self._shown_block = b""  # the same as bytes
        self.disobeys = False  # True: it answers OK to orders and does not execute them
        self.before_talk: Callable[[], None] = _nobody_minds  # called before the device itself uses its link

    @property
    def identity(self) -> DeviceIdentity:
        """The device's description of itself."""
        return self._identity

    @property
    def boot(self) -> int:
        """The number of the present boot."""
        return self._boot

    @property
    def power(self) -> Power:
        """The firmware's power: it runs, hangs or is off."""
        return self._power

    @property
    def status(self) -> StatusT:
        """The status that the device would report now."""
        return self._status()

    @property
    def waiting_events(self) -> int:
        """The number of events that the host has not acknowledged."""
        return self._link.waiting_events

    @property
    def shown(self) -> StatusT | None:
        """Returns the status that the device's frames have now; the same object until the status changes.

        None before a boot has made its first status.
        """
        return self._shown

    def deeds(self) -> Mapping[Deed, Hands]:
        """Returns the acts of hands that this device supports in the conformance checks; each act takes no time."""
        return {
            Deed.POWER: lambda now_s: self.reboot(now_s, off_s=OFF_S),
            Deed.FORGET: lambda now_s: self.reboot(now_s, off_s=OFF_S, forget_counts=True),
        }

    def identify_as(self, identity: DeviceIdentity) -> None:
        """Sets the identity that the device has from the next boot on.

        Either another device has taken its place, or the device lies. Where `keys` is set, the device has the key of
        the new serial number at once.
        """
        self._identity = identity
        if self.keys is not None:
            self.pairing.key = self.keys(identity.serial)

    def switch_pairing_on(self, now_s: float) -> bool:
        """Turns the switch inside the device on: for a minute the device takes a key.

        Returns False where the device has no such switch.
        """
        if not isinstance(self._link, PairableLink):
            return False
        self.before_talk()
        self._link.allow_pairing(now_s)
        self._settle(now_s)
        return True

    def _new_link(self, now_s: float) -> DeviceLink:
        """A link for this boot; only a PairableLink can be paired."""
        if issubclass(self.link_type, PairableLink):
            return self.link_type(self._identity, self._boot, now_s, self.pairing)
        return self.link_type(self._identity, self._boot, now_s)

    def _draw_nonce(self) -> bytes:
        """A nonce made of boot and count, never repeated in the device's life."""
        self._nonces += 1
        return self._boot.to_bytes(8, "little") + self._nonces.to_bytes(8, "little")

    # ---- the wire and the clock

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives bytes from the wire; a device that is off or hangs loses them."""
        if self._power is not Power.ON:
            return
        self._link.receive_data(data, now_s)
        happened = self._link.events()
        for one in happened:
            self._hear(one, now_s)
        if happened or self._is_silence_news():  # heartbeats and acknowledgements change nothing here
            self._settle(now_s)

    def data_to_send(self) -> bytes:
        """Returns the bytes to send on the wire, and forgets them."""
        return self._link.data_to_send() if self._power is Power.ON else b""

    def next_time_s(self) -> float | None:
        """The time at which `on_time` is due next; None for never."""
        if self._power is not Power.ON:
            return self._power_until_s
        link_s, motion_s = self._link.next_timeout_s(), self.next_motion_s()
        if link_s is None or motion_s is None:
            return motion_s if link_s is None else link_s
        return min(link_s, motion_s)

    def on_time(self, now_s: float) -> None:
        """Does all work that is due: restart, retransmission, motion."""
        if self._power is not Power.ON:
            if self._power_until_s is None or now_s < self._power_until_s:
                return
            self._come_back(now_s)
        self.before_talk()
        self._link.handle_timeout(now_s)
        if self._is_silence_news():  # a moving part stops before it would report
            self._settle(now_s)
        self._move(now_s)
        self._settle(now_s)

    # ---- power

    def reboot(
        self,
        now_s: float,
        *,
        off_s: float = 0.5,
        forget_counts: bool = False,
        lower_by: int = 0,
        again: bool = False,
    ) -> None:
        """Makes the device lose power now and come back after `off_s`.

        `forget_counts`: the counts in persistent memory are lost. `lower_by`: the counts are lower by this number,
        unnoticed. `again`: the next boot has the number of the present boot again.
        """
        self.before_talk()
        self._boot -= again
        self._power = Power.OFF
        self._power_until_s = now_s + off_s
        self._power_lost()
        if forget_counts:
            self._forget_counts()
        if lower_by:
            self._lower_counts(lower_by)

    def change_numbers(self, by: int, now_s: float) -> None:
        """Adds `by` to the device's counts over its life although no card has moved."""
        self.before_talk()
        self._lower_counts(-by)
        self._settle(now_s)

    def hang(self, now_s: float, *, for_s: float) -> None:
        """Makes the device neither move, hear nor answer for `for_s`; bytes that arrive are lost."""
        self.before_talk()
        if self._power is Power.ON:
            self._power = Power.HUNG
            self._power_until_s = now_s + for_s

    def _come_back(self, now_s: float) -> None:
        was, self._power, self._power_until_s = self._power, Power.ON, None
        if was is Power.OFF:
            self._boot += 1
            self._link = self._new_link(now_s)
            self._shown = None
            self._begin(now_s)

    def _begin(self, now_s: float) -> None:
        """Begins a boot with its first event, `started`."""
        self._post(self._started(StartCause.POWER_ON), now_s)
        self._settle(now_s)

    def _meet_power_faults(self, operation: int, now_s: float) -> None:
        if hang := self._faults.take(Hang, operation):
            self.hang(now_s, for_s=hang.for_s)
        if reboot := self._faults.take(Reboot, operation):
            self.reboot(now_s, off_s=reboot.off_s, forget_counts=reboot.forget_counts)

    # ---- talking

    def _is_silence_news(self) -> bool:
        """True where the host's silence has begun or ended since the status that was last shown."""
        return self._shown is None or self._shown.host_silent is not self._link.must_lock

    def _post(self, event: EventT, now_s: float) -> None:
        """Reports an event that has just happened, with the status after it; a firmware without power reports none."""
        if self._power is not Power.ON:
            return
        self.before_talk()
        self._link.expect_event()
        if self._link.must_lock:
            self._lock_down()
        self._show_status()
        self._link.post_event(self._schema.encode_event_after(event, self._shown_block), now_s)

    def _hear(self, happened: DeviceLinkEvent, now_s: float) -> None:
        match happened:
            case SessionOpened():
                self._lock_down()
            case CommandReceived(number=number, payload=payload):
                self._answer(number, payload, now_s)
            case _:
                assert_never(happened)

    def _settle(self, now_s: float) -> None:
        """Locks the device if its link demands it, lets the mechanism begin motions, and updates the status.

        Called after any change of the device.
        """
        if self._power is not Power.ON:
            return
        if self._link.must_lock:
            self._lock_down()
        self._update(now_s)
        if self._power is Power.ON:
            self._show_status()

    def _show_status(self) -> None:
        """Gives the present status to the link."""
        status = self._status()
        if status != self._shown:
            self.before_talk()
            self._shown, self._shown_block = status, self._schema.encode_status(status)
            self._link.set_status(self._shown_block)

    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        try:
            result = self._obey(self._schema.decode_command(payload), now_s)
        except FrameError:
            result = BAD_COMMAND
        self._link.answer(number, result, self._schema.encode_status(self._status()))

    # ---- what the kinds differ in

    @abstractmethod
    def _status(self) -> StatusT:
        """The device's state."""

    @abstractmethod
    def _started(self, cause: StartCause) -> EventT:
        """The first event of a boot."""

    @abstractmethod
    def _obey(self, command: CommandT, now_s: float) -> int:
        """Executes a command and returns its result code."""

    @abstractmethod
    def _lock_down(self) -> None:
        """Withdraws every permission: a new host must give it again."""

    @abstractmethod
    def _power_lost(self) -> None:
        """Forgets all that only a running firmware knows."""

    @abstractmethod
    def _forget_counts(self) -> None:
        """Damages persistent memory: the counts are gone, and the device knows that."""

    def _lower_counts(self, by: int) -> None:
        """Lowers the counts in persistent memory, which the device does not notice; no effect without such counts."""

    def next_motion_s(self) -> float | None:
        """The time at which the mechanism has something to do; None for never."""
        return None

    def _move(self, now_s: float) -> None:
        """Does all motions of the mechanism that are due."""

    def _update(self, now_s: float) -> None:
        """Reads the sensors, and begins or cancels motions."""


def pairable(kind: type[FirmwareT]) -> type[FirmwareT]:
    """Returns a class for the same kind of device with TDP 1.1, which can be paired."""
    return type(kind.__name__, (kind,), {"link_type": PairableLink})


def _nobody_minds() -> None:
    """Does nothing; stands for an observer where no observer is set."""
