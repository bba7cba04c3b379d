"""GRUB and U-Boot in an emulator, with the card's own scripts: the root that starts, and a trial only once.

The disk has the card's first partition; in place of a kernel the script prints its choice.
"""

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from trees import Trees

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/image"))

import boot as loader
import card
from card import LAYOUT, MIB, put, put_grub, start_of, write_fat, write_grub

from controller.update.slots import (
    COPIES,
    TRIED,
    Slot,
    Slots,
    next_start,
    read_slots,
    read_tried,
    written,
    written_tried,
)

pytestmark = pytest.mark.waits

WITHIN_S = 600.0  # on a busy machine
SAYS = re.compile(rb"STARTS ([ab]) (trial|good)")
GRUB_MODULES = Path("/usr/lib/grub/i386-pc")

Starts = Callable[[Path], tuple[Slot, bool]]


def _disk(folder: Path, out: Path) -> Path:
    """A disk whose first partition has the files of the folder."""
    write_fat(folder, out / "boot.img", "SABOTBOOT", 64)
    disk = out / "disk.img"
    with disk.open("wb") as file:
        file.truncate(128 * MIB)  # a power of two, as an emulated card must be
    number, start, size, kind = LAYOUT[0]
    script = f"label: dos\n{number}: start={start}MiB, size={size}MiB, type={kind}\n"
    subprocess.run(["sfdisk", "--quiet", str(disk)], input=script, text=True, check=True)
    put(out / "boot.img", disk, start_of(number) * MIB)
    return disk


def _said(command: list[str], log: Path) -> tuple[Slot, bool]:
    """The choice that the emulated machine prints before its end."""
    log.write_bytes(b"")
    machine = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        until = time.monotonic() + WITHIN_S
        while not (found := SAYS.search(log.read_bytes())):
            assert time.monotonic() < until, log.read_bytes()[-3000:]
            assert machine.poll() is None, log.read_bytes()[-3000:]
            time.sleep(0.1)
    finally:
        machine.kill()
        machine.wait()
    return Slot(found[1].decode()), found[2] == b"trial"


def _grub(folder: Path, out: Path) -> Starts:
    script = loader.GRUB.partition("linux (hd0")[0]
    shows = "serial --unit=0\nterminal_output serial\n"
    tells = 'if [ -n "$extra" ]; then echo STARTS $slot trial; else echo STARTS $slot good; fi\nsleep 600\n'
    (folder / "grub.cfg").write_text(shows + script + tells)
    write_grub(GRUB_MODULES, out, "serial", "terminal", "sleep")

    def starts(disk: Path) -> tuple[Slot, bool]:
        put_grub(out, disk)
        drive = ("-drive", f"file={disk},format=raw,if=virtio")
        quiet = ("-display", "none", "-monitor", "none", "-serial", f"file:{out / 'serial'}", "-nic", "none")
        return _said(["qemu-system-x86_64", "-M", "pc", "-m", "128", *drive, *quiet], out / "serial")

    return starts


@pytest.fixture(scope="session")
def u_boot(trees: Trees) -> Path:
    """U-Boot of the card's own version, built for the emulator's board; unpacked once."""
    return trees.unpacked("u-boot-qemu") / "usr/lib/u-boot/qemu_arm64/u-boot.bin"


def _u_boot(program: Path, folder: Path, out: Path) -> Starts:
    script = loader.U_BOOT.partition('setenv bootargs "')[0]
    tells = 'if test -n "${extra}"; then echo STARTS ${slot} trial; else echo STARTS ${slot} good; fi\nsleep 600\n'
    (folder / "boot.scr").write_bytes(loader.u_boot_script(script + tells))
    machine = ("-M", "virt", "-cpu", "cortex-a72", "-m", "512", "-bios", str(program))

    def starts(disk: Path) -> tuple[Slot, bool]:
        drive = ("-drive", f"file={disk},format=raw,if=virtio")
        quiet = ("-display", "none", "-monitor", "none", "-serial", f"file:{out / 'serial'}", "-nic", "none")
        return _said(["qemu-system-aarch64", *machine, *drive, *quiet], out / "serial")

    return starts


def _tried(disk: Path, out: Path) -> int | None:
    """The boot loader's note, read like Linux does."""
    place = f"{disk}@@{start_of(loader.BOOT) * MIB}"
    subprocess.run(["mcopy", "-n", "-o", "-i", place, f"::{TRIED}", str(out / TRIED)], check=True)
    return read_tried((out / TRIED).read_bytes())


GOOD_B = Slots(Slot.B, None, 3, back=True)
TRIES_B = Slots(Slot.A, Slot.B, 4)
TORN = bytes(512) + written(TRIES_B)[512:]
CASES = {
    "a new card": (written(Slots()), written(Slots()), written_tried(0)),
    "the second root is good": (written(GOOD_B), written(GOOD_B), written_tried(3)),
    "a trial waits": (written(TRIES_B), written(TRIES_B), written_tried(3)),
    "a trial was started": (written(TRIES_B), written(TRIES_B), written_tried(4)),
    "a trial whose note is torn": (written(TRIES_B), written(TRIES_B), bytes(1024)),
    "the first copy is torn": (TORN, written(GOOD_B), written_tried(3)),
    "the second copy is old": (written(TRIES_B), written(GOOD_B), written_tried(3)),
}


@pytest.mark.parametrize("case", CASES)
def test_grub_decides_as_the_table_says(case: str, tmp_path: Path) -> None:
    (tmp_path / "boot").mkdir()
    _decides(case, _grub(tmp_path / "boot", tmp_path), tmp_path)


@pytest.mark.parametrize("case", CASES)
def test_u_boot_decides_as_the_table_says(case: str, u_boot: Path, tmp_path: Path) -> None:
    (tmp_path / "boot").mkdir()
    _decides(case, _u_boot(u_boot, tmp_path / "boot", tmp_path), tmp_path)


def _decides(case: str, starts: Starts, out: Path) -> None:
    blocks = CASES[case]
    for name, data in zip((*COPIES, TRIED), blocks, strict=True):
        (out / "boot" / name).write_bytes(data)
    disk = _disk(out / "boot", out)
    slots, tried = read_slots(*blocks[:2]), read_tried(blocks[2])
    first = starts(disk)
    assert first == next_start(slots, tried)
    if first[1]:
        assert _tried(disk, out) == slots.number
        assert starts(disk) == (slots.good, False)


def test_the_modules_of_the_card_are_enough_for_its_script(tmp_path: Path) -> None:
    write_grub(GRUB_MODULES, tmp_path)
    assert (tmp_path / card.CORE).stat().st_size < 3 * MIB
