"""With a slow or full disk, or noise on a line, protection is immediate, permission waits, and people get a notice."""

import json
import select
import time
from random import Random

import pytest

from controller.cli.client import Client
from controller.daemon.logs import NOISE_EVERY_S
from controller.journal.mark import begun_path
from controller.journal.verify import entries_of, verify
from tests.daemon.rig import CHIEF, DEALER, PINS, WITHIN_S, Rig
from tests.endings import computed_s
from tests.found import stands_in
from tests.waiting import stopwatch, wait_for

pytestmark = pytest.mark.waits

ANSWER_WITHIN_S = 0.2
LAMP_WITHIN_S = 0.1
NOISE_BYTES = 10 * 1024 * 1024
MEMORY_BYTES = 5 * 1024 * 1024


def answer_times(rig: Rig, seconds: float) -> list[float]:
    """Asks for the status for `seconds`; returns the seconds of each answer, without waits for a processor."""
    times, until_s = [], time.monotonic() + seconds
    with rig.client() as client:
        while time.monotonic() < until_s:
            times.append(answer_time(rig, client))
    return times


def answer_time(rig: Rig, client: Client) -> float:
    assert rig.child is not None
    took_s = stopwatch(rig.child.pid)
    client.ask("status")
    return took_s()


def computing_time(rig: Rig, client: Client) -> float:
    """The seconds that the controller has computed until it has answered: a busy disk delays it, too, now and then."""
    assert rig.child is not None
    before_s = computed_s(str(rig.child.pid))
    client.ask("status")
    return computed_s(str(rig.child.pid)) - before_s


def test_a_sync_that_hangs_delays_what_permits_and_nothing_else(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    seq = running.connected()["journal"]["seq"]
    running.disk.write_text("hangs")
    assert running.child is not None
    began_s, took_s = running.host.clock(), stopwatch(running.child.pid)
    acknowledged = running.shuffler.acknowledged
    running.host.call(running.shuffler.jam)
    lit_s = wait_for_lamp(running)
    waited_s = running.host.clock() - began_s - took_s()  # for a processor
    assert lit_s - began_s - waited_s < LAMP_WITHIN_S

    status = running.until(lambda status: status["journal"]["slow"])
    assert [(hold["kind"], hold["recorded"]) for hold in status["holds"]] == [("jam", False)]
    assert status["journal"]["seq"] == seq
    assert max(answer_times(running, 1.0)) < ANSWER_WITHIN_S
    assert running.shuffler.acknowledged == acknowledged

    with running.client() as client:
        asked = {"id": 1, "do": "act", "act": "open-session", "person": DEALER, "pin": PINS[DEALER], "values": {}}
        client._socket.sendall(json.dumps(asked).encode() + b"\n")
        is_answered, _, _ = select.select([client._socket], [], [], 1.0)
        assert not is_answered, "an answer, even a refusal, waits for its entry"
        running.disk.write_text("0")
        assert client._read().refusal is not None
    status = running.until(lambda status: status["holds"][0]["recorded"])
    assert all(device["reconnects"] == 0 for device in status["devices"].values())
    assert [hold["kind"] for hold in status["holds"]] == ["jam"]


def wait_for_lamp(rig: Rig) -> float:
    """Waits until the shuffler gets the command to light its lamp; returns the time of the command."""
    return wait_for(lambda: [when for when, command in rig.shuffler.commands if getattr(command, "lamp", False)])[0]


def test_an_orderly_end_while_the_disk_hangs_is_an_end_all_the_same(running: Rig) -> None:
    running.disk.write_text("600")
    running.host.call(running.shuffler.jam)
    running.until(lambda status: bool(status["holds"]))
    code, took_s = running.stop()
    assert code == 0
    assert took_s < 3.0


def test_a_full_disk_holds_the_table_and_a_free_one_lets_people_end_it(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    running.act("open-session")
    running.disk.write_text("full")
    running.host.call(running.shuffler.jam)
    status = running.until(lambda status: len(status["holds"]) == 2)
    assert [hold["kind"] for hold in status["holds"]] == ["jam", "journal-fault"]
    assert not any(hold["recorded"] for hold in status["holds"])
    assert "full" in status["holds"][1]["text"]
    assert status["next"] == []
    answer = running.act("sign-in", CHIEF, operation="hold")
    assert answer.error is not None
    assert answer.error.code == "journal-fault"
    listed = running.ask("list").acts
    assert listed
    assert not any(act.allowed for act in listed)

    running.disk.write_text("0")
    running.until(lambda status: all(hold["recorded"] for hold in status["holds"]))
    fault = running.status()["holds"][1]["id"]
    for act in ("attend-hold", "clear-hold", "confirm-hold"):
        assert running.act(act, CHIEF, hold=fault).ok
    assert [hold["kind"] for hold in running.status()["holds"]] == ["jam"]
    running.stop()
    kinds = [entry.kind for entry in entries_of(running.journal)]
    assert kinds.index("shuffler-jammed") < kinds.index("journal-failed") < kinds.index("journal-restored")
    assert verify(running.journal).ok


@pytest.mark.parametrize("is_torn", [False, True])
def test_a_medium_that_fails_while_the_controller_starts_is_tried_again(running: Rig, *, is_torn: bool) -> None:
    running.act("sign-in", DEALER, operation="table")
    running.act("open-session")
    running.kill()
    segment = running.journal / "00000001.segment"
    if is_torn:
        segment.write_bytes(segment.read_bytes()[:-3])
    running.disk.write_text("full")
    running.start()
    status = running.until(lambda status: bool(status["holds"]))
    assert [hold["kind"] for hold in status["holds"]] == ["journal-fault"]
    assert "full" in status["holds"][0]["text"]
    assert status["journal"]["condition"] == "failed"
    assert status["next"] == []
    running.host.call(running.shuffler.jam)
    running.until(lambda status: len(status["holds"]) == 2)
    assert running.shuffler.acknowledged == 0, "nobody knows yet what is on the medium"
    running.disk.write_text("0")
    running.until(lambda status: status["journal"]["condition"] == "writing" and status["holds"][0]["recorded"])
    running.stop()
    assert verify(running.journal).ok


def test_ten_megabytes_of_noise_on_each_port(running: Rig) -> None:
    running.status()
    before = running.resident_bytes()
    noise = Random(7).randbytes(32768)  # noqa: S311
    sent, began_s = dict.fromkeys(running.ports, 0), time.monotonic()
    worst_s, most = 0.0, 0
    with running.client() as client:
        while min(sent.values()) < NOISE_BYTES:
            for name, port in running.ports.items():
                if sent[name] < NOISE_BYTES:
                    sent[name] += port.inject(noise)
            worst_s = max(worst_s, answer_time(running, client))
            most = max(most, running.resident_bytes())
    assert worst_s < ANSWER_WITHIN_S
    assert most - before < MEMORY_BYTES
    status = running.connected()
    assert all(device["rejected"] > 0 for device in status["devices"].values())
    looks = 1 + int((time.monotonic() - began_s) / NOISE_EVERY_S)
    assert sum(line["event"] == "frames-rejected" for line in running.log_lines()) <= len(running.ports) * looks


def test_an_unplugged_device_comes_back_by_itself_and_people_hear_of_it(running: Rig) -> None:
    running.unplug("shoe")
    status = running.until(lambda status: not status["devices"]["shoe"]["connected"])
    assert status["devices"]["shoe"]["trouble"] in {"port-lost", "port-missing"}
    running.plug("shoe")
    assert running.connected()["devices"]["shoe"]["reconnects"] == 1
    names = [line["event"] for line in running.log_lines() if line.get("device") == "shoe"]
    assert names == ["device-connected", "device-lost", "link", "device-connected"]


def test_no_card_and_no_pin_stands_in_the_log(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    running.act("sign-in", CHIEF, "987650", operation="hold")
    running.host.call(lambda now_s: running.shoe.card_passed("QD", now_s))
    running.connected()
    running.stop()
    log = running.log.read_text()
    assert "act" in log
    for secret in (PINS[DEALER], "987650", "QD"):
        assert not stands_in(secret, log)
    for path in running.journal.iterdir():  # the digests in it have these two letters in one of ninety runs
        assert b'"QD"' not in path.read_bytes()


def test_a_mistake_of_the_program_ends_the_process_and_the_next_one_goes_on(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    running.disk.write_text("crash")
    running.host.call(running.shuffler.jam)
    assert running.child is not None
    assert running.child.wait(WITHIN_S) == 1
    assert running.log_lines()[-1]["event"] == "crashed"
    running.disk.write_text("0")
    running.start()
    status = running.until(lambda status: bool(status["holds"]))
    assert [hold["kind"] for hold in status["holds"]] == ["jam"]
    assert [one["person"] for one in status["present"]] == [DEALER]


def test_a_mark_that_cannot_be_made_is_told_and_made_when_it_can_be(rig: Rig) -> None:
    """A mark that cannot be written (a directory is in its temporary file's place) is reported, and written later."""
    mark = begun_path(rig.journal)
    obstacle = mark.with_name(mark.name + ".new")
    obstacle.mkdir()
    rig.start()
    rig.connected()
    assert rig.act("sign-in", DEALER, operation="table").ok
    assert not mark.exists()
    obstacle.rmdir()
    wait_for(lambda: any(line["event"] == "journal-marked" for line in rig.log_lines()))
    assert mark.exists()
    assert rig.stop()[0] == 0
    told = [line for line in rig.log_lines() if line["event"].startswith("journal-mark")]
    assert [(line["event"], line["reason"], line["mark"]) for line in told] == [
        ("journal-mark-failed", "other", str(mark)),
        ("journal-marked", "", str(mark)),
    ]


def test_a_mark_that_takes_its_time_delays_nobody(rig: Rig) -> None:
    mark = begun_path(rig.journal)
    obstacle = mark.with_name(mark.name + ".new")
    obstacle.mkdir()
    rig.start()
    rig.connected()
    assert rig.act("sign-in", DEALER, operation="table").ok
    rig.slow_directory.write_text("1.0")
    obstacle.rmdir()
    times: list[float] = []

    def is_made() -> bool:
        times.extend(answer_times(rig, 0.1))
        return mark.exists()

    wait_for(is_made)
    assert max([*times, *answer_times(rig, 1.0)]) < ANSWER_WITHIN_S
