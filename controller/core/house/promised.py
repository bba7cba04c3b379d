"""The jackpot's sign: the amount that it should show, of the table's own pool or of the linked pool, and its faults."""

from msgspec import UnsetType

from controller.core.house.linked_pool import Linked
from controller.core.house.state import State
from controller.core.jackpot_rules import CENT
from controller.core.linked_rules import SignShows
from controller.core.words import Cents, HoldKind


def linked_on_sign(state: State) -> Linked | None:
    """The linked pool if the sign shows its amount. None if the sign shows the table's own pool."""
    rules, linked = state.setup.linked, state.house.linked
    if isinstance(rules, UnsetType) or isinstance(linked, UnsetType):
        return None
    return linked if rules.sign is SignShows.LINKED else None


def promised_cents(state: State) -> Cents | None:
    """The cents that the sign should show. None if the table has no pool of its own.

    A sign for a linked pool that was hit here shows the amount of the hit, once that is known.
    """
    linked, pool = linked_on_sign(state), state.house.pool
    if pool is None or linked is None:
        return None if pool is None else pool.cents
    hit = next((one.micro for one in linked.hits if one.micro is not None), None)
    return Cents((linked.micro if hit is None else hit) // CENT)


def is_sign_in_fault(state: State) -> bool:
    """True if the sign must show its fault message: its amount is out of date, a hold is open, or the floor's figures
    of the sign's linked pool are missing or too old. A hold for an unpaid prize of known amount is no fault: the prize
    is paid from the amount on the sign.
    """
    linked = linked_on_sign(state)
    if state.devices.display.is_stale or (linked is not None and not linked.is_heard):
        return True
    is_known = linked is not None and all(hit.micro is not None for hit in linked.hits)
    paid_from = {HoldKind.JACKPOT_OWED} | ({HoldKind.LINKED_HIT} if is_known else set())
    return any(hold.kind not in paid_from for hold in state.house.holds)
