"""G5, G6: bytes to checked, typed events, beside the peers. Damaged bytes never make an event, and never cost an
undamaged one.

The figure is the ratio to the fastest peer that decodes bodies, too. secsgem leaves them as bytes: the note has our
figure for the same work. Klipper, which no package registry has, takes part if a checkout is named.
"""

import os
import sys
from functools import partial
from random import Random

from tests.bench import decode_ours, peers
from tests.bench.processes import output
from tests.bench.rows import Goal, Plan, Row, interleave, ratios, spread

GOALS = {1: 2.0, 16: 4.0, 4096: 5.0}  # chunk in bytes: times the fastest peer
FRAMES = 20_000
OPAQUE = ("secsgem-secs-i", "secsgem-hsms")
TYPED = ("pymavlink", *(("klipper",) if "SABOT_BENCH_KLIPPER" in os.environ else ()))
DAMAGED_FRAMES = 200_000
DAMAGE_EVERY = 100  # bytes: about one byte in so many is changed


def run(plan: Plan) -> list[Row]:
    return [*_speeds(plan), _damage(plan)]


def _speeds(plan: Plan) -> list[Row]:
    """One row for each chunk size; none without a peer."""
    python = peers.python()
    return [] if python is None else [_speed(plan, python, chunk) for chunk in GOALS]


def _speed(plan: Plan, python: str, chunk: int) -> Row:
    count = plan.count(FRAMES)
    variants = {"sabot": partial(_rate, sys.executable, "sabot", chunk, count)}
    variants["sabot, body not decoded"] = partial(_rate, sys.executable, "sabot-frames", chunk, count)
    variants |= {name: partial(_rate, python, name, chunk, count) for name in (*TYPED, *OPAQUE)}
    rates = interleave(variants, plan.repetitions)
    typed, opaque = (_fastest(rates, names) for names in (TYPED, OPAQUE))
    beside = {name: spread(values) for name, values in rates.items()}
    what = f"bytes decoded to typed events in chunks of {chunk}, over the fastest of {' and '.join(TYPED)}"
    as_far = ratios(rates["sabot, body not decoded"], opaque)
    note = f"over secsgem, as far as it goes, {as_far.median:.2f}"
    return Row("G5", what, ratios(rates["sabot"], typed), beside, "kB/s", Goal(GOALS[chunk], at_most=False), note)


def _fastest(rates: dict[str, list[float]], names: tuple[str, ...]) -> list[float]:
    """The fastest rate in each repetition."""
    return [max(values) for values in zip(*(rates[name] for name in names), strict=True)]


def _rate(python: str, name: str, chunk: int, count: int) -> float:
    return float(output("decode_process.py", [name, str(chunk), str(count)], python=python))


def _damage(plan: Plan) -> Row:
    """The row of wrong outcomes (frames lost or invented) with about one changed byte in a hundred."""
    wrong = float(
        sum(_wrong(plan.count(DAMAGED_FRAMES) // 4, chunk, seed) for seed, chunk in enumerate((1, 7, 64, 4096)))
    )
    what = "frames lost or invented with one byte in a hundred changed"
    return Row("G6", what, spread([wrong]), {}, "frames", Goal(0.0))


def _wrong(count: int, chunk: int, seed: int) -> int:
    stream, expected = _damaged(count, Random(seed))  # noqa: S311 - the same damage in each run
    decoder = decode_ours.Decoder()
    for start in range(0, len(stream), chunk):
        decoder.feed(stream[start : start + chunk])
    found = set(decoder.numbers)
    return len(expected ^ found) + len(decoder.numbers) - len(found)


def _damaged(count: int, random: Random) -> tuple[bytes, set[int]]:
    """The stream, and the numbers of its unchanged frames, which must come out of it."""
    pieces, whole = [], set[int]()
    for number, frame in enumerate(decode_ours.frames(count), start=1):
        piece = bytearray(frame)
        for place in range(len(frame)):
            if random.randrange(DAMAGE_EVERY) == 0:
                piece[place] ^= random.randrange(1, 256)
        if piece == frame:
            whole.add(number)
        pieces.append(piece)
    return b"".join(pieces), whole
