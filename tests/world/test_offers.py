"""In worlds, each offered act has at least one value that the core accepts."""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from controller.config.model import Tracks
from controller.core.engine.act import Act
from controller.core.house.deciding import refused_by
from controller.core.house.people import dealer_at_table
from controller.core.house.permitted import offered
from controller.core.house.round_log import OfTheLog
from controller.core.house.state import State
from controller.core.words import Person, Role
from controller.protocol.values import DECK, FOREIGN, ValueKind
from controller.record.shown import entries_shown
from controller.runtime.act_values import Field, asked_values, kind_of, make_act, may_be_left_out, words_of
from controller.runtime.game import AnyGame, game_of
from controller.screen.who_may import Rule
from simulators.wheel.judge import GAME as WHEEL
from simulators.world.card_game import GAME as CARDS
from simulators.world.plan import WorldPlan
from tests.night import IS_NIGHT
from tests.runtime.shown import written

WORLDS: Final = (
    *((profile, Tracks.HANDS) for profile in ("pt-csm", "mo-csm", "mo-box", "br", "house")),
    ("mo-box", Tracks.CARDS),
    ("pt-roulette", Tracks.BETS),
)
SEEDS: Final = range(1, 9) if IS_NIGHT else (2,)
EVERY: Final = 5
"""Each fifth entry's state is looked at."""

FEWEST: Final = 10
"""No world of the list has fewer states to look at."""

TYPED: Final = {
    *("confirm-count", "state-count", "state-whole-count", "enter-cards", "enter-grid"),
    *("keep-recording", "take-over-jackpot", "export-jackpot", "state-unseen-cards"),
}
"""Acts whose values people count, copy or type: no list has them."""

COMES_FIRST: Final = {"open-session"}
"""Acts that are offered to the person who signs in for them."""


def values_of(game: AnyGame, state: State, act: type[Act], name: str) -> Sequence[Field]:
    """Returns some values of this name, every one if they are few; the first is None where the value may be absent."""
    setup, kind, offers = state.setup, kind_of(act, name), game.screen().offers
    few: dict[ValueKind, Sequence[Field]] = {
        ValueKind.SEAT: range(setup.seats + 1),
        ValueKind.SEATS: [*((seat,) for seat in range(1, setup.seats + 1)), tuple(range(1, setup.seats + 1))],
        ValueKind.HOLD: [hold.id for hold in state.house.holds],
        ValueKind.DUTY: [duty.id for duty in state.house.duties],
        ValueKind.YES_NO: (True, False),
        ValueKind.CARD: (FOREIGN, *DECK),
        ValueKind.TEXT: ("tape 1",),
        ValueKind.AMOUNT: (offers.amount(state, act),),
    }
    found = few.get(kind) or offers.numbers(state, name) or _counted(state, kind, name)
    listed = [(one,) if kind is ValueKind.NUMBERS and isinstance(one, int) else one for one in found]
    return [None, *listed] if may_be_left_out(act, name) else listed


def _counted(state: State, kind: ValueKind, name: str) -> Sequence[Field]:
    """Returns the likely numbers of a value without a list, such as the passes of a shuffle."""
    setup = state.setup
    numbers = {"passes": (setup.procedure.shuffle_passes,), "deck": range(1, setup.decks + 1), "back": (1, 2)}
    return numbers.get(name, (1, 0)) if kind is ValueKind.NUMBER else ()


def is_accepted(game: AnyGame, state: State, rule: Rule) -> bool:
    """True if the guards accept the act with some values, by some person."""
    named = {name: _words(game, state, rule.act, name) for name in asked_values(rule.act)}
    chosen = (dict(zip(named, fields, strict=True)) for fields in product(*named.values()))
    tried = (fields for one in chosen for fields in game.screen().offers.tries(state, rule.act, one))
    return any(refused_by(rule, state, act) is None for fields in tried for act in _by_each(state, rule, fields))


def _words(game: AnyGame, state: State, act: type[Act], name: str) -> Sequence[Field]:
    is_word = kind_of(act, name) is ValueKind.WORD
    return words_of(act, name) if is_word else values_of(game, state, act, name)


def _by_each(state: State, rule: Rule, fields: dict[str, Field]) -> Iterator[Act]:
    present = {one.role: one.person for one in state.house.present}
    for role in rule.asked_by(state):
        person = dealer_at_table(state) if role is Role.DEALER else present.get(role)
        yield make_act(rule.act, person or Person(0), role, fields)


def offered_in_vain(game: AnyGame, state: State) -> list[str]:
    rules = [game.registry.act_named[name] for name, _who in offered(game.registry, state)]
    listed = [one for one in rules if one.name not in TYPED | COMES_FIRST and not issubclass(one.act, OfTheLog)]
    return [one.name for one in listed if not is_accepted(game, state, one)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("profile", "tracks"), WORLDS)
@pytest.mark.slow
def test_each_offered_act_has_a_value_that_is_accepted(profile: str, tracks: Tracks, seed: int, tmp_path: Path) -> None:
    worlds: list[Any] = []
    played: Any = WHEEL if profile == "pt-roulette" else CARDS
    played.run(WorldPlan(seed, 3, played.kinds, profile=profile, tracks=tracks), worlds.append)
    entries = list(entries_shown(Path(written(worlds[0].host.disk.storage, tmp_path / "journal"))))
    states = [one.after for one in entries[::EVERY] if one.after is not None]
    game = game_of(profile)
    found = [(state.game.phase.value, name) for state in states for name in offered_in_vain(game, state)]
    assert ", ".join(sorted(map(str, set(found)))) == ""
    assert len(states) > FEWEST
