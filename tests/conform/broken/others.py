"""Firmwares that break the section of a kind other than the shuffler: shoes, displays, slots."""

from typing import Any

from msgspec import structs

from firmware_protocols.tdp.display import DisplayApply, DisplayFaulted
from firmware_protocols.tdp.shoe import CardPassed, ReaderErrorCleared, ShoeApply, ShoeResult
from firmware_protocols.tdp.slots import SlotsApply, SlotsChanged
from firmware_protocols.tdp.value_display import MarkersApply
from tests.conform.broken.table import breaks


@breaks("11.2", "shoe")
class KnowsItsCountsAgain:
    _sessions = 0

    def _hear(self, happened: Any, now_s: float) -> None:
        super()._hear(happened, now_s)
        if type(happened).__name__ == "SessionOpened" and self._counts_unknown:
            self._sessions += 1
            self._counts_unknown = self._sessions < 2


@breaks("11.2", "shoe")
class KnowsItsCountsBehindAStart:
    def reboot(self, now_s: float, **lost: Any) -> None:
        self._counts_unknown = False
        super().reboot(now_s, **lost)


@breaks("11.3", "shoe")
class UnlocksAt48:
    def _obey(self, command: Any, now_s: float) -> Any:
        result = super()._obey(command, now_s)
        return ShoeResult.OK if result is ShoeResult.REFUSED_HOST_SILENT else result


@breaks("11.4", "shoe")
class RefusesToLockAt48:
    def _obey(self, command: Any, now_s: float) -> Any:
        result = super()._obey(command, now_s)
        if isinstance(command, ShoeApply) and command.locked and self._link.must_lock:
            return ShoeResult.REFUSED_HOST_SILENT
        return result


@breaks("11.5", "shoe")
class APassageHasAnotherNumber:
    def _post(self, event: Any, now_s: float) -> None:
        if isinstance(event, CardPassed) and event.passage % 7 == 0:
            event = structs.replace(event, passage=event.passage - 1)
        super()._post(event, now_s)


@breaks("11.5", "shoe")
class ReportsOnlyWhatItHasRead:
    def _post(self, event: Any, now_s: float) -> None:
        if isinstance(event, CardPassed) and event.passage % 2 == 0:
            return
        super()._post(event, now_s)


@breaks("11.9", "shoe")
class ClearsAnotherError:
    def _post(self, event: Any, now_s: float) -> None:
        if isinstance(event, ReaderErrorCleared):
            event = structs.replace(event, code=event.code + 1)
        super()._post(event, now_s)


@breaks("11.10", "shoe")
class ReadsWithAnError:
    def _read(self, card: Any) -> int:
        kept, self._error = self._error, None
        read = super()._read(card)
        self._error = kept
        return read


# --- display


class Shown:
    """`apply` has another effect in this firmware."""

    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, DisplayApply | MarkersApply | SlotsApply):
            command = self._changed(command)
        return super()._obey(command, now_s)

    def _changed(self, command: Any) -> Any:
        return command


@breaks("12.1", "display")
class SaysTheCommandAndNotThePicture:
    def _status(self) -> Any:
        status = super()._status()
        return structs.replace(status, shown_cents=self._wanted.cents) if self._wanted is not None else status


@breaks("12.1", "display")
class ShowsAtMostAMillion(Shown):
    def _changed(self, command: Any) -> Any:
        return structs.replace(command, cents=min(command.cents, 100_000_000))


@breaks("12.2", "display")
class ShowsAnOldAmount:
    def _lock_down(self) -> None:
        pass


@breaks("12.3", "display")
class TellsAFaultAgainAndAgain:
    def _show(self, wanted: Any, now_s: float) -> None:
        self._stuck_told = False
        super()._show(wanted, now_s)


@breaks("12.3", "display")
class TellsNoFault:
    def _post(self, event: Any, now_s: float) -> None:
        if not (isinstance(event, DisplayFaulted) and event.code == 2):
            super()._post(event, now_s)


@breaks("12.4", "display")
class KeepsAnAmountOverAStart:
    def _power_lost(self) -> None:
        self._wanted, self._picture = None, structs.replace(self._picture, fault=True)


@breaks("12.5", "display")
class ShowsAnAmountAt48:
    def _lock_down(self) -> None:
        if self._link.host_silent or not self._link.must_lock:
            super()._lock_down()

    def _show(self, wanted: Any, now_s: float) -> None:
        super()._show(wanted, now_s)
        if self._link.waiting_events >= 48 and self._wanted is None:
            self._picture = wanted


# --- value display


@breaks("13.1", "value-display")
class SaysTheMarkersAsTold:
    def _status(self) -> Any:
        status = super()._status()
        return structs.replace(status, red=self._wanted.red) if self._wanted is not None else status


@breaks("13.1", "value-display")
class KnowsNoTurquoise(Shown):
    def _changed(self, command: Any) -> Any:
        return structs.replace(command, turquoise=0)


@breaks("13.2", "value-display")
class TellsNoFaultOfAMarker:
    def _post(self, event: Any, now_s: float) -> None:
        if not (isinstance(event, DisplayFaulted) and event.code == 2):
            super()._post(event, now_s)


@breaks("13.3", "value-display")
class KeepsItsMarkersOverAStart:
    def _power_lost(self) -> None:
        pass


@breaks("13.4", "value-display")
class SilenceBlanksTheMarkers:
    def _lock_down(self) -> None:
        if self._link.host_silent and self._link.in_session:
            self._picture = self._blank


@breaks("13.4", "value-display")
class ASessionBlanksTheMarkers:
    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._picture = self._blank
        super()._hear(happened, now_s)


@breaks("13.5", "value-display")
class ShowsAt48:
    def _takes_pictures(self) -> bool:
        return True


# --- slots


@breaks("14.2")
class TellsALampAsAnEvent:
    def _apply(self, command: SlotsApply) -> None:
        was = self._blinking
        super()._apply(command)
        if self._blinking != was:
            self._post(SlotsChanged(), 0.0)


@breaks("14.2")
class TellsNoCollection:
    def _post(self, event: Any, now_s: float) -> None:
        if not (isinstance(event, SlotsChanged) and self._told[2] != self._told_before):
            super()._post(event, now_s)
        self._told_before = self._told[2]

    _told_before = 0


@breaks("14.3")
class LosesTheNumberOfItsCollection:
    def _power_lost(self) -> None:
        super()._power_lost()
        self._collections = 0


@breaks("14.4")
class TakesEachChipIn:
    def _apply(self, command: SlotsApply) -> None:
        is_made = command.collection == (self._collections + 1) % 2**16 and command.seats
        super()._apply(command)
        if is_made:
            self._lying = 0


@breaks("14.5")
class CollectsWhateverTheNumber(Shown):
    def _changed(self, command: Any) -> Any:
        return structs.replace(command, collection=self._collections + 1) if command.seats else command


@breaks("14.5")
class TakesALaterNumber(Shown):
    def _changed(self, command: Any) -> Any:
        ahead = (command.collection - self._collections) % 2**16
        if 1 < ahead < 100:
            self._collections = command.collection - 1
        return command


@breaks("14.6")
class ALampThatBlinksIsDark(Shown):
    def _changed(self, command: Any) -> Any:
        return structs.replace(command, blinking=command.blinking & ~command.lit & 0xFFFF, lit=command.lit & 0x7FFF)


@breaks("14.7")
class KeepsItsLampsOverAStart:
    def _power_lost(self) -> None:
        pass


@breaks("14.8")
class SilencePutsTheLampsOut:
    def _lock_down(self) -> None:
        if self._link.host_silent and self._link.in_session:
            self._lit = self._blinking = 0


@breaks("14.9")
class ObeysAt48:
    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, SlotsApply) and self._link.must_lock:
            self._lit = command.lit
        return super()._obey(command, now_s)


@breaks("12.3", "display")
class TellsItsFirstFaultAlone:
    def stick(self, now_s: float) -> None:
        told = self._stuck_told
        super().stick(now_s)
        self._stuck_told = told


@breaks("13.2", "value-display")
class TellsTheFirstFaultOfAMarkerAlone(TellsItsFirstFaultAlone):
    pass


@breaks("14.5")
class ComparesTheLowByteOfACollection(Shown):
    def _changed(self, command: Any) -> Any:
        due = (self._collections + 1) % 2**16
        return structs.replace(command, collection=due) if command.collection % 256 == due % 256 else command
