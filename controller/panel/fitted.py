"""Leaves in a form's value only the choices that are possible with the values picked before it."""

from typing import Final

from msgspec.structs import replace

from controller.panel.offer import Values
from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueDocument, ValueKind

_SEAT_OF: Final = {"make-ruling": ("outcome", ("card-discarded", "turn-given-back"))}
"""The acts in which a seat is named only with these values: the seat of the card, or of the turn."""

_HAND_OF: Final = {"make-ruling": ("outcome", "card-discarded")}
"""The acts in which a hand is named only with this value, and with a seat."""


def _names_a_hand(act: ActDocument, picked: Values) -> bool:
    name, word = _HAND_OF[act.act]
    return picked.get(name) == word and bool(picked.get("seat"))


def fitted(act: ActDocument, value: ValueDocument, picked: Values) -> ValueDocument | None:
    """Returns the value with only the choices that are possible after the values `picked` before it.

    Returns None if the form does not need the value.
    """
    is_counted = any(value.name in one for one in act.combinations)
    is_hand = value.name == "hand" and act.act in _HAND_OF
    if is_hand and not (is_counted and _names_a_hand(act, picked)):
        return None
    if not (is_hand or value.kind is ValueKind.SEAT) or not is_counted:
        return value
    name, words = _SEAT_OF.get(act.act, ("", ()))
    if name and picked.get(name) not in words:
        return None
    before = [one.name for one in act.values[: act.values.index(value)] if picked.get(one.name)]
    fits = [one for one in act.combinations if all(one.get(name, picked[name]) == picked[name] for name in before)]
    open_now = {one.get(value.name, "") for one in fits}
    choices = [one for one in value.choices if one.value in open_now]
    is_optional = value.may_be_left_out and "" in open_now
    return replace(value, choices=choices, may_be_left_out=is_optional) if choices else None
