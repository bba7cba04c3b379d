"""Writes a suggested act as a command line. A value that is not known yet is written as `name=…`."""

from controller.protocol.suggestion import Suggestion

UNKNOWN_PERSON = "N"


def command(suggestion: Suggestion) -> str:
    """Returns the suggested act as a `sabot act` command.

    An unknown person is written as UNKNOWN_PERSON, an unknown value as `…`.
    """
    person = UNKNOWN_PERSON if suggestion.person is None else str(suggestion.person)
    words = ["sabot", "act", suggestion.act, "--person", person]
    words += [f"--value {name}={value}" for name, value in suggestion.values.items()]
    words += [f"--value {name}=…" for name in suggestion.asks]
    return " ".join(words)
