"""The floor reads each table's program from its newest start, and shows certificates and differences of tables."""

import json
import sys
import time
import urllib.request
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from controller.floor.__main__ import main
from controller.floor.database import Database
from controller.floor.fleet import Difference, Runs, Value, fleet
from controller.floor.ledger import Ledger
from controller.journal.entry import Entry
from controller.protocol.carried import Gap, Said
from controller.protocol.shown import Shown
from controller.uplink.floor import FloorEnd
from simulators.floor.room import Room
from tests.floor.kit import FloorTable, entry
from tests.floor.test_program import run

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]

SETUP = {"table": "", "profile": "pt-csm", "decks": 6, "procedure": {"cut": "player", "burn_cards": 1}}


def start(seq: int, software: str, **more: object) -> Entry:
    """The entry of a start, with the fields of `more` added or replaced, even unknown ones."""
    body = {"findings": [], "software": software, "setup": SETUP} | more
    return msgspec.structs.replace(entry(seq, "controller-started"), body=_body(body))


def _body(fields: dict[str, object]) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(fields, order="sorted"))


def at(keys: Path, name: str) -> FloorTable:
    table = FloorTable(name, name.encode().ljust(32))
    (keys / f"{name}.pub").write_bytes(table.signer.public_file())
    return table


def runs(database: Database) -> dict[str, Runs]:
    return {one.table: one for one in fleet(database, []).tables}


def test_a_table_runs_what_its_newest_start_says_and_nothing_that_ran_before(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    table.add(start(1, "sabot 0.1.0", config_digest="aa")).grown(2)
    table.give(ledger, 1, 3, shown=Shown(software="sabot 0.1.0"))
    assert (runs(database)["BJ-07"].software, runs(database)["BJ-07"].config_digest) == ("sabot 0.1.0", "aa")
    table.add(start(4, "sabot 0.2.0", config_digest="bb", rules_digest="cc")).grown(1)
    table.give(ledger, 4, 5)
    one = runs(database)["BJ-07"]
    assert (one.software, one.config_digest, one.rules_digest, one.entry) == ("sabot 0.2.0", "bb", "cc", 4)
    other = table.restored(2, 2)
    other.give(ledger, 3, 3)
    assert runs(database)["BJ-07"].software == ""  # the status is of the computer before


def test_a_table_whose_beginning_was_removed_is_known_by_its_status_alone(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    table.grown(9)
    table.give(ledger, 5, 9, Gap.REMOVED, Shown(software="sabot 0.3.0", profile="pt-shoe"))
    one = runs(database)["BJ-07"]
    assert (one.software, one.profile, one.entry, one.config_digest) == ("sabot 0.3.0", "pt-shoe", 0, "")


def test_where_tables_of_one_profile_differ_is_named_with_the_tables(
    ledger: Ledger, keys: Path, database: Database
) -> None:
    other = {"table": "x", "profile": "pt-csm", "decks": 6, "procedure": {"cut": "dealer", "burn_cards": 1}}
    wheel = {"table": "RL-1", "profile": "pt-wheel", "decks": 0}
    for name, setup in (("BJ-1", SETUP), ("BJ-2", SETUP | {"table": "BJ-2"}), ("BJ-3", other), ("RL-1", wheel)):
        at(keys, name).add(start(1, "sabot 0.1.0", setup=setup, rules_digest="r")).give(ledger, 1, 1)
    assert fleet(database, []).differences == [
        Difference("pt-csm", "setup.procedure.cut", [Value('"player"', ["BJ-1", "BJ-2"]), Value('"dealer"', ["BJ-3"])])
    ]


@pytest.mark.parametrize(
    "newer",
    [
        {"setup": SETUP | {"hologram": {"depth": 3}}, "of_next_year": [1, {"x": 2}]},
        {"setup": {"profile": "pt-csm"}},
        {"setup": "as before"},
        {"setup": [1, 2]},
        {"setup": msgspec.Raw(b'{"profile":"pt-csm","decks":1e999}')},
        {"setup": msgspec.Raw(b'{"profile":"pt-csm\xff"}')},
        {"software": 7},
        {"config_digest": None},
    ],
    ids=["newer", "older", "text", "list", "too large", "no UTF-8", "number", "none"],
)
def test_tables_one_version_older_and_one_newer_are_shown_beside_the_others(
    ledger: Ledger, keys: Path, table: FloorTable, database: Database, newer: dict[str, object]
) -> None:
    """Tables of the next version, with unknown kinds and fields, are shown with the others; all entries are kept."""
    at(keys, "BJ-1").add(start(1, "sabot 0.1.0")).give(ledger, 1, 1)
    said = {"software": "sabot 9.9.9"} | newer
    table.add(msgspec.structs.replace(start(1, ""), body=_body(said)), entry(2, "kind-of-next-year"))
    assert table.give(ledger, 1, 2, shown=Shown(software="sabot 9.9.9")).said is Said.TAKEN
    found = runs(database)
    assert (found["BJ-1"].software, found["BJ-07"].software) == ("sabot 0.1.0", "sabot 9.9.9")


def test_the_certificate_with_which_a_table_came_last_is_the_one_that_is_shown(
    room: Room, database: Database, table: FloorTable
) -> None:
    room.admit(table.name, table.signer)
    table.grown(9)
    with room:
        floor = room.start()
        for number, days in enumerate((40, 5, 90)):
            settings = replace(room.settings(table.name, floor.port), certificate=room.authority.signed("one", days))
            with FloorEnd(settings) as end:
                for seq in (2 * number + 1, 2 * number + 2):
                    assert end.send(table.batch(seq, seq, end.begin().nonce)).said is Said.TAKEN
            certificate = runs(database)["BJ-07"].certificate
            assert certificate is not None
            assert abs(certificate.until - datetime.now(UTC) - timedelta(days=days)) < timedelta(minutes=5)
            assert certificate.is_due == (days == 5)
        page = _get(f"{floor.page}fleet")
        assert page.count(f"{certificate.until:%Y-%m-%d}") == 1
        assert "floor.pem" in page
        assert "authority.pem" in page


def test_a_stranger_with_a_certificate_of_the_authority_changes_no_tables_date(
    room: Room, database: Database, table: FloorTable
) -> None:
    room.admit(table.name, table.signer)
    stranger = FloorTable(table.name, b"\1" * 32).grown(1)
    table.grown(1)
    with room:
        floor = room.start()
        for one, said in ((table, Said.TAKEN), (stranger, Said.NOT_SIGNED)):
            settings = room.settings(table.name, floor.port)
            days = 40 if one is table else 80
            with FloorEnd(replace(settings, certificate=room.authority.signed("one", days))) as end:
                assert end.send(one.batch(1, 1, end.begin().nonce)).said is said
        certificate = runs(database)["BJ-07"].certificate
        assert certificate is not None
        assert certificate.days in {39, 40}


def test_the_command_says_the_same_in_words_and_as_json(
    room: Room, ledger: Ledger, table: FloorTable, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    table.add(start(1, "sabot 0.1.0", config_digest="ab" * 32)).give(ledger, 1, 1)
    config = ["--config", str(room.directory / "floor.toml")]
    assert main([*config, "--fleet"]) == 0
    words = capsys.readouterr().out.splitlines()
    assert words[0].startswith("BJ-07: sabot 0.1.0, configuration abababababab, ")
    assert [line.partition(":")[0] for line in words[1:]] == ["floor.pem", "authority.pem"]
    code, stdout, _stderr = run(sys.executable, "-m", "controller.cli.main", "floor", *config, "--fleet", "--json")
    document = json.loads(stdout)
    assert (code, document["tables"][0]["software"], document["differences"]) == (0, "sabot 0.1.0", [])
    assert [one["name"] for one in document["certificates"]] == ["floor.pem", "authority.pem"]


def test_the_newest_start_is_found_without_reading_the_entries_between(own_conninfo: str) -> None:
    """The newest start is found without reading the months of entries after it."""
    import psycopg

    from controller.floor.database import statement

    with psycopg.connect(own_conninfo, autocommit=True) as connection:
        connection.execute("create table entry_all partition of entry default")
        connection.execute("insert into line values ('T', 1, 1, null, 50000, '', '', '')")
        connection.execute(
            "insert into entry select '2026-11-01', 'T', 1, n, case n when 1 then 'controller-started' else 'x' end, 0,"
            " '', '' from generate_series(1, 50000) as n"
        )
        connection.execute("analyze")
        plan = "\n".join(row[0] for row in connection.execute(b"explain " + statement("starts").encode()))
        began_s = time.monotonic()
        assert len(connection.execute(statement("starts").encode()).fetchall()) == 1
    assert "_table_id_epoch_seq_idx" in plan or "entry_starts" in plan, plan
    assert time.monotonic() - began_s < 5


def _get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310
        return str(answer.read().decode())
