"""The sentences for a wrong value in an act."""

from controller.catalogue.sentences import Language, sentence
from controller.protocol.check import Problem


def problem_text(problem: Problem, language: Language) -> str:
    """Returns two sentences: what is wrong with an act's value, and which value is right."""
    values = {"name": problem.name, "given": problem.given, "known": problem.known}
    wrong = sentence(f"value.wrong.{problem.wrong}", values, language)
    return wrong + " " + sentence(f"value.right.{problem.right}", values, language)
