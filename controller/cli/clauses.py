"""`sabot clauses`: each clause, what the controller does about it, the rows that do it, the tests that show it."""

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable
from typing import Final

from controller.clauses.register import Clause, Status
from controller.clauses.register import register as clauses
from controller.cli.talk import ExitCode, Talk
from controller.config.profile import PROFILES
from controller.config.profile_file import law

JURISDICTIONS: Final = ("pt", "mo", "br", "house", "roulette")


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument(
        "--profile", choices=(*PROFILES, *JURISDICTIONS), metavar="P", help=words("cli.option.clauses-of")
    )
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    wanted = _of(arguments.profile)
    found = [one for one in clauses() if wanted is None or one.profile == wanted]
    talk.document([_row(one) for one in found])
    for one in found:
        values = {"id": one.id, "status": one.status.value, "text": one.text, "rules": " ".join(one.rules) or "-"}
        talk.result(talk.words("cli.clauses.row", tests=str(len(one.tests)), **values))
    talk.result(_sum(found, talk))
    return ExitCode.OK


def _of(profile: str | None) -> str | None:
    """The documents whose clauses a profile stands on."""
    return law(profile).jurisdiction if profile in PROFILES and profile is not None else profile


def _row(one: Clause) -> dict[str, object]:
    return {
        "id": one.id,
        "profile": one.profile,
        "how": one.how.value,
        "status": one.status.value,
        "rules": list(one.rules),
        "tests": list(one.tests),
    }


def _sum(found: list[Clause], talk: Talk) -> str:
    counts = Counter(one.status for one in found)
    return talk.words("cli.clauses.sum", **{status.value: str(counts[status]) for status in Status})
