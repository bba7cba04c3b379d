"""The eighth draw of broken firmwares. No check looks for their faults: the walk finds them, and `Watch` finds the last
one.
"""

from typing import Any

from msgspec import structs

from firmware_protocols.tdp.link import Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import session_key
from firmware_protocols.tdp.shoe import ShoeApply, ShoeResult
from tests.conform.broken.table import breaks


@breaks("11.10", "shoe")
class ReadsOnWhereTheErrorCameInSilence:
    _reads_on = False

    def raise_error(self, code: int, now_s: float) -> None:
        if self._error is None:
            self._reads_on = self._link.must_lock
        super().raise_error(code, now_s)

    def _read(self, card: Any) -> int:
        if not self._reads_on:
            return super()._read(card)
        error, self._error = self._error, None
        try:
            return super()._read(card)
        finally:
            self._error = error


@breaks("11.4", "shoe")
class RefusesAllInTroubleWith48:
    def _obey(self, command: Any, now_s: float) -> ShoeResult:
        is_trouble = self._link.must_lock and self._error is not None
        result = super()._obey(command, now_s)
        return ShoeResult.REFUSED_HOST_SILENT if isinstance(command, ShoeApply) and is_trouble else result


@breaks("11.2", "shoe")
class TheCardsRecordHasNoFlag:
    _flag_stored = False

    def card_passes(self, card: Any, now_s: float) -> None:
        self._flag_stored = False
        super().card_passes(card, now_s)

    def _power_lost(self) -> None:
        super()._power_lost()
        self._counts_unknown = self._flag_stored

    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._flag_stored = True


@breaks("12.4", "display")
class KeepsTheAmountBehindAFaultPicture:
    _last: Any = None

    def _show(self, wanted: Any, now_s: float) -> None:
        self._last = wanted
        super()._show(wanted, now_s)

    def _power_lost(self) -> None:
        kept = self._picture.cents if self._last is not None and self._last.fault else 0
        super()._power_lost()
        self._last, self._picture = None, structs.replace(self._picture, cents=kept)


@breaks("18.5", "shoe")
class ANewNonceBehindASilence(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        is_again = header.host_opening == self._opening and self._silent and self._pulses > 0
        super()._greet(header, payload, now_s)
        if is_again and self._key is not None and self._pairing.key is not None:
            self._nonce, self._pulses = self._pairing.draw(), 0
            self._key = session_key(self._pairing.key, header.host_opening, self._boot, self._host_nonce, self._nonce)
