"""The words of `then`: each looks at the table and says whether it is so, and what was found instead."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.config.citations import clauses_behind
from controller.core import acts as a
from controller.core.custody.desired import of_shuffler
from controller.core.custody.game import may_draw, next_owed
from controller.core.custody.mixing import cut_is_offered_to
from controller.core.custody.shoe import shoe_is_over
from controller.core.custody.state import Dealt
from controller.core.engine.decision import Refusal, Values
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import hand_points
from controller.core.house.state import Hold
from controller.core.permitted import permitted_act
from controller.core.table import ACTS
from controller.core.words import Place
from controller.scenario.people import PEOPLE
from controller.scenario.player import Player
from controller.scenario.slots import Kind, Slot

Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Whether it is so; `instead` is what there was."""

    ok: bool
    instead: str


@dataclass(frozen=True, slots=True)
class Fact:
    """What may stand after the word, and how it is checked."""

    slots: tuple[Slot, ...]
    check: Callable[[Player, Words], Found] | None  # None: about the configuration, before there is a table


def same(read: Callable[[BlackjackState], str]) -> Callable[[Player, Words], Found]:
    """What stands in the scenario is what is read off the state."""

    def check(player: Player, words: Words) -> Found:
        found = read(player.state)
        return Found(found == " ".join(words), found or "-")

    return check


def _on(flag: bool) -> str:  # noqa: FBT001 - the one thing that it says
    return "on" if flag else "off"


# --- acts


def _refused(player: Player, words: Words) -> Found:
    return _refused_for(player, player.refusal, words)


def _allowed(player: Player, _words: Words) -> Found:
    if not any(isinstance(event, a.Act) for event in player.trace):
        return Found(ok=False, instead="-")  # nobody has done anything
    refusal = player.refusal
    return Found(refusal is None, "" if refusal is None else f"{refusal.rule} {refusal.guard}")


def _may(player: Player, words: Words) -> Found:
    refusal = permitted_act(player.state, ACTS[words[0]]).refusal
    return Found(refusal is None, "" if refusal is None else f"{refusal.rule} {refusal.guard}")


def _may_not(player: Player, words: Words) -> Found:
    refusal = permitted_act(player.state, ACTS[words[0]]).refusal
    return _refused_for(player, refusal, words[1:])


def _refused_for(player: Player, refusal: Refusal | None, words: Words) -> Found:
    """Each word is the rule, its guard, or one of the clauses that say it."""
    if refusal is None:
        return Found(ok=False, instead="allowed")
    found = (refusal.rule, refusal.guard, *clauses_behind(player.state.setup.profile, refusal.rule))
    return Found(all(word in found for word in words), " ".join(dict.fromkeys(found)))


# --- holds and duties


def _hold(player: Player, words: Words) -> Found:
    standing = [_of_hold(hold) for hold in player.state.house.holds]
    ok = any(told[0] == words[0] and all(word in told for word in words[1:]) for told in standing)
    return Found(ok, "; ".join(" ".join(told) for told in standing) or "-")


def _of_hold(hold: Hold) -> list[str]:
    return [hold.kind.value, hold.phase.value, *_pairs(hold.details)]


def _pairs(values: Values) -> list[str]:
    return [f"{key}={value}".replace(" ", "_") for key, value in values if value]


def _no_hold(player: Player, words: Words) -> Found:
    standing = [hold.kind.value for hold in player.state.house.holds if not words or hold.kind.value in words]
    return Found(not standing, " ".join(standing))


def _duty(player: Player, words: Words) -> Found:
    open_ = [duty.kind.value for duty in player.state.house.duties]
    return Found(words[0] in open_, " ".join(open_) or "-")


def _no_duty(player: Player, _words: Words) -> Found:
    return Found(not player.state.house.duties, " ".join(duty.kind.value for duty in player.state.house.duties))


# --- cards


def _face(dealt: Dealt) -> str:
    return dealt.card or ("hidden" if dealt.face_down is not None else "unread")


def _cards_of(player: Player, hand: str) -> str:
    return " ".join(_face(dealt) for dealt in _lying(player, hand))


def _lying(player: Player, hand: str) -> list[Dealt]:
    seat, _, index = ("0" if hand == "bank" else hand).partition("/")
    at = (int(seat), int(index or 1))
    return [dealt for dealt in player.state.game.dealt if (dealt.seat, dealt.hand) == at]


def _cards(player: Player, words: Words) -> Found:
    found = _cards_of(player, words[0])
    return Found(found == " ".join(words[1:]), found or "-")


def _bank_cards(player: Player, words: Words) -> Found:
    found = _cards_of(player, "bank")
    return Found(found == " ".join(words), found or "-")


def _points(player: Player, words: Words) -> Found:
    cards = [dealt.card for dealt in _lying(player, words[0]) if dealt.card is not None]
    found = str(hand_points(cards))
    return Found(found == words[1], found)


def owed_words(state: BlackjackState) -> str:
    """What the next card is for, as a scenario writes it."""
    owed = next_owed(state)
    if owed is None:
        return "nothing"
    return f"seat-{owed.seat}" if owed.purpose.value == "seat" else owed.purpose.value


def _place(place: Place) -> Fact:
    def read(state: BlackjackState) -> str:
        return str(state.custody.book.jammed if place is Place.JAMMED else getattr(state.custody.book, place.value))

    return Fact((Slot(Kind.NUMBER),), same(read))


def _count(read: Callable[[BlackjackState], int]) -> Fact:
    return Fact((Slot(Kind.NUMBER),), same(lambda state: str(read(state))))


def _ruling(player: Player, words: Words) -> Found:
    made = [(one.outcome.value, one.person) for one in player.rulings]
    wanted = (words[0], PEOPLE[words[1]][0])
    return Found(wanted in made, " ".join(outcome for outcome, _person in made) or "-")


def _present(player: Player, words: Words) -> Found:
    numbers = {number: name for name, (number, _role) in PEOPLE.items()}
    here = list(dict.fromkeys(numbers.get(one.person, "?") for one in player.state.house.present))
    return Found(words[0] in here, " ".join(here) or "-")


def _told(player: Player, words: Words) -> Found:
    told = [[one.key, *_pairs(one.values)] for one in player.notices]
    ok = any(one[0] == words[0] and all(word in one for word in words[1:]) for one in told)
    return Found(ok, "; ".join(" ".join(one) for one in told[-3:]) or "-")


def _not_told(player: Player, words: Words) -> Found:
    told = _told(player, words)
    return Found(not told.ok, " ".join(words))


def _absent(player: Player, words: Words) -> Found:
    here = _present(player, words)
    return Found(not here.ok, here.instead)


# --- shoe and box


def _deviation(state: BlackjackState) -> str:
    game = state.custody.shoe_game
    return "" if game.measured is None or game.expected is None else f"{game.measured - game.expected:+d}"


def _figure(value: int | None) -> str:
    return "" if value is None else str(value)


def _shoe_over(player: Player, _words: Words) -> Found:
    return Found(shoe_is_over(player.state), "rounds left")


# --- the profile


def _parameter(player: Player, words: Words) -> Found:
    setup = player.state.setup
    rules = setup.hand_rules
    of_hands = () if rules is None else (rules.figures, rules.limits)
    holders = (setup.procedure, setup.parameters, setup, *of_hands)
    value = next((getattr(one, words[0]) for one in holders if hasattr(one, words[0])), None)
    found = str(value).lower() if isinstance(value, bool) else str(value)
    return Found(found == words[1], found)


_PLACES: Final = {place.value.replace("_", "-"): _place(place) for place in Place}

FACTS: Final[dict[str, Fact]] = {
    "refused": Fact((Slot(Kind.CITED, 0), Slot(Kind.GUARD, 0)), _refused),
    "allowed": Fact((), _allowed),
    "may": Fact((Slot(Kind.ACT),), _may),
    "may-not": Fact((Slot(Kind.ACT), Slot(Kind.CITED, 0), Slot(Kind.GUARD, 0)), _may_not),
    "session": Fact((Slot(Kind.SESSION),), same(lambda state: state.house.session.value)),
    "round-is": Fact((Slot(Kind.ROUND),), same(lambda state: state.game.phase.value)),
    "owed": Fact((Slot(Kind.OWED),), same(owed_words)),
    **_PLACES,
    "total": _count(lambda state: state.custody.book.total),
    "packets": Fact(
        (Slot(Kind.NUMBER, 0, 12),), same(lambda state: " ".join(str(packet) for packet in state.custody.packets))
    ),
    "loads": _count(lambda state: state.house.tally.loads),
    "failed-loads": _count(lambda state: state.house.tally.failed_loads),
    "rounds": _count(lambda state: state.house.tally.rounds),
    "burned": _count(lambda state: state.house.tally.burned),
    "drawn": _count(lambda state: state.house.tally.drawn),
    "jams": _count(lambda state: state.house.tally.jams_raised),
    "complaints": _count(lambda state: state.house.tally.complaints),
    "corrections": _count(lambda state: state.house.tally.corrections),
    "voided": _count(lambda state: state.house.tally.voided),
    "set-aside": _count(lambda state: int(state.custody.set_aside is not None)),
    "not-told": Fact((Slot(Kind.NOTICE), Slot(Kind.DETAIL, 0, 9)), _not_told),
    "absent": Fact((Slot(Kind.PERSON),), _absent),
    "present": Fact((Slot(Kind.PERSON),), _present),
    "ruling": Fact((Slot(Kind.OUTCOME), Slot(Kind.PERSON)), _ruling),
    "told": Fact((Slot(Kind.NOTICE), Slot(Kind.DETAIL, 0, 9)), _told),
    "cards": Fact((Slot(Kind.HAND), Slot(Kind.FACE, 0, 20)), _cards),
    "points": Fact((Slot(Kind.RECEIVER), Slot(Kind.NUMBER)), _points),
    "bank": Fact((Slot(Kind.FACE, 0, 20),), _bank_cards),
    "hold": Fact((Slot(Kind.HOLD), Slot(Kind.PHASE, 0), Slot(Kind.DETAIL, 0, 9)), _hold),
    "no-hold": Fact((Slot(Kind.HOLD, 0),), _no_hold),
    "duty": Fact((Slot(Kind.DUTY),), _duty),
    "no-duty": Fact((), _no_duty),
    "cut-offered": Fact((Slot(Kind.SEAT, 0),), same(lambda state: str(cut_is_offered_to(state) or ""))),
    "warning-expected": Fact((Slot(Kind.NUMBER),), same(lambda state: _figure(state.custody.shoe_game.expected))),
    "warning-measured": Fact((Slot(Kind.NUMBER),), same(lambda state: _figure(state.custody.shoe_game.measured))),
    "warning-deviation": Fact((Slot(Kind.DEVIATION),), same(_deviation)),
    "shoe-over": Fact((), _shoe_over),
    "mouth": Fact((Slot(Kind.ON_OFF),), same(lambda state: _on(may_draw(state)))),
    "feed": Fact((Slot(Kind.ON_OFF),), same(lambda state: _on(of_shuffler(state).feed_open))),
    "unload": Fact((Slot(Kind.ON_OFF),), same(lambda state: _on(of_shuffler(state).unload))),
    "lamp": Fact((Slot(Kind.ON_OFF),), same(lambda state: _on(of_shuffler(state).lamp))),
    "closing": Fact((Slot(Kind.CLOSING),), same(lambda state: state.house.last_closing.value)),
    "report": Fact((Slot(Kind.REPORT),), same(lambda state: "final" if state.house.closing_final else "provisional")),
    "parameter": Fact((Slot(Kind.PARAMETER), Slot(Kind.VALUE)), _parameter),
    "configuration-refused": Fact((Slot(Kind.CLAUSE, 0, 9),), None),
    "configuration-accepted": Fact((), None),
}
"""Every word of `then`; FORMAT.md says what each means."""
