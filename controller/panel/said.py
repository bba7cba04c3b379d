"""The messages that a browser shows after a press."""

from typing import Final

from controller.catalogue import Language, has_key, sentence
from controller.panel.asked import person_told
from controller.panel.banner import banner
from controller.panel.browsers import Browser, Pressed, Wanted
from controller.panel.moment import Moment
from controller.panel.offer import CORRECTED, Step
from controller.panel.offers import offers
from controller.protocol.lines import Answer

SAID_STAYS_S: Final = 10.0
"""The time for which a message stays, long enough to be read, even if the table goes on meanwhile."""


def refused(browser: Browser, key: str) -> Pressed:
    """Shows the sentence for `key` as a refusal, and returns the result of a press that did nothing."""
    return gone(browser, say(browser.language, key))


def gone(browser: Browser, text: str) -> Pressed:
    """Shows `text` as a refusal, and returns the result of a press that did nothing."""
    browser.say(text, is_refusal=True)
    return Pressed(is_done=False, say=text)


def told(answer: Answer) -> str:
    """Returns the reason why the controller did not do an act, and what people can do about it. Returns "" if `answer`
    has no reason.
    """
    if answer.refusal is not None:
        return f"{answer.refusal.reason} {answer.refusal.remedy}".rstrip()
    return answer.error.text if answer.error is not None else ""


def of_seat(step: Step, text: str, language: Language) -> str:
    """Returns the text, with the seat before it for a step about a bet: one press may be about several bets."""
    seat = step[1].get("seat") if step[0] in {"place-bet", "change-bet"} else None
    return text if seat is None else f"{sentence('panel.seat', {'seat': seat}, language)}: {text}"


def why_not(moment: Moment, act: str) -> str:
    """Returns the key of the reason why the decision `act` is not possible for the hand in turn."""
    money = moment.status.money
    reason = f"guard.{money.closed.get(act, '')}.reason" if money is not None else ""
    return reason if has_key(reason) else "panel.said.not-for-this-hand"


def seat_told(moment: Moment, seat: str, language: Language) -> str:
    """Returns the reason why a touch on a seat, or on the bank ("0"), does nothing now, and who may do which act."""
    place = sentence("panel.seat", {"seat": seat}, language) if seat != "0" else sentence("panel.bank", (), language)
    text = sentence(f"panel.said.seat-{'held' if moment.is_stopped else 'closed'}", {"place": place}, language)
    now = _possible(moment, language) or banner(moment, language).why
    return f"{text} {now}"


def _possible(moment: Moment, language: Language) -> str:
    """Returns the sentence that lists the acts at the page's bottom by hand and post, "" without such an act."""
    labels: dict[tuple[tuple[str, ...], str], dict[str, None]] = {}
    for one in offers(moment):
        labels.setdefault((one.who, one.hand), {})[sentence(one.word, (), language)] = None
    whose = {key: sentence("panel.for", {"who": ",".join(key[0])}, language) for key in labels}
    told = (f"{_of_hand(moment, key[1], language)}{whose[key]}: {' · '.join(words)}" for key, words in labels.items())
    acts = "; ".join(told)
    return sentence("panel.said.possible", {"acts": acts}, language) if acts else ""


def _of_hand(moment: Moment, hand: str, language: Language) -> str:
    """Returns the words for a button's hand, with a comma. Returns "" for a button without a hand."""
    seat, _, index = moment.told(hand).partition("/") if hand not in {"", "bank"} else ("", "", "")
    key = "panel.hand-of-pair" if index else "panel.hand"
    return f"{sentence(key, {'seat': seat, 'hand': seat, 'index': index}, language)}, " if seat else ""


def say(language: Language, key: str) -> str:
    return sentence(key, (), language)


def follows(wanted: Wanted, moment: Moment | None, language: Language) -> str:
    """Returns the sentence on what an upheld complaint means for its round. Returns "" for any other request."""
    is_upheld = ("decide-complaint", {"upheld": "yes"}) in wanted.steps
    complaints = [one for one in moment.status.holds if one.kind == "complaint"] if moment is not None else []
    if not is_upheld or not complaints or "round" not in complaints[0].about:
        return ""
    return sentence("panel.said.upheld", complaints[0].about, language)


def first_askers(wanted: Wanted, moment: Moment | None) -> frozenset[int]:
    """Returns the people who already asked for an act of `wanted`. These people cannot be the second person."""
    waiting = moment.status.waiting if moment is not None else ()
    return frozenset(one.person for one in waiting if (one.act, one.values) in wanted.steps)


def agreement(wanted: Wanted, browser: Browser, moment: Moment | None, person: int) -> str:
    """Returns the sentence that `person` has agreed with another person's request. Returns "" for any other request. To
    be called before the request is sent, while the status still lists the acts that wait for a second person.
    """
    waiting = [one for one in moment.status.waiting if one.person != person] if moment is not None else []
    asked = [(one.act, one.values) for one in waiting] + [(CORRECTED, {})]
    if moment is None or not any(step in asked for step in wanted.steps):
        return ""
    return sentence("panel.said.agreed", {"person": person_told(browser, moment, person)}, browser.language)


COUNTS: Final = frozenset({"state-count", "state-whole-count"})


def _counted(wanted: Wanted, browser: Browser, moment: Moment | None, person: int) -> str:
    """Returns the sentence that the person's count was taken, with its numbers. Returns "" for any other request.

    The page does not show a count that lacks cards, since the table keeps its own numbers then.
    """
    said = next((values for act, values in wanted.steps if act in COUNTS), None)
    if said is None or moment is None:
        return ""
    given = (
        sentence(f"said.{name}", {"value": value}, browser.language) for name, value in said.items() if value != "0"
    )
    values = {"person": person_told(browser, moment, person), "counted": ", ".join(given) or "0"}
    return sentence("panel.said.counted", values, browser.language)


def done(wanted: Wanted, browser: Browser, moment: Moment | None, person: int) -> str:
    """Returns the message after the request was done. Returns "" for a request that the page itself shows as done. To
    be called before the request is sent, as for `agreement`.
    """
    found = follows(wanted, moment, browser.language) or agreement(wanted, browser, moment, person)
    return found or _counted(wanted, browser, moment, person)


def let_fade(browser: Browser, phase: str, now_s: float) -> None:
    """Removes the browser's message once SAID_STAYS_S seconds have passed and `phase`, the table's phase with the
    page's instruction, is another one.
    """
    if not browser.said:
        return
    browser.said_in, browser.said_at_s = browser.said_in or phase, browser.said_at_s or now_s
    stays = now_s - browser.said_at_s < SAID_STAYS_S
    if browser.said_in != phase and not stays:
        browser.said = browser.said_in = ""
