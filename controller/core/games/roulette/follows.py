"""Lists what follows from any event at a roulette table: the watches, which change the state, and the tells, which give
notices.
"""

from typing import Any, Final

from controller.core.games.roulette.chips import CHIP_RULES, watch_colours
from controller.core.games.roulette.incidents import INCIDENT_RULES
from controller.core.games.roulette.late_chips import LATE_CHIP_RULES
from controller.core.games.roulette.markers import watch_markers
from controller.core.games.roulette.notices import of_chips, of_hours, of_markers, of_spins
from controller.core.games.roulette.paying import PAYING_RULES
from controller.core.games.roulette.spins import SPIN_RULES, watch_null_call
from controller.core.games.roulette.wheel import watch_dealer, watch_session
from controller.core.house.clocks import asks_for_clock, watch_clock
from controller.core.house.correct_entry import CONFIRM_DIFFERENCES, of_log
from controller.core.house.following import Tell, Watch
from controller.core.house.lapses import lapses, of_lapses
from controller.core.house.notices import of_duties, of_holds, of_steps
from controller.core.house.rule import ActRule
from controller.core.house.second_person import of_second_person
from controller.core.house.shift_acts import of_shift

OWN_MATTERS: Final[tuple[ActRule[Any, Any], ...]] = (
    *(*CHIP_RULES, *LATE_CHIP_RULES, *SPIN_RULES, *PAYING_RULES, *INCIDENT_RULES),
    CONFIRM_DIFFERENCES,
)
_STEP: Final = ("house.session", "game.phase")

# Each row is called once, from the top down, and sees the changes made by the rows above it. So the session's row comes
# before those of dealer and players, and these before the display's, which shows the players' values. The row that ends
# waits for a second person is the last, since any row may change what both people must have seen.
WATCHES: Final[tuple[Watch, ...]] = (
    Watch(watch_session, ("house.session",)),
    Watch(watch_clock, ("house.session",), needs=asks_for_clock),
    Watch(watch_dealer, ("house", "spinner")),
    Watch(watch_colours, ("players", "waiting"), only_while="waiting"),
    Watch(watch_markers, ("players", "house", "devices")),
    Watch(watch_null_call, ("house.waiting",), only_while="house.waiting"),
    Watch(lapses(OWN_MATTERS), only_while="house.waiting"),
)
TELLS: Final[tuple[Tell, ...]] = (
    Tell(of_second_person, ("house.waiting",)),
    Tell(of_lapses, ("house.lapsed",)),
    Tell(of_log, ("log.corrected",)),
    Tell(of_holds, ("house.holds",)),
    Tell(of_duties, ("house.duties",)),
    Tell(of_shift, ("house.shift",)),
    Tell(of_steps, _STEP),
    Tell(of_spins, ("game.phase", "game.settled", "log.corrected")),
    Tell(of_chips, ("players", "exchanged")),
    Tell(of_hours, ("wheel", "spinner")),
    Tell(of_markers, ("devices.markers",)),
)
