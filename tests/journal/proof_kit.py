"""Makes a journal's directory with key and mark, witnesses' signatures, and the verifier in Go."""

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from controller.journal.mark import Mark, begun_path, encode_mark, mark_at, mark_note
from controller.journal.note import KeyKind, Note, NoteKey
from controller.journal.proof import prove
from controller.journal.signing import Signer, public_path
from controller.journal.storage import DirectoryReader
from controller.journal.verify import tip_now
from simulators.disk import MemoryStorage

SIGNER: Final = Signer(bytes(32))
OF_WITNESS: Final = Signer(bytes([7]) * 32)
WITNESS: Final = NoteKey("inspection.example/w1", KeyKind.COSIGNATURE, OF_WITNESS.public_key)
SEEN_S: Final = 1_700_000_000
TABLE: Final = "BJ-07"

GO_PACKAGES: Final = Path("/usr/share/gocode")
INSTALL: Final = "apt-get install -y --no-install-recommends golang-go golang-golang-x-mod-dev"
_SOURCE: Final = Path(__file__).parent / "foreign/verify.go"


def in_directory(storage: MemoryStorage, path: Path) -> Path:
    """Writes the journal of `storage` into `path`, with its public key beside it; returns the directory."""
    path.mkdir()
    for file in storage.list():
        (path / file.name).write_bytes(storage.read(file.name))
    public_path(path).write_bytes(SIGNER.public_file())
    return path


def mark_now(journal: Path, epoch: int = 1) -> Mark:
    tip, sessions, tree = tip_now(journal)
    return mark_at(tip, tree, session=sessions, table=TABLE, epoch=epoch)


def marked(storage: MemoryStorage, path: Path) -> Path:
    """Writes the journal of `storage` into `path`, with its public key and its mark beside it."""
    journal = in_directory(storage, path)
    begun_path(journal).write_bytes(encode_mark(mark_now(journal), SIGNER))
    return journal


def seen(mark: Mark, *witnesses: tuple[NoteKey, Signer]) -> Note:
    """The mark's checkpoint, signed by these witnesses."""
    note = mark_note(mark, SIGNER)
    lines = (signer.cosignature(note.text, key, SEEN_S) for key, signer in witnesses)
    return Note(note.text, (*note.signatures, *lines))


def proof_of(journal: Path, first: int, last: int, note: Note | None = None) -> bytes:
    with DirectoryReader(journal) as storage:
        return prove(storage, note or seen(mark_now(journal)), first, last)


class GoVerifier:
    """The program of `foreign/verify.go`, built with Debian's Go compiler."""

    def __init__(self, directory: Path) -> None:
        go = shutil.which("go")
        assert go is not None, f"no Go here; as root: {INSTALL}"
        assert (GO_PACKAGES / "src/golang.org/x/mod").is_dir(), f"no x/mod here; as root: {INSTALL}"
        self._go = go
        self.program = self.built(directory / "verify")

    def built(self, out: Path, **other: str) -> Path:
        environment = {**os.environ, "GO111MODULE": "off", "GOPATH": str(GO_PACKAGES), "GOFLAGS": "", **other}
        subprocess.run([self._go, "build", "-o", str(out), str(_SOURCE)], env=environment, check=True)
        return out

    def says(self, proofs: Iterable[bytes], *witnesses: NoteKey, key: str = SIGNER.public_key) -> list[str]:
        """Runs the program on the proofs; returns its output, a line for each proof."""
        data = b"".join(len(one).to_bytes(4, "little") + one for one in proofs)
        done = subprocess.run(
            [self.program, "-key", key, *_named(witnesses), "-each"], input=data, capture_output=True, check=True
        )
        return done.stdout.decode().splitlines()

    def answers(self, *words: str) -> tuple[int, str]:
        """Runs the program by hand; returns its exit code and its output."""
        done = subprocess.run([self.program, *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


def _named(witnesses: Sequence[NoteKey]) -> list[str]:
    return [word for one in witnesses for word in ("-witness", one.text)]
