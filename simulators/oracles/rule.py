"""The type of a rule of the monitor: a name, a clause, the kinds of entries that the rule concerns, and a check."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from simulators.oracles.export_entries import Entry
from simulators.oracles.seen import Seen
from simulators.oracles.violation import Finding

Check: TypeAlias = Callable[[Seen, Entry], Finding | None]
"""Returns a rule's finding about an entry, from all earlier entries; None if the entry keeps the rule."""

EVERY_KIND: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule about entries of the kinds in `kinds`; an empty set means all kinds. `refused_too`: the rule also checks
    refused acts.
    """

    name: str
    clause: str
    kinds: frozenset[str]
    check: Check
    refused_too: bool = field(default=False, kw_only=True)


def on(*kinds: str) -> frozenset[str]:
    """Returns these kinds of entries as a set, for the field `kinds` of a rule."""
    return frozenset(kinds)
