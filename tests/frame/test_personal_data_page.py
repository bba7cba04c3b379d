"""PERSONAL_DATA.md: it decides on each text that a person can type into an entry, and no entry has a name."""

import re
from pathlib import Path

import msgspec
import pytest

from controller.config.profile import PROFILES
from controller.runtime.game import game_of

ROOT = Path(__file__).parents[2]
PAGES = ("controller/PERSONAL_DATA.md", "controller/PERSONAL_DATA.pt.md")
_FIELD = re.compile(r"`([a-z-]+\.[a-z_]+)`")

OF_PROGRAMS = {
    *("card-read.commitment", "card-read.told", "cards-may-have-passed.cause", "controller-started.config_digest"),
    *("controller-started.findings", "controller-started.public_key", "controller-started.rules_digest"),
    *("controller-started.seal_key", "controller-started.software", "controller-started.staff_digest"),
    *("controller-started.state_digest", "device-connected.firmware", "device-connected.model"),
    *("device-connected.serial", "device-lost.reason", "device-refused.expected", "device-refused.found"),
    *("device-refused.what", "device-started.cause", "export-jackpot.computer", "export-jackpot.journal_at"),
    *("export-jackpot.signature", "journal-failed.reason", "pin-refused.act", "pin-refused.terminal"),
    *("add-entry.adds", "add-entry.bet", "add-spin-entry.adds", "add-spin-entry.bet"),
    *("correct-entry.bet", "correct-entry.instead"),
    *("correct-spin-entry.bet", "correct-spin-entry.colour", "correct-spin-entry.instead"),
    *("place-chips.bet", "place-value-chips.bet", "preset-changed.address", "preset-changed.value"),
    *("reader-noted.told", "reader-noted.what", "remove-bet.bet", "second-copy-failed.reason"),
    *("show-export.export", "show-export.journal_at", "show-receipt.receipt", "shuffler-started.cause"),
    *("spin-ended.troubles", "staff-changed.digest", "state-bet.bet", "state-jackpot.journal_at", "summed.source"),
    *("summed.what", "take-over-jackpot.code", "take-over-jackpot.export", "take-over-jackpot.journal_at"),
    *("take-over-jackpot.signature", "turn-card.salt", "turn-hole-card.salt", "usb-device-kept-out.port"),
    *("linked-pool-heard.pool", "wheel-lost.reason"),
}
"""Texts from a program or a device, or from a list of values: words that no person chooses."""


def texts() -> set[str]:
    """The fields of all entries that can hold any text, by kind and name."""
    found = set()
    for profile in PROFILES:
        for kind, name in game_of(profile).codec._names.items():
            found |= {f"{name}.{field.name}" for field in msgspec.structs.fields(kind) if _is_text(field.type)}
    return found


def _is_text(kind: object) -> bool:
    return kind is str or re.search(r"\bstr\b", str(kind)) is not None


def decided(page: str) -> set[str]:
    return set(_FIELD.findall((ROOT / page).read_text("utf-8")))


@pytest.mark.parametrize("page", PAGES)
def test_each_text_that_a_person_can_type_is_decided_on_the_page(page: str) -> None:
    assert texts() == decided(page) | OF_PROGRAMS
    assert not decided(page) & OF_PROGRAMS


def test_no_entry_has_a_field_for_a_persons_name() -> None:
    assert {one for one in texts() if one.endswith(".name")} == {"usb-device-kept-out.name"}


def test_both_pages_have_the_same_rows() -> None:
    rows = [[line.count("|") for line in (ROOT / page).read_text("utf-8").splitlines()] for page in PAGES]
    english, portuguese = ([one for one in page if one] for page in rows)
    assert english == portuguese
