"""One rule of a configuration: its fields, its clause, and how it is broken."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from controller.config.problems import Problem, Said
from controller.config.shape import WellFormed

Broken: TypeAlias = tuple[tuple[str, str], ...]
"""The values of the sentence that says how a rule is broken."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `check` gives None where it is kept.

    Its words stand under `config.wrong.rule.<name>` and `config.right.rule.<name>`.
    """

    name: str
    clause: str
    profiles: tuple[str, ...]
    key: str  # the key that the error names
    fields: tuple[str, ...]
    check: Callable[[WellFormed], Broken | None]

    def problem(self, values: Broken, clause: str | None = None) -> Problem:
        return Problem(
            self.key,
            Said(f"config.wrong.rule.{self.name}", values),
            Said(f"config.right.rule.{self.name}", values),
            clause or self.clause,
        )


def in_units(cents: int) -> str:
    """An amount in currency units with two decimals."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
