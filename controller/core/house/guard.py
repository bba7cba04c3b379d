"""What a guard is: one named statement that must be true before an act is allowed.

The catalogue has two sentences for every name (`guard.<name>.reason` and `.remedy`), in every language. A guard
with `needs_act` looks at the act's own values and is passed over when only "what may be done next" is asked. The
guards themselves stand in the rooms, one subject a file (`*_guards.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.jurisdictions import clause_in
from controller.core.setup import Setup
from controller.core.state import State
from controller.core.words import Role

Check = Callable[[State, Act | None], bool]
Say = Callable[[State, Act | None], Values]
LeavesPost = Callable[[Setup, Role], bool]


def _nothing(_state: State, _act: Act | None) -> Values:
    return ()


@dataclass(frozen=True, slots=True)
class Guard:
    """A statement with its clause; `says` gives the values of its sentences, `cites` the clause where it varies."""

    name: str
    clause: str
    holds: Check
    says: Say = _nothing
    needs_act: bool = False
    elsewhere: tuple[tuple[str, str], ...] = ()  # other profiles' clauses, by how the profile's name begins
    cites: Callable[[State], str] | None = None
    leaves: LeavesPost | None = None  # of the posts that a row names, where it judges those alone

    def clause_in(self, profile: str) -> str:
        """The clause that a refusal names in this profile."""
        own = next((clause for start, clause in self.elsewhere if profile.startswith(start)), None)
        return own or clause_in(self.clause, profile)

    def cited(self, state: State) -> str:
        """The clause that a refusal names in this state."""
        profile = state.setup.profile
        return self.clause_in(profile) if self.cites is None else clause_in(self.cites(state), profile)
