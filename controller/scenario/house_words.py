"""The words that the scenarios of every game have: refusals, session, holds, people, time, the controller's start."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic

from controller.config.notice_clauses import cited, clauses_behind
from controller.core.engine.act import Act
from controller.core.engine.decision import Refusal, Values
from controller.core.house.facts import JournalFailed, JournalRestored
from controller.core.house.permitted import permitted_act
from controller.core.house.state import Hold, State, StateT
from controller.scenario.people import PEOPLE
from controller.scenario.shorthand import AnyPlayer, At, Step, Words, must
from controller.scenario.slots import Kind, Slot
from controller.scenario.table_player import TablePlayer


@dataclass(frozen=True, slots=True)
class Found:
    """The result of checking an expectation. `ok`: True if the table meets the expectation. `instead`: the value that
    the table has.
    """

    ok: bool
    instead: str


@dataclass(frozen=True, slots=True)
class Fact(Generic[At]):
    """One word of `then`: the values that may follow it, and the function that checks it at the table."""

    slots: tuple[Slot, ...]
    check: Callable[[At, Words], Found] | None  # None: checked on the configuration, before the table exists


def same(read: Callable[[StateT], str]) -> Callable[[TablePlayer[StateT], Words], Found]:
    """Returns a check for a word of `then`: the words that follow it must be the text that `read` returns for the
    table's state.
    """

    def check(player: TablePlayer[StateT], words: Words) -> Found:
        found = read(player.state)
        return Found(found == " ".join(words), found or "-")

    return check


def _same(read: Callable[[State], str]) -> Callable[[AnyPlayer, Words], Found]:
    """Returns a check like `same`, for a text that the state of every game has."""
    return same(read)


# --- steps


def _end_hold(player: AnyPlayer, words: Words) -> None:
    for act in ("attend-hold", "clear-hold", "confirm-hold"):
        must(player, "chief", act, hold=words[0])


_NONE: Final[tuple[Slot, ...]] = ()

STEPS: Final[dict[str, Step[Any]]] = {
    "end-hold": Step((Slot(Kind.HOLD),), _end_hold),
    "restart": Step(_NONE, lambda player, _words: player.start()),
    "restart-alone": Step(_NONE, lambda player, _words: player.start_alone()),
    "journal-fails": Step(_NONE, lambda player, _words: player.put(JournalFailed("full"))),
    "journal-writes": Step(_NONE, lambda player, _words: player.put(JournalRestored())),
    "wait": Step((Slot(Kind.SECONDS),), lambda player, words: player.wait(1000 * int(words[0]))),
}

# --- acts


def _refused(player: AnyPlayer, words: Words) -> Found:
    return _refused_for(player, player.refusal, words)


def _allowed(player: AnyPlayer, _words: Words) -> Found:
    if not any(isinstance(event, Act) for event in player.trace):
        return Found(ok=False, instead="-")  # no act came before this line
    refusal = player.refusal
    return Found(refusal is None, "" if refusal is None else f"{refusal.rule} {refusal.guard}")


def _permitted(player: AnyPlayer, act: str) -> Refusal | None:
    return permitted_act(player.registry, player.state, player.registry.act_named[act].act).refusal


def _may(player: AnyPlayer, words: Words) -> Found:
    refusal = _permitted(player, words[0])
    return Found(refusal is None, "" if refusal is None else f"{refusal.rule} {refusal.guard}")


def _may_not(player: AnyPlayer, words: Words) -> Found:
    return _refused_for(player, _permitted(player, words[0]), words[1:])


def _refused_for(player: AnyPlayer, refusal: Refusal | None, words: Words) -> Found:
    """Checks that the act was refused, and that each of `words` names a part of the refusal: its rule, its guard, a
    clause of the rule, or a value such as `way=also`.
    """
    if refusal is None:
        return Found(ok=False, instead="allowed")
    found = (refusal.rule, refusal.guard, *clauses_behind(player.state.setup.profile, refusal.rule))
    values = _pairs(refusal.values) if any("=" in word for word in words) else ()
    return Found(all(word in (*found, *values) for word in words), " ".join(dict.fromkeys((*found, *values))))


# --- holds and duties


def _hold(player: AnyPlayer, words: Words) -> Found:
    standing = [_of_hold(hold) for hold in player.state.house.holds]
    ok = any(told[0] == words[0] and all(word in told for word in words[1:]) for told in standing)
    return Found(ok, "; ".join(" ".join(told) for told in standing) or "-")


def _of_hold(hold: Hold) -> list[str]:
    return [hold.kind.value, hold.phase.value, *_pairs(hold.details)]


def _pairs(values: Values) -> list[str]:
    return [f"{key}={value}".replace(" ", "_") for key, value in values if value]


def _no_hold(player: AnyPlayer, words: Words) -> Found:
    standing = [hold.kind.value for hold in player.state.house.holds if not words or hold.kind.value in words]
    return Found(not standing, " ".join(standing))


def _duty(player: AnyPlayer, words: Words) -> Found:
    open_ = [duty.kind.value for duty in player.state.house.duties]
    return Found(words[0] in open_, " ".join(open_) or "-")


def _no_duty(player: AnyPlayer, _words: Words) -> Found:
    return Found(not player.state.house.duties, " ".join(duty.kind.value for duty in player.state.house.duties))


# --- people and profile


def _present(player: AnyPlayer, words: Words) -> Found:
    numbers = {number: name for name, (number, _role) in PEOPLE.items()}
    here = list(dict.fromkeys(numbers.get(one.person, "?") for one in player.state.house.present))
    return Found(words[0] in here, " ".join(here) or "-")


_AMOUNT: Final = re.compile(r"(\w+=)\+?([0-9]+)(?:\.00)?")


def _same_amount(pair: str) -> str:
    """Returns a pair `name=amount` in a form that is equal for equal amounts, such as "+5.00" and "5". Returns any
    other text unchanged.
    """
    found = _AMOUNT.fullmatch(pair)
    return pair if found is None else found[1] + found[2]


def _told(player: AnyPlayer, words: Words) -> Found:
    profile = player.state.setup.profile
    told = [[one.key, *_pairs(cited(profile, one).values)] for one in player.notices]
    wanted = [_same_amount(word) for word in words[1:]]
    ok = any(one[0] == words[0] and set(wanted) <= set(map(_same_amount, one)) for one in told)
    return Found(ok, "; ".join(" ".join(one) for one in told[-3:]) or "-")


def _not_told(player: AnyPlayer, words: Words) -> Found:
    told = _told(player, words)
    return Found(not told.ok, " ".join(words))


def _absent(player: AnyPlayer, words: Words) -> Found:
    here = _present(player, words)
    return Found(not here.ok, here.instead)


_FLAGS: Final = {"yes": True, "true": True, "no": False, "false": False}
"""The words of the head for a parameter that is on or off."""


def _parameter(player: AnyPlayer, words: Words) -> Found:
    setup = player.state.setup
    rules = setup.hand_rules
    of_hands = () if rules is None else (rules.figures, rules.limits)
    of_wheel = () if setup.wheel_rules is None else (setup.wheel_rules.figures, setup.wheel_rules.limits)
    holders = (setup.procedure, setup.parameters, setup, *of_hands, *of_wheel)
    value = next((getattr(one, words[0]) for one in holders if hasattr(one, words[0])), None)
    if isinstance(value, bool):
        return Found(_FLAGS.get(words[1]) is value, "yes" if value else "no")
    return Found(str(value) == words[1], str(value))


FACTS: Final[dict[str, Fact[Any]]] = {
    "refused": Fact((Slot(Kind.CITED, 0), Slot(Kind.GUARD, 0), Slot(Kind.DETAIL, 0, 9)), _refused),
    "allowed": Fact((), _allowed),
    "may": Fact((Slot(Kind.ACT),), _may),
    "may-not": Fact((Slot(Kind.ACT), Slot(Kind.CITED, 0), Slot(Kind.GUARD, 0)), _may_not),
    "session": Fact((Slot(Kind.SESSION),), _same(lambda state: state.house.session.value)),
    "round-is": Fact((Slot(Kind.ROUND),), _same(lambda state: state.game.phase.value)),
    "rounds": Fact((Slot(Kind.NUMBER),), _same(lambda state: str(state.house.tally.rounds))),
    "complaints": Fact((Slot(Kind.NUMBER),), _same(lambda state: str(state.house.tally.complaints))),
    "voided": Fact((Slot(Kind.NUMBER),), _same(lambda state: str(state.house.tally.voided))),
    "not-told": Fact((Slot(Kind.NOTICE), Slot(Kind.DETAIL, 0, 9)), _not_told),
    "absent": Fact((Slot(Kind.PERSON),), _absent),
    "present": Fact((Slot(Kind.PERSON),), _present),
    "told": Fact((Slot(Kind.NOTICE), Slot(Kind.DETAIL, 0, 9)), _told),
    "hold": Fact((Slot(Kind.HOLD), Slot(Kind.PHASE, 0), Slot(Kind.DETAIL, 0, 9)), _hold),
    "no-hold": Fact((Slot(Kind.HOLD, 0),), _no_hold),
    "duty": Fact((Slot(Kind.DUTY),), _duty),
    "no-duty": Fact((), _no_duty),
    "closing": Fact((Slot(Kind.CLOSING),), _same(lambda state: state.house.last_closing.value)),
    "report": Fact((Slot(Kind.REPORT),), _same(lambda state: "final" if state.house.closing_final else "provisional")),
    "parameter": Fact((Slot(Kind.PARAMETER), Slot(Kind.VALUE)), _parameter),
    "configuration-refused": Fact((Slot(Kind.CLAUSE, 0, 9),), None),
    "configuration-accepted": Fact((), None),
}
