"""`sabot scenario run FILE...`: plays written scenarios through the core and reports each as passed or failed."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.catalogue.problems import problem_text
from controller.catalogue.words import refusal_words
from controller.cli.talk import Talk
from controller.core.engine.decision import Refusal
from controller.machine.exits import CliFailure, ExitCode
from controller.scenario.play import Begun, Played, play, shown_events
from controller.scenario.text import Mistake, Scenario, read_scenarios
from drivers.errors import system_word

LARGEST_BYTES: Final = 1_048_576


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    text = words("cli.scenario.run")
    run = commands.add_parser("run", help=text, description=text)
    run.add_argument("files", type=Path, nargs="+", metavar="FILE", help=words("cli.option.scenario"))
    run.add_argument("--trace", action="store_true", help=words("cli.option.trace"))
    run.add_argument("--events", action="store_true", help=words("cli.option.events"))
    run.add_argument("--json", action="store_true", help=words("cli.option.json"))
    run.set_defaults(run=_run)


def _run(arguments: Namespace, talk: Talk) -> ExitCode:
    scenarios: list[tuple[Path, Scenario]] = []
    mistakes: list[dict[str, object]] = []
    for path in arguments.files:
        found, wrong = _read(path)
        scenarios += [(path, one) for one in found]
        mistakes += [{"file": str(path), "line": one.line, "message": _mistake(one, talk)} for one in wrong]
    if mistakes:
        lines = "\n".join(f"{one['file']}:{one['line']}: {one['message']}" for one in mistakes)
        document = {"passed": 0, "failed": 0, "results": [], "errors": mistakes}
        raise CliFailure(ExitCode.USAGE, "scenario-mistakes", document, lines=lines)
    begun = Begun()
    ended = [(path, play(one, to_the_end=True, begun=begun)) for path, one in scenarios]
    for _path, played in ended if arguments.trace or arguments.events else ():
        _trace(played, talk, with_events=arguments.events)
    return _tell(ended, talk)


def _read(path: Path) -> tuple[list[Scenario], list[Mistake]]:
    """Returns the scenarios of a file, and every mistake in the file. An unreadable file counts as one mistake."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        return [], [Mistake(1, "unreadable", (("reason", system_word(error)),))]
    if len(content) > LARGEST_BYTES:
        return [], [Mistake(1, "too-large", (("bytes", str(LARGEST_BYTES)),))]
    try:
        return read_scenarios(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        return [], [Mistake(content[: error.start].count(b"\n") + 1, "no-text")]


def _mistake(one: Mistake, talk: Talk) -> str:
    problem = {} if one.problem is None else {"problem": problem_text(one.problem, talk.language)}
    values = dict(one.values)
    alone = "-alone" if values.get("near") == "-" else ""
    return talk.words(f"scenario.mistake.{one.what}{alone}", **values, **problem)


def _trace(played: Played, talk: Talk, *, with_events: bool) -> None:
    """Prints each line of a played scenario with its result. With `with_events` also prints the events that the line
    caused.
    """
    talk.aside(played.name)
    for one in played.trace:
        line = one.line
        said = played.scenario.tongue.said
        what = said(" ".join((*([line.person] if line.person else ()), line.word, *line.rest)))
        became = "done" if line.person is None else "allowed" if one.refusal is None else "refused"
        values = {"line": str(line.number), "what": what, "owed": said(one.owed)}
        values |= _refused(one.refusal, played.scenario, talk)
        talk.aside(talk.words(f"cli.scenario.traced-{became}", **values))
        for event in shown_events(one.events) if with_events else ():
            talk.aside(f"      {event}")


def _refused(refusal: Refusal | None, scenario: Scenario, talk: Talk) -> dict[str, str]:
    if refusal is None:
        return {}
    return {"rule": scenario.tongue.said(refusal.rule), "reason": refusal_words(refusal, talk.language).reason}


def _tell(ended: list[tuple[Path, Played]], talk: Talk) -> ExitCode:
    failed = sum(one.failure is not None for _path, one in ended)
    told = [(one, "\n    ".join(_messages(path, one, talk))) for path, one in ended]
    results = [{"name": one.name, "ok": one.failure is None, "message": message} for one, message in told]
    talk.document({"passed": len(ended) - failed, "failed": failed, "results": results})
    for one, message in told:
        key = "passed" if one.failure is None else "failed"
        talk.result(talk.words(f"cli.scenario.{key}", name=one.name, message=message))
    talk.result(talk.words("cli.scenario.sum", passed=str(len(ended) - failed), failed=str(failed)))
    return ExitCode.FAILED if failed else ExitCode.OK


def _messages(path: Path, one: Played, talk: Talk) -> list[str]:
    said = []
    for failure in one.failures:
        values = {name: one.scenario.tongue.said(text) for name, text in failure.values}
        text = talk.words(f"scenario.{failure.what}", **values)
        wrong = [talk.words(problem.wrong.key, **dict(problem.wrong.values)) for problem in failure.problems]
        reason = " ".join((*wrong, _refused(failure.refusal, one.scenario, talk).get("reason", "")))
        said.append(
            talk.words("scenario.at-line", file=str(path), line=str(failure.line), text=f"{text} {reason}".rstrip())
        )
    return said
