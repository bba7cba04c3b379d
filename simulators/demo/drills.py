"""The drills (kinds of practice) for a trainee, and the choice of a drill by the mistakes counted in a journal."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from controller.config.model import Tracks
from controller.config.profile import GameName
from controller.record.mistakes import MistakeKind
from simulators.demo.incidents import Kind
from simulators.people.stack import CHANCE, LOW, TENS, Stack


class Drill(Struct, frozen=True):
    """One kind of practice. The message `train.drill.<name>` describes it."""

    name: str
    game: GameName
    tracks: Tracks
    rounds: int
    faults: tuple[Kind, ...] = ()
    stack: Stack = CHANCE
    opens: bool = False  # the dealer also opens the table; False: he relieves the dealer who has opened it
    acts: frozenset[str] = frozenset()  # the acts that it practises, with their mistakes


DRILLS: Final = (
    Drill("deal", GameName.BLACKJACK, Tracks.CARDS, 10, opens=True),
    Drill(
        "hands",
        GameName.BLACKJACK,
        Tracks.HANDS,
        10,
        acts=frozenset({"place-bet", "change-bet", "withdraw-bet", "stand", "double-down", "surrender", "draw-card"}),
    ),
    Drill(
        "pay",
        GameName.BLACKJACK,
        Tracks.HANDS,
        10,
        stack=Stack(bank=LOW, first=frozenset({"A"}), second=TENS, seat_share=0.6),
        acts=frozenset({"confirm-settled", "decide-amount", "confirm-differences", "take-even-money"}),
    ),
    Drill(
        "split",
        GameName.BLACKJACK,
        Tracks.HANDS,
        10,
        stack=Stack(first=LOW, is_pair=True, seat_share=0.8),
        acts=frozenset({"split-pair"}),
    ),
    Drill(
        "insurance",
        GameName.BLACKJACK,
        Tracks.HANDS,
        10,
        stack=Stack(bank=frozenset({"A"}), bank_share=0.8, first=frozenset({"A"}), second=TENS, seat_share=0.2),
        acts=frozenset({"insure"}),
    ),
    Drill(
        "jam",
        GameName.BLACKJACK,
        Tracks.CARDS,
        5,
        (Kind.JAM_AT_MOUTH, Kind.JAM_AT_FEED),
        acts=frozenset({"attend-hold", "clear-hold", "confirm-hold", "state-cards-moved", "call-technician"}),
    ),
    Drill("wheel", GameName.ROULETTE, Tracks.BETS, 10),
)
"""All drills. The first drill of a game is the usual one; it practises all acts that no other drill of the game has."""


class Counted(msgspec.Struct, frozen=True):
    """A number of mistakes of one kind at one act, as in one line of `sabot journal mistakes --json`."""

    kind: MistakeKind
    act: str
    count: int


class Counts(msgspec.Struct, frozen=True):
    mistakes: list[Counted]


def mistakes_in(path: Path) -> list[Counted]:
    """Reads mistakes from a file with the output of `sabot journal mistakes --json`.

    Raises OSError, msgspec.MsgspecError.
    """
    return msgspec.json.decode(path.read_bytes(), type=Counts).mistakes


def drill_for(mistakes: Sequence[Counted], known: Mapping[str, Drill]) -> str:
    """Returns the name of the drill that practises most of these mistakes. Returns the first name in `known` if there
    are no mistakes.
    """
    usual, sums = next(iter(known)), Counter[str]()
    for one in mistakes:
        of_act = next((drill.name for drill in known.values() if one.act in drill.acts), usual)
        pays = "pay" if "pay" in known and one.kind is MistakeKind.WRONG_AMOUNT else of_act
        sums[pays] += one.count
    return sums.most_common(1)[0][0] if sums else usual
