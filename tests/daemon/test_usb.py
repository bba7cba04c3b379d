"""The controller reports USB devices that no rule of the installation permits, each once and only a few."""

import json
import re
from pathlib import Path

from controller.daemon.usb import MOST, UsbDevice, UsbWatch
from tests.runtime.bench import Bench

RULES = Path(__file__).parents[2] / "systemd/60-sabot.rules"


def plug(sysfs: Path, port: str, *, authorized: str, serial: str = "") -> None:
    directory = sysfs / "bus/usb/devices" / port
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in (("authorized", authorized), ("idVendor", "1d50"), ("idProduct", "60fc"), ("serial", serial)):
        (directory / name).write_text(f"{text}\n")


def test_what_is_let_in_is_no_news_and_what_is_kept_out_is_told_once(tmp_path: Path) -> None:
    watch = UsbWatch(tmp_path)
    assert watch.news() == ()
    plug(tmp_path, "1-1.2", authorized="1", serial="CSM-0001")
    plug(tmp_path, "1-1.3", authorized="0", serial="EVIL\x1b[2J\xe9")
    assert watch.news() == (UsbDevice("1d50:60fc/EVIL?[2J??", "1-1.3"),)
    assert watch.news() == ()
    plug(tmp_path, "1-1.4", authorized="0")
    assert watch.news() == (UsbDevice("1d50:60fc", "1-1.4"),)


def test_a_port_that_shows_a_new_device_each_second_fills_no_journal(tmp_path: Path) -> None:
    watch, told = UsbWatch(tmp_path), 0
    for number in range(2 * MOST):
        plug(tmp_path, "1-1.3", authorized="0", serial=str(number))
        told += len(watch.news())
    assert told == MOST


def test_it_is_an_entry_and_a_line_of_the_log_and_moves_nothing() -> None:
    bench = Bench()
    bench.run(1)
    digest = bench.digest()
    bench.runtime.usb_device_kept_out("1d50:60fc/EVIL", "1-1.3", bench.now_s)
    bench.run(1)
    [entry] = [entry for entry in bench.entries() if entry.kind == "usb-device-kept-out"]
    assert json.loads(bytes(entry.body)) == {"name": "1d50:60fc/EVIL", "port": "1-1.3"}
    assert bench.digest() == digest


def test_the_rules_let_in_hubs_and_whatever_they_name_and_nothing_else() -> None:
    lines = [line for line in RULES.read_text().splitlines() if line and not line.startswith("#")]
    named = {
        serial for line in lines if "SYMLINK" in line for serial in re.findall(r'ATTRS\{serial\}=="([^"]+)"', line)
    }
    let_in = [line for line in lines if 'ATTR{authorized}="1"' in line]
    assert {serial for line in let_in for serial in re.findall(r'ATTR\{serial\}=="([^"]+)"', line)} == named
    assert all(re.search(r"ATTR\{(serial|idProduct|bDeviceClass)\}==", line) for line in let_in)
    assert sum('ATTR{authorized_default}="0"' in line for line in lines) == 1
