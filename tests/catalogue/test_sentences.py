"""A sentence shows its values, words for values, and any missing value."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import controller.catalogue
from controller.catalogue import Language, UnknownKey, language_of, sentence
from controller.catalogue.sentences import read_sentences
from controller.catalogue.words import hold_words, notice_text
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.house.state import Hold
from controller.core.words import HoldId, HoldKind, HoldPhase, TableMs


def test_values_are_filled_in_and_words_looked_up() -> None:
    values = (("id", "H3"), ("kind", "jam"), ("place", "mouth"))
    assert sentence("notice.hold-raised", values, Language.EN) == "Hold H3: jam at the mouth"
    assert sentence("notice.hold-raised", values, Language.PT) == "Paragem H3: encravamento na boca de saída"


def test_a_word_is_looked_up_in_each_of_its_groups() -> None:
    values = (("id", "H3"), ("kind", "device-lost"), ("place", "shoe"))
    assert sentence("notice.hold-raised", values, Language.PT) == "Paragem H3: aparelho perdido sabot leitor"


@pytest.mark.parametrize("given", ["dealer,chief_supervisor", "dealer chief_supervisor"])
def test_a_list_of_words_gets_commas(given: str) -> None:
    values = {"role": "technician", "who": given}
    assert sentence("guard.role_may.remedy", values, Language.PT) == "Chamar: pagador, fiscal-chefe."


def test_words_among_figures_are_put_in_place() -> None:
    text = sentence("guard.counts_agree.reason", {"differences": "inside 300/301; total 311/312"}, Language.EN)
    assert text == "Book and machine still differ (book/machine): inside 300/301; all cards 311/312."


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("notice.jackpot-transferred", {"amount": "1", "level": "overflow", "target": "pool", "pool": "2"}),
        ("duty.report-irregular-closing", {"deck_set": "1", "causes": "count, silent, unexpected-card"}),
        ("hold.count.text", {"cause": "difference", "figures": "inside 309/308"}),
        ("guard.series_is_within_its_chips.reason", {"bet": "large-series"}),
    ],
)
def test_what_details_name_is_said_in_chinese_too(key: str, values: dict[str, str]) -> None:
    assert not re.search("[a-z]{3}", sentence(key, values, Language.ZH))


def test_a_name_with_numbers_keeps_them() -> None:
    values = {"player": "1", "bet": "split-17-20", "amount": "5.00"}
    assert sentence("status.wheel-stake", values, Language.PT) == "Jogador 1 em cavalo 17-20: 5.00"


def test_what_was_looked_up_has_values_in_turn() -> None:
    values = {"cause": "put-back", "counted": "24", "expected": "25"}
    text = sentence("hold.count.text", values, Language.EN)
    assert text == "The card counts do not agree: 24 cards were put back, 25 were due."


def test_counts_that_nobody_doubts_are_not_said_to_differ() -> None:
    def told(cause: str) -> str:
        hold = Hold(
            HoldId(1),
            HoldKind.COUNT,
            HoldPhase.RAISED,
            TableMs(0),
            details=(("cause", cause), ("figures", "inside 309/308")),
        )
        return hold_words(hold, Language.EN).text

    assert told("called") == "Every card is to be counted: the dealer or a chief supervisor has called for a count."
    assert told("difference").startswith("The card counts do not agree: ")


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (Language.EN, "It concerns the bank. It concerns hand 2 of seat 3."),
        (Language.PT, "Em causa: a banca. Em causa: o lugar 3, mão 2."),
        (Language.ZH, "有關莊家。 有關3號位第 2 手牌。"),
    ],
)
def test_a_ruling_names_each_hand_that_it_is_about(language: Language, told: str) -> None:
    details = (("cause", "decision-not-open"), ("hands", "0 3/2"))
    hold = Hold(HoldId(1), HoldKind.RULING, HoldPhase.RAISED, TableMs(0), details=details)
    plain = replace(hold, details=details[:1])
    assert hold_words(hold, language).text == f"{hold_words(plain, language).text} {told}"


def test_a_round_that_is_over_and_a_lost_stake_have_sentences_of_their_own() -> None:
    over = Notice("round-step", (("round", "idle"), ("number", "1")))
    assert notice_text(over, Language.EN) == "Round 1 is over"
    lost = {"hand": "2", "player": "2", "payment": "bust", "amount": "-30.00", "stake": "30.00", "clause": "pt.bj.22a"}
    told = notice_text(Notice("amount", (*lost.items(), ("rate", "-1:1"))), Language.EN)
    assert told == "Hand 2, player 2: bust -30.00 (pt.bj.22a)"
    won = notice_text(Notice("amount", (*lost.items(), ("rate", "3:2"))), Language.EN)
    assert "30.00 at 3:2" in won


def test_a_value_with_braces_is_only_a_value() -> None:
    assert "{who}" in sentence("hold.damaged-card.text", {"card": "{who}", "who": "?"}, Language.EN)


def test_a_missing_value_stays_to_be_seen() -> None:
    assert sentence("hold.damaged-card.text", {}, Language.EN) == "The card {card} is damaged."


def test_an_unknown_word_stays_as_it_is() -> None:
    assert "gremlin" in sentence("hold.device-lost.text", {"device": "shoe", "reason": "gremlin"}, Language.EN)


@pytest.mark.parametrize("key", ["hold.jam", "hold.jam.steps", "nothing"])
def test_an_unknown_sentence_raises(key: str) -> None:
    with pytest.raises(UnknownKey):
        sentence(key, (), Language.EN)


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, Language.EN),
        ({"LANG": "pt_PT.UTF-8"}, Language.PT),
        ({"LANG": "pt_PT.UTF-8", "LC_ALL": "C"}, Language.EN),
        ({"LANG": "de_DE.UTF-8"}, Language.EN),
        ({"LANG": "C", "SABOT_LANGUAGE": "pt"}, Language.PT),
    ],
)
def test_the_language_of_a_terminal(environment: dict[str, str], language: Language) -> None:
    assert language_of(environment) is language


@pytest.mark.parametrize("language", [Language.PT, Language.EN, Language.ZH])
def test_the_files_are_read_as_a_toml_reader_would(language: Language) -> None:
    text = (Path(controller.catalogue.__file__).parent / f"{language.value}.toml").read_text("utf-8")
    assert read_sentences(text) == dict(_flat("", tomllib.loads(text)))


def _flat(prefix: str, tree: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, entry in tree.items():
        if isinstance(entry, dict):
            yield from _flat(f"{prefix}{name}.", entry)
        else:
            yield prefix + name, entry
