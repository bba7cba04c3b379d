"""Notices at a roulette table: the law's announcements, prizes, exchanged chips, and when ball or
dealer must change.
"""

from fractions import Fraction

from controller.core.engine.decision import Notice, Values
from controller.core.games.roulette.cloth import colour_of
from controller.core.games.roulette.markers import colours_shown_wrong
from controller.core.games.roulette.payments import Prize, rule_of
from controller.core.games.roulette.state import RouletteState
from controller.core.money import units
from controller.core.words import RoundPhase


def of_spins(before: RouletteState, after: RouletteState) -> list[Notice]:
    """Returns the announcement of a spin's new phase, and the prizes to be paid (pt.rou.20, 22a, 23, 29b, 30b)."""
    if before.game.phase is after.game.phase:
        prizes = [] if before.game.settled is after.game.settled else _money(after)
        return [*_number_put_right(before, after), *prizes]
    match after.game.phase:
        case RoundPhase.NO_MORE_BETS:
            return [Notice("nothing-more")]
        case RoundPhase.NULL_SPIN:
            return [Notice("null-spin", (("number", str(after.game.number)),))]
        case RoundPhase.PAYING if after.game.result is not None:
            return [_number_came(after.game.result), *_money(after)]
        case _:
            return []


def _number_put_right(before: RouletteState, after: RouletteState) -> list[Notice]:
    """Returns the notice of the wheel's last number if a correction has changed it; else an empty list."""
    was, number = before.wheel.last_number, after.wheel.last_number
    is_other = after.log.corrected > before.log.corrected and number is not None and number != was
    return [_number_came(number)] if is_other and number is not None else []


def _number_came(number: int) -> Notice:
    return Notice("number-came", (("number", str(number)), ("colour", colour_of(number).value)))


def _money(state: RouletteState) -> list[Notice]:
    """Returns the notices of the spin's unpaid prizes, and of their sum for each player. A prize that was paid before
    its number was withdrawn and came again is not announced again.
    """
    unpaid = () if state.game.settled is None else state.game.settled.split(state.game.paid)[1]
    prizes = [
        Notice("prize" if one.flag is None else "prize-unpayable", _of_prize(one), rule_of(one.group)) for one in unpaid
    ]
    sums: dict[int, Fraction] = {}
    for one in unpaid:
        sums[one.player] = sums.get(one.player, Fraction(0)) + one.exact
    told = [(("player", str(player)), ("amount", money(sums[player]))) for player in sorted(sums)]
    return [*prizes, *(Notice("prizes-of-player", values) for values in told)]


def _of_prize(one: Prize) -> Values:
    return (
        ("player", str(one.player)),
        ("bet", one.bet),
        ("amount", money(one.exact)),
        ("stake", units(one.stake)),
        ("rate", str(one.rate)),
    )


def money(cents: Fraction) -> str:
    """Returns the amount as text in currency units. Half a cent is shown as a third decimal."""
    if cents.denominator == 1:
        return units(int(cents))
    return f"{units(int(cents))}5"


def of_chips(before: RouletteState, after: RouletteState) -> list[Notice]:
    """Returns the notices of players who have lost their colour, and of exchanged chips."""
    told: list[Notice] = []
    if before.players is not after.players:
        was_lost = tuple(one.number for one in before.players if one.is_lost)
        lost = [one for one in after.players if one.is_lost and one.number not in was_lost]
        told += [Notice("colour-lost", (("player", str(one.number)), ("colour", one.colour.value))) for one in lost]
    made = after.exchanged
    if made is not None and made is not before.exchanged:
        values = (("colour", made.colour.value), ("chips", str(made.chips)), ("amount", units(made.amount)))
        told.append(Notice("late-chips-exchanged" if made.is_late else "chips-exchanged", values))
        if made.colour not in after.colours:
            told.append(Notice("former-colour-exchanged", values[:2]))
    return told


def of_markers(before: RouletteState, after: RouletteState) -> list[Notice]:
    """Returns the notice that the display of chip values is late, or is right again; else []."""
    was, now = before.devices.markers, after.devices.markers
    if was.is_stale is now.is_stale:
        return []
    if not now.is_stale:
        return [Notice("values-shown-again")]
    return [Notice("values-not-shown", (("colours", ",".join(colours_shown_wrong(after))),))]


def of_hours(before: RouletteState, after: RouletteState) -> list[Notice]:
    """Returns the notices that the ball or the dealer must be changed, that the dealer must be changed soon, and that
    the ball was changed (pt.rou.17b, pt.rou.33).
    """
    told: list[Notice] = []
    if after.wheel.ball_is_due and not before.wheel.ball_is_due:
        told.append(Notice("ball-change-due"))
    if after.wheel.ball != before.wheel.ball:
        told.append(Notice("ball-changed", (("ball", str(after.wheel.ball)),)))
    was, now = before.spinner, after.spinner
    if was is not None and now is not None and was.person == now.person:
        told += [Notice("dealer-nearly-due")] if now.is_warned and not was.is_warned else []
        told += [Notice("dealer-due")] if now.is_over and not was.is_over else []
    return told
