"""One rule of a configuration: its fields and its check. The clauses behind a rule are in each profile."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from controller.config.problems import Problem, Said
from controller.config.profile import USUAL_PROFILE, Profile
from controller.config.profile_file import law
from controller.config.shape import WellFormed

Broken: TypeAlias = tuple[tuple[str, str], ...]
"""The values of the sentence on a broken rule."""


class Rule(Struct, frozen=True):
    """One rule of a configuration. `check` returns None where the rule is kept or does not apply, else the values for
    the rule's two sentences.

    The sentences are `config.wrong.rule.<words>` and `config.right.rule.<words>`. `words` "": the rule's name.
    `fields`: the keys that must be well-formed before the rule is checked.
    """

    name: str
    key: str  # the key that the error names
    fields: tuple[str, ...]
    check: Callable[[WellFormed], Broken | None]
    words: str = ""

    @property
    def said(self) -> str:
        """The name under which a profile has the clauses of this rule."""
        return f"configuration.{self.name}"

    def problem(self, values: Broken, clause: str) -> Problem:
        words = self.words or self.name
        return Problem(
            self.key, Said(f"config.wrong.rule.{words}", values), Said(f"config.right.rule.{words}", values), clause
        )


def profile_of(config: WellFormed) -> Profile:
    """The law's profile that the table names; USUAL_PROFILE where it names none."""
    return law(config.take("table.profile", str) if config.has(["table.profile"]) else USUAL_PROFILE)
