"""SHA-256 and HMAC of the C core: the examples of FIPS 180-4 and RFC 4231, and each length around a block's end."""

import hashlib
import hmac
import subprocess
from pathlib import Path
from typing import Final

import pytest

from simulators.c.build import HERE, SANITIZED, STRICT
from tests.c.tools import output

pytestmark = pytest.mark.waits

FIPS: Final = {
    b"": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    b"abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
    b"hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu": (
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
}
RFC_4231: Final = {
    (b"\x0b" * 20, b"Hi There"): "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
    (b"Jefe", b"what do ya want for nothing?"): "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    (b"\xaa" * 20, b"\xdd" * 50): "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    (bytes(range(1, 26)), b"\xcd" * 50): "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
}


@pytest.fixture
def program(tmp_path: Path) -> Path:
    made = tmp_path / "hash"
    source = Path(__file__).with_name("hash.c")
    kit = ("-I", HERE, source, HERE / "tdp_frame.c", "-o", made)
    output("cc", *STRICT, *SANITIZED, *kit)
    return made


def digests(program: Path, lines: list[str]) -> list[str]:
    done = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True)
    return done.stdout.split()


def sha(message: bytes) -> str:
    return f"sha - {message.hex() or '-'}"


def mac(key: bytes, message: bytes) -> str:
    return f"hmac {key.hex()} {message.hex() or '-'}"


def test_it_hashes_the_examples_of_the_standards(program: Path) -> None:
    assert digests(program, [sha(message) for message in FIPS]) == list(FIPS.values())
    assert digests(program, [mac(*one) for one in RFC_4231]) == list(RFC_4231.values())


def test_it_hashes_each_length_around_a_blocks_end(program: Path) -> None:
    """A body has at most 192 bytes; a key 32."""
    messages = [bytes(index % 251 for index in range(length)) for length in range(200)]
    key = bytes(range(32))
    assert digests(program, [sha(one) for one in messages]) == [hashlib.sha256(one).hexdigest() for one in messages]
    wanted = [hmac.new(key, one, "sha256").hexdigest() for one in messages]
    assert digests(program, [mac(key, one) for one in messages]) == wanted
