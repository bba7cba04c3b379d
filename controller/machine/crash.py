"""Reports a crash by the classes of its errors and their places in the program, without any message, variable or core
dump.

A message or a variable can contain a PIN, a card's face or a value of an act. A crash's report is in the system's log,
on a terminal or in a bug report. More people read it than may see PINs, faces and values.
"""

import errno
import json
import resource
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from types import TracebackType
from typing import Final, TypedDict

MOST_ERRORS: Final = 8
"""The most errors that are reported of one chain of causes or group of errors."""

MOST_PLACES: Final = 40
"""The most calls that are reported of one error, the innermost ones: an endless recursion has a thousand."""

NO_CORE_BYTES: Final = 1
"""The largest size of a core file in bytes. Every core file is larger, so the kernel writes none.

A limit of 1, not 0, also keeps the kernel from piping a core file to a program.
"""


class Told(TypedDict):
    """One reported error: its class, the system's `errno` if it has one, and its calls as `file:line function`, the
    outermost first.
    """

    error: str
    errno: str
    places: list[str]


def told_of(error: BaseException) -> list[Told]:
    """Returns reports of the error, of the errors in its group and of all their causes, MOST_ERRORS at most."""
    return [_one(found) for found, _ in zip(_with_causes(error), range(MOST_ERRORS), strict=False)]


def keep_values_in() -> None:
    """Makes the process report each uncaught error on standard error without values, and write no core file."""
    resource.setrlimit(resource.RLIMIT_CORE, _no_core(resource.getrlimit(resource.RLIMIT_CORE)[1]))
    sys.excepthook = _uncaught
    sys.unraisablehook = lambda how: tell_of(how.exc_value)
    threading.excepthook = lambda how: tell_of(how.exc_value)


def _no_core(most: int) -> tuple[int, int]:
    bytes_ = NO_CORE_BYTES if most == resource.RLIM_INFINITY else min(most, NO_CORE_BYTES)
    return bytes_, bytes_


def _uncaught(_kind: type[BaseException], error: BaseException, _traceback: TracebackType | None) -> None:
    tell_of(error)


def tell_of(error: BaseException | None) -> None:
    """Prints the report of an error as one JSON line on standard error, without any message or value."""
    told = [] if error is None else told_of(error)
    with suppress(OSError, ValueError):  # the output has no reader
        print(json.dumps({"event": "crashed", "level": "critical", "errors": told}), file=sys.stderr)


def _with_causes(error: BaseException) -> Iterator[BaseException]:
    """Yields the error itself, the errors of its group, and the causes of each yielded error. Yields no error twice."""
    waiting, seen = [error], set[int]()
    while waiting:
        found = waiting.pop(0)
        if id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        grouped = found.exceptions if isinstance(found, BaseExceptionGroup) else ()
        waiting += [one for one in (*grouped, found.__cause__ or found.__context__) if one is not None]


def _one(error: BaseException) -> Told:
    number = error.errno if isinstance(error, OSError) else None
    return Told(
        error=type(error).__name__,
        errno="" if number is None else errno.errorcode.get(number, str(number)),
        places=list(_places(error.__traceback__))[-MOST_PLACES:],
    )


def _places(traceback: TracebackType | None) -> Iterator[str]:
    while traceback is not None:
        code = traceback.tb_frame.f_code
        yield f"{code.co_filename}:{traceback.tb_lineno} {code.co_qualname}"
        traceback = traceback.tb_next
