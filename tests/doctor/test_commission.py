"""`sabot commission`: a table with deliberate faults becomes a closed one, by questions, findings and repairs."""

import getpass
import io
import json
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from installation import Installation

from controller.catalogue import Language, has_key, keys
from controller.cli.commission import TerminalGuide
from controller.cli.main import main
from controller.cli.pin import new_pin
from controller.cli.talk import Talk
from controller.commission import usual
from controller.commission.answers import Answers
from controller.commission.course import JOURNAL, TABLE, Course, StepBack
from controller.commission.draft import Draft
from controller.commission.mark import Mark
from controller.config import Config, Problem, read_config
from controller.config.model import PartKind
from controller.config.problems import ConfigRefused
from controller.config.profile import PROFILES
from controller.core.words import Device, Role
from controller.devices.device_kinds import Protocol
from controller.doctor import Finding, Host
from controller.doctor import medium as medium_checks
from controller.journal.storage import DirectoryStorage
from controller.record.closed_table import closed_table
from controller.staff import StaffBook, StaffRefused, load_staff, save_staff
from controller.staff.book import HashCost
from simulators.devices.parts import SimulatedLamp
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.pty_port import PtyHost
from tests.found import stands_in
from tests.in_process import run
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

CHEAP = HashCost(8, 1, 1)
ROLES = (Role.DEALER, Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)


class Lamp(SimulatedLamp):
    """A lamp that is on the wrong contact of its relay until a person rewires it."""

    is_wrong = False

    def is_lit(self, now_s: float) -> bool:
        return self.is_powered(now_s) if self.is_wrong else super().is_lit(now_s)


class Place:
    """A bare table: no configuration, no staff; shuffler, reader and lamp are plugged in."""

    def __init__(self, root: Path, host: PtyHost) -> None:
        self.host = host
        self.installation = Installation(root, ports=())
        self.ports = {name: root / "dev/sabot" / name for name in ("shuffler", "shoe", "lamp")}
        now_s = host.clock()
        self.shuffler = SimulatedShuffler(rng=Random(1), now_s=now_s, serial="CSM-0001")  # noqa: S311
        self.lamp = Lamp()
        host.add(self.ports["shuffler"], self.shuffler, baud_rate=None)
        host.add(self.ports["shoe"], SimulatedShoe(now_s=now_s, serial="SHOE-0001"), baud_rate=None)
        host.add(self.ports["lamp"], self.lamp, baud_rate=None)
        self.config = root / "etc/sabot/table.toml"
        for old in (self.config, self.installation.state / "staff.toml"):
            old.unlink()

    def answers(self) -> dict[str, list[str]]:
        """The answers of a person who knows the table, by question."""
        state = self.installation.state
        given = {
            "table.id": "BJ-07",
            "table.profile": "pt-csm",
            "table.minimum_bet": "10",
            "table.maximum_bet": "300",
            "devices.shuffler.port": str(self.ports["shuffler"]),
            "devices.shoe.port": str(self.ports["shoe"]),
            "devices.lamp.port": str(self.ports["lamp"]),
            "devices.lamp.line": "17",
            "journal.path": f"{state}/journal",
            "journal.second_copy": f"{self.installation.second}/table-1",
            "staff.path": f"{state}/staff.toml",
        }
        return {key: [text] for key, text in given.items()}

    def sees(self, question: str) -> bool:
        """True where a person who looks would answer the question with yes."""
        looks = {
            "lamp-dark": lambda: not self.is_lit(powered=True),
            "lamp-lit": lambda: self.is_lit(powered=False),
            "lamp-lit-dead": lambda: True,
            "device-lamp-lit": lambda: self.host.call(lambda _now_s: self.shuffler.lamp_is_lit),
            "device-lamp-dark": lambda: not self.host.call(lambda _now_s: self.shuffler.lamp_is_lit),
            "has-shoe": lambda: True,
            "has-lamp": lambda: True,
        }
        return looks.get(question, lambda: False)()

    def is_lit(self, *, powered: bool) -> bool:
        wait_for(lambda: self.host.call(self.lamp.is_powered) == powered)
        return self.host.call(self.lamp.is_lit)


class Technician:
    """A technician who reads the findings and follows them (satisfies `Guide`)."""

    def __init__(self, place: Place, answers: dict[str, list[str]], mends: dict[str, Callable[[], object]]) -> None:
        self.place = place
        self.answers = answers
        self.mends = mends
        self.asked: list[str] = []
        self.told: list[str] = []
        self.corrected: list[str] = []
        self.weak_pins: list[str] = []
        self.begun = ("", False)
        self.offered: list[tuple[str, str]] = []
        self._mended = False

    def begins(self, file: Path, *, goes_on: bool) -> None:
        self.begun = (file.name, goes_on)

    def sees(self, question: str, **_values: str) -> bool:
        self.asked.append(question)
        return self._mended if question == "again" else self.place.sees(question)

    def is_asked(self, request: str, **_values: str) -> None:
        raise AssertionError(request)

    def says(self, key: str, usual: str) -> str:
        self.asked.append(key)
        left = self.answers.get(key, [])
        self.offered.append((key, usual))
        return left.pop(0) if left else usual

    def takes(self, key: str, usual: str) -> str:
        return self.says(key, usual)

    def agrees(self, _values: Mapping[str, str]) -> bool:
        return False

    def has(self, name: str, _finds: Callable[[], bool]) -> bool:
        return self.sees(f"has-{name}")

    def is_told(self, findings: Sequence[Finding]) -> None:
        self.told += [one.key for one in findings]
        mends = [self.mends.pop(one.key) for one in findings if one.key in self.mends]
        for mend in mends:
            mend()
        self._mended = bool(mends)

    def is_corrected(self, problems: Sequence[Problem]) -> None:
        self.corrected += [one.key for one in problems]

    def is_refused(self, refused: StaffRefused) -> None:
        self.told.append(refused.key)
        self._mended = True

    def hires(self, config: Config, role: Role) -> None:
        self.asked.append(f"staff {role}")
        book = load_staff(config.staff) if config.staff.exists() else StaffBook((), CHEAP)
        number = 11 + ROLES.index(role)
        if self.weak_pins and (pin := self.weak_pins.pop()):
            book.with_person(number, "N", role, pin, "")
        save_staff(book.with_person(number, "N", role, f"7391{number}", ""), config.staff)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    class Free:
        f_bavail, f_frsize = 20_000_000, 1000

    monkeypatch.setattr(medium_checks.os, "statvfs", lambda _path: Free)
    monkeypatch.setattr(medium_checks, "sync_s", lambda _directory: 0.001)
    with PtyHost() as host:
        made = Place(tmp_path, host)
        yield made
        made.installation.close()


def commissioned(place: Place, technician: Technician) -> set[str]:
    draft = Draft(place.config)
    draft.put("table.simulated", True)
    found = Course(draft, Host(place.installation.root, draft.draft), technician, closed_table).run()
    return {one.key for one in found} - {"second-copy-beside"}  # the whole test lies on one medium


def test_a_key_that_nobody_knows_is_neither_lost_nor_an_error_of_the_program(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('[table]\nid = "T1"\nidd = "x"\n')
    with pytest.raises(ConfigRefused, match="idd"):
        Draft(config).put("table.seats", 7)
    assert "idd" in config.read_text()


def test_a_table_as_it_should_be(place: Place) -> None:
    technician = Technician(place, place.answers(), {})
    assert commissioned(place, technician) == set()
    assert (technician.told, technician.corrected) == ([], [])
    assert technician.begun == ("table.toml.draft", False)
    config = read_config(place.config)
    assert [one.serial_number for one in config.devices] == ["CSM-0001", "SHOE-0001"], "as they said themselves"
    assert (config.table.id, config.table.decks, config.table.seats) == ("BJ-07", 6, 7)
    assert {one.role for one in load_staff(config.staff).people} == set(ROLES)
    assert place.config.stat().st_mode & 0o777 == 0o640
    assert not place.config.with_name("table.toml.draft").exists()


def test_the_port_at_which_a_device_answers_is_offered(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three adapters look alike: only what answers at them says which is which."""
    ports = [str(place.ports[name]) for name in ("lamp", "shoe", "shuffler")]
    monkeypatch.setattr(usual, "port_names", lambda: ports)
    answers = {
        key: texts
        for key, texts in place.answers().items()
        if key not in ("devices.shuffler.port", "devices.shoe.port")
    }
    technician = Technician(place, answers, {})
    assert commissioned(place, technician) == set()
    offered = dict(technician.offered)
    assert (offered["devices.shuffler.port"], offered["devices.shoe.port"]) == (ports[2], ports[1])
    assert technician.told == []


def test_a_step_back_leads_past_what_no_person_was_asked(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step back to a place of the computer, or to a device that was found, would show the same page again."""

    class AtAScreen(Technician):
        def takes(self, _key: str, usual: str) -> str:
            return usual

        def has(self, name: str, finds: Callable[[], bool]) -> bool:
            if name == "jackpot_display":
                raise StepBack
            return finds() or super().has(name, finds)

    monkeypatch.setattr(usual, "port_names", lambda: [str(place.ports[name]) for name in ("shoe", "shuffler")])
    draft = Draft(place.config)
    draft.put("table.simulated", True)
    technician = AtAScreen(place, {**place.answers(), "table.maximum_bet": ["300", "200"]}, {})
    course = Course(draft, Host(place.installation.root, draft.draft), technician, closed_table)
    with pytest.raises(StepBack):
        course.run()
    assert [draft.get(f"devices.{name}.port") for name in ("shuffler", "shoe")] == [
        str(place.ports[name]) for name in ("shuffler", "shoe")
    ]
    for key in ("table.currency", "table.maximum_bet"):
        course.back()
        assert draft.get(key) is None
    assert (draft.get("journal.path"), draft.has_section("devices.shoe")) != (None, False)
    technician.asked.clear()
    with pytest.raises(StepBack):
        course.run()
    assert technician.asked == ["table.maximum_bet", "table.currency"]


def test_deliberate_faults_are_named_and_mended(place: Place) -> None:
    """Commissioning names each fault until it is mended: swapped cables, a wrongly wired relay, missing rights,
    an overlay root, a clock without battery."""
    place.lamp.is_wrong = True
    place.installation.put("proc/self/mounts", "overlay / overlay rw 0 0\n")
    (place.installation.root / "sys/class/rtc/rtc0/name").unlink()
    (place.installation.root / "sys/class/rtc/rtc0").rmdir()
    place.ports["lamp"].chmod(0o000)
    shuffler, shoe = (str(place.ports[name]) for name in ("shuffler", "shoe"))
    answers = place.answers() | {"devices.shuffler.port": [shoe, shuffler], "devices.shoe.port": [shuffler, shoe, shoe]}
    mends: dict[str, Callable[[], object]] = {
        "device-other": lambda: None,  # the repair names another port
        "port-closed": lambda: place.ports["lamp"].chmod(0o660),
        "lamp-wrong-way": lambda: setattr(place.lamp, "is_wrong", False),
        "medium-forgets": lambda: place.installation.put("proc/self/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0\n"),
    }
    technician = Technician(place, answers, mends)
    assert commissioned(place, technician) == {"no-rtc"}
    assert technician.told == ["device-other", "port-closed", "lamp-wrong-way", "medium-forgets"]
    assert technician.corrected == ["devices.shoe.port"], "the port that the shuffler has already"


def test_what_nobody_mends_stays_in_what_is_found(place: Place) -> None:
    place.lamp.is_wrong = True
    technician = Technician(place, place.answers(), {})
    assert commissioned(place, technician) == {"lamp-wrong-way"}
    assert technician.asked.count("devices.lamp.active_low") == 0


class LateTechnician(Technician):
    """A technician who repairs the medium only after people were hired."""

    def hires(self, config: Config, role: Role) -> None:
        super().hires(config, role)
        self.place.installation.put("proc/self/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0\n")


def test_what_is_mended_before_the_end_is_not_found(place: Place) -> None:
    place.installation.put("proc/self/mounts", "overlay / overlay rw 0 0\n")
    technician = LateTechnician(place, place.answers(), {})
    assert commissioned(place, technician) == set()
    assert technician.told == ["medium-forgets"]


def test_what_may_be_left_out_is_asked_for_once(place: Place) -> None:
    answers = {key: texts for key, texts in place.answers().items() if key != "journal.second_copy"}
    technician = Technician(place, answers, {})
    assert commissioned(place, technician) == {"no-second-copy"}
    assert technician.asked.count("journal.second_copy") == 1


def test_a_pin_that_is_tried_first_is_refused_and_another_one_asked_for(place: Place) -> None:
    technician = Technician(place, place.answers(), {})
    technician.weak_pins = ["123456"]
    assert commissioned(place, technician) == set()
    assert len(technician.told) == 1
    assert technician.asked.count(f"staff {Role.DEALER}") == 2


def test_a_wrong_answer_is_corrected_at_once(place: Place) -> None:
    answers = place.answers() | {"table.decks": ["5", "six", "6"], "table.maximum_bet": ["301", "300"]}
    answers["devices.shuffler.port"] = ["/dev/ttyUSB0", str(place.ports["shuffler"])]
    technician = Technician(place, answers, {})
    assert commissioned(place, technician) == set()
    assert set(technician.corrected) == {"table.decks", "table.maximum_bet", "devices.shuffler.port"}
    assert [usual for key, usual in technician.offered if key == "table.decks"] == ["6"] * 3, "no wrong one is offered"
    assert ("devices.shuffler.port", "/dev/ttyUSB0") in technician.offered, "a port gets right when it is plugged in"


def test_a_run_that_was_left_goes_on(place: Place) -> None:
    class Left(Technician):
        def sees(self, question: str, **values: str) -> bool:
            if question == "has-lamp":
                raise KeyboardInterrupt
            return super().sees(question, **values)

    with pytest.raises(KeyboardInterrupt):
        commissioned(place, Left(place, place.answers(), {}))
    assert not place.config.exists()
    again = Technician(place, place.answers(), {})
    assert commissioned(place, again) == set()
    assert [key for key in again.asked if key.startswith(("table.", "devices.sh"))] == []
    assert again.begun == ("table.toml.draft", True)


def test_a_table_that_runs_is_not_commissioned(place: Place) -> None:
    commissioned(place, Technician(place, place.answers(), {}))
    running = DirectoryStorage(read_config(place.config).journal)
    try:
        where = ["--config", str(place.config), "--root", str(place.installation.root)]
        done = run(main, "commission", *where)
        assert (done.returncode, "A controller runs" in done.stderr) == (1, True)
    finally:
        running.close()


# ---- the command


def test_a_second_commissioning_needs_two_people(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    commissioned(place, Technician(place, place.answers(), {}))
    Mark(place.config).end(b"")
    before = place.config.read_bytes()
    where = ["--config", str(place.config), "--root", str(place.installation.root)]
    assert run(main, "commission", *where).returncode == 2
    for pins, refused in ((b"739113\n000000\n", True), (b"739113\n739112\n", False)):
        reading, writing = os.pipe()
        os.write(writing, pins)
        os.close(writing)
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        done = run(main, "commission", *where, "--technician", "13", "--chief", "12", "--pin-fd", str(reading))
        os.close(reading)
        assert ("another role" in done.stderr, done.returncode) == (refused, 1), done.stderr
    assert place.config.read_bytes() == before


def test_two_pins_that_differ_are_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = iter(["739164", "739165", "739164", "739164"])
    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(getpass, "getpass", lambda _prompt: next(typed))
    assert new_pin(Talk(as_json=False, language=Language.EN), None, 21) == "739164"
    assert next(typed, None) is None


def test_an_answer_that_is_needed_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    guide = TerminalGuide(Talk(as_json=False, language=Language.EN), {}, None)
    assert guide.says("table.profile", "") == ""
    said = capsys.readouterr().err
    assert ("pt-roulette" in said, "[]" in said, "An answer is needed" in said) == (True, False, True)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def answers_file(place: Place, **more: str) -> Path:
    lines = []
    for section in dict.fromkeys(key.rpartition(".")[0] for key in place.answers()):
        lines.append(f"[{section}]")
        lines += [
            f'{k.rpartition(".")[2]} = "{v[0]}"' for k, v in place.answers().items() if k.rpartition(".")[0] == section
        ]
    for number, role in enumerate(ROLES, 11):
        lines += [f"[staff.{role.value}]", f"number = {number}", 'name = "N"']
    told = {"device-lamp-lit": "true", "device-lamp-dark": "true", "has-shoe": "true", "has-lamp": "true"} | more
    lines += ["[ask]", *(f"{name} = {value}" for name, value in (dict.fromkeys(NOT_THERE, "false") | told).items())]
    file = place.installation.root / "answers.toml"
    file.write_text("\n".join(lines))
    return file


NOT_THERE = (*(f"has-{one}" for one in (*Device, *PartKind)), "again")


@contextmanager
def controller_says(path: Path, status: dict[str, object]) -> Iterator[None]:
    """Runs a controller that answers one question with this status."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(path))
    listener.listen()

    def answer() -> None:
        try:
            connection, _ = listener.accept()
        except OSError:  # the question was not asked
            return
        with connection, connection.makefile("rb") as lines:
            request = json.loads(lines.readline())
            connection.sendall(json.dumps({"id": request["id"], "ok": True, "status": status}).encode() + b"\n")

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        yield
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


def pins() -> int:
    """A descriptor from which three PINs can be read, a line each."""
    reading, writing = os.pipe()
    os.write(writing, b"739164\n739165\n739166\n")
    os.close(writing)
    return reading


def test_the_command_writes_the_configuration_and_sees_the_table_closed(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StaffBook.__init__, "__defaults__", ((), CHEAP, (), ()))
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\nyes\nyes\n"))  # the lamp: dark, and lit
    answers = answers_file(place, started="true")
    where = ["--config", str(place.config), "--root", str(place.installation.root), "--answers", str(answers)]
    monkeypatch.setenv("SABOT_SOCKET", str(place.installation.root / "c.sock"))
    closed = {"table": "BJ-07", "session": "closed", "state": "Closed.", "devices": {"shuffler": {"connected": True}}}
    place.installation.put("etc/passwd", "sabot:x:54321:54321::/:/bin/false\n")  # the pseudo-terminals are not its own
    descriptor = pins()
    with controller_says(place.installation.root / "c.sock", closed):
        done = run(main, "commission", "--json", "--rehearsal", "--pin-fd", str(descriptor), *where)
    os.close(descriptor)
    document = json.loads(done.stdout)
    assert (done.returncode, document.get("ready")) == (0, True), done.stderr + done.stdout
    assert {one["finding"] for one in document["findings"]} <= {"second-copy-beside"}
    assert document["heard"]["shuffler"]["serial_number"] == "CSM-0001"
    assert not stands_in("739164", done.stdout + done.stderr)


def test_the_command_without_a_controller_and_without_anybody(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    commissioned(place, Technician(place, place.answers(), {}))
    where = ["--config", str(place.config), "--root", str(place.installation.root)]
    where += ["--answers", str(answers_file(place, started="true"))]
    monkeypatch.setenv("SABOT_SOCKET", str(place.installation.root / "nobody.sock"))
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\nyes\nyes\n"))
    done = run(main, "commission", *where)
    assert (done.returncode, "No controller answers" in done.stdout) == (1, True)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(main, "commission", *where).returncode == 1, "nobody looks at the lamp"
    assert run(main, "commission", "--answers", str(place.config) + "x").returncode == 2


def test_a_finding_that_stays_ends_with_a_person_though_the_file_wants_to_try_again(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    commissioned(place, Technician(place, place.answers(), {}))
    key = place.installation.state / "journal.key"
    key.write_bytes(bytes(32))
    key.chmod(0o644)
    answers = answers_file(place, again="true")
    where = ["--config", str(place.config), "--root", str(place.installation.root), "--answers", str(answers)]
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\nyes\nyes\n"))  # the lamp
    done = run(main, "commission", *where)
    assert (done.returncode, done.stderr.count(f"chmod 0600 {key}")) == (1, 2), done.stderr
    assert "Nobody answers" in done.stderr


def test_a_yes_to_trying_again_serves_once_and_other_answers_serve_each_time() -> None:
    yes, no = Answers(lambda: {"ask.again": "yes", "ask.has-lamp": "yes"}), Answers(lambda: {"ask.again": "no"})
    assert [yes.sees("again") for _ in range(3)] == [True, None, None]
    assert [yes.sees("has-lamp") for _ in range(3)] == [True, True, True]
    assert [no.sees("again") for _ in range(3)] == [False, False, False]


def test_every_question_stands_in_the_catalogue() -> None:
    asked = [f"table.{name}" for name in TABLE] + list(JOURNAL)
    asked += [f"devices.x.{name}" for name in ("port", "protocol", "line", "active_low")]
    asked += [f"staff.x.{name}" for name in ("number", "name")]
    wanted = {f"commission.{key.split('.')[0]}.{key.split('.')[-1]}" for key in asked}
    wanted |= {f"commission.profile.{one}" for one in PROFILES}
    wanted |= {f"commission.protocol.{one.value}" for one in Protocol}
    wanted |= {f"commission.touched.{name}" for name in ("language", "profile", "protocol", "active_low", "number")}
    standing = {key for key in keys(Language.EN) if key.startswith("commission.") and key.count(".") == 2}
    assert wanted == standing
    parts = {key.removeprefix("ask.has-") for key in keys(Language.EN) if key.startswith("ask.has-")}
    assert parts == {*Device, *PartKind}
    assert has_key("ask.again")
