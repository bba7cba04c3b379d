"""Two people who act together try all of their acts, at a table that others play honestly.

The true course of play is recorded apart from the table's own record: each card with its owner, the ball's resting
place, and the bets by then. If the two records differ when money moves, people have caused that. The changes that came
with each person's acts show that person's part in it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

from controller.core.custody.state import DECK
from controller.core.house.holds import holds_of
from controller.core.house.money_at_stake import Money
from controller.core.house.permitted import offered
from controller.core.house.rule import ActRule
from controller.core.house.waiting import Waiting
from controller.core.words import HoldKind
from controller.protocol.values import ValueKind
from controller.runtime.act_values import asked_values, kind_of, may_be_left_out, words_of
from controller.scenario.people import PEOPLE
from controller.scenario.table_player import Stopped, TablePlayer

PLAYER: Final = "player"
"""The person without acts; the other person then tries every act alone."""

BETS: Final = ("straight-5", "straight-17", "red", "dozen-2", "split-17-20")
_OF_KIND: Final[Mapping[ValueKind, tuple[str, ...]]] = {
    ValueKind.SEAT: ("0", "1", "2", "3"),
    ValueKind.SEATS: ("1", "2", "1,2"),
    ValueKind.CARD: (*DECK, "JOKER"),
    ValueKind.CARDS: ("4D",),
    ValueKind.NUMBERS: ("52,52,52,52,52,52",),
    ValueKind.GRID: ("AC=6",),
    ValueKind.YES_NO: ("yes", "no"),
    ValueKind.AMOUNT: ("0", "5", "10", "20", "37.50", "100", "300", "9999"),
    ValueKind.DUTY: ("D1",),
    ValueKind.ENTRY: ("#1", "2"),
    ValueKind.TEXT: ("SRIJ 1", "00000000000000aa"),
}
_NAMED: Final = {"bet": BETS, "diameter_mm": ("20",), "chips": ("1", "2", "7", "900"), "player": ("1", "2")}


@dataclass
class Table(ABC):
    """A table with its physical truth, two accomplices who try everything, and honest people."""

    seed: int
    gang: tuple[str, str]
    player: TablePlayer[Any]
    last: tuple[str, str, dict[str, str]] = ("", "", {})
    # the persons who have made this round's record differ, or agreed
    hands_in_it: set[str] = field(default_factory=set)
    words: dict[Waiting, object] = field(
        default_factory=dict
    )  # honest first requests, and the table that they are about
    tried: dict[str, int] = field(default_factory=dict)  # by act: how often it was allowed to the two
    moved: int = 0  # how often money moved against the truth
    random: Random = field(init=False)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)  # noqa: S311 - the same evening for each seed

    def play(self, steps: int) -> None:
        honesty = self.random.choice((0.6, 0.8, 0.95))
        for _ in range(steps):
            if self.random.random() < _HALVES:
                self.ask_half()
            elif self.random.random() < honesty:
                self.go_on()
            else:
                self.try_something()

    @abstractmethod
    def go_on(self) -> None:
        """Plays the next honest step of the table."""

    @abstractmethod
    def begun(self) -> None:
        """Notes the beginning of a round or a spin."""

    @abstractmethod
    def lie(self) -> object:
        """Returns the difference between record and truth as a comparable value; None where there is none."""

    @abstractmethod
    def money(self) -> Mapping[str, object]:
        """Returns the money that an act may change, part by part."""

    @abstractmethod
    def has_moved(self, before: Mapping[str, object], lie: object, *, completes: bool) -> bool:
        """True where money has moved wrongly since `before`, while record and truth differ by `lie`.

        `completes`: the act was the second half of an act for two.
        """

    def say(self, person: str, act: str, **values: str) -> bool:
        """Lets an honest person ask for an act; returns False for a refused act, which has no effect."""
        return self._act(person, act, values)

    def agree_to_what_is_so(self) -> None:
        """Lets honest people agree, as second persons, to each waiting act that is true."""
        for one in self.player.state.house.waiting:
            names = asked_values(self.player.registry.act_named[one.act].act)
            values = {name: text for name, text in zip(names, _texts(one.values, names), strict=True) if text}
            for name in self.honest(*_POSTS):
                if PEOPLE[name][1] in one.second and PEOPLE[name][0] != one.person and self.is_so(one.act, values):
                    self.say(name, one.act, **values)

    @abstractmethod
    def is_so(self, act: str, values: Mapping[str, str]) -> bool:
        """True where a look at the physical table confirms the act with these values."""

    def honest(self, *names: str) -> tuple[str, ...]:
        """Returns the honest people among these people."""
        return tuple(name for name in names if name not in self.gang)

    def try_something(self) -> None:
        """Lets one of the two accomplices ask for a random act with random values."""
        person = self.random.choice([one for one in self.gang if one != PLAYER])
        rule = self.random.choice(self._acts_of(person))
        if self._act(person, rule.name, self._values(rule), is_tried=True):
            self.tried[rule.name] = self.tried.get(rule.name, 0) + 1

    def ask_half(self) -> None:
        """Lets an honest person ask for a random act for two, as one who errs, or who decides otherwise afterwards."""
        person = self.random.choice(self.honest(*_POSTS))
        rules = [rule for rule in self._acts_of(person) if rule.second is not None]
        if not rules:
            return
        rule, was = self.random.choice(rules), self.player.state.house.waiting
        if all(one.act != rule.name for one in was):  # his word is a first one
            self._act(person, rule.name, self._values(rule), errs=True)
        self.words |= {one: self.seen_for(one) for one in self.player.state.house.waiting if one not in was}

    def seen_for(self, _one: Waiting) -> object:
        """The part of the table that a waiting act is about, as two people see it; a game may name less."""
        return self.seen()

    def seen(self) -> object:
        """The table as two people at it see it: money, cards and chips, the step, and the reasons of its holds."""
        state = self.player.state
        holds = [(hold.id, hold.details) for hold in state.house.holds]
        return dict(self.money()), self.lie(), state.house.session, state.game.phase, state.game.number, holds

    def _act(
        self, person: str, act: str, values: Mapping[str, str], *, is_tried: bool = False, errs: bool = False
    ) -> bool:
        self.last = (person, act, dict(values))
        seen = {one: self.seen_for(one) for one in self.words}
        before, lie, was = self.money(), self.lie(), self.player.state.house.waiting
        rulings, number = len(holds_of(self.player.state, HoldKind.RULING)), self.player.state.game.number
        try:
            self.player.act(person, act, values)
        except Stopped:
            return False
        if self.player.refusal is not None:
            return False
        if self.player.state.game.number != number:
            self.begun()
        now = self.player.state.house.waiting
        self.words = {one: seen for one, seen in self.words.items() if one in was}
        first = next((one for one in was if one.act == act and one.person != PEOPLE[person][0]), None)
        completes = first is not None and first not in now
        rule = self.player.registry.act_named[act]
        changed = changed_parts(before, self.money())
        assert changed <= MAY_CHANGE[rule.money], (self.last, rule.money, changed)
        assert not changed or all(one in was for one in now if one.act == act), (self.last, changed)
        asks = len(holds_of(self.player.state, HoldKind.RULING)) > rulings
        is_word = rule.money in _WORDS and all(one in was for one in now)
        if (is_tried and (self.lie() != lie or completes or asks or is_word)) or (errs and now == was):
            self.hands_in_it.add(person)
        if completes and first is not None:
            assert self.words.get(first) == seen.get(first), (
                self.seed,
                self.last,
                "an honest word is about another table",
            )
            self.hands_in_it |= {one for one, (number, _) in PEOPLE.items() if number == first.person}
        if self.has_moved(before, lie, completes=completes):
            self.moved += 1
            assert errs or len(self.hands_in_it) >= _TWO, (self.seed, lie, self.last)
        return True

    def _acts_of(self, person: str) -> list[ActRule[Any, Any]]:
        """Returns the acts of the person's post.

        Among these every possible act again, acts about money several times.
        """
        role, registry, state = PEOPLE[person][1], self.player.registry, self.player.state
        own = [rule for rule in registry.acts if role in rule.asked_by(state)]
        now = [registry.act_named[act] for act, who in offered(registry, state) if role in who]
        return [*own, *(rule for rule in now for _ in range(1 if rule.money is Money.NONE else 8))]

    def _values(self, rule: ActRule[Any, Any]) -> dict[str, str]:
        waits = [one for one in self.player.state.house.waiting if one.act == rule.name]
        names = asked_values(rule.act)
        if waits and self.random.random() < _SAME:
            return {name: text for name, text in zip(names, _texts(waits[0].values, names), strict=False) if text}
        values = {name: self._value(rule, name) for name in names}
        return {name: text for name, text in values.items() if text is not None}

    def _value(self, rule: ActRule[Any, Any], name: str) -> str | None:
        if may_be_left_out(rule.act, name) and self.random.random() < _SAME:
            return None
        if name in _NAMED:
            return self.random.choice(_NAMED[name])
        kind = kind_of(rule.act, name)
        if kind is ValueKind.HOLD:
            holds = self.player.state.house.holds
            return f"H{self.random.choice(holds).id}" if holds else "H1"
        if kind is ValueKind.NUMBER:
            return self.random.choice(("0", "1", "2", "3", str(self.random.randrange(37))))
        return self.random.choice(words_of(rule.act, name) or _OF_KIND[kind])


def changed_parts(before: Mapping[str, object], after: Mapping[str, object]) -> set[str]:
    """Returns the parts of the money that have changed; a round's end does not count as a change."""
    return {part for part in after if OVER not in (after[part], before[part]) and after[part] != before[part]}


_TWO: Final = 2
_WORDS: Final = {Money.AGREED, Money.RULED}
_SAME: Final = 0.7
_HALVES: Final = 0.05
_POSTS: Final = ("dealer", "chief", "inspector", "manager")
OVER: Final = "over"
"""The value of a part that belongs to no present round."""


def _texts(values: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the values of the first of two acts as a person types them."""
    words = {"True": "yes", "False": "no"}
    texts = (words.get(text, text) for text in values)
    return tuple(
        f"{int(text) // 100}.{int(text) % 100:02}" if name == "amount" and text else text
        for name, text in zip(names, texts, strict=False)
    )


MAY_CHANGE: Final[Mapping[Money, frozenset[str]]] = {
    Money.NONE: frozenset(("owed",)),
    Money.LAID: frozenset(("laid", "chips", "pool", "owed")),
    Money.WORTH: frozenset(),
    Money.DECIDED: frozenset(("chosen", "faces", "owed", "laid")),
    Money.AT_ONCE: frozenset(("chosen", "owed")),
    Money.SEEN: frozenset(("faces", "owed", "result", "lying", "laid", "takings")),
    Money.NAMED: frozenset(("faces", "owed")),
    Money.CORRECTED: frozenset(("faces", "owed", "chosen")),
    Money.NOBODYS: frozenset(("owed",)),
    Money.ENTRY: frozenset(
        (
            "faces",
            "owed",
            "chosen",
            "laid",
            "chips",
            "pool",
            "lying",
            "takings",
            "paid",
            "result",
            "raised",
            "exchanged",
            "voided",
        )
    ),
    Money.AGREED: frozenset(),
    Money.RULED: frozenset(("faces", "owed", "chosen", "voided", "pool", "chips", "result", "laid", "takings")),
    Money.HALVES: frozenset(("faces", "owed", "chosen", "voided", "pool", "chips", "laid", "takings")),
    Money.PAID: frozenset(("takings", "paid", "exchanged")),
    Money.ROUNDED: frozenset(("chosen", "takings")),
    Money.PRIZE: frozenset(("owed", "pool", "paid")),
    Money.CHIPS: frozenset(("laid", "lying", "takings")),
    Money.SIGN: frozenset(("raised", "owed")),
    Money.POOL: frozenset(("pool", "owed")),
    Money.PARAMETERS: frozenset(("pool", "owed")),
    Money.RECEIPT: frozenset(),
}
"""The parts of money that an act of each kind may change at once."""
