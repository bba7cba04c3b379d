"""One Portuguese: the spelling of the agreement of 1990, and one word for each notion."""

import re
from pathlib import Path
from typing import Final

import pytest

import controller
from controller.catalogue import Language, keys, placeholders, sentence

SPELT: Final = {
    "acç": "aç",
    "act[ou]s?\\b": "ato, atu",
    "actual": "atual",
    "activ(?!e_low)": "ativ",  # a key of the configuration
    "colecç": "coleç",
    "correc[çt]": "correç, corret",
    "detect": "detet",
    "direc[çt](?!ory)": "direç, diret",
    "efectu": "efetu",
    "exact": "exat",
    "excepç": "exceç",
    "extrac[çt]": "extraç, extrat",
    "inspec[çt](?!or)": "inspeç, inspet",
    "object": "objet",
    "pára": "para",
    "projec[çt]": "projeç, projet",
    "protecç": "proteç",
    "rectific": "retific",
    "respectiv": "respetiv",
    "selecç": "seleç",
}
"""The words with another spelling in Portugal since the agreement of 1990, with their new form."""

WORDS: Final = {
    "hold": ("paragem", "retenç|impediment"),
    "packet of a loading": ("pacote", r"\blotes?\b|\bmaços?\b"),
    "closing": ("encerramento", r"\bfechos?\b"),
    "unloading": ("extração", "descarregament"),
    "device": ("aparelho", "dispositiv"),
    "clause": ("artigo", "cláusula"),
    "spread in rows": ("em filas", "em leque"),
    "enforced": ("exigido", r"\bimpostos?\b"),
    "buzzer": ("avisador sonoro", "besouro"),
    "device that is lost": ("aparelho perdido", "perdeu-se o aparelho"),
    "table that is not held": ("não está parada", r"\bnada para( a mesa)?[.;]"),
    "computer": ("computador", r"memória à máquina|est[ae] máquina não tem portas"),
    "directory": ("diretório", r"\bpastas?\b"),
    "sign of the jackpot": ("mostrador do jackpot", "mostrador do prémio|painel do jackpot|subir o display"),
    "journal": ("diário", "(?-i:SEM REGISTO)"),
    "cards shown to all": ("CARTAS EXIBIDAS", "(?-i:CARTAS MOSTRADAS)|cartas expostas|expor cartas"),
    "cards that are out": ("todas as cartas foram retiradas", "tudo fora|saíram todas as cartas"),
    "amount added to the sign": ("o que se somou no mostrador", "subir o mostrador|increment[aoe]"),
    "cards brought together": ("todas as cartas estão juntas", "recolher tudo"),
    "damaged card": ("carta danificada", "carta estragada"),
    "touch of a button": ("tocar de novo", r"ler outra vez e carregar"),
    "turning of a card": (r"\bvirou a carta", r"volt(ar|ou) a carta|volta-se de novo|(carta|foi|banca) voltada"),
    "naming of a card": ("nomeou a carta", "dizer (a )?carta|indicou (a|de novo uma) carta"),
    "amount without chips for it": ("quantia exata", "fichas que o perfaçam"),
}
"""The word for each notion, and the words that are not used for it."""

BUTTON_NAMED: Final = {
    "panel.said.upheld": "panel.press.report",
    "panel.presence-left": "panel.press.i-am-here",
}
"""The sentences that send a person to a button, and that button."""


def with_one_of(pattern: str) -> list[str]:
    texts = {key: text_of(key) for key in keys(Language.PT)}
    return [f"{key}: {text}" for key, text in texts.items() if re.search(pattern, text, re.IGNORECASE)]


def text_of(key: str) -> str:
    """The sentence of this key, with its values left open."""
    return sentence(key, {}, Language.PT)


@pytest.mark.parametrize("old", SPELT)
def test_it_is_spelt_after_the_agreement(old: str) -> None:
    assert with_one_of(rf"\b{old}") == []


@pytest.mark.parametrize("thing", WORDS)
def test_each_thing_has_one_word(thing: str) -> None:
    right, others = WORDS[thing]
    assert with_one_of(others) == []
    assert with_one_of(right)


ROOT: Final = Path(controller.__file__).parents[1]
PAGES: Final = (
    *sorted((ROOT / "controller").rglob("*.pt.md")),
    ROOT / "systemd/README.pt.md",
    ROOT / "systemd/floor/README.pt.md",
    ROOT / "simulators/demo/pt.toml",
)
KEYWORD: Final = re.compile(r"`cláusulas`|CLÁUSULA")
"""The word of the scenarios' language for the articles that a scenario shows."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_and_the_demo_have_the_same_words(page: Path) -> None:
    lines = KEYWORD.sub("", page.read_text("utf-8")).splitlines()
    words = [rf"\b{old}" for old in SPELT] + [others for _right, others in WORDS.values()]
    wrong = re.compile("|".join(words), re.IGNORECASE)
    assert [line for line in lines if wrong.search(line)] == []


EUROPEAN: Final = (
    r"pagador|jogada|jogador|carta-aviso|canto de descarte|fiscal de banca|encrav|ficheiro|registo\b|registar|"
    r"utilizador|ecrã|controlo\b|contacto|\bpremir|\best[áã]o? a [a-z]+r\b"
)


def test_brazil_reads_its_own_words() -> None:
    """The Brazilian words are those of its manual (001 of the sources), with the same values in each sentence."""
    texts = {key: sentence(key, {}, Language.BR) for key in keys(Language.BR)}
    assert {key: text for key, text in texts.items() if re.search(EUROPEAN, text, re.IGNORECASE)} == {}
    assert all(placeholders(key, Language.BR) == placeholders(key, Language.PT) for key in texts)


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("role.dealer", "crupiê"),
        ("role.table_inspector", "fiscal"),
        ("state.round.playing", "apostadores"),
        ("panel.headline.hold.jam-mouth", "TRAVOU"),
        ("act.gather-cards.what", "embaralhar"),
        ("panel.record.reading", "está sendo lido"),
    ],
)
def test_a_sentence_of_brazil(key: str, said: str) -> None:
    assert said in sentence(key, {}, Language.BR)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("key", BUTTON_NAMED)
def test_a_sentence_that_sends_to_a_button_has_the_word_on_the_button(key: str, language: Language) -> None:
    """The sentence on an upheld complaint once sent to "Indicar", and no button of the page had that name."""
    button = sentence(BUTTON_NAMED[key], {}, language)
    assert button in sentence(key, {}, language)
