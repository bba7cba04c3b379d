"""The drill: a table's card is lost, and a new computer restores the table, also after power cuts on the way."""

import io
import json
import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from controller.backup.restore import restore
from controller.backup.sealed_stream import BackupRefused, SealingWriter, read_private_key, read_public_key
from controller.cli.main import main
from controller.journal.epoch import epoch_finding, epoch_said
from controller.journal.signing import known_path
from controller.journal.verify import entries_of, verify
from controller.record.pair_keys import read_pair_key, write_pair_key
from tests.daemon.rig import DEALER, Rig
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits

PAIR = bytes(range(100, 132))


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path) as made:
        made.start()
        made.connected()
        yield made


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, Path]:
    """The casino's key pair, as openssl writes it."""
    key = X25519PrivateKey.generate()
    secret, public = tmp_path / "casino.key", tmp_path / "casino.pub"
    secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return secret, public


def backed_up(rig: Rig, keys: tuple[Path, Path]) -> Path:
    """Makes a backup of the running table in an open session; returns its path."""
    rig.act("sign-in", DEALER, operation="table")
    rig.act("open-session")
    out = rig.directory / "table.backup"
    assert main(["backup", "--config", str(rig.config), "--to", str(keys[1]), "--out", str(out)]) == 0
    return out


def lose_everything(rig: Rig) -> None:
    """Deletes the contents of the computer's memory card: journal, keys, staff and configuration."""
    shutil.rmtree(rig.journal)
    for name in ("journal.key", "journal.pub", "journal.begun", "seal.key", "staff.toml", "table.toml"):
        (rig.directory / name).unlink()


def test_a_table_comes_back_and_says_so(rig: Rig, keys: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    pair = rig.directory / "shoe.pair.key"
    write_pair_key(pair, PAIR)
    backup = backed_up(rig, keys)
    assert b"$argon2id" not in backup.read_bytes()
    assert PAIR not in backup.read_bytes()
    rig.kill()
    before = [one.seq for one in entries_of(rig.journal)]
    assert not any(PAIR in path.read_bytes() for path in rig.journal.iterdir())
    lose_everything(rig)
    pair.unlink()
    capsys.readouterr()
    assert main(["restore", str(backup), "--key", str(keys[0]), "--config", str(rig.config), "--json"]) == 0
    done = json.loads(capsys.readouterr().out)
    assert (done["epoch"], done["entries"]) == (2, before[-1])
    assert oct((rig.directory / "seal.key").stat().st_mode & 0o777) == "0o600"
    assert (read_pair_key(pair), oct(pair.stat().st_mode & 0o777)) == (PAIR, "0o600")
    assert known_path(rig.config).read_bytes() == (rig.directory / "journal.pub").read_bytes()
    rig.start()
    status = rig.connected()
    assert status["session_number"] == 1
    rig.stop()
    told = [one for one in entries_of(rig.journal) if one.kind == "controller-started"][-1]
    assert f"restored epoch 2 entry {before[-1]} code {done['code']}" in bytes(told.body).decode()
    rig.start()
    rig.stop()
    again = [one for one in entries_of(rig.journal) if one.kind == "controller-started"][-1]
    assert "restored" not in bytes(again.body).decode()  # it is reported once
    assert '"epoch 2"' in bytes(again.body).decode()  # each start reports the epoch
    assert verify(rig.journal).ok
    capsys.readouterr()
    assert main(["journal", "show", str(rig.journal)]) == 0
    assert done["code"] in capsys.readouterr().out


def test_a_key_of_another_length_is_no_key_of_a_pair(
    rig: Rig, keys: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A spoilt key would come to light only when the device is refused, with the rest of the card gone."""
    pair = rig.directory / "shoe.pair.key"
    write_pair_key(pair, PAIR)
    pair.write_bytes(PAIR[1:])
    backup = backed_up(rig, keys)
    rig.kill()
    lose_everything(rig)
    pair.unlink()
    capsys.readouterr()
    command = ["restore", str(backup), "--key", str(keys[0]), "--config", str(rig.config), "--json"]
    assert main(command) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "backup-unknown"
    assert not rig.journal.exists()


class PowerCut(BaseException):
    """The power is cut: no code of the program runs after it."""


def test_the_power_may_go_at_each_step_of_a_restore(
    rig: Rig, keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    backup, secret = backed_up(rig, keys), read_private_key(keys[0])
    rig.kill()
    entries = [one.seq for one in entries_of(rig.journal)]
    cuts, at = 0, 0
    real_sync = os.fsync
    while True:
        lose_everything(rig)
        left = [at]

        def cutting(descriptor: int, left: list[int] = left) -> None:
            if left[0] == 0:
                raise PowerCut
            left[0] -= 1
            real_sync(descriptor)

        monkeypatch.setattr(os, "fsync", cutting)
        try:
            restore(backup, secret, rig.config)
            break
        except PowerCut:
            cuts += 1
        finally:
            monkeypatch.setattr(os, "fsync", real_sync)
        if rig.journal.exists():  # the last step, which was complete
            assert verify(rig.journal).ok
        else:
            restore(backup, secret, rig.config)
        assert [one.seq for one in entries_of(rig.journal)] == entries
        for path in (rig.directory / "journal.epoch", rig.directory / "journal.restored"):
            path.unlink()
        at += 1 if IS_NIGHT else 3
    assert cuts > 8


def test_the_power_may_go_at_each_step_of_a_backup(
    rig: Rig, keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut at any step no file or a whole one has the backup's name, and the same command completes it."""
    out = backed_up(rig, keys)
    rig.kill()
    before = {path: path.read_bytes() for path in rig.journal.iterdir()}
    whole = out.stat().st_size
    command = ["backup", "--config", str(rig.config), "--to", str(keys[1]), "--out", str(out)]
    cuts, is_done = 0, False
    while not is_done:
        out.unlink()
        left = cuts
        with monkeypatch.context() as cutting:

            def cut(step: Callable[..., Any]) -> Callable[..., Any]:
                def may_end(*given: Any) -> Any:  # noqa: ANN401 - of any step
                    nonlocal left
                    left -= 1
                    if left < 0:
                        raise PowerCut
                    return step(*given)

                return may_end

            for place, name in ((SealingWriter, "write"), (os, "fsync"), (Path, "replace")):
                cutting.setattr(place, name, cut(getattr(place, name)))
            try:
                is_done = main(command) == 0
            except PowerCut:
                cuts += 1
        if not out.exists():
            assert main(command) == 0
        assert out.stat().st_size == whole
        assert {path: path.read_bytes() for path in rig.journal.iterdir()} == before
    assert cuts >= 5
    lose_everything(rig)
    restore(out, read_private_key(keys[0]), rig.config)
    assert verify(rig.journal).ok


CONFIG = b'[table]\nid = "T1"\nprofile_file = "own.toml"\n[journal]\npath = "journal"\n[staff]\npath = "../cron/evil"\n'
MANIFEST = b'{"table":"T1","epoch":1}'
FORGED: dict[str, dict[str, bytes]] = {
    "says no epoch": {"manifest.json": b'{"table":"T1"}'},
    "is a list": {"manifest.json": b"[]"},
    "is the last epoch": {"manifest.json": MANIFEST.replace(b"1}", b"9" * 40 + b"}")},
    "has no end": {"manifest.json": MANIFEST.replace(b"1}", b"1e999}")},
    "is too deep": {"manifest.json": b"[" * 100_000},
    "names no places": {"config": b"controller = 5\n" + CONFIG},
    "has other people": {"staff": b"* * * * * root reboot\n"},
    "has another profile": {"profile": b"[Service]\nExecStart = 'reboot'\n"},
    "has no key": {"seal.key": b"reboot\n"},
    "has no signing key": {"journal.key": b"reboot\n"},
    "has no public key": {"journal.pub": b"reboot\n"},
    "brings what is no journal's": {"journal/evil.conf": b"[Service]\n"},
}


def forged_backup(directory: Path, keys: tuple[Path, Path], contents: dict[str, bytes]) -> Path:
    """Makes a backup with these files beside a manifest and a configuration; returns its path."""
    tar, forged = io.BytesIO(), directory / "forged"
    with tarfile.open(fileobj=tar, mode="w") as archive:
        for name, content in ({"manifest.json": MANIFEST, "config": CONFIG} | contents).items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    with forged.open("wb") as below:
        stream = SealingWriter(below, read_public_key(keys[1]))
        stream.write(tar.getvalue())
        stream.close()
    return forged


@pytest.mark.parametrize("what", FORGED)
def test_a_backup_that_somebody_made_puts_nothing_anywhere(tmp_path: Path, keys: tuple[Path, Path], what: str) -> None:
    """A forged backup, which anyone with the public key can make, puts no file outside the table's places."""
    for name in ("etc", "cron"):
        (tmp_path / name).mkdir()
    forged = forged_backup(tmp_path, keys, FORGED[what])
    with pytest.raises(BackupRefused) as refused:
        restore(forged, read_private_key(keys[0]), tmp_path / "etc/table.toml")
    assert refused.value.error == "backup-unknown"
    assert [*(tmp_path / "etc").iterdir(), *(tmp_path / "cron").iterdir()] == []


@pytest.mark.parametrize("make_other", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("/dev/full")])
def test_nothing_but_a_file_is_read_where_a_backup_says_that_one_lies(
    tmp_path: Path, keys: tuple[Path, Path], make_other: Callable[[Path], None]
) -> None:
    """A backup that somebody made may name a device that gives bytes without end."""
    for name in ("etc", "cron"):
        (tmp_path / name).mkdir()
    make_other(tmp_path / "cron/evil")
    forged = forged_backup(tmp_path, keys, {"staff": b""})
    with pytest.raises(BackupRefused) as refused:
        restore(forged, read_private_key(keys[0]), tmp_path / "etc/table.toml")
    assert refused.value.error == "restore-exists"


def test_a_pipe_is_no_backup_and_no_key(
    tmp_path: Path, keys: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The command refuses a pipe as backup or key at once, since a pipe may never end."""
    pipe, backup = tmp_path / "pipe", tmp_path / "table.backup"
    os.mkfifo(pipe)
    backup.write_bytes(b"")
    for given, key in ((pipe, keys[0]), (backup, pipe)):
        command = ["restore", str(given), "--key", str(key), "--config", str(tmp_path / "etc" / "table.toml")]
        (tmp_path / "etc").mkdir(exist_ok=True)
        assert main([*command, "--json"]) != 0
        assert json.loads(capsys.readouterr().out)["error"]


def test_nothing_is_written_over(rig: Rig, keys: tuple[Path, Path]) -> None:
    backup, secret = backed_up(rig, keys), read_private_key(keys[0])
    rig.kill()
    with pytest.raises(BackupRefused):
        restore(backup, secret, rig.config)
    shutil.rmtree(rig.journal)
    (rig.directory / "staff.toml").write_text("another's")
    with pytest.raises(BackupRefused):
        restore(backup, secret, rig.config)
    assert (rig.directory / "staff.toml").read_text() == "another's"
    assert not rig.journal.exists()
    assert main(["backup", "--config", str(rig.config), "--to", str(keys[1]), "--out", str(backup)]) == 2


def test_a_half_restored_table_does_not_start_anew(rig: Rig, keys: tuple[Path, Path]) -> None:
    backup, secret = backed_up(rig, keys), read_private_key(keys[0])
    rig.kill()
    lose_everything(rig)
    restore(backup, secret, rig.config)
    shutil.rmtree(rig.journal)  # as the power cut left it before the last step
    code, said = rig.refused()
    assert code == 1
    assert "journal.begun" in said


def with_second_copy(rig: Rig) -> Path:
    second = rig.directory / "second"
    text = rig.config.read_text()
    rig.config.write_text(text.replace('path = "journal"', f'path = "journal"\nsecond_copy = "{second}"'))
    return second


CARD = ("journal", "journal.key", "journal.pub", "journal.begun", "seal.key", "staff.toml")


def card_of(rig: Rig, place: Path) -> Path:
    """Copies the contents of the computer's memory card to `place`; returns `place`."""
    place.mkdir()
    for name in (*CARD, "journal.epoch"):
        if (path := rig.directory / name).exists():
            (shutil.copytree if path.is_dir() else shutil.copy2)(path, place / name)
    return place


def put_in(card: Path, rig: Rig) -> None:
    """Replaces the computer's files by those of the memory card `card`."""
    for name in (*CARD, "journal.epoch", "journal.restored"):
        path = rig.directory / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    for path in card.iterdir():
        (shutil.copytree if path.is_dir() else shutil.copy2)(path, rig.directory / path.name)


def restored_and_run(rig: Rig, backup: Path, key: Path) -> str:
    """Restores on a new computer with the second copy; returns the findings of the first start."""
    put_in(rig.directory / "nothing", rig)
    rig.config.unlink()
    assert main(["restore", str(backup), "--key", str(key), "--config", str(rig.config)]) == 0
    rig.start()
    rig.until(lambda status: status["journal"]["second_copy"]["condition"] == "in-step")
    rig.stop()
    return [bytes(one.body).decode() for one in entries_of(rig.journal) if one.kind == "controller-started"][-1]


def test_an_older_computer_does_not_go_on_beside_a_restored_one(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    """The old computer does not go on after it meets the second copy to which the restored table has written."""
    (tmp_path / "table").mkdir()
    with Rig(tmp_path / "table") as rig:
        (rig.directory / "nothing").mkdir()
        second = with_second_copy(rig)
        rig.start()
        rig.connected()
        backup = backed_up(rig, keys)
        rig.stop()
        first = card_of(rig, tmp_path / "first")
        told = restored_and_run(rig, backup, keys[0])
        assert "second-copy-taken-over" in told, "what was played behind the backup is there again"
        assert '"restored epoch 2' in told
        assert '"epoch 2"' in told
        other = card_of(rig, tmp_path / "other")
        assert '"epoch 3"' in restored_and_run(rig, backup, keys[0]), "the same backup, brought back once more"
        for card, own, mark in ((other, 2, True), (first, 1, True), (first, 1, False)):
            put_in(card, rig)
            if not mark:  # refused by the further entries of the second copy
                second.with_name("second.begun").unlink()
            before = {path.name: path.read_bytes() for path in second.iterdir()}
            code, said = rig.refused()
            assert (code, f"epoch {own}" in said, "epoch 3" in said) == (2, True, True), said
            assert {path.name: path.read_bytes() for path in second.iterdir()} == before


def test_what_a_start_says_of_its_epoch() -> None:
    assert epoch_said(("torn-tail segment 1 offset 2 length 3 entry 4",)) == 1
    assert epoch_said(("epoch 3", "mark-missing journal.begun")) == 3
    assert epoch_said(("restored epoch 4 entry 17 code 1-17-AB",)) == 4
    assert (epoch_finding(1), epoch_finding(2)) == ((), ("epoch 2",))
