"""The files of systemd/: the unit permits the table's devices and no others; rules and drop-in use stable names."""

import re
from pathlib import Path

import msgspec

from controller.commission.mark import BEGUN, OVER
from controller.doctor.descriptors import NEEDED
from controller.floor.config import FloorConfig
from controller.machine.connections import MOST, OTHER_DESCRIPTORS
from controller.machine.socket_path import SERVICE_SOCKET

FOLDER = Path(__file__).parents[2] / "systemd"


def allowed(text: str) -> set[str]:
    return set(re.findall(r"^DeviceAllow=(.+)$", text, re.MULTILINE))


def test_the_unit_lets_lines_serial_ports_and_readers_in_and_nothing_else() -> None:
    unit = (FOLDER / "sabot.service").read_text()
    kinds = {"ttyUSB", "ttyACM", "ttyAMA", "gpiochip"}
    assert allowed(unit) == {f"char-{kind} rw" for kind in kinds} | {"char-input r"}


def test_drivers_that_are_modules_are_loaded_before_the_unit_may_use_their_devices() -> None:
    """A pattern of DeviceAllow is looked up in /proc/devices when the unit starts; a later driver is not let in."""
    drivers = {"ttyUSB": "usbserial", "ttyACM": "cdc_acm", "usb_device": "usbcore"}
    for name in ("sabot.service", "sabot-commission.service", "usb.conf"):
        text = (FOLDER / name).read_text()
        kinds = {kind for kind in drivers if f"char-{kind} rw" in allowed(text)}
        wanted = {f"modprobe@{drivers[kind]}.service" for kind in kinds}
        for key in ("Wants", "After"):
            assert kinds
            assert wanted <= set(" ".join(re.findall(rf"^{key}=(.+)$", text, re.MULTILINE)).split()), name


def test_the_unit_leaves_no_core_dump_to_a_file_or_to_a_program() -> None:
    """1 byte: too little for a core file, and the only limit for which the kernel starts no program of core_pattern."""
    assert re.findall(r"^LimitCORE=(.*)$", (FOLDER / "sabot.service").read_text(), re.MULTILINE) == ["1"]


def test_each_unit_may_have_more_descriptors_than_it_ever_needs() -> None:
    for unit, needed in NEEDED.items():
        said = re.findall(r"^LimitNOFILE=(\d+)$", (FOLDER / f"{unit}.service").read_text(), re.MULTILINE)
        assert [int(number) >= 1.5 * needed for number in said] == [True], unit
    assert NEEDED["sabot-panel"] == MOST + OTHER_DESCRIPTORS
    for unit in ("sabot-demo", "sabot-metrics"):
        assert "\nLimitNOFILE=1024\n" in (FOLDER / f"{unit}.service").read_text()


def test_usb_is_a_drop_in_that_adds_what_libusb_needs() -> None:
    drop_in = (FOLDER / "usb.conf").read_text()
    assert allowed(drop_in) == {"char-usb_device rw"}
    assert "RestrictAddressFamilies=AF_NETLINK\n" in drop_in


def test_every_rule_gives_its_device_to_the_service_alone_under_a_name_of_ours() -> None:
    lines = (FOLDER / "60-sabot.rules").read_text().splitlines()
    rules = [line.lstrip("#") for line in lines if re.match(r"#?SUBSYSTEM==", line)]
    assert len(rules) >= 7
    for rule in rules:
        parts = rule.split(", ")
        assert {'GROUP="sabot"', 'MODE="0660"'} <= set(parts), rule
        assert "usb_device" in rule or re.search(r'SYMLINK\+="sabot/[a-z-]+"', rule), rule
        assert all(re.fullmatch(r'[A-Z]+(\{[A-Za-z_]+\})?(==|\+=|=)"[^"]+"', part) for part in parts), rule


def test_an_adapter_is_set_to_1_ms_whenever_it_is_plugged_in() -> None:
    rule = (FOLDER / "59-sabot-latency.rules").read_text().splitlines()[-1]
    assert {'ACTION=="add"', 'SUBSYSTEM=="usb-serial"', 'DRIVER=="ftdi_sio"', 'ATTR{latency_timer}="1"'} == set(
        rule.split(", ")
    )
    assert "59-sabot-latency.rules" in (FOLDER / "debian/build.py").read_text()


def test_what_the_example_offers_is_what_the_rules_make() -> None:
    rules = (FOLDER / "60-sabot.rules").read_text()
    ports = re.findall(r'port = "/dev/(sabot/[a-z-]+)"', (FOLDER / "table.toml.example").read_text())
    assert len(set(ports)) >= 5
    assert all(f'SYMLINK+="{port}"' in rules for port in ports)


def test_the_uplink_has_the_network_and_nothing_of_the_table_but_its_socket() -> None:
    """The uplink's unit has the network and only the table's socket, and no package starts it."""
    unit = (FOLDER / "sabot-uplink.service").read_text()
    assert allowed(unit) == set()
    assert {"PrivateDevices=yes", "DynamicUser=yes", "InaccessiblePaths=-/var/lib/sabot"} <= set(unit.splitlines())
    assert "u sabot-uplink - " in (FOLDER / "sabot.sysusers").read_text()
    assert "StateDirectory" not in unit
    assert "sabot-uplink" not in re.findall(r"enable .*", (FOLDER / "debian/postinst").read_text())[0]


def test_the_floor_has_the_network_and_nothing_of_a_table() -> None:
    """The floor's unit has the network and nothing of a table, and no table's package starts it."""
    unit = (FOLDER / "floor/sabot-floor.service").read_text()
    assert allowed(unit) == set()
    assert {"PrivateDevices=yes", "User=sabot-floor", "InaccessiblePaths=-/var/lib/sabot"} <= set(unit.splitlines())
    assert "u sabot-floor - " in (FOLDER / "floor/sysusers").read_text()
    assert " enable " not in (FOLDER / "floor/postinst").read_text()
    assert "sabot-floor" not in (FOLDER / "debian/postinst").read_text()


def test_the_example_of_a_floors_configuration_is_one() -> None:
    text = (FOLDER / "floor/floor.toml.example").read_text().replace("\n#", "\n")
    config = msgspec.toml.decode(text, type=FloorConfig)
    assert config.sign_in is not None
    assert config.page is not None
    assert config.witness is not None


def test_the_panel_has_the_network_and_nothing_of_the_table_but_its_socket() -> None:
    unit = (FOLDER / "sabot-panel.service").read_text()
    assert allowed(unit) == set()
    assert {"PrivateDevices=yes", "DynamicUser=yes", "InaccessiblePaths=-/var/lib/sabot"} <= set(unit.splitlines())
    assert re.findall(r"^RestrictAddressFamilies=(.*)$", unit, re.MULTILINE) == ["AF_UNIX AF_INET AF_INET6"]
    assert "StateDirectory" not in unit
    assert re.findall(r"^LimitCORE=(.*)$", unit, re.MULTILINE) == ["1"]


def test_the_screen_s_browser_starts_when_the_panel_serves() -> None:
    panel, kiosk = ((FOLDER / f"sabot-{name}.service").read_text() for name in ("panel", "kiosk"))
    assert {"Type=notify", "NotifyAccess=main"} <= set(panel.splitlines())
    assert "sabot-panel.service" in re.findall(r"^After=(.*)$", kiosk, re.MULTILINE)[0].split()


def test_the_commissioning_has_no_network_writes_three_things_and_starts_once() -> None:
    unit = (FOLDER / "sabot-commission.service").read_text()
    assert allowed(unit) == allowed((FOLDER / "sabot.service").read_text())
    lines = set(unit.splitlines())
    assert {"PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX", "ProtectSystem=strict", "LimitCORE=1"} <= lines
    assert "ReadWritePaths=/etc/sabot /var/lib/sabot" in lines
    assert f"ConditionPathExists=!/etc/sabot/{OVER}" in lines
    assert f"ConditionPathExists=|/etc/sabot/{BEGUN}" in lines
    assert "sabot-commission" not in re.findall(r"enable .*", (FOLDER / "debian/postinst").read_text())[0]


def test_a_path_that_waits_for_a_service_is_no_part_of_what_services_wait_for() -> None:
    """By default every service starts after paths.target, and that after every path: a circle that systemd cuts."""
    paths = list(FOLDER.rglob("*.path"))
    assert paths
    for path in paths:
        text = path.read_text()
        waits = re.search(r"^After=.*\.service", text, re.MULTILINE) is not None
        assert waits <= ("DefaultDependencies=no\n" in text), path.name


def test_the_screen_s_compositor_has_a_directory_for_its_socket_that_is_not_hidden() -> None:
    """PAM sets /run/user/N after Environment=, and ProtectHome hides it: the command itself names another one."""
    unit = (FOLDER / "sabot-kiosk.service").read_text()
    (directory,) = re.findall(r"^RuntimeDirectory=(.+)$", unit, re.MULTILINE)
    assert "ProtectHome=yes\n" in unit
    assert re.findall(r"^ExecStart=(\S+ \S+) /usr/bin/cage ", unit, re.MULTILINE) == [
        f"/usr/bin/env XDG_RUNTIME_DIR=%t/{directory}"
    ]


def test_the_commissioning_s_socket_is_where_the_panel_looks_for_it() -> None:
    served = re.findall(r"--serve (\S+)", (FOLDER / "sabot-commission.service").read_text())
    panel = (FOLDER / "sabot-panel.service").read_text()
    assert re.findall(r"--commission (\S+)", panel) == served
    assert f"ConditionPathExists=|{served[0]}" in panel.splitlines()


def test_every_unit_and_rule_that_lies_here_is_in_the_package_or_an_example() -> None:
    build = (FOLDER / "debian/build.py").read_text()
    here = [path.name for kind in ("*.service", "*.path", "*.rules") for path in FOLDER.glob(kind)]
    assert [name for name in here if f'"{name}": ' not in build and f'/ "{name}"' not in build] == []


def test_a_refused_start_leaves_its_note_where_the_panel_looks() -> None:
    assert "\nRuntimeDirectoryPreserve=yes\n" in (FOLDER / "sabot.service").read_text()
    assert f"\nEnvironment=SABOT_SOCKET={SERVICE_SOCKET}\n" in (FOLDER / "sabot-panel.service").read_text()
