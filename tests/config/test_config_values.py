"""A good configuration's values: typed values, defaults, digest, the core's setup."""

from pathlib import Path

import pytest
from config_file import ConfigFile

from controller.catalogue import Language
from controller.config import Config, read_config, setup
from controller.config.model import Tracks
from controller.config.profile_file import law
from controller.core.setup import Parameters
from controller.core.words import Device


def read(file: ConfigFile) -> Config:
    file.path.write_text(file.text, "utf-8")
    return read_config(file.path)


def test_values(file: ConfigFile, tmp_path: Path) -> None:
    config = read(file)
    assert (config.table.id, config.table.decks, config.table.seats) == ("BJ-07", 6, 7)
    assert (config.table.minimum_bet, config.table.maximum_bet) == (1_000, 30_000)
    assert (config.table.smallest_chip, config.table.tracks) == (100, Tracks.CARDS)
    assert setup(config).hand_rules is None
    assert config.table.language is Language.PT
    assert [device.kind for device in config.devices] == [Device.SHUFFLER, Device.SHOE]
    shoe = config.device(Device.SHOE)
    assert shoe is not None
    assert shoe.serial_number is None
    assert config.device(Device.JACKPOT_DISPLAY) is None
    assert config.journal == tmp_path / "journal"
    assert config.staff == Path("/etc/sabot/staff.toml")
    assert (config.journal_second_copy, config.socket, config.state) == (None, None, None)


def test_defaults(file: ConfigFile) -> None:
    file.replace('currency = "EUR"\nlanguage = "pt"\n', "")
    config = read(file)
    assert (config.table.currency, config.table.language) == ("EUR", Language.PT)


@pytest.mark.parametrize(("text", "cents"), [('"37.50"', 3_750), ("37", 3_700), ('"0.01"', 1)])
def test_amounts_are_cents(file: ConfigFile, text: str, cents: int) -> None:
    file.replace("minimum_bet = 10", f"minimum_bet = {text}").replace('"300.00"', text)
    assert read(file).table.minimum_bet == cents
    assert cents % read(file).table.smallest_chip == 0


def test_the_digest_is_of_the_content_and_not_of_the_layout(file: ConfigFile) -> None:
    digest = read(file).digest
    assert len(digest) == 64
    file.replace('"300.00"', "300   # thirty times the minimum").replace('id = "BJ-07"\n', "")
    file.text = file.text.replace("[table]", '[table]\nid = "BJ-07"')
    assert read(file).digest == digest
    assert read(file.replace("seats = 7", "seats = 6")).digest != digest


def test_a_device_left_out_changes_the_digest(file: ConfigFile) -> None:
    digest = read(file).digest
    start, end = file.text.index("[devices.shoe]"), file.text.index("[journal]")
    file.text = file.text[:start] + file.text[end:]
    config = read(file)
    assert config.digest != digest
    assert not setup(config).has_reader


def test_setup_of_the_core(file: ConfigFile) -> None:
    made = setup(read(file))
    assert (made.table, made.profile, made.cards, made.seats) == ("BJ-07", "pt-csm", 312, 7)
    assert (made.has_reader, made.has_display, made.simulated) == (True, False, True)
    assert made.parameters == Parameters(
        min_packets=2,
        loads_per_session=1,
        burn_cards=1,
        presence_timeout_ms=180_000,
        join_ms=2_000,
        difference_ms=2_000,
        devices_due_ms=5_000,
        reserve_cards_per_hand=6,
        recording_days=30,
    )


def test_every_figure_of_the_law_names_its_clause() -> None:
    clauses = {one.name: one.clauses for one in law("pt-csm").parameters}
    assert clauses["min_packets"] == ("pt.bj.54b",)
    assert clauses["loads_per_session"] == ("pt.bj.54c",)
    assert clauses["burn_cards"] == ("pt.bj.10",)
    assert clauses["blackjack_pays"] == ("pt.bj.21a",)


def test_who_may_not_look_at_the_journal_reads_the_configuration_all_the_same(
    file: ConfigFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user without the right to the journal, like the panel's, can read the configuration (simulated denial)."""
    exists = Path.exists

    def denied(path: Path) -> bool:
        if path == tmp_path / "journal":
            raise PermissionError
        return exists(path)

    monkeypatch.setattr(Path, "exists", denied)
    assert read(file).journal == tmp_path / "journal"
