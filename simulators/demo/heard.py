"""Tells a trainee the wishes of a practice table's players, and finds the acts that differ from those wishes."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from controller.catalogue import has_key, sentence
from controller.core.money import cents_of
from simulators.demo.page import button_for, is_hands_due, own_button_for
from simulators.demo.slips import THE_BANK, Asked, Place, Slip, of_act, of_bets, of_seats
from simulators.demo.talk import Ink, Talk, kind_said
from simulators.oracles.export_entries import Entry

BANK_STANDS: Final = range(17, 22)
"""The bank's totals with which it stands and has not lost."""


_RULING: Final = "call-for-ruling"

STANDS_STILL_S: Final = 15.0
"""Seconds without a change after which a card that hands draw does not come any more."""


class Wanted(Struct):
    """The bets of one round: the bets that the players want (`bets`, `seats`), and those that the trainee has entered
    (`laid`, `laid_seats`).

    `bets`, `laid`: cents by place. A table that does not track amounts uses only `seats` and `laid_seats`.
    """

    bets: dict[Place, int] = field(default_factory=dict)
    laid: dict[Place, int] = field(default_factory=dict)
    seats: frozenset[int] = frozenset()
    laid_seats: frozenset[int] = frozenset()

    def slips(self) -> Iterator[Slip]:
        """Yields the trainee's mistakes, which are the differences between the wanted and the entered bets."""
        if self.bets:
            yield from of_bets(self.bets, self.laid)
        if self.seats:
            yield from of_seats(self.seats, self.laid_seats)


class Heard:
    """Tells the trainee the wishes of the players.

    `missed`: the number of the trainee's acts that differ from the wishes, by kind of mistake. `trainee`: the trainee's
    number at the table. `is_chief`: True if the trainee also holds the chief supervisor's post.
    """

    def __init__(self, talk: Talk, trainee: int, *, is_chief: bool = False) -> None:
        self._talk, self._trainee, self._is_chief = talk, trainee, is_chief
        self.missed = Counter[str]()
        self._wish: Asked | None = None
        self._round: tuple[int, int] | None = None
        self._wanted = Wanted()
        self._document: bytes | None = None
        self._banks_total = 0
        self._is_still = False
        self._is_due = False  # the script's dealer would have asked for `_wish` at the last look

    def at(self, document: bytes, banks_total: int = 0, quiet_s: float = 0.0) -> None:
        """Stores the table's status `document` and the total of the bank's open cards, `banks_total` (0: no open card).
        `quiet_s`: seconds without a change at the table.

        Once the table has waited STANDS_STILL_S seconds for a person to draw a card, prints the act that the trainee
        must do first. If there is no such act, prints that the trainee is not at fault. Prints once for each wait.
        """
        self._document, self._banks_total = document, banks_total
        due, self._is_due = (self._wish if self._is_due else None), False
        if quiet_s < STANDS_STILL_S:
            self._is_still = False
        elif not self._is_still and is_hands_due(document):
            self._is_still = True
            self._tell_wait(due)

    def _tell_wait(self, due: Asked | None) -> None:
        if due is None:
            self._talk.say("practice.stands-still", Ink.ALERT)
            return
        button = None if self._document is None else own_button_for(self._document, due.act)
        if button is not None:
            self._talk.say("practice.waits-at", Ink.ALERT, label=sentence(button, (), self._talk.language))
        else:
            key = f"practice.{due.act}" if due.act == _RULING else "practice.waits-for"
            self._talk.say(key, Ink.ALERT, label=self._talk.label(due.act))

    def bets(self, in_round: tuple[int, int], wishes: Sequence[Asked]) -> None:
        """Tells the trainee `wishes`, all bets that players want in the round `in_round`. Does nothing in a second call
        for the same round.
        """
        if not wishes or self._round == in_round:
            return
        self._round = in_round
        self._wanted.bets = {_place(one.values): cents_of(one.values["amount"]) for one in wishes}
        for one in wishes:
            self.tell(one)

    def wish(self, asked: Asked) -> None:
        """Stores `asked`, the act that is due now. `look` compares it with the trainee's next act."""
        self._wish, self._is_due = asked, True
        if asked.act == "take-bets":
            self._wanted.seats = frozenset(map(int, asked.values["seats"].split(",")))

    def tell(self, asked: Asked) -> bool:
        """Tells the trainee the player's wish that the act `asked` fulfils. If no player wants the act, tells which
        button to press next. If the page does not show the button, tells nothing and returns False.
        """
        key, values = f"practice.{asked.act}", dict(asked.values)
        if asked.act == "place-bet" and "bettor" in values:
            key = "practice.place-bet-behind"
        if values.get("card"):  # a table without a reader: its cards lie here, and the dealer names them at the page
            key, values = "practice.card", self._card(values)
        if not self._talk.knows(key) or values.get("seat") in THE_BANK:
            return self._tell_button(asked.act)
        if asked.act == _RULING:
            values = {"label": self._talk.label(_RULING)}
        if "hand" in values:
            values["seat"] = self._talk.text("practice.hand").format(seat=values["seat"], hand=values["hand"])
        self._talk.say(_of_several(key, values), Ink.GUEST, **self._in_words(values))
        return True

    def _tell_button(self, act: str) -> bool:
        label = None if self._document is None else button_for(self._document, act)
        if label is None and act == "draw-card" and self._document is not None:
            self._talk.say("practice.bank-draws", Ink.GUEST)
            return True
        if label is None:
            return False
        if act == "confirm-settled" and self._banks_total in BANK_STANDS:
            self._talk.say("practice.bank-stands", Ink.GUEST, total=str(self._banks_total))
        self._talk.say("practice.next", Ink.GUEST, label=sentence(label, (), self._talk.language))
        return True

    def _card(self, values: Mapping[str, str]) -> dict[str, str]:
        seat = values.get("seat", "0")
        where = self._talk.text("cards.bank" if seat in THE_BANK else "cards.seat").format(seat=seat)
        return {"where": where if "seat" in values else self._talk.text("cards.last"), "card": values["card"]}

    def _in_words(self, values: Mapping[str, str], *, is_alone: bool = True) -> dict[str, str]:
        """Returns the values, with a wheel's bets and colours as words.

        `is_alone`: False if the colour stands inside a sentence; True if it follows a label, as in "colour: red".
        """
        return {name: self._word(name.removeprefix("did_"), text, is_alone=is_alone) for name, text in values.items()}

    def _word(self, name: str, text: str, *, is_alone: bool) -> str:
        own = f"chips-colour.{text}"
        if name == "colour" and not is_alone and has_key(own):
            return sentence(own, (), self._talk.language)
        if name not in {"bet", "colour"}:
            return text
        return sentence(f"said.{name}", {"value": text}, self._talk.language)

    def tell_hold(self, *, is_his: bool = False) -> None:
        """Tells the trainee that the chief supervisor comes to end the open hold; with `is_his`, that the trainee
        himself must act at the page. Prints nothing if the trainee is also the chief supervisor.
        """
        if not self._is_chief:
            self._talk.say("practice.hold-his" if is_his else "practice.hold", Ink.GUEST)

    def look(self, entries: Iterable[Entry]) -> None:
        """Compares the trainee's accepted acts among these new entries with the players' wishes, and prints each
        mistake.
        """
        for entry in entries:
            if entry.number("person") == self._trainee and not entry.refused:
                self._compare(entry)

    def _compare(self, entry: Entry) -> None:
        place = entry.number("seat"), entry.number("bettor") or entry.number("seat")
        match entry.kind:
            case "place-bet" | "change-bet":
                self._wanted.laid[place] = entry.number("amount")
            case "withdraw-bet":
                self._wanted.laid.pop(place, None)
            case "take-bets":
                self._wanted.laid_seats = frozenset(one for one in entry.items("seats") if isinstance(one, int))
            case "announce-no-more-bets":
                for slip in self._wanted.slips():
                    self._miss(slip)
                self._wanted, self._wish = Wanted(), None
            case _:
                self._compare_act(entry)

    def _compare_act(self, entry: Entry) -> None:
        wish, self._wish = self._wish, None
        slip = None if wish is None else of_act(wish, entry)
        if slip is not None:
            self._miss(slip)

    def _miss(self, slip: Slip) -> None:
        self.missed[slip.kind] += 1
        values = self._in_words(slip.values, is_alone=False)
        halves = [f"did.{slip.did}", *([f"had.{slip.had}"] if slip.had else [])]
        text = "; ".join(self._talk.text(one).format(**values) for one in halves)
        self._talk.say("practice.slip", Ink.ALERT, kind=kind_said(self._talk, slip.kind), text=text)


def _of_several(key: str, values: Mapping[str, str]) -> str:
    """Returns `key`, or the key of the same sentence in the singular if `values` names only one seat that bets."""
    return "practice.take-bets-one" if key == "practice.take-bets" and "," not in values["seats"] else key


def _place(values: Mapping[str, str]) -> Place:
    return int(values["seat"]), int(values.get("bettor", values["seat"]))
