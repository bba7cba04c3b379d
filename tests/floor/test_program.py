"""`sabot floor` and `sabot-floor`: their output, and the page with the tables."""

import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import psycopg
import pytest

from controller.cli.main import main as sabot
from controller.floor import schema
from controller.floor.__main__ import main
from controller.floor.database import Database
from controller.floor.keys import KnownKeys
from controller.floor.ledger import Ledger
from controller.floor.nonce import Nonces
from controller.floor.room import tables
from controller.floor.store import Store
from controller.protocol.shown import RoomHold, Shown
from simulators.floor.postgres import PrivatePostgres
from simulators.floor.room import Room
from tests import in_process
from tests.floor.kit import NOW_S, FloorTable
from tests.floor.server import made

pytestmark = pytest.mark.waits

PROGRAM = (sys.executable, "-m", "controller.floor")


def run(*words: str) -> tuple[int, str, str]:
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def run_here(*words: str) -> tuple[int, str, str]:
    """Runs a program that ends by itself in this process; returns exit code, output and errors."""
    done = in_process.run(main, *words)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[uplink", "TOML"),
        ("[uplink]\nlisten = 5\n", "uplink.listen"),
        ("[database]\nconnection = 'x'\n", "uplink"),
        ("[flor]\n", "flor"),
    ],
)
def test_a_wrong_configuration_is_named_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "floor.toml"
    path.write_text(text)
    code, _stdout, stderr = run_here("--config", str(path))
    assert code == 2
    assert stderr.startswith(str(path))
    assert says in stderr
    assert stderr.count("\n") == 1


def test_a_configuration_that_is_not_there_is_named(tmp_path: Path) -> None:
    code, _stdout, stderr = run_here("--config", str(tmp_path / "none.toml"))
    assert (code, "none.toml: there is no such file" in stderr) == (2, True)


def test_tables_of_another_version_are_not_served_and_a_command_says_how(
    postgres: PrivatePostgres, tmp_path: Path, room: Room
) -> None:
    config = room.directory / "floor.toml"
    empty = made(postgres, "floor_of_no_version")
    text = config.read_text()
    line = next(one for one in text.splitlines() if one.startswith("connection"))
    config.write_text(text.replace(line, f'connection = "{empty}"'))
    code, _stdout, stderr = run(*PROGRAM, "--config", str(config))
    assert code == 2
    assert f"sabot-floor --config {config} --migrate" in stderr
    assert run(*PROGRAM, "--config", str(config), "--migrate") == (0, "", "")
    assert room.start().end() in {0, -15}


def test_a_server_that_is_too_old_is_refused(
    room: Room, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(schema, "OLDEST", 99)
    for more in ((), ("--migrate",)):
        assert main(["--config", str(room.directory / "floor.toml"), *more]) == 2
        assert capsys.readouterr().err == "The database is older than PostgreSQL 99.\n"


def test_a_database_that_is_not_there_is_tried_again_by_whoever_starts_it(room: Room) -> None:
    config = room.directory / "floor.toml"
    text = config.read_text()
    line = next(one for one in text.splitlines() if one.startswith("connection"))
    config.write_text(text.replace(line, 'connection = "host=/nowhere dbname=x"'))
    code, _stdout, stderr = run_here("--config", str(config))
    assert code == 1
    assert "The database cannot be used: " in stderr


def test_a_certificate_that_is_none_is_named(room: Room) -> None:
    (room.directory / "floor.pem").write_text("none")
    code, _stdout, stderr = run_here("--config", str(room.directory / "floor.toml"))
    assert (code, "the certificate is none" in stderr) == (1, True)


def test_a_witness_is_made_once_and_its_public_key_is_said(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    config = ["--config", str(room.directory / "floor.toml"), "--new-witness"]
    assert main([*config, "floor.sim"]) == 2  # it exists already
    shutil.rmtree(room.directory / "witness")
    assert main([*config, "two words"]) == 2
    assert capsys.readouterr().err.count("A witness is made once") == 2
    assert main([*config, "floor.casino.example"]) == 0
    assert capsys.readouterr().out == room.witness.text + "\n"
    assert (room.directory / "witness/witness.key").stat().st_mode & 0o777 == 0o600


def test_a_witness_that_is_not_there_is_named(room: Room) -> None:
    shutil.rmtree(room.directory / "witness")
    code, _stdout, stderr = run_here("--config", str(room.directory / "floor.toml"))
    assert (code, "--new-witness NAME makes it" in stderr) == (2, True)


def test_sabot_floor_starts_the_program_that_is_installed_beside_it(room: Room) -> None:
    missing = run(sys.executable, "-m", "controller.cli.main", "floor", "--config", str(room.directory / "none.toml"))
    assert missing[0] == 2
    assert "none.toml: there is no such file" in missing[2]


def test_without_the_program_sabot_floor_says_how_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sabot(["floor", "--config", "floor.toml"]) == 2
    assert "Install it from the source" in capsys.readouterr().err


def test_the_page_has_every_table_and_what_was_found(room: Room, database: Database) -> None:
    with room:
        floor = room.start()
        store = Store(database)
        ledger = Ledger(store, KnownKeys(room.keys), Nonces(store.secret(), bytes), lambda: NOW_S)
        assert "No table has been heard of yet." in _get(floor.page)
        for name in ("BJ-07", "RL 1"):
            table = FloorTable(name).grown(3)
            room.admit(table.name, table.signer)
            table.give(ledger, 1, 3)
        jam = RoomHold("H1", "jam", text="A card is jammed <here>.", since=1000)
        shown = Shown(state="The table is held: jam.", holds=[jam], table_ms=121_000)
        table.restored(2, 2).give(ledger, 3, 3, shown=shown)
        text = _get(floor.page)
        assert "A card is jammed &lt;here&gt;. (2 min)" in text
        assert text.count('<li class="held"') == 1
        assert text.index("BJ-07") < text.index("RL 1")
        assert text.count('<li class="away"') == 0
        assert "The floor has found something." in text
        of_table = _get(floor.page + "table/RL%201")
        assert "It was restored from a backup." in of_table
        assert "<td>3</td><td>controller-started</td>" in of_table
        found = tables(database)
        assert [(row.epoch, row.last_seq) for row in found.values()] == [(1, 3), (2, 3)]
        database.write("update line set heard_at = now() - interval '1 minute' where table_id = 'BJ-07'", {})
        assert _get(floor.page).count('<li class="away"') == 1


def test_the_page_writes_nothing_and_is_on_this_computer_alone(room: Room) -> None:
    with room:
        floor = room.start()
        assert floor.page.startswith("http://127.0.0.1:")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(floor.page, data=b"x", timeout=20)  # noqa: S310
        with refused.value as answer:
            assert answer.code == 405


def test_a_floor_that_cannot_look_after_its_pools_ends(own_conninfo: str, forked_floors: None, tmp_path: Path) -> None:
    """Another cause than a database that is away: an operator sees the service fail, and no hit waits unseen."""
    (tmp_path / "room").mkdir()
    with Room(tmp_path / "room", own_conninfo) as room:
        floor = room.start(has_page=False)
        with psycopg.connect(own_conninfo, autocommit=True) as connection:
            connection.execute("ALTER TABLE linked_pool RENAME TO elsewhere")
        assert floor.process.wait(20) != 0
        floor.end()


def _get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310
        return str(answer.read().decode())
