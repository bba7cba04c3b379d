"""Checks of PROTOCOL.md, section 9, at a start of the device. The boot number grows by one, the counts are kept or
reported as lost, and no permission is given.
"""

from contextlib import suppress
from typing import Any, Final

from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import SETTLES_WITHIN_S, Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    FED_WITHIN_S,
    QUIET_S,
    U32,
    Switch,
    let_a_card_pass,
    lock_of_shuffler,
    permissions,
    permit,
    ready,
    recount,
    stays_locked,
    switch_of,
    told,
    turn,
    waiting,
    with_cards,
)
from firmware_protocols.tdp.conform.pictures import PARTLY_SHOWN, show_all
from firmware_protocols.tdp.conform.state_checks import goes_on
from firmware_protocols.tdp.conform.told import counts, went_back
from firmware_protocols.tdp.link import IDENTIFY_WITHIN_S
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import CardPassed, ReaderErrorCleared, ReaderErrorRaised
from firmware_protocols.tdp.shuffler import INSIDE_UNKNOWN, CardIn, CardOut, ShufflerStatus

CAUSES: Final = (StartCause.POWER_ON, StartCause.UNKNOWN)


def _power(host: Host, deed: Deed = Deed.POWER, *, starts: int = 1) -> tuple[int, Any]:
    """Has the device start, and returns the boot number before and the status in the first IDENTITY after it.

    `starts`: the number of starts in a row, without a host between them.
    """
    before = host.boot
    for _ in range(starts - 1):
        host.hand(Deed.POWER, alive=False)
        host.listen(IDENTIFY_WITHIN_S, alive=False)  # until a device that starts slowly has surely started
    host.hand(deed)
    _identity, status = host.open()
    return before, status


def each_start_is_a_boot(host: Host) -> None:
    """Checks that a start raises the boot number by one, and that its first event, `started`, waits for an ACK."""
    for _ in range(2):
        host.answer(host.query)
        before, _status = _power(host)
        found = "an ANSWER to COMMAND 0 in the first session behind a start"
        must("5.4", host.ask(host.query, number=0, within_s=QUIET_S) is None, found)
        must("9.1", host.boot == (before + 1) % U32, f"boot {host.boot} behind {before}")
        first = waiting(host)[0]
        event: Any
        event, _status = host.schema.decode_event(first.body)
        name = host.schema.name_of(event)
        must("9.26", (first.number, name) == (1, "started"), f"first EVENT {first.number}: {name}")
        must("9.26", event.cause in CAUSES, f"the power went off and on, and the cause is {event.cause}")
        goes_on(host, "behind a start")
    _tells_its_first_card(host)


def _tells_its_first_card(host: Host) -> None:
    """Checks that the first card of a boot is reported like any other."""
    before, newest = host.status()
    match host.schema.kind:
        case DeviceKind.SHOE:
            with suppress(Skipped):
                let_a_card_pass(host)
        case DeviceKind.SHUFFLER if host.moves:
            _feeds_a_card(host)
        case _:
            return
    after = host.status()[0]
    cards = sum(counts(after).values()) - sum(counts(before).values())
    came = [one for one in told(host, newest) if isinstance(one, CardPassed | CardIn | CardOut)]
    must("6.3", len(came) >= cards, f"behind a start {cards} cards, {len(came)} events: {after}, before {before}")


def _feeds_a_card(host: Host) -> None:
    with suppress(Skipped):
        before = ready(host)
        if not before.hopper_loaded:
            host.load()
        host.apply(lock_of_shuffler(before, feed_open=True))
        host.status_becomes(lambda now: now.cards_in != before.cards_in)
    host.apply(lock_of_shuffler(host.status()[0]))
    host.listen(QUIET_S)


def a_start_begins_locked(host: Host) -> None:
    for permission in permissions(host):
        permit(host, permission)
        host.hand(Deed.POWER)
        host.listen(_ALONE_S, alive=False)
        _identity, status = host.open()
        must("9.16", permission.is_locked(status), f"{permission.name} behind a start: {status}")
        _nothing_moved(host, status)
        stays_locked(host, permission, status, "9.16", "it has started")


def _nothing_moved(host: Host, status: Any) -> None:  # noqa: ANN401 (any kind's)
    """Checks that no card has moved between `started` and the first session of the boot."""
    first = waiting(host)[0]
    _event, begun = host.schema.decode_event(first.body)
    is_same = first.number != 1 or counts(begun) == counts(status)
    must("9.16", is_same, f"cards move behind a start, before a session: {status}, started with {begun}")


_ALONE_S: Final = 1.5  # behind a start, before the first session: a few cards' time


def an_error_outlives_a_start(host: Host) -> None:
    """Checks that a reader's error that outlasts a start shows in the status, and that no card is read meanwhile.
    Raises Skipped if the reader works after the start.
    """
    is_only = _has_no_error(host)
    newest = host.status()[1]
    host.hand(Deed.FAULT)
    failed = host.status_becomes(lambda now: now.error)
    before = told(host, newest)
    _boot, status = _power(host)
    if not failed.error or not status.error:
        raise Skipped("no-event-waits")
    goes_on(host, "an error is raised behind a start")
    for _ in range(2):
        with suppress(Skipped):
            let_a_card_pass(host)  # `Watch` looks at its byte
    told(host, 0)
    host.hand(Deed.MEND)
    host.status_becomes(lambda now: not now.error)
    if is_only:
        _are_cleared(before, told(host, 0))


def _has_no_error(host: Host) -> bool:
    """True if the reader has no error after hands have mended what they can. The code of an error is unknown here."""
    if host.status()[0].error:
        host.hand(Deed.MEND)
    return not host.status_becomes(lambda now: not now.error).error


def _are_cleared(before: list[object], since: list[object]) -> None:
    """Checks that each error cleared after a start has the code of one that was raised."""
    raised = {one.code for one in (*before, *since) if isinstance(one, ReaderErrorRaised)}
    cleared = [one.code for one in since if isinstance(one, ReaderErrorCleared)]
    must("11.9", set(cleared) <= raised, f"raised {sorted(raised)}, and cleared behind a start {cleared}")


def counts_survive_a_start(host: Host) -> None:
    for starts in (1, 2) if host.schema.kind is DeviceKind.SHOE else (2,):  # a maker may store each second card
        _survive(host, starts)
    for _ in range(_OF_A_PAGE if host.bench.is_quick and host.schema.kind is DeviceKind.SHOE else 0):
        _survive(host, 1)


_OF_A_PAGE: Final = 17  # cards: a memory may have pages of 16 places


def _survive(host: Host, starts: int) -> None:
    if host.schema.kind is DeviceKind.SHOE:
        let_a_card_pass(host)
    before = host.status()[0]
    _boot, status = _power(host, starts=starts)
    is_lost = getattr(status, "counts_unknown", False) and not before.counts_unknown
    found = f"behind {starts} starts: {status}, before {before}"
    must("9.5", is_lost or counts(status) == counts(before), found)
    if isinstance(status, ShufflerStatus):
        must("9.5", is_lost or status.inside == before.inside, f"inside {status.inside}, before {before.inside}")


def each_card_is_stored(host: Host) -> None:
    """Checks that a power failure during a feed loses no reported card, unless the status says that the counts are
    lost.
    """
    before = with_cards(host)
    if not before.hopper_loaded:
        host.hand(Deed.LOAD)
    host.apply(lock_of_shuffler(before, feed_open=True))
    last = host.status_becomes(lambda now: now.cards_in != before.cards_in, FED_WITHIN_S)
    _boot, status = _power(host)
    fallen = went_back(last, status)
    must("9.5", status.counts_unknown or not fallen, f"power fails in a feed: {fallen} behind {last}")
    if status.counts_unknown and host.statement.has("recount"):
        recount(host, status)


def a_lit_lamp_outlives_a_start(host: Host) -> None:
    switch = switch_of(host)
    for starts, changes in ((2, (True,)), (1, (False, True)), (1, (False, True, False))):
        for on in changes:  # a maker may store the first change of a boot
            turn(host, on=on)
        _before, status = _power(host, starts=starts)
        must("9.19", switch.is_on(status) is on, f"lamp_lit {not on} behind {starts} starts: {status}")
    if host.statement.has("lid"):
        _lit_under_an_open_lid(host, switch)


def _lit_under_an_open_lid(host: Host, switch: Switch) -> None:
    host.hand(Deed.LID_OPEN)
    turn(host, on=not switch.is_on(host.status()[0]))
    on = switch.is_on(host.status()[0])
    _before, status = _power(host)
    must("9.19", switch.is_on(status) is on, f"told with the lid open, lamp_lit {not on} behind a start: {status}")
    host.hand(Deed.LID_CLOSE)
    host.status_becomes(lambda now: not now.lid_open)


def what_a_start_shows(host: Host) -> None:
    """Checks that after a start a display shows its fault picture without an amount, markers are blank, and lamps are
    dark.
    """
    show_all(host)
    _shows_nothing(host)
    for picture in PARTLY_SHOWN[host.schema.kind]:
        host.apply(picture(host.status()[0]))
        host.listen(SETTLES_WITHIN_S)
        _shows_nothing(host)


def _shows_nothing(host: Host) -> None:
    _before, status = _power(host)
    match host.schema.kind:
        case DeviceKind.DISPLAY:
            must("12.4", status.shown_cents == 0, f"before the first apply of a boot: {status}")
            must("12.2", status.fault_shown, f"behind a start: {status}")
        case DeviceKind.VALUE_DISPLAY:
            must("13.3", not any(status.values), f"behind a start: {status}")
        case _:
            must("14.7", not (status.lit or status.blinking), f"behind a start: {status}")


def a_spoilt_memory_begins_anew(host: Host) -> None:
    """Checks that a device without counts starts with a spoilt memory as it does with a good one."""
    _power(host, Deed.FORGET)
    event, _status = host.schema.decode_event(waiting(host)[0].body)
    name = host.schema.name_of(event)
    must("9.26", name == "started", f"its memory is spoilt, first EVENT: {name}")
    goes_on(host, "its memory is spoilt")


def lost_counts_are_said(host: Host) -> None:
    """Checks that lost counts begin at 0 and that the status says so, even after a session and a start."""
    before = host.status()[0]
    if not hasattr(before, "counts_unknown"):
        raise Skipped("no-counts")
    _boot, status = _power(host, Deed.FORGET)
    must("9.7", status.counts_unknown, f"its kept numbers are spoilt: {status}")
    if isinstance(status, ShufflerStatus):
        began = (status.cards_in, status.cards_out, status.inside, status.recounts, status.jams)
        wanted = (0, 0, INSIDE_UNKNOWN, 0, int(status.jammed))
        must("9.7", began == wanted, f"counts unknown: {status}")
    else:
        must("9.7", status.passages == 0, f"counts unknown: {status}")
    goes_on(host, "its counts are lost")
    status = host.status()[0]
    duty = "11.2" if host.schema.kind is DeviceKind.SHOE else "9.7"
    must(duty, status.counts_unknown, f"a session later: {status}")
    _unknown_counts_are_stored(host)
    for starts in (1, 2):
        _boot, status = _power(host, starts=starts)
        must(duty, status.counts_unknown, f"{starts} starts later: {status}")


def _unknown_counts_are_stored(host: Host) -> None:
    """Checks that a card that is counted while the counts are unknown is in the count after a start."""
    before = host.status()[0]
    if host.schema.kind is DeviceKind.SHOE:
        with suppress(Skipped):
            let_a_card_pass(host)
    elif host.moves:
        host.load()
        host.apply(lock_of_shuffler(before, feed_open=True))
        host.status_becomes(lambda now: now.cards_in != before.cards_in, FED_WITHIN_S)
        host.apply(lock_of_shuffler(host.status()[0]))
        host.listen(1.0)  # until no card is in motion
    last = host.status()[0]
    _boot, status = _power(host)
    found = f"counted with counts_unknown, and lost by a start: {status}, before {last}"
    must("9.5", not went_back(last, status), found)
