"""The controller as a process: one asyncio loop around the runtime, one thread for the journal, one Unix socket."""

from controller.daemon.run import run

__all__ = ["run"]
