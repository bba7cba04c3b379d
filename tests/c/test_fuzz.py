"""The C core with arbitrary input: by libFuzzer under sanitizers, and by seeded bytes that must reach every branch."""

import re
import subprocess
from pathlib import Path
from random import Random

import pytest

from simulators.c.build import CORE, FUZZ, HERE, SANITIZED, STRICT, compile_into
from tests.c.tools import other_compilers, output, tool
from tests.night import FUZZ_S, IS_NIGHT

pytestmark = pytest.mark.waits

INPUTS = 12000
LONGEST = 1500
UNREACHED: set[str] = set()
"""Lines with a branch that no input takes, with the reason; there is none."""


def inputs(count: int) -> bytes:
    """The inputs in one text, each preceded by its length."""
    rng = Random(39)  # noqa: S311
    lengths = (rng.randrange(1, LONGEST) for _ in range(count))
    return b"".join(length.to_bytes(2, "little") + rng.randbytes(length) for length in lengths)


def test_seeded_bytes_reach_every_branch(tmp_path: Path) -> None:
    tool("cc")
    flags = ("-O0", "--coverage", "-fprofile-abs-path", "-dumpbase", "")
    objects = []
    for name in (*CORE, *FUZZ):
        objects.append(tmp_path / name.replace(".c", ".o"))
        output("cc", *STRICT, *flags, "-DTDP_REPLAY", f"-I{HERE}", "-c", HERE / name, "-o", objects[-1], cwd=tmp_path)
    output("cc", "--coverage", *objects, "-o", tmp_path / "replay")
    subprocess.run([tmp_path / "replay"], input=inputs(INPUTS), check=True, cwd=tmp_path)
    missed = set()
    for name in CORE:
        output("gcov", "-b", "-c", tmp_path / name.replace(".c", ".o"), cwd=tmp_path)
        missed |= _missed((tmp_path / f"{name}.gcov").read_text(), name)
    assert missed == UNREACHED


def _missed(listing: str, name: str) -> set[str]:
    """Lines and branches that were never taken."""
    found, line = set(), ""
    for row in listing.splitlines():
        if re.match(r"\s*(#####|[0-9]+\*?):", row):
            line = row.split(":", 2)[2].strip()
        if "#####:" in row or re.match(r"branch .*(never executed|taken 0)", row):
            found.add(f"{name}: {line}")
    return found


@other_compilers
def test_a_fuzzer_finds_nothing(tmp_path: Path) -> None:
    tool("clang")
    flags = ("-g", "-O1" if IS_NIGHT else "-O0", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all")
    fuzzer = compile_into(tmp_path / "fuzz", (*CORE, *FUZZ), flags, by="clang")
    (tmp_path / "corpus").mkdir()
    words = (f"-max_total_time={FUZZ_S}", "-max_len=2048", "-artifact_prefix=./", "corpus")
    done = subprocess.run([fuzzer, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]


BREAKS = {
    "a silence withdraws nothing": ("tdp.c", "link->silent = true; /* [7.6] */\n        link->kind->withdraw(link);",
                                    "link->silent = true;"),
    "a jam withdraws nothing": ("tdp_shuffler.c", "shuffler->seen.path_blocked = true;\n    withdraw(&shuffler->link);",
                                "shuffler->seen.path_blocked = true;"),
    "an open lid withdraws nothing": ("tdp_shuffler.c", "withdraw(&shuffler->link); /* [9.15] */", ""),
    "48 events withdraw nothing": ("tdp.c", "link->kind->withdraw(link); /* [6.15] */", ""),
    "a window without an end": ("tdp_say.c", "link->unsent - link->oldest < TDP_EVENT_WINDOW", "true"),
    "a ring without an end": ("tdp.c", "link->oldest++;", ""),
    "locked slots take chips in": ("tdp_slots.c", "return TDP_OK; /* [14.9] */", ""),
    "a switch that locks nothing": ("tdp.c", "link->silent || link->pairing ||", "link->silent ||"),
    "a frame longer than the buffer": ("tdp.c", "link->heard < TDP_STUFFED_MAX", "link->heard < 255"),
}  # fmt: skip


@pytest.mark.parametrize("broken", BREAKS if IS_NIGHT else tuple(BREAKS)[-1:])
def test_a_broken_core_is_found_by_seeded_bytes(broken: str, tmp_path: Path) -> None:
    """The invariants are checked after each deed."""
    name, old, new = BREAKS[broken]
    for path in HERE.glob("*.[ch]"):
        (tmp_path / path.name).write_text(path.read_text())
    text = (HERE / name).read_text()
    assert text.count(old) == 1
    (tmp_path / name).write_text(text.replace(old, new))
    sources = [tmp_path / one for one in (*CORE, *FUZZ)]
    output("cc", "-std=c11", *SANITIZED, "-DTDP_REPLAY", *sources, "-o", tmp_path / "replay")
    done = subprocess.run([tmp_path / "replay"], input=inputs(INPUTS // 8), capture_output=True, check=False)
    assert done.returncode != 0
