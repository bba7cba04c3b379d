"""The numbers of players and hands as a row of buttons. A person taps a number instead of stepping to it."""

from typing import Final

from controller.panel.browsers import Browser
from controller.panel.forms import KEYED, NUMBER, recorded
from controller.panel.moment import Moment
from controller.panel.stakes import last_stakes, stakes_of
from controller.protocol.values import ValueDocument

_HANDS: Final = (1, 2, 3, 4)
"""The hands that a seat can have: the first, and those after splits."""


def numbers_in_a_row(browser: Browser, moment: Moment, value: ValueDocument) -> tuple[int, ...]:
    """Returns the numbers that a row of buttons offers for the value. Returns () for a value without a row. A player at
    a seat has the seat's number. A player without a seat has a number above the seats. The row offers the numbers of
    known players and one new number. Any other number is typed.
    """
    if value.name == "hand":
        return _HANDS
    if value.name != "bettor":
        return ()
    seats = range(1, moment.status.figures.seats + 1)
    known = {bettor for _seat, bettor in (*stakes_of(moment.status.money), *last_stakes(moment.status, {}))}
    typed = "" if browser.picked.get(KEYED) == value.name else browser.picked.get(value.name, "")
    entered = (typed, recorded(browser).get(value.name, ""))
    found = {*seats, *known, *(int(text) for text in entered if NUMBER.fullmatch(text) and int(text))}
    return (*sorted(found), max(found, default=0) + 1)
