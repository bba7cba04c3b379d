"""The linked pool in the status: its amount and age, a lost floor, a hit that waits for its amount."""

from controller.catalogue import Language
from controller.cli.render import status_lines
from controller.core.house.linked_acts import DecidedHere
from controller.games.linked_status import linked_status
from controller.protocol.jackpot import FloorSays, LinkedHitStatus, LinkedStatus
from controller.protocol.status import Status
from controller.scenario.player import Player
from controller.scenario.table import make_table
from tests.core.linked_table import AWAY_MS, EURO, Table, hit


def shown(table: Player) -> LinkedStatus:
    found = linked_status(table.state)
    assert found is not None
    return found


def lines(linked: LinkedStatus) -> list[str]:
    found = status_lines(Status(session="in-play", linked=linked), Language.EN)
    return [line for line in found if line.startswith("Linked")]


def test_a_table_without_one_shows_none() -> None:
    assert linked_status(Player(make_table("house", [("jackpot", "manual")]).setup).state) is None


def test_the_amount_is_the_floors_last_word_and_its_time_is_told() -> None:
    table = Table()
    assert (shown(table).floor, shown(table).cents) == (FloorSays.NOTHING, None)
    table.hears(7)
    heard = shown(table)
    assert (heard.floor, heard.cents, heard.number, heard.since) == (FloorSays.HEARD, 500_000, 7, table.now_ms)
    table.wait(AWAY_MS)
    away = shown(table)
    assert (away.floor, away.cents, away.since) == (FloorSays.AWAY, 500_000, heard.since)


def test_a_hit_is_shown_with_its_amount_to_come_then_with_who_is_paid_next() -> None:
    table = Table()
    table.hears(1)
    word = hit(table)
    entry = f"{word.epoch}.{word.seq}"
    assert shown(table).hits == [LinkedHitStatus([1], entry)]
    table.hears(2, word)
    assert shown(table).hits == [LinkedHitStatus([1], entry, 500_000, 1, 500_000)]
    table.hears(3, DecidedHere(1, 9_999, EURO))
    assert shown(table).hits[1:] == [LinkedHitStatus([], "1.9999", 100)]


def test_people_read_it_in_the_status() -> None:
    hits = [
        LinkedHitStatus([1, 2], "1.7"),
        LinkedHitStatus([1, 2], "1.7", 500, 2, 250),
        LinkedHitStatus([], "1.9", 100),
    ]
    assert lines(LinkedStatus("gold", FloorSays.HEARD, 500_000, age_s=10, hits=hits)) == [
        "Linked pool gold: 5000.00, heard 10 s ago",
        "Linked pool hit at 1, 2: amount to come; the table holds",
        "Linked pool hit at 1, 2: 5.00; next is seat 2 with 2.50",
        "Linked pool: the floor has a hit of this table's entry 1.9 that is not in its record: 1.00",
    ]
    (away,) = lines(LinkedStatus("gold", FloorSays.AWAY, 500_000, age_s=65))
    assert "the floor has been away for 65 s; it was 5000.00" in away
    (nothing,) = lines(LinkedStatus("gold", FloorSays.NOTHING))
    assert "nothing heard since the start" in nothing
