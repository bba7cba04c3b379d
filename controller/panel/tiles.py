"""The buttons of a value's choices: the words and the order of the buttons, and the room that they need."""

from typing import Final

from controller.protocol.values import Choice, ValueDocument, ValueKind

LONGEST_SHORT: Final = 8


def choice_word(value: ValueDocument, choice: Choice) -> str:
    """Returns the text of a choice's button. For a seat the text is only the number: the value's label says "seat"."""
    is_seat = value.kind in {ValueKind.SEAT, ValueKind.SEATS} and choice.value.isdecimal() and choice.value != "0"
    return choice.value if is_seat else choice.label or choice.value


def as_they_sit(value: ValueDocument) -> list[Choice]:
    """Returns the choices in order. Among seats the bank comes last, as in the picture of the table."""
    is_seat = value.kind in {ValueKind.SEAT, ValueKind.SEATS}
    return sorted(value.choices, key=lambda choice: is_seat and choice.value == "0")


def is_short(value: ValueDocument) -> bool:
    """True if the texts of the value's choices are so short that many buttons fit in a row."""
    return all(len(choice_word(value, choice)) <= LONGEST_SHORT for choice in value.choices)
