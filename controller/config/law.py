"""The rules that the values of a configuration must obey. Each rule names the keys that it needs.

A rule is checked if the values of its keys are well-formed, even if other values are wrong. No rule names a
jurisdiction: differences come from the table's profile, which also names the law's clause for a rule.
"""

from collections.abc import Callable, Iterator
from typing import Final

from controller.config.jackpot import JACKPOT_RULES
from controller.config.keys import WIRE_OPTIONS
from controller.config.linked import LINKED_RULES
from controller.config.model import TRACKS_OF, Protocol
from controller.config.problems import Problem
from controller.config.profile import GameName, Limit, Open, Profile
from controller.config.rule import Broken, Rule, profile_of
from controller.config.shape import WellFormed
from controller.core.choices import Machine
from controller.core.money import units
from controller.core.words import Device
from controller.devices.device_kinds import KINDS
from drivers.usb_name import usb_name


def _amounts(config: WellFormed) -> tuple[int, int]:
    return config.take("table.minimum_bet", int), config.take("table.maximum_bet", int)


def _allowed(limit: Limit) -> Callable[[WellFormed], Broken | None]:
    def check(config: WellFormed) -> Broken | None:
        value = config.take(f"table.{limit.name}", int)
        return None if limit.open.has(value) else ((limit.name, str(value)), ("allowed", limit.open.shown()))

    return check


def _built(limit: Limit) -> Callable[[WellFormed], Broken | None]:
    def check(config: WellFormed) -> Broken | None:
        value, most = config.take(f"table.{limit.name}", int), limit.equipment_most
        if most is None or value <= most:
            return None
        return (("name", limit.name), ("value", str(value)), ("most", str(most)))

    return check


def _minimum(config: WellFormed) -> Broken | None:
    minimum = config.take("table.minimum_bet", int)
    return None if minimum > 0 else (("minimum", units(minimum)),)


def _chip(config: WellFormed) -> Broken | None:
    minimum, chip = config.take("table.minimum_bet", int), config.option("table.smallest_chip", int)
    if chip is None or (chip > 0 and minimum % chip == 0):
        return None
    return (("chip", units(chip)), ("minimum", units(minimum)))


def _values(config: WellFormed) -> Broken | None:
    """Checks the chip values of a roulette table. The rule is broken if a value lies outside the table's bet limits."""
    if profile_of(config).game is not GameName.ROULETTE:
        return None
    minimum, maximum = _amounts(config)
    values = map(int, config.option("table.chip_values", tuple) or ())
    wrong = [units(value) for value in values if not minimum <= value <= maximum]
    if not wrong:
        return None
    return (("values", ", ".join(wrong)), ("minimum", units(minimum)), ("maximum", units(maximum)))


def _no_values(config: WellFormed) -> Broken | None:
    is_of_a_wheel = profile_of(config).game is GameName.ROULETTE
    return None if is_of_a_wheel or config.values.get("table.chip_values") is None else ()


def _no_seats(config: WellFormed) -> Broken | None:
    """Checks that the table has at least one seat. Skips a profile that itself sets a least number of seats."""
    limit = profile_of(config).limit("seats")
    has_a_least = limit is not None and (limit.open.least is not None or limit.open.allowed)
    return None if has_a_least or config.take("table.seats", int) > 0 else ()


def _tracks(config: WellFormed) -> Broken | None:
    tracks, known = config.take("table.tracks", str), TRACKS_OF[profile_of(config).game]
    return None if tracks in known else (("tracks", tracks), ("known", ", ".join(known)))


def _order(config: WellFormed) -> Broken | None:
    minimum, maximum = _amounts(config)
    return None if maximum >= minimum else (("minimum", units(minimum)), ("maximum", units(maximum)))


def _highest(limit: Limit) -> Callable[[WellFormed], Broken | None]:
    def check(config: WellFormed) -> Broken | None:
        minimum, maximum = _amounts(config)
        highest = (limit.open.most or 0) * minimum
        if minimum <= 0 or maximum <= highest:
            return None
        return (("minimum", units(minimum)), ("maximum", units(maximum)), ("highest", units(highest)))

    return check


def _shuffler(config: WellFormed) -> Broken | None:
    is_missing = "devices.shuffler" in config.absent and profile_of(config).procedure.machine is Machine.SHUFFLER
    return () if is_missing else None


def _stands_elsewhere(device: Device) -> Callable[[WellFormed], Broken | None]:
    """Returns a check that a table with the configuration's profile can use the device."""

    def check(config: WellFormed) -> Broken | None:
        return None if profile_of(config).procedure.machine in KINDS[device].stands_at else ()

    return check


def _without_proof(section: str) -> Callable[[WellFormed], Protocol | None]:
    def find(config: WellFormed) -> Protocol | None:
        protocol = Protocol(config.take(f"{section}.protocol", str))
        return None if protocol.proves_identity else protocol

    return find


def _bound_to_port(section: str) -> Callable[[WellFormed], Broken | None]:
    """Returns a check for a device whose protocol does not prove its identity. The rule is broken if the port names an
    adapter's serial number instead of a USB socket.
    """
    unproven = _without_proof(section)

    def check(config: WellFormed) -> Broken | None:
        protocol, port = unproven(config), config.take(f"{section}.port", str)
        names_no_place = port.startswith("/dev/serial/by-id/") or usb_name(port) is not None
        return (("protocol", protocol.value), ("port", port)) if protocol and names_no_place else None

    return check


def _claims_nothing(section: str) -> Callable[[WellFormed], Broken | None]:
    unproven = _without_proof(section)

    def check(config: WellFormed) -> Broken | None:
        protocol = unproven(config)
        claimed = any(config.values.get(f"{section}.{name}") is not None for name in ("serial_number", "model"))
        return (("protocol", protocol.value),) if protocol and claimed else None

    return check


def _other_options(device: Device) -> Callable[[WellFormed], Broken | None]:
    """Returns a check that the device's section has no options of a protocol that the device does not use."""
    section = f"devices.{device.value}"

    def check(config: WellFormed) -> Broken | None:
        spoken = config.take(f"{section}.protocol", str)
        for other in (one for one in KINDS[device].protocols if one != spoken):
            options = [name for name, _ in WIRE_OPTIONS.get(other, ())]
            given = [name for name in options if config.values.get(f"{section}.{name}") is not None]
            if given:
                return (("options", ", ".join(given)), ("protocol", other.value))
        return None

    return check


def _device_rules() -> tuple[Rule, ...]:
    """Returns the rules for each kind of device. They are the same in every jurisdiction."""
    rules: list[Rule] = []
    for device in Device:
        section = f"devices.{device.value}"
        port, protocol = f"{section}.port", f"{section}.protocol"
        no_such = f"no-{device.value.replace('_', '-')}"
        rules.append(Rule(no_such, section, (port,), _stands_elsewhere(device), words="stands-elsewhere"))
        rules.append(Rule("physical-port", port, (port, protocol), _bound_to_port(section)))
        rules.append(Rule("unauthenticated", protocol, (protocol,), _claims_nothing(section)))
        rules.append(Rule("wire-options", section, (protocol,), _other_options(device)))
    return tuple(rules)


_BETS: Final = ("table.minimum_bet", "table.maximum_bet")

_TWO_BACKS: Final = "decks_of_two_backs"
"""The limit with the numbers of decks that a law permits if half of the decks have another back."""

_BEHIND: Final = Rule("warning-card-behind", "table.decks", ("table.decks",), lambda _config: None)
_BACKS: Final = Rule("back-colours", "table.decks", ("table.decks",), lambda _config: None)
"""`check_choices` makes the checks of these two rules, which also depend on parameters of the profile."""

RULES: Final = (
    _BACKS,
    Rule("tracks", "table.tracks", ("table.tracks",), _tracks),
    Rule("minimum-bet", "table.minimum_bet", ("table.minimum_bet",), _minimum),
    Rule("maximum-below-minimum", "table.maximum_bet", _BETS, _order),
    Rule("smallest-chip", "table.smallest_chip", ("table.minimum_bet", "table.smallest_chip"), _chip),
    Rule("chip-values", "table.chip_values", (*_BETS, "table.chip_values"), _values),
    Rule("no-chip-values", "table.chip_values", ("table.chip_values",), _no_values),
    Rule("no-seats", "table.seats", ("table.seats",), _no_seats),
    _BEHIND,
    Rule("shuffler", "devices.shuffler", (), _shuffler),
    *_device_rules(),
    *JACKPOT_RULES,
    *LINKED_RULES,
)


def check_choices(profile: Profile, config: WellFormed) -> list[Problem]:
    """Returns the problems of the number of decks: with the profile's back colours, and with its number of cards behind
    the warning card.

    Returns [] for roulette.
    """
    if not config.has(["table.decks"]) or profile.game is GameName.ROULETTE:
        return []
    decks = config.take("table.decks", int)
    return [*_check_backs(profile, decks), *_check_behind(profile, decks)]


def _check_backs(profile: Profile, decks: int) -> list[Problem]:
    """Returns a problem if the profile wants two back colours and does not allow `decks`, the number of decks, with
    them.
    """
    backs, said = profile.parameter("back_colours"), profile.limit(_TWO_BACKS)
    wanted = Open((2, 4, 6, 8)) if said is None else said.open
    if backs.value == 1 or wanted.has(decks):
        return []
    return [_BACKS.problem((("decks", str(decks)), ("wanted", wanted.shown())), backs.clauses[0])]


def _check_behind(profile: Profile, decks: int) -> list[Problem]:
    """Returns a problem unless the decks have more cards than the profile demands behind the warning card."""
    behind, cards = profile.parameter("warning_card_behind"), 52 * decks
    if decks < 1 or not isinstance(behind.value, int) or behind.value < cards:
        return []
    return [_BEHIND.problem((("behind", str(behind.value)), ("cards", str(cards))), behind.clauses[0])]


def limit_rules(profile: Profile) -> Iterator[tuple[Rule, str]]:
    """Yields a rule for each limit of the profile, with the law's clause. The clause is "" for a limit of the
    equipment.
    """
    for limit in profile.limits:
        key, clause = f"table.{limit.name}", limit.clauses[0]
        if limit.name == _TWO_BACKS:
            continue  # `check_choices` uses this limit
        if limit.name == "maximum_bet_multiple":
            yield Rule("maximum-bet", "table.maximum_bet", _BETS, _highest(limit)), clause
        else:
            yield Rule(limit.name, key, (key,), _allowed(limit)), clause
            yield Rule("built", key, (key,), _built(limit)), ""


def check_rules(config: WellFormed) -> list[Problem]:
    """Returns the problem of every broken rule. Skips a rule if a value that it needs is not well-formed."""
    profile = profile_of(config)
    said = ((rule, next(iter(profile.rules.get(rule.said, ())), "")) for rule in RULES)
    return [
        rule.problem(broken, clause)
        for rule, clause in (*limit_rules(profile), *said)
        if config.has(rule.fields) and (broken := rule.check(config)) is not None
    ]
