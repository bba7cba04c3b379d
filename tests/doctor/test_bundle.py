"""`sabot doctor --bundle` gives a maintainer the data that helps, and no name, PIN, card or key."""

import base64
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from installation import Installation

from controller.cli.main import main
from controller.config import read_config
from controller.doctor.bundle import secrets_of, without_secrets
from controller.staff import load_staff
from firmware_protocols.cards import CARD_BYTES
from tests.found import stands_in
from tests.in_process import run

pytestmark = pytest.mark.waits

KEPT = Path(__file__).parents[1] / "runtime/kept/0.1.0/evening"
KEY = bytes(range(100, 132))
PINS = ("739161", "739162", "739163")  # the PINs of the installation's people


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    """An installation with an evening's journal, its seals and keys, and a log."""
    made = Installation(tmp_path)
    shutil.rmtree(made.state / "journal")
    shutil.copytree(KEPT, made.state / "journal")
    for name in ("seal.key", "journal.key"):
        (made.state / name).write_bytes(KEY)
    log = tmp_path / "bin/journalctl"
    made.put("bin/journalctl", '#!/bin/sh\necho \'{"event": "act", "person": 21, "seq": 7, "round": 2}\'\n')
    log.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    monkeypatch.setenv("SABOT_SOCKET", str(tmp_path / "nobody.sock"))
    yield made
    made.close()


def bundled(it: Installation) -> dict[str, bytes]:
    out = it.root / "support.tar.gz"
    done = run(main, "doctor", "--root", str(it.root), "--config", str(it.config), "--bundle", str(out))
    assert "support.tar.gz" in done.stderr
    assert out.stat().st_mode & 0o777 == 0o600
    with tarfile.open(out) as archive:
        found = {member.name: archive.extractfile(member) for member in archive}
        return {name.removeprefix("sabot-support/"): file.read() for name, file in found.items() if file}


def test_what_helps_is_in_it(installation: Installation) -> None:
    pieces = bundled(installation)
    wanted = {"findings.json", "version", "metrics", "log", "table.toml", "journal-files", "files/proc/cmdline"}
    assert wanted <= set(pieces)
    assert b'"seq": 7' in pieces["log"]
    assert b"00000001.segment" in pieces["journal-files"]


def test_no_pin_key_card_or_seal_is_in_it(installation: Installation) -> None:
    everything = b"\n".join(bundled(installation).values())
    book = load_staff(read_config(installation.config, ports_may_be_missing=True).staff)
    assert not [pin for pin in PINS if stands_in(pin, everything.decode("utf-8", "replace"))]
    secrets = [one.pin_hash.encode() for one in book.people]
    secrets += [KEY, KEY.hex().encode(), base64.b64encode(KEY)]
    seals = (installation.state / "journal/00000001.seals").read_bytes()
    segment = (installation.state / "journal/00000001.segment").read_bytes()
    secrets += [data[at : at + 24] for data in (seals, segment) for at in range(0, len(data) - 24, 97)]
    assert [secret for secret in secrets if secret in everything] == []
    assert len(secrets) > 50
    assert [word for word in CARD_BYTES if f'"{word}"'.encode() in everything] == []


@pytest.mark.parametrize("form", [KEY, KEY.hex().encode(), base64.b64encode(KEY)])
def test_a_piece_with_a_secret_is_left_out_and_named(form: bytes, installation: Installation) -> None:
    config = read_config(installation.config, ports_may_be_missing=True)
    pieces = {"log": b"so " + form + b" it is", "kernel": b"Linux"}
    assert without_secrets(pieces, secrets_of(config)) == ({"kernel": b"Linux"}, ["log"])


def test_nothing_is_written_over(installation: Installation) -> None:
    out = installation.put("support.tar.gz", "mine")
    where = ("--root", str(installation.root), "--config", str(installation.config))
    assert run(main, "doctor", *where, "--bundle", str(out)).returncode == 1
    assert out.read_text() == "mine"
