"""Noise on a device's line makes one line in the technician's log, with a count; without noise there is none."""

from collections.abc import MutableMapping, Sequence
from random import Random
from typing import Any

from structlog.testing import capture_logs

from controller.core.words import Device
from controller.daemon.logs import Log
from controller.runtime.log_events import Level, LogEvent
from tests.runtime.bench import Bench

OF_THE_SHOE = LogEvent(Level.INFO, "device-note", (("device", "shoe"),))


def told(lines: Sequence[MutableMapping[str, Any]]) -> list[tuple[str, int | None]]:
    return [(line["device"], line.get("times")) for line in lines]


def test_noise_is_counted_and_said_once() -> None:
    bench = Bench()
    bench.run(1)
    log, supervisors = Log("T1"), bench.supervisors
    with capture_logs() as lines:
        log.noise(supervisors)
        for _ in range(100):
            supervisors[Device.SHOE].receive_data(Random(3).randbytes(4096), bench.now_s)  # noqa: S311
        log.noise(supervisors)
        log.noise(supervisors)
    (line,) = lines
    rejected = supervisors[Device.SHOE].stats.rejected
    assert (line["event"], line["device"], line["log_level"]) == ("frames-rejected", "shoe", "warning")
    assert line["count"] == sum(rejected.values()) > 100
    assert line["total"] == dict(rejected)


def test_what_happened_is_said_at_its_level_without_what_is_empty() -> None:
    with capture_logs() as lines:
        Log("T1").tell([LogEvent(Level.ERROR, "device-refused", (("what", "kind"), ("device", "")))], 0.0)
    assert lines == [{"table": "T1", "event": "device-refused", "what": "kind", "log_level": "error"}]


def test_the_same_told_many_times_over_is_one_line() -> None:
    note = LogEvent(Level.INFO, "device-note", (("device", "shuffler"), ("what", "CardRetried")))
    with capture_logs() as lines:
        Log("T1").tell([note, note, note, OF_THE_SHOE, note], 0.0)
    assert told(lines) == [("shuffler", 3), ("shoe", None), ("shuffler", None)]


def test_the_same_again_within_a_second_is_counted_and_told_with_what_comes_next() -> None:
    note = LogEvent(Level.INFO, "device-note", (("device", "shuffler"), ("what", "CardRetried")))
    log = Log("T1")
    with capture_logs() as lines:
        for tenth in range(12):
            log.tell([note, note], 100 + tenth / 10)
        log.tell([OF_THE_SHOE], 101.2)
        log.tell([OF_THE_SHOE], 101.3)
        log.say("stopped")
    assert told(lines[:-1]) == [("shuffler", 2), ("shuffler", 20), ("shuffler", 2), ("shoe", None), ("shoe", None)]
    assert lines[-1]["event"] == "stopped"


def test_each_line_says_where_in_the_evening_it_belongs() -> None:
    log, of_an_act = Log("T1"), LogEvent(Level.INFO, "act", (("act", "deal"), ("person", 21), ("seq", 5)))
    log.place = lambda: {"seq": 7, "session": 1, "round": 2}
    with capture_logs() as lines:
        log.tell([of_an_act, OF_THE_SHOE], 0.0)
        log.say("badge-shown", person=21)
        log.line("shoe", {"good": 3})
    assert [(line["seq"], line["round"], line.get("person"), line.get("device")) for line in lines] == [
        (5, 2, 21, None),
        (7, 2, None, "shoe"),
        (7, 2, 21, None),
        (7, 2, None, "shoe"),
    ]
