"""A check of a configuration reports all faults at once, each with its key, the right value and the law's clause."""

import os
from pathlib import Path

import pytest
from config_file import ConfigFile

from controller.catalogue import Language
from controller.config import ConfigRefused, read_config
from controller.config.problems import shown


def test_every_error_of_the_file_is_said_at_once(file: ConfigFile) -> None:
    file.replace("decks = 6", "decks = 5").replace('"300.00"', "310").replace("seats = 7", 'seats = "six"')
    file.replace("simulated = true", "simulated = true\nminimum_bett = 10")
    port = file.text.split('port = "')[1].split('"')[0]
    file.replace(f'port = "{port}"', 'port = "/dev/no-such-port"')
    assert file.lines() == [
        f'{file.path}: table.seats: "six" is text. The number of seats as a whole number would be right: 6 or 7.',
        f'{file.path}: table.minimum_bett: "minimum_bett" is not known here. Did you mean minimum_bet?',
        f"{file.path}: table.decks: 5 decks are not allowed. Allowed here: 4, 6. [pt.bj.3a]",
        (
            f"{file.path}: table.maximum_bet: the maximum 310.00 is more than 30 times the minimum 10.00. "
            "At most 300.00 would be right. [pt.bj.37]"
        ),
        (
            f'{file.path}: devices.shuffler.port: there is nothing at "/dev/no-such-port". '
            "Plug the device in, or give the path of its port (better one under /dev/serial/by-id)."
        ),
    ]


def test_the_corrected_file_passes(file: ConfigFile) -> None:
    assert file.problems() == {}


@pytest.mark.parametrize(
    ("old", "new", "key", "wrong", "clause"),
    [
        ("decks = 6", "decks = 6.0", "table.decks", "type", ""),
        ("decks = 6", "decks = true", "table.decks", "type", ""),
        ("decks = 6", "decks = 12345678901234567890", "table.decks", "value", ""),
        ("decks = 6", "decks = 8", "table.decks", "rule.decks", "pt.bj.3a"),
        ("decks = 6\n", "", "table.decks", "missing", ""),
        ("seats = 7", "seats = 5", "table.seats", "rule.seats", "pt.bj.2"),
        ("minimum_bet = 10", "minimum_bet = 10.5", "table.minimum_bet", "float", ""),
        ("minimum_bet = 10", 'minimum_bet = "10"', "table.minimum_bet", "value", ""),
        ("minimum_bet = 10", 'minimum_bet = "10.005"', "table.minimum_bet", "value", ""),
        ("minimum_bet = 10", "minimum_bet = [10]", "table.minimum_bet", "type", ""),
        ('"300.00"', '"300.01"', "table.maximum_bet", "rule.maximum-bet", "pt.bj.37"),
        ('"300.00"', "9", "table.maximum_bet", "rule.maximum-below-minimum", "pt.bj.14"),
        ('id = "BJ-07"', 'id = ""', "table.id", "value", ""),
        ('id = "BJ-07"', 'id = "\\u0007"', "table.id", "value", ""),
        ('"pt-csm"', '"pt-cms"', "table.profile", "value", ""),
        ('"EUR"', '"euro"', "table.currency", "value", ""),
        ('"EUR"', '"EUR"\ntracks = "chips"', "table.tracks", "value", ""),
        ('"EUR"', '"EUR"\nsmallest_chip = "0.505"', "table.smallest_chip", "value", ""),
        ('"EUR"', '"EUR"\nsmallest_chip = 3', "table.smallest_chip", "rule.smallest-chip", ""),
        ('"EUR"', '"EUR"\nsmallest_chip = 0', "table.smallest_chip", "rule.smallest-chip", ""),
        ('"EUR"', '"EUR"\nchip_values = 5', "table.chip_values", "type", ""),
        ('"EUR"', '"EUR"\nchip_values = [5, 5]', "table.chip_values", "value", ""),
        ('"EUR"', '"EUR"\nchip_values = [50]', "table.chip_values", "rule.no-chip-values", ""),
        ("simulated = true", 'simulated = "yes"', "table.simulated", "type", ""),
        (
            'protocol = "tdp"\n\n',
            'protocol = "tdp"\ncommand_checksum = "from-stx"\n\n',
            "devices.shoe",
            "rule.wire-options",
            "",
        ),
        (
            'protocol = "tdp"\n\n',
            'protocol = "angel-eye"\ncommand_checksum = "crc"\n\n',
            "devices.shoe.command_checksum",
            "value",
            "",
        ),
        ('protocol = "tdp"\n\n', 'protocol = "tcp"\n\n', "devices.shoe.protocol", "value", ""),
        ('"SH-1"', '"SH 1"', "devices.shuffler.serial_number", "value", ""),
        ("[devices.shoe]", "[devices.show]", "devices.show", "unknown", ""),
        ("[devices.shuffler]", "[devices.jackpot_display]", "devices.shuffler", "rule.shuffler", "pt.bj.53c"),
        ('[journal]\npath = "journal"', 'journal = "here"', "journal", "type", ""),
        ('[journal]\npath = "journal"', "", "journal", "section-missing", ""),
        ("[staff]", "[controller]\nsocket = 5\n[staff]", "controller.socket", "type", ""),
        ("[staff]", f'[controller]\nsocket = "/{"x" * 107}"\n[staff]', "controller.socket", "value", ""),
        ("[staff]", "[stuff]\n[staff]", "stuff", "unknown", ""),
    ],
)
def test_one_error(file: ConfigFile, old: str, new: str, key: str, wrong: str, clause: str) -> None:
    if new.startswith("journal ="):  # a plain key belongs before the first section
        file.text = new + "\n" + file.text.replace(old, "")
    else:
        file.replace(old, new)
    problems = file.problems()
    assert list(problems) == [key]
    assert problems[key].wrong.key == f"config.wrong.{wrong}"
    assert problems[key].clause == clause


def test_a_minimum_of_zero_or_less_is_refused_and_hides_no_other_rule(file: ConfigFile) -> None:
    file.replace("minimum_bet = 10", "minimum_bet = 0").replace("decks = 6", "decks = 5")
    problems = file.problems()
    assert [problems[key].clause for key in ("table.minimum_bet", "table.decks")] == ["pt.bj.14", "pt.bj.3a"]


def test_a_table_with_a_mistyped_profile_is_held_to_the_rules_all_the_same(file: ConfigFile) -> None:
    file.replace('"pt-csm"', '"pt-csn"').replace("decks = 6", "decks = 5")
    assert file.problems().keys() == {"table.profile", "table.decks"}


def test_devices_that_are_no_sections_are_one_problem(file: ConfigFile) -> None:
    start, end = file.text.index("[devices.shuffler]"), file.text.index("[journal]")
    file.text = "devices = 5\n" + file.text[:start] + file.text[end:]
    assert list(file.problems()) == ["devices"]


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"[table\n", "file-not-toml"),
        (b"x = 1\nx = 2\n", "file-not-toml"),
        (b"x = " + b"[" * 60_000, "file-not-toml"),
        (b"x = " + b"9" * 5_000, "file-not-toml"),
        (b"x = [0x" + b"f" * 5_000 + b"]", "file-not-toml"),
        (b'x = "\xff"\n', "file-not-utf-8"),
        (b"#" * 65_537, "file-too-large"),
    ],
)
def test_a_file_that_is_no_toml(tmp_path: Path, content: bytes, wrong: str) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(content)
    with pytest.raises(ConfigRefused) as refused:
        read_config(path)
    assert [problem.wrong.key for problem in refused.value.problems] == [f"config.wrong.{wrong}"]
    assert refused.value.lines(Language.PT)[0].startswith(f"{path}: ")


@pytest.mark.parametrize("name", ["missing.toml", "."])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigRefused) as refused:
        read_config(tmp_path / name)
    assert [problem.wrong.key for problem in refused.value.problems] == ["config.wrong.file-unreadable"]


def test_a_pipe_in_the_file_s_place_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "table.toml")
    with pytest.raises(ConfigRefused) as refused:
        read_config(tmp_path / "table.toml")
    assert [problem.wrong.key for problem in refused.value.problems] == ["config.wrong.file-not-ordinary"]


def test_a_value_that_would_flood_or_forge_the_terminal_is_shown_short(file: ConfigFile) -> None:
    file.replace('"EUR"', '"\\u001b[2J' + "E" * 5_000 + '"')
    (line,) = file.lines()
    assert "\x1b" not in line
    assert len(line) < 400


@pytest.mark.parametrize(
    ("value", "text"), [(-(10**15), "-1000000000000000…"), (10**40, "1000000000000000…"), (-7, "-7")]
)
def test_a_number_is_shown_short_and_with_its_sign(value: int, text: str) -> None:
    assert shown(value) == text
