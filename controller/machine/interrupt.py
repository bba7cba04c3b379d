"""Keeps an interrupt (^C) from being lost where Python or msgspec would drop the exception.

Python only reports an exception in a destructor or in the callback of a weak reference, and continues. Every import has
such a callback. While msgspec makes a decoder, it looks up an attribute of each enum by `__getattr__`, and treats any
exception in the look-up as a missing attribute.
"""

import sys
from collections.abc import Callable
from functools import partial
from signal import SIGINT, default_int_handler, getsignal, pthread_kill, signal
from threading import Timer, main_thread
from types import FrameType
from typing import Final, TypeAlias

AGAIN_AFTER_S: Final = 0.01  # in the hook itself Python would drop it, too

Hook: TypeAlias = "Callable[[sys.UnraisableHookArgs], None]"


def keep_interrupts() -> None:
    """Makes the process raise an interrupt again, AGAIN_AFTER_S later, if Python or msgspec would drop it.

    Passes other dropped exceptions to the hook that was set before. A process that ignores interrupts still ignores
    them.
    """
    sys.unraisablehook = partial(_unraised, sys.unraisablehook)
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, _interrupted)


def _interrupted(_number: int, frame: FrameType | None) -> None:
    if _is_lookup(frame):
        Timer(AGAIN_AFTER_S, _interrupt).start()
    else:
        raise KeyboardInterrupt


def _is_lookup(frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code.co_name != "__getattr__":
        frame = frame.f_back
    return frame is not None


def _unraised(before: Hook, how: "sys.UnraisableHookArgs") -> None:
    if how.exc_type is KeyboardInterrupt:
        Timer(AGAIN_AFTER_S, _interrupt).start()
    else:
        before(how)


def _interrupt() -> None:
    """Sends SIGINT to the main thread. The signal also ends the thread's wait for a lock, a file or a sleep."""
    if (number := main_thread().ident) is not None:
        pthread_kill(number, SIGINT)
