"""The catalogue against the program: every key in every language, and every key that the program can ask for."""

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

import controller
from controller.catalogue import Language, has_key, keys, own_keys, placeholders, sentence
from controller.catalogue.words import duty_text, hold_words, refusal_words
from controller.cli.main import COMMANDS
from controller.config.keys import KEYS
from controller.config.law import RULES, limit_rules
from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.engine.decision import Refusal
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import initial_state
from controller.core.games.blackjack.table import ACT_RULES
from controller.core.games.blackjack.table import ACTS as ACTS_WITH_CARDS
from controller.core.games.roulette.state import initial_state as initial_wheel
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.hold_table import HOLD_RULES, HoldRule
from controller.core.house.plain_session import PLAIN_SESSION_RULES
from controller.core.house.rule import ActGuard, ActRule
from controller.core.house.state import Duty, Hold
from controller.core.jackpot_rules import Marking
from controller.core.setup import Setup
from controller.core.words import (
    Cause,
    Device,
    DutyId,
    DutyKind,
    HoldId,
    HoldKind,
    HoldPhase,
    JamPlace,
    Operation,
    OutageOutcome,
    Outcome,
    Place,
    Role,
    RoundPhase,
    SessionPhase,
    TableMs,
    Timer,
)
from controller.games.blackjack_steps import STEPS as CARD_STEPS
from controller.games.jackpot_status import SlotsSay
from controller.games.roulette_screen import STEPS as WHEEL_STEPS
from controller.journal.errors import Reason, StorageReason
from controller.journal.proof import Wrong
from controller.protocol.values import ValueKind
from controller.runtime.act_values import asked_values
from controller.runtime.answers import Trouble
from controller.runtime.replay import Misfit
from controller.scenario.table import make_table
from controller.screen.steps import Step
from controller.screen.suggestions import REMEDIES
from controller.screen.surroundings import Undervoltage
from drivers.events import LostReason, Mismatch, UnseenCause
from drivers.trouble import TroubleCode
from firmware_protocols.errors import RejectReason
from tests.panel import make_fonts

PACKAGE = Path(controller.__file__).parent
LONGEST_LABEL = 18  # the width of 48 mm on the table's small screen

ACTS = ACTS_WITH_CARDS | {rule.name: rule.act for rule in (*PLAIN_SESSION_RULES, *ROULETTE.acts)}
EVERY_RULE = (*ACT_RULES, *ROULETTE.acts)
STEPS: dict[HoldKind, tuple[Step[Any], ...]] = {
    kind: (*CARD_STEPS.get(kind, ()), *WHEEL_STEPS.get(kind, ())) for kind in HoldKind
}

WORDS: dict[str, type[StrEnum]] = {
    "role": Role,
    "device": Device,
    "place": Place,
    "jam-place": JamPlace,
    "session": SessionPhase,
    "state.session": SessionPhase,
    "round": RoundPhase,
    "state.round": RoundPhase,
    "operation": Operation,
    "hold-kind": HoldKind,
    "outcome": Outcome,
    "cause": Cause,
    "marking": Marking,
    "slots-say": SlotsSay,
    "duty": DutyKind,
    "duty-kind": DutyKind,
    "trouble": Trouble,
    "storage": StorageReason,
    "journal-reason": Reason,
    "proof-wrong": Wrong,
    "reject": RejectReason,
    "power": Undervoltage,
    "timer": Timer,
    "became": OutageOutcome,
    "replay-stop": Misfit,
    "unseen-cause": UnseenCause,
}


def test_every_language_has_every_key() -> None:
    assert set(keys(Language.PT)) == set(keys(Language.EN))


FOR_TECHNICIANS = {
    "clause-outside", "clause-status", "cli", "config", "doctor", "floor", "key-trouble", "ours",
    "parameter", "proof-wrong", "replay-stop", "scenario", "second", "show-trouble", "sign", "staff",
    "text-fault", "update", "witness-status",
}  # fmt: skip
"""Groups in Portuguese and English alone: configuration, commands, scenarios, the floor."""

AT_A_TERMINAL = {
    "ask.again", "ask.own-badge", "ask.started", "ask.yes-or-no",
    "commission.begins", "commission.goes-on", "commission.no-badge", "commission.no-ports", "commission.not-ready",
    "commission.ports", "commission.ready", "commission.silent", "commission.written",
    "commission.devices.active_low", "commission.devices.protocol", "commission.staff.number",
    "commission.table.language", "commission.table.profile",
}  # fmt: skip
"""Sentences of a commissioning that no page of the first start shows."""

NAMES_OF_MAKERS = "commission.protocol."


def test_chinese_has_whatever_people_at_a_table_read() -> None:
    """The Chinese file has each key that people at a table read; a missing one would be shown in English."""
    wanted = {key for key in keys(Language.EN) if key.partition(".")[0] not in FOR_TECHNICIANS}
    named = {key for key in wanted if key.startswith(NAMES_OF_MAKERS)}
    assert set(own_keys(Language.ZH)) == wanted - named - AT_A_TERMINAL


def test_every_chinese_sentence_is_chinese() -> None:
    same = {key for key in own_keys(Language.ZH) if not re.search("[\u4e00-\u9fff]", text_in(key, Language.ZH))}
    assert [key for key in same if re.search("[A-Za-z]{3}", re.sub(r"\{[^}]*\}", "", text_in(key, Language.ZH)))] == [
        key for key in same if key in {"panel.language.en", "panel.language.pt", "panel.language.pt-BR"}
    ]


def text_in(key: str, language: Language) -> str:
    return sentence(key, (), language)


def test_every_chinese_character_is_in_the_panels_fonts() -> None:
    """The panel's fonts have every Chinese character; `tests.panel.make_fonts` makes them anew after new words."""
    listed, *digests = make_fonts.LIST.read_text("utf-8").splitlines()
    assert set(make_fonts.characters()) <= set(listed)
    assert digests == [make_fonts.digest(weight) for weight in make_fonts.FACES]


@pytest.mark.parametrize("language", Language)
def test_every_language_has_the_same_placeholders(language: Language) -> None:
    in_english = {key: placeholders(key, Language.EN) for key in keys(Language.EN)}
    assert {key: placeholders(key, language) for key in in_english} == in_english


@pytest.mark.parametrize("language", Language)
def test_no_sentence_is_empty_and_every_word_group_exists(language: Language) -> None:
    for key in keys(language):
        for placeholder in placeholders(key, language):
            for group in placeholder.strip("{}").partition(":")[2].split("|"):
                assert not group or any(other.startswith(f"{group}.") for other in keys(language)), key
        assert sentence(key, (), language).strip(), key


def test_every_brace_is_a_placeholder() -> None:
    for language in Language:
        for key in keys(language):
            text = re.sub(r"\{[a-z_]+(:[a-z.|-]+)?\}", "", sentence(key, (), language))
            assert not re.search(r"[{}]|%(?!\(choices\)s)", text), key  # a % would be argparse's


@pytest.mark.parametrize("group", WORDS)
def test_every_word_of_the_program_is_there(group: str) -> None:
    assert [word.value for word in WORDS[group] if not has_key(f"{group}.{word.value}")] == []


def test_every_reason_of_a_lost_device_is_there() -> None:
    words = [*LostReason, *Mismatch]
    assert [word.value for word in words if not has_key(f"reason.{word.value}")] == []
    groups = ("reason", "device-trouble")
    assert [code for code in TroubleCode if not any(has_key(f"{group}.{code.value}") for group in groups)] == []


def test_every_guard_has_its_reason_and_its_remedy() -> None:
    guards = {guard.name for rule in EVERY_RULE for guard in rule.all_guards()} | {"role_may"}
    wanted = {f"guard.{name}.{part}" for name in guards for part in ("reason", "remedy")}
    assert wanted == {key for key in keys(Language.EN) if key.startswith("guard.")}


def test_every_guard_gives_the_values_of_its_sentences() -> None:
    cards = initial_state(Setup("T", "pt-csm", 6, 7, True, True, True, law("pt-csm").figures, law("pt-csm").procedure))
    wheel = initial_wheel(make_table("pt-roulette", []).setup)
    tables: list[tuple[Any, tuple[ActRule[Any, Any], ...]]] = [(cards, ACT_RULES), (wheel, ROULETTE.acts)]
    for state, rules in tables:
        for guard in (guard for rule in rules for guard in rule.all_guards()):
            says = guard.says(state, None) if isinstance(guard, ActGuard) else guard.says(state)
            given = {name for name, _value in says} | {"who"}
            for part in ("reason", "remedy"):
                wanted = {
                    re.split("[:}]", one[1:])[0] for one in placeholders(f"guard.{guard.name}.{part}", Language.EN)
                }
                assert wanted <= given, guard.name


def test_every_act_and_every_value_is_explained() -> None:
    wanted = {f"act.{name}.{part}" for name in ACTS for part in ("what", "label")}
    wanted |= {f"act.{name}.value.{value}" for name, act in ACTS.items() for value in asked_values(act)}
    assert wanted == {key for key in keys(Language.EN) if key.startswith("act.")}


def test_every_value_has_a_label_and_every_kind_of_value_says_what_would_be_right() -> None:
    names = {value for act in ACTS.values() for value in asked_values(act)}
    assert {f"value.label.{name}" for name in names} == {
        key for key in keys(Language.EN) if key.startswith("value.label.")
    }
    assert [kind for kind in ValueKind if not has_key(f"value.right.{kind.value}")] == []


@pytest.mark.parametrize("language", Language)
def test_a_label_fits_on_a_button(language: Language) -> None:
    labels = [sentence(f"act.{name}.label", (), language) for name in ACTS]
    assert [label for label in labels if len(label) > LONGEST_LABEL] == []


def test_every_hold_has_text_and_place_and_every_step_its_words() -> None:
    wanted = {f"hold.{kind.value}.{part}" for kind in HoldKind for part in ("text", "place")}
    own = {key for key in keys(Language.EN) if key.startswith("hold.")} - wanted
    shared = {key for key in keys(Language.EN) if key.startswith("step.")}
    used = set()
    for kind, rows in STEPS.items():
        for row in rows:
            one = f"hold.{kind.value}.steps.{row.name}"
            used.add(one if has_key(one) else f"step.{row.name}")
    assert own | shared == used
    assert wanted <= set(keys(Language.EN))


@pytest.mark.parametrize("language", Language)
def test_only_the_command_line_speaks_of_commands(language: Language) -> None:
    """Only the command line's words name commands; other screens word an act by themselves."""
    ours = ("cli.", "doctor.", "floor.error.", "staff.", "status.")
    spoken = [key for key in keys(language) if re.search(r"sabot [a-z]+ --?|sabot act|--[a-z]+", _text(key, language))]
    assert [key for key in spoken if not key.startswith(ours)] == []


def _text(key: str, language: Language) -> str:
    return sentence(key, (), language)


@pytest.mark.parametrize("rule", HOLD_RULES, ids=lambda rule: rule.kind.value)
def test_the_steps_of_a_hold_lead_to_its_end(rule: HoldRule) -> None:
    """A hold that is cleared and confirmed has these steps, in this order; any other has a step that ends it."""
    names = [row.name for row in CARD_STEPS.get(rule.kind) or WHEEL_STEPS[rule.kind]]
    wanted = ["take-charge", "clear", "confirm"] if rule.attend else []
    assert [name for name in names if name in {"take-charge", "clear", "confirm"}] == wanted
    assert wanted or names[0] in {"name", "sign-in"} or names[-1] in {"decide", "rule", "pay", "state"}


def test_the_acts_of_remedies_and_tools_of_steps_are_there() -> None:
    guards = {guard.name for rule in EVERY_RULE for guard in rule.all_guards()}
    assert set(REMEDIES) <= guards
    for ways in REMEDIES.values():
        for way in ways:
            assert way.act == "{act}" or set(way.values) <= set(asked_values(ACTS[way.act])), way
    assert all(has_key(f"cli.tool.{tool}") for rows in STEPS.values() for row in rows for tool in row.tools)


def test_every_parameter_of_a_profile_is_explained() -> None:
    wanted = {one.meaning for name in PROFILES for one in law(name).parameters}
    assert wanted == {key for key in keys(Language.EN) if key.startswith("parameter.")}


def test_why_a_value_is_ours_is_said_wherever_the_text_leaves_it_open() -> None:
    wanted = {f"ours.{one.ours}" for name in PROFILES for one in law(name).parameters if one.ours}
    assert wanted == {key for key in keys(Language.EN) if key.startswith("ours.")}


def test_every_key_and_rule_of_the_configuration_says_what_would_be_right() -> None:
    wanted = [key.right.key for key in KEYS]
    rules = (*(rule for rule, _clause in limit_rules(law("pt-csm"))), *RULES)
    wanted += [f"config.{part}.rule.{rule.words or rule.name}" for rule in rules for part in ("wrong", "right")]
    assert [key for key in wanted if not has_key(key)] == []


def test_every_command_says_what_it_does() -> None:
    assert [name for name in COMMANDS if not has_key(f"cli.command.{name}")] == []


# --- keys that stand in code as literals

CALLS = {
    "sentence": "{}",
    "steps": "{}",
    "words": "{}",
    "Said": "{}",
    "Sentence": "{}",
    "Notice": "notice.{}",
    "StaffRefused": "staff.refused.{}",
    "CliFailure": "cli.error.{}",
}
"""The names of calls whose first text argument is a key, or a part of one."""


def asked_keys() -> Iterator[tuple[str, str]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            literals = next(filter(None, map(literals_of, node.args)), ())
            if name in CALLS:
                group = "status.{}" if path.name in {"render.py", "watch.py"} and name == "words" else CALLS[name]
                yield from ((path.name, group.format(literal)) for literal in literals)


def literals_of(argument: ast.expr) -> tuple[str, ...]:
    """The texts that this argument can be: one, or those of both branches of a condition."""
    if isinstance(argument, ast.IfExp):
        return (*literals_of(argument.body), *literals_of(argument.orelse))
    is_text = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    return (argument.value,) if is_text else ()


def test_every_literal_key_in_code_exists() -> None:
    asked = list(asked_keys())
    assert len(asked) > 50
    assert [found for found in asked if not has_key(found[1])] == []


# --- words for the core's values

HOLD_DETAILS: dict[HoldKind, tuple[tuple[str, str], ...]] = {
    HoldKind.LID: (("supervisor_present", "no"),),
    HoldKind.COUNT: (("cause", "deck-check"), ("missing", "9Cx1"), ("duplicate", ""), ("foreign", "")),
    HoldKind.UNEXPECTED_CARD: (("cause", "double-feed"), ("doubted", "2/3:8H")),
    HoldKind.UNREAD_CARD: (("seat", "3"), ("position", "2")),
    HoldKind.DAMAGED_CARD: (("card", "4D"),),
    HoldKind.DEVICE_LOST: (("reason", "silent"),),
    HoldKind.COMPLAINT: (("seat", "3"), ("round", "2"), ("person", "12")),
    HoldKind.JOURNAL_FAULT: (("reason", "full"),),
    HoldKind.RULING: (("cause", "dispute"),),
    HoldKind.IRREGULAR_SPIN: (("cause", "ball-with-rotor"), ("number", "17")),
    HoldKind.JACKPOT_OWED: (("seats", "1 3"),),
    HoldKind.LINKED_HIT: (("cause", "amount-to-come"), ("seats", "1 3"), ("amount", "-"), ("entry", "-")),
    HoldKind.JACKPOT_DOUBTED: (("cause", "meters"),),
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", HoldKind)
def test_the_words_of_a_hold_are_whole(kind: HoldKind, language: Language) -> None:
    details = (*HOLD_DETAILS.get(kind, ()), ("counted", "311"), ("expected", "312"))
    hold = Hold(HoldId(3), kind, HoldPhase.RAISED, TableMs(0), Device.SHUFFLER, JamPlace.MOUTH, details)
    words = hold_words(hold, language)
    assert not re.search(r"[{}]", words.text + words.place)


@pytest.mark.parametrize("language", Language)
def test_a_count_that_did_not_find_every_card_is_said_until_one_does(language: Language) -> None:
    figures = (("stated", "51"), ("deck_set_cards", "52"))
    details = (("cause", "called"), *figures)
    short = Hold(HoldId(3), HoldKind.COUNT, HoldPhase.ATTENDED, TableMs(0), details=details, needs_count=True)
    assert re.search(r"51.*52", hold_words(short, language).text)
    assert not re.search(r"51", hold_words(replace(short, counted=True), language).text)


def test_the_words_of_a_refusal_say_who_may() -> None:
    refusal = Refusal("role_may", "pt.bj.51d", (("role", "dealer"),), (Role.CHIEF_SUPERVISOR,))
    words = refusal_words(refusal, Language.PT)
    assert (words.reason, words.remedy) == ("Isto não compete a: pagador.", "Chamar: fiscal-chefe.")


def test_the_words_of_a_duty() -> None:
    duty = Duty(DutyId(1), DutyKind.REPORT_DAMAGED_CARD, Role.ROOM_MANAGER, TableMs(0), (("card", "4D"),))
    assert duty_text(duty, Language.EN) == "Report the damaged card 4D to the inspection service."
