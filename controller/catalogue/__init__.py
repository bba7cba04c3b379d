"""The one place of sentences: a key with values in, words in the table's language out."""

from controller.catalogue.sentences import (
    Language,
    UnknownKey,
    Values,
    has_key,
    keys,
    language_of,
    own_keys,
    placeholders,
    sentence,
)

__all__ = [
    "Language",
    "UnknownKey",
    "Values",
    "has_key",
    "keys",
    "language_of",
    "own_keys",
    "placeholders",
    "sentence",
]
