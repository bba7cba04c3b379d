"""The catalogue of all sentences that people read: a key and values give a sentence in the table's language."""

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
