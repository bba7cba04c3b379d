"""After an act that takes two people, everybody at the table reads who has agreed, after the notices of what has
changed.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from controller.catalogue import Language
from controller.catalogue.words import notice_text
from controller.core.engine.decision import Notice
from controller.core.games.roulette.spins import AnnounceNothingMore, DeclareNullSpin, LaunchBall
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Operation
from controller.runtime.agreed import agreed
from controller.runtime.answers import Done
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of
from tests.runtime.wheel import CHIEF_21, DEALER_11, SETUP, WheelTable

STEPS = vocabulary_of("pt-csm").steps
ENTRY = {"entry": "1", "amount": "30"}


def agreed_by(player: Player, person: str, act: str, values: Mapping[str, str]) -> Notice | None:
    """Does the act and returns the notice of its agreement."""
    made, before = player.made(person, act, values), player.state
    player.act(person, act, values)
    assert player.refusal is None
    return agreed(player.registry, before, made)


@pytest.fixture
def player() -> Player:
    player = Player(
        make_table("pt-csm", [("tracks", "hands"), ("minimum_bet", "10"), ("maximum_bet", "200")], ()).setup
    )
    player.start()
    STEPS["in-play"].do(player, ())
    player.act("dealer", "place-bet", {"seat": "2", "amount": "20"})
    player.act("dealer", "announce-no-more-bets", {})
    STEPS["draw"].do(player, ("6D", "10C", "6C", "KC"))
    return player


def test_the_second_person_of_a_request_is_named_with_the_first(player: Player) -> None:
    assert agreed_by(player, "dealer", "correct-entry", ENTRY) is None
    notice = agreed_by(player, "chief", "correct-entry", ENTRY)
    assert notice is not None
    said = notice_text(notice, Language.EN)
    assert said == "Agreed by 21 (chief supervisor); 11 had asked: put an entry of the round right"


def test_other_values_begin_another_request_and_agree_with_none(player: Player) -> None:
    agreed_by(player, "dealer", "correct-entry", ENTRY)
    assert agreed_by(player, "chief", "correct-entry", ENTRY | {"amount": "40"}) is None


def test_the_agreement_with_corrections_names_its_person(player: Player) -> None:
    STEPS["hit"].do(player, ("2", "5H"))
    assert agreed_by(player, "dealer", "report-misdealt", {"seen": "yes"}) is None
    notice = agreed_by(player, "chief", "agree-corrections", {})
    assert notice is not None
    assert notice_text(notice, Language.PT).startswith("21 (fiscal-chefe) concordou: ")


def test_the_answer_to_an_agreement_carries_its_notice(tmp_path: Path) -> None:
    assert SETUP.wheel_rules is not None
    followed = msgspec.structs.replace(SETUP.wheel_rules, follows_bets=True)
    table = WheelTable(tmp_path / "journal", msgspec.structs.replace(SETUP, wheel_rules=followed))
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    table.act(LaunchBall, DEALER_11, True)
    table.act(AnnounceNothingMore, DEALER_11)
    answers = [table.ask(DeclareNullSpin, who) for who in (DEALER_11, CHIEF_21)]
    table.stop()
    told = [one.agreed for one in answers if isinstance(one, Done)]
    assert [notice_text(one, Language.EN) if one else "" for one in told] == [
        "",
        "Agreed by 21 (chief supervisor); 11 had asked: declared the spin null",
    ]
