"""The exit codes of commands, and the exception that ends a command early."""

from enum import IntEnum, unique


@unique
class ExitCode(IntEnum):
    OK = 0
    FAILED = 1  # a check failed, an act was refused, the controller does not answer
    USAGE = 2  # wrong usage or configuration
    HELD = 3  # `sabot status`: the table is held
    UNREACHABLE = 4  # `sabot status`: no controller answers, or none with a readable answer


class CliFailure(Exception):  # noqa: N818 (it is the end of a command, not a fault of the program)
    """Ends a command with an exit code, an error as a code for machines, and a sentence for people.

    The catalogue has the sentence under `cli.error.<error>`. JSON output has code and sentence, or `document` if that
    is given.
    """

    def __init__(self, exit_code: ExitCode, error: str, document: object = None, **values: str) -> None:
        super().__init__(error)
        self.exit_code = exit_code
        self.error = error
        self.document = document
        self.values = values
