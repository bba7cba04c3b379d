"""A scenario in Portuguese: the page of words has all its words, each for one English word, and messages use them."""

import re
from pathlib import Path
from typing import Final

import pytest

import controller.scenario
from controller.cli.main import main as sabot
from controller.runtime.act_values import asked_values
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
WHEEL: Final = vocabulary_of("pt-roulette")
OWN: Final = [own for own, _english in PAIRS]
TRANSLATED: Final = (
    *(Kind.SESSION, Kind.ROUND, Kind.PHASE, Kind.HOLD, Kind.DUTY, Kind.OUTCOME, Kind.CLOSING, Kind.ON_OFF),
    *(Kind.PAYMENT, Kind.SIDE_BET, Kind.LEVEL, Kind.METER, Kind.COUNTER, Kind.CHIP_COLOUR, Kind.COLOUR, Kind.GROUP),
)
SAME_IN_BOTH: Final = {"blackjack", "bank-blackjack-21"}
"""The second is two words: its number is separate."""


def examples(page: str) -> str:
    return "\n".join(re.findall(r"```text\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL))


@pytest.mark.parametrize(("page", "number"), [("FORMAT.md", 1), ("FORMAT.pt.md", 7)])
def test_the_examples_of_a_page_come_true(page: str, number: int) -> None:
    scenarios, mistakes = read_scenarios(examples(page))
    assert (mistakes, [play(one).failure for one in scenarios]) == ([], [None] * number)


def test_every_word_stands_for_one_and_is_on_its_page() -> None:
    page = "".join((ROOT / name).read_text("utf-8") for name in ("FORMAT.pt.md", "ACTS.pt.md"))
    assert len({plain(own) for own in OWN}) == len(OWN)
    on_it = set(re.findall(r"[^\W\d_]+(?:[-_][^\W\d_]+)*", page))
    assert {own.removesuffix("-") for own in OWN} - on_it == set(), "missing in FORMAT.pt.md, if not in ACTS.pt.md"


def test_no_word_of_one_language_is_another_word_of_the_other() -> None:
    english = {word for _own, word in PAIRS}
    both = [(own, english_of) for own, english_of in PAIRS if own in english or plain(own) in english]
    assert all(english_of in {own, plain(own)} for own, english_of in both)


def test_people_steps_facts_acts_and_things_have_one() -> None:
    things = {word for kind in TRANSLATED for word in THINGS[kind].words}
    words = {word for one in (CARDS, WHEEL) for word in (*one.steps, *one.facts, *one.acts)}
    assert {*PEOPLE, *words, *things, *(kind.value for kind in Kind)} - PORTUGUESE.own.keys() == SAME_IN_BOTH


def test_the_values_of_every_act_have_one() -> None:
    names = {name for one in (CARDS, WHEEL) for act in one.acts.values() for name in asked_values(act)}
    assert names - PORTUGUESE.own.keys() == set()


def test_words_come_back_as_they_were_written() -> None:
    line = "deve-se lugar-3; recolher-cartas.quando; 10H; pt.bj.61; 9C-1"
    assert PORTUGUESE.read(line) == "owed seat-3; collect-cards.when; 10H; pt.bj.61; 9C-1"
    assert PORTUGUESE.said(PORTUGUESE.read(line)) == line


def test_clauses_and_names_of_settings_and_payments_are_written_as_in_the_english_page() -> None:
    head = "cenário A\nregras act:stand\ncláusulas house.9b br.bets.2\nperfil house\ndefinir tracks hands\n"
    then = "então\nparâmetro even_money ace\npaga-se 1 five-cards 0\ndito amount\n"
    assert read_scenarios(f"{head}dado em-jogo\n{then}")[1] == []
    assert PORTUGUESE.said("house.9b br.bets.2 house") == "house.9b br.bets.2 casa"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("aposta 1 cavalo-26-29 2", "bet 1 split-26-29 2"),
        ("separar 1", "split 1"),
        ("prémio 1 X-X-iguais 10%", "prize 1 X-X-same 10%"),
        ("prémio 2 6-7-8-mesmo-naipe resto", "prize 2 6-7-8-suited rest"),
        ("paga-se 1/2 blackjack-da-banca-21 -20", "pays 1/2 bank-blackjack-21 -20"),
    ],
)
def test_a_word_between_figures_is_read_and_comes_back(written: str, read: str) -> None:
    assert PORTUGUESE.read(written) == read
    assert PORTUGUESE.said(read) == written


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("aposta 1 37,50", "bet 1 37.50"),
        ("casa -12,50", "house -12.50"),
        ("pagador: segurar lugar=1 montante=7,50", "dealer: insure seat=1 amount=7.50"),
        ("pagador: aceitar-apostas lugares=1,3", "dealer: take-bets seats=1,3"),
    ],
)
def test_an_amount_may_have_a_comma(written: str, read: str) -> None:
    assert PORTUGUESE.read(written) == read


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
    asked = "pagador: pedir-carta lugar=1\nquando fiscal-chefe: recolher-cartas"
    file.write_text(f"cenário A\ndado em-jogo\nquando distribuir 1\n{asked}\nentão recusado\ndentro 1\n")
    done = in_process(sabot, "scenario", "run", str(file), "--trace")
    assert "pagador pedir-carta lugar=1: allowed; owed: lugar-1" in done.stderr
    assert "fiscal-chefe recolher-cartas: refused by recolher-cartas.who: " in done.stderr
    assert "wanted: dentro 1; found: " in done.stdout


def test_where_no_word_is_near_none_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("cenário A\ndado xyzzy\nquando pacote muitas\npagador: aceitar-apostas lugares=x\nentão total 1\n")
    told = in_process(sabot, "scenario", "run", str(file)).stderr
    assert "unknown word xyzzy; none" in told
    assert "given: muitas. How" in told
    assert (told.count("aceitar-apostas: "), told.count("earest")) == (1, 0)
