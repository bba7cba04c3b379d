"""The controller as a process: one asyncio loop around the runtime, one thread for the journal, one Unix socket."""
