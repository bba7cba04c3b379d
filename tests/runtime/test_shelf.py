"""Each version's shelf is read, replayed, verified and upgraded; a change that breaks one is found."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import structs

from controller.backup import sealed_stream
from controller.config import profile_file, shape
from controller.config.profile import PROFILES
from controller.journal import export_check, format, proof, seals, words
from controller.runtime.game import game_of
from tests.night import IS_NIGHT
from tests.runtime.shelf import (
    BACKED_UP,
    CHECKS,
    LARGEST,
    SHELF,
    WORDS,
    every_table,
    failures,
    lay,
    pack,
    restated,
    unpack,
)
from tests.world.golden import SHELVES, kept

STATES = dict(row.split()[1:] for row in kept("shelf"))
"""The digest of the last state of each table on the shelves, with the fields of this version."""

SMALL = (*BACKED_UP, "mo-box")
"""The tables laid by day: the others load a shuffler with a card a second."""


def _without_a_kind(change: pytest.MonkeyPatch) -> None:
    """Removes from a game a kind of entry that every table has."""
    decoders = game_of("mo-box").codec._decoders
    change.delitem(decoders, "open-session")


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lays the shelf of this program, and packs it."""
    place = tmp_path_factory.mktemp("laid")
    lay(place / "shelf", [one for one in every_table() if IS_NIGHT or one[0] in SMALL])
    pack(place / "shelf", place / SHELF)
    return place / SHELF


@pytest.fixture
def tables(laid: Path, tmp_path: Path) -> dict[str, Path]:
    return {table.name: table for table in unpack(laid, tmp_path / "unpacked")}


def test_each_shelf_that_a_version_has_left_is_taken(tmp_path: Path) -> None:
    for shelf in SHELVES:
        place = tmp_path / shelf.parent.name
        assert shelf.stat().st_size < LARGEST
        tables = [restated(one, STATES[f"{place.name}/{one.name}"]) for one in unpack(shelf, place / "shelf")]
        assert {one.name for one in tables} >= {WORDS, *BACKED_UP}
        assert {one.name: failures(one, place / one.name) for one in tables} == {one.name: [] for one in tables}


def test_the_shelf_of_this_program_is_taken_by_itself(laid: Path, tables: dict[str, Path], tmp_path: Path) -> None:
    assert laid.stat().st_size < LARGEST
    assert {name: failures(table, tmp_path / name) for name, table in tables.items()} == {name: [] for name in tables}


def test_a_whole_shelf_has_a_table_of_each_profile() -> None:
    assert [name for name, _profile, _play in every_table()] == [*PROFILES, WORDS]


Break = Callable[[pytest.MonkeyPatch], None]

STARTS = {"journal replays", "export replays", "table goes on"}
CHANGES: dict[str, tuple[str, set[str], Break]] = {
    "an export of before is of no known format": (
        *("mo-box", {"export verifies", "export replays"}),
        lambda change: change.setattr(export_check, "FORMAT_NAME", "sabot-journal-export-9"),
    ),
    "a segment has another version": (
        *("mo-box", {"journal verifies", "journal replays", "table goes on"}),
        lambda change: change.setattr(format, "VERSION", 2),
    ),
    "a leaf of the tree is hashed otherwise": (
        *("mo-box", {"proof holds"}),
        lambda change: change.setattr(proof, "leaf_hash", lambda data: sha256(data).digest()),
    ),
    "words take another place": (
        *(WORDS, {"words are read"}),
        lambda change: change.setattr(words, "WORDS_SIZE", 2048),
    ),
    "a seal is encrypted for another purpose": (
        *("pt-shoe", {"cards are opened"}),
        lambda change: change.setattr(seals, "_PURPOSE", b"sabot seal 2"),
    ),
    "a backup has another beginning": (
        *("pt-shoe", {"backup is restored"}),
        lambda change: change.setattr(sealed_stream, "MAGIC", b"sabot-backup-2\n"),
    ),
    "a key of the configuration has another name": (
        *("mo-box", {"configuration is read"}),
        lambda change: change.setattr(
            shape,
            "KEYS",
            tuple(structs.replace(one, name="places") if one.name == "seats" else one for one in shape.KEYS),
        ),
    ),
    "a profile of before has another base": (
        *("mo-box", {"own profile is read"}),
        lambda change: change.setattr(profile_file, "PROFILES", ("pt-csm",)),
    ),
    "a kind of entry is known no more": (*("mo-box", STARTS), _without_a_kind),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_later_change_that_breaks_a_table_is_found(
    what: str, tables: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, broken, change = CHANGES[what]
    change(monkeypatch)
    found = {one.split(" (")[0] for one in failures(tables[name], tmp_path / "aside")}
    assert found >= broken
    assert found != set(CHECKS), "the change is found where it is, and not everywhere"


def test_a_byte_that_is_another_is_found(tables: dict[str, Path], tmp_path: Path) -> None:
    table = tables["pt-shoe"]
    for file in ("journal/00000001.segment", "journal.begun", "export.txt", "proof.txt", "table.backup", "table.toml"):
        whole = (table / file).read_bytes()
        (table / file).write_bytes(whole[:200] + bytes((whole[200] ^ 1,)) + whole[201:])
        assert failures(table, tmp_path / file.replace("/", "-")), file
        (table / file).write_bytes(whole)
