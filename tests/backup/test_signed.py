"""A backup is believed like any other medium: up to its mark, by the key that its journal names."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from controller.backup import make
from controller.backup.make import make_backup
from controller.backup.restore import restore
from controller.backup.sealed_stream import BackupRefused
from controller.config import read_config
from controller.core.words import HoldKind
from controller.daemon.prepare import prepare
from controller.journal.approval import unsigned_path
from controller.journal.mark import begun_path
from controller.journal.verify import entries_of
from controller.machine import software
from controller.runtime.start import Start
from tests.daemon.rig import DEALER, Rig
from tests.daemon.test_unsigned import seal
from tests.daemon.written_on import ENDS_THE_HOLD, last_of, lengthen

pytestmark = pytest.mark.waits

SECRET = X25519PrivateKey.generate()
FILES = ("journal.key", "journal.pub", "journal.begun", "seal.key", "staff.toml", "table.toml")


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """A table in an open session, with a hold."""
    monkeypatch.setattr(software, "ARCHIVED", "0" * 40)  # git takes longer than the rest of the test
    with Rig(tmp_path) as made:
        made.start()
        made.connected()
        assert made.act("sign-in", DEALER, operation="table").ok
        assert made.act("open-session").ok
        made.unplug("shoe")
        made.until(lambda status: [hold["kind"] for hold in status["holds"]] == ["device-lost"])
        made.plug("shoe")
        made.connected()
        yield made


def backed_up(rig: Rig) -> Path:
    out = rig.directory / "table.backup"
    says = {"table": "T1", "epoch": 1}
    make_backup(read_config(rig.config, ports_may_be_missing=True), says, SECRET.public_key(), out)
    return out


def brought_back(rig: Rig, backup: Path) -> None:
    """Restores the backup on an empty computer."""
    shutil.rmtree(rig.journal)
    for name in FILES:
        (rig.directory / name).unlink()
    restore(backup, SECRET, rig.config)


def started(rig: Rig) -> Start:
    prepared = prepare(rig.config, {})
    prepared.storage.close()
    prepared.listener.close()
    prepared.socket_path.unlink()
    return prepared.booted.start


def test_a_backup_of_a_table_that_runs_is_signed_up_to_its_last_entry(rig: Rig) -> None:
    backup = backed_up(rig)
    entries = [entry.seq for entry in entries_of(rig.journal)]
    rig.kill()
    brought_back(rig, backup)
    assert last_of(rig.journal) == entries[-1]
    assert not unsigned_path(rig.journal).exists()
    assert started(rig).damage is None


def test_what_stands_behind_the_mark_in_a_backup_ends_no_hold_and_waits_for_two_people(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.stop()
    last = last_of(rig.journal)
    lengthen(rig.journal, ENDS_THE_HOLD)
    monkeypatch.setattr(make, "taken_now", lambda _journal, _table: None)  # as earlier programs made it
    brought_back(rig, backed_up(rig))
    assert last_of(rig.journal) == last
    start = started(rig)
    assert start.damage == f"unsigned-entries, #{last + 1}"
    assert [hold.kind for hold in start.state.house.holds] == [HoldKind.DEVICE_LOST]

    unsigned = unsigned_path(rig.journal)
    assert seal(rig.directory, "--unsigned", str(unsigned), "--entries", "set-aside") == 0
    start = started(rig)
    seen = f"unsigned-entries entry {last + 1} last {last + len(ENDS_THE_HOLD)} kept {last} "
    restored, *_ = (finding for finding in start.started.findings if finding.startswith("restored epoch 2"))
    assert f"entry {last} " in restored
    assert any(finding.startswith(seen) for finding in start.started.findings)
    assert start.damage is None
    assert [hold.kind for hold in start.state.house.holds] == [HoldKind.DEVICE_LOST]
    assert not unsigned.exists()
    assert len([*rig.directory.glob("journal.unsigned-*")]) == 1


@pytest.mark.parametrize("what", ["another key", "no key", "no mark", "another table's mark"])
def test_a_backup_in_which_nothing_is_this_tables_is_refused(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """A backup is refused in which nothing is this table's; anyone with the casino's public key can make one."""
    rig.stop()
    monkeypatch.setattr(make, "taken_now", lambda _journal, _table: None)
    key, mark = rig.directory / "journal.key", begun_path(rig.journal)
    match what:
        case "another key":
            monkeypatch.undo()
            monkeypatch.setattr(software, "ARCHIVED", "0" * 40)
            key.write_bytes(bytes(range(32)))  # the backup makes a mark with this key
        case "no key":
            key.rename(rig.directory / "away")
        case "no mark":
            mark.rename(rig.directory / "away")
        case _:
            mark.write_bytes(mark.read_bytes().replace(b"/T1/", b"/T2/"))
    backup = backed_up(rig)
    for name in FILES:
        (rig.directory / name).unlink(missing_ok=True)
    shutil.rmtree(rig.journal)
    with pytest.raises(BackupRefused) as refused:
        restore(backup, SECRET, rig.config)
    assert refused.value.error == "restore-unsigned"
    assert not rig.journal.exists()
