"""The command line for a suggested act. Known values are filled in; each other value stands as `name=…`."""

from controller.protocol.suggestion import Suggestion

UNKNOWN_PERSON = "N"


def command(suggestion: Suggestion) -> str:
    """The `sabot act` command of a suggestion, with UNKNOWN_PERSON for an unknown person, `…` for an unknown value."""
    person = UNKNOWN_PERSON if suggestion.person is None else str(suggestion.person)
    words = ["sabot", "act", suggestion.act, "--person", person]
    words += [f"--value {name}={value}" for name, value in suggestion.values.items()]
    words += [f"--value {name}=…" for name in suggestion.asks]
    return " ".join(words)
