"""The computer's memory card dies at 22:00: a spare card, a backup and the second copy bring the table back.

The steps are those of systemd/README.md. The table comes back with a hold, its cards, its sealed card and its pool.
"""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.journal.signing import known_path
from controller.journal.verify import entries_of, verify
from tests.daemon.rig import CHIEF, DEALER, Rig
from tests.daemon.test_pool_moves import MANAGER, act, backed_up, computer
from tests.daemon.warm import Warm

pytestmark = pytest.mark.waits

AMOUNT_CENTS = 1_000_000
TEN_MINUTES_S = 600.0
CARD = ("journal.key", "journal.pub", "journal.begun", "journal.epoch", "seal.key", "staff.toml", "table.toml")


@pytest.fixture
def evening(tmp_path: Path, warm: Warm, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[Rig, Path, Path]]:
    """A table at 22:00, in an open session with an unexpected card; its backup was made while it was closed."""
    with computer(tmp_path / "table", warm) as rig:
        second = tmp_path / "medium/second"
        second.parent.mkdir()
        text = rig.config.read_text()
        rig.config.write_text(text.replace('path = "journal"', f'path = "journal"\nsecond_copy = "{second}"'))
        rig.start()
        rig.connected()
        assert act(rig, MANAGER, "approve-jackpot", capsys, reference="G-1")["ok"]
        for name in ("open-session", "abandon-opening"):
            rig.act("sign-in", DEALER, operation="table")
            assert rig.act(name).ok
        backup, secret = backed_up(rig, tmp_path)
        assert rig.act("open-session").ok
        rig.host.call(lambda now_s: rig.shoe.card_passed("AS", now_s))
        rig.until(lambda status: rig.journal_has("card-read", 1) and bool(status["holds"]))
        rig.until(lambda status: status["journal"]["second_copy"]["condition"] == "in-step")
        rig.kill()
        yield rig, backup, secret


def spare_card(rig: Rig) -> dict[str, bytes]:
    """Replaces the dead memory card by one without the table's data; returns the seals that the dead one had."""
    seals = {path.name: path.read_bytes() for path in rig.journal.glob("*.seals")}
    shutil.rmtree(rig.journal)
    for name in CARD:
        (rig.directory / name).unlink(missing_ok=True)
    known_path(rig.config).unlink(missing_ok=True)
    return seals


def brought_back(rig: Rig, backup: Path, secret: Path) -> list[str]:
    """Runs the technician's two commands, which may take ten minutes; returns the kinds of the holds at the table."""
    began_s = time.monotonic()
    assert main(["restore", str(backup), "--key", str(secret), "--config", str(rig.config)]) == 0
    rig.start()
    status = rig.connected()
    assert time.monotonic() - began_s < TEN_MINUTES_S
    return [hold["kind"] for hold in status["holds"]]


def findings(rig: Rig) -> str:
    started = [one for one in entries_of(rig.journal) if one.kind == "controller-started"]
    return bytes(started[-1].body).decode()


def test_with_the_second_copy_all_is_back_up_to_the_last_moment(
    evening: tuple[Rig, Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    rig, backup, secret = evening
    last = [one.seq for one in entries_of(rig.journal)][-1]
    seals = spare_card(rig)
    holds = brought_back(rig, backup, secret)
    status = rig.status()
    assert (status["session"], status["session_number"]) == ("opened", 2)
    assert {"unexpected-card", "jackpot-doubted"} <= set(holds), "the hold of before, and the amount in doubt"
    for person, reference in ((CHIEF, {}), (MANAGER, {"reference": "SRIJ 1"})):
        assert act(rig, person, "state-jackpot", capsys, amount="10000.00", **reference)["ok"]
    assert rig.status()["jackpot"]["amount_cents"] == AMOUNT_CENTS
    assert "unexpected-card" in [hold["kind"] for hold in rig.status()["holds"]], "it is for people to end"
    rig.stop()
    assert "second-copy-taken-over" in findings(rig)
    assert "seals-unreadable" not in findings(rig)
    assert {path.name: path.read_bytes() for path in rig.journal.glob("*.seals") if path.name in seals} == seals
    assert seals, "a card was sealed"
    assert verify(rig.journal).ok
    assert [one.seq for one in entries_of(rig.journal)][:last] == list(range(1, last + 1))


def test_with_the_backup_alone_the_table_is_closed_and_says_from_where_it_goes_on(
    evening: tuple[Rig, Path, Path],
) -> None:
    rig, backup, secret = evening
    spare_card(rig)
    shutil.rmtree(rig.directory.parent / "medium")
    (rig.directory.parent / "medium").mkdir()
    assert "jackpot-doubted" in brought_back(rig, backup, secret)
    assert rig.status()["session"] == "closed"
    rig.stop()
    assert "restored epoch 2" in findings(rig)
    assert verify(rig.journal).ok
