"""The command that does what a suggestion says: what is known is filled in, the rest stands as it has to be given."""

from controller.protocol.suggestion import Suggestion

UNKNOWN_PERSON = "N"


def command(suggestion: Suggestion) -> str:
    """`sabot act ...`, ready to be typed."""
    person = UNKNOWN_PERSON if suggestion.person is None else str(suggestion.person)
    words = ["sabot", "act", suggestion.act, "--person", person]
    words += [f"--value {name}={value}" for name, value in suggestion.values.items()]
    words += [f"--value {name}=…" for name in suggestion.asks]
    return " ".join(words)
