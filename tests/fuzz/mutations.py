"""Mutates valid frames, and keeps a corpus of inputs that reach new code.

`PYTHONPATH=. python tests/fuzz/mutations.py NAME` adds inputs that reach new code, and lists the code that no input
reaches.
"""

import sys
from pathlib import Path
from random import Random

from decoder import Chunks, Decoder
from decoders import DECODERS
from traced import Taken, lines_left, tracing, ways_left

CORPUS = Path(__file__).parent / "corpus"


def kept(name: str) -> list[Chunks]:
    """The corpus of a decoder: one input a line, its chunks in hexadecimal with blanks between them."""
    lines = (CORPUS / f"{name}.txt").read_text(encoding="ascii").splitlines()
    return [tuple(bytes.fromhex(chunk) for chunk in line.split()) for line in lines]


def mutated(rng: Random, frames: list[bytes]) -> Chunks:
    """Some frames, one after the other, with a few errors, cut into chunks anywhere."""
    data = bytearray(b"".join(rng.choices(frames, k=rng.randrange(1, 4))))
    for _ in range(rng.randrange(4)):
        _mutate(rng, data, frames)
    cuts = sorted(rng.sample(range(1, len(data)), min(len(data) - 1, rng.randrange(3)))) if len(data) > 1 else []
    return tuple(bytes(data[a:b]) for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True) if a < b)


def _mutate(rng: Random, data: bytearray, frames: list[bytes]) -> None:
    at = rng.randrange(len(data) + 1)
    match rng.randrange(6):
        case 0:
            del data[at : at + rng.randrange(1, 4)]
        case 1:
            data[at:at] = rng.randbytes(rng.randrange(1, 4))
        case 2:
            data[at:at] = rng.choice(frames)
        case 3:
            data[at:at] = data[at : at + rng.randrange(1, 60)] * rng.randrange(1, 4)
        case _ if at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        case _:
            pass


def reached(decoder: Decoder, inputs: list[Chunks]) -> Taken:
    """The lines of the decoder that these inputs execute."""
    with tracing(decoder.codes) as taken:
        for chunks in inputs:
            decoder.run(chunks)
    return taken


def grow(decoder: Decoder, inputs: list[Chunks], rng: Random, tries: int) -> list[Chunks]:
    """The inputs, and the mutations that execute new ways through the code."""
    grown: list[Chunks] = []
    seen: set[object] = set()
    fresh = [mutated(rng, decoder.frames) for _ in range(tries)]
    for chunks in [*inputs, *((frame,) for frame in decoder.frames), *fresh]:
        steps = reached(decoder, [chunks]).steps
        if not steps <= seen:
            seen |= steps
            grown.append(chunks)
    return grown


def main(name: str, tries: str = "20000") -> None:
    decoder = DECODERS[name]
    path = CORPUS / f"{name}.txt"
    grown = grow(decoder, kept(name) if path.exists() else [], Random(1), int(tries))  # noqa: S311 (no secret)
    path.write_text("".join(" ".join(chunk.hex() for chunk in one) + "\n" for one in grown), encoding="ascii")
    taken = reached(decoder, grown)
    print(len(grown), *lines_left(decoder.codes, taken), *ways_left(decoder.codes, taken), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
