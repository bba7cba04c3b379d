"""A configuration's ports and places must exist, and must be able to belong to one table."""

from pathlib import Path

import pytest
from config_file import ConfigFile


def test_a_pty_is_refused_at_a_table_that_is_not_simulated(file: ConfigFile) -> None:
    problems = file.replace("simulated = true", "simulated = false").problems()
    assert {key: problem.wrong.key for key, problem in problems.items()} == {
        "devices.shuffler.port": "config.wrong.port-pty",
        "devices.shoe.port": "config.wrong.port-pty",
    }


def test_a_link_to_a_pty_is_a_pty(file: ConfigFile, tmp_path: Path, ptys: dict[str, str]) -> None:
    link = tmp_path / "ttyUSB0"
    link.symlink_to(ptys["shuffler"])
    file.replace(ptys["shuffler"], str(link)).replace("simulated = true", "")
    assert file.problems()["devices.shuffler.port"].wrong.key == "config.wrong.port-pty"


def test_a_pty_is_not_judged_where_simulated_is_not_well_formed(file: ConfigFile) -> None:
    assert list(file.replace("simulated = true", "simulated = 1").problems()) == ["table.simulated"]


def test_a_missing_port_may_be_allowed(file: ConfigFile, ptys: dict[str, str]) -> None:
    file.replace(ptys["shoe"], "/dev/no-such-port")
    assert list(file.problems()) == ["devices.shoe.port"]
    assert file.problems(ports_may_be_missing=True) == {}


def test_what_is_there_and_no_tty_is_refused_even_where_ports_may_be_missing(file: ConfigFile) -> None:
    file.text = file.text.replace(file.text.split('port = "')[1].split('"')[0], str(file.path))
    problems = file.problems(ports_may_be_missing=True)
    assert problems["devices.shuffler.port"].wrong.key == "config.wrong.port-no-tty"


def test_two_devices_have_two_ports(file: ConfigFile, ptys: dict[str, str]) -> None:
    problems = file.replace(ptys["shoe"], ptys["shuffler"]).problems()
    assert {key: problem.wrong.key for key, problem in problems.items()} == {
        "devices.shoe.port": "config.wrong.port-twice"
    }


@pytest.mark.parametrize(
    ("port", "wrong"),
    [
        ("socket://10.0.0.7", "value"),
        ("socket://10.0.0.7:0", "value"),
        ("socket://10.0.0.7:70000", "value"),
        ("socket://ten;rm:4001", "value"),
        ("usb://1234:5678", "value"),
        ("usb://1234:567/SH-1", "value"),
        ("usb:///dev/bus/usb/001/002", "value"),
        ("/dev/ttyUSB0", "port-unstable"),
        ("/dev/ttyACM13", "port-unstable"),
        ("/dev/input/event3", "port-unstable"),
        ("/dev/gpiochip0", "port-unstable"),
        ("loop://", "url"),
        ("spy:///dev/ttyUSB0", "url"),
        ("ttyUSB0", "value"),
        ("", "value"),
    ],
)
def test_other_ports_are_refused_plainly(file: ConfigFile, ptys: dict[str, str], port: str, wrong: str) -> None:
    problems = file.replace(ptys["shoe"], port).problems()
    assert {key: problem.wrong.key for key, problem in problems.items()} == {
        "devices.shoe.port": f"config.wrong.{wrong}"
    }


@pytest.mark.parametrize(
    "port",
    [
        "/dev/serial/by-id/usb-Maker_Shoe_SH-1-if00",
        "/dev/serial/by-path/platform-fd500000.pcie-usb-0:1.2:1.0",
        "/dev/sabot/shoe",
        "/dev/ttyAMA0",
        "usb://1d50:60fc/SHOE-0001",
        "usb://1D50:60FC/SHOE-0001.b",
    ],
)
def test_names_that_stay_are_taken(file: ConfigFile, ptys: dict[str, str], port: str) -> None:
    assert file.replace(ptys["shoe"], port).problems(ports_may_be_missing=True) == {}


def test_one_usb_device_is_one_port_however_it_is_written(file: ConfigFile, ptys: dict[str, str]) -> None:
    file.replace(ptys["shoe"], "usb://1d50:60fc/A").replace(ptys["shuffler"], "usb://1D50:60FC/A")
    assert file.problems()["devices.shoe.port"].wrong.key == "config.wrong.port-twice"


SIGN = """
[devices.jackpot_display]
port = "{port}"
protocol = "{protocol}"
{options}
"""


def with_sign(file: ConfigFile, port: str, protocol: str, options: str = "") -> dict[str, str]:
    file.text += SIGN.format(port=port, protocol=protocol, options=options)
    return {key: one.wrong.key for key, one in file.problems(ports_may_be_missing=True).items()}


@pytest.mark.parametrize(
    ("port", "is_right"),
    [
        ("/dev/serial/by-path/platform-usb-0:1.2:1.0", True),
        ("/dev/sabot/jackpot-display", True),
        ("/dev/serial/by-id/usb-FTDI_A1-if00", False),
        ("usb://0403:6001/A1", False),
    ],
)
def test_a_sign_that_cannot_say_who_it_is_is_bound_to_a_physical_port(
    file: ConfigFile, port: str, is_right: bool
) -> None:
    wrong = {} if is_right else {"devices.jackpot_display.port": "config.wrong.rule.physical-port"}
    assert with_sign(file, port, "alpha") == wrong


def test_a_sign_that_cannot_say_who_it_is_has_no_serial_number(file: ConfigFile) -> None:
    found = with_sign(file, "/dev/sabot/sign", "alpha", 'serial_number = "S-1"')
    assert found == {"devices.jackpot_display.protocol": "config.wrong.rule.unauthenticated"}


def test_the_options_of_a_sign(file: ConfigFile) -> None:
    options = 'baud_rate = 9600\nframing = "8N1"\nchecksum = true\nread_back = false'
    assert with_sign(file, "/dev/sabot/sign", "alpha", options) == {}


def test_the_options_of_a_sign_are_of_no_other_display(file: ConfigFile) -> None:
    found = with_sign(file, "/dev/sabot/sign", "tdp", "checksum = true")
    assert found == {"devices.jackpot_display": "config.wrong.rule.wire-options"}


def test_alpha_is_spoken_by_displays_alone(file: ConfigFile) -> None:
    file.replace('protocol = "tdp"\n\n[journal]', 'protocol = "alpha"\n\n[journal]')
    assert file.problems()["devices.shoe.protocol"].wrong.key == "config.wrong.value"


def test_an_angel_eye_shoe_may_stand_behind_a_serial_server(file: ConfigFile, ptys: dict[str, str]) -> None:
    """An Angel Eye shoe may be behind a serial server, whose port is a fixed place, unlike an adapter's number."""
    file.replace(f'"{ptys["shoe"]}"\nprotocol = "tdp"', '"socket://moxa-3:4001"\nprotocol = "angel-eye"')
    assert file.problems() == {}
    file.replace("socket://moxa-3:4001", "/dev/serial/by-id/usb-FTDI_A1")
    problems = file.problems(ports_may_be_missing=True)
    assert problems["devices.shoe.port"].wrong.key == "config.wrong.rule.physical-port"


def test_nobody_can_ask_an_angel_eye_for_its_serial_number(file: ConfigFile, ptys: dict[str, str]) -> None:
    file.replace(
        f'"{ptys["shoe"]}"\nprotocol = "tdp"', f'"{ptys["shoe"]}"\nprotocol = "angel-eye"\nserial_number = "1"'
    )
    assert file.problems()["devices.shoe.protocol"].wrong.key == "config.wrong.rule.unauthenticated"


@pytest.mark.parametrize("place", ["journal", "journal/copy", "./journal/../journal", "."])
def test_a_second_copy_in_the_journal_s_own_place_is_none(file: ConfigFile, place: str) -> None:
    problems = file.replace('path = "journal"', f'path = "journal"\nsecond_copy = "{place}"').problems()
    assert {key: one.wrong.key for key, one in problems.items()} == {
        "journal.second_copy": "config.wrong.copy-in-journal"
    }


def test_a_second_copy_beside_the_journal_is_one(file: ConfigFile) -> None:
    assert not file.replace('path = "journal"', 'path = "journal"\nsecond_copy = "journal-2"').problems()


@pytest.mark.parametrize("port", ["/dev/zero", "/dev/null", "/dev/full"])
def test_what_answers_whatever_is_asked_of_it_is_no_port(file: ConfigFile, ptys: dict[str, str], port: str) -> None:
    problems = file.replace(ptys["shoe"], port).problems()
    assert {key: problem.wrong.key for key, problem in problems.items()} == {
        "devices.shoe.port": "config.wrong.port-no-tty"
    }


@pytest.mark.parametrize("place", ["journal", "journal/staff.toml", "copy/staff.toml"])
def test_nothing_lies_in_the_journal_or_its_copy_or_in_their_place(file: ConfigFile, place: str) -> None:
    file.replace('path = "journal"', 'path = "journal"\nsecond_copy = "copy"')
    file.replace("/etc/sabot/staff.toml", place)
    file.text += '\n[controller]\nstate = "journal"\nsocket = "copy/control.sock"\n'
    assert {key: problem.wrong.key for key, problem in file.problems().items()} == {
        "staff.path": "config.wrong.in-journal",
        "controller.state": "config.wrong.in-journal",
        "controller.socket": "config.wrong.in-journal",
    }


def test_a_name_that_is_too_long_is_no_place_and_a_device_no_certificate(file: ConfigFile) -> None:
    file.replace('path = "journal"', f'path = "{"j" * 300}"')
    file.text += '\n[panel]\nlisten = "127.0.0.1"\ncertificate = "/dev/zero"\n'
    assert {key: problem.wrong.key for key, problem in file.problems().items()} == {
        "journal.path": "config.wrong.no-directory",
        "panel.certificate": "config.wrong.file-not-ordinary",
    }


def test_a_file_in_the_journal_s_place_is_refused(file: ConfigFile) -> None:
    (file.path.parent / "journal").write_text("notes")
    assert {key: problem.wrong.key for key, problem in file.problems().items()} == {
        "journal.path": "config.wrong.no-directory"
    }
