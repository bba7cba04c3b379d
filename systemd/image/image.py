"""`make image`: makes an SD card for a Raspberry Pi 4 or Compute Module 4 from Debian's packages and the last commit.

The card has boot files, two read-only root file systems, and the data. File systems are made from directories, so no
loop device and no mount is needed. Packages come from this machine's apt mirror, or from `--mirror`. The image has the
date of the mirror's Release file, so that a mirror of that day gives the same image. The SBOM and the signed update are
beside the image.

`--arch amd64` makes the same root file system for a virtual PC, which is quick to build and to boot, for trials of it
alone.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib import metadata
from pathlib import Path
from typing import Final
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1] / "debian"))

import foreign
from card import Card
from contents import supported_until
from root import release_of, settle
from sbom import sbom
from signed import Pair, own_pair, sign

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
RELEASE: Final = "trixie"
PYTHON: Final = "3.13"
KERNELS: Final = {
    "arm64": ("linux-image-arm64", "raspi-firmware", "u-boot-rpi"),
    "amd64": ("linux-image-amd64", "grub-pc-bin"),
}
"""Kernel and boot loader of each machine."""

SETTINGS: Final = ('--aptopt=Apt::Install-Recommends "false"', "--dpkgopt=force-unsafe-io")


@dataclass(frozen=True, slots=True)
class Source:
    """The addresses of the mirrors for Debian's packages and for its security updates."""

    mirror: str
    security: str

    def lines(self) -> list[str]:
        parts = "main non-free-firmware"
        return [
            f"deb {self.mirror} {RELEASE} {parts}",
            f"deb {self.mirror} {RELEASE}-updates {parts}",
            f"deb {self.security} {RELEASE}-security {parts}",
        ]

    def dated(self) -> int:
        """Returns the date of the newest Release file of these mirrors, in seconds since 1970."""
        lists = [f"{self.mirror.rstrip('/')}/dists/{suite}/Release" for suite in (RELEASE, f"{RELEASE}-updates")]
        return max(map(_dated, [*lists, f"{self.security.rstrip('/')}/dists/{RELEASE}-security/Release"]))


def main() -> int:
    parser = argparse.ArgumentParser(description="builds the SD card's image of the last commit")
    parser.add_argument("--arch", choices=KERNELS, default="arm64")
    parser.add_argument("--mirror", help="of Debian's packages; with a day in its path, that day's packages")
    parser.add_argument("--security", help="the same of those mended since the release")
    parser.add_argument("--key", type=Path, help="signs the update (PEM); without one a key of this machine is made")
    parser.add_argument("--certificate", type=Path, help="of that key: the card lets in what it signs")
    parser.add_argument("--out", type=Path, default=ROOT / "build/image")
    given = parser.parse_args()
    source = Source(given.mirror or foreign.mirror(), given.security or foreign.mirror("Debian-Security"))
    if (given.key is None) is not (given.certificate is None):
        parser.error("--key and --certificate come together")
    pair = Pair(given.key, given.certificate) if given.key else own_pair(given.out.resolve())
    print(build(source, given.arch, given.out.resolve() / given.arch, pair))
    return 0


def build(source: Source, arch: str, out: Path, pair: Pair) -> Path:
    """Builds the image and the signed update. Returns the path of the image.

    `out`: the directory for both; it keeps Debian's packages for the next build. `pair`: the key that signs the update.
    Raises CalledProcessError.
    """
    out.mkdir(parents=True, exist_ok=True)
    debian, dated = out / "debian.tar", out / "debian.time"
    if not dated.exists():
        with step("Debian's packages"):
            seconds = source.dated()
            include = ",".join((*(HERE / "packages.txt").read_text().split(), *KERNELS[arch]))
            options = ("--variant=essential", f"--architectures={arch}", f"--include={include}", *SETTINGS)
            os.environ["INITRD"] = "No"  # the initrd is made once, later, with this image's own script in it
            _run("mmdebstrap", "--quiet", *options, RELEASE, str(debian), *source.lines())
            dated.write_text(str(seconds))
    card = Card(out, int(dated.read_text()))
    os.environ |= {"SOURCE_DATE_EPOCH": str(card.made), "E2FSPROGS_FAKE_TIME": str(card.made), "TZ": "UTC"}
    with step("unpacked"):
        _run("rm", "--recursive", "--force", str(card.root), str(card.boot), str(card.kernel))
        card.root.mkdir()
        _run("tar", "-C", str(card.root), "--xattrs", "--xattrs-include=*", "-xf", str(debian))
    with step("sabot's package"):
        package = _package(card, arch)
    with step("settings, sabot, initrd"):
        settle(card, package, arch, pair.certificate.read_bytes())
    with step("file systems"):
        card.write_file_systems()
    until = supported_until((ROOT / ".github/SECURITY.md").read_text(), metadata.version("sabot"))
    (out / "sabot.cdx.json").write_text(sbom(card, until))
    version = package.stem.split("_")[1]
    with step("update"):
        sign(card, arch, release_of(package, card.made), version, pair)
    with step("image"):
        return card.assemble(version)


def _package(card: Card, arch: str) -> Path:
    """Builds sabot's package for the card and returns its path. The Python that will run on the card compiles it."""
    python = foreign.interpreter(card.root, PYTHON, arch, card.out / "python")
    options = ("--release", RELEASE, "--arch", arch, "--interpreter", str(python), "--out", str(card.out))
    build = [sys.executable, str(ROOT / "systemd/debian/build.py"), *options]
    made = subprocess.run(build, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return Path(made[0])


def _dated(address: str) -> int:
    with urlopen(address, timeout=60) as answer:  # noqa: S310 - the mirror's own address, signed by Debian
        lines = answer.read().decode().splitlines()
    return int(parsedate_to_datetime(next(line for line in lines if line.startswith("Date: "))[6:]).timestamp())


@contextmanager
def step(name: str) -> Iterator[None]:
    """A context that, at its end, prints the name of the step and its duration in seconds."""
    began = time.monotonic()
    yield
    print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)


def _run(*command: str) -> None:
    subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
