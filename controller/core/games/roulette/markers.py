"""The display of chip values: compares the values that it reports with the values of the players' chips (pt.rou.9a, 10,
13, 14).

While the display does not show a player's value, the value cannot be confirmed, and no chip of the colour can be laid.
If a wrong value lasts, it is announced and the room manager looks into it. Play goes on, since a table may have boxes
at the wheel instead of the display.
"""

from typing import Any, Final

from controller.core.engine.act import Fact, Source
from controller.core.engine.replacing import replace
from controller.core.games.roulette.state import ChipColour, RouletteState
from controller.core.house.duties import look_into
from controller.core.house.facts import DeviceConnected, DeviceLost, DeviceRefused, DeviceStarted, DisplayFaulted
from controller.core.house.registry import Deadline, FactRule
from controller.core.house.state import MarkersKnown, link_of, link_to, with_link, with_markers
from controller.core.house.wanted import DeviceRule, MarkersDesired, basis_of
from controller.core.words import Cents, Device, DutyKind, SessionPhase, TableMs, Timer

MARKERS_DUE_MS: Final = 5_000
"""The milliseconds in which the markers must show new values, as long as for a jackpot's sign (house/sign.py)."""
BLANK: Final = Cents(0)


class ValuesShown(Fact, frozen=True):
    """The values that the display shows, in the order of the colours. 0 for no value."""

    values: tuple[Cents, ...]


def values_given(state: RouletteState) -> tuple[Cents, ...]:
    """Returns the values that the display should show, in the order of the colours. 0 for a colour without a player."""
    return tuple(player.value if (player := state.with_colour(one)) else BLANK for one in ChipColour)


def value_shown(state: RouletteState, colour: ChipColour) -> Cents | None:
    """Returns the value that the display reports for this colour. None if the value is unknown."""
    known = state.devices.markers.values
    return known[tuple(ChipColour).index(colour)] if known else None


def colours_shown_wrong(state: RouletteState) -> tuple[ChipColour, ...]:
    """Returns the colours whose displayed value is wrong or unknown. Empty at a table without a display that reports
    back.
    """
    if not state.setup.has_value_display:
        return ()
    wanted = zip(ChipColour, values_given(state), strict=True)
    return tuple(colour for colour, value in wanted if value_shown(state, colour) != value)


# --- reports of the display


def _shown(state: RouletteState, values: tuple[Cents, ...] | None) -> RouletteState:
    return state if values is None or values == state.devices.markers.values else with_markers(state, values=values)


def _taken(state: RouletteState, source: Source) -> RouletteState:
    link = link_of(state, Device.VALUE_DISPLAY)
    return with_link(state, Device.VALUE_DISPLAY, replace(link, boot=source.boot, taken=source.number))


def connected(state: RouletteState, event: DeviceConnected, _at_ms: TableMs) -> RouletteState:
    link = link_to(event, link_of(state, event.device))
    return _shown(with_link(state, event.device, link), event.values)


def lost(state: RouletteState, event: DeviceLost | DeviceRefused, _at_ms: TableMs) -> RouletteState:
    """Returns the state with the display disconnected and its values unknown."""
    link = link_of(state, event.device)
    return with_markers(with_link(state, event.device, replace(link, connected=False)), values=())


def started(state: RouletteState, event: DeviceStarted, _at_ms: TableMs) -> RouletteState:
    return _shown(_taken(state, event.source), event.values)


def faulted(state: RouletteState, event: DisplayFaulted, _at_ms: TableMs) -> RouletteState:
    return _shown(_taken(state, event.source), event.values)


def values_shown(state: RouletteState, event: ValuesShown, _at_ms: TableMs) -> RouletteState:
    return _shown(state, event.values)


# --- comparison with the players' values


def watch_markers(_before: RouletteState, after: RouletteState, at_ms: TableMs) -> RouletteState:
    """Returns the state with the time at which the display began to show a wrong value. The state has no such time once
    all values are right or the session is closed.
    """
    known = after.devices.markers
    if after.house.session is SessionPhase.CLOSED or not colours_shown_wrong(after):
        return _known(after, replace(known, differs_ms=None, is_stale=False))
    runs = known.is_stale or known.differs_ms is not None
    return after if runs else _known(after, replace(known, differs_ms=at_ms))


def _known(state: RouletteState, known: MarkersKnown) -> RouletteState:
    was = state.devices.markers
    return state if known == was else with_markers(state, differs_ms=known.differs_ms, is_stale=known.is_stale)


def _due_ms(state: RouletteState) -> TableMs | None:
    since_ms = state.devices.markers.differs_ms
    return None if since_ms is None else TableMs(since_ms + MARKERS_DUE_MS)


def markers_differ(state: RouletteState, at_ms: TableMs) -> RouletteState:
    """The state in which the display counts as late, with a duty for the room manager to look into the difference."""
    state = with_markers(state, differs_ms=None, is_stale=True)
    return look_into(state, DutyKind.LOOK_INTO_MARKERS, at_ms)


# --- the wish for the display


def _wanted(state: RouletteState) -> MarkersDesired:
    return MarkersDesired(basis_of(state.devices.markers.link), values_given(state))


def _safest(permitted: MarkersDesired, latest: MarkersDesired) -> MarkersDesired:
    """Returns the wish `latest` with each value blank that is not durable."""
    both = zip(permitted.values, latest.values, strict=True)
    return MarkersDesired(latest.basis, tuple(now if now == was else BLANK for was, now in both))


MARKERS_RULE: Final[DeviceRule[Any, MarkersDesired]] = DeviceRule(Device.VALUE_DISPLAY, _wanted, _safest)
MARKERS_DEADLINE: Final[Deadline[Any]] = Deadline(Timer.MARKERS, _due_ms, markers_differ)
MARKERS_FACTS: Final[tuple[FactRule[Any, Any], ...]] = (
    FactRule("device-connected", DeviceConnected, connected),
    FactRule("device-lost", DeviceLost, lost),
    FactRule("device-refused", DeviceRefused, lost),
    FactRule("device-started", DeviceStarted, started),
    FactRule("display-faulted", DisplayFaulted, faulted),
    FactRule("values-shown", ValuesShown, values_shown),
)
