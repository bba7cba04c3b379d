"""A person's next deed, and his knowledge when he decides it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

import msgspec

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


@dataclass(frozen=True, slots=True)
class Ask:
    """An act asked for through the controller's socket. A dealer at the table asks without his number for most."""

    act: str
    values: Mapping[str, str] = field(default_factory=dict)
    role: Role = Role.DEALER  # of who asks
    completes: bool = False  # a second person's word: it takes the PIN

    @property
    def gives_pin(self) -> bool:
        """True where it comes with number and PIN."""
        return self.completes or self.role is not Role.DEALER or self.act in _WITH_OWN_PIN

    @property
    def words(self) -> tuple[str, ...]:
        """The act and its values: what was asked, as one comparable thing. Of a second person's word also whose."""
        whose = (f"by={self.role.value}",) if self.completes else ()
        return self.act, *(f"{name}={value}" for name, value in sorted(self.values.items())), *whose

    @property
    def told(self) -> str:
        return "asks: " + " ".join(self.words)


@dataclass(frozen=True, slots=True)
class Touch:
    """A physical act."""

    hand: HandAct

    @property
    def told(self) -> str:
        return "hands: " + told(self.hand)


Doing: TypeAlias = Ask | Touch | None
"""None: there is nothing to do for this person now."""


@dataclass(frozen=True, slots=True)
class Recall:
    """The controller's answers in exactly this state of the table (by its digest); any change empties it.

    It is no memory of steps: that an act was refused, or was the last one done, in this very state stays true.
    """

    refused: Mapping[tuple[str, ...], str] = field(default_factory=dict)  # `Ask.words`: the guard that failed
    last_done: str | None = None
    last_words: tuple[str, ...] = ()  # `Ask.words` of the same

    def guard(self, ask: Ask) -> str | None:
        """The guard that refused this act, with these values, in this state."""
        return self.refused.get(ask.words)


OUT_OF_TURN = "place_is_in_turn"
"""The guard that refuses a place that was passed over: a card lies wrongly, or that player has had his turn."""


@dataclass(slots=True)
class Patience:
    """When somebody who has found nothing to do must look again though nothing changes: what he waits for."""

    until_s: float | None = None  # of quiet

    def wait(self, until_s: float) -> None:
        self.until_s = until_s if self.until_s is None else min(self.until_s, until_s)


class View(msgspec.Struct, frozen=True, dict=True):
    """Everything that a person goes by. `quiet_s`: since when nothing that he sees has changed."""

    status: TableStatus
    sight: Sight
    choices: Choices
    person: int  # his number in the staff file
    rounds: int  # of a session
    sessions: int | None = 1  # None: for as long as people come
    quiet_s: float = 0.0
    recall: Recall = Recall()
    procedure: Procedure = msgspec.field(default_factory=lambda: procedure_of("pt-csm"))
    offers: bool = False  # a further card lies ready for the hand whose turn it is: drawing it is the asking
    at_work_s: float = 0.0  # somebody is on his way, or busy with something, for so long from now
    patience: Patience = msgspec.field(default_factory=Patience)
    log: RoundLog = NO_LOG  # the round's list

    def is_quiet_for(self, wait_s: float) -> bool:
        """True where nothing has changed for so long; if not, the person waits for that."""
        if self.quiet_s >= wait_s:
            return True
        self.patience.wait(wait_s)
        return False

    def is_left_alone_for(self, wait_s: float) -> bool:
        """The same, and nobody is on his way or at work either."""
        if self.at_work_s > 0:
            self.patience.wait(max(wait_s, self.quiet_s + self.at_work_s))
            return False
        return self.is_quiet_for(wait_s)

    @property
    def seen(self) -> dict[str, int]:
        """The cards by place, as people would write them in the book."""
        return self.sight.places(self.status.session)

    @cached_property
    def unbooked(self) -> Mapping[str, int]:
        """Where what is seen and what the table's book says differ; compared once a look."""
        return differences(self.status.counts, self.seen)

    @property
    def book_has_caught_up(self) -> bool:
        """True where all is recorded, and nothing is on its way from a device or so late that it will not come."""
        return not self.status.journal.waiting and (not self.unbooked or self.is_quiet_for(LATE_S))

    @property
    def became(self) -> str:
        """The round's fate while the controller was down: where its cards are in the rack, it was finished."""
        is_collected = self.procedure.put_back is PutBack.AFTER_EACH_ROUND and self.sight.rack and not self.sight.table
        return "finished" if is_collected else "unchanged"

    @property
    def another_session(self) -> bool:
        """True where the closed table opens once more."""
        return self.sessions is None or self.status.session_number < self.sessions

    @property
    def is_over(self) -> bool:
        """True where everything is played, closed and reported."""
        return self.status.session is SessionPhase.CLOSED and not self.another_session and not self.status.duties

    @property
    def deck_is_regular(self) -> bool:
        """True where the cards outside the machine are the whole deck set, of each back colour, and nothing else."""
        backs = self.procedure.back_colours
        each = self.choices.cards // 52 // backs
        piles = (self.sight.faces, self.sight.second_faces)[:backs]
        return not self.sight.foreign and all(len(faces) == 52 and {n for _, n in faces} == {each} for faces in piles)

    def feels(self, share: float, *about: object) -> bool:
        """True where a person feels like it in this round; so many of those who are asked do."""
        return self.choices.wish(self.status.session_number, self.status.round_number, *about) < share

    def ask(self, act: str, role: Role = Role.DEALER, /, **values: str) -> Ask | None:
        """The act with these values, if `asked` lets it be."""
        return self.asked(Ask(act, values, role))

    def agreement(self, role: Role) -> Ask | None:
        """A second person's word to what another person has asked for, or to another person's correction."""
        waiting = (one for one in self.status.waiting if role in one.who and one.person != self.person)
        for one in waiting:
            return self.asked(Ask(one.act, one.values, role, completes=True))
        return self.asked(Ask("agree-corrections", role=role, completes=True))

    def take_step(self, hold: ShownHold, role: Role) -> Ask | None:
        """The screen's next step to the hold's end for this role, if nothing is left to be filled in."""
        known = (one for one in offered(self.status.plan(hold), role) if not one.asks)
        return next(filter(None, (self.ask(one.act, role, **one.values) for one in known)), None)

    def asked(self, ask: Ask) -> Ask | None:
        """The act, if the controller allows it to this role and has not refused it in this very state."""
        if not self.status.allows(ask.act, ask.role) or self.recall.guard(ask) is not None:
            return None
        return ask


LATE_S = 5.0
"""A device's report that has not come after so long will not come; the controller holds long before."""

STUCK_FEED_S = 8.0
"""The machine has not taken the cards in its hopper for so long: it does not want them."""

SETTLED_S = 0.5
"""Nothing has changed for so long: what was on its way has come. Before a person counts, he waits for that."""
