"""The SD card: its three partitions as files, each made from a directory, and one image of them all."""

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from uuid import NAMESPACE_URL, uuid5

MIB: Final = 1 << 20
BOOT_MIB: Final = 256
DATA_MIB: Final = 64
"""The size before the first start; then it grows to the end of the card. Such an ext4 can grow to a terabyte."""

COMMAND_LINE: Final = (
    "console=tty0 root=PARTUUID={disk:08x}-02 rootfstype=squashfs ro rootwait net.ifnames=0 panic=10 "
    "systemd.swap=no quiet loglevel=3 systemd.show_status=no vt.global_cursor_default=0"
)

CONFIG: Final = """# Raspberry Pi 4 and Compute Module 4, with Debian's kernel; made by `make image`.
arm_64bit=1
upstream_kernel=1
os_prefix=
kernel=vmlinuz
initramfs initrd.img followkernel
disable_splash=1
disable_overscan=1
"""

FIRMWARE: Final = ("start4.elf", "fixup4.dat", "bootcode.bin", "LICENCE.broadcom")
TREES: Final = ("bcm2711-rpi-*.dtb", "bcm2837-rpi-3-b.dtb")
"""Device trees of the Pi 4 family, and of the Pi that the emulator knows."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card in the making. `out`: the directory of its parts; `made`: its date, in seconds of the epoch."""

    out: Path
    made: int

    @property
    def root(self) -> Path:
        return self.out / "root"

    @property
    def boot(self) -> Path:
        return self.out / "boot"

    def identity(self, of: str) -> str:
        """A UUID for part `of`, the same for each card of the same packages."""
        return str(uuid5(NAMESPACE_URL, f"sabot card {self.made} {of}"))

    @property
    def disk(self) -> int:
        """The number by which the kernel finds the root."""
        return int(hashlib.sha256(self.identity("disk").encode()).hexdigest()[:8], 16)

    def take_boot_files(self) -> None:
        """Moves kernel and initrd to the boot partition, and adds the files that start them."""
        self.boot.mkdir()
        for kind, name in (("vmlinuz-*", "vmlinuz"), ("initrd.img-*", "initrd.img")):
            shutil.move(next((self.root / "boot").glob(kind)), self.boot / name)
        for tree in (path for kind in TREES for path in self.root.glob(f"usr/lib/linux-image-*/broadcom/{kind}")):
            shutil.copy(tree, self.boot)
        for name in FIRMWARE:
            if (self.root / "usr/lib/raspi-firmware" / name).exists():
                shutil.copy(self.root / "usr/lib/raspi-firmware" / name, self.boot)
        (self.boot / "config.txt").write_text(CONFIG)
        (self.boot / "cmdline.txt").write_text(COMMAND_LINE.format(disk=self.disk) + "\n")
        for left in (self.root / "boot").iterdir():
            if left.is_file() or left.is_symlink():
                left.unlink()

    def write_file_systems(self) -> None:
        boot, root = self.out / "boot.img", self.out / "root.img"
        boot.unlink(missing_ok=True)
        label = ("--invariant", "-F", "32", "-n", "SABOTBOOT", "-i", f"{self.disk:08x}")
        _run("mkfs.vfat", *label, "-C", str(boot), str(BOOT_MIB * 1024))
        _run("mcopy", "-i", str(boot), *map(str, sorted(self.boot.iterdir())), "::")
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
        self.write_data(self.out / "data.img")

    def write_data(self, file: Path, *options: str, mib: int = DATA_MIB) -> None:
        """Makes the data file system, empty or from a directory (`-d`); its journal has the size for a 16 GB card."""
        file.unlink(missing_ok=True)
        identity = ("-U", self.identity("data"), "-L", "sabot-data", "-E", f"hash_seed={self.identity('hash')}")
        _run("mke2fs", "-q", "-t", "ext4", "-m", "0", "-J", "size=16", *identity, *options, str(file), f"{mib}M")

    def assemble(self, version: str) -> Path:
        """Writes one image of all parts, with a length of whole megabytes, and gives its path."""
        image = self.out / f"sabot-{version}.img"
        parts = [self.out / f"{name}.img" for name in ("boot", "root", "data")]
        sizes = [part.stat().st_size // MIB for part in parts]
        starts = [4, 4 + sizes[0], 4 + sizes[0] + sizes[1]]
        with image.open("wb") as file:
            file.truncate((starts[2] + sizes[2]) * MIB)
        kinds = ("c, *", "83", "83")
        table = [f"{start}MiB, {size}MiB, {kind}" for start, size, kind in zip(starts, sizes, kinds, strict=True)]
        script = "\n".join(["label: dos", f"label-id: 0x{self.disk:08x}", *table])
        subprocess.run(["sfdisk", "--quiet", str(image)], input=script, text=True, check=True)
        for part, start in zip(parts, starts, strict=True):
            _run("dd", f"if={part}", f"of={image}", "bs=1M", f"seek={start}", "conv=notrunc,sparse", "status=none")
        return image


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
