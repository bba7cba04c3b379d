"""The sentences for a wrong value in an act."""

from typing import Final

from controller.catalogue.sentences import Language, has_key, sentence
from controller.protocol.check import Problem

_WITH_COMMA: Final = frozenset({Language.PT, Language.BR})


def problem_text(problem: Problem, language: Language, *, is_typed: bool = True) -> str:
    """Returns two sentences: what is wrong with an act's value, and which value is right.

    `is_typed`: a person has typed the value's name, as in a command; else the sentences have its label on the screen,
    and a decimal comma where the language has one.
    """
    name, given, label = problem.name, problem.given, f"value.label.{problem.name}"
    if not is_typed and has_key(label):
        name = sentence(label, (), language)
    if not is_typed and problem.right == "amount" and language in _WITH_COMMA:
        given = given.replace(".", ",")
    values = {"name": name, "given": given, "known": problem.known}
    wrong = sentence(f"value.wrong.{problem.wrong}", values, language)
    return wrong + " " + sentence(f"value.right.{problem.right}", values, language)
