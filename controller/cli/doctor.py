"""`sabot doctor`: what is wrong with this installation, and what to do about it."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path

from controller.cli.talk import Talk
from controller.config import ConfigRefused, read_config
from controller.doctor import Finding, Grade, Host, examine
from controller.doctor.host import CONFIG


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help=words("cli.option.root"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> int:
    """Exit code 0: well; 1: something will cost later; 2: the table does not run, or must not."""
    found = list(examine(Host(arguments.root, arguments.config)))
    worst = max((one.grade for one in found), default=0)
    talk.document(
        {"ok": not found, "exit_code": int(worst), "findings": [finding_document(talk, one) for one in found]}
    )
    say_findings(talk, found)
    if any(one.key == "config" for one in found):
        _say_config_errors(arguments.config, talk)
    talk.result(talk.words("doctor.end" if found else "doctor.well", count=str(len(found))))
    return int(worst)


def say_findings(talk: Talk, found: Iterable[Finding]) -> None:
    """Each with its remedy, the worst first."""
    for one in sorted(found, key=lambda one: -one.grade):
        mark = talk.words("doctor.critical" if one.grade is Grade.CRITICAL else "doctor.warning")
        talk.result(f"{mark} {_words(talk, 'found', one)}")
        talk.result(f"    {_words(talk, 'remedy', one)}")


def finding_document(talk: Talk, one: Finding) -> dict[str, object]:
    return {
        "finding": one.key,
        "grade": one.grade.name.lower(),
        "text": _words(talk, "found", one),
        "remedy": _words(talk, "remedy", one),
        **dict(one.values),
    }


def _words(talk: Talk, part: str, one: Finding) -> str:
    return talk.words(f"doctor.{part}.{one.key}", **dict(one.values))


def _say_config_errors(file: Path, talk: Talk) -> None:
    try:
        read_config(file, ports_may_be_missing=True)
    except ConfigRefused as refused:
        for line in refused.lines(talk.language):
            talk.result(f"    {line}")
