"""The conformance checks judge correctly a device that other authors have written from the text alone."""

from pathlib import Path

import pytest

from firmware_protocols.tdp.conform.duties import UNTRIED, binds
from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.suite import NUMBERS, Status
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import SHOE
from simulators.c.build import SANITIZED, STRICT
from tests.c.tools import output
from tests.c.waste_bin import WasteBin
from tests.conform.line import VirtualLine
from tests.conform.test_conform import NOT_TRIED, NOW_S, OF_1_1, judged, numbers

pytestmark = pytest.mark.waits

SOURCE = Path(__file__).with_name("waste_bin.c")


def built(folder: Path, text: str) -> Path:
    source, program = folder / "bin.c", folder / "bin"
    source.write_text(text)
    output("cc", *STRICT, *SANITIZED, source, "-o", program)
    return program


def broken_numbers(program: Path) -> set[str]:
    device = WasteBin(program, NOW_S)
    line = VirtualLine(device, NOW_S)
    device.clock = line.now_s
    host = Host(line, SHOE, 1000, is_simulated=True, bench=device)
    found = judged(host)
    assert device.end() == 0
    bound = {number for number in NUMBERS if binds(number, DeviceKind.SHOE) and number not in UNTRIED}
    kept, broken = numbers(found, Status.KEPT), numbers(found, Status.BROKEN)
    assert broken or kept == bound - OF_1_1 - NOT_TRIED["shoe"]
    return broken


def test_it_keeps_every_duty_that_can_be_tried(tmp_path: Path) -> None:
    assert broken_numbers(built(tmp_path, SOURCE.read_text())) == set()


@pytest.mark.parametrize(
    ("number", "right", "wrong"),
    [
        ("3.8", "get32(b + 5) || get32(b + 9)", "(get32(b + 5) && get32(b + 5) != kept.boot) || get32(b + 9)"),
        ("4.13", "if (!ours) { deny", "if (!ours) { if (kind != ACK) deny"),
        ("5.6", "if (n == 1 && p[0] == 2)", "if (n && p[0] == 2)"),
        ("6.9", "v.retry * 2 : 1000;", "v.retry * 2 : 1500;"),
        ("6.11", "if (p[0]) v.retry = 1000;", "(void)p;"),
        ("11.3", "held() ? 5 : 0;", "held() ? 1 : 0;"),
    ],
    ids=lambda word: word if word[:1].isdigit() else "",
)
def test_a_break_of_it_is_named(number: str, right: str, wrong: str, tmp_path: Path) -> None:
    text = SOURCE.read_text()
    assert text.count(right) == 1
    assert number in broken_numbers(built(tmp_path, text.replace(right, wrong)))
