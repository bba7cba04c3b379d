"""The buttons of a hold: the acts that the status suggests next, and the acts that wait for a second person. At a jam
there is a button for each place where the freed cards may be. A press of such a button also states that the jam's cause
is gone.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from controller.panel.moment import Moment
from controller.panel.offer import HELD_MS, SURE_MS, Offer, Size, Step
from controller.protocol.status import HoldStatus, SessionStep, StepState
from controller.protocol.suggestion import Suggestion

MOST: Final = 3
"""The most buttons that fit at the bottom of the page."""

_MOVED_TO: Final = ("rack", "inside")
"""The places where a freed card may be between loading and unloading, the likeliest first."""

_AMONG_LOOSE_CARDS: Final = ("outside", "rack", "inside")
"""The places where a freed card may be while other cards of the deck set are outside, the likeliest first."""

_NOTHING_OUTSIDE: Final = frozenset({SessionStep.LOADED, SessionStep.IN_PLAY, SessionStep.CLOSING})
_NAMES: Final = {"attend-hold": "take-charge", "confirm-hold": "play-on"}
"""The acts whose button has a name of its own, from the person's point of view."""

TAKE_OVER: Final = "take-over-shift"

_HELPING: Final = ("call-technician", "attest-repair")
"""The acts for a jam that cannot be cleared by hand."""


def _of_hold(moment: Moment, hold: HoldStatus) -> tuple[Offer, ...]:
    if hold.kind == "supervisor-absent":
        operation = "unloading" if moment.status.session in {"closing", "unloading", "checking"} else "loading"
        step = ("sign-in", {"operation": operation})
        return (Offer("i-am-here", tuple(hold.who), (step,), hold=hold.id),)
    if hold.kind == "jam" and hold.phase == "attended" and (jammed := moment.count("jammed")):
        return _freed(moment, hold, jammed)
    return tuple(_suggested(moment, hold))[:MOST]


def _freed(moment: Moment, hold: HoldStatus, jammed: int) -> tuple[Offer, ...]:
    """Returns one button for each place where the freed cards of a jam may be, and a second, smaller button that calls
    a technician or attests the repair.

    A press also confirms that the cause is gone: one person states both at the same moment (pt.bj.51d).
    """
    clear: Step = ("clear-hold", {"hold": hold.id})
    places = _MOVED_TO if moment.status.session in _NOTHING_OUTSIDE else _AMONG_LOOSE_CARDS
    helping = [act for act in _HELPING if moment.may(act)][:1]
    technician = tuple(
        Offer(act, moment.who_may(act), ((act, {"hold": hold.id}),), size=Size.SECOND, hold=hold.id) for act in helping
    )
    freed = tuple(
        Offer(
            f"jammed-{place}",
            tuple(hold.who),
            (("state-cards-moved", {"source": "jammed", "target": place, "count": str(jammed)}), clear),
            size=Size.MAIN if place in places[:2] else Size.SECOND,
            hold=hold.id,
            cards=jammed,
        )
        for place in places
    )
    return freed + technician


def _suggested(moment: Moment, hold: HoldStatus) -> Iterator[Offer]:
    """Yields a button for each act of the hold's next steps. An optional act comes last, with a smaller button."""
    steps = [step for step in hold.plan if step.state is StepState.NEXT]
    known: set[str] = set()
    for step in sorted(steps, key=lambda step: step.optional):
        for act in step.acts:
            if act.act not in known and moment.may(act.act) and not (step.optional and known):
                known.add(act.act)
                is_rare = act.act == "pay-jackpot-by-hand" and "pay-jackpot" in known
                size = Size.SECOND if step.optional or is_rare else Size.MAIN
                yield _of_prize(moment, _suggestion(act, size, hold))
    if hold.kind == "count" and "state-count" in known and moment.may("state-cards-moved"):
        who = moment.who_may("state-cards-moved")  # a wrongly stated place is the likeliest cause
        yield Offer("state-cards-moved", who, asks="state-cards-moved", size=Size.SECOND, hold=hold.id)


def _of_prize(moment: Moment, offer: Offer) -> Offer:
    """Returns the button that pays a jackpot's prize with its seat and amount. Returns any other button unchanged."""
    prize = moment.status.jackpot.next_prize if moment.status.jackpot is not None else None
    if prize is None or offer.name not in {"pay-jackpot", "pay-jackpot-by-hand"}:
        return offer
    return replace(offer, hand=str(prize.seat), amount="{}.{:02d}".format(*divmod(prize.cents, 100)))


def _suggestion(act: Suggestion, size: Size, hold: HoldStatus) -> Offer:
    steps = () if act.asks else ((act.act, act.values),)
    name, asks = _NAMES.get(act.act, act.act), act.act if act.asks else ""
    return Offer(name, tuple(act.who), steps, asks, size, HELD_MS.get(act.act, 0), hold.id, known=act.values)


def agreements(moment: Moment) -> tuple[Offer, ...]:
    """Returns a button for each act that waits for a second person. Adds the button of TAKE_OVER if a person may take
    over the shift.
    """
    who = moment.who_may(TAKE_OVER)
    comes = (Offer(TAKE_OVER, who, ((TAKE_OVER, {}),), size=Size.SECOND, takes_own_pin=True),) if who else ()
    waiting = (
        Offer(
            f"agree-{one.act}",
            tuple(one.who),
            ((one.act, one.values),),
            hold_ms=SURE_MS,
            act="agree",
            about=one.text,
            takes_own_pin=True,
        )
        for one in moment.status.waiting
    )
    return (*waiting, *comes)


def of_the_hold(moment: Moment) -> tuple[Offer, ...]:
    """Returns the buttons of the hold that the page shows. Returns () without a hold."""
    return () if moment.hold is None else _of_hold(moment, moment.hold)
