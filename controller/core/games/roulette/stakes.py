"""The stakes on the cloth: the chips of each player on each bet, and their worth."""

from collections.abc import Iterable, Iterator
from enum import StrEnum, unique

from msgspec import Struct

from controller.core.engine.replacing import replace
from controller.core.games.roulette.cloth import Bet, Chance, Group, Part, bets_of
from controller.core.wheel_rules import WheelRules
from controller.core.words import Cents


@unique
class Chips(StrEnum):
    """The kind of a chip (pt.rou.7a, pt.rou.16)."""

    COLOUR = "colour"  # chips without face value, of one player's colour
    FACE_VALUE = "face-value"
    MARKED = "marked"  # the table's own chips, with a value on each


class Stake(Struct, frozen=True, gc=False):
    """One player's chips of one kind on one bet. `unit`: the cents that each chip without face value is worth; 0 for
    other chips.
    """

    player: int
    bet: str
    kind: Chips
    cents: Cents
    unit: Cents = Cents(0)

    @property
    def chips(self) -> int:
        """Returns the number of chips without face value. 0 for chips of another kind."""
        return self.cents // self.unit if self.unit else 0


def bet_named(name: str, rules: WheelRules) -> Bet | None:
    """Returns the bet of this name. None if the table does not have the bet."""
    return bets_of(rules.figures.number_order, first_four=rules.figures.first_four).get(name)


def parts_of(stake: Stake, rules: WheelRules) -> Iterator[tuple[Bet, Part, Cents]]:
    """Yields the parts of the stake's bet, each with the bet and the cents on this part. Yields nothing if the table
    lacks the bet.
    """
    bet = bet_named(stake.bet, rules)
    if bet is not None:
        yield from ((bet, part, Cents(stake.cents * part.chips // bet.chips)) for part in bet.parts)


def laid(stakes: tuple[Stake, ...], one: Stake) -> tuple[Stake, ...]:
    """Returns the stakes with `one` added, which is merged with a stake of the same player, bet and kind."""
    same = [other for other in stakes if _place(other) == _place(one)]
    if not same:
        return (*stakes, one)
    whole = replace(one, cents=Cents(same[0].cents + one.cents))
    return tuple(whole if other is same[0] else other for other in stakes)


def _place(stake: Stake) -> tuple[int, str, Chips]:
    return stake.player, stake.bet, stake.kind


def sum_of(stakes: Iterable[Stake]) -> Cents:
    return Cents(sum(one.cents for one in stakes))


def on_number(stakes: tuple[Stake, ...], player: int, number: int, rules: WheelRules) -> Cents:
    """Returns the cents that a player has on one number by straight and neighbours' bets (pt.rou.32d)."""
    found = (
        cents
        for one in stakes
        if one.player == player
        for bet, part, cents in parts_of(one, rules)
        if part.numbers == (number,) and bet.group in {Group.STRAIGHTS, Group.NEIGHBOURS}
    )
    return Cents(sum(found))


def of_neighbours(stakes: tuple[Stake, ...], player: int, rules: WheelRules) -> Cents:
    """Returns the cents that a player has on all straight and neighbours' bets."""
    groups = {Group.STRAIGHTS, Group.NEIGHBOURS}
    mine = (one for one in stakes if one.player == player)
    return sum_of(one for one in mine if (bet := bet_named(one.bet, rules)) is not None and bet.group in groups)


def most_on(chance: Chance, rules: WheelRules) -> Cents:
    """Returns the table's maximum for one chance in cents, in the law's proportion to the maximum of a straight bet
    (pt.rou.32a, pt.rou.32b).
    """
    figures = rules.figures
    return Cents(rules.limits.maximum * int(getattr(figures, f"{chance}_most")) // figures.straight_most)
