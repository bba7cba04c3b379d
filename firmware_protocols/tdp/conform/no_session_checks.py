"""Checks of PROTOCOL.md, section 4: the device sends NO_SESSION at a bounded rate, and answers a HELLO that directly
follows a refused frame.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Final

from firmware_protocols.tdp.conform.line import ANSWERS_WITHIN_S, Heard, Host, must, shown
from firmware_protocols.tdp.conform.parts import (
    LATENESS_S,
    QUIET_S,
)
from firmware_protocols.tdp.link import (
    NO_SESSION_EVERY_S,
    FrameKind,
    Header,
)

REFUSED: Final = 60
FOREIGN: Final = 1000  # openings ahead of the session


def a_hello_behind_a_refusal_is_answered(host: Host) -> None:
    """Checks that the device answers a HELLO directly after a NO_SESSION: the HELLO of its session, and that of the
    next.
    """
    for opening in (host.opening, host.opening + 1):
        host.listen(2 * NO_SESSION_EVERY_S)
        host.say(FrameKind.COMMAND, 1, host.query, opening=host.opening + FOREIGN, boot=host.boot)
        host.listen(ANSWERS_WITHIN_S, until=lambda one: one.header.kind == FrameKind.NO_SESSION)
        host.opening = opening
        host.watch.expects(opening)
        host.say_hello()
        heard = host.listen(QUIET_S, until=lambda one: one.header.kind == FrameKind.IDENTITY)
        is_there = any(one.header.kind == FrameKind.IDENTITY for one in heard)
        must("4.1", is_there, f"a HELLO behind a NO_SESSION: {shown(heard)}")


def refusals_do_not_fill_the_line(host: Host) -> None:
    """Checks that the device sends NO_SESSION at a bounded rate, both for frames of one foreign session and of many."""
    for pause_s, apart in ((0.0, 0), (NO_SESSION_EVERY_S / 10, 0), (NO_SESSION_EVERY_S / 10, 1)):
        host.listen(2 * NO_SESSION_EVERY_S)
        came = _refused(host, pause_s, apart)
        close = [later.at_s - one.at_s for one, later in pairwise(came)]
        late_s = LATENESS_S / 10 if host.bench.is_quick else LATENESS_S / 2
        tight = [gap for gap in close if gap < NO_SESSION_EVERY_S - late_s]
        must("4.14", not tight, f"{len(came)} NO_SESSION, {min(tight, default=0):.3f} s between two")
        is_long = pause_s * REFUSED > 3 * NO_SESSION_EVERY_S
        found = f"{len(came)} NO_SESSION to {REFUSED} frames in {pause_s * REFUSED:.1f} s"
        must("4.13", len(came) > 2 or not is_long, found)
    keeps_its_pace(host, "4.14", _say_foreign)


def _say_foreign(host: Host) -> None:
    host.say(FrameKind.COMMAND, 1, host.query, opening=host.opening + FOREIGN)


def keeps_its_pace(host: Host, duty: str, deny: Callable[[Host], None]) -> None:
    """Checks that the device refuses at its pace whatever it hears between two frames that it refuses: a session that
    opens, a HELLO again, a heartbeat, a command. `deny`: sends a frame that the device refuses.
    """
    late_s = LATENESS_S / 10 if host.bench.is_quick else LATENESS_S / 2
    for between in (host.open, host.say_hello, host.status, lambda: host.answer(host.query)):
        host.listen(2 * NO_SESSION_EVERY_S)
        came_s: list[float] = []
        with _heard_by(host, came_s):
            for act in (lambda: deny(host), between, lambda: deny(host)):
                act()
            host.listen(NO_SESSION_EVERY_S / 2)
        gaps = [later - one for one, later in pairwise(came_s) if later - one < NO_SESSION_EVERY_S - late_s]
        must(duty, not gaps, f"{gaps} s between two refusals, with another frame of the host between them")


@contextmanager
def _heard_by(host: Host, came_s: list[float]) -> Iterator[None]:
    """A context in which each refusal of the device puts its time into `came_s`."""
    was = host.also

    def hears(header: Header, _payload: bytes, at_s: float) -> None:
        if header.kind in (FrameKind.NO_SESSION, FrameKind.NOT_PROVEN):
            came_s.append(at_s)

    host.also = hears
    try:
        yield
    finally:
        host.also = was


def _refused(host: Host, pause_s: float, apart: int) -> list[Heard]:
    heard: list[Heard] = []
    for one in range(REFUSED if pause_s else 20):
        host.say(FrameKind.COMMAND, 1, host.query, opening=host.opening + one * apart, boot=host.boot + 1)
        heard += host.listen(pause_s) if pause_s else []
    heard += host.listen(NO_SESSION_EVERY_S / 2)
    return [one for one in heard if one.header.kind == FrameKind.NO_SESSION]
