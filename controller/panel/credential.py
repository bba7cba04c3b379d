"""The credential that a press takes, asked for as the controller will: a sign-in here, badge and key, or a PIN for it.

What each act asks of its person the status says. Where the table has changed meanwhile the controller's word stands:
it answers that the PIN is missing, and the pad opens.
"""

from typing import Final

from controller.panel.browsers import Browser, Pressed, Wanted
from controller.panel.moment import Moment
from controller.panel.offer import Step
from controller.panel.purposes import come, operation_of
from controller.panel.requests import Credential, ask_all
from controller.panel.said import follows, told
from controller.panel.wire import Wires

OWN: Final = "own"
"""Why the PIN of somebody who may be signed in is asked for: the act takes his own."""


def takes_own(browser: Browser, moment: Moment | None, wanted: Wanted) -> bool:
    """True where it takes a credential that is given for it, with any sign-in here."""
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
    """The person whom badge and key have just named at this screen, where they serve for it."""
    presented = moment.status.presented if moment is not None and browser.caller.is_own else None
    if moment is None or presented is None or presented.by != "badge-and-key" or wanted.takes_own_pin:
        return None
    is_his = presented.role in wanted.who and all(moment.asks(act) != "pin" for act, _values in wanted.steps)
    return presented.person if is_his else None


def takes_badge(browser: Browser, moment: Moment) -> bool:
    """True where badge and key would do in the place of the PIN that the pad asks for."""
    wanted, has_both = browser.wanted, {"badge_reader", "key_switch"} <= moment.status.devices.keys()
    if wanted is None or browser.asks_why != OWN or not browser.caller.is_own or wanted.takes_own_pin:
        return False
    return has_both and all(moment.asks(act) != "pin" for act, _values in wanted.steps)


async def ask_with(
    wires: Wires, browser: Browser, moment: Moment | None, wanted: Wanted, person: int, pin: str | None
) -> Pressed:
    """Asks for the acts by the PIN, or by badge and key (None), over a connection at which nobody is signed in."""
    wire = await wires.open(browser.caller)
    steps, credential = _with_coming(moment, wanted, person), Credential(pin, browser.terminal)
    try:
        answer, _last = await ask_all(browser, wire, person, steps, credential=credential)
    finally:
        wire.close()
    if answer.error is not None:
        return Pressed(is_done=False, say=told(answer), wait_ms=answer.error.wait_ms)
    browser.close_sheet(keeps_form=not answer.ok)
    done = follows(wanted, moment, browser.language)
    browser.say(done if answer.ok else told(answer), is_refusal=not answer.ok)
    return Pressed(is_done=answer.ok, say="" if answer.ok else told(answer))


def _with_coming(moment: Moment | None, wanted: Wanted, person: int) -> tuple[Step, ...]:
    """A supervisor who is not here yet for the operation comes to it with the same credential."""
    if wanted.hold or wanted.takes_own_pin or not {"chief_supervisor", "table_inspector"}.issuperset(wanted.who):
        return wanted.steps
    first = come(moment, operation_of(moment), person)
    return wanted.steps if not first or wanted.steps[:1] == first else (*first, *wanted.steps)
