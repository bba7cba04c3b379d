"""A walk: the host does random acts in any order and in every state of the device, while a twin and a model judge the
device.

No other check tries these orders, so a walk finds faults for which no check was written. The same seed gives the same
walk, as long as the device behaves the same.
"""

from typing import Final

from firmware_protocols.tdp.conform.judge import Judge
from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.lot import Lot
from firmware_protocols.tdp.conform.own_key import paired
from firmware_protocols.tdp.conform.walk_acts import Acts
from firmware_protocols.tdp.link import SILENT_AFTER_S

SEEDS: Final = (1, 2, 3, 4, 5, 6, 7, 8)  # walks of a simulated device; a real one makes the first
STEPS: Final = 500
REAL_S: Final = 180.0  # a walk where time passes; hands do nothing in it then
NEAR_S: Final = 0.05  # of the moment at which the host is taken for silent
REALLY_NEAR_S: Final = 0.5  # the same, of a computer that may stall
UNSURE_S: Final = 1.0  # a longer pause may be a silence: its beginning is proven by an answer
PAUSES_S: Final = (0.1, 0.3, 0.3, 0.9, 1.3, 3.0, 4.5)


def a_walk_finds_nothing_else(host: Host) -> None:
    """Checks by walks that the device sends and shows what PROTOCOL.md asks for, in any order of frames, silences and
    deeds.
    """
    for seed in SEEDS if host.bench.is_quick else SEEDS[:1]:
        walk(host, seed, STEPS)


def a_paired_walk_finds_nothing_else(host: Host) -> None:
    """Checks by walks that a paired device sends and shows what PROTOCOL.md asks for. The device must use tags, and
    copies of frames must be no signs of life.
    """
    with paired(host):
        host.watch.is_locked_by_right = True  # by silences that copies fill
        try:
            for seed in SEEDS[:2] if host.bench.is_quick else SEEDS[:1]:
                walk(host, seed, STEPS if host.bench.is_quick else STEPS // 2)
        finally:
            host.watch.is_locked_by_right = False


def walk(host: Host, seed: int, steps: int) -> None:
    """Makes a walk of `steps` acts. The walk ends at the first break, which `Watch` keeps, and at a real device after
    REAL_S at the latest. Makes no walk if `Watch` has a break already. Raises Broken if the device does not answer.
    """
    if host.watch.breaks:
        return
    judge, lot = Judge(host, host.open()[1]), Lot(seed)
    acts = Acts(judge, lot, has_hands=host.bench.is_quick)
    end_s = judge.now_s + REAL_S
    with judge.follows():
        for step in range(steps):
            _make_step(judge, acts, lot)
            judge.holds(f"step {step} of walk {seed}")
            if host.watch.breaks or (judge.now_s > end_s and not host.bench.is_quick):
                return


def _make_step(judge: Judge, acts: Acts, lot: Lot) -> None:
    judge.begins()
    if _keep_off_the_edge(judge) and judge.host.bench.is_quick:
        acts.looks()  # on a real line the last sign of life may have arrived later than the twin took it
    acts.makes_room()
    acts.any_of()()
    judge.waits(judge.settles_s)
    if lot.choice((False, True)):
        seconds = lot.choice(PAUSES_S)
        if seconds > UNSURE_S and judge.is_unsure:
            acts.is_heard()
        judge.waits(seconds, alive=judge.twin.in_session and lot.below(5) < 2)
        judge.says("silence" if seconds > SILENT_AFTER_S else "pause")


def _keep_off_the_edge(judge: Judge) -> bool:
    """Waits if the next frame would arrive just when the host begins to be silent. Returns True if it waited."""
    left_s = judge.twin.silent_at_s - judge.now_s
    near_s = NEAR_S if judge.host.bench.is_quick else REALLY_NEAR_S
    is_near = abs(left_s) < near_s + judge.settles_s
    if is_near:
        judge.waits(left_s + near_s)
    return is_near
