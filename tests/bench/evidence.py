"""G31 to G33: the Merkle head of a million entries, and a proof of one of them, checked by us and in Go.

The entries are appended as a table's writer gathers them, a minute at a time. The floor is one SHA-256 of each entry.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import process_time

import msgspec

from controller.journal.entry import Entry, encode_entry
from controller.journal.inclusion import Ranges, inclusion_ranges
from controller.journal.mark import Mark, mark_note
from controller.journal.proof import Proven, check_proof, encode_proof
from controller.journal.signing import Signer
from controller.journal.tree import NO_TREE, GrowingTree, leaf_hash
from tests.bench.rows import Goal, Plan, Row, interleave, ratios, spread

ENTRIES = 1_000_000
OF_A_MINUTE = 250
CHECKS = 400
SIGNER = Signer(bytes(32))
SOURCE = Path(__file__).parents[1] / "journal/foreign/verify.go"
LIBRARY = Path("/usr/share/gocode")


def run(plan: Plan) -> list[Row]:
    """The rows; those of the verifier in Go only where Debian's compiler and library are installed."""
    count = plan.count(ENTRIES)
    with TemporaryDirectory() as name:
        proof, program = proof_among(count), _verifier(Path(name))
        return [_head(plan, count), _proof(plan, count, proof, program), _bits(proof, program)]


def _entry(seq: int) -> bytes:
    body = msgspec.Raw(b'{"card":"KD","commitment":null,"number":%d,"pad":"%s"}' % (seq, b"x" * 160))
    at = {"mono_ns": seq, "table_ms": seq, "wall_ms": seq, "wall_synced": True}
    return encode_entry(Entry(body=body, boot=1, kind="card-read", seq=seq, **at))


# ---- G31


def _head(plan: Plan, count: int) -> Row:
    minute = [_entry(seq) for seq in range(1, OF_A_MINUTE + 1)]

    def head() -> float:
        tree, began = GrowingTree(NO_TREE), process_time()
        for _ in range(0, count, OF_A_MINUTE):
            tree.add(minute)
            tree.now().root()
        return (process_time() - began) / count * 1e6

    def hashes() -> float:
        began = process_time()
        for _ in range(0, count, OF_A_MINUTE):
            for payload in minute:
                sha256(payload).digest()
        return (process_time() - began) / count * 1e6

    measured = interleave({"head": head, "one SHA-256": hashes}, plan.repetitions)
    times = {name: spread(values) for name, values in measured.items()}
    what = "Merkle head for each entry, a minute's entries at a time, over one hash of each"
    figure = ratios(measured["head"], measured["one SHA-256"])
    return Row("G31", what, figure, times, "us an entry", None, f"{count} entries of {len(minute[0])} bytes")


# ---- G32


def proof_among(count: int) -> bytes:
    """The proof of the middle entry of so many."""
    index = count // 2
    wanted = inclusion_ranges(index, count)
    ranges, payload = Ranges(NO_TREE, wanted), _entry(index + 1)
    for at in range(count):
        ranges.add(leaf_hash(payload if at == index else b"%d" % at))
    mark = Mark("ab" * 32, count, 1, "T1", ranges.tree.root().hex())
    return encode_proof([Proven(payload, index, ranges.hashes(wanted))], mark_note(mark, SIGNER))


def _proof(plan: Plan, count: int, proof: bytes, program: Path | None) -> Row:
    checks = plan.count(CHECKS)

    def ours() -> float:
        began = process_time()
        for _ in range(checks):
            if check_proof(proof, SIGNER.public_key).wrong is not None:
                raise AssertionError(proof)
        return (process_time() - began) / checks * 1e6

    def in_go(of: Path) -> float:
        began = getrusage(RUSAGE_CHILDREN).ru_utime
        if accepted(of, [proof] * checks) != checks:
            raise AssertionError(proof)
        return (getrusage(RUSAGE_CHILDREN).ru_utime - began) / checks * 1e6

    paths: dict[str, Callable[[], float]] = {"ours": ours}
    if program is not None:
        paths["in Go"] = lambda: in_go(program)
    measured = interleave(paths, plan.repetitions)
    what, note = (
        f"bytes of a proof of one entry among {count}, and its check",
        f"{len(inclusion_ranges(0, count))} hashes",
    )
    beside = {name: spread(values) for name, values in measured.items()}
    return Row("G32", what, spread([len(proof)]), beside, "us a check", None, note)


# ---- G33


def _bits(proof: bytes, program: Path | None) -> Row:
    """Every bit of the proof is changed alone; no change may be accepted."""
    changes = [
        proof[: bit // 8] + bytes((proof[bit // 8] ^ 1 << bit % 8,)) + proof[bit // 8 + 1 :]
        for bit in range(8 * len(proof))
    ]
    taken = {"ours": float(sum(check_proof(one, SIGNER.public_key).wrong is None for one in changes))}
    if program is not None:
        taken["in Go"] = float(accepted(program, changes))
    beside = {name: spread([value]) for name, value in taken.items()}
    what = "single-bit changes of that proof that are accepted"
    note = f"{len(changes)} changes"
    return Row("G33", what, spread([sum(taken.values())]), beside, "accepted", Goal(0), note)


def accepted(program: Path, proofs: list[bytes]) -> int:
    """The number of these proofs that the verifier in Go accepts."""
    data = b"".join(len(one).to_bytes(4, "little") + one for one in proofs)
    done = subprocess.run([program, "-key", SIGNER.public_key, "-each"], input=data, capture_output=True, check=True)
    lines = done.stdout.splitlines()
    if len(lines) != len(proofs):
        raise AssertionError(done.stderr)
    return sum(line.startswith(b"well: ") for line in lines)


def _verifier(directory: Path) -> Path | None:
    if shutil.which("go") is None or not (LIBRARY / "src/golang.org/x/mod").is_dir():
        return None
    out = directory / "verify"
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": str(LIBRARY), "GOFLAGS": ""}
    subprocess.run(["go", "build", "-o", str(out), str(SOURCE)], env=environment, check=True)
    return out
