"""Technician and chief supervisor, each with the own PIN, where a command needs both."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.cli.pin import pin
from controller.cli.talk import Talk
from controller.core.words import Role
from controller.machine.exits import CliFailure, ExitCode
from controller.staff import load_staff


def check_people(arguments: Namespace, staff: Path, talk: Talk, refused: str) -> None:
    """CliFailure `refused` where one of the two is not who it must be."""
    book = load_staff(staff)
    for person, role in ((arguments.technician, Role.TECHNICIAN), (arguments.chief, Role.CHIEF_SUPERVISOR)):
        if book.verify(person, pin(talk, arguments.pin_fd, person)) is not role:
            raise CliFailure(ExitCode.FAILED, refused, person=str(person), role=role.value)


def add_people(
    parser: ArgumentParser, words: Callable[[str], str], *, needed: bool = True, pins: str = "two-pins"
) -> None:
    """Their options."""
    technician, chief = words("cli.option.sealing-technician"), words("cli.option.sealing-chief")
    parser.add_argument("--technician", type=int, required=needed, metavar="N", help=technician)
    parser.add_argument("--chief", type=int, required=needed, metavar="N", help=chief)
    parser.add_argument("--pin-fd", type=int, metavar="N", help=words(f"cli.option.{pins}"))
