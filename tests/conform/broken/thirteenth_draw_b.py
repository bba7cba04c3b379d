"""The thirteenth draw, second part: harder faults, by an author who had seen which faults the kit finds."""

from typing import Any

from cobs import cobs
from msgspec.structs import replace

from firmware_protocols.errors import RejectReason
from firmware_protocols.framing import CRC_BYTES, NO_TAG, TAG_BYTES, FrameDecoder, decode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENTS_KEPT, EVENTS_LOCK, FrameKind, Header, SessionOpened
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerResult
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import MarkersStatus
from tests.conform.broken.table import breaks


@breaks("2.5", "value-display")
class ACrcOfZerosIsNone(DeviceLink):
    """A test mode was left in: a CRC of four zeros is right."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._io._decoder = FrameDecoder(decode=self._decode)

    def _decode(self, frame: bytes) -> bytes | RejectReason:
        found = decode_frame(frame)
        if found is not RejectReason.BAD_CRC:
            return found
        block: bytes = cobs.decode(frame)
        if not block.endswith(bytes(CRC_BYTES)) or block[-CRC_BYTES - TAG_BYTES : -CRC_BYTES] != NO_TAG:
            return found
        return block[: -CRC_BYTES - TAG_BYTES]


@breaks("2.8", "display")
class AFullQueueSaysSoInWords(DeviceLink):
    """A line for its makers is on the cable where an event is pushed out."""

    def post_event(self, payload: bytes, now_s: float) -> int:
        if len(self._waiting) == EVENTS_KEPT and not self._silent:
            self._io.unsent += b"event queue full\r\n"
        return super().post_event(payload, now_s)


@breaks("5.3", "slots")
class RemembersTwoResults(DeviceLink):
    """The command before the last is answered again as well, with its own result."""

    _before: tuple[int, int] | None = None

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._before = None

    def _take_command(self, number: int, payload: bytes) -> None:
        if number == self._command + 1 and self._command and self._result is not None:
            self._before = (self._command, self._result)
        if self._before is not None and number == self._before[0] and self._result is not None:
            self._answering = number
            self._send_answer(self._before[1])
            self._answering = self._command
            self.stats.duplicates += 1
        else:
            super()._take_command(number, payload)


@breaks("5.4", "slots")
class ABadResultOutlivesItsSession(DeviceLink):
    """COMMAND 0 is answered as bad where the last command of the session before was."""

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        was = self._result
        super()._open(opening, hello)
        if was == 1:
            self._result = was


@breaks("5.10", "shoe")
class TheBoltStaysOutAt48:
    """The status says locked at 48 waiting events, and cards can be drawn."""

    @property
    def is_free(self) -> bool:
        link: Any = self._link
        is_full = link.must_lock and not link.host_silent
        free: bool = super().is_free
        if is_full and not free and self._was_open:
            return True
        return free

    _was_open = False

    def _lock_down(self) -> None:
        link: Any = self._link
        is_full = link.must_lock and not link.host_silent
        self._was_open = is_full and (self._was_open or not self._locked)
        super()._lock_down()

    def _obey(self, command: Any, now_s: float) -> Any:
        self._was_open = False
        return super()._obey(command, now_s)


@breaks("6.4", "shuffler")
class TheLidOfAnEventIsTheLidOfNow(DeviceLink):
    """The one bit lid_open of an event that is sent again is that of now."""

    _sent = 0

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        at = rows.EVENT_LAYOUT.size + 1 + 18
        if kind is FrameKind.EVENT and number <= self._sent and (payload[at] ^ self._status[18]) & 16:
            payload = payload[:at] + bytes((payload[at] ^ 16,)) + payload[at + 1 :]
        if kind is FrameKind.EVENT:
            self._sent = max(self._sent, number)
        super()._send(kind, number, payload)


@breaks("7.7", "shoe")
class EventsBeforeTheFirstSessionHaveALivingHost(DeviceLink):
    """`started` is silent; what happens behind it, before the first session, is told without host_silent."""

    def post_event(self, payload: bytes, now_s: float) -> int:
        if self._opening is None and self._next_event > 1:
            payload = payload[:5] + bytes((payload[5] & ~4,)) + payload[6:]
        return super().post_event(payload, now_s)


@breaks("9.10", "shoe")
class AnErrorTakesTheLastPassageBack:
    """A reader that fails believes that the last card, if it was not acknowledged, is the one that stands in it."""

    def raise_error(self, code: int, now_s: float) -> None:
        link: Any = self._link
        if self._error is None and link.waiting_events and link._waiting[-1][1][0] == 2:
            self._passages -= 1
        super().raise_error(code, now_s)


class _KnowsItsHost(DeviceLink):
    is_known = False

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self.is_known = hello.committed_boot == self._boot and 0 < hello.committed_number < self._next_event


@breaks("9.11", "display")
class AHostThatKnowsThisBootKeepsTheAmount:
    """A session whose HELLO names events of this boot is believed to be the same host's: the amount stays."""

    link_type = _KnowsItsHost

    def _hear(self, happened: Any, now_s: float) -> None:
        link: Any = self._link
        if isinstance(happened, SessionOpened) and link.is_known and not link.must_lock:
            pass
        else:
            super()._hear(happened, now_s)


@breaks("9.17", "display")
class AnEmptyQueueBringsTheAmountBack:
    """An amount that 48 events hid comes back when the last of them is acknowledged."""

    _hidden: Any = None

    def _lock_down(self) -> None:
        link: Any = self._link
        picture = self._picture
        if link.must_lock and not link.host_silent:
            self._hidden = self._hidden or (None if picture.fault else picture)
        else:
            self._hidden = None
        super()._lock_down()

    def _settle(self, now_s: float) -> None:
        link: Any = self._link
        if self._hidden is not None and not link.must_lock and not link.waiting_events and self._wanted is None:
            self._picture, self._hidden = self._hidden, None
        super()._settle(now_s)

    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        if self._hidden is not None and not self._link.waiting_events:
            self._settle(now_s)

    def _obey(self, command: Any, now_s: float) -> Any:
        self._hidden = None
        return super()._obey(command, now_s)

    def _power_lost(self) -> None:
        self._hidden = None
        super()._power_lost()


@breaks("9.23", "value-display")
class IsSilentUntilTheQueueIsAtForty:
    """A threshold with a slack: set at 48 waiting events, and cleared below 40."""

    _is_full = False

    def _status(self) -> MarkersStatus:
        status: MarkersStatus = super()._status()
        waiting = self._link.waiting_events
        self._is_full = (self._is_full and waiting >= 40) or waiting >= EVENTS_LOCK
        if self._is_full and not status.host_silent:
            return replace(status, host_silent=True)
        return status


@breaks("10.7", "shuffler")
class JamsEnded65535IsAll:
    """The greatest number ends whatever jam there is."""

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        memory = self._memory
        if wanted.jams_ended == 65535 and memory.jammed and not memory.is_ended(65535):
            wanted = replace(wanted, jams_ended=memory.jams)
        return super()._end_jam(wanted, now_s)


@breaks("10.19", "shuffler")
class AnUnloadingEndsAtTheRelease:
    """An unloading runs out as many cards as the release of its `apply` permits."""

    _until: int | None = None

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        ahead = self._memory.owed(wanted.release_until) > 0
        self._until = wanted.release_until if wanted.unload and ahead else None
        return super()._apply(wanted, now_s)

    def _next_work(self) -> Any:
        work = super()._next_work()
        is_over = self._until is not None and self._memory.owed(self._until) <= 0
        return None if is_over and work is not None and work.name == "UNLOAD" else work


@breaks("10.22", "shuffler")
class ARecountThatFindsAnotherNumberEndsTheRest:
    """The rest of an `apply` is forgotten where its recount finds another number than was believed."""

    def _recount(self, now_s: float) -> None:
        memory, orders = self._memory, self._orders
        is_other = memory.inside != self.machine.inside
        had = orders.feed_open or orders.unload or memory.owed(orders.release_until) > 0
        if is_other and had and orders.recount_request is not None:
            request = orders.recount_request
            orders.lock(memory)
            orders.recount_request = request
        super()._recount(now_s)


@breaks("10.25", "shuffler")
class ARecountOutlivesARefusalForTheCounts:
    """A release that is refused with counts_unknown leaves a recount that was asked for before."""

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        request = self._orders.recount_request
        result = super()._apply(wanted, now_s)
        if result == ShufflerResult.REFUSED_COUNTS_UNKNOWN and request is not None:
            self._orders.recount_request = request
        return result


@breaks("14.2", "slots")
class AChipBeforeTheFirstSessionIsNotTold:
    """A change between a start and the first session is in the status, and no event."""

    def _update(self, now_s: float) -> None:
        if not self._link.in_session and self._link._next_event > 1:
            status = self._status()
            told = (status.chips, status.broken, status.collections)
            if told != self._told:
                self._told = told
            return
        super()._update(now_s)


@breaks("14.5", "slots")
class CollectionZeroBehindZeroCollects:
    """An `apply` with the number 0 takes in the chips of its seats before the first collection."""

    def _apply(self, command: SlotsApply) -> None:
        super()._apply(command)
        if command.collection == 0 == self._collections and command.seats & self._lying:
            self._take_in(command.seats)


@breaks("18.1", "slots")
class AHelloThatIsDeniedCommits(PairableLink):
    """The committed number of a HELLO is taken before its tag is looked at."""

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if self._key is not None and not self._is_of_the_pair(header, payload) and len(payload) >= 10:
            hello = rows.HELLO_LAYOUT.decode(payload[:10])
            if hello.committed_boot == self._boot and hello.committed_number < self._next_event:
                self._forget_through(hello.committed_number)
        super()._greet(header, payload, now_s)


@breaks("18.10", "display")
class NoSessionHasNoTagBeforeTheFirstHello(PairableLink):
    """The key is read with the first HELLO of a boot: before it NO_SESSION has no tag."""

    _is_read = False

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._is_read = True

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if kind is FrameKind.NO_SESSION and key is not None and not self._is_read:
            key = None
        super()._deny(kind, opening, now_s, key)


@breaks("18.15", "value-display")
class AProvenSessionEndsTheAnswersToPair(PairableLink):
    """The same PAIR is answered by nothing behind the first session with the new key."""

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        if self._key is not None and self._paired_by is not None:
            self._paired_by = None
