"""People's sentences in every state of the written scenarios: without placeholders and without a missing machine."""

import re
from collections.abc import Iterator

import pytest

from controller.catalogue import Language
from controller.catalogue.words import hold_words, refusal_words, variants_of
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.permitted import permitted
from controller.games.blackjack_steps import STEPS
from controller.runtime.game import game_of
from controller.screen.status import state_sentence
from controller.screen.steps import plan_of
from tests.scenario.reached import states

OTHERS = {
    "shuffler": r"\bthe shoe is filled|\bthe box\b|\ba caixa\b",  # its reader is a shoe
    "shoe": r"shuffler|baralhador|\bbox\b|\bcaixa\b",
    "box": r"shuffler|baralhador|(?<!-)\bshoe\b|\bsabot\b",
}


def _read(state: BlackjackState, language: Language) -> Iterator[str]:
    variants = variants_of(state.setup.procedure)
    yield state_sentence(game_of("pt-csm"), state, language)
    for refusal in (one.refusal for one in permitted(TABLE, state)):
        if refusal is not None:
            words = refusal_words(refusal, language, variants)
            yield from (words.reason, words.remedy)
    for hold in state.house.holds:
        told = hold_words(hold, language, variants)
        yield from (told.text, told.place)
        yield from (step.text for step in plan_of(TABLE, STEPS, state, hold, (), language, variants))


@pytest.mark.drawn(3)
@pytest.mark.parametrize("machine", OTHERS)
@pytest.mark.parametrize("language", Language)
def test_people_read_of_the_machine_that_they_have(machine: str, language: Language) -> None:
    here = [state for state in states() if state.setup.procedure.machine.value == machine]
    assert len(here) > 10
    read = {text for state in here for text in _read(state, language)}
    assert sorted(text for text in read if re.search(OTHERS[machine], text) or "{" in text) == []
