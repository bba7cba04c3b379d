"""What hands do, in words for a story."""

from dataclasses import fields
from enum import Enum

from simulators.people.hands import HandAct, PullWrongly


def hand_words(hand: HandAct) -> str:
    if isinstance(hand, PullWrongly):
        return f"{hand_words(hand.pull)}, {hand.slip.kind.value}: lies at {hand.slip.lies or 'the bank'}"
    values = {one.name: getattr(hand, one.name) for one in fields(hand)}
    shown = {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}
    name = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in type(hand).__name__).lstrip("-")
    return " ".join([name, *(f"{name}={value}" for name, value in shown.items() if value is not None)])
