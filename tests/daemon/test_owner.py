"""Root gives the journal's files that it makes to the controller; a user without the right to do so gets the reason."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.journal.approval import Approval, approval_path, write_approval
from controller.journal.forgotten import WordsForgotten, note_forgotten
from controller.journal.root import keep_updated
from controller.journal.storage import DirectoryStorage
from controller.machine.users import user_name
from controller.record.pair_keys import write_pair_key
from tests.daemon.rig import ROOT, Rig
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

IS_ROOT = os.geteuid() == 0
OWNER = 12_345 if IS_ROOT else os.geteuid()
"""The number of the controller's user: another one where root runs the tests, else the tests' own user."""

WITHOUT_ALL_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if IS_ROOT else []
"""Root with rights on its own files only, like any other user."""


def sabot(*words: object) -> subprocess.CompletedProcess[str]:
    command = [*WITHOUT_ALL_RIGHTS, sys.executable, "-m", "controller.cli.main", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=HANGS_S)


def of_another(path: Path) -> None:
    """Gives the file to another owner, who alone may use it; without root, takes all rights to the file away."""
    path.chmod(0o700 if IS_ROOT else 0)
    if IS_ROOT:
        os.chown(path, OWNER, OWNER)


def test_what_root_makes_for_a_journal_belongs_to_the_owner_of_its_directory(tmp_path: Path) -> None:
    """A root-owned statement or approval of mode 0600 would keep the controller from starting."""
    journal = tmp_path / "journal"
    journal.mkdir(0o700)
    if IS_ROOT:
        os.chown(journal, OWNER, OWNER)
    with DirectoryStorage(journal) as storage:
        for name in ("00000004.removed", "00000004.checkpoint"):
            storage.append(name, b"made\n")
            storage.sync(name)
    write_approval(journal, Approval(21, "00" * 32, 41))
    made = [*journal.iterdir(), approval_path(journal)]
    assert {(path.stat().st_uid, path.stat().st_mode & 0o777) for path in made} == {(OWNER, 0o600)}
    assert len(made) == 3


def test_what_root_writes_beside_a_journal_belongs_to_the_owner_of_that_directory(tmp_path: Path) -> None:
    """A root-owned note of an update kept the controller from starting: the new root was tried in vain."""
    state = tmp_path / "state"
    state.mkdir(0o700)
    if IS_ROOT:
        os.chown(state, OWNER, OWNER)
    journal = state / "journal"
    keep_updated(journal, "20261129013154-1795745432", 31, 21)
    note_forgotten(journal, WordsForgotten(chief_supervisor=21, entry=4, on="2026-01-02", room_manager=41))
    write_pair_key(state / "shuffler.pair", bytes(32))
    made = list(state.iterdir())
    assert {(path.stat().st_uid, path.stat().st_mode & 0o777) for path in made} == {(OWNER, 0o600)}
    assert len(made) == 3


def test_who_is_not_the_journals_owner_is_told_whose_it_is(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    journal.mkdir(0o700)
    of_another(journal)
    done = sabot("journal", "verify", journal)
    assert done.returncode == 2
    assert f"The journal {journal} belongs to the user {user_name(OWNER)}" in done.stderr
    done = sabot("journal", "verify", journal / "inside")
    assert done.returncode == 2
    assert f"{user_name(os.geteuid())} may not use {journal / 'inside'}" in done.stderr


def test_a_start_names_the_file_of_the_journal_that_it_may_not_use(rig: Rig) -> None:
    rig.journal.mkdir(0o700)
    statement = rig.journal / "00000004.removed"
    statement.write_text("{}\n")
    of_another(statement)
    done = sabot("run", "--config", rig.config)
    assert done.returncode == 1
    assert f"The controller runs as {user_name(os.geteuid())} and may not use {statement}" in done.stderr
    statement.unlink()
    statement.mkdir()
    done = sabot("run", "--config", rig.config)
    assert f"{statement} of the journal {rig.journal} cannot be used: it is no file" in done.stderr
