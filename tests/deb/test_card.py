"""The card's image has the same bytes from the same directory, at any time and place."""

import hashlib
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/image"))

from card import DATA_MIB, MIB, Card

pytestmark = pytest.mark.waits

MADE = 1_700_000_000


def made(out: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    card = Card(out, MADE)
    (card.root / "etc").mkdir(parents=True)
    (card.root / "etc/hostname").write_text("sabot\n")
    card.boot.mkdir()
    card.kernel.mkdir()
    (card.kernel / "vmlinuz").write_bytes(b"kernel")
    (card.boot / "cmdline.txt").write_text("quiet\n")
    for name in ("SOURCE_DATE_EPOCH", "E2FSPROGS_FAKE_TIME"):
        monkeypatch.setenv(name, str(MADE))
    card.write_file_systems()
    return card.assemble("1")


def test_two_cards_of_the_same_files_are_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    first = made(tmp_path / "one", monkeypatch)
    after = time.time() + 2.1  # FAT counts in steps of two seconds
    while time.time() < after:
        time.sleep(0.1)
    second = made(tmp_path / "another place", monkeypatch)
    digests = [
        hashlib.sha256((one.parent / part).read_bytes()).hexdigest() for one in (first, second) for part in PARTS
    ]
    assert digests[: len(PARTS)] == digests[len(PARTS) :]
    assert hashlib.sha256(first.read_bytes()).digest() == hashlib.sha256(second.read_bytes()).digest()


PARTS = ("boot.img", "kernel.img", "root.img", "data.img")


def test_its_data_stand_last_so_that_they_can_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = made(tmp_path / "one", monkeypatch)
    told = subprocess.run(["sfdisk", "--json", str(image)], capture_output=True, text=True, check=True).stdout
    parts = json.loads(told)["partitiontable"]["partitions"]
    assert [part["type"] for part in parts] == ["c", "c", "c", "f", "83", "83", "83"]
    assert parts[6]["size"] * 512 == DATA_MIB * MIB
    assert (parts[6]["start"] + parts[6]["size"]) * 512 == image.stat().st_size
    with image.open("rb") as file:
        for number, begin in ((4, b"hsqs"), (5, bytes(4))):  # the second root comes with the first update
            file.seek(parts[number]["start"] * 512)
            assert file.read(4) == begin
