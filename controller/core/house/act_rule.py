"""What a row says of one act, and the words that rows share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeAlias, TypeVar

from controller.core.engine.act import Act
from controller.core.house import people_guards as gp
from controller.core.house.guard import AnyGuard, Guard, LeavesPost
from controller.core.house.people import roles_in
from controller.core.house.state import State, StateT
from controller.core.house.step_guards import permission_guard, round_guard, session_guard
from controller.core.setup import Setup
from controller.core.words import Permission, Role, RoundPhase, SessionPhase, TableMs

ActT = TypeVar("ActT", bound=Act)
Effect: TypeAlias = Callable[[StateT, ActT, TableMs], StateT]
"""What an allowed act changes, at which table time."""
Instead: TypeAlias = Callable[[StateT, ActT, TableMs], StateT | None]
"""The state that an allowed act leads to where the figures do not bear it out; None where they do."""


def unchanged(state: StateT, _act: Act, _at_ms: TableMs) -> StateT:
    """The effect of an act that moves session or round and changes nothing else."""
    return state


@dataclass(frozen=True, slots=True)
class ActRule(Generic[StateT, ActT]):
    """One act, whole: its name and struct, who may ask for it, when, and what it changes.

    Heard are `guards` first to last, then the steps, then the holds. Then session and round move by the row's triggers,
    and `effect` changes the rest; where `instead` gives a state, that one holds and nothing moves.
    """

    name: str
    act: type[ActT]
    who: tuple[Role, ...]
    clause: str
    effect: Effect[StateT, ActT]
    guards: tuple[AnyGuard[StateT, ActT], ...] = ()
    session: StrEnum | None = None  # a trigger of the table's session
    round: StrEnum | None = None  # a trigger of the game's machine
    in_session: tuple[SessionPhase, ...] = ()  # empty: any
    in_round: tuple[RoundPhase, ...] = ()
    needs: Permission | None = None
    despite_all_if_irregular: bool = False  # after an irregular closing no hold takes that permission away
    devices: tuple[
        AnyGuard[StateT, ActT], ...
    ] = ()  # what machines must be ready for: a standing hold is named before they are
    dealer_if_unwatched: bool = False  # the dealer may, too, where nobody has to watch the loading (mo.2.1.2)
    instead: Instead[StateT, ActT] | None = None
    last: tuple[AnyGuard[StateT, ActT], ...] = ()  # heard only when nothing else stands against it
    who_clause: str = ""  # that names who, where another one than the row's does
    hold_ms: int = 0  # so long a screen's button is held before it asks for the act
    own_pin: bool = False  # the second person's half of an act for two: being signed in is not enough
    _all: tuple[AnyGuard[StateT, ActT], ...] = field(
        init=False, repr=False, compare=False
    )  # made once: they are asked all the time
    _of_posts: tuple[LeavesPost, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_all", self._made())
        object.__setattr__(self, "_of_posts", tuple(one.leaves for one in self.guards if one.leaves is not None))

    def who_in(self, setup: Setup) -> tuple[Role, ...]:
        """The posts that may at this table: those named, less those that a guard does not leave."""
        named = self.named_in(setup)
        if not self._of_posts:
            return named
        return tuple(role for role in named if all(leaves(setup, role) for leaves in self._of_posts))

    def named_in(self, setup: Setup) -> tuple[Role, ...]:
        """The posts that the row names at this table."""
        is_the_dealers, who = self.dealer_if_unwatched and not setup.procedure.loading_supervised, self.who
        return (*DEALER, *roles_in(setup, who)) if is_the_dealers else roles_in(setup, who)

    def all_guards(self) -> tuple[AnyGuard[StateT, ActT], ...]:
        """Every guard of the row, those made from its steps and its permission last."""
        return self._all

    def _made(self) -> tuple[AnyGuard[StateT, ActT], ...]:
        return (
            *((gp.ACTOR_IS_THE_DEALER_AT_TABLE,) if self._is_for_dealers() else ()),
            *self.guards,
            *(
                (session_guard(self.session or self.in_session, self.clause),)
                if self.session or self.in_session
                else ()
            ),
            *((round_guard(self.round or self.in_round, self.clause),) if self.round or self.in_round else ()),
            *((self._permission(self.needs),) if self.needs else ()),
            *self.devices,
            *self.last,
        )

    def _permission(self, needs: Permission) -> Guard[State]:
        return permission_guard(needs, despite_all_if_irregular=self.despite_all_if_irregular)

    def _is_for_dealers(self) -> bool:
        return self.dealer_if_unwatched or (Role.DEALER in self.who and self.who != AT_THE_TABLE)


DELIBERATE_MS = 1_000
"""A second for what ends or changes a round and cannot be undone."""
FINAL_MS = 2_000
"""Two for what ends a session, or a deck's use: the casinos' own habit at keypads."""

S, R, P = SessionPhase, RoundPhase, Permission
AT_THE_TABLE = (
    Role.DEALER,
    Role.TABLE_INSPECTOR,
    Role.CHIEF_SUPERVISOR,
    Role.ROOM_MANAGER,
    Role.TECHNICIAN,
    Role.REGULATOR,
)
"""Who signs in: by name, so that a new post may do nothing until a row says so."""
DEALER = (Role.DEALER,)
CHIEF = (Role.CHIEF_SUPERVISOR,)
DEALER_OR_CHIEF = (Role.DEALER, Role.CHIEF_SUPERVISOR)
HOLD_PEOPLE = (Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)
CARDS_LIE = (R.DEALING, R.PLAYING)
OPENING = (S.OPENED, S.DISPLAYED, S.MIXED)
WHILE_OPEN = tuple(phase for phase in S if phase is not S.CLOSED)
CARDS_OUT_OF_CLOSET = tuple(phase for phase in S if phase not in {S.CLOSED, *OPENING})
