"""`sabot staff add|pin|list|remove`: the people of a staff file. A PIN is asked for twice or read from a descriptor."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.cli.pin import new_pin
from controller.cli.talk import Talk
from controller.config import read_config
from controller.core.words import Role
from controller.machine.exits import ExitCode
from controller.staff import StaffRefused, load_or_begin, load_staff, save_staff


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Namespace, Talk], ExitCode]) -> ArgumentParser:
        text = words(f"cli.staff.{name}")
        made = commands.add_parser(name, help=text, description=text)
        where = made.add_mutually_exclusive_group(required=True)
        where.add_argument("--config", type=Path, metavar="FILE", help=words("cli.option.config"))
        where.add_argument("--file", type=Path, metavar="FILE", help=words("cli.option.staff-file"))
        made.add_argument("--json", action="store_true", help=words("cli.option.json"))
        made.set_defaults(run=run)
        return made

    add = command("add", _add)
    _add_number(add, words("cli.option.new-person"))
    add.add_argument("--name", required=True, help=words("cli.option.name"))
    roles = [role.value for role in Role]
    add.add_argument("--role", type=_word, choices=roles, required=True, metavar="ROLE", help=words("cli.option.role"))
    add.add_argument("--badge", type=str.upper, default="", metavar="B", help=words("cli.option.badge"))
    add.add_argument("--pin-fd", type=int, metavar="N", help=words("cli.option.pin-fd"))
    pin = command("pin", _pin)
    _add_number(pin, words("cli.option.staff-person"))
    pin.add_argument("--pin-fd", type=int, metavar="N", help=words("cli.option.pin-fd"))
    command("list", _list)
    remove = command("remove", _remove)
    _add_number(remove, words("cli.option.staff-person"))


def _add_number(parser: ArgumentParser, text: str) -> None:
    parser.add_argument("--number", "--person", dest="person", type=int, required=True, metavar="P", help=text)


def _word(text: str) -> str:
    """A role's word as the program has it; people may write hyphens."""
    return text.strip().lower().replace("-", "_")


def _path(arguments: Namespace) -> Path:
    path: Path | None = arguments.file
    return path or read_config(arguments.config, ports_may_be_missing=True).staff


def _add(arguments: Namespace, talk: Talk) -> ExitCode:
    path = _path(arguments)
    book = load_or_begin(path)
    pin = new_pin(talk, arguments.pin_fd, arguments.person)
    save_staff(book.with_person(arguments.person, arguments.name, Role(arguments.role), pin, arguments.badge), path)
    return _done(arguments, talk, path)


def _pin(arguments: Namespace, talk: Talk) -> ExitCode:
    path = _path(arguments)
    book = load_staff(path)
    if book.member(arguments.person) is None:  # before anybody types one
        raise StaffRefused("unknown", number=str(arguments.person))
    save_staff(book.with_pin(arguments.person, new_pin(talk, arguments.pin_fd, arguments.person)), path)
    return _done(arguments, talk, path)


def _remove(arguments: Namespace, talk: Talk) -> ExitCode:
    path = _path(arguments)
    save_staff(load_staff(path).without(arguments.person), path)
    return _done(arguments, talk, path)


def _done(arguments: Namespace, talk: Talk, path: Path) -> ExitCode:
    talk.document({"ok": True, "person": arguments.person, "file": str(path)})
    talk.result(talk.words("cli.staff.saved", file=str(path)))
    return ExitCode.OK


def _list(arguments: Namespace, talk: Talk) -> ExitCode:
    people = load_staff(_path(arguments)).people
    talk.document({"people": [{"number": one.number, "name": one.name, "role": one.role.value} for one in people]})
    for one in people:
        talk.result(talk.words("cli.staff.person", number=str(one.number), name=one.name, role=one.role.value))
    return ExitCode.OK
