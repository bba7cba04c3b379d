"""Which rules decide: a digest over the core's own source and the profile's values, bound into each start."""

from hashlib import sha256
from pathlib import Path

from controller import core
from controller.config.profile import Profile
from controller.journal.codec import encode_canonical


def rules_digest(profile: Profile) -> str:
    """SHA-256 (hex) over the files of the core in order of name, and the figures and alternatives. Raises OSError."""
    digest = sha256()
    folder = Path(next(iter(core.__path__)))
    for path in sorted(folder.rglob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    digest.update(encode_canonical(profile.figures))
    digest.update(encode_canonical(profile.procedure))
    return digest.hexdigest()
