"""The round's log: it ends with its round, begins anew when it is full, and owed differences outlive it."""

from msgspec.structs import replace

from controller.core.games.blackjack.correcting import AddHandEntry, CorrectHandEntry
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.correcting import put_right
from controller.core.house.round_log import MOST_LOGGED, NO_LOG, Difference, read_as
from controller.core.words import Cents, Person, Role, RoundPhase
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
    """Plays a round that seat 1 has won, up to its settlement."""
    player = betting("1")
    player.act("dealer", "announce-no-more-bets", {})
    STEPS["draw"].do(player, ("10C", "6D", "9C", "10D"))
    STEPS["stand"].do(player, ("1",))
    STEPS["bank-plays"].do(player, ("10S",))
    STEPS["settle"].do(player, ())
    return player


def full() -> Player:
    """Makes a table in a round whose log has as many events as a log can have."""
    player = betting("1", "2", "3")
    while len(player.state.log.events) < MOST_LOGGED:
        player.act("dealer", "sign-in", {"operation": "table"})
    return player


def over() -> Player:
    """Plays until a round has ended and the next one has not begun."""
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


def void_round(*lines: str) -> Player:
    """Plays a round of Brazil whose open plays end with the warning card."""
    player = Player(make_table("br", [("tracks", "hands"), ("last_round_voided", "yes")]).setup)
    player.start()
    words = vocabulary_of("br").steps
    for line in ("in-play", "bet 1 100", *lines, "warning-card"):
        word, *values = line.split()
        if word.endswith(":"):
            act, *pairs = values
            player.act(word.removesuffix(":"), act, dict(pair.split("=") for pair in pairs))
            assert player.refusal is None
        else:
            words[word].do(player, tuple(values))
    return player


def test_in_a_void_round_each_lost_hand_of_a_split_place_leaves_its_difference_collected_or_not() -> None:
    split = ("dealer: announce-no-more-bets", "draw 8S 10D 8C", "split 1", "hit 1 5S", "hit 1 KC")
    played = (*split, "dealer: collect-hand seat=1 hand=1", "hit 1/2 6H", "hit 1/2 KD")
    right = [f"{person}: correct-entry entry=1 amount=150" for person in ("dealer", "inspector")]
    player = void_round(*played, *right)
    assert player.state.log.differences == (Difference(1, 1, "-50.00"), Difference(1, 1, "-50.00", hand=2))


def test_in_a_void_round_both_players_of_a_collected_bet_that_was_the_others_keep_their_difference() -> None:
    bets = ("dealer: place-bet seat=1 bettor=8 amount=100 consent=yes", "bet 2 100")
    played = ("dealer: announce-no-more-bets", "draw 10C 9D AD 6H 9C", "hit 1 KC", "dealer: collect-hand seat=1")
    right = [f"{person}: correct-entry entry=2 bettor=9" for person in ("dealer", "inspector")]
    player = void_round(*bets, *played, *right)
    assert player.state.log.differences == (Difference(1, 8, "+100.00"), Difference(1, 9, "-100.00"))


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


def test_an_entry_is_found_by_its_number() -> None:
    log = betting("1", "2").state.log
    assert [one and one.number for one in map(log.of, (0, 1, 2, 3))] == [None, 1, 2, None]


def test_an_entry_that_is_added_goes_on_with_the_numbers_of_holds_before_it() -> None:
    """A hold that the rest of the round raises again keeps its number."""
    player = betting("1", "2")
    log = player.state.log
    state = replace(player.state, log=replace(log, events=(replace(log.events[0], last=(3, 1)), log.events[1])))
    asked = AddHandEntry(Person(11), Role.DEALER, before=2, adds="place-bet", seat=3, amount=Cents(2000))
    added, _meant = put_right(player.registry, state, asked)
    assert [(one.number, one.last) for one in added.events] == [(1, (3, 1)), (3, (3, 1)), (2, log.events[1].last)]


def test_an_entry_that_was_passed_over_stands_again_with_other_values() -> None:
    player = betting("1")
    log = player.state.log
    state = replace(player.state, log=replace(log, events=(replace(log.events[0], is_passed=True),)))
    other, _meant = put_right(
        player.registry, state, CorrectHandEntry(Person(11), Role.DEALER, entry=1, amount=Cents(3000))
    )
    assert [(one.is_corrected, one.is_passed) for one in other.events] == [(True, False)]
