"""Reads and writes the staff file: TOML, read strictly and replaced atomically. Only its owner can read it."""

import contextlib
import fcntl
import glob
import json
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Final

from controller.core.words import Person, Role
from controller.machine.toml_text import NotToml, toml_of, without_waiting
from controller.staff.book import HashCost, StaffBook, StaffMember, StaffRefused
from controller.staff.former import Forgotten, FormerMember
from drivers.errors import system_word

LARGEST_BYTES: Final = 1_048_576
LOCK_WITHIN_S: Final = 10.0
"""The longest wait for another command that changes the file; one change takes some tenths of a second."""
_LOOKS_EVERY_S: Final = 0.05

_TOP: Final = {"hash", "person", "former", "forgotten"}
_HASH: Final = ("memory_kib", "time_cost", "parallelism")
_PERSON: Final = ("number", "name", "role", "pin_hash")
_OPTIONAL: Final = ("badge",)
_FORMER: Final = ("number", "name", "line")
_DATED: Final = ("left",)
_FORGOTTEN: Final = ("number", "room_manager", "chief_supervisor", "on")


def load_staff(path: Path) -> StaffBook:
    """Reads the staff file `path`. Raises StaffRefused if the file is missing, is no staff file, or can be read by
    other users.
    """
    document = _document(path)
    if set(document) - _TOP or "hash" not in document:
        raise StaffRefused("sections", path=str(path))
    memory_kib, time_cost, parallelism = (_integer(value) for value in _fields(path, document["hash"], _HASH))
    return StaffBook(
        tuple(_member(path, entry) for entry in _entries(path, document, "person")),
        HashCost(memory_kib, time_cost, parallelism),
        tuple(_former(path, entry) for entry in _entries(path, document, "former")),
        tuple(_forgotten(path, entry) for entry in _entries(path, document, "forgotten")),
    )


def load_or_begin(path: Path) -> StaffBook:
    """Reads the staff file `path`. Returns an empty book if the file does not exist yet. Raises StaffRefused."""
    try:
        return load_staff(path)
    except StaffRefused as refused:
        if not isinstance(refused.__cause__, FileNotFoundError):
            raise
        return StaffBook()


def change_staff(path: Path, change: Callable[[StaffBook], StaffBook], *, begins: bool = False) -> None:
    """Loads, changes and saves the staff file under one lock. Simultaneous commands thus run one after another. Raises
    StaffRefused. `begins`: if True, a missing file counts as an empty book.
    """
    with _locked(path):
        save_staff(change(load_or_begin(path) if begins else load_staff(path)), path)


def save_staff(book: StaffBook, path: Path) -> None:
    """Writes the staff file completely, or leaves the old one unchanged. Raises StaffRefused if the file cannot be
    written.

    The new file has mode 0600 and the owner of the old file, or of the directory if there was no file.
    """
    try:
        _replace(path, _text(book).encode("utf-8"))
    except OSError as error:
        raise StaffRefused("unwritable", path=str(path), detail=system_word(error)) from error


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """A context that holds the lock of the staff file's directory. (The file itself is replaced, so it cannot carry the
    lock.) The lock also ends with the process.
    """
    try:
        directory = os.open(path.resolve().parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise StaffRefused("unwritable", path=str(path), detail=system_word(error)) from error
    try:
        _take_lock(directory, path)
        yield
    finally:
        os.close(directory)


def _take_lock(directory: int, path: Path) -> None:
    """Waits up to LOCK_WITHIN_S until no other command holds the lock. Raises StaffRefused if one still holds it."""
    until_s = time.monotonic() + LOCK_WITHIN_S
    while True:
        try:
            return fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            if time.monotonic() >= until_s:
                raise StaffRefused("busy", path=str(path)) from error
            time.sleep(_LOOKS_EVERY_S)


def _document(path: Path) -> Mapping[str, object]:
    try:
        with open(path, "rb", opener=without_waiting) as file:
            _check_mode(path, os.fstat(file.fileno()))
            content = file.read(LARGEST_BYTES + 1)
    except FileNotFoundError as error:
        raise StaffRefused("missing", path=str(path)) from error
    except OSError as error:
        raise StaffRefused("unreadable", path=str(path), detail=system_word(error)) from error
    if len(content) > LARGEST_BYTES:
        raise StaffRefused("too-large", path=str(path), bytes=str(LARGEST_BYTES))
    try:
        return toml_of(content)
    except NotToml as error:
        raise StaffRefused("not-toml", path=str(path), **error.values) from error


def _check_mode(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise StaffRefused("no-file", path=str(path))
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise StaffRefused("mode", path=str(path), mode=f"{stat.S_IMODE(found.st_mode):04o}")
    if os.geteuid() != 0 and found.st_uid not in {os.geteuid(), 0}:
        raise StaffRefused("owner", path=str(path))


def _entries(path: Path, document: Mapping[str, object], section: str) -> list[object]:
    found = document.get(section, [])
    if not isinstance(found, list):
        raise StaffRefused("sections", path=str(path))
    return found


def _fields(path: Path, entry: object, names: tuple[str, ...], optional: tuple[str, ...] = ()) -> tuple[object, ...]:
    """Returns the values of `entry` for the keys `names`, then for the keys `optional`; "" for a missing optional key.
    Raises StaffRefused.
    """
    if not isinstance(entry, dict) or not set(names) <= set(entry) <= {*names, *optional}:
        raise StaffRefused("fields", path=str(path), fields=", ".join(names))
    return tuple(entry.get(name, "") for name in (*names, *optional))


def _member(path: Path, entry: object) -> StaffMember:
    number, name, role, pin_hash, badge = _fields(path, entry, _PERSON, _OPTIONAL)
    if _string(role) not in set(Role):
        raise StaffRefused("role", number=str(number), roles=", ".join(Role))
    return StaffMember(Person(_integer(number)), _string(name), Role(_string(role)), _string(pin_hash), _string(badge))


def _former(path: Path, entry: object) -> FormerMember:
    number, name, line, left = _fields(path, entry, _FORMER, _DATED)
    return FormerMember(Person(_integer(number)), _string(name), _string(line), None if left == "" else _day(left))


def _forgotten(path: Path, entry: object) -> Forgotten:
    number, manager, chief, on = _fields(path, entry, _FORGOTTEN)
    return Forgotten(Person(_integer(number)), Person(_integer(manager)), Person(_integer(chief)), _day(on))


def _day(value: object) -> date:
    if type(value) is not date:  # a TOML date with time is a subclass of date
        raise StaffRefused("type")
    return value


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise StaffRefused("type")
    return value


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise StaffRefused("type")
    return value


def _text(book: StaffBook) -> str:
    lines = ["[hash]"]
    lines += [f"{name} = {getattr(book.cost, name)}" for name in _HASH]
    for member in book.people:
        lines += ["", "[[person]]", f"number = {member.number}"]
        # The JSON form of a printable text is valid TOML.
        lines += [f"{name} = {json.dumps(getattr(member, name), ensure_ascii=False)}" for name in _PERSON[1:]]
        lines += [f"{name} = {json.dumps(getattr(member, name))}" for name in _OPTIONAL if getattr(member, name)]
    for left in book.former:
        name, line = json.dumps(left.name, ensure_ascii=False), json.dumps(left.line)
        lines += [
            "",
            "[[former]]",
            f"number = {left.number}",
            f"name = {name}",
            f"line = {line}",
        ]
        lines += [] if left.left is None else [f"left = {left.left}"]
    for cut in book.forgotten:
        lines += ["", "[[forgotten]]", *(f"{name} = {getattr(cut, name)}" for name in _FORGOTTEN)]
    return "\n".join(lines) + "\n"


def _replace(path: Path, content: bytes) -> None:
    target = path.resolve()
    _sweep(target)
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)  # mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            _hand_over(file.fileno(), target)
            file.flush()
            os.fsync(file.fileno())
        Path(name).rename(target)
    except OSError:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()
        raise
    directory = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)


def _sweep(target: Path) -> None:
    """Deletes unfinished staff files that a loss of power has left, since they contain names and hashes."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.*"):
        left.unlink(missing_ok=True)


def _hand_over(descriptor: int, target: Path) -> None:
    """If root writes the staff file, gives it to the owner of the old file, or without one to the owner of the
    directory.
    """
    if os.geteuid() == 0:
        owner = (target if target.exists() else target.parent).stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)
