"""Checking an export: each line in order, the signed last line over all of them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.journal.entry import Entry, decode_entry
from controller.journal.errors import CodecError, Reason
from controller.journal.format import MAX_PAYLOAD, record_chain
from controller.journal.lines import (
    FORMAT_NAME,
    decode_last_line,
    decode_left_out,
    is_signed_line,
    payload_of,
    record_line,
)
from controller.journal.progress import Progress
from controller.journal.recovery import FIRST_SEQ
from controller.journal.removed import Removed, decode_removed
from controller.journal.storage import reported

_LINE_LIMIT: Final = MAX_PAYLOAD + 256


def export_entries(path: Path, progress: Progress) -> Iterator[Entry]:
    """Each entry of an export that verifies; what does not is told to `progress`. StorageFailed."""
    ended = False
    with reported("read", str(path)), path.open("rb") as file:
        while (line := file.readline(_LINE_LIMIT)) and progress.stopped is None:
            payload = payload_of(line)
            if ended:
                progress.stop(Reason.LAST_LINE)
            elif payload is None:
                ended = _other_line(line, progress)
            elif (entry := _entry_line(line, payload, progress)) is not None:
                yield entry
            progress.text.update(line)
    if not ended:
        progress.stop(Reason.LAST_LINE)


def _entry_line(line: bytes, payload: bytes, progress: Progress) -> Entry | None:
    if not 1 <= len(payload) <= MAX_PAYLOAD:
        progress.stop(Reason.LINE)
        return None
    chain = record_chain(progress.head, payload)
    if line != record_line(chain, payload):
        progress.stop(Reason.CHAIN)
        return None
    try:
        entry = decode_entry(payload, seq=progress.next_seq)
    except CodecError:
        progress.stop(Reason.ENTRY)
        return None
    progress.entry(entry, chain)
    return entry


def _other_line(line: bytes, progress: Progress) -> bool:
    """Take the last line (True) or one that says what was left out (False); anything else stops the check."""
    if _is_last(line, progress):
        return True
    if (removed := _removed(line, progress)) is not None:
        progress.begin_behind(removed)
        return False
    try:
        left_out = decode_left_out(line)
    except CodecError:
        progress.stop(Reason.LINE)
        return False
    if line[-1:] != b"\n" or left_out.first_bad != progress.next_seq or left_out.next_seq <= left_out.first_bad:
        progress.stop(Reason.LINE)
        return False
    progress.bad(left_out.first_bad, left_out.reason)
    progress.next_seq = left_out.next_seq
    return False


def _removed(line: bytes, progress: Progress) -> Removed | None:
    """What an export begins behind, if its first line says that."""
    if progress.entries or progress.next_seq != FIRST_SEQ or progress.removed is not None:
        return None
    try:
        return decode_removed(line) if line[-1:] == b"\n" else None
    except CodecError:
        return None


def _is_last(line: bytes, progress: Progress) -> bool:
    """Whether this is the last line of what was read before it; whose signature it has is noted."""
    try:
        last = decode_last_line(line)
    except CodecError:
        return False
    said = (last.count, last.format, last.head, last.text)
    if line[-1:] != b"\n" or said != (progress.entries, FORMAT_NAME, progress.head.hex(), progress.text.hexdigest()):
        return False
    progress.signed(last.public_key, is_right=is_signed_line(last))
    return True
