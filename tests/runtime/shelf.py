"""The shelf of a version: a table of each profile with its data of that version, which a later version must accept.

`lay` makes it, and `python -m tests.runtime.keep` puts it under `kept/VERSION/`. It has a directory for each table, as
on a table's computer: configuration, staff file, keys, journal with its checkpoints, seals, words and mark. Beside
these lie an export, a proof, a backup, a casino's own profile, and `expected.toml` with the results of that version.
"""

import json
import re
import tarfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from controller.backup.content import manifest
from controller.backup.make import make_backup
from controller.backup.restore import restore
from controller.backup.sealed_stream import BackupRefused
from controller.catalogue import Language
from controller.config import ConfigRefused, read_config
from controller.config.profile import PROFILES
from controller.config.profile_file import read_derived
from controller.core.custody.complaints import RecordComplaint
from controller.core.words import Person, Role
from controller.journal.codec import canonical_digest
from controller.journal.errors import JournalError
from controller.journal.export import export
from controller.journal.mark import begun_path, decode_mark, encode_mark, mark_at, mark_note, read_mark_file
from controller.journal.progress import Check, Wanted
from controller.journal.proof import check_proof
from controller.journal.proof import prove as proof_of
from controller.journal.seals import SealKey, SealStore, open_key
from controller.journal.signing import key_path, public_path
from controller.journal.storage import DirectoryReader, DirectoryStorage, Storage
from controller.journal.verify import entries_of, tip_now, verify
from controller.journal.words import words_of
from controller.journal.writer_logic import WriterLogic, perform
from controller.runtime.boot import Binding, begin, inspect_journal
from controller.runtime.clock import WallTime
from controller.runtime.kernel import Runtime
from controller.runtime.replay import replay
from controller.staff import StaffRefused, load_staff
from simulators.demo.house import furnish
from simulators.demo.options import DemoOptions
from simulators.disk import MemoryStorage
from simulators.world.batch import usual_tracks
from simulators.world.games import world_game
from simulators.world.installation import SIGNER
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end

WORDS: Final = "words"
"""The table with typed words; the others are named by their profiles."""

SAID: Final = ("17 was paid as 18", "não foi assim")
"""The typed words."""

BACKED_UP: Final = (WORDS, "pt-shoe", "pt-roulette")
"""The tables with a backup, which does not compress; a loaded shuffler has a journal of half a megabyte."""

SHELF: Final = "shelf.tar.xz"
LARGEST: Final = 2_000_000
"""Bytes of a whole shelf, packed."""

_ROUNDS: Final = 2
_CASINO: Final = X25519PrivateKey.from_private_bytes(bytes(range(32)))
_OWN_PROFILE: Final = 'name = "own"\nderived_from = "{profile}"\n[parameters]\n'
_FIRST, _LAST = 2, 5  # the entries of the proof


def played(profile: str) -> tuple[MemoryStorage, str]:
    """Plays a whole world; returns its journal, and the id of its table."""
    world = world_game(profile).make(WorldPlan(1, _ROUNDS, profile=profile, tracks=usual_tracks(profile)))
    run_to_end(world)
    return world.host.disk.storage, world.host.installation.setup.table


def lay(out: Path, tables: Iterable[tuple[str, str, Callable[[], tuple[MemoryStorage, str]]]]) -> None:
    """Puts each table on a shelf; a table is given by its name, its profile, and the function that plays it."""
    for name, profile, play in tables:
        storage, table = play()
        _lay_table(out / name, profile, storage, table)


def with_words() -> tuple[MemoryStorage, str]:
    """Plays a world with additional late complaints, which have the players' words; returns disk and table's id."""
    storage, table = played("pt-shoe")
    run = Continued(storage)
    for number, words in enumerate(SAID, 1):
        act = RecordComplaint(Person(11), Role.DEALER, seat=number, words=words)
        run.runtime.act(number, act, 0.0)
    run.end()
    return storage, table


def every_table() -> Iterator[tuple[str, str, Callable[[], tuple[MemoryStorage, str]]]]:
    for profile in PROFILES:
        yield profile, profile, partial(played, profile)
    yield WORDS, "pt-shoe", with_words


class Continued:
    """A controller of this program, started from a journal, without devices."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        looked = inspect_journal(storage, key=SIGNER.public_key)
        assert looked.folded.state is not None
        self.began = looked.folded.state
        booted = begin(storage, looked, Binding(self.began.setup, "shelf", "shelf", "sabot", SIGNER.public_key))
        assert booted.tip is not None
        seals = SealStore(SealKey(bytes(32), created=False), storage, bytes)
        self.runtime = Runtime(booted.start, {}, seals, lambda: WallTime(1_800_000_000_000, True), 0.0, SIGNER.sign)
        self._writer = WriterLogic(booted.tip)

    def end(self) -> None:
        """Stops the controller in order, and writes everything to the disk."""
        self.runtime.stop(0.0)
        while (batch := self.runtime.next_batch(0.0)) is not None:
            for step in self._writer.begin(batch):
                perform(self._storage, step)
            self._writer.succeeded()
            self.runtime.journal_durable(batch.last_seq, self._writer.durable.head, 0.0)


def _lay_table(place: Path, profile: str, storage: MemoryStorage, table: str) -> None:
    options = DemoOptions(profile=profile, tracks=usual_tracks(profile), id=table)
    furnish(place, Language.EN, options)
    _make_movable(place)
    journal = place / "journal"
    journal.mkdir()
    for file in storage.list():
        (journal / file.name).write_bytes(storage.read(file.name))
    (place / "state").mkdir()
    for path, secret in ((key_path(journal), SIGNER_KEY), (place / "state/seal.key", bytes(32))):
        path.write_bytes(secret)
        path.chmod(0o600)
    public_path(journal).write_bytes(SIGNER.public_file())
    tip, sessions, tree = tip_now(journal)
    mark = mark_at(tip, tree, session=sessions, table=table, epoch=1)
    begun_path(journal).write_bytes(encode_mark(mark, SIGNER))
    export(journal, place / "export.txt", SIGNER)
    with DirectoryReader(journal) as reader:
        (place / "proof.txt").write_bytes(proof_of(reader, mark_note(mark, SIGNER), _FIRST, _LAST))
    (place / "own.toml").write_text(_OWN_PROFILE.format(profile=profile))
    if place.name in BACKED_UP:
        config = read_config(place / "table.toml", ports_may_be_missing=True)
        make_backup(config, manifest(config, "shelf", 0), _CASINO.public_key(), place / "table.backup")
    result, verified = replay(journal), verify(journal)
    rows: dict[str, object] = {"entries": result.entries, "state_digest": result.state_digest, "head": verified.head}
    rows |= {"words": _texts(journal)}
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in rows.items())
    (place / "expected.toml").write_text("".join(lines), "utf-8")


SIGNER_KEY: Final = bytes(32)


def _make_movable(place: Path) -> None:
    """Names journal, staff file and state relative to the configuration, so that all of them can be moved together."""
    file = place / "table.toml"
    text = file.read_text("utf-8")
    for name in ("journal", "staff.toml", "state"):
        text = text.replace(f'"{place.resolve()}/{name}"', f'"{name}"')
    file.write_text(text.replace(str(place.resolve()), "/run/sabot"), "utf-8")


def _texts(journal: Path) -> list[str]:
    """Returns the typed words of a journal, sorted."""
    with DirectoryReader(journal) as storage:
        return sorted(one.text for one in words_of(storage).values())


def pack(shelf: Path, out: Path) -> None:
    """Packs the shelf into one file."""
    with tarfile.open(out, "w:xz") as archive:
        for path in sorted(one for one in shelf.rglob("*") if one.is_file()):
            member = tarfile.TarInfo(str(path.relative_to(shelf)))
            data = path.read_bytes()
            member.size, member.mode = len(data), path.stat().st_mode & 0o700
            archive.addfile(member, BytesIO(data))


def unpack(file: Path, out: Path) -> list[Path]:
    """Unpacks a shelf, and returns the directories of its tables."""
    with tarfile.open(file) as archive:
        archive.extractall(out, filter="data")
    return sorted(one for one in out.iterdir() if one.is_dir())


# ---- duties of a later version with a table


BROKEN: Final = (
    *(BackupRefused, ConfigRefused, JournalError, StaffRefused),
    *(AssertionError, AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError),
)
"""Refusals, and crashes of a program that cannot read the shelf."""


def failures(table: Path, aside: Path) -> list[str]:
    """Checks a table of the shelf with this program, and returns the names of all failed checks.

    `aside`: a working directory that does not exist yet.
    """
    aside.mkdir(parents=True)
    failed = []
    for name, check in CHECKS.items():
        try:
            well = check(table, aside)
        except BROKEN as error:
            failed.append(f"{name} ({type(error).__name__}: {error})")
            continue
        if not well:
            failed.append(name)
    return failed


def restated(table: Path, digest: str) -> Path:
    """Returns the table, with `digest` as its last state's: a later version's state has more fields."""
    path = table / "expected.toml"
    line = f'state_digest = "{digest}"'
    path.write_text(re.sub(r'^state_digest = ".*"$', line, path.read_text(), flags=re.MULTILINE))
    return table


def _expected(table: Path) -> dict[str, object]:
    return tomllib.loads((table / "expected.toml").read_text("utf-8"))


def _wanted() -> Wanted:
    return Wanted(SIGNER.public_key)


def _verifies(path: Path, table: Path) -> bool:
    found, expected = verify(path, _wanted()), _expected(table)
    return (found.ok, found.entries, found.head) == (True, expected["entries"], expected["head"])


def _journal_verifies(table: Path, _aside: Path) -> bool:
    return _verifies(table / "journal", table)


def _mark_is_read(table: Path, _aside: Path) -> bool:
    mark = decode_mark(read_mark_file(begun_path(table / "journal")) or b"", SIGNER.public_key)
    return mark is not None and mark.head == _expected(table)["head"]


def _export_verifies(table: Path, _aside: Path) -> bool:
    return _verifies(table / "export.txt", table) and verify(table / "export.txt", _wanted()).signature is Check.VALID


def _replays(path: Path, table: Path) -> bool:
    result, expected = replay(path), _expected(table)
    found = (result.ok, result.entries, result.state_digest)
    return found == (True, expected["entries"], expected["state_digest"])


def _journal_replays(table: Path, _aside: Path) -> bool:
    return _replays(table / "journal", table)


def _export_replays(table: Path, _aside: Path) -> bool:
    return _replays(table / "export.txt", table)


def _proof_holds(table: Path, _aside: Path) -> bool:
    found = check_proof((table / "proof.txt").read_bytes(), SIGNER.public_key)
    return found.wrong is None and [one.seq for one in found.entries] == [*range(_FIRST, _LAST + 1)]


def _words_are_read(table: Path, _aside: Path) -> bool:
    texts = _texts(table / "journal")
    return texts == _expected(table)["words"] and set(texts) >= (set(SAID) if table.name == WORDS else set())


def _cards_are_opened(table: Path, _aside: Path) -> bool:
    """True where the table's key opens the seal of each face-down card of the journal."""
    journal = table / "journal"
    key = open_key(table / "state/seal.key", journal=journal, randomness=bytes)
    read = (json.loads(bytes(entry.body)) for entry in entries_of(journal) if entry.kind == "card-read")
    sealed = [body["commitment"] for body in read if body["commitment"] is not None]
    with DirectoryReader(journal) as storage:
        store = SealStore(key, storage, bytes)
        return not key.created and None not in map(store.open, sealed)


def _configuration_is_read(table: Path, _aside: Path) -> bool:
    config = read_config(table / "table.toml", ports_may_be_missing=True)
    return config.journal == table / "journal" and len(load_staff(config.staff).people) == 7


def _own_profile_is_read(table: Path, _aside: Path) -> bool:
    return read_derived(table / "own.toml").name == "own"


def _backup_is_restored(table: Path, aside: Path) -> bool:
    if table.name not in BACKED_UP:
        return not (table / "table.backup").exists()
    place = aside / "restored"
    (place / "state").mkdir(parents=True)  # the package makes it
    restored = restore(table / "table.backup", _CASINO, place / "table.toml")
    return restored.entries == _expected(table)["entries"] and _verifies(place / "journal", table)


def _goes_on(table: Path, aside: Path) -> bool:
    """True where this program starts from the table's journal in the same state, appends entries, and verifies all."""
    journal = aside / "journal"
    with DirectoryReader(table / "journal") as reader, DirectoryStorage(journal) as storage:
        for file in reader.list():
            storage.append(file.name, reader.read(file.name))
            storage.sync(file.name)
        run = Continued(storage)
        begins_as_then = canonical_digest(run.began) == _expected(table)["state_digest"]
        run.end()
    after = replay(journal)
    is_whole = verify(journal, _wanted()).ok and after.ok and begins_as_then
    return is_whole and after.entries > int(str(_expected(table)["entries"]))


CHECKS: Final[dict[str, Callable[[Path, Path], bool]]] = {
    "journal verifies": _journal_verifies,
    "mark is read": _mark_is_read,
    "journal replays": _journal_replays,
    "export verifies": _export_verifies,
    "export replays": _export_replays,
    "proof holds": _proof_holds,
    "words are read": _words_are_read,
    "cards are opened": _cards_are_opened,
    "configuration is read": _configuration_is_read,
    "own profile is read": _own_profile_is_read,
    "backup is restored": _backup_is_restored,
    "table goes on": _goes_on,
}
