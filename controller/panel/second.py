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
    """The key of the line's sentence, and the posts that the second person may have. `people`: for each post the number
    of its person at the table; "" if that is unknown.
    """

    key: str
    who: tuple[str, ...]
    people: tuple[str, ...] = ()


def second_of(offer: Offer, moment: Moment) -> SecondLine | None:
    """Returns the line about a second person for the button `offer`. Returns None if one person is enough, or if the
    button completes another person's request.
    """
    if offer.takes_own_pin:
        return None
    steps = (*offer.steps, *(((offer.asks, offer.known),) if offer.asks else ()))
    return _line(moment, steps, offer.who, is_form=False)


def second_of_listed(act: ActDocument, moment: Moment) -> SecondLine | None:
    """Returns the line about a second person for an act in a list of acts. Returns None if one person is enough, or if
    the act's values decide this.
    """
    return _line(moment, ((act.act, {}),), act.who, is_form=False)


def second_of_form(browser: Browser, moment: Moment) -> SecondLine | None:
    """Returns the line about a second person for the open form with its present values. Returns None if one person is
    enough, and if no form is open.
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
    people = tuple(_person(role, moment) for role in roles) if _asks_another_post(roles, asked, moment) else ()
    is_named = len(roles) > 1 or any(people) or not second.certain
    return SecondLine(f"panel.{how}.{_SEVERAL if is_named else roles[0]}", roles, people)


def _asks_another_post(roles: tuple[str, ...], who: tuple[str, ...], moment: Moment) -> bool:
    """True if the person who asks first has none of the posts `roles`, and so cannot be the second person."""
    return roles == (_DEALER,) or _is_dealers(who, moment)


def _person(role: str, moment: Moment) -> str:
    """Returns the number of the only person with this post at the table; "" if there is none, or several."""
    here = {str(one.person) for one in moment.status.present if one.role == role}
    here |= {moment.supervisors[role].partition(" ")[0]} if role in moment.supervisors else set()
    return next(iter(here)) if len(here) == 1 else ""


def _is_dealers(who: tuple[str, ...], moment: Moment) -> bool:
    """True if the dealer asks: the dealer may, and is signed in at the browser or no other person who may is."""
    return _DEALER in who and (_DEALER in moment.roles or not moment.roles.intersection(who))


def _roles(second: SecondStatus, who: tuple[str, ...], moment: Moment) -> tuple[str, ...]:
    """Returns the posts that the second person may have. For a supervisor's act it is the dealer, who is always at the
    table, if the dealer may be the second person.
    """
    if not _is_dealers(who, moment) and _DEALER in (*second.who, *who):
        return (_DEALER,)
    return tuple(one for one in second.who if one != _DEALER) or (_DEALER,)
