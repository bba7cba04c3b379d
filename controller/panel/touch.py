"""Touches that change one browser alone: seats and chips before a bet is laid, and the round or session to read."""

from controller.panel.browsers import Browser
from controller.panel.moment import Moment
from controller.panel.stakes import with_chip


def touch_seat(browser: Browser, moment: Moment, value: str) -> None:
    """Adds or removes the bet at the seat `value`. At a table that follows hands, chooses the seat for the next chips.

    A second touch on the chosen seat chooses none. An unknown seat changes nothing.
    """
    if value not in {str(seat) for seat in range(1, moment.status.figures.seats + 1)}:
        return
    if moment.status.money is None:
        browser.seats = frozenset(moment.bets) ^ {int(value)}
    else:
        browser.seat = None if moment.seat == int(value) else int(value)


def touch_chip(browser: Browser, moment: Moment, value: str) -> None:
    """Adds a chip of `value` cents to the stake of the chosen seat's own player. Does nothing if no seat is chosen.

    A `value` made by `none_of` removes one player's stake at the seat. AGAIN adds the last round's stakes there.
    """
    if moment.status.money is None or browser.seat is None:
        return
    browser.stakes = with_chip(moment.stakes, moment.kept, moment.status.money, browser.seat, value)
    browser.stakes_before = moment.status.session_number, moment.status.round_number


def turn_pages(browser: Browser, moment: Moment | None, what: str, by: int) -> None:
    """Adds `by` to the number of the round that `browser` reads (`what` "round"), or of the session. The least number
    is 1.
    """
    if what == "round":
        browser.round = max(1, round_of(browser, moment) + by)
    else:
        now = moment.status.session_number if moment is not None else 0
        browser.session = max(1, (browser.session or now) + by)


def round_of(browser: Browser, moment: Moment | None) -> int:
    """Returns the round that `browser` reads: the chosen round, or the round at the table if no round was chosen.
    Returns 0 if no table is known.
    """
    return browser.round or (moment.status.round_number if moment is not None else 0)
