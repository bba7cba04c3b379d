"""The oracle of secrecy: a face-down card reaches nobody before it is turned (pt.bj.17b, DESIGN 3.8).

Two worlds of the same seed that differ in the face of that one card must agree in every output and its time, up to
the turning. Values that stand for the card without telling it (commitments, seals, chain values) are masked. Beside
that a plain search: no output names a card that lies face down.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import Final, NamedTuple

from simulators.oracles.violation import Violation

_CLAUSE: Final = "pt.bj.17b"


class Output(NamedTuple):
    """One thing that left the table: when, on which stream, and what."""

    time_s: float
    channel: str
    data: bytes | str


SEALED: Final = frozenset(("seals",))
"""Streams of which only time and length are compared: encrypted."""

_HASH: Final = re.compile(rb"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_MASK: Final = b"#" * 64
_CODE: Final = re.compile(rb"-(?:[0-9A-Z]{5}-){4}[0-9A-Z]{2}\b")  # the same head, as people note it
_MASKED_CODE: Final = b"-" + b"#" * 26


def masked(output: Output, sealed: frozenset[str] = SEALED) -> Output:
    """The output without what may differ: every SHA-256 in hexadecimal, and the content of sealed streams."""
    data = output.data.encode() if isinstance(output.data, str) else output.data
    hidden = b"#" * len(data) if output.channel in sealed else _CODE.sub(_MASKED_CODE, _HASH.sub(_MASK, data))
    return Output(output.time_s, output.channel, hidden)


def first_difference(
    one: Iterable[Output], other: Iterable[Output], turned_s: float | None, sealed: frozenset[str] = SEALED
) -> Violation | None:
    """The first output before `turned_s` (None: the card is never turned) in which the two worlds differ."""
    pairs = zip_longest(_until(one, turned_s), _until(other, turned_s))
    for number, (raw, raw_there) in enumerate(pairs, 1):
        if raw == raw_there:
            continue
        mine, theirs = (None if output is None else masked(output, sealed) for output in (raw, raw_there))
        if mine != theirs:
            return Violation(
                "worlds agree until the card is turned", _CLAUSE, 0, f"output {number}: {_shown(mine)}", _shown(theirs)
            )
    return None


def _until(outputs: Iterable[Output], turned_s: float | None) -> Iterable[Output]:
    return outputs if turned_s is None else takewhile(lambda output: output.time_s < turned_s, outputs)


def _shown(output: Output | None) -> str:
    return "none" if output is None else f"{output.time_s!r} s, {output.channel}: {output.data!r}"


class Hidden(NamedTuple):
    """A card that lies face down from `laid_s` until `turned_s` (None: it is never turned)."""

    card: str
    laid_s: float
    turned_s: float | None = None


class Shown(NamedTuple):
    """A card that everybody may see and name from `time_s` on."""

    card: str
    time_s: float


_CARD: Final = re.compile(r"(?<![0-9A-Za-z])((?:10|[2-9AJQK])[CDHS])(?:x\d+)?(?![0-9A-Za-z])")

IDENTIFIERS: Final = frozenset(
    ("model", "serial", "firmware", "software", "reference", "table", "chain", "head", "salt", "commitment", "digest")
)
"""Keys whose text is a name of something else, whatever it looks like."""


def named_too_early(
    outputs: Iterable[Output], hidden: Sequence[Hidden], shown: Sequence[Shown] = ()
) -> list[Violation]:
    """Outputs that name a card which lies face down, unless a card of that face had been seen before."""
    seen_s: dict[str, float] = {}
    for card, time_s in shown:
        seen_s[card] = min(time_s, seen_s.get(card, time_s))
    found = []
    for output in outputs:
        secret = {one.card for one in hidden if _is_down(one, output.time_s)}
        secret -= {card for card, since_s in seen_s.items() if since_s <= output.time_s}
        for card in sorted(secret & cards_named(output)) if secret else ():
            text = f"{output.time_s!r} s, {output.channel}: names {card}"
            found.append(Violation("no output names a face-down card", _CLAUSE, 0, text, "nothing before its turning"))
    return found


def cards_named(output: Output) -> set[str]:
    """The cards that an output names, in fields and words that may name cards."""
    text = output.data if isinstance(output.data, str) else output.data.decode("utf-8", "ignore")
    if not _CARD.search(text):
        return set()
    return {card for line in text.splitlines() for part in _texts(line) for card in _CARD.findall(part)}


def _texts(line: str) -> Iterator[str]:
    """The texts of a line of JSON that may name a card; of any other line, all of it."""
    try:
        value: object = json.loads(line)
    except ValueError:
        yield line
        return
    yield from _leaves(value)


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            if key not in IDENTIFIERS:
                yield from _leaves(part)


def _is_down(one: Hidden, time_s: float) -> bool:
    return one.laid_s <= time_s and (one.turned_s is None or time_s < one.turned_s)
