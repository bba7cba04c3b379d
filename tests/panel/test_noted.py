"""The code for the inspection's book does not change while a person copies it, and a check of the journal finds it."""

from controller.panel.noted import STILL_S, StillCode
from controller.protocol.status import JournalStatus, Status


def at(session: str, seq: int, number: int = 1, waiting: int = 0) -> Status:
    journal = JournalStatus(seq=seq, code=f"{number}-{seq}", waiting=waiting)
    return Status(table="t1", session=session, session_number=number, journal=journal)


def test_an_opening_has_one_code_however_long_it_takes() -> None:
    code = StillCode()
    shown = [code.at(at("opened", seq), now_s) for seq, now_s in ((5, 1000.0), (6, 1030.0), (9, 1000.0 + 9 * STILL_S))]
    assert shown == ["1-5", "1-5", "1-5"]


def test_a_closed_table_has_another_code_a_minute_later_and_only_for_new_entries() -> None:
    code = StillCode()
    shown = [
        code.at(at("closed", seq), 1000.0 + after_s) for seq, after_s in ((40, 0), (41, STILL_S - 1), (42, STILL_S))
    ]
    assert shown == ["1-40", "1-40", "1-42"]
    assert code.at(at("closed", 42), 1000.0 + 9 * STILL_S) == "1-42"


def test_each_step_and_each_journal_has_its_own_code() -> None:
    code = StillCode()
    assert code.at(at("closed", 40), 1000.0) == "1-40"
    assert code.at(at("opened", 41, number=2), 1001.0) == "2-41"
    assert code.at(at("opened", 7, number=2), 1002.0) == "2-7", "another history: the old code is of no entry of it"


def test_a_code_of_an_entry_that_is_not_durable_is_not_kept() -> None:
    """A code of that moment has the new session's number with the entry before: no check would find it."""
    code = StillCode()
    code.at(at("closed", 40), 1000.0)
    assert code.at(at("opened", 40, number=2, waiting=1), 1001.0) == "1-40"
    assert code.at(at("opened", 41, number=2), 1001.1) == "2-41"
