"""`sabot clauses`: lists the laws' clauses with status and rules, or prints one clause with its text and tests."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable
from textwrap import shorten
from typing import Final

from controller.catalogue import Language
from controller.clauses.register import Clause, Status, documents, original, texts
from controller.clauses.register import register as clauses
from controller.cli.talk import Talk
from controller.config.problems import near
from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.machine.exits import CliFailure, ExitCode

JURISDICTIONS: Final = ("pt", "mo", "br", "house", "roulette")


_OF_THE_DOCUMENTS: Final = (Language.PT, Language.BR)
"""The languages whose readers get no English sentence, since the documents themselves are Portuguese."""

_SHORT: Final = 240


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("clause", nargs="?", metavar="CLAUSE", help=words("cli.option.clause"))
    parser.add_argument(
        "--profile", choices=(*PROFILES, *JURISDICTIONS), metavar="P", help=words("cli.option.clauses-of")
    )
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    if arguments.clause is not None:
        return _one(arguments.clause, talk)
    wanted = _of(arguments.profile)
    found = [one for one in clauses() if wanted is None or one.profile == wanted]
    talk.document([_row(one) for one in found])
    for one in found:
        values = {"id": one.id, "status": one.status.value, "rules": " ".join(one.rules) or "-"}
        text = shorten(" ".join(original(one.id)), _SHORT) if talk.language in _OF_THE_DOCUMENTS else one.text
        talk.result(talk.words("cli.clauses.row", tests=str(len(one.tests)), text=text, **values))
    talk.result(_sum(found, talk))
    return ExitCode.OK


def _one(name: str, talk: Talk) -> ExitCode:
    """Prints one clause: its text in the law's language, its rules and its tests.

    A user with another language also gets an English sentence.
    """
    one = next((one for one in clauses() if one.id == name), None)
    if one is None:
        raise CliFailure(ExitCode.USAGE, "no-such-clause", given=name, near=near(name, tuple(texts())) or "pt.bj.1a")
    document, number = documents()[one.profile].title, texts()[name].number
    told = _row(one) | {"document": document, "number": number, "original": list(original(name)), "text": one.text}
    talk.document(told)
    talk.result(talk.words("cli.clauses.head", id=name, status=one.status.value, document=document, number=number))
    for line in (*original(name), *(() if talk.language in _OF_THE_DOCUMENTS else (one.text,))):
        talk.result(f"\n  {line}")
    if one.outside is not None:
        talk.result("\n" + talk.words("cli.clauses.outside", reason=one.outside.value))
    if one.unseen is not None:
        talk.result("\n" + talk.words("cli.clauses.unseen", part=one.unseen[talk.language in _OF_THE_DOCUMENTS]))
    talk.result("\n" + talk.words("cli.clauses.rules", rules=" ".join(one.rules) or "-"))
    for key, tests in (("shows", one.tests), ("mentions", one.mentions)):
        talk.result(talk.words(f"cli.clauses.{key}", tests=str(len(tests))))
        for test in tests:
            talk.result(f"  {test}")
    return ExitCode.OK


def _of(profile: str | None) -> str | None:
    """Returns the jurisdiction of the profile `profile`. Returns a text that is no profile's name unchanged."""
    return law(profile).jurisdiction if profile in PROFILES and profile is not None else profile


def _row(one: Clause) -> dict[str, object]:
    return {
        "id": one.id,
        "profile": one.profile,
        "how": one.how.value,
        "status": one.status.value,
        "rules": list(one.rules),
        "tests": list(one.tests),
        "mentions": list(one.mentions),
        "outside": one.outside and one.outside.value,
        "unseen": one.unseen and one.unseen[0],
    }


def _sum(found: list[Clause], talk: Talk) -> str:
    counts = Counter(one.status for one in found)
    return talk.words("cli.clauses.sum", **{status.value: str(counts[status]) for status in Status})
