"""Neighbours of a controller that hang, flood or vanish do not hold it up: log, staff file, journal's directory."""

import asyncio
import json
import os
import shutil
import socket
import threading
from pathlib import Path

import pytest

from controller.core.words import Role
from controller.daemon import pins as pins_module
from controller.daemon.background import BackgroundJobs
from controller.daemon.limits import (
    ACTS_AT_ONCE,
    ACTS_OF_AN_END,
    KEPT_FOR_OTHER_PROCESSES,
    KEPT_FOR_OTHER_USERS,
    MOST_CHECKS_OF_A_USER,
    MOST_CLIENTS,
    MOST_OF_A_PROCESS,
    Limits,
)
from controller.daemon.line_queue import LineQueue
from controller.daemon.notify import Notifier
from controller.daemon.pins import PinChecker
from controller.daemon.server import MOST_EXPECTED, SocketServer, listen
from controller.daemon.server import Client as ServedClient
from controller.journal.verify import entries_of
from controller.protocol.lines import TABLE_SCREEN
from controller.staff import StaffRefused, load_staff, save_staff
from controller.staff.lockout import MANY_ELSEWHERE
from tests.daemon.rig import CHIEF, DAY, DEALER, DEAR, PINS, TECHNICIAN, WITHIN_S, Rig, staff_book
from tests.waiting import stopwatch, wait_for

pytestmark = pytest.mark.waits

# --- the log


def test_a_log_that_nobody_reads_stops_nobody_and_says_how_many_lines_are_gone() -> None:
    reading, writing = os.pipe()
    with open(reading) as reader, open(writing, "w") as stream:  # noqa: PTH123 - descriptors
        lines = LineQueue(stream, most=10)
        took_s = stopwatch()
        for number in range(2000):
            lines.write(f"{number} {'x' * 1000}\n")
        assert took_s() < 1.0
        read: list[str] = []
        drain = threading.Thread(target=lambda: read.extend(reader))
        drain.start()
        wait_for(lambda: (lines.write("again\n"), any("log-lines-dropped" in line for line in tuple(read)))[1])
        lines.close(WITHIN_S)
        stream.close()
        drain.join(WITHIN_S)
    (told,) = [line for line in read if "log-lines-dropped" in line][:1]
    whole = [line for line in read if line.split(" ")[0].isdecimal()]
    assert f'"count": {2000 - len(whole)}' in told or int(told.split('"count": ')[1].split(",")[0]) > 0


def test_an_undrained_stderr_freezes_no_table(rig: Rig) -> None:
    """With a full pipe as standard error the controller still answers, and a signal ends it."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while os.write(writing, b"x" * 65_536):
            pass
    except BlockingIOError:
        os.set_blocking(writing, True)
    rig.start_with_stderr(writing)
    os.close(writing)
    try:
        for _ in range(20):
            rig.act("sign-in", DEALER, operation="table")
        assert rig.status()["present"]
        code, seconds = rig.stop()
        assert (code, seconds < 3.0) == (0, True)
    finally:
        os.close(reading)


# --- the staff file


def test_a_pipe_in_the_place_of_the_staff_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "staff.toml"
    os.mkfifo(path, 0o600)
    took_s = stopwatch()
    with pytest.raises(StaffRefused) as refused:
        load_staff(path)
    assert refused.value.key == "staff.refused.no-file"
    assert took_s() < 1.0


def test_with_a_pipe_for_a_staff_file_acts_are_answered_and_a_signal_ends_it(running: Rig) -> None:
    path = running.directory / "staff.toml"
    path.unlink()
    os.mkfifo(path, 0o600)
    answer = running.act("sign-in", CHIEF, operation="loading")
    assert answer.error is not None
    assert answer.error.code == "staff-unreadable"
    code, seconds = running.stop()
    assert (code, seconds < 3.0) == (0, True)


def test_a_job_that_hangs_is_answered_late_and_no_other_is_begun() -> None:
    freed = threading.Event()

    async def go() -> list[str]:
        loop = asyncio.get_running_loop()
        aside, told = BackgroundJobs(loop, within_s=0.05), []
        all_told = asyncio.Event()

        def tell(text: str) -> None:
            told.append(text)
            if len(told) == 3:
                all_told.set()

        aside.run(freed.wait, lambda _: tell("done"), lambda: (tell("late"), begin_another()))

        def begin_another() -> None:
            aside.run(lambda: 1, lambda _: tell("begun"), lambda: (tell("refused"), free()))

        def free() -> None:
            freed.set()
            again()

        def again() -> None:
            """Offers the job again and again until the hanging job has ended."""
            aside.run(lambda: 1, lambda _: tell("again"), lambda: loop.call_later(0.01, again))

        await asyncio.wait_for(all_told.wait(), WITHIN_S)
        aside.close()
        return told

    assert asyncio.run(go()) == ["late", "refused", "again"]


def test_who_is_removed_and_a_journal_that_is_gone_are_noticed_though_nobody_asks(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    save_staff(staff_book().without(DEALER, DAY), running.directory / "staff.toml")
    running.until(lambda status: not status["present"])
    running.journal.rename(running.directory / "elsewhere")
    status = running.until(lambda status: status["holds"])
    assert [hold["kind"] for hold in status["holds"]] == ["journal-fault"]
    assert "directory has gone" in status["holds"][0]["text"]
    (running.directory / "elsewhere").rename(running.journal)
    running.until(lambda status: status["journal"]["condition"] == "writing")


def test_a_journal_s_place_that_cannot_be_looked_at_is_noticed_too(running: Rig) -> None:
    running.journal.rename(running.directory / "elsewhere")
    running.journal.symlink_to(running.journal)  # a loop: neither missing nor present
    running.until(lambda status: status["holds"])
    running.journal.unlink()
    (running.directory / "elsewhere").rename(running.journal)
    running.until(lambda status: status["journal"]["condition"] == "writing")


def test_nothing_is_written_where_nobody_finds_it_while_the_journal_s_place_is_taken(running: Rig) -> None:
    """A retry does not write through the open descriptor, which would succeed in a directory that no program reads."""
    shutil.copytree(running.journal, running.directory / "other")
    running.journal.rename(running.directory / "elsewhere")
    (running.directory / "other").rename(running.journal)

    def failed_twice() -> bool:
        running.status()
        events = [line["event"] for line in running.log_lines()]
        assert "journal-restored" not in events
        return events.count("journal-failed") >= 2

    wait_for(failed_twice, running.log.read_text)
    shutil.rmtree(running.journal)
    (running.directory / "elsewhere").rename(running.journal)
    running.until(lambda status: status["journal"]["condition"] == "writing")


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_journal_that_others_may_write_is_refused(rig: Rig, mode: int) -> None:
    rig.journal.mkdir()
    rig.journal.chmod(mode)
    code, said = rig.refused()
    assert code == 2
    assert f"{mode:04o}" in said


# --- clients


def test_wrong_pins_at_one_screen_keep_nobody_waiting_at_another(running: Rig) -> None:
    wrong = {"act": "sign-in", "pin": "000000", "values": {"operation": "hold"}}
    for person in range(500, 510):
        answer = running.ask("act", person=person, terminal="tablet-1", **wrong)
        assert answer.error is not None
        assert answer.error.code == "pin-wrong"
    right = wrong | {"person": CHIEF, "pin": PINS[CHIEF]}
    answer = running.ask("act", terminal="tablet-1", **right)
    assert answer.error is not None
    assert answer.error.code == "locked-out"
    assert running.ask("act", terminal="tablet-2", **right).ok
    assert [duty["kind"] for duty in running.status()["duties"]] == ["look-into-wrong-pins"]


def test_wrong_pins_at_many_screens_are_few_and_keep_nobody_waiting_at_the_table(running: Rig) -> None:
    """Wrong PINs under any number of screen names are few, and the table's own screen waits for none of them."""
    wrong = {"act": "sign-in", "values": {"operation": "hold"}}
    for number in range(40):
        running.ask("act", person=CHIEF, pin="000000", terminal=f"tablet-{number}", **wrong)
    assert [entry.kind for entry in entries_of(running.journal)].count("pin-refused") == 2 * MANY_ELSEWHERE
    assert running.ask("act", person=CHIEF, pin=PINS[CHIEF], terminal=TABLE_SCREEN, **wrong).ok


def test_who_is_in_the_staff_file_is_journaled_at_the_start_and_whenever_it_changes(running: Rig) -> None:
    path = running.directory / "staff.toml"
    book = load_staff(path)
    running.until(lambda status: running.journal_has("staff-changed", 1))
    save_staff(book.without(CHIEF, DAY).with_pin(DEALER, "903317"), path)
    running.act("sign-in", DEALER, "903317", operation="table")
    running.until(lambda status: running.journal_has("staff-changed", 2))
    running.kill()
    save_staff(book, path)
    running.start()
    running.until(lambda status: running.journal_has("staff-changed", 3))
    told = [json.loads(bytes(entry.body)) for entry in entries_of(running.journal) if entry.kind == "staff-changed"]
    found = [
        {what: [one["number"] for one in change[what]] for what in ("added", "changed")} | {"left": change["removed"]}
        for change in told
    ]
    assert found == [
        {"added": [DEALER, CHIEF, TECHNICIAN], "changed": [], "left": []},
        {"added": [], "changed": [DEALER], "left": [CHIEF]},
        {"added": [CHIEF], "changed": [DEALER], "left": []},
    ]
    assert told[0]["digest"] == told[2]["digest"] != told[1]["digest"]


def test_pins_that_wait_are_few_for_each_connection_and_each_user() -> None:
    limits = Limits()
    for client in (1, 1, 2, 2, 3, 3):
        assert limits.trouble(client, 1001, "a") is None
        limits.asked(client, 1001, "a")
    assert limits.trouble(3, 1001, "a") == "one-after-the-other"
    assert limits.trouble(4, 1001, "b") == "too-many-pins"
    assert limits.trouble(5, 1002, "a") is None
    limits.answered(3, 1001, "a")
    assert limits.trouble(4, 1001, "b") is None


def test_the_screen_at_the_table_has_places_of_its_own_among_the_pins_that_wait() -> None:
    limits = Limits()
    for client in range(MOST_CHECKS_OF_A_USER):
        limits.asked(client, 1001, "a")
    for client in (10, 11):
        assert limits.trouble(client, 1001, TABLE_SCREEN) is None
        limits.asked(client, 1001, TABLE_SCREEN)
    assert limits.trouble(12, 1001, TABLE_SCREEN) == "too-many-pins"
    limits.answered(10, 1001, TABLE_SCREEN)
    assert limits.trouble(12, 1001, TABLE_SCREEN) is None


def test_one_user_s_connections_leave_room_for_others() -> None:
    limits = Limits()
    told = [limits.connected(1001, 7) for _ in range(MOST_OF_A_PROCESS + 1)]
    assert told == [None] * MOST_OF_A_PROCESS + ["too-many-connections"]
    assert limits.connected(1001, 8) is None, "another process of the same user"
    limits.gone(1001, 7)
    limits.gone(1001, 7)
    assert limits.connected(1001, 7) is None


def test_there_is_a_place_for_the_panel_whoever_opens_as_many_connections_as_he_can() -> None:
    limits = Limits()
    made = sum(limits.connected(1001, process) is None for process in range(3) for _ in range(MOST_OF_A_PROCESS))
    assert made == MOST_CLIENTS - KEPT_FOR_OTHER_PROCESSES
    limits = Limits()
    told = [limits.connected(1001, process) for process in range(MOST_CLIENTS - KEPT_FOR_OTHER_USERS)]
    assert set(told) == {None}
    assert limits.connected(1001, 201) == "too-many-connections"
    assert limits.connected(1002, 200) is None, "the panel, as a user of its own"


def test_badges_held_to_the_reader_are_looked_up_one_at_a_time(tmp_path: Path) -> None:
    book = staff_book().with_person(50, "Ana", Role.DEALER, "903317", "04A1F2")
    save_staff(book, tmp_path / "staff.toml")

    async def go() -> list[object]:
        named: list[object] = []
        pins = PinChecker(asyncio.get_running_loop(), tmp_path / "staff.toml", lambda _check, _outcome: None)
        for _ in range(200):
            pins.name_badge("04A1F2", named.append)
        assert sum(thread.name == "aside" for thread in threading.enumerate()) <= 1
        while not named:
            await asyncio.sleep(0.01)
        pins.name_badge("04A1F2", named.append)
        while len(named) < 2:
            await asyncio.sleep(0.01)
        pins.close()
        return named

    assert asyncio.run(asyncio.wait_for(go(), WITHIN_S)) == [book.people[-1]] * 2


def test_the_staff_file_is_read_again_when_it_is_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, read = tmp_path / "staff.toml", list[Path]()
    monkeypatch.setattr(pins_module, "load_staff", lambda file: read.append(file) or load_staff(file))
    book = staff_book()
    save_staff(book, path)

    async def go() -> None:
        pins = PinChecker(asyncio.get_running_loop(), path, lambda _check, _outcome: None)
        assert [pins.book() for _ in range(3)] == [book] * 3
        assert len(read) == 1
        save_staff(book.without(CHIEF, DAY), path)
        assert [pins.book() for _ in range(3)] == [book.without(CHIEF, DAY)] * 3
        assert len(read) == 2
        path.chmod(0o644)
        assert pins.book() is None, "others may read it"
        path.unlink()
        assert pins.book() is None

    asyncio.run(go())


def test_where_the_system_has_no_thread_a_job_is_late_and_nothing_crashes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def go() -> list[str]:
        told: list[str] = []
        aside = BackgroundJobs(asyncio.get_running_loop())
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", no_thread)
            aside.run(lambda: "done", told.append, lambda: told.append("late"))
            await asyncio.sleep(0)
        aside.run(lambda: "done", told.append, lambda: told.append("late"))
        while len(told) < 2:
            await asyncio.sleep(0.01)
        aside.close()
        return told

    def no_thread(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    assert asyncio.run(asyncio.wait_for(go(), WITHIN_S)) == ["late", "done"]


def test_a_connection_that_asks_nothing_is_told_so_and_closed(tmp_path: Path) -> None:
    async def go() -> tuple[list[str], bytes]:
        told: list[str] = []

        def refuse(client: ServedClient, code: str) -> None:
            told.append(code)
            client.hang_up()

        path = tmp_path / "socket"
        server = SocketServer(listen(path), path, lambda _client, _line: None, refuse, Limits(), idle_s=0.05)
        await server.start()
        reader, writer = await asyncio.open_unix_connection(path)
        rest = await asyncio.wait_for(reader.read(), WITHIN_S)
        writer.close()
        await writer.wait_closed()
        await server.stop()
        return told, rest

    tmp_path.chmod(0o700)
    assert asyncio.run(go()) == (["idle"], b"")


def test_between_two_lines_of_any_clients_the_loop_goes_round(tmp_path: Path) -> None:
    """When twenty delayed clients wake together, the loop serves the devices between two of their lines."""

    async def go() -> list[int]:
        rounds, lines = 0, list[int]()

        async def count_rounds() -> None:
            nonlocal rounds
            while len(lines) < 60:
                rounds += 1
                await asyncio.sleep(0)

        path, limits = tmp_path / "socket", Limits()
        server = SocketServer(listen(path), path, lambda _client, _line: lines.append(rounds), lambda *_: None, limits)
        await server.start()
        clients = [await asyncio.open_unix_connection(path) for _ in range(20)]
        limits.pause_s(asyncio.get_running_loop().time(), 0.55)  # more than their whole time
        for _reader, writer in clients:
            writer.write(b"{}\n" * 3)
        await asyncio.wait_for(count_rounds(), WITHIN_S)
        for _reader, writer in clients:
            writer.close()
            await writer.wait_closed()
        await server.stop()
        return lines

    tmp_path.chmod(0o700)
    lines = asyncio.run(go())
    assert len(set(lines)) == len(lines) == 60


def test_who_connects_without_end_is_taken_at_the_pace_of_all_clients(tmp_path: Path) -> None:
    """A client that connects without end is served at the pace of all clients, as refusals cost the loop time, too."""

    async def go() -> None:
        path, limits, refused = tmp_path / "socket", Limits(), list[str]()
        server = SocketServer(listen(path), path, lambda *_: None, lambda _client, why: refused.append(why), limits)
        for _ in range(MOST_OF_A_PROCESS):
            limits.connected(os.getuid(), os.getpid())
        limits.pause_s(asyncio.get_running_loop().time(), 1.0)  # all time of clients for two seconds
        await server.start()
        clients = [await asyncio.open_unix_connection(path) for _ in range(20)]
        async with asyncio.timeout(WITHIN_S):
            while not refused:
                await asyncio.sleep(0)
        for _ in range(200):
            await asyncio.sleep(0)
        assert refused == ["too-many-connections"]
        for _reader, writer in clients:
            writer.close()
            await writer.wait_closed()
        await server.stop()

    tmp_path.chmod(0o700)
    asyncio.run(go())


def test_of_a_client_that_waits_for_many_answers_nothing_more_is_read(tmp_path: Path) -> None:
    """While the journal hangs, the controller reads no further requests of a client that waits for many answers."""

    async def go() -> None:
        path, asked = tmp_path / "socket", list[ServedClient]()

        def handle(client: ServedClient, _line: bytes) -> None:
            client.expect_answer()
            asked.append(client)

        server = SocketServer(listen(path), path, handle, lambda *_: None, Limits())
        await server.start()
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(b"{}\n" * 20)
        for known in (MOST_EXPECTED, 2 * MOST_EXPECTED):
            async with asyncio.timeout(WITHIN_S):
                while len(asked) < known:
                    await asyncio.sleep(0)
            for _ in range(500):
                await asyncio.sleep(0)
            assert len(asked) == known
            for client in asked[-MOST_EXPECTED:]:
                client.send_answer(b"{}\n")
        assert await reader.readline() == b"{}\n"
        writer.close()
        await writer.wait_closed()
        await server.stop()

    tmp_path.chmod(0o700)
    asyncio.run(go())


def test_each_act_of_a_request_counts_and_one_that_ends_a_session_for_many() -> None:
    limits = Limits()
    for _ in range(ACTS_AT_ONCE // 5):
        assert limits.act(1001, 0.0, 5) is None
    assert limits.act(1001, 0.0) is not None
    assert limits.act(1002, 0.0) is None
    limits.act_done(1002, 0.0, is_closed=True)
    assert limits.act(1002, 0.0) is None, "the session was closed already"
    limits.act_done(1002, 0.0, is_closed=False)
    limits.act_done(1002, 0.0, is_closed=True)
    assert sum(limits.act(1002, 0.0) is None for _ in range(ACTS_AT_ONCE)) == ACTS_AT_ONCE - 2 - ACTS_OF_AN_END


def test_a_third_pin_of_a_connection_is_told_to_wait(running: Rig) -> None:
    save_staff(staff_book(DEAR), running.directory / "staff.toml")
    with running.client() as client:
        asked = [{"id": n, "do": "act", "act": "sign-out", "person": CHIEF, "pin": "999999"} for n in range(3)]
        client._socket.sendall(b"".join(json.dumps(one).encode() + b"\n" for one in asked))
        answers = [client._read() for _ in range(3)]
    assert sorted(answer.error.code for answer in answers if answer.error) == [
        "locked-out",
        "one-after-the-other",
        "pin-wrong",
    ]


def test_a_start_that_takes_long_asks_systemd_for_more_time(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(WITHIN_S)
        with Notifier({"NOTIFY_SOCKET": str(tmp_path / "notify")}).starting(step_s=0.01):
            heard = {systemd.recv(256).decode() for _ in range(2)}
    assert heard == {"EXTEND_TIMEOUT_USEC=30000"}


# --- numbers


def test_what_is_configured_otherwise_than_at_the_start_before_is_journaled_key_by_key(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    running.act("open-session")
    running.kill()
    running.start()
    running.connected()
    running.kill()
    running.config.write_text(running.config.read_text().replace('language = "en"', 'language = "pt"'))
    running.start()
    running.until(lambda status: running.journal_has("configuration-changed", 2))
    first, second = (
        json.loads(bytes(entry.body))["changes"]
        for entry in entries_of(running.journal)
        if entry.kind == "configuration-changed"
    )
    assert {"key": "table.maximum_bet", "before": "", "now": "30000"} in first
    assert second == [{"key": "table.language", "before": "en", "now": "pt"}]
    assert [line["keys"] for line in running.log_lines() if line["event"] == "configuration-changed"][
        1
    ] == "table.language"


def test_no_person_has_a_number_without_bound(running: Rig) -> None:
    for number in (0, -1, 100_000, 10**30):
        answer = running.ask("act", act="sign-out", person=number, pin=PINS[DEALER], values={})
        assert answer.error is not None
        assert answer.error.code == "bad-request"
