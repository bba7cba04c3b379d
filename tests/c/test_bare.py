"""The least device, built and run by the words of the guide: on QEMU's micro:bit, at a pseudo-terminal."""

import os
import re
import select
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulators.c.build import HERE
from tests.c.tools import columns, other_compilers, output, tool
from tests.conform.test_conform import conform

pytestmark = [pytest.mark.waits, other_compilers]

STARTS_WITHIN_MS = 30_000
QUICK = ("--check", "it-is-as-stated", "--check", "it-says-who-it-is", "--check", "heartbeats-are-answered")


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    """Built with the words of the guide."""
    guide = (HERE / "MAKERS.md").read_text()
    command = re.search(r"^arm-none-eabi-gcc (.*?) -o /tmp/microbit.elf$", guide, re.M | re.S)
    assert command is not None
    words = command[1].replace("\\\n", " ").split()
    made = tmp_path / "microbit.elf"
    output("arm-none-eabi-gcc", *words, "-Wall", "-Wextra", "-Werror", "-o", made, cwd=HERE)
    return made


@pytest.fixture
def port(firmware: Path) -> Iterator[str]:
    words = ("-M", "microbit", "-nographic", "-monitor", "none", "-serial", "pty", "-kernel", str(firmware))
    with subprocess.Popen([tool("qemu-system-arm"), *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as board:
        assert board.stdout is not None
        poller = select.poll()
        poller.register(board.stdout, select.POLLIN)
        assert poller.poll(STARTS_WITHIN_MS)
        found = re.search(rb"/dev/pts/\d+", os.read(board.stdout.fileno(), 4096))
        assert found is not None
        yield found[0].decode()
        board.terminate()


def test_it_fits_into_the_smallest_part(firmware: Path) -> None:
    [[code, data, bss, *_]] = columns(output("arm-none-eabi-size", firmware))
    assert int(code) < 4096
    assert int(data) == 0
    assert int(bss) < 8192


def test_it_keeps_its_duties(port: str) -> None:
    statement = ("--statement", str(HERE / "bare" / "conformance.toml"))
    done = conform(port, "--kind", "shoe", *statement, *QUICK)
    assert done.returncode == 0, done.stdout
    assert "kept       TDP-7.2" in done.stdout
    assert "kept       TDP-17.1" in done.stdout
