"""Verifiers of under 80 lines that import nothing of the project find the same as ours, at every byte."""

import ast
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import msgspec
import pytest
import standalone_directory
import standalone_verifier as standalone
from forms import Cards
from journal_kit import SIGNER, entry, small_journal, to_directory, write

from controller.journal.entry import encode_entry
from controller.journal.export import export, whole_text
from controller.journal.progress import Wanted
from controller.journal.verify import verify
from controller.journal.writer_logic import Batch
from simulators.disk import MemoryStorage
from tests.endings import HANGS_S

ENTRIES = 4


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return to_directory(small_journal(ENTRIES), tmp_path / "journal")


@pytest.fixture
def exported(journal: Path, tmp_path: Path) -> Path:
    export(journal, tmp_path / "out", SIGNER)
    return tmp_path / "out"


@pytest.mark.parametrize("module", [standalone, standalone_directory])
def test_it_is_short_and_stands_alone(module: ModuleType) -> None:
    text = Path(str(module.__file__)).read_text()
    assert len(text.splitlines()) < 80
    imported = {node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)}
    assert not any(str(name).startswith(("controller", "firmware", "drivers", "simulators")) for name in imported)


def test_it_takes_what_we_write(journal: Path, exported: Path) -> None:
    ours = verify(exported, Wanted(SIGNER.public_key))
    assert ours.ok
    assert standalone_directory.check_directory(journal) == (ENTRIES, ours.head, [])
    assert standalone.check_export(exported, SIGNER.public_key) == (ENTRIES, ours.head, [])
    with pytest.raises(ValueError, match=f"entry {ENTRIES + 1}"):
        standalone.check_export(exported, "ab" * 32)


@pytest.mark.slow
def test_both_name_the_same_first_bad_entry_for_every_byte_of_a_journal(journal: Path) -> None:
    for file in sorted(journal.glob("*.segment")):
        data = file.read_bytes()
        for at in range(len(data)):
            file.write_bytes(data[:at] + bytes([data[at] ^ 0x20]) + data[at + 1 :])
            ours = verify(journal)
            assert not ours.ok
            with pytest.raises(ValueError, match=rf"^entry {ours.first_bad}:"):
                standalone_directory.check_directory(journal)
        file.write_bytes(data)


@pytest.mark.slow
def test_both_name_the_same_first_bad_entry_for_every_byte_of_an_export(exported: Path) -> None:
    data = exported.read_bytes()
    for at in range(len(data)):
        exported.write_bytes(data[:at] + bytes([data[at] ^ 0x20]) + data[at + 1 :])
        ours = verify(exported)
        assert not ours.ok
        with pytest.raises(ValueError, match=rf"^entry {ours.first_bad}:"):
            standalone.check_export(exported)


@pytest.mark.waits
def test_the_command_of_the_guide_takes_the_key_file_that_is_handed_over(exported: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(standalone.__file__), str(exported), str(tmp_path / "journal.pub")]
    (tmp_path / "journal.pub").write_bytes(SIGNER.public_file())
    ran = subprocess.run(command, capture_output=True, text=True, timeout=HANGS_S)
    assert (ran.returncode, ran.stdout.split()[0]) == (0, str(ENTRIES))
    exported.write_bytes(exported.read_bytes().replace(b'"seq":2', b'"seq":7'))
    ran = subprocess.run(command, capture_output=True, text=True, timeout=HANGS_S)
    assert (ran.returncode, "entry 2:" in ran.stderr) == (1, True)


HEX = "0123456789abcdef" * 4
OF_PLAY = {"config_digest": HEX, "rules_digest": HEX, "seal_key": "", "state_digest": f"00000000-{HEX}"}


@pytest.mark.parametrize(
    ("kind", "body", "is_try"),
    [
        ("controller-started", {**OF_PLAY, "setup": {"simulated": False}}, False),
        ("controller-started", {**OF_PLAY, "config_digest": "", "setup": {"table": '"simulated":true'}}, False),
        ("controller-started", {**OF_PLAY, "setup": {"simulated": True}}, True),
        ("controller-started", {**OF_PLAY, "config_digest": "config"}, True),
        ("controller-started", {**OF_PLAY, "rules_digest": "abc-def"}, True),
        ("controller-started", {**OF_PLAY, "seal_key": "key"}, True),
        ("device-connected", {"simulated": True}, True),
    ],
)
def test_they_say_that_a_journal_is_a_try(kind: str, body: dict[str, object], is_try: bool, tmp_path: Path) -> None:
    cards = Cards()
    cards.add(kind, body)
    path, out = to_directory(cards.storage, tmp_path / "journal"), tmp_path / "out"
    export(path, out, SIGNER)
    said = ["a try, no evidence of play"] if is_try else []
    assert standalone.check_export(out)[2] == standalone_directory.check_directory(path)[2] == said


@pytest.mark.parametrize("number", [b"1.5", b"1.0", b"NaN"])
def test_there_are_no_other_numbers_than_integers_even_from_the_tables_own_key(tmp_path: Path, number: bytes) -> None:
    storage = MemoryStorage()
    body = msgspec.Raw(b'{"note":' + number + b"}")
    write(storage, [Batch(1, (encode_entry(msgspec.structs.replace(entry(1), body=body)),))])
    path = to_directory(storage, tmp_path / "journal")
    assert verify(path).first_bad == 1
    with pytest.raises(ValueError, match=r"^entry 1: not canonical"):
        standalone_directory.check_directory(path)
    exported = tmp_path / "out"
    exported.write_bytes(whole_text(small_journal(1), SIGNER).replace(b'"note":"\xc3\xa9"', b'"note":' + number))
    with pytest.raises(ValueError, match=r"^entry 1: not canonical"):
        standalone.check_export(exported)
