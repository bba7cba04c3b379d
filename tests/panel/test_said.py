"""The messages of a browser: what they tell after a count, and how long they cover the page's instruction."""

from controller.catalogue import Language
from controller.panel.browsers import Browser, Wanted
from controller.panel.said import SAID_STAYS_S, done, let_fade
from controller.protocol.status import Status
from tests.panel.desk import CHIEF, DEALER
from tests.panel.test_moments import moment


def test_a_count_is_acknowledged_with_its_numbers_and_its_person() -> None:
    """The page did not change, since the count lacked a card, and the chief supervisor counted again."""
    steps = (("state-count", {"rack": "23", "table": "0", "pending": "0", "in_hand": "2", "outside": "0"}),)
    said = done(Wanted(("chief_supervisor",), steps), Browser(Language.EN), moment(Status()), CHIEF)
    assert said.startswith("Count taken from 21: in the discard rack: 23, in a person's hand: 2.")
    assert "count again" in said
    other = Wanted(("dealer",), (("confirm-settled", {}),))
    assert done(other, Browser(Language.EN), moment(Status()), DEALER) == ""


def test_a_refusal_gives_way_to_the_next_instruction_of_the_same_phase() -> None:
    browser = Browser(Language.EN)
    browser.say("A card that was asked for has not come yet.", is_refusal=True)
    let_fade(browser, "in-play playing 3: seat 5 decides", 1.0)
    let_fade(browser, "in-play playing 3: pay now", 1.0 + SAID_STAYS_S)
    assert browser.said == ""
