"""The tools for the tests of C, and the command that installs a missing one."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.night import IS_NIGHT

PACKAGES: Final = {
    "cc": "gcc libc6-dev",
    "gcov": "gcc",
    "clang": "clang",
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
    "qemu-system-arm": "qemu-system-arm",
    "arm-none-eabi-size": "binutils-arm-none-eabi",
    "arm-none-eabi-nm": "binutils-arm-none-eabi",
    "arm-none-eabi-objdump": "binutils-arm-none-eabi",
}

other_compilers = pytest.mark.skipif(not IS_NIGHT, reason="clang and compilers for other processors: by night")
"""Marks a test that needs more than the computer's own compiler."""


def tool(name: str) -> str:
    """The path of the tool."""
    found = shutil.which(name)
    if found is None:
        pytest.fail(f"{name} is missing; on Debian: sudo apt install {PACKAGES[name]}")
    return found


def output(name: str, *words: object, cwd: Path | None = None) -> str:
    """The program's output."""
    done = subprocess.run([tool(name), *map(str, words)], capture_output=True, text=True, check=False, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def columns(text: str) -> list[list[str]]:
    """The words of each line that begins with a number."""
    return [line.split() for line in text.splitlines() if re.match(r"\s*\d", line)]
