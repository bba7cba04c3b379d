"""Plays a scenario line by line, and reports the first line that fails or, on request, all failed lines."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from typing import Final

from msgspec import Struct

from controller.config.problems import Problem
from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Refusal
from controller.core.house.pool import is_sound
from controller.core.house.state import State
from controller.core.setup import Setup
from controller.scenario.needed import need_device
from controller.scenario.pack import ANY, NoSuchCard
from controller.scenario.settings import Head
from controller.scenario.shorthand import AnyPlayer
from controller.scenario.table import Table, make_table, refusals
from controller.scenario.table_player import Stopped
from controller.scenario.text import Line, Part, Scenario
from controller.scenario.words import VOCABULARIES, Vocabulary, vocabulary_of


@dataclass(frozen=True, slots=True)
class Failure:
    """The failure of one line. `what`: a message key under `scenario`, such as `failed.otherwise`. `values`: the values
    in the message.
    """

    line: int
    what: str
    values: tuple[tuple[str, str], ...]
    refusal: Refusal | None = None  # of the act in this line
    problems: tuple[Problem, ...] = ()  # of the configuration in this line


@dataclass(frozen=True, slots=True)
class Traced:
    """The result of one line of `given` or `when`: the refusal if the line's act was refused, the card owed afterwards,
    and the events of the line.
    """

    line: Line
    refusal: Refusal | None
    owed: str
    events: tuple[Fact | Act, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a scenario. `failures`: the lines that failed. `events`: the events given to the core. `states`:
    the state after each event. `trace`: the result of each line of `given` and `when`.
    """

    scenario: Scenario
    failures: tuple[Failure, ...]
    events: tuple[Fact | Act, ...]
    states: tuple[State, ...] = ()
    trace: tuple[Traced, ...] = ()

    @property
    def failure(self) -> Failure | None:
        """Returns the first line that failed; None if no line failed."""
        return self.failures[0] if self.failures else None

    @property
    def name(self) -> str:
        return f"{self.scenario.id} {self.scenario.title}".strip()


@dataclass(frozen=True, slots=True)
class Begun:
    """Caches the table after the first line of a scenario, for other scenarios with the same head and first line.

    The first line often fills a machine, which takes half of all events. The cache is valid as long as the rules stay
    the same.
    """

    _tables: dict[Head, Table] = field(default_factory=dict)
    _players: dict[tuple[object, ...], tuple[AnyPlayer, Traced]] = field(default_factory=dict)

    def table(self, scenario: Scenario) -> Table:
        key = _head(scenario)
        if key not in self._tables:
            self._tables[key] = make_table(scenario.profile, scenario.settings, scenario.prizes)
        return self._tables[key]

    def keep(self, scenario: Scenario, player: AnyPlayer, traced: Traced) -> None:
        self._players[_first(scenario, traced.line)] = (player.copied(), traced)

    def behind(self, scenario: Scenario, line: Line) -> tuple[AnyPlayer, list[Traced]] | None:
        """Returns a copy of the cached table after the first line `line`, and the result of this line. None if the
        cache lacks this table.
        """
        kept = self._players.get(_first(scenario, line))
        return None if kept is None else (kept[0].copied(), [replace(kept[1], line=line)])


def _head(scenario: Scenario) -> Head:
    return Head(scenario.profile, tuple(scenario.settings), tuple(scenario.prizes))


def _first(scenario: Scenario, line: Line) -> tuple[object, ...]:
    return _head(scenario), line.part, line.person, line.word, line.rest


def play(scenario: Scenario, *, to_the_end: bool = False, begun: Begun | None = None) -> Played:
    """Plays a scenario on a table of its own and returns its outcome. The scenario ends at the first failure.

    With `to_the_end` it continues after a failed line of `then`, but still ends at a failed step. `begun`: a cache
    shared with scenarios that begin alike; None for no cache.
    """
    begun = Begun() if begun is None else begun
    table, known = begun.table(scenario), vocabulary_of(scenario.profile)
    failure = _configuration(scenario, table)
    lines = [line for line in scenario.lines if not _is_of_configuration(line)]
    if failure is not None or not lines:
        return Played(scenario, () if failure is None else (failure,), ())
    player, trace = begun.behind(scenario, lines[0]) or (known.player(table.setup), [])
    if not trace:
        player.start()
        player.head = _head(scenario)
        if table.jackpot_is_approved:
            player.act("manager", "approve-jackpot", {"reference": "scenario"})
    found = _play(player, known, lines, trace, lambda traced: begun.keep(scenario, player, traced))
    failures = tuple(found) if to_the_end else tuple(islice(found, 1))
    return Played(scenario, failures, tuple(player.trace), tuple(player.states), tuple(trace))


def _is_of_configuration(line: Line) -> bool:
    return line.part is Part.THEN and line.person is None and line.word in _OF_CONFIGURATION


_OF_CONFIGURATION: Final = ("configuration-refused", "configuration-accepted")


def _configuration(scenario: Scenario, table: Table) -> Failure | None:
    """Returns the failure if the law refuses a configuration that the scenario expects to be accepted, or accepts one
    that it expects to be refused. Returns the failure, too, if the scenario has further lines about a refused
    configuration; else None.
    """
    found = [problem.clause for problem in table.problems if problem.clause]
    about = [line for line in scenario.lines if _is_of_configuration(line)]
    for line in about:
        is_refused = line.word == "configuration-refused"
        if sorted(line.rest) != sorted(found) or is_refused != bool(table.problems):
            wanted = " ".join((line.word, *line.rest))
            return Failure(
                line.number,
                "failed.otherwise",
                (("wanted", wanted), ("found", refusals(table))),
                problems=table.problems,
            )
    if table.problems and len(about) < len(scenario.lines):
        return Failure(scenario.line, "failed.configuration", (("clauses", refusals(table)),), problems=table.problems)
    return None


def _play(
    player: AnyPlayer, known: Vocabulary, lines: list[Line], trace: list[Traced], keep: Callable[[Traced], None]
) -> Iterator[Failure]:
    """Yields the failure of each line of `then` that fails. After a failed step, yields its failure and ends. Skips the
    lines that already have an outcome in `trace`.
    """
    unanswered: Line | None = None
    for number, line in list(enumerate(lines))[len(trace) :]:
        if line.part is Part.THEN:
            unanswered = None if line.word == "refused" else unanswered
            failure = _check(player, known, line)
            ends = failure and _unexpected(player, unanswered)  # the refusal of the act before explains the failure
            if failure and not ends:
                yield failure
        else:
            said = _is_said_to_be_refused(lines[number + 1 :])
            ends = _unexpected(player, unanswered) or _done(player, known, line, trace, may_be_refused=said)
            unanswered = line if line.person and player.refusal is not None else None
        ends = ends or _conserved(player, line)
        if ends:
            yield ends
            return
        if number == 0 and line.part is Part.GIVEN and line.person is None and not _is_said_to_be_refused(lines[1:]):
            keep(trace[0])
    if last := _unexpected(player, unanswered):
        yield last


def _is_said_to_be_refused(behind: list[Line]) -> bool:
    """True if a line of `then` directly after the step expects a refusal. `behind`: the lines after the step."""
    return any(line.word == "refused" for line in takewhile(lambda line: line.part is Part.THEN, behind))


def _done(
    player: AnyPlayer, known: Vocabulary, line: Line, trace: list[Traced], *, may_be_refused: bool
) -> Failure | None:
    """Plays one step and adds its outcome to `trace`. Returns the failure of the step, or None. `may_be_refused`: True
    if a refused act is no failure.
    """
    before = len(player.trace)
    failure = _do(player, known, line)
    refusal = player.refusal if line.person else None
    if failure is not None and failure.refusal is not None and may_be_refused:
        refusal, failure = failure.refusal, None
    trace.append(Traced(line, refusal, player.owed, tuple(player.trace[before:])))
    return failure


def _do(player: AnyPlayer, known: Vocabulary, line: Line) -> Failure | None:
    try:
        if line.person is None:
            step = known.steps[line.word]
            need_device(player, line.word, step, line.rest)
            step.do(player, line.rest)
        else:
            player.act(line.person, line.word, dict(_pair(word) for word in line.rest))
    except Stopped as stopped:
        refusal = player.refusal if stopped.what == "refused-inside" else None
        return Failure(line.number, f"stopped.{stopped.what}", stopped.values, refusal, stopped.problems)
    except NoSuchCard as error:
        if str(error) == ANY:
            return Failure(line.number, "stopped.no-card-left", (("word", line.word),))
        return Failure(line.number, "stopped.no-such-card", (("card", str(error)),))
    return None


def _pair(word: str) -> tuple[str, str]:
    name, _equals, value = word.partition("=")
    return name, value


def _check(player: AnyPlayer, known: Vocabulary, line: Line) -> Failure | None:
    check = known.facts[line.word].check
    found = None if check is None else check(player, line.rest)
    if found is None or found.ok:
        return None
    wanted = " ".join((line.word, *line.rest))
    return Failure(line.number, "failed.otherwise", (("wanted", wanted), ("found", found.instead)))


def _unexpected(player: AnyPlayer, unanswered: Line | None) -> Failure | None:
    """Returns the failure of the line `unanswered`, whose act was refused although no line expects a refusal. None if
    there is no such line.
    """
    if unanswered is None or player.refusal is None:
        return None
    values = (("act", unanswered.word), ("rule", player.refusal.rule))
    return Failure(unanswered.number, "failed.refused", values, player.refusal)


def _conserved(player: AnyPlayer, line: Line) -> Failure | None:
    """Returns the failure if the cards or the amounts of the pool do not add up after the line; else None.

    Each card of the set must be in exactly one place. During a hold and after an irregular closing a difference is no
    failure.
    """
    pool = player.state.house.pool
    if pool is not None and not is_sound(pool):
        return Failure(line.number, "failed.conservation", (("found", str(pool.meters)), ("wanted", str(pool))))
    lost = player.imbalance()
    if lost is None:
        return None
    found, wanted = lost
    return Failure(line.number, "failed.conservation", (("found", str(found)), ("wanted", str(wanted))))


def shown_events(events: tuple[Fact | Act, ...]) -> Iterator[str]:
    """Yields each event as one line of text: the event's name and its values, except values that are None or False."""
    for event in events:
        yield " ".join((_NAMES[type(event)], *_values_of(event)))


def _values_of(part: Struct) -> Iterator[str]:
    for name in part.__struct_fields__:
        match getattr(part, name):
            case Setup() | None | False:
                pass
            case Struct() as inner:
                yield from _values_of(inner)
            case tuple() as several:
                yield f"{name}={','.join(map(str, several))}"
            case value:
                yield f"{name}={value}"


_NAMES: Final = {
    **{rule.act: rule.name for known in VOCABULARIES.values() for rule in known.registry.acts},
    **{rule.fact: rule.name for known in VOCABULARIES.values() for rule in known.registry.facts},
}
