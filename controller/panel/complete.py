"""Tells if a form has every value that its act needs, and its button may be pressed. Also tells how a count begins."""

from typing import Final

from controller.panel.browsers import Browser
from controller.panel.forms import CORRECTS, filled, fitting
from controller.panel.grid import Grid
from controller.panel.moment import Moment
from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueKind

COUNTS: Final = frozenset({"state-count", "state-whole-count", "enter-grid"})
"""The acts that state a count; no person has entered the numbers that their forms show at first."""


def takes_back(browser: Browser) -> bool:
    """True if the open correction withdraws its entry: an entry is chosen, and no corrected value is given."""
    act = browser.act
    return act is not None and act.act in CORRECTS and {"entry"} <= filled(browser, act).keys() <= {"entry", "also"}


def stays(browser: Browser) -> bool:
    """True if the open correction withdraws an entry whose card has come: another value has to be chosen first."""
    chosen = browser.picked.get("entry")
    entry = next((one for one in browser.act.values if one.name == "entry"), None) if browser.act is not None else None
    has_its_card = entry is not None and any(one.stays for one in entry.choices if one.value == chosen)
    return has_its_card and takes_back(browser)


def is_complete(browser: Browser, act: ActDocument) -> bool:
    """True if each mandatory value of the act is given and, for a count, a person has entered a number.

    A correction that only withdraws an entry is not complete while the entry's card lies on the table.
    """
    if stays(browser):
        return False
    given = filled(browser, act)
    is_counted = browser.has_entered or act.act not in COUNTS
    return is_counted and all(one.may_be_left_out or one.name in given for one in fitting(act, browser.picked))


def first_grid(moment: Moment | None, act: ActDocument) -> Grid | None:
    """Returns the counts with which the deck check's form opens: the counts found so far, or a full set before any
    count. With two back colours the counts are always a full set of one colour. Returns None if the act asks for no
    grid.
    """
    if moment is None or all(value.kind is not ValueKind.GRID for value in act.values):
        return None
    backs = max((len(value.choices) for value in act.values if value.name == "back"), default=0) or 1
    return moment.grid if moment.grid is not None and backs == 1 else Grid.full(moment.status.figures.decks // backs)
