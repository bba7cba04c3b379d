"""G14: the verification of every byte of a journal, beside a plain loop of the same arithmetic.

G15: a start with a long journal beside a start with a short one; both begin at their last checkpoint. The entries are
those of a table in play, 2,000 of them after the checkpoint. Before the checkpoint stand as many copies as the size
demands, numbered and chained anew, which no start applies: a start that did not trust the checkpoint would apply them
and find a damage.
"""

import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from hashlib import sha256
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import msgspec
from msgspec.structs import replace

from controller.journal.entry import Entry, decode_entry, encode_entry
from controller.journal.mark import begun_path, encode_mark, mark_at
from controller.journal.recovery import Tip, Walk
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryStorage
from controller.journal.tree import NO_TREE, Tree, grown, leaf_hash
from controller.journal.verify import tip_now, verify
from controller.journal.writer_logic import SEGMENT_LIMIT, Append, Batch, WriterLogic, perform
from controller.runtime.boot import boot
from controller.runtime.checkpoint import encode_checkpoint
from controller.runtime.folded import Folded
from controller.runtime.replay import fold
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from simulators.world.world import make_world
from tests.bench.rows import Goal, Plan, Row, interleave, ratios, spread
from tests.runtime.bench import BINDING

VERIFIED = 100_000
SHORT, LONG = 10_000, 1_000_000
TAIL = 2_000  # entries after the checkpoint
ROUNDS = 30  # have more than TAIL entries
_BATCH = 1_000


def run(plan: Plan) -> list[Row]:
    payloads = played()
    with TemporaryDirectory() as directory:
        return [*_verified(plan, payloads, Path(directory)), _started(plan, payloads, Path(directory))]


def played() -> list[bytes]:
    """The entries of a table's journal after a short session."""
    world = make_world(WorldPlan(seed=1, rounds=ROUNDS))
    run_to_end(world)
    return [verified.record.payload for verified in Walk(world.host.disk.storage)]


# ---- G14


def _verified(plan: Plan, payloads: list[bytes], directory: Path) -> list[Row]:
    path, count = directory / "verified", plan.count(VERIFIED)
    write(path, renumbered(payloads, count))

    def ours() -> float:
        began = process_time()
        found = verify(path)
        if found.entries != count or not found.ok:
            raise AssertionError(found)
        return count / (process_time() - began)

    def plain() -> float:
        began = process_time()
        if plain_loop(path) != count:
            raise AssertionError("the plain loop read something else")
        return count / (process_time() - began)

    def with_tree() -> float:
        begun_path(path).write_bytes(mark)
        try:
            return ours()
        finally:
            begun_path(path).unlink()

    mark = _mark_of(path)
    paths = {"plain loop": plain, "verify": ours, "verify, tree": with_tree}
    measured = interleave(paths, plan.repetitions)
    rates = {name: spread(values) for name, values in measured.items()}
    goal = Goal(1.2, gates=False)
    what, note = "full verify of a journal over the plain loop (read, CRC, SHA-256, decode, apply)", f"{count} entries"
    tree = ratios(measured["plain loop"], measured["verify, tree"])
    return [
        Row("G14", what, ratios(measured["plain loop"], measured["verify"]), rates, "entries/s", goal, note),
        Row("G14", "the same, and the Merkle tree held against the mark", tree, rates, "entries/s", None, note),
    ]


def _mark_of(path: Path) -> bytes:
    """The mark of the last entry, as it lies beside the journal."""
    tip, sessions, tree = tip_now(path)
    return encode_mark(mark_at(tip, tree, session=sessions, table="T1", epoch=1), Signer(bytes(32)))


def plain_loop(path: Path) -> int:
    """The least possible reading of a journal: every entry decoded whole, and no report of damage."""
    head, kinds, decoder, body_decoder = bytes(32), Counter[str](), msgspec.json.Decoder(Entry), msgspec.json.Decoder()
    for file in sorted(path.glob("*.segment")):
        data, at = file.read_bytes(), 92
        while at < len(data):
            length, length_crc, payload_crc = struct.unpack_from("<III", data, at)
            end = at + 12 + length
            payload = data[at + 12 : end]
            if zlib.crc32(data[at : at + 4]) != length_crc or zlib.crc32(payload) != payload_crc:
                raise AssertionError("CRC")
            head = sha256(head + data[at:end]).digest()
            if data[end : end + 32] != head:
                raise AssertionError("chain")
            entry = decoder.decode(payload)
            body_decoder.decode(entry.body)
            kinds[entry.kind] += 1
            at = end + 32
    return sum(kinds.values())


# ---- G15


def _started(plan: Plan, payloads: list[bytes], directory: Path) -> Row:
    sizes = {"10^4 entries": plan.count(SHORT), "10^6 entries": plan.count(LONG)}
    paths = {name: directory / name for name in sizes}
    tail = plan.count(TAIL)
    for name, count in sizes.items():
        write_with_checkpoint(paths[name], renumbered(payloads, max(count - tail, tail)), payloads[: tail + 1])

    def start(name: str) -> float:
        began = process_time()
        storage = DirectoryStorage(paths[name])
        booted = boot(storage, BINDING)
        taken = process_time() - began
        storage.close()
        if booted.start.damage is not None:
            raise AssertionError(booted.start.damage)
        return 1000 * taken

    measured = interleave({name: partial(start, name) for name in sizes}, plan.repetitions)
    return Row(
        "G15",
        "start from the last checkpoint: 10^6 entries over 10^4",
        ratios(measured["10^6 entries"], measured["10^4 entries"]),
        {name: spread(values) for name, values in measured.items()},
        "ms",
        Goal(1.1, gates=False),
        note=f"{sizes['10^4 entries']} and {sizes['10^6 entries']} entries, of which a start folds {tail}",
    )


def renumbered(payloads: list[bytes], count: int, first: int = 1) -> Iterator[bytes]:
    """`count` entries: the given payloads repeated, each with its own number from `first` on."""
    for seq, payload in enumerate(islice(cycle(payloads), count), first):
        number = int(payload[payload.index(b'"seq":') + 6 :].split(b",", 1)[0])
        yield payload.replace(b'"seq":%d,' % number, b'"seq":%d,' % seq, 1)


def write(path: Path, payloads: Iterable[bytes]) -> None:
    """Writes a journal of these entries by our own writer, without a sync."""
    storage = DirectoryStorage(path)
    _append(storage, WriterLogic(Tip()), payloads)
    storage.close()


def write_with_checkpoint(path: Path, before: Iterable[bytes], after: list[bytes]) -> None:
    """Writes a journal with a checkpoint behind the entries `before`.

    The first of `after` lies in the checkpoint's state; the others follow the checkpoint as entries.
    """
    storage = DirectoryStorage(path)
    logic = WriterLogic(Tip())
    tree = _append(storage, logic, before)
    _append_behind_checkpoint(storage, logic, tree, after)
    storage.close()


def _append(storage: DirectoryStorage, logic: WriterLogic, payloads: Iterable[bytes]) -> Tree:
    """Appends the entries; returns their tree."""
    left, tree = iter(payloads), NO_TREE
    while part := tuple(islice(left, _BATCH)):
        for step in logic.begin(Batch(logic.durable.next_seq + len(part) - 1, part)):
            if isinstance(step, Append):
                perform(storage, step)
        logic.succeeded()
        tree = grown(tree, map(leaf_hash, part))
    return tree


def _append_behind_checkpoint(
    storage: DirectoryStorage, before: WriterLogic, tree: Tree, payloads: list[bytes]
) -> None:
    first = fold(Folded(), decode_entry(payloads[0], seq=1))
    at = before.durable.next_seq - 1

    def checkpoint(tip: Tip) -> bytes:
        return encode_checkpoint(replace(first, entries=at, last_seq=at, tree=tree), tip.head)

    tip = replace(before.durable, segment=before.durable.segment + 1, size=0)
    logic = WriterLogic(tip, segment_limit=64 * SEGMENT_LIMIT, checkpoint=checkpoint)
    entries = [
        encode_entry(replace(decode_entry(payload, seq=number), seq=at + number - 1))
        for number, payload in enumerate(payloads[1:], 2)
    ]
    _append(storage, logic, entries)
