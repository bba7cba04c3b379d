"""Replaces the words that a person types with an act by a commitment.

The act's journal entry has only the commitment; a file beside the journal has the words. PERSONAL_DATA.md lists the
texts that are replaced. The core gets the commitment, too, so a replay needs no words.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from controller.core.engine.act import Act
from controller.journal.words import seal_words

SEALED: Final = {
    "record-complaint": "words",
    "report-duty": "reference",
    "record-authorisation": "reference",
    "keep-recording": "kept_at",
}
"""The field that holds typed words, for each act that has one."""


class TypedWords:
    """Replaces the words that a person typed with an act by a commitment, and keeps the words until the act is
    recorded.

    `salt`: returns a new random salt.
    """

    def __init__(self, salt: Callable[[], bytes]) -> None:
        self._salt = salt
        self._sealed: tuple[Act, bytes] | None = None

    def sealed(self, kind: str, act: Act) -> Act:
        """Returns the act `act` of kind `kind` with a commitment in place of the words that a person typed. Returns an
        act without such words unchanged.
        """
        name = SEALED.get(kind)
        text = None if name is None else getattr(act, name)
        if name is None or text is None or not text.strip():
            return act
        commitment, words = seal_words(text.strip(), self._salt())
        act = msgspec.structs.replace(act, **{name: commitment})
        self._sealed = act, words
        return act

    def take(self, recorded: object) -> bytes:
        """Returns the words of `recorded`, encoded for the file of words, and forgets them. Returns b"" unless
        `recorded` is the act that `sealed` returned last.

        The caller must make the words durable before the act's entry.
        """
        sealed, self._sealed = self._sealed, None
        return sealed[1] if sealed is not None and sealed[0] is recorded else b""
