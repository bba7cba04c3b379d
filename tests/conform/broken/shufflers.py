"""Firmwares that break sections 9 and 10: shufflers."""

from typing import Any

from msgspec import structs

from firmware_protocols.tdp.shuffler import (
    CardIn,
    CardOut,
    JamEnded,
    Jammed,
    LidClosed,
    LidOpened,
    PathCleared,
    Recounted,
    ShufflerApply,
    ShufflerResult,
)
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


class Told:
    """`apply` has another effect in this firmware."""

    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, ShufflerApply):
            command = self._changed(command)
        return super()._obey(command, now_s)

    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        return command

    def _owed(self, command: ShufflerApply) -> int:
        return self._memory.owed(command.release_until)


class Says:
    """The device sends a wrong status."""

    def _status(self) -> Any:
        return self._changed_status(super()._status())

    def _changed_status(self, status: Any) -> Any:
        return status


class Silent:
    """The device does not send some events."""

    untold: tuple[type, ...] = ()

    def _post(self, event: Any, now_s: float) -> None:
        if not isinstance(event, self.untold):
            super()._post(event, now_s)


@breaks("9.12", "shuffler")
class AReleaseSurvivesSilence:
    def _lock_down(self) -> None:
        orders = self._orders
        kept = orders.release_until, orders.feed_open, orders.unload
        super()._lock_down()
        if self._link.host_silent and self._link.in_session:
            orders.release_until, orders.feed_open, orders.unload = kept


@breaks("9.12", "shuffler")
class OnlyAReleaseSurvivesSilence:
    def _lock_down(self) -> None:
        kept = self._orders.release_until
        super()._lock_down()
        if self._link.host_silent and self._link.in_session:
            self._orders.release_until = kept


@breaks("9.14", "shuffler")
class AJamWithdrawsNothing:
    def _jam(self, stuck: Any, now_s: float) -> None:
        kept = structs_of(self._orders)
        super()._jam(stuck, now_s)
        self._orders.feed_open = kept[1]


def structs_of(orders: Any) -> tuple[int, bool, bool]:
    return orders.release_until, orders.feed_open, orders.unload


@breaks("9.15", "shuffler")
class TheLidWithdrawsNothing:
    def _look_at_sensors(self, now_s: float) -> None:
        kept = structs_of(self._orders)
        super()._look_at_sensors(now_s)
        self._orders.release_until, self._orders.feed_open, self._orders.unload = kept


@breaks("9.17", "shuffler")
class AClosedLidGivesBack:
    _kept: tuple[int, bool, bool] | None = None

    def _look_at_sensors(self, now_s: float) -> None:
        opens = self.machine.lid_open and not self._seen_lid_open
        closes = self._seen_lid_open and not self.machine.lid_open
        if opens:
            self._kept = structs_of(self._orders)
        super()._look_at_sensors(now_s)
        if closes and self._kept:
            self._orders.release_until, self._orders.feed_open, self._orders.unload = self._kept


@breaks("9.19", "shuffler")
class TheLampGoesOutWithThePower:
    def _power_lost(self) -> None:
        super()._power_lost()
        self._memory.lamp = False


@breaks("9.20", "shuffler")
class ARecountRunsOnInSilence:
    def _lock_down(self) -> None:
        kept = self._orders.recount_request
        super()._lock_down()
        if self._link.host_silent and self._link.in_session:
            self._orders.recount_request = kept


@breaks("9.20", "shuffler")
class ARecountOutlivesItsSession:
    def _lock_down(self) -> None:
        kept = self._orders.recount_request
        super()._lock_down()
        if not self._link.must_lock and not self.machine.lid_open:
            self._orders.recount_request = kept


@breaks("9.21", "shuffler")
class TheMouthStaysOpen:
    def _update(self, now_s: float) -> None:
        was = self._presented
        super()._update(now_s)
        if was and self._work is None and not self.machine.lid_open:
            self._presented, self._work = True, Work.PRESENT

    def _status(self) -> Any:
        return structs.replace(super()._status(), mouth_open=self._presented)

    def _next_work(self) -> Any:
        return super()._next_work()


@breaks("9.22", "shuffler")
class ARefusedLampIsNotLit:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._memory.lamp
        result = super()._apply(wanted, now_s)
        if result is not ShufflerResult.OK:
            self._memory.lamp = was
        return result


@breaks("9.22", "shuffler")
class ARefusalLeavesWhatStood:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        kept = self._orders.feed_open
        result = super()._apply(wanted, now_s)
        if result is ShufflerResult.REFUSED_COUNTS_UNKNOWN:
            self._orders.feed_open = kept
        return result


# --- section 10


@breaks("10.1", "shuffler")
class InsideIsNotCountedDown:
    def _count(self, work: Work, motion: Any, now_s: float) -> None:
        super()._count(work, motion, now_s)
        if work is not Work.FEED:
            self._memory.inside += motion.counted


@breaks("10.3", "shuffler")
class UnloadingOpensTheMouth(Says):
    def _changed_status(self, status: Any) -> Any:
        return structs.replace(status, mouth_open=status.mouth_open or status.unloading)


@breaks("10.4", "shuffler")
class EndsAJamThatBlocksThePath:
    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        if self._memory.is_ended(wanted.jams_ended) and self.machine.path_blocked:
            self._memory.jammed = False
            self._post(JamEnded(), now_s)
            return None
        return super()._end_jam(wanted, now_s)


@breaks("10.5", "shuffler")
class EndsAJamWithTheLidOpen:
    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        was, self.machine.lid_open = self.machine.lid_open, False
        result = super()._end_jam(wanted, now_s)
        self.machine.lid_open = was
        self._seen_lid_open = was
        return result


@breaks("10.6", "shuffler")
class TellsNoEndOfAJam(Silent):
    untold = (JamEnded,)


@breaks("10.7", "shuffler")
class AnOlderJamsNumberEndsANewerJam(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        ends = self._memory.jammed and command.jams_ended != self._memory.jams and not self.machine.path_blocked
        return structs.replace(command, jams_ended=self._memory.jams) if ends else command


@breaks("10.7", "shuffler")
class TheNumberOfTheFirstJamEndsEach(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        ends = self._memory.jammed and command.jams_ended == self._memory.jams - 1
        return structs.replace(command, jams_ended=self._memory.jams) if ends else command


@breaks("10.8", "shuffler")
class NeverPutsTheLampOut(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        return structs.replace(command, lamp=command.lamp or self._memory.lamp)


@breaks("10.9", "shuffler")
class TheLampOfAJamCanBePutOut(Says):
    def _changed_status(self, status: Any) -> Any:
        return structs.replace(status, lamp_lit=self._memory.lamp)


@breaks("10.11", "shuffler")
class FeedsWithAJam:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        result = super()._refusal_to_move(wanted)
        return None if result is ShufflerResult.REFUSED_JAMMED and wanted.feed_open else result


@breaks("10.12", "shuffler")
class UnloadsWithTheLidOpen:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        result = super()._refusal_to_move(wanted)
        return None if result is ShufflerResult.REFUSED_LID_OPEN and wanted.unload else result


@breaks("10.13", "shuffler")
class RefusesForAnotherReason:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        result = super()._refusal_to_move(wanted)
        return ShufflerResult.REFUSED_LID_OPEN if result is ShufflerResult.REFUSED_HOST_SILENT else result


@breaks("10.14", "shuffler")
class UnknownCountsRelease:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        result = super()._refusal_to_move(wanted)
        return None if result is ShufflerResult.REFUSED_COUNTS_UNKNOWN else result


@breaks("10.14", "shuffler")
class UnknownCountsFeedNothing:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        if self._memory.counts_unknown and wanted.feed_open:
            return ShufflerResult.REFUSED_COUNTS_UNKNOWN
        return super()._refusal_to_move(wanted)


@breaks("10.15", "shuffler")
class ANumberToComeIsCounted(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        if command.jams_ended == self._memory.jams + 1:
            self._memory.jams += 1
        return command


@breaks("10.16", "shuffler")
class TwoCardsForOne(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        ahead = self._owed(command) == 1
        return structs.replace(command, release_until=command.release_until + 1) if ahead else command


@breaks("10.15", "shuffler")
class CountsReleasesAnew(Told):
    """Counts each release anew: the same command again lets one more card out."""

    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        ahead = self._owed(command)
        if ahead == 3:
            return structs.replace(command, release_until=command.release_until - 1)
        return command


@breaks("10.17", "shuffler")
class AnOlderCountKeepsTheRelease(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        if self._owed(command) in (-1, -5) and not self._memory.jammed:
            return structs.replace(command, release_until=self._orders.release_until)
        return command


@breaks("10.17", "shuffler")
class HalfTheRangeReleases(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        if self._owed(command) == -(2**31):
            return structs.replace(command, release_until=(self._memory.cards_out + 1) % 2**32)
        return command


@breaks("10.18", "shuffler")
class TellsNoCardIn(Silent):
    untold = (CardIn,)


@breaks("10.19", "shuffler")
class UnloadingEndsByItself:
    def _count(self, work: Work, motion: Any, now_s: float) -> None:
        if work is Work.UNLOAD:
            self._orders.unload = False
        super()._count(work, motion, now_s)


@breaks("10.20", "shuffler")
class TellsNoRecount(Silent):
    untold = (Recounted,)


@breaks("10.20", "shuffler")
class ARecountLeavesUnknown:
    def _recount(self, now_s: float) -> None:
        was = self._memory.counts_unknown
        super()._recount(now_s)
        self._memory.counts_unknown = was
        if was:
            self._memory.inside = None


@breaks("10.21", "shuffler")
class ACardFallsInARecount:
    def _recount(self, now_s: float) -> None:
        super()._recount(now_s)
        self._finish(Work.UNLOAD, self.machine.expel(), now_s)


@breaks("10.22", "shuffler")
class ARecountEndsTheRest:
    def _recount(self, now_s: float) -> None:
        super()._recount(now_s)
        self._orders.unload = False


@breaks("10.23", "shuffler")
class KeepsItsRecount(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        asked = self._orders.recount_request
        return command if asked is None else structs.replace(command, recount_request=asked)


@breaks("10.23", "shuffler")
class MakesAServedRecountAgain:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        asked = self._orders.recount_request
        result = super()._apply(wanted, now_s)
        if asked is not None and self._orders.recount_request is None and result is ShufflerResult.OK:
            self._orders.recount_request = self._memory.recounts
        return result


@breaks("10.24", "shuffler")
class UnloadsFirst:
    def _next_work(self) -> Any:
        if self._orders.unload and self._orders.recount_request is not None and self.machine.inside > 30:
            return Work.UNLOAD if self.machine.can_deal else None
        return super()._next_work()


@breaks("10.25", "shuffler")
class ARefusedReleaseStandsInTheStatus:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        if result is ShufflerResult.REFUSED_LID_OPEN:
            self._orders.release_until = wanted.release_until
        return result


@breaks("10.27", "shuffler")
class AJamIsNotCounted:
    def _jam(self, stuck: Any, now_s: float) -> None:
        self._memory.jams -= 1
        super()._jam(stuck, now_s)


@breaks("10.27", "shuffler")
class TellsNoJam(Silent):
    untold = (Jammed,)


@breaks("10.28", "shuffler")
class AFreePathEndsAJam:
    def _look_at_sensors(self, now_s: float) -> None:
        if self._seen_blocked and not self.machine.path_blocked:
            self._memory.jammed = False
        super()._look_at_sensors(now_s)


@breaks("10.29", "shuffler")
class ALidEndsAJam:
    def _look_at_sensors(self, now_s: float) -> None:
        if self._seen_lid_open and not self.machine.lid_open:
            self._memory.jammed = False
        super()._look_at_sensors(now_s)


@breaks("10.29", "shuffler")
class AnOpenedLidEndsAJam:
    def _look_at_sensors(self, now_s: float) -> None:
        if self.machine.lid_open and not self._seen_lid_open:
            self._memory.jammed = False
        super()._look_at_sensors(now_s)


@breaks("10.30", "shuffler")
class AStartEndsAJam:
    def _power_lost(self) -> None:
        super()._power_lost()
        self._memory.jammed = False


@breaks("10.30", "shuffler")
class AStartCountsItsJamAgain:
    def _power_lost(self) -> None:
        super()._power_lost()
        if self._memory.jammed:
            self._memory.jams += 1


@breaks("10.30", "shuffler")
class ANewSessionForgetsAJam:
    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._memory.jammed = False
        super()._hear(happened, now_s)


@breaks("10.31", "shuffler")
class TellsNoFreePath(Silent):
    untold = (PathCleared,)


@breaks("10.33", "shuffler")
class TellsNoLid(Silent):
    untold = (LidOpened, LidClosed)


@breaks("10.34", "shuffler")
class ALidChangesACount:
    def _look_at_sensors(self, now_s: float) -> None:
        if self._seen_lid_open and not self.machine.lid_open:
            self._memory.inside = (self._memory.inside or 0) + 1
        super()._look_at_sensors(now_s)


@breaks("6.3", "shuffler")
class TellsNoCardOut(Silent):
    untold = (CardOut,)


@breaks("5.10", "shuffler")
class SaysLockedAndGivesACard:
    def pull_cards(self, now_s: float) -> Any:
        if self.machine.can_deal and self._work is None and not self._memory.jammed:
            self._presented = True
        return super().pull_cards(now_s)


@breaks("9.7", "shuffler")
class CountsFromZeroAndSaysNothing:
    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._memory.counts_unknown, self._memory.inside = False, 0


@breaks("9.7", "shuffler")
class UnknownInsideIsZero:
    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._memory.inside = 0


# --- found by firmwares that were written against the checks


@breaks("9.5", "shuffler")
class StoresItsCountsWhenTheFeedEnds(Told):
    _stored: tuple[int, int | None] = (0, 0)

    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        if command.feed_open and not self._orders.feed_open:
            self._stored = self._memory.cards_in, self._memory.inside
        return command

    def _power_lost(self) -> None:
        if self._orders.feed_open:
            self._memory.cards_in, self._memory.inside = self._stored
        super()._power_lost()


@breaks("9.11", "shuffler")
class ASessionReleasesUntilNothing:
    def _hear(self, happened: Any, now_s: float) -> None:
        super()._hear(happened, now_s)
        if type(happened).__name__ == "SessionOpened":
            self._orders.release_until = 0


@breaks("9.17", "shuffler")
class TheWordForAJamGivesBack:
    _kept: tuple[int, bool, bool] | None = None

    def _jam(self, stuck: Any, now_s: float) -> None:
        self._kept = structs_of(self._orders)
        super()._jam(stuck, now_s)

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._memory.jammed
        result = super()._apply(wanted, now_s)
        if was and not self._memory.jammed and self._kept is not None:
            _until, self._orders.feed_open, self._orders.unload = self._kept
        return result


@breaks("9.20", "shuffler")
class ARecountOutlivesAnOpenLid:
    def _look_at_sensors(self, now_s: float) -> None:
        kept = self._orders.recount_request
        opens = self.machine.lid_open and not self._seen_lid_open
        super()._look_at_sensors(now_s)
        if opens:
            self._orders.recount_request = kept


@breaks("9.20", "shuffler")
class ARecountOutlivesAJam:
    def _jam(self, stuck: Any, now_s: float) -> None:
        kept = self._orders.recount_request
        super()._jam(stuck, now_s)
        self._orders.recount_request = kept


@breaks("10.4", "shuffler")
class SeesNoBlockedPath(Says):
    def _changed_status(self, status: Any) -> Any:
        return structs.replace(status, path_blocked=False)

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        if self._memory.is_ended(wanted.jams_ended) and self.machine.path_blocked:
            self._memory.jammed = False
            return None
        return super()._end_jam(wanted, now_s)


@breaks("10.6", "shuffler")
class ANewerNumberEndsNoJam(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        is_equal = command.jams_ended == self._memory.jams
        return command if is_equal else structs.replace(command, jams_ended=(self._memory.jams - 1) % 2**16)


@breaks("10.13", "shuffler")
class RecountsAt48:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        result = super()._refusal_to_move(wanted)
        moves = wanted.feed_open or wanted.unload or self._memory.owed(wanted.release_until) > 0
        return result if moves or result is not ShufflerResult.REFUSED_HOST_SILENT else None


@breaks("10.24", "shuffler")
class FeedsBeforeItUnloads:
    def _next_work(self) -> Any:
        orders = self._orders
        if orders.recount_request is None and orders.unload and orders.feed_open and self.machine.can_feed:
            return Work.FEED
        return super()._next_work()


@breaks("10.25", "shuffler")
class ARefusalForgetsAnOlderCount:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        if result:
            self._orders.release_until = self._memory.cards_out
        return result
