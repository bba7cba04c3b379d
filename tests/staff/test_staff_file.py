"""The staff file is written whole, read strictly, and readable by its owner alone."""

import fcntl
import os
from datetime import date
from pathlib import Path

import pytest

from controller.catalogue import Language, sentence
from controller.core.words import Person, Role
from controller.staff import Forgotten, HashCost, StaffBook, StaffRefused, change_staff, load_staff, save_staff

CHEAP = HashCost(memory_kib=64, time_cost=1, parallelism=1)
DAY = date(2026, 11, 27)


@pytest.fixture
def book() -> StaffBook:
    book = StaffBook(cost=CHEAP).with_person(12, 'Ana "a Fiscal" Reis\\Sá', Role.CHIEF_SUPERVISOR, "471108")
    return book.with_person(3, "Zoë", Role.DEALER, "480091")


@pytest.fixture
def path(tmp_path: Path, book: StaffBook) -> Path:
    save_staff(book, tmp_path / "staff.toml")
    return tmp_path / "staff.toml"


def refusal(path: Path) -> str:
    with pytest.raises(StaffRefused) as refused:
        load_staff(path)
    for language in Language:
        assert "{" not in sentence(refused.value.key, refused.value.values, language)
    return refused.value.key.removeprefix("staff.refused.")


def test_what_was_saved_is_loaded(path: Path, book: StaffBook) -> None:
    assert load_staff(path) == book
    assert load_staff(path).verify(12, "471108") is Role.CHIEF_SUPERVISOR


def test_who_has_left_and_who_is_forgotten_are_loaded_as_they_were_saved(path: Path, book: StaffBook) -> None:
    undated = book.without(12, DAY).without(3, None)
    save_staff(undated, path)
    assert load_staff(path) == undated
    left = undated.without(3, DAY)
    save_staff(left, path)
    assert load_staff(path) == left
    cut = left.forgetting(Forgotten(Person(12), Person(7), Person(8), DAY), 0)
    (path.parent / ".staff.toml.a1b2").write_bytes(path.read_bytes())  # as after a loss of power
    save_staff(cut, path)
    assert load_staff(path) == cut
    assert [entry.name for entry in path.parent.iterdir() if b"Reis" in entry.read_bytes()] == []


def is_locked(path: Path) -> bool:
    """True where another command that changes the staff file would have to wait."""
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(directory)
    return False


def test_a_change_is_made_under_a_lock_on_the_book_as_it_is_then(path: Path, book: StaffBook) -> None:
    seen: list[tuple[StaffBook, bool]] = []

    def change(found: StaffBook) -> StaffBook:
        seen.append((found, is_locked(path)))
        return found.without(3, DAY)

    change_staff(path, change)
    assert seen == [(book, True)]
    assert load_staff(path) == book.without(3, DAY)
    assert not is_locked(path)
    with pytest.raises(StaffRefused):
        change_staff(path, change)
    assert not is_locked(path), "a refused change gives the lock back"


def test_a_lock_that_another_program_keeps_is_not_waited_for_without_end(
    path: Path, book: StaffBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.staff.file.LOCK_WITHIN_S", 0.0)
    held = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(StaffRefused, match="busy"):
            change_staff(path, lambda found: found.without(3, DAY))
    finally:
        os.close(held)
    assert load_staff(path) == book


def test_a_change_can_begin_the_file_only_where_it_may(tmp_path: Path, book: StaffBook) -> None:
    with pytest.raises(StaffRefused, match="missing"):
        change_staff(tmp_path / "staff.toml", lambda _found: book)
    change_staff(tmp_path / "staff.toml", lambda _found: book, begins=True)
    assert load_staff(tmp_path / "staff.toml") == book
    with pytest.raises(StaffRefused, match="unwritable"):
        change_staff(tmp_path / "nowhere" / "staff.toml", lambda found: found, begins=True)


def test_the_file_is_its_owners_alone_whatever_the_umask(path: Path, book: StaffBook) -> None:
    before = os.umask(0)
    try:
        save_staff(book, path)
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o7777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["staff.toml"]


def test_a_save_that_fails_leaves_the_old_file(path: Path, book: StaffBook, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    old = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StaffRefused):
        save_staff(book.without(3, DAY), path)
    assert path.read_bytes() == old
    assert [entry.name for entry in path.parent.iterdir()] == ["staff.toml"]


def test_a_link_keeps_being_one(path: Path, book: StaffBook) -> None:
    link = path.parent / "link.toml"
    link.symlink_to(path)
    save_staff(book.without(3, DAY), link)
    assert link.is_symlink()
    assert len(load_staff(path).people) == 1


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o602, 0o610])
def test_a_file_that_others_may_use_is_refused(path: Path, mode: int) -> None:
    path.chmod(mode)
    assert refusal(path) == "mode"


def test_no_file(tmp_path: Path) -> None:
    assert refusal(tmp_path / "staff.toml") == "missing"
    assert refusal(tmp_path) == "unreadable"
    assert refusal(Path("/dev/null")) == "no-file"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("[hash]", "[hash", "not-toml"),
        ("[hash]", "[hush]", "sections"),
        ("[hash]", "extra = 1\n[hash]", "sections"),
        ("time_cost = 1", "time_cost = 1\npepper = 1", "fields"),
        ("time_cost = 1", 'time_cost = "1"', "type"),
        ("time_cost = 1", "time_cost = true", "type"),
        ("time_cost = 1", "time_cost = 99", "hash-cost"),
        ("number = 3", "number = 12", "number-twice"),
        ("number = 3", "number = 0", "number"),
        ("number = 3", "number = 3.0", "type"),
        ("number = 3", "number = 0x" + "f" * 5_000, "not-toml"),
        ('"Zoë"', "5", "type"),
        ('"dealer"', '"boss"', "role"),
        ('"dealer"', "[]", "type"),
        ("$argon2id$", "$argon2x$", "pin-hash"),
        ("pin_hash", "pin", "fields"),
    ],
)
def test_a_file_that_is_no_staff_file(path: Path, old: str, new: str, key: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    assert refusal(path) == key


def test_a_file_without_end(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"#" * 1_048_576)
    assert refusal(path) == "too-large"
