"""`sabot device test` at simulated devices, with eyes that look at them: working devices, and wrongly wired ones."""

import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from controller.catalogue import Language, has_key, keys
from controller.cli.device_test import KINDS
from controller.cli.main import main
from controller.config import Config, DeviceConfig, PartKind, read_config
from controller.config.model import Protocol
from controller.core.words import Device
from controller.doctor import hands_on
from controller.doctor.hands_on import Trial, try_device, try_part
from controller.journal.errors import JournalLocked
from controller.journal.storage import DirectoryStorage
from controller.record.closed_table import TableInUse, Use, closed_table
from drivers.running import Running
from simulators.devices.alpha_sign import SimulatedAlphaSign
from simulators.devices.angel_eye import SimulatedAngelEye
from simulators.devices.base import SimulatedDevice
from simulators.devices.cards import make_cards
from simulators.devices.display import SimulatedDisplay
from simulators.devices.faults import FaultPlan, Jam, Spot, StuckDisplay
from simulators.devices.parts import SimulatedBadgeReader, SimulatedKey, SimulatedLamp, SimulatedRelay
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.slots import SimulatedSlots
from simulators.devices.value_display import SimulatedValueDisplay
from simulators.pty_port import PtyHost
from tests.endings import HANGS_S
from tests.in_process import run
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

KEPT = Path(__file__).parents[1] / "runtime/kept/0.1.0/evening"

TABLE = """
[table]
id = "T"
profile = "pt-csm"
decks = 6
seats = 7
minimum_bet = 10
maximum_bet = 300
simulated = true
[devices.shuffler]
port = "{here}/shuffler"
protocol = "tdp"
serial_number = "SIM-CSM"
[devices.shoe]
port = "{here}/shoe"
protocol = "{shoe}"
[devices.jackpot_display]
port = "{here}/display"
protocol = "{display}"
[devices.lamp]
port = "{here}/lamp"
line = 1
[devices.buzzer]
port = "{here}/buzzer"
line = 2
[devices.key_switch]
port = "{here}/key"
line = 3
[devices.badge_reader]
port = "{here}/badge"
[journal]
path = "{here}/journal"
[staff]
path = "{here}/staff.toml"
"""


@dataclass
class Eyes:
    """A person who looks, and does the requested deeds (satisfies `People`)."""

    looks: dict[str, Callable[[], bool]] = field(default_factory=dict)
    does: dict[str, Callable[[], object]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def sees(self, question: str, **_values: str) -> bool:
        self.asked.append(question)
        return self.looks[question]()

    def is_asked(self, request: str, **_values: str) -> None:
        self.asked.append(request)
        self.does.get(request, lambda: None)()


@dataclass(frozen=True)
class Bench:
    """A table's directory, and the host of its devices."""

    here: Path
    host: PtyHost

    def config(self, shoe: str = "tdp", display: str = "tdp") -> Config:
        file = self.here / "table.toml"
        file.write_text(TABLE.format(here=self.here, shoe=shoe, display=display))
        return read_config(file, ports_may_be_missing=True)

    def plug(self, name: str, device: SimulatedDevice) -> None:
        self.host.add(self.here / name, device, baud_rate=None)

    def part(self, kind: PartKind, eyes: Eyes) -> set[str]:
        config = self.config()
        return names(try_part(config, next(one for one in config.parts if one.kind is kind), eyes))

    def device(self, kind: Device, eyes: Eyes | None = None, start_number: int = 7, **protocols: str) -> Trial:
        config = self.config(**protocols)
        device = config.device(kind)
        assert device is not None
        return try_device(config, device, start_number, eyes or Eyes())


def names(trial: Trial) -> set[str]:
    return {one.key for one in trial.findings}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    monkeypatch.setattr(hands_on, "KEY_SETTLES_S", 0.0)
    with PtyHost() as host:
        yield Bench(tmp_path, host)


# ---- lamp, buzzer, key, badge


class WrongWay(SimulatedLamp):
    def is_lit(self, now_s: float) -> bool:
        return self.is_powered(now_s)


class NeverLit(SimulatedLamp):
    def is_lit(self, now_s: float) -> bool:
        return False


class NeverDark(SimulatedLamp):
    def is_lit(self, now_s: float) -> bool:
        return True


@pytest.mark.parametrize(
    ("lamp", "wrong"),
    [
        (SimulatedLamp(), set()),
        (WrongWay(), {"lamp-wrong-way"}),
        (NeverLit(), {"lamp-never-lit"}),
        (NeverDark(), {"lamp-never-dark"}),
    ],
)
def test_a_lamp_is_looked_at_dark_and_lit(lamp: SimulatedLamp, wrong: set[str], bench: Bench) -> None:
    bench.plug("lamp", lamp)

    def is_lit(*, powered: bool) -> bool:
        """The person's view of the lamp after the relay has switched, by the contact to which the lamp is wired."""
        wait_for(lambda: bench.host.call(lamp.is_powered) == powered)
        return bench.host.call(lamp.is_lit)

    looks = {"lamp-lit": lambda: is_lit(powered=False), "lamp-dark": lambda: not is_lit(powered=True)}
    looks["lamp-lit-dead"] = lambda: is_lit(powered=False)
    assert bench.part(PartKind.LAMP, Eyes(looks)) == wrong
    assert not bench.host.call(lamp.is_powered), "afterwards its relay has no power"


def test_a_lamp_that_stays_dark_when_its_program_is_killed(bench: Bench) -> None:
    bench.plug("lamp", SimulatedLamp())
    looks = {"lamp-dark": lambda: True, "lamp-lit": lambda: True, "lamp-lit-dead": lambda: False}
    eyes = Eyes(looks)
    assert bench.part(PartKind.LAMP, eyes) == {"lamp-stays"}
    assert eyes.asked == ["lamp-dark", "lamp-lit", "lamp-lit-dead"]


def test_a_lamp_is_held_dark_until_the_program_is_killed(bench: Bench) -> None:
    """The lamp stays dark while the process of `_try_dead`, which powers the relay each second, lives."""
    lamp = SimulatedLamp()
    bench.plug("lamp", lamp)
    command = [sys.executable, "-I", "-m", "drivers.dark_lamp", str(bench.here / "lamp"), "-", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"dark\n"
        wait_for(lambda: bench.host.call(lamp.is_powered))
        holder.kill()
    assert run_to_the_end(bench.config().file.with_name("nothing")) != 0


def run_to_the_end(port: Path) -> int:
    command = [sys.executable, "-I", "-m", "drivers.dark_lamp", str(port), "-", "0"]
    return subprocess.run(command, capture_output=True, timeout=HANGS_S).returncode


@pytest.mark.parametrize(("is_heard", "wrong"), [(True, set()), (False, {"buzzer-silent"})])
def test_a_buzzer_is_listened_to(is_heard: bool, wrong: set[str], bench: Bench) -> None:
    relay = SimulatedRelay()
    bench.plug("buzzer", relay)

    def hears() -> bool:
        wait_for(lambda: bench.host.call(relay.is_powered))
        return is_heard

    eyes = Eyes({"buzzer-heard": hears})
    assert bench.part(PartKind.BUZZER, eyes) == wrong


@pytest.mark.parametrize(
    ("does", "within_s", "wrong"),
    [
        (("turn-key", "turn-key-back"), 30.0, set()),
        ((), 0.1, {"key-unheard"}),
        (("turn-key",), 2.0, {"key-stays"}),
    ],
)
def test_a_key_is_turned_there_and_back(
    does: tuple[str, ...], within_s: float, wrong: set[str], bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hands_on, "HANDS_WITHIN_S", within_s)
    key = SimulatedKey(bench.host.clock())
    bench.plug("key", key)
    hands = {
        "turn-key": lambda: bench.host.call(lambda now_s: key.turn(now_s, on=True)),
        "turn-key-back": lambda: bench.host.call(lambda now_s: key.turn(now_s, on=False)),
    }
    eyes = Eyes({"key-out": lambda: True}, {name: hands[name] for name in does})
    assert bench.part(PartKind.KEY_SWITCH, eyes) == wrong


def test_a_key_that_counts_as_turned_while_it_is_out(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    key = SimulatedKey(bench.host.clock())
    bench.plug("key", key)
    monkeypatch.setattr(hands_on, "KEY_SETTLES_S", 30.0)
    bench.host.call(lambda now_s: key.turn(now_s, on=True))
    assert bench.part(PartKind.KEY_SWITCH, Eyes({"key-out": lambda: True})) == {"key-wrong-way"}
    assert bench.part(PartKind.KEY_SWITCH, Eyes({"key-out": lambda: False})) == {"key-not-tried"}


def test_a_badge_is_read(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, config = SimulatedBadgeReader(), bench.config()
    bench.plug("badge", reader)
    part = next(one for one in config.parts if one.kind is PartKind.BADGE_READER)
    hands = Eyes(does={"hold-badge": lambda: bench.host.call(lambda _now_s: reader.show("04A1F2"))})
    assert try_part(config, part, hands) == Trial([], {"badge": "04A1F2"})
    monkeypatch.setattr(hands_on, "HANDS_WITHIN_S", 0.1)
    assert names(try_part(config, part, Eyes())) == {"badge-unheard"}


def test_a_part_without_a_port(bench: Bench) -> None:
    eyes = Eyes()
    assert bench.part(PartKind.LAMP, eyes) == {"device-silent"}
    assert eyes.asked == []


# ---- shuffler


def shuffler(bench: Bench, serial: str = "SIM-CSM") -> SimulatedShuffler:
    made = SimulatedShuffler(rng=Random(1), now_s=bench.host.clock(), serial=serial)  # noqa: S311
    bench.plug("shuffler", made)
    return made


def lamp_of(bench: Bench, device: SimulatedShuffler) -> Eyes:
    def is_lit() -> bool:
        return bench.host.call(lambda _now_s: device.lamp_is_lit)

    return Eyes({"device-lamp-lit": is_lit, "device-lamp-dark": lambda: not is_lit()})


def test_a_shuffler_says_who_it_is_and_lights_its_lamp(bench: Bench) -> None:
    device = shuffler(bench)
    eyes = lamp_of(bench, device)
    trial = bench.device(Device.SHUFFLER, eyes)
    assert (trial.findings, eyes.asked) == ([], ["device-lamp-lit", "device-lamp-dark"])
    assert trial.heard["serial_number"] == "SIM-CSM"


def test_a_lamp_that_nobody_sees(bench: Bench) -> None:
    device = shuffler(bench)
    assert names(bench.device(Device.SHUFFLER, Eyes({"device-lamp-lit": lambda: False}))) == {"device-lamp"}
    assert not bench.host.call(lambda _now_s: device.lamp_is_lit)


def test_an_open_lid_is_named_and_told_to_the_table_afterwards(bench: Bench) -> None:
    device = shuffler(bench)
    bench.host.call(device.open_lid)
    assert names(bench.device(Device.SHUFFLER, lamp_of(bench, device))) == {"shuffler-lid-open"}
    assert "LidOpened" in events_left(bench)


def test_a_jam_keeps_its_lamp(bench: Bench) -> None:
    device = SimulatedShuffler(rng=Random(1), now_s=bench.host.clock(), serial="SIM-CSM", faults=FIRST_CARD_JAMS)  # noqa: S311
    bench.plug("shuffler", device)
    bench.host.call(lambda now_s: device.push_in(make_cards(1)[:1], now_s))
    eyes = Eyes()
    assert names(bench.device(Device.SHUFFLER, eyes)) == {"shuffler-jammed"}
    assert (eyes.asked, bench.host.call(lambda _now_s: device.lamp_is_lit)) == ([], True)


FIRST_CARD_JAMS = FaultPlan((Jam(1, Spot.FEED),))


@pytest.mark.parametrize("kind", [Device.SHUFFLER, Device.SHOE])
def test_counts_that_are_gone(kind: Device, bench: Bench) -> None:
    now_s = bench.host.clock()
    shoe, device = SimulatedShoe(now_s=now_s), shuffler(bench)
    bench.plug("shoe", shoe)
    bench.host.call(
        lambda now_s: (shoe if kind is Device.SHOE else device).reboot(now_s, off_s=0.0, forget_counts=True)
    )
    assert names(bench.device(kind, lamp_of(bench, device))) == {"counts-unknown"}


def events_left(bench: Bench) -> set[str]:
    """The names of the events that the device still keeps for a controller after the test."""
    config = bench.config()
    device = config.device(Device.SHUFFLER)
    assert device is not None
    supervisor = hands_on.supervisor_makers(config, 8)[device.kind](lambda: (0, 0))
    told: set[str] = set()

    def look(_now_s: float) -> None:
        told.update(type(getattr(event, "event", event)).__name__ for event in supervisor.events())

    with Running(supervisor, hands_on.port_opener(config, device), look) as running:
        assert running.until(lambda: "LidOpened" in told, 6)
    return told


def test_the_cables_of_shuffler_and_shoe_are_swapped(bench: Bench) -> None:
    bench.plug("shuffler", SimulatedShoe(now_s=bench.host.clock()))
    (found,) = bench.device(Device.SHUFFLER).findings
    assert (found.key, dict(found.values)["what"]) == ("device-other", "kind")


def test_another_serial_number(bench: Bench) -> None:
    shuffler(bench, "CSM-0002")
    (found,) = bench.device(Device.SHUFFLER).findings
    assert (found.key, dict(found.values)["found"]) == ("device-other", "CSM-0002")


def test_nothing_at_the_port_and_nothing_that_speaks(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    (found,) = bench.device(Device.SHUFFLER).findings
    assert dict(found.values)["trouble"] == "port-missing"
    monkeypatch.setattr(hands_on, "ANSWERS_WITHIN_S", 0.3)
    bench.plug("shuffler", SimulatedRelay())
    (found,) = bench.device(Device.SHUFFLER).findings
    assert dict(found.values)["trouble"] == "silent"


# ---- shoe and display


def test_a_shoe_is_locked_and_not_unlocked(bench: Bench) -> None:
    shoe = SimulatedShoe(now_s=bench.host.clock(), serial="SHOE-1")
    bench.plug("shoe", shoe)
    trial = bench.device(Device.SHOE)
    assert (trial.findings, trial.heard["serial_number"]) == ([], "SHOE-1")


def test_a_shoe_without_a_lock(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands_on, "DONE_WITHIN_S", 0.3)
    bench.plug("shoe", SimulatedShoe(now_s=bench.host.clock(), has_lock=False))
    assert names(bench.device(Device.SHOE)) == {"shoe-open"}


def test_a_reader_in_error(bench: Bench) -> None:
    shoe = SimulatedShoe(now_s=bench.host.clock())
    bench.plug("shoe", shoe)
    bench.host.call(lambda now_s: shoe.raise_error(3, now_s))
    assert names(bench.device(Device.SHOE)) == {"reader-error"}


def test_an_angel_eye_shoe(bench: Bench) -> None:
    bench.plug("shoe", SimulatedAngelEye())
    assert bench.device(Device.SHOE, shoe="angel-eye") == Trial([], {})


@pytest.mark.parametrize("protocol", ["tdp", "alpha"])
def test_a_display_shows_an_amount_and_the_fault_message(protocol: str, bench: Bench) -> None:
    display = SimulatedDisplay(now_s=bench.host.clock()) if protocol == "tdp" else SimulatedAlphaSign()
    bench.plug("display", display)
    shown: list[int | None] = []

    def looks() -> bool:
        shown.append(bench.host.call(lambda _now_s: display.shown_cents))
        return True

    assert names(bench.device(Device.JACKPOT_DISPLAY, Eyes(dict.fromkeys(SHOWS, looks)), display=protocol)) == set()
    assert shown == [123_456, None]
    nobody = Eyes(dict.fromkeys(SHOWS, lambda: False))
    assert names(bench.device(Device.JACKPOT_DISPLAY, nobody, 8, display=protocol)) == {"display-blank"}


SHOWS = ("display-amount", "display-fault")


def test_a_display_that_is_stuck(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands_on, "DONE_WITHIN_S", 0.3)
    bench.plug("display", SimulatedDisplay(now_s=bench.host.clock(), faults=FaultPlan((StuckDisplay(1),))))
    assert names(bench.device(Device.JACKPOT_DISPLAY)) == {"display-trouble"}


def test_the_markers_of_a_value_display_are_lit_and_blank(bench: Bench) -> None:
    display = SimulatedValueDisplay(now_s=bench.host.clock())
    bench.plug("display", display)
    shown: list[set[int]] = []

    def looks() -> bool:
        shown.append(set(bench.host.call(lambda _now_s: display.values)))
        return True

    port = DeviceConfig(Device.VALUE_DISPLAY, str(bench.here / "display"), Protocol.TDP, None)
    eyes = Eyes(dict.fromkeys(("markers-lit", "markers-blank"), looks))
    assert names(try_device(structs.replace(bench.config(), devices=(port,)), port, 7, eyes)) == set()
    assert shown == [{123_456}, {0}]


def test_the_lamps_of_jackpot_slots_and_a_chip(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands_on, "HANDS_WITHIN_S", 0.3)
    slots = SimulatedSlots(now_s=bench.host.clock())
    bench.plug("slots", slots)
    shown: list[str] = []

    def looks() -> bool:
        shown.append(bench.host.call(lambda _now_s: slots.lamp(16)))
        return True

    port = DeviceConfig(Device.JACKPOT_SLOTS, str(bench.here / "slots"), Protocol.TDP, None)
    eyes = Eyes(dict.fromkeys(("slots-lit", "slots-dark"), looks))
    assert names(try_device(structs.replace(bench.config(), devices=(port,)), port, 7, eyes)) == {"chip-unheard"}
    assert shown == ["lit", "dark"]
    eyes = replace(eyes, does={"lay-chip": lambda: bench.host.call(partial(slots.lay_chip, 3))})
    assert names(try_device(structs.replace(bench.config(), devices=(port,)), port, 8, eyes)) == set()


# --- the table is closed, and no other process has its ports


def test_a_table_that_runs_or_is_open_is_left_alone(bench: Bench) -> None:
    config = bench.config()
    with closed_table(config):
        pass  # no test has begun here
    shutil.copytree(KEPT, config.journal)
    with pytest.raises(TableInUse) as refused, closed_table(config):
        pass
    assert refused.value.use is Use.OPEN
    running = DirectoryStorage(config.journal)
    try:
        with pytest.raises(TableInUse) as refused, closed_table(config):
            pass
        assert refused.value.use is Use.RUNS
    finally:
        running.close()


def test_no_controller_begins_while_a_device_is_tried(bench: Bench) -> None:
    config = bench.config()
    config.journal.mkdir()
    with closed_table(config), pytest.raises(JournalLocked):
        DirectoryStorage(config.journal)


# ---- the command


def test_the_command_asks_on_stderr_and_answers_with_exit_code_and_document(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.plug("lamp", SimulatedLamp())
    file = str(bench.config().file)
    monkeypatch.setattr(sys, "stdin", io.StringIO("perhaps\nno\nno\n"))
    done = run(main, "device", "test", "lamp", "--config", file, "--json")
    document = json.loads(done.stdout)
    assert (done.returncode, document["ok"], document["simulated"]) == (1, False, True)
    assert document["asked"] == [{"question": "lamp-dark", "answer": "no"}, {"question": "lamp-lit", "answer": "no"}]
    assert "(NC)" in document["findings"][0]["remedy"]
    assert done.stderr.count("dark now?") == 2, "perhaps is no answer"
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\nsim\nyes\n"))
    assert run(main, "device", "test", "lamp", "--config", file).returncode == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(main, "device", "test", "lamp", "--config", file).returncode == 1


def test_the_command_refuses_with_a_reason(bench: Bench) -> None:
    config = bench.config()
    shutil.copytree(KEPT, config.journal)
    done = run(main, "device", "test", "shoe", "--config", str(config.file))
    assert (done.returncode, "session is open" in done.stderr) == (1, True)
    text = TABLE.format(here=bench.here, shoe="tdp", display="tdp")
    config.file.write_text(text.replace(text[text.index("[devices.lamp]") : text.index("[devices.buzzer]")], ""))
    done = run(main, "device", "test", "lamp", "--config", str(config.file))
    assert (done.returncode, "configures none" in done.stderr) == (2, True)


def test_every_question_and_finding_stands_in_the_catalogue_and_is_used() -> None:
    source = Path(hands_on.__file__).read_text()
    commission = {key for key in keys(Language.EN) if key.startswith("ask.has-")} | {
        "ask.again",
        "ask.started",
        "ask.own-badge",
    }
    asked = {key for key in keys(Language.EN) if key.startswith("ask.")} - {"ask.yes-or-no"} - commission
    assert [key for key in asked if f'"{key.removeprefix("ask.")}"' not in source] == []
    used = re.findall(r'(?:sees|is_asked|else|if|in)\(?,? ?"([a-z-]+)"', source)
    assert used
    assert [key for key in used if not has_key(f"ask.{key}")] == []


def test_every_finding_is_tried_here() -> None:
    found = re.findall(r'trial.found\("([a-z-]+)"', Path(hands_on.__file__).read_text())
    here = Path(__file__).read_text()
    assert [key for key in found if f'"{key}"' not in here] == []


def test_its_help_names_whatever_can_be_tried(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["device", "test", "--help"])
    said = "".join(capsys.readouterr().out.split())  # a line may end within a word
    assert f"oneof:{','.join(KINDS)}" in said
