"""Counts the rounds of a session from its entries, to find an entry's round and the round of a complaint
(FORMAT.md).
"""

import json
from typing import Final

from controller.journal.entry import Entry

OPENS: Final = "open-session"
ENDS_BETS: Final = frozenset({"announce-no-more-bets", "launch-ball"})
FIRST_BETS: Final = frozenset({"take-bets", "place-bet", "place-chips", "place-value-chips"})
ENDS_PLAY: Final = frozenset({"collect-cards", "confirm-outage", "confirm-payments"})
"""The acts behind which bets are the next round's. Bets during a deal (house.4) are of the round that is dealt."""

PUTS_BACK: Final = "put-ball-back"
"""The act after a null spin; the next launch begins the same spin once more."""

COMPLAINS: Final = frozenset({"record-complaint", "record-claim"})
"""The acts by which people record a player's complaint: at a card table, and at a wheel."""


class RoundCount:
    """Counts the rounds of a session from its entries, taken in order. `opened`: the entry that opened the last
    session; 0 before the first one.
    """

    def __init__(self) -> None:
        self._open(0)

    def _open(self, seq: int) -> None:
        self.opened = seq
        self._ended = 0
        self._is_bet = self._is_played = self._is_back = False

    @property
    def round(self) -> int:
        """The number, in its session, of the round to which the last entry belongs. 0 before the first bets."""
        return self._ended + self._is_bet

    def complained_of(self, entry: Entry) -> int | None:
        """Returns the round, counted within its session, that the complaint `entry` is about. Returns None if `entry`
        is no complaint, or if neither the complaint nor the entries so far tell the round.

        `entry` must be the last entry given to `take`.
        """
        if entry.refusal is not None or entry.kind not in COMPLAINS:
            return None
        named: object = json.loads(bytes(entry.body)).get("round")
        if isinstance(named, int):
            return named
        return self._ended if self.opened else None

    def take(self, entry: Entry) -> None:
        if entry.refusal is not None:
            return
        if entry.kind == OPENS:
            self._open(entry.seq)
        elif entry.kind in ENDS_BETS:
            self._ended += not self._is_back
            self._is_bet, self._is_played, self._is_back = False, True, False
        elif entry.kind == PUTS_BACK:
            self._is_back = True
        elif entry.kind in FIRST_BETS and not self._is_played:
            self._is_bet = True
        elif entry.kind in ENDS_PLAY:
            self._is_played = False
