"""The line under the words of a button that names the second person whom the button's act needs."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from controller.panel.browsers import Browser
from controller.panel.forms import filled
from controller.panel.moment import Moment
from controller.panel.offer import Offer, Step
from controller.protocol.lines import ActDocument
from controller.protocol.status import SecondStatus

_DEALER: Final = "dealer"
_SEVERAL: Final = "several"


class SecondLine(Struct, frozen=True, gc=False):
    """The key of the line's sentence, and the posts that the second person may have."""

    key: str
    who: tuple[str, ...]


def second_of(offer: Offer, moment: Moment) -> SecondLine | None:
    """Returns the line for the button `offer`. Returns None if one person is enough.

    Returns None also for a button that completes another person's request.
    """
    if offer.takes_own_pin:
        return None
    steps = (*offer.steps, *(((offer.asks, offer.known),) if offer.asks else ()))
    return _line(moment, steps, offer.who, is_form=False)


def second_of_listed(act: ActDocument, moment: Moment) -> SecondLine | None:
    """Returns the line for an act in a list of acts. Returns None if one person is enough, or if it depends on the
    act's values.
    """
    return _line(moment, ((act.act, {}),), act.who, is_form=False)


def second_of_form(browser: Browser, moment: Moment) -> SecondLine | None:
    """Returns the line for the open form with its present values. Returns None if one person is enough, or without a
    form.
    """
    act = browser.act
    return None if act is None else _line(moment, ((act.act, filled(browser, act)),), act.who, is_form=True)


def _line(moment: Moment, steps: Iterable[Step], who: Iterable[str], *, is_form: bool) -> SecondLine | None:
    asked = tuple(who)
    found = [one for act, values in steps for one in moment.seconds(act) if one.values.items() <= values.items()]
    second = next((one for one in found if one.certain or is_form), None)
    if second is None:
        return None
    how = "agrees" if second.afterwards else "second" if second.certain else "perhaps"
    roles = _roles(second, asked, moment)
    return SecondLine(f"panel.{how}.{roles[0] if len(roles) == 1 else _SEVERAL}", roles)


def _roles(second: SecondStatus, who: tuple[str, ...], moment: Moment) -> tuple[str, ...]:
    """Returns the posts that the second person may have.

    For a supervisor's act it is the dealer, if the dealer may be the second person: he is always at the table.
    """
    is_dealers = _DEALER in who and (_DEALER in moment.roles or not moment.roles.intersection(who))
    if not is_dealers and _DEALER in (*second.who, *who):
        return (_DEALER,)
    return tuple(one for one in second.who if one != _DEALER) or (_DEALER,)
