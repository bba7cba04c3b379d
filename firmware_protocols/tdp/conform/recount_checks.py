"""Checks of PROTOCOL.md, section 10, for a recount: the recount is reported, can be cancelled, and comes before all
else.
"""

from typing import Final

from firmware_protocols.tdp.conform.line import Host, must
from firmware_protocols.tdp.conform.parts import (
    QUIET_S,
    RECOUNTED_WITHIN_S,
    U16,
    U32,
    is_counted,
    lock_of_shuffler,
    ready,
    recount,
    told,
    with_cards,
)
from firmware_protocols.tdp.conform.shuffler_checks import CARD_WITHIN_S, has_moved, must_be_ok, status_of
from firmware_protocols.tdp.conform.told import owed
from firmware_protocols.tdp.shuffler import (
    CardIn,
    CardOut,
    Recounted,
    ShufflerStatus,
)

U8: Final = 2**8


def a_recount_is_told(host: Host) -> None:
    """Checks that the shuffler reports a recount under the number in the command, whatever the number is, and that no
    card moves meanwhile.
    """
    host.has("recount")
    before = ready(host)
    for far in (1, U8, 500, U16 - 7):
        _is_told(host, before, (status_of(host).recounts + far) % U16)
    for request in (0, U16 - 1, 0):  # 0 is a number like any other
        if status_of(host).recounts != request:
            _is_told(host, before, request)


def _is_told(host: Host, before: ShufflerStatus, request: int) -> None:
    newest = host.status()[1]
    must_be_ok("10.20", host.apply(lock_of_shuffler(before, recount_request=request)), f"recount {request}")
    after: ShufflerStatus = host.status_becomes(is_counted(request), RECOUNTED_WITHIN_S)
    must("10.20", after.recounts == request, f"recounts {after.recounts}, not {request}")
    moved = (after.cards_in, after.cards_out) != (before.cards_in, before.cards_out)
    must("10.21", not moved, f"cards move in a recount: {after}, before {before}")
    came = [(one.request, one.inside) for one in told(host, newest) if isinstance(one, Recounted)]
    must("10.20", came == [(request, after.inside)], f"recount {request}, inside {after.inside}; told {came}")


def a_recount_is_taken_back(host: Host) -> None:
    """Checks that a later command cancels a recount, even one that has begun, whatever else the command asks for."""
    host.has("recount")
    begun_s = host.line.now_s()
    before = recount(host, ready(host))
    takes_s = host.line.now_s() - begun_s
    newest = host.status()[1]
    for pause_s in (0.0, takes_s / 2):
        for wishes in ({"lamp": pause_s > 0}, {"feed_open": True}, {"unload": True}):
            now = with_cards(host)
            host.apply(lock_of_shuffler(now, recount_request=(before.recounts + 1) % U16))
            host.listen(pause_s)
            host.apply(lock_of_shuffler(now, **wishes))
            host.listen(takes_s + 1.0)
            host.apply(lock_of_shuffler(status_of(host)))
            must("10.23", status_of(host).recounts == before.recounts, f"taken back with {wishes}, and made")
            came = [one for one in told(host, newest) if isinstance(one, Recounted)]
            must("10.23", not came, f"taken back with {wishes}, and made, or the one before again: {came}")


def the_recount_comes_first(host: Host) -> None:
    """Checks that a recount is made before the unloading of the same command, and that the unloading follows without
    another command.
    """
    host.has("recount")
    before = with_cards(host)
    newest = host.status()[1]
    after = recount(host, before, unload=True)
    must("10.22", after.unloading, f"the unloading is gone behind the recount: {after}")
    gone = host.status_becomes(lambda now: now.cards_out != before.cards_out, CARD_WITHIN_S)
    host.apply(lock_of_shuffler(gone))
    must("10.22", gone.cards_out != before.cards_out, f"nothing is unloaded behind the recount: {gone}")
    kinds = [type(one) for one in told(host, newest) if isinstance(one, Recounted | CardOut)]
    must("10.24", kinds[:1] == [Recounted], f"first {kinds[:2]}")
    now = with_cards(host)
    after = recount(host, now, release_until=(now.cards_out + 1) % U32)
    must("10.22", owed(after) > 0 or after.cards_out != now.cards_out, f"a release is gone behind the recount: {after}")
    host.apply(lock_of_shuffler(status_of(host)))
    _all_at_once(host)
    _in_a_feed(host)
    _in_an_unloading(host)


def _all_at_once(host: Host) -> None:
    """Checks the order for a command with recount, unloading and feeding: cards come in only when none is left to go
    out.
    """
    before = with_cards(host)
    if not before.hopper_loaded:
        host.load()
    newest = host.status()[1]
    after = recount(host, before, unload=True, feed_open=True)
    host.status_becomes(has_moved(after), CARD_WITHIN_S)
    host.listen(QUIET_S)
    host.apply(lock_of_shuffler(status_of(host)))
    host.listen(QUIET_S)
    kinds = [type(one) for one in told(host, newest) if isinstance(one, Recounted | CardIn | CardOut)]
    is_right = after.inside == 0 or kinds[:1] != [Recounted] or kinds[1:2] in ([], [CardOut])
    must("10.24", is_right, f"recount, unloading and feeding, {after.inside} inside: first {kinds[:3]}")


def _in_a_feed(host: Host) -> None:
    """Checks a recount asked for during a feed: the card in motion is finished, then the recount is made, then the feed
    goes on.
    """
    before = with_cards(host)
    if not before.hopper_loaded:
        host.load()
    host.apply(lock_of_shuffler(before, feed_open=True))
    begun: ShufflerStatus = host.status_becomes(has_moved(before), 1.0)
    request = (before.recounts + 1) % U16
    newest = host.apply(lock_of_shuffler(begun, feed_open=True, recount_request=request)).newest_event
    after: ShufflerStatus = host.status_becomes(is_counted(request), RECOUNTED_WITHIN_S)
    must("10.22", after.feed_open, f"the feed is gone behind the recount: {after}")
    if after.hopper_loaded:
        fed = host.status_becomes(lambda now: now.cards_in != after.cards_in, CARD_WITHIN_S)
        must("10.22", fed.cards_in != after.cards_in, f"the feed does not go on behind the recount: {fed}")
    host.apply(lock_of_shuffler(host.status()[0]))
    host.listen(QUIET_S)
    came = [type(one) for one in told(host, newest) if isinstance(one, CardIn | CardOut | Recounted)]
    is_first = Recounted in came[:2]
    must("10.21", is_first or after.recounts != request, f"a recount asked for in a feed: first {came[:4]}")


def _in_an_unloading(host: Host) -> None:
    """Checks that a shuffler that recounts during an unloading goes on with the unloading afterwards, without another
    command.
    """
    before = with_cards(host)
    host.apply(lock_of_shuffler(before, unload=True))
    begun: ShufflerStatus = host.status_becomes(has_moved(before), CARD_WITHIN_S)
    request = (before.recounts + 1) % U16
    host.apply(lock_of_shuffler(begun, unload=True, recount_request=request))
    after: ShufflerStatus = host.status_becomes(is_counted(request), RECOUNTED_WITHIN_S)
    must("10.22", after.unloading, f"the unloading is gone behind the recount: {after}")
    gone: ShufflerStatus = host.status_becomes(lambda now: now.cards_out != after.cards_out, CARD_WITHIN_S)
    host.apply(lock_of_shuffler(gone))
    is_so = gone.cards_out != after.cards_out or not after.inside
    must("10.22", is_so, f"the unloading does not go on behind the recount: {gone}")
