"""Signs of life for systemd's watchdog: the loop gives them while the journal's writer does not hang."""

import asyncio
from collections.abc import Callable
from typing import Final

from controller.daemon.logs import Log
from controller.daemon.notify import Notifier

WRITER_WITHIN_S: Final = 60.0
"""The most seconds for a batch. A slow medium takes some, with the table held; after a minute it hangs."""


class SignsOfLife:
    """Gives signs of life. `out_s`: the seconds that the journal's writer has had its batch; 0.0 without one."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, notifier: Notifier, out_s: Callable[[], float], log: Log
    ) -> None:
        self._loop = loop
        self._notifier = notifier
        self._out_s = out_s
        self._log = log
        self._is_withheld = False

    def start(self) -> None:
        """Begins to give three signs per watchdog interval; none where systemd wants none."""
        if self._notifier.watchdog_s is not None:
            self.give()
            self._loop.call_later(self._notifier.watchdog_s / 3, self.start)

    def give(self) -> None:
        """Gives one sign, unless the writer hangs, which is logged once."""
        is_stuck = self._out_s() > WRITER_WITHIN_S
        if is_stuck and not self._is_withheld:
            self._log.say("journal-hangs", seconds=int(self._out_s()))
        self._is_withheld = is_stuck
        if not is_stuck:
            self._notifier.alive()
