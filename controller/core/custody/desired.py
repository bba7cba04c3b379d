"""The wishes of a table of cards for its shuffler and its shoe.

A wish to release a card names the shuffler's count from which it starts, and every wish names its device. A wish with
an outdated count or device releases no card.
"""

from typing import Any

from controller.core.custody.books import NUMBER_SPAN, is_older
from controller.core.custody.game import may_draw
from controller.core.custody.state import CardState
from controller.core.house.holds import forbidding, holds_of
from controller.core.house.people import WATCHED_AT, is_watched
from controller.core.house.wanted import Beside, DeviceRule, ShoeDesired, ShufflerDesired, basis_of, lamp_is_wanted
from controller.core.words import Device, HoldKind, Operation, Permission, RoundPhase, SessionPhase


def of_shuffler(state: CardState) -> ShufflerDesired:
    """The wish for the shuffler at this state."""
    return ShufflerDesired(
        basis_of(state.devices.shuffler.link),
        release_after=state.devices.shuffler.counted_out if may_draw(state) else None,
        feed_open=_feed_is_wanted(state),
        unload=_unloading_is_wanted(state),
        lamp=lamp_is_wanted(state),
        jams_ended=state.devices.jams_ended,
        recount_request=state.devices.recount_request,
    )


def of_shoe(state: CardState) -> ShoeDesired:
    """The wish at this state for the shoe, or for the card reader of a table without a shuffler."""
    is_open = may_draw(state) or _unloading_is_wanted(state)
    return ShoeDesired(basis_of(state.devices.reader.link), locked=not is_open)


def of_reader_at_the_mouth(state: CardState, shuffler: ShufflerDesired) -> ShoeDesired:
    """The wish for the reader at the shuffler's mouth: open while the shuffler may deliver a card."""
    is_open = shuffler.release_after is not None or shuffler.unload
    return ShoeDesired(basis_of(state.devices.reader.link), locked=not is_open)


def _safest_of_shoe(permitted: ShoeDesired, latest: ShoeDesired) -> ShoeDesired:
    return ShoeDesired(latest.basis, locked=latest.locked or permitted != latest)


def _safest_of_shuffler(permitted: ShufflerDesired, latest: ShufflerDesired) -> ShufflerDesired:
    """The joined wish, which permits only what both wishes permit for the same device and boot. For the same device, it
    has the older number of ended jams and the older recount number.
    """
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
    return permitted if permitted != latest and is_older(permitted, latest, NUMBER_SPAN) else latest


def _feed_is_wanted(state: CardState) -> bool:
    if state.house.session is SessionPhase.LOADING:
        wanted = state.custody.packet_open and state.custody.book.outside > 0
        is_wanted = wanted and is_watched(state, Operation.LOADING)
    else:
        is_short = state.game.phase is RoundPhase.PUTTING_BACK and state.game.put_back < state.game.put_back_due
        is_wanted = is_short and not holds_of(state, HoldKind.COMPLAINT)  # a complaint is decided first (pt.bj.61)
    is_there = state.devices.shuffler.link.connected
    return is_wanted and is_there and forbidding(state, Permission.FEED) is None


def _unloading_is_wanted(state: CardState) -> bool:
    """True if the shuffler should let its cards out: at the closing (pt.bj.55a), or after a failed loading (54d). False
    without a required supervisor, while a hold forbids it, and with an empty or disconnected shuffler.
    """
    session, shuffler = state.house.session, state.devices.shuffler
    operation = None if session is SessionPhase.LOADING else WATCHED_AT.get(session)
    if operation is None or not shuffler.link.connected or (shuffler.status and shuffler.status.inside == 0):
        return False
    return is_watched(state, operation) and forbidding(state, Permission.UNLOAD) is None


SHUFFLER_RULE: DeviceRule[Any, ShufflerDesired] = DeviceRule(Device.SHUFFLER, of_shuffler, _safest_of_shuffler)
SHOE_RULE: DeviceRule[Any, ShoeDesired] = DeviceRule(
    Device.SHOE, of_shoe, _safest_of_shoe, Beside(Device.SHUFFLER, of_reader_at_the_mouth)
)
