"""The narrators of a demo: they print rounds, alerts with their ends, and the posts that a visitor takes over."""

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from controller.catalogue import has_key, placeholders, sentence
from controller.core.words import Purpose, Role, RoundPhase, SessionPhase
from controller.protocol.lines import Answer
from simulators.demo.heard import Heard
from simulators.demo.incidents import ByPeople, Dispute
from simulators.demo.money_teller import MoneyTeller
from simulators.demo.slips import DECISIONS
from simulators.demo.talk import Ink, Talk
from simulators.oracles.export_entries import Entry
from simulators.people import hands
from simulators.people.mislaid import Laid
from simulators.people.status import TableStatus, offered


class Asking(Protocol):
    """An act for which a scripted person asks, at a card table or a wheel."""

    @property
    def act(self) -> str: ...

    @property
    def values(self) -> Mapping[str, str]: ...

    @property
    def gives_pin(self) -> bool: ...

    @property
    def words(self) -> tuple[str, ...]: ...


class Narrator:
    """The receiver of a demo's events. The base class prints only that the controller has ended."""

    def __init__(self, talk: Talk, heard: Heard | None = None) -> None:
        """`heard`: the teller of players' wishes if a person acts at the page; otherwise None."""
        self._talk, self.heard = talk, heard

    def look(self, status: TableStatus, entries: Iterable[Entry]) -> None:
        """Receives the table's present status, and the journal entries since the last call."""

    def hand(self, hand: hands.HandAct, laid: Sequence[Laid]) -> None:
        """Receives the deed `hand` of a scripted person. `laid`: the cards that this deed has laid on the table."""

    def act(self, role: Role, ask: Asking, answer: Answer) -> None:
        """Receives the act `ask` of the scripted person in the post `role`, and the controller's answer."""

    def your_turn(self, guest: int, ask: Asking) -> None:
        """Receives the act `ask` that is due at a post held by a visitor, and that no scripted person does. `guest`:
        the visitor's number.
        """

    def prank(self, prank: ByPeople) -> None:
        """Receives a prank at a device, or a player's dispute."""

    def controller_died(self, exit_code: int | None) -> None:
        """Prints that the controller has ended with `exit_code` and is being restarted."""
        self._talk.say("controller.died", Ink.ALERT, code=str(exit_code))


class _Hints:
    """Remembers the steps printed for each visitor, so that a step is printed only once in each state of the table."""

    def __init__(self) -> None:
        self._digest = ""
        self._here: set[tuple[int, tuple[str, ...]]] = set()
        self._last: dict[int, tuple[str, ...]] = {}

    def at(self, digest: str) -> None:
        """Stores the digest of the table's present state. In a new state earlier steps may be printed again."""
        if digest != self._digest:
            self._digest = digest
            self._here.clear()

    def are_new(self, guest: int, words: tuple[str, ...], *, in_each_state: bool = False) -> bool:
        """Returns True if the step `words` should be printed for the visitor `guest`, and remembers it as printed.

        In one state of the table each step is printed once. In a new state the step that was printed last is printed
        again only with `in_each_state`.
        """
        is_new = self.would_be_new(guest, words, in_each_state=in_each_state)
        self._here.add((guest, words))
        self._last[guest] = words
        return is_new

    def would_be_new(self, guest: int, words: tuple[str, ...], *, in_each_state: bool = False) -> bool:
        """Returns the same result as `are_new`, and remembers nothing."""
        is_same = self._last.get(guest) == words and not in_each_state
        return not is_same and (guest, words) not in self._here


_DIFFERS_BY_HAND = (SessionPhase.MIXED, SessionPhase.LOADED, SessionPhase.UNLOADING)
"""The phases with other work at a table without a shuffler."""


class Storyteller(Narrator):
    """Prints a demo to a visitor in plain words: session, round, cards, money, holds, main acts, and the visitor's next
    step.
    """

    def __init__(self, talk: Talk, chief: int, dealer: int, heard: Heard | None = None) -> None:
        """`chief` and `dealer`: the numbers under which a visitor acts at these posts. A trainee acts under the
        dealer's number.
        """
        super().__init__(talk, heard)
        self._chief = chief
        self._guests = (chief, dealer)
        self._holds: dict[str, float] = {}
        self._session = ""
        self._round = 0
        self._cards: list[str] = []
        self._hints = _Hints()
        self._refusals: set[tuple[str, str]] = set()
        self._phase = RoundPhase.IDLE
        self._money = MoneyTeller(talk, tells_decisions=heard is None)

    def look(self, status: TableStatus, entries: Iterable[Entry]) -> None:
        """Prints the changes in `status` since the last call: visitors' acts, session, round, money and holds."""
        for entry in entries:
            if entry.number("person") in self._guests:
                self._tell_guest(entry)
        if status.session != self._session:
            self._session = status.session
            is_by_hand = status.shoe is not None and status.session in _DIFFERS_BY_HAND
            key = f"session.{status.session}" + (".by-hand" if is_by_hand else "")
            self._talk.say(key, Ink.STEP, number=str(status.session_number))
        self._hints.at(status.state_digest)
        self._tell_round(status)
        self._money.look(status, entries, self._tell_cards)
        self._tell_holds(status)

    def hand(self, hand: hands.HandAct, laid: Sequence[Laid]) -> None:
        """Prints the deed `hand`, if there is a message for it. Remembers the dealt cards `laid`, and prints all cards
        of the round in one line once the cards are collected.
        """
        for card in laid:
            self._cards.append(_card_text(card, self._talk))
        if isinstance(hand, hands.PullCard) and hand.purpose is Purpose.BURN:
            self._talk.say("hand.burn", Ink.PLAIN)
        if isinstance(hand, hands.CollectTable):
            self._tell_cards()
        key = f"hand.{hands.word_of(hands.name_of(hand))}"
        if self._talk.knows(key):
            values = {"to": hand.to.value} if isinstance(hand, hands.FreeJam) else {}
            device = {"device": hand.device.value} if isinstance(hand, hands.Plug) else {}
            self._talk.say(key, Ink.HAND, **values, **device)

    def act(self, role: Role, ask: Asking, answer: Answer) -> None:
        """Prints the accepted act `ask` if the act is about a hold or one of a few others. Prints each refusal only
        once a round.
        """
        if answer.refusal is not None:
            if (told := (ask.act, answer.refusal.reason)) in self._refusals:
                return
            self._refusals.add(told)
            self._talk.say("act.refused", Ink.PLAIN, who=role.value, act=ask.act, reason=answer.refusal.reason)
        elif answer.ok and ("hold" in ask.values or ask.act in _TOLD):
            values = " ".join(f"{name}={value}" for name, value in ask.values.items())
            act = (ask.act, values) if self.heard is None else (self._talk.label(ask.act), "")
            who = sentence(f"role.{role.value}", (), self._talk.language)
            self._talk.say("act.done", Ink.HAND, who=who, act=act[0], values=act[1])

    def your_turn(self, guest: int, ask: Asking) -> None:
        """Prints, once, the `sabot` command with which the visitor `guest` does the act `ask`.

        For a trainee at the page prints the player's wish instead, unless the act is a bet, which `Heard.bets` prints.
        """
        if self.heard is not None:
            is_decided = ask.act in DECISIONS  # a player may want the same again
            is_new = ask.act != "place-bet" and self._hints.would_be_new(guest, ask.words, in_each_state=is_decided)
            if is_new and self.heard.tell(ask):
                self._hints.are_new(guest, ask.words, in_each_state=is_decided)
            return
        if not self._hints.are_new(guest, ask.words):
            return
        person = guest if ask.gives_pin else None
        self._talk.say("guest.next", Ink.GUEST, command=self._talk.act_command(ask.act, person, ask.values))

    def prank(self, prank: ByPeople) -> None:
        """Prints the prank at once."""
        if isinstance(prank, Dispute):
            self._talk.say("prank.dispute", Ink.ALERT)
        else:
            key = "prank.cable" if prank.pulls_cable else "prank.power"
            self._talk.say(key, Ink.ALERT, device=prank.device.value)

    def _tell_guest(self, entry: Entry) -> None:
        """Prints an accepted act of a visitor who is no trainee. Prints the reason of any visitor's refused act."""
        values = {"act": entry.kind, "person": str(entry.number("person"))}
        if entry.refusal is None:
            if self.heard is None:  # a trainee looks at the page
                self._talk.say("guest.acted", Ink.GUEST, **values)
            return
        key, language = f"guard.{entry.refusal.reason}.reason", self._talk.language
        is_told = has_key(key) and not placeholders(key, language)
        reason = sentence(key, (), language) if is_told else self._talk.text("guest.page-says-why")
        clause = entry.refusal.clause or self._talk.text("train.ours")
        if self.heard is not None:
            self._talk.say(
                "practice.refused", Ink.ALERT, label=self._talk.label(entry.kind), reason=reason, clause=clause
            )
            return
        self._talk.say("guest.refused", Ink.ALERT, reason=reason, clause=clause, **values)

    def _tell_round(self, status: TableStatus) -> None:
        if status.round_number != self._round and status.seats and status.round is not RoundPhase.BETTING:
            self._round = status.round_number
            self._refusals.clear()
            bets = self._money.bets(status) or ", ".join(map(str, status.seats))
            self._talk.say("round", Ink.STEP, number=str(self._round), seats=bets)
        if status.round is not self._phase:
            self._phase = status.round
            if status.round is RoundPhase.PLAYING:
                self._tell_cards()

    def _tell_cards(self) -> None:
        if self._cards:
            self._talk.say("round.cards", Ink.PLAIN, cards="  ".join(self._cards))
        self._cards.clear()

    def _tell_holds(self, status: TableStatus) -> None:
        now_s = time.monotonic()
        for hold in status.holds:
            if hold.id not in self._holds:
                self._holds[hold.id] = now_s
                self._tell_cards()
                self._talk.say("hold.raised", Ink.ALERT, id=hold.id, text=hold.text)
                if self.heard is not None:
                    self.heard.tell_hold(is_his=any(offered(hold.plan, Role.DEALER)))
                elif offer := next(offered(hold.plan, Role.CHIEF_SUPERVISOR), None):
                    values = offer.values | dict.fromkeys(offer.asks, "...")
                    command = self._talk.act_command(offer.act, self._chief, values)
                    self._talk.say("hold.take-over", Ink.GUEST, command=command)
        for number in [number for number in self._holds if all(hold.id != number for hold in status.holds)]:
            lasted = now_s - self._holds.pop(number)
            self._talk.say("hold.ended", Ink.GOOD, id=number, seconds=f"{lasted:.0f}")


_TOLD = frozenset(
    {
        "call-for-ruling",
        "make-ruling",
        "state-cards-moved",
        "state-count",
        "state-outage",
        "confirm-outage",
        "name-card",
        "replace-card",
        "decide-complaint",
        "record-complaint",
        "report-damaged-card",
        "report-duty",
        "propose-irregular-closing",
        "confirm-irregular-closing",
    }
)


def _card_text(laid: Laid, talk: Talk) -> str:
    where = talk.text("cards.bank" if laid.seat == 0 else "cards.seat").format(seat=laid.seat)
    text = f"{where} {'--' if laid.face_down else laid.card.face}"
    return text.replace(" ", "\N{NO-BREAK SPACE}")  # no line break within it


class Reporter(Narrator):
    """The narrator for `--json`: prints a few lines about the demo's progress on stderr."""

    def __init__(self, talk: Talk, heard: Heard | None = None) -> None:
        super().__init__(talk, heard)
        self._told: tuple[str, int] = ("", 0)
        self._holds: frozenset[str] = frozenset()
        self._hints = _Hints()

    def look(self, status: TableStatus, _entries: Iterable[Entry]) -> None:
        """Prints each new step of the session, every tenth round, and each new hold."""
        self._hints.at(status.state_digest)
        told = (str(status.session), status.round_number // 10 * 10)
        if told != self._told:
            self._told = told
            session = sentence(f"state.session.{status.session}", (), self._talk.language)
            self._talk.say("progress", Ink.PLAIN, session=session, number=str(status.round_number))
        holds = frozenset(hold.id for hold in status.holds)
        for hold in status.holds:
            if hold.id not in self._holds:
                self._talk.say("hold.raised", Ink.PLAIN, id=hold.id, text=hold.text)
        self._holds = holds

    def your_turn(self, guest: int, ask: Asking) -> None:
        """Prints the act `ask`, for which the table waits, to the visitor `guest`, once in each state of the table."""
        if self._hints.are_new(guest, ask.words, in_each_state=True):
            self._talk.plain(f"your turn: {guest} {' '.join(ask.words)}")
