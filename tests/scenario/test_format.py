"""The documentation of the language lists exactly the existing words; any other word is an error."""

import json
import re
import time
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import controller.scenario
from controller.catalogue import has_key
from controller.cli.main import main as sabot
from controller.config.profile import PROFILES
from controller.core.words import HoldKind, Place, RoundPhase, SessionPhase
from controller.scenario.people import PEOPLE
from controller.scenario.play import play
from controller.scenario.slots import Kind, Slot
from controller.scenario.text import Mistake, read_scenarios
from controller.scenario.tongue import PORTUGUESE
from controller.scenario.words import vocabulary_of
from tests.in_process import run as in_process

CARDS, WHEEL = vocabulary_of("pt-csm"), vocabulary_of("pt-roulette")
PAGES = Path(next(iter(controller.scenario.__path__)))
FORMAT, FORMAT_PT = ((PAGES / name).read_text("utf-8") for name in ("FORMAT.md", "FORMAT.pt.md"))


def section(name: str) -> str:
    return FORMAT.split(f"\n## {name}\n")[1].split("\n## ")[0]


def rows(name: str) -> list[str]:
    return [line.split("|")[1].strip() for line in section(name).splitlines() if line.startswith("| `")]


def as_written(word: str, slots: tuple[Slot, ...]) -> str:
    return " ".join((f"`{word}`", *(slot.shown for slot in slots)))


def test_every_step_and_every_fact_is_documented_with_what_it_takes() -> None:
    assert sorted(rows("Steps")) == sorted(as_written(word, step.slots) for word, step in CARDS.steps.items())
    assert sorted(rows("Facts")) == sorted(as_written(word, fact.slots) for word, fact in CARDS.facts.items())
    steps = [(word, step) for word, step in WHEEL.steps.items() if CARDS.steps.get(word) is not step]
    facts = [(word, fact) for word, fact in WHEEL.facts.items() if CARDS.facts.get(word) is not fact]
    assert rows("Steps at a wheel") == [as_written(word, step.slots) for word, step in steps]
    assert rows("Facts at a wheel") == [as_written(word, fact.slots) for word, fact in facts]


def test_the_things_people_and_profiles_are_documented() -> None:
    named = re.findall(
        r"[A-Z][A-Z-]+", " ".join(line.split("|")[1] for line in section("Things").splitlines()[2:] if "|" in line)
    )
    assert set(named) >= {kind.value for kind in Kind}
    assert [person for person in PEOPLE if f"`{person}`" not in section("People")] == []
    assert [profile for profile in PROFILES if f"`{profile}`" not in section("The head")] == []
    things = section("Things")
    words = (*SessionPhase, *RoundPhase, *HoldKind)
    assert [one for one in words if f"`{one.value}`" not in things] == [], "missing under Things in FORMAT.md"
    assert {place.value.replace("_", "-") for place in Place} < CARDS.facts.keys()


def in_row(page: str, heading: str, name: str) -> list[str]:
    """The names between backticks in one row of a page's table of things."""
    table = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    (row,) = [line for line in table.splitlines() if line.startswith(f"| {name} |")]
    return re.findall(r"`([^`]+)`", row)


def test_the_pages_list_the_kinds_of_holds_that_there_are() -> None:
    said = [one.value for one in HoldKind]
    assert sorted(in_row(FORMAT, "Things", "HOLD")) == sorted(said)
    assert sorted(in_row(FORMAT_PT, "As coisas", PORTUGUESE.said("HOLD"))) == sorted(map(PORTUGUESE.said, said))


def test_what_ends_each_hold_is_documented() -> None:
    assert [row.strip("`") for row in rows("What ends a hold")] == [kind.value for kind in HoldKind]


def names_in(page: str, heading: str) -> dict[str, set[str]]:
    """The names between backticks in each row of a table, by the row's own name."""
    table = page.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    found = [re.findall(r"`([^`]+)`", line) for line in table.splitlines() if line.startswith("| `")]
    return {one[0]: set(one[1:]) for one in found}


DETAILS = names_in(FORMAT, "Details of a hold")
"""By kind of hold; test_steps.py looks for those of the written scenarios."""


def test_the_details_of_holds_stand_on_the_portuguese_page_in_its_words() -> None:
    page, other = DETAILS, names_in(FORMAT_PT, "Pormenores de uma paragem")
    said = {PORTUGUESE.said(kind): {PORTUGUESE.said(one) for one in names} for kind, names in page.items()}
    assert {kind: names <= other.get(kind, set()) for kind, names in said.items()} == dict.fromkeys(said, True)


def mistakes(text: str) -> list[Mistake]:
    found = read_scenarios(text)[1]
    assert all(has_key(f"scenario.mistake.{one.what}") for one in found)
    return found


@pytest.mark.parametrize(
    ("text", "line", "what", "near"),
    [
        ("scenario A\ngiven inplay", 2, "unknown", "in-play"),
        ("scenario A\nwhen\n dealer: take-bet seats=1", 3, "unknown", "take-bets"),
        ("scenario A\nwhen\n deeler: take-bets seats=1", 3, "unknown", "dealer"),
        ("scenario A\nthen\n\n lampe on", 4, "unknown", "lamp"),
        ("scenario A\nprofil pt-csm", 2, "unknown", "profile"),
        ("scenario A\nprofile pt-cms", 2, "unknown", "pt-csm"),
        ("scenario A\nwhen packet", 2, "form-nothing", None),
        ("scenario A\nwhen packet many", 2, "form", "-"),
        ("scenario A\nwhen draw 2C XX", 2, "form", "-"),
        ("scenario A\nwhen draw JOKR", 2, "form", "JOKER"),
        ("scenario A\nthen session in play", 2, "form", "in-play"),
        ("scenario A\nset deks 4", 2, "form", "decks"),
        ("scenario A\nset decks four", 2, "form", "-"),
        ("scenario A\nset minimum_bet 10.5", 2, "form", "-"),
        ("scenario A\nset reader maybe", 2, "form", "-"),
        ("scenario A\nset cut any-playr", 2, "form", "any-player"),
        ("scenario A\nset decks 4\nset decks 6", 3, "twice", None),
        ("scenario A\nprofile br\nprofile br", 3, "twice", None),
        ("scenario A\nrules guard:packets_are_enuff", 2, "form", "guard:packets_are_enough"),
        ("scenario A\nrules hold:jam act:take-bet", 2, "form", "act:take-bets"),
        ("scenario A\nclauses 54b", 2, "form", "-"),
        ("scenario A\nclauses pt.bj.54z", 2, "form", "pt.bj.54d"),
        ("scenario A\nthen session opend", 2, "form", "opened"),
        ("scenario A\nthen duty damaged-card", 2, "form", "report-damaged-card"),
        ("scenario A\nthen refused cards_are_enuff", 2, "form", "cards_are_enough"),
        ("scenario A\nthen dealer: take-bets seats=1", 2, "act-in-then", None),
        ("scenario A\nthen burn", 2, "other-part", "burnt, burned"),
        ("scenario A\nthen round playing", 2, "other-part", "round-is, rounds"),
        ("scenario A\nwhen session loaded", 2, "other-part", "-"),
        ("scenario A\ngiven mixed\nprofile br", 3, "other-part", "-"),
        ("scenario A\nwhen dealer: take-bets 1", 2, "values", None),
        ("scenario A\nwhen dealer: take-bets seats=x", 2, "value", "-"),
        ("scenario A\nwhen dealer: take-bets seat=1", 2, "value", "seats"),
        ("scenario A\nwhen dealer: take-bets seats=1 seats=2", 2, "twice", None),
        ("scenario A\nwhen dealer: sign-in operation=loadin", 2, "value", "loading"),
        ("scenario A\nthen no-hold\nscenario A", 3, "scenario-again", None),
        ("scenario A\ngiven loaded", 1, "no-then", None),
        ("scenario A\ngiven loaded\nscenario B\nthen no-hold", 1, "no-then", None),
        ("given loaded", 1, "no-head", None),
        ("scenario A\nmissing 2C", 2, "other-part", "-"),
        ("scenario A\nwhen dealer draw-card seat=1", 2, "unknown", "dealer:"),
        ("scenario A\nwhen manager: report-duty duty=report-damagedcard", 2, "form", "report-damaged-card"),
        ("scenario A\nwhen chief: attend-hold hold=jamm", 2, "form", "jam"),
        ("scenario A\nwhen surrender 1/2", 2, "form", "-"),
        ("scenario A\nthen told hold-raise", 2, "form", "hold-raised"),
        ("Scenario A", 1, "unknown", "scenario"),
        ("# nothing", 1, "no-scenario", None),
        ("", 1, "no-scenario", None),
    ],
)
def test_a_mistake_has_its_line_and_the_nearest_word(text: str, line: int, what: str, near: str | None) -> None:
    found = mistakes(text)[0]
    assert (found.line, found.what, dict(found.values).get("near")) == (line, what, near)


def test_a_scenario_that_is_cut_is_told_once() -> None:
    assert [one.what for one in mistakes("scenario A\n" + "given loaded\n" * 20_000)] == ["too-long"]
    assert [one.what for one in mistakes("given loaded\nthen no-hold")] == ["no-head"]


@pytest.mark.slow
def test_the_time_for_a_line_grows_with_its_length_alone() -> None:
    began_s = time.process_time()
    assert [one.what for one in mistakes("scenario A\nwhen bet " + "a." * 200_000 + "\nthen allowed")] == ["form"]
    assert time.process_time() - began_s < 5.0, "some tenths of a second; with the square of the length it is minutes"


def test_allowed_is_said_of_an_act() -> None:
    (scenario,) = read_scenarios("scenario A\ngiven wait 1\nthen allowed")[0]
    assert play(scenario).failure is not None


def test_every_mistake_is_said_at_once() -> None:
    assert [one.line for one in mistakes("scenario A\r\ngiven inplay\rwhen drawe\nthen lampe on\nno-hold")] == [2, 3, 4]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"scenario A\ngiven loaded\nthen no-hold # caf\xe9\n", 3, "no UTF-8"),
        (b"#" * 1_048_577, 1, "larger than 1048576 bytes"),
        (b"\n" * 20_001, 20_000, "beyond 20000 lines"),
    ],
)
def test_a_file_that_is_no_scenario_is_said_in_the_same_shape(
    tmp_path: Path, content: bytes, line: int, words: str
) -> None:
    file = tmp_path / "file.txt"
    file.write_bytes(content)
    done = run(str(file), "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["passed"], found["failed"], found["results"]) == (2, 0, 0, [])
    assert found["errors"][0]["line"] == line
    assert words in found["errors"][0]["message"]


def test_a_mark_of_the_byte_order_is_no_word(tmp_path: Path) -> None:
    file = tmp_path / "file.txt"
    file.write_bytes(b"\xef\xbb\xbfscenario A\r\ngiven loaded\r\nthen no-hold\r\n")
    assert run(str(file)).returncode == 0


def run(*arguments: str) -> CompletedProcess[str]:
    return in_process(sabot, "scenario", "run", *arguments)


def test_the_command_counts_and_ends_as_it_says(tmp_path: Path) -> None:
    good, bad, unread = (tmp_path / name for name in ("good.txt", "bad.txt", "unread.txt"))
    good.write_text("scenario A first\ngiven loaded\nthen inside 312\n")
    bad.write_text("scenario B second\ngiven loaded\nthen inside 1\n")
    unread.write_text("scenario C third\ngiven laoded\n")
    done = run(str(good), str(bad), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {
        "passed": 1,
        "failed": 1,
        "results": [
            {"name": "A first", "ok": True, "message": ""},
            {"name": "B second", "ok": False, "message": f"{bad}, line 3: wanted: inside 1; found: 312."},
        ],
    }
    assert run(str(good)).returncode == 0
    wrong = run(str(good), str(unread), "--json")
    assert wrong.returncode == 2
    assert json.loads(wrong.stdout)["errors"][0]["line"] == 2
    assert "nearest: loaded" in wrong.stderr
    assert run(str(tmp_path / "none.txt")).returncode == 2
    traced = run(str(good), "--trace").stderr
    assert "line 2: loaded; owed: burn" in traced
    assert "card-counted-in" not in traced
    assert "card-counted-in" in run(str(good), "--events").stderr


def test_every_untrue_fact_is_told_with_file_and_line_and_why_an_act_was_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text("scenario A\ngiven in-play\nthen inside 3\nlamp on\nwhen dealer: begin-loading\nthen table 1\n")
    (result,) = json.loads(run(str(file), "--json").stdout)["results"]
    told = result["message"].split("\n    ")
    assert [one.partition(": ")[0] for one in told] == [f"{file}, line {line}" for line in (3, 4, 5)]
    assert told[2].endswith("The shuffler has already been loaded in this session; it is loaded only once.")
