"""`sabot doctor`: lists the faults of this installation and their remedies."""

import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec

from controller.cli.client import Client, Unreachable
from controller.cli.render import decode_status
from controller.cli.talk import Talk, cannot_write
from controller.config import Config, ConfigRefused, read_config
from controller.doctor import Finding, Grade, Host, examine
from controller.doctor.bundle import gathered, secrets_of, without_secrets, write_bundle
from controller.doctor.descriptors import Descriptors, descriptors
from controller.doctor.host import CONFIG
from controller.machine.socket_path import client_socket
from controller.machine.software import software
from controller.screen.metrics import Seen, exposition, exposition_of_nobody

ANSWERS_WITHIN_S: Final = 5.0


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help=words("cli.option.root"))
    parser.add_argument("--bundle", type=Path, metavar="FILE", help=words("cli.option.bundle"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> int:
    """Prints the findings. Returns 0 without findings, 1 for warnings only, 2 for a critical finding. A critical
    finding means that the table cannot run, or must not. With `--bundle` also writes the support bundle. Raises
    CliFailure.
    """
    host = Host(arguments.root, arguments.config)
    found, opened = list(examine(host)), list(descriptors(host))
    unproven = _unproven(_readable(arguments.config))
    worst = max((one.grade for one in found), default=0)
    if arguments.bundle is not None:
        _bundle(arguments, found, talk)
    talk.document(
        {
            "ok": not found,
            "exit_code": int(worst),
            "findings": [finding_document(talk, one) for one in found],
            "descriptors": [_of_unit(one) for one in opened],
            "unproven": unproven,
        }
    )
    say_findings(talk, found)
    for device in unproven:
        talk.result(talk.words("doctor.unproven", device=device))
    for one in opened:
        if one.open is not None:
            talk.result(talk.words("doctor.descriptors", **{name: str(value) for name, value in _of_unit(one).items()}))
    if any(one.key == "config" for one in found):
        _say_config_errors(arguments.config, talk)
    talk.result(talk.words("doctor.end" if found else "doctor.well", count=str(len(found))))
    return int(worst)


def _unproven(config: Config | None) -> list[str]:
    """Returns the devices that are not paired with the table, for a finding. A device need not be paired."""
    return [] if config is None else [device.kind.value for device in config.devices if not device.paired]


def _of_unit(one: Descriptors) -> dict[str, str | int | None]:
    """Returns the file descriptors of a service as data. `open` and `left` are None if the service does not run."""
    return {"unit": f"{one.unit}.service", "limit": one.limit, "open": one.open, "left": one.left}


def say_findings(talk: Talk, found: Iterable[Finding]) -> None:
    """Prints each finding with its remedy, the worst first."""
    for one in sorted(found, key=lambda one: -one.grade):
        mark = talk.words("doctor.critical" if one.grade is Grade.CRITICAL else "doctor.warning")
        talk.result(f"{mark} {_words(talk, 'found', one)}")
        talk.result(f"    {_words(talk, 'remedy', one)}")


def finding_document(talk: Talk, one: Finding) -> dict[str, object]:
    return {
        "finding": one.key,
        "grade": one.grade.name.lower(),
        "text": _words(talk, "found", one),
        "remedy": _words(talk, "remedy", one),
        **dict(one.values),
    }


def _words(talk: Talk, part: str, one: Finding) -> str:
    return talk.words(f"doctor.{part}.{one.key}", **dict(one.values))


def _say_config_errors(file: Path, talk: Talk) -> None:
    try:
        read_config(file, ports_may_be_missing=True)
    except ConfigRefused as refused:
        for line in refused.lines(talk.language):
            talk.result(f"    {line}")


def _bundle(arguments: Namespace, found: list[Finding], talk: Talk) -> None:
    """Writes the support bundle, without secrets. Raises CliFailure if the file cannot be written."""
    host = Host(arguments.root, arguments.config)
    config = _readable(arguments.config)
    pieces = gathered(host, config) | {"version": str(software()).encode(), "metrics": _figures(config).encode()}
    pieces["findings.json"] = json.dumps([finding_document(talk, one) for one in found], indent=1).encode()
    clean, left = without_secrets(pieces, secrets_of(config))
    try:
        write_bundle(arguments.bundle, clean)
    except OSError as error:
        raise cannot_write(arguments.bundle, error) from error
    talk.aside(talk.words("doctor.bundled", file=str(arguments.bundle), left=", ".join(left) or "-"))


def _readable(file: Path) -> Config | None:
    try:
        return read_config(file, ports_may_be_missing=True)
    except ConfigRefused:
        return None


def _figures(config: Config | None) -> str:
    """Returns the controller's figures for Prometheus, without cards, people or PINs. If no controller answers, the
    only figure is `sabot_up 0`.
    """
    path = client_socket(os.environ) if config is None or config.socket is None else config.socket
    try:
        with Client(path, within_s=ANSWERS_WITHIN_S) as client:
            return exposition(Seen(decode_status(client.ask("status").status or {})))
    except (Unreachable, msgspec.DecodeError):
        return exposition_of_nobody()
