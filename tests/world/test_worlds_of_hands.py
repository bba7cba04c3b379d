"""Worlds with bets, decisions and money: each settlement follows the law, and the money is conserved."""

from collections.abc import Callable

import pytest

from controller.config.model import Tracks
from controller.config.profile import CARD_PROFILES
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets import place
from controller.core.games.blackjack.hands import PlayedHand, hands_of
from controller.core.games.blackjack.jackpot import bets
from controller.core.words import Cents
from simulators.oracles import pool, settle
from simulators.world.card_game import GAME, run_world
from simulators.world.fault_kinds import FaultKind
from simulators.world.plan import WorldPlan
from simulators.world.result import End
from tests.night import IS_NIGHT
from tests.world.defects_of_corrections import differences_are_forgotten, entry_put_right_is_not_worked_out_again

SEEDS = range(20) if IS_NIGHT else (1,)
ROUNDS = 6 if IS_NIGHT else 4


@pytest.mark.drawn(2)
@pytest.mark.parametrize("profile", CARD_PROFILES)
@pytest.mark.parametrize("kinds", [frozenset(), GAME.kinds], ids=["no faults", "all faults"])
def test_every_round_is_settled_as_the_law_says(profile: str, kinds: frozenset[FaultKind]) -> None:
    plans = [WorldPlan(seed, ROUNDS, kinds, profile=profile, tracks=Tracks.HANDS) for seed in SEEDS]
    results = [run_world(plan) for plan in plans]
    assert {result.seed: result.violations for result in results if result.violations} == {}
    assert all(result.end is End.CLOSED for result in results if not kinds)
    assert all(result.played.rounds for result in results if not kinds)


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "seed"), [("house", 52), ("house", 157), ("mo-shoe", 60)])
def test_a_world_that_once_found_a_fault_of_the_simulation(profile: str, seed: int) -> None:
    """A card of a split hand, laid at a seat without a split, stayed a second hand there. In the unloading after an
    irregular closing the dealer said "empty" in a jam. The oracle forgot a correction that the next dealer repeated.
    """
    result = run_world(WorldPlan(seed, 4, GAME.kinds, profile=profile, tracks=Tracks.HANDS))
    assert (result.end, result.violations) == (End.CLOSED, ())


@pytest.mark.slow
def test_people_separate_double_and_share() -> None:
    """A few evenings have every decision that the law leaves a player, and each is won or lost."""
    results = [run_world(WorldPlan(seed, 6, profile="pt-shoe", tracks=Tracks.HANDS)) for seed in range(1, 4)]
    assert {"split", "shared"} <= {what for result in results for what in result.stakes}


@pytest.mark.slow
def test_a_jackpot_is_played_for_and_won() -> None:
    results = [run_world(WorldPlan(seed, 6, profile="pt-csm", tracks=Tracks.HANDS)) for seed in (1, 3)]
    assert {"jackpot bet", "jackpot won"} <= {what for result in results for what in result.stakes}
    assert [result.violations for result in results] == [(), ()]


def test_of_two_cards_at_once_that_no_device_has_told_the_dealer_does() -> None:
    """One count, and the reader saw one of them: by their evidence nothing is wrong, and the hand has another card."""
    kinds = frozenset({FaultKind.DOUBLE_FEED_OUT, FaultKind.MISREAD, FaultKind.UNSEEN_PASSAGE, FaultKind.PHANTOM_READ})
    plan = WorldPlan(23, 4, kinds, only=(1, 4), profile="pt-csm", tracks=Tracks.HANDS)
    assert run_world(plan).violations == ()


def test_a_round_that_is_over_is_played_on_when_its_settlement_is_taken_back() -> None:
    """Cards were in the rack already: the round's amounts are taken back."""
    plan = WorldPlan(151, 8, frozenset({FaultKind.MISTYPED}), only=(1,), profile="mo-shoe", tracks=Tracks.HANDS)
    assert run_world(plan).violations == ()


def test_a_card_that_a_wrong_key_burns_is_carried_there_before_the_table_is_collected() -> None:
    """mo.5.1.1: a card reported as face up; a device's hold keeps hands from it until the round is void."""
    plan = WorldPlan(29, 8, GAME.kinds, profile="mo-shoe", tracks=Tracks.HANDS, only=(1, 2, 3, 8, 9))
    result = run_world(plan)
    assert (result.end, result.violations) == (End.CLOSED, ())


@pytest.mark.slow
def test_the_warning_card_that_voids_a_round_leaves_what_was_collected() -> None:
    """br.dev.3b: a hand of a split pair was lost and collected before it; the bank keeps that stake alone."""
    plan = WorldPlan(24, 12, profile="br", tracks=Tracks.HANDS)
    assert run_world(plan).violations == ()


@pytest.mark.slow
def test_a_hole_card_that_is_in_doubt_is_named_again_by_its_own_face() -> None:
    """The bank has drawn a third card when all faces are doubted."""
    plan = WorldPlan(37, 12, GAME.kinds, profile="pt-shoe", tracks=Tracks.HANDS, only=(3, 15))
    assert run_world(plan).violations == ()


@pytest.mark.slow
def test_a_bet_on_a_pair_goes_by_the_first_two_cards_though_both_hands_are_collected() -> None:
    plan = WorldPlan(144, 6, profile="mo-csm", tracks=Tracks.HANDS)
    assert run_world(plan).violations == ()


@pytest.mark.slow
def test_a_pool_that_its_journal_does_not_make_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check must be able to fail: it does where the recount takes cents for tens."""
    monkeypatch.setattr(pool, "CENT", 100_000)
    found = run_world(WorldPlan(1, 3, profile="pt-csm", tracks=Tracks.HANDS)).violations
    assert any(one.startswith("jackpot: ") for one in found)


def test_a_chip_that_is_collected_though_it_is_gone_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted defect: the trigger counts the chips in the slots at the announcement."""
    monkeypatch.setattr(bets, "still_lying", lambda state: state)
    found = run_world(WorldPlan(13, 2, profile="pt-shoe", tracks=Tracks.HANDS)).violations
    assert any("where chips lay at" in one for one in found)


@pytest.mark.slow
def test_a_wrong_amount_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check must be able to fail: it does with a law that pays a win twice."""
    monkeypatch.setitem(settle.PAYS, "lost", settle.PAYS["lost"] * 2)
    found = run_world(WorldPlan(1, 4, profile="pt-shoe", tracks=Tracks.HANDS)).violations
    assert any(one.startswith("money: ") for one in found)


@pytest.mark.parametrize("profile", ["pt-csm", "mo-shoe"])
@pytest.mark.parametrize(
    ("plant", "tells"),
    [
        (differences_are_forgotten, "before the differences of a correction are confirmed"),
        (entry_put_right_is_not_worked_out_again, "the table says"),
    ],
)
@pytest.mark.slow
def test_a_defect_of_corrections_is_found(
    profile: str, plant: Callable[[pytest.MonkeyPatch], None], tells: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    mistyped = frozenset({FaultKind.MISTYPED})
    plans = (WorldPlan(seed, 4, mistyped, profile=profile, tracks=Tracks.HANDS, decks=1) for seed in range(1, 40))
    assert any(tells in violation for plan in plans for violation in run_world(plan).violations)


def test_a_stake_that_the_table_records_otherwise_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check takes no stakes from the table: where the table doubles each bet, the acts reveal it."""
    deal = hands_of
    monkeypatch.setattr(place, "hands_of", lambda places, rules: tuple(map(_doubled, deal(places, rules))))
    found = run_world(WorldPlan(1, 4, profile="pt-shoe", tracks=Tracks.HANDS)).violations
    assert any("the law" in one for one in found)


def _doubled(hand: PlayedHand) -> PlayedHand:
    return replace(hand, bets=tuple(replace(bet, stake=Cents(2 * bet.stake)) for bet in hand.bets))
