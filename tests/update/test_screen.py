"""An update on the table's screen: a panel of its own makes the pages, and people act by the words that they read."""

import html
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from controller.catalogue import Language, sentence
from controller.commission.desk import Desk, served
from controller.config import read_config
from controller.core.words import Role
from controller.protocol.commission import YES, Do, Input, Question, Request
from controller.update.course import End, by_book, update
from controller.update.decision import Refusal
from controller.update.screen import ScreenPeople
from tests.daemon.rig import CHIEF, PINS, TECHNICIAN, Rig
from tests.endings import HANGS_S
from tests.panel.visitor import Visitor
from tests.update.fakes import NEW, NOW, FakeComputer
from tests.waiting import wait_for

pytestmark = pytest.mark.waits


class Screen:
    """The pages of one update, from the service and the panel."""

    def __init__(self, rig: Rig) -> None:
        self.rig, self.socket = rig, rig.directory / "update.sock"
        self.people = ScreenPeople(Desk(), Language.EN)

    @contextmanager
    def during(self, work: Callable[[], None]) -> Iterator[None]:
        """Serves the desk and runs a panel at it, while `work` asks its questions in a thread."""
        thread = threading.Thread(target=work, daemon=True)
        with served(self.people.desk, self.socket):
            thread.start()
            with self._panel() as self.panel:
                self.visitor = self.next_visitor()
                yield
            thread.join(HANGS_S)
            assert not thread.is_alive()

    @contextmanager
    def _panel(self) -> Iterator[subprocess.Popen[str]]:
        words = ["panel", "--config", str(self.rig.config), "--port", "0", "--update", str(self.socket)]
        words += ["--commission", str(self.rig.directory / "none.sock")]
        command = [sys.executable, "-m", "controller.cli.main", *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"LANG": "en"}) as panel:
            try:
                yield panel
            finally:
                panel.terminate()
                panel.wait(HANGS_S)

    def next_visitor(self) -> Visitor:
        """A visitor of the panel's next printed address."""
        assert self.panel.stdout is not None
        return Visitor(self.panel.stdout.readline().split()[-1])

    def asked(self, request: Request) -> Question:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(HANGS_S)
            line.connect(str(self.socket))
            line.sendall(msgspec.json.encode(request) + b"\n")
            return msgspec.json.decode(line.makefile("rb").readline(), type=Question)

    def stands(self) -> Question:
        """Waits for the update's question to a person, and returns it."""

        def waiting() -> Question | None:
            question = self.asked(Request(Do.ASK))
            return None if question.input is Input.WAIT else question

        return wait_for(waiting, str)

    def answer(self, text: str) -> None:
        now = self.stands()
        self.asked(Request(Do.ANSWER, now.number, text))
        wait_for(lambda: self.asked(Request(Do.ASK)).number != now.number, str)

    def page(self) -> str:
        return html.unescape(self.visitor.ask("GET", "/")[1])


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path) as made:
        yield made


def words(key: str, **values: str) -> str:
    return sentence(f"update.{key}", values, Language.EN)


def test_each_refusal_has_a_page_that_says_what_is_wrong_and_what_to_do(rig: Rig) -> None:
    screen = Screen(rig)

    def work() -> None:
        for refusal in Refusal:
            screen.people.is_told(End(refusal, "the engine's words"))
        screen.people.is_over()

    with screen.during(work):
        for refusal in Refusal:
            assert screen.stands().input is Input.READ
            page = screen.page()
            texts = (words(f"refused.{refusal.value}.{part}") for part in ("text", "then"))
            for text in (words("headline"), *texts, "the engine's words"):
                assert text in page
            screen.answer("")
        assert screen.asked(Request(Do.ASK)).input is Input.OVER


def test_what_changes_stands_on_the_first_page_and_both_sign_there(rig: Rig) -> None:
    screen, computer, ends = Screen(rig), FakeComputer(), list[End]()
    config = read_config(rig.config, ports_may_be_missing=True)

    def work() -> None:
        ends.append(update(Path("update.raucb"), config, computer, screen.people, by_book(config)))
        screen.people.is_over()

    with screen.during(work):
        screen.stands()
        first = screen.page()
        assert words("let-in", now=str(NOW), then=str(NEW), says="what changes.") in first
        screen.answer(YES)
        for number, role in ((TECHNICIAN, Role.TECHNICIAN), (CHIEF, Role.CHIEF_SUPERVISOR)):
            assert screen.stands().text == words("number", of=role.value)
            screen.answer(str(number))
            assert screen.stands().input is Input.PIN
            if role is Role.CHIEF_SUPERVISOR:
                screen.answer("000000")
                assert words("wrong") in screen.page()
                screen.answer("")
                screen.answer(str(number))
            screen.answer(PINS[number])
        wait_for(lambda: bool(ends), str)
    assert ends == [End()]
    assert computer.did == ["read", "stop", "read", "install", "start", "restart"]


def test_no_file_that_is_no_socket_makes_way(tmp_path: Path) -> None:
    place = tmp_path / "journal.key"
    place.write_text("mine")
    with pytest.raises(OSError, match="in use"), served(Desk(), place):
        pass
    assert place.read_text() == "mine"


def test_once_the_service_has_gone_the_screen_is_the_table_s_again(rig: Rig) -> None:
    screen = Screen(rig)
    with screen.during(lambda: screen.people.waits("tries")):
        wait_for(lambda: words("tries") in screen.page(), str)
        screen.socket.unlink()
        screen.visitor = screen.next_visitor()
        assert words("headline") not in screen.page()
