"""Paying after a spin: prizes group by group, the return of prizes for a wrong number, the end (pt.rou.27 to 30)."""

from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.roulette.cloth import Group
from controller.core.games.roulette.payments import Prize
from controller.core.games.roulette.spin_table import SpinTrigger
from controller.core.games.roulette.spins import BETS_ARE_FOLLOWED, PRIZES_ARE_BACK, sees_the_spin
from controller.core.games.roulette.state import Brought, RouletteState, with_game
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, SUPERVISORS, ActGuard, ActRule, Guard, P, R, SecondPerson, always
from controller.core.house.state import with_tally, without_round
from controller.core.house.undoing import BY_ENTRY, Never, never
from controller.core.words import Role, TableMs


class PayPrizes(Act, frozen=True):
    """The dealer has paid the prizes of a group.

    `player`: only this player's prizes of the group (pt.rou.30b); None for all its unpaid prizes.
    """

    group: Group
    player: int | None = None


class ConfirmReturn(Act, frozen=True):
    """Two people state that the prizes paid for a later withdrawn number are back in the bank."""


class ConfirmPayments(Act, frozen=True):
    pass


def prizes_to_pay(state: RouletteState) -> tuple[Prize, ...]:
    """Returns the unpaid prizes of the group that is paid next. Empty if all are paid, or bets are not tracked."""
    unpaid = () if state.game.settled is None else state.game.settled.split(state.game.paid)[1]
    return tuple(one for one in unpaid if one.group is unpaid[0].group)


def group_to_pay(state: RouletteState) -> Group | None:
    """Returns the group that is paid next. None if no prize is unpaid."""
    return next((one.group for one in prizes_to_pay(state)), None)


def _players_to_pay(state: RouletteState) -> tuple[int, ...]:
    return tuple(dict.fromkeys(one.player for one in prizes_to_pay(state)))


PRIZES_ARE_PAID_IN_ORDER = ActGuard[RouletteState, PayPrizes](
    "prizes_are_paid_in_order",
    lambda state, act: act.group is group_to_pay(state),
    lambda state, _act: (("group", group.value if (group := group_to_pay(state)) else ""),),
    possible=lambda state: group_to_pay(state) is not None,
)
PLAYER_HAS_A_PRIZE = ActGuard[RouletteState, PayPrizes](
    "player_has_a_prize",
    lambda state, act: act.player is None or act.player in _players_to_pay(state),
    lambda state, _act: (("players", " ".join(map(str, _players_to_pay(state)))),),
)
PRIZES_CAME_BACK = Guard[RouletteState]("prizes_came_back", lambda state: bool(state.game.given))
PRIZES_ARE_PAID = Guard[RouletteState](
    "prizes_are_paid",
    lambda state: group_to_pay(state) is None,
    lambda state: (("group", group.value if (group := group_to_pay(state)) else ""),),
)


def confirm_return(state: RouletteState, _act: ConfirmReturn, _at_ms: TableMs) -> RouletteState:
    return with_game(state, given=())


def payment_takes_two(state: RouletteState, act: PayPrizes) -> bool:
    """True if this act pays a player whose prizes of the spin reach the profile's amount for a second person. False if
    the profile sets no such amount.
    """
    least, settled = state.setup.parameters.second_person_payment_cents, state.game.settled
    if not least or settled is None:
        return False
    paid = {one.player for one in prizes_to_pay(state) if act.player in {None, one.player}}
    return any(sum(one.exact for one in settled.prizes if one.player == player) >= least for player in paid)


def pay_prizes(state: RouletteState, act: PayPrizes, _at_ms: TableMs) -> RouletteState:
    """Returns the state with the prizes of `act` counted as paid. The group of bets counts as paid once all its prizes
    are.
    """
    game = state.game
    before = game.paid.players if game.paid.group is act.group else ()
    left = tuple(one for one in _players_to_pay(state) if act.player not in {None, one})
    players = () if act.player is None else (*before, act.player)
    paid = replace(game.paid, group=act.group, players=players if left else (), is_whole=not left)
    return with_game(state, paid=paid)


def paid_before(state: RouletteState, act: PayPrizes) -> RouletteState:
    """Returns the state in which all groups before the act's group count as paid."""
    groups = tuple(Group)
    at, paid_to = groups.index(act.group), groups.index(state.game.paid.group)
    return _paid_through(state, groups[at - 1]) if paid_to < at else state


def all_paid(state: RouletteState, _act: ConfirmPayments) -> RouletteState:
    """Returns the state in which all prizes of the spin count as paid."""
    return _paid_through(state, tuple(Group)[-1])


def _paid_through(state: RouletteState, group: Group) -> RouletteState:
    return with_game(state, paid=replace(state.game.paid, group=group, players=(), is_whole=True))


def has_nothing_to_pay(state: RouletteState, act: PayPrizes) -> bool:
    """True if the spin has its number, but no prize that the act could pay is unpaid."""
    settled = state.game.settled
    if settled is None:
        return False
    unpaid = settled.split(state.game.paid)[1]
    return not any(one.group is act.group and act.player in {None, one.player} for one in unpaid)


def confirm_payments(state: RouletteState, _act: ConfirmPayments, _at_ms: TableMs) -> RouletteState:
    """Returns the state after the spin has ended and is counted. The amounts stay, and can still be corrected."""
    handed = (Brought(one.player, 2 * one.cents) for one in state.game.handed)
    brought = (Brought(one.player, int(2 * one.cents)) for one in state.brought_by_the_spin())
    last = (*handed, *brought)
    state = replace(state, takings=replace(state.takings, last=last))
    return with_tally(without_round(state), rounds=state.house.tally.rounds + 1)


PAYING_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "pay-prizes",
        PayPrizes,
        DEALER,
        pay_prizes,
        (BETS_ARE_FOLLOWED, PRIZES_ARE_BACK, DIFFERENCES_ARE_SETTLED),
        in_round=(R.PAYING,),
        needs=P.BET,
        last=(PRIZES_ARE_PAID_IN_ORDER, PLAYER_HAS_A_PRIZE),
        second=SecondPerson(SUPERVISORS, "payment", payment_takes_two, sees_the_spin),
        falls_away=has_nothing_to_pay,
        due_before=paid_before,
        undone=BY_ENTRY,
        money=Money.PAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "confirm-payments",
        ConfirmPayments,
        DEALER,
        confirm_payments,
        (PRIZES_ARE_BACK, DIFFERENCES_ARE_SETTLED, PRIZES_ARE_PAID),
        round=SpinTrigger.PAID,
        needs=P.BET,
        due_before=all_paid,
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "confirm-return",
        ConfirmReturn,
        SUPERVISORS,
        confirm_return,
        (PRIZES_CAME_BACK,),
        second=SecondPerson((Role.DEALER, *SUPERVISORS), "prizes-returned", always, sees_the_spin),
        falls_away=lambda state, _act: not state.game.given,
        undone=never(Never.AGREED),
        money=Money.PAID,
        manner=Manner.ATTESTS,
    ),
)
