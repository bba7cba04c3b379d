"""`sabot run` as a process: it starts or reports the reason, and leaves nothing behind."""

import contextlib
import os
import signal
import socket
from operator import le
from pathlib import Path

import pytest

from controller.journal.verify import entries_of
from controller.runtime.replay import replay
from tests.daemon.rig import CHIEF, DEALER, Rig
from tests.endings import HANGS_S
from tests.waiting import wait_for

pytestmark = pytest.mark.waits


def test_it_starts_finds_its_devices_and_says_so(running: Rig) -> None:
    status = running.status()
    assert (status["table"], status["simulated"], status["session"]) == ("T1", True, "closed")
    assert status["holds"] == []
    assert {name: device["text"] for name, device in status["devices"].items()} == {
        "shuffler": "connected",
        "shoe": "connected",
        "jackpot_display": "connected",
    }
    assert status["counts"]["outside"] == status["counts"]["total"] == 208


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order_within_two_seconds(running: Rig, number: int) -> None:
    code, took_s = running.stop(number)
    assert code == 0
    assert took_s < 2.0
    assert not running.socket.exists()
    kinds = [entry.kind for entry in entries_of(running.journal)]
    assert kinds[0] == "controller-started"
    assert kinds[-1] == "controller-stopped"


def test_what_it_wrote_replays_to_the_state_that_it_showed(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    running.act("open-session")
    digest = running.status()["state_digest"]
    running.stop()
    result = replay(running.journal)
    assert (result.ok, result.state_digest) == (True, digest)


def test_after_a_kill_it_goes_on_where_it_was(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    assert running.act("open-session").ok
    running.host.call(running.shuffler.jam)
    before = running.until(lambda status: bool(status["holds"]) and status["holds"][0]["recorded"])
    running.kill()
    running.start()
    after = running.connected()
    assert after["session"] == "opened"
    assert [hold["id"] for hold in after["holds"]] == [hold["id"] for hold in before["holds"]]
    assert running.shuffler.status.lamp_lit
    assert running.act("open-session").refusal is not None


def test_a_second_controller_of_the_same_journal_is_refused(running: Rig) -> None:
    first, running.child = running.child, None
    log, running.log = running.log, running.directory / "second.log"
    code, said = running.refused()
    running.child, running.log = first, log
    assert code == 1
    assert "already writes the journal" in said
    assert running.status()["table"] == "T1"


def test_a_live_socket_is_not_taken_over(running: Rig) -> None:
    other = running.directory / "other.toml"
    other.write_text(running.config.read_text().replace('path = "journal"', 'path = "journal2"'))
    first, running.child = running.child, None
    config, running.config = running.config, other
    log, running.log = running.log, running.directory / "second.log"
    code, said = running.refused()
    running.child, running.config, running.log = first, config, log
    assert code == 1
    assert "already answers" in said
    assert list(entries_of(running.journal))
    assert running.status()["table"] == "T1"


def test_a_stale_socket_is_replaced_and_others_may_not_use_it(running: Rig) -> None:
    running.kill()
    assert running.socket.is_socket()
    running.start()
    assert running.status()["table"] == "T1"
    assert running.socket.stat().st_mode & 0o777 == 0o660


def test_a_file_where_the_socket_should_be_is_left_alone(rig: Rig) -> None:
    rig.socket.write_text("somebody's notes")
    code, said = rig.refused()
    assert code == 2
    assert "control.sock" in said
    assert rig.socket.read_text() == "somebody's notes"


def test_a_directory_that_others_may_write_to_gets_no_socket(rig: Rig) -> None:
    rig.directory.chmod(0o777)
    code, said = rig.refused()
    rig.directory.chmod(0o700)
    assert code == 2
    assert str(rig.directory) in said
    assert not rig.socket.exists()


def test_a_wrong_configuration_starts_nothing_and_says_every_error(rig: Rig) -> None:
    text = rig.config.read_text().replace("decks = 4", "decks = 5").replace("maximum_bet = 300", "maximum_bet = 310")
    rig.config.write_text(text.replace("/shoe", "/nothing"))
    code, said = rig.refused()
    assert code == 2
    assert "table.decks" in said
    assert "table.maximum_bet" in said
    assert "devices.shoe.port" in said
    assert not rig.journal.exists()
    assert not rig.socket.exists()


def test_a_closed_table_without_a_device_starts_names_it_and_takes_it_when_it_comes(rig: Rig) -> None:
    for name in ("shoe", "shuffler"):
        rig.unplug(name)
    rig.start()
    status = rig.until(lambda status: bool(status["devices"]["shoe"]["trouble"]))
    assert status["devices"]["shuffler"]["trouble"] == "port-missing"
    assert status["session"] == "closed"
    for name in ("shoe", "shuffler"):
        rig.plug(name)
    rig.connected()


def test_with_an_open_session_a_missing_port_starts_held(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    running.act("open-session")
    running.kill()
    running.unplug("shoe")
    running.start()
    status = running.until(lambda status: bool(status["holds"]))
    assert [(hold["kind"], hold["device"]) for hold in status["holds"]] == [("device-lost", "shoe")]
    assert status["devices"]["shoe"]["trouble"] == "port-missing"


def test_a_staff_file_that_others_may_read_is_refused(rig: Rig) -> None:
    (rig.directory / "staff.toml").chmod(0o644)
    code, said = rig.refused()
    assert code == 2
    assert "0644" in said
    assert not rig.journal.exists()


def test_a_pty_is_refused_at_a_table_that_is_not_simulated(tmp_path: Path) -> None:
    with Rig(tmp_path, simulated=False) as rig:
        code, said = rig.refused()
    assert code == 2
    assert "pseudo-terminal" in said


def test_the_journal_of_another_table_is_refused(running: Rig) -> None:
    running.stop()
    running.config.write_text(running.config.read_text().replace('id = "T1"', 'id = "T2"'))
    code, said = running.refused()
    assert code == 2
    assert "T1" in said
    assert "T2" in said


def test_other_equipment_is_refused_while_a_session_is_open(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    running.act("open-session")
    running.kill()
    running.config.write_text(running.config.read_text().replace("decks = 4", "decks = 6"))
    code, said = running.refused()
    assert code == 2
    assert "open session" in said


def test_a_damaged_journal_starts_held_names_the_entry_and_is_not_written(running: Rig) -> None:
    running.stop()
    segment = running.journal / "00000001.segment"
    data = bytearray(segment.read_bytes())
    data[200] ^= 1
    segment.write_bytes(data)
    running.start()
    status = running.until(lambda status: all(d["connected"] for d in status["devices"].values()))
    assert [hold["kind"] for hold in status["holds"]] == ["journal-fault"]
    assert "#1" in status["holds"][0]["text"]
    assert status["journal"]["condition"] == "damaged"
    assert status["next"] == []
    answer = running.act("sign-in", CHIEF, operation="hold")
    assert answer.error is not None
    assert answer.error.code == "journal-fault"
    assert running.stop()[0] == 0
    assert segment.read_bytes() == bytes(data)


def test_systemd_is_told_ready_alive_and_stopping(rig: Rig) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind("\0sabot-test-" + str(os.getpid()))
        notify.settimeout(HANGS_S)
        rig._spawn(NOTIFY_SOCKET="@sabot-test-" + str(os.getpid()), WATCHDOG_USEC="300000")
        told = [notify.recv(64) for _ in range(7)]
        assert rig.child is not None
        rig.child.terminate()
        while told[-1] != b"STOPPING=1":
            told.append(notify.recv(64))
        rig.child.wait(HANGS_S)
    assert b"READY=1" in told[:3]  # after the request for time, beside the first sign of life
    assert told.count(b"WATCHDOG=1") >= 5


def test_systemd_hears_nothing_while_the_journal_s_writer_hangs_and_again_behind_it(rig: Rig) -> None:
    address = f"sabot-test-hang-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(f"\0{address}")
        notify.settimeout(HANGS_S)
        rig._spawn(NOTIFY_SOCKET=f"@{address}", WATCHDOG_USEC="300000", SABOT_TEST_WRITER_S="0.4")
        while notify.recv(64) != b"READY=1":
            pass
        rig.connected()
        before = hangs(rig)  # while the disk is busy otherwise
        rig.disk.write_text("1.5")
        rig.act("sign-in", DEALER, operation="table")  # answered once it is durable
        rig.disk.write_text("0")
        wait_for(lambda: hangs(rig) > before)
        notify.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while notify.recv(64):
                pass
        notify.settimeout(HANGS_S)
        assert notify.recv(64) == b"WATCHDOG=1"


def hangs(rig: Rig) -> int:
    """The number of lines in the rig's log about a hanging journal."""
    return sum(line["event"] == "journal-hangs" for line in rig.log_lines())


def test_threads_and_descriptors_do_not_grow_with_replugging(running: Rig) -> None:
    def used() -> tuple[int, int]:
        assert running.child is not None
        proc = Path(f"/proc/{running.child.pid}")
        return len(list((proc / "fd").iterdir())), len(list((proc / "task").iterdir()))

    running.status()
    before = used()
    for number in range(3):
        running.unplug("display")
        running.until(lambda status: not status["devices"]["jackpot_display"]["connected"])
        running.plug("display")
        running.until(lambda status, wanted=number + 1: status["devices"]["jackpot_display"]["reconnects"] == wanted)
    wait_for(lambda: all(map(le, used(), before)), used)  # a look at the staff file has a thread for a moment
