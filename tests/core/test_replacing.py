"""The core's `replace` gives a copy with other values in the named fields. It accepts no other names."""

import pytest

from controller.core.custody.state import Book, Join
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.house.state import Hold, Link
from controller.core.words import HoldId, HoldKind, HoldPhase, TableMs
from tests.core.parts import changed
from tests.core.table import SETUP

VALUES = (
    initial_state(SETUP),
    Book(outside=3, jammed_feed=1),
    Hold(HoldId(1), HoldKind.JAM, HoldPhase.RAISED, TableMs(5)),
    Join(),
    Link(boot=4),
)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_each_field_alone_is_replaced(value: BlackjackState | Book | Hold | Join | Link) -> None:
    before = {name: getattr(value, name) for name in value.__struct_fields__}
    for name in before:
        after = replace(value, **{name: "another"})
        assert type(after) is type(value)
        assert {other: getattr(after, other) for other in before} == before | {name: "another"}
    assert {name: getattr(value, name) for name in before} == before


def test_the_copy_stays_frozen() -> None:
    copy: BlackjackState = changed(initial_state(SETUP), burned=1)
    with pytest.raises(AttributeError):
        copy.custody.burned = 2


def test_no_field_is_invented() -> None:
    with pytest.raises(TypeError, match="colour"):
        replace(Book(), colour="red")
