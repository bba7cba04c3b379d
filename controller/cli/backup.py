"""`sabot backup`: writes journal, keys, staff and configuration into one file, encrypted to a key of the casino."""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.backup.content import manifest
from controller.backup.make import make_backup
from controller.backup.sealed_stream import BackupRefused, read_public_key
from controller.cli.journal_file import unusable
from controller.cli.talk import Talk
from controller.config import read_config
from controller.journal.errors import StorageFailed
from controller.journal.export import belongs_to_journal
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.software import software
from drivers.errors import system_word


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--to", type=Path, required=True, metavar="KEY", help=words("cli.option.backup-to"))
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help=words("cli.option.out"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    config = read_config(arguments.config, ports_may_be_missing=True)
    if belongs_to_journal(arguments.out, config.journal):
        raise CliFailure(ExitCode.USAGE, "export-into-journal", out=str(arguments.out), path=str(config.journal))
    try:
        says = manifest(config, str(software()), time.time_ns() // 1_000_000)
        count = make_backup(config, says, read_public_key(arguments.to), arguments.out)
    except BackupRefused as refused:
        raise CliFailure(ExitCode.USAGE, refused.error, **refused.values) from refused
    except StorageFailed as error:
        raise unusable(config.journal, error) from error
    except OSError as error:
        values = {"file": str(error.filename or arguments.out), "detail": system_word(error)}
        raise CliFailure(ExitCode.FAILED, "backup-failed", **values) from error
    talk.document({"ok": True, "out": str(arguments.out), "files": count} | says)
    talk.result(talk.words("cli.backup.made", out=str(arguments.out), files=str(count)))
    return ExitCode.OK
