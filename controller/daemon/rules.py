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
    r'''^[ ]*"""(?:[^\\]|\\.)*?"""$'''  # a string alone on its lines: a docstring
    r'''|(?P<kept>"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')'''
    r"""|[#][^\n]*""",
    re.MULTILINE | re.DOTALL,
)
"""Not by the syntax tree: to parse the whole core takes seven times as long (0.2 s on a desktop), at each start."""


def meaning(source: str) -> str:
    """The lines of a file of the core without comments, docstrings and empty lines."""
    stripped = _WORD.sub(lambda found: found["kept"] or "", source)
    return "\n".join(line for line in map(str.rstrip, stripped.splitlines()) if line)
