"""The journal's second copy in virtual time: a second medium, and the rounds that copy durable entries to it.

CopyShell does the work of journal/second_copy.py, which copies in a thread and adds a signed mark in each round. After
a failure CopyShell reports the reason and compares the copies again. A medium can be slow, hang, be full, or lose its
power. In this module a mark has only an entry and a chain value, without a signature.
"""

from collections.abc import Callable
from math import floor
from typing import Final

from msgspec import field

from controller.daemon.copies import Believed, Matched, completed
from controller.journal import copies
from controller.journal.copies import Longer, Position, compare
from controller.journal.errors import Reason, StorageFailed
from controller.journal.recovery import Tip
from controller.journal.second_copy import RETRY_S, ROUND_S
from simulators.disk import MemoryStorage
from simulators.world.clock import Clock, on_tick
from simulators.world.installation import SIGNER, Disk


class Medium(Disk):
    """The medium of the second copy. While the medium hangs, no operation on it ends."""

    hangs: bool = False
    heads: dict[int, str] = field(default_factory=dict)  # entry and chain value of each mark beside it
    on_hanging: Callable[[], None] = field(default=lambda: None)  # called when the medium begins to hang


def match(first: MemoryStorage, medium: Medium | None) -> Matched:
    """Compares both copies at a start, and completes a first copy that is shorter than the second (daemon/copies.py).
    Returns the findings, or a damage if the copies differ. Returns an empty result without a second copy, or if its
    medium hangs or fails.
    """
    if medium is None or medium.hangs:
        return Matched()
    try:
        compared = compare(first, medium.storage)
    except StorageFailed:
        return Matched()
    if compared.fork is not None:
        return Matched(damage=f"{Reason.COPIES.value}, #{compared.fork}")
    if compared.longer is not Longer.SECOND:
        return Matched()
    return completed(first, medium.storage, compared, Believed(medium.heads, SIGNER.public_key))


_ROUND_S: Final = on_tick(ROUND_S)

LOOKS_EVERY_S: Final = 0.5
"""The interval of checks of a hanging medium; in reality the call returns when the medium answers."""


class CopyShell:
    """Copies entries to the second medium in rounds, during one run of the controller.

    Calls `changed` with the reason when a failure begins, and with "" when it has ended.
    """

    def __init__(
        self, clock: Clock, first: MemoryStorage, medium: Medium, tip: Tip, changed: Callable[[str], None]
    ) -> None:
        self._clock = clock
        self._first = first
        self._medium = medium
        self._wanted = tip
        self._changed = changed
        self._at: Position | None = None  # unknown until the first comparison
        self._reason = ""
        self._has_ended = False
        self._idle_since_s: float | None = None  # the time of the last round; None while rounds go on
        medium.on_hanging = self._wake
        self._later(0.0)

    def durable(self, tip: Tip) -> None:
        """Makes the rounds copy up to `tip`, the durable end of the first copy."""
        self._wanted = tip
        self._wake()

    def end(self) -> None:
        """Ends this shell, as at the end of the controller's process. No round begins from now on."""
        self._has_ended = True

    def _later(self, after_s: float) -> None:
        self._clock.after(after_s, self._round)

    def _round(self) -> None:
        if self._has_ended:
            return
        if self._medium.hangs:
            self._medium.on_wait()
            self._later(LOOKS_EVERY_S)
        elif self._is_behind():
            self._clock.after(self._medium.takes_s(0.002, 0.006), self._copy)
        else:
            self._idle_since_s = self._clock.now_s

    def _wake(self) -> None:
        """Starts the rounds of copying again if they have paused. The next round comes a whole number of periods after
        the last one. Does nothing while rounds are going on.
        """
        if self._idle_since_s is not None:
            rounds = floor((self._clock.now_s - self._idle_since_s) / _ROUND_S) + 1
            next_s, self._idle_since_s = self._idle_since_s + rounds * _ROUND_S, None
            self._clock.at(next_s, self._round)

    def _is_behind(self) -> bool:
        until = Position(self._wanted.segment, self._wanted.size)
        return self._at is None or (bool(self._wanted.size) and self._at != until)

    def _copy(self) -> None:
        if self._has_ended:
            return
        try:
            reason = self._copied()
        except StorageFailed as failed:
            reason, self._at = failed.reason.value, None
        if reason != self._reason:
            self._reason = reason
            self._changed(reason)
        self._later(RETRY_S if reason else ROUND_S)

    def _copied(self) -> str:
        """Copies the missing entries. Returns the reason of a failure, or "" for success."""
        first, second = self._first, self._medium.storage
        if self._at is None:
            compared = compare(first, second)
            if compared.fork is not None or compared.longer is Longer.SECOND:
                return f"{Reason.COPIES.value}, #{compared.fork or compared.next_seq}"
            copies.settle_shorter(second, compared)
            copies.copy_statement(first, second)
            self._at = Position(compared.segment, compared.size)
        if self._wanted.size:
            until = Position(self._wanted.segment, self._wanted.size)
            had = dict([*self._medium.heads.items()][-1:])
            self._medium.heads = had | {self._wanted.next_seq - 1: self._wanted.head.hex()}
            differing = copies.copy_behind(first, second, self._at, until)
            self._at = until
            return f"{Reason.SEALS.value}, {differing}" if differing else ""
        return ""


def judged(first: MemoryStorage, second: MemoryStorage) -> list[str]:
    """Returns a finding if the second copy is neither equal to the first copy nor a prefix of it; else []."""
    compared = compare(first, second)
    if compared.fork is None and compared.longer is not Longer.SECOND:
        return []
    return [f"second copy: not a prefix of the first: {compared}"]
