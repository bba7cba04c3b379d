"""`sabot journal cosign PATH`: has a witness sign how far the journal goes, over HTTP, by files or by QR codes. The
command reads the journal and writes only `PATH.cosigned` or the file of a request. No table need run.
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.named_files import write_named
from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.witness.table import Asking


def add_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--witness", required=True, metavar="KEY", help=words("cli.option.cosign-witness"))
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--url", metavar="URL", help=words("cli.option.cosign-url"))
    how.add_argument("--out", type=Path, metavar="FILE", help=words("cli.option.cosign-out"))
    how.add_argument("--qr", action="store_true", help=words("cli.option.cosign-qr"))
    how.add_argument("--take", type=Path, metavar="FILE", help=words("cli.option.cosign-take"))
    parser.add_argument("--public-key", type=Path, metavar="FILE", help=words("cli.option.prove-key"))


def cosign(arguments: Namespace, talk: Talk) -> ExitCode:
    """Asks a witness for a signature of the journal's mark.

    Returns 0 once the signature is stored, or the request is written to a file or shown as a code. Raises CliFailure,
    and the errors of reading a journal.
    """
    from controller.cli.journal_verify import witness_keys
    from controller.journal.errors import NotProved
    from controller.journal.mark import log_key
    from controller.journal.signing import public_path, read_public_key
    from controller.witness.table import Asking, NotCosigned

    journal = Path(os.path.realpath(arguments.path))
    key = read_public_key(arguments.public_key or public_path(journal))
    (witness,) = witness_keys([arguments.witness])
    asking = Asking(journal, key, witness)
    try:
        mark, _note = asking.mark()
        log = log_key(mark.table, mark.epoch, key).text
        return _ask(asking, arguments, talk, log)
    except NotProved as error:
        raise CliFailure(ExitCode.FAILED, f"prove-{error.reason}", **error.values) from error
    except NotCosigned as error:
        values = {"log": log, "witness": witness.name} | error.values
        raise CliFailure(ExitCode.FAILED, f"cosign-{error.why.value}", **values) from error


def _ask(asking: "Asking", arguments: Namespace, talk: Talk, log: str) -> ExitCode:
    from controller.cli.journal_seen import seen_document, seen_line
    from controller.cli.qr import show_qr
    from controller.journal.export import belongs_to_journal

    if arguments.qr:
        data = asking.request(asking.known())
        show_qr(data, talk)
        talk.document({"ok": True, "log": log, "request": data.decode()})
        talk.result(talk.words("cli.journal.asked-by-qr", log=log))
        return ExitCode.OK
    if arguments.out is not None:
        if belongs_to_journal(arguments.out, arguments.path):
            raise CliFailure(ExitCode.USAGE, "export-into-journal", out=str(arguments.out), path=str(arguments.path))
        write_named(arguments.out, asking.request(asking.known()))
        talk.document({"ok": True, "out": str(arguments.out), "log": log})
        talk.result(talk.words("cli.journal.asked", out=str(arguments.out), log=log))
        return ExitCode.OK
    seen = asking.take(given(arguments.take)) if arguments.url is None else asking.ask(arguments.url)
    talk.document({"ok": True} | seen_document(seen))
    talk.result(seen_line(seen, talk, "seen-by" if arguments.take is None else "taken"))
    return ExitCode.OK


def given(path: Path) -> bytes:
    """Returns the first LARGEST_REQUEST bytes of a file, or of standard input if `path` is `-`. Raises CliFailure.

    On standard input a scanner's line ends become line feeds.
    """
    from controller.cli.journal_seen import cannot_read
    from controller.cli.qr import scanned
    from controller.journal.asked import LARGEST_REQUEST
    from controller.journal.errors import StorageFailed
    from controller.journal.storage import open_file, reported

    if path == Path("-"):
        return scanned(sys.stdin.buffer.read(LARGEST_REQUEST))
    try:
        with reported("read", str(path)), open_file(path) as file:
            return file.read(LARGEST_REQUEST)
    except StorageFailed as error:
        raise cannot_read(path, error) from error
