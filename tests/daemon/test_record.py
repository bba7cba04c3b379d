"""People at a screen read the journal according to their rights; a technician tries lamp and buzzer."""

import pytest

from controller.cli.client import Client
from controller.protocol.lines import Answer
from tests.daemon.rig import CHIEF, DEALER, PINS, TECHNICIAN, Rig

pytestmark = pytest.mark.waits


def signed_in(client: Client, person: int, purpose: str = "look") -> None:
    assert client.ask("sign-in", person=person, pin=PINS[person], purpose=purpose).ok


def code_of(answer: Answer) -> str:
    assert answer.error is not None
    return answer.error.code


@pytest.fixture
def opened(running: Rig) -> Rig:
    """A rig at which a dealer has opened a session and no round was dealt."""
    running.act("sign-in", DEALER, operation="table")
    running.act("open-session", DEALER)
    running.act("confirm-display", DEALER)  # refused: the decks have no number
    return running


def asked(client: Client, do: str, **fields: object) -> tuple[Answer, list[int]]:
    """Sends a request; returns the answer, and the percentages that a check has reported before it."""
    percents: list[int] = []
    answer = client.ask(do, **fields)
    while answer.id is None:
        percents += [] if answer.checked_percent is None else [answer.checked_percent]
        answer = client._read()
    return answer, percents


def test_a_chief_reads_what_happened(opened: Rig) -> None:
    with opened.client() as client:
        signed_in(client, CHIEF)
        summary, _ = asked(client, "record", what="summary")
        assert summary.record is not None
        assert {figure.label: figure.value for figure in summary.record.figures}["Acts refused"] == "1"
        refusals, _ = asked(client, "record", what="refusals", language="pt")
        assert refusals.record is not None
        assert [f"pagador {DEALER} (Person {DEALER})" in row.text for row in refusals.record.rows] == [True]
        story, _ = asked(client, "record", what="story", round=99)
        assert story.record is not None
        assert story.record.rows == []
        assert story.record.text != ""


def test_a_check_reads_the_whole_journal_and_says_how_far_it_is(opened: Rig) -> None:
    with opened.client() as client:
        signed_in(client, TECHNICIAN)
        check, percents = asked(client, "record", what="check")
        assert check.record is not None
        assert check.record.is_well
        assert percents == sorted(percents) != []


def test_nobody_reads_without_the_right(opened: Rig) -> None:
    with opened.client() as nobody:
        for what in ("story", "check"):
            assert code_of(asked(nobody, "record", what=what)[0]) == "not-signed-in"
    with opened.client() as technician:
        signed_in(technician, TECHNICIAN)
        assert code_of(asked(technician, "record", what="story")[0]) == "not-this-person"
    with opened.client() as dealer:
        signed_in(dealer, DEALER, "table")
        for what in ("story", "summary", "check"):
            assert code_of(asked(dealer, "record", what=what)[0]) == "not-this-person"


def test_lamp_and_buzzer_are_tried_by_a_technician_at_a_closed_table(opened: Rig) -> None:
    with opened.client() as chief:
        signed_in(chief, CHIEF)
        assert code_of(asked(chief, "try", device="lamp")[0]) == "not-this-person"
    with opened.client() as technician:
        assert code_of(asked(technician, "try", device="lamp")[0]) == "not-signed-in"
        signed_in(technician, TECHNICIAN)
        assert code_of(asked(technician, "try", device="lamp")[0]) == "no-such-part"
        assert code_of(asked(technician, "try", device="key_switch")[0]) == "no-such-part"
