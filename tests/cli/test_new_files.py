"""A strange umask neither takes a new file from its owner nor lets other users write it."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from controller.machine.new_files import keep_new_files_usable
from controller.staff import StaffBook, save_staff
from tests.daemon.rig import CHEAP, ROOT
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

KEPT = {0o000: 0o644, 0o002: 0o644, 0o022: 0o644, 0o027: 0o640, 0o077: 0o600, 0o277: 0o600, 0o777: 0o600}


@pytest.mark.parametrize("given", KEPT)
def test_the_owner_may_use_a_new_file_and_no_other_user_write_it(tmp_path: Path, given: int) -> None:
    before = os.umask(given)
    try:
        keep_new_files_usable()
        (tmp_path / "new").touch(0o666)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == KEPT[given]


def test_a_command_under_a_umask_of_all_bits_leaves_a_file_that_its_owner_reads(tmp_path: Path) -> None:
    staff, (pin, typed) = tmp_path / "staff.toml", os.pipe()
    save_staff(StaffBook(cost=CHEAP), staff)
    os.write(typed, b"411123\n")
    os.close(typed)
    words = ("staff", "add", "--file", str(staff), "--person", "21", "--name", "A. Silva", "--role", "dealer")
    command = [sys.executable, "-m", "controller.cli.main", *words, "--pin-fd", str(pin)]
    done = subprocess.run(command, cwd=ROOT, umask=0o777, pass_fds=(pin,), timeout=HANGS_S, check=False)
    os.close(pin)
    assert done.returncode == 0
    assert stat.S_IMODE(staff.stat().st_mode) == 0o600
