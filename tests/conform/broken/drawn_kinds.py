"""Broken shufflers, shoes, displays and slots (sections 9 to 14), written from the text alone."""

from struct import pack, unpack
from typing import Any

from msgspec import structs

from firmware_protocols.cards import UNREAD
from firmware_protocols.tdp.common import Query
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.shoe import ShoeApply, ShoeResult
from firmware_protocols.tdp.shuffler import LidClosed, LidOpened, ShufflerApply, ShufflerResult
from firmware_protocols.tdp.slots import SlotsApply
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.others import Shown
from tests.conform.broken.shufflers import Silent, Told
from tests.conform.broken.table import breaks


@breaks("10.20", "shuffler")
class ServesNewerRecountsAlone(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        is_older = command.recount_request < self._memory.recounts
        return structs.replace(command, recount_request=self._memory.recounts) if is_older else command


@breaks("10.8", "shuffler")
class TheEndOfAJamPutsTheLampOut:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._memory.jammed
        result = super()._apply(wanted, now_s)
        if was and not self._memory.jammed:
            self._memory.lamp = False
        return result


@breaks("10.11", "shuffler")
class ALidIsSaidBeforeAJam:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        result = super()._refusal_to_move(wanted)
        return ShufflerResult.REFUSED_LID_OPEN if result and self.machine.lid_open else result


@breaks("10.4", "shuffler")
class ALidIsSaidBeforeThePath:
    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._end_jam(wanted, now_s)
        return ShufflerResult.REFUSED_LID_OPEN if result and self.machine.lid_open else result


@breaks("10.27", "shuffler")
class ASecondJamInALatchedOneHasNoNumber:
    def _jam(self, stuck: Any, now_s: float) -> None:
        if self._memory.jammed:
            self._memory.jams -= 1
        super()._jam(stuck, now_s)


@breaks("10.6", "shuffler")
class AnEndedJamComesBackWithThePower:
    _latched = False

    def _jam(self, stuck: Any, now_s: float) -> None:
        super()._jam(stuck, now_s)
        self._latched = True

    def _power_lost(self) -> None:
        super()._power_lost()
        self._memory.jammed = self._latched


@breaks("9.5", "shuffler")
class LosesTheNumberOfItsRecount:
    def _power_lost(self) -> None:
        super()._power_lost()
        self._memory.recounts = 0


@breaks("10.13", "shuffler")
class FeedsAt48:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        result = super()._refusal_to_move(wanted)
        return None if result is ShufflerResult.REFUSED_HOST_SILENT and wanted.feed_open else result


@breaks("10.15", "shuffler")
class EndsAJamOrMoves:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._memory.jammed
        result = super()._apply(wanted, now_s)
        if was and not result and (wanted.feed_open or wanted.unload or self._memory.owed(wanted.release_until) > 0):
            self._lock_down()
            return ShufflerResult.REFUSED_JAMMED
        return result


@breaks("5.11", "shuffler")
class AQueryTakesARecountBack:
    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, Query):
            self._orders.recount_request = None
        return super()._obey(command, now_s)


@breaks("5.11", "shuffler")
class AQueryEndsAnUnloading:
    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, Query):
            self._orders.unload = False
        return super()._obey(command, now_s)


@breaks("10.22", "shuffler")
class ARecountEndsAFeed:
    def _recount(self, now_s: float) -> None:
        super()._recount(now_s)
        self._orders.feed_open = False


@breaks("10.22", "shuffler")
class ARecountEndsARelease:
    def _recount(self, now_s: float) -> None:
        super()._recount(now_s)
        self._orders.release_until = self._memory.cards_out


@breaks("10.33", "shuffler")
class TellsNoLidInAJam(Silent):
    def _post(self, event: Any, now_s: float) -> None:
        if not (self._memory.jammed and isinstance(event, LidOpened | LidClosed)):
            super()._post(event, now_s)


@breaks("10.15", "shuffler")
class AJamRefusesALockToo:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        return ShufflerResult.REFUSED_JAMMED if self._memory.jammed and not result else result


@breaks("9.22", "shuffler")
class TheLampOfARefusalAt48IsNotDone:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._memory.lamp
        result = super()._apply(wanted, now_s)
        if result is ShufflerResult.REFUSED_HOST_SILENT:
            self._memory.lamp = was
        return result


@breaks("10.13", "shuffler")
class RefusesALampAt48:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        return super()._apply(wanted, now_s) or (ShufflerResult.REFUSED_HOST_SILENT if self._link.must_lock else 0)


@breaks("10.18", "shuffler")
class AFeedEndsWithTheHopper:
    def _update(self, now_s: float) -> None:
        if self._orders.feed_open and not self.machine.hopper and self._has_fed:
            self._orders.feed_open = False
        super()._update(now_s)

    _has_fed = False

    def _count(self, work: Work, motion: Any, now_s: float) -> None:
        self._has_fed = work is Work.FEED
        super()._count(work, motion, now_s)


@breaks("10.18", "shuffler")
class AFeedOfNothingIsNoFeed(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        return command if self.machine.hopper else structs.replace(command, feed_open=False)


@breaks("10.19", "shuffler")
class AnUnloadingEndsWithTheCards:
    def _update(self, now_s: float) -> None:
        if self._orders.unload and not self.machine.inside:
            self._orders.unload = False
        super()._update(now_s)


@breaks("10.21", "shuffler")
class FeedsInARecount:
    def _next_work(self) -> Any:
        work = super()._next_work()
        if work is Work.RECOUNT and self._orders.feed_open and self.machine.can_feed:
            return Work.FEED
        return work


@breaks("9.13", "shuffler")
class UnloadsOnAt48:
    def _lock_down(self) -> None:
        kept = self._orders.unload
        super()._lock_down()
        if self._link.must_lock and not self._link.host_silent:
            self._orders.unload = kept


@breaks("10.15", "shuffler")
class AReleaseIsAtMostFour(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        most = (self._memory.cards_out + 4) % 2**32
        return structs.replace(command, release_until=most) if self._owed(command) > 4 else command


@breaks("10.16", "shuffler")
class AReleaseIsACountOfOneByte(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        owed = self._owed(command)
        until = (self._memory.cards_out + owed % 256) % 2**32
        return structs.replace(command, release_until=until) if owed > 255 else command


@breaks("10.17", "shuffler")
class ComparesCountsPlainly(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        is_larger = command.release_until > self._memory.cards_out
        if is_larger and self._owed(command) <= 0 and not self._memory.jammed:
            return structs.replace(command, release_until=(self._memory.cards_out + 1) % 2**32)
        return command


@breaks("9.19", "shuffler")
class TheLampOfAnEndedJamComesBackWithThePower:
    _was_jammed = False

    def _jam(self, stuck: Any, now_s: float) -> None:
        super()._jam(stuck, now_s)
        self._was_jammed = True

    def _power_lost(self) -> None:
        super()._power_lost()
        self._memory.lamp = self._memory.lamp or self._was_jammed


@breaks("10.7", "shuffler")
class AJamEndedBeforeItIsKept(Told):
    """The highest number of jams_ended ends also a jam that comes later."""

    _word = 0

    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        if 0 < (command.jams_ended - self._memory.jams) % 2**16 < 2**15:
            self._word = command.jams_ended
        if self._word and self._memory.jammed and (self._word - self._memory.jams) % 2**16 < 2**15:
            return structs.replace(command, jams_ended=self._word)
        return command


@breaks("9.15", "shuffler")
class ALidThatIsOpenedInAFeedAloneWithdraws:
    def _look_at_sensors(self, now_s: float) -> None:
        kept = self._orders.unload
        opens = self.machine.lid_open and not self._seen_lid_open
        super()._look_at_sensors(now_s)
        if opens:
            self._orders.unload = kept


# --- shoe


@breaks("11.10", "shoe")
class TheFirstCardOfAnErrorAloneIsUnread:
    _unread = 0

    def _read(self, card: Any) -> int:
        if self._error is None:
            self._unread = 0
            return super()._read(card)
        self._unread += 1
        if self._unread < 2:
            return UNREAD
        kept, self._error = self._error, None
        read = super()._read(card)
        self._error = kept
        return read


@breaks("11.9", "shoe")
class TellsItsFirstErrorAlone:
    _has_told = False

    def raise_error(self, code: int, now_s: float) -> None:
        if self._has_told and self._error is None:
            self._error = code
            self._settle(now_s)
        else:
            self._has_told = True
            super().raise_error(code, now_s)


@breaks("11.3", "shoe")
class RefusesToUnlockUntilASession:
    _was_full = False

    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._was_full = False
        super()._hear(happened, now_s)

    def _obey(self, command: Any, now_s: float) -> Any:
        self._was_full = self._was_full or self._link.waiting_events >= 48
        if isinstance(command, ShoeApply) and not command.locked and self._was_full:
            self._locked = True
            return ShoeResult.REFUSED_HOST_SILENT
        return super()._obey(command, now_s)


@breaks("11.9", "shoe")
class AnErrorEndsWithASession:
    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._error = None
        super()._hear(happened, now_s)


@breaks("9.17", "shoe")
class AnErrorThatIsClearedUnlocks:
    def clear_error(self, now_s: float) -> None:
        if self._error is not None and not self._link.must_lock:
            self._locked = False
        super().clear_error(now_s)


@breaks("5.10", "shoe")
class TheFirstCardBehindALockPasses:
    _grace = 0

    def _obey(self, command: Any, now_s: float) -> Any:
        was = self._locked
        result = super()._obey(command, now_s)
        self._grace = int(self._locked and not was)
        return result

    @property
    def is_free(self) -> bool:
        if super().is_free:
            return True
        grace, self._grace = self._grace, 0
        return bool(grace)


@breaks("9.5", "shoe")
class StoresEachFourthCard:
    def _power_lost(self) -> None:
        super()._power_lost()
        self._passages -= self._passages % 4


# --- displays


@breaks("12.1", "display")
class CountsCentsInAFloat(Shown):
    def _changed(self, command: Any) -> Any:
        [cents] = unpack("<f", pack("<f", command.cents))
        return structs.replace(command, cents=int(cents)) if command.cents < 10**13 else command


@breaks("9.17", "display")
class TheAmountOf48IsShownLater:
    _later: Any = None

    def _show(self, wanted: Any, now_s: float) -> None:
        self._later = wanted if self._link.must_lock and not wanted.fault else None
        super()._show(wanted, now_s)

    def _settle(self, now_s: float) -> None:
        if self._later is not None and not self._link.must_lock:
            self._picture, self._later = self._later, None
        super()._settle(now_s)


@breaks("12.2", "display")
class ASessionShowsTheAmountUntilACommand:
    _fresh = False

    def _hear(self, happened: Any, now_s: float) -> None:
        kept = self._picture
        super()._hear(happened, now_s)
        if type(happened).__name__ == "SessionOpened" and not self._link.must_lock:
            self._picture = kept


@breaks("12.1", "display")
class ZeroIsNoAmount(Shown):
    def _changed(self, command: Any) -> Any:
        is_zero = isinstance(command, DisplayApply) and command.cents == 0
        return structs.replace(command, cents=self._picture.cents) if is_zero else command


@breaks("12.1", "display")
class AFaultPictureIsReadBackAsNothing:
    def _status(self) -> Any:
        status = super()._status()
        return structs.replace(status, shown_cents=0) if status.fault_shown else status


@breaks("13.4", "value-display")
class ASilenceBlanksTurquoise:
    def _lock_down(self) -> None:
        if self._link.host_silent and self._link.in_session:
            self._picture = structs.replace(self._picture, turquoise=0)


@breaks("13.4", "value-display")
class ALongSilenceBlanksTheMarkers:
    _silent_s: float | None = None

    def _settle(self, now_s: float) -> None:
        super()._settle(now_s)
        silent = self._link.host_silent and self._link.in_session
        self._silent_s = (self._silent_s or now_s) if silent else None

    def receive_data(self, data: bytes, now_s: float) -> None:
        if self._silent_s is not None and now_s - self._silent_s > 3.0:
            self._picture = self._blank
        super().receive_data(data, now_s)


@breaks("13.3", "value-display")
class KeepsTurquoiseOverAStart:
    def _power_lost(self) -> None:
        kept = self._picture.turquoise
        super()._power_lost()
        self._picture = structs.replace(self._picture, turquoise=kept)


@breaks("13.5", "value-display")
class TheMarkersOf48AreShownLater:
    _later: Any = None

    def _obey(self, command: Any, now_s: float) -> Any:
        if hasattr(command, "red"):
            self._later = command if self._link.must_lock else None
        return super()._obey(command, now_s)

    def _settle(self, now_s: float) -> None:
        if self._later is not None and not self._link.must_lock:
            self._picture, self._later = self._later, None
        super()._settle(now_s)


@breaks("13.1", "value-display")
class PinkIsPurple(Shown):
    def _changed(self, command: Any) -> Any:
        return structs.replace(command, pink=command.purple, purple=command.pink)


@breaks("13.1", "value-display")
class LeavesABlankMarkerAsItWas(Shown):
    def _changed(self, command: Any) -> Any:
        zeros = {name: getattr(self._picture, name) for name in ("blue", "green") if not getattr(command, name)}
        return structs.replace(command, **zeros)


# --- slots


@breaks("14.7")
class BlinksOnOverAStart:
    def _power_lost(self) -> None:
        self._lit = 0


@breaks("14.8")
class ASessionEndsTheBlinking:
    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._blinking = 0
        super()._hear(happened, now_s)


@breaks("14.8")
class SilenceEndsTheBlinking:
    def _lock_down(self) -> None:
        if self._link.host_silent and self._link.in_session:
            self._blinking = 0


@breaks("14.6")
class TheLampsOfACollectionAreNotLit:
    def _apply(self, command: SlotsApply) -> None:
        if command.collection == (self._collections + 1) % 2**16:
            command = structs.replace(command, lit=self._lit, blinking=self._blinking)
        super()._apply(command)


@breaks("14.6")
class LampsAreLitByACollectionAlone:
    def _apply(self, command: SlotsApply) -> None:
        if command.collection != (self._collections + 1) % 2**16:
            command = structs.replace(command, lit=self._lit, blinking=self._blinking)
        super()._apply(command)


@breaks("14.9")
class WhatWasSaidAt48IsDoneLater:
    _later: Any = None

    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, SlotsApply):
            self._later = command if self._link.must_lock else None
        return super()._obey(command, now_s)

    def _settle(self, now_s: float) -> None:
        if self._later is not None and not self._link.must_lock:
            later, self._later = self._later, None
            self._apply(later)
        super()._settle(now_s)


@breaks("14.9")
class CollectsAt48:
    def _obey(self, command: Any, now_s: float) -> Any:
        due = (self._collections + 1) % 2**16
        if isinstance(command, SlotsApply) and self._link.must_lock and command.collection == due:
            self._collections = due
        return super()._obey(command, now_s)


@breaks("14.3")
class StoresEachSecondCollection:
    def _power_lost(self) -> None:
        super()._power_lost()
        self._collections -= self._collections % 2


@breaks("14.4")
class ACollectionIsAByte:
    def _apply(self, command: SlotsApply) -> None:
        super()._apply(command)
        self._collections %= 256


@breaks("14.4")
class ACollectionOfNoChipIsNone:
    def _apply(self, command: SlotsApply) -> None:
        was = self._collections
        empty = not (self._lying & command.seats)
        super()._apply(command)
        if empty:
            self._collections = was


@breaks("14.5")
class ACollectionIsMadeAgainBehindAStart:
    _again = False

    def _power_lost(self) -> None:
        super()._power_lost()
        self._again = True

    def _apply(self, command: SlotsApply) -> None:
        if self._again and command.collection == self._collections and command.seats:
            self._take_in(command.seats)
        self._again = False
        super()._apply(command)


@breaks("14.2")
class AChipThatIsTakenOutIsNotTold:
    def _update(self, now_s: float) -> None:
        status = self._status()
        told = (status.chips, status.broken, status.collections)
        if told[1:] == self._told[1:] and status.chips & self._told[0] == status.chips:
            self._told = told
        super()._update(now_s)


@breaks("14.6")
class KnowsEightSeats(Shown):
    def _changed(self, command: Any) -> Any:
        return structs.replace(command, seats=command.seats & 0xFF, lit=command.lit & 0xFF)
