"""A button and a form name the other person who must agree, before a person asks for the act."""

import pytest

from controller.catalogue import Language
from controller.config.profile_file import law
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import initial_state
from controller.core.house.holds import raise_hold, update_hold
from controller.core.house.state import State
from controller.core.words import HoldKind, Outcome, Person, TableMs
from controller.panel.browsers import Browser, View
from controller.panel.offer import Offer
from controller.panel.second import second_of
from controller.protocol.lines import ActDocument
from controller.protocol.status import NextStatus, SecondStatus, Status
from controller.protocol.values import Choice, ValueDocument, ValueKind
from controller.screen.second import AGREE_AFTERWARDS, seconds_of
from tests.core.table import SETUP
from tests.core.test_round_worth import LIMITS
from tests.panel.desk import RULES
from tests.panel.followed import ROUNDS, SEEDS, Picture, looked_at, page_of
from tests.panel.test_moments import moment

SUPERVISORS = ["table_inspector", "chief_supervisor", "room_manager"]
EVERY = ",".join(SUPERVISORS)


def ruled(caller: str) -> State:
    """A table that follows bets, whose chief supervisor 21 has come to rule on what `caller` has called for."""
    setup = replace(SETUP, hand_rules=law("pt-csm").hand_rules(LIMITS))
    begun = replace(initial_state(SETUP), setup=setup)
    details = (("person", caller),)
    held = raise_hold(begun, HoldKind.RULING, TableMs(0), details=details)
    return update_hold(held, replace(held.house.holds[0], attended_by=Person(21)))


def test_a_correction_takes_a_second_person_whatever_its_values() -> None:
    found = seconds_of(initial_state(SETUP), RULES["correct-entry"])
    assert [(one.values, one.who, one.afterwards) for one in found] == [({}, SUPERVISORS, False)]


def test_an_act_of_one_person_says_nothing() -> None:
    for act in ("open-session", "draw-card", "confirm-settled", "record-complaint"):
        assert (act, seconds_of(initial_state(SETUP), RULES[act])) == (act, [])


def test_an_amount_that_is_still_to_be_typed_is_told_as_uncertain() -> None:
    found = seconds_of(initial_state(SETUP), RULES["raise-jackpot"])
    assert [(one.who, one.certain) for one in found] == [(SUPERVISORS, False)]


def test_the_named_posts_are_those_of_the_other_halfs_rows() -> None:
    assert set(AGREE_AFTERWARDS) == set(RULES["agree-corrections"].who)
    for first, other in (
        ("state-outage", "confirm-outage"),
        ("propose-irregular-closing", "confirm-irregular-closing"),
    ):
        (found,) = seconds_of(initial_state(SETUP), RULES[first])
        assert found.who == [role.value for role in RULES[other].who]


def test_every_table_says_it_at_a_button_and_no_agreement_asks_for_another() -> None:
    """Whole tables: a card that is annulled is agreed with afterwards, and "agree" itself has no such line."""
    pages = [page_of(one.moment, Browser(Language.EN)) for one in looked_at(SEEDS, ROUNDS).pictures]
    buttons = [one for page in pages for one in page.split("<button")[1:] if 'class="with-second"' in one]
    names = {one.partition('id="b-')[2].partition('"')[0] for one in buttons}
    assert {"not-this-seat"} <= names
    assert not {one for one in names if one.startswith("agree")}


def of(act: str, second: SecondStatus, *who: str, roles: tuple[str, ...] = ()) -> str:
    shown = moment(Status(session="in-play", next=[NextStatus(act, list(who), "decides", [second])]))
    shown = type(shown)(shown.status, True, (), frozenset(roles))
    line = second_of(Offer(act, who, ((act, {"outcome": "round-void"}),)), shown)
    return "" if line is None else f"{line.key} {','.join(line.who)}"


@pytest.mark.parametrize(
    ("second", "who", "roles", "says"),
    [
        (SecondStatus(who=SUPERVISORS), ("dealer", "chief_supervisor"), ("dealer",), f"panel.second.several {EVERY}"),
        (SecondStatus(who=SUPERVISORS), ("dealer",), (), f"panel.second.several {EVERY}"),
        (
            SecondStatus(who=["chief_supervisor"]),
            ("dealer",),
            ("dealer",),
            "panel.second.chief_supervisor chief_supervisor",
        ),
        (
            SecondStatus(who=SUPERVISORS),
            ("dealer", "chief_supervisor"),
            ("chief_supervisor",),
            "panel.second.dealer dealer",
        ),
        (SecondStatus(who=["dealer", *SUPERVISORS]), ("chief_supervisor",), ("dealer",), "panel.second.dealer dealer"),
        (SecondStatus({"outcome": "round-void"}, ["dealer"]), ("chief_supervisor",), (), "panel.second.dealer dealer"),
        (SecondStatus({"outcome": "continue"}, ["dealer"]), ("chief_supervisor",), (), ""),
        (SecondStatus(who=SUPERVISORS, certain=False), ("dealer",), ("dealer",), ""),
        (SecondStatus(who=SUPERVISORS, afterwards=True), ("dealer",), ("dealer",), f"panel.agrees.several {EVERY}"),
    ],
)
def test_the_line_names_the_other_post(
    second: SecondStatus, who: tuple[str, ...], roles: tuple[str, ...], says: str
) -> None:
    assert of("make-ruling", second, *who, roles=roles) == says


def test_the_line_on_a_button_names_each_post_that_may_be_the_second_person() -> None:
    """ "With a supervisor" left open which of three posts is meant."""
    page = next(
        page for page in map(picture_in_portuguese, looked_at(SEEDS, ROUNDS).pictures) if 'id="b-not-this-seat"' in page
    )
    button = page.partition('id="b-not-this-seat"')[2].partition("</button>")[0]
    assert "concorda fiscal de banca / fiscal-chefe" in button


def picture_in_portuguese(picture: Picture) -> str:
    return page_of(picture.moment, Browser(Language.PT))


def form(language: Language, **picked: str) -> str:
    """The page with the form of a ruling, of which each outcome but `continue` takes the dealer, too."""
    choices = [Choice(one, one, ["chief_supervisor"]) for one in ("continue", "round-void")]
    value = ValueDocument("outcome", "-", "-", ValueKind.WORD, choices=choices)
    about = ("RULING", "-", ["chief_supervisor"], True, True, 0, None, None, None, None, None)
    act = ActDocument("make-ruling", *about, values=[value], combinations=[])
    second = [SecondStatus({"outcome": "round-void"}, ["dealer"])]
    may = [NextStatus("make-ruling", ["chief_supervisor"], "decides", second)]
    status = Status(session="in-play", round="playing", counts={}, next=may)
    browser = Browser(language, sheet="act:make-ruling", act=act, picked=picked)
    return page_of(moment(status), browser, View.TABLE)


def test_the_big_button_of_a_form_says_it_for_the_chosen_value() -> None:
    assert "with the dealer" in form(Language.EN, outcome="round-void")
    assert "com o pagador" in form(Language.PT, outcome="round-void")
    assert "with the dealer" not in form(Language.EN, outcome="continue")
    assert "with the dealer" not in form(Language.EN)


@pytest.mark.parametrize(("caller", "takes_two"), [("21", True), ("11", False)])
def test_a_ruling_that_its_own_chief_called_for_takes_another_person(caller: str, takes_two: bool) -> None:
    """The dealer's call for a ruling is the second person's word."""
    found = {one.values["outcome"] for one in seconds_of(ruled(caller), RULES["make-ruling"])}
    every = {one.value for one in Outcome} - {"continue"}
    assert found == (every if takes_two else set())
