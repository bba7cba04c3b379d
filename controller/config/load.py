"""Reads a configuration file, checks its shape, rules, ports and paths, and reports every problem at once."""

import hashlib
import json
import os
from ipaddress import ip_address
from pathlib import Path

from msgspec import UNSET
from msgspec.structs import replace

from controller.catalogue import Language
from controller.config.document import read_document
from controller.config.jackpot import jackpot_rules
from controller.config.law import check_choices, check_rules
from controller.config.linked import linked_config
from controller.config.model import (
    Config,
    DeviceConfig,
    PanelConfig,
    PartConfig,
    PartKind,
    Protocol,
    Screen,
    TableConfig,
    Tracks,
    UplinkConfig,
    WitnessConfig,
)
from controller.config.ports import check_ports
from controller.config.problems import ConfigRefused, Problem, Said
from controller.config.profile import GameName, Profile
from controller.config.profile_file import law, read_derived
from controller.config.shape import WellFormed, check_shape
from controller.core.choices import Delivery
from controller.core.hand_rules import BetLimits, usual_chip
from controller.core.setup import Setup
from controller.core.wheel_rules import WheelRules
from controller.core.words import Cents, Device
from controller.journal.note import read_key


def read_config(path: Path, *, ports_may_be_missing: bool = False) -> Config:
    """Returns the configuration in `path`. Raises ConfigRefused with every problem. `ports_may_be_missing`: if True, a
    missing port is no problem, since its device may only be unplugged.
    """
    well_formed, problems = check_shape(read_document(path))
    problems += check_rules(well_formed)
    problems += check_ports(well_formed, ports_may_be_missing=ports_may_be_missing)
    problems += _copy_problems(path, well_formed)
    problems += _place_problems(path, well_formed)
    problems += _profile_problems(path, well_formed)
    problems += _panel_problems(path, well_formed)
    if problems:
        raise ConfigRefused(path, problems)
    return _config(path, well_formed)


def setup(config: Config) -> Setup:
    """Returns the part of a configuration that the core needs."""
    table = config.table
    limits = BetLimits(table.minimum_bet, table.maximum_bet, table.smallest_chip)
    return Setup(
        table=table.id,
        profile=table.profile,
        decks=table.decks,
        seats=table.seats,
        has_reader=config.device(Device.SHOE) is not None,
        has_display=config.device(Device.JACKPOT_DISPLAY) is not None,
        simulated=table.simulated,
        parameters=config.profile.figures,
        procedure=config.profile.procedure,
        delivery=table.delivery,
        hand_rules=config.profile.hand_rules(limits) if table.tracks is Tracks.HANDS else None,
        reminders=config.profile.reminders,
        wheel_rules=_wheel_rules(config, limits),
        jackpot=config.jackpot,
        linked=UNSET if config.linked is None else config.linked.rules,
        has_wheel=config.device(Device.ROULETTE_WHEEL) is not None,
        has_value_display=config.device(Device.VALUE_DISPLAY) is not None,
        has_slots=config.device(Device.JACKPOT_SLOTS) is not None,
    )


def _wheel_rules(config: Config, limits: BetLimits) -> WheelRules | None:
    if config.profile.game is not GameName.ROULETTE:
        return None
    is_followed = config.table.tracks is Tracks.BETS
    return config.profile.wheel_rules(limits, follows_bets=is_followed, chip_values=config.table.chip_values)


def _copy_problems(path: Path, found: WellFormed) -> list[Problem]:
    """Returns a problem if the directory of the second copy is inside the journal's directory, or contains it."""
    if not found.has(["journal.path", _SECOND_COPY]) or found.values[_SECOND_COPY] is None:
        return []
    journal, copy = (_real(path.parent / found.take(key, str)) for key in ("journal.path", _SECOND_COPY))
    if not (copy.is_relative_to(journal) or journal.is_relative_to(copy)):
        return []
    values = (("journal", str(journal)),)
    return [Problem(_SECOND_COPY, Said("config.wrong.copy-in-journal", values), Said("config.right.copy-in-journal"))]


def _place_problems(path: Path, found: WellFormed) -> list[Problem]:
    """Returns the problems of paths.

    A path of the staff, the state or the socket must not be inside a journal's directory, and a journal's path must be
    a directory.
    """
    given = [key for key in _JOURNALS if found.has([key]) and found.values.get(key)]
    journals = {key: path.parent / found.take(key, str) for key in given}
    problems = []
    for key in _ELSEWHERE:
        if not found.has([key]) or found.values.get(key) is None:
            continue
        place = _real(path.parent / found.take(key, str))
        inside = next((str(one) for one in journals.values() if place.is_relative_to(_real(one))), None)
        if inside is not None:
            values = (("journal", inside),)
            problems.append(Problem(key, Said("config.wrong.in-journal", values), Said("config.right.in-journal")))
    for key, journal in journals.items():
        if _is_no_directory(journal):
            values = (("journal", str(journal)),)
            problems.append(Problem(key, Said("config.wrong.no-directory", values), Said("config.right.no-directory")))
    return problems


def _real(place: Path) -> Path:
    """Returns the path with symbolic links resolved. Keeps a loop of links in the path, so that opening it fails."""
    return Path(os.path.realpath(place))


def _is_no_directory(place: Path) -> bool:
    """True if the path exists and is not a directory, or if it is too long. False for a missing path, and for a path
    that the user of the process may not examine.
    """
    try:
        return place.exists() and not place.is_dir()
    except PermissionError:
        return False
    except OSError:  # a name that is too long, say
        return True


_SECOND_COPY = "journal.second_copy"
_JOURNALS = ("journal.path", _SECOND_COPY)
_ELSEWHERE = ("staff.path", "controller.state", "controller.socket")


def _profile_problems(path: Path, found: WellFormed) -> list[Problem]:
    """Returns the problems of the casino's own profile. Returns [] if the table does not name a casino's profile."""
    if not found.has(["table.profile_file"]) or found.values["table.profile_file"] is None:
        return []
    try:
        own = _profile(path, found)
    except ConfigRefused as refused:
        return [replace(one, key=f"{_PROFILE_FILE}: {one.key}".removesuffix(": ")) for one in refused.problems]
    derived = own.derived_from
    of_table = found.values.get("table.profile", derived)
    if derived == of_table:
        return check_choices(own, found)
    values = (("derived", str(derived)), ("profile", str(of_table)))
    return [
        Problem(_PROFILE_FILE, Said("config.wrong.other-profile", values), Said("config.right.other-profile", values))
    ]


_PROFILE_FILE = "table.profile_file"


def _panel_problems(path: Path, found: WellFormed) -> list[Problem]:
    """Returns a problem if the panel listens on a network address without TLS, so that PINs would cross the network
    unencrypted. If a certificate is configured, returns only the certificate's own problem.
    """
    if not found.has(["panel.listen", "panel.certificate"]):
        return []
    if found.values["panel.certificate"] is not None:
        return _certificate_problems(path.parent / found.take("panel.certificate", str))
    if ip_address(found.take("panel.listen", str)).is_loopback:
        return []
    wrong, right = (Said(f"config.{word}.rule.panel-certificate") for word in ("wrong", "right"))
    return [Problem("panel.certificate", wrong, right)]


def _certificate_problems(place: Path) -> list[Problem]:
    """Returns a problem if the certificate's path exists and is not a regular file. A certificate may be missing:
    another program makes it later.
    """
    if not os.path.exists(place) or place.is_file():  # noqa: PTH110 - a name too long is not there, either
        return []
    wrong, right = Said("config.wrong.file-not-ordinary"), Said("config.right.panel.certificate")
    return [Problem("panel.certificate", wrong, right)]


def _profile(path: Path, found: WellFormed) -> Profile:
    """The casino's own profile if the table names its file, otherwise the law's profile."""
    file = _optional_path(path, found, _PROFILE_FILE)
    return law(found.take("table.profile", str)) if file is None else read_derived(file)


def _config(path: Path, found: WellFormed) -> Config:
    profile = _profile(path, found)
    return Config(
        file=path,
        table=_table(found),
        profile=profile,
        devices=tuple(_device(found, kind) for kind in Device if found.has([f"devices.{kind.value}.port"])),
        journal=path.parent / found.take("journal.path", str),
        journal_second_copy=_optional_path(path, found, _SECOND_COPY),
        words_kept_days=found.option("journal.words_kept_days", int),
        staff=path.parent / found.take("staff.path", str),
        names_kept_days=found.option("staff.names_kept_days", int),
        socket=_optional_path(path, found, "controller.socket"),
        state=_optional_path(path, found, "controller.state"),
        digest=_digest(found),
        values=tuple((key, _text(value)) for key, value in sorted(found.values.items()) if value is not None),
        panel=_panel(path, found),
        jackpot=jackpot_rules(found, profile),
        uplink=_uplink(path, found),
        linked=linked_config(found),
        parts=tuple(_part(found, kind) for kind in PartKind if found.has([f"devices.{kind.value}.port"])),
    )


def _table(found: WellFormed) -> TableConfig:
    minimum = Cents(found.take("table.minimum_bet", int))
    chip = found.option("table.smallest_chip", int)
    return TableConfig(
        id=found.take("table.id", str),
        profile=found.take("table.profile", str),
        decks=found.take("table.decks", int),
        seats=found.take("table.seats", int),
        minimum_bet=minimum,
        maximum_bet=Cents(found.take("table.maximum_bet", int)),
        currency=found.take("table.currency", str),
        language=_language(found),
        simulated=found.take("table.simulated", bool),
        tracks=Tracks(found.take("table.tracks", str)),
        delivery=Delivery(found.take("table.delivery", str)),
        smallest_chip=Cents(chip) if chip else usual_chip(minimum),
        chip_values=tuple(Cents(int(one)) for one in found.option("table.chip_values", tuple) or ()),
    )


def _language(found: WellFormed) -> Language:
    """The table's language. Under Brazil's profile, Portuguese means Brazilian Portuguese."""
    language = Language(found.take("table.language", str))
    is_brazil = found.take("table.profile", str) == "br" and language is Language.PT
    return Language.BR if is_brazil else language


def _device(found: WellFormed, kind: Device) -> DeviceConfig:
    section = f"devices.{kind.value}"
    return DeviceConfig(
        kind=kind,
        port=found.take(f"{section}.port", str),
        protocol=Protocol(found.take(f"{section}.protocol", str)),
        serial_number=found.option(f"{section}.serial_number", str),
        model=found.option(f"{section}.model", str),
        approved_firmware=tuple((found.option(f"{section}.approved_firmware", str) or "").replace(",", " ").split()),
        baud_rate=found.option(f"{section}.baud_rate", int),
        framing=found.option(f"{section}.framing", str),
        checksum=found.option(f"{section}.checksum", bool),
        read_back=found.option(f"{section}.read_back", bool),
        command_checksum=found.option(f"{section}.command_checksum", str),
        paired=found.option(f"{section}.paired", bool) is True,
    )


def _part(found: WellFormed, kind: PartKind) -> PartConfig:
    section = f"devices.{kind.value}"
    return PartConfig(
        kind=kind,
        port=found.take(f"{section}.port", str),
        line=found.option(f"{section}.line", int),
        active_low=found.option(f"{section}.active_low", bool) is True,
    )


def _uplink(path: Path, found: WellFormed) -> UplinkConfig | None:
    if not found.has(["uplink.address"]):
        return None
    host, _, port = found.take("uplink.address", str).rpartition(":")
    return UplinkConfig(
        host=host.strip("[]"),
        port=int(port),
        authority=path.parent / found.take("uplink.authority", str),
        certificate=path.parent / found.take("uplink.certificate", str),
        witnesses=tuple(map(_witness, found.option("uplink.witnesses", tuple) or ())),
        witness=found.option("uplink.witness", str),
    )


def _witness(text: str) -> WitnessConfig:
    key, url = text.split()
    return WitnessConfig(read_key(key), url)


def _panel(path: Path, found: WellFormed) -> PanelConfig:
    """Returns the panel's settings. The table's own language comes first among the panel's languages."""
    own = _language(found)
    one_portuguese = (Language.PT if own is Language.BR else Language.BR,)
    languages = found.option("panel.languages", tuple) or [one for one in Language if one not in one_portuguese]
    return PanelConfig(
        listen=found.take("panel.listen", str),
        port=found.take("panel.port", int),
        certificate=_optional_path(path, found, "panel.certificate"),
        names=found.option("panel.names", tuple) or (),
        screen=Screen(found.take("panel.screen", str)),
        languages=tuple(Language(word) for word in dict.fromkeys((own, *languages))),
    )


def _optional_path(path: Path, found: WellFormed, key: str) -> Path | None:
    return None if found.values[key] is None else path.parent / found.take(key, str)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _digest(found: WellFormed) -> str:
    """Returns the SHA-256 (hexadecimal) of all values with defaults, with amounts in cents and paths as the file has
    them.
    """
    canonical = json.dumps(dict(found.values), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8")).hexdigest()
