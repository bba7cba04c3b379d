"""Every state of the written scenarios, for a client that knows the table only through `list`.

Each allowed act of a person in a scenario was offered to that person, with the very values that the act had. The table
refuses none of such a client's values for its kind or bounds, or as meaningless.
"""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from controller.catalogue import Language
from controller.core.custody.turning import TURNINGS
from controller.core.engine.act import Act
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import ACTS, TABLE
from controller.core.house.deciding import refused
from controller.core.house.permitted import permitted, permitted_act
from controller.core.words import Role
from controller.daemon.speaker import Speaker
from controller.protocol.values import ValueDocument, fits
from controller.runtime.act_values import asked_values, kind_of, make_act, parse_values, value_text
from controller.runtime.game import game_of
from tests.drawn import every
from tests.night import examples
from tests.scenario import list_client
from tests.scenario.list_client import Button, ListClient
from tests.scenario.reached import done, states

SPEAKER = Speaker(game_of("pt-csm"), Language.EN)
MEANINGLESS = frozenset(
    {"hold_stands", "duty_is_open", "deck_exists", "operation_fits_the_role", "outcome_is_possible"}
)
"""Guards that would refuse a meaningless value, which no list offers."""


def given(act: Act) -> Iterator[tuple[str, str]]:
    """Yields name and value of each value of an act, as a client's request has it."""
    for name in asked_values(type(act)):
        if (field := getattr(act, name)) is not None:
            yield name, value_text(kind_of(type(act), name), field)


@pytest.mark.slow
def test_every_act_that_was_allowed_is_offered_with_the_values_that_were_given() -> None:
    assert len(done()) > 600
    assert {type(act) for _moment, act in done()} == set(ACTS.values())
    for one, act in done():
        (offered,) = SPEAKER.acts(one.before, [permitted_act(TABLE, one.before, type(act))], None)
        assert offered.allowed, (act, offered.reason)
        assert act.role.value in offered.who
        values = {value.name: value for value in offered.values}
        for name, text in given(act):
            if name == "card" and isinstance(act, TURNINGS):
                continue  # added by the seal
            assert fits(values[name], text), (act, values[name])
            _may_say(values[name], text, act.role)


def _may_say(value: ValueDocument, text: str, role: Role) -> None:
    """Notes a possible value with the role that chose it."""
    for choice in value.choices:
        assert choice.value != text or role.value in choice.who, (value, role)


@pytest.mark.slow
def test_a_client_of_the_list_never_sends_what_is_refused_for_its_kind() -> None:
    clients = [ListClient(Random(seed)) for seed in range(examples(2))]  # noqa: S311 - the same fingers each time
    taken = Counter[str]()
    for state in every(states(), 3):
        rows = permitted(TABLE, state)
        acts, allowed = SPEAKER.acts(state, rows, None), {one.act for one in rows if one.refusal is None}
        for client in clients:
            buttons = list(client.buttons(acts))
            assert {one.act for one in buttons} == allowed
            taken += _refusals(state, buttons)
    # an entry has the values of its own act among all that a correction may give
    del taken["correction_fits_the_entry"]
    del taken["actor_is_signed_in"]  # person 99 asks where no person of the role is signed in
    assert taken[""] > 3 * (taken.total() - taken[""]), taken


def _refusals(state: BlackjackState, buttons: list[Button]) -> Counter[str]:
    """The table's answer to each button: the guard that refuses it, or none."""
    taken = Counter[str]()
    for button in buttons:
        fields = parse_values(ACTS[button.act], button.values)
        assert not isinstance(fields, list), (button, fields)
        assert button.who, button
        for role in map(Role, button.who):
            refusal = refused(TABLE, state, make_act(ACTS[button.act], _number(state, role), role, fields))
            assert refusal is None or refusal.guard not in MEANINGLESS, (button, refusal)
            taken["" if refusal is None else refusal.guard] += 1
    return taken


def _number(state: BlackjackState, role: Role) -> int:
    return next((one.person for one in state.house.present if one.role is role), 99)


def test_the_client_is_of_a_hundred_lines_and_knows_the_protocol_alone() -> None:
    text = Path(list_client.__file__).read_text("utf-8")
    assert len(text.splitlines()) <= 120
    assert set(re.findall(r"from (controller\S*)", text)) == {"controller.protocol.lines", "controller.protocol.values"}
