"""The rights of signed-in people: the person, the connection and the purpose of each right, and the end of a right.

The connection itself is the token: no log and no screen shows a secret that another person could use. A right ends with
its connection, with its purpose, and when the person leaves the staff or gets a new role, PIN or badge. It also ends
after three idle minutes, unless it is the right of a dealer who has taken the post.

At the table's screen, and at a tablet where several people are signed in, another person may touch the screen. So a
right at a shared screen permits only three things: what the dealer at the post does, reading, and acts on the hold for
which the person has signed in. Every other act needs a credential in its own request: the PIN, or the badge held to the
reader with the key turned on.
"""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct

from controller.core.house.manner import Credential, Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.people import dealer_at_table
from controller.core.house.state import State
from controller.core.words import Person, Role, SessionPhase
from controller.daemon.server import Client
from controller.protocol.record import RecordKind
from controller.staff import StaffBook
from controller.staff.lockout import TerminalName, is_tablet

IDLE_S: Final = 180.0
"""The idle time after which a right ends. The dealer at his post has no limit until he leaves or is relieved."""

TABLE: Final = "table"
LOOK: Final = "look"
OPERATIONS: Final = {
    "loading": frozenset({SessionPhase.LOADED, SessionPhase.IN_PLAY, SessionPhase.CLOSED}),
    "unloading": frozenset({SessionPhase.CLOSED}),
}
"""The operations for which people sign in, each with the session phases in which the operation is over."""

MAY_CHECK: Final = frozenset(
    {Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER, Role.REGULATOR, Role.TECHNICIAN}
)
"""The roles that may have the journal checked and may read an evening's figures."""

MAY_READ: Final = MAY_CHECK - {Role.TECHNICIAN}
"""The roles that may read stories and entries, which name people and tell the faces of turned cards."""


class Right(Struct):
    """The right of a signed-in person. `used_s`: the time at which the right was last used. `terminal`: the screen of
    the sign-in. `has_begun`: True once the right's purpose, such as a loading or the dealer's post, has begun.
    """

    person: Person
    role: Role
    purpose: str
    used_s: float
    terminal: TerminalName = ""
    has_begun: bool = False


def is_purpose(purpose: str, role: Role) -> bool:
    """True if a person with `role` can sign in for `purpose`."""
    if purpose == TABLE or role is Role.DEALER:
        return purpose == TABLE and role is Role.DEALER
    return purpose in OPERATIONS or purpose == LOOK or (purpose[:1] == "H" and purpose[1:].isdecimal())


def end_of(right: Right, state: State, now_s: float) -> str | None:
    """Returns the reason why a right is over, as a catalogue word under `signed-out`. Returns None while it is valid.

    Also sets `right.has_begun` once its purpose has begun.
    """
    if right.purpose == TABLE:
        return _end_at_table(right, state, now_s)
    if now_s - right.used_s >= IDLE_S:
        return "idle"
    if right.purpose in OPERATIONS:
        is_over = state.house.session in OPERATIONS[right.purpose]
        right.has_begun = right.has_begun or not is_over
        return "over" if is_over and right.has_begun else None
    if right.purpose != LOOK and right.purpose not in {f"H{hold.id}" for hold in state.house.holds}:
        return "over"
    return None


def _end_at_table(right: Right, state: State, now_s: float) -> str | None:
    is_at_post = dealer_at_table(state) == right.person
    right.has_begun = right.has_begun or is_at_post
    if not right.has_begun:
        return "idle" if now_s - right.used_s >= IDLE_S else None
    return None if is_at_post else "relieved"


class Rights:
    """The valid rights of signed-in people by connection."""

    def __init__(self) -> None:
        self._by_client: dict[Client, Right] = {}
        self._known: dict[int, tuple[str, str]] = {}  # PIN hash and badge of each person

    def give(self, client: Client, right: Right) -> None:
        """Gives a right to the connection of `client`. The right replaces the connection's earlier right."""
        self._by_client[client] = right

    def used_by(self, person: Person, terminal: TerminalName, now_s: float) -> None:
        """Sets the time of use of each right that the person has at the screen `terminal` to `now_s`."""
        for right in self._by_client.values():
            if (right.person, right.terminal) == (person, terminal):
                right.used_s = now_s

    def clients(self) -> list[Client]:
        """The connections that have a signed-in person."""
        return list(self._by_client)

    def of(self, client: Client) -> Right | None:
        return self._by_client.get(client)

    def credential(self, right: Right) -> Credential:
        """Returns the kind of credential that `right` is: the dealer's post, a person's own tablet, or a shared screen.

        A tablet is a person's own while no other person is signed in at it.
        """
        if right.purpose == TABLE:
            return Credential.POST
        of_others = (one.person != right.person and one.terminal == right.terminal for one in self._by_client.values())
        is_alone = is_tablet(right.terminal) and not any(of_others)
        return Credential.OWN_SCREEN if is_alone else Credential.SHARED_SCREEN

    def ended(self, state: State, now_s: float) -> list[tuple[Client, str]]:
        """Removes the rights that are over, and returns the connection and the reason of each. Also removes the rights
        of connections that are gone, but does not return them.
        """
        if not self._by_client:
            return []
        self._by_client = {client: right for client, right in self._by_client.items() if not client.is_gone}
        return self._taken(lambda right: end_of(right, state, now_s))

    def removed(self, book: StaffBook) -> list[tuple[Client, str]]:
        """Removes the rights of people who are not in `book`, or who have a new role, PIN or badge.

        Returns the connection and the reason of each removed right.
        """
        roles = {one.number: one.role for one in book.people}
        before, self._known = self._known, {one.number: (one.pin_hash, one.badge) for one in book.people}
        renewed = {number for number, known in self._known.items() if before.get(number, known) != known}

        def why(right: Right) -> str | None:
            if roles.get(right.person) is not right.role:
                return "removed"
            return "renewed" if right.person in renewed else None

        return self._taken(why)

    def _taken(self, why: Callable[[Right], str | None]) -> list[tuple[Client, str]]:
        over = [(client, word) for client, right in self._by_client.items() if (word := why(right)) is not None]
        for client, _word in over:
            del self._by_client[client]
        return over


def may_read(right: Right | None, what: RecordKind) -> bool:
    """True if a person with `right` may read a record of the kind `what`. Without a right only the pool's record may be
    read.
    """
    if right is None or what is RecordKind.POOL:
        return what is RecordKind.POOL
    return right.role in (MAY_CHECK if what in (RecordKind.CHECK, RecordKind.SUMMARY) else MAY_READ)


MONEY_OF_HOLDS: Final = frozenset((Money.NONE, Money.SEEN, Money.NAMED, Money.NOBODYS))
"""The money of acts by which people clear a hold, such as naming the card that lies there: no dealt card changes."""


def serves_shared(right: Right, manner: Manner, money: Money, values: Mapping[str, str]) -> bool:
    """True if `right` is enough, at a shared screen, for an act with `manner`, `money` and `values`.

    A right is never enough for an act that attests something. An act that names a hold needs the right for that hold.
    Any other act needs a right for some hold, the manner DOES, and money in MONEY_OF_HOLDS.
    """
    if manner is Manner.ATTESTS:
        return False
    hold = _hold_of(values)
    if hold:
        return right.purpose == f"H{hold}"
    return manner is Manner.DOES and money in MONEY_OF_HOLDS and right.purpose[:1] == "H"


def is_for(right: Right, values: Mapping[str, str]) -> bool:
    """True if an act with `values` is within the right's purpose.

    An act that names a hold needs a right for that hold, for the table, or for a loading or unloading. Any other act is
    within every purpose.
    """
    hold = _hold_of(values)
    return not hold or right.purpose in {TABLE, *OPERATIONS, f"H{hold}"}


def _hold_of(values: Mapping[str, str]) -> str:
    """Returns the number of the hold that an act's values name. Returns "" if they name none."""
    return values.get("hold", "").strip().upper().removeprefix("H")
