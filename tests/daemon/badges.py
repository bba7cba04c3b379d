"""A badge that is held to the simulated reader until the table has seen it."""

import time
from collections.abc import Callable

from simulators.demo.parts import TableParts
from tests.daemon.rig import Rig
from tests.waiting import wait_for

AGAIN_S = 2.0  # longer than the reader takes to drop what was typed too slowly


def hold_badge(table: Rig, parts: TableParts, number: str, until: Callable[[], object]) -> None:
    """Holds a badge to the reader, again and again until `until()` is true.

    On a busy machine the keys of one badge may come too slowly for a reader's, and are dropped.
    """
    again_s = time.monotonic()

    def is_seen() -> object:
        nonlocal again_s
        if time.monotonic() >= again_s:
            again_s = time.monotonic() + AGAIN_S
            table.host.call(lambda _now_s: parts.reader.show(number))
        return until()

    wait_for(is_seen)
