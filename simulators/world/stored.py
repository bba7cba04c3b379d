"""What is on the disk of a table at the end: its export, and the digest of its files."""

from collections.abc import Callable
from hashlib import sha256

from controller.journal.export import text_of
from controller.journal.recovery import Walk
from simulators.disk import MemoryStorage
from simulators.world.installation import SIGNER


def export_bytes(storage: MemoryStorage) -> bytes:
    """The journal's export, as far as it verifies."""
    return exported(storage)[0]


def exported(storage: MemoryStorage) -> tuple[bytes, Walk]:
    """The same, and the walk that found it, which has ended."""
    walk = Walk(storage)
    return text_of(walk, storage, SIGNER), walk


def stored_digest(storage: MemoryStorage, wanted: Callable[[str], bool]) -> str:
    """SHA-256 (hex) over every stored byte of the files whose name is wanted."""
    digest = sha256()
    for file in storage.list():
        if wanted(file.name):
            digest.update(f"{file.name}\0{file.size}\0".encode() + storage.read(file.name))
    return digest.hexdigest()
