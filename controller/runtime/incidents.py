"""Compares the states before and after an entry. Finds the round under way, and the incidents other than holds: void
rounds and irregular closings. Pure.
"""

from collections.abc import Iterator

from controller.core.house.registry import Registry
from controller.core.house.state import House, State
from controller.core.words import RoundPhase, SessionPhase
from controller.protocol.incidents import IncidentKind, Told, Turn
from controller.runtime.game import AnyGame


def first_of_round(game: AnyGame, first: int, seq: int, before: State, after: State) -> int:
    """Returns the number of the first entry of the round under way after entry `seq`; 0 between two rounds. `first`:
    this number before entry `seq`; 0 also after a checkpoint that lacks it.
    """
    if before is after:
        return first
    was, now = before.game, after.game
    if now.phase is was.phase is not RoundPhase.IDLE and now.number == was.number:
        return first
    number = round_under_way(game.registry, after)
    if number is None:
        return 0
    return first if number == round_under_way(game.registry, before) else seq


def incidents_told(before: State, after: State, first: int) -> tuple[Told, ...]:
    """Returns the incidents other than holds that an entry begins, ends or withdraws. `first`: the first entry of the
    round.

    An entry that raises the number of void rounds ends the incident of a void round; an entry that lowers the number
    withdraws it. An irregular closing lasts from its proposal to the end of the session.
    """
    was, now = before.house, after.house
    if was is now:
        return ()
    voids = () if was.tally.voided == now.tally.voided else _void(was, now, first)
    is_regular = not (was.irregular or now.irregular) and was.irregular_proposed_by is now.irregular_proposed_by is None
    return (*voids, *(() if is_regular else _closing(was, now)))


def _void(before: House, after: House, first: int) -> Iterator[Told]:
    if after.tally.voided > before.tally.voided:
        yield Told(IncidentKind.VOID_ROUND, Turn.ENDED, first)
    elif after.tally.voided < before.tally.voided:
        yield Told(IncidentKind.VOID_ROUND, Turn.WITHDRAWN)


def _closing(before: House, after: House) -> Iterator[Told]:
    if _closes_irregularly(after) and not _closes_irregularly(before):
        yield Told(IncidentKind.IRREGULAR_CLOSING, Turn.BEGAN)
    elif _closes_irregularly(before) and not _closes_irregularly(after):
        is_over = after.session is SessionPhase.CLOSED
        yield Told(IncidentKind.IRREGULAR_CLOSING, Turn.ENDED if is_over else Turn.WITHDRAWN)


def _closes_irregularly(house: House) -> bool:
    return house.session is not SessionPhase.CLOSED and (house.irregular or house.irregular_proposed_by is not None)


def round_under_way(registry: Registry[State], state: State) -> int | None:
    """The number of the round under way; None between two rounds. A round lasts from its first bet to its end. A bet
    laid before the round's announcement already counts for that round.
    """
    # a card round's number rises with the announcement, a spin's with the launch
    phase, number = state.game.phase, state.game.number
    if phase is not RoundPhase.IDLE:
        return number + (phase is RoundPhase.BETTING)
    return number + 1 if registry.bets and _has_bets_for_the_next(registry, state) else None


def _has_bets_for_the_next(registry: Registry[State], state: State) -> bool:
    """True if a bet was laid after the last round. Winning chips that stay on the cloth do not count."""
    return not state.log.is_over and any(one.name in registry.bets for one in state.log.events)
