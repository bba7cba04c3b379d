"""The line under a button's words that names the second person without whom its act has no effect."""

from collections.abc import Iterable
from typing import Final

from controller.panel.browsers import Browser
from controller.panel.forms import filled
from controller.panel.moment import Moment
from controller.panel.offer import Offer, Step
from controller.protocol.lines import ActDocument
from controller.protocol.status import SecondStatus

_DEALER: Final = "dealer"
_SEVERAL: Final = "several"


def second_of(offer: Offer, moment: Moment) -> str:
    """Returns the key of the line for this button; "" where one person is enough.

    A button that completes another person's request has no such line.
    """
    if offer.takes_own_pin:
        return ""
    steps = (*offer.steps, *(((offer.asks, offer.known),) if offer.asks else ()))
    return _key(moment, steps, offer.who, is_form=False)


def second_of_listed(act: ActDocument, moment: Moment) -> str:
    """Returns the key of the line for an act in a list of acts; "" where it depends on the act's values."""
    return _key(moment, ((act.act, {}),), act.who, is_form=False)


def second_of_form(browser: Browser, moment: Moment) -> str:
    """Returns the key of the line for the open form with its present values; "" without a form."""
    act = browser.act
    return "" if act is None else _key(moment, ((act.act, filled(browser, act)),), act.who, is_form=True)


def _key(moment: Moment, steps: Iterable[Step], who: Iterable[str], *, is_form: bool) -> str:
    asked = tuple(who)
    found = [one for act, values in steps for one in moment.seconds(act) if one.values.items() <= values.items()]
    second = next((one for one in found if one.certain or is_form), None)
    if second is None:
        return ""
    how = "agrees" if second.afterwards else "second" if second.certain else "perhaps"
    return f"panel.{how}.{_role(second, asked, moment)}"


def _role(second: SecondStatus, who: tuple[str, ...], moment: Moment) -> str:
    """Returns the second person's role, `several` for one of the supervisors.

    To a supervisor's act that is the dealer, where his word counts: he is always at the table.
    """
    is_dealers = _DEALER in who and (_DEALER in moment.roles or not moment.roles.intersection(who))
    if not is_dealers and _DEALER in (*second.who, *who):
        return _DEALER
    others = [one for one in second.who if one != _DEALER]
    return others[0] if len(others) == 1 else _SEVERAL if others else _DEALER
