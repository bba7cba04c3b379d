"""The types of an oracle's findings: the entry, the broken rule with its clause, the found and the right value."""

from dataclasses import dataclass
from typing import NamedTuple


class Finding(NamedTuple):
    """The value found and the expected value, in words."""

    found: str
    expected: str


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule. `entry`: the number of the entry, 0 for none in particular; `clause`: the clause of the law, or
    the section of DESIGN.
    """

    rule: str
    clause: str
    entry: int
    found: str
    expected: str

    def __str__(self) -> str:
        at = f"entry {self.entry}: " if self.entry else ""
        return f"{at}{self.rule} ({self.clause}): {self.found}; expected {self.expected}"
