"""Closes a request that waits for a person's credential if its act is over or has other values."""

from typing import Final

from msgspec.structs import replace

from controller.catalogue import Language, has_key, sentence
from controller.panel.browsers import Browser, Wanted
from controller.panel.gone import gone_on
from controller.panel.moment import Moment
from controller.panel.offer import word_of
from controller.panel.offers import offer_of
from controller.panel.said import say

_STALE: Final = "panel.said.stale"


def waits_for(browser: Browser, wanted: Wanted, moment: Moment | None) -> None:
    """Stores `wanted` as the browser's waiting request. The request's `was_possible` is True if `moment` permits its
    first act.
    """
    browser.wanted = replace(wanted, was_possible=moment is not None and moment.may(_first_act(wanted)))


def follow_request(browser: Browser, moment: Moment) -> None:
    """Closes the browser's waiting request, with its PIN pad or sheet, if the act of the request is over or has other
    values. A message says why. A request that the controller is answering stays: the table may report its result before
    its answer.
    """
    if browser.wanted is None or not moment.is_live or browser.lock.locked():
        return
    if text := _over(browser.wanted, moment, browser.language):
        browser.close_sheet(keeps_form=True)
        browser.say(text, is_refusal=True)


def _over(wanted: Wanted, moment: Moment, language: Language) -> str:
    """Returns the sentence that tells why `wanted` is over, or how its values have changed. Returns "" otherwise."""
    if wanted.hold and all(one.id != wanted.hold for one in moment.status.holds):
        return sentence("panel.said.hold-over", {"id": wanted.hold}, language)
    if wanted.name:
        offer = offer_of(moment, wanted.name)
        return gone_on(wanted.shown, offer, language) or ("" if offer is not None else say(language, _STALE))
    act = _first_act(wanted)
    if not wanted.was_possible or moment.may(act):
        return ""
    word = word_of(act)
    return sentence("panel.gone.over", {"act": sentence(word, (), language)}, language) if has_key(word) else ""


def _first_act(wanted: Wanted) -> str:
    return wanted.steps[0][0] if wanted.steps else wanted.asks
