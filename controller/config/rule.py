"""A rule of a configuration: the keys that it needs, and its check. A profile names the clauses for each rule."""

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
    """One rule of a configuration. `fields`: the keys that must be well-formed before `check` is called.

    `check` returns None if the rule is obeyed or does not apply, else the values for the sentences that report it. The
    sentences are `config.wrong.rule.<words>` and `config.right.rule.<words>`. If `words` is "", the rule's name takes
    its place.
    """

    name: str
    key: str  # the key that the error names
    fields: tuple[str, ...]
    check: Callable[[WellFormed], Broken | None]
    words: str = ""

    @property
    def said(self) -> str:
        """The rule's name in a profile. The profile lists the rule's clauses under this name."""
        return f"configuration.{self.name}"

    def problem(self, values: Broken, clause: str) -> Problem:
        words = self.words or self.name
        return Problem(
            self.key, Said(f"config.wrong.rule.{words}", values), Said(f"config.right.rule.{words}", values), clause
        )


def profile_of(config: WellFormed) -> Profile:
    """The law's profile that `config` names for the table, or USUAL_PROFILE if `config` names none."""
    return law(config.take("table.profile", str) if config.has(["table.profile"]) else USUAL_PROFILE)
