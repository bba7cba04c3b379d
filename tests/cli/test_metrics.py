"""`sabot metrics` writes Prometheus's text, once or into a file, also without a controller."""

import asyncio
import re
from argparse import Namespace
from pathlib import Path

import pytest
from scripted_controller import Json, ScriptedController

from controller.catalogue import Language
from controller.cli import metrics
from controller.cli.main import main
from controller.cli.talk import Talk
from controller.protocol.status import HoldStatus, Status
from controller.screen.metrics import FAMILIES, HoldAges, Seen, exposition
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

STATUS: Json = {
    "table": 'BJ"07',
    "session": "in-play",
    "round_number": 17,
    "software": "sabot 0.1.0 (c5bda10f2ab1)",
    "holds": [{"id": "H3", "kind": "jam"}, {"id": "H4", "kind": "jam"}],
    "tally": {"drawn": 900, "jams_raised": 2, "loads": 1},
    "journal": {"seq": 1234, "lag_ms": 2, "condition": "writing", "second_copy": {"condition": "behind", "behind": 3}},
    "devices": {
        "shuffler": {
            "connected": True,
            "good": 5,
            "retransmissions": 1,
            "rejected_by_reason": {"checksum": 2},
            "rtt_ms": 12.5,
        },
        "lamp": {"connected": False},
    },
    "power": {"undervoltage": "now"},
}
OF_ENDED_HOLDS = {"sabot_holds_ended_total", "sabot_holds_ended_seconds_total"}
LINE = re.compile(r'[a-z_]+(\{[a-z_]+="([^"\\]|\\.)*"(,[a-z_]+="([^"\\]|\\.)*")*\})? -?[0-9.e+-]+')


def test_every_figure_has_its_line(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedController(socket_path, lambda request: [{"id": request["id"], "ok": True, "status": STATUS}]):
        assert main(["metrics", "--socket", str(socket_path)]) == 0
    text = capsys.readouterr().out
    for line in (
        "sabot_up 1",
        'sabot_holds{kind="jam"} 2',
        "sabot_session_open 1",
        'sabot_device_connected{device="lamp"} 0',
        'sabot_device_frames_rejected_total{device="shuffler",reason="checksum"} 2',
        'sabot_device_round_trip_seconds{device="shuffler"} 0.0125',
        "sabot_journal_lag_seconds 0.002",
        "sabot_second_copy_working 1",
        "sabot_second_copy_behind_entries 3",
        'sabot_table_events_total{event="jams_raised"} 2',
        "sabot_undervoltage 1",
        "# TYPE sabot_journal_entries_total counter",
    ):
        assert line in text.splitlines()
    assert 'table="BJ\\"07"' in text
    samples = [line for line in text.splitlines() if not line.startswith("#")]
    assert [line for line in samples if not LINE.fullmatch(line)] == []
    told = {re.split(r"[{ ]", line)[0] for line in samples}
    assert {name for name, _kind, _read in FAMILIES} - told <= {"sabot_temperature_celsius", *OF_ENDED_HOLDS}


def test_nobody_is_a_figure_and_the_file_is_whole(socket_path: Path, tmp_path: Path) -> None:
    out = tmp_path / "sabot.prom"
    assert main(["metrics", "--socket", str(socket_path), "--out", str(out)]) == 0
    assert out.read_text() == "# TYPE sabot_up gauge\nsabot_up 0\n"
    assert out.stat().st_mode & 0o777 == 0o644
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith(".new")] == []
    assert main(["metrics", "--socket", str(socket_path), "--out", "/nowhere/at/all"]) == 1
    for every in ("0.1", "3601", "nan"):
        assert main(["metrics", "--socket", str(socket_path), "--every", every]) == 2


def test_a_scraper_at_a_unix_socket(tmp_path: Path) -> None:
    path, asked = tmp_path / "metrics.sock", []

    def figures() -> str:
        asked.append(1)
        return "sabot_up 1\n"

    async def scraped(request: bytes) -> bytes:
        reader, writer = await asyncio.open_unix_connection(path)
        writer.write(request)
        found = await reader.read()
        writer.close()
        return found

    async def scrape() -> list[bytes]:
        arguments = Namespace(listen=path, every=None, out=None)
        serving = asyncio.create_task(metrics._serve(figures, arguments, Talk(Language.EN, as_json=False)))
        async with asyncio.timeout(HANGS_S):
            while not path.exists():
                await asyncio.sleep(0)
        found = [await scraped(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"), await scraped(b"x" * 100_000)]
        serving.cancel()
        return found

    answer, nonsense = asyncio.run(scrape())
    assert answer.startswith(b"HTTP/1.0 200 OK\r\n")
    assert answer.endswith(b"\r\n\r\nsabot_up 1\n")
    assert (nonsense, len(asked)) == (b"", 1)


def test_a_hold_grows_old_and_is_forgotten() -> None:
    ages = HoldAges()
    jam, lid = HoldStatus(id="H1", kind="jam"), HoldStatus(id="H2", kind="lid")
    assert ages.ages([jam], 100.0) == {"H1": 0.0}
    assert ages.ages([jam, lid], 160.0) == {"H1": 60.0, "H2": 0.0}
    assert ages.ages([lid], 170.0) == {"H2": 10.0}
    assert ages.ended == {"jam": (1, 70.0)}
    assert ages.ages([jam], 200.0) == {"H1": 0.0}
    ages.ages([], 230.0)
    assert ages.ended == {"jam": (2, 100.0), "lid": (1, 40.0)}
    text = exposition(Seen(Status(holds=[jam, lid]), {"H1": 5.0, "H2": 7.5}, ages.ended))
    assert 'sabot_hold_age_seconds{kind="lid"} 7.5' in text
    assert 'sabot_holds_ended_total{kind="jam"} 2' in text
    assert 'sabot_holds_ended_seconds_total{kind="jam"} 100' in text
