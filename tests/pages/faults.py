"""The fault chart, by the screen's sentences: from the holds' rules, their steps and the catalogue, by language."""

import re
from typing import Final

from controller.catalogue import Language, has_key, keys, sentence
from controller.core.house.hold_table import HOLD_RULES, HoldRule
from controller.core.words import HoldKind, Role
from controller.games.blackjack_steps import STEPS
from controller.games.roulette_screen import STEPS as WHEEL_STEPS

HEAD: Final = {
    Language.EN: (
        "# When the screen says so",
        "Generated from holds, their steps and people's sentences (`make pages`). `…`: what the table fills in.",
        "## The table is held",
        "## What `sabot doctor` and `sabot device test` say",
        "It says",
        "What to do",
    ),
    Language.PT: (
        "# Quando o ecrã diz isto",
        "Feito a partir das paragens, dos seus passos e das frases (`make pages`). `…`: o que a mesa lá põe.",
        "## A mesa está parada",
        "## O que dizem `sabot doctor` e `sabot device test`",
        "Diz",
        "O que fazer",
    ),
}

WHO: Final = {
    Language.EN: ("takes charge", "says that the cause is gone", "ends it", "the act that the last step names ends it"),
    Language.PT: (
        "toma conta",
        "diz que a causa acabou",
        "termina-a",
        "termina com o ato que o último passo indica",
    ),
}


def faults_page(language: Language) -> str:
    """The whole fault chart in this language, as Markdown."""
    title, made, held, doctor, says, remedy = HEAD[language]
    lines = [title, "", made, "", held, ""]
    for rule in HOLD_RULES:
        lines += _hold(rule, language)
    lines += [doctor, "", f"| {says} | {remedy} |", "|---|---|"]
    found = [key.removeprefix("doctor.found.") for key in keys(language) if key.startswith("doctor.found.")]
    lines += [
        f"| {_text(f'doctor.found.{key}', language)} | {_text(f'doctor.remedy.{key}', language)} |" for key in found
    ]
    return "\n".join(lines) + "\n"


def _hold(rule: HoldRule, language: Language) -> list[str]:
    kind = rule.kind.value
    asked = f" {_text('supervised-count.asked', language)}" if rule.kind is HoldKind.COUNT else ""
    lines = [f"### {_text(f'hold.{kind}.text', language)}{asked}", "", f"{_who(rule, language)}.", ""]
    rows = {row.name: row for row in STEPS.get(rule.kind) or WHEEL_STEPS[rule.kind]}  # a repeated step is listed once
    for number, row in enumerate(rows.values(), 1):
        own = f"hold.{kind}.steps.{row.name}"
        lines.append(f"{number}. {_text(own if has_key(own) else f'step.{row.name}', language)}")
    return [*lines, ""]


def _who(rule: HoldRule, language: Language) -> str:
    *words, otherwise = WHO[language]
    parts = zip((rule.attend, rule.clear, rule.confirm), words, strict=True)
    said = [f"{_roles(roles, language)} {word}" for roles, word in parts if roles]
    return "; ".join(said) or otherwise[0].upper() + otherwise[1:]


def _roles(roles: tuple[Role, ...], language: Language) -> str:
    return ", ".join(f"**{sentence(f'role.{role.value}', (), language)}**" for role in roles)


def _text(key: str, language: Language) -> str:
    """A sentence with its values left open."""
    return re.sub(r"\{[^}]*\}", "…", sentence(key, (), language)).replace("|", "\\|")
