"""Only the staff file has the names of the casino's people, until they are deleted; no other file of a table does."""

import json
import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from controller.backup.sealed_stream import OpeningReader
from controller.catalogue import Language
from controller.cli.main import main
from controller.core.words import Role
from controller.journal.signing import public_path
from controller.journal.verify import entries_of
from controller.machine.clock import SYNCHRONISED
from controller.protocol.record import RecordKind
from controller.record.names import names_of
from controller.record.read import Wish, read
from controller.runtime.replay import replay
from controller.staff import load_staff, save_staff
from tests.daemon.conftest import rig, warm
from tests.daemon.rig import CHIEF, DAY, DEALER, PINS, Rig

pytestmark = pytest.mark.waits

__all__ = ["rig", "warm"]

NAME = "Zoraida Quintão"
SAID = "Hermengarda Falcão paid 17 as 18"
MANAGER, MANAGERS_PIN = 61, "416123"


@pytest.fixture(autouse=True)
def clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of a file by which a time service reports a set clock; the program looks for it here."""
    synchronised = tmp_path / "computer" / SYNCHRONISED.lstrip("/")
    synchronised.parent.mkdir(parents=True)
    synchronised.touch()
    monkeypatch.setattr("controller.machine.clock.ROOT", tmp_path / "computer")
    return synchronised


@pytest.fixture
def evening(rig: Rig) -> Rig:
    """A rig after an evening of a dealer with a unique name, one of whose PINs was refused."""
    staff = rig.directory / "staff.toml"
    book = load_staff(staff).with_name(DEALER, NAME)
    save_staff(book.with_person(MANAGER, "Person of the room", Role.ROOM_MANAGER, MANAGERS_PIN), staff)
    text = rig.config.read_text().replace('"staff.toml"\n', '"staff.toml"\nnames_kept_days = 0\n')
    kept = f'second_copy = "{rig.directory}/second"\nwords_kept_days = 0\n'
    (rig.directory / "second").mkdir()
    rig.config.write_text(text.replace('"journal"\n', f'"journal"\n{kept}'))
    rig.start()
    rig.connected()
    rig.act("sign-in", DEALER, operation="table")
    rig.act("open-session")
    rig.act("record-complaint", DEALER, seat="1", words=SAID)
    rig.act("sign-in", DEALER, pin="9999", operation="table")
    rig.stop()
    return rig


def by_two(rig: Rig, *command: str, manager: int = MANAGER, pin: str = MANAGERS_PIN) -> int:
    """Runs a command with the PINs of room manager and chief supervisor; returns the exit code."""
    reading, writing = os.pipe()
    os.write(writing, f"{pin}\n{PINS[CHIEF]}\n".encode())
    os.close(writing)
    who = ["--room-manager", str(manager), "--chief", str(CHIEF), "--pin-fd", str(reading)]
    try:
        return main([*command, "--config", str(rig.config), *who])
    finally:
        os.close(reading)


def cut(rig: Rig, *, manager: int = MANAGER, pin: str = MANAGERS_PIN) -> int:
    return by_two(rig, "staff", "forget", "--person", str(DEALER), manager=manager, pin=pin)


def delete(rig: Rig, entry: int, *, manager: int = MANAGER, pin: str = MANAGERS_PIN) -> int:
    return by_two(rig, "journal", "forget", "--entry", str(entry), manager=manager, pin=pin)


def complaint_of(rig: Rig) -> int:
    """The number of the journal's entry that has the words of the first complaint."""
    return next(entry.seq for entry in entries_of(rig.journal) if entry.kind == "record-complaint")


def whole(rig: Rig) -> list[bytes]:
    """The content of every file of the table, of a new decrypted backup, and of each file in a new bundle."""
    files = [path.read_bytes() for path in rig.directory.rglob("*") if path.is_file()]
    return [*files, backed_up(rig), *bundled(rig)]


def forgotten(rig: Rig) -> None:
    """Removes the person, cuts the name, and waits for the controller."""
    staff = rig.directory / "staff.toml"
    save_staff(load_staff(staff).without(DEALER, DAY), staff)
    assert NAME in staff.read_text("utf-8"), "the name of somebody who has left stays until it is cut"
    assert cut(rig) == 0
    rig.start()
    rig.connected()
    rig.stop()


def exported(rig: Rig) -> Path:
    out = rig.directory / "evening.txt"
    assert main(["journal", "export", str(rig.journal), "--out", str(out)]) == 0
    return out


def backed_up(rig: Rig) -> bytes:
    """The whole of a backup, decrypted."""
    key = X25519PrivateKey.generate()
    public, out = rig.directory / "casino.pub", rig.directory / "table.backup"
    out.unlink(missing_ok=True)
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    assert main(["backup", "--config", str(rig.config), "--to", str(public), "--out", str(out)]) == 0
    with out.open("rb") as file:
        return OpeningReader(file, key).read(1 << 24)


def bundled(rig: Rig) -> Iterator[bytes]:
    out = rig.directory / "support.tar.gz"
    out.unlink(missing_ok=True)
    main(["doctor", "--config", str(rig.config), "--bundle", str(out)])
    with tarfile.open(out) as archive:
        yield from (file.read() for one in archive if (file := archive.extractfile(one)) is not None)


def story(rig: Rig, staff: list[Path], language: Language = Language.EN) -> str:
    """The record of the first session as the panel's page gets it: refusals and summary, with names from `staff`."""
    wish = Wish(rig.journal, RecordKind.REFUSALS, 1, 0, language, names_of(staff, language))
    summary = Wish(rig.journal, RecordKind.SUMMARY, 1, 0, language, names_of(staff, language))
    return repr([read(one, lambda _percent: None) for one in (wish, summary)])


def test_a_name_that_is_cut_is_nowhere_and_the_journal_is_whole(
    evening: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = evening.directory / "staff.toml"
    old = evening.directory / "elsewhere.toml"
    save_staff(load_staff(staff), old)
    assert NAME in story(evening, [staff])
    forgotten(evening)
    out = exported(evening)
    pages = story(evening, [staff])
    assert (NAME in pages, f"{DEALER} (forgotten)" in pages) == (False, True)
    assert f"{DEALER} (apagado)" in story(evening, [staff], Language.PT)
    kept = {path: path.read_bytes() for path in evening.directory.rglob("*") if path.is_file() and path != old}
    assert {out, evening.log, staff, *evening.journal.glob("*.segment")} <= set(kept)
    backup = backed_up(evening)
    assert b"Person of the room" in backup, "of those who are there a backup has the names"
    pieces = [*kept.values(), backup, *bundled(evening)]
    assert [part for part in NAME.split() if any(part.encode() in piece for piece in pieces)] == []
    assert f'"person":{DEALER}'.encode() in out.read_bytes(), "the number stays, and names nobody"
    for command in (["verify", str(out), "--public-key", str(public_path(evening.journal))], ["replay", str(out)]):
        capsys.readouterr()
        assert main(["journal", *command, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["ok"] is True
    assert main(["journal", "show", str(out)]) == 0
    assert f"{DEALER} (forgotten)" in capsys.readouterr().out, "the export says so itself"
    assert main(["journal", "show", str(out), "--staff", str(old)]) == 0
    told = capsys.readouterr().out
    assert (NAME in told, f"{DEALER} (forgotten)" in told) == (False, True), "also beside an older staff file"
    assert f"names cut (by room manager, chief supervisor, on): {DEALER} ({MANAGER}, {CHIEF}, " in told


def test_a_proof_from_before_the_cut_holds_behind_it(evening: Rig, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = evening.directory / "before.proof", evening.directory / "after.proof"
    wanted = ["journal", "prove", str(evening.journal), "--entry", "1:5", "--out"]
    assert main([*wanted, str(before)]) == 0
    forgotten(evening)
    assert main([*wanted, str(after)]) == 0
    for proof in (before, after):
        capsys.readouterr()
        key = str(public_path(evening.journal))
        assert main(["journal", "verify", str(proof), "--public-key", key, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["ok"] is True
        assert NAME.encode() not in proof.read_bytes()


def test_no_name_is_cut_by_one_person_before_its_time_or_of_somebody_who_is_there(
    evening: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = evening.directory / "staff.toml"
    assert cut(evening) != 0
    assert "sabot staff remove first" in capsys.readouterr().err
    save_staff(load_staff(staff).without(DEALER, DAY), staff)
    before = staff.read_bytes()
    assert cut(evening, pin="999999") != 0
    assert cut(evening, manager=CHIEF, pin=PINS[CHIEF]) != 0, "one person is not two"
    text = evening.config.read_text()
    evening.config.write_text(text.replace("names_kept_days = 0\n", ""))
    assert cut(evening) == 2
    evening.config.write_text(text.replace("names_kept_days = 0", "names_kept_days = 36525"))
    assert cut(evening) != 0
    assert "is kept until 2126-" in capsys.readouterr().err
    assert staff.read_bytes() == before


def test_days_are_counted_between_two_days_of_a_trusted_clock(
    evening: Rig, clock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = evening.directory / "staff.toml"
    remove = ["staff", "remove", "--person", str(DEALER), "--file", str(staff)]
    clock.unlink()
    assert main(remove) == 0, "a removal waits for no clock"
    assert "without a day" in capsys.readouterr().err
    assert load_staff(staff).member(DEALER) is None
    assert cut(evening) != 0
    assert "Nothing has set this computer's clock" in capsys.readouterr().err
    clock.touch()
    assert cut(evening) != 0
    assert "sabot staff remove again" in capsys.readouterr().err
    assert main(["staff", "list", "--former", "--file", str(staff)]) == 0
    assert f"{NAME}  left, on no known day" in capsys.readouterr().out
    assert main(remove) == 0
    clock.unlink()
    battery = clock.parents[3] / "sys/class/rtc/rtc0/hctosys"
    battery.parent.mkdir(parents=True)
    battery.write_text("0\n")
    assert cut(evening) != 0, "a clock with a battery that did not set the computer's"
    battery.write_text("1\n")
    assert cut(evening) == 0
    assert NAME not in staff.read_text("utf-8")


def test_words_that_are_deleted_are_nowhere_and_the_journal_is_whole(
    evening: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    entry, proof, key = complaint_of(evening), evening.directory / "proof", str(public_path(evening.journal))
    holders = {
        path.suffix for path in evening.directory.rglob("*") if path.is_file() and SAID.encode() in path.read_bytes()
    }
    assert holders == {".words"}
    assert sum(SAID.encode() in piece for piece in whole(evening)) == 3, "the journal, its second copy and a backup"
    assert (SAID in story(evening, []), f'"text":"{SAID}"'.encode() in exported(evening).read_bytes()) == (True, True)
    (evening.directory / "evening.txt").unlink()
    assert main(["journal", "prove", str(evening.journal), "--entry", str(entry), "--out", str(proof)]) == 0
    state = replay(evening.journal).state_digest
    capsys.readouterr()
    assert delete(evening, entry) == 0
    assert f"The words of entry {entry} are deleted at 2 places." in capsys.readouterr().out
    assert replay(evening.journal).state_digest == state
    evening.start()
    evening.connected()
    evening.stop()
    assert not evening.journal.with_name("journal.forgotten").exists()
    out = exported(evening)
    assert [part for part in SAID.split()[:2] if any(part.encode() in piece for piece in whole(evening))] == []
    pages = story(evening, [])
    assert (SAID in pages, "the player's words: forgotten" in pages) == (False, True)
    assert "palavras do jogador: apagado" in story(evening, [], Language.PT)
    for path, command in ((out, "verify"), (proof, "verify"), (evening.journal, "verify"), (out, "replay")):
        capsys.readouterr()
        asked = ["--public-key", key] if command == "verify" else []
        assert main(["journal", command, str(path), *asked, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["ok"] is True
    assert main(["journal", "show", str(out)]) == 0
    told = capsys.readouterr().out
    assert (SAID in told, "the player's words: forgotten" in told) == (False, True)
    assert f"room manager {MANAGER} and chief supervisor {CHIEF} have deleted the words of entry {entry}, on " in told


def test_no_words_are_deleted_by_one_person_before_their_time_or_from_one_copy_alone(
    evening: Rig, clock: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry, text = complaint_of(evening), evening.config.read_text()
    kept = [path.read_bytes() for path in sorted(evening.directory.rglob("*.words"))]
    assert len(kept) == 2

    def refused(text: str, said: str, entry: int = entry, *, manager: int = MANAGER, pin: str = MANAGERS_PIN) -> None:
        evening.config.write_text(text)
        assert delete(evening, entry, manager=manager, pin=pin) != 0
        assert said in capsys.readouterr().err
        assert [path.read_bytes() for path in sorted(evening.directory.rglob("*.words"))] == kept
        assert not evening.journal.with_name("journal.forgotten").exists()

    refused(text, "No words were deleted", pin="999999")
    refused(text, "No words were deleted", manager=CHIEF, pin=PINS[CHIEF])
    refused(text.replace("words_kept_days = 0\n", ""), "journal.words_kept_days")
    refused(text.replace("words_kept_days = 0", "words_kept_days = 36525"), "are kept until 2126-")
    refused(text, "Entry 1 has no words", 1)
    refused(text, "no entry 9999", 9999)
    refused(text.replace("/second", "/unplugged"), "/unplugged")
    clock.unlink()
    refused(text, "Nothing has set this computer's clock")
    clock.touch()
    evening.config.write_text(text)
    evening.start()
    evening.connected()
    refused(text, "Another controller already writes the journal")
