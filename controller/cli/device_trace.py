"""`sabot device trace PORT|FILE`: prints the frames of a TDP line in words. The command only listens."""

import errno
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Final

from controller.cli.device_conform import SCHEMAS
from controller.cli.device_direct import DirectPort, add_line_options, check_bounds
from controller.cli.device_line import PortLine
from controller.cli.talk import Talk
from controller.config import Protocol
from controller.machine.exits import CliFailure, ExitCode
from drivers.errors import PortLost, system_word
from firmware_protocols.tdp.conform.trace import Trace, are_digits, bytes_of

_SECONDS: Final = (0.1, 1_000_000.0)
_PIECE: Final = 65_536
LARGEST_DIGITS: Final = 64 << 20
"""The largest file of hexadecimal digits, in bytes."""


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("port", metavar="PORT|FILE", help=words("cli.option.trace-source"))
    parser.add_argument("--kind", choices=list(SCHEMAS), help=words("cli.option.device-kind"))
    parser.add_argument("--seconds", type=float, metavar="S", help=words("cli.option.trace-seconds"))
    parser.add_argument("--json", action="store_true", help=words("cli.option.json-lines"))
    add_line_options(parser, words)
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Prints each frame of the line, and bytes that are no frame, in the order of arrival. Returns 0. Raises
    CliFailure.
    """
    check_bounds("--seconds", arguments.seconds, *_SECONDS)
    given = SCHEMAS[arguments.kind] if arguments.kind else None
    trace = Trace({schema.kind: schema for schema in SCHEMAS.values()}, given)
    path = Path(arguments.port)
    is_quiet = True
    for at_s, data in _of_file(path) if path.is_file() else _of_port(arguments):
        for who, said in trace.feed(data):
            _tell(talk, at_s, who, said)
            is_quiet = False
    if is_quiet:
        talk.aside(talk.words("cli.device.trace-nothing", source=arguments.port))
    return ExitCode.OK


def _tell(talk: Talk, at_s: float | None, who: str, said: str) -> None:
    if talk.as_json:
        talk.line({"at_s": None if at_s is None else round(at_s, 3), "from": who, "said": said})
    else:
        when = "" if at_s is None else f"{at_s:8.3f} s  "
        talk.told(f"{when}{who:6}  {said}")


def _of_file(path: Path) -> Generator[tuple[None, bytes], None, None]:
    """Yields a file's bytes in pieces, then a zero byte, which ends the last frame. Raises CliFailure.

    The first piece tells if the file has hexadecimal digits. Such a file is read whole, and may have LARGEST_DIGITS.
    """
    try:
        with path.open("rb") as file:
            piece = file.read(_PIECE)
            if are_digits(piece):
                piece = bytes_of(_bounded(piece + file.read(LARGEST_DIGITS + 1 - len(piece))))
            while piece:
                yield None, piece
                piece = file.read(_PIECE)
        yield None, b"\0"
    except (OSError, ValueError) as error:
        detail = system_word(error) if isinstance(error, OSError) else str(error)
        raise CliFailure(ExitCode.USAGE, "trace-file", path=str(path), detail=detail) from error


def _bounded(digits: bytes) -> bytes:
    if len(digits) > LARGEST_DIGITS:
        raise OSError(errno.EFBIG, "too many digits")
    return digits


def _of_port(arguments: Namespace) -> Iterator[tuple[float, bytes]]:
    """Yields bytes as they arrive, each piece with the seconds since the start, until the time is over.

    Raises CliFailure.
    """
    line = PortLine(DirectPort(arguments, Protocol.TDP))
    began_s = line.now_s()
    until_s = began_s + (arguments.seconds or _SECONDS[1])
    try:
        while (now_s := line.now_s()) < until_s:
            yield now_s - began_s, line.hear(until_s)
    except PortLost as error:
        raise CliFailure(ExitCode.FAILED, "port-went", port=arguments.port, detail=error.reason) from error
    finally:
        line.close()
