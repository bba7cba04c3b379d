"""Checks an export by FORMAT.md alone: imports nothing of the project. (standalone_directory.py: a directory.)

python standalone_verifier.py EXPORT [PUBLIC-KEY.PEM]      exit 0: it verifies, except the parts that it names; 1: not
"""

import json
import re
import sys
import zlib
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

WRONG = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, InvalidSignature)
TRY = re.compile(rb'"simulated":true|"(config_digest|rules_digest|seal_key)":"[0-9a-f]*[^0-9a-f"]')


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def crc(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")


def chained(head: bytes, payload: bytes) -> bytes:
    return sha256(head + (length := len(payload).to_bytes(4, "little")) + crc(length) + crc(payload) + payload).digest()


def check(right: object, otherwise: str) -> None:
    if not right:
        raise ValueError(otherwise)


def check_signature(part: dict[str, str], key: str, forms: tuple[str, ...]) -> None:
    check(part["format"] in forms and part["public_key"] == (key or part["public_key"]), "another format or key")
    check(part["signature"] == (signature := bytes.fromhex(part["signature"])).hex(), "the signature")
    said = b"sabot journal export 1\n" + canonical({one: part[one] for one in part if one != "signature"})
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(part["public_key"])).verify(signature, said)


def check_export(path: Path, key: str = "") -> tuple[int, str, list[str]]:
    head, seq, count, hidden, said = bytes(32), 1, 0, set[str](), list[str]()
    try:
        *lines, last = (data := path.read_bytes()).removesuffix(b"\n").split(b"\n")
        for line in lines:
            check(canonical(value := json.loads(line, parse_float=str, parse_constant=str)) == line, "not canonical")
            match value:
                case {"chain": str(chain), "entry": {"seq": int(number), "body": dict(body)} as entry} if number == seq:
                    check(chain == (head := chained(head, canonical(entry))).hex(), f"chain value {head.hex()}")
                    seq, count = seq + 1, count + 1
                    hidden |= {body.get("commitment"), *(f"{one}"[7:71] for one in body.values())}
                case {"seal": {"commitment": one, "sealed": str(kept)}} if one in hidden and kept[16:80] in ("", one):
                    hidden.remove(one)  # never turned, and given once, in its kept form
                case {"words": {"commitment": one, "salt": str(salt), "text": str(text)}} if one in hidden:
                    check(not salt + text or sha256(bytes.fromhex(salt) + text.encode()).hexdigest() == one, "words")
                case {"left_out": {"first_bad": int(first), "next_seq": int(after)}} if first == seq < after:
                    seq, said = after, [*said, f"entry {first}: damage that people have closed"]
                case {"removed": dict(part)} if seq == 1:
                    check_signature(part, key, ("sabot-journal-removed-1",))
                    head, seq, said = bytes.fromhex(part["head"]), part["first_seq"], [canonical(part).decode()]
                case _:  # a mark: how far the table's key has signed the journal, and which witnesses have
                    check(not count and line.startswith(b'{"mark":"'), "no line of the format")
        made = {"count": count, "head": head.hex(), "text": sha256(b"\n".join([*lines, b""])).hexdigest()}
        is_whole = canonical(end := json.loads(last)) == last and data.endswith(b"\n")
        check(is_whole and end.items() >= made.items(), "the last line")
        check_signature(end, key, tuple(f"sabot-journal-export-{number}" for number in (1, 2, 3, 4)))
    except WRONG as error:
        raise ValueError(f"entry {seq}: {error or 'the signature'}") from error
    return count, head.hex(), said + ["a try, no evidence of play"] * bool(TRY.search(data))


if __name__ == "__main__":
    sys.excepthook = lambda _kind, error, _trace: print(f"NOT WELL: {error}", file=sys.stderr)
    pems = [load_pem_public_key(Path(name).read_bytes()) for name in sys.argv[2:]]
    print(*check_export(Path(sys.argv[1]), *(pem.public_bytes(Encoding.Raw, PublicFormat.Raw).hex() for pem in pems)))
