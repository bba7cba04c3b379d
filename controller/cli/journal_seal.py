"""`sabot journal seal PATH`: technician and chief supervisor close a damage, each with the own PIN (FORMAT.md)."""

from argparse import Namespace

from controller.cli.pin import pin
from controller.cli.talk import CliFailure, ExitCode, Talk
from controller.core.words import Role


def seal(arguments: Namespace, talk: Talk) -> ExitCode:
    """Leaves the approval for the controller's next start; the journal itself is not touched."""
    from controller.approval import Approval, write_approval
    from controller.journal.storage import DirectoryStorage
    from controller.runtime.boot import look
    from controller.staff import load_staff

    journal = arguments.path.resolve()
    with DirectoryStorage(journal) as storage:
        recovery = look(storage).recovery
        if recovery.damage is None:
            raise CliFailure(ExitCode.FAILED, "nothing-to-seal", path=str(journal))
        book = load_staff(arguments.staff)
        for person, role in ((arguments.technician, Role.TECHNICIAN), (arguments.chief, Role.CHIEF_SUPERVISOR)):
            if book.verify(person, pin(talk, arguments.pin_fd, person)) is not role:
                raise CliFailure(ExitCode.FAILED, "sealing-refused", person=str(person), role=role.value)
        damaged = recovery.segment_after_damage().damaged.hex()
        write_approval(journal, Approval(arguments.chief, damaged, arguments.technician))
    values = {"first_bad": str(recovery.damage.first_bad_seq), "reason": recovery.damage.reason.value}
    talk.document({"ok": True, "first_bad": recovery.damage.first_bad_seq, "damaged": damaged})
    talk.result(talk.words("cli.journal.approved", **values))
    return ExitCode.OK
