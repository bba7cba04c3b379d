"""Each command that needs no controller says in words which file it cannot use; none ends with a traceback."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from controller.journal.verify import noted_now
from controller.staff import save_staff
from controller.witness.place import make
from tests.cli.unusable import GOES_ON
from tests.daemon.rig import CHIEF, ROOT, TECHNICIAN, staff_book
from tests.drawn import every
from tests.endings import HANGS_S
from tests.runtime.shelf import lay, played

pytestmark = pytest.mark.waits

WITHOUT_ALL_RIGHTS: Final = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
"""Root with rights on its own files only, like any other user."""

TWO: Final = f"--technician {TECHNICIAN} --chief {CHIEF} --pin-fd PINS"
BACKUP: Final = "backup --config table.toml --to casino.pub --out o"
READERS: Final = (
    "journal show journal",
    "journal show journal --story --round 1 --session 1",
    "journal summary journal",
    "journal verify journal --public-key journal.pub",
    "journal incidents journal",
    "journal mistakes journal",
    "journal prove journal --entry 2:3 --out o",
    "journal export journal --out o",
    "journal code journal",
    "journal replay journal",
    BACKUP,
    "doctor --config table.toml --root .",
)
WRITERS: Final = (
    "journal prune journal --export export.txt --acknowledged CODE",
    f"journal seal journal --staff staff.toml {TWO} --mark journal.begun --why other-medium",
    f"journal forget --config table.toml --entry 3 --room-manager {TECHNICIAN} --chief {CHIEF} --pin-fd PINS",
    "decommission --config table.toml --export export.txt --acknowledged CODE",
    f"{GOES_ON}decommission --config table.toml --export export.txt --acknowledged CODE",
    "device test lamp --config table.toml",
    f"device pair shoe --config table.toml {TWO}",
)
OTHERS: Final = {
    "table.toml": ("staff list --config table.toml", "run --config table.toml", READERS[-2], *WRITERS[-4:]),
    "staff.toml": ("staff list --file staff.toml", f"device pair shoe --config table.toml {TWO}"),
    "export.txt": ("journal show export.txt", "journal verify export.txt", "journal replay export.txt", *WRITERS[3:4]),
    "proof.txt": ("journal verify proof.txt --public-key journal.pub",),
    "table.backup": ("restore table.backup --key casino.key --config new.toml",),
    "casino.key": ("restore table.backup --key casino.key --config new.toml",),
    "casino.pub": (READERS[-2],),
    "own.toml": ("profile show ./own.toml", "config check own.toml", "scenario run own.toml"),
    "witness": ("witness serve witness --port 99999", "witness sign witness export.txt --out o"),
}
FILES: Final = ("missing", "unreadable", "of another kind", "link to itself")

Row = tuple[str, str, str]
JOURNAL: Final[list[Row]] = [
    *((state, "journal", command) for state in FILES for command in (*READERS, *WRITERS)),
    *(("locked", "journal", command) for command in WRITERS),
    *(("unreadable", "journal/00000001.segment", command) for command in READERS[:-1]),
    ("unreadable", "state", "doctor --config table.toml --root ."),
]
ELSEWHERE: Final[list[Row]] = [
    (state, file, command) for file, commands in OTHERS.items() for state in FILES for command in commands
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with a journal, an export, a proof, a backup with the casino's keys, and a witness."""
    place = tmp_path_factory.mktemp("unusable")
    lay(place, [("pt-shoe", "pt-shoe", partial(played, "pt-shoe"))])
    made = place / "pt-shoe"
    save_staff(staff_book(), made / "staff.toml")
    config = (made / "table.toml").read_text().replace("[journal]\n", "[journal]\nwords_kept_days = 1\n")
    (made / "table.toml").write_text(config)
    key = X25519PrivateKey.generate()
    (made / "casino.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    (made / "casino.pub").write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    make(made / "witness", "w")
    return made


def ends(table: Path, rows: Sequence[Row]) -> list[tuple[int | None, str]]:
    command = [*WITHOUT_ALL_RIGHTS, sys.executable, "-m", "tests.cli.unusable", str(table)]
    environment = os.environ | {"SABOT_LANGUAGE": "en", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, input=json.dumps(rows), stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment, timeout=HANGS_S
    )
    return [(code, said) for code, said in json.loads(done.stdout)]


@pytest.mark.parametrize("state", [*FILES, "locked"])
def test_a_file_that_cannot_be_used_is_said_in_words(table: Path, state: str) -> None:
    rows = every([row for row in (*JOURNAL, *ELSEWHERE) if row[0] == state], 4)
    found = dict(zip(rows, ends(table, rows), strict=True))
    left = {row: said for row, (code, said) in found.items() if code is None}
    assert left == {}, "an exception has left the command"
    served = [row for row, (code, _) in found.items() if code == 0]
    assert [row for row in served if row[0] in {"locked", "unreadable"}] == [], "a command succeeded without its file"
    assert [row for row, (code, said) in found.items() if code not in {0, 1, 2} or not said.strip()] == []


@pytest.mark.parametrize("state", FILES)
@pytest.mark.parametrize("file", ["journal", "journal/00000001.segment"])
def test_no_backup_is_made_without_the_journal(table: Path, state: str, file: str) -> None:
    ((code, said),) = ends(table, [(state, file, BACKUP)])
    assert code != 0, said
    assert "journal" in said
    assert "encrypted" not in said


def test_no_backup_is_made_of_a_journal_without_entries(table: Path, tmp_path: Path) -> None:
    shutil.copytree(table, tmp_path / "new")
    shutil.rmtree(tmp_path / "new/journal")
    (tmp_path / "new/journal").mkdir()
    ((code, said),) = ends(tmp_path / "new", [("missing", "export.txt", BACKUP)])
    assert (code, "journal has no entries" in said) == (2, True), said


def test_no_backup_is_made_without_a_file_that_cannot_be_read(table: Path) -> None:
    ((code, said),) = ends(table, [("link to itself", "staff.toml", BACKUP)])
    assert (code, "staff.toml" in said) == (1, True), said


def test_a_journal_of_another_user_is_named_with_its_owner(table: Path) -> None:
    (_, said), (_, also) = ends(table, [("unreadable", "journal", READERS[0]), ("unreadable", "journal", READERS[-2])])
    assert "may not use journal. The journal journal belongs to the user" in said
    assert "The journal" in also
    assert "belongs to the user" in also


def test_a_wiping_that_goes_on_waits_for_whoever_holds_the_journal(table: Path) -> None:
    ((code, said),) = ends(table, [("locked", "journal", WRITERS[4])])
    assert (code, "A controller runs at this table" in said) == (1, True), said


def test_the_doctor_says_which_keys_its_user_may_not_look_at(table: Path) -> None:
    ((_code, said),) = ends(table, [("unreadable", "state", "doctor --config table.toml --root .")])
    assert "This user may not look at state/seal.key" in said


def wiping(table: Path) -> str:
    """The command that takes the table out of use."""
    return f"decommission --config table.toml --export export.txt --acknowledged {noted_now(table / 'export.txt')}"


def files_of(place: Path) -> set[str]:
    return {str(path.relative_to(place)) for path in place.rglob("*")}


@pytest.mark.parametrize("directory", [".", "state", "journal"])
def test_a_wiping_that_could_not_delete_all_deletes_nothing(table: Path, directory: str) -> None:
    before = set(table.parent.iterdir())
    ((code, said),) = ends(table, [("read-only", directory, wiping(table))])
    (copy,) = set(table.parent.iterdir()) - before
    assert (code, "Nothing was removed" in said) == (1, True), said
    assert files_of(copy) == files_of(table)


def test_a_wiping_that_may_delete_all_does(table: Path) -> None:
    ((code, said),) = ends(table, [("missing", "proof.txt", wiping(table))])
    assert (code, "is out of use" in said) == (0, True), said


@pytest.mark.parametrize("state", ["unreadable", "of another kind", "link to itself"])
def test_a_start_names_the_journal_where_it_lies(table: Path, state: str) -> None:
    _code, said = ends(table, [(state, "journal", "run --config table.toml")])[0]
    assert "journal" in said
    assert "journal/journal" not in said
