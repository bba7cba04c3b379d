"""Checks permissions with which a shuffler can do nothing yet: a feed with an empty hopper, and a release or unloading
of an empty machine.

Such a permission waits, and is withdrawn like any other (PROTOCOL.md, sections 9 and 10).
"""

from collections.abc import Callable, Iterator
from typing import Final

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    FED_WITHIN_S,
    PERMISSIONS,
    RECOUNTED_WITHIN_S,
    SILENCE_S,
    Permission,
    hear_through,
    lock_of_shuffler,
    ready,
    with_cards,
)
from firmware_protocols.tdp.conform.told import owed
from firmware_protocols.tdp.conform.trouble_checks import obeys_in_trouble
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import ShufflerStatus

_FEED, _RELEASE, _UNLOAD = PERMISSIONS[DeviceKind.SHUFFLER]
EMPTIED_WITHIN_S: Final = 60.0
REFILLED: Final = 4  # times that an empty hopper is filled under one feed


def what_waits_is_withdrawn(host: Host) -> None:
    """Checks that a new session, a silence, an open lid and a start withdraw for good a permission with which the
    shuffler can do nothing yet.
    """
    with_cards(host)
    _empties(host, _FEED, lambda now: not now.hopper_loaded, FED_WITHIN_S)
    _is_withdrawn(host, _FEED)
    _empties(host, _UNLOAD, lambda now: not now.inside, EMPTIED_WITHIN_S)
    for permission in (_RELEASE, _UNLOAD):
        _is_withdrawn(host, permission)
    with_cards(host)


def _empties(host: Host, permission: Permission, is_so: Callable[[ShufflerStatus], bool], within_s: float) -> None:
    """Gives the shuffler a permission until the status shows that nothing is left to do (`is_so`). Raises Skipped if
    this takes longer than `within_s`.
    """
    host.apply(permission.ask(ready(host)))
    end_s = host.line.now_s() + within_s
    while host.line.now_s() < end_s and not is_so(now := host.status_becomes(is_so, 1.0)):
        hear_through(host, host.status()[1])
        if not permission.is_given(now):
            host.apply(permission.ask(now))
    host.apply(lock_of_shuffler(host.status()[0]))
    hear_through(host, host.status()[1])
    if not is_so(host.status()[0]):
        raise Skipped("not-permitted")


def _is_withdrawn(host: Host, permission: Permission) -> None:
    for duty, by, undo in _causes(host):
        host.apply(permission.ask(ready(host)))
        if not permission.is_given(host.status()[0]):
            return  # another check says so
        by(host)
        _is_locked(host, duty, f"{permission.name}, that had nothing to do, behind{by.__name__.replace('_', ' ')}")
        if undo is not None:
            obeys_in_trouble(host, can_end=True)
            undo(host)
            _is_locked(
                host, "9.17", f"{permission.name}, that had nothing to do, behind{undo.__name__.replace('_', ' ')}"
            )


def _is_locked(host: Host, duty: str, found: str) -> None:
    status: ShufflerStatus = host.status()[0]
    must(duty, not (status.feed_open or status.unloading or owed(status) > 0), f"{found}: {status}")


Act = Callable[[Host], None]


def _causes(host: Host) -> Iterator[tuple[str, Act, Act | None]]:
    """Yields each cause that withdraws a permission: the number of the duty, the function that brings the cause about,
    and the function that ends it (None if it ends by itself).
    """
    yield from (("9.11", _session, None), ("9.12", _silence, None))
    if host.statement.has("lid"):
        yield "9.15", _lid_open, _lid_close
    yield "9.16", _start, None


def _session(host: Host) -> None:
    host.open()


def _silence(host: Host) -> None:
    host.listen(SILENCE_S, alive=False)


def _lid_open(host: Host) -> None:
    host.hand(Deed.LID_OPEN)
    host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)


def _lid_close(host: Host) -> None:
    host.hand(Deed.LID_CLOSE)
    host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)


def _start(host: Host) -> None:
    host.hand(Deed.POWER)
    host.open()


def takes_what_is_laid_in_later(host: Host) -> None:
    """Checks that one command to feed takes in all cards that hands lay into the empty hopper later, however often they
    do.
    """
    for _ in range(REFILLED):
        host.load()
        loaded: ShufflerStatus = host.status()[0]
        if not loaded.hopper_loaded:
            return
        now: ShufflerStatus = host.status_becomes(lambda one: not one.hopper_loaded, FED_WITHIN_S)
        hear_through(host, host.status()[1])
        is_fed = now.cards_in != loaded.cards_in or not now.feed_open
        must("10.18", is_fed, f"a feed leaves the cards that are laid in later: {now}")
