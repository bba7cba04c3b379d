"""Attacks by the machine's owner, who has the disk and the secret key and hides something: a check finds each
(AUDIT.md).
"""

import json
from pathlib import Path

import msgspec
import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from forms import SEAL_KEY, Cards, closed, plain, pruned
from journal_kit import SIGNER, to_directory

from controller.journal.entry import decode_entry, encode_entry
from controller.journal.export import export, whole_text
from controller.journal.format import Header, RecordEncoder, encode_header, scan
from controller.journal.noted_code import code_of, read_noted
from controller.journal.progress import Check, Wanted
from controller.journal.recovery import Recovery, Walk
from controller.journal.removed import removed_line, removed_name, sign_removed, tree_behind
from controller.journal.seals import SEAL_SIZE, seals_in
from controller.journal.signing import Signer
from controller.journal.verify import noted_now, verify, verify_storage
from simulators.disk import MemoryStorage

OTHER = Signer(bytes([1]) * 32)


def written_anew(storage: MemoryStorage, without: int) -> MemoryStorage:
    """The journal without the entry number `without`, in one segment, numbered and chained anew."""
    encoder, data = RecordEncoder(bytes(32), 1), encode_header(Header(1, 1, bytes(32)))
    for verified in Walk(storage):
        if verified.entry.seq != without:
            entry = decode_entry(verified.record.payload, seq=verified.entry.seq)
            data += encoder.encode(encode_entry(msgspec.structs.replace(entry, seq=encoder.next_seq)))
    made = MemoryStorage()
    made.replace("00000001.segment", data)
    return made


def code_in_the_book(storage: MemoryStorage, tmp_path: Path) -> Wanted:
    path = to_directory(storage, tmp_path / "noted")
    return Wanted(SIGNER.public_key, read_noted(noted_now(path)))


def test_an_entry_that_is_left_out_with_everything_made_anew_is_found_by_the_noted_code_alone(tmp_path: Path) -> None:
    noted = code_in_the_book(plain(), tmp_path)
    forged = written_anew(plain(), without=3)
    assert verify_storage(forged, Wanted(SIGNER.public_key)).ok, "as AUDIT.md says: nothing in the journal can show it"
    found = verify_storage(forged, noted)
    assert (found.ok, found.anchor) == (False, Check.INVALID)
    path = to_directory(forged, tmp_path / "forged")
    export(path, tmp_path / "out", SIGNER)
    assert verify(tmp_path / "out", noted).anchor is Check.INVALID


def test_what_went_on_after_a_noted_code_may_be_another_and_what_stood_before_may_not(tmp_path: Path) -> None:
    """A noted code reveals a change in any entry before it, and none in an entry after it."""
    storage = plain()
    noted = code_in_the_book(storage, tmp_path)
    cards = Cards(storage)
    cards.add("confirm-settled", {})
    assert verify_storage(storage, noted).ok
    assert verify_storage(written_anew(storage, without=7), noted).ok
    assert not verify_storage(written_anew(storage, without=6), noted).ok


def test_a_removal_that_nobody_acknowledged_names_a_code_that_is_in_no_book(tmp_path: Path) -> None:
    """An owner can claim any removal with the key; the code in the removal's statement is in no inspector's book."""
    noted = code_in_the_book(plain(), tmp_path)
    forged = pruned()
    found = verify_storage(forged, noted)
    assert (found.ok, found.anchor) == (False, Check.INVALID), "the book's code is of what is gone"
    assert found.removed is not None
    assert found.removed.acknowledged == code_of(1, found.removed.first_seq - 1, bytes.fromhex(found.removed.head))


@pytest.mark.parametrize("signer", [SIGNER, OTHER])
def test_a_removal_of_another_head_or_by_another_key_is_found(signer: Signer) -> None:
    storage = pruned()
    removed = verify_storage(storage).removed
    assert removed is not None
    head = bytes.fromhex(removed.head) if signer is OTHER else bytes(31) + b"\1"
    forged = sign_removed(
        acknowledged=removed.acknowledged,
        first_seq=removed.first_seq,
        head=head,
        segment=removed.segment,
        sessions=removed.sessions,
        state=removed.state,
        signer=signer,
        tree=tree_behind(removed),
    )
    storage.replace(removed_name(removed.segment), removed_line(forged))
    assert not verify_storage(storage, Wanted(SIGNER.public_key)).ok


def test_a_damage_that_was_made_to_hide_something_stays_named_whoever_closed_it() -> None:
    """A damage stays named though the attacker has also written the segment that closes it, without the two people."""
    found = verify_storage(closed())
    assert (found.ok, found.beyond) == (False, None)
    assert [fault.first_bad for fault in found.closed] == [3]


def test_behind_a_closed_damage_a_second_fault_is_told_apart() -> None:
    storage = closed()
    name = [file.name for file in storage.list() if file.name.endswith(".segment")][-1]
    storage.flip(name, 8 * (scan(storage.read(name)).records[-1].end - 40))
    found = verify_storage(storage)
    assert [fault.first_bad for fault in found.closed] == [3]
    assert found.beyond is not None
    assert found.beyond.first_bad > 3


def test_a_seal_can_be_spoilt_or_lost_but_never_made_to_say_another_card(tmp_path: Path) -> None:
    """After the exchange of two cards' seals the export has them, and the key opens neither."""
    storage = plain()
    names = [file.name for file in storage.list() if file.name.endswith(".seals")]
    seals = [seal for name in names for seal in seals_in(storage.read(name)).values()]
    assert len(seals) == 3
    for name in names:
        data = storage.read(name)
        for at in range(0, len(data), SEAL_SIZE):
            mine = data[at : at + SEAL_SIZE]
            other = seals[(seals.index(mine) + 1) % len(seals)]
            data = data[:at] + mine[:40] + other[40:] + data[at + SEAL_SIZE :]
        storage.replace(name, data)
    given = [json.loads(line).get("seal") for line in whole_text(storage, SIGNER).splitlines()]
    sealed = [bytes.fromhex(seal["sealed"]) for seal in given if seal]
    assert len(sealed) == 2
    for one in sealed:
        with pytest.raises(InvalidTag):
            ChaCha20Poly1305(SEAL_KEY).decrypt(one[40:52], one[52:], b"sabot seal 1" + one[:52])


def test_another_tables_key_beside_the_journal_is_found_by_the_key_that_was_handed_over(tmp_path: Path) -> None:
    path = to_directory(plain(), tmp_path / "journal")
    (tmp_path / "out").write_bytes(whole_text(plain(), OTHER))
    assert verify(tmp_path / "out").ok is False, "the entries name another key than the one that signed"
    assert verify(path, Wanted(OTHER.public_key)).first_bad == 1


def test_files_that_mean_nothing_change_nothing() -> None:
    """No check reads a forged checkpoint or a stray file: the state is computed anew from the entries."""
    storage = plain()
    untouched = verify_storage(storage)
    for name in ("00000002.checkpoint", "notes.txt", "00000009.removed"):
        storage.replace(name, b"forged\n")
    assert verify_storage(storage) == untouched
    assert Recovery(storage).head.hex() == untouched.head
