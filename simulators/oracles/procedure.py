"""The monitor: checks an exported journal and recorded statuses by rules that hold at every table.

The procedure itself is tested by scenarios and their mutants, not by the monitor. RULES lists the rules about entries,
one row each; `_compare` has the rules about recorded statuses.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from simulators.oracles.export_entries import Entry
from simulators.oracles.export_reader import Export
from simulators.oracles.figures import Figures
from simulators.oracles.rule import Rule
from simulators.oracles.rules_holds import (
    HOLD_RULES,
    causes_hold,
    every_card_is_somewhere,
    held_for,
    holds_stand,
    nothing_lies_aside,
)
from simulators.oracles.rules_people import PEOPLE_RULES
from simulators.oracles.rules_record import RECORD_RULES
from simulators.oracles.seen import Seen
from simulators.oracles.sightings import Sighting
from simulators.oracles.violation import Finding, Violation

RULES: Final[tuple[Rule, ...]] = (*RECORD_RULES, *PEOPLE_RULES, *HOLD_RULES)

MOST_OF_A_RULE: Final = 5
"""The most reported violations of one rule for one journal: the first violations show the fault."""

_TOLD_IN_DIFFERENCES: Final = ("jam", "lid", "count", "unexpected-card", "device-lost", "journal-fault")
"""Holds during which book and machine may differ, since people are resolving the difference."""


def _due(kind: str | None, *, refused: bool) -> tuple[Rule, ...]:
    return tuple(rule for rule in RULES if (not rule.kinds or kind in rule.kinds) and (rule.refused_too or not refused))


_KINDS: Final = (None, *sorted(frozenset().union(*(rule.kinds for rule in RULES))))
_DUE: Final = {(kind, refused): _due(kind, refused=refused) for kind in _KINDS for refused in (False, True)}
"""The rules for each kind of entry, refused or not; None stands for a kind without a rule of its own."""


def check_export(export: Export, figures: Figures, sightings: Sequence[Sighting] = ()) -> list[Violation]:
    """Returns the violations in `export`: faults of the file, and rules that `figures` and the recorded statuses
    `sightings` show broken. Returns at most MOST_OF_A_RULE violations of each rule.
    """
    faults = [Violation("export is whole", "DESIGN 3.5", f.entry, f.found, f.expected) for f in export.faults]
    monitor = Monitor(figures, sightings, resumed_at=export.resumed_at)
    for entry in export.entries:
        monitor.take(entry)
    return faults + monitor.violations


class Monitor:
    """Checks the entries of a journal in order. `seen`: all that the monitor knows of the table so far."""

    def __init__(self, figures: Figures, sightings: Sequence[Sighting] = (), resumed_at: Iterable[int] = ()) -> None:
        self.seen = Seen(figures)
        self.seen.resumed_at = frozenset(resumed_at)
        self.violations: list[Violation] = []
        self._told: Counter[str] = Counter()
        self._sightings: defaultdict[int, list[Sighting]] = defaultdict(list)
        self._before: Sighting | None = None  # the last sighting, while only refusals have followed it
        self._to_be_held: set[str] = set()
        for one in sightings:
            if not one.waiting:
                self._sightings[one.seq].append(one)

    def take(self, entry: Entry) -> None:
        """Checks one more entry by the rules, then adds it to `seen`."""
        refused = entry.refusal is not None
        for rule in _DUE.get((entry.kind, refused)) or _DUE[None, refused]:
            if finding := rule.check(self.seen, entry):
                self._tell(rule.name, rule.clause, entry, finding)
        if (kind := held_for(self.seen, entry)) is not None:
            self._to_be_held.add(kind)
        self.seen.take(entry)
        if not refused and entry.kind != "pin-refused":
            self._before = None
        for shown in self._sightings.get(entry.seq, ()):
            self._compare(entry, shown)
        self._watch_differences(entry)

    def _compare(self, entry: Entry, shown: Sighting) -> None:
        for name, clause, finding in (
            ("holds stand", "pt.bj.51d", holds_stand(self.seen, shown)),
            ("holds stand", "pt.bj.51d", causes_hold(self.seen, shown, self._to_be_held)),
            ("nothing lies aside", "pt.bj.18d", nothing_lies_aside(self.seen, shown)),
            ("every card is somewhere", "DESIGN 4", every_card_is_somewhere(self.seen, shown)),
        ):
            if finding is not None:
                self._tell(name, clause, entry, finding)
        self._to_be_held = set()
        before, self._before = self._before, shown
        if before is not None and before.digest and shown.digest and before.digest != shown.digest:
            finding = Finding(f"state {shown.digest} after refusals alone", f"{before.digest}, of entry {before.seq}")
            self._tell("refusal changes nothing", "DESIGN 3.2", entry, finding)
        self.seen.show(shown)

    def _watch_differences(self, entry: Entry) -> None:
        """Stores the time since which status and shuffler differ in the number of cards inside. Stores None while they
        agree, during a hold that explains a difference, and if a card has moved since the last status.
        """
        seen = self.seen
        if not seen.cards_are_known or not seen.difference() or seen.holds_for(*_TOLD_IN_DIFFERENCES):
            seen.differing_since_ms = None
        elif seen.differing_since_ms is None:
            seen.differing_since_ms = entry.table_ms

    def _tell(self, rule: str, clause: str, entry: Entry, finding: Finding) -> None:
        self._told[rule] += 1
        if self._told[rule] <= MOST_OF_A_RULE:
            self.violations.append(Violation(rule, clause, entry.seq, finding.found, finding.expected))
