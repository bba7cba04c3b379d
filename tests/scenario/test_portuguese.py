"""A scenario in Portuguese: its words are all on its page, each stands for one English word, and messages use them."""

import re
from pathlib import Path
from typing import Final

import pytest

import controller.scenario
from controller.cli.main import main as sabot
from controller.scenario.jackpot import FACTS as JACKPOT_FACTS
from controller.scenario.jackpot import STEPS as JACKPOT_STEPS
from controller.scenario.people import PEOPLE
from controller.scenario.play import play
from controller.scenario.portuguese import PAIRS
from controller.scenario.slots import THINGS, Kind
from controller.scenario.text import read_scenarios
from controller.scenario.tongue import PORTUGUESE, plain
from controller.scenario.words import vocabulary_of
from tests.in_process import run as in_process

ROOT: Final = Path(next(iter(controller.scenario.__path__)))
CARDS: Final = vocabulary_of("pt-csm")
OWN: Final = [own for own, _english in PAIRS]
JACKPOT: Final = {*JACKPOT_STEPS, *JACKPOT_FACTS}
TRANSLATED: Final = (Kind.SESSION, Kind.PHASE, Kind.HOLD, Kind.DUTY, Kind.OUTCOME, Kind.CLOSING, Kind.ON_OFF)


def examples(page: str) -> str:
    return "\n".join(re.findall(r"```text\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL))


@pytest.mark.parametrize(("page", "number"), [("FORMAT.md", 1), ("FORMAT.pt.md", 3)])
def test_the_examples_of_a_page_come_true(page: str, number: int) -> None:
    scenarios, mistakes = read_scenarios(examples(page))
    assert (mistakes, [play(one).failure for one in scenarios]) == ([], [None] * number)


def test_every_word_stands_for_one_and_is_on_its_page() -> None:
    page = "".join((ROOT / name).read_text("utf-8") for name in ("FORMAT.pt.md", "ACTS.pt.md"))
    assert len({plain(own) for own in OWN}) == len(OWN)
    assert set(OWN) <= set(re.findall(r"[^\W\d_]+(?:[-_][^\W\d_]+)*", page))


def test_no_word_of_one_language_is_another_word_of_the_other() -> None:
    english = {word for _own, word in PAIRS}
    assert all(english_of == own for own, english_of in PAIRS if own in english or plain(own) in english)


def test_people_steps_facts_acts_and_things_of_a_card_table_have_one() -> None:
    acts = {act for act in CARDS.acts if "jackpot" not in act and act != "state-sign"}
    things = {word for kind in TRANSLATED for word in THINGS[kind].words}
    words = {*PEOPLE, *CARDS.steps, *CARDS.facts, *acts, *things} - JACKPOT
    assert words - PORTUGUESE.own.keys() == set()


def test_words_come_back_as_they_were_written() -> None:
    line = "deve-se lugar-3; recolher-cartas.quando; 10H; pt.bj.61; 9C-1"
    assert PORTUGUESE.read(line) == "owed seat-3; collect-cards.when; 10H; pt.bj.61; 9C-1"
    assert PORTUGUESE.said(PORTUGUESE.read(line)) == line


def test_clauses_and_names_of_settings_and_payments_are_written_as_in_the_english_page() -> None:
    head = "cenário A\nregras act:stand\ncláusulas house.9b br.bets.2\nperfil house\ndefinir tracks hands\n"
    then = "então\nparâmetro even_money ace\npaga-se 1 five-cards 0\ndito amount\n"
    assert read_scenarios(f"{head}dado em-jogo\n{then}")[1] == []
    assert PORTUGUESE.said("house.9b br.bets.2 house") == "house.9b br.bets.2 casa"


@pytest.mark.parametrize("head", ["cenário", "cenario", "cena\u0301rio"])
def test_accents_may_be_missing_or_stand_alone(head: str) -> None:
    ((scenario,), mistakes) = read_scenarios(f"{head} A\ndado em-jogo\nentao lampada apagada")
    assert (mistakes, play(scenario).failure) == ([], None)


@pytest.mark.parametrize(
    ("line", "what", "values"),
    [
        ("dado em-joga", "unknown", {"word": "em-joga", "near": "em-jogo"}),
        ("dado loaded", "unknown", {"word": "loaded", "near": "carregado"}),
        ("scenario B", "unknown", {"word": "scenario", "near": "cenário"}),
        ("quando pagadora: pedir-carta lugar=3", "unknown", {"word": "pagadora", "near": "pagador"}),
        ("quando pagador: pedir-carta lugarr=3", "value", {"act": "pedir-carta", "near": "lugar"}),
        ("quando dentro 3", "other-part", {"word": "dentro", "part": "então"}),
        ("quando pacote muitas", "form", {"word": "pacote", "takes": "NÚMERO", "given": "muitas", "near": "-"}),
        ("então paragem encravad", "form", {"takes": "PARAGEM [FASE] [PORMENOR...]", "near": "encravamento"}),
    ],
)
def test_a_mistake_is_said_with_the_words_of_the_file(line: str, what: str, values: dict[str, str]) -> None:
    found = read_scenarios(f"cenário A\n{line}\nentão total 1")[1][0]
    assert (found.line, found.what) == (2, what)
    assert values.items() <= dict(found.values).items()


def test_what_did_not_come_true_and_the_trace_are_said_with_the_words_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("cenário A\ndado em-jogo\nquando distribuir 1\npagador: pedir-carta lugar=1\nentão dentro 1\n")
    done = in_process(sabot, "scenario", "run", str(file), "--trace")
    assert "pagador pedir-carta lugar=1: allowed; owed: lugar-1" in done.stderr
    assert "wanted: dentro 1; found: " in done.stdout
