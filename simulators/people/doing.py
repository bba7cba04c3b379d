"""The acts and deeds of simulated people, and the view from which a person decides on the next one."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct, field

from controller.core.choices import PutBack
from controller.core.games.blackjack.table import ACT_RULES
from controller.core.house.round_log import NO_LOG, RoundLog
from controller.core.setup import Procedure
from controller.core.words import Role, SessionPhase
from simulators.kit import procedure_of
from simulators.people.choices import Choices
from simulators.people.hands import HandAct, told
from simulators.people.sight import Sight, differences
from simulators.people.status import ShownHold, TableStatus, offered

_WITH_OWN_PIN: Final = frozenset(("sign-in", *(rule.name for rule in ACT_RULES if rule.own_pin)))


class Ask(Struct, frozen=True):
    """An act for which a person asks at the controller's socket. A dealer who is signed in usually gives no number or
    PIN.
    """

    act: str
    values: Mapping[str, str] = field(default_factory=dict)
    role: Role = Role.DEALER  # the role of the person who asks
    completes: bool = False  # a second person's agreement, which needs his PIN

    @property
    def gives_pin(self) -> bool:
        """True if the person gives number and PIN with the act."""
        return self.completes or self.role is not Role.DEALER or self.act in _WITH_OWN_PIN

    @property
    def words(self) -> tuple[str, ...]:
        """The act and its values as a tuple, to compare two acts. For a second person's agreement the tuple also has
        the role.
        """
        whose = (f"by={self.role.value}",) if self.completes else ()
        return self.act, *(f"{name}={value}" for name, value in sorted(self.values.items())), *whose

    @property
    def told(self) -> str:
        return "asks: " + " ".join(self.words)


class Touch(Struct, frozen=True):
    """A deed at the table, in contrast to an act at the controller."""

    hand: HandAct

    @property
    def told(self) -> str:
        return "hands: " + told(self.hand)


Doing: TypeAlias = Ask | Touch | None
"""A person's next act or deed; None if there is none now."""


class Recall(Struct, frozen=True):
    """The controller's answers to acts in the present state of the table: people's only memory. Any change of the state
    empties it.
    """

    refused: Mapping[tuple[str, ...], str] = field(default_factory=dict)  # by `Ask.words`: the guard that refused
    last_done: str | None = None
    last_words: tuple[str, ...] = ()  # `Ask.words` of the last act

    def guard(self, ask: Ask) -> str | None:
        """Returns the guard that has refused the act `ask` with these values in the present state; None if no guard
        has.
        """
        return self.refused.get(ask.words)


OUT_OF_TURN = "place_is_in_turn"
"""The guard that refuses a seat out of turn: a card lies wrongly, or the player has had his turn."""


class Patience(Struct):
    """The time at which an idle person looks at the table again: after `until_s` seconds without a change. None: only
    after a change.
    """

    until_s: float | None = None  # seconds without change

    def wait(self, until_s: float) -> None:
        self.until_s = until_s if self.until_s is None else min(self.until_s, until_s)


class View(msgspec.Struct, frozen=True, dict=True):
    """All that a person sees and knows when deciding on a deed. `quiet_s`: seconds since the last change."""

    status: TableStatus
    sight: Sight
    choices: Choices
    person: int  # his number in the staff file
    rounds: int  # rounds of a session
    sessions: int | None = 1  # None: no limit
    quiet_s: float = 0.0
    recall: Recall = Recall()
    procedure: Procedure = msgspec.field(default_factory=lambda: procedure_of("pt-csm"))
    offers: bool = False  # the machine presents a further card, which is drawn without a request
    at_work_s: float = 0.0  # seconds for which a person is still on his way or at work
    patience: Patience = msgspec.field(default_factory=Patience)
    log: RoundLog = NO_LOG  # the round's list

    def is_quiet_for(self, wait_s: float) -> bool:
        """True if nothing has changed for `wait_s` seconds. If False, the person is asked again at the time when the
        result may be True.
        """
        if self.quiet_s >= wait_s:
            return True
        self.patience.wait(wait_s)
        return False

    def is_left_alone_for(self, wait_s: float) -> bool:
        """True if nothing has changed for `wait_s` seconds and no person is on the way or at work. If False, the person
        is asked again at the earliest time at which both can be true.
        """
        if self.at_work_s > 0:
            self.patience.wait(max(wait_s, self.quiet_s + self.at_work_s))
            return False
        return self.is_quiet_for(wait_s)

    @property
    def seen(self) -> dict[str, int]:
        """The number of cards in each place as people see them, under the names of the book's places."""
        return self.sight.places(self.status.session)

    @cached_property
    def unbooked(self) -> Mapping[str, int]:
        """The number of cards seen minus the number in the book, for each place where they differ."""
        return differences(self.status.counts, self.seen)

    @property
    def book_has_caught_up(self) -> bool:
        """True if no entry waits, and if the book agrees with the seen cards or nothing has changed
        for LATE_S seconds.
        """
        return not self.status.journal.waiting and (not self.unbooked or self.is_quiet_for(LATE_S))

    @property
    def became(self) -> str:
        """The state of the round after an outage of the controller, as a value for the act that states it.

        "finished" if cards are put back after each round and the round's cards are in the rack; else "unchanged".
        """
        is_collected = self.procedure.put_back is PutBack.AFTER_EACH_ROUND and self.sight.rack and not self.sight.table
        return "finished" if is_collected else "unchanged"

    @property
    def another_session(self) -> bool:
        """True if more sessions are to be played after the present one."""
        return self.sessions is None or self.status.session_number < self.sessions

    @property
    def is_over(self) -> bool:
        """True once the last session is closed and all its duties are reported."""
        return self.status.session is SessionPhase.CLOSED and not self.another_session and not self.status.duties

    @property
    def deck_is_regular(self) -> bool:
        """True if the cards outside the machine are whole decks, as many of each back colour as the table has."""
        backs = self.procedure.back_colours
        each = self.choices.cards // 52 // backs
        piles = (self.sight.faces, self.sight.second_faces)[:backs]
        return not self.sight.foreign and all(len(faces) == 52 and {n for _, n in faces} == {each} for faces in piles)

    def feels(self, share: float, *about: object) -> bool:
        """True with probability `share`: the person wants `about` in this round. Equal arguments give equal results."""
        return self.choices.wish(self.status.session_number, self.status.round_number, *about) < share

    def ask(self, act: str, role: Role = Role.DEALER, /, **values: str) -> Ask | None:
        """Returns the act with these values if the controller permits it to this role and has not refused it; else
        None.
        """
        return self.asked(Ask(act, values, role))

    def agreement(self, role: Role) -> Ask | None:
        """Returns the act by which this role agrees to another person's request or correction.

        Returns None if no request or correction waits for this role, or if the table has refused the agreement in this
        state.
        """
        waiting = (one for one in self.status.waiting if role in one.who and one.person != self.person)
        for one in waiting:
            return self.asked(Ask(one.act, one.values, role, completes=True))
        return self.asked(Ask("agree-corrections", role=role, completes=True))

    def take_step(self, hold: ShownHold, role: Role) -> Ask | None:
        """Returns the act of the next step towards the hold's end, if this role may ask for it and no value is missing;
        else None.
        """
        known = (one for one in offered(self.status.plan(hold), role) if not one.asks)
        return next(filter(None, (self.ask(one.act, role, **one.values) for one in known)), None)

    def asked(self, ask: Ask) -> Ask | None:
        """Returns `ask` if the controller permits the act to the role in `ask`, and has not refused it in this state;
        else None.
        """
        if not self.status.allows(ask.act, ask.role) or self.recall.guard(ask) is not None:
            return None
        return ask


LATE_S = 5.0
"""Seconds after which a missing report of a device never comes; the controller raises a hold long before."""

STUCK_FEED_S = 8.0
"""Seconds after which the machine has refused the cards in its hopper."""

SETTLED_S = 0.5
"""Seconds without change before a person counts: by then all reports have come."""
