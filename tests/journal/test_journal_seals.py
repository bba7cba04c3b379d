"""The seals of face-down cards can be opened, have one length, reveal nothing, and may be lost without harm."""

from hashlib import sha256
from pathlib import Path

import pytest
from journal_kit import batch, seeded_bytes, write

from controller.core.custody.state import DECK, FOREIGN
from controller.journal.errors import SealKeyRefused, StorageFailed, StorageReason
from controller.journal.recovery import recover
from controller.journal.seals import (
    KEY_SIZE,
    MOST_KEPT,
    SEAL_SIZE,
    OpenedSeal,
    SealKey,
    SealStore,
    commitment_of,
    open_key,
    seals_name,
)
from simulators.disk import MemoryStorage, Verb

KEY = SealKey(bytes(range(32)), created=False)
OTHER_KEY = SealKey(bytes(32), created=True)


def store(storage: MemoryStorage | None = None, *, key: SealKey = KEY, seed: int = 1) -> SealStore:
    return SealStore(key, storage or MemoryStorage(), seeded_bytes(seed))


def stored(cards: dict[int, str], *, segment: int = 1, seed: int = 1) -> tuple[MemoryStorage, dict[int, str]]:
    """A storage with one seal for each card, and the cards' commitments."""
    storage, sealing = MemoryStorage(), store(seed=seed)
    seals = {number: sealing.seal(number, card) for number, card in cards.items()}
    storage.replace(seals_name(segment), b"".join(seal.data for seal in seals.values()))
    return storage, {number: seal.commitment for number, seal in seals.items()}


def test_a_seal_opens_again_at_once_and_after_a_restart() -> None:
    cards = dict(enumerate([*DECK, FOREIGN], 1))
    storage, commitments = stored(cards)
    reopened = store(storage)
    for number, card in cards.items():
        opened = reopened.open(commitments[number])
        assert opened is not None
        assert opened.card == card
        assert sha256(opened.salt + card.encode()).hexdigest() == commitments[number]
    sealing = store()
    seal = sealing.seal(1, "AS")
    opened = sealing.open(seal.commitment)
    assert opened is not None
    assert (opened.card, commitment_of(opened.salt, "AS")) == ("AS", seal.commitment)


def test_every_seal_has_one_length_and_shows_no_card() -> None:
    sealing = store()
    for number, card in enumerate([*DECK, FOREIGN]):
        seal = sealing.seal(number, card)
        opened = sealing.open(seal.commitment)
        assert len(seal.data) == SEAL_SIZE
        assert opened is not None
        assert opened.salt not in seal.data
        assert card.encode().ljust(8, b"\0") not in seal.data
        if len(card) > 2:  # two bytes occur by chance
            assert card.encode() not in seal.data


def test_the_same_card_never_looks_the_same() -> None:
    sealing = store()
    first, second = sealing.seal(1, "AS"), sealing.seal(2, "AS")
    assert first.commitment != second.commitment
    assert first.data[52:] != second.data[52:]


@pytest.mark.parametrize("card", ["", "NINECHARS", "A\0"])
def test_a_text_that_does_not_fit_is_refused(card: str) -> None:
    with pytest.raises(ValueError, match="1 to 8"):
        store().seal(1, card)


def test_a_lost_seal_is_none() -> None:
    storage, commitments = stored({1: "AS", 2: "10H"})
    assert store(storage).open("00" * 32) is None
    assert store(storage, key=OTHER_KEY).open(commitments[1]) is None
    storage.replace(seals_name(1), storage.read(seals_name(1))[: SEAL_SIZE + 50])
    assert store(storage).open(commitments[1]) is not None
    assert store(storage).open(commitments[2]) is None


def test_a_changed_seal_is_lost_and_the_others_are_not() -> None:
    whole, commitments = stored({1: "AS", 2: "10H"})
    for bit in range(SEAL_SIZE * 8):
        storage = whole.after_kill()
        storage.flip(seals_name(1), bit)
        reopened = store(storage)
        assert reopened.open(commitments[1]) is None, bit
        assert reopened.open(commitments[2]) is not None


def test_a_seal_put_under_another_number_is_lost() -> None:
    storage, _ = stored({1: "AS", 2: "10H"})
    data = storage.read(seals_name(1))
    storage.replace(seals_name(1), data[SEAL_SIZE : SEAL_SIZE + 8] + data[8:SEAL_SIZE] + data[SEAL_SIZE:])
    assert store(storage).open(data[8:40].hex()) is None


def test_seals_of_every_file_are_found() -> None:
    storage, older = stored({1: "AS", 2: "KC"})
    newer_disk, newer = stored({1: "10H"}, segment=2, seed=2)
    storage.replace(seals_name(2), newer_disk.read(seals_name(2)))
    reopened = SealStore(KEY, storage, seeded_bytes(3), newest=1)
    found = [reopened.open(commitment) for commitment in (newer[1], older[1], older[2])]
    assert [opened.card for opened in found if opened is not None] == ["10H", "AS", "KC"]


def test_the_last_seals_are_kept_in_memory_and_all_others_on_the_medium() -> None:
    storage = MemoryStorage()
    sealing = store(storage)
    seals = [sealing.seal(number, "AS") for number in range(3 * MOST_KEPT)]
    assert len(sealing._kept) == MOST_KEPT
    storage.replace(seals_name(1), b"".join(seal.data for seal in seals[:1]))
    first, last = sealing.open(seals[0].commitment), sealing.open(seals[-1].commitment)
    assert first is not None
    assert last is not None
    assert len(sealing._kept) == MOST_KEPT
    assert sealing.open(seals[1].commitment) is None, "neither in memory nor on the medium"


def test_a_lost_seal_is_looked_for_once() -> None:
    storage, _ = stored({1: "AS"})
    reopened = store(storage)
    assert reopened.open("00" * 32) is None
    storage.fail(Verb.READ, StorageReason.IO_ERROR)
    assert reopened.open("00" * 32) is None


def test_a_torn_seal_is_cut_before_the_next_one_is_written() -> None:
    storage, _ = stored({1: "AS"})
    storage.append(seals_name(1), b"torn")
    recover(storage)
    seal = store(seed=9).seal(2, "10H")
    write(storage, [batch(1, 1, (seal.data,))])
    opened = store(storage).open(seal.commitment)
    assert opened is not None
    assert opened.card == "10H"


def test_the_journal_holds_no_card_and_no_salt() -> None:
    sealing = store()
    seal = sealing.seal(1, "FOREIGN")
    opened = sealing.open(seal.commitment)
    storage = MemoryStorage()
    write(storage, [batch(1, 1, (seal.data,))])
    assert isinstance(opened, OpenedSeal)
    for file in storage.list():
        assert b"FOREIGN" not in storage.read(file.name)
        assert opened.salt not in storage.read(file.name)


# --- the key


def key_of(path: Path, journal: Path, seed: int = 1) -> SealKey:
    return open_key(path, journal=journal, randomness=seeded_bytes(seed))


def test_the_key_is_made_once_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "seal.key"
    made = key_of(path, tmp_path / "journal")
    assert made.created
    assert len(made.secret) == KEY_SIZE
    assert path.stat().st_mode & 0o777 == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["seal.key"]
    assert key_of(path, tmp_path / "journal", seed=2) == SealKey(made.secret, created=False)


def test_the_key_is_not_shown(tmp_path: Path) -> None:
    made = key_of(tmp_path / "seal.key", tmp_path / "journal")
    assert repr(made) == "SealKey(created=True)"


def test_a_key_that_cannot_be_trusted_is_refused(tmp_path: Path) -> None:
    path, journal = tmp_path / "seal.key", tmp_path / "journal"
    journal.mkdir()
    with pytest.raises(SealKeyRefused, match="inside"):
        key_of(journal / "seal.key", journal)
    path.write_bytes(bytes(31))
    path.chmod(0o600)
    with pytest.raises(SealKeyRefused, match="31 bytes"):
        key_of(path, journal)
    path.write_bytes(bytes(32))
    path.chmod(0o640)
    with pytest.raises(SealKeyRefused, match="read by others"):
        key_of(path, journal)


def test_a_key_in_a_missing_directory_is_a_failure_of_the_storage(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed):
        key_of(tmp_path / "nowhere" / "seal.key", tmp_path / "journal")
