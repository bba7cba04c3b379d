"""The keys of the pages' own keyboard: a touch screen at a table has no other keyboard."""

from typing import Final

KEYS: Final = ("1234567890-", "qwertyuiop/", "asdfghjklç:", "zxcvbnm._@'", "áàâãéêíóôõú")
"""The characters of the keyboard, by row."""
