"""`sabot witness new|add|serve|sign DIRECTORY`: runs a small witness, which attests that a table keeps one history."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.named_files import write_named
from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.journal.note import Note, NoteKey

_LOOPBACK = "127.0.0.1"
_PORT = 8471


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Namespace, Talk], ExitCode]) -> ArgumentParser:
        text = words(f"cli.witness.{name}")
        made = commands.add_parser(name, help=text, description=text)
        made.add_argument("directory", type=Path, metavar="DIRECTORY", help=words("cli.option.witness-directory"))
        made.add_argument("--json", action="store_true", help=words("cli.option.json"))
        made.set_defaults(run=_guarded(run))
        return made

    command("new", _new).add_argument("--name", required=True, metavar="NAME", help=words("cli.option.witness-name"))
    command("add", _add).add_argument("key", metavar="KEY", help=words("cli.option.log-key"))
    serve = command("serve", _serve)
    serve.add_argument("--listen", default=_LOOPBACK, metavar="ADDRESS", help=words("cli.option.witness-listen"))
    serve.add_argument("--port", type=int, default=_PORT, metavar="N", help=words("cli.option.witness-port"))
    sign = command("sign", _sign)
    sign.add_argument("file", type=Path, metavar="FILE", help=words("cli.option.witness-request"))
    answer = sign.add_mutually_exclusive_group(required=True)
    answer.add_argument("--out", type=Path, metavar="FILE", help=words("cli.option.out"))
    answer.add_argument("--qr", action="store_true", help=words("cli.option.witness-qr"))


def _guarded(run: Callable[[Namespace, Talk], ExitCode]) -> Callable[[Namespace, Talk], ExitCode]:
    """Wraps a command so that it raises CliFailure with a sentence if the witness's directory cannot be used."""

    def guarded(arguments: Namespace, talk: Talk) -> ExitCode:
        from controller.journal.errors import CodecError, JournalLocked, SealKeyRefused, StorageFailed
        from controller.witness.witness import CorruptHead

        path = str(arguments.directory)
        try:
            return run(arguments, talk)
        except JournalLocked as error:
            raise CliFailure(ExitCode.FAILED, "witness-busy", path=path) from error
        except StorageFailed as error:
            raise CliFailure(ExitCode.USAGE, "witness-unreadable", path=path, reason=error.word) from error
        except (SealKeyRefused, CodecError) as error:
            raise CliFailure(ExitCode.USAGE, "witness-key", path=path) from error
        except CorruptHead as error:
            raise CliFailure(ExitCode.FAILED, "witness-head", path=path, log=str(error)) from error

    return guarded


def _new(arguments: Namespace, talk: Talk) -> ExitCode:
    from controller.witness.place import is_name, make, opened

    if not is_name(arguments.name):
        raise CliFailure(ExitCode.USAGE, "witness-name", name=arguments.name)
    if arguments.directory.exists():
        raise CliFailure(ExitCode.USAGE, "export-exists", out=str(arguments.directory))
    make(arguments.directory, arguments.name)
    with opened(arguments.directory) as witness:
        _say_key(witness.key, arguments.directory, talk)
    return ExitCode.OK


def _say_key(key: "NoteKey", directory: Path, talk: Talk) -> None:
    from controller.witness.place import PUBLIC_NAME

    file = str(directory / PUBLIC_NAME)
    talk.document({"ok": True, "key": key.text, "file": file})
    talk.result(talk.words("cli.witness.has-key", vkey=key.text, file=file))


def _add(arguments: Namespace, talk: Talk) -> ExitCode:
    from controller.journal.errors import CodecError
    from controller.journal.note import KeyKind, read_key
    from controller.witness.place import add_log, opened

    key = read_key(arguments.key)
    if key.kind is not KeyKind.NOTE:
        raise CodecError("no key of a log")
    with opened(arguments.directory):
        add_log(arguments.directory, key)
    talk.document({"ok": True, "log": key.name})
    talk.result(talk.words("cli.witness.added", log=key.name))
    return ExitCode.OK


def _serve(arguments: Namespace, talk: Talk) -> ExitCode:
    from controller.witness.place import opened
    from controller.witness.serve import WitnessServer

    with opened(arguments.directory) as witness:
        try:
            server = WitnessServer((arguments.listen, arguments.port), witness)
        except (OSError, OverflowError) as error:
            where = f"{arguments.listen}:{arguments.port}"
            raise CliFailure(ExitCode.FAILED, "witness-listen", where=where) from error
        with server:
            where = f"http://{arguments.listen}:{server.server_address[1]}"
            talk.told(talk.words("cli.witness.serves", url=where))
            server.serve_forever()
    return ExitCode.OK


def _sign(arguments: Namespace, talk: Talk) -> ExitCode:
    """Reads a request and signs its checkpoint, which is written to a file or shown as a QR code.

    Returns 1 if the witness refuses. Raises CliFailure.
    """
    from controller.cli.journal_cosign import given
    from controller.journal.asked import Status, decode_request
    from controller.journal.note import read_signatures, with_signatures
    from controller.witness.place import opened

    data = given(arguments.file)
    with opened(arguments.directory) as witness:
        reply = witness.add_checkpoint(data)
    word = reply.status.name.lower().replace("_", "-")
    talk.document({"ok": reply.status is Status.SIGNED, "status": word})
    if reply.status is not Status.SIGNED:
        size = reply.body.decode().strip()
        talk.result(talk.words("cli.witness.refused", why=talk.words(f"witness-status.{word}", size=size)))
        if reply.status is Status.OTHER_SIZE:
            talk.result(talk.words("cli.witness.another-size", head=str(_head_for(arguments.directory, data))))
        return ExitCode.FAILED
    note = with_signatures(decode_request(data).note, tuple(read_signatures(reply.body)))
    _give_back(note, arguments, talk)
    return ExitCode.OK


def _give_back(note: "Note", arguments: Namespace, talk: Talk) -> None:
    """Writes the signed checkpoint to a file, or shows it as a QR code. Raises CliFailure."""
    from controller.cli.qr import show_qr
    from controller.journal.note import encode_note

    if arguments.qr:
        show_qr(encode_note(note), talk)
        talk.result(talk.words("cli.witness.signed-by-qr"))
        return
    write_named(arguments.out, encode_note(note))
    talk.result(talk.words("cli.witness.signed", out=str(arguments.out)))


def _head_for(directory: Path, data: bytes) -> Path:
    """Returns the path of the last checkpoint that the witness in `directory` has signed for the log named in the
    request.
    """
    from controller.journal.asked import decode_request, read_head
    from controller.witness.place import head_path
    from controller.witness.witness import log_name

    return head_path(directory, log_name(read_head(decode_request(data).note.text).origin))
