"""People's deeds and acts to correct a mistyped entry: two people correct it, or a ruling decides.

The person who has noticed the entry asks for the correction, and a second person agrees. If cards or later entries
depend on the entry, the table refuses the correction, and people ask for a ruling. Changed amounts are settled before
play goes on.
"""

from collections.abc import Mapping
from typing import Final

from controller.core.words import Role, RoundPhase
from simulators.people import hands as h
from simulators.people.doing import Ask, Doing, Touch, View
from simulators.people.jackpot import in_units
from simulators.people.mistyped import (
    Mistyped,
    addition_of,
    correction_of,
    corrections_of,
    taken_back,
)
from simulators.people.stakes import laid
from simulators.people.status import place_of

CORRECT: Final = "correct-entry"
ADD: Final = "add-entry"
SETTLED: Final = "confirm-differences"
_FOR_TWO: Final = frozenset((CORRECT, ADD, SETTLED))
_BETS: Final = ("place-bet", "take-bets")
_HANGS: Final = frozenset(
    ("corrected_entry_is_allowed", "later_entries_stand", "cards_and_jackpot_stand", "correction_changes_the_round")
)


def is_to_be_put_right(view: View) -> bool:
    """True if a mistyped entry was noticed or amounts have changed. People deal with both before the next card."""
    return view.sight.mistyped is not None or bool(view.log.differences)


def agreed(view: View) -> Ask | None:
    """Returns the act by which the dealer agrees to a correction; None if no correction waits for the dealer."""
    asked = (one for one in view.status.waiting if one.act in _FOR_TWO)
    return view.agreement(Role.DEALER) if any(Role.DEALER in one.who for one in asked) else None


def put_right(view: View, role: Role) -> Doing:
    """Returns the role's next deed or act about a mistyped entry or changed amounts; None if the role has nothing to
    do.

    People correct the entry or add it again. If neither is possible, they drop the mistake or leave it to a ruling.
    """
    if view.status.journal.waiting or any(one.act in _FOR_TWO for one in view.status.waiting):
        return None
    if view.log.differences and view.status.allows(SETTLED, role):
        return view.ask(SETTLED, role) if role is Role.DEALER else None
    wrong = view.sight.mistyped
    if wrong is None:
        return None
    if (changed := _at_once(view, wrong)) is not None:
        return changed if role is Role.DEALER else None
    if wrong.said_by is not role:
        return None
    if (added := addition_of(wrong, view.log)) is not None:
        return view.asked(Ask(ADD, added, role)) or Touch(h.AboutDealingError.FORGET_ENTRY)
    if not wrong.stands_in(view.log):
        return Touch(h.AboutDealingError.FORGET_ENTRY)
    tries = [Ask(CORRECT, values, role) for values in _corrections(view, wrong)]
    if asked := next(filter(None, map(view.asked, tries)), None):
        return asked
    hangs = not tries or any(view.recall.guard(one) in _HANGS for one in tries)
    return Touch(h.AboutDealingError.LEAVE_ENTRY if hangs else h.AboutDealingError.FORGET_ENTRY)


def _at_once(view: View, wrong: Mistyped) -> Doing:
    """Returns the dealer's next act or deed by which he alone puts a mistyped amount right while bets are open.

    Returns None if the mistyped value is no amount, if bets are closed, and for every second entry: people then correct
    it as an entry.
    """
    if wrong.meant is None or view.status.round is not RoundPhase.BETTING:
        return None
    differ = {name for name, text in wrong.meant.values.items() if wrong.entered.values.get(name) != text}
    is_odd = wrong.number % 2 == 1
    match wrong.entered.act:
        case "place-bet" if differ == {"amount"} and is_odd:
            return _changed(view, wrong.meant.values)
        case "place-side-bet" if differ == {"amount"} and not is_odd:
            return _laid_again(view, wrong.meant.values)
        case _:
            return None


def _changed(view: View, meant: Mapping[str, str]) -> Doing:
    """Returns the act that gives the bet its meant amount. Once the bet has that amount, returns the deed that forgets
    the mistake.
    """
    seat, bettor = int(meant["seat"]), int(meant.get("bettor", meant["seat"]))
    hands = view.status.money.hands if view.status.money is not None else []
    bets = (bet for hand in hands if place_of(hand.hand)[0] == seat for bet in hand.bets)
    if [in_units(bet.stake_cents) for bet in bets if bet.bettor == bettor] == [meant["amount"]]:
        return Touch(h.AboutDealingError.FORGET_ENTRY)
    return view.asked(Ask("change-bet", dict(meant)))


def _laid_again(view: View, meant: Mapping[str, str]) -> Doing:
    """Returns the act that takes the side bet back or lays it again. Once the side bet has its meant amount, returns
    the deed that forgets the mistake.
    """
    side = view.status.money.side if view.status.money is not None else []
    lying = [in_units(one.stake_cents) for one in side if (str(one.seat), one.bet) == (meant["seat"], meant["bet"])]
    if lying == [meant["amount"]]:
        return Touch(h.AboutDealingError.FORGET_ENTRY)
    if lying:
        return view.asked(Ask("withdraw-side-bet", {"seat": meant["seat"], "bet": meant["bet"]}))
    return view.asked(Ask("place-side-bet", dict(meant)))


def _corrections(view: View, wrong: Mistyped) -> tuple[dict[str, str], ...]:
    """Returns the values of the corrections to try: first the correction to the meant values, then the withdrawal of
    the entry.

    If the meant bet has been entered meanwhile, only withdraws the mistyped bet. While cards lie on the table, neither
    moves a bet to another seat nor withdraws it.
    """
    values = {} if wrong.meant is None else wrong.meant.values
    if wrong.entered.act not in _BETS:
        return corrections_of(wrong, view.log)
    is_elsewhere = values.get("seat") != wrong.entered.values.get("seat") or not values
    if view.sight.table:
        return () if is_elsewhere else (correction_of(wrong),)
    if is_elsewhere and values and (int(values["seat"]), int(values.get("bettor", values["seat"]))) in laid(view):
        return (taken_back(wrong),)
    return correction_of(wrong), taken_back(wrong)
