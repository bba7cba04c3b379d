"""An act at a wheel that waits for a second person: a change of any part of its subject ends the wait, and no other
change does.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, get_args

import msgspec
import pytest

from controller.core.engine.act import value_names
from controller.core.engine.replacing import replace
from controller.core.games.roulette.state import RouletteState
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.lapses import lapses
from controller.core.house.rule import ActRule
from controller.core.house.second_person import act_of, asked_first
from controller.core.words import Person, Role, TableMs
from controller.scenario.table import make_table
from controller.scenario.wheel_player import WheelPlayer
from controller.scenario.words import vocabulary_of

STEPS: Final = vocabulary_of("pt-roulette").steps
FROM_A_THOUSAND: Final = [
    ("second_person_payment_cents", "100000"),
    ("maximum_bet", "150"),
    ("chip_values", "10,20,100"),
]
RED, BLUE, GREEN = (f"colour {number} {name} 10" for number, name in ((1, "red"), (2, "blue"), (3, "green")))
MUCH: Final = "dealer: exchange-chips player=1 chips=100"
RED_AT_MORE: Final = ("dealer: exchange-chips player=1 chips=5", "dealer: give-colour player=3 colour=red value=20")
LATE: Final = "dealer: exchange-late-chips colour=red chips=100"
MOVED: Final = (RED, BLUE, GREEN, "bet 1 straight-6 10", "launch", "slows", "dealer: report-moved-chips")
STATED: Final = "chief: state-bet player=2 bet=straight-6 chips=5"
WON: Final = (RED, BLUE, "bet 1 straight-17 3", "bet 2 straight-17 1", "launch", "number 17")
NULL: Final = (RED, "bet 1 straight-17 1", "dealer: launch-ball clockwise=yes", "dealer: declare-null-spin")


def at_a_wheel(steps: Sequence[str], *settings: tuple[str, str]) -> WheelPlayer:
    player = WheelPlayer(make_table("pt-roulette", [("tracks", "bets"), *FROM_A_THOUSAND, *settings]).setup)
    player.start()
    play(player, "in-play", *steps)
    return player


def play(player: WheelPlayer, *steps: str) -> None:
    for step in steps:
        word, *rest = step.split()
        if word.endswith(":"):
            player.act(word[:-1], rest[0], dict(value.split("=") for value in rest[1:]))
            assert player.refusal is None, player.refusal
        else:
            STEPS[word].do(player, tuple(rest))


@pytest.mark.parametrize(
    ("before", "event", "ends"),
    [
        pytest.param((RED, MUCH), ("bet 1 red 1",), True, id="his-bet"),
        pytest.param((RED, BLUE, MUCH), ("bet 2 red 1",), False, id="anothers-bet"),
        pytest.param((RED, "value-bet 1 red 50", "launch", MUCH), ("number 9",), True, id="his-prize"),
        pytest.param((RED, BLUE, "bet 2 red 1", "launch", MUCH), ("number 9",), False, id="anothers-prize"),
        pytest.param((RED, MUCH), ("dealer: take-colour-back player=1",), True, id="his-colour"),
        pytest.param((RED, BLUE, MUCH), ("dealer: take-colour-back player=2",), False, id="anothers-colour"),
        pytest.param((RED, BLUE, MUCH), ("dealer: exchange-chips player=2 chips=9",), False, id="anothers-exchange"),
        pytest.param((RED, "launch", MUCH), ("slows",), False, id="the-ball-slows"),
        pytest.param(
            (RED, "launch", "dealer: exchange-chips player=1 chips=99", RED, MUCH),
            ("number 9", "dealer: confirm-payments"),
            True,
            id="what-he-has-got-before",
        ),
        pytest.param((RED, *RED_AT_MORE), (RED,), True, id="the-colour-is-given"),
        pytest.param((RED, *RED_AT_MORE), ("colour 3 green 10",), True, id="the-player-has-one"),
        pytest.param((RED, *RED_AT_MORE), (BLUE, "launch", "number 9"), False, id="a-spin"),
        pytest.param((LATE,), (RED,), True, id="late-chips-and-their-colour"),
        pytest.param((LATE,), (BLUE, "launch", "number 9"), False, id="late-chips-and-a-spin"),
        pytest.param(
            (BLUE, "dealer: take-colour-back player=2", LATE),
            ("dealer: exchange-late-chips colour=blue chips=1",),
            True,
            id="other-late-chips",
        ),
        pytest.param((*MOVED, STATED), ("rests 5",), True, id="the-number"),
        pytest.param((*MOVED, STATED), ("dealer: exchange-chips player=2 chips=5",), True, id="whose-bet-it-is"),
        pytest.param((*MOVED, STATED), ("dealer: exchange-chips player=3 chips=5",), False, id="another-player"),
        pytest.param(
            (*WON, "dealer: pay-prizes group=straights"),
            ("dealer: pay-prizes group=straights player=2",),
            True,
            id="a-part-is-paid",
        ),
    ],
)
def test_a_wait_ends_with_what_it_is_about(before: Sequence[str], event: Sequence[str], *, ends: bool) -> None:
    player = at_a_wheel(before)
    assert len(player.state.house.waiting) == 1
    play(player, *event)
    assert len(player.state.house.waiting) == (0 if ends else 1)


@pytest.mark.parametrize(
    ("event", "ends"),
    [("dealer: announce-nothing-more", True), ("dealer: give-colour player=2 colour=blue value=10", False)],
)
def test_a_call_of_null_ends_with_the_step_of_its_spin(event: str, *, ends: bool) -> None:
    player = at_a_wheel(NULL, ("wheel", "no"))
    play(player, event)
    assert len(player.state.house.waiting) == (0 if ends else 1)


@pytest.mark.parametrize(("event", "ends"), [("slows", False), ("rests 9", True)])
def test_where_bets_are_not_followed_an_exchange_ends_with_the_number(event: str, *, ends: bool) -> None:
    player = at_a_wheel((RED, "launch", MUCH), ("tracks", "spins"))
    play(player, event)
    assert len(player.state.house.waiting) == (0 if ends else 1)


OWN_MATTERS: Final = [rule for rule in ROULETTE.acts if rule.second is not None and rule.second.sees is not None]


def test_each_act_for_two_but_a_correction_has_its_own_matter() -> None:
    two = {rule.name for rule in ROULETTE.acts if rule.second is not None}
    corrections = {"correct-spin-entry", "add-spin-entry"}
    assert {rule.name for rule in OWN_MATTERS} == two - corrections


@pytest.mark.parametrize("rule", OWN_MATTERS, ids=lambda rule: str(rule.name))
@pytest.mark.parametrize("is_filled", [False, True])
def test_the_waiting_act_is_the_act_that_was_asked_for(rule: ActRule[Any, Any], *, is_filled: bool) -> None:
    wanted = {field.name: field for field in msgspec.structs.fields(rule.act)}
    values = {name: value for name in value_names(rule.act) if (value := _value(wanted[name], is_filled=is_filled))}
    act = rule.act(Person(11), Role.DEALER, **values)
    state = asked_first(rule, ROULETTE.initial(make_table("pt-roulette", []).setup), act, TableMs(0))
    assert act_of(rule, state.house.waiting[0]) == act


def _value(field: msgspec.structs.FieldInfo, *, is_filled: bool) -> object:
    """A value of the field's own kind; none where it may be left out, unless all are to be filled."""
    if not (field.required or is_filled):
        return None
    kinds = (field.type, *get_args(field.type))
    enums = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, StrEnum)]
    if enums:
        return next(iter(enums[0]))
    return True if bool in kinds else "split-17-20" if str in kinds else 7


def test_a_wait_whose_values_do_not_fit_its_act_ends_with_any_event() -> None:
    state: RouletteState = at_a_wheel((RED, MUCH)).state
    (one,) = state.house.waiting
    spoiled = replace(state, house=replace(state.house, waiting=(replace(one, values=("red", "100")),)))
    lapse = lapses(OWN_MATTERS)
    assert lapse(state, state, TableMs(0)) is state
    assert lapse(spoiled, spoiled, TableMs(0)).house.waiting == ()
