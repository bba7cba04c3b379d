"""A rule: one row with a name, the clause behind it, the kinds of its entries, and the check."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from simulators.oracles.export_entries import Entry
from simulators.oracles.seen import Seen
from simulators.oracles.violation import Finding

Check: TypeAlias = Callable[[Seen, Entry], Finding | None]
"""The finding about an entry, by all earlier ones; None where it keeps the rule."""

EVERY_KIND: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `kinds`: of the entries that it checks. `refused_too`: also refused acts, which change nothing."""

    name: str
    clause: str
    kinds: frozenset[str]
    check: Check
    refused_too: bool = field(default=False, kw_only=True)


def on(*kinds: str) -> frozenset[str]:
    """The set of these kinds of entries, for a rule."""
    return frozenset(kinds)
