"""An interrupt (Ctrl-C) that Python drops is raised again: one in a destructor, in the callback of a weak reference
(each import has such a callback), or while msgspec looks up an attribute of an enum.
"""

import subprocess
import sys

import pytest

from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

DROPPED_S = 0.2
"""The wait of a program whose interrupt is dropped: nothing ends it early."""

HEAD = """
import enum, msgspec, os, signal, threading, weakref
from controller.machine.interrupt import keep_interrupts
{keep}
def interrupted(_reference=None):
    os.kill(os.getpid(), signal.SIGINT)
    for _ in range(1000):
        pass
class Gone:
    pass
class Ended:
    __del__ = interrupted
class Looked(enum.EnumMeta):
    def __getattr__(cls, name):
        if name == "__msgspec_cache__":
            interrupted()
        raise AttributeError(name)
class Colour(enum.Enum, metaclass=Looked):
    RED = "red"
"""
DROPPED = {
    "callback": "gone = Gone(); reference = weakref.ref(gone, interrupted); del gone",
    "destructor": "ended = Ended(); del ended",
    "lookup": "msgspec.json.Decoder(Colour)",
}


def ran(dropped: str, keep: str, waits_s: float = DROPPED_S) -> "subprocess.CompletedProcess[str]":
    program = f"{HEAD.format(keep=keep)}\ntry:\n    {dropped}\n    threading.Event().wait({waits_s})\n"
    program += "    print('went on')\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
    words = [sys.executable, "-c", program]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=HANGS_S)


@pytest.mark.parametrize("dropped", DROPPED.values(), ids=DROPPED)
def test_an_interrupt_that_python_drops_is_raised_again(dropped: str) -> None:
    assert ran(dropped, keep="").stdout == "went on\n"
    kept = ran(dropped, keep="keep_interrupts()", waits_s=HANGS_S)  # the interrupt ends this wait
    assert (kept.stdout, kept.stderr) == ("interrupted\n", "")


def test_another_error_there_is_reported_as_before() -> None:
    found = ran("raised = type('Raised', (), {'__del__': lambda one: 1 / 0})(); del raised", keep="keep_interrupts()")
    assert found.stdout == "went on\n"
    assert "ZeroDivisionError" in found.stderr
