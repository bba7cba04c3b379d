"""People's deeds and acts about the jackpot: chips, collection, the sign, prizes in their order, and statements.

People read all amounts off the screen. The chief supervisor does two things that the dealer may not: pay prizes by
hand, and add the amount that the pool lacks.
"""

from itertools import chain
from typing import Final

from controller.core.jackpot_rules import Marking
from controller.core.words import HoldKind, Role, RoundPhase, SessionPhase
from controller.protocol.jackpot import JackpotStatus
from simulators.people import hands as h
from simulators.people.doing import Ask, Doing, Touch, View

_LAYS: Final = 0.7  # share of the players with a bet
_MISTYPES: Final = 0.05
_IN_TWO_GOES: Final = 0.2
_THINKS_AGAIN: Final = 0.05
_PATIENCE_S: Final = 20.0
_CENTS_MISTYPED: Final = 10


def in_units(cents: int) -> str:
    """Returns the amount `cents` in currency units, with two decimals."""
    return "{}.{:02d}".format(*divmod(cents, 100))


def lay_chip(view: View, seat: int) -> Doing:
    """Returns the deed or act that lays a jackpot chip at this seat; None if the player wants no chip or has laid one
    already. A player lays the chip into the slot. At a table without slots the dealer asks for the act.
    """
    jackpot, status = view.status.jackpot, view.status
    if jackpot is None or seat in jackpot.chips:
        return None
    wishes = view.choices.wish(status.session_number, status.round_number + 1, "chip", seat) < _LAYS
    if wishes and jackpot.slots in {"told", "lost"}:
        return None if seat in view.sight.in_slots else Touch(h.LayChip(seat))
    return view.ask("place-jackpot-bet", seat=str(seat)) if wishes else None


def mind_jackpot(view: View) -> Doing:
    """Returns the next deed or act about the jackpot: moved chips, sign, collection, increment, prizes; None if none is
    due.
    """
    jackpot = view.status.jackpot
    if jackpot is None:
        return None
    return _chips_moved(view, jackpot) or _minded(view, jackpot) or _pay_linked(view)


def _minded(view: View, jackpot: JackpotStatus) -> Ask | None:
    return _read_sign(view, jackpot) or _collect(view, jackpot) or _raise_sign(view, jackpot) or _pay(view, jackpot)


def _chips_moved(view: View, jackpot: JackpotStatus) -> Touch | None:
    """Returns the deed of a player who lays or takes a chip after the announcement, and later the deed of the dealer
    who takes out a chip that does not play. Returns None if no chip is to be moved.
    """
    in_slots = view.sight.in_slots
    match view.status.round:
        case RoundPhase.DEALING if jackpot.slots == "told" and not jackpot.is_collected:
            fickle = [seat for seat in view.status.seats if view.feels(_THINKS_AGAIN, f"chip again {seat}")]
            laid = (Touch(h.LayChip(seat)) for seat in fickle if seat not in (*jackpot.chips, *in_slots))
            taken = (Touch(h.TakeChip(seat)) for seat in fickle if seat in jackpot.chips and seat in in_slots)
            return next(chain(laid, taken), None)
        case RoundPhase.PLAYING | RoundPhase.SETTLED:
            is_by_hand = jackpot.slots == "set-aside"
            return next((Touch(h.TakeChip(seat)) for seat in in_slots if is_by_hand or seat in jackpot.astray), None)
        case _:
            return None


def choose_marking(view: View, role: Role) -> Ask | None:
    """Returns the act that chooses marking by hand, if the slots fail to report the chips at an idle
    table; else None.
    """
    jackpot = view.status.jackpot
    if jackpot is None or not _slots_fail(jackpot) or not view.is_left_alone_for(_PATIENCE_S):
        return None
    return view.ask("choose-jackpot-marking", role, marking=Marking.MANUAL.value)


def _slots_fail(jackpot: JackpotStatus) -> bool:
    """True if the table has slots that should report the chips but do not."""
    return jackpot.slots == "lost" or (jackpot.slots == "told" and not set(jackpot.chips).isdisjoint(jackpot.broken))


def _read_sign(view: View, jackpot: JackpotStatus) -> Ask | None:
    """Returns the act that states the amount on a sign without read-back, once in a session. Returns None if the sign
    needs no statement now.
    """
    if jackpot.sign != "unconfirmed" or view.status.session is not SessionPhase.IN_PLAY:
        return None
    return view.ask("state-sign", amount=in_units(jackpot.amount_cents))


def _collect(view: View, jackpot: JackpotStatus) -> Ask | None:
    is_by_hand = jackpot.marking == Marking.MANUAL
    first = is_by_hand and len(jackpot.chips) > 1 and not jackpot.marked and view.feels(_IN_TWO_GOES, "two goes")
    seats = {"seats": str(jackpot.chips[0])} if first else {}
    return view.ask("collect-jackpot-bets", **seats)


def _raise_sign(view: View, jackpot: JackpotStatus) -> Ask | None:
    if not jackpot.is_collected or jackpot.raised_cents is not None:
        return None
    wrong = _CENTS_MISTYPED if view.feels(_MISTYPES, "mistyped") else 0
    return view.ask("raise-jackpot", amount=in_units(jackpot.increment_cents + wrong))


def _pay(view: View, jackpot: JackpotStatus) -> Ask | None:
    due = jackpot.next_prize
    if due is None or any(one.act == "pay-jackpot" for one in view.status.waiting):
        return None
    return view.ask("pay-jackpot", seat=str(due.seat))


def _pay_linked(view: View) -> Ask | None:
    """Returns the act that pays a linked prize. Returns None before the floor has decided the amount, and while a
    payment waits for a second person.
    """
    hits = [] if view.status.linked is None else view.status.linked.hits
    seats = [hit.next_seat for hit in hits if hit.next_seat is not None]
    if not seats or any(one.act == "pay-linked-prize" for one in view.status.waiting):
        return None
    return view.ask("pay-linked-prize", seat=str(seats[0]))


def pay_by_hand(view: View) -> Ask | None:
    """Returns the chief supervisor's act for a prize that the dealer may not pay. If the pool lacks cents for the
    prize, the act adds the missing amount to the pool; otherwise it pays the prize. Returns None if no prize is due, if
    the dealer may pay the prize, or while the room manager must agree to the payment.
    """
    jackpot = view.status.jackpot
    due = None if jackpot is None else jackpot.next_prize
    if jackpot is None or due is None or view.status.allows("pay-jackpot", Role.DEALER):
        return None
    if not due.covered:
        amount = in_units(due.cents - jackpot.amount_cents)
        return view.ask("lay-into-jackpot", Role.CHIEF_SUPERVISOR, amount=amount, reference="house")
    if any(one.act == "pay-jackpot-by-hand" for one in view.status.waiting):
        return None  # the room manager has to agree
    return view.ask("pay-jackpot-by-hand", Role.CHIEF_SUPERVISOR, seat=str(due.seat))


def state_pool(view: View, role: Role) -> Ask | None:
    """Returns the act that states the pool's amount as the screen shows it; None if the amount is not in doubt.

    The room manager adds the reference of a report.
    """
    jackpot = view.status.jackpot
    if not view.status.held_by(HoldKind.JACKPOT_DOUBTED):
        return None
    reported = {"reference": "SRIJ 2"} if role is Role.ROOM_MANAGER else {}
    return view.ask("state-jackpot", role, amount=in_units(jackpot.amount_cents if jackpot else 0), **reported)


def approve(view: View) -> Ask | None:
    """Returns the room manager's act that records the jackpot's approval before the table opens; None if no approval is
    due.
    """
    return view.ask("approve-jackpot", Role.ROOM_MANAGER, reference="SRIJ 1")


def is_to_be_approved(view: View) -> bool:
    """True if the closed table waits for the jackpot's approval."""
    return view.status.session is SessionPhase.CLOSED and view.status.allows("approve-jackpot", Role.ROOM_MANAGER)
