"""The whole way: a real controller, `sabot uplink` beside it, a real floor."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from controller.cli.main import main
from controller.journal.cosigned import cosigned_path, read_cosigned, seen_by
from controller.journal.signing import public_path, read_public_key
from controller.uplink.settings import UplinkSettings
from controller.uplink.table import TableEnd
from simulators.floor.room import FloorProcess, Room
from tests.daemon.conftest import rig, running, warm
from tests.daemon.rig import DEALER, Rig
from tests.floor.test_traps import until
from tests.uplink.test_carry import kept, of_journal
from tests.waiting import whole_lines

pytestmark = pytest.mark.waits

__all__ = ["rig", "running", "warm"]


def section(settings: UplinkSettings) -> str:
    return (
        f'\n[uplink]\naddress = "127.0.0.1:{settings.port}"\nauthority = "{settings.authority}"\n'
        f'certificate = "{settings.certificate}"\n'
    )


@contextmanager
def uplink(rig: Rig, room: Room, floor: FloorProcess, port: int | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Runs `sabot uplink`: yields the process after its first line, and ends it in order."""
    settings = room.settings("T1", floor.port if port is None else port)
    config, text = rig.directory / "uplink.toml", rig.config.read_text().partition("\n[uplink]")[0]
    config.write_text(text + section(settings))
    words = [sys.executable, "-m", "controller.cli.main", "uplink", "--config", str(config)]
    environment = os.environ | {"LANG": "en_GB.UTF-8"}
    with (rig.directory / "uplink.log").open("ab") as log:
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, env=environment)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == f"uplink: 127.0.0.1:{settings.port}\n".encode()
        yield child
        child.terminate()
        assert child.wait(20) == 0
    finally:
        child.kill()
        child.wait()
        if child.stdout is not None:
            child.stdout.close()


def said(rig: Rig) -> list[dict[str, object]]:
    lines = whole_lines(rig.directory / "uplink.log")
    return [msgspec.json.decode(line, type=dict[str, object]) for line in lines]


def test_an_act_at_the_table_is_at_the_floor_within_a_second_or_two(
    running: Rig, room: Room, conninfo: str, tmp_path: Path
) -> None:
    room.keys.joinpath("T1.pub").write_bytes(running.journal.with_name("journal.pub").read_bytes())
    floor = room.start()

    def is_level() -> bool:
        return kept(conninfo, "T1") == of_journal(running.journal)

    with uplink(running, room, floor):
        until(is_level)
        running.act("sign-in", DEALER, operation="table")
        began_s = time.monotonic()
        until(is_level)
        took_s = time.monotonic() - began_s
        floor.end()
        running.act("sign-out", DEALER)
        until(lambda: any(line["event"] == "floor-away" for line in said(running)))
    assert took_s < 10  # half a second on an idle machine
    assert len(of_journal(running.journal)) > len(kept(conninfo, "T1"))
    with uplink(running, room, room.start()):
        until(is_level)
    assert [line["event"] for line in said(running)].count("floor-connected") == 2


def test_the_floors_signature_lies_beside_the_journal_and_verifies(rig: Rig, room: Room) -> None:
    """The controller checks the floor's signature, which the uplink brings, by its configured key, and keeps it."""
    floor = room.start()
    named = section(room.settings("T1", floor.port)) + f'witness = "{room.witness.text}"\n'
    rig.config.write_text(rig.config.read_text() + named)
    rig.start()
    public = public_path(rig.journal)
    room.keys.joinpath("T1.pub").write_bytes(public.read_bytes())
    with uplink(rig, room, floor):
        until(lambda: cosigned_path(rig.journal).exists())
    ((mark, note),) = read_cosigned(rig.journal, read_public_key(public))
    assert seen_by(room.witness, note, mark.seq) is not None
    of_table = ["--public-key", str(public), "--witness", room.witness.text]
    assert main(["journal", "verify", str(rig.journal), *of_table]) == 0


def test_a_signature_that_is_not_the_witnesss_is_not_kept(running: Rig) -> None:
    """The controller keeps no mark without a signature, no wrong signature, and no text without a mark."""
    with TableEnd(running.socket) as table:
        until(lambda: table.carried(100_000, "0f" * 16)[0].mark != "")
        mark = table.carried(100_000, "0f" * 16)[0].mark
        for note in (mark, mark + "\u2014 floor.sim " + "AAAA" * 20 + "\n", "none"):
            assert table.keep(note) == "not-this-witness"
    assert not cosigned_path(running.journal).exists()


def test_a_controller_that_is_not_there_and_a_floor_that_is_not_are_each_said_once(rig: Rig, room: Room) -> None:
    floor = room.start()
    with uplink(rig, room, floor, port=1):
        until(lambda: said(rig) != [])
        time.sleep(3)
    assert [line["event"] for line in said(rig)] == ["table-away"]


def test_a_configuration_without_the_section_says_so(rig: Rig) -> None:
    words = [sys.executable, "-m", "controller.cli.main", "uplink", "--config", str(rig.config)]
    done = subprocess.run(words, capture_output=True, text=True, env=os.environ | {"LANG": "en_GB.UTF-8"}, timeout=60)
    assert done.returncode == 2
    assert "[uplink]" in done.stderr
