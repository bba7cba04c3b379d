"""The table of roulette: its rows, put together. No card is known here."""

from typing import Final

from controller.core.games.roulette.bets import BET_RULES
from controller.core.games.roulette.chips import CHIP_RULES, watch_colours
from controller.core.games.roulette.incidents import INCIDENT_RULES
from controller.core.games.roulette.markers import MARKERS_DEADLINE, MARKERS_FACTS, MARKERS_RULE, watch_markers
from controller.core.games.roulette.notices import of_chips, of_hours, of_markers, of_spins
from controller.core.games.roulette.spins import SPIN_RULES
from controller.core.games.roulette.state import RouletteState, initial_state
from controller.core.games.roulette.wheel import WHEEL_DEADLINES, WHEEL_FACTS, watch_dealer, watch_session
from controller.core.house.attendance import HOUSE_DEADLINES, PEOPLE_RULES
from controller.core.house.controller_facts import HOUSE_FACTS
from controller.core.house.deciding import timer_rule
from controller.core.house.duties import DUTY_RULES
from controller.core.house.evidence import HOUSE_EVIDENCE_GUARDS
from controller.core.house.following import Tell, Watch
from controller.core.house.hold_acts import on_hold_rules
from controller.core.house.notices import of_duties, of_holds, of_steps
from controller.core.house.plain_session import PLAIN_SESSION_RULES
from controller.core.house.registry import Registry
from controller.core.house.second_person import lapse_waiting, of_second_person

_OPENING, *_CLOSING = PLAIN_SESSION_RULES
_STEP: Final = ("house.session", "game.phase")
_DEADLINES = (*WHEEL_DEADLINES, MARKERS_DEADLINE, *HOUSE_DEADLINES)

ROULETTE: Final = Registry(
    state=RouletteState,
    initial=initial_state,
    acts=(
        *PEOPLE_RULES,
        _OPENING,
        *CHIP_RULES,
        *BET_RULES,
        *SPIN_RULES,
        *INCIDENT_RULES,
        *on_hold_rules(HOUSE_EVIDENCE_GUARDS),
        *DUTY_RULES,
        *_CLOSING,
    ),
    facts=(*HOUSE_FACTS, timer_rule(_DEADLINES), *WHEEL_FACTS, *MARKERS_FACTS),
    deadlines=_DEADLINES,
    # A session begins before anything of it is looked at: wheel and dealer, then players, then their markers.
    watches=(
        Watch(lapse_waiting, _STEP, only_while="house.waiting"),
        Watch(watch_session, ("house.session",)),
        Watch(watch_dealer, ("house", "spinner")),
        Watch(watch_colours, ("players", "waiting"), only_while="waiting"),
        Watch(watch_markers, ("players", "house", "devices")),
    ),
    tells=(
        Tell(of_second_person, ("house.waiting",)),
        Tell(of_holds, ("house.holds",)),
        Tell(of_duties, ("house.duties",)),
        Tell(of_steps, _STEP),
        Tell(of_spins, ("game.phase", "game.settled")),
        Tell(of_chips, ("players", "exchanged")),
        Tell(of_hours, ("wheel", "spinner")),
        Tell(of_markers, ("devices.markers",)),
    ),
    devices=(MARKERS_RULE,),
)
