"""`sabot device conform PORT --kind KIND`: tests a device against the requirements of PROTOCOL.md.

The report lists each requirement by its number as kept, broken or not tried.
"""

import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from controller.cli.conform_names import PREFIX, add_names, asked_names, list_checks
from controller.cli.device_bench import bench_of
from controller.cli.device_direct import KINDS, DirectPort, add_line_options
from controller.cli.device_line import PortLine
from controller.cli.named_files import read_named, write_named
from controller.cli.talk import Talk
from controller.config import Protocol
from controller.devices.device_kinds import KINDS as DEVICE_KINDS
from controller.journal.errors import StorageFailed
from controller.machine.exits import CliFailure, ExitCode
from drivers.errors import PortLost
from drivers.tdp_driver import session_opening
from firmware_protocols.tdp.conform.bench import BadStatement, Statement, read_statement
from firmware_protocols.tdp.conform.duties import TEXT_VERSION
from firmware_protocols.tdp.conform.left import SILENT, left
from firmware_protocols.tdp.conform.line import Broken, Host, Schema, Skipped
from firmware_protocols.tdp.conform.making import Made
from firmware_protocols.tdp.conform.own_key import take_back
from firmware_protocols.tdp.conform.suite import KIT_VERSION, Status, Verdict, make_checks, verdicts
from firmware_protocols.tdp.conform.text import words_by_number

SCHEMAS: Final[dict[str, Schema]] = {
    name: row.tdp.schema for name, device in KINDS.items() if (row := DEVICE_KINDS[device]).tdp is not None
}
_LARGEST_STATEMENT: Final = 65_536  # bytes
_TOGETHER: Final = ("other-kind", "host-duty", "not-asked-for")
"""Reasons for an untried duty that do not depend on this device: the report has one line for each reason."""
_START_BITS: Final = 20
"""The bits of the session number that come from the clock's seconds, so that a later run has a greater number."""


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    port = parser.add_argument("port", metavar="PORT", help=words("cli.option.device-port"))
    kind = parser.add_argument("--kind", choices=list(SCHEMAS), required=True, help=words("cli.option.device-kind"))
    parser.add_argument("--cards", action="store_true", help=words("cli.option.conform-cards"))
    parser.add_argument("--hands", metavar="COMMAND", help=words("cli.option.conform-hands"))
    parser.add_argument("--statement", type=Path, metavar="FILE", help=words("cli.option.conform-statement"))
    add_names(parser, words, (port, kind))
    parser.add_argument("--json", action="store_true", help=words("cli.option.json"))
    parser.add_argument("--junit", type=Path, metavar="FILE", help=words("cli.option.conform-junit"))
    add_line_options(parser, words)
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Tests the device and prints the report. Returns 0 if no requirement is broken, else 1. Raises CliFailure."""
    if arguments.list_checks:
        return list_checks(talk)
    only = asked_names(arguments.check)
    statement = _statement(arguments.statement)
    open_port = DirectPort(arguments, Protocol.TDP)
    line = PortLine(open_port)
    try:
        host = _host(arguments, talk, line, statement, is_simulated=open_port.is_simulated)
        found = verdicts(host, _made(talk, host, only), only=only)
        is_left = _left(host)
    except PortLost as error:
        raise CliFailure(ExitCode.FAILED, "port-went", port=arguments.port, detail=error.reason) from error
    finally:
        line.close()
    _report(arguments, talk, found, [_sentence("cli.conform-left", one, talk) for one in is_left])
    return ExitCode.FAILED if any(one.status is Status.BROKEN for one in found) else ExitCode.OK


def _statement(path: Path | None) -> Statement | None:
    """Returns the maker's statement about the device in the file `path`. Returns None if no file is given.

    Raises CliFailure for an unreadable file.
    """
    if path is None:
        return None
    try:
        return read_statement(read_named(path, _LARGEST_STATEMENT).decode("utf-8"))
    except StorageFailed as error:
        raise CliFailure(ExitCode.USAGE, "statement", path=str(path), detail=error.word) from error
    except UnicodeDecodeError as error:
        raise CliFailure(ExitCode.USAGE, "statement", path=str(path), detail=error.encoding) from error
    except BadStatement as error:
        raise CliFailure(ExitCode.USAGE, "statement", path=str(path), detail=error.where) from error


def _host(arguments: Namespace, talk: Talk, line: PortLine, statement: Statement | None, *, is_simulated: bool) -> Host:
    """Returns the protocol host that makes the checks, after it has tried to open a session with the device.

    Raises CliFailure if no device answers, or if the device is paired with another host.
    """
    host = Host(
        line,
        SCHEMAS[arguments.kind],
        session_opening(int(time.time()) % (1 << _START_BITS), 0),
        is_simulated=is_simulated or None,
        moves=arguments.cards,
        bench=bench_of(arguments.hands, talk, line),
        statement=statement,
    )
    try:
        host.open()
    except Broken as error:
        if host.is_denied and not (arguments.hands and _is_taken_back(host)):
            raise CliFailure(ExitCode.FAILED, "paired-with-another", port=arguments.port) from error
        if not host.boot:
            protocol = Protocol.TDP.value
            raise CliFailure(ExitCode.FAILED, "nobody-answers", port=arguments.port, protocol=protocol) from error
    return host


def _is_taken_back(host: Host) -> bool:
    """Deletes the pairing key that an earlier run of the checks left in the device. Returns False if the key cannot be
    deleted.
    """
    try:
        return take_back(host)
    except (Broken, Skipped):
        return False


def _made(talk: Talk, host: Host, only: list[str]) -> list[Made]:
    """Makes the checks and returns their results. Prints the name of each check, and each requirement when it is first
    found broken.
    """
    made, breaks = [], set[str]()
    for one in make_checks(host, only=only):
        talk.aside(talk.words("cli.device.conform-made", name=one.check.name))
        for found in (*host.watch.breaks.values(), *([one.broken] if one.broken else [])):
            if found.duty not in breaks:
                talk.aside(talk.words("cli.device.conform-found", number=PREFIX + found.duty, found=found.found))
                breaks.add(found.duty)
        made.append(one)
    return made


def _left(host: Host) -> tuple[str, ...]:
    """Returns the keys of the sentences on the device's state after the checks. For a lost port returns only the key
    SILENT.
    """
    try:
        return left(host)
    except PortLost:
        return (SILENT,)


# --- the report


def _report(arguments: Namespace, talk: Talk, found: list[Verdict], is_left: list[str]) -> None:
    says = words_by_number(resources.files("firmware_protocols.tdp").joinpath("PROTOCOL.md").read_text("utf-8"))
    if arguments.junit is not None:
        _write_junit(arguments.junit, arguments.kind, found, says, talk)
    talk.document(
        {
            "kit": KIT_VERSION,
            "text": TEXT_VERSION,
            "kind": arguments.kind,
            "requirements": [_row(one, talk) for one in found],
            "left": is_left,
        }
    )
    for one in found:
        if one.why not in _TOGETHER:
            talk.result(_line(one, says[one.number], talk))
    for why in _TOGETHER:
        _report_together(why, [one.number for one in found if one.why == why], talk)
    for text in is_left:
        talk.result(talk.words("cli.device.conform-left", text=text))
    counts = Counter(one.status for one in found)
    kept, broken, untried = (str(counts[status]) for status in Status)
    talk.result(talk.words("cli.device.conform-end", kept=kept, broken=broken, untried=untried))


def _report_together(why: str, numbers: list[str], talk: Talk) -> None:
    if numbers:
        said = talk.words(f"cli.conform-why.{why}")
        count = str(len(numbers))
        talk.result(talk.words("cli.device.conform-untold", count=count, why=said, numbers=" ".join(numbers)))


def _why(one: Verdict, talk: Talk) -> str:
    if one.status is not Status.NOT_TRIED:
        return one.why
    return _sentence("cli.conform-why", one.why, talk)


def _sentence(group: str, key: str, talk: Talk) -> str:
    """Returns the catalogue's sentence `<group>.<key>`. In a key of the form `name:value`, `value` fills the sentence's
    placeholder.
    """
    name, _, deed = key.partition(":")
    return talk.words(f"{group}.{name}", deed=deed)


def _row(one: Verdict, talk: Talk) -> dict[str, object]:
    return {
        "id": PREFIX + one.number,
        "status": one.status.value,
        "why": _why(one, talk),
        "frames": list(one.frames),
    }


def _line(one: Verdict, says: str, talk: Talk) -> str:
    number = (PREFIX + one.number).ljust(len(PREFIX) + 5)
    said = talk.words(f"cli.device.conform-{one.status}", number=number, text=says, found=_why(one, talk))
    return "\n".join((said, *(f"    {frame}" for frame in one.frames)))


def _write_junit(path: Path, kind: str, found: list[Verdict], says: dict[str, str], talk: Talk) -> None:
    """Writes a JUnit file with one test case for each requirement. Raises CliFailure if the file cannot be written."""
    counts = Counter(one.status for one in found)
    suite = ElementTree.Element(
        "testsuite",
        name=f"TDP {TEXT_VERSION} {kind}",
        tests=str(len(found)),
        failures=str(counts[Status.BROKEN]),
        skipped=str(counts[Status.NOT_TRIED]),
    )
    for one in found:
        name = f"{PREFIX}{one.number} {says[one.number]}"
        case = ElementTree.SubElement(suite, "testcase", classname=f"tdp.{kind}", name=name)
        if one.status is Status.BROKEN:
            ElementTree.SubElement(case, "failure", message=one.why).text = "\n".join(one.frames)
        elif one.status is Status.NOT_TRIED:
            ElementTree.SubElement(case, "skipped", message=_why(one, talk))
    write_named(path, ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True))
