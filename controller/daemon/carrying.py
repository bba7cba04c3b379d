"""Gives the uplink the table's entries for the floor: a signed statement on durable entries, and the segment that has
them.

The uplink opens no directory: it gets a read-only descriptor of one segment. So an attacker who controls the uplink has
neither keys nor seals nor the staff file.

The uplink also delivers the signatures that the floor makes as a witness. This module checks the signatures and keeps
them beside the journal. They are evidence and decide nothing at the table.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Final

from msgspec import UNSET, Struct
from msgspec.structs import replace

from controller.daemon.background import BackgroundJobs
from controller.daemon.server import Client
from controller.daemon.speaker import Speaker
from controller.journal.carried import Segments, Stretch, signed_statement
from controller.journal.cosigned import Seen, keep_cosigned, seen_by
from controller.journal.errors import CodecError, StorageFailed
from controller.journal.format import segment_name
from controller.journal.mark import Mark, mark_of
from controller.journal.note import Note, NoteKey, decode_note
from controller.journal.recovery import Tip
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryReader
from controller.protocol.carried import Gap, SignedStatement, Statement
from controller.protocol.lines import CarryAnswer, Do, KeptAnswer, Request, encode_line
from controller.runtime.answers import Trouble
from controller.runtime.budget import Budget

BATCHES_AT_ONCE: Final = 40
BATCHES_PER_S: Final = 20
"""The most requests per second of an uplink, for entries or to keep a mark, after BATCHES_AT_ONCE at once; a further
request gets the answer `busy`.
"""


class Carried(Struct, frozen=True):
    """A signed statement on entries. `segment`: the open file with the statement's entries; None if no entry is new."""

    signed: SignedStatement
    segment: FileIO | None


class Witnessing(Struct, frozen=True):
    """The data to check the signatures that the floor makes as a witness. `mark`: returns the bytes of the run's newest
    mark, b"" before the first mark. `witness`: the floor's key; None if the configuration names none.
    """

    mark: Callable[[], bytes]
    witness: NoteKey | None

    def seen_in(self, note: Note, key: str) -> Seen | None:
        """Returns the floor's signature of a mark.

        Returns None if the note is not a mark signed by `key`, if the floor has not signed it, or if the configuration
        names no witness key.
        """
        mark: Mark | None = mark_of(note, key)
        return None if mark is None or self.witness is None else seen_by(self.witness, note, mark.seq)


class Carrying:
    """Answers the uplink's requests for entries, and its requests to store the floor's signature of a mark.

    The methods are called in the loop, unless their docstring says that they run in a thread.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        journal: Path,
        table: str,
        epoch: int,
        signer: Signer,
        durable: Callable[[], Tip | None],
        witnessing: Witnessing,
        pools: Callable[[], dict[str, int]],
    ) -> None:
        self._loop = loop
        self._aside = BackgroundJobs(loop)
        self._budget = Budget(BATCHES_AT_ONCE, BATCHES_PER_S)
        self._segments = Segments()  # used by one thread at a time
        self._is_busy = False
        self._journal = journal
        self._table = table
        self._epoch = epoch
        self._signer = signer
        self._durable = durable
        self._witnessing = witnessing
        self._pools = pools

    def answer(self, client: Client, request: Request, speaker: Speaker) -> None:
        """Begins to answer a request. The client gets the answer once a thread has found the segment or stored the
        floor's signature.

        Sends an error at once for a bad request, for too many requests, while the journal is not being written, and
        while another request is under way.
        """
        tip, now_s = self._durable(), self._loop.time()
        refuse = partial(_refuse, client, request, speaker)
        client.expect_answer()
        if request.do is Do.CARRY and not request.nonce:
            refuse("bad-request")
        elif tip is None:
            refuse(Trouble.JOURNAL_FAULT)
        elif self._is_busy or not self._budget.has_some(now_s):
            refuse(Trouble.BUSY)
        else:
            self._budget.spend(now_s, 1)
            self._is_busy = True
            self._begin(tip, client, request, refuse)

    def _begin(self, tip: Tip, client: Client, request: Request, refuse: Callable[[str], None]) -> None:
        if request.do is Do.KEEP:
            kept = partial(self._tell_kept, client, request, refuse)
            self._aside.run(partial(self._kept, request.note), kept, partial(kept, Trouble.JOURNAL_FAULT))
        else:
            told = partial(self._tell, client, request, refuse)
            self._aside.run(partial(self._carried, tip, request), told, partial(told, None))

    def _kept(self, text: str) -> int | str:
        """Stores the floor's signature of the mark in `text`, and returns the number of the mark's entry. Returns a
        catalogue word with the reason if the signature is not stored. Runs in a thread.
        """
        key, witness = self._signer.public_key, self._witnessing.witness
        try:
            note = decode_note(text.encode())
            seen = self._witnessing.seen_in(note, key)
            if seen is None or witness is None or (line := note.by(witness)) is None:
                return "not-this-witness"
            keep_cosigned(self._journal, key, note, (line,))
        except CodecError:
            return "not-this-witness"
        except StorageFailed:
            return Trouble.JOURNAL_FAULT
        return seen.seq

    def _tell_kept(self, client: Client, request: Request, refuse: Callable[[str], None], kept: int | str) -> None:
        self._is_busy = False
        if isinstance(kept, str):
            refuse(kept)
        else:
            client.send_answer(encode_line(KeptAnswer(request.id, kept)))

    def close(self) -> None:
        """Drops the answer of the request under way, and waits briefly for its thread."""
        self._aside.close()

    def _carried(self, tip: Tip, request: Request) -> Carried | None:
        """Returns a signed statement on the entries after `request.after`, with the open segment that has them.

        Returns None if the medium fails. Runs in a thread.
        """
        try:
            with DirectoryReader(self._journal) as journal:
                stretch = self._segments.stretch_behind(journal, tip, request.after)
                signed = self._signed(tip, stretch, request.nonce)
                opened = None if stretch is None else journal.open_to_read(segment_name(stretch.segment))
        except StorageFailed:
            return None
        return Carried(signed, None if opened is None else FileIO(opened))

    def _signed(self, tip: Tip, stretch: Stretch | None, nonce: str) -> SignedStatement:
        first, last, head, gap = tip.next_seq, tip.next_seq - 1, tip.head, Gap.NONE
        if stretch is not None:
            first, last, head, gap = stretch.first, stretch.last, stretch.head, stretch.gap
        statement = Statement(self._epoch, first, gap, head.hex(), last, nonce, self._table)
        return signed_statement(statement, self._signer, self._witnessing.mark().decode())

    def _tell(self, client: Client, request: Request, refuse: Callable[[str], None], carried: Carried | None) -> None:
        self._is_busy = False
        if carried is None:
            refuse(Trouble.JOURNAL_FAULT)
            return
        signed = replace(carried.signed, pools=tuple(self._pools().items()) or UNSET)
        line = encode_line(CarryAnswer(request.id, signed))
        if carried.segment is None:
            client.send_answer(line)
            return
        with carried.segment as segment:
            client.send_with_file(line, segment.fileno())
        client.send_answer(b"")


def _refuse(client: Client, request: Request, speaker: Speaker, trouble: str) -> None:
    client.send_answer(encode_line(speaker.error(request.id, trouble)))
