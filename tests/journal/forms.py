"""Small journals in each possible form: with face-down cards, with a removed part, with a closed damage."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

import msgspec
from journal_kit import SIGNER, entry, write

from controller.journal.entry import EntryRefusal, encode_entry
from controller.journal.format import Header, RecordEncoder, encode_header, scan, segment_name
from controller.journal.noted_code import code_of
from controller.journal.recovery import Walk, recover
from controller.journal.removed import removed_line, removed_name, sign_removed
from controller.journal.seals import SealKey, SealStore
from controller.journal.tree import NO_TREE, with_entry
from controller.journal.writer_logic import Batch
from simulators.disk import MemoryStorage

SEAL_KEY: Final = bytes(range(32))
LIMIT: Final = 700
"""The bytes at which a segment of these journals ends."""


def salt_of(number: int) -> bytes:
    return sha256(b"salt %d" % number).digest()


class Cards:
    """Writes a journal with face-down cards; each entry is a batch, and a card's seal is written before its entry."""

    def __init__(self, storage: MemoryStorage | None = None) -> None:
        self.storage = MemoryStorage() if storage is None else storage
        self.number = 0

    def add(
        self, kind: str, body: Mapping[str, object], seals: tuple[bytes, ...] = (), *, refused: bool = False
    ) -> int:
        seq = recover(self.storage).next_seq
        refusal = EntryRefusal(reason="no", clause="pt.bj.1") if refused else None
        raw = msgspec.Raw(msgspec.json.encode(dict(body), order="sorted"))
        made = msgspec.structs.replace(entry(seq), kind=kind, body=raw, source=None, refusal=refusal)
        write(self.storage, [Batch(seq, (encode_entry(made),), seals)], segment_limit=LIMIT)
        return seq

    def face_down(self, card: str) -> tuple[int, str]:
        """Writes a card that is read face down; returns its entry's number and its commitment."""
        self.number += 1
        values = {32: salt_of(self.number), 12: salt_of(self.number)[:12]}
        store = SealStore(SealKey(SEAL_KEY, created=False), MemoryStorage(), lambda size: values[size])
        seal = store.seal(self.number, card)
        return self.add("card-read", {"commitment": seal.commitment}, (seal.data,)), seal.commitment

    def turn(self, number: int, card: str, *, refused: bool = False) -> None:
        """Writes an act that turns a card; a refused act has no salt in its entry."""
        salt = None if refused else salt_of(number).hex()
        self.add("turn-hole-card", {"card": None if refused else card, "salt": salt}, refused=refused)


def plain() -> MemoryStorage:
    """A journal with three face-down cards, of which the second is turned, and a deck check."""
    cards = Cards()
    cards.add("controller-started", {"public_key": SIGNER.public_key})
    for card in ("2C", "10H", "AS"):
        cards.face_down(card)
    cards.turn(2, "10H")
    cards.add("confirm-deck-check", {})
    return cards.storage


def closed() -> MemoryStorage:
    """The journal of `plain` with a flipped bit in the third entry, a damage that people have closed."""
    storage = plain()
    first = segment_name(1)
    storage.flip(first, 8 * (scan(storage.read(first)).records[1].end + 20))
    recovery = recover(storage)
    tip = recovery.segment_after_damage()
    payload = encode_entry(entry(tip.next_seq))
    name = segment_name(tip.segment)
    storage.append(name, encode_header(Header(tip.segment, tip.next_seq, tip.head, tip.damaged)))
    storage.append(name, RecordEncoder(tip.head, tip.next_seq).encode(payload))
    storage.sync(name)
    cards = Cards(storage)
    cards.number = 3
    cards.face_down("KD")
    cards.add("confirm-deck-check", {})
    return storage


def pruned() -> MemoryStorage:
    """The journal of `plain` without its beginning: only its last segment remains."""
    storage = plain()
    names = [file.name for file in storage.list() if file.name.endswith(".segment")]
    kept = int(names[-1][:8])
    result = scan(storage.read(names[-1]))
    assert result.header is not None
    assert kept > 1
    head, first_seq = result.header.previous_head, result.header.first_seq
    tree = NO_TREE
    for verified in Walk(storage):
        if verified.record.seq < first_seq:
            tree = with_entry(tree, verified.record.seq, verified.record.payload)
    removed = sign_removed(
        acknowledged=code_of(1, first_seq - 1, head),
        first_seq=first_seq,
        head=head,
        segment=kept,
        sessions=1,
        state="00" * 32,
        signer=SIGNER,
        tree=tree,
    )
    storage.append(removed_name(kept), removed_line(removed))
    storage.sync(removed_name(kept))
    for name in [file.name for file in storage.list()]:
        if int(name[:8]) < kept:
            storage.remove(name)
    cards = Cards(storage)
    cards.number = 3
    cards.face_down("KD")
    cards.add("confirm-deck-check", {})
    return storage


FORMS: Final = {"plain": plain, "closed": closed, "pruned": pruned}
