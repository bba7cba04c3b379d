"""`sabot journal verify PATH`: whether a journal or an export verifies, and against what it was held."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.journal_prove import verify_proof
from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.journal.note import NoteKey
    from controller.journal.progress import Fault, Verification


def verify(arguments: Namespace, talk: Talk) -> ExitCode:
    """0 where everything verifies; what was compared, and what was not, is said."""
    from controller.journal.noted import read_noted
    from controller.journal.progress import Wanted
    from controller.journal.proof import is_proof
    from controller.journal.signing import read_public_key
    from controller.journal.verify import verify as verified

    witnesses = witness_keys(arguments.witness)
    if not arguments.path.is_dir() and is_proof(arguments.path):
        return verify_proof(arguments, talk, witnesses)
    wanted = Wanted(
        None if arguments.public_key is None else read_public_key(arguments.public_key),
        None if arguments.head is None else read_noted(arguments.head),
    )
    found = verified(arguments.path, wanted)
    signed = _signed(arguments.path, wanted.public_key)
    witnessed: dict[str, object] = {}
    is_one = True
    if witnesses:
        witnessed["witnesses"], is_one = _seen(arguments.path, wanted.public_key, witnesses, talk)
    talk.document(
        _besides(found)
        | witnessed
        | ({} if signed is None else {"signed": signed})
        | {
            "ok": found.ok and is_one,
            "entries": found.entries,
            "head": found.head,
            "first_bad": found.first_bad,
            "reason": None if found.reason is None else found.reason.value,
            "signature": found.signature.value,
            "anchor": found.anchor.value,
        }
    )
    _say_besides(found, talk)
    values = {"entries": str(found.entries), "head": found.head}
    if found.ok:
        talk.result(talk.words("cli.journal.verified", **values))
        _say_what_was_compared(found, talk, is_key=arguments.public_key is not None)
        if signed is not None:
            talk.result(talk.words("cli.journal.signed-up-to", signed=str(signed)))
        return ExitCode.OK if is_one else ExitCode.FAILED
    bad = {"first_bad": str(found.first_bad), "reason": str(found.reason)}
    key = "cli.journal.bad-and-goes-on" if found.goes_on else "cli.journal.not-verified"
    talk.result(talk.words(key, **values, **bad))
    return ExitCode.FAILED


def witness_keys(named: Sequence[str]) -> "tuple[NoteKey, ...]":
    """The keys of witnesses, each given as C2SP writes it or as a file that has it. CliFailure."""
    from controller.journal.errors import CodecError
    from controller.journal.note import read_key

    try:
        return tuple(read_key(_text_of(one)) for one in named)
    except (CodecError, OSError, UnicodeDecodeError) as error:
        raise CliFailure(ExitCode.USAGE, "no-witness-key", keys=", ".join(named)) from error


def _seen(path: Path, key: str | None, witnesses: "Sequence[NoteKey]", talk: Talk) -> tuple[list[object], bool]:
    from controller.cli.journal_cosign import seen_here

    if key is None or not path.is_dir():
        raise CliFailure(ExitCode.USAGE, "witness-of-a-directory", path=str(path))
    return seen_here(path, key, witnesses, talk)


def _text_of(named: str) -> str:
    return named if "+" in named else Path(named).read_text("utf-8")


def _signed(path: Path, key: str | None) -> int | None:
    """The last entry of a directory that a mark beside it covers, 0 where none does; None: not asked."""
    from controller.journal.mark import begun_path, decode_marks, last_covered, read_mark_file
    from controller.journal.storage import DirectoryReader

    if key is None or not path.is_dir():
        return None
    with DirectoryReader(path) as storage:
        covered = last_covered(storage, decode_marks(read_mark_file(begun_path(path)) or b"", key))
    return 0 if covered is None else covered.seq


def _besides(found: "Verification") -> dict[str, object]:
    """What retention has removed, which damages people have closed, and what is wrong besides those."""
    gone, beyond = found.removed, found.beyond
    told: dict[str, object] = {}
    if found.closed:
        told["closed"] = [_fault(fault) for fault in found.closed]
        told["beyond"] = None if beyond is None else _fault(beyond)
    if gone is not None:
        told["removed"] = {"entries": gone.first_seq - 1, "head": gone.head, "acknowledged": gone.acknowledged}
    return told


def _fault(fault: "Fault") -> dict[str, object]:
    return {"first_bad": fault.first_bad, "reason": fault.reason.value}


def _say_besides(found: "Verification", talk: Talk) -> None:
    if (gone := found.removed) is not None:
        values = {"entries": str(gone.first_seq - 1), "head": gone.head, "code": gone.acknowledged}
        talk.result(talk.words("cli.journal.begins-behind", **values))
    for fault in found.closed:
        talk.result(talk.words("cli.journal.closed", entry=str(fault.first_bad), reason=fault.reason.value))
    if (beyond := found.beyond) is not None and found.closed:
        talk.result(talk.words("cli.journal.beyond", entry=str(beyond.first_bad), reason=beyond.reason.value))


def _say_what_was_compared(found: "Verification", talk: Talk, *, is_key: bool) -> None:
    from controller.journal.progress import Check

    if found.signature is Check.VALID:
        talk.result(talk.words("cli.journal.signature-right"))
    talk.result(talk.words("cli.journal.key-compared" if is_key else "cli.journal.key-not-compared"))
    is_code = found.anchor is Check.VALID
    talk.result(talk.words("cli.journal.code-compared" if is_code else "cli.journal.code-not-compared"))
