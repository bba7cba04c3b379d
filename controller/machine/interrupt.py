"""Keeps the effect of an interrupt (^C) that comes in a destructor or in the callback of a weak reference, where Python
cannot raise it.

Python reports such an interrupt and drops it. Every import has such a callback, so a ^C could have no effect.
"""

import sys
from collections.abc import Callable
from functools import partial
from signal import SIGINT, pthread_kill
from threading import Timer, main_thread
from typing import Final, TypeAlias

AGAIN_AFTER_S: Final = 0.01  # in the hook itself Python would drop it, too

Hook: TypeAlias = "Callable[[sys.UnraisableHookArgs], None]"


def keep_interrupts() -> None:
    """Makes the process raise a dropped interrupt again, AGAIN_AFTER_S seconds later. Any other error goes to the hook
    that was set before.
    """
    sys.unraisablehook = partial(_unraised, sys.unraisablehook)


def _unraised(before: Hook, how: "sys.UnraisableHookArgs") -> None:
    if how.exc_type is KeyboardInterrupt:
        Timer(AGAIN_AFTER_S, _interrupt).start()
    else:
        before(how)


def _interrupt() -> None:
    """Sends the main thread a signal, which also ends its wait for a lock, a file or a sleep."""
    if (number := main_thread().ident) is not None:
        pthread_kill(number, SIGINT)
