"""What should be true of the devices, as a function of the state; the shell makes it true.

Figures are absolute ("give cards until your own count of cards out is N"), so that saying it twice does nothing, and a
stale saying can only lock. `safest` joins what the last durable state permits with what the newest state protects.
"""

from controller.core.cards.books import COUNTER_SPAN
from controller.core.cards.deal import may_draw
from controller.core.decision import Desired, DisplayDesired, ShufflerDesired
from controller.core.effects.people import is_watched
from controller.core.hold_table import hold_rule
from controller.core.holds import forbidding
from controller.core.state import State
from controller.core.words import Operation, Permission, RoundPhase, SessionPhase


def desired(state: State) -> Desired:
    """What this state wants of shuffler, shoe and display."""
    counted_out = state.shuffler.counted_out
    draw, unload = may_draw(state), _unloading_is_wanted(state)
    return Desired(
        ShufflerDesired(
            release_until=(counted_out + 1) % COUNTER_SPAN if draw else counted_out,
            feed_open=_feed_is_wanted(state),
            unload=unload,
            lamp=any(hold_rule(hold.kind).lights_lamp for hold in state.holds),
            jams_ended=state.jams_ended,
            recount_request=state.recount_request,
        ),
        shoe_locked=not (draw or unload),
        display=DisplayDesired(amount_cents=0, fault=bool(state.holds)),
    )


def safest(permitted: Desired, latest: Desired) -> Desired:
    """Permits only what both want; protects as soon as either does."""
    if permitted is latest:
        return latest
    p, n = permitted.shuffler, latest.shuffler
    return Desired(
        ShufflerDesired(
            release_until=n.release_until if p.release_until == n.release_until else _stricter(p, n),
            feed_open=p.feed_open and n.feed_open,
            unload=p.unload and n.unload,
            lamp=p.lamp or n.lamp,
            jams_ended=p.jams_ended,
            recount_request=p.recount_request,
        ),
        shoe_locked=permitted.shoe_locked or latest.shoe_locked,
        display=DisplayDesired(
            amount_cents=permitted.display.amount_cents, fault=permitted.display.fault or latest.display.fault
        ),
    )


def _stricter(permitted: ShufflerDesired, latest: ShufflerDesired) -> int:
    """The lower of two absolute limits on a counter that wraps."""
    ahead = (latest.release_until - permitted.release_until) % COUNTER_SPAN
    return permitted.release_until if ahead < COUNTER_SPAN // 2 else latest.release_until


def _feed_is_wanted(state: State) -> bool:
    if forbidding(state, Permission.FEED) is not None or not state.shuffler.link.connected:
        return False
    if state.session is SessionPhase.LOADING:
        wanted = state.packet_open and state.book.outside > 0
        return wanted and is_watched(state, Operation.LOADING)
    return state.round is RoundPhase.PUTTING_BACK and state.put_back < state.put_back_due


def _unloading_is_wanted(state: State) -> bool:
    """Cards run out under a chief supervisor's eyes (pt.bj.55a), or a failed loading is taken out (pt.bj.54d)."""
    if forbidding(state, Permission.UNLOAD) is not None or not state.shuffler.link.connected:
        return False
    status = state.shuffler.status
    if status is not None and status.inside == 0:
        return False
    if state.session is SessionPhase.UNLOADING:
        return is_watched(state, Operation.UNLOADING)
    return state.session is SessionPhase.TAKING_OUT and is_watched(state, Operation.LOADING)
