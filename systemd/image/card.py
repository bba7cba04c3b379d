"""Makes the image of an SD card: a file for each partition, made from a directory, and one image of all partitions."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import NAMESPACE_URL, uuid5
from zlib import crc32

import boot as loader

sys.path.insert(0, str(Path(__file__).parents[2]))

from controller.update.slots import COPIES, TRIED, Slots, written, written_tried

MIB: Final = 1 << 20
FIRST_MIB: Final = 4
"""The place of the first partition. Before that place lie the table of partitions and, on a PC, the boot loader."""

BOOT_MIB: Final = 64
KERNEL_MIB: Final = 128
ROOT_MIB: Final = 768
"""The most that a later root may take."""

DATA_MIB: Final = 64
"""The size before the first start; then it grows to the end of the card. Such an ext4 can grow to a terabyte."""

CONFIG: Final = """# Raspberry Pi 4 and Compute Module 4, with Debian's U-Boot and kernel; made by `make image`.
arm_64bit=1
upstream_kernel=1
os_prefix=
kernel=u-boot.bin
disable_splash=1
disable_overscan=1
"""

FIRMWARE: Final = ("start4.elf", "fixup4.dat", "bootcode.bin", "LICENCE.broadcom")
TREES: Final = ("bcm2711-rpi-*.dtb", "bcm2837-rpi-3-b.dtb")
"""Device trees of the Pi 4 family, and of the Pi that the emulator knows."""

U_BOOT: Final = "usr/lib/u-boot/rpi_arm64/u-boot.bin"
GRUB: Final = "usr/lib/grub/i386-pc"
MODULES: Final = ("biosdisk", "boot", "configfile", "echo", "fat", "linux", "loadenv", "normal", "part_msdos", "reboot")
MODULES_OF_SCRIPT: Final = ("test", "true")


@dataclass(frozen=True, slots=True)
class Card:
    """A memory card that is being made. `out`: the directory of its parts. `made`: its date in seconds since 1970."""

    out: Path
    made: int

    @property
    def root(self) -> Path:
        return self.out / "root"

    @property
    def boot(self) -> Path:
        return self.out / "boot"

    @property
    def kernel(self) -> Path:
        return self.out / "kernel"

    def identity(self, of: str) -> str:
        """Returns a UUID for the part `of` of the card. It is the same for every card with the same date."""
        return str(uuid5(NAMESPACE_URL, f"sabot card {self.made} {of}"))

    def take_boot_files(self) -> None:
        """Moves kernel and initrd to their partition. Writes the files that start them to the first partition."""
        self.boot.mkdir()
        self.kernel.mkdir()
        for kind, name in (("vmlinuz-*", "vmlinuz"), ("initrd.img-*", "initrd.img")):
            shutil.move(next((self.root / "boot").glob(kind)), self.kernel / name)
        for tree in (path for kind in TREES for path in self.root.glob(f"usr/lib/linux-image-*/broadcom/{kind}")):
            shutil.copy(tree, self.boot)
        for name in FIRMWARE:
            if (self.root / "usr/lib/raspi-firmware" / name).exists():
                shutil.copy(self.root / "usr/lib/raspi-firmware" / name, self.boot)
        (self.boot / "config.txt").write_text(CONFIG)
        (self.boot / "cmdline.txt").write_text(loader.COMMAND_LINE + "\n")
        self._take_loader()
        for left in (self.root / "boot").iterdir():
            if left.is_file() or left.is_symlink():
                left.unlink()

    def _take_loader(self) -> None:
        """Puts U-Boot or GRUB with its script, and the state of the two root file systems, on the first partition.

        Removes the boot loaders from the root file system.
        """
        for name in COPIES:
            (self.boot / name).write_bytes(written(Slots()))
        (self.boot / TRIED).write_bytes(written_tried(0))
        if (self.root / U_BOOT).exists():
            shutil.copy(self.root / U_BOOT, self.boot)
            (self.boot / "boot.scr").write_bytes(loader.u_boot_script())
        if (self.root / GRUB).is_dir():
            write_grub(self.root / GRUB, self.out)
            (self.boot / "grub.cfg").write_text(loader.GRUB)
        for left in ("usr/lib/u-boot", "usr/lib/grub"):
            shutil.rmtree(self.root / left, ignore_errors=True)

    def write_file_systems(self) -> None:
        root = self.out / "root.img"
        write_fat(self.boot, self.out / "boot.img", "SABOTBOOT", BOOT_MIB)
        write_fat(self.kernel, self.out / "kernel.img", "SABOTKERNEL", KERNEL_MIB)
        packed = (
            "-noappend",
            "-no-progress",
            "-quiet",
            "-comp",
            "zstd",
            "-Xcompression-level",
            "9",
            "-processors",
            "1",
        )
        _run("mksquashfs", str(self.root), str(root), *packed)
        with root.open("r+b") as file:
            file.truncate(-(-root.stat().st_size // MIB) * MIB)
        if root.stat().st_size > ROOT_MIB * MIB:
            raise SystemExit(f"{root} is larger than its partition of {ROOT_MIB} MiB")
        self.write_data(self.out / "data.img")

    def write_data(self, file: Path, *options: str, mib: int = DATA_MIB) -> None:
        """Makes the file system of the data partition. It is empty, or made from a directory with the option `-d`.

        The file system's own journal has a size that suits a card of 16 GB.
        """
        file.unlink(missing_ok=True)
        identity = ("-U", self.identity("data"), "-L", "sabot-data", "-E", f"hash_seed={self.identity('hash')}")
        _run("mke2fs", "-q", "-t", "ext4", "-m", "0", "-J", "size=16", *identity, *options, str(file), f"{mib}M")

    def assemble(self, version: str) -> Path:
        """Joins all parts to one image, a whole number of megabytes long, and returns its path."""
        image = self.out / f"sabot-{version}.img"
        with image.open("wb") as file:
            file.truncate(END_MIB * MIB)
        lines = [f"{number}: start={start}MiB, size={size}MiB, type={kind}" for number, start, size, kind in LAYOUT]
        script = "\n".join(["label: dos", f"label-id: 0x{loader.DISK:08x}", *lines])
        subprocess.run(["sfdisk", "--quiet", str(image)], input=script, text=True, check=True)
        parts = {loader.BOOT: "boot", loader.KERNELS["a"]: "kernel", loader.ROOTS["a"]: "root", loader.DATA: "data"}
        for number, name in parts.items():
            put(self.out / f"{name}.img", image, start_of(number) * MIB)
        if (self.out / CORE).exists():
            put_grub(self.out, image)
        return image


def _layout() -> tuple[tuple[int, int, int, str], ...]:
    """Returns the number, first megabyte, size in megabytes and type of each partition.

    A megabyte is free before each partition from number 5 on, for a partition table of its own.
    """
    primary = ((1, BOOT_MIB, "c"), (2, KERNEL_MIB, "c"), (3, KERNEL_MIB, "c"))
    inner = ((5, ROOT_MIB, "83"), (6, ROOT_MIB, "83"), (7, DATA_MIB, "83"))
    rows, at = [], FIRST_MIB
    for number, size, kind in primary:
        rows.append((number, at, size, kind))
        at += size
    rows.append((4, at, sum(size + 1 for _, size, _ in inner), "f"))
    for number, size, kind in inner:
        rows.append((number, at + 1, size, kind))
        at += size + 1
    return tuple(rows)


LAYOUT: Final = _layout()
END_MIB: Final = LAYOUT[-1][1] + LAYOUT[-1][2]
CORE: Final = "core.img"


def start_of(number: int) -> int:
    """Returns the first megabyte of partition `number`."""
    return next(start for found, start, _, _ in LAYOUT if found == number)


def write_fat(folder: Path, file: Path, label: str, mib: int) -> None:
    file.unlink(missing_ok=True)
    number = f"{crc32(label.encode()):08x}"
    _run("mkfs.vfat", "--invariant", "-F", "32", "-n", label, "-i", number, "-C", str(file), str(mib * 1024))
    if content := sorted(map(str, folder.iterdir())):
        _run("mcopy", "-i", str(file), *content, "::")


def write_grub(modules: Path, out: Path, *more: str) -> None:
    """Makes a GRUB for a PC's BIOS, with all its modules in it. At the start GRUB reads one file: the script on the
    first partition.
    """
    early = out / "early.cfg"
    early.write_text(f"set root=(hd0,msdos{loader.BOOT})\nconfigfile /grub.cfg\n")
    options = ("--format=i386-pc", f"--directory={modules}", f"--prefix=(hd0,msdos{loader.BOOT})/", f"--config={early}")
    _run("grub-mkimage", *options, f"--output={out / CORE}", *MODULES, *MODULES_OF_SCRIPT, *more)
    shutil.copy(modules / "boot.img", out / "grub-boot.img")


def put_grub(out: Path, image: Path) -> None:
    """Writes GRUB into the image: 440 bytes before the partition table, the rest from the second sector on."""
    core = (out / CORE).read_bytes()
    if len(core) > FIRST_MIB * MIB - 512:
        raise SystemExit(f"{out / CORE} does not fit before the first partition")
    with image.open("r+b") as file:
        file.write((out / "grub-boot.img").read_bytes()[:440])
        file.seek(512)
        file.write(core)


def put(part: Path, image: Path, at: int) -> None:
    _run("dd", f"if={part}", f"of={image}", "bs=1M", f"seek={at // MIB}", "conv=notrunc,sparse", "status=none")


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
