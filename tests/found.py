"""How tests look for a secret in a text that has random parts: digests, times, codes."""

import re


def stands_in(word: str, text: str) -> bool:
    """True where the word is there by itself. In a digest or in parts of a second its letters may come by chance."""
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", text) is not None
