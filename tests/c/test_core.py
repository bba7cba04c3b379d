"""The C core alone: warnings, size, golden frames, and the duties that the text names."""

import gc
import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from firmware_protocols.tdp.conform.duties import UNTRIED, binds
from firmware_protocols.tdp.conform.suite import NUMBERS, Status
from firmware_protocols.tdp.link import FrameKind, Header, build
from simulators.c.build import CORE, HERE, SANITIZED, STRICT, device_program
from simulators.c.firmware import CLink, CProgram
from simulators.cli import main as sabot_sim
from simulators.device_command import IN_C as ALONE_IN_C
from simulators.device_kinds import Firmware
from simulators.devices.c_firmware import CFirmware
from simulators.devices.c_others import CDisplay, CShoe, CSlots, CValueDisplay
from simulators.devices.c_shuffler import CShuffler
from simulators.world.card_game import GAME, run_world
from simulators.world.plan import WorldPlan
from tests.c.broken_cores import BROKEN
from tests.c.pair import sanitized
from tests.c.tools import columns, other_compilers, output
from tests.conform.broken.table import NOW_S, Device, device_of
from tests.conform.test_conform import NOT_TRIED, OF_1_1, conform, host_of, judged, numbers, plugged_in
from tests.in_process import run
from tests.night import IS_NIGHT
from tests.protocols.golden_frames import BOOT, GOLDEN, OPENING

pytestmark = pytest.mark.waits

CORTEX_M0 = ("-mcpu=cortex-m0", "-mthumb", "-Os", "-ffunction-sections", "-fdata-sections", "-ffreestanding")
MOST_CODE = 16 * 1024
IN_C: dict[str, type[Device]] = {
    "shuffler": CShuffler,
    "shoe": CShoe,
    "display": CDisplay,
    "value-display": CValueDisplay,
    "slots": CSlots,
}
WORLDS = range(200) if IS_NIGHT else range(1)
ROUNDS = 5 if IS_NIGHT else 1
DECKS = None if IS_NIGHT else 1


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """Ends a device's process with the device."""
    yield
    gc.collect()


def compiled(folder: Path, compiler: str, *flags: str) -> list[Path]:
    """Compiles each file of the core alone."""
    made = []
    for name in CORE:
        made.append(folder / f"{name}.o")
        output(compiler, *STRICT, *flags, "-c", HERE / name, "-o", made[-1])
    return made


@other_compilers
def test_two_compilers_find_nothing(tmp_path: Path) -> None:
    compiled(tmp_path, "cc", "-O2")
    output("clang", *STRICT, "-Wshadow", "-Wcast-qual", "-fsyntax-only", *(HERE / name for name in CORE))


@other_compilers
def test_it_needs_two_functions_of_the_library_and_six_of_the_maker(tmp_path: Path) -> None:
    objects = compiled(tmp_path, "arm-none-eabi-gcc", *CORTEX_M0)
    symbols = [line.split() for line in output("arm-none-eabi-nm", *objects).splitlines() if line]
    wanted = {words[-1] for words in symbols if words[0] == "U"}
    given = {words[-1] for words in symbols if len(words) == 3}
    helpers = {name for name in wanted if name.startswith("__")}  # helper functions of the compiler itself
    of_maker = {f"tdp_port_{name}" for name in ("send", "now", "read", "write", "draw", "set")}
    assert wanted - given - helpers == {"memcpy", "memset"} | of_maker


@other_compilers
def test_the_page_says_its_size(tmp_path: Path) -> None:
    """The page has the size for a Cortex-M0, file by file; the sum is far below the memory of such a part."""
    sizes = columns(output("arm-none-eabi-size", *compiled(tmp_path, "arm-none-eabi-gcc", *CORTEX_M0)))
    rows = {name: int(words[0]) for name, words in zip(CORE, sizes, strict=True)}
    assert sum(int(words[1]) + int(words[2]) for words in sizes) == 0  # no variable of its own
    assert sum(rows.values()) < MOST_CODE
    page = (HERE / "README.md").read_text()
    for name, code in rows.items():
        assert f"| `{name}` | {code} |" in page
    assert f"| in all | {sum(rows.values())} |" in page


@other_compilers
def test_tags_are_compared_without_a_branch_on_a_byte(tmp_path: Path) -> None:
    """The compiled comparison has one conditional jump: the end of the loop (18.18)."""
    made = compiled(tmp_path, "arm-none-eabi-gcc", *CORTEX_M0)[CORE.index("tdp.c")]
    listing = output("arm-none-eabi-objdump", "-d", "--section=.text.tdp_same", made)
    assert len(re.findall(r"\tb(?:eq|ne|cs|cc|mi|pl|hi|ls|ge|lt|gt|le)\b", listing)) == 1


# --- frames


@pytest.fixture
def core() -> Iterator[CLink]:
    made = CProgram(device_program(SANITIZED), "shuffler")
    yield CLink(made)
    made.close()


def frame(name: str) -> bytes:
    return b"\0" + GOLDEN[name].frame


def text16(text: str) -> str:
    return text.encode().ljust(16, b"\0").hex()


def test_it_says_the_golden_frames(core: CLink) -> None:
    """Section 16's example of a shuffler: each frame sent to it, and each byte of its answers."""
    who = "0101" + text16("Sabot CSM-38") + text16("SIM-0001") + text16("1.0.0")
    core.tell(0.0, "first", BOOT)
    core.tell(0.0, "had", 5000, 4688, 312, 3, 1)
    core.tell(0.0, "who", who)
    core.tell(0.0, "start", 1, 0b0010, 0)
    core.receive_data(frame("hello"), 1.0)
    assert core.data_to_send().startswith(frame("identity-shuffler"))
    assert core.data_to_send() == b""
    core.receive_data(frame("ack"), 1.1)
    core.tell(1.1, "sense", 0)
    core.receive_data(frame("command-apply"), 1.2)
    answer = core.data_to_send()
    assert answer.startswith(frame("answer-ok")[:13])
    core.tell(1.2, "sense", 0b1000)
    core.receive_data(frame("command-apply"), 1.2)
    assert core.data_to_send() == frame("answer-ok")
    core.tell(1.3, "out")
    assert core.data_to_send() == frame("event-card-out")
    core.tell(1.3, "jammed", 3, 2)
    assert core.data_to_send() == frame("event-jammed")
    core.receive_data(frame("heartbeat-not-durable"), 1.4)
    assert core.data_to_send() == frame("heartbeat-reply")


def test_event_started_and_another_boot_are_golden(core: CLink) -> None:
    core.tell(0.0, "first", BOOT)
    core.tell(0.0, "had", 5000, 4688, 312, 3, 1)
    core.tell(0.0, "start", 1, 0b0010, 0)
    core.receive_data(frame("hello"), 1.0)
    assert core.data_to_send().endswith(frame("event-started"))
    core.tell(2.0, "start", 1, 0, 0)
    core.receive_data(frame("ack"), 2.1)
    assert core.data_to_send() == frame("no-session")
    assert OPENING == 0x1001


@pytest.mark.parametrize(("length", "is_alive"), [(0, False), (1, False), (2, True), (9, True), (11, True)])
def test_a_hello_without_a_major_is_no_sign_of_life(core: CLink, length: int, is_alive: bool) -> None:
    """A HELLO of the session with two bytes of payload is one, although the rest is dropped."""
    hello = Header(FrameKind.HELLO, OPENING, 0, 0)
    core.tell(0.0, "first", BOOT)
    core.tell(0.0, "start", 1, 0, 0)
    core.receive_data(frame("hello"), 1.0)
    core.receive_data(build(hello, (b"\1" + bytes(10))[:length]), 2.5)
    core.data_to_send()
    core.handle_timeout(3.5)
    core.receive_data(build(hello._replace(host_opening=OPENING - 1), b"\1" + bytes(9)), 3.6)
    is_taken = core.data_to_send()[2:3] == bytes((FrameKind.IDENTITY,))
    assert is_taken is not is_alive, "an older opening is taken behind a silence alone"


# --- duties


@pytest.mark.parametrize("kind", IN_C if IS_NIGHT else ("shuffler",))
def test_it_keeps_every_duty_that_can_be_tried(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All duties that our own firmware keeps, under sanitizers."""
    monkeypatch.setattr(CFirmware, "program", staticmethod(sanitized))
    device = device_of(kind, IN_C[kind])
    found = judged(host_of(device))
    assert [one for one in found.values() if one.status is Status.BROKEN] == []
    its_own = {number for number in NUMBERS if binds(number, device._schema.kind) and number not in UNTRIED}
    assert numbers(found, Status.KEPT) == its_own - OF_1_1 - NOT_TRIED.get(kind, set())
    assert all(found[number].why for number in numbers(found, Status.NOT_TRIED))


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", BROKEN)
def test_a_core_that_breaks_a_duty_is_found_and_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = BROKEN[name]
    broken.write(HERE, tmp_path)
    sources = [tmp_path / one for one in (*CORE, "host.c", "host_kinds.c")]
    output("cc", "-std=c11", "-O1", *sources, "-o", tmp_path / "device")
    monkeypatch.setattr(CFirmware, "program", staticmethod(lambda kind: CProgram(tmp_path / "device", kind)))
    found = judged(host_of(device_of(broken.kind, IN_C[broken.kind])))
    assert numbers(found, Status.BROKEN) == {broken.number} | set(broken.follows.split())


# --- worlds


@pytest.mark.parametrize("profile", ("pt-csm", "mo-csm", "house") if IS_NIGHT else ("mo-csm",))
def test_tables_play_with_it(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worlds have all faults and are judged like the worlds of our own firmware."""
    monkeypatch.setattr(CFirmware, "program", staticmethod(sanitized))
    plans = [WorldPlan(seed, ROUNDS, GAME.kinds, decks=DECKS, profile=profile, firmware=Firmware.C) for seed in WORLDS]
    results = [run_world(plan) for plan in plans]
    assert {result.seed: result.violations for result in results if result.violations} == {}


# --- commands


def test_a_maker_tries_it_on_a_port(tmp_path: Path) -> None:
    with plugged_in(lambda now_s: CShuffler(rng=Random(1), now_s=now_s), tmp_path / "shuffler") as port:  # noqa: S311
        done = conform(port, "--kind", "shuffler", "--check", "it-says-who-it-is", "--check", "heartbeats-are-answered")
    assert done.returncode == 0
    assert "kept       TDP-7.2" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("demo", "--shuffler", "c", "--rounds", "1", "--json", "--no-panel"),
        ("world", "--shuffler", "c", "--rounds", "1", "--seeds", "0:1"),
        *(
            ("device", kind, "--protocol", "tdp", "--firmware", "c", "--link", "nowhere")
            for kind, _protocol in ALONE_IN_C
        ),
    ],
)
def test_without_a_compiler_the_line_to_type_is_said(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device_program.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run(sabot_sim, *words)
    assert done.returncode == 2
    assert "no C compiler; on Debian: sudo apt install gcc libc6-dev" in done.stderr


@pytest.mark.parametrize("is_pairable", [False, True])
@pytest.mark.parametrize("which", ALONE_IN_C)
def test_a_device_alone_with_this_core(which: tuple[str, str], is_pairable: bool) -> None:
    given = Namespace(firmware=Firmware.C, pairable=is_pairable, seed=1, decks=1)
    device, _hands = ALONE_IN_C[which](given, 7, NOW_S)
    assert isinstance(device, CFirmware)
    host = host_of(device)
    identity, _status = host.open()
    assert (identity.minor, host.boot) == (int(is_pairable), 7)
