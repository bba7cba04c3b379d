"""A client that knows the table only through `list`: it offers the permitted acts, and fills each value from its
document.

It is a panel without the picture: a button for each act, and a choice or a figure for each value. It imports only the
protocol of the controller.
"""

from collections.abc import Iterator, Mapping
from random import Random

from msgspec import Struct

from controller.protocol.lines import ActDocument
from controller.protocol.values import LARGEST, ValueDocument, ValueKind, fits

CARDS = ("AS", "10H", "QD", "9C")


class Button(Struct, frozen=True):
    """A permitted act for people of these roles, in the form of a request."""

    act: str
    who: tuple[str, ...]
    values: Mapping[str, str]
    needs_pin: bool
    hold_ms: int


class ListClient:
    """Buttons for all permitted acts; `random` is the finger."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def buttons(self, acts: list[ActDocument]) -> Iterator[Button]:
        """Yields one request for each permitted act, with values that the person could have given."""
        for act in acts:
            if act.allowed:
                yield self._button(act)

    def _button(self, act: ActDocument) -> Button:
        together = self._random.choice(act.combinations) if act.combinations else {}
        values: dict[str, str] = {}
        for value in act.values:
            given = together[value.name] or None if value.name in together else self._given(value)
            if given is not None:
                assert fits(value, given), (act.act, value, given)
                values[value.name] = given
        return Button(act.act, self._who(act, values), values, act.needs_pin, act.hold_ms)

    def _who(self, act: ActDocument, values: Mapping[str, str]) -> tuple[str, ...]:
        """Returns the roles of the people who may give exactly these values in this act."""
        who = set(act.who)
        for value in act.values:
            chosen = [one for one in value.choices if one.value == values.get(value.name)]
            who &= set(chosen[0].who) if chosen and chosen[0].who else who
        return tuple(role for role in act.who if role in who)

    def _given(self, value: ValueDocument) -> str | None:
        """Returns the value that a form would send: its default, one of the choices, or a value within the bounds.

        Returns None where the value is left out, which only a value that is not required can be.
        """
        if value.may_be_left_out and self._random.random() < 0.5:
            return None
        if value.default is not None and self._random.random() < 0.5:
            return value.default
        if value.choices:
            return self._chosen(value)
        return self._typed(value)

    def _chosen(self, value: ValueDocument) -> str:
        chosen = [choice.value for choice in value.choices]
        if value.kind is not ValueKind.SEATS:
            return self._random.choice(chosen)
        return ",".join(self._random.sample(chosen, self._random.randint(1, len(chosen))))

    def _typed(self, value: ValueDocument) -> str:
        match value.kind:
            case ValueKind.NUMBER:
                return str(self._number(value))
            case ValueKind.NUMBERS:
                return ",".join(str(self._number(value)) for _ in range(self._random.randint(1, 6)))
            case ValueKind.AMOUNT:
                return self._random.choice(("20", "37.50"))
            case ValueKind.SEAT | ValueKind.SEATS | ValueKind.HOLD | ValueKind.DUTY | ValueKind.ENTRY:
                return str(self._random.randint(1, 6))
            case ValueKind.CARD:
                return self._random.choice(CARDS)
            case ValueKind.CARDS:
                return ",".join(self._random.choices(CARDS, k=self._random.randint(1, 4)))
            case ValueKind.GRID:
                return ",".join(f"{card}={self._number(value)}" for card in CARDS)
            case ValueKind.TEXT:
                return "x" * self._random.randint(value.least or 1, value.most or 10)
            case ValueKind.YES_NO | ValueKind.WORD:
                raise AssertionError(value)  # these always have choices

    def _number(self, value: ValueDocument) -> int:
        least = value.least or 0
        return self._random.randint(least, min(LARGEST if value.most is None else value.most, least + 60))
