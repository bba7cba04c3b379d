"""The durations of people's deeds at a table, with the reasons for the figures.

The figures are those of a real room, so that a world's hours are hours of a real table. A key press takes a moment, but
people often wait before it: while decks are displayed, a player thinks, or a technician comes. The law gives no times;
the trade expects sixty rounds an hour while seats are occupied. The report of a world shows its rounds an hour and its
entries a second.
"""

from enum import Enum, auto
from random import Random
from typing import Final

from msgspec import Struct

from controller.core.words import Role


class Per(Enum):
    """The unit of a span's figures: the whole deed, or each deck."""

    ONCE = auto()
    DECK = auto()


class Span(Struct, frozen=True):
    """A random duration in seconds between two bounds. With Per.DECK it is multiplied by the number of decks."""

    least_s: float
    most_s: float
    per: Per = Per.ONCE

    def draw(self, rng: Random, decks: int) -> float:
        return rng.uniform(self.least_s, self.most_s) * (decks if self.per is Per.DECK else 1)


WORK: Final[dict[str, Span]] = {
    # opening
    "open-session": Span(300, 540),  # the bank is brought, counted by the dealer, checked and signed for
    "number-deck-set": Span(15, 30, Per.DECK),  # seals broken, decks compared with the register
    "confirm-display": Span(100, 140, Per.DECK),  # fifty-two cards spread in rows, looked over, turned (pt.bj.53a)
    "confirm-mixing": Span(60, 120, Per.DECK),  # the usual passes by hand (pt.bj.53b)
    "begin-loading": Span(5, 15),
    "confirm-count": Span(60, 100, Per.DECK),  # seals, the maker's order, fifty-two cards told off (br.prep.2)
    "shuffle-deck": Span(30, 60),
    "CutCards": Span(5, 15),
    "LayWarningCard": Span(10, 25),  # fifty cards counted from the end
    "FillMachine": Span(5, 15),
    "GatherCards": Span(10, 20, Per.DECK),
    "HandOverPacket": Span(8, 20),  # a packet is cut off
    "FeedPacket": Span(4, 10),  # with care (pt.bj.54a)
    "complete-loading": Span(5, 15),
    # a round
    "draw-card": Span(2, 6),  # a player thinks and decides
    "TurnHoleCard": Span(2, 5),  # the standing players have decided
    "ShowCards": Span(1, 4),
    "confirm-settled": Span(6, 11),  # hands compared, stakes taken, winners paid
    # --- faults
    "record-complaint": Span(5, 20),
    "HearPlayer": Span(30, 90),
    "decide-complaint": Span(120, 480),  # the pictures are looked at
    "report-damaged-card": Span(5, 15),
    "call-for-ruling": Span(3, 10),
    "make-ruling": Span(20, 120),  # he hears them, and looks
    "SwapDamaged": Span(60, 180),  # the spare deck is fetched
    "SwapDeck": Span(300, 600),  # every card looked through
    "OpenLid": Span(3, 8),
    "FreeJam": Span(10, 60),
    "state-count": Span(20, 60),  # everything outside the machine
    "state-outage": Span(20, 60),
    "confirm-outage": Span(5, 20),
    "RepairMachine": Span(300, 1200),
    "BringSpare": Span(60, 180),
    "Plug": Span(10, 60),  # the right cable among several behind the table
    "attest-repair": Span(20, 60),
    "propose-irregular-closing": Span(20, 60),
    "confirm-irregular-closing": Span(30, 120),
    # closing
    "indicate-closing": Span(5, 20),
    "enter-grid": Span(60, 120, Per.DECK),  # a figure for each of fifty-two faces
    "confirm-deck-check": Span(120, 240, Per.DECK),  # ordered by deck, each looked through (pt.bj.55b)
    "report-duty": Span(120, 300),
}
"""The work before a deed. A person decides on the deed, works, and then does it if he still decides on it."""

COMES: Final[dict[Role, Span]] = {
    Role.CHIEF_SUPERVISOR: Span(60, 180),  # he looks after several tables
    Role.TABLE_INSPECTOR: Span(10, 60),  # has two or three tables in sight
    Role.ROOM_MANAGER: Span(120, 300),
    Role.TECHNICIAN: Span(300, 900),  # is in the house, with his tools
}
"""The time until an absent person comes for his first deed. The dealer is always there."""

STAYS_S: Final = 120.0
"""The seconds for which a person stays at the table after a deed."""

FIRST_PLAYERS: Final = Span(120, 420)
"""The time until a newly opened table has its first players."""

EMPTY_SHARE: Final = 1 / 16
EMPTY: Final = Span(180, 720)
"""With the chance EMPTY_SHARE all players leave after a round, and the table stays empty for this time."""

NOTICE_S: Final = (0.15, 0.9)
"""The least and most seconds until a person notices a change."""

PAUSES: Final[dict[str, Span]] = {
    "take-bets": Span(14, 22),  # players place their bets
    "announce-no-more-bets": Span(0.8, 1.5),
    "draw-card": Span(0.3, 0.8),
    "turn-hole-card": Span(1.0, 2.0),
    "turn-card": Span(0.4, 1.0),
    "confirm-settled": Span(1.0, 2.5),
    "collect-hand": Span(1.0, 2.5),
    "collect-cards": Span(1.0, 2.5),
    "PullCard": Span(0.5, 1.1),
    "PullWrongly": Span(0.5, 1.1),
    "FeedPacket": Span(1.0, 2.0),
}
"""Pause after a deed, before the person's next look."""

PAUSE: Final = Span(0.6, 2.0)


def pause_s(what: str, rng: Random) -> float:
    """Returns a random pause in seconds after the deed `what`, by the deed's row in PAUSES, or by PAUSE for a deed
    without a row.
    """
    return PAUSES.get(what, PAUSE).draw(rng, 1)


def work_s(what: str, rng: Random, *, decks: int, is_first_round: bool) -> float:
    """Returns the random seconds of work before the deed `what`, by the deed's row in WORK; 0 for a deed without a row.
    For `take-bets` returns the seconds until players come.
    """
    if what == "take-bets":
        return _until_players_come_s(rng, is_first_round=is_first_round)
    span = WORK.get(what)
    return 0.0 if span is None else span.draw(rng, decks)


def _until_players_come_s(rng: Random, *, is_first_round: bool) -> float:
    if is_first_round:
        return FIRST_PLAYERS.draw(rng, 1)
    return EMPTY.draw(rng, 1) if rng.random() < EMPTY_SHARE else 0.0
