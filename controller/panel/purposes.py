"""Finds the purposes of sign-ins that permit a press."""

from typing import Final

from controller.panel.browsers import Browser, Wanted
from controller.panel.moment import Moment
from controller.panel.offer import Step

WATCHED: Final = dict.fromkeys(("mixed", "loading", "taking-out"), "loading") | dict.fromkeys(
    ("closing", "unloading", "checking"), "unloading"
)
"""The operation that a supervisor watches, by the session's step."""

BEFORE_IT: Final = dict.fromkeys(("opened", "displayed"), "loading")
"""The steps before a loading: the supervisor who numbers and shows the cards stays for the loading."""

SUPERVISORS: Final = frozenset({"chief_supervisor", "table_inspector"})
OPERATIONS: Final = ("table", "loading", "unloading")
LOOK: Final = "look"
_OF_THE_HOUSE: Final = frozenset({"hand-over-shift", "keep-recording"})
"""The acts that belong to no operation and no hold: any sign-in of the person serves, and they count as no arrival."""


def purposes(browser: Browser, moment: Moment | None, wanted: Wanted) -> tuple[str, ...]:
    """Returns the purposes of sign-ins that suffice for the request, likeliest first. A purpose is "table", an
    operation, a hold's id, or LOOK, which is for reading.

    A supervisor's sign-in is for one operation with the holds that interrupt it, or for one hold. For other people, and
    at a screen that several people use, the hold comes first. A request about no operation and no hold takes any
    sign-in but the dealer's.
    """
    if wanted.reads is not None or wanted.tries or is_of_the_house(wanted):
        return (LOOK, *browser.rights)
    operation = "" if browser.is_shared else operation_of(moment)
    if wanted.hold or operation:
        own = (operation, wanted.hold) if SUPERVISORS.issuperset(wanted.who) else (wanted.hold, operation)
        supervisors = tuple(filter(None, own))
    else:
        supervisors = (LOOK, *(browser.rights.keys() - {"table"}))
    return ("table", *supervisors) if "dealer" in wanted.who else supervisors


def is_of_the_house(wanted: Wanted) -> bool:
    """True if the request is to hand over a shift or to say where a recording is stored. Such a request belongs to no
    operation or hold.
    """
    return wanted.asks in _OF_THE_HOUSE or any(act in _OF_THE_HOUSE for act, _values in wanted.steps)


def operation_of(moment: Moment | None) -> str:
    """Returns the operation that a supervisor attends in the session's present step. Returns "" if a supervisor attends
    none.
    """
    if moment is None or moment.status.counts is None:
        return ""
    return (WATCHED | BEFORE_IT).get(moment.status.session, "")


def come(moment: Moment | None, purpose: str, person: int) -> tuple[Step, ...]:
    """Returns the act `sign-in`, with which the person comes to the table for the operation `purpose`. Returns () if
    the person is already present for this operation, if the session is not ready for it, or if `purpose` is no
    operation.
    """
    if purpose not in OPERATIONS or moment is None:
        return ()
    is_early = moment.status.session in BEFORE_IT and purpose != "table"
    is_here = any(one.person == person and one.operation == purpose for one in moment.status.present)
    return () if is_here or is_early else (("sign-in", {"operation": purpose}),)
