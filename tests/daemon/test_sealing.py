"""Two people close a damaged journal, the next start names them, and the cards are counted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal.approval import approval_path
from controller.journal.mark import begun_path, decode_mark
from controller.journal.recovery import Recovery
from controller.journal.signing import public_path, read_public_key
from controller.journal.storage import DirectoryReader
from controller.journal.verify import verify
from tests.daemon.rig import CHIEF, DEALER, PINS, ROOT, TECHNICIAN, Rig

pytestmark = pytest.mark.waits


def seal(rig: Rig, technician: int, chief: int, pins: tuple[str, str]) -> tuple[int, str]:
    reader, writer = os.pipe()
    os.write(writer, "".join(f"{pin}\n" for pin in pins).encode())
    os.close(writer)
    words = ["--staff", rig.directory / "staff.toml", "--technician", technician, "--chief", chief, "--pin-fd", reader]
    command = [sys.executable, "-m", "controller.cli.main", "journal", "seal", rig.journal, "--json", *words]
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, cwd=ROOT, pass_fds=[reader], check=False
    )
    os.close(reader)
    return done.returncode, (done.stdout or done.stderr).decode()


def damage(journal: Path) -> int:
    """Flips a bit in the middle of the journal; returns the number of the entry that no longer verifies."""
    path = journal / "00000001.segment"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    first_bad = verify(journal).first_bad
    assert first_bad is not None
    return first_bad


def epoch_of_the_mark(journal: Path) -> int:
    mark = decode_mark(begun_path(journal).read_bytes(), read_public_key(public_path(journal)))
    assert mark is not None
    return mark.epoch


@pytest.mark.first
def test_two_people_close_a_damage_and_the_table_goes_on_by_name_of_both(rig: Rig) -> None:
    rig.start()
    rig.connected()
    rig.act("sign-in", DEALER, operation="table")
    rig.act("open-session")
    rig.stop()
    whole = (PINS[TECHNICIAN], PINS[CHIEF])
    assert seal(rig, TECHNICIAN, CHIEF, whole)[0] == 1, "there is nothing to close"
    first_bad = damage(rig.journal)
    rig.start()
    assert [hold["kind"] for hold in rig.status()["holds"]] == ["journal-fault"]
    assert seal(rig, TECHNICIAN, CHIEF, whole)[0] == 2, "the controller has the journal"
    rig.stop()

    assert seal(rig, TECHNICIAN, CHIEF, (PINS[TECHNICIAN], "0000"))[0] == 1
    assert seal(rig, TECHNICIAN, TECHNICIAN, (PINS[TECHNICIAN], PINS[TECHNICIAN]))[0] == 1
    assert not approval_path(rig.journal).exists()
    before = (rig.journal / "00000001.segment").read_bytes()
    code, told = seal(rig, TECHNICIAN, CHIEF, whole)
    assert (code, json.loads(told)["first_bad"]) == (0, first_bad)

    rig.start()
    rig.connected()
    assert rig.act("sign-in", DEALER, operation="table").ok
    rig.stop()
    assert not approval_path(rig.journal).exists()
    assert (rig.journal / "00000001.segment").read_bytes() == before
    with DirectoryReader(rig.journal) as storage:
        recovery = Recovery(storage)
        entry = next(entry for entry in recovery.entries() if entry.seq >= first_bad)
    assert recovery.damage is None
    assert [closed.damage.first_bad_seq for closed in recovery.sealed] == [first_bad]
    assert entry.kind == "controller-started"
    assert f"damage-sealed entry {first_bad} " in bytes(entry.body).decode()
    assert f"technician {TECHNICIAN} chief-supervisor {CHIEF}" in bytes(entry.body).decode()
    assert verify(rig.journal).first_bad == first_bad, "the journal as a whole stays one that did not verify"
    assert '"epoch 2"' in bytes(entry.body).decode(), "lost entries may have been signed"
    assert epoch_of_the_mark(rig.journal) == 2
    rig.start()
    assert rig.status()["holds"] == []
    rig.stop()
    assert epoch_of_the_mark(rig.journal) == 2, "each break begins one, a start behind it none"
