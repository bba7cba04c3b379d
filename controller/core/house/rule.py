"""The row of one act (`ActRule`), and the guards that a row makes for its steps, permission and second person.

A guard is one named statement that must be true before an act is permitted. The catalogue has two sentences for every
guard (`guard.<name>.reason` and `.remedy`), in every language. A `Guard` depends on the table alone; an `ActGuard` also
on the act. All other guards are in the modules of their subjects.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from typing import ClassVar, Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

from controller.core.engine.act import Act, values_of
from controller.core.engine.decision import Refusal, Values, Why
from controller.core.house.holds import forbidding, rule_of
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import AT_STAKE, Money, SecondBy
from controller.core.house.people import dealer_at_table, roles_in
from controller.core.house.state import State, StateT
from controller.core.house.undoing import Undone
from controller.core.setup import Setup
from controller.core.words import Permission, Person, Role, RoundPhase, SessionPhase, TableMs

Seen = TypeVar("Seen", bound=State, contravariant=True)
Asked = TypeVar("Asked", bound=Act, contravariant=True)
ActT = TypeVar("ActT", bound=Act)
LeavesPost: TypeAlias = Callable[[Setup, Role], bool]


def _nothing(_state: State, _act: Act | None = None) -> Values:
    return ()


def _not_ruled_out(_state: State) -> bool:
    return True


class Case(Struct, Generic[Seen, Asked], frozen=True):
    """A case for which a law may have its own clauses: if `is_met` is True, a refusal names `<rule>.<name>`."""

    name: str
    is_met: Callable[[Seen, Asked], bool]

    def of(self, rule: str) -> str:
        return f"{rule}.{self.name}"


class Statement(Struct, Generic[Seen], frozen=True, kw_only=True):
    """The base class of all guards. `rule`: the rule that a refusal names; if empty, the guard's own name."""

    why: ClassVar[Why] = Why.RECORD
    name: str  # the first field of each guard
    rule: str = ""
    leaves: LeavesPost | None = None  # True for a post that the guard does not remove from the row

    def rule_in(self, _state: Seen) -> str:
        """The name of the rule that a refusal by this guard gives."""
        return self.rule or self.name


class Guard(Statement[Seen], frozen=True):
    """A guard on the table alone.

    `holds`: True if the act may be done; `says`: the values of the guard's sentences.
    """

    name: str
    holds: Callable[[Seen], bool]
    says: Callable[[Seen], Values] = _nothing


class ActGuard(Statement[Seen], Generic[Seen, Asked], frozen=True):
    """A guard on table and act. `possible`: True if some act could pass; used while no act is given. `answered`: a
    function that judges several guards at once and returns the name of the first that fails. The function is called
    once for all guards that share it; such a guard fails if the returned name is its own. `because`: a function that
    returns the refusal of another act, if that refusal is why the guard fails, or None.
    """

    name: str
    holds: Callable[[Seen, Asked], bool]
    says: Callable[[Seen, Asked | None], Values] = _nothing
    possible: Callable[[Seen], bool] = _not_ruled_out
    case: Case[Seen, Asked] | None = None
    answered: Callable[[Seen, Asked], str | None] | None = None
    because: Callable[[Seen, Asked], Refusal | None] | None = None
    why: ClassVar[Why] = Why.ASKED


def second_posts(state: State, name: str) -> tuple[Role, ...]:
    """The posts that may make the second request for the waiting act of this name. Empty if no such act waits."""
    return next((one.second for one in state.house.waiting if one.act == name), ())


class SecondPerson(Struct, Generic[Seen, Asked], frozen=True):
    """The posts of a second person, who must ask for the same act, and the condition under which the row needs a second
    person. `bound`: the name of that condition; its sentence is in the catalogue under `second`. `sees`: a function
    that returns the value that both people must see alike. A change of this value ends the wait for the second person.
    Without `sees`, a change of the round or the pool ends the wait.
    """

    who: tuple[Role, ...]
    bound: str
    is_needed: Callable[[Seen, Asked], bool]
    sees: Callable[[Seen, Asked], object] | None = None


AnyGuard: TypeAlias = Guard[Seen] | ActGuard[Seen, Asked]


class StepGuard(Guard[State], frozen=True):
    """A guard that is met at the steps of session or round at which the act is possible."""

    why: ClassVar[Why] = Why.STEP


class HoldGuard(Guard[State], frozen=True, kw_only=True):
    """A guard that is met while no hold takes the permission away. A refusal names the rule of the hold that does."""

    why: ClassVar[Why] = Why.HOLD
    permission: Permission

    def rule_in(self, state: State) -> str:
        hold = forbidding(state, self.permission)
        return rule_of(hold) if hold else self.name


def permission_guard(permission: Permission, *, despite_all_if_irregular: bool = False) -> Guard[State]:
    """Returns a guard that is met while no open hold takes this permission away.

    `despite_all_if_irregular`: True if during an irregular closing the guard is met despite every hold, since a dead
    device may have made the closing necessary.
    """
    return HoldGuard(
        "no_hold_forbids_it",
        lambda state: forbidding(state, permission) is None or (despite_all_if_irregular and state.house.irregular),
        lambda state: (("hold", hold.kind.value if (hold := forbidding(state, permission)) else ""),),
        permission=permission,
    )


def session_guard(at: StrEnum | tuple[SessionPhase, ...], rule: str) -> Guard[State]:
    """Returns a guard that is met at the session's steps `at`, or at each step from which the trigger `at` leads on.

    `rule`: the rule that a refusal names.
    """

    def phases(state: State) -> tuple[SessionPhase, ...]:
        return at if isinstance(at, tuple) else state.SESSION.sources_in(state.setup.procedure, at)

    return StepGuard(
        "session_is_at_this_step",
        lambda state: state.house.session in phases(state),
        lambda state: (("session", state.house.session.value), ("needed", " ".join(p.value for p in phases(state)))),
        rule=rule,
    )


def round_guard(at: StrEnum | tuple[RoundPhase, ...], rule: str) -> Guard[State]:
    """Returns a guard that is met at the round's steps `at`, or at each step from which the trigger `at` leads on.

    `rule`: the rule that a refusal names.
    """

    def phases(state: State) -> tuple[RoundPhase, ...]:
        return at if isinstance(at, tuple) else state.game.MACHINE.sources_in(state.setup.procedure, at)

    return StepGuard(
        "round_is_at_this_step",
        lambda state: state.game.phase in phases(state),
        lambda state: (("round", state.game.phase.value), ("needed", " ".join(p.value for p in phases(state)))),
        rule=rule,
    )


ROUND_IS_OVER = Guard[State](
    "round_is_over",
    lambda state: state.game.phase is RoundPhase.IDLE,
    lambda state: (("round", state.game.phase.value),),
)
ACTOR_IS_THE_DEALER_AT_TABLE = ActGuard[State, Act](
    "actor_is_the_dealer_at_table",
    lambda state, act: act.role is not Role.DEALER or act.person == dealer_at_table(state),
)


def another_person_guard(name: str, second: SecondPerson[StateT, ActT]) -> ActGuard[StateT, ActT]:
    """Returns a guard that refuses a person who would complete a request of their own for the act `name`."""

    def holds(state: StateT, act: ActT) -> bool:
        asked = (name, values_of(act), act.person)
        has_asked = any((one.act, one.values, one.person) == asked for one in state.house.waiting)
        return not has_asked or not second.is_needed(state, act)

    return ActGuard("another_person_asks", holds)


class SecondPersonError(Exception):
    """Raised for a row that lacks the second person that its `money` needs, or names one that it does not need."""


Effect: TypeAlias = Callable[[StateT, ActT, TableMs], StateT]
"""A function that returns the state after an allowed act, at this table time."""

Instead: TypeAlias = Callable[[StateT, ActT, TableMs], StateT | None]
"""A function that gives another state for an allowed act that the table's record contradicts; None if both agree."""


def unchanged(state: StateT, _act: Act, _at_ms: TableMs) -> StateT:
    """The state unchanged: the effect of an act that only moves session or round."""
    return state


def always(_state: State, _act: Act) -> bool:
    """Always True: the condition of a row that applies to every state and act."""
    return True


@dataclass(frozen=True, slots=True)
class ActRule(Generic[StateT, ActT]):
    """The row of one act: the act's name and struct, the posts that may ask for it, its guards and its effect.

    Guards are evaluated in this order: `guards`, the second person, the steps of session and round, the permission
    `needs`, `devices`, `last`. Then the row's triggers move session and round, and `effect` changes the rest. If
    `instead` gives a state, that state is the result, without a move.
    """

    name: str
    act: type[ActT]
    who: tuple[Role, ...]
    effect: Effect[StateT, ActT]
    guards: tuple[AnyGuard[StateT, ActT], ...] = ()
    session: StrEnum | None = None  # a trigger of the table's session
    round: StrEnum | None = None  # a trigger of the game's machine
    in_session: tuple[SessionPhase, ...] = ()  # empty: any
    in_round: tuple[RoundPhase, ...] = ()
    needs: Permission | None = None
    despite_all_if_irregular: bool = False  # during an irregular closing no hold takes `needs` away
    devices: tuple[AnyGuard[StateT, ActT], ...] = ()  # guards on machines; evaluated after the holds
    dealer_if_unwatched: bool = False  # the dealer may ask, too, if the loading need not be watched (mo.2.1.2)
    instead: Instead[StateT, ActT] | None = None
    last: tuple[AnyGuard[StateT, ActT], ...] = ()  # guards evaluated after all others
    hold_ms: int = 0  # the milliseconds for which a screen's button is held
    who_case: Case[StateT, ActT] | None = None  # a case of the rule that names the posts
    second: SecondPerson[StateT, ActT] | None = None
    begins_round: bool = False  # a bet that may be laid before the round leaves its first step
    own_pin: bool = False  # the second person needs his own PIN: being signed in is not enough
    _: KW_ONLY
    # True if a corrected round that does not allow the act any more is played without it
    falls_away: Callable[[StateT, ActT], bool] | None = None
    # gives the state in which amounts due before the act count as paid: they become differences of a corrected round
    due_before: Callable[[StateT, ActT], StateT] | None = None
    # gives acts of which the guards must allow one, or the act is not offered; None: their `possible` alone decides
    probes: Callable[[StateT], tuple[ActT, ...]] | None = None
    attested_if: Callable[[ActT], bool] | None = None  # True for values that a person must attest, whatever the manner
    undone: Undone  # the acts that undo this act, or the reason why it is final
    money: Money  # the money that depends on this act, and its protection (AT_STAKE)
    manner: Manner  # the manner of the act, which decides on the credential
    _all: tuple[AnyGuard[StateT, ActT], ...] = field(init=False, repr=False, compare=False)  # made once
    _of_posts: tuple[LeavesPost, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if (AT_STAKE[self.money].by is SecondBy.ROW) != (self.second is not None):
            raise SecondPersonError(self.name)
        object.__setattr__(self, "_all", self._made())
        object.__setattr__(self, "_of_posts", tuple(one.leaves for one in self.guards if one.leaves is not None))

    @property
    def steps_rule(self) -> str:
        """The name of the rule on the steps of session and round at which the act is possible."""
        return f"{self.name}.when"

    @property
    def posts_rule(self) -> str:
        """The name of the rule on the posts that may ask."""
        return f"{self.name}.who"

    def who_in(self, setup: Setup) -> tuple[Role, ...]:
        """The posts that may ask at this table: those that the row names, less those that a guard removes."""
        named = self.named_in(setup)
        if not self._of_posts:
            return named
        return tuple(role for role in named if all(leaves(setup, role) for leaves in self._of_posts))

    def named_in(self, setup: Setup) -> tuple[Role, ...]:
        """The posts that the row names at this table, before any guard removes one."""
        is_the_dealers, who = self.dealer_if_unwatched and not setup.procedure.loading_supervised, self.who
        return (*DEALER, *roles_in(setup, who)) if is_the_dealers else roles_in(setup, who)

    def asked_by(self, state: StateT) -> tuple[Role, ...]:
        """The posts that may ask now: the row's own, and those of the second person while the act waits for him."""
        own = self.who_in(state.setup)
        second = () if self.second is None else second_posts(state, self.name)
        return (*own, *(role for role in second if role not in own))

    def all_guards(self) -> tuple[AnyGuard[StateT, ActT], ...]:
        """Every guard of the row, in the order of evaluation."""
        return self._all

    def _made(self) -> tuple[AnyGuard[StateT, ActT], ...]:
        at, at_round = self.session or self.in_session, self.round or self.in_round
        despite = self.despite_all_if_irregular
        return (
            *((ACTOR_IS_THE_DEALER_AT_TABLE,) if self._is_for_dealers() else ()),
            *self.guards,
            *((another_person_guard(self.name, self.second),) if self.second else ()),
            *((session_guard(at, self.steps_rule),) if at else ()),
            *((round_guard(at_round, self.steps_rule),) if at_round else ()),
            *((permission_guard(self.needs, despite_all_if_irregular=despite),) if self.needs else ()),
            *self.devices,
            *self.last,
        )

    def _is_for_dealers(self) -> bool:
        return self.dealer_if_unwatched or (Role.DEALER in self.who and self.who != AT_THE_TABLE)


PROBE: Final = (Person(0), Role.TABLE_INSPECTOR)
"""The person and post of a row's `probes`: no guard on the dealer at the table refuses them."""

DELIBERATE_MS = 1_000
"""The milliseconds for which a button is held for an act that ends or changes a round for good."""

FINAL_MS = 2_000
"""The milliseconds for which a button is held at a session's or a deck's end; casinos' keypads do the same."""

S, R, P = SessionPhase, RoundPhase, Permission
AT_THE_TABLE = (
    Role.DEALER,
    Role.TABLE_INSPECTOR,
    Role.CHIEF_SUPERVISOR,
    Role.ROOM_MANAGER,
    Role.TECHNICIAN,
    Role.REGULATOR,
)
"""The posts that sign in, each by name, so that a new post has no rights until a row names it."""

DEALER = (Role.DEALER,)
CHIEF = (Role.CHIEF_SUPERVISOR,)
DEALER_OR_CHIEF = (Role.DEALER, Role.CHIEF_SUPERVISOR)
SUPERVISORS = (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER)
HOLD_PEOPLE = (Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)
CARDS_LIE = (R.DEALING, R.PLAYING)
OPENING = (S.OPENED, S.DISPLAYED, S.MIXED)
WHILE_OPEN = tuple(phase for phase in S if phase is not S.CLOSED)
