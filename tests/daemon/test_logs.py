"""The technician's log: noise is one counted line, and only where there was any."""

from random import Random

from structlog.testing import capture_logs

from controller.core.words import Device
from controller.daemon.logs import Log
from controller.runtime.happenings import Happening, Level
from tests.runtime.bench import Bench


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
        Log("T1").tell([Happening(Level.ERROR, "device-refused", (("what", "kind"), ("device", "")))])
    assert lines == [{"table": "T1", "event": "device-refused", "what": "kind", "log_level": "error"}]


def test_the_same_told_many_times_over_is_one_line() -> None:
    note = Happening(Level.INFO, "device-note", (("device", "shuffler"), ("what", "CardRetried")))
    with capture_logs() as lines:
        Log("T1").tell([note, note, note, Happening(Level.INFO, "device-note", (("device", "shoe"),)), note])
    assert [(line["device"], line.get("times")) for line in lines] == [
        ("shuffler", 3),
        ("shoe", None),
        ("shuffler", None),
    ]
