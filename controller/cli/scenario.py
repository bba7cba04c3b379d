"""`sabot scenario run FILE...`: plays written scenarios through the core and says which came true."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.catalogue.problems import problem_text
from controller.cli.talk import CliFailure, ExitCode, Talk
from controller.scenario.play import Played, play, shown_events
from controller.scenario.text import Mistake, Scenario, read_scenarios

LARGEST_BYTES: Final = 1_048_576


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    text = words("cli.scenario.run")
    run = commands.add_parser("run", help=text, description=text)
    run.add_argument("files", type=Path, nargs="+", metavar="FILE", help=words("cli.option.scenario"))
    run.add_argument("--trace", action="store_true", help=words("cli.option.trace"))
    run.add_argument("--json", action="store_true", help=words("cli.option.json"))
    run.set_defaults(run=_run)


def _run(arguments: Namespace, talk: Talk) -> ExitCode:
    scenarios: list[Scenario] = []
    mistakes: list[dict[str, object]] = []
    for path in arguments.files:
        found, wrong = _read(path)
        scenarios += found
        mistakes += [{"file": str(path), "line": one.line, "message": _mistake(one, talk)} for one in wrong]
    if mistakes:
        lines = "\n".join(f"{one['file']}:{one['line']}: {one['message']}" for one in mistakes)
        document = {"passed": 0, "failed": 0, "results": [], "errors": mistakes}
        raise CliFailure(ExitCode.USAGE, "scenario-mistakes", document, lines=lines)
    return _tell([_played(one, talk, trace=arguments.trace) for one in scenarios], talk)


def _read(path: Path) -> tuple[list[Scenario], list[Mistake]]:
    """The scenarios of a file and every mistake in it; a file that is no text at all is one mistake."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        return [], [Mistake(1, "unreadable", (("reason", error.strerror or str(error)),))]
    if len(content) > LARGEST_BYTES:
        return [], [Mistake(1, "too-large", (("bytes", str(LARGEST_BYTES)),))]
    try:
        return read_scenarios(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return [], [Mistake(content[: error.start].count(b"\n") + 1, "no-text")]


def _mistake(one: Mistake, talk: Talk) -> str:
    problem = {} if one.problem is None else {"problem": problem_text(one.problem, talk.language)}
    return talk.words(f"scenario.mistake.{one.what}", **dict(one.values), **problem)


def _played(scenario: Scenario, talk: Talk, *, trace: bool) -> Played:
    played = play(scenario)
    if trace:
        talk.aside(played.name)
        for line in shown_events(played.events):
            talk.aside(f"  {line}")
    return played


def _tell(played: list[Played], talk: Talk) -> ExitCode:
    failed = sum(one.failure is not None for one in played)
    results = [{"name": one.name, "ok": one.failure is None, "message": _message(one, talk)} for one in played]
    talk.document({"passed": len(played) - failed, "failed": failed, "results": results})
    for one in played:
        key = "passed" if one.failure is None else "failed"
        talk.result(talk.words(f"cli.scenario.{key}", name=one.name, message=_message(one, talk)))
    talk.result(talk.words("cli.scenario.sum", passed=str(len(played) - failed), failed=str(failed)))
    return ExitCode.FAILED if failed else ExitCode.OK


def _message(one: Played, talk: Talk) -> str:
    if one.failure is None:
        return ""
    text = talk.words(f"scenario.{one.failure.what}", **dict(one.failure.values))
    return talk.words("scenario.at-line", line=str(one.failure.line), text=text)
