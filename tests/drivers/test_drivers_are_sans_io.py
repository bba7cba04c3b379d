"""Only the files that touch ports may know the operating system: a virtual-time world runs all the others."""

import ast
from pathlib import Path

import pytest

import drivers

SHELL = {
    "badge_port.py",
    "dark_lamp.py",
    "gpio_port.py",
    "port_list.py",
    "running.py",
    "serial_io.py",
    "serial_port.py",
    "tcp_port.py",
    "usb_port.py",
}
OUTSIDE = {
    "asyncio",
    "fcntl",
    "gpiod",
    "os",
    "random",
    "select",
    "serial",
    "socket",
    "termios",
    "threading",
    "time",
    "usb",
}
FILES = sorted(Path(drivers.__path__[0]).glob("*.py"))


def imported(file: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name.split(".")[0] for name in plain} | {
        (node.module or "").split(".")[0] for node in nodes if isinstance(node, ast.ImportFrom)
    }


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_driver_file_knows_no_clock_thread_or_port_unless_it_is_the_shell(file: Path) -> None:
    assert bool(imported(file) & OUTSIDE) is (file.name in SHELL)
