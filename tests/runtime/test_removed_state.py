"""The entries after a removal are shown and replayed through the acknowledged exports, and not without them."""

import json
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.core.custody.opening import AbandonOpening
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Operation
from controller.journal.export import export, whole_text
from controller.journal.verify import noted_now
from controller.record.retention import prune
from controller.runtime.replay import replay
from tests.runtime.bench import DEALER, Bench
from tests.runtime.evening import SIGNER, Evening, evening

__all__ = ["evening"]  # the fixture

ROUND = ["--session", "4", "--round", "1", "--story"]


@pytest.fixture
def rest(evening: Evening) -> Path:
    """Removes the evening's acknowledged sessions, plays a round, and returns the export of the remaining entries."""
    evening.bench.play()
    evening.bench.deal()
    evening.store()
    prune(evening.path, evening.out, evening.code, SIGNER)
    out = evening.out.with_name("rest.txt")
    export(evening.path, out, SIGNER)
    return out


def said(capsys: pytest.CaptureFixture[str], command: str, *words: object) -> tuple[int, str, str]:
    code = main(["journal", command, *map(str, words)])
    told = capsys.readouterr()
    return code, told.out, told.err


def test_a_round_behind_a_removal_is_told_through_the_acknowledged_export(
    evening: Evening, rest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, story, _ = said(capsys, "show", evening.path, *ROUND)
    assert (code, "3C is for seat 1" in story) == (0, True)
    assert said(capsys, "show", rest, *ROUND, "--behind", evening.out) == (0, story, "")
    code, out, err = said(capsys, "show", rest, *ROUND)
    assert (code, out) == (1, "")
    assert f"acknowledged with the code {evening.code}" in err
    assert "--behind FILE" in err


def test_without_it_the_entries_are_listed_with_their_sessions_and_what_is_missing_is_said(
    evening: Evening, rest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def sessions(path: Path) -> list[tuple[int, int]]:
        code, out, _ = said(capsys, "show", path, "--json")
        assert code == 0
        return [(entry["seq"], entry["session"]) for entry in map(json.loads, out.splitlines())]

    assert sessions(rest) == sessions(evening.path)
    assert {session for _, session in sessions(rest)} == {3, 4}
    begins = sessions(rest)[0][0]
    assert f"{rest} begins with entry {begins}" in said(capsys, "show", rest, "--session", "4")[2]


def test_a_replay_goes_through_the_acknowledged_export_to_the_same_state(
    evening: Evening, rest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = said(capsys, "replay", rest)
    assert (code, "the state of the table behind them is not here" in err) == (1, True)
    for path in (rest, evening.path):  # also of a directory, whose checkpoint has no signature
        code, out, _ = said(capsys, "replay", path, "--behind", evening.out, "--json")
        assert (code, json.loads(out)["state_digest"]) == (0, evening.bench.digest())
    assert "played from the exports" in said(capsys, "replay", rest, "--behind", evening.out)[1]
    (checkpoint,) = evening.path.glob("*.checkpoint")
    checkpoint.unlink()
    assert said(capsys, "replay", evening.path)[0] == 1
    assert said(capsys, "replay", evening.path, "--behind", evening.out)[0] == 0


def test_what_was_removed_several_times_takes_each_export_in_order(
    evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    prune(evening.path, evening.out, evening.code, SIGNER)
    for _ in range(2):
        evening.session()
    for name in evening.names_of(evening.bench.storage):
        if name >= "00000003":
            (evening.path / name).write_bytes(evening.bench.storage.read(name))
    second, third = evening.out.with_name("second.txt"), evening.out.with_name("third.txt")
    export(evening.path, second, SIGNER)
    assert prune(evening.path, second, noted_now(second), SIGNER).entries > 0
    export(evening.path, third, SIGNER)
    both = ["--behind", evening.out, "--behind", second]
    code, out, _ = said(capsys, "replay", third, *both, "--json")
    assert (code, json.loads(out)["state_digest"]) == (0, evening.bench.digest())
    for wrong in (both[:2], both[2:], [*both[2:], *both[:2]]):
        code, _, err = said(capsys, "replay", third, *wrong)
        assert (code, "does not lead to where" in err) == (1, True), wrong


def test_an_export_that_is_cut_or_of_another_table_leads_nowhere(
    evening: Evening, rest: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Bench()  # of the same key, and long enough, with another chain
    other.run(7)
    other.act(SignIn, DEALER, operation=Operation.TABLE)
    for _ in range(6):
        other.act(OpenSession, DEALER)
        other.act(AbandonOpening, DEALER)
    cut, foreign = evening.out.with_name("cut.txt"), evening.out.with_name("foreign.txt")
    cut.write_bytes(evening.out.read_bytes()[:-1])
    foreign.write_bytes(whole_text(other.storage, SIGNER))
    for wrong in (cut, foreign):
        code, _, err = said(capsys, "replay", rest, "--behind", wrong)
        assert (code, f"The export {wrong} does not lead" in err) == (1, True)
    assert said(capsys, "show", rest, "--behind", evening.out.with_name("none"))[0] == 2
    assert replay(rest).ok is False
