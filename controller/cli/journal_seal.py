"""`sabot journal seal PATH`: a technician and a chief supervisor permit, by PIN, that a damaged journal continues.

With `--mark` they permit that a journal continues without entries that its mark names. With `--unsigned` they see
entries that only a copy has and no mark signs, and decide on them (FORMAT.md).
"""

import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from controller.cli.talk import Talk
from controller.cli.two_people import check_people
from controller.machine.exits import CliFailure, ExitCode

WHY: Final = ("older-backup", "other-medium", "lost-entries")
TAKE_OVER: Final = "take-over"
BECOMES: Final = (TAKE_OVER, "set-aside")
"""The two possible decisions on unsigned entries."""

if TYPE_CHECKING:
    from controller.journal.approval import Seen
    from controller.journal.recovery import Recovery
    from controller.journal.storage import DirectoryStorage
    from controller.record.unsigned import Told


def seal(arguments: Namespace, talk: Talk) -> ExitCode:
    """Asks two people for their PINs, and writes their approval for the controller's next start.

    Leaves the journal itself unchanged. Raises CliFailure, StaffRefused, and the errors of reading a journal.
    """
    from controller.journal.approval import Approval, Why, write_approval
    from controller.journal.storage import DirectoryStorage
    from controller.runtime.boot import inspect_journal

    if arguments.unsigned is not None:
        return _unsigned(arguments, talk)
    journal = Path(os.path.realpath(arguments.path))
    with DirectoryStorage(journal) as storage:
        seen = _seen(journal)
        recovery = inspect_journal(storage).recovery
        if recovery.damage is not None:
            check_people(arguments, arguments.staff, talk, "sealing-refused")
            damaged = recovery.segment_after_damage().damaged.hex()
            write_approval(journal, Approval(arguments.chief, damaged, arguments.technician, seen=seen))
            values = {"first_bad": str(recovery.damage.first_bad_seq), "reason": recovery.damage.reason.value}
            talk.document({"ok": True, "first_bad": recovery.damage.first_bad_seq, "damaged": damaged})
            talk.result(talk.words("cli.journal.approved", **values))
            return ExitCode.OK
        head = _contradicting_mark(arguments, storage, recovery)
        check_people(arguments, arguments.staff, talk, "sealing-refused")
        write_approval(journal, Approval(arguments.chief, head, arguments.technician, Why(arguments.why), seen))
    talk.document({"ok": True, "last": recovery.next_seq - 1, "why": arguments.why})
    talk.result(talk.words("cli.journal.may-go-on", last=str(recovery.next_seq - 1)))
    return ExitCode.OK


def _seen(journal: Path) -> "Seen | None":
    """Returns the earlier decision about unsigned entries. Returns None if no such decision waits for a start."""
    from controller.journal.approval import read_approval

    approval = read_approval(journal)
    return None if approval is None else approval.seen


def _unsigned(arguments: Namespace, talk: Talk) -> ExitCode:
    """Shows the unsigned entries of a copy. Stores the decision which of them are kept, after a technician and a chief
    supervisor have typed their PINs.
    """
    from controller.journal.approval import Approval, Seen, read_approval, write_approval
    from controller.journal.copies import Longer, compare, verified_end
    from controller.journal.signing import key_path, read_signer
    from controller.journal.storage import DirectoryReader, DirectoryStorage
    from controller.record.unsigned import Joined, Told, heads_of

    journal, other = Path(os.path.realpath(arguments.path)), Path(os.path.realpath(arguments.unsigned))
    key = read_signer(key_path(journal)).public_key
    with DirectoryStorage(journal) as first, DirectoryReader(other) as second:
        compared = compare(first, second)
        if compared.fork is not None or compared.longer is not Longer.SECOND:
            raise CliFailure(ExitCode.FAILED, "nothing-unsigned", path=str(other))
        unsigned = verified_end(second, compared, heads_of(journal, other, second, key)).unsigned
        if unsigned is None:
            raise CliFailure(ExitCode.FAILED, "nothing-unsigned", path=str(other))
        told = Told(Joined(first, second, compared), unsigned, key)
        document = {"first": unsigned.first, "last": unsigned.last, "entries": _show(told, arguments, talk)}
        if arguments.entries is None:
            values = {"first": str(unsigned.first), "last": str(unsigned.last)}
            raise CliFailure(ExitCode.USAGE, "say-what-becomes", {"ok": False} | document, **values)
        check_people(arguments, arguments.staff, talk, "sealing-refused")
        kept = told.kept if arguments.entries == TAKE_OVER else unsigned.first - 1
        seen = Seen(arguments.chief, unsigned.first, unsigned.head, kept, unsigned.last, arguments.technician)
        besides = read_approval(journal) or Approval(arguments.chief, "", arguments.technician)
        write_approval(journal, replace(besides, seen=seen))
    talk.document({"ok": True, "kept": kept} | document)
    values = {"first": str(unsigned.first), "last": str(unsigned.last), "kept": str(kept)}
    talk.result(talk.words("cli.journal.seen", **values))
    return ExitCode.OK


def _show(told: "Told", arguments: Namespace, talk: Talk) -> list[object]:
    """Returns the unsigned entries as data for JSON. Without JSON prints them in words and returns []."""
    from controller.cli.journal_show import document_of, tell
    from controller.record.names import names_of

    names, documents = names_of([arguments.staff], talk.language), []
    for one in told:
        if talk.as_json:
            documents.append(document_of(one))
        else:
            tell(one, talk, names.at(one.staff))
    return documents


def _contradicting_mark(arguments: Namespace, storage: "DirectoryStorage", recovery: "Recovery") -> str:
    """Returns the chain value in the mark that `--mark` names. Raises CliFailure if no mark or no reason is named, or
    if the mark agrees with the journal.
    """
    from controller.journal.mark import contradicts, decode_mark, read_mark_file
    from controller.journal.signing import key_path, read_signer

    journal = Path(os.path.realpath(arguments.path))
    if arguments.mark is None or arguments.why is None:
        raise CliFailure(ExitCode.FAILED, "nothing-to-seal", path=str(journal))
    key = read_signer(key_path(journal)).public_key
    mark = decode_mark(read_mark_file(arguments.mark) or b"", key)
    if mark is None or not contradicts(storage, mark, recovery.next_seq):
        raise CliFailure(ExitCode.FAILED, "nothing-to-seal", path=str(journal))
    return mark.head
