"""The oracle of secrecy: no output may depend on a face-down card before it is turned (pt.bj.17b, DESIGN 3.8).

Two worlds have the same seed and differ only in that card's face. Until the card is turned, every output and its time
must be equal in both. Values that stand for the card without revealing it (commitments, seals, chain values) are
masked.
"""

import re
from collections.abc import Iterable
from itertools import takewhile, zip_longest
from typing import Final, NamedTuple

from simulators.oracles.violation import Violation

_CLAUSE: Final = "pt.bj.17b"


class Output(NamedTuple):
    """One output of the table: its time, its channel and its content."""

    time_s: float
    channel: str
    data: bytes | str


SEALED: Final = frozenset(("seals",))
"""Encrypted streams, of which only time and length are compared."""

_HASH: Final = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_MASK: Final = b"#" * 64
_CODE: Final = re.compile(rb"-(?:[0-9A-Z]{5}-){4}[0-9A-Z]{2}\b")  # the journal's head in the form of the noted code
_MASKED_CODE: Final = b"-" + b"#" * 26
_PLACE: Final = re.compile(rb"(?<=\d\.)[0-9a-f]{16}(?![0-9a-f])")  # the head in the place that an export names
_MASKS: Final = ((_HASH, _MASK), (_CODE, _MASKED_CODE), (_PLACE, b"#" * 16))


def masked(output: Output) -> Output:
    """Returns the output with a mask over each part that may differ between the two worlds: SHA-256 hashes in
    hexadecimal, all content of sealed channels, and the journal's chain value. The chain value is masked in an export
    and in the code that people note down.
    """
    data = output.data.encode() if isinstance(output.data, str) else output.data
    if output.channel in SEALED:
        return Output(output.time_s, output.channel, b"#" * len(data))
    for pattern, mask in _MASKS:
        data = pattern.sub(mask, data)
    return Output(output.time_s, output.channel, data)


def first_difference(one: Iterable[Output], other: Iterable[Output], turned_s: float | None) -> Violation | None:
    """Returns a violation at the first output before `turned_s` that differs; None if all outputs are equal.
    `turned_s`: None to compare all outputs.
    """
    pairs = zip_longest(_until(one, turned_s), _until(other, turned_s))
    for number, (raw, raw_there) in enumerate(pairs, 1):
        if raw == raw_there:
            continue
        mine, theirs = (None if output is None else masked(output) for output in (raw, raw_there))
        if mine != theirs:
            return Violation(
                "worlds agree until the card is turned", _CLAUSE, 0, f"output {number}: {_shown(mine)}", _shown(theirs)
            )
    return None


def _until(outputs: Iterable[Output], turned_s: float | None) -> Iterable[Output]:
    return outputs if turned_s is None else takewhile(lambda output: output.time_s < turned_s, outputs)


def _shown(output: Output | None) -> str:
    return "none" if output is None else f"{output.time_s!r} s, {output.channel}: {output.data!r}"
