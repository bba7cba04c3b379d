"""What can be pressed: for each moment the one or two next acts, as a table. Whether they may is the controller's word.

A row is offered when the status lists its first act among what may be done now. An act whose values stand in the row
is done by the press; any other opens a sheet that asks for them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final, TypeAlias

from controller.panel.moment import Moment
from controller.protocol.status import HoldStatus

Values: TypeAlias = Mapping[str, str]
Step: TypeAlias = tuple[str, Values]
"""An act and its values."""


@unique
class Size(StrEnum):
    MAIN = "main"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Offer:
    """One button. `who`: the roles that may; `asks`: the act whose values a sheet asks for; `hold`: it concerns.

    `cards`: how many it is about, where that is filled in.
    """

    name: str
    who: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    asks: str = ""
    size: Size = Size.MAIN
    hold_ms: int = 0
    hold: str = ""
    cards: int = 0

    @property
    def press(self) -> str:
        return f"act:{self.name}"


When: TypeAlias = Callable[[Moment], bool]
Make: TypeAlias = Callable[[Moment], tuple[Step, ...]]


def _always(_moment: Moment) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Row:
    """`acts` in order; `make` where they take values. `asks`: the first act's values are asked for on a sheet."""

    name: str
    acts: tuple[str, ...]
    when: When = _always
    make: Make | None = None
    asks: bool = False
    size: Size = Size.MAIN
    hold_ms: int = 0
    role: str = ""


def _bets(moment: Moment) -> tuple[Step, ...]:
    seats = ",".join(map(str, moment.bets))
    return (("take-bets", {"seats": seats}), ("announce-no-more-bets", {}))


def _misdealt(_moment: Moment) -> tuple[Step, ...]:
    return (("report-misdealt", {"seen": "yes"}),)


def _watching(operation: str) -> Make:
    return lambda _moment: (("sign-in", {"operation": operation}),)


def _nobody_watches(operation: str, *sessions: str) -> When:
    return lambda moment: moment.status.session in sessions and not moment.is_present(operation)


def _here(operation: str, *sessions: str) -> Row:
    """Whoever watches says that he is still there."""
    return Row(
        "i-am-here",
        ("sign-in",),
        lambda moment: moment.status.session in sessions and moment.is_present(operation),
        _watching(operation),
        size=Size.SECOND,
        role="chief_supervisor",
    )


SURE_MS: Final = 1000
VERY_SURE_MS: Final = 2000

ROWS: Final = (
    # opening
    Row("open-session", ("open-session",)),
    Row("number-deck-set", ("number-deck-set",), asks=True),
    Row("confirm-display", ("confirm-display",)),
    Row("confirm-count", ("confirm-count",), asks=True),
    Row("shuffle-deck", ("shuffle-deck",), asks=True),
    Row("confirm-mixing", ("confirm-mixing",), hold_ms=SURE_MS),
    Row("state-players", ("state-players",), lambda moment: moment.status.session == "mixed", asks=True),
    Row("confirm-cut", ("confirm-cut",), asks=True),
    Row("refuse-cut", ("refuse-cut",), asks=True, size=Size.SECOND),
    Row("place-warning-card", ("place-warning-card",), make=lambda _moment: (("place-warning-card", {}),)),
    Row("fill-shoe", ("fill-shoe",)),
    Row("begin-loading", ("begin-loading",)),
    Row(
        "watch-loading",
        ("sign-in",),
        _nobody_watches("loading", "mixed", "loading", "taking-out"),
        _watching("loading"),
        role="chief_supervisor",
    ),
    Row("last-packet", ("close-packet", "complete-loading"), lambda moment: moment.is_all_loaded),
    Row("close-packet", ("close-packet",)),
    Row("complete-loading", ("complete-loading",)),
    Row("open-packet", ("open-packet",), lambda moment: moment.count("outside") > 0),
    Row("confirm-taken-out", ("confirm-taken-out",)),
    _here("loading", "loading", "taking-out"),
    # a round
    Row("confirm-card-dealt", ("confirm-card-dealt",)),
    Row("announce-last-round", ("announce-last-round",)),
    Row("no-more-bets", ("take-bets", "announce-no-more-bets"), lambda m: m.may_bet and bool(m.bets), _bets),
    Row("announce-no-more-bets", ("announce-no-more-bets",), lambda moment: not moment.has_other_bets),
    Row("turn-hole-card", ("turn-hole-card",)),
    Row("settled-collected", ("confirm-settled", "collect-cards"), lambda moment: not moment.may("turn-hole-card")),
    Row("collect-cards", ("collect-cards",)),
    Row("begin-putting-back", ("begin-putting-back",), size=Size.SECOND),
    Row("end-putting-back", ("end-putting-back",), lambda m: m.status.round == "putting-back", size=Size.SECOND),
    Row("not-this-seat", ("report-misdealt",), lambda moment: moment.is_last_face_up, _misdealt, size=Size.SECOND),
    Row(
        "record-complaint",
        ("record-complaint",),
        lambda moment: moment.status.round in {"settled", "collected"},
        asks=True,
        size=Size.SECOND,
    ),
    Row("leave-in-rack", ("leave-in-rack",), size=Size.SECOND),
    Row("gather-cards", ("gather-cards",), size=Size.SECOND),
    # closing
    Row(
        "watch-unloading",
        ("sign-in",),
        _nobody_watches("unloading", "closing", "unloading", "checking"),
        _watching("unloading"),
        role="chief_supervisor",
    ),
    Row("begin-unloading", ("begin-unloading",), hold_ms=VERY_SURE_MS),
    Row("complete-unloading", ("complete-unloading",), hold_ms=VERY_SURE_MS),
    Row("confirm-deck-check", ("confirm-deck-check",), hold_ms=VERY_SURE_MS),
    Row("enter-grid", ("enter-grid",), asks=True),
    _here("unloading", "unloading"),
)
"""In the order of a table's day. The first MOST that fit the moment stand at the bottom of the page."""

MOST: Final = 3


def offers(moment: Moment) -> tuple[Offer, ...]:
    """The buttons at the bottom: the hold's that stands, otherwise the procedure's own."""
    if not moment.is_live:
        return ()
    if moment.hold is not None and (found := _of_hold(moment, moment.hold)):
        return found
    found = tuple(offer for row in ROWS if (offer := _offered(row, moment)) is not None)
    return found[:MOST]


def _offered(row: Row, moment: Moment) -> Offer | None:
    who = (row.role,) if row.role else moment.who_may(row.acts[0])
    if not who or not row.when(moment):
        return None
    steps = () if row.asks else row.make(moment) if row.make else tuple((act, {}) for act in row.acts)
    asks = row.acts[0] if row.asks else ""
    return Offer(row.name, who, steps, asks, row.size, row.hold_ms)


# --- holds

_MOVED_TO: Final[tuple[tuple[str, Size], ...]] = (("rack", Size.MAIN), ("inside", Size.MAIN), ("outside", Size.SECOND))
_BY_ONE_ACT: Final = {"unread-card": "name-card", "complaint": "decide-complaint", "ruling": "make-ruling"}
"""Kinds of hold that one act ends."""


def _of_hold(moment: Moment, hold: HoldStatus) -> tuple[Offer, ...]:
    who = tuple(hold.who)
    of_hold = {"hold": hold.id}
    if (act := _BY_ONE_ACT.get(hold.kind)) is not None:
        return (Offer(act, who, asks=act, hold=hold.id),)
    if hold.kind == "supervisor-absent":
        operation = "unloading" if moment.status.session in {"closing", "unloading", "checking"} else "loading"
        step = ("sign-in", {"operation": operation})
        return (Offer("i-am-here", who, (step,), hold=hold.id),)
    match hold.phase:
        case "raised":
            return (Offer("take-charge", who, (("attend-hold", of_hold),), hold=hold.id),)
        case "attended":
            return _of_attended(moment, hold)
        case _:
            can = moment.may("confirm-hold")
            play_on = Offer("play-on", who, (("confirm-hold", of_hold),), hold=hold.id)
            return (play_on,) if can else ()


def _of_attended(moment: Moment, hold: HoldStatus) -> tuple[Offer, ...]:
    who, jammed = tuple(hold.who), moment.count("jammed")
    clear: Step = ("clear-hold", {"hold": hold.id})
    if hold.kind == "jam" and jammed:
        places = [one for one in _MOVED_TO if one[0] != "outside" or moment.status.session == "loading"]
        return tuple(
            Offer(
                f"jammed-{place}",
                who,
                (("state-cards-moved", {"source": "jammed", "target": place, "count": str(jammed)}), clear),
                size=size,
                hold=hold.id,
                cards=jammed,
            )
            for place, size in places
        )
    asked = [act for act in _STATED if moment.may(act)]
    sizes = (Size.MAIN, Size.SECOND) if hold.kind == "count" else (Size.MAIN,)  # what was counted, or said wrongly
    stated = tuple(
        Offer(act, moment.who_may(act), asks=act, hold=hold.id, size=size)
        for act, size in zip(asked, sizes, strict=False)
    )
    cleared = (Offer("clear-hold", who, (clear,), hold=hold.id),) if moment.may("clear-hold") else ()
    return cleared + stated


_STATED: Final = ("replace-card", "state-outage", "state-count", "state-whole-count", "state-cards-moved")
"""What a supervisor says at a hold before it can be cleared: the first that may be said is offered."""
