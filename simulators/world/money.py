"""Checks the money of a world's rounds: compares each settlement with an oracle that shares no code with the core.

Stakes and decisions come from the journal's acts, with people's corrections (oracles/stakes.py). Faces come from the
physical cards: each card counts in the hand at which it lies. After a fault that may have made the table's record of
cards differ from the physical cards, faces come from the record.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct, field

from controller.core.choices import DoubleOn, Faces, OthersFollow
from controller.core.games.blackjack.hands import Brings, Takings
from controller.core.games.blackjack.state import BlackjackState
from controller.core.hand_rules import HandRules
from controller.core.words import RoundPhase
from simulators.oracles import settle
from simulators.oracles.doubles import as_ruled
from simulators.oracles.export_entries import Entry, whole
from simulators.oracles.export_reader import Export
from simulators.oracles.put_right import CORRECTIONS
from simulators.oracles.stakes import Book, House, Stakes
from simulators.people.mislaid import Laid
from simulators.world.fault_kinds import FaultKind
from simulators.world.world import World

BANK: Final = 0
MISLEADING: Final = frozenset(
    (
        FaultKind.WRONG_READ,
        FaultKind.CARD_MISNAMED,
        FaultKind.WRONG_SEAT,
        FaultKind.FACE_UP_CARD,
        FaultKind.CARD_TAKEN_OUT,
    )
)
"""Faults after which a card on the table may differ from the table's record, or be missing."""

Key: TypeAlias = tuple[int, int]
"""The number of the bettor, and the seat at which he bets."""


class Card(NamedTuple):
    """One card with its seat, its hand, and its face, which is "" if unknown."""

    seat: int
    hand: int
    face: str


class _Seen(Struct, frozen=True):
    """The data of one durable state in which the money may have changed."""

    step: tuple[str, str]  # the step of session and round
    where: str
    bank: Fraction
    said: dict[Key, Fraction]  # the last settlement in the table's state
    cards: tuple[Card, ...]
    house: House
    choices: dict[str, object]


class Cashier(Struct):
    """Collects durable states of a table that follows hands, and judges the states by the acts in the journal."""

    world: World
    settled: int = 0  # the number of compared rounds
    stakes: Counter[str] = field(default_factory=Counter)  # the decisions in these rounds
    _seen: dict[int, _Seen] = field(default_factory=dict)  # by the number of the last entry
    _last: tuple[object, ...] = ()
    _rounds: int = 0

    def look(self, seq: int, durable: BlackjackState, _waiting: int) -> None:
        """Stores the durable state after entry `seq` if its step, takings or corrections have changed. After a closed
        damage of the journal stores no state.
        """
        if durable.table is None or FaultKind.DAMAGE_CLOSED in self.world.scene.kinds_met:
            return  # no record has the amounts that the damage destroyed
        if (news := _news(durable)) == self._last:
            return
        self._last = news
        cards = self._cards(durable) if durable.game.phase in _SETTLED else ()
        self._seen[seq] = _as_seen(self.world.plan.profile, durable, cards)
        if durable.house.tally.rounds > self._rounds and durable.game.phase is RoundPhase.SETTLED:
            self._rounds, self.settled = durable.house.tally.rounds, self.settled + 1
            self.stakes.update(_decided(durable))

    def _cards(self, state: BlackjackState) -> tuple[Card, ...]:
        if self.world.scene.kinds_met & MISLEADING:
            return _booked(state)
        room, booked = self.world.equipment.room, _booked(state)
        lying = tuple(_lying(sorted((*room.gone, *room.table), key=attrgetter("order"))))
        is_late = len(lying) < len(booked)  # hands moved cards before the table's record
        is_hidden = any(not card.face for card in lying if card.seat != BANK)  # a player's card was not turned
        return booked if is_late or is_hidden else lying

    def wrong(self, export: Export) -> list[str]:
        """Returns the differences between the table's money and the amounts that the law demands after the journal's
        acts.
        """
        judge = _Judge(self.world.plan.profile, self.world.crew.plan.procedure.player_cards is Faces.UP)
        for entry in export.entries if self._seen else ():
            judge.take(entry)
            if (seen := self._seen.get(entry.seq)) is not None:
                judge.compare(seen)
        return judge.found


def wrong_in(profile: str, record: Iterable[tuple[Entry, BlackjackState]]) -> list[str]:
    """Returns the differences for a table with a correct record of cards. `record`: each entry, with the state after
    it.
    """
    judge, last = _Judge(profile, lie_open=True), None
    for entry, state in record:
        judge.take(entry)
        if last != (last := _news(state)):
            judge.compare(_as_seen(profile, state, _booked(state) if state.game.phase in _SETTLED else ()))
    return judge.found


def _news(state: BlackjackState) -> tuple[object, ...]:
    return *_step(state), state.takings, state.log.corrected


def _step(state: BlackjackState) -> tuple[str, str]:
    return state.house.session.value, state.game.phase.value


def _as_seen(profile: str, state: BlackjackState, cards: tuple[Card, ...]) -> _Seen:
    where = f"money: session {state.house.session_number} round {state.game.number}"
    choices, bank = choices_of(profile, state.setup.hand_rules), _bank(state.takings)
    return _Seen(_step(state), where, bank, _said(state.takings.last), cards, _house(state), choices)


class _Judge(Struct):
    """Replays the journal's acts in a book of its own, and compares the table's money with it."""

    profile: str
    lie_open: bool  # the players' cards lie open: the amount of a surrendered hand is known at once
    book: Book = field(default_factory=Book)
    found: list[str] = field(default_factory=list)
    _step: tuple[str, str] = ("", "")
    _before: Fraction = Fraction(0)  # the bank's win before this round
    _bank: Fraction = Fraction(0)
    _chips: int = 0  # jackpot bets of this round in the pool
    _last_chips: int = 0  # jackpot bets of the last round
    _gains: dict[Key, Fraction] | None = None  # the gains of this round, once it is settled
    _settled: _Seen | None = None  # the round's state after its settlement
    _over: tuple[_Seen, dict[Key, Fraction]] | None = None  # the last round's state, and its gains
    _house: House | None = None
    _given_up: frozenset[tuple[Key, int]] = frozenset()  # stakes of surrendered hands, before the correction
    _is_decided: bool = (
        False  # decided by the bank's cards; the amounts are not due any more once the settlement is taken back
    )
    _corrected: int = 0
    _last: str = ""  # the kind of the last entry
    _is_void_by_card: bool = False  # the warning card has ended the round: amounts that stood then stay (br.dev.3b)

    def take(self, entry: Entry) -> None:
        """Adds the journal's next entry to the judge's own book."""
        if entry.kind in CORRECTIONS and self._house is not None:
            self._given_up = _given_up(self.book.stakes(self._house))
        self._chips += _chips_of(entry)
        self._last = entry.kind
        if told := self.book.take(entry):
            self.found.append(f"money: entry {entry.seq}: {told}")

    def compare(self, seen: _Seen) -> None:
        """Compares the table's money in the state `seen` with the judge's own book, which contains the same journal
        entries.
        """
        if seen.step != self._step:
            self._next_step(seen.step)
        if seen.step[1] == RoundPhase.IDLE:
            self._compare_over(seen)
            return
        stakes = self.book.stakes(seen.house)
        gains = self._gains_of(seen, stakes)
        self._house = seen.house
        if seen.step[1] in _SETTLED and not stakes.is_settled:
            self.book.differs = False  # the round is void: every stake goes back with all payments on it
        if self.book.corrected > self._corrected:
            self.book.differs = self.book.differs or self._differs(gains, _given_up(stakes))
        self._gains, self._corrected = gains, self.book.corrected
        self._settled = self._settled if gains is None else seen
        self._is_decided = gains is not None and self._judged(seen, stakes, 1) != self._judged(seen, stakes, None)
        self._bank = self._before - sum((gains or {}).values())
        if gains is not None and gains != seen.said:
            lying = " ".join(f"{card.seat}/{card.hand}:{card.face}" for card in seen.cards)
            self.found.append(f"{seen.where}: the table says {_shown(seen.said)}, the law {_shown(gains)}, of {lying}")
        self._compare_bank(seen)
        if gains is not None and seen.house.chips_are_said and self._chips != stakes.jackpot_bets:
            self.found.append(f"{seen.where}: the pool has {self._chips} bets of it, {stakes.jackpot_bets} were said")

    def _gains_of(self, seen: _Seen, stakes: Stakes) -> dict[Key, Fraction] | None:
        """Returns the gains by law of a settled round, or of a round that the warning card has made void. Returns None
        in any other round.
        """
        if stakes.is_settled:
            return self._judged(seen, stakes, None, stakes.side_bets)
        return self._judged(seen, stakes, None, is_void=True) if self._is_void_by_card else None

    def _compare_over(self, seen: _Seen) -> None:
        """Compares the bank's money between two rounds. First judges the last round again if it was corrected."""
        if self._over is not None and self.book.corrected > self._corrected:
            last, before = self._over
            stakes = self.book.stakes(last.house)
            gains = self._judged(last, stakes, None, stakes.side_bets)
            self._before += sum(before.values()) - sum(gains.values())
            self.book.differs, self._over, self._bank = gains != before, (last, gains), self._before
        self._corrected = self.book.corrected
        self._compare_bank(seen)

    def _next_step(self, step: tuple[str, str]) -> None:
        before, self._step = self._step[1], step
        self._is_void_by_card &= before != RoundPhase.IDLE
        if step[1] in _SETTLED and before not in _SETTLED:
            self._is_void_by_card = self._last == "report-warning-card"
        self.book.step()
        if step[1] == RoundPhase.IDLE and before != RoundPhase.IDLE:
            self.book.end_round()
            over, gains = self._settled, self._gains
            self._over = None if over is None or gains is None else (over, gains)
            self._before, self._gains, self._settled = self._bank, None, None
            self._last_chips, self._chips = self._chips, 0
        elif before == RoundPhase.IDLE and self._over is not None and self.book.corrected > self._corrected:
            self._play_on(*self._over)

    def _play_on(self, seen: _Seen, gains: dict[Key, Fraction]) -> None:
        """Continues the last round, which a correction has reopened: takes its settlement back."""
        self._before += sum(gains.values())
        self._gains, self._settled, self._chips, self._over = gains, seen, self._last_chips, None

    def _compare_bank(self, seen: _Seen) -> None:
        if seen.bank != self._bank:
            self.found.append(f"{seen.where}: the bank has {seen.bank} cents, by the bets it has {self._bank}")
            self._before += seen.bank - self._bank  # one report for each difference
            self._bank = seen.bank

    def _differs(self, gains: dict[Key, Fraction] | None, given_up: frozenset[tuple[Key, int]]) -> bool:
        """True if a correction has changed a paid amount, or in an unsettled round the amount of a surrendered hand."""
        if self._gains is None:
            return gains is None and self.lie_open and given_up != self._given_up
        return self._is_decided if gains is None else gains != self._gains

    def _judged(
        self,
        seen: _Seen,
        stakes: Stakes,
        up_to: int | None,
        side_bets: tuple[settle.SideBet, ...] = (),
        *,
        is_void: bool = False,
    ) -> dict[Key, Fraction]:
        """Returns the gain by law of each bettor at each seat, given the bank's first `up_to` cards (None for all)."""
        hands = tuple(_with_cards(hand, seen.cards) for hand in stakes.hands)
        bank = tuple(card.face for card in seen.cards if card.seat == BANK and card.face)[:up_to]
        played = settle.Round(self.profile, hands, bank, side_bets, seen.choices, is_void=is_void)
        awards = as_ruled(played, stakes.doubles_that_stay, on_eleven=seen.house.doubles_on_eleven).awards()
        return _summed(((int(award.bettor), award.seat), award.gain) for award in awards)


_SETTLED: Final = (RoundPhase.SETTLED, RoundPhase.COLLECTED, RoundPhase.PUTTING_BACK)


def _house(state: BlackjackState) -> House:
    """Returns the rules that the oracle of stakes needs: who decides at each seat, if other bettors must follow that
    decision, and if people state the jackpot chips.

    All flags are False at a table that follows cards alone.
    """
    deciders = {one.id.seat: one.holder for one in state.game.stakes.hands}
    rules = state.setup.hand_rules
    if rules is None:
        return House(deciders, splits_followed=False, doubles_followed=False, chips_are_said=False)
    its = rules.figures
    splits, doubles = its.others_split is OthersFollow.ALWAYS, its.others_double is OthersFollow.ALWAYS
    is_said = not state.setup.has_slots
    on_11 = its.double_on in {DoubleOn.ELEVEN, DoubleOn.ELEVEN_ALSO_SPLIT}
    return House(deciders, splits, doubles, is_said, on_11)


def _chips_of(entry: Entry) -> int:
    """Returns the number of jackpot bets that this entry adds to the pool; negative if bets are returned."""
    signs = {"jackpot-bets-collected": 1, "jackpot-bets-returned": -1}
    moves = (move for move in entry.moved if move.get("level", "pool") == "pool")
    return sum(signs.get(str(move["kind"]), 0) * whole(move, "bets") for move in moves)


def _given_up(stakes: Stakes) -> frozenset[tuple[Key, int]]:
    hands = (hand for hand in stakes.hands if hand.ended == "surrendered")
    return frozenset(((int(who), hand.seat), cents) for hand in hands for who, cents in hand.stakes.items())


def _with_cards(hand: settle.Hand, cards: tuple[Card, ...]) -> settle.Hand:
    place = hand.seat, hand.index
    mine = tuple((at, card.face) for at, card in enumerate(cards) if (card.seat, card.hand) == place)
    return replace(hand, cards=mine)


def _bank(takings: Takings) -> Fraction:
    return Fraction(takings.bank.pays, takings.bank.of)


def _lying(laid: Iterable[Laid]) -> Iterator[Card]:
    for one in laid:
        yield Card(one.seat, one.hand, "" if one.face_down else one.card.face)


def _booked(state: BlackjackState) -> tuple[Card, ...]:
    """Returns the cards of the table's record, in the order in which the oracle counts them: the first cards of each
    seat's hands 1 and 2 first (for bets on a pair), then those of hands that were collected early.
    """
    kept = [Card(one.id.seat, one.id.index, face) for one in state.game.stakes.hands for face in one.kept or ()]
    cards = (*kept, *(Card(one.seat, one.hand, one.card or "") for one in state.game.dealt))
    places = [(card.seat, card.hand) for card in cards]
    of_pairs = {places.index(place) for place in places if place[1] <= 2}
    at = sorted(range(len(cards)), key=lambda at: (at not in of_pairs, cards[at].hand if at in of_pairs else 0))
    return tuple(cards[one] for one in at)


def choices_of(profile: str, rules: HandRules | None) -> dict[str, object]:
    """Returns the house's values of the options that the profile's law leaves open, under the oracle's names; {}
    without `rules`.
    """
    if rules is None:
        return {}
    its = rules.figures
    chosen = {
        "prize_for_followers": its.special_prize_to_others,
        "prize_of_doubled": its.special_prize_of_doubled,
        "double_against_blackjack": "initial" if its.doubled_loses_first_stake else "all",
        "later_pairs": "new-stake" if its.any_pair_new_stake else "stake-stays",
        "over_under_ace": "choice" if its.over_under_ace_either else "one",
    }
    return {name: value for name, value in chosen.items() if name in settle.CHOICES[profile.partition("-")[0]]}


def _said(brought: Iterable[Brings]) -> dict[Key, Fraction]:
    return _summed(((one.bettor, one.hand.seat), one.amount.exact) for one in brought)


def _summed(gains: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    sums: dict[Key, Fraction] = {}
    for key, gain in gains:
        sums[key] = sums.get(key, Fraction(0)) + gain
    return {key: gain for key, gain in sums.items() if gain}


def _shown(gains: dict[Key, Fraction]) -> str:
    return ", ".join(f"{bettor} at {seat}: {gain}" for (bettor, seat), gain in sorted(gains.items())) or "nothing"


def _decided(state: BlackjackState) -> Iterator[str]:
    """Yields the name of each decision and bet of a round, for counting."""
    stakes = state.game.stakes
    yield from (f"ended {one.end.value}" for one in stakes.hands if one.end is not None)
    yield from ("split" for one in stakes.hands if one.id.index > 1)
    yield from ("doubled" for one in stakes.hands if one.is_doubled)
    yield from ("insured" for one in stakes.hands if one.insurances)
    yield from ("shared" for one in stakes.hands if len(one.bets) > 1)
    yield from ("side bet" for _ in stakes.side)
    yield from ("jackpot bet" for _ in state.game.jackpot.chips)
    yield from ("jackpot won" for _ in range(state.game.jackpot.is_hit))
