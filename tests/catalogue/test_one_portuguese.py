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
    "amount without chips for it": ("quantia exata", "fichas que o perfaçam"),
    "turned card": ("virou a carta", "carta voltada|foi voltada|volt(?:ar|ou) a carta|viradas? para baixo"),
    "card that is said": ("indicar a carta", r"\bnome(?:ar|ou|ie) (?:a|uma) carta|carta nomeada"),
    "floor": ("servidor da sala", "serviço d[ea] sala"),
    "linked pool": ("jackpot comum", "jackpot ligado"),
    "right value": ("deve ser", r"\bcerto seria|certa seria|certos seriam|estaria certo|não há tal\b"),
    "message of a device": ("mensagem", "telegrama"),
    "orphans": ("órfãos", "vadios"),
    "jam lamp": ("lâmpada de encravamento", "luz de (?:aviso|encravamento)"),
    "practice": ("treino", r"\bprática\b"),
    "sign of the jackpot's device": ("mostrador", r"\bvisor\b"),
    "other people": ("outro utilizador", r"\boutrem\b"),
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


REMEDY: Final = re.compile(
    r"^(?:variant\.[a-z-]+\.)?(?:guard|refusal)\..*remedy$|^(?:way|settle)\.|^update\.refused\..*then$"
)
ORDERED: Final = (
    r"(?:^|[.:;,] )(?:regist|indiqu|devolv|peç|aceit|continu|liquid|dê|deix|pergunt|pagu|decid|escolh|corrij|anul|jogu|"
    r"us|esper|tent|lig|copi)[ea]?\b(?!-se)|^(?:o|a|um|uma) (?:fiscal|pagador|chefia|técnic|jogador)"
)
"""An order in the imperative, or a person as the subject of what is to be done."""


def test_a_remedy_is_in_the_infinitive_behind_the_person_who_does_it() -> None:
    texts = {key: text_of(key) for key in keys(Language.PT) if REMEDY.search(key)}
    assert len(texts) > 300
    assert {key: text for key, text in texts.items() if re.search(ORDERED, text, re.IGNORECASE)} == {}
    assert re.search(ORDERED, "Pagador: registe a aposta.", re.IGNORECASE)
    assert re.search(ORDERED, "O fiscal-chefe numera os baralhos.", re.IGNORECASE)


ROOT: Final = Path(controller.__file__).parents[1]
PAGES: Final = (
    *sorted((ROOT / "controller").rglob("*.pt.md")),
    ROOT / "systemd/README.pt.md",
    ROOT / "systemd/floor/README.pt.md",
    ROOT / "simulators/demo/pt.toml",
)
KEYWORD: Final = re.compile(r"`cláusulas`|CLÁUSULA|visor[-_][a-z_-]+|esclarecer-visor")
"""The words of the scenarios' language for the articles that a scenario shows, and for two displays."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_and_the_demo_have_the_same_words(page: Path) -> None:
    lines = KEYWORD.sub("", page.read_text("utf-8")).splitlines()
    words = [rf"\b{old}" for old in SPELT] + [others for _right, others in WORDS.values()]
    wrong = re.compile("|".join(words), re.IGNORECASE)
    assert [line for line in lines if wrong.search(line)] == []


EUROPEAN: Final = (
    r"pagador|jogada|jogador|carta-aviso|canto de descarte|fiscal de banca|encrav|ficheiro|registo\b|registar|"
    r"utilizador|ecrã|controlo\b|contacto|\bpremir|prémio|\bcasino\b(?!\.)|\barranc|\bpen\b(?! drive)|"
    r"secç|sítio|cêntimo|\bfacto\b|\best[áã]o? a [a-z]+r\b"
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
        ("notice.jackpot-paid", "Prêmio"),
        ("update.refused.no-file.then", "para o pen drive"),
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
