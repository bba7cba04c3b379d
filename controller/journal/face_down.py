"""Finds the cards that were never turned. An export contains their encrypted seals (DESIGN 3.8).

Only the entries decide which cards were never turned, so every check of an export finds the same cards. A card is
*hidden* from the entry on that reads it face down. It is *turned* by the act that has its salt. The export gets the
seals of hidden cards once the cards are back in the deck: after the act that ends putting cards back, or after a
confirmed deck check. Burnt cards go back with the used cards. If putting back ends with the last card, no entry records
the end. The entry of the next bets then counts as the end, since bets had to wait for it.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

import msgspec

from controller.journal.entry import Entry

_READ: Final = "card-read"
_TURNINGS: Final = frozenset(("turn-hole-card", "turn-card"))
_ARE_BACK: Final = frozenset(("end-putting-back", "confirm-deck-check"))
_GO_BACK: Final = frozenset(("collect-cards", "begin-putting-back"))
_STAY: Final = "leave-in-rack"
_IN: Final = "card-counted-in"
_NEXT: Final = "take-bets"
LOOKED_AT: Final = frozenset((_READ, _STAY, _IN, _NEXT)) | _TURNINGS | _ARE_BACK | _GO_BACK


class _Read(msgspec.Struct, frozen=True, gc=False):
    commitment: str | None = None


class _Turned(msgspec.Struct, frozen=True, gc=False):
    card: str | None = None
    salt: str | None = None


_DECODE_READ: Final = msgspec.json.Decoder(_Read)
_DECODE_TURNED: Final = msgspec.json.Decoder(_Turned)


@dataclass(frozen=True, slots=True)
class NeverTurned:
    """A card that was read face down and never turned. `commitment`: the card's commitment; `entry`: the number of the
    entry that has the commitment.
    """

    commitment: str
    entry: int


@dataclass(slots=True)
class FaceDown:
    """Follows a journal's entries in order, and finds the face-down cards that were never turned.

    `hidden`: the entry of each face-down card, by its commitment. `waits`: True while a round's cards are in the rack
    and must be put back. `goes`: True once the first of these cards has been put back.
    """

    hidden: dict[str, int] = field(default_factory=dict)
    waits: bool = False
    goes: bool = False

    def behind(self, entry: Entry) -> tuple[NeverTurned, ...]:
        """Reads the next entry, and returns the cards whose seals follow it in an export, usually (). Ignores a body
        without the expected fields.
        """
        if entry.kind not in LOOKED_AT or entry.refusal is not None:
            return ()
        if entry.kind in _ARE_BACK or (entry.kind == _NEXT and self.goes):
            back, self.hidden, self.waits, self.goes = self.hidden, {}, False, False
            return tuple(NeverTurned(commitment, seq) for commitment, seq in back.items())
        if entry.kind in _GO_BACK or entry.kind == _STAY:
            self.waits, self.goes = entry.kind != _STAY, False
        self.goes = self.goes or (entry.kind == _IN and self.waits)
        with suppress(ValueError):  # msgspec's errors are ValueErrors, too
            self._take(entry)
        return ()

    def _take(self, entry: Entry) -> None:
        if entry.kind in _TURNINGS:
            turned = _DECODE_TURNED.decode(entry.body)
            if turned.card is not None and turned.salt is not None:
                self.hidden.pop(sha256(bytes.fromhex(turned.salt) + turned.card.encode()).hexdigest(), None)
        elif entry.kind == _READ and (commitment := _DECODE_READ.decode(entry.body).commitment):
            self.hidden.setdefault(commitment, entry.seq)
