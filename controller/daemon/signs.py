"""Signs of life for systemd's watchdog: given by the loop, and only while the journal's writer comes back, too."""

import asyncio
from collections.abc import Callable
from typing import Final

from controller.daemon.logs import Log
from controller.daemon.notify import Notifier

WRITER_WITHIN_S: Final = 60.0
"""How long a batch may be out. A slow medium takes seconds, and the table is held meanwhile; a minute is no medium."""


class SignsOfLife:
    """`out_s` says for how long the journal's writer has had its batch; 0.0 where it has none."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, notifier: Notifier, out_s: Callable[[], float], log: Log
    ) -> None:
        self._loop = loop
        self._notifier = notifier
        self._out_s = out_s
        self._log = log
        self._is_withheld = False

    def start(self) -> None:
        """Gives three within the watchdog's time from now on; none where systemd wants none."""
        if self._notifier.watchdog_s is not None:
            self.give()
            self._loop.call_later(self._notifier.watchdog_s / 3, self.start)

    def give(self) -> None:
        """One sign, unless the writer hangs; that is told once."""
        is_stuck = self._out_s() > WRITER_WITHIN_S
        if is_stuck and not self._is_withheld:
            self._log.say("journal-hangs", seconds=int(self._out_s()))
        self._is_withheld = is_stuck
        if not is_stuck:
            self._notifier.alive()
