"""A profile as typed values: its limits, its parameters with their clauses, and what the core gets of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum, unique
from pathlib import Path
from typing import Final, TypeAlias, TypeVar, get_type_hints

import msgspec

from controller.core.hand_rules import BetLimits, HandFigures, HandRules, Rate, parse_rate
from controller.core.jackpot_rules import JackpotConditions
from controller.core.setup import WITHOUT_CARDS, Parameters, Procedure
from controller.core.wheel_rules import WheelFigures, WheelRules
from controller.core.words import Cents

Value: TypeAlias = bool | int | str
T = TypeVar("T", Parameters, Procedure, HandFigures, JackpotConditions, WheelFigures)


@unique
class GameName(StrEnum):
    """The game of a profile."""

    BLACKJACK = "blackjack"
    ROULETTE = "roulette"


FOLDER: Final = Path(__file__).parents[1] / "profiles"


def _names(game: GameName) -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in (FOLDER / game.value).glob("*.toml")))


PROFILES_OF: Final = {game: _names(game) for game in GameName}
"""A jurisdiction is a file in its game's folder, and nothing else."""
CARD_PROFILES: Final = PROFILES_OF[GameName.BLACKJACK]
PROFILES: Final = tuple(name for names in PROFILES_OF.values() for name in names)
GAME_OF: Final = {name: game for game, names in PROFILES_OF.items() for name in names}
USUAL_PROFILE: Final = "pt-csm"
"""Where none is named: in demos, worlds and scenarios."""


@dataclass(frozen=True, slots=True)
class Open:
    """A choice that the law leaves open. Nothing given: any value that its reader takes."""

    allowed: tuple[Value, ...] = ()
    least: int | None = None
    most: int | None = None

    def has(self, value: Value) -> bool:
        """True where this is one of the values, or within the bounds."""
        if self.allowed:
            return any(value == one and type(value) is type(one) for one in self.allowed)
        if not isinstance(value, int):
            return True
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def shown(self) -> str:
        """The values, or the bounds, in signs that need no words."""
        if self.allowed:
            return ", ".join(shown(one) for one in self.allowed)
        return "..".join("" if bound is None else str(bound) for bound in (self.least, self.most))


def _tighter(law: Open, built: Open) -> tuple[int | None, int | None]:
    least = max((one for one in (law.least, built.least) if one is not None), default=None)
    return least, min((one for one in (law.most, built.most) if one is not None), default=None)


@dataclass(frozen=True, slots=True)
class Limit:
    """A bound on the table's configuration; `built` is the equipment's own and no law's."""

    name: str
    clauses: tuple[str, ...]
    open: Open
    built: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One row. `clauses` is empty where the value is an engineering choice and no law's, as the bounds `built` are."""

    name: str
    value: Value
    clauses: tuple[str, ...]
    open: Open
    built: Open = Open()
    ours: str = ""  # the text leaves the value open, and under this name the catalogue says why it is this one

    @property
    def bounds(self) -> str:
        """The values that may be chosen, as text."""
        return Open(self.open.allowed, *_tighter(self.open, self.built)).shown()

    @property
    def meaning(self) -> str:
        """The message key of what it means."""
        return "parameter." + self.name.replace("_", "-")


REMINDER: Final = "reminder."


@dataclass(frozen=True, slots=True)
class Profile:
    """The law's, or a casino's: then `derived_from` names the law's whose limits and alternatives it keeps."""

    name: str
    jurisdiction: str
    limits: tuple[Limit, ...]
    parameters: tuple[Parameter, ...]
    derived_from: str | None = None
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)  # by rule, the clauses that say it

    @property
    def reminders(self) -> tuple[str, ...]:
        """The profile's reminders to people: each is a rule of its own."""
        return tuple(
            rule.removeprefix(REMINDER) for rule, said in self.rules.items() if said and rule.startswith(REMINDER)
        )

    @property
    def game(self) -> GameName:
        return GAME_OF[self.derived_from or self.name]

    def limit(self, name: str) -> Limit | None:
        """The bound of this name, where the jurisdiction has one."""
        return next((limit for limit in self.limits if limit.name == name), None)

    def parameter(self, name: str) -> Parameter:
        """The row of this name. Raises KeyError."""
        for one in self.parameters:
            if one.name == name:
                return one
        raise KeyError(name)

    def readings(self, names: Iterable[str]) -> tuple[str, ...]:
        """The message keys of what is ours in these parameters: the text leaves them open."""
        return tuple(f"ours.{one.ours}" for one in map(self.parameter, names) if one.ours)

    @property
    def figures(self) -> Parameters:
        """The figures as the core uses them."""
        return self._typed(Parameters)

    @property
    def procedure(self) -> Procedure:
        """The alternatives as the core uses them."""
        return self._typed(Procedure)

    @property
    def hand_figures(self) -> HandFigures:
        """The profile's figures of bets, decisions and payments, as the core uses them."""
        return self._typed(HandFigures)

    @property
    def jackpot_conditions(self) -> JackpotConditions:
        """Those that are approved with a table's own jackpot."""
        return self._typed(JackpotConditions)

    def hand_rules(self, limits: BetLimits) -> HandRules:
        """The same with what a table's own limits are."""
        return HandRules(limits, self.hand_figures)

    @property
    def game_figures(self) -> HandFigures | WheelFigures:
        """The profile's figures of its own game."""
        return self.hand_figures if self.game is GameName.BLACKJACK else self._typed(WheelFigures)

    def wheel_rules(self, limits: BetLimits, *, follows_bets: bool, chip_values: tuple[Cents, ...] = ()) -> WheelRules:
        """The profile's wheel, chips and bets, with the table's own limits."""
        return WheelRules(limits, self._typed(WheelFigures), follows_bets, chip_values)

    def _typed(self, kind: type[T]) -> T:
        """Of a game without cards what is of cards stays what such a table has."""
        hints = get_type_hints(kind)
        readers = hints | {name: parse_rate for name, hint in hints.items() if hint is Rate}
        known = {one.name: one.value for one in self.parameters}
        given = {name: readers[name](known[name]) for name in kind.__struct_fields__ if name in known}
        return kind(**{**{name: WITHOUT_CARDS[name] for name in WITHOUT_CARDS if name in hints}, **given})


_OF_CARDS: Final[dict[str, type]] = {**get_type_hints(Parameters), **get_type_hints(Procedure)}
_OF_JACKPOTS: Final = {"jackpot_allowed": bool, "jackpot_least_start": int, "jackpot_linked": bool}
"""What a configuration is held against; the core needs neither."""
_OF_ANY_TABLE: Final = ("presence_timeout_ms", "devices_due_ms", "second_person_payment_cents", "incident_authority")
TYPES_OF: Final[dict[GameName, dict[str, type]]] = {
    GameName.BLACKJACK: {
        **_OF_CARDS,
        **get_type_hints(HandFigures),
        **_OF_JACKPOTS,
        **get_type_hints(JackpotConditions),
    },
    GameName.ROULETTE: {name: _OF_CARDS[name] for name in _OF_ANY_TABLE} | get_type_hints(WheelFigures),
}
"""Every parameter of a game and its type: a profile has exactly these."""

_STRUCTS: Final = (Parameters, Procedure, HandFigures, JackpotConditions, WheelFigures)
UNSAID: Final[dict[str, Value]] = {
    one.name: one.default
    for struct in _STRUCTS
    for one in msgspec.structs.fields(struct)
    if isinstance(one.default, bool | int | str)
} | {"jackpot_linked": False}
"""What a parameter is in a profile whose file does not name it: most laws know nothing of it."""

TYPES: Final = {name: kind for types in TYPES_OF.values() for name, kind in types.items()}


def shown(value: Value) -> str:
    """A value as the file writes it, without quotation marks."""
    return str(value).lower() if isinstance(value, bool) else str(value)
