"""Answers that a first start offers, takes without a question and reads from a badge, and the word about none."""

import io
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from installation import CHEAP, Installation

from controller.catalogue import Language, sentence
from controller.cli import commission
from controller.cli.commission import TerminalGuide
from controller.cli.talk import Talk
from controller.commission.answers import Answers
from controller.commission.choices import bets, choices_of, lines_of
from controller.commission.desk import Desk
from controller.commission.draft import Draft
from controller.commission.screen import ScreenGuide
from controller.commission.usual import Usual
from controller.config import read_config
from controller.core.words import Role
from controller.doctor import Host
from controller.protocol.commission import Do, Input, Question, Request
from controller.staff import StaffBook, load_staff, save_staff
from simulators.devices.parts import SimulatedBadgeReader
from simulators.pty_port import PtyHost
from tests.endings import HANGS_S
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

BADGE = "4F000011"


def words(key: str, **values: str) -> str:
    return sentence(key, values, Language.EN)


def in_portuguese(key: str, **values: str) -> str:
    """The sentence in the language of the table on the disk."""
    return sentence(key, values, Language.PT)


def usual_of(tmp_path: Path, profile: str) -> tuple[Draft, Usual]:
    draft = Draft(tmp_path / "table.toml")
    draft.put("table.profile", profile)
    return draft, Usual(draft, Host(tmp_path, draft.draft))


@pytest.mark.parametrize(("profile", "currency"), [("pt-csm", "EUR"), ("mo-box", "MOP"), ("br", "BRL")])
def test_the_currency_is_that_of_the_law_s_country(tmp_path: Path, profile: str, currency: str) -> None:
    assert usual_of(tmp_path, profile)[1].value("table.currency") == currency


def test_a_place_of_the_computer_is_sure_and_a_wheel_has_no_decks(tmp_path: Path) -> None:
    draft, usual = usual_of(tmp_path, "pt-csm")
    assert usual.value("journal.path") == str(tmp_path / "var/lib/sabot/journal")
    asked = ("journal.path", "journal.second_copy", "staff.path", "table.decks", "devices.lamp.line")
    assert [usual.is_sure(key) for key in asked] == [True, True, True, False, False]
    draft.put("table.profile", "pt-roulette")
    assert usual.is_sure("table.decks")


def test_the_law_bounds_the_maximum_bets_that_are_offered(tmp_path: Path) -> None:
    draft, _ = usual_of(tmp_path, "pt-csm")
    assert bets("maximum_bet", draft) == [], "no minimum is answered yet"
    draft.put("table.minimum_bet", 10)
    assert bets("maximum_bet", draft) == ["100", "200", "300"]
    draft.put("table.profile", "mo-shoe")
    assert bets("maximum_bet", draft)[-1] == "1000"
    assert choices_of("table.maximum_bet", "", draft, words)[-1].value == "", "another one is typed"


def test_a_part_on_a_line_is_asked_with_its_usual_line() -> None:
    assert [one.value for one in lines_of("lamp", words)] == ["17", "other", "no"]
    assert "pin 11" in lines_of("lamp", words)[0].label
    assert lines_of("badge_reader", words) == ()


# ---- the desk


def answered(desk: Desk, question: Question, does: Callable[[int], object]) -> str | None:
    """The answer that the asker gets when `does` is called with the question's number."""
    got: list[str | None] = []
    asker = threading.Thread(target=lambda: got.append(desk.ask(question)))
    asker.start()
    number = wait_for(lambda: desk.answered(Request(Do.ASK)).number)
    does(number)
    asker.join()
    return got[0]


def test_an_empty_answer_is_told_and_the_question_stays() -> None:
    desk, question = Desk(), Question(0, Input.TEXT, "?", "en", if_empty="An answer is needed.")

    def types(number: int) -> None:
        for nothing in ("", "  "):
            told = desk.answered(Request(Do.ANSWER, number, nothing))
            assert (told.number, told.said) == (number, ("An answer is needed.",))
        desk.answered(Request(Do.ANSWER, number, "BJ-07"))

    assert answered(desk, question, types) == "BJ-07"


def test_only_the_reader_tells_a_badge_and_only_where_one_is_asked_for() -> None:
    desk = Desk()
    badge, text = Question(0, Input.BADGE, "?", "en"), Question(0, Input.TEXT, "?", "en")
    assert answered(desk, badge, lambda _number: desk.reads_badge(BADGE)) == BADGE
    assert answered(desk, badge, lambda number: desk.answered(Request(Do.ANSWER, number, BADGE))) == ""

    def reads_and_types(number: int) -> None:
        desk.reads_badge(BADGE)
        desk.answered(Request(Do.ANSWER, number, "typed"))

    assert answered(desk, text, reads_and_types) == "typed"


# ---- the terminal


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[tuple[Installation, Callable[[], None]]]:
    """A table with a badge reader and no people, and the hand that holds a badge to it."""
    with PtyHost() as host:
        made, badge_reader = Installation(tmp_path, ports=("shuffler", "shoe", "gpio")), SimulatedBadgeReader()
        host.add(tmp_path / "dev/sabot/badge-reader", badge_reader, baud_rate=None)
        with made.config.open("a") as config:
            config.write(f'[devices.badge_reader]\nport = "{tmp_path}/dev/sabot/badge-reader"\n')
        (made.state / "staff.toml").unlink()
        yield made, lambda: host.call(lambda _now_s: badge_reader.show(BADGE))
        made.close()


@pytest.mark.parametrize("has", ["yes", "no"])
def test_a_badge_is_read_at_the_terminal_too(
    reader: tuple[Installation, Callable[[], None]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    has: str,
) -> None:
    installation, holds = reader

    class Guide(TerminalGuide):
        def is_asked(self, request: str, **values: str) -> None:
            assert (request, values) == ("hold-badge", {"seconds": "30"})
            holds()

    monkeypatch.setattr(commission, "new_pin", lambda *_: "739164")
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"11\n\nA. Silva\n{has}\n"))
    config = read_config(installation.config)
    Guide(Talk(as_json=False, language=Language.EN), {}, None).hires(config, Role.DEALER)
    assert [one.badge for one in load_staff(config.staff).people] == [BADGE if has == "yes" else ""]
    assert capsys.readouterr().err.count("An answer is needed here.") == 1, "before the PIN is typed"


# ---- the screen


class Screen:
    """The pages that add a person, asked in a thread. `page`: the question that stands."""

    def __init__(self, installation: Installation) -> None:
        self.desk = Desk()
        guide = ScreenGuide(self.desk, Draft(installation.config), Answers(dict))
        self.config = read_config(installation.config)
        self.hired = threading.Thread(target=guide.hires, args=(self.config, Role.DEALER), daemon=True)
        self.hired.start()
        self.page = self._after(0)

    def answer(self, text: str) -> None:
        self.desk.answered(Request(Do.ANSWER, self.page.number, text))
        self.page = self._after(self.page.number)

    def _after(self, number: int) -> Question:
        def stands() -> Question | None:
            now = self.desk.answered(Request(Do.ASK))
            return now if now.number > number and now.input is not Input.WAIT else None

        return wait_for(stands)


def test_a_badge_of_another_person_is_told_and_another_one_is_read(
    reader: tuple[Installation, Callable[[], None]],
) -> None:
    installation, holds = reader
    config = read_config(installation.config)
    known = StaffBook((), CHEAP).with_person(1, "B", Role.TECHNICIAN, "739165", BADGE)
    save_staff(known, config.staff)
    screen = Screen(installation)
    assert screen.page.usual == "2", "the house has no numbers of its own"
    screen.answer("1")
    assert screen.page.said == (in_portuguese("staff.refused.number-twice", number="1"),), (
        "before name and PIN are typed"
    )
    for text in ("11", "A. Silva", "739164"):
        screen.answer(text)
    assert (screen.page.input, screen.page.length) == (Input.PIN, 6)
    screen.answer("739164")
    assert screen.page.input is Input.BADGE
    holds()
    number = screen.page.number
    told = wait_for(
        lambda: now if (now := screen.desk.answered(Request(Do.ASK))).number > number and now.said else None
    )
    assert told.said == (in_portuguese("staff.refused.badge-twice", badge=BADGE),)
    screen.desk.answered(Request(Do.ANSWER, told.number))
    screen.hired.join(HANGS_S)
    assert {int(one.number): one.badge for one in load_staff(config.staff).people} == {1: BADGE, 11: ""}


def test_a_house_with_numbers_of_its_own_is_offered_none(tmp_path: Path) -> None:
    installation = Installation(tmp_path)
    screen = Screen(installation)
    assert screen.page.usual == ""
    for text in ("21", "A. Silva", "739164"):
        screen.answer(text)
    screen.desk.answered(Request(Do.ANSWER, screen.page.number, "739164"))
    screen.hired.join(HANGS_S)
    assert {int(one.number) for one in load_staff(screen.config.staff).people} == {11, 12, 13, 21}, (
        "no badge is asked for"
    )
    installation.close()
