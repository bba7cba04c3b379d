"""`sabot-sim world`: its document, its story, and a failing seed that repeats itself and is shrunk."""

import json
import os
import signal
import subprocess
import sys

import pytest

from controller.config.model import Tracks
from simulators.cli import main
from simulators.device_kinds import Firmware
from simulators.world.batch import Batch
from simulators.world.card_game import GAME
from simulators.world.fault_kinds import FaultKind
from tests.endings import HANGS_S
from tests.world.defects import hold_cleared_by_reconnect

KEYS = {"seeds", "rounds", "virtual_hours", "wall_seconds", "table_hours_per_second", "faults", "violations", "digest"}


def world(*arguments: str) -> list[str]:
    return ["world", "--rounds", "1", "--jobs", "1", *arguments]


@pytest.mark.slow
def test_the_document_has_its_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(world("--seeds", "2:4", "--faults", "none", "--json")) == 0
    document = json.loads(capsys.readouterr().out)
    assert document.keys() >= KEYS
    assert (document["seeds"], document["rounds"], document["violations"]) == (2, 1, [])
    assert sum(document["faults"].values()) == 0
    assert document["virtual_hours"] > 0


@pytest.mark.parametrize(
    ("profile", "elsewhere"),
    [
        (
            "pt-csm",
            {"warning-card-overlooked", "cut-out-of-turn", "card-misnamed", "filled-short", "shuffle-forgotten"},
        ),
        ("pt-shoe", {"jam-in-carousel", "card-misnamed", "count-misstated"}),
    ],
)
def test_every_kind_that_the_table_has_a_subject_for_is_counted_even_when_it_was_not_met(
    profile: str, elsewhere: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(world("--seeds", "2:3", "--faults", "all", "--profile", profile, "--json")) == 0
    told = capsys.readouterr()
    document = json.loads(told.out)
    counted = set(document["faults"])
    left_out = told.err.splitlines()[-1].removeprefix("no subject at these tables, so not counted: ").split(", ")
    assert document["faults_without_subject"] == left_out
    assert counted | set(left_out) == {kind.value for kind in GAME.kinds}
    assert counted < {kind.value for kind in GAME.kinds}
    assert {"misread", "disk-full", "wrong-pin", "power-cut"} < counted
    assert not counted & elsewhere


def test_a_kind_that_was_asked_for_by_name_is_counted_even_where_it_has_no_subject(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(world("--seeds", "2:3", "--faults", "warning-card-overlooked", "--json")) == 0
    assert json.loads(capsys.readouterr().out)["faults"] == {"warning-card-overlooked": 0}


@pytest.mark.slow
def test_a_story_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(world("--seeds", "2:3", "--faults", "misread", "--explain", "1")) == 0
    told = capsys.readouterr().out
    assert "asks: open-session" in told
    assert "FAULT             #1 misread at the shoe" in told
    assert "ended: closed" in told


@pytest.mark.slow
def test_a_story_is_one_document_where_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(world("--seeds", "1:2", "--faults", "none", "--explain", "--json")) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["seed"], document["end"], document["violations"]) == (1, "closed", [])
    assert any("asks: open-session" in line for line in document["story"])


@pytest.mark.parametrize(("seeds", "number", "said"), [("0:2", "1", "one seed"), ("0:1", "999", "has no fault 999")])
def test_only_faults_that_a_seed_has_can_be_kept(
    seeds: str, number: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(world("--seeds", seeds, "--keep", number)) == 2
    assert said in capsys.readouterr().err


def started(*arguments: str, planted: str = "") -> subprocess.Popen[str]:
    """Starts `sabot-sim world` with these arguments in a process and a process group of its own.

    `planted`: the name of the defect (defects.py) that the process plants first.
    """
    program = "import sys; from simulators.world import command; command.SPEAKS_EVERY_S = 0.2"
    if planted:
        program += f"; import pytest; from tests.world.defects import {planted}; {planted}(pytest.MonkeyPatch())"
    command = [sys.executable, "-c", f"{program}; from simulators.cli import main; sys.exit(main())", "world"]
    whole = [*command, *arguments]
    return subprocess.Popen(whole, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


@pytest.mark.waits
def test_a_night_that_is_interrupted_says_what_was_played_until_then() -> None:
    worlds = 10**12  # so many that no list of them could be made
    words = ("--rounds", "1", "--faults", "none", "--profile", "pt-roulette", "--jobs", "2", "--json")  # short worlds
    with started("--seeds", f"0:{worlds}", *words) as night:
        assert night.stderr is not None
        assert f"of {worlds} worlds, 0 with violations" in night.stderr.readline()
        os.killpg(night.pid, signal.SIGINT)  # like a terminal: parent and workers
        out, err = night.communicate(timeout=HANGS_S)
    document = json.loads(out)
    assert (night.returncode, document["violations"]) == (1, [])
    assert 0 < document["seeds"] < worlds
    assert f"interrupted after {document['seeds']} of {worlds} worlds" in err
    assert "Traceback" not in err


@pytest.mark.waits
def test_an_interrupt_ends_the_cutting_down_and_no_more() -> None:
    arguments = ("--seeds", "1:2", "--rounds", "20", "--faults", "all", "--jobs", "1", "--json")
    with started(*arguments, planted="hold_cleared_by_reconnect") as night:
        assert night.stderr is not None
        while not (said := night.stderr.readline()).startswith("seed 1: cutting its"):
            assert said
        os.killpg(night.pid, signal.SIGINT)
        out, err = night.communicate(timeout=HANGS_S)
    failure = json.loads(out)["violations"][0]
    assert (night.returncode, failure["seed"], failure["repeat_short"]) == (1, 1, None)
    assert failure["violations"]
    assert "Traceback" not in err


@pytest.mark.waits
def test_a_story_whose_reader_has_gone_ends_without_complaint() -> None:
    with started("--seeds", "1:2", "--rounds", "5", "--faults", "none", "--explain") as telling:
        assert telling.stdout is not None
        assert telling.stdout.readline()
        telling.stdout.close()
        assert telling.wait(timeout=HANGS_S) == 1
        assert telling.stderr is not None
        assert not telling.stderr.read()


@pytest.mark.waits
def test_a_story_that_is_interrupted_ends_without_a_traceback() -> None:
    with started("--seeds", "1:2", "--rounds", "2000", "--faults", "none", "--explain") as telling:
        assert telling.stdout is not None
        assert telling.stdout.readline()
        os.killpg(telling.pid, signal.SIGINT)
        _, err = telling.communicate(timeout=HANGS_S)
    assert (telling.returncode, err) == (1, "interrupted\n")


@pytest.mark.slow
def test_a_failing_seed_is_named_with_the_command_that_repeats_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    hold_cleared_by_reconnect(monkeypatch)
    faults = "cable-pulled,pressed-twice,wrong-pin,retried-deal"
    assert main(world("--seeds", "2:3", "--faults", faults, "--json")) == 1
    told = capsys.readouterr()
    failure = json.loads(told.out)["violations"][0]
    seed = failure["seed"]
    assert f"seed {seed} fails: {failure['repeat']}\n" in told.err
    assert f"seed {seed}: cutting its" in told.err
    assert failure["repeat"] == f"sabot-sim world --seeds {seed}:{seed + 1} --rounds 1 --faults {faults}"
    assert failure["repeat_short"].startswith(failure["repeat"] + " --keep ")
    assert [words.split()[1] for words in failure["faults"]] == ["cable-pulled"]
    assert main([*failure["repeat_short"].split()[1:], "--json"]) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        ["--seeds", "3"],
        ["--seeds", "3:3"],
        ["--seeds", "a:b"],
        ["--seeds", f"0:{10**30}"],
        ["--seeds", "0:1", "--faults", "rain"],
        ["--rounds", "0"],
    ],
)
def test_wrong_arguments_are_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["world", "--rounds", "1", *wrong])
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.waits
def test_paired_tables_play_and_are_repeated_by_their_command(capsys: pytest.CaptureFixture[str]) -> None:
    digests = []
    for words in (("--paired",), ("--paired", "--shuffler", "c"), ()):
        assert main(world("--seeds", "3:4", "--faults", "none", "--json", *words)) == 0
        digests.append(json.loads(capsys.readouterr().out)["digest"])
    assert len(set(digests)) == 3
    kinds = frozenset({FaultKind.MISREAD})
    batch = Batch(range(3, 4), 1, "misread", kinds, None, "mo-csm", Tracks.CARDS, Firmware.C, is_paired=True)
    assert batch.command(3).endswith("--profile mo-csm --shuffler c --paired")
    assert batch.plan(3).paired


def test_a_wheel_has_no_paired_worlds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(world("--seeds", "2:3", "--profile", "pt-roulette", "--paired")) == 2
    assert "no device of pt-roulette can be paired" in capsys.readouterr().err
