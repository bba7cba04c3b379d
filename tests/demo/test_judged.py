"""A real evening is judged: it has no violation, and each deliberate fault is reported."""

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from msgspec.structs import replace

from controller.catalogue import Language
from simulators.demo.house import House, furnish
from simulators.demo.judged import Evidence, violations
from simulators.demo.options import DemoOptions
from simulators.demo.physical import LampWatch
from simulators.demo.played import Demo
from simulators.demo.report import evidence
from simulators.demo.segments import SegmentTail
from simulators.oracles.export_entries import Entry
from simulators.oracles.export_reader import read_export_file
from simulators.oracles.sightings import SeenHold

pytestmark = pytest.mark.waits


@pytest.fixture(scope="session")
def evening() -> Iterator[tuple[House, Evidence]]:
    """Plays three rounds, once for all tests here, and yields the house and the evidence."""
    with TemporaryDirectory(prefix="sabot-judged-") as directory:
        house = furnish(Path(directory) / "table", Language.EN)
        played = Demo(DemoOptions(rounds=3, seed=7, as_json=True), house, lambda: False).play()
        found = evidence(house, played)
        assert found is not None
        yield house, found


def test_nothing_is_wrong_with_it(evening: tuple[House, Evidence]) -> None:
    found = evening[1]
    assert violations(found) == []
    assert 1 <= len(found.looks) <= 4, "between rounds, whenever everything was recorded just then"
    assert len(found.sightings) > 50
    assert any(hold.kind == "jam" for seen in found.sightings for hold in seen.holds)


# --- each fault, made once


def moved(found: Evidence, change: Callable[[dict[str, list[tuple[int, str]]]], None]) -> Evidence:
    listing = {place: list(cards) for place, cards in found.physical.listing.items()}
    change(listing)
    return replace(found, physical=replace(found.physical, listing=listing))


def lose_a_card(found: Evidence) -> Evidence:
    return moved(found, lambda listing: listing["outside"].pop() and None)


def double_a_card(found: Evidence) -> Evidence:
    return moved(found, lambda listing: listing["rack"].append(listing["outside"][0]))


def leave_one_in_the_hopper(found: Evidence) -> Evidence:
    return moved(found, lambda listing: listing["hopper"].append(listing["outside"].pop()))


def at_the_end(found: Evidence, **fields: object) -> Evidence:
    return replace(found, sightings=[*found.sightings[:-1], found.sightings[-1]._replace(**fields)])  # type: ignore[arg-type]


def status_miscounts(found: Evidence) -> Evidence:
    return at_the_end(found, counts={**(found.sightings[-1].counts or {}), "outside": 313})


def a_look_differs(found: Evidence) -> Evidence:
    return replace(
        found, looks=[dataclasses.replace(found.looks[0], claims={"status": {"inside": 12}}), *found.looks[1:]]
    )


def a_hold_is_gone(found: Evidence) -> Evidence:
    """Returns evidence in which the confirmation of a hold is missing, as if the jam had ended by itself."""
    kept = [
        entry._replace(kind="sign-out") if entry.kind == "confirm-hold" else entry for entry in found.export.entries
    ]
    return replace(found, export=dataclasses.replace(found.export, entries=kept))


BREAKS: list[tuple[Callable[[Evidence], Evidence], str]] = [
    (lose_a_card, "no card missing"),
    (double_a_card, "no card twice"),
    (leave_one_in_the_hopper, "1 cards lie in the hopper"),
    (status_miscounts, "status: 313 outside"),
    (a_look_differs, "status: 12 inside"),
    (a_hold_is_gone, "holds stand"),
    (lambda found: at_the_end(found, holds=(SeenHold(9, "jam"),)), "a hold stands: jam"),
    (lambda found: at_the_end(found, session="in-play"), "the session is in-play"),
    (lambda found: at_the_end(found, seq=len(found.export.entries) + 1), "the export has"),
    (lambda found: replace(found, head="00" * 32), "the export has another"),
    (lambda found: replace(found, tally={**found.tally, "burned": 2}), "burned: 1 by hand, 2 in the status"),
    (lambda found: replace(found, verified=False), "not whole"),
]


@pytest.mark.parametrize(("break_it", "says"), BREAKS, ids=[says for _break, says in BREAKS])
def test_what_is_made_wrong_is_told(
    evening: tuple[House, Evidence], break_it: Callable[[Evidence], Evidence], says: str
) -> None:
    found = violations(break_it(evening[1]))
    assert [text for text in found if says in text], found


def test_a_lamp_that_is_dark_is_told_and_one_that_is_lit_in_time_is_not() -> None:
    watch = LampWatch()
    watch.look(jam_stands=True, lamp_lit=False, now_s=1.0)
    watch.look(jam_stands=True, lamp_lit=True, now_s=1.4)
    watch.look(jam_stands=True, lamp_lit=False, now_s=2.0)
    watch.look(jam_stands=False, lamp_lit=False, now_s=9.0)
    assert watch.dark_moments == []
    for now_s in (11.0, 11.4, 11.8):
        watch.look(jam_stands=True, lamp_lit=False, now_s=now_s)
    assert watch.dark_moments == ["lamp: dark for 0.8 s while a jam stood"]


def test_one_darkness_of_a_lamp_is_told_once() -> None:
    watch, told = LampWatch(), "lamp: dark for 0.6 s while a jam stood"
    for now_s in (1.0, 1.6, 2.2, 2.8, 9.0):
        watch.look(jam_stands=True, lamp_lit=False, now_s=now_s)
    assert watch.dark_moments == [told]
    watch.look(jam_stands=True, lamp_lit=True, now_s=9.1)
    for now_s in (10.0, 10.6, 11.2):
        watch.look(jam_stands=True, lamp_lit=False, now_s=now_s)
    assert watch.dark_moments == [told, told], "another darkness"


# --- the journal's files, read while they grow


def test_the_reader_of_segments_sees_what_the_export_has(evening: tuple[House, Evidence]) -> None:
    house, found = evening
    tail = SegmentTail(house.journal)
    assert tail.new_entries() == found.export.entries == read_export_file(house.export).entries
    assert tail.new_entries() == []


def test_the_reader_of_segments_waits_for_whole_entries(evening: tuple[House, Evidence], tmp_path: Path) -> None:
    whole = (evening[0].journal / "00000001.segment").read_bytes()
    tail = SegmentTail(tmp_path)
    found: list[Entry] = []
    sizes = iter(range(0, len(whole), 7))
    while len(found) < 6:
        (tmp_path / "00000001.segment").write_bytes(whole[: next(sizes)])
        found += tail.new_entries()
    assert found == evening[1].export.entries[:6]
