"""The round's log: it ends with its round, begins anew when it is full, and owed differences outlive it."""

from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.round_log import MOST_LOGGED, NO_LOG, Difference, read_as
from controller.core.words import RoundPhase
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of

STEPS = vocabulary_of("pt-csm").steps


def betting(*seats: str) -> Player:
    player = Player(make_table("pt-csm", [("tracks", "hands")]).setup)
    player.start()
    STEPS["in-play"].do(player, ())
    for seat in seats:
        player.act("dealer", "place-bet", {"seat": seat, "amount": "20"})
    return player


def settled() -> Player:
    """Seat 1 has won."""
    player = betting("1")
    player.act("dealer", "announce-no-more-bets", {})
    STEPS["draw"].do(player, ("10C", "6D", "9C", "10D"))
    STEPS["stand"].do(player, ("1",))
    STEPS["bank-plays"].do(player, ("10S",))
    STEPS["settle"].do(player, ())
    return player


def full() -> Player:
    """The log has as many events as it may."""
    player = betting("1", "2", "3")
    while len(player.state.log.events) < MOST_LOGGED:
        player.act("dealer", "sign-in", {"operation": "table"})
    return player


def over() -> Player:
    """The round has ended, and the next has not begun."""
    player = settled()
    STEPS["collect"].do(player, ())
    player.act("dealer", "leave-in-rack", {})
    assert player.state.game.phase is RoundPhase.IDLE
    return player


def test_it_stays_until_the_next_bet() -> None:
    player = over()
    player.act("dealer", "sign-in", {"operation": "table"})
    assert (player.state.log.is_over, len(player.state.log.correctable())) == (True, 6)
    player.act("dealer", "place-bet", {"seat": "2", "amount": "20"})
    log = player.state.log
    assert ([one.name for one in log.events], log.entries, log.is_over) == (["place-bet"], 1, False)


def test_it_ends_with_the_play() -> None:
    player = over()
    player.act("dealer", "indicate-closing", {})
    assert player.state.log.is_over
    player.act("chief", "sign-in", {"operation": "unloading"})
    player.act("dealer", "begin-unloading", {})
    assert (player.refusal, player.state.log) == (None, NO_LOG)


def test_a_difference_is_owed_when_the_round_has_ended_otherwise() -> None:
    player = settled()
    for person in ("dealer", "chief"):
        player.act(person, "correct-entry", {"entry": "1", "amount": "50"})
    for step in ("journal-fails", "journal-writes"):
        STEPS[step].do(player, ())
    player.act("chief", "propose-irregular-closing", {})
    player.act("manager", "confirm-irregular-closing", {})
    assert player.refusal is None
    assert player.state.log.differences == (Difference(1, 1, "+30.00"),)
    assert player.state.log.events == ()


def test_a_full_log_begins_anew_with_the_next_entry() -> None:
    player = full()
    entries = player.state.log.entries
    player.act("dealer", "place-bet", {"seat": "4", "amount": "20"})
    log = player.state.log
    assert [one.number for one in log.events] == [entries + 1]
    assert read_as(log.base, BlackjackState).log == NO_LOG


def test_a_full_log_is_empty_behind_what_is_no_entry() -> None:
    player = full()
    player.act("dealer", "sign-in", {"operation": "table"})
    assert (player.state.log.events, player.state.log.base) == ((), "")
    assert player.state.log.entries >= MOST_LOGGED
