"""`sabot restore`: restores a table from its backup on a computer that has no table yet."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.backup.restore import restore
from controller.backup.sealed_stream import BackupRefused, read_private_key
from controller.cli.talk import Talk
from controller.journal.errors import StorageFailed
from controller.machine.exits import CliFailure, ExitCode
from drivers.errors import system_word


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("backup", type=Path, metavar="BACKUP", help=words("cli.option.backup"))
    parser.add_argument("--key", type=Path, required=True, metavar="KEY", help=words("cli.option.backup-key"))
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.restore-config"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    try:
        done = restore(arguments.backup, read_private_key(arguments.key), arguments.config)
    except BackupRefused as refused:
        raise CliFailure(ExitCode.USAGE, refused.error, **refused.values) from refused
    except StorageFailed as error:
        raise CliFailure(ExitCode.FAILED, "backup-failed", file=error.name, detail=error.word) from error
    except OSError as error:
        values = {"file": str(error.filename or arguments.config), "detail": system_word(error)}
        raise CliFailure(ExitCode.FAILED, "backup-failed", **values) from error
    document = {"ok": True, "table": done.table, "entries": done.entries, "code": done.code, "epoch": done.epoch}
    talk.document(document | {"journal": str(done.journal)})
    values = {"table": done.table, "entries": str(done.entries), "code": done.code, "epoch": str(done.epoch)}
    talk.result(talk.words("cli.restore.done", **values))
    return ExitCode.OK
