"""A linked pool at a table: chips add to it, a hit waits for its amount, and no chip plays while the floor is away."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from controller.core.house.linked_acts import Added, DecidedHere, HitPool, LinkedPoolHeard
from controller.core.house.linked_pool import Linked, begun, hit_by
from controller.core.linked_rules import BetsWhenAway
from controller.core.words import TableMs
from controller.games.linked_status import linked_status
from controller.journal.codec import encode_canonical
from controller.scenario.player import Player
from controller.scenario.table import make_table
from tests.core.linked_table import AWAY_MS, EURO, SLOTS, Table, hit


@pytest.fixture
def table() -> Table:
    made = Table()
    made.hears(1)
    return made


def test_a_chip_adds_by_the_rate_of_the_floor_in_an_entry_of_its_own(table: Table) -> None:
    for seat in ("1", "2"):
        table.does("bet", seat, "10")
        table.does("chip", seat)
    assert table.told() == []
    table.does("no-more-bets")
    (told,) = table.told()
    assert told.linked == (Added("gold", "EUR", 2 * EURO // 10),)
    assert told.linked_hits == ()
    assert table.trace[told.seq - 1] is told


def test_what_was_told_for_bets_that_go_back_is_taken_off_what_is_told_next(table: Table) -> None:
    table.does("bet", "1", "10")
    table.does("chip", "1")
    table.does("no-more-bets")
    table.put(table.told()[-1])  # reported twice the due amount, as after a returned bet
    table.does("draw", "10S", "10H", "9S", "10S")
    assert table.linked.told == 2 * table.linked.due
    assert len(table.told()) == 2


def test_a_hit_holds_until_the_amount_comes_and_two_people_pay_it(table: Table) -> None:
    word = hit(table)
    assert table.told()[-1].linked_hits == (HitPool("gold", "EUR"),)
    assert (table.held["cause"], table.held["seats"]) == ("amount-to-come", "1")
    assert table.asks("dealer", "pay-linked-prize", seat="1") == "linked_prize_is_due"
    assert table.asks("dealer", "collect-hand", seat="1") == "cards_are_not_to_stay"
    table.hears(2, replace(word, seq=word.seq + 1_000))
    assert table.held["cause"] == "amount-to-come"
    table.hears(3, word)
    assert (table.held["cause"], table.held["amount"]) == ("amount-known", "5000.00")
    assert table.asks("dealer", "pay-linked-prize", seat="2") == "linked_seat_is_next"
    assert table.asks("dealer", "pay-linked-prize", seat="1") == ""
    assert table.held
    assert table.asks("chief", "pay-linked-prize", seat="1") == ""
    assert table.held["cause"] == "hit-unknown"  # the other entry, whose hit this record lacks
    table.hears(4, word)
    assert (word.epoch, word.seq) in table.linked.over
    assert len(table.linked.hits) == 1


def test_a_hit_that_the_record_does_not_have_is_named_and_two_people_release_it(table: Table) -> None:
    table.start("restored epoch 2 entry 7 code 1-7-AB")
    table.hears(2, DecidedHere(1, 99, EURO))
    assert (table.held["cause"], table.held["entry"]) == ("hit-unknown", "1.99")
    assert table.asks("manager", "release-linked-hit", reference=81 * "x") == "release_is_named"
    for person in ("manager", "chief"):
        assert table.held
        assert table.asks(person, "release-linked-hit", reference="SRIJ 2026/7") == ""
    assert not table.held
    table.hears(3, DecidedHere(1, 99, EURO))
    assert not table.held


@pytest.mark.parametrize(("lying", "left"), [(BetsWhenAway.GO_BACK, 0), (BetsWhenAway.PLAY_ON, 1)])
def test_while_the_floor_is_away_no_chip_is_laid_and_the_main_game_goes_on(lying: BetsWhenAway, left: int) -> None:
    table = Table(lying)
    table.does("bet", "1", "10")
    assert table.asks("dealer", "place-jackpot-bet", seat="1") == "floor_is_heard"
    table.hears(1)
    table.does("chip", "1")
    table.wait(AWAY_MS - 1)
    assert len(table.state.game.jackpot.chips) == 1
    table.wait(1)
    assert len(table.state.game.jackpot.chips) == left
    table.does("bet", "2", "10")
    assert table.asks("dealer", "place-jackpot-bet", seat="2") == "floor_is_heard"
    table.does("no-more-bets")
    assert len(table.told()) == left
    table.does("draw", "10S", "9S", "10H", "9S", "9S", "10S")


def test_while_the_floor_is_away_the_marks_go_back_with_the_chips(table: Table) -> None:
    for seat in ("1", "2"):
        table.does("bet", seat, "10")
        table.does("chip", seat)
    table.act("dealer", "announce-no-more-bets", {})
    assert table.asks("dealer", "collect-jackpot-bets", seats="1") == ""
    table.wait(AWAY_MS)
    assert (table.state.game.jackpot.chips, table.state.game.jackpot.marked) == ((), ())


def test_a_card_that_may_still_be_said_to_be_dealt_by_mistake_hits_nothing(table: Table) -> None:
    table.does("bet", "1", "10")
    table.does("chip", "1")
    table.does("no-more-bets")
    table.does("draw", "7S", "10H", "7S")
    assert not table.held
    table.does("draw", "10S")
    assert table.held["cause"] == "amount-to-come"


def test_while_the_floor_is_away_a_chip_leaves_its_slot_and_none_comes() -> None:
    table = Table(BetsWhenAway.PLAY_ON, SLOTS)
    table.hears(1)
    table.does("bet", "1", "10")
    table.does("bet", "2", "10")
    table.slots_tell({1}, set())
    table.wait(AWAY_MS)
    table.slots_tell({1, 2}, set())
    assert [chip.seat for chip in table.state.game.jackpot.chips] == [1]
    table.slots_tell({2}, set())
    assert table.state.game.jackpot.chips == ()


def test_a_number_that_does_not_grow_and_another_pool_change_nothing(table: Table) -> None:
    table.hears(7)
    table.wait(1_000)
    before = table.linked
    table.hears(7)
    table.hears(6)
    table.put(LinkedPoolHeard("silver", 9, EURO, 1))
    assert table.linked == before


def test_behind_a_restart_the_statement_stands_and_nothing_is_heard_yet(table: Table) -> None:
    table.hears(5)
    table.start()
    assert (table.linked.number, table.linked.micro, table.linked.is_heard) == (5, 5_000 * EURO, False)


def test_bets_that_went_back_are_not_taken_off_another_pools_report() -> None:
    told_too_much = replace(Linked("gold"), due=EURO, told=2 * EURO)
    assert (told := begun(told_too_much, "gold", TableMs(0))).told - told.due == EURO
    assert (other := begun(told_too_much, "silver", TableMs(0))).told == other.due == 0


def test_a_table_that_is_taken_off_its_pool_while_the_floor_is_away_takes_chips_for_its_own(table: Table) -> None:
    table.wait(AWAY_MS)
    table.start(setup=replace(table.state.setup, linked=UNSET))
    assert linked_status(table.state) is None
    table.does("bet", "1", "10")
    assert table.asks("dealer", "place-jackpot-bet", seat="1") == ""


def test_a_table_without_a_linked_pool_says_nothing_of_one() -> None:
    player = Player(make_table("house", [("jackpot", "manual")]).setup)
    player.start()
    player.put(LinkedPoolHeard("gold", 1, EURO, 1))
    assert b"linked" not in encode_canonical(player.state)


def test_a_start_keeps_the_numbers_of_the_same_pool_alone_and_each_hit_is_counted() -> None:
    known = Linked("gold", 5, 6, 7, since_ms=TableMs(1), is_heard=True, is_away=True)
    at_start = replace(known, since_ms=TableMs(9), is_heard=False, is_away=False)
    assert begun(known, "gold", TableMs(9)) == at_start
    assert begun(known, "silver", TableMs(9)) == Linked("silver", since_ms=TableMs(9))
    assert hit_by(hit_by(known, (1,), (1, 1)), (2,), (1, 2)).made == 2


def test_people_hear_that_the_floor_is_away_where_chips_go_back_and_that_it_is_heard(table: Table) -> None:
    for seat in ("1", "2"):
        table.does("bet", seat, "10")
        table.does("chip", seat)

    def said() -> list[tuple[str, str]]:
        return [(one.key, dict(one.values).get("seats", "")) for one in table.notices if one.key.startswith("linked")]

    table.wait(AWAY_MS)
    assert said() == [("linked-heard", ""), ("linked-away", ""), ("linked-chips-back", "1 2")]
    table.hears(2)
    assert said()[3:] == [("linked-heard", "")]


def test_chips_that_go_back_take_off_what_they_added_though_the_floor_has_another_rate_meanwhile(table: Table) -> None:
    for seat in ("1", "2"):
        table.does("bet", seat, "10")
        table.does("chip", seat)
    table.does("no-more-bets")
    table.put(LinkedPoolHeard("gold", 2, EURO, 200_000))
    assert (table.asks("dealer", "correct-entry", entry="4"), table.asks("chief", "correct-entry", entry="4")) == (
        "",
        "",
    )
    assert table.linked.due == EURO // 10
    table.does("draw", "10S", "9H", "KH", "9S", "8D", "10C")
    assert len(table.told()) == 1


def test_the_first_amount_of_a_hit_stays_whatever_the_floor_says_later(table: Table) -> None:
    """Seat 1 may have been paid by it; a floor restored from a backup decides the hit again."""
    word = hit(table)
    table.hears(2, word)
    table.hears(3, replace(word, micro=7 * EURO))
    assert (table.held["cause"], table.held["amount"]) == ("amount-known", "5000.00")
    assert table.linked.number == 3
