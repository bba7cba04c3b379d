"""Asks for the PINs of the two people who permit a command: a technician or room manager, and a chief supervisor."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.pin import pin
from controller.cli.talk import Talk
from controller.core.words import Role
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.staff import StaffBook


def check_people(arguments: Namespace, staff: Path, talk: Talk, refused: str, first: Role = Role.TECHNICIAN) -> None:
    """Asks a person with the role `first` and a chief supervisor for their PINs, and checks both PINs. Raises
    StaffRefused for a bad staff file. Raises CliFailure if no PIN can be read. Raises CliFailure with the code
    `refused` if a PIN is wrong or a person has another role.
    """
    from controller.staff import load_staff

    asked_people(arguments, talk, refused, first)(load_staff(staff))


def asked_people(
    arguments: Namespace, talk: Talk, refused: str, first: Role = Role.TECHNICIAN
) -> "Callable[[StaffBook], None]":
    """Asks both people for their PINs. Raises CliFailure if no PIN can be read.

    Returns a function that checks the PINs against a staff book, and raises CliFailure if a PIN or a role is wrong.
    """
    people = ((getattr(arguments, first.value), first), (arguments.chief, Role.CHIEF_SUPERVISOR))
    asked = [(person, role, pin(talk, arguments.pin_fd, person)) for person, role in people]

    def check(book: "StaffBook") -> None:
        for person, role, typed in asked:
            if book.verify(person, typed) is not role:
                raise CliFailure(ExitCode.FAILED, refused, person=str(person), role=role.value)

    return check


def add_people(
    parser: ArgumentParser,
    words: Callable[[str], str],
    *,
    needed: bool = True,
    pins: str = "two-pins",
    first: Role = Role.TECHNICIAN,
) -> None:
    """Adds the options for the numbers and PINs of the two people. `needed`: both numbers are required.

    `pins`: the help text of `--pin-fd`, as a key under `cli.option`.
    """
    option = first.value.replace("_", "-")
    other, chief = words(f"cli.option.sealing-{option}"), words("cli.option.sealing-chief")
    parser.add_argument(f"--{option}", type=int, required=needed, metavar="N", help=other)
    parser.add_argument("--chief", type=int, required=needed, metavar="N", help=chief)
    parser.add_argument("--pin-fd", type=int, metavar="N", help=words(f"cli.option.{pins}"))
