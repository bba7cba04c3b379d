"""Tells systemd's watchdog that the controller is alive. Sends no sign of life while the journal's writer hangs."""

import asyncio
from collections.abc import Callable
from typing import Final

from controller.daemon.logs import Log
from controller.daemon.notify import Notifier

WRITER_WITHIN_S: Final = 60.0
"""The seconds after which a writer with an unfinished batch counts as hanging. A slow medium may need a few seconds."""


class SignsOfLife:
    """Sends systemd signs of life.

    `out_s`: returns the seconds for which the journal's writer has been busy with its batch, or 0.0 without a batch.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, notifier: Notifier, out_s: Callable[[], float], log: Log
    ) -> None:
        self._loop = loop
        self._notifier = notifier
        self._out_s = out_s
        self._log = log
        self._is_withheld = False

    def start(self) -> None:
        """Sends three signs of life in each watchdog interval from now on. Does nothing if systemd has no watchdog for
        the process.
        """
        if self._notifier.watchdog_s is not None:
            self.give()
            self._loop.call_later(self._notifier.watchdog_s / 3, self.start)

    def give(self) -> None:
        """Sends one sign of life. While the journal's writer hangs, sends none, and logs once that the writer hangs."""
        is_stuck = self._out_s() > WRITER_WITHIN_S
        if is_stuck and not self._is_withheld:
            self._log.say("journal-hangs", seconds=int(self._out_s()))
        self._is_withheld = is_stuck
        if not is_stuck:
            self._notifier.alive()
