"""The wishes of a practice table's players, told to the trainee, and his acts that differ from them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from controller.catalogue import sentence
from controller.core.money import cents_of, units
from controller.panel.offer import word_of
from simulators.demo.talk import Ink, Talk
from simulators.oracles.export_entries import Entry

DECISIONS: Final = frozenset(
    {"draw-card", "stand", "double-down", "split-pair", "surrender", "insure", "take-even-money"}
)
"""Acts by which the dealer enters a player's decision."""

_ON_THE_CLOTH: Final = {
    "give-colour": ("player", "colour"),
    "place-chips": ("player", "bet", "chips"),
    "place-value-chips": ("player", "bet"),
}
"""Acts for a player at a wheel; for each the names of the values by which two such acts differ."""

_TOGETHER: Final = {
    "confirm-settled": "settled-collected",
    "announce-no-more-bets": "bets-laid",
    "rule-on-spin": "agree",
}
"""Acts for which the page's button has a name of its own; for each the message of that name."""


_THE_BANK: Final = frozenset({"0", "bank"})


class Asked(Protocol):
    """An act that a player wants, or the act with which the trainee must continue."""

    @property
    def act(self) -> str: ...

    @property
    def values(self) -> Mapping[str, str]: ...


class Heard:
    """Tells the trainee the players' wishes and counts in `missed` the trainee's acts that differ from them.

    `trainee`: the trainee's number at the table; `is_chief`: the trainee holds the chief supervisor's post, too.
    """

    def __init__(self, talk: Talk, trainee: int, *, is_chief: bool = False) -> None:
        self._talk, self._trainee, self._is_chief = talk, trainee, is_chief
        self.missed = 0
        self._wish: Asked | None = None
        self._round: tuple[int, int] | None = None
        self._wanted: dict[tuple[int, int], int] = {}
        self._laid: dict[tuple[int, int], int] = {}

    def bets(self, in_round: tuple[int, int], wishes: Sequence[Asked]) -> None:
        """Tells the trainee all bets that players want in this round; a second call in the same round does nothing."""
        if not wishes or self._round == in_round:
            return
        self._round, self._wanted = in_round, {_place(one.values): cents_of(one.values["amount"]) for one in wishes}
        for one in wishes:
            self.tell(one)

    def wish(self, asked: Asked) -> None:
        """Keeps `asked`, the act that is due now, for the comparison with the trainee's next act."""
        self._wish = asked

    def tell(self, asked: Asked) -> None:
        """Tells the trainee the player's wish behind `asked`; where no player wants the act, the label of its button at
        the page.
        """
        key, values, language = f"practice.{asked.act}", dict(asked.values), self._talk.language
        if asked.act == "place-bet" and "bettor" in values:
            key = "practice.place-bet-behind"
        if values.get("card"):  # a table without a reader: its cards lie here, and the dealer names them at the page
            key, seat = "practice.card", values.get("seat", "0")
            where = self._talk.text("cards.bank" if seat in _THE_BANK else "cards.seat").format(seat=seat)
            where = where if "seat" in values else self._talk.text("cards.last")
            values = {"where": where, "card": values["card"]}
        if not self._talk.knows(key) or values.get("seat") in _THE_BANK:
            label = sentence(word_of(_TOGETHER.get(asked.act, asked.act)), (), language)
            self._talk.say("practice.next", Ink.GUEST, label=label)
            return
        if "hand" in values:
            values["seat"] = self._talk.text("practice.hand").format(seat=values["seat"], hand=values["hand"])
        for name in {"bet", "colour"} & values.keys():
            values[name] = sentence(f"said.{name}", {"value": values[name]}, language)
        self._talk.say(key, Ink.GUEST, **values)

    def tell_hold(self) -> None:
        """Tells the trainee at a hold that the scripted chief supervisor comes; silent for a trainee with that post."""
        if not self._is_chief:
            self._talk.say("practice.hold", Ink.GUEST)

    def look(self, entries: Iterable[Entry]) -> None:
        """Compares the trainee's new accepted acts with the players' wishes."""
        for entry in entries:
            if entry.number("person") == self._trainee and not entry.refused:
                self._compare(entry)

    def _compare(self, entry: Entry) -> None:
        place = entry.number("seat"), entry.number("bettor") or entry.number("seat")
        match entry.kind:
            case "place-bet":
                self._laid[place] = entry.number("amount")
            case "withdraw-bet":
                self._laid.pop(place, None)
            case "announce-no-more-bets":
                self._compare_bets()
            case kind if kind in DECISIONS and entry.number("seat"):
                self._compare_decision(entry)
            case kind if kind in _ON_THE_CLOTH:
                self._compare_on_the_cloth(entry)
            case _:
                pass

    def _compare_bets(self) -> None:
        for place in self._wanted.keys() | self._laid.keys() if self._wanted else ():
            wanted, laid = self._wanted.get(place, 0), self._laid.get(place, 0)
            if wanted != laid:
                seat, bettor = map(str, place)
                told = {"wanted": units(wanted), "laid": units(laid)}
                self._miss("practice.other-bet", seat=seat, bettor=bettor, **told)
        self._wanted, self._laid = {}, {}

    def _compare_decision(self, entry: Entry) -> None:
        wish, self._wish = self._wish, None
        if wish is None or wish.act not in DECISIONS or not wish.values.get("seat", "").isdecimal():
            return
        if (wish.act, int(wish.values["seat"])) != (entry.kind, entry.number("seat")):
            label = sentence(word_of(wish.act), (), self._talk.language)
            self._miss("practice.other-decision", seat=wish.values["seat"], label=label)

    def _compare_on_the_cloth(self, entry: Entry) -> None:
        wish, self._wish = self._wish, None
        if wish is None or wish.act != entry.kind:
            return
        names = _ON_THE_CLOTH[wish.act]
        if any(wish.values.get(name, "") != (entry.text(name) or str(entry.number(name))) for name in names):
            self._miss("practice.other-wish")

    def _miss(self, key: str, **values: str) -> None:
        self.missed += 1
        self._talk.say(key, Ink.ALERT, **values)


def _place(values: Mapping[str, str]) -> tuple[int, int]:
    return int(values["seat"]), int(values.get("bettor", values["seat"]))
