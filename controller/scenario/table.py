"""The table of a scenario, from its head: profile and settings, checked as a configuration would be."""

from dataclasses import dataclass
from typing import Final

from controller.config.keys import Value, Wrong, money
from controller.config.law import check_choices, check_rules
from controller.config.problems import Problem
from controller.config.profile import TYPES, Profile
from controller.config.profile import Value as Choice
from controller.config.profile_file import derive, forbidden, law
from controller.config.shape import WellFormed
from controller.core.setup import Setup
from controller.scenario.settings import YES

_USUAL: Final[dict[str, str]] = {"minimum_bet": "10", "maximum_bet": "300", "decks": "6", "seats": "7", "reader": "yes"}
_BOX: Final = {"decks": "1", "reader": "no"}


@dataclass(frozen=True, slots=True)
class Table:
    """Where `problems` is empty, a table could be set up like this."""

    profile: Profile
    settings: dict[str, str]
    problems: tuple[Problem, ...]

    @property
    def setup(self) -> Setup:
        """What the core gets."""
        return Setup(
            table="scenario",
            profile=self.profile.derived_from or self.profile.name,
            decks=int(self.settings["decks"]),
            seats=int(self.settings["seats"]),
            has_reader=self.settings["reader"] in YES,
            has_display=False,
            simulated=True,
            parameters=self.profile.figures,
            procedure=self.profile.procedure,
        )


def make_table(profile: str, settings: list[tuple[str, str]]) -> Table:
    """The table of these settings, each of its form (settings.py), with everything that the law has against it."""
    base, given = law(profile), dict(settings)
    chosen = {name: _choice(base, name, text) for name, text in given.items() if name in TYPES}
    usual = _USUAL | (_BOX if profile == "mo-box" else {})
    plain = usual | {name: text for name, text in given.items() if name not in TYPES}
    configured = _as_configured(profile, plain)
    problems = [*forbidden(base, chosen), *check_rules(configured)]
    own = derive(base, "scenario", chosen) if chosen and not forbidden(base, chosen) else base
    against = tuple(one for one in (*problems, *check_choices(own, configured)) if one.key != "table.profile")
    return Table(own, plain, against)


def _choice(base: Profile, name: str, text: str) -> Choice:
    kind = type(base.parameter(name).value)
    if kind is bool:
        return text in YES
    return int(text) if kind is int else text


def _as_configured(profile: str, plain: dict[str, str]) -> WellFormed:
    values: dict[str, Value] = {"table.profile": profile}
    for name in ("decks", "seats"):
        values[f"table.{name}"] = int(plain[name])
    for name in ("minimum_bet", "maximum_bet"):
        amount = money(plain[name] if "." in plain[name] else int(plain[name]))
        if not isinstance(amount, Wrong):
            values[f"table.{name}"] = amount
    if plain["reader"] in YES:
        values["devices.shoe.port"] = "scenario"
    return WellFormed(values, ())
