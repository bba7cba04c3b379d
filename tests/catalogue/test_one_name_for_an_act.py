"""One name for an act: its button, its label in lists and its sentence in the journal have the same words."""

import re
import unicodedata
from typing import Final

import pytest

from controller.catalogue import Language, has_key, keys, sentence

SPOKEN: Final = (Language.EN, Language.PT, Language.BR)
"""The languages whose words have spaces between them."""

LITTLE: Final = frozenset(
    (
        *("a", "all", "and", "as", "at", "by", "for", "in", "is", "it", "lie", "of", "on"),
        *("other", "player", "s", "the", "to", "too", "what", "with", "card", "cards"),
        *("ao", "as", "com", "da", "das", "de", "do", "dos", "e", "em", "na", "nas", "no"),
        *("o", "os", "para", "por", "que", "se", "um", "uma", "carta", "cartas"),
    )
)
"""The words that are in the names of many acts, and distinguish none."""

BUTTONS: Final = sorted(
    name
    for key in keys(Language.EN)
    if (name := key.removeprefix("panel.press.")) != key and has_key(f"act.{name}.label")
)

DONE: Final = (
    *("begin-unloading", "complete-unloading", "collect-cards", "collect-jackpot-bets", "confirm-display"),
    *("decide-amount", "end-putting-back", "gather-cards", "number-deck-set", "raise-jackpot", "report-damaged-card"),
    *("spread-cards", "state-card", "turn-card"),
)
"""The acts whose sentence in the journal once had other words than the button or the list."""


SAME: Final = ("name-card", "number-deck-set", "open-session")
"""The acts whose form once had another name than the button that opens it."""


def stems(text: str, letters: int = 5) -> frozenset[str]:
    """The first letters of each word that distinguishes an act, without accents."""
    plain = "".join(one for one in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(one))
    return frozenset(word[:letters] for word in re.findall("[a-z]+", plain) if word not in LITTLE)


def label(act: str, language: Language) -> str:
    return sentence(f"act.{act}.label", {}, language)


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("act", BUTTONS)
def test_the_button_and_the_list_name_the_act_alike(act: str, language: Language) -> None:
    """The shorter of the two names has no word that the longer one lacks."""
    button, listed = stems(sentence(f"panel.press.{act}", {}, language)), stems(label(act, language))
    assert button <= listed or listed <= button


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("act", SAME)
def test_the_button_and_its_form_have_the_same_words(act: str, language: Language) -> None:
    assert sentence(f"panel.press.{act}", {}, language).casefold() == label(act, language).casefold()


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("act", DONE)
def test_the_journal_has_a_word_of_the_act_s_name(act: str, language: Language) -> None:
    assert stems(label(act, language), 4) & stems(sentence(f"did.{act}", {}, language), 4)


@pytest.mark.parametrize("language", SPOKEN)
def test_two_acts_of_the_cards_way_out_have_two_buttons(language: Language) -> None:
    """A failed loading that is out, and the cards of a closing: both buttons once said "all taken out"."""
    taken, unloaded = (
        sentence(f"panel.press.{act}", {}, language) for act in ("confirm-taken-out", "complete-unloading")
    )
    assert taken != unloaded


@pytest.mark.parametrize(
    ("button", "listed"),
    [
        ("TUDO RETIRADO", "Tudo fora"),
        ("CARTAS EXIBIDAS", "Cartas expostas"),
        ("CONFIRMAR", "Conferido"),
        ("SOMADO NO MOSTRADOR", "Subir o mostrador"),
        ("JUNTAR", "Recolher tudo"),
    ],
)
def test_names_that_once_differed_would_be_found(button: str, listed: str) -> None:
    """Four pairs differ in each word. "Tudo" and "mostrador" are in both names of two others, which differ as well."""
    one, other = stems(button), stems(listed)
    assert not one <= other
    assert not other <= one
