"""An interrupt (^C) in a destructor or in the callback of a weak reference, where Python cannot raise it.

Python reports such an interrupt and drops it. Every import has such a callback, so a ^C could have no effect.
"""

import sys
from _thread import interrupt_main
from collections.abc import Callable
from functools import partial
from threading import Timer
from typing import Final, TypeAlias

AGAIN_AFTER_S: Final = 0.01  # in the hook itself Python would drop it, too

Hook: TypeAlias = "Callable[[sys.UnraisableHookArgs], None]"


def keep_interrupts() -> None:
    """Makes the process raise a dropped interrupt again, AGAIN_AFTER_S later. Other errors go to the hook of before."""
    sys.unraisablehook = partial(_unraised, sys.unraisablehook)


def _unraised(before: Hook, how: "sys.UnraisableHookArgs") -> None:
    if how.exc_type is KeyboardInterrupt:
        Timer(AGAIN_AFTER_S, interrupt_main).start()
    else:
        before(how)
