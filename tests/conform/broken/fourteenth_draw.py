"""The fourteenth draw of broken firmwares, by a sceptic: faults like those that the thirteenth had shown, each in
another place.
"""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENT_WINDOW, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shoe import ShoeResult
from firmware_protocols.tdp.shuffler import SHUFFLER, LidClosed, LidOpened, ShufflerApply
from simulators.devices.firmware import Power
from tests.conform.broken.table import breaks


class _CommitsFirst(DeviceLink):
    """The committed number of a HELLO is taken before the HELLO is looked at."""

    def _is_spoilt(self, _header: Header, _payload: bytes) -> bool:
        return False

    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[:1] == b"\1" and len(payload) >= rows.HELLO_LAYOUT.size and self._is_spoilt(header, payload):
            hello = rows.HELLO_LAYOUT.decode(payload[: rows.HELLO_LAYOUT.size])
            if hello.committed_boot == self._boot and hello.committed_number < self._next_event:
                self._forget_through(hello.committed_number)
        super()._take_hello(header, payload, now_s)


@breaks("4.7", "shoe")
class AnOlderHelloCommits(_CommitsFirst):
    def _is_spoilt(self, header: Header, _payload: bytes) -> bool:
        behind = ((self._opening or 0) - header.host_opening) % 2**32
        return self._opening is not None and 0 < behind <= 2**31


@breaks("3.8", "display")
class AHelloWithANumberCommits(_CommitsFirst):
    def _is_spoilt(self, header: Header, _payload: bytes) -> bool:
        return bool(header.number or header.device_boot)


@breaks("3.2", "slots")
class ALongHelloCommits(_CommitsFirst):
    def _is_spoilt(self, _header: Header, payload: bytes) -> bool:
        return len(payload) > rows.HELLO_LAYOUT.size


@breaks("10.20", "shuffler")
class ARequestOfZeroIsNone:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        if wanted.recount_request == 0:
            wanted = replace(wanted, recount_request=self._memory.recounts)
        return super()._apply(wanted, now_s)


@breaks("5.10", "shoe")
class TheBoltIsOutUntilTheFirstSession:
    @property
    def is_free(self) -> bool:
        link: Any = self._link
        is_unopened = self._power is Power.ON and link._opening is None
        return bool(super().is_free) or is_unopened


@breaks("5.10", "shoe")
class ARefusalLeavesTheBoltOut:
    _is_out = False

    def _obey(self, command: Any, now_s: float) -> Any:
        result = super()._obey(command, now_s)
        self._is_out = result is ShoeResult.REFUSED_HOST_SILENT
        return result

    @property
    def is_free(self) -> bool:
        return bool(super().is_free) or (self._power is Power.ON and self._is_out)


@breaks("9.5", "shoe")
class ACardBeforeTheFirstSessionIsNotStored:
    _outside = 0

    def card_passes(self, card: Any, now_s: float) -> None:
        before = self._passages
        super().card_passes(card, now_s)
        if self._link._opening is None:
            self._outside += self._passages - before

    def _power_lost(self) -> None:
        self._passages -= self._outside
        self._outside = 0
        super()._power_lost()


@breaks("7.7", "shuffler")
class ALidBeforeTheFirstSessionHasALivingHost(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        if self._opening is None and self._next_event > 1:
            event, status = SHUFFLER.decode_event(payload)
            payload = SHUFFLER.encode_event(event, replace(status, host_silent=False))
        return super().post_event(payload, now_s)


@breaks("10.33", "shuffler")
class ALidBeforeTheFirstSessionIsNotTold:
    def _post(self, event: Any, now_s: float) -> None:
        if self._link._opening is not None or not isinstance(event, LidOpened | LidClosed):
            super()._post(event, now_s)


@breaks("2.8", "slots")
class SaysItsVersionAtAStart(DeviceLink):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._io.unsent += b"slots 1.0.0\r\n"


@breaks("2.8", "shoe")
class SaysSomethingBehindABadCommand(DeviceLink):
    def _send_answer(self, result: int) -> None:
        super()._send_answer(result)
        if result == 1:
            self._io.unsent += b"?\n"


@breaks("18.1", "display")
class ADeniedHelloIsLife(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if self._key is not None and not self._is_of_the_pair(header, payload):
            self._is_news = True
            self._heard(now_s)
        super()._greet(header, payload, now_s)


@breaks("10.7", "shuffler")
class JamsEnded0IsAll:
    """The number 0 ends whatever jam there is."""

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        memory = self._memory
        if wanted.jams_ended == 0 and memory.jammed and not memory.is_ended(0):
            wanted = replace(wanted, jams_ended=memory.jams)
        return super()._end_jam(wanted, now_s)


@breaks("9.17", "shoe")
class TheEndOfItsMinuteUnlocks:
    """A permission that the switch has withdrawn is back when its minute is over."""

    link_type = PairableLink
    _was_open = False

    def _lock_down(self) -> None:
        link: Any = self._link
        self._was_open = self._was_open or (link._window_until_s is not None and not self._locked)
        super()._lock_down()

    def on_time(self, now_s: float) -> None:
        super().on_time(now_s)
        link: Any = self._link
        if self._was_open and link._window_until_s is None and not link.must_lock:
            self._locked = self._was_open = False
            self._settle(now_s)


@breaks("9.17", "shuffler")
class AClosedLidGivesTheFeedBack:
    _was_open = False

    def _lock_down(self) -> None:
        self._was_open = self._was_open or (self.machine.lid_open and self._orders.feed_open)
        super()._lock_down()

    def _post(self, event: Any, now_s: float) -> None:
        super()._post(event, now_s)
        if isinstance(event, LidClosed) and self._was_open:
            self._was_open = False
            self._orders.feed_open = not (self._link.must_lock or self._memory.jammed)

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        self._was_open = False
        return super()._apply(wanted, now_s)


@breaks("5.10", "shoe")
class TheBoltIsOutInTheMinuteOfItsSwitch:
    link_type = PairableLink

    @property
    def is_free(self) -> bool:
        link: Any = self._link
        return bool(super().is_free) or (self._power is Power.ON and link._window_until_s is not None)


@breaks("5.10", "shoe")
class TheBoltIsOutWithAnError:
    @property
    def is_free(self) -> bool:
        return bool(super().is_free) or (self._power is Power.ON and self._error is not None)


@breaks("6.6", "display")
class EightEventsAreKeptBeforeTheFirstSession(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        number = super().post_event(payload, now_s)
        while self._opening is None and len(self._waiting) > EVENT_WINDOW:
            self._waiting.popleft()
        return number
