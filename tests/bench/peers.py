"""The environments of the peers: made once in .venv-bench beside .venv, from pinned versions.

A peer whose requirements conflict with the others' has an environment of its own, `.venv-bench-NAME`, made by
`NAME.txt`.
"""

import hashlib
import subprocess
import sys
import venv
from functools import cache
from pathlib import Path

from tests.bench.rows import say

ROOT = Path(__file__).parents[2]
REQUIREMENTS = "requirements"


@cache
def python(name: str = REQUIREMENTS) -> str | None:
    """The interpreter that can import the peers; None where they cannot be installed (no network, say)."""
    requirements = Path(__file__).with_name(f"{name}.txt")
    place = ROOT / (".venv-bench" if name == REQUIREMENTS else f".venv-bench-{name}")
    wanted = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()
    stamp, interpreter = place / "installed", place / "bin" / "python"
    if stamp.exists() and stamp.read_text() == wanted:
        return str(interpreter)
    say(f"  installing the peers in {place.name} (once)")
    venv.create(place, clear=True, with_pip=True)
    install = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements]
    if subprocess.run(install, stdout=sys.stderr).returncode != 0:
        say("  the peers could not be installed: their rows are left out")
        return None
    stamp.write_text(wanted)
    return str(interpreter)
