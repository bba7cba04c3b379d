"""Sentences for the faults of an act's values."""

from controller.catalogue.sentences import Language, sentence
from controller.protocol.check import Problem


def problem_text(problem: Problem, language: Language) -> str:
    """The sentence on the fault of an act's value, followed by the sentence on the right value."""
    values = {"name": problem.name, "given": problem.given, "known": problem.known}
    wrong = sentence(f"value.wrong.{problem.wrong}", values, language)
    return wrong + " " + sentence(f"value.right.{problem.right}", values, language)
