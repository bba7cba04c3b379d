"""Tells if a form has every value that its act needs, so that its button may be pressed."""

from typing import Final

from controller.panel.browsers import Browser
from controller.panel.forms import CORRECTS, filled, fitting
from controller.protocol.lines import ActDocument

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
