"""The reader on a PC: built and run by the lines of the README, with its rig, at a pseudo-terminal."""

import re
import shlex
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulators.c.build import HERE, STRICT
from tests.c.tools import output
from tests.conform.test_conform import conform
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

README = (HERE / "README.md").read_text(encoding="utf-8")
LINES = re.findall(r"```sh\n(.*?)```", README, re.S)
[STEPS, RIG] = [block for block in LINES if "reader.hands" in block]
STATEMENT = 'kind = "shoe"\nprotocol = "1.0"\nmodel = "PC reader"\nfirmware = "1.0"\n'
PLACE_BYTES = 40  # TDP_KEPT_MAX
QUICK = (
    "it-is-as-stated",
    "it-says-who-it-is",
    "heartbeats-are-answered",
    "the-next-command-is-executed",
    "a-shoe-locks",
    "each-passage-is-reported",
    "counts-survive-a-start",
    "an-error-is-raised-and-cleared",
)


def steps(folder: Path) -> list[str]:
    """The README's lines without their comments, with this folder in place of /tmp."""
    return [line.partition("#")[0].strip().replace("/tmp/", f"{folder}/") for line in STEPS.splitlines()]  # noqa: S108


def shell(line: str) -> None:
    output("sh", "-c", line, cwd=HERE)


@contextmanager
def running(line: str) -> Iterator[None]:
    """The device, by the line that starts it behind the shell; it ends with the context."""
    line = f"exec {line.removesuffix(' &')}"
    with subprocess.Popen(["/bin/sh", "-c", line], cwd=HERE, stdout=subprocess.DEVNULL) as device:
        try:
            yield
        finally:
            device.terminate()


@pytest.fixture
def program(tmp_path: Path) -> list[str]:
    """The steps behind the compiler, the factory's step and the pipe: the device's start and the checks."""
    folder, compiler, factory, pipe, *rest = steps(tmp_path)
    assert folder == "cd simulators/c"
    name, *words = shlex.split(compiler)
    output(name, *words, *STRICT, cwd=HERE)
    shell(factory)
    shell(pipe)
    return rest


def boot_in(memory: Path) -> int:
    """The boot number of the newer of the two places."""
    places = memory.read_bytes()
    return max(struct.unpack_from("<II", places, at) for at in (0, PLACE_BYTES))[1]


def test_it_keeps_its_duties_with_the_hands_of_the_page(program: list[str], tmp_path: Path) -> None:
    start, checks, *_hands = program
    rig, statement, port = tmp_path / "rig", tmp_path / "conformance.toml", tmp_path / "reader.port"
    rig.write_text(RIG.replace("/tmp/", f"{tmp_path}/"))  # noqa: S108
    rig.chmod(0o700)
    statement.write_text(STATEMENT)
    words = shlex.split(checks.replace("./rig", str(rig)))[3:]
    only = [word for name in QUICK for word in ("--check", name)]
    with running(start):
        wait_for(port.is_symlink)
        done = conform(*words, *only, "--statement", str(statement))
    assert done.returncode == 0, done.stdout
    for number in ("17.1", "5.1", "5.9", "7.2", "9.5", "11.4", "11.5", "11.9", "11.10"):
        assert f"kept       TDP-{number} " in done.stdout, done.stdout
    assert boot_in(tmp_path / "reader.memory") > 1


def test_hands_type_into_the_pipe(program: list[str], tmp_path: Path) -> None:
    """A start by hands is a boot, and so is one of the program; a memory that is there is not made anew."""
    start, _checks, card = program
    memory = tmp_path / "reader.memory"
    with running(start):
        wait_for((tmp_path / "reader.port").is_symlink)
        wait_for(lambda: boot_in(memory) == 1)
        shell(card.replace("card 3A", "power"))
        wait_for(lambda: boot_in(memory) == 2)
    with running(start):
        wait_for(lambda: boot_in(memory) == 3)
    again = subprocess.run([tmp_path / "reader", memory], check=False, capture_output=True)
    assert (again.returncode, boot_in(memory)) == (1, 3)
