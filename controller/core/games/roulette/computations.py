"""What is worked out from number, chips and time, each by the clauses that it computes. One row a function."""

from typing import Final

from controller.core.computation import Computation

COMPUTATIONS: Final = (
    Computation("colour_of", ("pt.rou.6",)),
    Computation(
        "bets_of", ("pt.rou.24a", "pt.rou.24b", "pt.rou.25a1", "pt.rou.25a2", "pt.rou.25a3", "pt.rou.25b", "pt.rou.26")
    ),
    Computation("settle", ("pt.rou.27c", "pt.rou.27d", "pt.rou.28")),
    Computation("rate_of", ("pt.rou.27a", "pt.rou.27b")),
    Computation("of_player", ("pt.rou.30b",)),
    Computation("exchange_chips", ("pt.rou.12a",)),
    Computation("exchange_late_chips", ("pt.rou.12c", "pt.rou.15b")),
)
