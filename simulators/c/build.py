"""Compiles the C core with the C compiler of this machine, into a temporary folder that is deleted at exit."""

import atexit
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
LINK: Final = ("tdp_frame.c", "tdp.c", "tdp_say.c", "tdp_kept.c")
PAIRING: Final = ("tdp_pair.c", "tdp_sha256.c")
CORE: Final = (*LINK, *PAIRING, "tdp_shuffler.c", "tdp_shoe.c", "tdp_display.c", "tdp_slots.c")
FUZZ: Final = ("fuzz.c", "fuzz_hands.c")
STRICT: Final = ("-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wconversion")
SANITIZED: Final = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")


class CompilerMissing(Exception):  # noqa: N818 (no error of ours)
    """The machine has no C compiler."""


def compiler(name: str = "cc") -> str:
    """Returns the path of the C compiler `name`. Raises CompilerMissing."""
    found = shutil.which(name)
    if found is None:
        raise CompilerMissing
    return found


def compile_into(program: Path, sources: Sequence[str], flags: Sequence[str], *, by: str = "cc") -> Path:
    """Compiles the C files `sources` of this folder with the compiler `by` and the options `flags` into `program`, and
    returns that path. Raises CompilerMissing, subprocess.CalledProcessError.
    """
    paths = [str(HERE / name) for name in sources]
    subprocess.run([compiler(by), *STRICT, *flags, f"-I{HERE}", *paths, "-o", str(program)], check=True)
    return program


@cache
def device_program(flags: tuple[str, ...] = ("-Os",)) -> Path:
    """Compiles host.c together with the C core, and returns the path of the program, which simulates any kind of
    device. Lines of text drive it.

    A second call with the same flags compiles nothing. Raises CompilerMissing, subprocess.CalledProcessError.
    """
    folder = tempfile.mkdtemp(prefix="sabot-c-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return compile_into(Path(folder) / "device", (*CORE, "host.c", "host_kinds.c"), flags)
