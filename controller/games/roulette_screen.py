"""Fills roulette's part of the screen: the steps of its holds, suggested values for its acts, the wheel's status."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from controller.core.engine.act import Act
from controller.core.games.roulette.bets import PlaceChips, PlaceValueChips, RemoveBet
from controller.core.games.roulette.cloth import LAST, colour_of
from controller.core.games.roulette.incidents import RuleOnSpin, SpinOutcome, is_contested_spin
from controller.core.games.roulette.late_chips import late_colours
from controller.core.games.roulette.markers import value_shown
from controller.core.games.roulette.notices import money
from controller.core.games.roulette.paying import group_to_pay, prizes_to_pay
from controller.core.games.roulette.state import RouletteState
from controller.core.games.roulette.stated_bets import StateBet
from controller.core.games.roulette.table import ROULETTE
from controller.core.money import units
from controller.core.words import HoldKind, HoldPhase
from controller.protocol.status import FiguresStatus
from controller.protocol.wheel_status import OUTSIDE, ColourStatus, PrizeStatus, StakeStatus, WheelStatus
from controller.runtime.act_values import Field
from controller.screen.game_screen import GamePart, GameScreen
from controller.screen.offers import GameOffers
from controller.screen.steps import CALL, HOUSE_STEPS, Step, Steps, acts, never
from controller.screen.who_may import Fields

_RAISED: Final = HoldPhase.RAISED
STEPS: Final[Steps[RouletteState]] = {
    **HOUSE_STEPS,
    HoldKind.IRREGULAR_SPIN: (CALL, Step("rule", _RAISED, never, acts("rule-on-spin"))),
    HoldKind.MOVED_CHIPS: (CALL, Step("decide", _RAISED, never, acts("rebuild-markings"))),
    HoldKind.COMPLAINT: (CALL, Step("decide", _RAISED, never, acts("decide-claim"))),
}


def _numbers(state: RouletteState, name: str) -> Sequence[Field]:
    match name:
        case "player":
            held = tuple(one.number for one in state.players)
            return (*held, next(number for number in range(1, len(held) + 2) if number not in held))
        case "bet":
            return (*(f"straight-{one}" for one in range(LAST + 1)), *OUTSIDE)
        case "colour":
            return [one.value for one in late_colours(state)]
        case "number":
            return range(LAST + 1)
        case "diameter_mm":
            return (state.rules.figures.ball_mm,)
        case _:
            return ()


def _tries(state: RouletteState, act: type[Act], fields: Fields) -> Iterator[Fields]:
    """Yields the values to try for an act: for a removal each present bet, for a new bet one chip on red, for any other
    act the unchanged values.
    """
    if act is RemoveBet:
        yield from (fields | {"bet": one.bet} for one in state.stakes)
    elif act is StateBet:
        yield fields | {"bet": "red", "chips": None, "amount": None}
    elif act in (PlaceChips, PlaceValueChips):
        yield fields | {"bet": "red"} | ({"chips": 1} if act is PlaceChips else {})
    else:
        yield fields


def _amount(state: RouletteState, _act: type[Act]) -> int:
    return state.rules.limits.minimum


def _default(state: RouletteState, act: type[Act], name: str) -> str | None:
    """Returns the text that a form shows first: `number-stands` for the outcome of a contested spin, None for any other
    value.
    """
    is_contested = act is RuleOnSpin and name == "outcome" and is_contested_spin(state)
    return SpinOutcome.NUMBER_STANDS.value if is_contested else None


def _part(latest: RouletteState, durable: RouletteState) -> GamePart:
    setup = latest.setup
    figures = FiguresStatus(seats=setup.seats, presence_ms=setup.parameters.presence_timeout_ms)
    return GamePart(figures, wheel=_wheel(durable))


def _wheel(state: RouletteState) -> WheelStatus:
    result, group = state.game.result, group_to_pay(state)
    return WheelStatus(
        result=result,
        colour="" if result is None else colour_of(result).value,
        last_number=state.wheel.last_number,
        ball=state.wheel.ball,
        ball_due=state.wheel.ball_is_due,
        dealer_due=state.spinner is not None and state.spinner.is_over,
        next_clockwise=not state.wheel.clockwise,
        next_prizes="" if group is None else group.value,
        prizes=[PrizeStatus(one.player, one.bet, money(one.exact)) for one in prizes_to_pay(state)],
        follows_bets=state.rules.follows_bets,
        waiting=state.waiting,
        players=[
            ColourStatus(
                one.number,
                one.colour.value,
                units(one.value),
                one.is_confirmed,
                one.is_lost,
                None if (shown := value_shown(state, one.colour)) is None else units(shown),
            )
            for one in state.players
        ],
        stakes=[StakeStatus(one.player, one.bet, units(one.cents)) for one in state.stakes],
        heard=state.wheel.is_heard,
        value_display=state.setup.has_value_display,
        contested=is_contested_spin(state),
    )


_PLACED: Final = ("place-chips", "place-value-chips")


def _adds(_state: RouletteState) -> Mapping[str, type[Act]]:
    return {name: ROULETTE.act_named[name].act for name in (*_PLACED, "exchange-chips")}


_OFFERS: Final = GameOffers[RouletteState](
    _numbers,
    _tries,
    _amount,
    _default,
    ("player", "bet", "colour", "number"),
    of_few=("colour", "number"),
    instead=(*_PLACED, "remove-bet"),
    adds=_adds,
)
SCREEN: Final = GameScreen[RouletteState](_part, offers=_OFFERS, steps=STEPS)
