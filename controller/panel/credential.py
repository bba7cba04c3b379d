"""The credential that a press needs: a sign-in at the browser, badge and key, or a PIN for the act alone.

The status says which credential each act needs. If the table has changed since then, the controller answers that the
PIN is missing, and the PIN pad opens.
"""

from typing import Final

from controller.panel.browsers import Browser, Pressed, Wanted
from controller.panel.moment import Moment
from controller.panel.offer import Step
from controller.panel.purposes import come, is_of_the_house, operation_of
from controller.panel.requests import Credential, ask_all, is_with_dealer
from controller.panel.said import done, told
from controller.panel.wire import Wires

OWN: Final = "own"
"""The reason for asking a signed-in person for his PIN: the act needs a PIN of its own."""


def takes_own(browser: Browser, moment: Moment | None, wanted: Wanted) -> bool:
    """True if the request needs its own PIN, or badge and key, even from a person who is signed in at `browser`."""
    steps = wanted.steps or (((wanted.asks, {}),) if wanted.asks else ())
    if wanted.takes_own_pin or moment is None or not steps:
        return wanted.takes_own_pin
    asks = {moment.asks(act) for act, _values in steps}
    if "pin" in asks:
        return True
    if "dealer" in wanted.who or not browser.is_shared:
        return False
    is_of_hold = all(moment.asks(act) == "does" or values.get("hold") == wanted.hold for act, values in steps)
    return "attests" in asks or not wanted.hold or not is_of_hold


def by_badge(moment: Moment | None, wanted: Wanted, browser: Browser) -> int | None:
    """Returns the number of the person just identified by badge and key, if badge and key suffice for `wanted`. Returns
    None at any screen but the table's own, for a person without one of the request's roles, and if a PIN is needed.
    """
    presented = moment.status.presented if moment is not None and browser.caller.is_own else None
    if moment is None or presented is None or presented.by != "badge-and-key" or wanted.takes_own_pin:
        return None
    is_his = presented.role in wanted.who and all(moment.asks(act) != "pin" for act, _values in wanted.steps)
    return presented.person if is_his else None


def comes_by_badge(moment: Moment | None, wanted: Wanted, browser: Browser) -> int | None:
    """Returns the number of the person whom badge and key sign in for the hold of `wanted`, or None."""
    return by_badge(moment, wanted, browser) if wanted.hold else None


def takes_badge(browser: Browser, moment: Moment) -> bool:
    """True if the person may use badge and key instead of the PIN that the pad asks for."""
    wanted, has_both = browser.wanted, {"badge_reader", "key_switch"} <= moment.status.devices.keys()
    if wanted is None or not browser.caller.is_own or wanted.takes_own_pin:
        return False
    is_asked = browser.asks_why == OWN or (bool(wanted.hold) and not browser.asks_why)
    return is_asked and has_both and all(moment.asks(act) != "pin" for act, _values in wanted.steps)


async def ask_with(
    wires: Wires, browser: Browser, moment: Moment | None, wanted: Wanted, person: int, pin: str | None
) -> Pressed:
    """Sends the acts of `wanted` to the controller on a new connection, with a PIN, or with badge and key (`pin` None).
    The browser shows the result. Raises ControllerAway. With an act of the dealer among them the connection is the
    dealer's. A supervisor who is not present for the operation is first signed in for it.
    """
    steps, credential = _with_coming(moment, wanted, person), Credential(pin, browser.terminal)
    dealer = browser.rights.get("table") if is_with_dealer(steps) else None
    wire = await wires.open(browser.caller) if dealer is None else dealer.wire
    said = done(wanted, browser, moment, person)
    try:
        answer, _last = await ask_all(browser, wire, person, steps, credential=credential)
    finally:
        if dealer is None:
            wire.close()
    if answer.error is not None:
        return Pressed(is_done=False, say=told(answer), wait_ms=answer.error.wait_ms)
    browser.close_sheet(keeps_form=not answer.ok)
    browser.say(said if answer.ok else told(answer), is_refusal=not answer.ok)
    return Pressed(is_done=answer.ok, say="" if answer.ok else told(answer))


def _with_coming(moment: Moment | None, wanted: Wanted, person: int) -> tuple[Step, ...]:
    """Returns the request's steps, after a `sign-in` for a supervisor who is not present for the operation."""
    is_alone = wanted.hold or wanted.takes_own_pin or is_of_the_house(wanted)
    if is_alone or not {"chief_supervisor", "table_inspector"}.issuperset(wanted.who):
        return wanted.steps
    first = come(moment, operation_of(moment), person)
    return wanted.steps if not first or wanted.steps[:1] == first else (*first, *wanted.steps)
