"""Writes the lines of an export with a right chain, from payloads or from kinds and bodies. No code of the product."""

import json
import zlib
from hashlib import sha256


def line_of(payload: bytes, head: bytes) -> tuple[bytes, bytes]:
    """The line of one entry behind `head`, and the chain value it leads to."""
    length = len(payload).to_bytes(4, "little")
    record = length + zlib.crc32(length).to_bytes(4, "little") + zlib.crc32(payload).to_bytes(4, "little") + payload
    chain = sha256(head + record).digest()
    return b'{"chain":"' + chain.hex().encode() + b'","entry":' + payload + b"}\n", chain


def export_of(payloads: list[bytes]) -> bytes:
    """A whole export."""
    head, lines = bytes(32), []
    for payload in payloads:
        line, head = line_of(payload, head)
        lines.append(line)
    last = {"count": len(payloads), "format": "sabot-journal-export-1", "head": head.hex()}
    return b"".join(lines) + canonical(last) + b"\n"


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
