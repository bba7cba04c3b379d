"""The linked pool in the status: the floor's last report on it, and the unpaid hits at this table."""

from msgspec import UnsetType

from controller.core.house.linked_acts import linked_of
from controller.core.house.linked_pool import Linked, LinkedHit
from controller.core.house.state import State
from controller.core.jackpot_rules import CENT
from controller.protocol.jackpot import FloorSays, LinkedHitStatus, LinkedStatus


def linked_status(state: State) -> LinkedStatus | None:
    """Returns the status of the linked pool. None if the table has neither a linked pool nor an unpaid hit of a former
    one.
    """
    linked = linked_of(state)
    if linked is None or (isinstance(state.setup.linked, UnsetType) and not linked.hits):
        return None
    return LinkedStatus(
        pool=linked.pool,
        floor=_floor_says(linked),
        cents=linked.micro // CENT if linked.number else None,
        number=linked.number,
        since=linked.since_ms,
        hits=[_hit(one) for one in linked.hits],
    )


def _floor_says(linked: Linked) -> FloorSays:
    if linked.is_heard:
        return FloorSays.HEARD
    return FloorSays.AWAY if linked.is_away else FloorSays.NOTHING


def _hit(hit: LinkedHit) -> LinkedHitStatus:
    entry = f"{hit.epoch}.{hit.seq}" if hit.seq else "-"
    seats = list(hit.seats)
    if hit.micro is None:
        return LinkedHitStatus(seats, entry)
    seat = hit.next_seat
    return LinkedHitStatus(seats, entry, hit.micro // CENT, seat, 0 if seat is None else hit.share(seat))
