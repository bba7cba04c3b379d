"""`sabot journal verify PATH`: verifies a journal, an export or a proof, and prints the comparisons that were made."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from controller.cli.journal_proof import verify_proof
from controller.cli.named_files import read_named
from controller.cli.talk import Talk
from controller.journal.errors import CodecError, StorageFailed
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.cli.journal_seen import Compared, Told
    from controller.journal.mark import Mark
    from controller.journal.note import NoteKey
    from controller.journal.progress import Fault, Verification

_LARGEST_KEY: Final = 4096  # bytes; a key has about 100


def verify(arguments: Namespace, talk: Talk) -> ExitCode:
    """Verifies the file or directory, and prints which comparisons were made and which were not. Returns 0 if all of
    these are true: everything verifies, no mark signs another tree, each named witness has seen the verified history
    and no other, and the file of `--seen` was compared and agrees. Raises CliFailure, StorageFailed, SigningKeyRefused,
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
    key = wanted.public_key or found.history.key
    checked = _Checked(
        found,
        seen_here(found.history, key, witnesses, talk),
        None if file is None else compared(file, found.history, key, witnesses),
        found.history.other_tree(key),
        _signed(arguments.path, wanted.public_key),
    )
    talk.document(_document(checked, is_witnessed=bool(witnesses), is_key=wanted.public_key is not None))
    _say(checked, talk, is_key=arguments.public_key is not None)
    return ExitCode.OK if checked.is_well else ExitCode.FAILED


class _Checked(Struct, frozen=True, gc=False):
    """The result of a check and of each comparison. `file`: the comparison with the file of `--seen`.

    `other`: a mark that signs another tree. `signed`: the result of `_signed`.
    """

    found: "Verification"
    told: "Told"
    file: "Compared | None"
    other: "Mark | None"
    signed: int | None

    @property
    def is_wrong(self) -> bool:
        is_file_wrong = self.file is not None and self.file.is_wrong
        return not self.found.ok or self.told.is_other or self.other is not None or is_file_wrong

    @property
    def is_well(self) -> bool:
        return not self.is_wrong and self.told.is_seen and (self.file is None or self.file.is_same)


def _document(checked: _Checked, *, is_witnessed: bool, is_key: bool) -> dict[str, object]:
    """Returns the result as data. A comparison is in it only if it was requested."""
    found, tree = checked.found, checked.found.history.tree
    told = _besides(found)
    if is_witnessed:
        told["witnesses"] = checked.told.documents
    if checked.file is not None:
        told["seen"] = checked.file.document
    if checked.signed is not None:
        told["signed"] = checked.signed
    if is_key and tree is not None:
        told["tree"] = {"size": tree.size, "root": tree.root().hex()}
    if found.line is not None:
        told["line"] = found.line
    return told | {
        "ok": checked.is_well,
        "entries": found.entries,
        "head": found.head,
        "first_bad": found.first_bad,
        "reason": None if found.reason is None else found.reason.value,
        "signature": found.signature.value,
        "anchor": found.anchor.value,
    }


def _say(checked: _Checked, talk: Talk, *, is_key: bool) -> None:
    found, file, told = checked.found, checked.file, checked.told
    _say_verdict(checked, talk)
    for line in told.lines:
        talk.result(line)
    if checked.other is not None:
        talk.result(talk.words("cli.journal.other-tree", seq=str(checked.other.seq)))
    if file is not None and not told.says(file.outcome):
        talk.result(file.sentence(talk, found.history.ends or found.entries))
    _say_besides(found, talk)
    if found.ok:
        _say_what_was_compared(checked, talk, is_key=is_key)


def _say_verdict(checked: _Checked, talk: Talk) -> None:
    found = checked.found
    values = {"entries": str(found.entries), "head": found.head}
    if found.ok:
        verdict = "verified" if checked.is_well else "verified-alone" if checked.is_wrong else "verified-open"
        talk.result(talk.words(f"cli.journal.{verdict}", **values))
        return
    bad = {"place": _place(found, talk), "reason": str(found.reason)}
    key = "cli.journal.bad-and-goes-on" if found.goes_on else "cli.journal.not-verified"
    talk.result(talk.words(key, **values, **bad))


def _place(found: "Verification", talk: Talk) -> str:
    """Returns the place of the first fault in words: the entry, and for an export the line.

    The two numbers differ, since not every line is an entry.
    """
    values = {"entry": str(found.first_bad), "line": str(found.line)}
    if found.line is None:
        return talk.words("cli.journal.at-entry", **values)
    return talk.words("cli.journal.at-entry-line" if found.is_entry_line else "cli.journal.at-line", **values)


def witness_keys(named: Sequence[str]) -> "tuple[NoteKey, ...]":
    """Returns the witnesses' keys. Each text in `named` is a key in C2SP's form, or the path of a file with such a key.

    Raises CliFailure.
    """
    from controller.journal.note import read_key

    try:
        return tuple(read_key(_text_of(one)) for one in named)
    except (CodecError, StorageFailed, UnicodeDecodeError) as error:
        raise CliFailure(ExitCode.USAGE, "no-witness-key", keys=", ".join(named)) from error


def _text_of(named: str) -> str:
    return named if "+" in named else read_named(Path(named), _LARGEST_KEY).decode("utf-8")


def _signed(path: Path, key: str | None) -> int | None:
    """Returns the number of the last entry that a mark beside the journal covers, or 0 if no mark covers an entry.
    Returns None without a key, and for an export.
    """
    from controller.journal.mark import begun_path, decode_marks, last_covered, read_mark_file
    from controller.journal.storage import DirectoryReader

    if key is None or not path.is_dir():
        return None
    with DirectoryReader(path) as storage:
        covered = last_covered(storage, decode_marks(read_mark_file(begun_path(path)) or b"", key))
    return 0 if covered is None else covered.seq


def _besides(found: "Verification") -> dict[str, object]:
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


def _say_what_was_compared(checked: _Checked, talk: Talk, *, is_key: bool) -> None:
    from controller.journal.progress import Check

    found, signed, tree = checked.found, checked.signed, checked.found.history.tree
    if tree is not None:
        talk.result(talk.words("cli.journal.tree", root=tree.root().hex()))
    if found.signature is Check.VALID:
        talk.result(talk.words("cli.journal.signature-right"))
    talk.result(talk.words("cli.journal.key-compared" if is_key else "cli.journal.key-not-compared"))
    is_code = found.anchor is Check.VALID
    talk.result(talk.words("cli.journal.code-compared" if is_code else "cli.journal.code-not-compared"))
    if signed is not None:
        said = "signed-up-to" if signed else "signed-nothing"
        talk.result(talk.words(f"cli.journal.{said}", signed=str(signed)))
