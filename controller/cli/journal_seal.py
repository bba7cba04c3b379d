"""`sabot journal seal PATH`: technician and chief supervisor let a damaged journal go on, each with the own PIN.

With `--mark` one that is behind its mark (FORMAT.md).
"""

from argparse import Namespace
from typing import TYPE_CHECKING, Final

from controller.cli.pin import pin
from controller.cli.talk import Talk
from controller.core.words import Role
from controller.machine.exits import CliFailure, ExitCode

WHY: Final = ("older-backup", "other-medium", "lost-entries")

if TYPE_CHECKING:
    from controller.journal.recovery import Recovery
    from controller.journal.storage import DirectoryStorage


def seal(arguments: Namespace, talk: Talk) -> ExitCode:
    """Leaves the approval for the controller's next start; the journal itself is not touched."""
    from controller.journal.approval import Approval, Why, write_approval
    from controller.journal.storage import DirectoryStorage
    from controller.runtime.boot import look

    journal = arguments.path.resolve()
    with DirectoryStorage(journal) as storage:
        recovery = look(storage).recovery
        if recovery.damage is not None:
            _check_people(arguments, talk)
            damaged = recovery.segment_after_damage().damaged.hex()
            write_approval(journal, Approval(arguments.chief, damaged, arguments.technician))
            values = {"first_bad": str(recovery.damage.first_bad_seq), "reason": recovery.damage.reason.value}
            talk.document({"ok": True, "first_bad": recovery.damage.first_bad_seq, "damaged": damaged})
            talk.result(talk.words("cli.journal.approved", **values))
            return ExitCode.OK
        head = _contradicting_mark(arguments, storage, recovery)
        _check_people(arguments, talk)
        write_approval(journal, Approval(arguments.chief, head, arguments.technician, Why(arguments.why)))
    talk.document({"ok": True, "last": recovery.next_seq - 1, "why": arguments.why})
    talk.result(talk.words("cli.journal.may-go-on", last=str(recovery.next_seq - 1)))
    return ExitCode.OK


def _contradicting_mark(arguments: Namespace, storage: "DirectoryStorage", recovery: "Recovery") -> str:
    """The head that the named mark has. CliFailure where the journal has what it names, or nothing is named."""
    from controller.journal.mark import contradicts, decode_mark, read_mark_file
    from controller.journal.signing import key_path, read_signer

    journal = arguments.path.resolve()
    if arguments.mark is None or arguments.why is None:
        raise CliFailure(ExitCode.FAILED, "nothing-to-seal", path=str(journal))
    key = read_signer(key_path(journal)).public_key
    mark = decode_mark(read_mark_file(arguments.mark) or b"", key)
    if mark is None or not contradicts(storage, mark, recovery.next_seq):
        raise CliFailure(ExitCode.FAILED, "nothing-to-seal", path=str(journal))
    return mark.head


def _check_people(arguments: Namespace, talk: Talk) -> None:
    from controller.staff import load_staff

    book = load_staff(arguments.staff)
    for person, role in ((arguments.technician, Role.TECHNICIAN), (arguments.chief, Role.CHIEF_SUPERVISOR)):
        if book.verify(person, pin(talk, arguments.pin_fd, person)) is not role:
            raise CliFailure(ExitCode.FAILED, "sealing-refused", person=str(person), role=role.value)
