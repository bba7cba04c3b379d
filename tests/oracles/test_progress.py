"""The oracle of progress: each hold of an abandoned table is named, with the last attempt to end it."""

from simulators.oracles.progress import not_finished
from simulators.oracles.sightings import SeenHold, Sighting
from tests.oracles.journal import Journal

OPEN = Sighting(9, (SeenHold(1, "jam", "shuffler"), SeenHold(2, "count")), session="in-play", round="idle")


def test_each_hold_is_named_with_what_was_last_tried() -> None:
    evening = Journal().act("take-bets", seats=[1]).act("attend-hold", "chief_supervisor", hold=1)
    told = [(one.rule, one.found) for one in not_finished(evening.entries, OPEN)]
    tried = "last tried: attend-hold by chief_supervisor in entry 5, done"
    assert told == [
        ("session is finished", f"session in-play, round idle; {tried}"),
        ("no hold stands for ever", f"jam H1 stands, raised; {tried}"),
        ("no hold stands for ever", f"count H2 stands, raised; {tried}"),
    ]


def test_where_nobody_has_tried_anything() -> None:
    [finished, *_] = not_finished(Journal().entries, OPEN)
    assert finished.found.endswith("last tried: nothing")
