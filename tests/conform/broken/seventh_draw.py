"""The seventh draw of broken firmwares, of every kind: for numbers drawn by lot, after the kit had found all of the
sixth.
"""

from typing import Any

from msgspec import structs

from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.shuffler import LidClosed, LidOpened, ShufflerApply, ShufflerResult
from tests.conform.broken.shufflers import Says, Told
from tests.conform.broken.table import breaks


@breaks("10.4", "shuffler")
class APathBlockedAtAStartIsNotInTheWay:
    _was_blocked = False

    def _begin(self, now_s: float) -> None:
        super()._begin(now_s)
        self._was_blocked = self.machine.path_blocked

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._end_jam(wanted, now_s)
        self._was_blocked = self._was_blocked and self.machine.path_blocked
        if result is not ShufflerResult.REFUSED_PATH_BLOCKED or not self._was_blocked:
            return result
        self._memory.jammed = False
        return None


@breaks("5.6", "display")
class TheSecondBadCommandInARowIsNotAnswered(DeviceLink):
    _was_bad = False

    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        is_bad, self._was_bad = self._was_bad and result == 1, result == 1
        if is_bad:
            self._was_bad = False
            self._status, self._result = status_payload, result
        else:
            super().answer(number, result, status_payload)


@breaks("6.4", "shuffler")
class AnEventOfAJamIsSentAgainWithoutIt(DeviceLink):
    def _send_again(self, now_s: float) -> None:
        if not self._status[18] & 8:
            for place, (number, payload) in enumerate(self._waiting):
                if payload[0] in (8, 9) and payload[19] & 8:
                    self._waiting[place] = (number, payload[:19] + bytes((payload[19] & ~8,)) + payload[20:])
        super()._send_again(now_s)


@breaks("9.19", "shuffler")
class ALampLitUnderAnOpenLidIsNotStored:
    _stored = False

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        if not self.machine.lid_open:
            self._stored = self._memory.lamp
        return result

    def _power_lost(self) -> None:
        super()._power_lost()
        self._memory.lamp = self._stored


@breaks("5.7", "shuffler")
class TheEndOfAJamHasAResultOfItsOwn:
    def _obey(self, command: Any, now_s: float) -> Any:
        was = self._memory.jammed
        result = super()._obey(command, now_s)
        return 7 if was and not self._memory.jammed and not result else result


@breaks("10.8", "shuffler")
class TheLampSticksAfterSixtyChangesOfABoot(Told):
    _changes = 0

    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        self._changes += command.lamp is not self._memory.lamp
        return structs.replace(command, lamp=self._memory.lamp) if self._changes > 60 else command

    def _power_lost(self) -> None:
        self._changes = 0
        super()._power_lost()


@breaks("9.13", "shoe")
class FortyEightEventsWithdrawOnceInABoot:
    _times = 0
    _is_full = False

    def _lock_down(self) -> None:
        is_full = self._link.must_lock and not self._link.host_silent
        self._times += is_full and not self._is_full
        self._is_full = is_full
        was = self._locked
        super()._lock_down()
        if is_full and self._times > 1:
            self._locked = was

    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        self._is_full = self._is_full and self._link.must_lock

    def _begin(self, now_s: float) -> None:
        self._times = 0
        super()._begin(now_s)


@breaks("10.33", "shuffler")
class TheFifthLidIsNotTold:
    _lids = 0

    def _post(self, event: Any, now_s: float) -> None:
        self._lids += isinstance(event, LidOpened)
        if self._lids % 5 or not isinstance(event, LidOpened | LidClosed):
            super()._post(event, now_s)


@breaks("10.29", "shuffler")
class TheSecondLidOfAJamEndsIt:
    _lids = 0

    def _post(self, event: Any, now_s: float) -> None:
        self._lids = self._lids + isinstance(event, LidClosed) if self._memory.jammed else 0
        if self._lids == 2:
            self._lids, self._memory.jammed = 0, False
        super()._post(event, now_s)


@breaks("7.8", "display")
class ACommandThatEndsASilenceGivesBack:
    _kept: Any = None
    _woke = False

    def _lock_down(self) -> None:
        if self._link.host_silent and self._link.in_session and not self._picture.fault:
            self._kept = self._picture
        super()._lock_down()

    def receive_data(self, data: bytes, now_s: float) -> None:
        self._woke = self._link.host_silent and self._link.in_session
        super().receive_data(data, now_s)

    def _obey(self, command: Any, now_s: float) -> Any:
        if self._woke and self._kept is not None:
            self._picture = self._kept
        self._kept, self._woke = None, False
        return super()._obey(command, now_s)


@breaks("9.21", "shuffler")
class FortyEightEventsLeaveTheMouthOpen(Says):
    _was_open = False

    def _changed_status(self, status: Any) -> Any:
        is_full = status.host_silent and not self._link.host_silent
        if not is_full:
            self._was_open = status.mouth_open
        return structs.replace(status, mouth_open=True) if is_full and self._was_open else status


@breaks("6.12", "shoe")
class TheSecondAckOfAReadIsLost(DeviceLink):
    _acks = 0

    def receive_data(self, data: bytes, now_s: float) -> None:
        self._acks = 0
        super().receive_data(data, now_s)

    def _take_ack(self, number: int, payload: bytes) -> None:
        self._acks += 1
        if self._acks == 1:
            super()._take_ack(number, payload)
