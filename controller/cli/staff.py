"""`sabot staff add|pin|rename|list|remove|forget`: edits a staff file. PINs are typed or read from a descriptor.

`forget` deletes the name of a person who has left, which cannot be undone. A room manager and a chief supervisor permit
the deletion with their PINs, after the configured number of days. The days of the removal and of the deletion must come
from a trusted clock. A removal without a trusted clock is stored without its day. A second `remove` of the same person
under a trusted clock adds the day.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

from controller.cli.pin import new_pin
from controller.cli.talk import Talk
from controller.cli.two_people import add_people, asked_people
from controller.config import read_config
from controller.core.words import Person, Role
from controller.machine.clock import is_trusted
from controller.machine.exits import CliFailure, ExitCode
from controller.staff import Forgotten, StaffBook, StaffRefused, change_staff, load_or_begin, load_staff


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
    rename = command("rename", _rename)
    _add_number(rename, words("cli.option.staff-person"))
    rename.add_argument("--name", required=True, help=words("cli.option.name"))
    listed = command("list", _list)
    listed.add_argument("--former", action="store_true", help=words("cli.option.former"))
    remove = command("remove", _remove)
    _add_number(remove, words("cli.option.staff-person"))
    text = words("cli.staff.forget")
    forget = commands.add_parser("forget", help=text, description=text)
    forget.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.config"))
    forget.add_argument("--json", action="store_true", help=words("cli.option.json"))
    _add_number(forget, words("cli.option.staff-person"))
    add_people(forget, words, pins="pins-of-cut", first=Role.ROOM_MANAGER)
    forget.set_defaults(run=_forget)


def _add_number(parser: ArgumentParser, text: str) -> None:
    parser.add_argument("--number", "--person", dest="person", type=int, required=True, metavar="P", help=text)


def _word(text: str) -> str:
    """Returns a typed role in lower case, with hyphens replaced by underscores."""
    return text.strip().lower().replace("-", "_")


def _path(arguments: Namespace) -> Path:
    path: Path | None = arguments.file
    return path or read_config(arguments.config, ports_may_be_missing=True).staff


def _add(arguments: Namespace, talk: Talk) -> ExitCode:
    path, number = _path(arguments), arguments.person
    load_or_begin(path)  # a file that cannot be used is refused before a PIN is typed
    pin = new_pin(talk, arguments.pin_fd, number)
    name, role, badge = arguments.name, Role(arguments.role), arguments.badge
    change_staff(path, lambda book: book.with_person(number, name, role, pin, badge), begins=True)
    return _done(arguments, talk, path)


def _pin(arguments: Namespace, talk: Talk) -> ExitCode:
    path = _path(arguments)
    if load_staff(path).member(arguments.person) is None:  # before a PIN is typed
        raise StaffRefused("unknown", number=str(arguments.person))
    pin = new_pin(talk, arguments.pin_fd, arguments.person)
    change_staff(path, lambda book: book.with_pin(arguments.person, pin))
    return _done(arguments, talk, path)


def _rename(arguments: Namespace, talk: Talk) -> ExitCode:
    path = _path(arguments)
    change_staff(path, lambda book: book.with_name(arguments.person, arguments.name))
    return _done(arguments, talk, path)


def _remove(arguments: Namespace, talk: Talk) -> ExitCode:
    path = _path(arguments)
    today = _today()
    change_staff(path, lambda book: book.without(arguments.person, today))
    if today is None:
        talk.aside(talk.words("cli.staff.undated", person=str(arguments.person)))
    return _done(arguments, talk, path)


def _forget(arguments: Namespace, talk: Talk) -> ExitCode:
    config = read_config(arguments.config, ports_may_be_missing=True)
    days = config.names_kept_days
    if days is None:
        raise CliFailure(ExitCode.USAGE, "names-kept-days")
    today = _today()
    if today is None:
        raise CliFailure(ExitCode.FAILED, "clock-not-trusted")
    permit = asked_people(arguments, talk, "not-forgotten", Role.ROOM_MANAGER)
    manager, chief = Person(arguments.room_manager), Person(arguments.chief)
    cut = Forgotten(Person(arguments.person), manager, chief, today)

    def forgetting(book: StaffBook) -> StaffBook:
        permit(book)
        return book.forgetting(cut, days)

    change_staff(config.staff, forgetting)
    return _done(arguments, talk, config.staff)


def _today() -> date | None:
    """Returns today's date. Returns None if the clock is not trusted."""
    return datetime.now().astimezone().date() if is_trusted() else None


def _done(arguments: Namespace, talk: Talk, path: Path) -> ExitCode:
    talk.document({"ok": True, "person": arguments.person, "file": str(path)})
    talk.result(talk.words("cli.staff.saved", file=str(path)))
    return ExitCode.OK


def _list(arguments: Namespace, talk: Talk) -> ExitCode:
    book = load_staff(_path(arguments))
    people = [{"number": one.number, "name": one.name, "role": one.role.value} for one in book.people]
    talk.document({"people": people} | (_former(book) if arguments.former else {}))
    for one in book.people:
        talk.result(talk.words("cli.staff.person", number=str(one.number), name=one.name, role=one.role.value))
    for left in book.former if arguments.former else ():
        values = {"number": str(left.number), "name": left.name}
        dated = {} if left.left is None else {"day": left.left.isoformat()}
        talk.result(talk.words("cli.staff.left" if dated else "cli.staff.left-undated", **values, **dated))
    for cut in book.forgotten if arguments.former else ():
        talk.result(talk.words("cli.staff.forgotten", number=str(cut.number), day=cut.on.isoformat()))
    return ExitCode.OK


def _former(book: StaffBook) -> dict[str, list[dict[str, object]]]:
    former: list[dict[str, object]] = [
        {"number": one.number, "name": one.name, "left": None if one.left is None else one.left.isoformat()}
        for one in book.former
    ]
    return {"former": former, "forgotten": [{"number": one.number, "on": one.on.isoformat()} for one in book.forgotten]}
