"""`sabot journal prove PATH`: writes a proof that some entries are in the journal. The proof can be checked without the
journal.

Making a proof needs no secret key, only the right to read the journal: the proof contains the mark's signature.
"""

import os
import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.named_files import write_named
from controller.cli.talk import Talk, quoted
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.journal.note import Note

_SPAN: Final = re.compile(r"([1-9][0-9]{0,17})(?::([1-9][0-9]{0,17}))?")
_HOLD: Final = re.compile(r"[Hh]?([1-9][0-9]{0,8})")


def add_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--round", type=int, metavar="N", help=words("cli.option.prove-round"))
    which.add_argument("--hold", type=_hold, metavar="H3", help=words("cli.option.prove-hold"))
    which.add_argument("--entry", type=_entries, metavar="A:B", help=words("cli.option.prove-entry"))
    parser.add_argument("--session", type=int, metavar="N", help=words("cli.option.show-session"))
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--counted", action="store_true", help=words("cli.option.prove-counted"))
    form.add_argument("--tlog-proof", action="store_true", help=words("cli.option.prove-tlog"))
    parser.add_argument("--public-key", type=Path, metavar="FILE", help=words("cli.option.prove-key"))
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=words("cli.option.out"))


def _entries(text: str) -> tuple[int, int]:
    found = _SPAN.fullmatch(text)
    if found is None or (span := (int(found[1]), int(found[2] or found[1])))[0] > span[1]:
        raise ArgumentTypeError(text)
    return span


def _hold(text: str) -> int:
    found = _HOLD.fullmatch(text)
    if found is None:
        raise ArgumentTypeError(text)
    return int(found[1])


def prove(arguments: Namespace, talk: Talk) -> ExitCode:
    """Writes the proof to a file and prints which entries it proves. Returns 0.

    Raises CliFailure if nothing can be proved, before a file is written, and if the file cannot be written.
    """
    from controller.journal.cosigned import note_for
    from controller.journal.errors import NotProved
    from controller.journal.export import belongs_to_journal
    from controller.journal.proof import prove as proof_of
    from controller.journal.proof import prove_alone
    from controller.journal.signing import public_path, read_public_key
    from controller.journal.storage import DirectoryReader
    from controller.record.selected import opening_before

    journal, out = Path(os.path.realpath(arguments.path)), arguments.out
    if not journal.is_dir():
        raise CliFailure(ExitCode.USAGE, "prove-no-directory", path=str(arguments.path))
    if belongs_to_journal(out, journal):
        raise CliFailure(ExitCode.USAGE, "export-into-journal", out=str(out), path=str(arguments.path))
    if out.exists() or out.is_symlink():
        raise CliFailure(ExitCode.USAGE, "export-exists", out=str(out))
    key = read_public_key(arguments.public_key or public_path(journal))
    try:
        first, last = _span(arguments, journal)
        if arguments.tlog_proof and first != last:
            raise CliFailure(ExitCode.USAGE, "prove-one-entry", first=str(first), last=str(last))
        if arguments.counted:
            first = opening_before(journal, first)
        note = note_for(journal, key, last)
        with DirectoryReader(journal) as storage:
            alone = arguments.tlog_proof
            data = prove_alone(storage, note, first) if alone else proof_of(storage, note, first, last)
    except NotProved as error:
        raise CliFailure(ExitCode.FAILED, f"prove-{error.reason}", **error.values) from error
    write_named(out, data)
    talk.document({"ok": True, "out": str(out), "first": first, "last": last, "bytes": len(data)} | _mark_of(note))
    values = {"first": str(first), "last": str(last), "bytes": str(len(data))}
    talk.result(talk.words("cli.journal.proved", out=str(out), **values))
    _say_mark(note, talk)
    return ExitCode.OK


def _mark_of(note: "Note") -> dict[str, object]:
    """Returns the number of entries under the proof's mark, and the names of the mark's other signers.

    The names are not checked, since `sabot journal prove` does not know the signers' keys.
    """
    from controller.journal.mark import read_mark

    return {"size": read_mark(note.text)[0].seq, "witnesses": [one.name for one in note.signatures[1:]]}


def _say_mark(note: "Note", talk: Talk) -> None:
    found = _mark_of(note)
    names = ", ".join(one.name for one in note.signatures[1:])
    key = "proved-witnessed" if names else "proved-alone"
    talk.result(quoted(talk.words(f"cli.journal.{key}", size=str(found["size"]), witnesses=names)))


def _span(arguments: Namespace, journal: Path) -> tuple[int, int]:
    from controller.record.selected import of_hold, of_round

    if arguments.entry is not None:
        span: tuple[int, int] = arguments.entry
        return span
    if arguments.round is not None:
        return of_round(journal, arguments.round, arguments.session)
    return of_hold(journal, arguments.hold, arguments.session)
