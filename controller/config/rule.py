"""One rule of a configuration: its fields, and how it is broken. Which clause says it, each profile says."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from controller.config.problems import Problem, Said
from controller.config.profile import USUAL_PROFILE, Profile
from controller.config.profile_file import law
from controller.config.shape import WellFormed

Broken: TypeAlias = tuple[tuple[str, str], ...]
"""The values of the sentence that says how a rule is broken."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `check` gives None where it is kept, or where the profile knows no such thing.

    Its words stand under `config.wrong.rule.<words>` and `config.right.rule.<words>`; `words` "": those of its name.
    """

    name: str
    key: str  # the key that the error names
    fields: tuple[str, ...]
    check: Callable[[WellFormed], Broken | None]
    words: str = ""

    @property
    def said(self) -> str:
        """Under which name a profile has the clauses that say it."""
        return f"configuration.{self.name}"

    def problem(self, values: Broken, clause: str) -> Problem:
        words = self.words or self.name
        return Problem(
            self.key, Said(f"config.wrong.rule.{words}", values), Said(f"config.right.rule.{words}", values), clause
        )


def profile_of(config: WellFormed) -> Profile:
    """The law's that the table names; a file that names none is held to the usual one."""
    return law(config.take("table.profile", str) if config.has(["table.profile"]) else USUAL_PROFILE)
