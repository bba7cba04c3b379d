"""The oracle of progress: after the last fault the session is finished in time, or what holds it is named."""

from simulators.oracles.progress import check_progress
from simulators.oracles.violation import Violation
from tests.oracles.evening import CHIEF, DEALER, FIGURES, Evening


def look(evening: Evening, *, fault_s: float, end_s: float | None = None, bound_s: float = 60.0) -> list[Violation]:
    end = evening.mono_ms / 1000 if end_s is None else end_s
    entries = evening.export().entries
    return check_progress(entries, FIGURES, last_fault_s=fault_s, end_s=end, bound_s=bound_s)


def test_a_session_that_is_finished_in_time() -> None:
    evening = Evening().in_play().jam()
    fault_s = evening.mono_ms / 1000
    evening.attend(1).freed().clear(1).released().recounted(50).confirm(1).closed()
    assert look(evening, fault_s=fault_s) == []


def test_a_session_that_is_finished_late() -> None:
    evening = Evening().in_play().jam_ended(1)
    fault_s = evening.mono_ms / 1000
    found = look(evening.wait(120_000).closed(), fault_s=fault_s)
    assert [(violation.rule, violation.entry) for violation in found] == [("session is finished", evening.seq)]
    assert "121 s after the last fault; last tried: confirm-deck-check by dealer" in found[0].found
    assert found[0].expected == "closed within 60 s"


def test_time_in_which_no_controller_ran_does_not_count() -> None:
    evening = Evening().in_play()
    fault_s = evening.mono_ms / 1000
    evening.mono_ms += 600_000
    assert look(evening.start().connect().closed(), fault_s=fault_s) == []


def test_a_hold_that_stands_for_ever_is_named_with_what_was_last_tried() -> None:
    evening = Evening().in_play().jam()
    jammed = evening.seq
    evening.add("journal-failed", {"reason": "disk full"}).attend(1)
    fault_s = evening.mono_ms / 1000
    evening.refused("clear-hold", CHIEF, "path_is_clear", "pt.bj.51c", hold=1)
    evening.act("sign-in", CHIEF, operation="hold")
    found = look(evening, fault_s=fault_s, end_s=fault_s + 3600)
    assert [violation.rule for violation in found] == ["session is finished", *2 * ["no hold stands for ever"]]
    jam, journal = found[1:]
    assert jam.entry == jammed
    tried = f"clear-hold by chief_supervisor in entry {evening.seq - 1}, refused (path_is_clear, pt.bj.51c)"
    assert jam.found == f"jam H1 stands, attended; last tried: {tried}"
    assert journal.found.startswith("journal-fault stands, raised; last tried: sign-in by chief_supervisor")


def test_a_table_that_stands_without_a_hold() -> None:
    evening = Evening().in_play().announced()
    found = look(evening, fault_s=evening.mono_ms / 1000, end_s=evening.mono_ms / 1000 + 61)
    assert [violation.rule for violation in found] == ["session is finished"]
    assert "session in-play, round dealing" in found[0].found


def test_nothing_was_ever_tried() -> None:
    evening = Evening().start().connect()
    evening.rows[-1]["kind"] = "controller-stopped"
    assert look(evening, fault_s=0.0, end_s=1e6) == []  # nobody opened a session


def test_while_there_is_still_time_nothing_is_said() -> None:
    evening = Evening().in_play().jam()
    assert look(evening, fault_s=evening.mono_ms / 1000, end_s=evening.mono_ms / 1000 + 59) == []


def test_a_session_closed_before_the_last_fault() -> None:
    evening = Evening().whole_session()
    fault_s = evening.mono_ms / 1000 + 5
    assert look(evening, fault_s=fault_s, end_s=fault_s + 1000) == []
    evening.wait(10_000).act("open-session", DEALER)
    assert [v.rule for v in look(evening, fault_s=fault_s, end_s=fault_s + 1000)] == ["session is finished"]
