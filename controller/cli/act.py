"""`sabot act`: does a person's act through the controller's socket. `--list` prints the acts that are possible now."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final

from controller.catalogue.problems import problem_text
from controller.cli.book_code import code_after, show
from controller.cli.client import Client, Unreachable
from controller.cli.commands import command
from controller.cli.connection import add_socket_options, connect, failure_of
from controller.cli.pin import pin
from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode
from controller.protocol.check import Problem, problems_of
from controller.protocol.lines import ActDocument, Answer, RefusalDocument
from controller.protocol.status import StepStatus
from controller.protocol.values import ValueKind


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    add_socket_options(parser, words)
    parser.add_argument("what", nargs="?", metavar="WHAT", help=words("cli.option.what"))
    parser.add_argument("--person", type=int, metavar="P", help=words("cli.option.person"))
    parser.add_argument("--pin-fd", type=int, metavar="N", help=words("cli.option.pin-fd"))
    parser.add_argument("--value", action="append", default=[], metavar="K=V", help=words("cli.option.value"))
    parser.add_argument("--list", action="store_true", help=words("cli.option.list"))
    parser.add_argument("--all", action="store_true", help=words("cli.option.all"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    if arguments.list:
        return _list(arguments, talk)
    if arguments.what is None:
        raise CliFailure(ExitCode.USAGE, "what-missing")
    values = _values(arguments.value)
    with connect(arguments) as client:
        values = _checked(talk, client, arguments.what, values)
        if arguments.person is None:
            raise CliFailure(ExitCode.USAGE, "person-missing")
        given = pin(talk, arguments.pin_fd, arguments.person)
        who = {"person": arguments.person, "pin": given, "language": talk.language.value}
        answer = client.ask("act", act=arguments.what, values=values, **who)
        code = _code(talk, arguments.what, client) if answer.ok else None
    return _tell(talk, answer, code)


def _code(talk: Talk, what: str, client: Client) -> str | None:
    """Returns the code for the inspection's book after an act that opened or closed the session. Returns None after any
    other act, and if the controller does not answer with a code; then also prints a remark.
    """
    try:
        return code_after(what, client)
    except (CliFailure, Unreachable):
        talk.aside(talk.words("cli.act.no-code"))
        return None


def _values(given: Sequence[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name or name in values:
            raise CliFailure(ExitCode.USAGE, "value-form", value=text)
        values[name] = value
    return values


def _checked(talk: Talk, client: Client, what: str, values: Mapping[str, str]) -> dict[str, str]:
    """Returns the given values. If the act needs a hold or duty and only one is possible, adds that one to the values.

    Raises CliFailure for wrong values before the person types a PIN. The controller checks the values again.
    """
    act = _asked_for(talk, client, what)
    only = {one.name: one.default for one in act.values if one.kind in _ONLY_ONES and one.default is not None}
    problems = problems_of(act, only | {**values})
    if problems:
        text = " ".join(_problem(talk, problem) for problem in problems)
        raise CliFailure(ExitCode.USAGE, "values", act=what, text=text)
    return only | {**values}


_ONLY_ONES: Final = (ValueKind.HOLD, ValueKind.DUTY)


def _problem(talk: Talk, problem: Problem) -> str:
    if problem.wrong == "missing":
        return talk.words("value.wrong.missing", name=problem.name) + " " + talk.words("cli.act.add", name=problem.name)
    return problem_text(problem, talk.language)


def _asked_for(talk: Talk, client: Client, what: str) -> ActDocument:
    """Asks the controller for its description of the act `what`. Raises CliFailure, also for an unknown act."""
    answer = _listed_acts(talk, client, act=what)
    if answer.acts:
        return answer.acts[0]
    if answer.error is None or answer.error.code != "unknown-act":
        raise failure_of(answer)
    known = [one.act for one in _listed_acts(talk, client).acts]
    near = next(iter(get_close_matches(what, known, n=1, cutoff=0.6)), "-")
    raise CliFailure(ExitCode.USAGE, "unknown-act", act=what, near=near)


def _listed_acts(talk: Talk, client: Client, **about: object) -> Answer:
    return client.ask("list", language=talk.language.value, **about)


def _tell(talk: Talk, answer: Answer, code: str | None) -> ExitCode:
    if answer.ok:
        talk.document(answer.document() | ({} if code is None else {"code": code}))
        talk.result(answer.text or talk.words("cli.act.done", seq=str(answer.seq)))
        if answer.next is not None:
            talk.result(_next(talk, answer.next))
        if code is not None:
            talk.result(talk.words("cli.act.note-code"))
            show(code, talk)
        return ExitCode.OK
    if answer.refusal is None:
        raise failure_of(answer)
    talk.document(answer.document())
    if not talk.as_json:
        talk.aside(_refusal(talk, answer.refusal))
    return ExitCode.FAILED


def _next(talk: Talk, step: StepStatus) -> str:
    said = talk.words("cli.act.next", text=step.text, who=",".join(step.who))
    return "\n".join([said, *(f"    {command(one)}" for one in step.acts)])


def _refusal(talk: Talk, refusal: RefusalDocument) -> str:
    why = talk.words("cli.act.refused", reason=refusal.reason, remedy=refusal.remedy)
    who = _who(talk, refusal)
    return "\n".join([why, *(f"    {command(one)}" for one in refusal.remedy_acts), who])


def _who(talk: Talk, refusal: RefusalDocument) -> str:
    """Returns the sentence on the people who may do the act, with the reason: the law's clause, or the purpose of our
    own rule.
    """
    who = ",".join(refusal.who)
    if refusal.clause is None:
        return talk.words("cli.act.refused-ours", who=who, rule=refusal.rule, why=refusal.why or "")
    return talk.words("cli.act.refused-who", who=who, clause=refusal.clause)


def _list(arguments: Namespace, talk: Talk) -> ExitCode:
    with connect(arguments) as client:
        answer = _listed_acts(talk, client)
    if not answer.ok:
        raise failure_of(answer)
    talk.document(answer.document())
    allowed = [act for act in answer.acts if act.allowed]
    refused = [act for act in answer.acts if not act.allowed]
    talk.result(talk.words("cli.act.allowed"))
    for act in allowed:
        talk.result(_listed(talk, act))
    if not arguments.all:
        talk.result(talk.words("cli.act.others", count=str(len(refused))))
        return ExitCode.OK
    talk.result(talk.words("cli.act.not-allowed"))
    for act in refused:
        talk.result(_listed(talk, act))
        why = {"reason": act.reason or "", "remedy": act.remedy or "", "clause": act.clause or act.rule or ""}
        talk.result(talk.words("cli.act.why-not", **why))
    return ExitCode.OK


def _listed(talk: Talk, act: ActDocument) -> str:
    values = "".join(f" --value {value.name}=…" for value in act.values if not value.may_be_left_out)
    return talk.words("cli.act.listed", act=act.act + values, what=act.what, who=",".join(act.who))
