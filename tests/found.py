"""The search of tests for a secret in a text with random parts: digests, times, codes."""

import re


def stands_in(word: str, text: str) -> bool:
    """True where the word stands alone. In a digest or in parts of a second its letters may come by chance."""
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", text) is not None
