"""The hands at a device while its protocol is checked (`--hands`): a person at the terminal, a program, or none."""

import select
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Final

from controller.cli.device_line import PortLine
from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode
from drivers.errors import system_word
from firmware_protocols.tdp.conform.bench import Bench, Deed, Nobody

ASK: Final = "ask"
_NO: Final = ("n", "no", "nao", "não")
_SWITCHES_OFF: Final = (Deed.POWER, Deed.FORGET)


def bench_of(hands: str | None, talk: Talk, line: PortLine) -> Bench:
    """Returns the bench that handles the device on `line`. `hands`, the option's value: None for a bench that does
    nothing, `ask` for a person at the terminal, otherwise the command line of a program.
    """
    if hands is None:
        return Nobody()
    return AskedPerson(talk, line) if hands == ASK else RunProgram(shlex.split(hands), line)


class AskedPerson:
    """Asks a person at the terminal to do each deed (satisfies `Bench`).

    Enter means that the deed is done; `n` or the end of input means that it is not possible.
    """

    is_quick = False

    def __init__(self, talk: Talk, line: PortLine) -> None:
        self._talk, self._line = talk, line

    def do(self, deed: Deed, times: int, meanwhile: Callable[[], None]) -> bool:
        if deed in _SWITCHES_OFF:
            self._line.let_go()
        self._talk.aside(self._talk.words(f"cli.conform-deed.{deed}", times=str(times)))
        while not select.select([sys.stdin], [], [], 0)[0]:
            meanwhile()
        said = sys.stdin.readline()
        return bool(said) and said.strip().lower() not in _NO


class RunProgram:
    """Runs a program for each deed (satisfies `Bench`). `COMMAND DEED TIMES` exits with 0 once the program has done the
    deed.
    """

    is_quick = False

    def __init__(self, command: list[str], line: PortLine) -> None:
        self._command, self._line = command, line

    def do(self, deed: Deed, times: int, meanwhile: Callable[[], None]) -> bool:
        """Runs the program for a deed, and calls `meanwhile` repeatedly until it exits. Returns True for exit code 0.

        Raises CliFailure if the program cannot be started.
        """
        if deed in _SWITCHES_OFF:
            self._line.let_go()
        try:
            program = subprocess.Popen([*self._command, deed.value, str(times)], stdin=subprocess.DEVNULL)  # noqa: S603
        except OSError as error:
            raise CliFailure(ExitCode.USAGE, "hands", command=self._command[0], detail=system_word(error)) from error
        while program.poll() is None:
            meanwhile()
        return program.returncode == 0
