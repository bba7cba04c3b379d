"""`sabot journal verify PATH`: verifies a journal, an export or a proof, and prints what it was compared with."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.journal_prove import page_in, say_seen, verify_proof
from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.journal.history import History
    from controller.journal.note import Note, NoteKey
    from controller.journal.progress import Fault, Verification
    from controller.journal.tree import Tree


def verify(arguments: Namespace, talk: Talk) -> ExitCode:
    """Verifies the file or directory, and prints what was compared and what was not.

    Returns 0 where all of it verifies, no mark signs another tree, and each named witness has seen this history and no
    other. Raises CliFailure, StorageFailed, SigningKeyRefused, BadNotedCode.
    """
    from controller.journal.noted_code import read_noted
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
        () if arguments.seen is None else _notes_of(arguments.seen),
    )
    if witnesses and wanted.public_key is None:
        raise CliFailure(ExitCode.USAGE, "witness-needs-key", path=str(arguments.path))
    found = verified(arguments.path, wanted)
    signed = _signed(arguments.path, wanted.public_key)
    key, tree = wanted.public_key or found.history.key, found.history.tree
    witnessed, is_one = seen_here(found.history, key, witnesses, talk)
    is_one = _is_the_marks_tree(found.history, key, talk) and is_one
    talk.document(
        _besides(found)
        | ({"witnesses": witnessed} if witnesses else {})
        | ({} if signed is None else {"signed": signed})
        | ({} if wanted.public_key is None or tree is None else {"tree": _tree(tree)})
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
        talk.result(talk.words("cli.journal.verified" if is_one else "cli.journal.verified-alone", **values))
        if tree is not None:
            talk.result(talk.words("cli.journal.tree", root=tree.root().hex()))
        _say_what_was_compared(found, talk, is_key=arguments.public_key is not None)
        if signed is not None:
            talk.result(talk.words("cli.journal.signed-up-to", signed=str(signed)))
        return ExitCode.OK if is_one else ExitCode.FAILED
    bad = {"first_bad": str(found.first_bad), "reason": str(found.reason)}
    key = "cli.journal.bad-and-goes-on" if found.goes_on else "cli.journal.not-verified"
    talk.result(talk.words(key, **values, **bad))
    return ExitCode.FAILED


def witness_keys(named: Sequence[str]) -> "tuple[NoteKey, ...]":
    """The keys of witnesses, each given in C2SP's form or as a file with such a key. Raises CliFailure."""
    from controller.journal.errors import CodecError
    from controller.journal.note import read_key

    try:
        return tuple(read_key(_text_of(one)) for one in named)
    except (CodecError, OSError, UnicodeDecodeError) as error:
        raise CliFailure(ExitCode.USAGE, "no-witness-key", keys=", ".join(named)) from error


def _notes_of(path: Path) -> "tuple[Note, ...]":
    """The notes in a witness's file, or the mark of a printed round. Raises StorageFailed."""
    from controller.journal.note import LARGEST_NOTE, decode_notes
    from controller.journal.storage import open_file, reported

    page = page_in(path)
    if page is not None:
        return (page.note,)
    with reported("read", str(path)), open_file(path) as file:
        return tuple(decode_notes(file.read(LARGEST_NOTE)))


def seen_here(history: "History", key: str, witnesses: "Sequence[NoteKey]", talk: Talk) -> tuple[list[object], bool]:
    """Prints the last entry of this history that each witness has seen. `key`: the table's public key.

    Returns these entries as data for JSON, and True where each witness has seen this history and none another one.
    """
    documents: list[object] = []
    is_one = True
    for witness in witnesses:
        same, other = history.seen_by(witness, key)
        documents.append(
            {
                "witness": witness.name,
                "entry": 0 if same is None else same.seq,
                "time": None if same is None else same.when,
                "other": None if other is None else other.seq,
            }
        )
        is_one = is_one and same is not None and other is None
        if other is not None:
            talk.result(talk.words("cli.journal.seen-another", witness=witness.name, seq=str(other.seq)))
        elif same is None:
            talk.result(talk.words("cli.journal.not-seen-by", witness=witness.name))
        else:
            say_seen(same, talk)
    return documents, is_one


def _tree(tree: "Tree") -> dict[str, object]:
    return {"size": tree.size, "root": tree.root().hex()}


def _is_the_marks_tree(history: "History", key: str, talk: Talk) -> bool:
    """True unless a mark of this table signs another tree than the tree of the entries. Prints a sentence for False."""
    other = history.other_tree(key)
    if other is not None:
        talk.result(talk.words("cli.journal.other-tree", seq=str(other.seq)))
    return other is None


def _text_of(named: str) -> str:
    return named if "+" in named else Path(named).read_text("utf-8")


def _signed(path: Path, key: str | None) -> int | None:
    """The last entry that a mark beside the directory covers, 0 without a mark; None without a key or a directory."""
    from controller.journal.mark import begun_path, decode_marks, last_covered, read_mark_file
    from controller.journal.storage import DirectoryReader

    if key is None or not path.is_dir():
        return None
    with DirectoryReader(path) as storage:
        covered = last_covered(storage, decode_marks(read_mark_file(begun_path(path)) or b"", key))
    return 0 if covered is None else covered.seq


def _besides(found: "Verification") -> dict[str, object]:
    """The entries that retention removed, the damages that people closed, and the fault beyond them, as data."""
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
