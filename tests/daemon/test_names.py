"""No name of the casino's people is in what a table writes: only the staff file has them."""

import json

import pytest

from controller.cli.main import main
from controller.journal.signing import public_path
from controller.staff import load_staff, save_staff
from tests.daemon.conftest import rig, warm
from tests.daemon.rig import DEALER, Rig

pytestmark = pytest.mark.waits

__all__ = ["rig", "warm"]


def test_names_are_in_the_staff_file_alone_and_a_person_is_forgotten_with_it(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = rig.directory / "staff.toml"
    rig.start()
    rig.connected()
    rig.act("sign-in", DEALER, operation="table")
    rig.act("open-session")
    rig.act("sign-in", DEALER, pin="9999", operation="table")
    rig.stop()
    save_staff(load_staff(staff).without(DEALER), staff)
    rig.start()
    rig.stop()
    out = rig.directory / "evening.txt"
    assert main(["journal", "export", str(rig.journal), "--out", str(out)]) == 0
    kept = {path for path in rig.directory.rglob("*") if path.is_file() and path != staff}
    assert {out, rig.log, *rig.journal.glob("*.segment")} <= kept
    named = [path.name for path in kept if f"Person {DEALER}".encode() in path.read_bytes()]
    assert named == []
    assert f'"person":{DEALER}'.encode() in out.read_bytes(), "the number stays, and names nobody"
    for command in (["verify", str(out), "--public-key", str(public_path(rig.journal))], ["replay", str(rig.journal)]):
        capsys.readouterr()
        assert main(["journal", *command, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["ok"] is True
