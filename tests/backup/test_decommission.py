"""A table is taken out of use: first an export of all of it must be acknowledged, then all of its files are wiped."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.config import read_config
from controller.journal.signing import keep_known, public_path
from controller.journal.verify import noted_now, verify
from controller.record.decommission import decommission
from controller.record.pair_keys import write_pair_key
from tests.daemon.rig import DEALER, Rig

pytestmark = pytest.mark.waits

KEPT = {"journal.pub", "table.toml"}
KEYS = ("journal.key", "seal.key", "shoe.pair.key")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path) as made:
        write_pair_key(tmp_path / "shoe.pair.key", bytes(range(32)))
        made.start()
        made.connected()
        yield made


def exported(rig: Rig) -> tuple[Path, str]:
    """Exports the whole present journal; returns the export's path and its code."""
    out = rig.directory / "evidence.export"
    out.unlink(missing_ok=True)
    assert main(["journal", "export", str(rig.journal), "--out", str(out)]) == 0
    return out, noted_now(out)


def ended(rig: Rig, out: Path, code: str) -> int:
    given = ["--config", str(rig.config), "--export", str(out), "--acknowledged", code]
    return main(["decommission", *given, "--json"])


def left(rig: Rig) -> set[str]:
    """The names of the table's remaining files."""
    ours = ("journal", "seal", "shoe.", "staff", "table.", "second")
    return {path.name for path in rig.directory.iterdir() if path.name.startswith(ours)}


def test_nothing_goes_before_all_of_it_is_acknowledged(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    out, code = exported(rig)
    assert ended(rig, out, code) == 1, "a controller runs"
    rig.stop()
    keep_known(rig.config, public_path(rig.journal).read_bytes())
    for aside in ("journal.unsigned", "journal.unsigned-0123456789abcdef"):
        (rig.directory / aside).mkdir()
        (rig.directory / aside / "00000001.segment").write_bytes(b"of another medium")
    before = left(rig)
    assert ended(rig, out, code) == 1, "the last entry is not in the export"
    out, code = exported(rig)
    out.write_bytes(out.read_bytes()[:-100])
    assert ended(rig, out, code) == 1, "it does not verify"
    assert left(rig) == before
    capsys.readouterr()
    out, code = exported(rig)
    assert ended(rig, out, code) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["ok"] is True
    assert left(rig) == KEPT
    assert verify(out).ok, "the evidence is where it was"


def test_an_open_session_is_not_wiped(rig: Rig) -> None:
    rig.act("sign-in", DEALER, operation="table")
    rig.act("open-session")
    rig.stop()
    assert ended(rig, *exported(rig)) == 1
    assert (rig.directory / "seal.key").exists()


class PowerCut(BaseException):
    """The power is cut: no code of the program runs after it."""


def test_where_the_power_goes_the_same_command_does_the_rest(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.stop()
    out, code = exported(rig)
    config, real = read_config(rig.config, ports_may_be_missing=True), Path.unlink

    def cutting(path: Path, missing_ok: bool = False) -> None:
        real(path, missing_ok)
        if path.suffix == ".segment":
            raise PowerCut

    monkeypatch.setattr(Path, "unlink", cutting)
    with pytest.raises(PowerCut):
        decommission(config, out, code)
    monkeypatch.setattr(Path, "unlink", real)
    assert not any((rig.directory / name).exists() for name in KEYS), "keys go first"
    decommission(config, out, code)
    assert left(rig) == KEPT


def test_keys_are_written_over_before_they_go(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    rig.stop()
    out, code = exported(rig)
    held = {name: os.open(rig.directory / name, os.O_RDONLY) for name in (*KEYS, "staff.toml")}
    before = {name: os.pread(descriptor, 1 << 16, 0) for name, descriptor in held.items()}
    decommission(read_config(rig.config, ports_may_be_missing=True), out, code)
    after = {name: os.pread(descriptor, 1 << 16, 0) for name, descriptor in held.items()}
    for descriptor in held.values():
        os.close(descriptor)
    assert all(len(after[name]) == len(before[name]) and after[name] != before[name] for name in held)


def test_a_second_copy_that_is_away_is_asked_for(rig: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    rig.stop()
    out, code = exported(rig)
    text = rig.config.read_text()
    journal = next(line for line in text.splitlines() if line.startswith("[journal]"))
    rig.config.write_text(text.replace(journal, f'{journal}\nsecond_copy = "away/second"', 1))
    capsys.readouterr()
    assert ended(rig, out, code) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "second-copy-away"
    (rig.directory / "away").mkdir()
    (rig.directory / "away" / "second").mkdir()
    (rig.directory / "away" / "second" / "00000001.segment").write_bytes(b"as the journal")
    assert (rig.directory / "seal.key").exists()
    assert ended(rig, out, code) == 0
    assert left(rig) == KEPT
    assert not (rig.directory / "away" / "second").exists()
