"""Checks that a device that reports a lock lets no card pass, whatever has locked it (PROTOCOL.md, 5.10)."""

from collections.abc import Callable
from itertools import product
from typing import Any, Final

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Broken, Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    LOCKS,
    PERMISSIONS,
    QUIET_S,
    SILENCE_S,
    U32,
    Permission,
    lasting,
    lock_of_shuffler,
    ready,
    with_cards,
)
from firmware_protocols.tdp.conform.told import owed, permits
from firmware_protocols.tdp.conform.unopened_checks import looked_at
from firmware_protocols.tdp.schema import DeviceKind

DRAWS: Final = 3


def behind_a_lock_no_card_passes(host: Host) -> None:
    """Checks that no card passes a device that says it is locked. Hands try to draw after each cause that withdraws a
    permission: a command, a session, a silence, a start.
    """
    kind = host.schema.kind
    if kind is DeviceKind.SHUFFLER:
        ready(host)
    else:
        host.has("lock")
    host.hand(Deed.LOAD)
    for permission in PERMISSIONS[kind][-2:]:
        _is_shut(host, permission, _by_a_command)
    for by in (_by_a_session, _by_a_silence, _by_a_start):
        _is_shut(host, lasting(host) if kind is DeviceKind.SHUFFLER else PERMISSIONS[kind][0], by)
    if kind is DeviceKind.SHOE:
        _is_shut(host, PERMISSIONS[kind][0], _by_a_command_beside_an_error)
        host.hand(Deed.MEND)


def _is_shut(host: Host, permission: Permission, by: Callable[[Host], None]) -> None:
    host.apply(permission.ask(host.status()[0]))
    host.listen(QUIET_S)
    by(host)
    alive = by not in (_by_a_silence, _by_a_start)
    if alive:
        host.status_becomes(permission.is_locked)
    host.listen(QUIET_S, alive=alive)
    if not permission.is_locked(looked_at(host)[1]):
        raise Skipped("not-permitted")
    no_card_passes(host, by.__name__.removeprefix("_by_").replace("_", " "), alive=alive)
    if not alive:
        host.open()


def an_older_count_shuts_the_mouth(host: Host) -> None:
    """Checks that hands draw no card from the mouth while `release_until` is not ahead of `cards_out`. Judges nothing
    if hands draw a card even at equal counts, since another check reports this.
    """
    for far in (0, -1, -5, 1 - U32 // 2, U32 // 2):
        before = with_cards(host)
        host.apply(lock_of_shuffler(before, release_until=(before.cards_out + 9) % U32))
        now = host.status_becomes(lambda one: one.mouth_open)
        host.apply(lock_of_shuffler(now, release_until=(now.cards_out + far) % U32))
        try:
            no_card_passes(host, f"a release_until {far} behind cards_out", duty="10.17")
        except Broken:
            if not far:
                return
            raise


def a_card_in_the_mouth_is_withdrawn(host: Host) -> None:
    """Checks that hands cannot draw a card from the mouth while the lid is open or a jam lasts, nor after either has
    ended.
    """
    for deeds, many in product(_BY_HANDS, (1, 200)):
        if Deed.LID_OPEN in deeds and not host.statement.has("lid"):
            continue
        before = with_cards(host)
        host.apply(lock_of_shuffler(before, release_until=(before.cards_out + many) % U32))
        host.status_becomes(lambda now: now.mouth_open)
        for deed in deeds:
            host.hand(deed)
            host.listen(QUIET_S)
            now = host.status()[0]
            must("9.21", owed(now) > 0 or not now.mouth_open, f"the mouth is open behind {deed}: {now}")
            if permits(now):
                return  # another check says so
            no_card_passes(host, str(deed), duty="9.21")
        host.apply(lock_of_shuffler(now, jams_ended=now.jams))
        no_card_passes(host, "nothing but a command behind a jam or a lid", duty="9.21")


_BY_HANDS: Final = ((Deed.LID_OPEN, Deed.LID_CLOSE), (Deed.JAM, Deed.CLEAR))


def no_card_passes(host: Host, cause: str, *, alive: bool = True, duty: str = "5.10") -> None:
    """Makes hands try to draw a card from a device that reports a lock, and checks that no card passes. `cause`: the
    cause of the lock, in the words of a finding.
    """
    before = _cards_gone(looked_at(host)[1])
    host.hand(Deed.DRAW, DRAWS, alive=alive)
    host.listen(QUIET_S, alive=alive)
    after = looked_at(host)[1]
    must(duty, _cards_gone(after) == before, f"locked by {cause}, and cards pass: {after}, {before} before")


def _by_a_command(host: Host) -> None:
    host.apply(LOCKS[host.schema.kind](host.status()[0]))


def _by_a_command_beside_an_error(host: Host) -> None:
    host.hand(Deed.FAULT)
    _by_a_command(host)


def _by_a_session(host: Host) -> None:
    host.open()


def _by_a_silence(host: Host) -> None:
    host.listen(SILENCE_S, alive=False)


def _by_a_start(host: Host) -> None:
    host.hand(Deed.POWER, alive=False)
    host.listen(SILENCE_S, alive=False)


def _cards_gone(status: Any) -> int:  # noqa: ANN401 (shuffler's or shoe's)
    gone: int = status.passages if hasattr(status, "passages") else status.cards_out
    return gone
