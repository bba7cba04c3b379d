"""The least device, built and run by the words of the guide: on QEMU's micro:bit, at a pseudo-terminal."""

import os
import re
import select
import shutil
import subprocess
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from firmware_protocols.tdp.host_link import HostLink
from firmware_protocols.tdp.link import Identified
from firmware_protocols.tdp.pair_link import Pairing, PairingHost
from firmware_protocols.tdp.proof import HostPairing
from firmware_protocols.tdp.shoe import SHOE
from simulators.c.build import HERE, PAIRING
from tests.c.tools import columns, other_compilers, output, tool
from tests.conform.test_conform import conform

pytestmark = [pytest.mark.waits, other_compilers]

STARTS_WITHIN_MS = 30_000
QUICK = ("--check", "it-is-as-stated", "--check", "it-says-who-it-is", "--check", "heartbeats-are-answered")


def built(folder: Path, made: Path, *more: str) -> Path:
    """The device's program, built by the commands of the guide."""
    guide = (HERE / "MAKERS.md").read_text()
    command = re.search(r"^arm-none-eabi-gcc (.*?) -o /tmp/microbit.elf$", guide, re.M | re.S)
    assert command is not None
    words = command[1].replace("\\\n", " ").split()
    output("arm-none-eabi-gcc", *words, *more, "-Wall", "-Wextra", "-Werror", "-o", made, cwd=folder)
    return made


@pytest.fixture
def firmware(tmp_path: Path) -> Path:
    return built(HERE, tmp_path / "microbit.elf")


@pytest.fixture
def port(firmware: Path) -> Iterator[str]:
    with running(firmware) as found:
        yield found


@contextmanager
def running(firmware: Path) -> Iterator[str]:
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


# --- paired, on its own processor

SWITCH = ("bare/microbit.c", "TDP_POWER_ON, false);", "TDP_POWER_ON, false);\n    tdp_pair_switched_on(&shoe.link);")
PROOF = ("bare/microbit.c", '"1.0", NULL}', '"1.0", &TDP_PAIRING}')
KEY = bytes(range(7, 39))
WITHIN_S = 20.0


def test_it_is_paired_and_proves_itself(tmp_path: Path) -> None:
    """The test follows the guide's steps; the switch is on when the board starts."""
    folder = tmp_path / "c"
    shutil.copytree(HERE, folder)
    for name, old, new in (PROOF, SWITCH):
        text = (folder / name).read_text()
        assert text.count(old) == 1
        (folder / name).write_text(text.replace(old, new))
    with running(built(folder, tmp_path / "paired.elf", *PAIRING)) as port:
        line = os.open(port, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(line)
        host = PairingHost(opening=100, key=KEY, now_s=time.monotonic(), is_meant=lambda _who: True)
        talk(line, host, lambda data, _now_s: host.receive_data(data), lambda: host.is_over)
        assert host.state is Pairing.DONE
        proof = HostPairing(KEY, bytes(16), SHOE.secret_at)
        link = HostLink(opening=101, committed_boot=0, committed_number=0, now_s=time.monotonic(), pairing=proof)
        talk(line, link, link.receive_data, lambda: link.is_identified)
        [identified] = [event for event in link.events() if isinstance(event, Identified)]
        assert identified.identity.is_proven
        os.close(line)


def talk(
    line: int, host: PairingHost | HostLink, hear: Callable[[bytes, float], None], is_over: Callable[[], bool]
) -> None:
    end_s = time.monotonic() + WITHIN_S
    while not is_over() and time.monotonic() < end_s:
        host.handle_timeout(time.monotonic())
        os.write(line, host.data_to_send())
        select.select([line], [], [], 0.05)
        with suppress(BlockingIOError):
            hear(os.read(line, 4096), time.monotonic())
