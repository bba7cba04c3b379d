"""Which rules decide: a digest over what the core's source and the profile's values mean, bound into each start."""

import re
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller import core
from controller.config.profile import Profile
from controller.journal.codec import encode_canonical


def rules_digest(profile: Profile) -> str:
    """SHA-256 (hex) over the files of the core in order of name, and the figures and alternatives. Raises OSError.

    Comments, docstrings and empty lines mean nothing: a session goes on under a version that differs in them alone.
    """
    digest = sha256()
    folder = Path(next(iter(core.__path__)))
    for path in sorted(folder.rglob("*.py")):
        content = meaning(path.read_text("utf-8")).encode()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    digest.update(encode_canonical(profile.figures))
    digest.update(encode_canonical(profile.procedure))
    digest.update(encode_canonical(profile.game_figures))
    return digest.hexdigest()


_WORD: Final = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[#][^\n]*''',
    re.DOTALL,
)
"""Strings and comments. Not by the syntax tree: to parse the whole core takes ten times as long, at each start."""


def meaning(source: str) -> str:
    """The lines of a file of the core without comments, docstrings and empty lines."""
    return "\n".join(line for line in map(str.rstrip, _WORD.sub(_kept, source).splitlines()) if line)


def _kept(found: re.Match[str]) -> str:
    """Nothing of a comment, nor of a string that stands alone on its lines."""
    text, source = found.group(), found.string
    if text.startswith('"""'):
        before = source[source.rfind("\n", 0, found.start()) + 1 : found.start()]
        return text if before.strip(" ") or not source.startswith("\n", found.end()) else ""
    return "" if text.startswith("#") else text
