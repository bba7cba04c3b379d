"""`sabot doctor` on installations with one broken part each: it names this part with its remedy, and no other."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from hashlib import md5
from pathlib import Path

import pytest
from installation import FOLDER, Installation

from controller.catalogue import Language, has_key, keys
from controller.cli.main import main
from controller.core.words import Role
from controller.doctor import medium as medium_checks

HANDS_ON = FOLDER.parent / "controller/doctor/hands_on.py"


def packaged(it: Installation, files: dict[str, str]) -> None:
    """Makes dpkg take these files for those of the installed package; they are not there."""
    says = {"Package": "sabot", "Status": "install ok installed", "Version": "1", "Architecture": "all"}
    says |= {"Maintainer": "Sabot", "Description": "controller"}
    it.put("var/lib/dpkg/status", "".join(f"{key}: {value}\n" for key, value in says.items()) + "\n")
    it.put("var/lib/dpkg/info/sabot.list", "".join(f"/{name}\n" for name in files))
    sums = (f"{md5(text.encode(), usedforsecurity=False).hexdigest()}  {name}\n" for name, text in files.items())
    it.put("var/lib/dpkg/info/sabot.md5sums", "".join(sums))


def mounts(kind: str, options: str = "rw") -> Callable[[Installation], object]:
    return lambda it: it.put("proc/self/mounts", f"x / {kind} {options} 0 0\n/dev/sda1 {it.second} ext4 rw 0 0\n")


def puts(name: str, text: str) -> Callable[[Installation], object]:
    return lambda it: it.put(name, text)


def mode(name: str, bits: int) -> Callable[[Installation], object]:
    return lambda it: (it.root / name).chmod(bits)


def gone(name: str) -> Callable[[Installation], object]:
    return lambda it: shutil.rmtree(it.root / name) if (it.root / name).is_dir() else (it.root / name).unlink()


def console_on_the_shoe(it: Installation) -> None:
    it.put("proc/cmdline", f"console={(it.root / 'dev/sabot/shoe').resolve().name},115200")


def adapter_of_the_shoe(held_ms: str) -> Callable[[Installation], object]:
    def plugged(it: Installation) -> None:
        port = (it.root / "dev/sabot/shoe").resolve().name
        it.put(f"sys/bus/usb-serial/devices/{port}/latency_timer", held_ms)

    return plugged


def to_another(it: Installation) -> None:
    """Makes the controller's user another one than the owner of the test's files."""
    it.put("etc/passwd", "sabot:x:54321:54321::/:/bin/false\n")
    it.put("etc/group", f"sabot:x:54321:technician\nplugdev:x:{os.getegid()}:sabot\n")


UPLINK = 'address = "floor.example:8443"\nauthority = "floor.pem"\ncertificate = "uplink.pem"\n'
WANTS = "etc/systemd/system/multi-user.target.wants/sabot-uplink.service"


def with_uplink(*files: str, mode_bits: int = 0o640) -> Callable[[Installation], object]:
    """A change that configures a floor and makes the files `files` for it with the rights `mode_bits`."""

    def breaks(it: Installation) -> None:
        it.configure("[journal]", f"[uplink]\n{UPLINK}[journal]")
        for name in files:
            it.put(name).chmod(mode_bits)

    return breaks


BROKEN: dict[str, tuple[str, Callable[[Installation], object]]] = {
    "two cables swapped away": ("port-missing", gone("dev/sabot/shoe")),
    "group missing": ("port-closed", mode("dev/sabot/shoe", 0o000)),
    "a console on the port": ("port-is-console", console_on_the_shoe),
    "a slow adapter": ("port-slow", adapter_of_the_shoe("16")),
    "serial number left out": ("device-not-bound", lambda it: it.configure('serial_number = "SHOE-0001"\n')),
    "key of a pair lost": (
        "pair-key",
        lambda it: it.configure('serial_number = "SHOE-0001"\n', 'serial_number = "SHOE-0001"\npaired = true\n'),
    ),
    "USB without drop-in": (
        "drop-in-missing",
        lambda it: it.configure(f'"{it.root}/dev/sabot/shoe"', '"usb://1d50:60fc/SHOE-0001"'),
    ),
    "relay wrong way": (
        "lamp-stays",
        puts("sys/module/pinctrl_bcm2835/parameters/persist_gpio_outputs", "Y"),
    ),
    "no lamp": ("no-lamp", lambda it: it.configure(f'[devices.lamp]\nport = "{it.root}/dev/sabot/gpio"\nline = 17\n')),
    "overlay root": ("medium-forgets", mounts("overlay")),
    "card gone read-only": ("medium-read-only", mounts("ext4", "ro")),
    "state directory missing": ("state-missing", gone("var/lib/sabot")),
    "state of another user": ("state-of-another", to_another),
    "state open to all": ("state-open", mode("var/lib/sabot", 0o777)),
    "no configuration": ("config-missing", gone("etc/sabot/table.toml")),
    "configuration wrong": ("config", lambda it: it.configure("decks = 6", "decks = 5")),
    "configuration open to all": ("config-open", mode("etc/sabot/table.toml", 0o666)),
    "user missing": ("user-missing", puts("etc/passwd", "root:x:0:0::/:/bin/sh\n")),
    "no second copy": (
        "no-second-copy",
        lambda it: it.configure(f'second_copy = "{it.second}/table-1"\n'),
    ),
    "stick pulled": ("second-copy-gone", gone("media/journal")),
    "medium of the journal not mounted": ("journal-elsewhere", gone("var/lib/sabot/journal.pub")),
    "another table's journal": ("journal-elsewhere", puts("var/lib/sabot/journal.pub", "22" * 32)),
    "no mark outside the medium": ("journal-unknown", gone("etc/sabot/table.pub")),
    "second copy closed by the unit": ("second-copy-closed", gone("etc/systemd/system/sabot.service.d/second.conf")),
    "nobody to call": ("staff-lacks", lambda it: it.staff(Role.DEALER, Role.TECHNICIAN)),
    "no staff file": ("staff-missing", gone("var/lib/sabot/staff.toml")),
    "staff file open to all": ("staff", mode("var/lib/sabot/staff.toml", 0o644)),
    "key readable": ("key-open", mode("var/lib/sabot/journal.key", 0o644)),
    "key lost": ("key-gone", gone("var/lib/sabot/seal.key")),
    "technician not in the group": ("group-empty", puts("etc/group", "sabot:x:900:\ndialout:x:20:\n")),
    "no RTC": ("no-rtc", gone("sys/class/rtc/rtc0")),
    "undervoltage": ("undervoltage-now", puts("sys/devices/platform/soc/soc:firmware/get_throttled", "50001")),
    "undervoltage earlier": (
        "undervoltage-earlier",
        puts("sys/devices/platform/soc/soc:firmware/get_throttled", "10000"),
    ),
    "throttled": ("hot", puts("sys/devices/platform/soc/soc:firmware/get_throttled", "4")),
    "hot": ("hot", puts("sys/class/thermal/thermal_zone0/temp", "86000")),
    "no watchdog": ("no-watchdog", gone("dev/watchdog")),
    "watchdog not used": ("watchdog-unused", gone("etc/systemd/system.conf.d/watchdog.conf")),
    "radio on": ("radio-on", puts("sys/class/rfkill/rfkill0/soft", "0")),
    "a USB device without a rule": ("usb-kept-out", puts("sys/bus/usb/devices/1-1.3/authorized", "0")),
    "a hub that lets any device in": ("usb-open", puts("sys/bus/usb/devices/usb1/authorized_default", "1")),
    "any USB device": ("usb-open", puts("sys/module/usbcore/parameters/authorized_default", "1")),
    "no key for the floor": ("uplink-file-missing", with_uplink("etc/sabot/floor.pem", WANTS)),
    "key for the floor open to all": (
        "uplink-key-open",
        with_uplink("etc/sabot/floor.pem", "etc/sabot/uplink.pem", WANTS, mode_bits=0o644),
    ),
    "uplink not enabled": ("uplink-unused", with_uplink("etc/sabot/floor.pem", "etc/sabot/uplink.pem")),
    "unit missing": ("unit-missing", gone("usr/lib/systemd/system/sabot.service")),
    "unit loosened": ("unit-loose", puts("etc/systemd/system/sabot.service.d/x.conf", "[Service]\nUser=root\n")),
    "few descriptors": (
        "descriptors-few",
        puts("etc/systemd/system/sabot.service.d/x.conf", "[Service]\nLimitNOFILE=64\n"),
    ),
    "few descriptors of the panel": (
        "descriptors-few",
        puts("etc/systemd/system/sabot-panel.service.d/x.conf", "[Service]\nLimitNOFILE=256:4096\n"),
    ),
    "few descriptors while it runs": ("descriptors-few", lambda it: it.runs("sabot", descriptors=9, limit="100")),
    "descriptors that are never closed": ("descriptors-grow", lambda it: it.runs("sabot", descriptors=129)),
    "unit overridden": (
        "unit-overridden",
        lambda it: it.put("etc/systemd/system/sabot.service", (FOLDER / "sabot.service").read_text()),
    ),
}

ALONG = {
    "second-copy-beside",  # the test's directories lie on one medium
    "no-room",
    "little-room",
    "medium-slow",
    "medium-too-slow",  # the machine of the test
}
FOLLOWS = {
    "state-missing": {"staff-missing", "port-closed", "journal-elsewhere"},
    "state-of-another": {"port-closed"},
    "config-open": set(),
    "unit-missing": set(),
    "group-empty": set(),
}
"""The further findings that a broken part causes, by the part's own finding."""


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    made = Installation(tmp_path)
    yield made
    made.close()


def test_nothing_is_wrong_with_one_that_is_right(installation: Installation) -> None:
    assert installation.found() - ALONG == set()


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_is_named(case: str, installation: Installation) -> None:
    key, spoil = BROKEN[case]
    spoil(installation)
    found = installation.found() - ALONG
    assert key in found
    assert found - {key} <= FOLLOWS.get(key, set())


@pytest.mark.waits
def test_a_changed_program_is_named_and_a_card_without_the_manual_has_none(installation: Installation) -> None:
    manual = {"usr/share/man/man1/sabot.1": "as delivered", "usr/share/doc/sabot/copyright": ""}
    packaged(installation, manual)
    assert "program-changed" not in installation.found()
    packaged(installation, manual | {"usr/lib/sabot/other.py": "as delivered"})
    assert "program-changed" in installation.found()


def test_an_adapter_at_its_quickest_is_well(installation: Installation) -> None:
    adapter_of_the_shoe("1")(installation)
    assert "port-slow" not in installation.found()


@pytest.mark.parametrize("limit", ["1024", "unlimited"])
def test_a_unit_that_runs_with_enough_descriptors(limit: str, installation: Installation) -> None:
    installation.runs("sabot", descriptors=128, limit=limit)
    installation.runs("sabot-panel", descriptors=640, limit=limit)
    assert installation.found() - ALONG == set()


def test_limit_open_descriptors_and_margin_are_said(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    installation.runs("sabot", descriptors=31)
    where = ["--root", str(installation.root), "--config", str(installation.config)]
    main(["doctor", "--json", *where])
    assert json.loads(capsys.readouterr().out)["descriptors"] == [
        {"unit": "sabot.service", "limit": 1024, "open": 31, "left": 993},
        {"unit": "sabot-panel.service", "limit": 1024, "open": None, "left": None},
    ]
    main(["doctor", *where])
    assert "sabot.service: 31 of 1024 files and connections are open, 993 are left." in capsys.readouterr().out


def test_no_clock_at_all(installation: Installation) -> None:
    gone("sys/class/rtc/rtc0")(installation)
    gone("run/systemd/timesync/synchronized")(installation)
    assert "no-clock" in installation.found()


@pytest.mark.parametrize(("took_s", "key"), [(0.2, "medium-slow"), (2.0, "medium-too-slow"), (0.001, None)])
def test_a_slow_medium(
    took_s: float, key: str | None, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A medium whose sync takes `took_s` on a simulated clock gets the finding `key`, or none."""
    now = [0.0]
    monkeypatch.setattr(medium_checks.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(medium_checks.os, "fdatasync", lambda _descriptor: now.__setitem__(0, now[0] + took_s))
    found = installation.found() & {"medium-slow", "medium-too-slow"}
    assert found == ({key} if key else set())
    assert not (installation.state / ".doctor").exists()


@pytest.mark.parametrize(("free_mb", "key"), [(50, "no-room"), (1_000, "little-room"), (20_000, None)])
def test_room_in_days(
    free_mb: int, key: str | None, installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Free:
        f_bavail, f_frsize = free_mb * 1000, 1000

    monkeypatch.setattr(medium_checks.os, "statvfs", lambda _path: Free)
    assert installation.found() & {"no-room", "little-room"} == ({key} if key else set())


def test_staff_on_the_stick(installation: Installation) -> None:
    installation.configure(f"{installation.state}/staff.toml", f"{installation.second}/staff.toml")
    assert "keys-on-copy" in installation.found()


def test_the_seals_key_on_the_stick(installation: Installation) -> None:
    installation.configure("[staff]", f'[controller]\nstate = "{installation.second}/state"\n[staff]')
    assert "keys-on-copy" in installation.found()


def test_every_finding_has_words_and_remedy_and_a_case() -> None:
    sources = "".join(path.read_text() for path in (FOLDER.parent / "controller/doctor").glob("*.py"))
    known = {key.removeprefix("doctor.found.") for key in keys(Language.EN) if key.startswith("doctor.found.")}
    assert {key for key in known if f'"{key}"' not in sources} == set()
    assert [key for key in known if not has_key(f"doctor.remedy.{key}")] == []
    tried = {key for key, _spoil in BROKEN.values()} | ALONG | {"no-clock", "keys-on-copy"} | of_device_tests()
    tried |= {"keys-hidden"}  # by tests/cli/test_unusable_files.py, as a user without all rights
    assert known - tried == {"program-changed"}  # by the test of a changed program, with dpkg
    assert len(tried) > 20


def of_device_tests() -> set[str]:
    """The keys of the findings that only a device test makes; test_device_test.py tries these."""
    return set(re.findall(r'(?:trial.found\(|^        )"([a-z-]+)"', HANDS_ON.read_text(), re.MULTILINE))


def test_exit_codes_and_document(installation: Installation, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--root", str(installation.root), "--config", str(installation.config)]
    gone("sys/class/rtc/rtc0")(installation)
    assert main(["doctor", "--json", *where]) in (1, 2)  # 2: a slow or full machine
    document = json.loads(capsys.readouterr().out)
    assert "no-rtc" in {one["finding"] for one in document["findings"]}
    gone("dev/sabot/shoe")(installation)
    assert main(["doctor", *where]) == 2
    text = capsys.readouterr().out
    assert text.startswith("MUST BE MENDED ")
    assert "dtoverlay=i2c-rtc" in text


def test_a_wrong_configuration_is_told_line_by_line(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    installation.configure("decks = 6", "decks = 5")
    assert main(["doctor", "--root", str(installation.root), "--config", str(installation.config)]) == 2
    assert "table.decks" in capsys.readouterr().out
