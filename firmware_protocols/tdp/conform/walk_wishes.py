"""The commands of a walk: valid ones for each kind of device, and payloads that are no valid command."""

from typing import Any

from firmware_protocols.tdp.conform.command_checks import bad_effects
from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.lot import Lot
from firmware_protocols.tdp.conform.parts import lock_of_shuffler, permissions_of
from firmware_protocols.tdp.conform.pictures import ALL_SHOWN, as_it_is
from firmware_protocols.tdp.conform.told import U16, U32
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import ShufflerApply
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import COLOURS, MarkersApply

_FAR_BEHIND = 2**31 + 2**20
_AMOUNTS = (0, 1, 255, 256, 65536, 99999999)


def wish(host: Host, now: Any, lot: Lot) -> object:  # noqa: ANN401 (any kind's status)
    """Draws from `lot` a valid command for this kind of device in the status `now`. The command moves cards only if the
    checks may move cards.
    """
    kind = host.schema.kind
    may_move = host.moves or kind is not DeviceKind.SHUFFLER
    wishes = [one.ask(now) for one in permissions_of(host)] if may_move else []
    wishes += [ALL_SHOWN[kind](now)] if kind in ALL_SHOWN else []
    wishes += [as_it_is(host, now), _drawn(host, now, lot, may_move=may_move)]
    if getattr(now, "jammed", False):
        wishes += [lock_of_shuffler(now, jams_ended=now.jams)] * len(wishes)
    elif kind is DeviceKind.SHUFFLER and may_move:
        wishes += [
            _drawn(host, now, lot, may_move=may_move),
            lock_of_shuffler(now, recount_request=(now.recounts + 1) % U16),
        ]
    return lot.choice(wishes)


def _drawn(host: Host, now: Any, lot: Lot, *, may_move: bool) -> object:  # noqa: ANN401 (any kind's status)
    match host.schema.kind:
        case DeviceKind.SHUFFLER:
            return _of_a_shuffler(now, lot, may_move=may_move)
        case DeviceKind.SLOTS:
            number = (now.collections + lot.choice((0, 1, 1, 1, 2, 256, -1))) % U16
            return SlotsApply(number, lot.choice((0, 1, 5, 0xFFFF)), lot.bits(16), lot.bits(16))
        case DeviceKind.VALUE_DISPLAY:
            return MarkersApply(*(lot.choice(_AMOUNTS) for _ in COLOURS))
        case DeviceKind.DISPLAY:
            return DisplayApply(lot.choice((*_AMOUNTS, 99999999999999)), fault=lot.choice((False, True)))
        case _:
            return as_it_is(host, now)


def _of_a_shuffler(now: Any, lot: Lot, *, may_move: bool) -> ShufflerApply:  # noqa: ANN401 (any kind's status)
    pick = lot.choice
    ahead = pick((0, 0, 1, 3, 12, 300, -1, _FAR_BEHIND)) if may_move else pick((0, -1, _FAR_BEHIND))
    return ShufflerApply(
        (now.cards_out + ahead) % U32,
        feed_open=may_move and pick((False, False, True)),
        unload=may_move and pick((False, False, False, True)),
        lamp=pick((False, True)),
        jams_ended=(now.jams + pick((0, 0, 0, -1, 1, 300, 2**15, 2**15 - 1))) % U16,
        recount_request=(now.recounts + (pick((0, 0, 0, 1, 7, 2**8, 2**15)) if may_move else 0)) % U16,
    )


def nonsense(host: Host, good: bytes) -> tuple[bytes, ...]:
    """Returns payloads that are no valid command, made from the valid command `good` and from the query."""
    rows = [row for row in host.schema.commands if row.fields and good[:1] == bytes((row.id,))]
    values = tuple(bad for row in rows for bad in bad_effects(row, good))
    return b"", b"\xee", good[:-1], good + b"\0", b"\0" + good, host.query + b"\0", good[:1], *values
