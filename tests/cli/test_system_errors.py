"""Commands report the system's errors in the catalogue's words and the terminal's language, without system English."""

import ast
import errno
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import controller
import drivers
from controller.catalogue import Language, has_key, keys, sentence
from controller.cli.main import main
from controller.machine.toml_text import NotToml, toml_of
from drivers.errors import PortFault, PortRefused, system_word
from simulators.cli import main as simulators
from tests.in_process import run

pytestmark = pytest.mark.waits

ENGLISH = re.compile(
    r"\[Errno|Traceback|\b(?:no such|not a|is a|permission|denied|refused|too (?:many|long)|file name|read-only|reset|"
    r"connection|expected|invalid|cannot|unterminated|codec|line|column|Error)\b",
    re.IGNORECASE,
)
"""Matches English words of Python, the system and the libraries about these errors."""

LONG = "n" * 300
PLACES = ("nothing", "folder", "garbage", "circle", "garbage/x", LONG, "twice.toml", "latin", "deep")
AT_A_PLACE = (
    "config check {}",
    "run --config {}",
    "panel --config {}",
    "status --config {}",
    "status --socket {}",
    "act --list --socket {}",
    "staff list --file {}",
    "staff add --file {} --number 1 --name A --role dealer --pin-fd 99",
    "scenario run {}",
    "journal show {}",
    "journal verify {}",
    "journal replay {}",
    "journal seal {} --staff s --technician 1 --chief 2",
    "backup --config {} --to k --out o",
    "restore {} --key k --config c",
    "decommission --config {} --export e --acknowledged a",
    "device probe {}",
    "device watch {} --kind shoe --protocol tdp",
    "device conform {} --kind shoe",
    "device show {} --protocol tdp --cents 3",
    "device test lamp --config {}",
    "doctor --config {}",
    "commission --config c --answers {}",
)
ALONE = (
    *(f"metrics --{option} {place}" for option in ("out", "listen") for place in ("garbage/x", LONG)),
    *(f"commission --config {LONG}", "metrics --listen folder", "metrics --listen circle", "status --socket dead.sock"),
    *("device probe /dev/null", "device probe socket://127.0.0.1:1", "device probe nowhere://1"),
    *("journal export journal --out garbage/x/y", "journal show journal --since soon"),
)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a folder of unusable files, each of which the system or a library refuses for another reason."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SABOT_LANGUAGE", "pt")
    for name in ("folder", "journal"):
        (tmp_path / name).mkdir(mode=0o700)
    for name, content in {
        "garbage": b"x = [\n",
        "twice.toml": b"[a]\nx = 1\nx = 2\n",
        "latin": b"a = 1\nb = '\xe9'\n",
        "deep": b"x = " + b"[" * 3000,
    }.items():
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o600)
    (tmp_path / "circle").symlink_to("circle")
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind("dead.sock")


@pytest.mark.usefixtures("places")
@pytest.mark.parametrize("command", [*AT_A_PLACE, *ALONE])
def test_no_english_stands_in_a_portuguese_answer(command: str) -> None:
    for place in PLACES if "{}" in command else ("",):
        ended = run(main, *command.format(place).split())
        told = re.sub(r"\(openssl .*?\)|utilização:.*?\n(?=sabot)", "", ended.stdout + ended.stderr, flags=re.DOTALL)
        assert ended.returncode in {1, 2, 4}, place
        assert told.strip(), place
        assert ENGLISH.search(told.replace(LONG, "")) is None, told


@pytest.mark.usefixtures("places")
@pytest.mark.parametrize("command", ["demo --state-dir garbage/x", "table --config nothing", "table --config garbage"])
def test_nor_in_one_of_the_simulators(command: str) -> None:
    told = run(simulators, *command.split()).stderr
    assert told
    assert ENGLISH.search(told) is None, told


@pytest.mark.usefixtures("places")
def test_what_is_no_socket_stays_where_figures_shall_be_served(tmp_path: Path) -> None:
    run(main, "metrics", "--listen", "garbage")
    assert (tmp_path / "garbage").read_bytes() == b"x = [\n"


def test_every_word_of_the_table_is_a_name_of_the_system_or_of_a_port() -> None:
    words = {key.removeprefix("system.") for key in keys(Language.EN) if key.startswith("system.")}
    ours = {*PortFault, "system", "not-understood", "no-certificate"}
    assert words - ours <= set(errno.errorcode.values())
    assert ours <= words


def test_an_error_has_the_systems_name_or_its_number() -> None:
    assert system_word(OSError(errno.EROFS, "x")) == "EROFS"
    assert system_word(OSError(524, "x")) == "errno 524"
    assert system_word(TimeoutError("timed out")) == "ETIMEDOUT"
    assert system_word(socket.gaierror(socket.EAI_NONAME, "x")) == PortFault.NO_SUCH_HOST
    assert system_word(OSError("a library's own words")) == "system"


@pytest.mark.parametrize("name", ["ENOENT", "EACCES", "ENOSPC", "EISDIR", "EROFS", "ENOTDIR", "ECONNREFUSED", "ELOOP"])
def test_the_common_errors_have_words_of_their_own_in_each_language(name: str) -> None:
    texts = {language: sentence(f"system.{name}", (), language) for language in (Language.EN, Language.PT, Language.ZH)}
    assert len(set(texts.values())) == len(texts)
    assert os.strerror(getattr(errno, name)) not in texts.values()


def test_what_is_no_toml_names_line_and_column() -> None:
    found: dict[bytes, tuple[str, str, str]] = {}
    for content in (b"a = 1\nb = \n", b"a = 1\na = 2\n", b"a = [\n", b"\n\xff", b"a = " + b"9" * 5000):
        with pytest.raises(NotToml) as refused:
            toml_of(content)
        values = refused.value.values
        found[content[:8]] = (values["fault"], values["line"], values["column"])
        assert has_key(f"text-fault.{values['fault']}")
    assert list(found.values()) == [
        ("no-toml", "2", "5"),
        ("twice", "2", "6"),
        ("no-toml", "2", "1"),
        ("no-utf-8", "2", "1"),
        ("too-much", "1", "1"),
    ]


# --- no line of code passes on a system's text

SAYING = (
    "Failure",
    "Refused",
    "Missing",
    "Busy",
    "PortLost",
    "Said",
    "Mistake",
    "Unreachable",
    "Silent",
    "file_refused",
)
"""Ends of the names of those calls whose arguments people read."""

CODES: dict[str, str] = {
    "BadNotedCode": "its text is the code that was given",
    "SecondCopyAway": "its text is a path",
    "NoSuchCard": "its text is a card",
    "CorruptHead": "its text is the origin of a log",
}


def handed_on(code: str) -> Iterator[str]:
    """Yields each text of a caught error in `code` that is an argument of such a call."""
    for handler in (node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ExceptHandler) and node.name):
        if handler.type is not None and ast.unparse(handler.type) in CODES:
            continue
        for call in (node for node in ast.walk(handler) if isinstance(node, ast.Call)):
            if ast.unparse(call.func).endswith(SAYING):
                pattern = rf"str\({handler.name}\)|\{{{handler.name}[}}:!]"
                yield from re.findall(pattern, ast.unparse(call))


def test_no_text_of_the_systems_is_handed_on() -> None:
    files = [path for package in (controller, drivers) for path in Path(package.__path__[0]).rglob("*.py")]
    texts = {str(path): path.read_text("utf-8") for path in files}
    assert [path for path, text in texts.items() if "strerror" in text] == []
    assert {path: found for path, text in texts.items() if "except" in text and (found := list(handed_on(text)))} == {}


def test_the_check_sees_a_text_that_is_handed_on() -> None:
    bad = "try:\n    f()\nexcept OSError as error:\n    raise CliFailure('x', detail={})"
    assert list(handed_on(bad.format("str(error)"))) == ["str(error)"]
    assert list(handed_on(bad.format("f'a: {error}'"))) == ["{error}"]
    assert list(handed_on(bad.format("system_word(error)"))) == []
    with pytest.raises(PortRefused, match="ENOTTY"):
        raise PortRefused("/dev/x", system_word(OSError(errno.ENOTTY, "x")))


def test_a_part_that_is_not_connected_says_why_with_its_place() -> None:
    told = sentence("status.part-trouble", {"detail": "/dev/gpiochip0 17: EBUSY"}, Language.PT)
    assert told == "NÃO LIGADO: /dev/gpiochip0 17: outro programa está a usá-lo"
