"""A Unix socket on this computer that leads to a port of the emulated machine, for programs that use only sockets."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 65_536


@contextlib.contextmanager
def door(path: Path, port: int) -> Iterator[None]:
    """A context in which the socket exists. It closes a connection that the emulated machine does not accept."""
    path.unlink(missing_ok=True)
    loop = asyncio.new_event_loop()
    ends = asyncio.Event()
    opened = threading.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(_serve(path, port, opened, ends),), name="door")
    thread.start()
    opened.wait()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(ends.set)
        thread.join()
        loop.close()
        path.unlink(missing_ok=True)


async def _serve(path: Path, port: int, opened: threading.Event, ends: asyncio.Event) -> None:
    async def lead(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(OSError):
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
            with contextlib.closing(far_writer):
                ways = [
                    asyncio.create_task(_carry(reader, far_writer)),
                    asyncio.create_task(_carry(far_reader, writer)),
                ]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)

    async with await asyncio.start_unix_server(lead, path):
        opened.set()
        await ends.wait()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(MOST_BYTES):
        writer.write(data)
        await writer.drain()
