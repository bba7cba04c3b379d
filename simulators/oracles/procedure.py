"""The monitor of the procedure: an exported journal against the rules, as a law-abiding observer would write them.

It reads the entries and the profile's figures, and, where they were looked at, statuses (sightings.py). RULES is the
whole of it: one row a rule, each with its clause.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from simulators.oracles.export_reader import Entry, Export
from simulators.oracles.figures import Figures
from simulators.oracles.picture import Picture
from simulators.oracles.rule import Rule
from simulators.oracles.rules_corrections import CORRECTION_RULES
from simulators.oracles.rules_holds import HOLD_RULES
from simulators.oracles.rules_record import RECORD_RULES
from simulators.oracles.rules_round import ROUND_RULES
from simulators.oracles.rules_session import SESSION_RULES
from simulators.oracles.rules_shoe import SHOE_RULES
from simulators.oracles.sightings import SIGHT_RULES, Sighting, kinds_told
from simulators.oracles.steps import STEP_RULES
from simulators.oracles.violation import Finding, Violation

RULES: Final[tuple[Rule, ...]] = (
    *RECORD_RULES,
    *STEP_RULES,
    *SESSION_RULES,
    *SHOE_RULES,
    *ROUND_RULES,
    *CORRECTION_RULES,
    *HOLD_RULES,
)

MOST_OF_A_RULE: Final = 5
"""Violations of one rule that are told of one journal: the first ones say what is wrong."""


OF_THE_POOL: Final = ("jackpot-owed", "jackpot-doubted")
"""Holds that the pool's own check judges (pool.py)."""


class _Due(NamedTuple):
    """The rules that look at one kind of entry, before and after the picture has moved by it."""

    before: tuple[Rule, ...]
    after: tuple[Rule, ...]


def _due(kind: str | None, *, refused: bool) -> _Due:
    rules = [rule for rule in RULES if (not rule.kinds or kind in rule.kinds) and (rule.refused_too or not refused)]
    return _Due(tuple(one for one in rules if not one.after), tuple(one for one in rules if one.after))


_KINDS: Final = (None, *sorted(frozenset().union(*(rule.kinds for rule in RULES))))
_DUE: Final = {(kind, refused): _due(kind, refused=refused) for kind in _KINDS for refused in (False, True)}
"""Chosen once: no rule is asked about entries that do not concern it. None: of a kind that no rule names."""


def check_export(export: Export, figures: Figures, sightings: Sequence[Sighting] = ()) -> list[Violation]:
    """What is wrong with an export: as a file, and by the procedure."""
    faults = [Violation("export is whole", "DESIGN 3.5", f.entry, f.found, f.expected) for f in export.faults]
    monitor = Monitor(figures, sightings, resumed_at=export.resumed_at)
    return faults + monitor.run(export.entries)


def check_procedure(entries: Iterable[Entry], figures: Figures, sightings: Sequence[Sighting] = ()) -> list[Violation]:
    """What the entries break of the procedure."""
    return Monitor(figures, sightings).run(entries)


class Monitor:
    """Goes through the entries once; `picture` is what it knows then."""

    def __init__(self, figures: Figures, sightings: Sequence[Sighting] = (), resumed_at: Iterable[int] = ()) -> None:
        self.picture = Picture(figures, kinds_told(sightings))
        self.picture.resumed_at = frozenset(resumed_at)
        self.violations: list[Violation] = []
        self._told: Counter[str] = Counter()
        self._sightings: defaultdict[int, list[Sighting]] = defaultdict(list)
        self._before: Sighting | None = None  # the last one with a digest, while only refusals have come since
        for one in sightings:
            if not one.waiting:
                self._sightings[one.seq].append(one)

    def run(self, entries: Iterable[Entry]) -> list[Violation]:
        """Takes all entries, or as many as can be followed; every violation so far."""
        for entry in entries:
            try:
                self.take(entry)
            except LookupError as error:  # of a card, a hold, a person that the entries before never told of
                finding = Finding(f"{entry.kind}, of what is not there: {error!r}", "what the entries before tell of")
                self._tell("the journal can be followed", "DESIGN 3.5", entry, finding)
                break
        return self.violations

    def take(self, entry: Entry) -> None:
        """One entry more."""
        refused = entry.refusal is not None
        due = _DUE.get((entry.kind, refused)) or _DUE[None, refused]
        self._look(entry, due.before)
        self.picture.take(entry)
        if due.after:
            self._look(entry, due.after)
        if not refused and entry.kind != "pin-refused":
            self._before = None
        for sighting in self._sightings.get(entry.seq, ()):
            self._compare(entry, sighting)

    def _look(self, entry: Entry, rules: tuple[Rule, ...]) -> None:
        for rule in rules:
            if finding := rule.check(self.picture, entry):
                self._tell(rule.name, rule.clause, entry, finding)

    def _compare(self, entry: Entry, shown: Sighting) -> None:
        for hold in (one for one in shown.holds or () if one.kind not in OF_THE_POOL):
            self.picture.troubles.show(hold.number, hold.kind, hold.device, entry.seq, entry.table_ms)
        for rule in SIGHT_RULES:
            if finding := rule.check(self.picture, shown):
                self._tell(rule.name, rule.clause, entry, finding)
        self._refusals_changed_nothing(entry, shown)

    def _refusals_changed_nothing(self, entry: Entry, shown: Sighting) -> None:
        before = self._before
        if before is not None and before.digest and shown.digest and before.digest != shown.digest:
            finding = Finding(f"state {shown.digest} after refusals alone", f"{before.digest}, of entry {before.seq}")
            self._tell("refusal changes nothing", "DESIGN 3.2", entry, finding)
        self._before = shown

    def _tell(self, rule: str, clause: str, entry: Entry, finding: Finding) -> None:
        self._told[rule] += 1
        if self._told[rule] <= MOST_OF_A_RULE:
            self.violations.append(Violation(rule, clause, entry.seq, finding.found, finding.expected))
