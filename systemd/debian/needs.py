"""Checks that the programs for a task of the Makefile are installed: `needs.py deb-test|image|image-play-test|...`.

The script runs with any Python, even before an environment exists, and prints the commands that install missing
programs. It uses only the option `--arch`; all other options belong to the task.
"""

import argparse
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

GRUB_OF_A_PC: Final = "/usr/lib/grub/i386-pc/kernel.img"

PROGRAMS: Final = {
    "deb-test": {
        "dpkg-deb": "dpkg", "faketime": "faketime", "git": "git", "grub-mkimage": "grub-common", "mcopy": "mtools",
        "mke2fs": "e2fsprogs", "mkfs.vfat": "dosfstools", "mksquashfs": "squashfs-tools", "mmdebstrap": "mmdebstrap",
        "promtool": "prometheus", "qemu-system-x86_64": "qemu-system-x86", "qemu-system-aarch64": "qemu-system-arm",
        "rauc": "rauc", "sfdisk": "fdisk", "systemd-nspawn": "systemd-container", "taskset": "util-linux",
        GRUB_OF_A_PC: "grub-pc-bin",
    },
    "image": {
        "dpkg-deb": "dpkg", "git": "git", "mcopy": "mtools", "mke2fs": "e2fsprogs", "mkfs.vfat": "dosfstools",
        "grub-mkimage": "grub-common", "mksquashfs": "squashfs-tools", "mmdebstrap": "mmdebstrap", "rauc": "rauc",
        "sfdisk": "fdisk",
    },
    "image-test": {"mke2fs": "e2fsprogs"},
    "image-first-test": {"mcopy": "mtools", "mke2fs": "e2fsprogs", "mkfs.vfat": "dosfstools"},
    "image-play-test": {"debugfs": "e2fsprogs", "mke2fs": "e2fsprogs"},
    "image-faults-test": {"debugfs": "e2fsprogs", "mke2fs": "e2fsprogs"},
    "image-update-test": {
        "mcopy": "mtools", "mke2fs": "e2fsprogs", "mkfs.vfat": "dosfstools", "rauc": "rauc",
    },
}  # fmt: skip
"""The programs that each task needs, or files by their path, with the Debian package of each."""

OF_THIS_PC: Final = ("deb-test", "image-update-test")
"""The tasks that are for amd64 if no machine is named; the others are for the card."""

EMULATORS: Final = {
    "amd64": {"qemu-system-x86_64": "qemu-system-x86"},
    "arm64": {"qemu-system-aarch64": "qemu-system-arm"},
}
"""The emulators in which an image is booted, with their Debian packages."""

FOREIGN: Final = {"arch-test": "arch-test"}
"""The programs that mmdebstrap starts for another machine's packages."""

MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}
EMULATOR: Final = Path("/proc/sys/fs/binfmt_misc/qemu-aarch64")
"""The kernel's entry for arm64 programs; with flag F it works in a tree that has no emulator inside."""

REGISTER: Final = (
    "sudo apt install qemu-user-static binfmt-support",
    "mountpoint -q /proc/sys/fs/binfmt_misc || sudo mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc",
    "sudo update-binfmts --enable qemu-aarch64",
)


def main() -> int:
    """Prints the commands that install missing programs. Returns 1 if a program is missing, otherwise 0."""
    parser = argparse.ArgumentParser(description="says what a task needs and this machine lacks")
    parser.add_argument("task", choices=PROGRAMS)
    parser.add_argument("--arch", choices=MACHINES)
    given, _of_the_task = parser.parse_known_args()
    arch = given.arch or ("amd64" if given.task in OF_THIS_PC else "arm64")
    lines = list(missing(given.task, arch))
    if lines:
        print(f"make {given.task} needs what this machine lacks. Type:", *lines, sep="\n  ", file=sys.stderr)
    return 1 if lines else 0


def found(name: str) -> bool:
    """True if the program `name` is installed. For an absolute path, True if this file exists."""
    return Path(name).exists() if name.startswith("/") else shutil.which(name) is not None


def missing(
    task: str, arch: str, *, which: Callable[[str], object] = found, emulator: Path = EMULATOR
) -> Iterator[str]:
    """Yields the commands to type, in order, before the task can run; none if no program is missing."""
    programs = PROGRAMS[task] | (EMULATORS[arch] if task.startswith("image-") else {})
    emulated = MACHINES[arch] != platform.machine()
    programs |= FOREIGN if emulated and "mmdebstrap" in programs else {}
    packages = {package for program, package in programs.items() if not which(program)}
    if packages:
        yield f"sudo apt install {' '.join(sorted(packages))}"
    if emulated and not (emulator.exists() and "F" in _flags(emulator)):
        yield from REGISTER
    if os.geteuid() != 0:
        yield f"sudo make {task}"


def _flags(entry: Path) -> str:
    return next((line for line in entry.read_text().splitlines() if line.startswith("flags:")), "").partition(":")[2]


if __name__ == "__main__":
    sys.exit(main())
