"""Checks a roulette table by its rules, from its journal's export and from sightings.

The chips on the cloth and the bank's win are computed from the acts alone, with wheel.py's table of bets. An announced
number must be the ball's pocket, by spin or ruling. An irregularity must cause a hold that forbids bets and payments.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import Final, NamedTuple

from simulators.oracles.bets_by_name import bets_by_name, name_of
from simulators.oracles.export_entries import Entry
from simulators.oracles.put_right import ABOUT_THE_LIST, CORRECTIONS, Acts
from simulators.oracles.spin_money import PAID_TOGETHER, due_to, gain_of
from simulators.oracles.violation import Finding, Violation

IRREGULAR: Final = "irregular-spin"
_FORBIDDEN: Final = frozenset(
    (
        "place-chips",
        "place-value-chips",
        "give-colour",
        "launch-ball",
        "announce-number",
        "pay-prizes",
        "confirm-payments",
    )
)
"""Acts that every hold for a spin forbids."""

PUT_RIGHT: Final = frozenset(
    (
        *("announce-nothing-more", "announce-number", "confirm-payments", "exchange-chips", "exchange-late-chips"),
        *("launch-ball", "pay-prizes", "place-chips", "place-value-chips", "put-ball-back", "remove-bet"),
        *("state-bet", "state-without-bet"),
    )
)
"""Acts that two people may correct."""

COLOURS: Final = (
    *("red", "blue", "green", "yellow", "orange", "purple"),
    *("pink", "brown", "white", "black", "grey", "turquoise"),
)

_IN_DOUBT: Final = frozenset(("spins-unseen", "number-changed", "spin-overdue", "wheel-lost"))
"""Facts that each hold an open table (DESIGN 3.4)."""


class SpinSight(NamedTuple):
    """A durable state without waiting entries, with the ball's true place. Stakes are in cents, by player and bet."""

    seq: int
    holds: tuple[tuple[int, str], ...]
    session: str
    round: str
    result: int | None
    ball: int | None
    stakes: Mapping[tuple[int, str], int]
    half_cents: int  # the bank's win in this session
    is_misread: bool = False  # the wheel has reported another number than that of the ball's pocket

    @property
    def irregular(self) -> frozenset[int]:
        """The numbers of the holds for irregular spins."""
        return frozenset(number for number, kind in self.holds if kind == IRREGULAR)


def check_spins(entries: Sequence[Entry], seen: Sequence[SpinSight], order: tuple[int, ...]) -> list[Violation]:
    """Returns the violations in `entries` and in the sightings `seen`. `order`: the numbers around the wheel."""
    book = _Book(order)
    at = {sight.seq: sight for sight in seen}
    for entry in entries:
        book.take(entry)
        if (sight := at.get(entry.seq)) is not None:
            book.compare(sight, entry)
    return [*book.found, *_held(entries, seen), *_bet_under_a_hold(entries, seen)]


@dataclass(slots=True)
class _Book:
    """The oracle's own record of the table, built from the journal's entries."""

    order: tuple[int, ...]
    found: list[Violation] = field(default_factory=list)
    _values: dict[int, int] = field(default_factory=dict)  # value of a chip in cents, by player
    _stakes: dict[tuple[int, str], int] = field(default_factory=dict)
    _laid: dict[tuple[int, str], int] = field(default_factory=dict)  # the chips on the cloth when the number came
    _announced: int | None = None  # the number whose prizes are paid now
    _won: Fraction = Fraction(0)  # the bank's win in cents
    _is_spinning: bool = False
    _is_paying: bool = False
    _believed: int | None = None  # the number of this spin
    _told_by: Entry | None = None
    _has_display: bool = False
    _has_wheel: bool = True
    _shown: Sequence[int] | None = None  # the display's last reported values by colour
    _colours: dict[int, str] = field(default_factory=dict)  # by player
    # by act: the first person's statement, which waits for a second person
    _asked: dict[str, Entry] = field(default_factory=dict)
    _follows_bets: bool = True
    _is_open: bool = False  # the wheel is still open for bets, and without irregularity
    _misread: int | None = None  # the ball's place where the line has reported another number
    _paid: str = ""  # the last group that was paid
    _paid_last: dict[int, Fraction] = field(default_factory=dict)  # cents due by the last spin, by player
    _differs: bool = False  # a correction has changed paid amounts, and their settlement is not confirmed
    _step: tuple[str, str] = ("", "")  # the last seen step of session and round
    _acts: Acts = field(default_factory=lambda: Acts(PUT_RIGHT))

    def take(self, entry: Entry) -> None:
        if entry.refused:
            return
        if entry.kind in ABOUT_THE_LIST:
            self._settle_list(entry)
            return
        if self._acts.end_with(entry):
            self._asked = {kind: first for kind, first in self._asked.items() if kind not in CORRECTIONS}
        self._acts.take(entry)
        self._play(entry)
        if entry.kind in _ENDS_A_SPIN:
            self._acts.end_round()
        if self._differs and entry.kind in _PAYING:
            self._tell("what a correction has changed is settled first", "DESIGN 3b", entry.seq, _UNSETTLED)

    def _settle_list(self, entry: Entry) -> None:
        """Applies a correction, or the statement that its differences are settled, once two people have made it."""
        if not self._is_said_by_two(entry):
            return
        if entry.kind not in CORRECTIONS:
            self._differs = False
            return
        due, self._asked = self._due(), {}
        if self._acts.put_right(entry) is None:
            self._tell("an entry of the list is put right", "DESIGN 3b", entry.seq, Finding("none", "one of the list"))
        self._play_again()
        self._differs = self._due() != due

    def _play_again(self) -> None:
        """Rebuilds this record from all entries since the beginning, with the corrections."""
        again = _Book(self.order)
        for one in self._acts.standing():
            if one is None:
                again._asked = {}
            else:
                again._play(one)
        again.found, again._acts, again._step = self.found, self._acts, self._step
        for one_field in fields(self):
            setattr(self, one_field.name, getattr(again, one_field.name))

    def _due(self) -> dict[int, Fraction]:
        """Returns the cents due to each player by the spin that is being paid; between spins, by the last paid spin."""
        number = self._announced
        return self._paid_last if number is None else due_to(self.order, self._laid, number, self._paid)

    def _play(self, entry: Entry) -> None:
        take = _ENTRIES.get(entry.kind)
        if entry.kind in _CLOSING or _is_irregular(entry):
            self._is_open = False
        if take is not None:
            take(self, entry)

    def compare(self, sight: SpinSight, entry: Entry) -> None:
        if self._step != (sight.session, sight.round):
            self._step, self._asked = (sight.session, sight.round), {}
            self._acts.step()
        laid = {place: cents for place, cents in self._stakes.items() if cents}
        self._same("what lies on the cloth", "pt.rou.27a", sight.seq, sight.stakes, laid)
        self._same("the bank's half cents", "pt.rou.27a", sight.seq, sight.half_cents, int(2 * self._won))
        is_told = entry is self._told_by and sight.ball is not None
        if is_told and sight.is_misread and not entry.is_act:
            self._misread = sight.ball
        elif is_told:
            self._same("the number is where the ball lies", "pt.rou.23", sight.seq, self._believed, sight.ball)

    def _same(self, rule: str, clause: str, seq: int, found: object, expected: object) -> None:
        if found != expected:
            self._tell(rule, clause, seq, Finding(str(found), str(expected)))

    def _tell(self, rule: str, clause: str, seq: int, finding: Finding) -> None:
        self.found.append(Violation(rule, clause, seq, *finding))

    # ---- entries

    def open(self, _entry: Entry) -> None:
        self._values, self._stakes, self._won = {}, {}, Fraction(0)
        self._is_spinning, self._is_paying, self._believed, self._announced = False, False, None, None

    def give(self, entry: Entry) -> None:
        self._values[entry.number("player")] = entry.number("value")
        self._colours[entry.number("player")] = entry.text("colour")

    def take_back(self, entry: Entry) -> None:
        self._values.pop(entry.number("player"), None)

    def start(self, entry: Entry) -> None:
        setup = entry.body.get("setup")
        self._has_display = isinstance(setup, dict) and bool(setup.get("has_value_display"))
        self._has_wheel = isinstance(setup, dict) and bool(setup.get("has_wheel"))
        rules = setup.get("wheel_rules") if isinstance(setup, dict) else None
        self._follows_bets = isinstance(rules, dict) and bool(rules.get("follows_bets"))
        self._shown = None

    def show(self, entry: Entry) -> None:
        """Stores the chip values that the display reports; None once it is disconnected."""
        values = entry.body.get("values")
        self._shown = values if isinstance(values, list) else None

    def believe(self, entry: Entry) -> None:
        """Checks that the value display shows the value of this player's chips, in the player's colour."""
        if not self._has_display:
            return
        player = entry.number("player")
        colour = self._colours.get(player)
        found = None if self._shown is None or colour is None else self._shown[COLOURS.index(colour)]
        self._same("the display shows the value", "pt.rou.9a", entry.seq, found, self._values.get(player))

    def lay_chips(self, entry: Entry) -> None:
        self.believe(entry)
        self._lay(entry, entry.number("chips") * self._values.get(entry.number("player"), 0))

    def lay_value(self, entry: Entry) -> None:
        self._lay(entry, entry.number("amount"))

    def _lay(self, entry: Entry, cents: int) -> None:
        place = entry.number("player"), entry.text("bet")
        self._stakes[place] = self._stakes.get(place, 0) + cents

    def remove(self, entry: Entry) -> None:
        self._stakes.pop((entry.number("player"), entry.text("bet")), None)

    def state(self, entry: Entry) -> None:
        """Applies a statement of a bet's chips, a new amount once two people have made it. Settles an announced spin
        again.
        """
        chips, amount = entry.body.get("chips"), entry.body.get("amount")
        cents = amount if isinstance(amount, int) else 0
        if isinstance(chips, int):
            cents = chips * self._values.get(entry.number("player"), 0)
        laid = self._stakes if self._announced is None else self._laid
        recorded = laid.get((entry.number("player"), entry.text("bet")), 0)
        if cents != recorded and not self._is_said_by_two(entry):
            return
        laid = {place: other for place, other in laid.items() if place != (entry.number("player"), entry.text("bet"))}
        laid |= {(entry.number("player"), entry.text("bet")): cents} if cents else {}
        if self._announced is None:
            self._stakes = laid
            return
        self._won += self._gains(self._announced, self._laid)
        self._settle(self._announced, laid)

    def _is_said_by_two(self, entry: Entry) -> bool:
        """True if another post made an equal statement before. If False, this entry waits for such a statement."""
        first = self._asked.get(entry.kind)
        self._asked[entry.kind] = entry
        if first is None or first.text("role") == entry.text("role"):
            return False
        is_same = all(first.body.get(name) == entry.body.get(name) for name in _SAID)
        if is_same:
            del self._asked[entry.kind]
        return is_same

    def launch(self, entry: Entry) -> None:
        """Records a launch of the ball. A launch that the wheel reports during payments begins no spin."""
        self._is_spinning = self._is_spinning or entry.is_act or not self._is_paying
        self._is_open = self._has_wheel

    def pay_group(self, entry: Entry) -> None:
        self._paid = entry.text("group")

    def pay(self, entry: Entry) -> None:
        if self._misread is not None:
            self._same("a misread number is contested", "pt.rou.23", entry.seq, self._announced, self._misread)
        self._misread, self._paid = None, tuple(PAID_TOGETHER)[-1]
        self._paid_last = self._due()
        self._is_paying, self._announced, self._paid = False, None, ""

    def annul(self, _entry: Entry) -> None:
        self._is_spinning, self._believed = False, None

    def null(self, entry: Entry) -> None:
        """Applies a null spin. If bets are tracked and are no longer open, waits for a second person's statement."""
        if self._is_open or not self._follows_bets or self._is_said_by_two(entry):
            self.annul(entry)

    def end_spin(self, entry: Entry) -> None:
        number = entry.body.get("number")
        if self._is_spinning and self._believed is None and isinstance(number, int) and not entry.body.get("troubles"):
            self._believed, self._told_by = number, entry

    def rule(self, entry: Entry) -> None:
        number = entry.body.get("number")
        if entry.text("outcome") != "goes-on" and self._follows_bets and not self._is_said_by_two(entry):
            return
        if entry.text("outcome") != "goes-on" and self._announced is not None:
            self._reopen(self._announced)
        if entry.text("outcome") == "null":
            self.annul(entry)
        elif entry.text("outcome") == "number-stands" and isinstance(number, int):
            self._believed, self._told_by = number, entry

    def _reopen(self, number: int) -> None:
        """Undoes the settlement of a contested spin: restores its bets, and takes back what the bank won by it."""
        self._won += self._gains(number, self._laid)
        self._stakes, self._announced, self._is_paying, self._paid = self._laid, None, False, ""

    def announce(self, entry: Entry) -> None:
        """Settles the bets by the announced number. Winning bets stay on the cloth."""
        number = entry.number("number")
        if number != self._believed:
            self._tell("a number comes from a spin", "pt.rou.23", entry.seq, Finding(str(number), str(self._believed)))
        self._settle(number, self._stakes)
        self._is_paying = True
        self.annul(entry)

    def _gains(self, number: int, laid: Mapping[tuple[int, str], int]) -> Fraction:
        return sum((gain_of(self.order, name, cents, number) for (_player, name), cents in laid.items()), Fraction(0))

    def _settle(self, number: int, laid: dict[tuple[int, str], int]) -> None:
        bets, staying = bets_by_name(self.order), dict[tuple[int, str], int]()
        for (player, name), cents in laid.items():
            bet = bets[name]
            for part in bet.parts:
                if number in part.numbers:
                    place = player, name if len(bet.parts) == 1 else name_of(part)
                    staying[place] = staying.get(place, 0) + cents * part.amount // bet.stake
        self._won -= self._gains(number, laid)
        self._stakes, self._laid, self._announced = staying, laid, number


_SAID: Final = (
    *("player", "bet", "chips", "amount", "marked", "outcome", "number"),
    *("entry", "instead", "also", "before", "adds"),
)
"""The values in which two people's statements must agree."""

_ENDS_A_SPIN: Final = frozenset(("confirm-payments", "end-session"))
_PAYING: Final = frozenset(("pay-prizes", "confirm-payments"))
_UNSETTLED: Final = Finding("paid on", "two people confirm the differences")
_CLOSING: Final = {"wheel-closed-bets", "announce-nothing-more", "spin-ended"}
_ENTRIES: Final[Mapping[str, Callable[[_Book, Entry], None]]] = {
    "open-session": _Book.open,
    "give-colour": _Book.give,
    "exchange-chips": _Book.take_back,
    "take-colour-back": _Book.take_back,
    "place-chips": _Book.lay_chips,
    "place-value-chips": _Book.lay_value,
    "remove-bet": _Book.remove,
    "state-bet": _Book.state,
    "confirm-value": _Book.believe,
    **dict.fromkeys(
        (
            *("device-connected", "device-lost", "device-refused"),
            *("device-started", "display-faulted", "values-shown"),
        ),
        _Book.show,
    ),
    "controller-started": _Book.start,
    "launch-ball": _Book.launch,
    "ball-launched": _Book.launch,
    "declare-null-spin": _Book.null,
    "spin-ended": _Book.end_spin,
    "rule-on-spin": _Book.rule,
    "announce-number": _Book.announce,
    "pay-prizes": _Book.pay_group,
    "confirm-payments": _Book.pay,
}


def _held(entries: Sequence[Entry], seen: Sequence[SpinSight]) -> Iterable[Violation]:
    """Yields a violation for each irregularity that neither a hold nor a ruling follows. Skips null spins."""
    seqs = [sight.seq for sight in seen]
    ruled = [entry.seq for entry in entries if entry.kind == "rule-on-spin" and not entry.refused]
    for entry in entries:
        at = bisect_left(seqs, entry.seq)
        if not _is_irregular(entry) or at in {0, len(seqs)}:
            continue
        before, after = seen[at - 1], seen[at]
        is_open = before.session != "closed" and after.session != "closed"
        is_null = entry.kind == "spin-ended" and "null-spin" in {before.round, after.round}
        was_ruled = bisect_left(ruled, entry.seq) != bisect_left(ruled, after.seq + 1)
        if is_open and not is_null and not was_ruled and not after.irregular:
            yield Violation("an irregular spin holds the table", "DESIGN 3.4", entry.seq, "no hold", IRREGULAR)


def _is_irregular(entry: Entry) -> bool:
    if entry.kind == "spin-ended":
        return bool(entry.body.get("troubles")) or entry.body.get("number") is None
    return entry.kind in _IN_DOUBT


def _bet_under_a_hold(entries: Sequence[Entry], seen: Sequence[SpinSight]) -> Iterable[Violation]:
    """Yields a violation for each bet, announcement or payment during a hold for an irregular spin."""
    seqs = [sight.seq for sight in seen]
    for entry in entries:
        at = bisect_left(seqs, entry.seq)
        if entry.refused or entry.kind not in _FORBIDDEN or at in {0, len(seqs)}:
            continue
        if seen[at - 1].irregular & seen[at].irregular:
            yield Violation("nothing is bet while a spin is in doubt", "DESIGN 3.3", entry.seq, entry.kind, "refused")
