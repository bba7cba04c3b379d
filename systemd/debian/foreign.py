"""Uses a Debian of another release or architecture on this machine: finds the mirror of its packages, and runs its
Python.
"""

import platform
import subprocess
from pathlib import Path
from typing import Final

from needs import MACHINES

LOADERS: Final = {"amd64": "lib64/ld-linux-x86-64.so.2", "arm64": "lib/ld-linux-aarch64.so.1"}

ISOLATED: Final = ("unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc")
"""Runs a command in namespaces of its own: its processes end with it, and it has no network."""


def mirror(label: str = "Debian") -> str:
    """Returns the address of a Debian mirror, from the apt settings of this machine. `label`: "Debian", or
    "Debian-Security" for security updates.

    Raises SystemExit if apt knows no such mirror.
    """
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI) $(LABEL)", "Created-By: Packages", "Origin: Debian"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    found = [uri for uri, _, known in (line.partition(" ") for line in told.splitlines()) if known == label]
    if not found:
        raise SystemExit(f"apt of this machine knows no mirror of {label}: sudo apt-get update")
    return found[0]


def interpreter(tree: Path, python: str, arch: str, wrapper: Path) -> Path:
    """Writes to `wrapper` a script that runs on this machine the Python of an unpacked Debian tree. Returns the path of
    the script.

    A Python of another architecture runs in this machine's emulator.
    """
    emulated = MACHINES[arch] != platform.machine()
    libraries = f"{tree}/usr/lib/{MACHINES[arch]}-linux-gnu"
    loader = "" if emulated else f"{tree}/{LOADERS[arch]} --library-path {libraries} "
    settings = f"PYTHONHOME={tree}/usr QEMU_LD_PREFIX={tree}"
    wrapper.write_text(f'#!/bin/sh\nexec env {settings} {loader}{tree}/usr/bin/python{python} "$@"\n')
    wrapper.chmod(0o755)
    return wrapper
