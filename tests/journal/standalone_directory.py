"""Checks a journal's directory by FORMAT.md alone: imports nothing of the project. (standalone_verifier.py: an export.)

python standalone_directory.py DIRECTORY      exit 0: every byte verifies, except the parts that it names; 1: not
"""

import json
import re
import sys
import zlib
from hashlib import sha256
from pathlib import Path

WRONG = (ValueError, KeyError, TypeError, RecursionError)
TRY = re.compile(rb'"simulated":true|"(config_digest|rules_digest|seal_key)":"[0-9a-f]*[^0-9a-f"]')


def crc(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def check(right: object, otherwise: str) -> None:
    if not right:
        raise ValueError(otherwise)


def header(number: int, seq: int, head: bytes, damaged: bytes) -> bytes:
    numbers = (1).to_bytes(4, "little") + number.to_bytes(4, "little") + seq.to_bytes(8, "little")
    fixed = b"\x89SABOT\r\n" + numbers + head + (sha256(damaged).digest() if damaged else bytes(32))
    return fixed + crc(fixed)


def record(data: bytes, at: int, seq: int, head: bytes) -> int:
    """Checks the record at offset `at`; returns the offset of its end. Raises an error where the record is wrong."""
    length = data[at : at + 4]
    end = at + 12 + int.from_bytes(length, "little")
    payload = data[at + 12 : end]
    check(data[at : at + 12] == length + crc(length) + crc(payload), "a CRC")
    check(data[end : end + 32] == sha256(head + data[at:end]).digest(), "it does not fit the chain")
    entry = json.loads(payload, parse_float=str, parse_constant=str)
    check(canonical(entry) == payload and entry["seq"] == seq, "not canonical, or of another number")
    return end + 32


def check_directory(path: Path) -> tuple[int, str, list[str]]:
    """Checks the directory; returns the number of entries, the head, and the first bad entry of each closed damage."""
    head, seq, count, number, damaged, said = bytes(32), 1, 0, 1, b"", list[str]()
    for file in sorted(path.glob("*.removed"))[-1:]:  # its signature: standalone_verifier.py, of an export
        gone = json.loads(file.read_bytes())["removed"]
        head, seq, number = bytes.fromhex(gone["head"]), gone["first_seq"], gone["segment"]
    check(files := sorted(path.glob("*.segment")), "no journal lies here")
    for file in files:
        data, at, first = file.read_bytes(), 92, seq + len(damaged) // 45 + 1 if damaged else seq
        if not data or int(file.stem) < number:
            continue
        try:
            check(int(file.stem) == number and data[:92] == header(number, first, head, damaged), "a segment's header")
            while at < len(data) or (damaged and at == 92):
                end = record(data, at, first, head)
                head, at, first, count = data[end - 32 : end], end, first + 1, count + 1
            seq, damaged = first, b""
        except WRONG as error:
            seq = first if at > 92 else seq
            said += [f"entry {seq}: {error}"] if at > 92 or not damaged else []
            damaged = data if at > 92 or not damaged else damaged + data
        number = int(file.stem) + 1
    check(not damaged, "; ".join(said))
    is_try = any(TRY.search(file.read_bytes()) for file in files)
    return count, head.hex(), said + ["a try, no evidence of play"] * is_try


if __name__ == "__main__":
    sys.excepthook = lambda _kind, error, _trace: print(f"NOT WELL: {error}", file=sys.stderr)
    print(*check_directory(Path(sys.argv[1])))
