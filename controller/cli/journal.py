"""`sabot journal verify|export|replay PATH`: checks a journal, also offline and without its controller."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.cli.talk import CliFailure, ExitCode, Talk
from controller.journal.errors import JournalDamaged, StorageFailed, StorageReason


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Namespace, Talk], ExitCode]) -> ArgumentParser:
        text = words(f"cli.journal.{name}")
        made = commands.add_parser(name, help=text, description=text)
        made.add_argument("path", type=Path, metavar="PATH", help=words("cli.option.journal"))
        made.add_argument("--json", action="store_true", help=words("cli.option.json"))
        made.set_defaults(run=_reading(run))
        return made

    command("verify", _verify).add_argument("--head", metavar="CODE", help=words("cli.option.head"))
    command("export", _export).add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=words("cli.option.out")
    )
    command("replay", _replay)


def _reading(run: Callable[[Namespace, Talk], ExitCode]) -> Callable[[Namespace, Talk], ExitCode]:
    """Says in words why a journal cannot be read, or read on."""

    def guarded(arguments: Namespace, talk: Talk) -> ExitCode:
        if not arguments.path.exists():
            raise _unreadable(arguments.path, StorageReason.GONE)
        try:
            return run(arguments, talk)
        except StorageFailed as error:
            raise _unreadable(arguments.path, error.reason) from error
        except JournalDamaged as error:
            damage = error.damage
            values = {"entry": str(damage.first_bad_seq), "reason": damage.reason.value}
            raise CliFailure(ExitCode.FAILED, "journal-damaged", path=str(arguments.path), **values) from error

    return guarded


def _unreadable(path: Path, reason: StorageReason) -> CliFailure:
    return CliFailure(ExitCode.USAGE, "journal-unreadable", path=str(path), reason=reason.value)


def _verify(arguments: Namespace, talk: Talk) -> ExitCode:
    from controller.journal.verify import verify

    found = verify(arguments.path, head=arguments.head)
    talk.document(
        {
            "ok": found.ok,
            "entries": found.entries,
            "head": found.head,
            "first_bad": found.first_bad,
            "reason": None if found.reason is None else found.reason.value,
            "signature": found.signature.value,
            "anchor": found.anchor.value,
        }
    )
    values = {"entries": str(found.entries), "head": found.head}
    if found.ok:
        talk.result(talk.words("cli.journal.verified", **values))
        return ExitCode.OK
    bad = {"first_bad": str(found.first_bad), "reason": str(found.reason)}
    talk.result(talk.words("cli.journal.not-verified", **values, **bad))
    return ExitCode.FAILED


def _export(arguments: Namespace, talk: Talk) -> ExitCode:
    from controller.journal.export import export

    made = export(arguments.path, arguments.out)
    talk.document({"ok": True, "out": str(arguments.out), "entries": made.entries, "head": made.head})
    values = {"entries": str(made.entries), "head": made.head}
    talk.result(talk.words("cli.journal.exported", out=str(arguments.out), **values))
    return ExitCode.OK


def _replay(arguments: Namespace, talk: Talk) -> ExitCode:
    from controller.replay import replay

    found = replay(arguments.path)
    talk.document({"ok": found.ok, "entries": found.entries, "state_digest": found.state_digest})
    values = {"entries": str(found.entries), "digest": str(found.state_digest), "reason": str(found.reason)}
    talk.result(talk.words("cli.journal.replayed" if found.ok else "cli.journal.not-replayed", **values))
    return ExitCode.OK if found.ok else ExitCode.FAILED
