"""The end of a command after a refusal by a lower layer: exit code, code for machines, and sentence.

The module is imported only after a refusal, so that a successful command does not wait for the import.
"""

from typing import assert_never

from controller.catalogue import sentence
from controller.cli.client import Unreachable
from controller.cli.connection import unreachable
from controller.cli.talk import Talk
from controller.config import ConfigRefused
from controller.machine.exits import ExitCode
from controller.machine.socket_path import SocketDirectoryRefused
from controller.staff import StaffRefused

Refused = ConfigRefused | StaffRefused | Unreachable | SocketDirectoryRefused
REFUSED = (ConfigRefused, StaffRefused, Unreachable, SocketDirectoryRefused)


def ending(refused: Refused, talk: Talk) -> tuple[ExitCode, str, str]:
    """Returns the exit code, the error's code for machines, and a sentence for people, with which a command ends after
    `refused`.
    """
    match refused:
        case ConfigRefused():
            return ExitCode.USAGE, "config", "\n".join(refused.lines(talk.language))
        case StaffRefused():
            return ExitCode.USAGE, "staff", sentence(refused.key, refused.values, talk.language)
        case Unreachable():
            failure = unreachable(refused)
            return failure.exit_code, failure.error, talk.words(f"cli.error.{failure.error}", **failure.values)
        case SocketDirectoryRefused():
            text = talk.words("cli.error.socket-directory", directory=str(refused.directory))
            return ExitCode.USAGE, "socket-directory", text
        case _:
            assert_never(refused)
