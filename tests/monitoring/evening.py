"""The figures of an evening at a simulated table, once a minute of virtual time, as series for promtool."""

import re
from collections.abc import Iterator

from controller.catalogue import Language
from controller.screen.metrics import HoldAges, Seen, exposition, exposition_of_nobody
from controller.screen.status import StatusMaker
from simulators.world.fault_kinds import FaultKind
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from simulators.world.world import World, make_world

SCRAPED_EVERY_S = 60.0
SAMPLE = re.compile(r"^(sabot_\w+)(?:\{(.*)\})? (\S+)$", re.MULTILINE)

OF_AN_EVENING = frozenset({FaultKind.JAM_AT_MOUTH, FaultKind.RETRIED_FEED, FaultKind.RETRIED_DEAL})
"""The usual events of every shuffler, which end within minutes."""


def series_of(plan: WorldPlan) -> dict[str, list[str]]:
    """Each figure's values from the start to the closing; `_` for a missing one."""
    world, ages = make_world(plan), HoldAges()
    found: dict[str, list[str]] = {}
    minutes = 0

    def scrape() -> None:
        nonlocal minutes
        for name, value in _samples(world, ages):
            values = found.setdefault(name, [])
            values += ["_"] * (minutes - len(values)) + [value]
        minutes += 1
        world.clock.after(SCRAPED_EVERY_S, scrape)

    world.clock.after(SCRAPED_EVERY_S, scrape)  # the controller has started
    run_to_end(world)
    return {name: values + ["_"] * (minutes - len(values)) for name, values in found.items()}


def _samples(world: World, ages: HoldAges) -> Iterator[tuple[str, str]]:
    run, now_s = world.host.run, world.clock.now_s
    text = exposition_of_nobody()
    if run is not None:
        status = StatusMaker(run.runtime, Language.EN).status(now_s, [])
        text = exposition(Seen(status, ages.ages(status.holds, now_s), ages.ended))
    text = text.replace('simulated="true"', 'simulated="false"')  # the rules are for real tables
    for name, labels, value in SAMPLE.findall(text):
        all_labels = ",".join(filter(None, ('instance="t"', labels)))
        yield f"{name}{{{all_labels}}}", value
