"""Every bench by name, in the order of the table. A new bench is a module with `run(plan)` and a line here."""

from collections.abc import Mapping
from typing import Final

from tests.bench import (
    adapter,
    beside_floods,
    beside_uplink,
    card_event,
    decode,
    evidence,
    flood,
    floor_rows,
    floor_week,
    growth,
    jam,
    panel,
    query,
    recovery,
    rounds,
    start,
    train,
    tree_pairs,
)
from tests.bench.rows import Bench

BENCHES: Final[Mapping[str, Bench]] = {
    "card-event": card_event.run,  # G1, G2
    "query": query.run,  # G3, G4
    "decode": decode.run,  # G5, G6
    "flood": flood.run,  # G7
    "recovery": recovery.run,  # G14, G15
    "jam": jam.run,  # G17
    "rounds": rounds.run,  # G20
    "start": start.run,  # G11 to G13
    "panel": panel.run,  # G19
    "growth": growth.run,  # G36, G37
    "train": train.run,  # G38
    "beside-floods": beside_floods.run,  # G23, G24
    "beside-uplink": beside_uplink.run,  # G25 to G27
    "floor-rows": floor_rows.run,  # G28, G29
    "floor-week": floor_week.run,  # G35
    "adapter": adapter.run,  # G30
    "evidence": evidence.run,  # G31 to G33
    "tree-pairs": tree_pairs.run,  # G34
}
