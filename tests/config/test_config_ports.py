"""Ports of a configuration: what is there, and whether it may be a port of this table."""

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
        ("socket://10.0.0.7:4000", "url-not-yet"),
        ("usb://1234:5678/SH-1", "url-not-yet"),
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
