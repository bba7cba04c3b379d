"""What a journal's first entry says of its table's rules, as far as its cards are recounted by them."""

from typing import Final

BANK: Final = 0


class Rules:
    """What the first entry says of the table's rules about burning and dealing."""

    def __init__(self, setup: dict[str, object]) -> None:
        procedure, parameters = _part(setup, "procedure"), _part(setup, "parameters")
        self.burn_place = str(procedure.get("burn_place", "rack"))
        self.each_round = str(procedure.get("burn_each_round", "none"))
        self.bank_second_later = procedure.get("bank_second_card") == "after-players"
        self.returns_burnt = procedure.get("put_back") == "after-each-round"
        self.reports_damage = procedure.get("damaged_card", "card") == "card"
        self.deck_at_check = procedure.get("deck_replaced_at_check") is True
        self.burns_a_round = ("none", "start", "start-and-second").index(self.each_round)
        self._each_deck = procedure.get("burn_each_deck") is True
        self._burns = whole(parameters, "burn_cards")

    def burns(self, decks: int) -> int:
        """Cards burnt after a loading."""
        return decks if self._each_deck else self._burns


def _part(part: dict[str, object], name: str) -> dict[str, object]:
    value = part.get(name)
    return value if isinstance(value, dict) else {}


def whole(part: dict[str, object], name: str) -> int:
    """A whole number of this part; 0 where there is none."""
    value = part.get(name)
    return value if isinstance(value, int) else 0
