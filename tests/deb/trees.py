"""Bare Debian trees of a release and an architecture, made once from the mirror that this machine's apt knows."""

import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/debian"))

from build import RELEASES, Target
from needs import MACHINES

BARE = "systemd,systemd-sysv,udev,dbus,python3"
LOADERS = {"amd64": "lib64/ld-linux-x86-64.so.2", "arm64": "lib/ld-linux-aarch64.so.1"}


@dataclass(frozen=True)
class Trees:
    """Where they are kept between runs."""

    folder: Path

    def bare(self, target: Target) -> Path:
        """Whole or not there: what was left half made is made anew."""
        tree = self.folder / f"{target.release}-{target.arch}"
        if not tree.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            archive, unpacked = tree.with_suffix(".tar"), tree.with_suffix(".new")
            options = ["--variant=apt", f"--include={BARE}", "--components=main", f"--architectures={target.arch}"]
            subprocess.run(["mmdebstrap", "--quiet", *options, target.release, str(archive), mirror()], check=True)
            subprocess.run(["rm", "--recursive", "--force", str(unpacked)], check=True)
            unpacked.mkdir()
            subprocess.run(["tar", "-C", str(unpacked), "-xf", str(archive)], check=True)
            unpacked.rename(tree)
        return tree

    def interpreter(self, target: Target) -> Path:
        """The release's own Python as a program of this machine, to compile with; emulated where it must be."""
        tree, python = self.bare(target), RELEASES[target.release][0]
        emulated = MACHINES[target.arch] != platform.machine()
        libraries = f"{tree}/usr/lib/{MACHINES[target.arch]}-linux-gnu"
        loader = "" if emulated else f"{tree}/{LOADERS[target.arch]} --library-path {libraries} "
        wrapper = self.folder / f"python{python}-{target.arch}"
        settings = f"PYTHONHOME={tree}/usr QEMU_LD_PREFIX={tree}"
        wrapper.write_text(f'#!/bin/sh\nexec env {settings} {loader}{tree}/usr/bin/python{python} "$@"\n')
        wrapper.chmod(0o755)
        return wrapper


def mirror() -> str:
    """Of Debian's packages (not of their security updates), as this machine's apt has it."""
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(ORIGIN) $(LABEL)", "Created-By: Packages"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    found = [line.split()[0] for line in told.splitlines() if line.endswith(" Debian Debian")]
    assert found, "apt of this machine knows no mirror of Debian: sudo apt-get update"
    return found[0]
