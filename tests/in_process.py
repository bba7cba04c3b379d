"""Runs a command inside the test's process, since the start of a process takes longer than most commands."""

import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess

Main = Callable[[Sequence[str]], int]


def run(main: Main, *words: str) -> CompletedProcess[str]:
    """Runs `main` with these arguments; returns its exit code and output, also where the parser exits."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            code = main(words)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
    return CompletedProcess(words, code, out.getvalue(), err.getvalue())
