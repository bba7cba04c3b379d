"""The request that a button's press makes, and the steps that the press takes first."""

from controller.panel.browsers import Browser, Wanted
from controller.panel.credential import by_badge, comes_by_badge, takes_own
from controller.panel.gone import shown_of
from controller.panel.moment import Moment
from controller.panel.offer import Offer
from controller.panel.purposes import purposes


def wanted_of(offer: Offer) -> Wanted:
    """Returns the request that a press of the button `offer` makes."""
    return Wanted(
        offer.who,
        offer.steps,
        offer.hold,
        offer.asks,
        offer.known,
        takes_own_pin=offer.takes_own_pin,
        name=offer.name,
        shown=shown_of(offer),
    )


def asks_first(browser: Browser, moment: Moment, offer: Offer) -> bool:
    """True if a press opens the PIN pad, a list of people or a form, before it records anything."""
    wanted = wanted_of(offer)
    if wanted.asks and not wanted.steps:
        return True
    if takes_own(browser, moment, wanted):
        return by_badge(moment, wanted, browser) is None
    is_signed_in = browser.right_of(wanted.who, purposes(browser, moment, wanted)) is not None
    return not is_signed_in and comes_by_badge(moment, wanted, browser) is None
