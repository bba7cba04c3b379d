"""Collects all rows of roulette (acts, facts, watches, tells) in one registry."""

from dataclasses import replace
from typing import Final

from controller.core.games.roulette.bets import BET_RULES
from controller.core.games.roulette.chips import CHIP_RULES, NO_BETS_LIE, NO_PLAYER_IS_IN_PLAY
from controller.core.games.roulette.correcting import AddSpinEntry, CorrectSpinEntry
from controller.core.games.roulette.follows import TELLS, WATCHES
from controller.core.games.roulette.incidents import INCIDENT_RULES
from controller.core.games.roulette.late_chips import LATE_CHIP_RULES
from controller.core.games.roulette.markers import MARKERS_DEADLINE, MARKERS_FACTS, MARKERS_RULE
from controller.core.games.roulette.paying import PAYING_RULES
from controller.core.games.roulette.spins import PRIZES_ARE_BACK, SPIN_RULES
from controller.core.games.roulette.state import RouletteState, initial_state
from controller.core.games.roulette.wheel import WHEEL_DEADLINES, WHEEL_FACTS
from controller.core.house.attendance import HOUSE_DEADLINES, PEOPLE_RULES
from controller.core.house.clocks import CLOCK_RULES
from controller.core.house.controller_facts import HOUSE_FACTS
from controller.core.house.correct_entry import correcting_rules
from controller.core.house.deciding import timer_rule
from controller.core.house.duties import DUTY_RULES
from controller.core.house.evidence import HOUSE_EVIDENCE_GUARDS
from controller.core.house.hold_acts import on_hold_rules
from controller.core.house.plain_session import PLAIN_SESSION_RULES
from controller.core.house.recordings import RECORDING_RULES
from controller.core.house.registry import Registry
from controller.core.house.shift_acts import SHIFT_RULES
from controller.core.words import RoundPhase

_OPENING, _CLOSING, _TAKEN_BACK, _END = PLAIN_SESSION_RULES
# A null spin has no end but another launch, which a dead line or a broken wheel may make impossible.
_NO_BALL_RUNS: Final = (RoundPhase.IDLE, RoundPhase.NULL_SPIN)
_CLOSING_BETWEEN_LAUNCHES: Final = replace(_CLOSING, in_round=_NO_BALL_RUNS)
_END_WITHOUT_CHIPS: Final = replace(
    _END, guards=(*_END.guards, NO_BETS_LIE, NO_PLAYER_IS_IN_PLAY, PRIZES_ARE_BACK), in_round=_NO_BALL_RUNS
)
_DEADLINES = (*WHEEL_DEADLINES, MARKERS_DEADLINE, *HOUSE_DEADLINES)

ROULETTE: Final[Registry[RouletteState]] = Registry(
    state=RouletteState,
    initial=initial_state,
    acts=(
        *PEOPLE_RULES,
        _OPENING,
        *CHIP_RULES,
        *LATE_CHIP_RULES,
        *BET_RULES,
        *SPIN_RULES,
        *PAYING_RULES,
        *INCIDENT_RULES,
        *correcting_rules(lambda: ROULETTE, ("correct-spin-entry", CorrectSpinEntry), ("add-spin-entry", AddSpinEntry)),
        *on_hold_rules(HOUSE_EVIDENCE_GUARDS),
        *DUTY_RULES,
        *CLOCK_RULES,
        *RECORDING_RULES,
        *SHIFT_RULES,
        _CLOSING_BETWEEN_LAUNCHES,
        _TAKEN_BACK,
        _END_WITHOUT_CHIPS,
    ),
    facts=(*HOUSE_FACTS, timer_rule(_DEADLINES), *WHEEL_FACTS, *MARKERS_FACTS),
    deadlines=_DEADLINES,
    watches=WATCHES,
    tells=TELLS,
    devices=(MARKERS_RULE,),
)
