"""Compares an export with a mark, such as a witness's checkpoint, by FORMAT.md alone: imports nothing of the project.

python standalone_mark.py EXPORT PUBLIC-KEY.PEM MARK      exit 0: one history up to the mark's entry; 1: not shown
standalone_verifier.py lies beside it. The signatures of the mark are checked by the verifier in Go.
"""

import json
import re
import sys
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from standalone_verifier import check_export

MARK = re.compile(
    r"sabot/([0-9a-f]{16})/([A-Za-z0-9._%-]+)/([1-9][0-9]*)\n([1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n"
    r"chain ([0-9a-f]{64})\nsession (?:0|[1-9][0-9]*)\n\n"
)
EMPTY = sha256(b"\0").digest()  # the leaf of a number that no entry has


class Tree:
    """The tree of RFC 6962, as the hashes of its full subtrees, the largest first."""

    def __init__(self, size: int = 0, hashes: tuple[bytes, ...] = ()) -> None:
        self.size, self.hashes = size, list(hashes)

    def add(self, leaf: bytes) -> None:
        left, self.size = self.size, self.size + 1
        while left & 1:
            leaf, left = sha256(b"\1" + self.hashes.pop() + leaf).digest(), left >> 1
        self.hashes.append(leaf)

    def fill(self, size: int) -> None:
        while self.size < size:
            self.add(EMPTY)

    def head(self) -> str:
        *rest, head = self.hashes
        for left in reversed(rest):
            head = sha256(b"\1" + left + head).digest()
        return b64encode(head).decode()


def epoch_of(body: dict[str, list[str]]) -> int:
    return next((int(one[6:]) for one in body.get("findings", ()) if re.match(r"epoch \d", one)), 1)


def at_entry(export: Path, number: int) -> tuple[str, str, int] | None:
    """The chain value of an entry, the tree's head and the epoch there; None where the export has no such entry."""
    tree, begins, starts, found = Tree(), 0, list[tuple[int, int]](), ("", "")
    for line in export.read_bytes().splitlines():
        match json.loads(line):
            case {"removed": {"first_seq": int(first), **part}}:
                begins, hashes = first - 1, tuple(map(bytes.fromhex, part.get("tree", ())))
                tree = Tree(begins, hashes) if len(hashes) == begins.bit_count() else Tree()
                tree.fill(begins)  # of a statement without the hashes each leaf is empty
            case {"chain": str(chain), "entry": {"seq": int(seq), "kind": kind, "body": dict(body)}}:
                starts += [(seq, epoch_of(body))] if kind == "controller-started" else []
                tree.fill(seq - 1)
                tree.add(sha256(b"\0" + line.partition(b'"entry":')[2][:-1]).digest())
                found = (chain, tree.head()) if seq == number else found
    first_epoch = starts[0][1] if begins and starts else 1
    return (*found, max((epoch for at, epoch in starts if at <= number), default=first_epoch)) if found[0] else None


def compare(export: Path, key: str, mark: Path) -> tuple[bool, str]:
    """True where both are one history, and the verdict. Raises ValueError for an export that does not verify."""
    count, _head, _said = check_export(export, key)
    if (found := MARK.match(mark.read_bytes().decode("utf-8", "replace"))) is None:
        return False, "NOT COMPARED: the file does not begin with a mark"
    digits, table, epoch, number, head, chain = found.groups()
    if (here := at_entry(export, int(number))) is None:
        return False, f"NOT COMPARED: the export ({count} entries) has no entry {number}: older, cut, or lost there"
    if here[:2] == (chain, head):
        return True, f"ONE HISTORY up to entry {number}, table {table}: chain value and tree's head are the mark's"
    if digits != key[:16] or int(epoch) < here[2]:
        return (
            False,
            f"NOT COMPARED: of another key ({digits}) or an older epoch ({epoch}; of entry {number}: {here[2]})",
        )
    return False, f"ANOTHER HISTORY, if the mark is signed: at entry {number} here are chain {here[0]}, head {here[1]}"


if __name__ == "__main__":
    sys.excepthook = lambda _kind, error, _trace: print(f"NOT WELL: {error}", file=sys.stderr)
    pem = load_pem_public_key(Path(sys.argv[2]).read_bytes())
    is_one, said = compare(Path(sys.argv[1]), pem.public_bytes(Encoding.Raw, PublicFormat.Raw).hex(), Path(sys.argv[3]))
    print(said)
    sys.exit(not is_one)
