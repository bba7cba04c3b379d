"""`sabot journal forget`: deletes the words that a person typed with an act. The entry keeps the commitment to the
words.

Room manager and chief supervisor permit the deletion with their PINs, once the configured number of days is over by a
trusted clock. A deletion cannot be undone. The controller must be stopped, and its next start records the deletion.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.talk import Talk
from controller.cli.two_people import add_people, check_people
from controller.core.words import Role
from controller.machine.clock import is_trusted
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.support import here_today

if TYPE_CHECKING:
    from controller.config import Config
    from controller.journal.entry import Entry
    from controller.journal.storage import DirectoryStorage

_MS = 1000


def add_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--entry", type=int, required=True, metavar="N", help=words("cli.option.forgotten-entry"))
    parser.add_argument("--json", action="store_true", help=words("cli.option.json"))
    add_people(parser, words, pins="pins-of-cut", first=Role.ROOM_MANAGER)


def with_path(arguments: Namespace) -> None:
    """Sets `arguments.table` to the configuration, and `arguments.path` to the path of its journal.

    Raises ConfigRefused.
    """
    from controller.config import read_config

    arguments.table = read_config(arguments.config, ports_may_be_missing=True)
    arguments.path = arguments.table.journal


def forget(arguments: Namespace, talk: Talk) -> ExitCode:
    """Deletes an entry's words in the journal and its copies, after the PINs of a room manager and a chief supervisor.

    Raises CliFailure, JournalLocked, StorageFailed.
    """
    from controller.journal.forgotten import WordsForgotten, note_forgotten
    from controller.journal.storage import DirectoryStorage
    from controller.journal.words import commitments_in, delete_words

    config: Config = arguments.table
    if config.words_kept_days is None:
        raise CliFailure(ExitCode.USAGE, "words-kept-days")
    if not is_trusted():
        raise CliFailure(ExitCode.FAILED, "clock-not-trusted")
    if config.journal_second_copy is not None and not config.journal_second_copy.is_dir():
        raise CliFailure(ExitCode.FAILED, "second-copy-away", path=str(config.journal_second_copy))
    check_people(arguments, config.staff, talk, "words-not-forgotten", Role.ROOM_MANAGER)
    with DirectoryStorage(config.journal) as storage:
        entry = _entry(storage, arguments.entry)
        commitments = commitments_in(bytes(entry.body))
        _check_may_go(entry, commitments, config.words_kept_days)
        today = here_today().isoformat()
        note_forgotten(config.journal, WordsForgotten(arguments.chief, entry.seq, today, arguments.room_manager))
        places = sum(delete_words(directory, commitments) for directory in _copies(config))
    talk.document({"ok": True, "entry": entry.seq, "places": places})
    talk.result(talk.words("cli.journal.words-forgotten", entry=str(entry.seq), places=str(places)))
    return ExitCode.OK


def _entry(storage: "DirectoryStorage", seq: int) -> "Entry":
    from controller.journal.entry import decode_entry
    from controller.journal.recovery import find_record

    found = find_record(storage, seq)
    if found is None:
        raise CliFailure(ExitCode.FAILED, "no-such-entry", entry=str(seq))
    return decode_entry(found[1].payload, seq=seq)


def _check_may_go(entry: "Entry", commitments: tuple[str, ...], days: int) -> None:
    """Raises CliFailure if the entry has no words that can be deleted, or if it is less than `days` old."""
    if not commitments:
        raise CliFailure(ExitCode.FAILED, "no-words", entry=str(entry.seq))
    until = datetime.fromtimestamp(entry.wall_ms // _MS).astimezone().date() + timedelta(days=days)
    if here_today() < until:
        raise CliFailure(ExitCode.FAILED, "words-too-early", entry=str(entry.seq), day=until.isoformat())


def _copies(config: "Config") -> Iterator[Path]:
    """Yields the directories of the journal, its second copy, and the copies set aside (`NAME.unsigned...`)."""
    from controller.record.decommission import set_aside

    for path in filter(None, (config.journal, config.journal_second_copy)):
        yield path
        yield from (one for one in set_aside(path) if one.is_dir())
