"""The eleventh draw of broken firmwares, by a stranger: each fault shows only if two or three conditions meet."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENT_RETRY_MAX_S, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import session_key
from tests.conform.broken.table import breaks

# --- link


@breaks("4.10", "value-display")
class TheIdentityIsMadeBeforeTheCommitIsTaken(DeviceLink):
    """The HELLO that commits the last event is answered with the oldest event of before it."""

    _oldest_then: int | None = None

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        before = self._oldest()
        super()._greet(header, payload, now_s)
        self._oldest_then = None if self._waiting else before

    def _identity_fields(self) -> bytes:
        oldest = self._oldest() if self._oldest_then is None else self._oldest_then
        self._oldest_then = None
        return rows.IDENTITY_LAYOUT.encode(rows.identity_body(self._identity, oldest, self._next_event))


@breaks("5.4", "shuffler")
class ASilenceLeavesAResultForNumberZero(DeviceLink):
    """In a session that opens out of a silence, COMMAND 0 is answered with the last result of the session before."""

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        kept = self._result if self._silent and self._opening is not None else None
        super()._open(opening, hello)
        self._result = kept


@breaks("6.10", "shoe")
class ASlowHostIsRememberedInTheNextSession(DeviceLink):
    """An acknowledgement makes short what `not_yet_durable` has made long, and a new session does not."""

    _was_slow = False

    def _retry_slowly(self) -> None:
        super()._retry_slowly()
        self._was_slow = True

    def _forget_through(self, number: int) -> bool:
        is_news = super()._forget_through(number)
        self._was_slow = self._was_slow and not is_news
        return is_news

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._retry_s = EVENT_RETRY_MAX_S if self._was_slow else self._retry_s


@breaks("18.4", "display")
class CountsItsNoncesFromEachKey(PairableLink):
    """A nonce is the boot number and a count of sessions, which begins anew with each key."""

    _sessions = 0

    def _take_pair(self, header: Header, key: bytes) -> None:
        super()._take_pair(header, key)
        self._sessions = 0

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        if self._key is not None and self._pairing.key is not None:
            self._sessions += 1
            self._nonce = b"N" + self._boot.to_bytes(7, "little") + self._sessions.to_bytes(8, "little")
            self._key = session_key(self._pairing.key, opening, self._boot, host_nonce, self._nonce)


# --- shuffler


@breaks("9.5", "shuffler")
class StoresWhatARecountFoundWithTheNextCard:
    """A start between a recount and the next card brings back the number of before the recount."""

    _before: int | None = None

    def _recount(self, now_s: float) -> None:
        was = self._memory.inside
        super()._recount(now_s)
        self._before = was

    def _count(self, *words: Any) -> None:
        self._before = None
        super()._count(*words)

    def _power_lost(self) -> None:
        super()._power_lost()
        if self._before is not None:
            self._memory.inside, self._before = self._before, None

    def _forget_counts(self) -> None:
        self._before = None
        super()._forget_counts()


@breaks("9.19", "shuffler")
class StoresNoLampWithAJamsEnd:
    """The record of a jam's end has the lamp off, also where the command that ends it lights the lamp."""

    _is_stored = True

    def _apply(self, wanted: Any, now_s: float) -> Any:
        was = self._memory.jammed
        result = super()._apply(wanted, now_s)
        self._is_stored = not was or self._memory.jammed
        return result

    def _power_lost(self) -> None:
        super()._power_lost()
        self._memory.lamp = self._memory.lamp and self._is_stored


@breaks("10.20", "shuffler")
class ARequestOfZeroIsNone:
    def _apply(self, wanted: Any, now_s: float) -> Any:
        is_none = wanted.recount_request == 0
        return super()._apply(replace(wanted, recount_request=self._memory.recounts) if is_none else wanted, now_s)


# --- other kinds


@breaks("11.9", "shoe")
class TheCodeOfAnErrorIsLostWithThePower:
    """The error outlasts a start, and is cleared with a maker's code."""

    def _power_lost(self) -> None:
        super()._power_lost()
        self._error = 128 if self._error is not None else None


@breaks("12.1", "display")
class TheFaultFlagIsThatOfTheCommand:
    """The amount in the status is read back from a panel that sticks, and the flag is not."""

    def _status(self) -> Any:
        status = super()._status()
        return status if self._wanted is None else replace(status, fault_shown=self._wanted.fault)


@breaks("12.5", "display")
class AFaultPictureAt48HidesTheAmountOfBefore:
    """While 48 events wait, a command that asks for the fault picture leaves the amount behind it."""

    def _show(self, wanted: Any, now_s: float) -> None:
        stays = wanted.fault and self._link.must_lock
        super()._show(replace(wanted, cents=self._picture.cents) if stays else wanted, now_s)


@breaks("14.2")
class LooksAtNoChipInASilence:
    """One event behind a silence tells what has changed in it."""

    def _update(self, now_s: float) -> None:
        if not (self._link.host_silent and self._link.in_session):
            super()._update(now_s)
