"""People's deeds and acts to correct a mistyped entry: two people correct it, or a ruling decides.

The person who has noticed the entry asks for the correction, and a second person agrees. If cards or later entries
depend on the entry, the table refuses, and people ask for a ruling. Changed amounts are settled before play goes on.
"""

from typing import Final

from controller.core.words import Role
from simulators.people import hands as h
from simulators.people.doing import Ask, Doing, Touch, View
from simulators.people.mistyped import (
    Mistyped,
    addition_of,
    correction_of,
    corrections_of,
    taken_back,
)
from simulators.people.stakes import laid

CORRECT: Final = "correct-entry"
ADD: Final = "add-entry"
SETTLED: Final = "confirm-differences"
_FOR_TWO: Final = frozenset((CORRECT, ADD, SETTLED))
_BETS: Final = ("place-bet", "take-bets")
_HANGS: Final = frozenset(
    ("corrected_entry_is_allowed", "later_entries_stand", "cards_and_jackpot_stand", "correction_changes_the_round")
)


def is_to_be_put_right(view: View) -> bool:
    """True if a mistyped entry was noticed or amounts have changed; both are dealt with before the next card."""
    return view.sight.mistyped is not None or bool(view.log.differences)


def agreed(view: View) -> Ask | None:
    """Returns the act by which the dealer agrees to a correction; None if no correction waits for the dealer."""
    asked = (one for one in view.status.waiting if one.act in _FOR_TWO)
    return view.agreement(Role.DEALER) if any(Role.DEALER in one.who for one in asked) else None


def put_right(view: View, role: Role) -> Doing:
    """Returns the role's next deed or act about a mistyped entry or changed amounts; None if the role has nothing to
    do.

    The entry is corrected or added again; if neither is possible, people drop the mistake or leave it to a ruling.
    """
    if view.status.journal.waiting or any(one.act in _FOR_TWO for one in view.status.waiting):
        return None
    if view.log.differences and view.status.allows(SETTLED, role):
        return view.ask(SETTLED, role) if role is Role.DEALER else None
    wrong = view.sight.mistyped
    if wrong is None or wrong.said_by is not role:
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


def _corrections(view: View, wrong: Mistyped) -> tuple[dict[str, str], ...]:
    """Returns the values of the corrections to try: first the correction to the meant values, then the withdrawal of
    the entry.

    If the meant bet has been entered meanwhile, the mistyped bet is only withdrawn. While cards lie on the table, a bet
    is neither moved to another seat nor withdrawn.
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
