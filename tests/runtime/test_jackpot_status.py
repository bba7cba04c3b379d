"""The jackpot in the status: the pool, the round's chips, the wins, and every movement with its figures."""

from collections.abc import Sequence
from typing import Final

from controller.catalogue import Language
from controller.cli.render import status_lines
from controller.games.jackpot_status import jackpot_status
from controller.protocol.jackpot import JackpotExportStatus, JackpotStatus, PrizeStatus
from controller.protocol.status import Status
from controller.scenario.play import play
from controller.scenario.player import Player
from controller.scenario.settings import Head
from controller.scenario.table import make_table
from controller.scenario.text import read_scenarios
from controller.scenario.words import vocabulary_of

TABLE: Final = [("jackpot", "manual")]
WITH_SLOTS: Final = [("jackpot", "automatic"), ("jackpot_slots", "yes")]


def player_after(*steps: str, table: Sequence[tuple[str, str]] = TABLE) -> Player:
    """Makes a table with a jackpot, and plays these lines of a scenario at it."""
    head = Head("pt-csm", tuple(table), ("1 J-J-suited 50.00", "2 A-A-suited rest"))
    player = Player(make_table(head.profile, head.settings, head.prizes).setup)
    player.head = head
    player.start()
    player.act("manager", "approve-jackpot", {"reference": "G-1"})
    words = vocabulary_of("pt-csm").steps
    for step in steps:
        word, *rest = step.split()
        if word.endswith(":"):
            act, *values = rest
            player.act(word[:-1], act, dict(value.split("=") for value in values))
        else:
            words[word].do(player, tuple(rest))
    return player


def shown(player: Player) -> JackpotStatus:
    found = jackpot_status(player.state)
    assert found is not None
    return found


ROUND: Final = ("in-play", "bet 1 10", "bet 2 10", "chip 1 2", "dealer: announce-no-more-bets")


def test_a_table_without_one_shows_none() -> None:
    assert jackpot_status(Player(make_table("pt-csm", []).setup).state) is None


def test_people_read_the_pool_what_is_pending_and_which_line_moves_it() -> None:
    jackpot = JackpotStatus(1_234_567, won=[2, 4], next_prize=PrizeStatus(2, 2, 20_000), sign="differs")
    export = JackpotExportStatus("00aa", export="JP1:x")
    lines = status_lines(Status(session="closed", jackpot=jackpot, jackpot_export=export), Language.EN)
    told = [line for line in lines if "ackpot" in line or "prize" in line]
    assert told == [
        "Jackpot: 12345.67; display: shows another amount",
        "Jackpot won at 2, 4: payment pending",
        "Next prize: seat 2, 200.00",
        "Name of this computer for a jackpot that moves: 00aa",
        "The jackpot left here with this line: JP1:x",
    ]


def test_chips_markers_and_the_increment() -> None:
    half = shown(player_after(*ROUND, "dealer: collect-jackpot-bets seats=2"))
    assert (half.chips, half.marked, half.is_collected, half.amount_cents) == ([1, 2], [2], False, 1_000_000)
    whole = shown(
        player_after(
            *ROUND,
            "dealer: collect-jackpot-bets",
            "dealer: raise-jackpot amount=1.50",
            "chief: raise-jackpot amount=1.50",
        )
    )
    assert (whole.is_collected, whole.increment_cents, whole.raised_cents) == (True, 160, 150)
    assert whole.meters["contributions"] == 1_600_000


def test_what_was_won_is_shown_until_it_is_paid() -> None:
    won = player_after(*ROUND, "dealer: collect-jackpot-bets", "draw JS 2C 10H JS 3C 10S")
    found = shown(won)
    assert (found.won, found.paid) == ([1], [])
    assert found.next_prize is not None
    assert (found.next_prize.seat, found.next_prize.cents, found.next_prize.covered) == (1, 5_000, True)
    won.act("dealer", "pay-jackpot", {"seat": "1"})
    assert shown(won).next_prize == found.next_prize, "a second person's word is to come"
    won.act("chief", "pay-jackpot", {"seat": "1"})
    paid = shown(won)
    assert (paid.won, paid.paid, paid.next_prize, paid.amount_cents) == ([], [1], None, 995_160)
    assert [move.kind for move in paid.moves] == [
        *("jackpot-parameters-set", "jackpot-started", "jackpot-bets-collected", "jackpot-hit", "jackpot-paid")
    ]
    assert paid.moves[-1].pool_cents == 995_160


def test_other_parameters_wait_for_their_approval() -> None:
    assert shown(player_after()).is_approved
    assert not shown(player_after("reconfigured jackpot_bet 0.50")).is_approved


def test_the_words_of_a_scenario_see_the_same() -> None:
    (scenario,) = read_scenarios("scenario A\nset jackpot manual\ngiven in-play\nthen pool 10000.00")[0]
    assert play(scenario).failure is None


def test_people_read_what_the_slots_tell_and_that_they_are_lost_or_set_aside() -> None:
    told = shown(player_after("in-play", "bet 1 10", "slot-chip 1 4", "slot-fails 2", table=WITH_SLOTS))
    assert (told.slots, told.chips, told.astray, told.broken) == ("told", [1], [4], [2])
    lines = status_lines(Status(session="in-play", jackpot=told), Language.EN)
    assert "Jackpot slots: tell which chips lie; chips: 1; not played for: 4; do not tell: 2" in lines
    assert shown(player_after("in-play", "lost jackpot-slots", table=WITH_SLOTS)).slots == "lost"
    aside = player_after("in-play", "chief: choose-jackpot-marking marking=manual", table=WITH_SLOTS)
    assert (shown(aside).slots, shown(aside).marking) == ("set-aside", "manual")
    assert shown(player_after()).slots == "none"
