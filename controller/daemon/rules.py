"""Which rules decide: a digest over the core's own source and the profile's figures, bound into each start."""

from hashlib import sha256
from importlib import metadata
from pathlib import Path

from controller import core
from controller.core.profile import parameters
from controller.journal.codec import encode_canonical


def rules_digest(profile: str) -> str:
    """SHA-256 (hex) over the files of the core in order of name, and the figures. Raises KeyError, OSError."""
    digest = sha256()
    for path in sorted(Path(next(iter(core.__path__))).glob("*.py")):
        content = path.read_bytes()
        digest.update(f"{path.name}\0{len(content)}\0".encode())
        digest.update(content)
    digest.update(encode_canonical(parameters(profile)))
    return digest.hexdigest()


def software_version() -> str:
    """The version of the installed distribution."""
    return metadata.version("sabot")
