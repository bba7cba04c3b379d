"""A bare Debian tree to install into: as a directory (`Chroot`), or booted with its own systemd (`Machine`)."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/debian"))

import foreign

Done = subprocess.CompletedProcess[str]
BOOTS_WITHIN_S = 600.0  # emulated, on a busy machine


@contextlib.contextmanager
def overlay(lower: Path, work: Path) -> Iterator[Path]:
    """`lower` as a writable directory; all changes are dropped at the end."""
    layers = work / "layers"
    layers.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(layers)], check=True)
    try:
        parts = [layers / name for name in ("upper", "work", "tree")]
        for part in parts:
            part.mkdir()
        upper, inner, tree = parts
        options = f"lowerdir={lower},upperdir={upper},workdir={inner}"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, str(tree)], check=True)
        try:
            yield tree
        finally:
            subprocess.run(["umount", str(tree)], check=True)
    finally:
        subprocess.run(["umount", str(layers)], check=True)


class Chroot:
    """The tree without a running systemd. Each command has namespaces of its own: no process outlives it."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree

    def run(self, *command: str, check: bool = True, given: str = "") -> Done:
        return _run([*foreign.ISOLATED, f"--root={self.tree}", *command], check=check, given=given)

    def put(self, file: Path) -> str:
        """Copies a file into the tree; returns its path there."""
        place = self.tree / "srv" / file.name
        place.write_bytes(file.read_bytes())
        return f"/srv/{file.name}"


class Machine:
    """The booted tree: a context manager."""

    def __init__(self, tree: Path) -> None:
        self.tree = tree
        self._process: subprocess.Popen[bytes] | None = None
        self._leader = 0

    def __enter__(self) -> Self:
        self.boot()
        return self

    def __exit__(self, *_: object) -> None:
        self.power_off()

    def boot(self, *options: str) -> None:
        isolated = ("--register=no", "--keep-unit", "--private-network", "--link-journal=no", "--resolv-conf=off")
        self._process = subprocess.Popen(
            ["systemd-nspawn", "--quiet", *isolated, *options, "--directory", str(self.tree), "--boot"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + BOOTS_WITHIN_S
        while True:
            assert time.monotonic() < deadline, "the machine did not come up"
            assert self._process.poll() is None, "nspawn ended"
            children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text().split()
            if children:
                self._leader = int(children[0])
                done = self.run("systemctl", "is-system-running", "--wait", check=False)
                if done.stdout.strip() in ("running", "degraded"):
                    return
            time.sleep(0.2)

    def power_cut(self) -> None:
        """Ends everything at once, as without power; unsynced bytes stay in the host's memory all the same."""
        assert self._process is not None
        os.kill(self._leader, signal.SIGKILL)  # the first process of the machine: the kernel ends the others with it
        self._process.wait()

    def power_off(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self.run("systemctl", "poweroff", check=False)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.power_cut()

    def run(self, *command: str, check: bool = True, given: str = "") -> Done:
        return _run(["nsenter", "--all", "--target", str(self._leader), *command], check=check, given=given)

    def put(self, file: Path) -> str:
        place = self.tree / "srv" / file.name
        place.write_bytes(file.read_bytes())
        return f"/srv/{file.name}"

    def wait_until(self, what: str, within_s: float, *command: str) -> Done:
        """Repeats the command until it succeeds."""
        deadline = time.monotonic() + within_s
        while (done := self.run(*command, check=False)).returncode:
            assert time.monotonic() < deadline, (what, done.stdout, done.stderr)
            time.sleep(0.2)
        return done


def _run(command: list[str], *, check: bool, given: str) -> Done:
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800, env=environment, input=given)
    assert not check or done.returncode == 0, (command, done.stdout, done.stderr)
    return done
