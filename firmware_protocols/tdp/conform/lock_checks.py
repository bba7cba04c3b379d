"""Checks of PROTOCOL.md, section 9: sessions, lids and jams withdraw permissions, but change no protection and no
picture.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import product
from typing import Any, Final, cast

from msgspec import structs

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    RECOUNTED_WITHIN_S,
    SILENCE_S,
    U16,
    U32,
    Permission,
    hear_through,
    lock_of_shuffler,
    permissions,
    permit,
    ready,
    recount,
    stays_locked,
    switch_of,
    told,
    with_cards,
)
from firmware_protocols.tdp.conform.pictures import show_all
from firmware_protocols.tdp.conform.told import permits
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import Jammed, LidClosed, LidOpened, Recounted, ShufflerApply, ShufflerStatus

LONG_S: Final = 12.0  # of a silence


def a_session_begins_locked(host: Host) -> None:
    for permission in permissions(host):
        host.open()
        _begins_locked(host, permission, is_known=False)
        _begins_locked(host, permission, is_known=True)


def _begins_locked(host: Host, permission: Permission, *, is_known: bool) -> None:
    """Checks that a new session withdraws the permission. `is_known`: True if the HELLO of the session acknowledges the
    device's events.
    """
    permit(host, permission)
    committed = host.status()[1] if is_known else 0
    if is_known:
        hear_through(host, committed)
    _identity, status = host.open(committed=committed)
    is_equal = not isinstance(status, ShufflerStatus) or status.release_until == status.cards_out
    found = f"{permission.name} in IDENTITY of a new session: {status}"
    must("9.11", permission.is_locked(status) and is_equal, found)
    must("9.23", not status.host_silent, f"host_silent in IDENTITY: {status}")
    stays_locked(host, permission, status, "9.17", "a session has opened")


def a_new_session_withdraws_behind_a_silence(host: Host) -> None:
    """Checks that a permission given before a silence does not come back in the session after the silence."""
    for permission in permissions(host):
        host.open()
        permit(host, permission)
        host.listen(SILENCE_S, alive=False)
        _identity, status = host.open()
        must("7.8", permission.is_locked(status), f"{permission.name} in a session behind a silence: {status}")
        stays_locked(host, permission, status, "7.8", "a session has opened")


def what_a_silence_leaves(host: Host) -> None:
    """Checks that a silence sets `release_until` to `cards_out`, even if `release_until` was smaller and permitted
    nothing.
    """
    before = ready(host)
    host.apply(lock_of_shuffler(before, release_until=(before.cards_out - 3) % U32))
    status = _behind_silence(host)
    must("9.12", status.release_until == status.cards_out, f"behind a silence: {status}")


def the_lid_locks(host: Host) -> None:
    host.has("lid")
    for permission in permissions(host):
        host.open()
        permit(host, permission)
        newest = host.status()[1]
        host.hand(Deed.LID_OPEN)
        opened = host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
        must("10.33", opened.lid_open, f"the lid is open: {opened}")
        must("9.15", permission.is_locked(opened), f"{permission.name} with the lid open: {opened}")
        host.hand(Deed.LID_CLOSE)
        closed = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
        stays_locked(host, permission, closed, "9.17", "the lid is closed")
        came = [type(one) for one in told(host, newest) if isinstance(one, LidOpened | LidClosed)]
        must("10.33", came == [LidOpened, LidClosed], f"the lid was opened and closed, told {came}")
    _no_recount_behind(host, Deed.LID_OPEN, Deed.LID_CLOSE)


def a_jam_locks(host: Host) -> None:
    for permission in permissions(host):
        host.open()
        with_cards(host)
        permit(host, permission)
        host.hand(Deed.JAM)
        status = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
        must("9.14", permission.is_locked(status), f"{permission.name} with a jam: {status}")
        host.hand(Deed.CLEAR)
        host.status_becomes(lambda now: not now.path_blocked)
        stays_locked(host, permission, status, "9.17", "the path is free")
        host.apply(lock_of_shuffler(status, jams_ended=status.jams))
        status = host.status_becomes(lambda now: not now.jammed)
        stays_locked(host, permission, status, "9.17", "the jam is ended")
    with_cards(host)
    jam = _no_recount_behind(host, Deed.JAM, Deed.CLEAR)
    if jam is not None:
        host.apply(lock_of_shuffler(jam, jams_ended=jam.jams))
        host.status_becomes(lambda now: not now.jammed)


def protections_stay(host: Host) -> None:
    """Checks that a new session and a silence do not change a lamp, a lock or a fault picture."""
    is_there, say = _protection(host)
    for on in (True,) if host.schema.kind in _LOCK_IS_ONE else (True, False):
        say(on)
        for again in (_in_a_session, _behind_silence):
            status = again(host)
            found = f"a protection that was {'on' if on else 'off'} is not: {status}"
            must("9.18" if on else "9.24", is_there(status) is on, found)


_LOCK_IS_ONE: Final = (DeviceKind.SHOE, DeviceKind.DISPLAY)
"""Kinds on which a silence by itself sets the lock or the fault picture."""


def _in_a_session(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    return host.open()[1]


def _behind_silence(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    host.listen(SILENCE_S, alive=False)
    return host.status()[0]


def _behind_a_long_silence(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    host.listen(LONG_S, alive=False)
    return host.status()[0]


def _protection(host: Host) -> tuple[Callable[[Any], bool], Callable[[bool], object]]:
    match host.schema.kind:
        case DeviceKind.SHUFFLER:
            switch = switch_of(host)
            return switch.is_on, lambda on: host.apply(switch.ask(host.status()[0], on=on))
        case DeviceKind.SHOE:
            switch = switch_of(host)
            return lambda now: now.locked, lambda on: host.apply(switch.ask(host.status()[0], on=not on))
        case DeviceKind.DISPLAY:
            return lambda now: now.fault_shown, lambda on: host.apply(DisplayApply(100, fault=on))
        case _:
            raise Skipped("nothing-to-permit")


def what_is_shown_stays(host: Host) -> None:
    """Checks that a new session and a silence do not change markers and the lamps of slots."""
    duty = {DeviceKind.VALUE_DISPLAY: "13.4", DeviceKind.SLOTS: "14.8"}[host.schema.kind]
    before = show_all(host)
    for again in (_in_a_session, _behind_silence, _behind_a_long_silence, _in_a_session):
        status = again(host)
        must(duty, status == before, f"it changes without a command: {status}, before {before}")


def a_recount_is_withdrawn(host: Host) -> None:
    """Checks that a new session, a start or a silence cancels a recount, even one that has begun."""
    host.has("recount")
    begun_s = host.line.now_s()
    before = recount(host, ready(host))
    takes_s = host.line.now_s() - begun_s
    request = (before.recounts + 1) % U16
    for pause_s in (0.0, takes_s / 2):
        host.apply(lock_of_shuffler(before, recount_request=request))
        host.listen(pause_s)
        host.open()
        host.listen(takes_s + 1.0)
        _not_recounted(host, before, "a new session")
    with suppress(Skipped):
        host.apply(lock_of_shuffler(before, recount_request=request))
        host.hand(Deed.POWER)
        host.open()
        host.listen(takes_s + 1.0)
        _not_recounted(host, before, "a start")
    _in_other_work(host, takes_s)
    if takes_s < SILENCE_S + 0.3:
        raise Skipped("recount-too-quick")
    before = ready(host)
    request = (before.recounts + 1) % U16
    host.apply(lock_of_shuffler(before, recount_request=request))
    host.listen(takes_s + 1.0, alive=False)
    _not_recounted(host, before, "a silence")
    host.listen(takes_s)
    _not_recounted(host, before, "a silence")


def _in_other_work(host: Host, takes_s: float) -> None:
    """Checks that a new session and a silence cancel a recount that was asked for while another work went on, and that
    should have come before it.
    """
    for permission, alive in product(permissions(host), (True, False)):
        before = permit(host, permission)
        if alive or takes_s > SILENCE_S + 0.3:
            asked = cast("ShufflerApply", permission.ask(before))
            host.apply(structs.replace(asked, recount_request=(before.recounts + 1) % U16))
            if alive:
                host.open()
            host.listen(takes_s + 1.0, alive=alive)
            behind = f"{'a new session' if alive else 'a silence'}, asked for in {permission.name},"
            _not_recounted(host, before, behind)
        host.apply(lock_of_shuffler(host.status()[0]))


def _not_recounted(host: Host, before: ShufflerStatus, behind: str) -> None:
    status = host.status()[0]
    must("9.20", status.recounts == before.recounts, f"behind {behind} the recount runs on: {status}")


def _no_recount_behind(host: Host, deed: Deed, undo: Deed) -> ShufflerStatus | None:
    """Checks that hands cancel a recount with the deed `deed`, even a recount that has begun. Returns the status after
    the deed `undo`.

    None if the shuffler does not recount.
    """
    if not host.statement.has("recount"):
        return None
    host.open()
    begun_s = host.line.now_s()
    before = recount(host, ready(host))
    takes_s = host.line.now_s() - begun_s
    newest = host.status()[1]
    host.apply(lock_of_shuffler(before, recount_request=(before.recounts + 1) % U16))
    host.hand(deed)
    host.listen(takes_s + 1.0)
    host.hand(undo)
    came = [type(one) for one in told(host, newest) if isinstance(one, Recounted | LidOpened | Jammed)]
    must("9.20", came[-1:] != [Recounted], f"behind {deed} the recount runs on: {host.status()[0]}")
    status: ShufflerStatus = host.status_becomes(lambda now: not (now.lid_open or now.path_blocked))
    return status


def the_mouth_is_shut(host: Host) -> None:
    """Checks that the shuffler shuts an open mouth when the permission ends, with many cards left to release and with
    one card.
    """
    before = with_cards(host)
    for again, cards in product((_in_a_session, _behind_silence), (200, 1)):
        host.apply(lock_of_shuffler(before, release_until=(host.status()[0].cards_out + cards) % U32))
        host.status_becomes(lambda now: now.mouth_open)
        status = again(host)
        must("9.21", not status.mouth_open, f"the mouth is open: {status}")
        must("9.12", not permits(status), f"permitted still: {status}")
