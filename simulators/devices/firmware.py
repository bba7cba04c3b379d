"""The firmware that all simulated TDP devices have in common: the firmware boots, hangs, talks through a DeviceLink and
locks itself. A device has three layers: hands and mechanism, which always exist; persistent memory, which survives a
loss of power; and one boot of the firmware, which ends with the power. This module simulates the boots.
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
    """The part of a status that every kind of device has. `host_silent`: the device has locked itself because it hears
    no host.
    """

    @property
    def host_silent(self) -> bool: ...


class FirmwareLink(Protocol):
    """The link through which a device's firmware talks: a DeviceLink, or the link of the C core."""

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
"""A deed at one device; called with the time."""
OFF_S: Final = 0.2

MODEL = "Sabot simulator"
FIRMWARE_VERSION = "1.0.0"
BAD_COMMAND = 1  # in every kind's list of results


class Power(Enum):
    """The state of a device's firmware: it runs, hangs, or has no power."""

    ON = auto()
    HUNG = auto()  # powered, but neither hears nor answers
    OFF = auto()


class TdpFirmware(Faulty, ABC, Generic[StatusT, CommandT, EventT]):
    """A simulated TDP device, the base class of every kind (satisfies `SimulatedDevice`). All times are in seconds."""

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
        """The identity that the device reports: kind, model, serial number and firmware version."""
        return self._identity

    @property
    def boot(self) -> int:
        """The number of the present boot."""
        return self._boot

    @property
    def power(self) -> Power:
        """The state of the firmware: it runs, hangs, or has no power."""
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
        """The status that the device's frames contain now: one object until the status changes. None until a boot has
        made its first status.
        """
        return self._shown

    def deeds(self) -> Mapping[Deed, Hands]:
        """Returns the deeds that hands can do at this device in the conformance checks, each as a function
        of the time.
        """
        return {
            Deed.POWER: lambda now_s: self.reboot(now_s, off_s=OFF_S),
            Deed.FORGET: self._spoil,
        }

    def _spoil(self, now_s: float) -> None:
        """Cuts the power and damages the stored numbers, so that the device draws its next boot number."""
        self._boot = self._boot * 0x19660D % 2**31 + 2**24
        self.reboot(now_s, off_s=OFF_S, forget_counts=True)

    def identify_as(self, identity: DeviceIdentity) -> None:
        """Sets the identity that the device reports from the next boot on, like a replaced device or a false report. If
        `keys` is set, gives the device the key of the new serial number at once.
        """
        self._identity = identity
        if self.keys is not None:
            self.pairing.key = self.keys(identity.serial)

    def switch_pairing_on(self, now_s: float) -> bool:
        """Turns on the switch inside the device, after which the device accepts a key for a minute.

        Returns False if the device has no such switch.
        """
        if not isinstance(self._link, PairableLink):
            return False
        self.before_talk()
        self._link.allow_pairing(now_s)
        self._settle(now_s)
        return True

    def _new_link(self, now_s: float) -> DeviceLink:
        if issubclass(self.link_type, PairableLink):
            return self.link_type(self._identity, self._boot, now_s, self.pairing)
        return self.link_type(self._identity, self._boot, now_s)

    def _draw_nonce(self) -> bytes:
        """Returns a nonce made of the boot number and a count. The device never repeats a nonce."""
        self._nonces += 1
        return self._boot.to_bytes(8, "little") + self._nonces.to_bytes(8, "little")

    # ---- the wire and the clock

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives bytes from the wire; a device that hangs or has no power loses them."""
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
        """Does all work that is due: restarts, retransmissions and motions."""
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
        """Cuts the device's power for `off_s` seconds.

        `forget_counts`: the counts in persistent memory are lost. `lower_by`: the counts in persistent memory become
        lower by this number, which the device does not notice. `again`: the next boot gets the number of the present
        boot again.
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
        """Adds `by` to the device's cumulative counts although no card has moved."""
        self.before_talk()
        self._lower_counts(-by)
        self._settle(now_s)

    def hang(self, now_s: float, *, for_s: float) -> None:
        """Makes the device hang for `for_s` seconds: it does not move or answer, and loses the bytes that arrive."""
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
        """True before the first status, and if the host has become silent or is heard again since that status was
        shown.
        """
        return self._shown is None or self._shown.host_silent is not self._link.must_lock

    def _post(self, event: EventT, now_s: float) -> None:
        """Reports an event that has just happened, together with the status after it. Does nothing unless the firmware
        runs.
        """
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

        Called after every change in the device.
        """
        if self._power is not Power.ON:
            return
        if self._link.must_lock:
            self._lock_down()
        self._update(now_s)
        if self._power is Power.ON:
            self._show_status()

    def _show_status(self) -> None:
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
        """Returns the device's present status."""

    @abstractmethod
    def _started(self, cause: StartCause) -> EventT:
        """Returns the event with which a boot begins."""

    @abstractmethod
    def _obey(self, command: CommandT, now_s: float) -> int:
        """Executes a command and returns its result code."""

    @abstractmethod
    def _lock_down(self) -> None:
        """Withdraws every permission that a host has given."""

    @abstractmethod
    def _power_lost(self) -> None:
        """Resets all state that does not survive a loss of power."""

    @abstractmethod
    def _forget_counts(self) -> None:
        """Erases the counts in persistent memory; the device notices that they are gone."""

    def _lower_counts(self, by: int) -> None:
        """Lowers the counts in persistent memory by `by`, which the device does not notice. Does nothing if the device
        has no counts.
        """

    def next_motion_s(self) -> float | None:
        """Returns the time at which the next motion of the mechanism is due; None for never."""
        return None

    def _move(self, now_s: float) -> None:
        """Does all motions of the mechanism that are due."""

    def _update(self, now_s: float) -> None:
        """Reads the sensors, and begins or cancels motions."""


def pairable(kind: type[FirmwareT]) -> type[FirmwareT]:
    """Returns a subclass of `kind` that speaks TDP 1.1 and can be paired."""
    return type(kind.__name__, (kind,), {"link_type": PairableLink})


def _nobody_minds() -> None:
    """Does nothing. The default value of `before_talk`."""
