"""Manual pages and completion that the packages get from the parsers: every command is in them."""

import sys
from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.cli.main import COMMANDS
from controller.panel.wording import _LOCALES
from simulators.cli import COMMANDS as OF_SIMULATORS

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/debian"))

from build import LANGUAGES
from pages import completion, manual


@pytest.mark.parametrize("language", Language)
def test_a_manual_page_has_every_command(language: Language) -> None:
    page = manual("sabot", "1.2.3", language)
    assert [name for name in COMMANDS if f".SH sabot {name}\n" not in page] == []
    assert "\\-\\-ports\\-may\\-be\\-missing" in page


def test_those_of_the_simulators_too_and_the_completion() -> None:
    page = manual("sabot-sim", "1.2.3", Language.EN)
    wanted = [name.replace("-", "\\-") for name in OF_SIMULATORS]
    assert [name for name in wanted if f".SH sabot\\-sim {name}\n" not in page] == []
    words = completion()
    assert '"sabot journal verify") words="' in words
    assert '"sabot-sim table") words="' in words
    of_act = next(line for line in words.splitlines() if '"sabot act")' in line)
    assert {"--list", "draw-card", "attend-hold"} <= set(of_act.replace('"', " ").split())


def test_a_package_keeps_the_data_of_every_language_in_which_amounts_are_written() -> None:
    assert {locale.language for locale in _LOCALES.values()} | {"root"} == set(LANGUAGES)
