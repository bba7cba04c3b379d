"""Amounts on pages and on paper, and typed amounts, have the notation of the reader's language."""

import re

import pytest

from controller.catalogue import Language
from controller.panel.wording import Wording

PT = Wording(Language.PT, "EUR")
BR = Wording(Language.BR, "BRL")
EN = Wording(Language.EN, "EUR")
ZH = Wording(Language.ZH, "MOP")


@pytest.mark.parametrize(
    ("wording", "money", "short", "whole"),
    [
        (PT, "10\xa0050,00\xa0€", "1\xa0050,50", "20"),
        (BR, "R$\xa010.050,00", "1.050,50", "20"),
        (EN, "€10,050.00", "1,050.50", "20"),
        (ZH, "MOP$10,050.00", "1,050.50", "20"),
    ],
)
def test_an_amount_is_written_as_the_people_of_the_language_write_it(
    wording: Wording, money: str, short: str, whole: str
) -> None:
    assert wording.money(10_050_00) == money
    assert wording.units(1_050_50) == short
    assert wording.units(20_00) == whole


def test_a_result_keeps_its_sign_and_a_part_of_a_cent() -> None:
    assert PT.amount("+15.00") == "+15,00\xa0€"
    assert PT.amount("-15.00") == "-15,00\xa0€"
    assert EN.amount("+0.8333") == "+€0.8333"
    assert PT.short("+15.00") == "+15"
    assert PT.short("-7.50") == "-7,50"
    assert PT.amount("half-of-pool") == "half-of-pool"


def test_a_sentence_of_the_controller_has_its_amounts_written_anew_and_nothing_else() -> None:
    told = "O mostrador mostra 9970.00, o prémio é de 10000.00. Ver 10.0.0.1, 1.25.3, pt.bj.51e e 22:10."
    assert PT.text(told) == (
        "O mostrador mostra 9\xa0970,00\xa0€, o prémio é de 10\xa0000,00\xa0€. Ver 10.0.0.1, 1.25.3, pt.bj.51e e 22:10."
    )


def test_a_card_in_a_sentence_has_the_sign_of_its_suit_and_a_name_for_a_screen_reader() -> None:
    told = ZH.told("核牌：缺 JSx1；AD這張牌 <10C>, <5.00>")
    assert re.findall('#suit-(.)"', told) == ["s", "d", "c"]
    assert "A<svg" in told
    assert "&lt;" in told
    assert re.findall("[A-Z]{2}", re.sub("<[^>]*>", " ", told).replace("MOP", "")) == []
    assert "<svg" not in EN.told("SIM-DISPLAY/AD-77, H12, seat 4, A DAY, 2/AC")


def test_a_word_in_capitals_is_no_card() -> None:
    """ "CARDS LIE AS RECORDED: AGREE is not offered any more" named the ace of spades."""
    for wording, told in (
        (EN, "The table has gone on: CARDS LIE AS RECORDED: AGREE is not offered any more."),
        (PT, "Agora pode: CORRIGIR AS CARTAS."),
        (PT, "CONTAGEM COM AS DE DENTRO"),
    ):
        assert wording.told(told) == told
    for told in ("Seat 4: AS KD", "Lay AS aside", "FOREIGN AS"):
        assert "<svg" in EN.told(told)


def test_the_values_of_a_sentence_that_are_amounts_are_written_so() -> None:
    assert "12,50\xa0€" in PT("panel.bets", sum="12.50")


def test_the_decimal_sign_that_is_typed_is_the_languages() -> None:
    assert PT.typed("12.5") == "12,5"
    assert EN.typed(".") == "."
