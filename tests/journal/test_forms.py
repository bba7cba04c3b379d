"""Three readers agree on every form of a journal and of its export, and find any flipped bit.

By day our own readers get the plain form with every ninth bit flipped, one at a time. In the other forms, and for
independent readers, one bit of every seventh byte is flipped. The commit's digest chooses the first one.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
import standalone_directory
import standalone_verifier
from forms import FORMS
from journal_kit import SIGNER, to_directory

from controller.journal.export import export, whole_text
from controller.journal.progress import Check, Verification, Wanted
from controller.journal.verify import verify, verify_storage
from simulators.disk import MemoryStorage
from simulators.oracles.export_reader import read_export
from tests.drawn import begins_at
from tests.night import IS_NIGHT

WANTED = Wanted(SIGNER.public_key)


@pytest.fixture(params=FORMS)
def storage(request: pytest.FixtureRequest) -> MemoryStorage:
    return FORMS[request.param]()


@pytest.fixture
def exported(storage: MemoryStorage, tmp_path: Path) -> Path:
    export(to_directory(storage, tmp_path / "journal"), tmp_path / "out", SIGNER)
    return tmp_path / "out"


EVERY_BYTE: Final = 8
OF_PLAIN: Final = 1 if IS_NIGHT else 9
SAMPLED: Final = 56


@pytest.fixture
def least(request: pytest.FixtureRequest) -> int:
    """The least step, in bits, between the flipped bits of this form."""
    form: str = request.node.callspec.params["storage"]
    return OF_PLAIN if IS_NIGHT or form == "plain" else SAMPLED


OF_OTHERS: Final = EVERY_BYTE if IS_NIGHT else SAMPLED


def flipped(data: bytes, step: int) -> Iterator[bytes]:
    """Yields copies with one flipped bit, `step` bits apart; in steps of whole bytes each time another bit."""
    for bit in range(begins_at(step), 8 * len(data), step):
        at = bit // 8
        mask = 1 << (bit % 8 if step % EVERY_BYTE else at % 8)
        yield data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


def same(result: Verification) -> tuple[int, str, bool, int | None]:
    return result.entries, result.head, result.ok, result.first_bad


def test_three_readers_find_the_same(storage: MemoryStorage, exported: Path, tmp_path: Path) -> None:
    journal, ours = verify(tmp_path / "journal", WANTED), verify(exported, WANTED)
    assert same(journal) == same(ours)
    assert ours.signature is Check.VALID
    in_directory = standalone_directory.check_directory(tmp_path / "journal")
    in_export = standalone_verifier.check_export(exported, SIGNER.public_key)
    assert in_directory[:2] == in_export[:2] == (ours.entries, ours.head)
    read = read_export(exported.read_bytes())
    assert not read.faults
    assert (len(read.entries), read.head) == (ours.entries, ours.head)
    assert (ours.ok, len(in_directory[2])) == ((True, 0) if ours.first_bad is None else (False, 1))
    with pytest.raises(ValueError, match="another format or key"):
        standalone_verifier.check_export(exported, "ab" * 32)


def test_any_bit_of_the_journal_is_found(storage: MemoryStorage, least: int) -> None:
    untouched = verify_storage(storage, WANTED)
    for file in storage.list():
        data = storage.read(file.name)
        if file.name.endswith((".segment", ".removed")):
            for changed in flipped(data, least):
                storage.replace(file.name, changed)
                assert verify_storage(storage, WANTED) != untouched, file.name
        storage.replace(file.name, data)


def test_a_verifier_of_another_hand_finds_any_byte_of_a_segment(storage: MemoryStorage, tmp_path: Path) -> None:
    path = to_directory(storage, tmp_path / "journal")
    for file in sorted(path.glob("*.segment")):
        data = file.read_bytes()
        for changed in flipped(data, OF_OTHERS):
            file.write_bytes(changed)
            with pytest.raises(ValueError, match=r"^entry "):
                standalone_directory.check_directory(path)
        file.write_bytes(data)


def bits_of_an_export(data: bytes, least: int) -> Iterator[bytes]:
    """Yields an export with a flipped bit, in all lines but entries, which test_journal_verify.py has."""
    at = 0
    for line in data.splitlines(keepends=True):
        if not line.startswith(b'{"chain"'):
            step = max(least, EVERY_BYTE) if line.startswith(b'{"seal"') else least
            yield from (data[:at] + changed + data[at + len(line) :] for changed in flipped(line, step))
        at += len(line)


@pytest.mark.slow
def test_any_bit_of_an_export_is_found(exported: Path, least: int) -> None:
    untouched = verify(exported, WANTED)
    for changed in bits_of_an_export(exported.read_bytes(), least):
        exported.write_bytes(changed)
        result = verify(exported, WANTED)
        assert not result.ok
        assert result != untouched


@pytest.mark.slow
def test_the_others_find_any_byte_of_an_export(exported: Path) -> None:
    for changed in flipped(exported.read_bytes(), OF_OTHERS):
        exported.write_bytes(changed)
        assert read_export(changed).faults
        with pytest.raises(ValueError, match=r"^entry "):
            standalone_verifier.check_export(exported)


def test_any_line_removed_or_repeated_is_found(storage: MemoryStorage, tmp_path: Path) -> None:
    lines = whole_text(storage, SIGNER).splitlines(keepends=True)
    out = tmp_path / "changed"
    out.write_bytes(b"".join(lines))
    untouched = [verify(out)]
    for at, line in enumerate(lines):
        for changed in ([*lines[:at], *lines[at + 1 :]], [*lines[:at], line, *lines[at:]]):
            out.write_bytes(b"".join(changed))
            assert verify(out) not in untouched
            assert read_export(out.read_bytes()).faults
            with pytest.raises(ValueError, match=r"^entry "):
                standalone_verifier.check_export(out)
