"""Computes the prizes and losses of all bets once a number has come, in the order of payment (pt.rou.27 to 30)."""

from collections import Counter
from fractions import Fraction
from typing import Final

from msgspec import UNSET, Struct, UnsetType

from controller.core.engine.replacing import replace
from controller.core.games.roulette.cloth import Chance, Group
from controller.core.games.roulette.stakes import Stake, laid, parts_of
from controller.core.hand_rules import Rate
from controller.core.money import Flag, flag_of
from controller.core.wheel_rules import WheelRules
from controller.core.words import Cents


class Prize(Struct, frozen=True, gc=False):
    """The prize for one player's chips in one place on the cloth, without these chips, which stay the player's."""

    player: int
    bet: str
    group: Group
    chance: Chance
    stake: Cents
    rate: Rate
    flag: Flag | None = None

    @property
    def exact(self) -> Fraction:
        """Returns the prize in cents, exactly, with fractions of a cent."""
        return Fraction(self.stake * self.rate.pays, self.rate.of)


class Paid(Struct, frozen=True, gc=False):
    """The paid prizes of a spin: all prizes of the groups before `group`, and in `group` the prizes of `players`
    (pt.rou.29b, 30b).
    """

    group: Group = Group.COLUMNS
    players: tuple[int, ...] = ()
    is_whole: bool = False  # this group is paid completely
    # Prizes paid for the number before it was withdrawn and came again. Unset if there are none.
    kept: tuple[Prize, ...] | UnsetType = UNSET

    @property
    def before(self) -> tuple[Prize, ...]:
        """Returns the prizes that were paid for this number before it was withdrawn and then confirmed again."""
        return () if isinstance(self.kept, UnsetType) else self.kept

    def touches(self, group: Group, player: int) -> bool:
        """True if any of the player's prizes of this group is paid."""
        return self.has(group, player) or any((one.group, one.player) == (group, player) for one in self.before)

    def has(self, group: Group, player: int) -> bool:
        """True if every prize of the player in this group is paid."""
        order = tuple(Group)
        if group is self.group:
            return self.is_whole or player in self.players
        return order.index(group) < order.index(self.group)


NOTHING_PAID: Final = Paid()


class Settled(Struct, frozen=True, gc=False):
    """The result of a spin: the prizes in the order of payment, the cents that bets have lost, and the stakes that stay
    on the cloth.
    """

    prizes: tuple[Prize, ...] = ()
    lost: Cents = Cents(0)
    staying: tuple[Stake, ...] = ()

    @property
    def house(self) -> Fraction:
        """Returns the bank's win in cents: lost bets less prizes; negative if the bank pays more than it wins."""
        return self.lost - sum((one.exact for one in self.prizes), Fraction(0))

    def split(self, paid: Paid) -> tuple[tuple[Prize, ...], tuple[Prize, ...]]:
        """Returns the paid prizes and the unpaid prizes, each in the order of payment."""
        made: list[Prize] = []
        unpaid: list[Prize] = []
        kept = Counter(paid.before)
        for one in self.prizes:
            is_made = paid.has(one.group, one.player) or kept[one] > 0
            (made if is_made else unpaid).append(one)
            kept[one] -= 1
        return tuple(made), tuple(unpaid)

    def of_player(self, player: int) -> Fraction:
        """Returns the sum of the player's prizes in cents (pt.rou.30b)."""
        return sum((one.exact for one in self.prizes if one.player == player), Fraction(0))


def kept_of(paid: tuple[Prize, ...], settled: Settled) -> tuple[tuple[Prize, ...], tuple[Prize, ...]]:
    """Returns the prizes in `paid` that are due in the result `settled`, and the others. Equal prizes are counted: 17
    wins on two splits of the orphans.
    """
    was, due = Counter(paid), Counter(settled.prizes)
    return tuple((was & due).elements()), tuple((was - due).elements())


def rule_of(group: Group) -> str:
    """Returns the name under which a profile gives the clause for this group's payment."""
    return f"payment.{group.value}"


def settle(stakes: tuple[Stake, ...], number: int, rules: WheelRules) -> Settled:
    """Returns the result of a spin with these stakes and this number.

    In a series the chips on the number win, and its other chips lose (pt.rou.27c, pt.rou.27d).
    """
    prizes: list[Prize] = []
    staying: tuple[Stake, ...] = ()
    lost = 0
    for stake in stakes:
        for bet, part, cents in parts_of(stake, rules):
            if number not in part.numbers:
                lost += cents
                continue
            rate = rate_of(part.chance, rules)
            flag = flag_of(cents, rate, rules.limits.smallest_chip)
            prizes.append(Prize(stake.player, bet.name, bet.group, part.chance, cents, rate, flag))
            staying = laid(staying, replace(stake, bet=part.name, cents=cents))
    order = tuple(Group)
    return Settled(tuple(sorted(prizes, key=lambda one: (order.index(one.group), one.player))), Cents(lost), staying)


def rate_of(chance: Chance, rules: WheelRules) -> Rate:
    """Returns the profile's rate for winning chips on this chance (pt.rou.27a, pt.rou.27b)."""
    rate: Rate = getattr(rules.figures, f"{chance}_pays")
    return rate
