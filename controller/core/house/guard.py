"""What a guard is: one named statement that must be true before an act is allowed.

The catalogue has two sentences for every name (`guard.<name>.reason` and `.remedy`), in every language. A `Guard`
looks at the table alone; an `ActGuard` looks at what is asked for, too. The guards themselves stand in the rooms.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Generic, TypeAlias, TypeVar

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.house.state import State
from controller.core.jurisdictions import clause_in
from controller.core.setup import Setup
from controller.core.words import Role

Seen = TypeVar("Seen", bound=State, contravariant=True)
Asked = TypeVar("Asked", bound=Act, contravariant=True)
LeavesPost: TypeAlias = Callable[[Setup, Role], bool]


def _nothing(_state: State, _act: Act | None = None) -> Values:
    return ()


def _not_ruled_out(_state: State) -> bool:
    return True


@dataclass(frozen=True)
class Statement(Generic[Seen]):
    """A guard's name and its clause; `cites` gives the clause where it varies with the state."""

    name: str
    clause: str
    _: KW_ONLY
    elsewhere: tuple[tuple[str, str], ...] = ()  # other profiles' clauses, by how the profile's name begins
    cites: Callable[[Seen], str] | None = None
    leaves: LeavesPost | None = None  # of the posts that a row names, where it judges those alone

    def clause_in(self, profile: str) -> str:
        """The clause that a refusal names in this profile."""
        own = next((clause for start, clause in self.elsewhere if profile.startswith(start)), None)
        return clause_in(self.clause, profile) if own is None else own

    def cited(self, state: Seen) -> str:
        """The clause that a refusal names in this state."""
        profile = state.setup.profile
        return self.clause_in(profile) if self.cites is None else clause_in(self.cites(state), profile)


@dataclass(frozen=True)
class Guard(Statement[Seen]):
    """A statement about the table; `says` gives the values of its sentences."""

    holds: Callable[[Seen], bool]
    says: Callable[[Seen], Values] = _nothing


@dataclass(frozen=True)
class ActGuard(Statement[Seen], Generic[Seen, Asked]):
    """A statement about what is asked for. While nobody asks, `possible` says whether anything could be."""

    holds: Callable[[Seen, Asked], bool]
    says: Callable[[Seen, Asked | None], Values] = _nothing
    possible: Callable[[Seen], bool] = _not_ruled_out


AnyGuard: TypeAlias = Guard[Seen] | ActGuard[Seen, Asked]
