"""G20: rounds a second of the core's functions of hands and money, beside engines that only play."""

import os
import sys
from functools import partial

from tests.bench import peers
from tests.bench.processes import output
from tests.bench.rows import Goal, Plan, Row, interleave, ratios, say, spread

GOAL = 1.0  # ratio to the peer
ROUNDS = 60_000  # for one seat; for seven seats a seventh
SEATS = (1, 7)


def run(plan: Plan) -> list[Row]:
    """The rows; none without the peers' environment. 1andDone is in no registry and needs a checkout."""
    python = peers.python()
    if python is None:
        return []
    rows = [_row(plan, python, "sabot-below-16", "jackblack", 1, "drawing below 16")]
    if "SABOT_BENCH_1ANDDONE" not in os.environ:
        say("  SABOT_BENCH_1ANDDONE names no checkout of 1andDone/blackjack: its rows are left out")
        return rows
    return [*rows, *(_row(plan, python, "sabot", "1andDone", seats, "basic strategy") for seats in SEATS)]


def _row(plan: Plan, python: str, ours: str, peer: str, seats: int, strategy: str) -> Row:
    count = plan.count(ROUNDS) // seats
    rates = interleave(
        {
            "sabot": partial(_rate, sys.executable, ours, seats, count),
            peer: partial(_rate, python, peer, seats, count),
        },
        plan.repetitions,
    )
    what = f"rounds of {seats} seat{'s' if seats > 1 else ''}, {strategy}, over {peer}"
    beside = {name: spread(values) for name, values in rates.items()}
    goal = Goal(GOAL, at_most=False)
    return Row("G20", what, ratios(rates["sabot"], rates[peer]), beside, "rounds/s", goal, "each amount explained")


def _rate(python: str, name: str, seats: int, count: int) -> float:
    return float(output("rounds_process.py", [name, str(seats), str(count)], python=python).split()[-1])
