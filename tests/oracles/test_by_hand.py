"""Walks at tables without a shuffler: no false alarm in any profile, and planted defects are found."""

from collections.abc import Callable
from itertools import product

import pytest

from controller.core.custody import drawing, mixing, outage, reader, shoe
from controller.core.engine.replacing import replace
from controller.core.games.blackjack import deal
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import ACTS
from controller.core.setup import Setup
from simulators.oracles.figures import figures_bound_by
from simulators.oracles.procedure import check_export
from tests.oracles.recorded_player import RecordedPlayer
from tests.oracles.walk_by_hand import HandWalk, table_of

PORTUGAL, BRAZIL = table_of("pt-shoe"), table_of("br", last_round_voided="yes")
MACAU = table_of("mo-shoe", burn_each_round="start-and-second", player_cards="down")
BOX = table_of("mo-box", bank_extra_card="valid-if-unseen", face_up_card="valid-if-first")
READ_BOX = replace(BOX, has_reader=True)

TABLES = {"Portugal": PORTUGAL, "Brazil": BRAZIL, "Macau": MACAU, "box": BOX, "box with a reader": READ_BOX}
STEPS = 300


def rules_broken(table: RecordedPlayer, *, with_sightings: bool = True) -> set[str]:
    export = table.export()
    sightings = table.sightings if with_sightings else ()
    return {one.rule for one in check_export(export, figures_bound_by(export.entries[0]), sightings)}


@pytest.mark.parametrize("setup", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("faults", [0.0, 0.05])
def test_no_false_alarm_whatever_happens(setup: Setup, faults: float) -> None:
    for seed in range(3):
        table = HandWalk(seed, setup, faults=faults).go(STEPS)
        assert rules_broken(table) | rules_broken(table, with_sightings=False) == set(), seed


def test_the_walks_go_everywhere() -> None:
    """Of what belongs to a table that is filled by hand, nearly everything is done."""
    missing = {
        *("confirm-count", "shuffle-deck", "state-players", "confirm-cut", "place-warning-card", "fill-shoe"),
        *("confirm-card-dealt", "state-whole-count", "gather-cards", "turn-card", "announce-last-round"),
        *("turn-hole-card", "confirm-settled", "collect-cards", "draw-card", "report-warning-card"),
    }
    assert missing <= set(ACTS)
    for seed, setup in product(reversed(range(6)), TABLES.values()):
        walk = HandWalk(seed, setup, faults=0.03).go(STEPS)
        missing -= {entry.kind for entry in walk.export().entries if not entry.refused}
        if not missing:
            return
    pytest.fail(f"never done: {missing}")


# --- defects, planted here and nowhere else


def anybody_cuts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mixing, "cut_is_offered_to", lambda state: (state.custody.shoe_game.players or (None,))[-1])


def a_shoe_is_never_over(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shoe, "shoe_is_over", lambda _state: False)


def nothing_is_burnt_later(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deal, "_round_burn_is_due", lambda _state, **_to: False)


def blind_time_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(outage, "after_blind_time", lambda state, _at_ms: state)


def a_card_of_the_shoe_holds_nothing(patch: pytest.MonkeyPatch) -> None:
    of_the_shoe = drawing.card_of_the_shoe

    def forgotten(state: BlackjackState, identity: object, at_ms: object) -> BlackjackState:
        after = of_the_shoe(state, identity, at_ms)
        return (
            replace(after, house=replace(after.house, holds=state.house.holds))
            if after.custody.book.pending > state.custody.book.pending
            else after
        )

    patch.setattr(reader, "card_of_the_shoe", forgotten)


DEFECTS = (
    (anybody_cuts, PORTUGAL, "cut goes in turn", 3),
    (a_shoe_is_never_over, PORTUGAL, "shoe is not over", 5),
    (nothing_is_burnt_later, MACAU, "next card is in order", 8),
    (blind_time_is_forgotten, BOX, "waits for the end of count", 2),
    (a_card_of_the_shoe_holds_nothing, BRAZIL, "holds stand", 0),
)
"""With the seed that is tried first: the walk that found it when the row was written."""


@pytest.mark.parametrize(("plant", "setup", "rule", "first"), DEFECTS, ids=[row[0].__name__ for row in DEFECTS])
def test_a_planted_defect_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], setup: Setup, rule: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    for seed in (first, *range(40)):
        if rule in rules_broken(HandWalk(seed, setup, faults=0.05).go(STEPS)):
            return
    pytest.fail("not found within 40 walks")
