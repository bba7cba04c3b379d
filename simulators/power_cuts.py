"""`sabot-sim power-cuts`: cuts the power at each write and sync of a journal, and at each byte of its last records.

The journal's own writer stores the entries of a short simulated world. Before each call on the disk, and after each
byte of a write, the process is killed or the power is cut. The unsynced bytes are then cut off, or torn: the file has
its full length, but the rest is zeros. Then the journal's own recovery runs, and is itself interrupted at each of its
calls on the disk. A point counts as recovered if all of these are true:

- Every acknowledged entry is there, byte for byte, and no entry that was never sent.
- The state after the last entry equals the live state.
- After a cut (not a tear) the table can go on.
- No torn tail remains, and the entries are durable, so that the next power cut takes none of them.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.journal.codec import canonical_digest
from controller.journal.entry import decode_entry
from controller.journal.format import segment_number
from controller.journal.recovery import Recovery, Tip, Walk, recover
from controller.journal.seals import SEAL_SIZE
from controller.journal.storage import read_if_there
from controller.journal.writer_logic import Batch, WriterLogic, perform
from controller.runtime.folded import Folded
from controller.runtime.replay import fold
from simulators.disk import Call, MemoryStorage
from simulators.world.command import positive
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from simulators.world.world import make_world

BATCHES: Final = (1, 2, 1, 3)
"""The number of entries in each batch, repeated; every second batch has a seal before it."""
_SEGMENT_LIMIT: Final = 4096


class _PowerGone(Exception):  # noqa: N818 (an event, no fault of the program)
    pass


@dataclass(slots=True)
class Tried:
    """The number of tried points, and the number of recovered points. `failures`: the faults of the first ten points
    that were not recovered.
    """

    points: int = 0
    recovered: int = 0
    failures: list[str] = field(default_factory=list)

    def note(self, where: str, wrong: str | None) -> None:
        self.points += 1
        self.recovered += wrong is None
        if wrong is not None and len(self.failures) < 10:
            self.failures.append(f"{where}: {wrong}")


@dataclass(frozen=True, slots=True)
class Sent:
    """The payloads of the journal's entries, in order, and the digest of the live state after each entry."""

    payloads: tuple[bytes, ...]
    digests: tuple[str, ...]


def sent_by_a_world(entries: int, seed: int) -> Sent:
    """Plays a world to its end, and returns the first `entries` entries of its journal with the states after them."""
    world = make_world(WorldPlan(seed=seed, rounds=1))
    run_to_end(world)
    payloads, digests, folded = [], [], Folded()
    for verified in Walk(world.host.disk.storage):
        folded = fold(folded, decode_entry(verified.record.payload, seq=verified.record.seq))
        payloads.append(verified.record.payload)
        digests.append(canonical_digest(folded.state))
        if len(payloads) == entries:
            break
    return Sent(tuple(payloads), tuple(digests))


def power_cuts(sent: Sent, first: int, storage: MemoryStorage) -> Tried:
    """Writes the entries of `sent` to the empty disk `storage`, and tries the recovery from a kill or power cut at each
    point. Returns the number of tries and their faults. Tries nothing in a batch that ends before entry `first`.
    """
    trial = _Trial(sent)
    logic = WriterLogic(Tip(), segment_limit=_SEGMENT_LIMIT)
    for number, batch in enumerate(_batches(sent.payloads)):
        for step in logic.begin(batch):
            perform(storage, step)
            if batch.last_seq >= first:
                trial.disks(storage, f"batch {number} after {step}", logic.durable.next_seq - 1, batch.last_seq)
        logic.succeeded()
        if batch.last_seq >= first:
            trial.disks(storage, f"behind batch {number}", batch.last_seq, batch.last_seq)
    return trial.tried


def _batches(payloads: Sequence[bytes]) -> Iterator[Batch]:
    at, number = 0, 0
    while at < len(payloads):
        size = BATCHES[number % len(BATCHES)]
        part = tuple(payloads[at : at + size])
        at, number = at + len(part), number + 1
        yield Batch(at, part, (bytes([number % 256]) * SEAL_SIZE,) if number % 2 else ())


class _Trial:
    """Recovers the journal from disks after kills and power cuts, and records the results."""

    def __init__(self, sent: Sent) -> None:
        self.tried = Tried()
        self._sent = sent
        self._folded_to: set[int] = set()

    def disks(self, storage: MemoryStorage, where: str, acknowledged: int, written: int) -> None:
        """Recovers from every disk that a kill or a power cut could leave now, and records the results."""
        self._try(storage.after_kill(), f"{where}, process ended", acknowledged, written, cut=True)
        for number, left in enumerate(storage.power_cuts()):
            self._try(left, f"{where}, power cut {number}", acknowledged, written, cut=True)
        for name, size in storage.unsynced().items():
            for kept in range(size):
                left = storage.after_power_cut({name: kept})
                whole = storage.read(name)
                left.replace(name, whole[: len(whole) - size + kept] + bytes(size - kept))
                self._try(left, f"{where}, torn at {kept} of {name}", acknowledged, written, cut=False)

    def _try(self, left: MemoryStorage, where: str, acknowledged: int, written: int, *, cut: bool) -> None:
        self.tried.note(where, self._wrong(left.after_kill(), acknowledged, written, cut=cut))
        for call in range(len(_calls_of_recovery(left.after_kill()))):
            again = left.after_kill()
            _end_at(again, call)
            wrong = self._wrong(again.after_kill(), acknowledged, written, cut=cut)
            self.tried.note(f"{where}, recovery ended at its call {call}", wrong)

    def _wrong(self, storage: MemoryStorage, acknowledged: int, written: int, *, cut: bool) -> str | None:
        recovery = recover(storage)
        found, torn = _stored(storage)
        if len(found) < acknowledged:
            return f"{len(found)} entries; {acknowledged} were acknowledged"
        if len(found) > written or found != self._sent.payloads[: len(found)]:
            return "an entry that was not sent"
        if cut and recovery.damage is not None:
            return f"held for {recovery.damage.reason}"
        if torn and recovery.damage is None:
            return "a torn tail that still stands"
        if recovery.damage is None and not (_is_synced(storage) or _stored(storage.after_power_cut())[0] == found):
            return "an entry that the next power cut takes"
        return self._wrong_state(recovery, len(found))

    def _wrong_state(self, recovery: Recovery, entries: int) -> str | None:
        """Returns a fault if the state after the first `entries` recovered entries differs from the live state, else
        None. Checks each number of entries once.
        """
        if entries in self._folded_to or not entries:
            return None
        folded = Folded()
        for entry in recovery.entries():
            folded = fold(folded, entry)
        self._folded_to.add(entries)
        is_same = canonical_digest(folded.state) == self._sent.digests[entries - 1]
        return None if is_same else f"another state behind entry {entries}"


def _stored(storage: MemoryStorage) -> tuple[tuple[bytes, ...], bool]:
    """Returns the payloads of the stored records, and True if a torn tail follows them."""
    walk = Walk(storage)
    return tuple(verified.record.payload for verified in walk), walk.torn is not None


def _is_synced(storage: MemoryStorage) -> bool:
    """True if a loss of power would change no segment file."""
    left = storage.after_power_cut()
    names = [file.name for file in storage.list() if segment_number(file.name) is not None]
    return all(read_if_there(left, name) == storage.read(name) for name in names)


def _calls_of_recovery(storage: MemoryStorage) -> list[Call]:
    calls: list[Call] = []
    storage.on_call = calls.append
    recover(storage)
    return calls


def _end_at(storage: MemoryStorage, number: int) -> None:
    """Runs the recovery, and ends it before its call number `number` on the disk, like a power cut."""
    left = [number]

    def count(_call: Call) -> None:
        if left[0] == 0:
            raise _PowerGone
        left[0] -= 1

    storage.on_call = count
    try:
        recover(storage)
    except _PowerGone:
        storage.on_call = None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Gives `parser` the options of `sabot-sim power-cuts`, and the function of the subcommand."""
    parser.add_argument("--entries", type=positive, default=40, help="entries of the journal")
    parser.add_argument("--last", type=positive, default=20, help="of these so many last ones are cut and torn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    sent = sent_by_a_world(arguments.entries, arguments.seed)
    tried = power_cuts(sent, max(len(sent.payloads) - arguments.last + 1, 1), MemoryStorage())
    document = {"points": tried.points, "recovered": tried.recovered, "failures": tried.failures}
    print(json.dumps(document) if arguments.json else _text(tried))
    return 0 if tried.points and tried.recovered == tried.points else 1


def _text(tried: Tried) -> str:
    return "\n".join((f"points tried: {tried.points}, recovered: {tried.recovered}", *tried.failures))
