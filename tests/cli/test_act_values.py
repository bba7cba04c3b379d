"""People's text becomes the typed fields of an act: for every act, every kind of value, and every mistake."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.catalogue import Language
from controller.catalogue.problems import problem_text
from controller.core.custody.state import DECK, FOREIGN
from controller.core.custody.turning import TurnHoleCard
from controller.core.engine.act import Act
from controller.core.games.blackjack.table import ACTS
from controller.core.words import Operation, Person, Place, Role
from controller.protocol import values
from controller.protocol.check import Problem
from controller.runtime.act_values import asked_values, parse_values
from tests.night import examples

GRID = (6,) * 9 + (5,) + (0,) * 42


def test_the_protocol_knows_the_cards_of_the_core() -> None:
    assert (values.DECK, values.FOREIGN) == (DECK, FOREIGN)


@pytest.mark.parametrize(
    ("name", "values", "fields"),
    [
        ("open-session", {}, {}),
        ("sign-in", {"operation": "loading"}, {"operation": Operation.LOADING}),
        ("number-deck-set", {"deck_set": "17"}, {"deck_set": 17}),
        ("take-bets", {"seats": "1,3,5"}, {"seats": (1, 3, 5)}),
        ("take-bets", {"seats": " 1, 3  5 "}, {"seats": (1, 3, 5)}),
        ("draw-card", {"seat": "3"}, {"seat": 3, "hand": None}),
        ("draw-card", {"seat": "bank"}, {"seat": 0, "hand": None}),
        ("draw-card", {"seat": "Banca"}, {"seat": 0, "hand": None}),
        ("turn-hole-card", {}, {"card": None}),
        ("turn-hole-card", {"card": "10h"}, {"card": "10H"}),
        ("attend-hold", {"hold": "3"}, {"hold": 3}),
        ("attend-hold", {"hold": "h3"}, {"hold": 3}),
        (
            "state-cards-moved",
            {"source": "jammed", "target": "in-hand", "count": "2"},
            {"source": Place.JAMMED, "target": Place.IN_HAND, "count": 2},
        ),
        ("name-card", {"card": "AS"}, {"card": "AS"}),
        ("name-card", {"card": "joker"}, {"card": "FOREIGN"}),
        ("decide-complaint", {"upheld": "não"}, {"upheld": False}),
        ("decide-complaint", {"upheld": "Yes"}, {"upheld": True}),
        ("report-duty", {"duty": "D1", "reference": " SI 12/2026 "}, {"duty": 1, "reference": "SI 12/2026"}),
        ("enter-cards", {"cards": "9C 9c,10H JOKER"}, {"cards": ("9C", "9C", "10H", "FOREIGN")}),
        (
            "enter-grid",
            {
                "counts": " ".join(f"{card}={count}" for card, count in zip(DECK, GRID, strict=True) if count),
                "foreign": "1",
            },
            {"counts": GRID, "foreign": 1, "back": None},
        ),
    ],
)
def test_values(name: str, values: dict[str, str], fields: dict[str, object]) -> None:
    assert parse_values(ACTS[name], values) == fields


@pytest.mark.parametrize(
    ("name", "values", "wrong"),
    [
        ("sign-in", {}, {"operation": "missing"}),
        ("sign-in", {"operation": "lunch"}, {"operation": "unreadable"}),
        ("sign-in", {"operation": "loading", "person": "12"}, {"person": "unknown"}),
        ("turn-hole-card", {"salt": "00"}, {"salt": "unknown"}),
        ("number-deck-set", {"deck_set": "-1"}, {"deck_set": "unreadable"}),
        ("number-deck-set", {"deck_set": "1.0"}, {"deck_set": "unreadable"}),
        ("number-deck-set", {"deck_set": "١٢"}, {"deck_set": "unreadable"}),
        ("number-deck-set", {"deck_set": "9" * 5_000}, {"deck_set": "unreadable"}),
        ("take-bets", {"seats": ""}, {"seats": "unreadable"}),
        ("take-bets", {"seats": "1;3"}, {"seats": "unreadable"}),
        ("take-bets", {"seats": "1 " * 501}, {"seats": "unreadable"}),
        ("draw-card", {"seat": "player"}, {"seat": "unreadable"}),
        ("attend-hold", {"hold": "D3"}, {"hold": "unreadable"}),
        ("name-card", {"card": "H10"}, {"card": "unreadable"}),
        ("decide-complaint", {"upheld": "maybe"}, {"upheld": "unreadable"}),
        ("report-duty", {"duty": "1", "reference": "\x1b[2J"}, {"reference": "unreadable"}),
        ("enter-grid", {"counts": "AC=6 AC=6", "foreign": "0"}, {"counts": "unreadable"}),
        ("enter-grid", {"counts": "AC", "foreign": "0"}, {"counts": "unreadable"}),
        ("enter-grid", {"counts": "JOKER=1", "foreign": "0"}, {"counts": "unreadable"}),
        ("enter-grid", {"cnts": "AC=6"}, {"cnts": "unknown", "counts": "missing", "foreign": "missing"}),
    ],
)
def test_every_mistake_is_said(name: str, values: dict[str, str], wrong: dict[str, str]) -> None:
    problems = parse_values(ACTS[name], values)
    assert isinstance(problems, list)
    assert {problem.name: problem.wrong for problem in problems} == wrong
    for language in Language:
        said = [problem_text(problem, language) for problem in problems]
        assert all("{" not in text and text and text.isprintable() for text in said)


@pytest.mark.parametrize("name", ACTS)
@settings(max_examples=examples(10))
@given(data=st.data())
def test_whatever_is_typed_gives_an_act_or_problems(name: str, data: st.DataObject) -> None:
    act = ACTS[name]
    values = {value: data.draw(st.text(max_size=30), label=value) for value in asked_values(act)}
    fields = parse_values(act, values)
    if isinstance(fields, list):
        assert all(isinstance(problem, Problem) for problem in fields)
    else:
        made = make(act, fields)
        assert made.person == 12


def make(act: type[Act], fields: dict[str, object]) -> Act:
    """Makes the act as the controller does: with the asking person, the typed values, and a salt from a seal."""
    names = set(act.__struct_fields__)
    salt = {"salt": None} if "salt" in names else {}
    return act(**{"person": Person(12), "role": Role.DEALER, **salt, **fields})


def test_the_salt_is_not_asked_of_people() -> None:
    assert asked_values(TurnHoleCard) == ("card",)
