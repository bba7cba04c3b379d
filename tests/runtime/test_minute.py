"""Events too frequent for an entry each become one counted entry a minute; a set clock is reported."""

import json

from controller.core.engine.replacing import replace
from controller.core.words import Device, Person
from controller.runtime.clock import WallTime, WallWatch
from controller.runtime.minute import MOST_PEOPLE, OTHERS, Minute
from tests.runtime.bench import CHIEF, Bench

NOISE = b"\x00".join([b"\x05garbage!"] * 50) + b"\x00"


def bodies(bench: Bench, kind: str) -> list[dict[str, object]]:
    return [json.loads(bytes(entry.body)) for entry in bench.entries() if entry.kind == kind]


def test_a_flood_of_bad_frames_is_one_entry_a_minute_with_its_count() -> None:
    bench = Bench()
    bench.run(1)
    digest = bench.digest()
    for _ in range(3):
        bench.supervisors[Device.SHOE].receive_data(NOISE, bench.now_s)
    rejected = sum(bench.supervisors[Device.SHOE].stats.rejected.values())
    assert rejected >= 150
    bench.run(1)
    assert "frames-rejected" not in bench.kinds()
    for _ in range(2):  # the second minute has no events
        bench.runtime.minute_passed(bench.now_s)
        bench.run(1)
    assert bodies(bench, "frames-rejected") == [{"count": rejected, "device": "shoe"}]
    assert bench.digest() == digest


def test_what_a_minute_has_gathered_is_recorded_before_an_orderly_end() -> None:
    bench = Bench()
    bench.run(1)
    bench.runtime.minute.kept_away(CHIEF)
    bench.runtime.minute.kept_away(CHIEF)
    bench.runtime.stop(bench.now_s)
    bench.run(1)
    assert bench.kinds()[-2:] == ["sign-ins-kept-away", "controller-stopped"]
    assert bodies(bench, "sign-ins-kept-away") == [{"count": 2, "person": CHIEF}]


def test_whoever_tries_many_numbers_makes_few_entries() -> None:
    minute = Minute()
    for number in range(1, 1001):
        minute.kept_away(Person(number))
    told = minute.take({})
    assert len(told) == MOST_PEOPLE + 1
    assert (getattr(told[0], "person", None), getattr(told[0], "count", None)) == (OTHERS, 1000 - MOST_PEOPLE)
    assert minute.take({}) == []


def test_a_second_copy_that_fails_and_comes_back_is_recorded_once_each() -> None:
    bench = Bench()
    bench.run(1)
    for trouble in ("full", "full", ""):
        bench.runtime.minute.copy_trouble = trouble
        bench.runtime.minute_passed(bench.now_s)
        bench.run(1)
    assert [kind for kind in bench.kinds() if kind.startswith("second")] == [
        "second-copy-failed",
        "second-copy-restored",
    ]
    assert bodies(bench, "second-copy-failed") == [{"reason": "full"}]


def test_a_clock_that_was_set_is_said_before_the_next_entry_and_decides_nothing() -> None:
    bench = Bench()
    bench.run(1)
    digest, read = bench.digest(), bench.runtime._wall._read
    bench.runtime._wall._read = lambda: replace(read(), ms=read().ms - 3_600_000, is_synced=False)
    bench.runtime.minute.copy_trouble = "full"
    bench.runtime.minute_passed(bench.now_s)
    bench.run(1)
    assert bench.kinds()[-2:] == ["clock-stepped", "second-copy-failed"]
    assert bodies(bench, "clock-stepped") == [{"by_ms": -3_600_000, "wall_synced": False}]
    assert bench.digest() == digest


def test_a_clock_that_is_slewed_is_not_one_that_was_set() -> None:
    times = iter([(0, 0.0), (3_601_500, 3600.0), (3_602_100, 3600.1), (3_604_000, 3600.2)])
    now_s = 0.0
    watch = WallWatch(lambda: WallTime(reading[0], is_synced=True))
    stepped = []
    for reading in times:
        now_s = reading[1]
        stepped.append(watch.read(now_s)[1])
    assert stepped == [0, 0, 0, 1800]
