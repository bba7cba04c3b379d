"""`sabot decommission`: deletes keys, staff and journal once an export of the whole journal is acknowledged."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.cli.journal_file import unusable
from controller.cli.talk import Talk
from controller.config import Config, read_config
from controller.journal.errors import BadNotedCode, JournalDamaged, SigningKeyRefused, StorageFailed
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.users import user_name
from controller.record.closed_table import TableInUse
from controller.record.decommission import NotPermitted, SecondCopyAway, Wiped, decommission
from controller.record.retention import NotAcknowledged


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--export", type=Path, required=True, metavar="FILE", help=words("cli.option.exported"))
    parser.add_argument("--acknowledged", required=True, metavar="CODE", help=words("cli.option.acknowledged"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    config = read_config(arguments.config, ports_may_be_missing=True)
    if not arguments.export.is_file():
        raise CliFailure(ExitCode.USAGE, "no-export", export=str(arguments.export))
    if any(_real(arguments.export).is_relative_to(_real(place)) for place in _places(config)):
        raise CliFailure(ExitCode.USAGE, "export-into-journal", out=str(arguments.export), path=str(config.journal))
    wiped = _wiped(config, arguments.export, arguments.acknowledged)
    talk.document({"ok": True, "table": config.table.id, "files": wiped.files, "bytes": wiped.bytes})
    values = {"table": config.table.id, "files": str(wiped.files)}
    talk.result(talk.words("cli.decommission.done", **values))
    return ExitCode.OK


def _places(config: Config) -> list[Path]:
    return [place for place in (config.journal, config.journal_second_copy) if place is not None]


def _real(path: Path) -> Path:
    """Returns the path with symbolic links resolved.

    Unlike `Path.resolve`, it accepts a link to itself and leaves the link in the path.
    """
    return Path(os.path.realpath(path))


def _wiped(config: Config, export: Path, code: str) -> Wiped:
    path = str(config.journal)
    try:
        return decommission(config, export, code)
    except NotAcknowledged as error:
        raise CliFailure(ExitCode.FAILED, "not-acknowledged-to-the-end", export=str(export), path=path) from error
    except BadNotedCode as error:
        raise CliFailure(ExitCode.USAGE, "bad-noted-code", code=str(error)) from error
    except TableInUse as error:
        raise CliFailure(ExitCode.FAILED, error.use.value, path=path) from error
    except SecondCopyAway as error:
        raise CliFailure(ExitCode.FAILED, "second-copy-away", path=str(error)) from error
    except SigningKeyRefused as error:
        values = {"path": str(error.path), "trouble": error.trouble.value}
        raise CliFailure(ExitCode.USAGE, "journal-key", **values) from error
    except JournalDamaged as error:
        values = {"entry": str(error.damage.first_bad_seq), "reason": error.damage.reason.value}
        raise CliFailure(ExitCode.FAILED, "journal-damaged", path=path, **values) from error
    except NotPermitted as error:
        values = {"path": str(error.path), "user": user_name(os.geteuid())}
        raise CliFailure(ExitCode.FAILED, "wiping-not-permitted", **values) from error
    except StorageFailed as error:
        raise unusable(config.journal, error) from error
