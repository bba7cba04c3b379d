"""Writes the lines of an export with a right chain, from payloads or from kinds and bodies. No code of the product."""

import json
import zlib
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def line_of(payload: bytes, head: bytes) -> tuple[bytes, bytes]:
    """Returns the line of one entry after the chain value `head`, and the chain value after the entry."""
    length = len(payload).to_bytes(4, "little")
    record = length + zlib.crc32(length).to_bytes(4, "little") + zlib.crc32(payload).to_bytes(4, "little") + payload
    chain = sha256(head + record).digest()
    return b'{"chain":"' + chain.hex().encode() + b'","entry":' + payload + b"}\n", chain


def export_of(payloads: list[bytes]) -> bytes:
    """Returns a whole export of the first format, which has no lines of cards that were never turned."""
    head, lines = bytes(32), []
    for payload in payloads:
        line, head = line_of(payload, head)
        lines.append(line)
    return signed(lines)


def signed(lines: list[bytes]) -> bytes:
    """Adds the last line, signed by a table whose key is zeros, and returns the whole export."""
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    entries = [line[10:74].decode() for line in lines if line.startswith(b'{"chain"')]
    last: dict[str, object] = {"count": len(entries), "format": "sabot-journal-export-1"}
    last |= {"head": entries[-1] if entries else bytes(32).hex(), "text": sha256(b"".join(lines)).hexdigest()}
    last["public_key"] = key.public_key().public_bytes_raw().hex()
    signature = key.sign(b"sabot journal export 1\n" + canonical(last)).hex()
    return b"".join(lines) + canonical(last | {"signature": signature}) + b"\n"


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
