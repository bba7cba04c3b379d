"""The steps of holds and the remedies of refusals as data, in every state of the written scenarios."""

from collections.abc import Iterator

import pytest

from controller.catalogue import Language
from controller.catalogue.words import variants_of
from controller.cli.commands import command
from controller.core.custody.game import impossible_cards
from controller.core.engine.act import Act
from controller.core.engine.decision import Refusal
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import ACTS, NAMES, TABLE
from controller.core.house.permitted import permitted, permitted_act
from controller.core.house.state import Hold
from controller.core.words import HoldKind, HoldPhase, Role
from controller.daemon.speaker import Speaker
from controller.games.blackjack_steps import STEPS
from controller.protocol.lines import ActDocument
from controller.protocol.status import StepState, StepStatus
from controller.protocol.suggestion import Suggestion
from controller.protocol.values import fits
from controller.runtime.act_values import parse_values
from controller.runtime.game import game_of
from controller.screen.steps import plan_of
from controller.screen.suggestions import remedy_acts
from tests.scenario.reached import moments, states
from tests.scenario.test_format import DETAILS

CHIEF = (Role.CHIEF_SUPERVISOR,)


def holds() -> Iterator[tuple[BlackjackState, Hold]]:
    return ((state, hold) for state in states() for hold in state.house.holds)


def plan(state: BlackjackState, hold: Hold) -> list[StepStatus]:
    return plan_of(TABLE, STEPS, state, hold, CHIEF, Language.EN, variants_of(state.setup.procedure))


def suggested() -> Iterator[tuple[BlackjackState, Suggestion]]:
    """Yields each instruction to any person, by a step or by a remedy, with the state in which it is given."""
    for state, hold in holds():
        yield from ((state, act) for step in plan(state, hold) for act in step.acts)
    for state in states():
        for one in permitted(TABLE, state):
            if one.refusal is not None:
                yield from ((state, act) for act in remedy_acts(TABLE, state, one.refusal, one.act, {}))


def test_the_page_of_the_language_has_every_detail_of_a_hold_and_every_cause() -> None:
    for hold in {hold for moment in moments() for hold in moment.state.house.holds}:
        given = dict(hold.details)
        wanted = {*given, *(str(given[name]) for name in ("cause", "reason") if name in given)}
        assert wanted <= DETAILS.get(hold.kind.value, set()), hold


def test_every_hold_has_a_next_step_and_somebody_who_takes_it() -> None:
    for state, hold in holds():
        steps = plan(state, hold)
        assert StepState.NEXT in [step.state for step in steps], hold
        assert all(step.who and step.text and "{" not in step.text for step in steps)
        assert [step.name for step in steps if step.state is StepState.NEXT and step.optional] == []


@pytest.mark.slow
def test_what_is_suggested_may_be_asked_for_now_with_the_values_that_are_known() -> None:
    """The suggestion's values fit the list, some person may do the act, and its open values are really unknown."""
    offers: dict[tuple[int, str], ActDocument] = {}
    for state, one in suggested():
        asked = (id(state), one.act)
        if asked not in offers:
            (offers[asked],) = Speaker(game_of("pt-csm"), Language.EN).acts(
                state, [permitted_act(TABLE, state, ACTS[one.act])], None
            )
        act = offers[asked]
        assert act.allowed, one
        assert one.who
        assert set(one.who) <= set(act.who)
        values = {value.name: value for value in act.values}
        for name, text in one.values.items():
            assert fits(values[name], text), (one, values[name])
        missing = {name for name, value in values.items() if not value.may_be_left_out} - set(one.values)
        assert set(one.asks) == missing
        assert one.asks or not isinstance(parse_values(ACTS[one.act], one.values), list)
        assert command(one).startswith(f"sabot act {one.act}")
    assert len({act for _state, act in offers}) > 30


def test_an_impossible_face_leads_to_the_entry_of_the_collection_before_the_count() -> None:
    """A count forgets the faces in the rack, and bars that the collection is taken back (IC-12)."""
    refusal, found = Refusal("faces_are_possible", "faces_are_possible"), set()
    for state, hold in holds():
        if hold.kind is HoldKind.UNEXPECTED_CARD and hold.phase is HoldPhase.ATTENDED and impossible_cards(state):
            ways = [one.act for one in remedy_acts(TABLE, state, refusal, "clear-hold", {})]
            step = next(one for one in plan(state, hold) if one.name == "rename")
            found.add((*ways[:2], *(one.act for one in step.acts)))
    assert ("rename-card", "correct-entry", "rename-card", "correct-entry") in found


def test_whatever_moved_or_ended_a_hold_was_one_of_its_steps() -> None:
    """The screen shows people each way out of a hold: the scripted people of worlds and demos use no other way."""
    missing = set()
    for moment in moments():
        if isinstance(moment.event, Act) and moment.is_allowed:
            name, after = NAMES[type(moment.event)], {hold.id: hold for hold in moment.state.house.holds}
            for hold in moment.before.house.holds:
                if hold.id not in after or after[hold.id].phase is not hold.phase:
                    offered = {act.act for step in plan(moment.before, hold) for act in step.acts}
                    if name not in offered:
                        missing.add((hold.kind.value, hold.phase.value, name))
    assert missing == set()


def test_a_step_is_done_only_where_the_table_knows_that_it_was() -> None:
    for state, hold in holds():
        done = {step.name for step in plan(state, hold) if step.state is StepState.DONE}
        assert hold.technician_called or "call-technician" not in done
        assert hold.technician is not None or "repair" not in done
        assert hold.attended_by is not None or "take-charge" not in done
        assert hold.counted or "count" not in done
        assert hold.phase is HoldPhase.CLEARED or "clear" not in done
        assert state.custody.damaged is None or not {"replace", "deck"} & done
        assert "confirm" not in done


def test_a_technician_who_was_never_called_is_a_step_that_was_skipped() -> None:
    jams = [(state, hold) for state, hold in holds() if hold.kind is HoldKind.JAM and hold.phase is HoldPhase.CLEARED]
    without = [plan(state, hold) for state, hold in jams if not hold.technician_called]
    called = [plan(state, hold) for state, hold in jams if hold.technician_called]
    assert without
    assert called
    for steps in without:
        assert {step.name: step.state for step in steps}["call-technician"] is StepState.SKIPPED
    for steps in called:
        assert {step.name: step.state for step in steps}["call-technician"] is StepState.DONE


@pytest.mark.parametrize("phase", [HoldPhase.RAISED, HoldPhase.CLEARED])
def test_the_command_of_the_next_step_has_person_and_hold_filled_in(phase: HoldPhase) -> None:
    act = {HoldPhase.RAISED: "attend-hold", HoldPhase.CLEARED: "confirm-hold"}[phase]
    commands = {
        (hold.id, command(one))
        for state, hold in holds()
        if hold.phase is phase
        for step in plan(state, hold)
        if step.state is StepState.NEXT
        for one in step.acts
        if one.act == act
    }
    assert commands
    assert all(f"--value hold=H{number}" in text for number, text in commands)
    assert phase is HoldPhase.RAISED or any("--person N" not in text for _number, text in commands)
