"""`sabot device test WHAT`: tests one device of a closed table while a person watches and handles the device."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.cli.doctor import finding_document, say_findings
from controller.cli.journal_file import unusable
from controller.cli.people import Person
from controller.cli.talk import Talk
from controller.config import Config, DeviceConfig, PartConfig, PartKind, read_config
from controller.core.words import Device
from controller.doctor.hands_on import try_it
from controller.doctor.host import CONFIG
from controller.journal.errors import StorageFailed
from controller.machine.exits import CliFailure, ExitCode
from controller.record.closed_table import TableInUse, closed_table
from drivers.serial_port import is_pseudo_terminal

KINDS: Final[dict[str, Device | PartKind]] = {
    "lamp": PartKind.LAMP,
    "buzzer": PartKind.BUZZER,
    "key": PartKind.KEY_SWITCH,
    "badge": PartKind.BADGE_READER,
    **{device.value.replace("_", "-"): device for device in Device if device is not Device.JACKPOT_DISPLAY},
    "display": Device.JACKPOT_DISPLAY,
}


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("what", choices=list(KINDS), metavar="WHAT", help=words("cli.option.device-kind"))
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--json", action="store_true", help=words("cli.option.json"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Tests the device and prints the findings. Returns 0 without a finding, else 1.

    Raises CliFailure, ConfigRefused.
    """
    config, person = read_config(arguments.config, ports_may_be_missing=True), Person(talk)
    port = _port(config, KINDS[arguments.what])
    if port is None:
        values = {"what": arguments.what, "file": str(arguments.config)}
        raise CliFailure(ExitCode.USAGE, "table-lacks", **values)
    with at_closed_table(config):
        trial = try_it(config, KINDS[arguments.what], person)
    document = {
        "ok": not trial.findings,
        "device": KINDS[arguments.what].value,
        "port": port,
        "simulated": is_pseudo_terminal(port),
        "heard": trial.heard,
        "asked": [{"question": question, "answer": answer} for question, answer in person.asked],
        "findings": [finding_document(talk, one) for one in trial.findings],
    }
    talk.document(document)
    for name, value in trial.heard.items():
        talk.result(f"{name} {value}")
    say_findings(talk, trial.findings)
    if not trial.findings:
        talk.result(talk.words("cli.device.works", device=KINDS[arguments.what].value, port=port))
    return ExitCode.FAILED if trial.findings else ExitCode.OK


@contextmanager
def at_closed_table(config: Config) -> Iterator[None]:
    """A context for a test at a closed table. The table stays closed until the end of the context.

    Raises CliFailure if the table is in use or its journal is unreadable.
    """
    try:
        with closed_table(config):
            yield
    except TableInUse as error:
        raise CliFailure(ExitCode.FAILED, error.use.value, path=str(config.journal)) from error
    except StorageFailed as error:
        raise unusable(config.journal, error) from error


def _port(config: Config, kind: Device | PartKind) -> str | None:
    """Returns the port of the table's device or part of the kind `kind`. Returns None if the table has none."""
    every: tuple[DeviceConfig | PartConfig, ...] = (*config.devices, *config.parts)
    return next((one.port for one in every if one.kind is kind), None)
