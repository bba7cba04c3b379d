"""Checks a journal's directory or an export by FORMAT.md alone: imports nothing of the project.

python standalone_verifier.py PATH [PUBLIC-KEY-HEX]      exit 0: every byte verifies; 1: it does not, and where
"""

import json
import sys
import zlib
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

WRONG = (ValueError, KeyError, TypeError, InvalidSignature, RecursionError)


def crc(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def record(payload: bytes, head: bytes, seq: int) -> tuple[bytes, bytes]:
    """The record that this payload must have behind `head`, and its chain value."""
    value = json.loads(payload)
    if canonical(value) != payload or value["seq"] != seq:
        raise ValueError("not canonical, or of another number")
    length = len(payload).to_bytes(4, "little")
    stored = length + crc(length) + crc(payload) + payload
    return stored, sha256(head + stored).digest()


def check_directory(path: Path, head: bytes = bytes(32), seq: int = 1) -> tuple[int, str]:
    files = sorted(file for file in path.glob("*.segment") if file.stat().st_size)
    try:
        for number, file in enumerate(files, 1):
            data, at = file.read_bytes(), 92
            header = b"\x89SABOT\r\n" + (1).to_bytes(4, "little") + number.to_bytes(4, "little")
            header += seq.to_bytes(8, "little") + head + bytes(32)
            if file.name != f"{number:08d}.segment" or data[:92] != header + crc(header):
                raise ValueError(f"header of segment {number}")
            while at < len(data):
                end = at + 12 + int.from_bytes(data[at : at + 4], "little")
                stored, chain = record(data[at + 12 : end], head, seq)
                if data[at : end + 32] != stored + chain:
                    raise ValueError("its bytes do not fit the chain")
                head, seq, at = chain, seq + 1, end + 32
    except WRONG as error:
        raise ValueError(f"entry {seq}: {error}") from error
    return seq - 1, head.hex()


def check_export(path: Path, key: str = "", head: bytes = bytes(32), seq: int = 1) -> tuple[int, str]:
    try:
        *lines, last, rest = path.read_bytes().split(b"\n")
        for line in lines:
            stored, head = record(line[84:-1], head, seq)
            if line != b'{"chain":"' + head.hex().encode() + b'","entry":' + stored[12:] + b"}":
                raise ValueError("its line does not fit the chain")
            seq += 1
        said = json.loads(last)
        text = sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
        made = {"count": seq - 1, "format": "sabot-journal-export-1", "head": head.hex(), "text": text}
        made |= {"public_key": key or said["public_key"]}
        if rest or canonical(said) != last or said != made | {"signature": said["signature"].lower()}:
            raise ValueError("the last line says something else")
        signed = b"sabot journal export 1\n" + canonical(made)
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key or said["public_key"]))
        public.verify(bytes.fromhex(said["signature"]), signed)
    except WRONG as error:
        raise ValueError(f"entry {seq}: {error or 'the signature'}") from error
    return seq - 1, head.hex()


if __name__ == "__main__":
    print(*(check_directory if Path(sys.argv[1]).is_dir() else check_export)(Path(sys.argv[1]), *sys.argv[2:]))
