"""A browser's answer to a press."""

from typing import Final

from controller.catalogue import Language, has_key, sentence
from controller.panel.browsers import Browser, Pressed, Wanted
from controller.panel.moment import Moment
from controller.panel.offer import Step
from controller.protocol.lines import Answer

REFUSAL_STAYS_S: Final = 10.0
"""Whoever was not the first to end a hold reads it after it has ended."""


def refused(browser: Browser, key: str) -> Pressed:
    """The panel's own refusal, said on the page."""
    return gone(browser, say(browser.language, key))


def gone(browser: Browser, text: str) -> Pressed:
    """The same, in words that are made already."""
    browser.say(text, is_refusal=True)
    return Pressed(is_done=False, say=text)


def told(answer: Answer) -> str:
    """The controller's word on an act that was not done, and the remedy."""
    if answer.refusal is not None:
        return f"{answer.refusal.reason} {answer.refusal.remedy}".rstrip()
    return answer.error.text if answer.error is not None else ""


def of_seat(step: Step, text: str, language: Language) -> str:
    """With the seat whose bet is not as it may be: several go in one press."""
    seat = step[1].get("seat") if step[0] == "place-bet" else None
    return text if seat is None else f"{sentence('panel.seat', {'seat': seat}, language)}: {text}"


def why_not(moment: Moment, act: str) -> str:
    """The key of why the hand in turn may not decide this."""
    money = moment.status.money
    reason = f"guard.{money.closed.get(act, '')}.reason" if money is not None else ""
    return reason if has_key(reason) else "panel.said.not-for-this-hand"


def say(language: Language, key: str) -> str:
    return sentence(key, (), language)


def follows(wanted: Wanted, moment: Moment | None, language: Language) -> str:
    """The consequence of an act, where the page does not show it by itself: of an upheld complaint, with its person."""
    is_upheld = ("decide-complaint", {"upheld": "yes"}) in wanted.steps
    complaints = [one for one in moment.status.holds if one.kind == "complaint"] if moment is not None else []
    if not is_upheld or not complaints or "round" not in complaints[0].about:
        return ""
    return sentence("panel.said.upheld", complaints[0].about, language)


def let_fade(browser: Browser, phase: str, now_s: float) -> None:
    """In another phase of the table what was said is old; a refusal stays so long that it is read."""
    if not browser.said:
        return
    browser.said_in, browser.said_at_s = browser.said_in or phase, browser.said_at_s or now_s
    stays = browser.is_refusal and now_s - browser.said_at_s < REFUSAL_STAYS_S
    if browser.said_in != phase and not stays:
        browser.said = browser.said_in = ""
