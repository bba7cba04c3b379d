"""A command in the process of the test: the start of a process of its own costs more than most commands do."""

import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from subprocess import CompletedProcess

Main = Callable[[Sequence[str]], int]


def run(main: Main, *words: str) -> CompletedProcess[str]:
    """Exit code and output of `main` with these arguments, also for the parser's own exit."""
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            code = main(words)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
    return CompletedProcess(words, code, out.getvalue(), err.getvalue())
