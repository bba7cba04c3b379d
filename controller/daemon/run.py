"""`sabot run`: starts a controller from its configuration, runs it, and ends it. An orderly end (SIGTERM, SIGINT)
writes a last entry. An error of the program ends the process at once, like a power failure. The journal survives such
an end, and the service manager starts the controller again.
"""

import asyncio
import os
import signal
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.daemon import logs
from controller.daemon.background import call_in_loop
from controller.daemon.controller import Controller
from controller.daemon.notify import Notifier
from controller.daemon.prepare import Prepared, prepare
from controller.daemon.server import SocketServer
from controller.daemon.signs import SignsOfLife
from controller.daemon.stopped import noted
from controller.machine.exits import ExitCode
from controller.machine.memory import made_to_stay

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
JOURNAL_THREAD: Final = "journal"
LAST_LINES_S: Final = 0.3
"""The time in seconds that an end waits for the log, which may have no reader."""


class End(Struct, frozen=True, gc=False):
    """The end of a run. `hangs`: True if a thread may still use the disk. Such a thread ends only with the process."""

    exit_code: ExitCode
    hangs: bool = False


def run(config_path: Path) -> int:
    """Runs the controller until a signal ends it. Returns 0 after an orderly end, 1 after a crash.

    Raises ConfigRefused, StaffRefused, SocketDirectoryRefused, CliFailure before the controller is started.
    """
    notifier = Notifier(os.environ)
    with notifier.starting(), made_to_stay(), noted(config_path, os.environ):
        prepared = prepare(config_path, os.environ)
    lines = logs.configure(sys.stderr)
    log = logs.Log(prepared.config.table.id)
    end = asyncio.run(_Run(prepared, log, notifier).serve(), debug=False)  # debug messages would quote arguments
    if not end.hangs:
        prepared.storage.close()
    lines.close(LAST_LINES_S)
    return end.exit_code


class _Run:
    """One run of the controller, until a signal or a crash ends it."""

    def __init__(self, prepared: Prepared, log: logs.Log, notifier: Notifier) -> None:
        self._prepared = prepared
        self._log = log
        self._notifier = notifier
        self._ending = asyncio.Event()
        self._crash: BaseException | None = None

    async def serve(self) -> End:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._crashed)
        threading.excepthook = partial(self._thread_crashed, loop)
        for number in SIGNALS:
            loop.add_signal_handler(number, self._ending.set)
        controller = Controller(loop, self._prepared, self._log)
        clients = controller.clients
        listener, path = self._prepared.listener, self._prepared.socket_path
        server = SocketServer(listener, path, clients.handle, clients.refuse, clients.requests.limits)
        controller.start()
        await server.start()
        SignsOfLife(loop, self._notifier, controller.batch_out_s, self._log).start()
        loop.call_later(logs.NOISE_EVERY_S, self._noise, loop, controller)
        self._notifier.ready()
        for finding in self._prepared.booted.start.started.findings:
            self._log.say("journal-finding", finding=finding)
        self._log.say("ready", socket=str(self._prepared.socket_path))
        await self._ending.wait()
        return await self._end(controller, server)

    async def _end(self, controller: Controller, server: SocketServer) -> End:
        if self._crash is not None:
            return End(ExitCode.FAILED, hangs=True)
        self._notifier.stopping()
        whole = await controller.stop()
        await server.stop()
        self._log.say("stopped")
        return End(ExitCode.OK, hangs=not whole)

    def _crashed(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        error = context.get("exception")
        self._end_at_once(error if isinstance(error, BaseException) else RuntimeError(str(context.get("message"))))

    def _end_at_once(self, error: BaseException) -> None:
        self._crash = error
        self._log.crashed(error)
        self._ending.set()

    def _thread_crashed(self, loop: asyncio.AbstractEventLoop, how: threading.ExceptHookArgs) -> None:
        """Ends the run if the journal's thread crashed. The crash of another thread is only logged."""
        error = how.exc_value or how.exc_type()
        is_journal = how.thread is not None and how.thread.name == JOURNAL_THREAD
        if not is_journal or not call_in_loop(loop, partial(self._end_at_once, error)):
            self._log.crashed(error)

    def _noise(self, loop: asyncio.AbstractEventLoop, controller: Controller) -> None:
        controller.say_noise()
        loop.call_later(logs.NOISE_EVERY_S, self._noise, loop, controller)
