"""Three sessions in a directory, with their export: retention may remove a part of them after an acknowledgement."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core.custody.opening import AbandonOpening
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Operation
from controller.journal.export import export
from controller.journal.progress import Verification, Wanted
from controller.journal.signing import Signer
from controller.journal.verify import noted_now, verify
from simulators.disk import MemoryStorage
from tests.runtime import bench as benches
from tests.runtime.bench import DEALER, Bench

SIGNER, OTHER = Signer(bytes(32)), Signer(bytes([1]) * 32)
WANTED = Wanted(SIGNER.public_key)


class Evening:
    """Three sessions in a directory, each in a segment of its own, and the export of them."""

    def __init__(self, directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(benches, "BINDING", replace(benches.BINDING, public_key=SIGNER.public_key))
        self.bench = Bench(signer=SIGNER)
        self.bench.run(1)
        self.bench.act(SignIn, DEALER, operation=Operation.TABLE)
        for _ in range(3):
            self.session()
        self.path, self.out = directory / "journal", directory / "evening.txt"
        self.store()
        export(self.path, self.out, SIGNER)
        self.code = noted_now(self.out)

    def session(self) -> None:
        self.bench.act(OpenSession, DEALER)
        self.bench.act(AbandonOpening, DEALER)

    def store(self) -> None:
        """Writes the bench's present disk into the directory; removes no file there."""
        self.path.mkdir(exist_ok=True)
        for name in self.names_of(self.bench.storage):
            (self.path / name).write_bytes(self.bench.storage.read(name))

    @staticmethod
    def names_of(storage: MemoryStorage) -> list[str]:
        return [file.name for file in storage.list()]

    def names(self) -> list[str]:
        return sorted(path.name for path in self.path.iterdir())

    def verified(self, wanted: Wanted = WANTED) -> Verification:
        return verify(self.path, wanted)


@pytest.fixture
def evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Evening:
    return Evening(tmp_path, monkeypatch)


def stored(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}
