"""The words of the journal: for every kind of entry, every value of an act and every finding of a start."""

import re

import pytest

from controller.catalogue import Language, has_key, keys, placeholders
from controller.core.custody.reader import ReaderNoted
from controller.core.custody.state import Identity
from controller.core.engine.act import Source
from controller.core.games.blackjack.table import ACTS as ACTS_WITH_CARDS
from controller.core.games.blackjack.table import FACTS as FACTS_WITH_CARDS
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.plain_session import PLAIN_SESSION_RULES
from controller.devices.translate_angel_eye import of_angel_eye
from controller.record.findings import FORMS
from controller.runtime.act_values import asked_values
from controller.runtime.entries import SHELL_ONLY
from drivers.events import AngelEyeStatus
from firmware_protocols.angel_eye import words as shoe
from firmware_protocols.tdp.common import StartCause

ACTS = ACTS_WITH_CARDS | {rule.name: rule.act for rule in (*PLAIN_SESSION_RULES, *ROULETTE.acts)}
FACTS = FACTS_WITH_CARDS | {rule.name: rule.fact for rule in ROULETTE.facts}


def test_whatever_the_journal_records_of_devices_and_controller_can_be_told() -> None:
    wanted = {f"told.{kind}" for kind in (*FACTS, *SHELL_ONLY)}
    of_a_card = {
        f"told.{name}"
        for name in ("card-read-sealed", "card-read-unread", "to-seat", "to-seat-down", "to-seat-unnamed", "burnt")
    }
    others = {"told.pin-refused-at", "told.staff-changed-forgotten"}
    assert wanted | of_a_card | others == {key for key in keys(Language.EN) if key.startswith("told.")}


def test_every_value_of_an_act_and_every_finding_of_a_start_can_be_told() -> None:
    wanted = {f"said.{value}" for act in ACTS.values() for value in asked_values(act)}
    assert wanted | {"said.confirm-cut-seat", "said.seal_differs", "said.words-without"} == {
        key for key in keys(Language.EN) if key.startswith("said.")
    }
    assert {f"finding.{key}" for key, _form in FORMS} == {
        key for key in keys(Language.EN) if key.startswith("finding.")
    }


def test_what_every_act_was_can_be_told() -> None:
    assert {f"did.{act}" for act in ACTS} == {key for key in keys(Language.EN) if key.startswith("did.")}


@pytest.mark.parametrize("kind", sorted({**FACTS, **SHELL_ONLY}))
def test_what_is_told_uses_what_the_entry_has(kind: str) -> None:
    has = {*{**FACTS, **SHELL_ONLY}[kind].__struct_fields__} | {"device"}
    has |= {"inside", "shown_cents"} if "status" in has else set()
    assert {re.split("[:}]", one[1:])[0] for one in placeholders(f"told.{kind}", Language.EN)} <= has


def test_why_a_device_started_and_what_a_reader_notes_is_there() -> None:
    causes = [cause.name.lower().replace("_", "-") for cause in StartCause]
    assert [cause for cause in causes if not has_key(f"start-cause.{cause}")] == []
    noted = [
        of_angel_eye(Source(1, 1), AngelEyeStatus(None, None), telegram, lambda _card: Identity(None, None))
        for telegram in (
            shoe.ErrorRaised(shoe.ErrorCode.OVERDRAW, halted=False),
            shoe.ErrorCleared(shoe.ErrorCode.OVERDRAW),
            shoe.CardRetransmitted(1, shoe.Target.PLAYER, 1),
            shoe.GameEnded(shoe.Winner.BANKER, player_pair=False, banker_pair=False),
            shoe.LockChanged(locked=True),
            shoe.CutCardDrawn(),
            shoe.StandBy(),
        )
    ]
    assert {f"reader-note.{one.what}" for one in noted if isinstance(one, ReaderNoted)} == {
        key for key in keys(Language.EN) if key.startswith("reader-note.")
    }
