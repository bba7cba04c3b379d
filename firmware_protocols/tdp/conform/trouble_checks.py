"""Checks every sort of command in each trouble of a shuffler (PROTOCOL.md, section 10). Each command combines the end
of a jam, the lamp and a movement.

`Watch` tests the result of each command; this module tests the state after it.
"""

from collections.abc import Iterator
from typing import Final

from firmware_protocols.tdp.conform.line import Host, must
from firmware_protocols.tdp.conform.parts import OK, U16, U32, lock_of_shuffler
from firmware_protocols.tdp.conform.told import owed, permits
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerStatus

HALF: Final = U16 // 2
NEWER: Final = (0, 1, 300, HALF - 1)
"""Words for a jam that end it: how much greater than its number."""
OLDER: Final = (-1, -300, HALF, HALF + 1)
"""Words for a jam that end nothing."""


def obeys_in_trouble(host: Host, *, can_end: bool) -> None:
    """Checks the state after each sort of command in the present trouble of the shuffler. `can_end`: True if a valid
    `jams_ended` would end the jam now. Then only other values of it are sent.
    """
    now: ShufflerStatus = host.status()[0]
    ends = [far % U16 for far in (*OLDER, *NEWER, -now.jams, -1 - now.jams)]  # the last two: the words 0 and 65535
    for far in [far for far in ends if far >= HALF or not can_end]:
        for asked in _each(now, far):
            _holds(host, asked, now)


def _each(now: ShufflerStatus, far: int) -> Iterator[ShufflerApply]:
    for lamp in (True, False):
        lock = lock_of_shuffler(now, lamp=lamp, jams_ended=(now.jams + far) % U16)
        yield lock
        yield lock_of_shuffler(now, lamp=lamp, jams_ended=lock.jams_ended, feed_open=True)
        yield lock_of_shuffler(now, lamp=lamp, jams_ended=lock.jams_ended, unload=True)
        until, request = (now.cards_out + 1) % U32, (now.recounts + 1) % U16
        yield lock_of_shuffler(now, lamp=lamp, jams_ended=lock.jams_ended, release_until=until)
        yield lock_of_shuffler(now, lamp=lamp, jams_ended=lock.jams_ended, recount_request=request)


def _holds(host: Host, asked: ShufflerApply, before: ShufflerStatus) -> None:
    answer = host.apply(asked)
    after: ShufflerStatus = host.status()[0]
    found = f"{asked}, result {answer.result}: {after}"
    must(_ended_by(asked, before), after.jammed is before.jammed, f"a jam's latch changes behind {found}")
    must("10.9", after.lamp_lit or not after.jammed, f"the lamp of a latched jam is out behind {found}")
    duty = "10.8" if answer.result == OK else "9.22"
    must(duty, after.jammed or after.lamp_lit is asked.lamp, f"lamp {asked.lamp} is not done: {found}")
    must("10.25", answer.result == OK or not (permits(after) or owed(after) > 0), f"refused, and permitted: {found}")
    is_counted = after.recounts == before.recounts
    must("10.25", answer.result == OK or is_counted, f"refused, and recounted: {found}")


def _ended_by(asked: ShufflerApply, before: ShufflerStatus) -> str:
    """Returns the number of the duty that is broken if the command `asked` ends the jam."""
    if (asked.jams_ended - before.jams) % U16 >= HALF:
        return "10.7"
    return "10.4" if before.path_blocked else "10.5"
