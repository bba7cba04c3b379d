"""The environment of the peers: made once in .venv-bench beside .venv, from pinned versions."""

import hashlib
import subprocess
import sys
import venv
from functools import cache
from pathlib import Path

from tests.bench.rows import say

ROOT = Path(__file__).parents[2]
PLACE = ROOT / ".venv-bench"
REQUIREMENTS = Path(__file__).with_name("requirements.txt")


@cache
def python() -> str | None:
    """The interpreter that can import the peers; None where they cannot be installed (no network, say)."""
    wanted = hashlib.sha256(REQUIREMENTS.read_bytes() + sys.version.encode()).hexdigest()
    stamp, interpreter = PLACE / "installed", PLACE / "bin" / "python"
    if stamp.exists() and stamp.read_text() == wanted:
        return str(interpreter)
    say(f"  installing the peers in {PLACE.name} (once)")
    venv.create(PLACE, clear=True, with_pip=True)
    install = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", REQUIREMENTS]
    if subprocess.run(install, stdout=sys.stderr).returncode != 0:
        say("  the peers could not be installed: their rows are left out")
        return None
    stamp.write_text(wanted)
    return str(interpreter)
