"""The form that adds a missing act to a round: the form asks for the chosen act's values, and names those still
missing.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from controller.panel.offer import Values
from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueDocument

ADDS: Final = frozenset({"add-entry", "add-spin-entry"})
"""The acts that add a missing act to a round; their other values are those of the added act."""

_OF_AN_ADDED: Final = frozenset({"before", "adds"})


def values_of_added(act: ActDocument, picked: Values) -> list[ValueDocument]:
    """Returns the values that the form asks for: the round and place of the added act, then the values that the act
    takes.

    Mandatory values come first, so that a small screen shows them.
    """
    acts = next((one.choices for one in act.values if one.name == "adds"), [])
    takes = next((one.takes for one in acts if one.value == picked.get("adds")), {})
    own = [one for one in act.values if one.name in {*_OF_AN_ADDED, *takes}]
    found = [replace(one, may_be_left_out=not takes.get(one.name, True)) for one in own]
    return sorted(found, key=lambda one: (one.name not in _OF_AN_ADDED, one.may_be_left_out))


def lacking(act: ActDocument, asked: Sequence[ValueDocument], given: Values) -> list[str]:
    """Returns the labels of the mandatory values in `asked` that `given` lacks. Returns [] if `act` is not in ADDS."""
    lacks = [one for one in asked if not one.may_be_left_out and one.name not in given] if act.act in ADDS else []
    return [one.label or one.what for one in lacks]
