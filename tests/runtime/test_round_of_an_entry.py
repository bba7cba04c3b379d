"""FORMAT.md's rule for the session and round of an entry agrees with the replay, on the tables of the shelf.

The rule is written here as the page says it: from the kinds of entries alone.
"""

from collections.abc import Iterator
from pathlib import Path

from controller.record.shown import Shown, entries_shown
from tests.runtime.keep import KEPT
from tests.runtime.shelf import SHELF, unpack

SHELVES = sorted(KEPT.glob(f"*/{SHELF}"))
ENDS_BETS = frozenset({"announce-no-more-bets", "launch-ball"})
FIRST_BETS = frozenset({"take-bets", "place-chips", "place-value-chips"})
ENDS_SPIN = "confirm-payments"


def by_the_rule(entries: list[Shown]) -> Iterator[tuple[int, int]]:
    session = ended = 0
    is_bet = is_spin = False
    for kind in ((one.entry.kind if one.entry.refusal is None else "") for one in entries):
        if kind == "open-session":
            session, ended, is_bet, is_spin = session + 1, 0, False, False
        elif kind in ENDS_BETS:
            ended, is_bet, is_spin = ended + 1, False, kind == "launch-ball"
        elif kind in FIRST_BETS and not is_spin:
            is_bet = True
        elif kind == ENDS_SPIN:
            is_spin = False
        yield session, ended + is_bet


def test_the_rule_of_the_page_gives_what_a_replay_gives(tmp_path: Path) -> None:
    rounds = set()
    for table in (one for shelf in SHELVES for one in unpack(shelf, tmp_path / shelf.parent.name)):
        shown = list(entries_shown(table / "journal"))
        assert [(one.session, one.round) for one in shown] == list(by_the_rule(shown)), table.name
        rounds |= {one.round for one in shown}
    assert rounds >= {0, 1, 2}
