"""The core's `replace` gives what the standard one gives, and serves nothing that it would get wrong."""

import dataclasses
from dataclasses import dataclass

import pytest

from controller.core.replacing import replace
from controller.core.state import Book, Hold, Join, Link, State, initial_state
from controller.core.words import HoldId, HoldKind, HoldPhase, TableMs
from tests.core.table import SETUP

VALUES = (
    initial_state(SETUP),
    Book(outside=3, jammed_feed=1),
    Hold(HoldId(1), HoldKind.JAM, HoldPhase.RAISED, TableMs(5)),
    Join(),
    Link(boot=4),
)


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_each_field_alone_is_replaced_as_the_standard_function_does(value: object) -> None:
    assert dataclasses.is_dataclass(value)
    for field in dataclasses.fields(value):
        after = replace(value, **{field.name: "another"})
        assert after == dataclasses.replace(value, **{field.name: "another"})
        assert type(after) is type(value)
    assert value in VALUES


def test_a_copy_of_one_field_and_of_none() -> None:
    @dataclass(frozen=True, slots=True)
    class One:
        field: int

    assert replace(One(1), field=2) == One(2)
    assert replace(One(1)) == One(1)


def test_the_state_stays_frozen() -> None:
    copy: State = replace(initial_state(SETUP), burned=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        copy.burned = 2  # type: ignore[misc]


def test_no_field_is_invented() -> None:
    with pytest.raises(KeyError, match="colour"):
        replace(Book(), colour="red")
    with pytest.raises(KeyError, match="colour"):
        replace(initial_state(SETUP), colour="red")


def test_what_it_would_get_wrong_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Checked:
        field: int

        def __post_init__(self) -> None:
            raise AssertionError

    with pytest.raises(TypeError, match="Checked"):
        replace(object.__new__(Checked), field=2)
