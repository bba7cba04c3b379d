"""Every rule of the monitor keeps quiet over lawful evenings, and speaks when it is broken: none is for show."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.journal.entry import decode_entry
from controller.record.replay import fold
from controller.runtime.folded import Folded
from simulators.oracles.figures import Figures, figures_bound_by
from simulators.oracles.procedure import MOST_OF_A_RULE, RULES, check_export, check_procedure
from simulators.oracles.steps import STEPS, Step
from simulators.oracles.violation import Violation
from tests.oracles.broken_corrections import BROKEN_CORRECTIONS
from tests.oracles.broken_evenings import BROKEN as BROKEN_EVENINGS
from tests.oracles.broken_holds import BROKEN_HOLDS
from tests.oracles.broken_rounds import BROKEN_ROUNDS
from tests.oracles.broken_shoes import BROKEN_SHOES
from tests.oracles.evening import CHIEF, DEALER, FIGURES, Evening
from tests.oracles.good_corrections import GOOD_CORRECTIONS, face_up_in_the_machine
from tests.oracles.good_evenings import GOOD as GOOD_EVENINGS
from tests.oracles.good_evenings import bets_and_decisions, jackpot, plain
from tests.oracles.good_shoes import GOOD_SHOES

GOOD = (*GOOD_EVENINGS, *GOOD_CORRECTIONS, *GOOD_SHOES)
BROKEN = (*BROKEN_EVENINGS, *BROKEN_ROUNDS, *BROKEN_HOLDS, *BROKEN_CORRECTIONS, *BROKEN_SHOES)


def found_in(evening: Evening, figures: Figures | None = None) -> list[Violation]:
    return check_export(evening.export(), figures or evening.figures())


def rules_in(evening: Evening) -> set[str]:
    return {violation.rule for violation in found_in(evening)}


@pytest.mark.parametrize("make", GOOD, ids=lambda make: make.__name__)
def test_a_lawful_evening_breaks_nothing(make: Callable[[], Evening]) -> None:
    evening = make()
    assert not evening.export().faults
    assert found_in(evening) == []


@pytest.mark.parametrize("make", GOOD, ids=lambda make: make.__name__)
def test_the_controller_would_decide_a_lawful_evening_so(make: Callable[[], Evening]) -> None:
    """Two readings of the law, the production's and the hand-written one, agree entry by entry."""
    folded = Folded()
    for seq, payload in enumerate(make().payloads(), 1):
        folded = fold(folded, decode_entry(payload, seq=seq))
    assert folded.entries


@pytest.mark.parametrize(("rule", "make"), BROKEN, ids=[make.__name__ for _, make in BROKEN])
def test_what_breaks_a_rule_is_found_by_it(rule: str, make: Callable[[], Evening]) -> None:
    evening = make()
    found = [violation for violation in found_in(evening) if violation.rule == rule]
    assert found, rules_in(evening)
    assert found[0].clause.startswith(("pt.bj.", "mo.", "br.", "house.", "DESIGN "))
    assert 0 < found[0].entry <= len(evening.rows)
    assert found[0].found != found[0].expected
    assert f"entry {found[0].entry}: {rule}" in str(found[0])


def test_an_entry_that_is_not_there_is_missed() -> None:
    entries = plain().export().entries
    del entries[20]
    assert check_procedure(entries, FIGURES)[0].rule == "number follows"


def test_a_journal_that_cannot_be_followed_is_told_and_not_fallen_over() -> None:
    """Whatever a faulty controller may have written, in whatever order: the monitor says what is wrong with it."""
    evening = face_up_in_the_machine()
    figures, entries = evening.figures(), evening.export().entries
    swapped = [[*entries[:at], entries[at + 1], entries[at], *entries[at + 2 :]] for at in range(1, len(entries) - 1)]
    found = {violation.rule for one in swapped for violation in check_procedure(one, figures)}
    assert "the journal can be followed" in found


@pytest.mark.parametrize(
    ("findings", "jammed", "is_found"),
    [
        ((), False, True),
        (("damage-sealed entry 7 segment 1",), True, True),
        (("damage-sealed entry 7 segment 1",), False, False),
    ],
)
def test_a_jam_whose_end_may_be_lost_is_as_the_machine_says(
    findings: tuple[str, ...],
    jammed: bool,
    is_found: bool,
) -> None:
    """Two people have closed a damage of the journal: what stood there, the end of the jam perhaps, nobody knows."""
    evening = Evening().in_play().whole_round().jam(0, "carousel").start(*findings).connect().heard(jammed=jammed)
    assert ("nothing moves in a jam" in rules_in(evening.card_in())) is is_found


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.act)
def test_an_act_of_the_wrong_role(step: Step) -> None:
    wrong = "regulator" if "regulator" not in step.roles else "player"
    evening = Evening().begin().add(step.act, {"person": 99, "role": wrong})
    assert f"role of {step.act}" in rules_in(evening)


@pytest.mark.parametrize("step", [step for step in STEPS if step.session], ids=lambda step: step.act)
def test_an_act_at_the_wrong_step_of_the_session(step: Step) -> None:
    evening = Evening().begin()
    if "closed" in step.session:
        evening.act("open-session", DEALER)
    assert f"session at {step.act}" in rules_in(evening.act(step.act, step.roles[0]))


@pytest.mark.parametrize("step", [step for step in STEPS if step.round], ids=lambda step: step.act)
def test_an_act_at_the_wrong_step_of_the_round(step: Step) -> None:
    evening = Evening().in_play()
    if {"idle", "playing"} <= set(step.round):
        evening.announced(1)
    elif "idle" in step.round:
        evening.deal(1)
    assert f"round at {step.act}" in rules_in(evening.act(step.act, step.roles[0]))


def test_every_rule_can_fail() -> None:
    steps = {f"role of {step.act}" for step in STEPS}
    steps |= {f"session at {step.act}" for step in STEPS if step.session}
    steps |= {f"round at {step.act}" for step in STEPS if step.round}
    by_hand = {rule for rule, _ in BROKEN} | {"number follows"}
    assert {rule.name for rule in RULES} - steps == by_hand - {"export is whole"}


def test_every_rule_looks_at_something_in_the_lawful_evenings() -> None:
    kinds = {
        entry.kind
        for make in (*GOOD, bets_and_decisions, jackpot)
        for entry in make().export().entries
        if not entry.refused
    }
    assert [rule.name for rule in RULES if rule.kinds and not rule.kinds & kinds] == []


def test_bets_and_decisions_move_the_picture() -> None:
    assert rules_in(bets_and_decisions()) == set()


def test_rules_have_one_name_each() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_a_rule_that_is_broken_all_the_time_is_told_a_few_times() -> None:
    evening = Evening().begin()
    for _ in range(3 * MOST_OF_A_RULE):
        evening.act("open-session", CHIEF)
    assert [v.rule for v in found_in(evening)].count("role of open-session") == MOST_OF_A_RULE


def test_the_figures_are_those_of_the_profile_given() -> None:
    """Three packets asked for: the lawful evening of two is lawful no more."""
    found = found_in(plain(), replace(FIGURES, min_packets=3))
    assert {"setup is the profile's", "packets are enough"} <= {violation.rule for violation in found}


def test_the_figures_that_a_start_binds() -> None:
    assert figures_bound_by(plain().export().entries[0]) == FIGURES
