"""Draws the jackpot rules of a world's table, and the devices that depend on them."""

from typing import Final

from controller.config.model import Tracks
from controller.config.profile_file import law
from controller.core.jackpot_rules import Combination, JackpotRules, Marking, Prize, Suits
from controller.core.words import Cents, Device
from simulators.kit import devices_of
from simulators.world.clock import chance
from simulators.world.plan import WorldPlan

_X: Final = "X"
_HAVE_SLOTS: Final = 0.8
PRIZES: Final = (
    Prize(1, Combination((_X, _X), Suits.SUITED), Cents(2_000)),
    Prize(2, Combination((_X, _X), same=True), part_ppm=100_000),
    Prize(3, Combination((_X, _X, _X), Suits.SUITED)),
)
"""Combinations with frequent wins, so that the pool begins anew every few rounds."""


def jackpot_at(plan: WorldPlan) -> JackpotRules | None:
    """Returns random jackpot rules for the table of `plan`. Returns None for every second seed, if the table does not
    follow hands, and if its law allows no jackpot.
    """
    is_known = law(plan.profile).parameter("jackpot_allowed").value
    if plan.tracks is not Tracks.HANDS or not is_known or plan.seed % 2 == 0:
        return None
    rng = chance(plan.seed, "jackpot")
    return JackpotRules(
        marking=rng.choice(tuple(Marking)),
        bet=Cents(100),
        rate_ppm=rng.choice((800_000, 333_333)),
        start=Cents(1_000_000),
        reset=Cents(1_200_000),
        prizes=PRIZES,
        reserve_ppm=rng.choice((0, 50_000)),
        limit=Cents(rng.choice((0, 1_200_150))),
        by_hand_from=Cents(rng.choice((0, 50_000))),
    )


def devices_at(plan: WorldPlan) -> tuple[Device, ...]:
    """Returns the kinds of device at the world's table.

    If jackpot bets are marked automatically, 4 of 5 seeds give the table jackpot slots.
    """
    jackpot = jackpot_at(plan)
    is_automatic = jackpot is not None and jackpot.marking is Marking.AUTOMATIC
    has_slots = is_automatic and chance(plan.seed, "slots").random() < _HAVE_SLOTS
    return devices_of(plan.profile, (Device.JACKPOT_SLOTS,) if has_slots else ())
