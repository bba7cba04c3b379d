"""Jackpot chips in slots whose sensors report them (pt.bj.41a, 45b, 47, 48b).

A chip plays if it lies in the slot of a player with a main bet at the announcement. At the dealer's trigger the slots
collect, once, the chips that play and still lie there. A chip that came too late, or without a main bet, is announced
and stays with its player. While the slots cannot report, no chip plays unless people state it.
"""

from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.hands import BettingPlace, Bettor
from controller.core.games.blackjack.jackpot.cards import conditions, played_for, seats_with_chips
from controller.core.games.blackjack.jackpot.round import Chip
from controller.core.games.blackjack.state import BlackjackState, with_jackpot
from controller.core.house.jackpot_acts import JACKPOT_IS_SURE
from controller.core.house.linked_acts import FLOOR_IS_HEARD
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DELIBERATE_MS, ActGuard, ActRule, Guard
from controller.core.house.sign import SIGN_SHOWS_THE_POOL
from controller.core.house.slots import COLLECTIONS_SPAN, next_collection
from controller.core.house.state import with_slots
from controller.core.house.undoing import AGAIN
from controller.core.house.wanted import DeviceRule, SlotsDesired, basis_of
from controller.core.jackpot_rules import Marking
from controller.core.words import Device, Role, RoundPhase, SessionPhase, TableMs


class ChooseJackpotMarking(Act, frozen=True):
    """Chooses who reports the jackpot chips: people until the session closes (`manual`), or the slots again."""

    marking: Marking


OPEN: Final = (RoundPhase.IDLE, RoundPhase.BETTING)
"""The steps of a round until the announcement."""


def marking(state: BlackjackState) -> Marking:
    """Returns the way in which jackpot bets are reported now: by people if there is no pool or the slots are set aside,
    otherwise as the pool's approved rules say.
    """
    pool = state.house.pool
    if pool is None or state.devices.slots.is_set_aside:
        return Marking.MANUAL
    return pool.rules.marking


def chips_are_told(state: BlackjackState) -> bool:
    """True if the slots report the jackpot chips; False if people do."""
    return state.setup.has_slots and marking(state) is Marking.AUTOMATIC


# --- the chips that play


def _lying(state: BlackjackState) -> tuple[int, ...]:
    known = state.devices.slots
    return known.status.chips if known.link.connected else ()


def _owner(state: BlackjackState, place: BettingPlace) -> int | None:
    """Returns the number of the player who may have a chip in the slot of `place`, by a main bet there. None if no
    player may.
    """
    if place.sum_of(Bettor(place.seat, place.seat)) > 0:
        return place.seat
    bettors = tuple(dict.fromkeys(one.bettor.number for one in place.bets))
    is_vacant = place.holder is None and len(bettors) == 1
    return bettors[0] if is_vacant and conditions(state).jackpot_chip_each_place else None


def _counting(state: BlackjackState) -> tuple[Chip, ...]:
    """Returns the chips that play according to the slots. Empty while the pool's amount or its sign is in doubt. No new
    chip is added while the floor of a linked pool is not heard.
    """
    if played_for(state) is None or not (JACKPOT_IS_SURE.holds(state) and SIGN_SHOWS_THE_POOL.holds(state)):
        return ()
    lying = _lying(state)
    if not FLOOR_IS_HEARD.holds(state):  # no further chip plays
        return tuple(chip for chip in state.game.jackpot.chips if chip.seat in lying)
    owned = ((one.seat, _owner(state, one)) for one in state.game.stakes.places if one.seat in lying)
    return tuple(sorted((Chip(seat, owner) for seat, owner in owned if owner), key=lambda one: one.seat))


def watch_slots(_before: BlackjackState, after: BlackjackState, _at_ms: TableMs) -> BlackjackState:
    """Returns the state with the round's chips taken from the slots' report, until the announcement.

    The collection of an earlier round is dropped. When the session closes, the slots are no longer set aside.
    """
    after = _of_this_session(after)
    if after.game.phase not in OPEN or not chips_are_told(after):
        return after
    chips = _counting(after)
    return after if chips == after.game.jackpot.chips else with_jackpot(after, chips=chips)


def _of_this_session(state: BlackjackState) -> BlackjackState:
    known = state.devices.slots
    is_aside = known.is_set_aside and state.house.session is not SessionPhase.CLOSED
    due = known.collection_due if state.game.jackpot.is_collected else None
    if (due, is_aside) == (known.collection_due, known.is_set_aside):
        return state
    return with_slots(state, collection_due=due, is_set_aside=is_aside)


def still_lying(state: BlackjackState) -> BlackjackState:
    """Returns the state without the chips that have left their slots when the dealer triggers the collection."""
    lying = _lying(state)
    return with_jackpot(state, chips=tuple(chip for chip in state.game.jackpot.chips if chip.seat in lying))


def collection_wanted(state: BlackjackState) -> BlackjackState:
    """Returns the state in which the slots have to collect this round's chips. Unchanged if people report the chips."""
    return with_slots(state, collection_due=next_collection(state)) if chips_are_told(state) else state


def chips_astray(state: BlackjackState) -> tuple[int, ...]:
    """Returns the seats whose slot has a chip that does not play, or that a collection has left. Empty between rounds,
    and if people report the chips.
    """
    if not chips_are_told(state) or state.game.phase is RoundPhase.IDLE:
        return ()
    playing, is_emptied = seats_with_chips(state), state.game.jackpot.is_collected
    is_emptied = is_emptied and state.devices.slots.collection_due is None
    return tuple(seat for seat in _lying(state) if is_emptied or seat not in playing)


# --- people's requests


CHIPS_ARE_SAID = Guard[BlackjackState]("jackpot_chips_are_said", lambda state: not chips_are_told(state))


def _untold(state: BlackjackState) -> tuple[int, ...]:
    """Returns the seats with a chip in play whose slot cannot report it: all of them while the
    slots are disconnected.
    """
    known, playing = state.devices.slots, seats_with_chips(state)
    if not chips_are_told(state):
        return ()
    return tuple(seat for seat in playing if seat in known.status.broken) if known.link.connected else playing


SLOTS_TELL_OF_EACH_CHIP = ActGuard[BlackjackState, Any](
    "slots_tell_of_each_chip",
    lambda state, _act: not _untold(state),
    lambda state, _act: (("seats", ", ".join(map(str, _untold(state))) or "-"),),
    possible=lambda state: not _untold(state),
)
SLOTS_ARE_HERE = Guard[BlackjackState](
    "jackpot_slots_are_here",
    lambda state: (
        state.setup.has_slots and state.house.pool is not None and state.house.pool.rules.marking is Marking.AUTOMATIC
    ),
)
JACKPOT_IS_NOT_COLLECTED = Guard[BlackjackState](
    "jackpot_is_not_collected", lambda state: not state.game.jackpot.is_collected
)
MARKING_IS_ANOTHER = ActGuard[BlackjackState, ChooseJackpotMarking](
    "marking_is_another", lambda state, act: act.marking is not marking(state)
)


def _beside_their_slots(state: BlackjackState) -> tuple[int, ...]:
    return tuple(seat for seat in seats_with_chips(state) if seat not in _lying(state))


CHIPS_LIE_IN_THEIR_SLOTS = ActGuard[BlackjackState, ChooseJackpotMarking](
    "chips_lie_in_their_slots",
    lambda state, act: act.marking is Marking.MANUAL or not _beside_their_slots(state),
    lambda state, _act: (("seats", ", ".join(map(str, _beside_their_slots(state)))),),
)


def choose_marking(state: BlackjackState, act: ChooseJackpotMarking, _at_ms: TableMs) -> BlackjackState:
    """Returns the state with the slots set aside or used again. The round's chips stay as they are."""
    return with_slots(state, is_set_aside=act.marking is Marking.MANUAL)


# --- notices and wishes


def of_slots(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns notices of disconnected or reconnected slots, failed or repaired sensors, and chips that do not play."""
    seats = {
        "jackpot-slot-broken": _news(before.devices.slots.status.broken, after.devices.slots.status.broken),
        "jackpot-slot-works": _news(after.devices.slots.status.broken, before.devices.slots.status.broken),
        "jackpot-chip-astray": _news(_too_late(before), _too_late(after)),
        "jackpot-chip-gone": _gone(before, after),
    }
    told = [Notice(key, (("seat", str(seat)),)) for key, which in seats.items() for seat in which]
    return [*_link_told(before, after), *told]


def _news(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat in after if seat not in before)


def _too_late(state: BlackjackState) -> tuple[int, ...]:
    return () if state.game.phase in OPEN else chips_astray(state)


def _gone(before: BlackjackState, after: BlackjackState) -> tuple[int, ...]:
    """Returns the seats whose chip was in its slot at the announcement and not when the collection was triggered."""
    if before.game.phase is not RoundPhase.DEALING or after.game.phase is not RoundPhase.DEALING:
        return ()
    return _news(seats_with_chips(after), seats_with_chips(before))


def _link_told(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    was, now = before.devices.slots.link.connected, after.devices.slots.link.connected
    is_announced = before.game.phase in OPEN and after.game.phase is RoundPhase.DEALING
    if is_announced and not now and chips_are_told(after):  # lost at a start, it may never have been told
        return [Notice("jackpot-slots-lost")]
    if was is now or before.house.start_number != after.house.start_number:
        return []
    return [Notice("jackpot-slots-back" if now else "jackpot-slots-lost")]


def _wanted(state: BlackjackState) -> SlotsDesired:
    """Returns the wish for the slots: the seats to collect from, lit lamps at chips in play, blinking lamps at other
    chips.
    """
    known, playing = state.devices.slots, seats_with_chips(state)
    is_due = known.collection_due == next_collection(state)
    return SlotsDesired(
        basis_of(state.devices.slots.link),
        next_collection(state) if is_due else known.status.collections,
        seats=playing if is_due else (),
        lit=playing,
        blinking=tuple(seat for seat in chips_astray(state) if seat not in playing),
    )


def _safest(permitted: SlotsDesired, latest: SlotsDesired) -> SlotsDesired:
    """Returns the wish `latest` without any collection or lit lamp that is not durable. Blinking lamps need not be
    durable.
    """
    lit = tuple(seat for seat in latest.lit if seat in permitted.lit)
    if (permitted.collection, permitted.seats) == (latest.collection, latest.seats) or not latest.seats:
        return replace(latest, lit=lit)
    return replace(latest, collection=(latest.collection - 1) % COLLECTIONS_SPAN, seats=(), lit=lit)


SLOTS_RULE: Final[DeviceRule[Any, SlotsDesired]] = DeviceRule(Device.JACKPOT_SLOTS, _wanted, _safest)


MARKING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "choose-jackpot-marking",
        ChooseJackpotMarking,
        (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        choose_marking,
        (SLOTS_ARE_HERE, JACKPOT_IS_NOT_COLLECTED, MARKING_IS_ANOTHER, CHIPS_LIE_IN_THEIR_SLOTS),
        in_session=(SessionPhase.IN_PLAY,),
        hold_ms=DELIBERATE_MS,
        undone=AGAIN,
        money=Money.LAID,
        manner=Manner.DECIDES,
    ),
)
