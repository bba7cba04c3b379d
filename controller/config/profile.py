"""The profile as a type: limits, parameters with their clauses, and the conversion into the core's structs."""

from collections.abc import Iterable
from enum import StrEnum, unique
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Struct, UnsetType, field

from controller.core.hand_rules import BetLimits, HandFigures, HandRules, Rate, parse_rate
from controller.core.jackpot_rules import JackpotConditions
from controller.core.setup import WITHOUT_CARDS, Parameters, Procedure
from controller.core.wheel_rules import WheelFigures, WheelRules
from controller.core.words import Cents

Value: TypeAlias = bool | int | str
T = TypeVar("T", Parameters, Procedure, HandFigures, JackpotConditions, WheelFigures)


def _types_of(struct: type) -> dict[str, Any]:
    """Returns the type of each field of a struct, without UnsetType for a field that may be unset."""
    hints = get_type_hints(struct)
    return {name: next((one for one in get_args(hint) if one is not UnsetType), hint) for name, hint in hints.items()}


@unique
class GameName(StrEnum):
    """The game of a profile."""

    BLACKJACK = "blackjack"
    ROULETTE = "roulette"


FOLDER: Final = Path(__file__).parents[1] / "profiles"


def _names(game: GameName) -> tuple[str, ...]:
    return tuple(sorted(file.stem for file in (FOLDER / game.value).glob("*.toml")))


PROFILES_OF: Final = {game: _names(game) for game in GameName}
"""The names of the profiles of each game, one for each file in the game's folder."""
CARD_PROFILES: Final = PROFILES_OF[GameName.BLACKJACK]
PROFILES: Final = tuple(name for names in PROFILES_OF.values() for name in names)
GAME_OF: Final = {name: game for game, names in PROFILES_OF.items() for name in names}
USUAL_PROFILE: Final = "pt-csm"
"""The profile of demos, worlds and scenarios that name none; its rules also judge a configuration that names none."""


class Open(Struct, frozen=True, gc=False):
    """The permitted values of a limit or parameter. If `allowed` is empty, any text is permitted, and any number from
    `least` to `most` (None: no bound).
    """

    allowed: tuple[Value, ...] = ()
    least: int | None = None
    most: int | None = None

    def has(self, value: Value) -> bool:
        """True if the value is permitted. If `allowed` is empty, any text is permitted, and any number within the
        bounds.
        """
        if self.allowed:
            return any(value == one and type(value) is type(one) for one in self.allowed)
        if not isinstance(value, int):
            return True
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def shown(self) -> str:
        """Returns the permitted values as `2, 4, 6`, or the bounds as `1..8`."""
        if self.allowed:
            return ", ".join(shown(one) for one in self.allowed)
        return "..".join("" if bound is None else str(bound) for bound in (self.least, self.most))


def _tighter(law: Open, program: Open) -> tuple[int | None, int | None]:
    least = max((one for one in (law.least, program.least) if one is not None), default=None)
    return least, min((one for one in (law.most, program.most) if one is not None), default=None)


class Limit(Struct, frozen=True, gc=False):
    """A law's limit on a value of the configuration. `equipment_most`: the highest value that the equipment can serve,
    without a clause; None without such a bound.
    """

    name: str
    clauses: tuple[str, ...]
    open: Open
    equipment_most: int | None = None


class Parameter(Struct, frozen=True, gc=False):
    """One parameter of a profile. `clauses`: the clauses that set it, () if no law does. `open`: the values that they
    permit. `program_bounds`: the bounds that the program adds.
    """

    name: str
    value: Value
    clauses: tuple[str, ...]
    open: Open
    program_bounds: Open = Open()
    ours: str = ""  # the catalogue's name for our reason, where the law leaves the value open

    @property
    def bounds(self) -> str:
        """The values, as text, that the law and the program both permit for the parameter."""
        return Open(self.open.allowed, *_tighter(self.open, self.program_bounds)).shown()

    @property
    def meaning(self) -> str:
        """The catalogue key of the sentence that says what the parameter means."""
        return "parameter." + self.name.replace("_", "-")


REMINDER: Final = "reminder."


class Profile(Struct, frozen=True):
    """The profile of a law or of a casino. `derived_from`: the name of the law's profile that a casino's profile
    changes; None for a law's profile.
    """

    name: str
    jurisdiction: str
    limits: tuple[Limit, ...]
    parameters: tuple[Parameter, ...]
    derived_from: str | None = None
    rules: dict[str, tuple[str, ...]] = field(default_factory=dict)  # the clauses of each rule

    @property
    def reminders(self) -> tuple[str, ...]:
        """The names of the reminders that have clauses in the profile, without the prefix `reminder.`."""
        return tuple(
            rule.removeprefix(REMINDER) for rule, said in self.rules.items() if said and rule.startswith(REMINDER)
        )

    @property
    def game(self) -> GameName:
        return GAME_OF[self.derived_from or self.name]

    def limit(self, name: str) -> Limit | None:
        """The limit called `name`. None if the profile has none."""
        return next((limit for limit in self.limits if limit.name == name), None)

    def parameter(self, name: str) -> Parameter:
        """The parameter called `name`. Raises KeyError."""
        for one in self.parameters:
            if one.name == name:
                return one
        raise KeyError(name)

    def readings(self, names: Iterable[str]) -> tuple[str, ...]:
        """Returns the catalogue keys of our reasons for the values of the parameters `names`. There is none for a value
        that the law sets.
        """
        return tuple(f"ours.{one.ours}" for one in map(self.parameter, names) if one.ours)

    @property
    def figures(self) -> Parameters:
        """The general figures as the core's struct."""
        return self._typed(Parameters)

    @property
    def procedure(self) -> Procedure:
        """The choices of procedure as the core's struct."""
        return self._typed(Procedure)

    @property
    def hand_figures(self) -> HandFigures:
        """The figures of bets, decisions and payments as the core's struct."""
        return self._typed(HandFigures)

    @property
    def jackpot_conditions(self) -> JackpotConditions:
        """The conditions of the jackpot as the core's struct."""
        return self._typed(JackpotConditions)

    def hand_rules(self, limits: BetLimits) -> HandRules:
        """Returns the rules of blackjack hands: the profile's figures of bets, decisions and payments with the table's
        bet limits.
        """
        return HandRules(limits, self.hand_figures)

    @property
    def game_figures(self) -> HandFigures | WheelFigures:
        """The figures of bets and payments of the profile's game."""
        return self.hand_figures if self.game is GameName.BLACKJACK else self._typed(WheelFigures)

    def wheel_rules(self, limits: BetLimits, *, follows_bets: bool, chip_values: tuple[Cents, ...] = ()) -> WheelRules:
        """Returns the rules of roulette: the profile's figures with the table's bet limits and chip values.
        `follows_bets`: True if the controller follows the stakes on the cloth.
        """
        return WheelRules(limits, self._typed(WheelFigures), follows_bets, chip_values)

    def _typed(self, kind: type[T]) -> T:
        """Returns the profile's parameters as the core's struct `kind`.

        In a game without cards, the parameters of cards have fixed values.
        """
        hints = _types_of(kind)
        readers = hints | {name: parse_rate for name, hint in hints.items() if hint is Rate}
        known = {one.name: one.value for one in self.parameters}
        given = {name: readers[name](known[name]) for name in kind.__struct_fields__ if name in known}
        return kind(**{**{name: WITHOUT_CARDS[name] for name in WITHOUT_CARDS if name in hints}, **given})


_OF_CARDS: Final[dict[str, type]] = {**_types_of(Parameters), **_types_of(Procedure)}
_OF_JACKPOTS: Final = {"jackpot_allowed": bool, "jackpot_least_start": int, "jackpot_linked": bool}
"""Parameters against which a configuration is checked; the core does not need them."""
_OF_ANY_TABLE: Final = (
    *("presence_timeout_ms", "devices_due_ms", "second_person_payment_cents", "incident_authority", "clock_compared"),
    "recording_days",
)
TYPES_OF: Final[dict[GameName, dict[str, type]]] = {
    GameName.BLACKJACK: {
        **_OF_CARDS,
        **_types_of(HandFigures),
        **_OF_JACKPOTS,
        **_types_of(JackpotConditions),
    },
    GameName.ROULETTE: {name: _OF_CARDS[name] for name in _OF_ANY_TABLE} | _types_of(WheelFigures),
}
"""By game: every parameter with its type. A profile of the game has exactly these parameters."""

_STRUCTS: Final = (Parameters, Procedure, HandFigures, JackpotConditions, WheelFigures)
UNSAID: Final[dict[str, Value]] = {
    one.name: one.default
    for struct in _STRUCTS
    for one in msgspec.structs.fields(struct)
    if isinstance(one.default, bool | int | str)
} | {"jackpot_linked": False}
"""The values of parameters that a profile's file leaves out, since most laws do not mention them."""

TYPES: Final = {name: kind for types in TYPES_OF.values() for name, kind in types.items()}


def shown(value: Value) -> str:
    """Returns a value as text, spelt as in a profile's file but without quotation marks."""
    return str(value).lower() if isinstance(value, bool) else str(value)
