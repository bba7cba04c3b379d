"""A technician, or the room manager, and a chief supervisor, each with the own PIN, where a command needs both."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.cli.pin import pin
from controller.cli.talk import Talk
from controller.core.words import Role
from controller.machine.exits import CliFailure, ExitCode
from controller.staff import load_staff


def check_people(arguments: Namespace, staff: Path, talk: Talk, refused: str, first: Role = Role.TECHNICIAN) -> None:
    """CliFailure `refused` where one of the two is not who it must be."""
    book = load_staff(staff)
    for person, role in ((getattr(arguments, first.value), first), (arguments.chief, Role.CHIEF_SUPERVISOR)):
        if book.verify(person, pin(talk, arguments.pin_fd, person)) is not role:
            raise CliFailure(ExitCode.FAILED, refused, person=str(person), role=role.value)


def add_people(
    parser: ArgumentParser,
    words: Callable[[str], str],
    *,
    needed: bool = True,
    pins: str = "two-pins",
    first: Role = Role.TECHNICIAN,
) -> None:
    """Their options."""
    option = first.value.replace("_", "-")
    other, chief = words(f"cli.option.sealing-{option}"), words("cli.option.sealing-chief")
    parser.add_argument(f"--{option}", type=int, required=needed, metavar="N", help=other)
    parser.add_argument("--chief", type=int, required=needed, metavar="N", help=chief)
    parser.add_argument("--pin-fd", type=int, metavar="N", help=words(f"cli.option.{pins}"))
