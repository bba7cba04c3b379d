"""The names of the conformance checks on the command line: prints all names, and refuses unknown names."""

from argparse import Action, ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any, Final

from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode
from firmware_protocols.tdp.conform.bench import kind_name
from firmware_protocols.tdp.conform.suite import CHECKS, NUMBERS

PREFIX: Final = "TDP-"
_NAMES: Final = [*(check.name for check in CHECKS), *(PREFIX + number for number in NUMBERS)]
_NEAR: Final = 3  # names in a refusal


class _Lists(Action):
    """The option `--list-checks`. If the option is given, the arguments in `frees` are no longer required."""

    def __init__(self, frees: Sequence[Action], **given: Any) -> None:  # noqa: ANN401 (argparse's own)
        super().__init__(nargs=0, default=False, **given)
        self._frees = frees

    def __call__(self, _parser: ArgumentParser, namespace: Namespace, _values: object, _option: object = None) -> None:
        setattr(namespace, self.dest, True)
        for one in self._frees:
            one.required = False


def add_names(parser: ArgumentParser, words: Callable[[str], str], needed: Sequence[Action]) -> None:
    """Adds the options `--check` and `--list-checks`.

    `needed`: the arguments that `--list-checks` makes optional.
    """
    parser.add_argument("--check", action="append", default=[], metavar="NAME", help=words("cli.option.conform-check"))
    parser.add_argument("--list-checks", action=_Lists, frees=needed, help=words("cli.option.conform-list"))


def asked_names(given: Sequence[str]) -> list[str]:
    """Returns the names given with `--check`, without the prefix `TDP-` of a requirement's number.

    Raises CliFailure for an unknown name.
    """
    for name in given:
        if name not in _NAMES:
            near = get_close_matches(name[:64], _NAMES, n=_NEAR)
            raise CliFailure(ExitCode.USAGE, "no-such-check", name=name, near=", ".join(near) or "-")
    return [name.removeprefix(PREFIX) for name in given]


def list_checks(talk: Talk) -> ExitCode:
    """Prints for each check its name, the numbers of the requirements that it tests, and the kinds of device it applies
    to.
    """
    rows = [
        {
            "name": check.name,
            "tries": [PREFIX + number for number in check.tries],
            "kinds": sorted(map(kind_name, check.kinds)),
        }
        for check in CHECKS
    ]
    talk.document(rows)
    for row in rows:
        talk.result(f"{row['name']}  {' '.join(row['tries'])}  ({', '.join(row['kinds'])})")
    return ExitCode.OK
