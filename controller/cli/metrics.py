"""`sabot metrics`: the table's figures for Prometheus, printed once, written to a file at intervals, or served.

The Unix socket serves the part of HTTP that a scraper needs: one request and one answer for each connection.
"""

import asyncio
import stat
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from controller.cli.client import Unreachable
from controller.cli.connection import add_socket_options, connect
from controller.cli.named_files import write_named
from controller.cli.render import decode_status
from controller.cli.talk import Talk, cannot_write
from controller.machine.exits import CliFailure, ExitCode
from controller.screen.metrics import HoldAges, Seen, exposition, exposition_of_nobody

THERMAL: Final = Path("/sys/class/thermal/thermal_zone0/temp")
SHORTEST_S: Final = 1.0
LONGEST_S: Final = 3600.0
LONGEST_REQUEST: Final = 8192
WHOLE_S: Final = 70.0  # a controller with a slow medium answers within 60 s
HEAD: Final = b"HTTP/1.0 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: %d\r\n\r\n"


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    add_socket_options(parser, words)
    parser.add_argument("--out", type=Path, metavar="FILE", help=words("cli.option.metrics-out"))
    parser.add_argument("--every", type=float, metavar="S", help=words("cli.option.metrics-every"))
    parser.add_argument("--listen", type=Path, metavar="PATH", help=words("cli.option.metrics-listen"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Prints, writes or serves the figures. Without a controller the only figure is `sabot_up 0`. Raises CliFailure."""
    every: float | None = arguments.every
    if every is not None and not SHORTEST_S <= every <= LONGEST_S:
        values = {"option": "--every", "given": f"{every:g}", "low": f"{SHORTEST_S:g}", "high": f"{LONGEST_S:g}"}
        raise CliFailure(ExitCode.USAGE, "option-bounds", **values)
    figures = partial(_figures, arguments, HoldAges())
    if every is None and arguments.listen is None:
        _put(figures(), arguments.out, talk)
        return ExitCode.OK
    try:
        asyncio.run(_serve(figures, arguments, talk))
    except OSError as error:
        raise cannot_write(arguments.listen, error) from error
    return ExitCode.OK


async def _serve(figures: Callable[[], str], arguments: Namespace, talk: Talk) -> None:
    """Serves the figures and writes them at intervals. A thread asks the controller, one question at a time, since the
    answer may be slow.
    """
    turn = asyncio.Lock()

    async def asked() -> str:
        async with turn:
            return await asyncio.to_thread(figures)

    async with AsyncExitStack() as served:
        if arguments.listen is not None:
            _make_way(arguments.listen)
            server = await asyncio.start_unix_server(partial(_answer, asked), arguments.listen, limit=LONGEST_REQUEST)
            await served.enter_async_context(server)
        while arguments.every is not None:
            _put(await asked(), arguments.out, talk)
            await asyncio.sleep(arguments.every)
        await asyncio.Event().wait()


def _make_way(path: Path) -> None:
    """Deletes a socket at `path` that a killed process has left there. Any other file stays. Raises OSError."""
    with suppress(FileNotFoundError):
        if stat.S_ISSOCK(path.stat().st_mode):
            path.unlink()


async def _answer(
    asked: Callable[[], Awaitable[str]], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Reads one HTTP request, for any path, and answers with the figures."""
    with closing(writer), suppress(TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
        async with asyncio.timeout(WHOLE_S):
            await reader.readuntil(b"\r\n\r\n")
            body = (await asked()).encode("ascii", "backslashreplace")
            writer.write(HEAD % len(body) + body)
            await writer.drain()


def _figures(arguments: Namespace, ages: HoldAges) -> str:
    try:
        with connect(arguments) as client:
            status = decode_status(client.ask("status").status or {})
    except (Unreachable, msgspec.DecodeError):
        return exposition_of_nobody()
    held_s = ages.ages(status.holds, time.monotonic())
    return exposition(Seen(status, held_s, ages.ended, _celsius()))


def _celsius() -> float | None:
    try:
        return int(THERMAL.read_text("ascii")) / 1000
    except (OSError, ValueError):
        return None


def _put(text: str, out: Path | None, talk: Talk) -> None:
    """Writes the figures to the file `out`, or prints them if `out` is None. Raises CliFailure.

    The file is written whole or not at all, since Prometheus would take half a file for missing figures.
    """
    if out is None:
        talk.told(text.rstrip("\n"))
        return
    write_named(out, text.encode("ascii"), mode=0o644)  # the node exporter runs as another user
