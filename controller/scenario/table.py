"""Makes a scenario's table from its head: profile and settings. The bounds of the law are checked as for a
configuration.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from msgspec import UNSET

from controller.config.jackpot import jackpot_rules
from controller.config.keys import Value
from controller.config.law import check_choices, check_rules
from controller.config.linked import linked_rules
from controller.config.model import Tracks
from controller.config.problems import Problem
from controller.config.profile import TYPES, TYPES_OF, GameName, Profile
from controller.config.profile import Value as Choice
from controller.config.profile_file import derive, forbidden, law
from controller.config.shape import WellFormed
from controller.core.choices import Delivery, Machine
from controller.core.hand_rules import BetLimits, usual_chip
from controller.core.jackpot_rules import JackpotRules
from controller.core.linked_rules import LinkedRules
from controller.core.money import cents_of
from controller.core.setup import Setup
from controller.core.wheel_rules import WheelRules
from controller.core.words import Cents
from controller.scenario.jackpot import as_configured, is_played
from controller.scenario.linked import linked_as_configured
from controller.scenario.settings import YES

_USUAL: Final[dict[str, str]] = {
    "minimum_bet": "10",
    "maximum_bet": "300",
    "tracks": "cards",
    "delivery": "ejects",
    "decks": "6",
    "seats": "7",
    "reader": "yes",
}
_WHEEL: Final = {"decks": "0", "seats": "8", "reader": "no", "tracks": "spins", "wheel": "yes", "value_display": "no"}
_USUAL_WITH: Final = {Machine.BOX: {"decks": "1", "reader": "no"}, Machine.NONE: _WHEEL}


@dataclass(frozen=True, slots=True)
class Table:
    """The table that a scenario's head describes. The table can be played only if `problems` is empty."""

    profile: Profile
    settings: dict[str, str]
    problems: tuple[Problem, ...]
    jackpot: JackpotRules | None = None
    linked: LinkedRules | None = None

    @property
    def jackpot_is_approved(self) -> bool:
        """True if the table begins with a jackpot that the room manager has approved."""
        return self.jackpot is not None and self.settings.get("jackpot_approved", "yes") in YES

    @property
    def setup(self) -> Setup:
        """Returns the setup with which the core begins this table."""
        minimum, maximum = cents_of(self.settings["minimum_bet"]), cents_of(self.settings["maximum_bet"])
        chip = self.settings.get("smallest_chip")
        limits = BetLimits(minimum, maximum, usual_chip(minimum) if chip is None else cents_of(chip))
        tracks = Tracks(self.settings["tracks"])
        return Setup(
            table="scenario",
            profile=self.profile.derived_from or self.profile.name,
            decks=int(self.settings["decks"]),
            seats=int(self.settings["seats"]),
            has_reader=self.settings["reader"] in YES,
            has_display=self.settings.get("jackpot_display") in YES,
            simulated=True,
            parameters=self.profile.figures,
            procedure=self.profile.procedure,
            delivery=Delivery(self.settings["delivery"]),
            hand_rules=self.profile.hand_rules(limits) if tracks is Tracks.HANDS else None,
            wheel_rules=self._wheel_rules(limits, tracks),
            has_wheel=self.settings.get("wheel") in YES,
            has_slots=self.settings.get("jackpot_slots") in YES,
            has_value_display=self.settings.get("value_display") in YES,
            reminders=self.profile.reminders,
            jackpot=self.jackpot,
            linked=UNSET if self.linked is None else self.linked,
        )

    def _wheel_rules(self, limits: BetLimits, tracks: Tracks) -> WheelRules | None:
        if self.profile.game is not GameName.ROULETTE:
            return None
        return self.profile.wheel_rules(limits, follows_bets=tracks is Tracks.BETS, chip_values=_values(self.settings))


def refusals(table: Table) -> str:
    """Returns the clauses that refuse the table's settings, separated by blanks; "accepted" without a refusal. A
    refusal without a clause gives the setting's name.
    """
    return " ".join(one.clause or one.key for one in table.problems) or "accepted"


def make_table(profile: str, settings: Sequence[tuple[str, str]], prizes: Sequence[str] = ()) -> Table:
    """Returns the table of a scenario's head, with all problems that the law finds in its settings.

    The values of the settings must already have the right form (settings.py).
    """
    base, given = law(profile), dict(settings)
    chosen = {name: _choice(base, name, text) for name, text in given.items() if name in TYPES}
    usual = _USUAL | _USUAL_WITH.get(base.procedure.machine, {})
    usual |= {"tracks": "hands"} if is_played(given) else {}
    plain = usual | {name: text for name, text in given.items() if name not in TYPES}
    of_jackpot, wrong = as_configured(plain, prizes)
    configured = _as_configured(profile, plain, {**of_jackpot, **linked_as_configured(plain)})
    problems = [*wrong, *forbidden(base, chosen), *check_rules(configured)]
    own = derive(base, "scenario", chosen) if chosen and not forbidden(base, chosen) else base
    against = tuple(one for one in (*problems, *check_choices(own, configured)) if one.key != "table.profile")
    if against:
        return Table(own, plain, against)
    return Table(own, plain, (), jackpot_rules(configured, own), linked_rules(configured))


def _choice(base: Profile, name: str, text: str) -> Choice:
    if name not in TYPES_OF[base.game]:  # another game's parameter: the profile refuses it
        return text
    kind = type(base.parameter(name).value)
    if kind is bool:
        return text in YES
    return int(text) if kind is int else text


def _values(settings: Mapping[str, str]) -> tuple[Cents, ...]:
    return tuple(map(cents_of, settings["chip_values"].split(","))) if "chip_values" in settings else ()


def _as_configured(profile: str, plain: dict[str, str], jackpots: dict[str, Value]) -> WellFormed:
    values: dict[str, Value] = {"table.profile": profile, "table.tracks": plain["tracks"], **jackpots}
    for name in ("decks", "seats"):
        values[f"table.{name}"] = int(plain[name])
    amounts = ("minimum_bet", "maximum_bet", "smallest_chip")
    values |= {f"table.{name}": cents_of(plain[name]) if name in plain else None for name in amounts}
    values["table.chip_values"] = tuple(map(str, _values(plain))) or None
    if plain["reader"] in YES:
        values["devices.shoe.port"] = "scenario"
    return WellFormed(values, ())
