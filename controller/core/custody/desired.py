"""What should be true of the devices, as a function of the state; the shell makes it true.

A release names the count that it starts from, and everything the device that it is meant for: a stale wish can only
lock. `safest` joins what the last durable state permits with what the newest state protects.
"""

from controller.core.custody.books import NUMBER_SPAN, is_older
from controller.core.custody.game import may_draw
from controller.core.custody.state import CardState
from controller.core.engine.decision import Basis, Desired, DisplayDesired, ShoeDesired, ShufflerDesired
from controller.core.house.hold_table import hold_rule
from controller.core.house.holds import forbidding, holds_of
from controller.core.house.people import is_watched
from controller.core.house.state import Link
from controller.core.words import HoldKind, Operation, Permission, RoundPhase, SessionPhase


def desired(state: CardState) -> Desired:
    """What this state wants of shuffler, shoe and display."""
    draw, unload = may_draw(state), _unloading_is_wanted(state)
    return Desired(
        ShufflerDesired(
            _basis(state.devices.shuffler.link),
            release_after=state.devices.shuffler.counted_out if draw else None,
            feed_open=_feed_is_wanted(state),
            unload=unload,
            lamp=any(hold_rule(hold.kind).lights_lamp for hold in state.house.holds),
            jams_ended=state.devices.jams_ended,
            recount_request=state.devices.recount_request,
        ),
        ShoeDesired(_basis(state.devices.reader.link), locked=not (draw or unload)),
        DisplayDesired(_basis(state.devices.display.link), amount_cents=0, fault=bool(state.house.holds)),
    )


def _basis(link: Link) -> Basis:
    return Basis(link.serial, link.boot)


def safest(permitted: Desired, latest: Desired) -> Desired:
    """Permits only what both want of the same device in the same boot; protects as soon as either does."""
    if permitted is latest:
        return latest
    shoe, display = latest.shoe, latest.display
    return Desired(
        _safest_of_shuffler(permitted.shuffler, latest.shuffler),
        ShoeDesired(shoe.basis, locked=shoe.locked or permitted.shoe != shoe),
        DisplayDesired(display.basis, permitted.display.amount_cents, fault=display.fault or permitted.display.fault),
    )


def _safest_of_shuffler(permitted: ShufflerDesired, latest: ShufflerDesired) -> ShufflerDesired:
    """Numbers of jams and recounts count for one device alone; where they began anew, that goes at once."""
    p, n = permitted, latest
    same, same_device = p.basis == n.basis, p.basis.serial == n.basis.serial
    return ShufflerDesired(
        n.basis,
        release_after=n.release_after if same and p.release_after == n.release_after else None,
        feed_open=same and p.feed_open and n.feed_open,
        unload=same and p.unload and n.unload,
        lamp=p.lamp or n.lamp,
        jams_ended=_older(p.jams_ended, n.jams_ended) if same_device else n.jams_ended,
        recount_request=_older(p.recount_request, n.recount_request) if same_device else n.recount_request,
    )


def _older(permitted: int, latest: int) -> int:
    return permitted if is_older(permitted, latest, NUMBER_SPAN) else latest


def _feed_is_wanted(state: CardState) -> bool:
    if forbidding(state, Permission.FEED) is not None or not state.devices.shuffler.link.connected:
        return False
    if state.house.session is SessionPhase.LOADING:
        wanted = state.custody.packet_open and state.custody.book.outside > 0
        return wanted and is_watched(state, Operation.LOADING)
    is_short = state.game.phase is RoundPhase.PUTTING_BACK and state.game.put_back < state.game.put_back_due
    return is_short and not holds_of(state, HoldKind.COMPLAINT)  # it is decided first (pt.bj.61)


def _unloading_is_wanted(state: CardState) -> bool:
    """Cards run out under a chief supervisor's eyes (pt.bj.55a), or a failed loading is taken out (pt.bj.54d)."""
    if forbidding(state, Permission.UNLOAD) is not None or not state.devices.shuffler.link.connected:
        return False
    status = state.devices.shuffler.status
    if status is not None and status.inside == 0:
        return False
    if state.house.session is SessionPhase.UNLOADING:
        return is_watched(state, Operation.UNLOADING)
    return state.house.session is SessionPhase.TAKING_OUT and is_watched(state, Operation.LOADING)
