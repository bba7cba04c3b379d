"""Compares the two copies of one journal, checks that the shorter is the beginning of the longer, and makes them equal.

The comparison reads the bytes of the last segment that both copies have. The chain value in its header covers every
earlier segment, so only the sizes of the earlier segments are compared. An incomplete last record counts as no entry.
Zero bytes after the last record of the second copy are ignored: a medium may leave them after a loss of power.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum, unique
from typing import Final

from msgspec import Struct

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
from controller.journal.seals import Joined, join_seals, seals_name
from controller.journal.storage import ReadableStorage, Storage, read_if_there
from controller.journal.words import join_words, words_name
from controller.journal.writer_logic import checkpoint_name


@unique
class Longer(StrEnum):
    """The copy that has more entries than the other."""

    NEITHER = "neither"
    FIRST = "first"
    SECOND = "second"


class Compared(Struct, frozen=True, gc=False):
    """The result of comparing two copies. `longer`: the copy with more entries. `segment`, `size`: the last segment of
    the shorter copy, and its size in bytes. `next_seq`: the first entry that the shorter copy lacks. `fork`: the first
    entry in which the copies differ; None if one copy is the beginning of the other. If `fork` is not None, the other
    fields have no meaning.
    """

    longer: Longer = Longer.NEITHER
    segment: int = 1
    size: int = 0
    next_seq: int = FIRST_SEQ
    fork: int | None = None


def compare(first: ReadableStorage, second: ReadableStorage) -> Compared:
    """Compares two copies without changing them. Raises StorageFailed."""
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
    """Compares two copies by their lengths. Segment `common` is known to be equal up to the end of the shorter copy.

    `here`, `there`: the bytes of segment `common` in each copy. `last_here`, `last_there`: the number of each copy's
    last segment.
    """
    shorter, other = sorted((here, there), key=len)
    next_seq = _next_seq(shorter, other)
    if (last_here > common and len(there) > len(here)) or (last_there > common and len(here) > len(there)):
        return Compared(fork=next_seq)  # the copy with a further segment has fewer bytes here
    longer = Longer.NEITHER
    if (last_here, len(here)) > (last_there, len(there)):
        longer = Longer.FIRST
    elif (last_here, len(here)) != (last_there, len(there)):
        longer = Longer.SECOND
    return Compared(longer, common, len(shorter), next_seq)


def _beginning(of_first: Mapping[int, int], of_second: Mapping[int, int]) -> Compared:
    """Compares two copies if at least one of them is empty."""
    if not of_first and not of_second:
        return Compared()
    return Compared(Longer.FIRST if of_first else Longer.SECOND, min(of_first or of_second))


def _sizes(storage: ReadableStorage) -> dict[int, int]:
    """Returns the size in bytes of each segment that is not empty, by the segment's number.

    It lists the files only once, since a controller may append to them meanwhile.
    """
    numbered = ((segment_number(file.name), file.size) for file in storage.list())
    return dict(sorted((number, size) for number, size in numbered if number is not None and size))


def _without_zeros(second: ReadableStorage, last_of_first: int) -> dict[int, int]:
    """Returns the sizes of the second copy's segments by number.

    Leaves out segments after `last_of_first` that have only zeros or an incomplete header.
    """
    sizes = _sizes(second)
    while (last := max(sizes, default=0)) > last_of_first and not _whole(
        second.read(segment_name(last)), may_be_zero=True
    ):
        del sizes[last]
    return sizes


def _whole(data: bytes, *, may_be_zero: bool = False) -> bytes:
    """A segment's bytes without an incomplete last record. If `may_be_zero`, zero bytes at the end are removed, too.

    Bytes with any other damage are returned unchanged.
    """
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
    """Returns the number after the last entry of `shorter`. If `shorter` has no entry, returns the first number of
    `other`.
    """
    records, header = scan(shorter).records, scan(other).header
    if records:
        return records[-1].seq + 1
    return FIRST_SEQ if header is None else header.first_seq


def _first_difference(first: ReadableStorage, second: ReadableStorage, last: int) -> int:
    """Returns the number of the first entry that differs in the two copies. Reads both copies whole."""
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
    """Returns the number of records, from the first one on, that are equal in both copies."""
    pairs = zip(here, there, strict=False)
    return next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(here), len(there)))


def settle_shorter(target: Storage, compared: Compared) -> None:
    """Cuts `target`, the shorter copy in `compared`, to the end of its last whole record. Raises StorageFailed."""
    for number, size in _sizes(target).items():
        end = compared.size if number == compared.segment else 0
        if number >= compared.segment and size > end:
            target.truncate(segment_name(number), end)
            target.sync(segment_name(number))


class Position(Struct, frozen=True, gc=False, order=True):
    """A position in a copy: a segment's number and an offset in its bytes."""

    segment: int
    size: int


class Unsigned(Struct, frozen=True, gc=False):
    """Entries `first` to `last` of the longer copy, which verify, but which no mark covers. `head`: the chain value of
    entry `last` (hex). `until`: the end of that entry in the copy.
    """

    first: int
    last: int
    head: str
    until: Position


class Verified(Struct, frozen=True, gc=False):
    """The part of the longer copy that the shorter copy takes over, up to `until`.

    `unsigned`: the entries after `until` that verify and that no mark covers; None without such entries. `bad`: the
    first entry that does not verify; None if all verify.
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
    """Finds the part of the longer copy that verifies and that a mark covers. `compared`: the result of the comparison.
    `heads`: the marks' chain values by entry. If the bytes that both copies have are damaged, the whole longer copy is
    taken over. Zero bytes after the last record are ignored. Calls `take` with each verified entry. Raises
    StorageFailed.
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
    """Returns the position after entry `seq`. Returns None if the journal lacks the entry. Raises StorageFailed."""
    found = find_record(storage, seq)
    return None if found is None else Position(found[0], found[1].end)


def _start(longer: ReadableStorage, compared: Compared) -> Tip | None:
    """Returns the position from which the longer copy is verified: the beginning of the shorter copy's last segment.

    Returns None if that segment has no complete header.
    """
    if compared.size < HEADER_SIZE:
        return None
    header = decode_header(longer.read(segment_name(compared.segment)))
    if not isinstance(header, Header):
        return None
    return Tip(compared.segment, 0, header.previous_head, header.first_seq, header.damaged)


def _is_zero_from(storage: ReadableStorage, damage: Damage) -> bool:
    """True if all bytes from the damage to the end of the storage are zero."""
    begins = {damage.segment: damage.offset}
    numbers = [number for number in _sizes(storage) if number >= damage.segment]
    return not any(any(storage.read(segment_name(number))[begins.get(number, 0) :]) for number in numbers)


def _last_position(storage: ReadableStorage) -> Position:
    """Returns the end of a copy, even if its bytes do not verify."""
    sizes = _without_zeros(storage, 0)
    last = max(sizes, default=1)
    return Position(last, len(_whole(read_if_there(storage, segment_name(last)), may_be_zero=True)))


ENDLESS: Final = 1 << 62


def copy_behind(source: ReadableStorage, target: Storage, at: Position, until: Position) -> str:
    """Appends to `target`, which ends at `at`, the bytes of `source` up to `until`. Seals and words are written first.

    Segments are only appended to, so a process that dies during the copying leaves a shorter copy. Returns the name of
    a seal file in which the two copies have different seals of one card, or "". Raises StorageFailed.
    """
    differs = ""
    for number in range(at.segment, until.segment + 1):
        differs = _copy_seals(source, target, number) or differs
        _copy_words(source, target, number)
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
    """Copies the seals of segment `number` that `target` lacks.

    Returns the seal file's name if the two copies have different seals of one card, else "". Seals that only `target`
    has stay there.
    """
    name = seals_name(number)
    there = read_if_there(target, name)
    joined = join_seals(read_if_there(source, name), there)
    _join(target, name, there, joined)
    return name if joined.differ else ""


def _copy_words(source: ReadableStorage, target: Storage, number: int) -> None:
    name = words_name(number)
    there = read_if_there(target, name)
    _join(target, name, there, join_words(read_if_there(source, name), there))


def _join(target: Storage, name: str, there: bytes, joined: Joined) -> None:
    if joined.keep < len(there):
        target.truncate(name, joined.keep)
    if joined.rest:
        target.append(name, joined.rest)
    if joined.rest or joined.keep < len(there):
        target.sync(name)


def copy_statement(source: ReadableStorage, target: Storage) -> None:
    """Copies from `source` the signed file on removed entries (removed.py), and the checkpoint of the first kept
    segment. Does nothing if no entry was removed. Raises StorageFailed.

    Without the two files the copy could not be read. A file that the source has lost stays in the target.
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
