"""Runs one check: opens a session for it, collects the broken duties that it finds, and repeats it on a real line."""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final

from msgspec import Struct

from firmware_protocols.tdp.conform import hands_done as h
from firmware_protocols.tdp.conform import life_checks as v
from firmware_protocols.tdp.conform import parts as p
from firmware_protocols.tdp.conform.arrivals import STALLED_S
from firmware_protocols.tdp.conform.book import Break
from firmware_protocols.tdp.conform.duties import EVERY
from firmware_protocols.tdp.conform.line import Broken, Host, Skipped
from firmware_protocols.tdp.conform.own_key import take_back
from firmware_protocols.tdp.link import FrameKind
from firmware_protocols.tdp.schema import DeviceKind

EVENTS_LEFT: Final = 3
TRIES: Final = 4  # of a check that finds a break on a real line
PROMPT_S: Final = 0.05
BEATS: Final = 100  # that try a line after a break
BEAT_EVERY_S: Final = 0.1
STALLS_S: Final = 5.0


class Check(Struct, frozen=True):
    """One check of a device.

    `tries`: the numbers of the duties that the check tests; a duty that the kind of the device does not have is
    ignored. `kinds`: the kinds of device to check. `moves`: the kinds at which the check moves cards, or the part that
    holds them.
    """

    run: Callable[[Host], None]
    tries: tuple[str, ...]
    kinds: frozenset[DeviceKind] = EVERY
    moves: frozenset[DeviceKind] = frozenset()
    of_unbroken: bool = False  # it names anything that is wrong: made where no check before it has found a break

    @property
    def name(self) -> str:
        """The check's name on the command line."""
        return self.run.__name__.replace("_", "-")


class Made(Struct, frozen=True):
    """A check that was run. `broken`: the broken duty that ended it. `skipped`: the key of the reason why it could not
    be made. Each is None otherwise.
    """

    check: Check
    broken: Break | None = None
    skipped: str = ""


def make_check(check: Check, host: Host) -> Made:
    """Runs one check in a session of its own. At most EVENTS_LEFT events wait after it.

    On a real line a delay of line or computer may look like a break. So a check that finds a break is repeated, up to
    TRIES runs, until nothing was delayed. A break counts only if every run has found it. The line is then tested alone:
    if the line stalls, no break counts, and `Watch` keeps the breaks in `stalled`.
    """
    if host.bench.is_quick:
        return _made_once(check, host)
    known = dict(host.watch.breaks)
    once: dict[str, Break] = {}
    always: dict[str, Break] = {}
    for turn in range(TRIES):
        host.watch.breaks, host.late_s, host.arrivals.late_s = dict(known), 0.0, 0.0
        made = _made_once(check, host)
        found = _found(made, host, known)
        always = {duty: one for duty, one in found.items() if turn == 0 or duty in always}
        once |= found
        if not always or (host.late_s < PROMPT_S and host.arrivals.late_s < STALLED_S):
            break
    host.watch.once |= {duty: one for duty, one in once.items() if duty not in always}
    if always and _line_stalls(host):
        host.watch.breaks = known
        host.watch.stalled = always | host.watch.stalled
        return Made(check, skipped="line-stalled") if made.broken is not None else made
    host.watch.breaks = known | always
    return made if not found or (made.broken is not None and made.broken.duty in always) else Made(check)


def _found(made: Made, host: Host, known: Collection[str]) -> dict[str, Break]:
    """Returns the breaks that this run has found, by the number of the duty. Leaves out the duties in `known`."""
    found = dict(host.watch.breaks) | ({made.broken.duty: made.broken} if made.broken is not None else {})
    return {duty: one for duty, one in found.items() if duty not in known}


def _line_stalls(host: Host) -> bool:
    """True if the line delays some heartbeats of a session that is opened for this test, but fewer than half. A slow
    device would delay all of them.
    """
    try:
        host.open()
    except Broken:
        return False
    late_s: list[float] = []
    for turn in range(BEATS):
        said_s = host.line.now_s()
        if host.first(FrameKind.HEARTBEAT_REPLY, host.say_pulse(), within_s=STALLS_S) is not None:
            late_s.append(host.line.now_s() - said_s)
        if turn > len(late_s):
            return False  # two are lost, and not late
        host.listen(BEAT_EVERY_S, alive=False)
    return sorted(late_s)[len(late_s) // 2] < STALLED_S < max(late_s)


def _made_once(check: Check, host: Host) -> Made:
    try:
        host.open()
        check.run(host)
        made = Made(check)
    except Broken as broken:
        made = Made(check, Break(broken.duty, broken.found, host.frames()))
        _take_key_back(host)
    except Skipped as skipped:
        made = Made(check, skipped=skipped.why)
    return _tidied(made, host)


def _tidied(made: Made, host: Host) -> Made:
    try:
        if made.broken or made.skipped:
            h.set_right(host)
        v.leave_locked(host)
        p.forget_all_but(host, EVENTS_LEFT)
        host.listen(p.QUIET_S / 2)
    except Broken as broken:
        return made if made.broken else Made(made.check, Break(broken.duty, broken.found, host.frames()))
    return made


def _take_key_back(host: Host) -> None:
    """Unpairs a device that a stalled line has left with the key of the checks, if hands can do this.

    Such a device denies a HELLO without proof. The function sends one first, since the host may not have sent one yet.
    """
    if host.bench.is_quick:
        return
    with suppress(Broken):
        host.open()
    if host.is_denied:
        with suppress(Broken, Skipped):
            take_back(host)
