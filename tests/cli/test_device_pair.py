"""`sabot device pair`: two people give a simulated device its key, at a closed table, and remove it again."""

import gc
import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess

import pytest

import simulators.c
from controller.cli.main import main
from controller.config import Config, read_config
from controller.core.words import Device, Role
from controller.daemon.devices import supervisor_makers
from controller.doctor.bundle import gathered, secrets_of, without_secrets
from controller.doctor.host import Host
from controller.journal.storage import DirectoryStorage
from controller.record.pair_keys import PairKeyRefused, PairTrouble, name_of, path_at, read_pair_key
from controller.staff import StaffBook, save_staff
from controller.staff.book import HashCost
from drivers.running import Running
from simulators.devices.base import SimulatedDevice, seeded
from simulators.devices.c_others import CShoe
from simulators.devices.firmware import pairable
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.pty_port import PtyHost
from tests.endings import HANGS_S
from tests.in_process import run

pytestmark = pytest.mark.waits

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
[devices.shoe]
port = "{here}/shoe"
protocol = "{protocol}"
{more}
[journal]
path = "{here}/journal"
[staff]
path = "{here}/staff.toml"
"""
TECHNICIAN, CHIEF, DEALER = 21, 22, 23
PINS = {TECHNICIAN: "739161", CHIEF: "739162", DEALER: "739163"}


@dataclass
class Bench:
    """A table's directory, and the host of its devices."""

    here: Path
    host: PtyHost
    shoe: SimulatedShoe

    @property
    def file(self) -> Path:
        return self.here / "table.toml"

    def config(self, *more: str, protocol: str = "tdp") -> Config:
        self.file.write_text(TABLE.format(here=self.here, protocol=protocol, more="\n".join(more)))
        return read_config(self.file, ports_may_be_missing=True)

    def pair(
        self, *words: str, who: tuple[int, int] = (TECHNICIAN, CHIEF), pins: str = "", within_s: float = HANGS_S
    ) -> CompletedProcess[str]:
        read, write = os.pipe()
        os.write(write, (pins or "".join(f"{PINS[one]}\n" for one in who)).encode())
        os.close(write)
        people = ("--technician", str(who[0]), "--chief", str(who[1]), "--pin-fd", str(read))
        given = ("--config", str(self.file), *people, "--seconds", str(within_s), *words)
        try:
            return run(main, "device", "pair", "shoe", *given)
        finally:
            os.close(read)

    def switch_on(self) -> None:
        self.host.call(self.shoe.switch_pairing_on)


@contextmanager
def bench_of(tmp_path: Path, kind: type[SimulatedShoe]) -> Iterator[Bench]:
    people = StaffBook((), HashCost(8, 1, 1))
    for number, role in ((TECHNICIAN, Role.TECHNICIAN), (CHIEF, Role.CHIEF_SUPERVISOR), (DEALER, Role.DEALER)):
        people = people.with_person(number, "N", role, PINS[number], "")
    save_staff(people, tmp_path / "staff.toml")
    with PtyHost() as host:
        shoe = pairable(kind)(now_s=host.clock())
        made = Bench(tmp_path, host, shoe)
        made.config()
        host.add(tmp_path / "shoe", shoe, baud_rate=None)
        yield made


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with bench_of(tmp_path, SimulatedShoe) as made:
        yield made


def key_of(bench: Bench) -> bytes:
    return read_pair_key(path_at(bench.config(), Device.SHOE))


def test_two_people_pair_a_device_and_it_proves_itself(bench: Bench) -> None:
    bench.switch_on()
    done = bench.pair("--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    key, path = key_of(bench), path_at(bench.config(), Device.SHOE)
    assert said["paired"]
    assert not said["configured"]
    assert (said["serial_number"], said["key_name"]) == ("SIM-SHOE", name_of(key))
    assert bench.shoe.pairing.key == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert key.hex() not in done.stdout + done.stderr
    assert "sabot-sim" not in done.stdout


def test_the_table_speaks_with_its_paired_device_and_with_no_other(bench: Bench) -> None:
    bench.switch_on()
    assert bench.pair().returncode == 0
    assert connects(bench, "paired = true")
    assert not connects(bench), "without paired it is told that the device is another's"
    bench.shoe.pairing.key = bytes(range(32))
    assert not connects(bench, "paired = true")


def connects(bench: Bench, *more: str) -> bool:
    """True where a supervisor of this configuration, alone with the device, receives an identity."""
    config = bench.config(*more)
    [device] = [one for one in config.devices if one.kind is Device.SHOE]
    supervisor = supervisor_makers(config, 8)[Device.SHOE](lambda: (0, 0))
    from controller.daemon.devices import port_opener

    with Running(supervisor, port_opener(config, device), lambda _: None) as running:
        running.until(lambda: supervisor.connected or supervisor.trouble is not None, 5.0)
        return supervisor.connected


def test_a_device_whose_firmware_is_c_is_paired_and_unpaired(tmp_path: Path) -> None:
    with bench_of(tmp_path, CShoe) as bench:
        assert bench.pair(within_s=1.0).returncode == 1, "the switch is off"
        for words in ((), ("--remove",), ()):
            bench.switch_on()
            done = bench.pair(*words)
            assert done.returncode == 0, done.stderr
        assert connects(bench, "paired = true")
        assert not connects(bench), "without paired it is told that the device is another's"
        del bench
    gc.collect()  # its process ends with it


def test_the_table_of_the_makers_guide_pairs_a_device(bench: Bench) -> None:
    guide = (Path(simulators.c.__file__).parent / "MAKERS.md").read_text(encoding="utf-8")
    [table] = re.findall(r"```toml\n(\[table\].*?)```", guide, re.S)
    for written, here in (("/srv/bench", f"{bench.here}"), ("R1-000042", "SIM-SHOE")):
        assert written in table
        table = table.replace(written, here)
    bench.file.write_text(table)
    bench.switch_on()
    done = bench.pair()
    assert done.returncode == 0, done.stderr
    assert "paired = true" not in done.stdout, "the guide's table says it already"


def test_it_is_said_where_the_configuration_does_not_say_it(bench: Bench) -> None:
    bench.switch_on()
    assert "paired = true" in bench.pair().stdout
    bench.config("paired = true")
    bench.switch_on()
    assert "paired = true" not in bench.pair().stdout


def test_without_the_switch_nothing_is_paired(bench: Bench) -> None:
    done = bench.pair(within_s=1.0)
    assert done.returncode == 1
    assert "switch" in done.stderr
    assert bench.shoe.pairing.key is None
    assert refused_key(bench) is PairTrouble.MISSING


def refused_key(bench: Bench) -> PairTrouble:
    with pytest.raises(PairKeyRefused) as refused:
        key_of(bench)
    return refused.value.trouble


@pytest.mark.parametrize(
    ("who", "pins"),
    [
        ((CHIEF, TECHNICIAN), ""),
        ((TECHNICIAN, DEALER), ""),
        ((TECHNICIAN, TECHNICIAN), ""),
        ((TECHNICIAN, CHIEF), "739161\n000000\n"),
    ],
)
def test_one_of_the_two_alone_pairs_nothing(bench: Bench, who: tuple[int, int], pins: str) -> None:
    bench.switch_on()
    done = bench.pair(who=who, pins=pins)
    assert done.returncode == 1
    assert "Nothing was paired" in done.stderr
    assert bench.shoe.pairing.key is None


def test_while_a_controller_runs_nothing_is_paired(bench: Bench) -> None:
    bench.switch_on()
    with DirectoryStorage(bench.here / "journal"):
        done = bench.pair()
    assert done.returncode == 1
    assert bench.shoe.pairing.key is None


def test_a_pairing_is_undone_and_made_anew(bench: Bench) -> None:
    bench.switch_on()
    assert bench.pair().returncode == 0
    first = key_of(bench)
    assert bench.pair(within_s=1.0).returncode == 1, "the switch is off again"
    assert key_of(bench) == first
    bench.switch_on()
    assert bench.pair().returncode == 0
    assert key_of(bench) != first
    bench.switch_on()
    done = bench.pair("--remove")
    assert done.returncode == 0, done.stderr
    assert bench.shoe.pairing.key is None
    assert refused_key(bench) is PairTrouble.MISSING


def test_another_device_gets_no_key(bench: Bench) -> None:
    bench.config('serial_number = "SHOE-9"')
    bench.switch_on()
    done = bench.pair()
    assert done.returncode == 1
    assert "SHOE-9" in done.stderr
    assert bench.shoe.pairing.key is None


def plug(bench: Bench, device: SimulatedDevice) -> None:
    bench.host.add(bench.here / "shuffler", device, baud_rate=None)


def test_what_cannot_be_paired_is_said(bench: Bench) -> None:
    people = ("--technician", str(TECHNICIAN), "--chief", str(CHIEF))
    shuffler = SimulatedShuffler(rng=seeded(1), now_s=bench.host.clock())
    plug(bench, shuffler)
    read, write = os.pipe()
    os.write(write, f"{PINS[TECHNICIAN]}\n{PINS[CHIEF]}\n".encode())
    os.close(write)
    done = run(main, "device", "pair", "shuffler", "--config", str(bench.file), *people, "--pin-fd", str(read))
    os.close(read)
    assert done.returncode == 1
    assert "1.0" in done.stderr
    assert run(main, "device", "pair", "jackpot-display", "--config", str(bench.file), *people).returncode == 2
    bench.config(protocol="angel-eye")
    assert bench.pair().returncode == 2


def test_nobody_at_the_port(bench: Bench) -> None:
    bench.host.call(lambda now_s: bench.shoe.hang(now_s, for_s=60))
    done = bench.pair(within_s=1.0)
    assert done.returncode == 1
    assert "Nobody answers" in done.stderr


@pytest.mark.parametrize(
    ("content", "mode", "trouble"),
    [
        (bytes(range(32)), 0o640, PairTrouble.OPEN),
        (bytes(range(31)), 0o600, PairTrouble.NO_KEY),
        (bytes(33), 0o600, PairTrouble.NO_KEY),
        (bytes(32), 0o600, PairTrouble.NO_KEY),
    ],
)
def test_what_is_no_key_is_not_used(bench: Bench, content: bytes, mode: int, trouble: PairTrouble) -> None:
    path = path_at(bench.config(), Device.SHOE)
    path.write_bytes(content)
    path.chmod(mode)
    assert refused_key(bench) is trouble


def test_a_directory_in_the_place_of_a_key(bench: Bench) -> None:
    path_at(bench.config(), Device.SHOE).mkdir()
    assert refused_key(bench) is PairTrouble.UNREADABLE


def test_a_key_stands_in_no_configuration_and_in_no_bundle(bench: Bench) -> None:
    bench.switch_on()
    assert bench.pair().returncode == 0
    config = bench.config("paired = true")
    key = key_of(bench)
    assert all(key.hex() not in value for _key, value in config.values)
    assert key in secrets_of(config)
    leaky = gathered(Host(bench.here, bench.file), config) | {"log": b"a key: " + key.hex().encode()}
    clean, left = without_secrets(leaky, secrets_of(config))
    assert left == ["log"]
    assert not any(key in piece or key.hex().encode() in piece for piece in clean.values())


def test_doctor_says_what_proves_nothing(bench: Bench) -> None:
    bench.config()
    said = run(main, "doctor", "--config", str(bench.file), "--root", str(bench.here))
    assert said.stdout.count("unproven") == 2
    bench.config("paired = true")
    said = run(main, "doctor", "--config", str(bench.file), "--root", str(bench.here), "--json")
    document = json.loads(said.stdout)
    assert document["unproven"] == ["shuffler"]
    assert "pair-key" in {one["finding"] for one in document["findings"]}
