"""The real commands move a jackpot's pool to another computer, and bring it back from a backup."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from controller.cli.main import main
from controller.core.words import Role
from controller.staff import save_staff
from tests.daemon.rig import CHIEF, PINS, Rig, staff_book
from tests.daemon.warm import Warm

pytestmark = pytest.mark.waits

MANAGER: Final = 31
PIN: Final = {**PINS, MANAGER: "413123"}
JACKPOT: Final = """
[jackpot]
marking = "manual"
bet = "1.00"
rate = "80"
start = 10000
prizes = ["1 6-7-8-suited 200.00", "2 7-7-7-suited rest"]
communication = "SRIJ 2026/7"
"""


@pytest.fixture
def tables(tmp_path: Path, warm: Warm) -> Iterator[tuple[Rig, Rig]]:
    """An old computer and a new one, both of the same table; neither runs yet."""
    with ExitStack() as stack:
        old, new = (stack.enter_context(computer(tmp_path / name, warm)) for name in ("old", "new"))
        yield old, new


def computer(directory: Path, warm: Warm) -> Rig:
    directory.mkdir()
    rig = Rig(directory, warm=warm)
    text = rig.config.read_text().replace('language = "en"', 'language = "en"\ntracks = "hands"')
    rig.config.write_text(text + JACKPOT)
    book = staff_book().with_person(MANAGER, "Manager", Role.ROOM_MANAGER, PIN[MANAGER])
    save_staff(book, directory / "staff.toml")
    return rig


def act(rig: Rig, person: int, name: str, capsys: pytest.CaptureFixture[str], **values: str) -> dict[str, Any]:
    """Runs `sabot act` with this person's own PIN; returns the command's document."""
    reader, writer = os.pipe()
    os.write(writer, PIN[person].encode() + b"\n")
    os.close(writer)
    given = [f"--value={key}={value}" for key, value in values.items()]
    capsys.readouterr()
    main(["act", name, "--socket", str(rig.socket), f"--person={person}", f"--pin-fd={reader}", *given, "--json"])
    os.close(reader)
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def refusal(document: dict[str, Any]) -> str:
    guard: str = document["refusal"]["guard"]
    return guard


def test_a_pool_goes_to_another_computer_once(tables: tuple[Rig, Rig], capsys: pytest.CaptureFixture[str]) -> None:
    old, new = tables
    old.start()
    new.start()
    assert act(old, MANAGER, "approve-jackpot", capsys, reference="G-1")["ok"]
    with old.client() as nobody:  # a person without a sign-in reads the sign's amount
        record = nobody.ask("record", what="pool").record
    assert record is not None
    assert [(one.number, one.kind, one.pool_cents) for one in record.pool] == [
        (1, "jackpot-parameters-set", 0),
        (2, "jackpot-started", 1_000_000),
    ]
    name = new.status()["jackpot_export"]["computer"]
    assert name != old.status()["jackpot_export"]["computer"]
    assert act(old, CHIEF, "export-jackpot", capsys, computer=name)["ok"]
    assert old.status()["jackpot"]["amount_cents"] == 1_000_000
    assert act(old, MANAGER, "export-jackpot", capsys, computer=name)["ok"]
    assert old.status()["jackpot"] is None
    assert refusal(act(old, CHIEF, "export-jackpot", capsys, computer=name)) == "pool_is_here"
    export, code = (old.status()["jackpot_export"][key] for key in ("export", "code"))
    for_old = {"export": export, "code": code}
    assert refusal(act(old, CHIEF, "take-over-jackpot", capsys, **for_old)) == "export_names_this_computer"
    assert act(new, CHIEF, "take-over-jackpot", capsys, export=export, code=code)["ok"]
    waits = new.status()["jackpot_export"]
    told = (waits["asked_for"], waits["asked_table"], waits["asked_computer"], waits["asked_cents"])
    assert told == ("take-over-jackpot", old.status()["table"], old.status()["jackpot_export"]["computer"], 1_000_000)
    assert act(new, MANAGER, "take-over-jackpot", capsys, code=code)["ok"]
    shown = new.status()["jackpot"]
    assert (shown["amount_cents"], shown["meters"]["seeds"]) == (1_000_000, 10_000_000_000)
    again = act(new, CHIEF, "take-over-jackpot", capsys, export=export, code=code)
    assert refusal(again) == "export_is_taken_once"
    assert refusal(act(old, CHIEF, "export-jackpot", capsys, computer=name)) == "pool_is_here"
    assert refusal(act(old, MANAGER, "approve-jackpot", capsys, reference="G-2")) == "pool_is_accounted_for"
    receipt = new.status()["jackpot_export"]["receipt"]
    assert act(old, CHIEF, "show-receipt", capsys, receipt=receipt)["ok"]
    assert old.status()["jackpot_export"]["is_received"]
    assert refusal(act(old, CHIEF, "take-back-jackpot", capsys, reference="G-2")) == "pool_is_away"


def test_a_restored_pool_is_held_until_two_people_state_it(
    tables: tuple[Rig, Rig], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rig, _other = tables
    rig.start()
    act(rig, MANAGER, "approve-jackpot", capsys, reference="G-1")
    backup, secret = backed_up(rig, tmp_path)
    rig.kill()
    shutil.rmtree(rig.journal)
    for name in ("journal.key", "journal.pub", "journal.begun", "seal.key", "staff.toml", "table.toml"):
        (rig.directory / name).unlink()
    assert main(["restore", str(backup), "--key", str(secret), "--config", str(rig.config)]) == 0
    rig.start()
    assert [hold["kind"] for hold in rig.connected()["holds"]] == ["jackpot-doubted"]
    assert act(rig, CHIEF, "state-jackpot", capsys, amount="10000.00")["ok"]
    assert refusal(act(rig, CHIEF, "state-jackpot", capsys, amount="10000.00")) == "two_people_state_it"
    assert refusal(act(rig, MANAGER, "state-jackpot", capsys, amount="10000.00")) == "statement_is_reported"
    assert act(rig, MANAGER, "state-jackpot", capsys, amount="10000.00", reference="SRIJ 1")["ok"]
    assert rig.status()["holds"] == []


def backed_up(rig: Rig, directory: Path) -> tuple[Path, Path]:
    """Makes a backup of the table; returns its path, and the path of the casino's secret key."""
    key = X25519PrivateKey.generate()
    secret, public, out = (directory / name for name in ("casino.key", "casino.pub", "table.backup"))
    secret.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    assert main(["backup", "--config", str(rig.config), "--to", str(public), "--out", str(out)]) == 0
    return out, secret
