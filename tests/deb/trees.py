"""Bare Debian trees of a release and an architecture, made once from the mirror of this machine's apt."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/debian"))

import foreign
from build import Target

BARE = "systemd,systemd-sysv,udev,dbus,python3,tzdata"


@dataclass(frozen=True)
class Trees:
    """The folder of trees that is kept between runs."""

    folder: Path

    def bare(self, target: Target) -> Path:
        """The complete tree; makes an incomplete tree anew."""
        tree = self.folder / f"{target.release}-{target.arch}"
        if not tree.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            archive, unpacked = tree.with_suffix(".tar"), tree.with_suffix(".new")
            options = ["--variant=apt", f"--include={BARE}", "--components=main", f"--architectures={target.arch}"]
            source = [target.release, str(archive), foreign.mirror()]
            subprocess.run(["mmdebstrap", "--quiet", *options, "--dpkgopt=force-unsafe-io", *source], check=True)
            subprocess.run(["rm", "--recursive", "--force", str(unpacked)], check=True)
            unpacked.mkdir()
            subprocess.run(["tar", "-C", str(unpacked), "-xf", str(archive)], check=True)
            unpacked.rename(tree)
        return tree

    def unpacked(self, *packages: str) -> Path:
        """Packages for arm64 of trixie, unpacked and not installed; made once."""
        tree = self.folder / f"unpacked-{'-'.join(packages)}"
        if not tree.exists():
            new = tree.with_suffix(".new")
            subprocess.run(["rm", "--recursive", "--force", str(new)], check=True)
            self.folder.mkdir(parents=True, exist_ok=True)
            options = ["--variant=extract", "--architectures=arm64", f"--include={','.join(packages)}"]
            subprocess.run(["mmdebstrap", "--quiet", *options, "trixie", str(new), foreign.mirror()], check=True)
            new.rename(tree)
        return tree

    def interpreter(self, target: Target) -> Path:
        """The release's own Python, for compiling."""
        wrapper = self.folder / f"python{target.python}-{target.arch}"
        return foreign.interpreter(self.bare(target), target.python, target.arch, wrapper)
