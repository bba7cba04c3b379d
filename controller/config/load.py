"""Reads a configuration file: shape, then rules and ports, every problem at once; then the frozen values."""

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Final

from controller.catalogue import Language
from controller.config.law import check_rules
from controller.config.model import Cents, Config, DeviceConfig, PartConfig, PartKind, Protocol, TableConfig
from controller.config.ports import check_ports
from controller.config.problems import ConfigRefused, Problem, Said
from controller.config.shape import WellFormed, check_shape
from controller.core.profile import parameters
from controller.core.setup import Setup
from controller.core.words import Device

LARGEST_BYTES: Final = 65536


def read_config(path: Path, *, ports_may_be_missing: bool = False) -> Config:
    """The configuration in `path`. Raises ConfigRefused with every problem.

    `ports_may_be_missing`: a port where nothing is, is no problem (its device is lost, not wrong).
    """
    well_formed, problems = check_shape(_document(path))
    problems += check_rules(well_formed)
    problems += check_ports(well_formed, ports_may_be_missing=ports_may_be_missing)
    if problems:
        raise ConfigRefused(path, problems)
    return _config(path, well_formed)


def setup(config: Config) -> Setup:
    """What the core needs to know of a configuration."""
    table = config.table
    return Setup(
        table=table.id,
        profile=table.profile,
        decks=table.decks,
        seats=table.seats,
        has_reader=config.device(Device.SHOE) is not None,
        has_display=config.device(Device.JACKPOT_DISPLAY) is not None,
        simulated=table.simulated,
        parameters=parameters(table.profile),
    )


def _document(path: Path) -> dict[str, object]:
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise _file_refused(path, "unreadable", error.strerror or type(error).__name__) from error
    if len(content) > LARGEST_BYTES:
        raise _file_refused(path, "too-large", str(LARGEST_BYTES))
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _file_refused(path, "not-utf-8", str(error.start)) from error
    except ValueError as error:
        raise _file_refused(path, "not-toml", str(error)) from error
    except RecursionError as error:
        raise _file_refused(path, "not-toml", "…") from error


def _file_refused(path: Path, name: str, detail: str) -> ConfigRefused:
    wrong = Said(f"config.wrong.file-{name}", (("detail", detail),))
    return ConfigRefused(path, [Problem("", wrong, Said(f"config.right.file-{name}", (("detail", detail),)))])


def _config(path: Path, found: WellFormed) -> Config:
    return Config(
        file=path,
        table=_table(found),
        devices=tuple(_device(found, kind) for kind in Device if found.has([f"devices.{kind.value}.port"])),
        journal=path.parent / found.take("journal.path", str),
        journal_second_copy=_optional_path(path, found, "journal.second_copy"),
        staff=path.parent / found.take("staff.path", str),
        socket=_optional_path(path, found, "controller.socket"),
        state=_optional_path(path, found, "controller.state"),
        digest=_digest(found),
        parts=tuple(_part(found, kind) for kind in PartKind if found.has([f"devices.{kind.value}.port"])),
    )


def _table(found: WellFormed) -> TableConfig:
    return TableConfig(
        id=found.take("table.id", str),
        profile=found.take("table.profile", str),
        decks=found.take("table.decks", int),
        seats=found.take("table.seats", int),
        minimum_bet=Cents(found.take("table.minimum_bet", int)),
        maximum_bet=Cents(found.take("table.maximum_bet", int)),
        currency=found.take("table.currency", str),
        language=Language(found.take("table.language", str)),
        simulated=found.take("table.simulated", bool),
    )


def _device(found: WellFormed, kind: Device) -> DeviceConfig:
    section = f"devices.{kind.value}"
    return DeviceConfig(
        kind=kind,
        port=found.take(f"{section}.port", str),
        protocol=Protocol(found.take(f"{section}.protocol", str)),
        serial_number=found.option(f"{section}.serial_number", str),
        model=found.option(f"{section}.model", str),
        baud_rate=found.option(f"{section}.baud_rate", int),
        framing=found.option(f"{section}.framing", str),
        checksum=found.option(f"{section}.checksum", bool),
        read_back=found.option(f"{section}.read_back", bool),
        command_checksum=found.option(f"{section}.command_checksum", str),
    )


def _part(found: WellFormed, kind: PartKind) -> PartConfig:
    section = f"devices.{kind.value}"
    return PartConfig(
        kind=kind,
        port=found.take(f"{section}.port", str),
        line=found.option(f"{section}.line", int),
        active_low=found.option(f"{section}.active_low", bool) is True,
    )


def _optional_path(path: Path, found: WellFormed, key: str) -> Path | None:
    return None if found.values[key] is None else path.parent / found.take(key, str)


def _digest(found: WellFormed) -> str:
    """SHA-256 over the values with their defaults, amounts in cents, paths as written."""
    canonical = json.dumps(dict(found.values), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()
