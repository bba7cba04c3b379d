"""`sabot journal COMMAND PATH`: the commands that read, check, export, sign, seal or shorten a journal."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.cli import (
    journal_cosign,
    journal_forget,
    journal_incidents,
    journal_mistakes,
    journal_prove,
    journal_seal,
    journal_show,
    journal_summary,
    journal_verify,
)
from controller.cli.journal_file import of_another_user
from controller.cli.talk import Talk
from controller.journal.errors import (
    BadNotedCode,
    JournalDamaged,
    JournalLocked,
    NoStateHere,
    NotBehind,
    NotTheTablesKey,
    SigningKeyRefused,
    StorageFailed,
)
from controller.machine.exits import CliFailure, ExitCode


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Namespace, Talk], ExitCode], path: str = "journal") -> ArgumentParser:
        text = words(f"cli.journal.{name}")
        made = commands.add_parser(name, help=text, description=text)
        made.add_argument("path", type=Path, metavar="PATH", help=words(f"cli.option.{path}"))
        made.add_argument("--json", action="store_true", help=words("cli.option.json"))
        made.set_defaults(run=_reading(run if name == "verify" else _of_no_proof(run)))
        return made

    journal_show.add_options(command("show", journal_show.show), words)
    journal_summary.add_options(command("summary", journal_summary.summarise), words)
    verify = command("verify", journal_verify.verify, "journal-or-proof")
    verify.add_argument("--head", metavar="CODE", help=words("cli.option.head"))
    verify.add_argument("--public-key", type=Path, metavar="FILE", help=words("cli.option.public-key"))
    verify.add_argument("--witness", action="append", default=[], metavar="KEY", help=words("cli.option.witness"))
    verify.add_argument("--seen", type=Path, metavar="FILE", help=words("cli.option.seen"))
    journal_incidents.add_options(command("incidents", journal_incidents.incidents), words)
    journal_mistakes.add_options(command("mistakes", journal_mistakes.mistakes), words)
    journal_prove.add_options(command("prove", journal_prove.prove, "journal-directory"), words)
    journal_cosign.add_options(command("cosign", journal_cosign.cosign, "journal-directory"), words)
    export = command("export", _export)
    export.add_argument("--out", type=Path, required=True, metavar="FILE", help=words("cli.option.out"))
    export.add_argument("--key", type=Path, metavar="FILE", help=words("cli.option.key"))
    command("code", _code)
    prune = command("prune", _prune)
    prune.add_argument("--export", type=Path, required=True, metavar="FILE", help=words("cli.option.exported"))
    prune.add_argument("--acknowledged", required=True, metavar="CODE", help=words("cli.option.acknowledged"))
    prune.add_argument("--key", type=Path, metavar="FILE", help=words("cli.option.key"))
    seal = command("seal", journal_seal.seal)
    seal.add_argument("--staff", type=Path, required=True, metavar="FILE", help=words("cli.option.staff-file"))
    seal.add_argument("--technician", type=int, required=True, metavar="P", help=words("cli.option.sealing-technician"))
    seal.add_argument("--chief", type=int, required=True, metavar="P", help=words("cli.option.sealing-chief"))
    seal.add_argument("--pin-fd", type=int, metavar="N", help=words("cli.option.two-pins"))
    seal.add_argument("--mark", type=Path, metavar="FILE", help=words("cli.option.mark"))
    seal.add_argument("--why", choices=journal_seal.WHY, metavar="WHY", help=words("cli.option.why-behind"))
    seal.add_argument("--unsigned", type=Path, metavar="DIRECTORY", help=words("cli.option.unsigned"))
    seal.add_argument("--entries", choices=journal_seal.BECOMES, metavar="WHAT", help=words("cli.option.entries"))
    journal_show.add_behind(command("replay", _replay), words)
    text = words("cli.journal.forget")
    forget = commands.add_parser("forget", help=text, description=text)
    journal_forget.add_options(forget, words)
    forget.set_defaults(run=_of_config(_reading(journal_forget.forget)))


def _of_config(run: Callable[[Namespace, Talk], ExitCode]) -> Callable[[Namespace, Talk], ExitCode]:
    """Wraps a command so that it reads the journal that its configuration names."""

    def found(arguments: Namespace, talk: Talk) -> ExitCode:
        journal_forget.with_path(arguments)
        return run(arguments, talk)

    return found


def _of_no_proof(run: Callable[[Namespace, Talk], ExitCode]) -> Callable[[Namespace, Talk], ExitCode]:
    """Wraps a command so that it raises CliFailure if its path is the file of a proof."""

    def guarded(arguments: Namespace, talk: Talk) -> ExitCode:
        from controller.journal.proof import is_proof

        if arguments.path.is_file() and is_proof(arguments.path):
            raise CliFailure(ExitCode.USAGE, "is-a-proof", path=str(arguments.path))
        return run(arguments, talk)

    return guarded


def _reading(run: Callable[[Namespace, Talk], ExitCode]) -> Callable[[Namespace, Talk], ExitCode]:
    """Wraps a command so that it raises CliFailure for a missing path and for every error of reading a journal."""

    def guarded(arguments: Namespace, talk: Talk) -> ExitCode:
        try:
            _must_be_there(arguments)
            return run(arguments, talk)
        except StorageFailed as error:
            raise _unreadable(arguments.path, error) from error
        except BadNotedCode as error:
            raise CliFailure(ExitCode.USAGE, "bad-noted-code", code=str(error)) from error
        except JournalLocked as error:
            raise CliFailure(ExitCode.USAGE, "journal-locked", path=str(arguments.path)) from error
        except SigningKeyRefused as error:
            values = {"path": str(error.path), "trouble": error.trouble.value}
            raise CliFailure(ExitCode.USAGE, "journal-key", **values) from error
        except NotTheTablesKey as error:
            values = {"path": str(arguments.path), "given": error.given, "named": error.named}
            raise CliFailure(ExitCode.USAGE, "not-the-tables-key", **values) from error
        except NoStateHere as error:
            values = {"path": str(arguments.path), "first": str(error.first_seq), "code": error.acknowledged}
            raise CliFailure(ExitCode.FAILED, "no-state-here", **values) from error
        except NotBehind as error:
            values = {"path": str(arguments.path), "export": str(error.export), "entry": str(error.seq)}
            raise CliFailure(ExitCode.FAILED, "not-behind", **values) from error
        except JournalDamaged as error:
            damage = error.damage
            values = {"entry": str(damage.first_bad_seq), "reason": damage.reason.value}
            raise CliFailure(ExitCode.FAILED, "journal-damaged", path=str(arguments.path), **values) from error

    return guarded


def _must_be_there(arguments: Namespace) -> None:
    """Raises CliFailure if a journal, export or directory is missing. Raises StorageFailed if the command's user may
    not read it.
    """
    from controller.journal.storage import reported

    with reported("look", "."):
        if not arguments.path.exists():
            raise CliFailure(ExitCode.USAGE, "no-journal", path=str(arguments.path))
        for export in getattr(arguments, "behind", ()):
            if not export.is_file():
                raise CliFailure(ExitCode.USAGE, "no-export", export=str(export))
        if (out := getattr(arguments, "out", None)) is not None and not out.parent.is_dir():
            raise CliFailure(ExitCode.USAGE, "no-such-directory", path=str(out.parent), out=str(out))


def _unreadable(path: Path, error: StorageFailed) -> CliFailure:
    other = None if error.verb == "export" else of_another_user(path, error)
    return other or CliFailure(ExitCode.USAGE, "journal-unreadable", path=str(path), reason=error.word)


def _export(arguments: Namespace, talk: Talk) -> ExitCode:
    from controller.journal.export import belongs_to_journal, export
    from controller.journal.signing import key_path, read_signer

    if belongs_to_journal(arguments.out, arguments.path):
        raise CliFailure(ExitCode.USAGE, "export-into-journal", out=str(arguments.out), path=str(arguments.path))
    if arguments.out.is_file() or arguments.out.is_symlink():
        raise CliFailure(ExitCode.USAGE, "export-exists", out=str(arguments.out))
    signer = read_signer(arguments.key or key_path(Path(os.path.realpath(arguments.path))))
    made = export(arguments.path, arguments.out, signer)
    values = {"entries": str(made.entries), "head": made.head, "public_key": made.public_key}
    talk.document({"ok": True, "out": str(arguments.out)} | values | {"entries": made.entries})
    talk.result(talk.words("cli.journal.exported", out=str(arguments.out), **values))
    return ExitCode.OK


def _code(arguments: Namespace, talk: Talk) -> ExitCode:
    """Prints the journal's current code, for the inspection's book, and its QR code for a camera."""
    from controller.cli.book_code import show
    from controller.journal.verify import noted_now

    code = noted_now(arguments.path)
    talk.document({"ok": True, "code": code})
    show(code, talk)
    return ExitCode.OK


def _prune(arguments: Namespace, talk: Talk) -> ExitCode:
    """Deletes whole sessions that are in an export. A person acknowledges the export by typing its code."""
    from controller.journal.signing import key_path, read_signer
    from controller.record.retention import NoStateBehind, NotAcknowledged, prune

    if not arguments.export.is_file():
        raise CliFailure(ExitCode.USAGE, "no-export", export=str(arguments.export))
    signer = read_signer(arguments.key or key_path(Path(os.path.realpath(arguments.path))))
    try:
        found = prune(arguments.path, arguments.export, arguments.acknowledged, signer)
    except NotAcknowledged as error:
        raise CliFailure(ExitCode.FAILED, "not-acknowledged", export=str(arguments.export)) from error
    except NoStateBehind as error:
        raise CliFailure(ExitCode.FAILED, "no-state-behind", path=str(arguments.path)) from error
    numbers = {"removed": found.entries, "files": found.files, "bytes_freed": found.bytes_freed}
    talk.document({"ok": True} | numbers | {"first": found.first_seq})
    values = {"entries": str(found.entries), "files": str(found.files), "bytes": str(found.bytes_freed)}
    key = "pruned" if found.entries else "rest-deleted" if found.files else "nothing-pruned"
    talk.result(talk.words(f"cli.journal.{key}", **values, first=str(found.first_seq)))
    return ExitCode.OK


def _replay(arguments: Namespace, talk: Talk) -> ExitCode:
    from controller.record.removed_state import folded_behind
    from controller.runtime.replay import replay

    found = replay(arguments.path, folded_behind(arguments.path, arguments.behind))
    numbers = {"entries": found.entries, "removed": found.removed}
    talk.document({"ok": found.ok} | numbers | {"state_digest": found.state_digest})
    values = {name: str(number) for name, number in numbers.items()}
    if found.removed:
        key = "replayed-through" if arguments.behind else "replayed-behind"
        talk.result(talk.words(f"cli.journal.{key}", **values))
    reason = "" if found.misfit is None else talk.words(f"replay-stop.{found.misfit.value}", **dict(found.values))
    values |= {"digest": str(found.state_digest), "reason": reason}
    talk.result(talk.words("cli.journal.replayed" if found.ok else "cli.journal.not-replayed", **values))
    return ExitCode.OK if found.ok else ExitCode.FAILED
