"""The encrypted stream of a backup: opens whole with its key, and not at all after any change."""

from io import BytesIO

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from controller.backup.sealed_stream import CHUNK, MAGIC, BackupRefused, OpeningReader, SealingWriter

KEY = X25519PrivateKey.from_private_bytes(bytes(range(32)))
HEAD = len(MAGIC) + 32


def sealed(data: bytes) -> bytes:
    file = BytesIO()
    stream = SealingWriter(file, KEY.public_key())
    for at in range(0, len(data), 10_000):
        stream.write(data[at : at + 10_000])
    stream.close()
    return file.getvalue()


def opened(data: bytes, key: X25519PrivateKey = KEY) -> bytes:
    stream, whole = OpeningReader(BytesIO(data), key), b""
    while part := stream.read(7_000):
        whole += part
    return whole


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 200_000])
def test_what_was_sealed_is_opened(size: int) -> None:
    data = bytes(at % 251 for at in range(size))
    assert opened(sealed(data)) == data
    assert data[:100] not in sealed(data) or size < 100


def test_another_key_opens_nothing() -> None:
    with pytest.raises(BackupRefused) as refused:
        opened(sealed(b"abc"), X25519PrivateKey.from_private_bytes(bytes(range(1, 33))))
    assert refused.value.error == "backup-other-key"


@pytest.mark.parametrize("size", [CHUNK + 1, 2 * CHUNK, 3 * CHUNK])
def test_a_bit_flipped_in_the_first_chunk_is_not_called_another_key(size: int) -> None:
    data = bytearray(sealed(bytes(size)))
    data[HEAD + 100] ^= 1
    with pytest.raises(BackupRefused) as refused:
        opened(bytes(data))
    assert refused.value.error == "backup-cut"


WHOLE = sealed(bytes(3 * CHUNK + 5))
PIECE = CHUNK + 16
SPOILT = {
    "cut in the head": WHOLE[:20],
    "cut behind a chunk": WHOLE[: HEAD + 2 * PIECE],
    "cut in a chunk": WHOLE[:-3],
    "a chunk left out": WHOLE[: HEAD + PIECE] + WHOLE[HEAD + 2 * PIECE :],
    "chunks exchanged": WHOLE[:HEAD] + WHOLE[HEAD + PIECE : HEAD + 2 * PIECE] + WHOLE[HEAD : HEAD + PIECE],
    "a bit flipped": WHOLE[:-40] + bytes([WHOLE[-40] ^ 1]) + WHOLE[-39:],
    "something behind it": WHOLE + b"x",
    "another file": b"PK\x03\x04 and so on",
    "nothing": b"",
}


@pytest.mark.parametrize("case", SPOILT)
def test_nothing_that_was_changed_opens(case: str) -> None:
    with pytest.raises(BackupRefused):
        opened(SPOILT[case])
