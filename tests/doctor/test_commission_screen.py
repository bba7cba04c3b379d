"""The first start on the screen: the service as a process, its pages by HTTP, and a table that closes.

The person answers by the words of a question, as at the screen.
"""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import pytest
from installation import Installation

from controller.catalogue import Language, has_key, sentence
from controller.commission.desk import Desk, served
from controller.commission.mark import BEGUN, OVER
from controller.config import read_config
from controller.core.words import Device, Role
from controller.journal.signing import known_path
from controller.protocol.commission import LONGEST_REQUEST, Choice, Do, Input, Question, Request
from controller.staff import load_staff
from simulators.devices.parts import SimulatedLamp
from simulators.pty_port import PtyHost
from tests.endings import HANGS_S
from tests.found import stands_in
from tests.panel.visitor import Visitor
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

PINS = {"11": "739164", "21": "739165", "31": "739166"}
ROLES = (Role.DEALER, Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)


def asked(socket_path: Path, request: Request) -> Question:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(HANGS_S)
        line.connect(str(socket_path))
        line.sendall(msgspec.json.encode(request) + b"\n")
        return msgspec.json.decode(line.makefile("rb").readline(), type=Question)


def words(key: str, language: Language = Language.EN, **values: str) -> str:
    return sentence(key, values, language)


class Bare:
    """A computer with a lamp, and no configuration; `stands` gets the service's present question."""

    def __init__(self, root: Path, host: PtyHost) -> None:
        self.installation = Installation(root, ports=())
        self.root, self.lamp = root, root / "dev/sabot/lamp"
        host.add(self.lamp, SimulatedLamp(), baud_rate=None)
        self.config, self.socket = root / "etc/sabot/table.toml", root / "commission.sock"
        self.stick = root / "answers.toml"
        kept = filter(Path.is_file, self.installation.state.iterdir())
        for old in (self.config, known_path(self.config), *kept):
            old.unlink()
        self.answers = self._answers()
        self.log = root / "log"

    def _answers(self) -> dict[str, str]:
        table = {"language": "en", "id": "BX-01", "profile": "mo-box", "decks": "1", "seats": "7"}
        table |= {"minimum_bet": "10", "maximum_bet": "300", "currency": "MOP"}
        given = {words(_page_key(name)): text for name, text in table.items()}
        given[words("commission.devices.port", of="lamp")] = str(self.lamp)
        given |= {words("ask.has-lamp"): "17", words("ask.has-buzzer"): "no", words("ask.has-key_switch"): "no"}
        for number, role in zip(PINS, ROLES, strict=True):
            given[words("commission.touched.number", of=role.value)] = number
            given[words("commission.staff.name", of=role.value)] = f"Person {number}"
            for key in ("pin", "pin-again"):
                given[words(f"panel.first.{key}", number=number, name=f"Person {number}")] = PINS[number]
        return given

    def command(self, *more: str) -> list[str]:
        serve = ["commission", "--serve", str(self.socket), "--rehearsal", "--answers", str(self.stick)]
        return [*SABOT, *serve, "--config", str(self.config), "--root", str(self.root), *more]

    @contextmanager
    def serving(self) -> Iterator[subprocess.Popen[bytes]]:
        with (
            self.log.open("ab") as log,
            subprocess.Popen(self.command(), stdout=log, stderr=log, env=self.env) as child,
        ):
            try:
                wait_for(lambda: _answers(self.socket), self.log.read_text)
                yield child
            finally:
                child.kill()

    @property
    def env(self) -> dict[str, str]:
        return os.environ | {"XDG_RUNTIME_DIR": str(self.root), "LANG": "en_GB.UTF-8"}

    def stands(self) -> Question:
        """Waits for the service's question to a person, and returns it."""
        return wait_for(lambda: _waiting(asked(self.socket, Request(Do.ASK))), self.log.read_text)

    def answer(self, text: str | None = None) -> Question:
        """Answers the present question; returns the next one that is put to a person."""
        now = self.stands()
        asked(self.socket, Request(Do.ANSWER, now.number, self.of(now) if text is None else text))
        return wait_for(lambda: _other(asked(self.socket, Request(Do.ASK)), now.number), self.log.read_text)

    def of(self, question: Question) -> str:
        if question.input is Input.YES_NO:
            return "yes" if "lamp" in question.text else "no"
        if question.text in self.answers:
            return self.answers[question.text]
        assert question.input is Input.READ, question
        return ""

    def until(self, text: str) -> Question:
        now = self.stands()
        while now.text != text:
            now = self.answer()
        return now


def _page_key(name: str) -> str:
    touched = f"commission.touched.{name}"
    return touched if has_key(touched) else f"commission.table.{name}"


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        return line.connect_ex(str(path)) == 0


def _waiting(question: Question) -> Question | None:
    return None if question.input is Input.WAIT else question


def _other(question: Question, number: int) -> Question | None:
    return None if question.number == number else _waiting(question)


SABOT = (sys.executable, "-m", "controller.cli.main")


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Bare]:
    with PtyHost() as host:
        made = Bare(tmp_path, host)
        yield made
        made.installation.close()


@contextmanager
def process(bare: Bare, *command: str) -> Iterator[subprocess.Popen[str]]:
    with (
        bare.log.open("a") as log,
        subprocess.Popen([*SABOT, *command], stdout=subprocess.PIPE, stderr=log, env=bare.env, text=True) as child,
    ):
        try:
            yield child
        finally:
            child.terminate()


def test_a_table_is_set_up_by_its_pages_and_closes_for_the_first_time(bare: Bare) -> None:
    """A table is set up by HTTP, as from the screen's browser; the panel then shows the table at the same address."""
    with ExitStack() as open_, bare.serving() as service:
        config = ("--config", str(bare.config), "--commission", str(bare.socket))
        panel = open_.enter_context(process(bare, "panel", *config, "--port", "0"))
        assert panel.stdout is not None
        url = panel.stdout.readline().split()[-1]
        screen = Visitor(url)
        assert "English" in screen.ask("GET", "/")[1]
        now = bare.stands()
        while now.text != words("panel.first.written"):
            page = screen.ask("GET", "/")[1]
            number = re.findall(r'data-number="(\d+)"', page)[0]
            assert number == str(now.number)
            fields = f"do=answer&number={number}&answer={bare.of(now)}"
            assert screen.post("/answer", fields)[0] == 200
            now = wait_for(lambda n=now: _other(asked(bare.socket, Request(Do.ASK)), n.number), bare.log.read_text)
        assert (bare.config.exists(), (bare.config.parent / OVER).exists()) == (True, False)
        open_.enter_context(process(bare, "run", "--config", str(bare.config)))
        closed = bare.answer()
        assert closed.text == words("panel.first.closed"), closed
        assert [code.label for code in closed.codes] == [words("panel.first.public-key"), words("panel.first.code")]
        assert "BEGIN PUBLIC KEY" in closed.codes[0].text
        page = screen.ask("GET", "/")[1]
        assert page.count('class="qr"') == 2
        assert re.findall("<b>(.*)</b>", page) == [closed.codes[1].text], "a hand writes it into the book"
        asked(bare.socket, Request(Do.ANSWER, closed.number))
        assert service.wait(HANGS_S) == 0
        table = Visitor(panel.stdout.readline().split()[-1])
        assert "BX-01" in table.ask("GET", "/")[1]
    assert known_path(bare.config).read_text() == closed.codes[0].text, "no other journal begins under it"
    assert oct(known_path(bare.config).stat().st_mode & 0o777) == "0o644"
    assert {one.role for one in load_staff(read_config(bare.config).staff).people} == set(ROLES)
    assert not [pin for pin in PINS.values() if stands_in(pin, bare.log.read_text())]
    again = subprocess.run(bare.command(), env=bare.env, capture_output=True, text=True, check=False)
    assert (again.returncode, "over for good" in again.stderr) == (2, True)


def test_a_process_that_is_killed_leaves_no_half_configuration_and_goes_on(bare: Bare) -> None:
    lamp = words("ask.has-lamp")
    with bare.serving() as first:
        bare.until(lamp)
        first.send_signal(signal.SIGKILL)
        first.wait(HANGS_S)
    assert (bare.config.exists(), (bare.config.parent / BEGUN).exists()) == (False, True)
    bare.socket.unlink()
    with bare.serving():
        assert bare.stands().text == words("ask.has-jackpot_display"), "what is left out stands in no file"
        bare.until(lamp)


@pytest.mark.parametrize("page", ["written", "closed"])
def test_a_process_that_is_killed_between_configuration_and_mark_asks_nothing_again(bare: Bare, page: str) -> None:
    """After a kill between configuration and mark the next process asks nothing again and sets the mark."""
    with ExitStack() as open_:
        with bare.serving() as first:
            bare.until(words("panel.first.written"))
            open_.enter_context(process(bare, "run", "--config", str(bare.config)))
            if page == "closed":
                assert bare.answer().text == words("panel.first.closed")
            first.send_signal(signal.SIGKILL)
            first.wait(HANGS_S)
        before, marks = bare.config.read_bytes(), [bare.config.parent / name for name in (BEGUN, OVER)]
        assert [mark.exists() for mark in marks] == [True, False]
        with bare.serving() as second:
            closed = bare.stands()
            assert closed.text == words("panel.first.closed"), closed
            asked(bare.socket, Request(Do.ANSWER, closed.number))
            assert second.wait(HANGS_S) == 0
    assert bare.config.read_bytes() == before
    assert [mark.exists() for mark in marks] == [False, True]


def test_a_mark_that_was_set_before_the_other_was_taken_away_is_the_end(bare: Bare) -> None:
    for name in (BEGUN, OVER):
        (bare.config.parent / name).write_bytes(b"")
    done = subprocess.run(bare.command(), env=bare.env, capture_output=True, text=True, check=False, timeout=HANGS_S)
    assert (done.returncode, "over for good" in done.stderr) == (2, True)
    assert not bare.config.exists()


def test_the_last_answer_can_be_taken_back(bare: Bare) -> None:
    with bare.serving():
        name = bare.until(words("commission.table.id"))
        asked(bare.socket, Request(Do.BACK, name.number))
        assert wait_for(lambda: _other(asked(bare.socket, Request(Do.ASK)), name.number)).input is Input.CHOICE
        now = bare.answer("pt")
        assert now.text == words("commission.table.id", Language.PT), "in the language that was chosen"


def test_the_last_person_can_be_taken_back(bare: Bare) -> None:
    number = [words("commission.touched.number", of=role.value) for role in ROLES]
    with bare.serving():
        chief = bare.until(number[1])
        assert [one.number for one in load_staff(bare.installation.state / "staff.toml").people] == [11]
        asked(bare.socket, Request(Do.BACK, chief.number))
        dealer = wait_for(lambda: _other(asked(bare.socket, Request(Do.ASK)), chief.number))
        assert dealer.text == number[0]
        assert load_staff(bare.installation.state / "staff.toml").people == ()
        bare.until(number[2])
        assert [one.number for one in load_staff(bare.installation.state / "staff.toml").people] == [11, 21]


def test_a_pin_that_is_guessed_first_is_asked_anew_at_once(bare: Bare) -> None:
    pin = words("panel.first.pin", number="11", name="Person 11")
    with bare.serving():
        bare.until(pin)
        again = bare.answer("123456")
        assert (again.text, again.said) == (pin, (words("staff.refused.pin-common"),))


def test_a_page_names_its_choices_in_words(bare: Bare) -> None:
    with bare.serving():
        profile = bare.until(words("commission.touched.profile"))
        assert Choice("pt-csm", "Portugal, shuffler") in profile.choices


def test_a_file_of_answers_answers_what_it_has_and_the_rest_is_asked(bare: Bare) -> None:
    with bare.serving():
        state = bare.installation.state
        bare.stick.write_text(
            f"""[table]
language = "en"
profile = "mo-box"
decks = 1
minimum_bet = 10
maximum_bet = 300
currency = "MOP"
[journal]
path = "{state}/journal"
[staff]
path = "{state}/staff.toml"
dealer = {{ number = 11, name = "A" }}
[ask]
"""
            + "".join(f"has-{one} = false\n" for one in (*(d.value for d in Device), *PARTS))
        )
        bare.answer("en")
        assert bare.answer("BX-02").input is Input.PIN, "the name of the table has no usual, and a PIN is in no file"


PARTS = ("lamp", "buzzer", "key_switch", "badge_reader")


def test_a_file_that_cannot_be_read_is_named(bare: Bare) -> None:
    bare.stick.write_text("[table")
    with bare.serving():
        assert bare.stands().said == (words("panel.first.stick-wrong", file=str(bare.stick)),)


def test_a_table_that_was_set_up_otherwise_is_left_alone(bare: Bare) -> None:
    bare.config.write_text("")
    done = subprocess.run(bare.command(), env=bare.env, capture_output=True, text=True, check=False)
    assert (done.returncode, bare.config.read_text()) == (2, "")


# ---- the desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[tuple[Desk, Path]]:
    desk, path = Desk(), tmp_path / "desk.sock"
    with served(desk, path):
        yield desk, path


def test_an_answer_to_another_question_does_nothing(desk: tuple[Desk, Path]) -> None:
    table, path = desk
    table.show(Question(0, Input.CHOICE, "?", "en", choices=(Choice("a", "A"),)))
    number = asked(path, Request(Do.ASK)).number
    assert asked(path, Request(Do.ANSWER, number - 1, "a")).number == number
    assert asked(path, Request(Do.ANSWER, number, "")).number == number, "an answer is needed"
    assert asked(path, Request(Do.BACK, number)).number == number, "there is no way back"


def test_whoever_speaks_otherwise_is_hung_up_on(desk: tuple[Desk, Path], capfd: pytest.CaptureFixture[str]) -> None:
    _table, path = desk
    for line in (b"{}\n", b'{"do":"write"}\n', b'{"do":"\xff"}\n', b"x" * (LONGEST_REQUEST + 1) + b"\n"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(HANGS_S)
            client.connect(str(path))
            client.sendall(line)
            assert client.recv(1) == b""
    assert capfd.readouterr().err == ""
