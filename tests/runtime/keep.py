"""Keeps the data of this release for all later ones: `python -m tests.runtime.keep`, once for each release; then
`make golden` records the state to which each of its journals replays.

`kept/VERSION/` has a directory for each journal and, in `expected.toml`, the results of its replay at that time; and
the packed shelf with a whole table of each profile (shelf.py). A release's journals and tables are never written anew:
a later program that cannot read them has broken its promise.
"""

from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.core.custody.putting_back import BeginPuttingBack, CollectCards, EndPuttingBack
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Operation
from controller.runtime.replay import ReplayResult, replay
from simulators.disk import MemoryStorage
from tests.runtime.bench import DEALER, Bench
from tests.runtime.shelf import SHELF, every_table, lay, pack

KEPT = Path(__file__).parent / "kept"
SEGMENT = "00000001.segment"


def evening() -> MemoryStorage:
    """Plays a loading, a burn, a refusal, and a whole round with a face-down card whose cards are put back.

    Returns the disk.
    """
    bench = Bench()
    bench.play()
    bench.refused(OpenSession, DEALER)
    bench.deal((1,))
    bench.act(DrawCard, DEALER, seat=1)
    bench.draw("7D")
    for act in (TurnHoleCard, ConfirmSettled, CollectCards, BeginPuttingBack):
        bench.act(act, DEALER)
    while bench.shuffler.status.inside < bench.setup.cards:
        bench.shuffler.card_in(bench.now_s)
        bench.run(0.05)
    bench.act(EndPuttingBack, DEALER)
    return bench.storage


def opening() -> MemoryStorage:
    """Opens a table, and returns the disk with the first few entries."""
    bench = Bench()
    bench.run(1)
    bench.act(SignIn, DEALER, operation=Operation.TABLE)
    bench.act(OpenSession, DEALER)
    return bench.storage


def write(storage: MemoryStorage, path: Path, *, cut: int = 0, flip_at: int | None = None) -> ReplayResult:
    """Writes the journal's files, `cut` bytes short or with one bit of the byte at `flip_at` changed.

    Returns the result of its replay.
    """
    path.mkdir(parents=True)
    for file in storage.list():
        data = bytearray(storage.read(file.name))
        if file.name == SEGMENT:
            data = data[: len(data) - cut]
            if flip_at is not None:
                data[flip_at] ^= 1
        (path / file.name).write_bytes(data)
    return replay(path)


def main() -> None:
    """Writes the data of this release; refuses to overwrite kept data."""
    release = KEPT / version("sabot")
    release.mkdir(parents=True)
    results = {
        "evening": write(evening(), release / "evening"),
        "torn": write(opening(), release / "torn", cut=7),
        "damaged": write(opening(), release / "damaged", flip_at=len(opening().read(SEGMENT)) // 2),
    }
    (release / "expected.toml").write_text("".join(_row(name, result) for name, result in results.items()))
    with TemporaryDirectory() as directory:
        lay(Path(directory), every_table())
        pack(Path(directory), release / SHELF)


def _row(name: str, result: ReplayResult) -> str:
    ok = str(result.ok).lower()
    return f"[{name}]\nok = {ok}\nentries = {result.entries}\n\n"


if __name__ == "__main__":
    main()
