"""The sixteenth draw, second part: more by the same author, who had not yet read any check."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.errors import FrameError
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.common import Query
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header, SessionOpened, body_of, is_newer
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import tag_of
from firmware_protocols.tdp.shoe import CardPassed
from firmware_protocols.tdp.shuffler import CardIn, ShufflerApply, ShufflerResult
from firmware_protocols.tdp.slots import SlotsApply
from simulators.devices.firmware import BAD_COMMAND, Power
from tests.conform.broken.table import breaks


@breaks("13.1", "value-display")
class AProvenAnswerSaysWhatWasTold:
    link_type = PairableLink
    _is_answering = False

    def _status(self) -> Any:
        status, link = super()._status(), self._link
        if self._is_answering and link._key is not None and self._wanted is not None:
            return type(status)(*self._wanted.values, status.host_silent)
        return status

    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        try:
            result = self._obey(self._schema.decode_command(payload), now_s)
        except FrameError:
            result = BAD_COMMAND
        self._is_answering = True
        block = self._schema.encode_status(self._status())
        self._is_answering, self._shown = False, None
        self._link.answer(number, result, block)


class _KnowsSlowHosts(DeviceLink):
    slow_s: float | None = None
    _now_s = 0.0

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._now_s = now_s
        super()._receive(header, payload, now_s)

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        begun_s = self._now_s if self.slow_s is None else self.slow_s
        self.slow_s = begun_s if payload == b"\1" else None

    def _take_ack(self, number: int, payload: bytes) -> None:
        super()._take_ack(number, payload)
        self.slow_s = None


@breaks("7.5", "shoe")
class ASlowDiskOfThreeSecondsLocks:
    link_type = _KnowsSlowHosts

    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        slow_s = self._link.slow_s
        if slow_s is not None and now_s - slow_s >= 3.0 and self._link.waiting_events:
            self._locked = True
            self._settle(now_s)


@breaks("18.15", "display")
class AThirdPairIsAnsweredByNothing(PairableLink):
    _answered: tuple[int, int] = (0, 0)

    def _say_paired(self, header: Header) -> None:
        of, times = self._answered
        self._answered = (header.host_opening, times + 1 if of == header.host_opening else 1)
        if self._answered[1] <= 2:
            super()._say_paired(header)


@breaks("7.2", "value-display")
class ADroppedHeartbeatHasUsedItsNumber(DeviceLink):
    _used: int | None = None

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if payload not in (b"\0", b"\1"):
            self._used = number
        elif number == self._used:
            return
        super()._take_heartbeat(number, payload)


@breaks("5.5", "display")
class TheSecondOtherPayloadIsExecuted(DeviceLink):
    _kept = b""
    _others = 0

    def _take_command(self, number: int, payload: bytes) -> None:
        if number == self._command + 1:
            self._kept, self._others = payload, 0
        elif number == self._command and payload != self._kept and self._result is not None:
            self._others += 1
            self._command -= self._others == 2
            self._kept = payload if self._others == 2 else self._kept
        super()._take_command(number, payload)


@breaks("2.8")
class SaysInClearThatAnEventIsGone(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        gone = self.stats.events_discarded
        number = super().post_event(payload, now_s)
        if self.stats.events_discarded > gone:
            self._io.unsent += b"event queue full\r\n"
        return number


@breaks("5.9")
class AnApplyAsBeforeTheStartIsNotDone:
    """An apply like the last one is not done, and the last one is kept over a start."""

    _last: SlotsApply | None = None

    def _apply(self, command: SlotsApply) -> None:
        if command != self._last:
            self._last = command
            super()._apply(command)


@breaks("13.4", "value-display")
class ASessionBehind48EventsBlanks:
    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened) and self._link.waiting_events >= 48:
            self._picture = self._blank
        super()._hear(happened, now_s)


@breaks("5.7")
class AQueryAt48HasTheResultOfAShoe:
    def _obey(self, command: Any, now_s: float) -> Any:
        result = super()._obey(command, now_s)
        return 5 if isinstance(command, Query) and self._link.must_lock else result


@breaks("18.13", "shoe")
class TheMinuteIsOfTheFirstTurn(PairableLink):
    def allow_pairing(self, now_s: float) -> None:
        if self._window_until_s is None:
            super().allow_pairing(now_s)


@breaks("4.5", "shoe")
class With16EventsTheCommandsGoOn(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        was = self._command
        super()._open(opening, hello)
        self._command = was if len(self._waiting) >= 16 else 0


@breaks("10.14", "shuffler")
class AnUnloadingWithARecountIsRefusedWithoutCounts:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        refusal, memory = super()._refusal_to_move(wanted), self._memory
        is_both = wanted.unload and wanted.recount_request != memory.recounts
        if refusal is None and memory.counts_unknown and is_both:
            return ShufflerResult.REFUSED_COUNTS_UNKNOWN
        return refusal


@breaks("9.1", "value-display")
class ABootWithoutASessionHasNoNumber:
    def _come_back(self, now_s: float) -> None:
        link: Any = self._link
        self._boot -= self._power is Power.OFF and link._opening is None
        super()._come_back(now_s)


@breaks("13.2", "value-display")
class WhatStuckBeforeAStartIsNotToldAgain:
    _is_old = False

    def _power_lost(self) -> None:
        self._is_old = self._is_old or self._stuck_told
        super()._power_lost()

    def stick(self, now_s: float) -> None:
        super().stick(now_s)
        self._stuck_told, self._is_old = self._is_old, False


@breaks("11.2", "shoe")
class CountsAreKnownWithTheSecondStart:
    _starts = 0
    _counts_unknown = False

    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._starts = 0

    def _begin(self, now_s: float) -> None:
        self._starts += self._counts_unknown
        self._counts_unknown = self._counts_unknown and self._starts <= 2
        super()._begin(now_s)


@breaks("18.1")
class SevenBytesOfAHelloArePair(PairableLink):
    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        if header.kind == FrameKind.HELLO and key is not None and header.tag != NO_TAG:
            return tag_of(key, body_of(header, payload))[:7] == header.tag[:7]
        return super()._has_tag(key, header, payload)


@breaks("6.3", "shuffler")
class With16EventsACardInIsCountedAlone:
    def _post(self, event: Any, now_s: float) -> None:
        is_alone = self._link.waiting_events >= 16 and self._link._opening is not None
        if not (isinstance(event, CardIn) and is_alone):
            super()._post(event, now_s)


@breaks("10.11", "shuffler")
class ARecountAloneIsMadeWithAJam:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        refusal, memory, machine = super()._refusal_to_move(wanted), self._memory, self.machine
        moves = wanted.feed_open or wanted.unload or memory.owed(wanted.release_until) > 0
        is_free = not (moves or machine.path_blocked or machine.lid_open)
        return None if is_free and refusal is ShufflerResult.REFUSED_JAMMED else refusal


@breaks("6.12", "value-display")
class AnAckOf64Is63(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        is_whole = len(self._waiting) == 64 and number == self._next_event - 1
        super()._take_ack(number - is_whole, payload)


@breaks("4.12")
class AnotherMajorReadsNoModel(DeviceLink):
    def _say_who_it_is(self, opening: int) -> None:
        who, self._identity = self._identity, replace(self._identity, model="")
        super()._say_who_it_is(opening)
        self._identity = who


@breaks("6.3", "shoe")
class TheSecondCardOfASilenceIsNotTold:
    _cards = 0

    def _post(self, event: Any, now_s: float) -> None:
        link: Any = self._link
        is_silent = link._silent and link._opening is not None
        self._cards = self._cards + isinstance(event, CardPassed) if is_silent else 0
        if self._cards != 2 or not isinstance(event, CardPassed):
            super()._post(event, now_s)


@breaks("14.8")
class TheFirstSilenceBehindAStartPutsOut:
    _is_first = False

    def _power_lost(self) -> None:
        super()._power_lost()
        self._is_first = True

    def _lock_down(self) -> None:
        super()._lock_down()
        link: Any = self._link
        if self._is_first and link._silent and link._opening is not None:
            self._lit, self._is_first = 0, False


@breaks("9.26")
class APairedDeviceStartsWithItsSession:
    link_type = PairableLink
    _is_owed = False

    def _begin(self, now_s: float) -> None:
        self._is_owed = self.pairing.key is not None
        if self._is_owed:
            self._settle(now_s)
        else:
            super()._begin(now_s)

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened) and self._is_owed:
            self._is_owed = False
            super()._begin(now_s)
        super()._hear(happened, now_s)


@breaks("12.1", "display")
class AProvenStatusIsWhatWasTold:
    link_type = PairableLink

    def _status(self) -> Any:
        status = super()._status()
        is_proven = getattr(self._link, "_key", None) is not None
        return replace(status, shown_cents=self._wanted.cents) if is_proven and self._wanted is not None else status


@breaks("2.3", "value-display")
class AZeroWithTheNextFrameClosesNothing(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        if data[:1] == b"\0" and len(data) > 2:
            self._io._decoder._held.clear()
        super().receive_data(data, now_s)


@breaks("4.7", "display")
class AnOlderOpeningGetsInBySayingItFor2S(DeviceLink):
    _said: tuple[int | None, float] = (None, 0.0)

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        opening = header.host_opening
        is_ours = self._opening is None or opening == self._opening
        if not (is_ours or self._silent or is_newer(opening, self._opening or 0)):
            was, since_s = self._said
            self._silent = was == opening and now_s - since_s >= 2.0
            self._said = (opening, since_s if was == opening else now_s)
        super()._greet(header, payload, now_s)


@breaks("4.1")
class FourHellosOfAReadAreAnswered(DeviceLink):
    def data_to_send(self) -> bytes:
        self._also_greeted = self._also_greeted[-3:]
        return super().data_to_send()
