"""What may be done now at a table of blackjack, and by whom."""

from collections.abc import Iterator

from controller.core.engine.act import Act
from controller.core.engine.decision import Permitted
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house import permitted as house
from controller.core.table import TABLE
from controller.core.words import Role


def permitted(state: BlackjackState) -> tuple[Permitted, ...]:
    """Every act in table order; without a refusal it may be asked for now (its values are checked when it is)."""
    return house.permitted(TABLE, state)


def offered(state: BlackjackState) -> Iterator[tuple[str, tuple[Role, ...]]]:
    """The acts of `permitted` that may be asked for now, and by whom, without the words of the others' refusals."""
    return house.offered(TABLE, state)


def permitted_act(state: BlackjackState, act: type[Act]) -> Permitted:
    """One act of `permitted`."""
    return house.permitted_act(TABLE, state, act)


def who_may_ask(state: BlackjackState, act: type[Act]) -> tuple[Role, ...]:
    """The posts that may ask for the act now: `permitted_act`, without the words of a refusal."""
    return house.who_may_ask(TABLE, state, act)


def is_permitted(state: BlackjackState, act: type[Act]) -> bool:
    """Whether anybody may ask for the act now."""
    return house.is_permitted(TABLE, state, act)
