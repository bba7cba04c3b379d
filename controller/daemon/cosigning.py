"""Gives the uplink the table's mark for witnesses to sign, and keeps the signatures of configured witnesses.

The signatures decide nothing at the table. A signature by a key that the configuration does not name is dropped.
"""

import asyncio
from functools import partial
from pathlib import Path
from typing import Final

from controller.daemon.background import BackgroundJobs
from controller.daemon.server import Client
from controller.daemon.speaker import Speaker
from controller.journal.cosigned import keep_cosigned, seen_by
from controller.journal.errors import CodecError, StorageFailed
from controller.journal.mark import begun_path, decode_mark_notes, mark_of, read_mark_file
from controller.journal.note import Note, NoteKey, NoteSignature, decode_note, encode_note
from controller.journal.removed import read_removed, tree_behind
from controller.journal.storage import DirectoryReader
from controller.protocol.carried import Checkpoint
from controller.protocol.lines import CheckpointAnswer, Request, encode_line
from controller.runtime.answers import Trouble
from controller.runtime.budget import Budget

AT_ONCE: Final = 16
PER_S: Final = 1
"""The most requests for the mark per second, after AT_ONCE at once; a further request gets the answer `busy`. Witnesses
sign once a minute.
"""


class Cosigning:
    """Answers the uplink's requests for the mark. All methods are called in the loop."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, journal: Path, key: str, witnesses: tuple[NoteKey, ...]
    ) -> None:
        self._loop = loop
        self._aside = BackgroundJobs(loop)
        self._budget = Budget(AT_ONCE, PER_S)
        self._journal = journal
        self._key = key
        self._witnesses = witnesses

    def answer(self, client: Client, request: Request, speaker: Speaker) -> None:
        """Begins to answer a request with the newest mark. A witness's signature in the request is first stored, in a
        thread.

        Sends an error at once for requests above the limit.
        """
        now_s = self._loop.time()
        client.expect_answer()

        def refuse(trouble: str) -> None:
            client.send_answer(encode_line(speaker.error(request.id, trouble)))

        if not self._budget.has_some(now_s):
            refuse(Trouble.BUSY)
            return
        self._budget.spend(now_s, 1)

        def told(found: Checkpoint | str) -> None:
            if isinstance(found, str):
                refuse(found)
            else:
                client.send_answer(encode_line(CheckpointAnswer(request.id, found)))

        self._aside.run(partial(self._checkpoint, request.note), told, partial(told, Trouble.JOURNAL_FAULT))

    def close(self) -> None:
        """Drops the answers of the requests under way, and waits briefly for their threads."""
        self._aside.close()

    def _checkpoint(self, cosigned: str) -> Checkpoint | str:
        """Stores the witness's signature in `cosigned`, if there is one, and returns the mark. Runs in a thread.

        Returns a catalogue word if the mark cannot be read, or if no configured witness has signed `cosigned`.
        """
        try:
            if cosigned and not self._keep(cosigned.encode()):
                return "bad-request"
            own = next(decode_mark_notes(read_mark_file(begun_path(self._journal)) or b"", self._key), None)
            with DirectoryReader(self._journal) as storage:
                begins = tree_behind(read_removed(storage))
        except StorageFailed:
            return Trouble.JOURNAL_FAULT
        if own is None:
            return Trouble.JOURNAL_FAULT
        return Checkpoint(encode_note(own[1]).decode(), begins.size, [one.hex() for one in begins.hashes])

    def _keep(self, data: bytes) -> bool:
        try:
            note = decode_note(data)
        except CodecError:
            return False
        mark = mark_of(note, self._key)
        lines = () if mark is None else self._lines(note, mark.seq)
        if lines:
            keep_cosigned(self._journal, self._key, note, lines)
        return bool(lines)

    def _lines(self, note: Note, seq: int) -> tuple[NoteSignature, ...]:
        right = [witness for witness in self._witnesses if seen_by(witness, note, seq) is not None]
        return tuple(line for witness in right if (line := note.by(witness)) is not None)
