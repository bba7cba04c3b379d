"""Two copies of one journal: which is longer, whether the shorter is a prefix of it, and making them equal.

Compared are the bytes of the last segment that both have, its header (whose head vouches for every segment before it)
and the sizes of those before. An incomplete last record is no entry and counts for nothing; so do zero bytes behind
the last record of the second copy, which a medium leaves that lost its power.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from controller.journal.entry import Entry
from controller.journal.errors import Damage, StorageFailed, StorageReason
from controller.journal.format import (
    HEADER_SIZE,
    Bad,
    Header,
    Record,
    Torn,
    decode_header,
    scan,
    segment_name,
    segment_number,
)
from controller.journal.recovery import FIRST_SEQ, Tip, Walk, find_record
from controller.journal.removed import read_removed, removed_name
from controller.journal.seals import join_seals, seals_name
from controller.journal.storage import ReadableStorage, Storage, read_if_there
from controller.journal.writer_logic import checkpoint_name


@unique
class Longer(StrEnum):
    """Which copy has what the other has not."""

    NEITHER = "neither"
    FIRST = "first"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Compared:
    """The relation of two copies. `fork`: the first entry in which they differ; None: one is the other's prefix.

    `segment` and `size`: where the shorter ends; `next_seq`: the number of the entry that it has not.
    """

    longer: Longer = Longer.NEITHER
    segment: int = 1
    size: int = 0
    next_seq: int = FIRST_SEQ
    fork: int | None = None


def compare(first: ReadableStorage, second: ReadableStorage) -> Compared:
    """Looks at both and changes neither. StorageFailed."""
    of_first, of_second = _sizes(first), _sizes(second)
    if of_first and of_second:
        of_second = _without_zeros(second, max(of_first))
    if not of_first or not of_second:
        return _beginning(of_first, of_second)
    common = min(max(of_first), max(of_second))
    if common not in of_first or common not in of_second:
        return Compared(fork=FIRST_SEQ)
    here, there = _whole(first.read(segment_name(common))), _whole(second.read(segment_name(common)), may_be_zero=True)
    before = set(of_first) & set(range(common))
    same_before = all(of_first[number] == of_second.get(number) for number in before & set(of_second))
    if not same_before or not _starts_alike(here, there):
        return Compared(fork=_first_difference(first, second, common))
    return _by_length(here, there, max(of_first), max(of_second), common)


def _by_length(here: bytes, there: bytes, last_here: int, last_there: int, common: int) -> Compared:
    """One begins with the other, as far as the last segment that both have goes."""
    shorter, other = sorted((here, there), key=len)
    next_seq = _next_seq(shorter, other)
    if (last_here > common and len(there) > len(here)) or (last_there > common and len(here) > len(there)):
        return Compared(fork=next_seq)  # the one that goes on in another segment lacks what the other has here
    longer = Longer.NEITHER
    if (last_here, len(here)) > (last_there, len(there)):
        longer = Longer.FIRST
    elif (last_here, len(here)) != (last_there, len(there)):
        longer = Longer.SECOND
    return Compared(longer, common, len(shorter), next_seq)


def _beginning(of_first: Mapping[int, int], of_second: Mapping[int, int]) -> Compared:
    """One of them has nothing."""
    if not of_first and not of_second:
        return Compared()
    return Compared(Longer.FIRST if of_first else Longer.SECOND, min(of_first or of_second))


def _sizes(storage: ReadableStorage) -> dict[int, int]:
    """Of each segment with bytes, in order; listed once, since the first copy goes on meanwhile."""
    numbered = ((segment_number(file.name), file.size) for file in storage.list())
    return dict(sorted((number, size) for number, size in numbered if number is not None and size))


def _without_zeros(second: ReadableStorage, last_of_first: int) -> dict[int, int]:
    """Its sizes without segments at the end in which there is nothing whole: no record, no header."""
    sizes = _sizes(second)
    while (last := max(sizes, default=0)) > last_of_first and not _whole(
        second.read(segment_name(last)), may_be_zero=True
    ):
        del sizes[last]
    return sizes


def _whole(data: bytes, *, may_be_zero: bool = False) -> bytes:
    """Without an incomplete last record."""
    match scan(data).fault:
        case Torn(offset):
            return data[:offset]
        case Bad(offset) if may_be_zero and not any(data[offset:]):
            return data[:offset]
        case _:
            return data


def _starts_alike(here: bytes, there: bytes) -> bool:
    size = min(len(here), len(there))
    return here[:size] == there[:size]


def _next_seq(shorter: bytes, other: bytes) -> int:
    """The number of the entry behind the shorter one's last; where it has none, the other's first."""
    records, header = scan(shorter).records, scan(other).header
    if records:
        return records[-1].seq + 1
    return FIRST_SEQ if header is None else header.first_seq


def _first_difference(first: ReadableStorage, second: ReadableStorage, last: int) -> int:
    """The number of the first entry in which they differ: both are read through."""
    next_seq = FIRST_SEQ
    there = _sizes(second)
    for number in (number for number in _sizes(first) if number <= last and number in there):
        here_records = scan(first.read(segment_name(number))).records
        there_records = scan(second.read(segment_name(number))).records
        same = _alike(here_records, there_records)
        if same:
            next_seq = here_records[same - 1].seq + 1
        if same < max(len(here_records), len(there_records)):
            return next_seq
    return next_seq


def _alike(here: tuple[Record, ...], there: tuple[Record, ...]) -> int:
    """How many records from the first on are the same."""
    pairs = zip(here, there, strict=False)
    return next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(here), len(there)))


def settle_shorter(target: Storage, compared: Compared) -> None:
    """Cuts what lies behind the last whole record of the shorter copy. StorageFailed."""
    for number, size in _sizes(target).items():
        end = compared.size if number == compared.segment else 0
        if number >= compared.segment and size > end:
            target.truncate(segment_name(number), end)
            target.sync(segment_name(number))


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """Up to where a copy goes: the bytes of its last segment."""

    segment: int
    size: int


@dataclass(frozen=True, slots=True)
class Unsigned:
    """Entries of the longer copy that verify and that no mark covers; `head`: the last one's chain value (hex)."""

    first: int
    last: int
    head: str
    until: Position


@dataclass(frozen=True, slots=True)
class Verified:
    """How much of the longer copy the other takes over.

    `unsigned`: what stands behind that and is not believed. `bad`: the first entry that does not verify.
    """

    until: Position
    bad: int | None = None
    unsigned: Unsigned | None = None


def verified_end(
    longer: ReadableStorage,
    compared: Compared,
    heads: Mapping[int, str],
    take: Callable[[Entry], None] = lambda _entry: None,
) -> Verified:
    """Its last record that verifies and that a mark covers; `heads` has entry and chain value of each. StorageFailed.

    Where damage lies in what both have, everything: both have it. Zero bytes behind the last record count for nothing.
    Each entry of what is looked at goes to `take`.
    """
    walk, at = Walk(longer, _start(longer, compared)), Position(compared.segment, compared.size)
    signed, first = at, compared.next_seq
    for verified in walk:
        take(verified.entry)
        record = verified.record
        if heads.get(record.seq) == record.chain.hex():
            signed, first = max(at, Position(verified.segment, record.end)), max(first, record.seq + 1)
    reached, damage = max(at, Position(walk.tip.segment, walk.tip.size)), walk.damage
    if damage is not None and Position(damage.segment, damage.offset) < at:
        return Verified(_last_position(longer))
    bad = None if damage is None or _is_zero_from(longer, damage) else damage.first_bad_seq
    if walk.tip.next_seq <= first:
        return Verified(reached, bad)
    return Verified(signed, bad, Unsigned(first, walk.tip.next_seq - 1, walk.tip.head.hex(), reached))


def end_of(storage: ReadableStorage, seq: int) -> Position | None:
    """Where an entry ends; None where it is not there. StorageFailed."""
    found = find_record(storage, seq)
    return None if found is None else Position(found[0], found[1].end)


def _start(longer: ReadableStorage, compared: Compared) -> Tip | None:
    """The beginning of the segment in which the other ends, if it vouches for its header; None: of the journal."""
    if compared.size < HEADER_SIZE:
        return None
    header = decode_header(longer.read(segment_name(compared.segment)))
    if not isinstance(header, Header):
        return None
    return Tip(compared.segment, 0, header.previous_head, header.first_seq, header.damaged)


def _is_zero_from(storage: ReadableStorage, damage: Damage) -> bool:
    """True where nothing but zero bytes is left from there on."""
    begins = {damage.segment: damage.offset}
    numbers = [number for number in _sizes(storage) if number >= damage.segment]
    return not any(any(storage.read(segment_name(number))[begins.get(number, 0) :]) for number in numbers)


def _last_position(storage: ReadableStorage) -> Position:
    """Where a copy ends, whatever its bytes are."""
    sizes = _without_zeros(storage, 0)
    last = max(sizes, default=1)
    return Position(last, len(_whole(read_if_there(storage, segment_name(last)), may_be_zero=True)))


ENDLESS: Final = 1 << 62


def copy_behind(source: ReadableStorage, target: Storage, at: Position, until: Position) -> str:
    """Puts behind `target`, which ends at `at`, what `source` has up to `until`; seals first. StorageFailed.

    What is there is only ever added to: a death in the middle leaves a shorter copy, and no other one. Gives the name
    of a seal file in which the two have a seal that differs; "" where there is none.
    """
    differs = ""
    for number in range(at.segment, until.segment + 1):
        differs = _copy_seals(source, target, number) or differs
        begin = at.size if number == at.segment else 0
        end = until.size if number == until.segment else ENDLESS
        data = read_if_there(source, segment_name(number))[begin:end]
        if number == until.segment and begin + len(data) < end:
            raise StorageFailed("read", segment_name(number), StorageReason.OTHER, "shorter than it was")
        if data:
            target.append(segment_name(number), data)
            target.sync(segment_name(number))
    return differs


def _copy_seals(source: ReadableStorage, target: Storage, number: int) -> str:
    """The seals of one segment. Those of a batch that never became durable may be in one of them and stay there."""
    name = seals_name(number)
    there = read_if_there(target, name)
    joined = join_seals(read_if_there(source, name), there)
    if joined.keep < len(there):
        target.truncate(name, joined.keep)
    if joined.rest:
        target.append(name, joined.rest)
    if joined.rest or joined.keep < len(there):
        target.sync(name)
    return name if joined.differ else ""


def copy_statement(source: ReadableStorage, target: Storage) -> None:
    """Retention's removals, and the checkpoint that stands for them: without them nothing can begin there.

    What the source has lost stays in the target.
    """
    removed = read_removed(source)
    if removed is None:
        return
    for name in (removed_name(removed.segment), checkpoint_name(removed.segment)):
        wanted, there = read_if_there(source, name), read_if_there(target, name)
        if wanted and wanted != there:
            if there:
                target.truncate(name, 0)
            target.append(name, wanted)
            target.sync(name)
