"""`sabot status` has the lines on a shoe and on a second copy only at a table that has one."""

import pytest

from controller.catalogue import Language
from controller.cli.render import status_lines
from controller.protocol.status import (
    DifferenceStatus,
    JournalStatus,
    SecondCopyStatus,
    ShoeStatus,
    Status,
    WaitingStatus,
)

PLACED = ShoeStatus(players=[2, 4], warning_card="placed", cards_behind=50)


def said(session: str, shoe: ShoeStatus) -> str:
    return "\n".join(status_lines(Status(session=session, round="idle", shoe=shoe), Language.EN))


@pytest.mark.parametrize(
    ("session", "shoe", "sentence"),
    [
        ("displayed", ShoeStatus(decks_shuffled=[1, 3]), "Decks shuffled so far: 1, 3."),
        ("mixed", ShoeStatus(players=[2, 4], cut_offered_to=4), "The cut is offered to seat 4."),
        ("mixed", ShoeStatus(players=[2, 4]), "No player cuts"),
        ("cut", ShoeStatus(warning_card="waiting", cards_behind=50), "with 50 cards behind it"),
        ("in-play", ShoeStatus(warning_card="out"), "the last round is still to be announced"),
        ("in-play", ShoeStatus(warning_card="out", announced=True), "the last round has been announced"),
    ],
)
def test_what_is_due_is_said(session: str, shoe: ShoeStatus, sentence: str) -> None:
    assert sentence in said(session, shoe)


@pytest.mark.parametrize("session", ["mixed", "in-play", "closed"])
def test_nothing_is_said_where_nothing_is_due(session: str) -> None:
    without = "\n".join(status_lines(Status(session=session, round="idle"), Language.EN))
    assert said(session, ShoeStatus(warning_card="placed", cards_behind=50)) == without
    assert ("cut" in said(session, PLACED)) == (session == "mixed")


@pytest.mark.parametrize(("condition", "is_said"), [("in-step", True), ("behind", True), ("failed", False)])
def test_where_a_copy_lies_that_cannot_be_written_is_not_said(condition: str, is_said: bool) -> None:
    copy = SecondCopyStatus(condition, reason="gone" if condition == "failed" else "", same_medium=True)
    status = Status(session="closed", round="idle", journal=JournalStatus(second_copy=copy))
    assert ("lies on the same medium" in "\n".join(status_lines(status, Language.EN))) is is_said


def test_what_waits_for_a_second_person_or_to_be_settled_is_told() -> None:
    waiting = WaitingStatus("correct-entry", {}, "Put right: another asks for it.", 11, "dealer", ["manager"], 0)
    difference = DifferenceStatus(3, 3, "+10.00", "10.00 is paid to player 3.")
    lines = status_lines(Status(waiting=[waiting], differences=[difference]), Language.EN)
    assert {waiting.text, difference.text} <= set(lines)
