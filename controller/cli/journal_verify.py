"""`sabot journal verify PATH`: verifies a journal, an export or a proof, and prints what it was compared with."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.journal_proof import verify_proof
from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.journal.history import History
    from controller.journal.note import NoteKey
    from controller.journal.progress import Fault, Verification
    from controller.journal.tree import Tree


def verify(arguments: Namespace, talk: Talk) -> ExitCode:
    """Verifies the file or directory, and prints what was compared and what was not.

    Returns 0 if all of it verifies, no mark signs another tree, each named witness has seen this history and no
    other, and the file of `--seen` was compared and agrees. Raises CliFailure, StorageFailed, SigningKeyRefused,
    BadNotedCode.
    """
    from controller.cli.journal_seen import compared, read_seen, seen_here
    from controller.journal.noted_code import read_noted
    from controller.journal.progress import Wanted
    from controller.journal.proof import is_proof
    from controller.journal.signing import read_public_key
    from controller.journal.verify import verify as verified

    witnesses = witness_keys(arguments.witness)
    file = None if arguments.seen is None else read_seen(arguments.seen)
    if not arguments.path.is_dir() and is_proof(arguments.path):
        return verify_proof(arguments, talk, witnesses, file)
    wanted = Wanted(
        None if arguments.public_key is None else read_public_key(arguments.public_key),
        None if arguments.head is None else read_noted(arguments.head),
        () if file is None else file.notes,
    )
    if witnesses and wanted.public_key is None:
        raise CliFailure(ExitCode.USAGE, "witness-needs-key", path=str(arguments.path))
    found = verified(arguments.path, wanted)
    signed = _signed(arguments.path, wanted.public_key)
    key, tree = wanted.public_key or found.history.key, found.history.tree
    told = seen_here(found.history, key, witnesses, talk)
    is_of = None if file is None else compared(file, found.history, key, witnesses)
    lines = [*told.lines, *(others := _other_tree(found.history, key, talk))]
    if is_of is not None and not told.says(is_of.outcome):
        lines.append(is_of.sentence(talk, found.history.ends or found.entries))
    is_wrong = not found.ok or told.is_other or bool(others) or (is_of is not None and is_of.is_wrong)
    is_well = not is_wrong and told.is_seen and (is_of is None or is_of.is_same)
    talk.document(
        _besides(found)
        | ({"witnesses": told.documents} if witnesses else {})
        | ({} if is_of is None else {"seen": is_of.document})
        | ({} if signed is None else {"signed": signed})
        | ({} if wanted.public_key is None or tree is None else {"tree": _tree(tree)})
        | {
            "ok": is_well,
            "entries": found.entries,
            "head": found.head,
            "first_bad": found.first_bad,
            **({} if found.line is None else {"line": found.line}),
            "reason": None if found.reason is None else found.reason.value,
            "signature": found.signature.value,
            "anchor": found.anchor.value,
        }
    )
    _say_verdict(found, talk, is_well=is_well, is_wrong=is_wrong)
    for line in lines:
        talk.result(line)
    _say_besides(found, talk)
    if found.ok:
        if tree is not None:
            talk.result(talk.words("cli.journal.tree", root=tree.root().hex()))
        _say_what_was_compared(found, talk, is_key=arguments.public_key is not None)
        if signed is not None:
            said = "signed-up-to" if signed else "signed-nothing"
            talk.result(talk.words(f"cli.journal.{said}", signed=str(signed)))
    return ExitCode.OK if is_well else ExitCode.FAILED


def _say_verdict(found: "Verification", talk: Talk, *, is_well: bool, is_wrong: bool) -> None:
    """Prints the verdict. The caller prints the reasons for it afterwards."""
    values = {"entries": str(found.entries), "head": found.head}
    if found.ok:
        verdict = "verified" if is_well else "verified-alone" if is_wrong else "verified-open"
        talk.result(talk.words(f"cli.journal.{verdict}", **values))
        return
    bad = {"place": _place(found, talk), "reason": str(found.reason)}
    key = "cli.journal.bad-and-goes-on" if found.goes_on else "cli.journal.not-verified"
    talk.result(talk.words(key, **values, **bad))


def _place(found: "Verification", talk: Talk) -> str:
    """Returns the place of the first fault in words: the entry, and for an export the line, since not every line is an
    entry.
    """
    values = {"entry": str(found.first_bad), "line": str(found.line)}
    if found.line is None:
        return talk.words("cli.journal.at-entry", **values)
    return talk.words("cli.journal.at-entry-line" if found.is_entry_line else "cli.journal.at-line", **values)


def witness_keys(named: Sequence[str]) -> "tuple[NoteKey, ...]":
    """Returns the witnesses' keys. Each is given in C2SP's form, or as a file that contains such a key. Raises
    CliFailure.
    """
    from controller.journal.errors import CodecError
    from controller.journal.note import read_key

    try:
        return tuple(read_key(_text_of(one)) for one in named)
    except (CodecError, OSError, UnicodeDecodeError) as error:
        raise CliFailure(ExitCode.USAGE, "no-witness-key", keys=", ".join(named)) from error


def _tree(tree: "Tree") -> dict[str, object]:
    return {"size": tree.size, "root": tree.root().hex()}


def _other_tree(history: "History", key: str, talk: Talk) -> list[str]:
    """Returns a sentence if a mark of this table signs a tree that the entries do not give; else nothing."""
    other = history.other_tree(key)
    return [] if other is None else [talk.words("cli.journal.other-tree", seq=str(other.seq))]


def _text_of(named: str) -> str:
    return named if "+" in named else Path(named).read_text("utf-8")


def _signed(path: Path, key: str | None) -> int | None:
    """Returns the last entry that a mark beside the journal's directory covers, 0 if none does; None without a key or
    for a file.
    """
    from controller.journal.mark import begun_path, decode_marks, last_covered, read_mark_file
    from controller.journal.storage import DirectoryReader

    if key is None or not path.is_dir():
        return None
    with DirectoryReader(path) as storage:
        covered = last_covered(storage, decode_marks(read_mark_file(begun_path(path)) or b"", key))
    return 0 if covered is None else covered.seq


def _besides(found: "Verification") -> dict[str, object]:
    """Returns as data: entries that retention removed, entries whose words were deleted, unsynchronised times, damages
    that people closed, and the fault after them.
    """
    gone, beyond = found.removed, found.beyond
    told: dict[str, object] = {}
    if found.unsynced:
        told["clock_not_synchronised"] = found.unsynced
    if found.without_words:
        told["without_words"] = [{"entry": seq, "state": state} for seq, state in found.without_words]
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
    if found.ok and found.unsynced:
        values = {"count": str(found.unsynced), "all": str(found.entries)}
        talk.result(talk.words("cli.journal.clock-not-synced", **values))
    for state in ("forgotten", "lost"):
        if entries := [str(seq) for seq, why in found.without_words if why == state]:
            talk.result(talk.words(f"cli.journal.words-{state}-in", entries=", ".join(entries)))
    if (beyond := found.beyond) is not None and found.closed:
        talk.result(talk.words("cli.journal.beyond", entry=str(beyond.first_bad), reason=beyond.reason.value))


def _say_what_was_compared(found: "Verification", talk: Talk, *, is_key: bool) -> None:
    from controller.journal.progress import Check

    if found.signature is Check.VALID:
        talk.result(talk.words("cli.journal.signature-right"))
    talk.result(talk.words("cli.journal.key-compared" if is_key else "cli.journal.key-not-compared"))
    is_code = found.anchor is Check.VALID
    talk.result(talk.words("cli.journal.code-compared" if is_code else "cli.journal.code-not-compared"))
