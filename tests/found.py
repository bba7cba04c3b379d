"""Searches for a secret in a text that also contains random parts, such as digests, times and codes."""

import re


def stands_in(word: str, text: str) -> bool:
    """True where `text` has `word` as a whole word. Inside a digest or a time its letters may stand by chance."""
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", text) is not None
