"""The rows that follow an event: each is called after a change of its own parts, only at its tables and steps."""

import dataclasses

import pytest

from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.following import Follows, Row, Tell, Watch
from controller.core.words import Person, RoundPhase, SessionPhase, TableMs
from controller.scenario.table import make_table
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, LAST, dealt

HEARD = (Notice("heard"),)


def is_told(row: Tell, before: BlackjackState, after: BlackjackState) -> bool:
    return Follows((), (row,)).told(before, after) == HEARD


def hears(*parts: str) -> Tell:
    return Row(lambda _before, _after: HEARD, parts)


def test_a_part_that_is_the_very_same_value_is_not_looked_at() -> None:
    before = dealt(*DEAL)
    after = changed(before, dealt=(*DEAL, LAST))
    assert is_told(hears("game.dealt"), before, after)
    assert is_told(hears("house", "game"), before, after)
    assert not is_told(hears("house", "custody", "game.seats"), before, after)
    assert is_told(hears(), before, before)


def test_a_row_stands_at_its_tables_and_steps_and_while_its_part_is_there() -> None:
    before = dealt(*DEAL)
    after = changed(before, dealt=(*DEAL, LAST))
    assert not is_told(dataclasses.replace(hears("game"), needs=lambda setup: setup.has_slots), before, after)
    assert is_told(dataclasses.replace(hears("game"), in_round=(RoundPhase.PLAYING,)), before, after)
    assert not is_told(dataclasses.replace(hears("game"), in_round=(RoundPhase.SETTLED,)), before, after)
    assert not is_told(dataclasses.replace(hears("game"), only_while="house.irregular_proposed_by"), before, after)
    proposed = changed(after, irregular_proposed_by=Person(21))
    assert is_told(dataclasses.replace(hears("game"), only_while="house.irregular_proposed_by"), before, proposed)


def test_the_tables_of_a_row_are_those_of_the_setup_that_is_played_by_now() -> None:
    before = dealt(*DEAL)
    other = replace(before, setup=replace(before.setup, has_slots=True))
    row = dataclasses.replace(hears(), needs=lambda setup: setup.has_slots)
    follows = Follows((), (row,))
    assert [follows.told(state, state) for state in (before, other, before)] == [(), HEARD, ()]


def test_a_row_sees_what_the_rows_above_it_have_changed() -> None:
    def closes(_before: BlackjackState, after: BlackjackState, _at_ms: TableMs) -> BlackjackState:
        return changed(after, session=SessionPhase.CLOSING)

    def counts(_before: BlackjackState, after: BlackjackState, _at_ms: TableMs) -> BlackjackState:
        return changed(after, session_number=after.house.session_number + 1)

    before = dealt(*DEAL)
    above, below = Watch(closes), Watch(counts, ("house.session",))
    now = Follows((above, below), ()).brought_about(before, before, TableMs(0))
    assert (now.house.session, now.house.session_number) == (SessionPhase.CLOSING, before.house.session_number + 1)
    now = Follows((below, above), ()).brought_about(before, before, TableMs(0))
    assert (now.house.session, now.house.session_number) == (SessionPhase.CLOSING, before.house.session_number)


@pytest.mark.parametrize("profile", ["pt-csm", "mo-box", "pt-roulette"])
def test_every_part_that_a_row_names_is_one_of_the_state(profile: str) -> None:
    setup = make_table(profile, []).setup
    registry = ROULETTE if profile == "pt-roulette" else TABLE
    state = registry.initial(setup)
    for row in (*registry.watches, *registry.tells):
        for part in row.parts if row.needs(setup) else ():
            part(state)
