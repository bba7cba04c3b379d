"""`sabot journal prove PATH`: writes a proof that some entries are in the journal; checking it needs no journal.

A proof needs no key, only the right to read the journal: its signature is the mark's. This module also checks a proof,
for `sabot journal verify FILE`.
"""

import re
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.talk import Talk, cannot_write, quoted
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.journal.cosigned import Seen
    from controller.journal.note import NoteKey
    from controller.journal.page import Page
    from controller.journal.proof import Checked

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
    """Writes the proof to a file and prints the proven entries. Returns OK.

    Raises CliFailure where nothing can be proven, before any file is written, and where the file cannot be written.
    """
    from controller.journal.cosigned import note_for
    from controller.journal.errors import NotProved
    from controller.journal.proof import prove as proof_of
    from controller.journal.proof import prove_alone
    from controller.journal.signing import public_path, read_public_key
    from controller.journal.storage import DirectoryReader
    from controller.record.selected import opening_before

    journal, out = arguments.path.resolve(), arguments.out
    if not journal.is_dir():
        raise CliFailure(ExitCode.USAGE, "prove-no-directory", path=str(arguments.path))
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
    try:
        out.write_bytes(data)
    except OSError as error:
        raise cannot_write(out, error) from error
    talk.document({"ok": True, "out": str(out), "first": first, "last": last, "bytes": len(data)})
    values = {"first": str(first), "last": str(last), "bytes": str(len(data))}
    talk.result(talk.words("cli.journal.proved", out=str(out), **values))
    return ExitCode.OK


def _span(arguments: Namespace, journal: Path) -> tuple[int, int]:
    from controller.record.selected import of_hold, of_round

    if arguments.entry is not None:
        span: tuple[int, int] = arguments.entry
        return span
    if arguments.round is not None:
        return of_round(journal, arguments.round, arguments.session)
    return of_hold(journal, arguments.hold, arguments.session)


# --- checking


def page_in(path: Path) -> "Page | None":
    """The page of a printed round as read from its code; None where the file is no page. Raises StorageFailed."""
    from controller.journal.errors import CodecError
    from controller.journal.note import LARGEST_NOTE
    from controller.journal.page import decode_page
    from controller.journal.storage import open_file, reported

    with reported("read", str(path)), open_file(path) as file:
        data = file.read(LARGEST_NOTE)
    try:
        return decode_page(data)
    except CodecError:
        return None


def verify_proof(arguments: Namespace, talk: Talk, witnesses: "Sequence[NoteKey]") -> ExitCode:
    """Checks a proof and prints the result. Returns 0 where the proof is valid and each named witness has signed it.

    Raises CliFailure without the table's public key, and the errors of reading a journal.
    """
    from controller.journal.proof import check_proof, read_proof
    from controller.journal.signing import read_public_key

    if arguments.public_key is None:
        raise CliFailure(ExitCode.USAGE, "proof-needs-key", path=str(arguments.path))
    key, page = read_public_key(arguments.public_key), None if arguments.seen is None else page_in(arguments.seen)
    found = check_proof(read_proof(arguments.path), key, witnesses, page)
    talk.document(_document(found))
    if found.wrong is not None or found.mark is None:
        talk.result(talk.words("cli.journal.not-proved", reason=str(found.wrong)))
        return ExitCode.FAILED
    first, last = found.entries[0].seq, found.entries[-1].seq
    values = {"first": str(first), "last": str(last), "size": str(found.mark.seq), "table": found.mark.table}
    talk.result(talk.words("cli.journal.proof-right", epoch=str(found.mark.epoch), **values))
    if page is not None:
        talk.result(talk.words("cli.journal.is-the-page"))
    if found.round is None:
        talk.result(talk.words("cli.journal.round-not-shown"))
    else:
        opened, number = map(str, found.round)
        talk.result(talk.words("cli.journal.round-shown", opened=opened, round=number))
    for one in found.seen:
        say_seen(one, talk)
    if found.others:
        talk.result(talk.words("cli.journal.others-signed", count=str(found.others)))
    for entry in found.entries:
        values = {"seq": str(entry.seq), "when": _when(entry.wall_ms), "kind": entry.kind}
        talk.result(quoted(talk.words("cli.journal.proved-entry", body=bytes(entry.body).decode(), **values)))
    return ExitCode.OK


def say_seen(one: "Seen", talk: Talk, sentence: str = "seen-by") -> None:
    values = {"witness": one.witness, "seq": str(one.seq), "when": _when(one.when * 1000)}
    talk.result(talk.words(f"cli.journal.{sentence}", **values))


def seen_document(one: "Seen") -> dict[str, object]:
    return {"witness": one.witness, "entry": one.seq, "time": one.when}


def _document(found: "Checked") -> dict[str, object]:
    mark = found.mark
    return {
        "ok": found.wrong is None,
        "reason": None if found.wrong is None else found.wrong.value,
        "entries": [entry.seq for entry in found.entries],
        "table": None if mark is None else mark.table,
        "epoch": None if mark is None else mark.epoch,
        "size": None if mark is None else mark.seq,
        "witnesses": [seen_document(one) for one in found.seen],
        "others": found.others,
        "opened": None if found.round is None else found.round[0],
        "round": None if found.round is None else found.round[1],
    }


def _when(wall_ms: int) -> str:
    return datetime.fromtimestamp(wall_ms // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
