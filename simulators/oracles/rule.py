"""A rule: one row with a name, the clause behind it, the kinds of its entries, and the check."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from simulators.oracles.export_entries import Entry
from simulators.oracles.seen import Seen
from simulators.oracles.violation import Finding

Check: TypeAlias = Callable[[Seen, Entry], Finding | None]
"""Returns a rule's finding about an entry, from all earlier entries; None where the entry keeps the rule."""

EVERY_KIND: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, for the entries of these `kinds`; empty: for all. `refused_too`: it checks refused acts, too."""

    name: str
    clause: str
    kinds: frozenset[str]
    check: Check
    refused_too: bool = field(default=False, kw_only=True)


def on(*kinds: str) -> frozenset[str]:
    """The set of these kinds of entries, for a rule."""
    return frozenset(kinds)
