"""Late chips: chips of a colour that its player no longer has are exchanged at the table's minimum (pt.rou.12c, 15b).

The table itself may no longer have the colour: its chips still have the table's symbol (pt.rou.7b).
"""

from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.games.roulette.chips import (
    CHIPS_ARE_COUNTED,
    NOBODYS,
    OPEN,
    as_given,
    exchanged,
    handed,
    is_much,
)
from controller.core.games.roulette.state import ChipColour, RouletteState
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, SUPERVISORS, ActGuard, ActRule, SecondPerson
from controller.core.house.undoing import BY_ENTRY
from controller.core.words import TableMs


class ExchangeLateChips(Act, frozen=True):
    """Late chips, of a colour that its player no longer has, are exchanged at the table's minimum each (pt.rou.12c,
    15b).
    """

    colour: ChipColour
    chips: int


def late_colours(state: RouletteState) -> tuple[ChipColour, ...]:
    """Returns the colours whose late chips are exchanged: the table's colours, then those that it once had."""
    return (*state.colours, *state.former_colours)


COLOUR_BELONGED_TO_THE_TABLE = ActGuard[RouletteState, ExchangeLateChips](
    "colour_belongs_to_the_table",
    lambda state, act: act.colour in late_colours(state),
    lambda state, _act: (("colours", ",".join(late_colours(state))),),
)


def sees_late_chips(state: RouletteState, act: ExchangeLateChips) -> object:
    """Returns the values whose change ends the wait for a second person: the colour's player, and the exchanged late
    chips.
    """
    return as_given(state.with_colour(act.colour)), handed(state, NOBODYS)


def late_exchange_takes_two(state: RouletteState, act: ExchangeLateChips) -> bool:
    """True if the exchange of late chips needs two people: the amount is large, no chips of the colour are known to be
    out, or the table no longer has the colour.
    """
    last = state.worth_of(act.colour)
    much = is_much(state, act.chips * state.rules.limits.minimum, of=NOBODYS)
    return much or last is None or not last.is_out or act.colour not in state.colours


def exchange_late_chips(state: RouletteState, act: ExchangeLateChips, _at_ms: TableMs) -> RouletteState:
    """Returns the state after late chips were exchanged, each at the table's minimum, whatever its earlier value
    (pt.rou.12c, 15b).
    """
    return exchanged(state, act.colour, act.chips, state.rules.limits.minimum, of=NOBODYS)


LATE_CHIP_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "exchange-late-chips",
        ExchangeLateChips,
        DEALER,
        exchange_late_chips,
        (COLOUR_BELONGED_TO_THE_TABLE, CHIPS_ARE_COUNTED, DIFFERENCES_ARE_SETTLED),
        in_session=OPEN,
        second=SecondPerson(SUPERVISORS, "late-exchange", late_exchange_takes_two, sees_late_chips),
        undone=BY_ENTRY,
        money=Money.PAID,
        manner=Manner.DOES,
    ),
)
