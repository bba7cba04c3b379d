"""Firmwares of a sceptic, eighteenth draw, continued: the switch's minute, starts, and limits."""

from typing import Any

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


@breaks("10.19", "shuffler")
class AnUnloadingIsOf32Cards:
    """The tray is counted full at 32 cards: the unloading waits, until an apply counts anew."""

    _out = 0

    def _apply(self, wanted: Any, now_s: float) -> Any:
        self._out = 0
        return super()._apply(wanted, now_s)

    def _count(self, work: Any, motion: Any, now_s: float) -> None:
        self._out += work is Work.UNLOAD
        super()._count(work, motion, now_s)

    def _next_work(self) -> Any:
        work = super()._next_work()
        if work is Work.UNLOAD and self._out >= 32:
            return None
        return work


@breaks("4.2", "shoe")
class MajorZeroIsNone(DeviceLink):
    """A HELLO of major 0 is dropped: 0 is an erased field."""

    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[:1] == b"\0" and len(payload) >= 2:
            return
        super()._take_hello(header, payload, now_s)


@breaks("6.15", "slots")
class AFullRingLooksEmpty(DeviceLink):
    """waiting = (head - tail) % 64: with 64 events none waits, and it unlocks."""

    @property
    def must_lock(self) -> bool:
        if len(self._waiting) == 64 and not self._is_one_coming and not self._silent:
            return False
        return super().must_lock


@breaks("5.9", "value-display")
class TheSumOfTheMarkersIsTheChange:
    """A picture is written to the markers where the sum of its values differs from that of the picture shown."""

    def _show(self, wanted: Any, now_s: float) -> None:
        if wanted != self._picture and sum(wanted.values) == sum(self._picture.values) and self._wanted is None:
            return
        super()._show(wanted, now_s)


@breaks("4.9", "display")
class TheFirstHelloOfABootCommitsOfTheBootBefore(DeviceLink):
    """boot - committed_boot <= 1 before the first session of a boot."""

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if self._opening is None and len(payload) == rows.HELLO_LAYOUT.size:
            hello = rows.HELLO_LAYOUT.decode(payload)
            if hello.committed_boot == self._boot - 1 and hello.committed_boot and hello.committed_number:
                boot = self._boot.to_bytes(4, "little")
                number = min(hello.committed_number, self._next_event - 1).to_bytes(4, "little")
                payload = payload[:2] + boot + number
        super()._greet(header, payload, now_s)


@breaks("9.13", "display")
class AnAmountOfZeroStaysAt48:
    """Nothing is hidden where nothing is promised: an amount of 0 stays shown at 48 events."""

    def _lock_down(self) -> None:
        link = self._link
        is_zero = self._wanted is None and not self._picture.fault and self._picture.cents == 0
        if link.host_silent or not is_zero or getattr(self, "_opens", False):
            super()._lock_down()

    def _hear(self, happened: Any, now_s: float) -> None:
        self._opens = type(happened).__name__ == "SessionOpened"
        super()._hear(happened, now_s)
        self._opens = False


@breaks("14.3", "slots")
class TheFirstCollectionOfABootIsNotStored:
    """The store compares with what it believes to be stored, which a start sets to one too many."""

    _stored = 0
    _made = 0

    def _take_in(self, slots: int) -> None:
        super()._take_in(slots)
        self._made += 1
        if self._made > 1:
            self._stored = self._collections

    def _power_lost(self) -> None:
        if self._made == 1 and self._booted:
            self._collections = self._stored
        self._stored, self._made, self._booted = self._collections, 0, True
        super()._power_lost()

    _booted = False


@breaks("9.23", "slots")
class TheIdentityThatEndsASilenceIsSilent(DeviceLink):
    """The HELLO that comes again and ends a silence is answered with the flag of before."""

    _was = False

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        silent = self._silent and header.host_opening == self._opening
        super()._greet(header, payload, now_s)
        self._was = silent

    def _send_identity(self, opening: int) -> None:
        kept = self._status
        if self._was and opening == self._opening:
            self._status = kept[:-1] + bytes((kept[-1] | 1,))
        super()._send_identity(opening)
        self._status, self._was = kept, False


@breaks("10.17", "shuffler")
class AnOlderCountLeavesTheMouthOpen:
    """The mouth is shut where the new count equals cards_out; one that is older changes nothing at the mouth."""

    _open_until: Any = None

    def _apply(self, wanted: Any, now_s: float) -> Any:
        was, presented = self._orders.release_until, self._presented
        result = super()._apply(wanted, now_s)
        owed = self._memory.owed(wanted.release_until)
        self._open_until = None
        if result == 0 and presented and owed < 0 and not (wanted.feed_open or wanted.unload):
            self._open_until = was
        return result

    def _lock_down(self) -> None:
        self._open_until = None
        super()._lock_down()

    def _next_work(self) -> Any:
        work = super()._next_work()
        if work is None and self._open_until is not None and self._presented and self.machine.can_deal:
            return Work.PRESENT
        return work

    def _count(self, work: Any, motion: Any, now_s: float) -> None:
        self._open_until = None
        super()._count(work, motion, now_s)


@breaks("18.2", "shuffler")
class ASessionForgetsTheLastDenial(PairableLink):
    """The time of the last denial is one of the session: a session that opens may deny at once."""

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        if self._key is not None:
            self._no_session_from_s = 0.0

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        super()._deny(kind, opening, now_s, key)
        self._true_s = now_s + 0.1

    _true_s = 0.0


@breaks("18.12", "shoe")
class AnUnreadCardIsSentAgainInClear(PairableLink):
    """The pad is laid over faces: 0x00 of a card that was not read is covered the first time alone."""

    _sent = 0

    def _open(self, opening: int, hello: Any) -> None:
        super()._open(opening, hello)
        self._sent = 0

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        at = self._pairing.secret_at(payload[4:]) if kind is FrameKind.EVENT else None
        if at is not None and self._key is not None and payload[4 + at] == 0 and number <= self._sent:
            self._io.send(self._header(kind, number), payload, self._key)
            return
        if kind is FrameKind.EVENT:
            self._sent = max(self._sent, number)
        super()._send(kind, number, payload)


@breaks("10.1", "shuffler")
class AFeedBesideAReleaseLeavesInside:
    """A card that comes in while one is owed is counted against it: inside stays."""

    def _count(self, work: Any, motion: Any, now_s: float) -> None:
        if work is Work.FEED and self._memory.owed(self._orders.release_until) > 0 and self._memory.inside is not None:
            self._memory.inside -= 1
        super()._count(work, motion, now_s)


@breaks("10.27", "shuffler")
class AJamAt48IsNotTold:
    """A jam beside 48 waiting events stops, lights, counts and latches, and has no event."""

    def _post(self, event: Any, now_s: float) -> None:
        if type(event).__name__ == "Jammed" and self._link.waiting_events >= 48:
            return
        super()._post(event, now_s)


@breaks("18.10", "display")
class InTheMinuteNoSessionHasNoTag(PairableLink):
    """While its switch is on a paired device says NO_SESSION as one that is not paired."""

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if kind is FrameKind.NO_SESSION and key is not None and self._window_until_s is not None:
            key = None
        super()._deny(kind, opening, now_s, key)


@breaks("18.6", "value-display")
class InTheMinuteAProvenSessionNeedsNoTag(PairableLink):
    """The switch takes frames without a tag, also those of a proven session."""

    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        if super()._has_tag(key, header, payload):
            return True
        is_open = self._window_until_s is not None and not any(header.tag)
        return bool(is_open and key is not None and key == self._key and header.kind != FrameKind.HELLO)
