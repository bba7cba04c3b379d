"""Words for one kind of table replace words for every table, have the same values, and are found."""

import pytest

from controller.catalogue import Language, has_key, keys, placeholders
from controller.catalogue.sentences import fitting
from controller.catalogue.words import variants_of
from controller.config.profile import CARD_PROFILES, PROFILES
from controller.config.profile_file import law
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.setup import Setup
from controller.core.words import SessionPhase
from controller.runtime.game import game_of
from controller.screen.status import state_sentence
from tests.core.parts import changed
from tests.core.table import PARAMETERS

VARIANTS = [key for key in keys(Language.EN) if key.startswith("variant.")]


def _of(profile: str, session: SessionPhase) -> BlackjackState:
    procedure = law(profile).procedure
    setup = Setup("t", profile, 1, 7, False, False, True, PARAMETERS, procedure)
    return changed(initial_state(setup), session=session)


@pytest.mark.parametrize("key", VARIANTS)
def test_a_variant_stands_for_words_with_the_same_values(key: str) -> None:
    _, _kind, base = key.split(".", 2)
    assert has_key(base)
    for language in Language:
        assert placeholders(key, language) <= placeholders(base, language) | {"{id}"}


def test_every_kind_is_that_of_a_profile() -> None:
    kinds = {one for profile in PROFILES for one in variants_of(law(profile).procedure)} | {"over"}
    assert {key.split(".")[1] for key in VARIANTS} <= kinds


@pytest.mark.parametrize("profile", CARD_PROFILES)
def test_no_table_speaks_of_a_machine_that_it_has_not(profile: str) -> None:
    others = {"shuffler", "shoe", "box"} - {law(profile).procedure.machine.value}
    for session in (SessionPhase.MIXED, SessionPhase.LOADED, SessionPhase.CLOSING, SessionPhase.UNLOADING):
        said = state_sentence(game_of("pt-csm"), _of(profile, session), Language.EN)
        assert not [other for other in others if f" {other}" in said], said


def test_the_most_special_words_are_found() -> None:
    box, shuffler = variants_of(law("mo-box").procedure), variants_of(law("pt-csm").procedure)
    assert fitting("state.session.cut", box) == "variant.box.state.session.cut"
    assert fitting("state.session.mixed", box) == "variant.by-hand.state.session.mixed"
    assert fitting("state.session.opened", box) == "variant.opening-none.state.session.opened"
    assert fitting("state.session.mixed", shuffler) == "state.session.mixed"
