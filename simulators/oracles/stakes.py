"""Computes the stakes of a round of cards from people's acts alone: bets, side bets, and decisions on the hands.

A correction that two people have agreed on is applied: the corrected round is played again from its first bet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from simulators.oracles.export_entries import Entry
from simulators.oracles.put_right import ABOUT_THE_LIST, CORRECTIONS, Acts
from simulators.oracles.settle import Hand, SideBet

PUT_RIGHT: Final = frozenset(
    (
        *(
            "announce-no-more-bets",
            "change-bet",
            "claim-five-cards",
            "collect-cards",
            "collect-hand",
            "collect-jackpot-bets",
        ),
        *("confirm-settled", "double-down", "draw-card", "insure", "move-card", "place-bet", "place-jackpot-bet"),
        *("place-side-bet", "raise-jackpot", "replace-card", "report-damaged-card", "report-extra-card"),
        *("report-face-up-card", "report-hole-exposed", "report-misdealt", "report-warning-card", "retract-card"),
        *("split-pair", "stand", "surrender", "take-bets", "take-even-money", "take-side-bet-down", "withdraw-bet"),
        *("withdraw-jackpot-bet", "withdraw-side-bet"),
    )
)
"""Acts that two people may correct."""

_PAYING_ON: Final = frozenset(("confirm-settled", "collect-cards", "begin-putting-back", "leave-in-rack"))
_KINDS: Final = {"any-pair": "pair"}
"""Side bets with another name in the check of settlements."""


class House(NamedTuple):
    """The house's rules on seats with several bettors, and on jackpot chips.

    `deciders`: by seat, the bettor who decides for the seat's hands. `splits_followed`, `doubles_followed`: the seat's
    other bettors must follow a split, or a doubling. `chips_are_said`: people state the jackpot chips, since the table
    has no slots. `doubles_on_eleven`: in Macau, only two cards that total 11 may be doubled (mo.17.2).
    """

    deciders: Mapping[int, int]
    splits_followed: bool
    doubles_followed: bool
    chips_are_said: bool
    doubles_on_eleven: bool = False


@dataclass(slots=True)
class _Played:
    """One hand during the round, with its stakes."""

    seat: int
    index: int
    decider: int
    stakes: dict[int, int]
    doubled: set[int] = field(default_factory=set)
    insured: dict[int, int] = field(default_factory=dict)
    ended: str = ""
    split_from: int = 1
    double_stays: bool = False  # people have ruled that it stays
    double_went: bool = False  # its card was taken away before any such ruling

    def shown(self) -> Hand:
        """Returns the hand without cards, as the check of settlements needs it. The bettor who decides comes first."""
        stakes = sorted(self.stakes.items(), key=lambda one: one[0] != self.decider)
        doubled, insured = frozenset(map(str, self.doubled)), {str(who): cents for who, cents in self.insured.items()}
        named = {str(who): cents for who, cents in stakes}
        return Hand(self.seat, self.index, named, (), doubled, insured, self.ended, self.split_from)


@dataclass(slots=True)
class Stakes:
    """The bets and hands of one round, computed from people's acts alone."""

    house: House
    is_settled: bool = False
    _laid: list[tuple[int, int, int]] = field(default_factory=list)  # seat, bettor, cents
    _side: list[tuple[int, int, str, int]] = field(default_factory=list)  # seat, bettor, kind, cents
    _hands: list[_Played] = field(default_factory=list)
    _chips: set[tuple[int, int]] = field(default_factory=set)  # for the jackpot: seat, bettor
    _marked: set[int] = field(default_factory=set)  # seats whose chips are collected
    _asked: tuple[int, int] = (0, 1)  # the seat and the hand that asked for the last card

    @property
    def jackpot_bets(self) -> int:
        """The number of bets that were added to the jackpot's pool; 0 until the last chip is collected."""
        return len(self._chips) if {seat for seat, _ in self._chips} <= self._marked else 0

    @property
    def hands(self) -> tuple[Hand, ...]:
        return tuple(one.shown() for one in self._hands)

    @property
    def doubles_that_stay(self) -> frozenset[tuple[int, int]]:
        """Seat and number of each hand whose double stays by people's ruling, whatever its cards are."""
        found = (one for one in self._hands if one.double_stays and not one.double_went)
        return frozenset((one.seat, one.index) for one in found)

    @property
    def side_bets(self) -> tuple[SideBet, ...]:
        return tuple(SideBet(str(who), _KINDS.get(kind, kind), seat, cents) for seat, who, kind, cents in self._side)

    def take(self, entry: Entry) -> None:
        """Applies one act of the round that no correction has withdrawn. Ignores an act without a bet or a decision on
        stakes.
        """
        if (taken := _TAKES.get(entry.kind)) is not None:
            taken(self, entry)
        if entry.kind in _ASKING:
            self._asked = entry.number("seat"), entry.number("hand") or 1

    # ---- bets

    def lay(self, entry: Entry) -> None:
        self._laid.append((entry.number("seat"), _bettor(entry), entry.number("amount")))
        self._deal()

    def withdraw(self, entry: Entry) -> None:
        """Removes a bet with its jackpot chip, and the side bets of a seat or bettor that has no bet left."""
        place = entry.number("seat"), _bettor(entry)
        self._laid = [one for one in self._laid if one[:2] != place]
        seats, bettors = {seat for seat, _, _ in self._laid}, {bettor for _, bettor, _ in self._laid}
        self._side = [one for one in self._side if one[0] in seats and one[1] in bettors]
        self._chips -= {place}
        self._deal()

    def change(self, entry: Entry) -> None:
        """Gives a bettor's bets at a seat another amount, as one bet. The bettor's side bets and jackpot chip stay."""
        place = entry.number("seat"), _bettor(entry)
        first = next((at for at, one in enumerate(self._laid) if one[:2] == place), len(self._laid))
        others = [one for one in self._laid if one[:2] != place]
        self._laid = [*others[:first], (*place, entry.number("amount")), *others[first:]]
        self._deal()

    def cancel(self, _entry: Entry) -> None:
        self._laid, self._side, self._hands, self._chips = [], [], [], set()

    def lay_aside(self, entry: Entry) -> None:
        self._side.append((entry.number("seat"), _bettor(entry), entry.text("bet"), entry.number("amount")))

    def withdraw_aside(self, entry: Entry) -> None:
        back = entry.number("seat"), _bettor(entry), entry.text("bet")
        self._side = [one for one in self._side if one[:3] != back]

    def lay_chip(self, entry: Entry) -> None:
        self._chips.add((entry.number("seat"), _bettor(entry)))

    def take_chip(self, entry: Entry) -> None:
        self._chips.discard((entry.number("seat"), _bettor(entry)))

    def collect_chips(self, entry: Entry) -> None:
        named = {seat for seat in entry.items("seats") if isinstance(seat, int)}
        self._marked |= named or {seat for seat, _ in self._chips}

    def _deal(self) -> None:
        """Makes one hand for each seat, as before any decision. Adds several bets of one bettor at a seat together."""
        self._hands = []
        for seat in sorted({seat for seat, _, _ in self._laid}):
            stakes: dict[int, int] = {}
            for at, bettor, cents in self._laid:
                if at == seat:
                    stakes[bettor] = stakes.get(bettor, 0) + cents
            self._hands.append(_Played(seat, 1, self.house.deciders.get(seat, seat), stakes))

    # ---- decisions

    def split(self, entry: Entry) -> None:
        for hand in self._meant(entry):
            index = 1 + max(one.index for one in self._hands if one.seat == hand.seat)
            follow = self._following(entry, hand, always=self.house.splits_followed)
            stakes = {who: cents for who, cents in hand.stakes.items() if who in follow}
            self._hands.append(_Played(hand.seat, index, hand.decider, stakes, split_from=hand.index))

    def double(self, entry: Entry) -> None:
        for hand in self._meant(entry):
            hand.doubled = self._following(entry, hand, always=self.house.doubles_followed)
            hand.double_stays = hand.double_went = False

    def insure(self, entry: Entry) -> None:
        for hand in self._meant(entry):
            hand.insured[entry.number("bettor") or hand.decider] = entry.number("amount")

    def rule(self, entry: Entry) -> None:
        """Applies a ruling to doubles. If play continues, all doubles stay; if a card is taken away, its double goes,
        too.
        """
        if entry.text("outcome") == "continue":
            for hand in self._hands:
                hand.double_stays = True
        elif entry.text("outcome") in _AWAY and isinstance(entry.body.get("seat"), int):
            self._lose(entry.number("seat"), entry.number("hand") or 1)
        elif entry.text("outcome") in _AWAY:
            self._lose(*self._asked)

    def lose_last(self, _entry: Entry) -> None:
        """Takes the card dealt last away from its hand."""
        self._lose(*self._asked)

    def name(self, entry: Entry) -> None:
        """Gives a card another name. Earlier rulings no longer let a double of its seat stay, since they were about
        another card.
        """
        for hand in self._hands:
            if hand.seat == entry.number("seat"):
                hand.double_stays = False

    def _lose(self, seat: int, index: int) -> None:
        for hand in self._hands:
            if (hand.seat, hand.index) == (seat, index) and hand.doubled and not hand.double_stays:
                hand.double_went = True

    def end_hand(self, entry: Entry) -> None:
        for hand in self._meant(entry):
            hand.ended = _ENDED[entry.kind]

    def settle(self, _entry: Entry) -> None:
        self.is_settled = True

    def _meant(self, entry: Entry) -> Iterator[_Played]:
        place = entry.number("seat"), entry.number("hand") or 1
        return iter([hand for hand in self._hands if (hand.seat, hand.index) == place])

    def _following(self, entry: Entry, hand: _Played, *, always: bool) -> set[int]:
        others = {*entry.items("others"), hand.decider}
        return {who for who in hand.stakes if always or who in others}


def _bettor(entry: Entry) -> int:
    return entry.number("bettor") or entry.number("seat")


_ENDED: Final = {"take-even-money": "even-money", "surrender": "surrendered", "claim-five-cards": "five-cards"}
_AWAY: Final = frozenset(("card-discarded", "card-to-next", "turn-given-back"))
"""Rulings that take a card away, or that ask a hand again which has lost one."""

_ASKING: Final = frozenset(("draw-card", "double-down"))
_TAKES: Final[Mapping[str, Callable[[Stakes, Entry], None]]] = {
    "place-bet": Stakes.lay,
    "change-bet": Stakes.change,
    "withdraw-bet": Stakes.withdraw,
    "cancel-bets": Stakes.cancel,
    "place-side-bet": Stakes.lay_aside,
    "withdraw-side-bet": Stakes.withdraw_aside,
    "place-jackpot-bet": Stakes.lay_chip,
    "withdraw-jackpot-bet": Stakes.take_chip,
    "collect-jackpot-bets": Stakes.collect_chips,
    "split-pair": Stakes.split,
    "double-down": Stakes.double,
    "insure": Stakes.insure,
    "confirm-settled": Stakes.settle,
    "make-ruling": Stakes.rule,
    "rename-card": Stakes.name,
    **dict.fromkeys(("retract-card", "move-card", "report-misdealt", "report-extra-card"), Stakes.lose_last),
    **dict.fromkeys(_ENDED, Stakes.end_hand),
}


@dataclass(slots=True)
class Book:
    """The acts of a card table with people's corrections applied."""

    differs: bool = False  # a correction has changed amounts, and two people have not confirmed their settlement
    corrected: int = 0  # the number of corrected entries
    _acts: Acts = field(default_factory=lambda: Acts(PUT_RIGHT))
    # by act: the first person's statement, which waits for a second person
    _asked: dict[str, Entry] = field(default_factory=dict)

    def take(self, entry: Entry) -> str:
        """Adds the journal's next entry. Returns the fault in it, or ""."""
        if entry.refused:
            return ""
        if entry.kind in ABOUT_THE_LIST:
            return self._about_the_list(entry) if self._is_said_by_two(entry) else ""
        self._acts.take(entry)
        is_late = self.differs and entry.kind in _PAYING_ON
        return f"{entry.kind} before the differences of a correction are confirmed" if is_late else ""

    def _about_the_list(self, entry: Entry) -> str:
        if entry.kind not in CORRECTIONS:
            self.differs = False
            return ""
        self._asked, self.corrected = {}, self.corrected + 1
        return "" if self._acts.put_right(entry) is not None else "no entry of the round's list was put right"

    def step(self) -> None:
        """Begins another step of session or round, which drops statements that wait for a second person."""
        self._asked = {}

    def end_round(self) -> None:
        self._acts.end_round()

    def stakes(self, house: House) -> Stakes:
        """Returns the stakes by the round's corrected acts."""
        return stakes_of(self._acts.of_the_round(), house)

    def _is_said_by_two(self, entry: Entry) -> bool:
        """True if another person made an equal statement before, and the two people are not both dealers. If False,
        this entry waits for a second person's statement.
        """
        first = self._asked.get(entry.kind)
        self._asked[entry.kind] = entry
        if first is None or _values(first) != _values(entry) or first.number("person") == entry.number("person"):
            return False
        return {first.text("role"), entry.text("role")} != {"dealer"}


def _values(entry: Entry) -> dict[str, object]:
    return {name: value for name, value in entry.body.items() if name not in {"person", "role"}}


def stakes_of(acts: Iterable[Entry], house: House) -> Stakes:
    """Returns the stakes after all acts of a round, which are given in order."""
    stakes = Stakes(house)
    for act in acts:
        stakes.take(act)
    return stakes
