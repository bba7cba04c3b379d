"""Checks of PROTOCOL.md, section 4: the identity, the HELLO that opens a session, and the state that outlasts a
session.
"""

from contextlib import suppress
from typing import Final

from firmware_protocols.framing import MAX_BODY
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.bench import kind_name
from firmware_protocols.tdp.conform.line import ANSWERS_WITHIN_S, Broken, Heard, Host, Skipped, must, shown, there
from firmware_protocols.tdp.conform.one_write import both, in_one_write
from firmware_protocols.tdp.conform.parts import (
    LATENESS_S,
    OK,
    QUIET_S,
    SILENCE_S,
    comes_again,
    hear_through,
    is_event,
    lasting,
    permissions,
    permit,
    switch_of,
    switched,
    turn,
    waiting,
)
from firmware_protocols.tdp.conform.silence_checks import of_silence
from firmware_protocols.tdp.link import (
    EVENT_RETRY_MAX_S,
    HEADER,
    HEARTBEAT_EVERY_S,
    HELLO_EVERY_S,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    SILENT_AFTER_S,
    UNPAIRED_MINOR,
    FrameKind,
)

FAR: Final = 1000  # numbers ahead of any event so far
HALF: Final = 2**31
LONGEST: Final = MAX_BODY - HEADER.size - 2  # bytes behind the version
AT_ONCE: Final = 6  # HELLOs in one write
OTHER_MAJORS: Final = (0, PROTOCOL_MAJOR + 1, 255)


def it_is_as_stated(host: Host) -> None:
    """Checks that the IDENTITY has the kind, version, model and firmware that the maker's statement names."""
    identity, _status = host.open()
    stated = host.statement
    must("17.1", identity.kind is host.schema.kind, f"kind {identity.kind}")
    for name, said, is_so in (
        ("kind", stated.kind, kind_name(identity.kind)),
        ("protocol", stated.protocol, f"{identity.major}.{identity.minor}"),
        ("model", stated.model, identity.model),
        ("firmware", stated.firmware, identity.firmware),
    ):
        must("17.1", said in (None, is_so), f"{name} {is_so}, and the statement says {said}")


def it_says_who_it_is(host: Host) -> None:
    """Checks that the identity is complete. At a pty, which has no hardware, `simulated` must be 1."""
    identity, _status = host.open()
    if host.is_simulated:
        must("4.11", identity.simulated, "simulated 0 at a pseudo terminal")
    must("4.12", bool(identity.model and identity.serial and identity.firmware), f"{identity}")
    must("4.2", _is_of_the_text(identity), f"{identity}")
    if not host.is_simulated and not identity.simulated:
        return
    if host.is_simulated is None:
        raise Skipped("no-pty")


def each_hello_is_answered_once(host: Host) -> None:
    for opening in (host.opening, host.opening + 1):
        host.opening = opening
        host.watch.expects(opening)
        host.say_hello()
        heard = [one for one in host.listen(QUIET_S) if one.header.kind == FrameKind.IDENTITY]
        must("4.1", len(heard) == 1, f"one HELLO: {shown(heard)}")
    host.last_command = 0
    for count in (2, AT_ONCE):
        with in_one_write(host):
            for _ in range(count):
                host.say_hello()
        heard = both(host, FrameKind.IDENTITY, count)
        must("4.1", len(heard) == count, f"{count} HELLOs in one write: {shown(heard)}")


def another_major_is_told_ours(host: Host) -> None:
    """Checks that the device answers a HELLO of another major version by an IDENTITY with its own version, whatever the
    rest of the HELLO is, and that the session continues.
    """
    host.answer(host.query)
    first = waiting(host)[0].number
    for major in OTHER_MAJORS:
        for size in (0, 8, 23, 150, LONGEST):
            for far, boot, number in ((1, 0, 0), (-1, host.boot, 0), (1, 0, 1), (-1, host.boot + 1, HALF)):
                _tell_major(host, major, size, (host.opening + far) % 2**32, boot=boot, number=number)
    must("4.2", host.ask(host.query) is not None, "the session is gone")
    comes_again(host, "4.2", first, "a HELLO of another major has acknowledged")


def _tell_major(host: Host, major: int, size: int, opening: int, *, boot: int = 0, number: int = 0) -> None:
    newest = host.watch.newest
    rest = (host.boot.to_bytes(4, "little") + newest.to_bytes(4, "little") + b"\5" * size)[:size]
    host.say(FrameKind.HELLO, number, bytes((major, 9)) + rest, opening=opening, boot=boot)
    came = host.listen(ANSWERS_WITHIN_S, until=lambda one: _is_identity_of(one, opening))
    ours = next((one for one in came if _is_identity_of(one, opening)), None)
    heard = there("4.2", ours, f"major {major}, {size} bytes more: {shown(came)}, none of opening {opening}")
    body, _status = host.read_identity(heard)
    must("4.2", _is_of_the_text(body), f"version {body.major}.{body.minor}")


def _is_of_the_text(who: rows.IdentityBody) -> bool:
    """True if the IDENTITY has the major version and a minor version that PROTOCOL.md describes."""
    return who.major == PROTOCOL_MAJOR and who.minor <= PROTOCOL_MINOR


def _is_identity_of(one: Heard, opening: int) -> bool:
    return one.header.kind == FrameKind.IDENTITY and one.header.host_opening == opening


def another_major_withdraws_nothing(host: Host) -> None:
    permission = permissions(host)[0]
    permit(host, permission)
    _tell_major(host, OTHER_MAJORS[1], 8, (host.opening + 1) % 2**32)
    must("4.2", host.first(FrameKind.HEARTBEAT_REPLY, host.say_pulse()) is not None, "the session is gone")
    must("4.2", permission.is_given(host.status()[0]), f"it withdraws: {permission.name}")


def another_major_is_no_sign_of_life(host: Host) -> None:
    permission = lasting(host)
    permit(host, permission)
    for _ in range(round(SILENCE_S / HEARTBEAT_EVERY_S) + 1):
        host.say(FrameKind.HELLO, 0, bytes((OTHER_MAJORS[1], 0)), boot=0)
        host.listen(HEARTBEAT_EVERY_S, alive=False)
    if not permission.is_locked(host.status()[0]):
        raise Broken(of_silence(host, permission, "4.2"), "HELLOs of another major keep it unlocked")


def another_minor_is_taken(host: Host) -> None:
    for minor in (PROTOCOL_MINOR + 1, 255):
        host.opening, host.last_command = (host.opening + 1) % 2**32, 0
        host.watch.expects(host.opening)
        body = rows.HELLO_LAYOUT.encode(rows.HelloBody(PROTOCOL_MAJOR, minor, 0, 0))
        host.say(FrameKind.HELLO, 0, body, boot=0)
        must("4.15", host.first(FrameKind.IDENTITY, 0) is not None, f"no IDENTITY to minor {minor}")
        must("4.15", host.ask(host.query) is not None, f"no session of minor {minor}")
        for other in (UNPAIRED_MINOR, PROTOCOL_MINOR, minor):
            host.listen(QUIET_S)
            body = rows.HELLO_LAYOUT.encode(rows.HelloBody(PROTOCOL_MAJOR, other, 0, 0))
            host.say(FrameKind.HELLO, 0, body, boot=0)
            found = f"no IDENTITY to a HELLO again, of minor {other} in a session of minor {minor}"
            must("4.15", host.first(FrameKind.IDENTITY, 0) is not None, found)
    for minor in (PROTOCOL_MINOR + 1, 255):
        with suppress(Skipped):
            first = waiting(host, 2)[0].number
            for number, again in ((first, True), (first + 1, False)):
                oldest = _committed(host, host.boot, number, again=again, minor=minor).oldest_event
                if oldest <= number:  # a HELLO of the host's minor may commit nothing either, which another check says
                    is_so = _committed(host, host.boot, number, again=again).oldest_event <= number
                    must("4.15", is_so, f"a HELLO of minor {minor} commits EVENT {number}: oldest {oldest}")


def the_same_hello_resets_nothing(host: Host) -> None:
    first = host.answer(b"\xee")
    before = host.ask(b"\xee", number=1)
    must("5.2", before is not None and before.result == first.result, f"COMMAND 1 again: {before and before.result}")
    _hello_again(host)
    again = host.ask(b"\xee", number=1)
    must("4.3", again is not None and again.result == first.result, f"COMMAND 1 again: {again and again.result}")
    must("4.3", host.ask(host.query, number=2) is not None, "COMMAND 2 is not the next one")
    host.last_command = 2
    _hello_again(host)
    must("4.3", host.answer(host.query).result == OK, "COMMAND 3 refused")
    _hello_again_behind_a_silence(host)
    _hello_again_sends_nothing(host)


def _hello_again_behind_a_silence(host: Host) -> None:
    """Checks that the session goes on if its own HELLO ends a silence."""
    host.listen(SILENCE_S, alive=False)
    _hello_again(host)
    found = "behind a silence and its HELLO again the session begins anew"
    must("4.3", host.ask(host.query, number=1, within_s=QUIET_S) is None, f"{found}: COMMAND 1 is answered")
    must("4.3", host.ask(host.query, number=4) is not None, f"{found}: COMMAND 4 is not")
    host.last_command = 4


def _hello_again_sends_nothing(host: Host) -> None:
    """Checks that a repeated HELLO makes no event come sooner, and that its IDENTITY has the present status."""
    with suppress(Skipped):
        first = waiting(host)[0].number
        host.listen(EVENT_RETRY_MAX_S)
        host.first(FrameKind.EVENT, first, within_s=EVENT_RETRY_MAX_S + LATENESS_S)
        _hello_again(host)
        came = [one.number for one in host.events(LATENESS_S)]
        must("4.3", first not in came, f"EVENTs {came} come at once behind a HELLO again")
    host.open()
    switch = switch_of(host)
    for on in (True, False):
        turn(host, on=on)
        host.say_hello()
        heard = there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to the HELLO that came again")
        _body, status = host.read_identity(heard)
        must("3.1", switch.is_on(status) is on, f"IDENTITY has a status of before: {status}")


def the_same_hello_withdraws_nothing(host: Host) -> None:
    permission = permissions(host)[0]
    permit(host, permission)
    _hello_again(host)
    must("4.3", permission.is_given(host.status()[0]), f"it withdraws: {permission.name}")


def _hello_again(host: Host) -> rows.IdentityBody:
    host.say_hello()
    heard = host.first(FrameKind.IDENTITY, 0)
    return host.read_identity(there("4.3", heard, "no IDENTITY to the HELLO that came again"))[0]


def a_new_session_counts_from_one(host: Host) -> None:
    switch = switch_of(host)
    for on in (False, True, False):
        turn(host, on=on)
    host.open()
    wish = switched(host, on=True)
    must("4.5", host.ask(wish, number=4, within_s=QUIET_S) is None, "COMMAND 4 of the session before is answered")
    must("4.5", host.ask(wish, number=1) is not None, "no ANSWER 1 in a new session")
    host.last_command = 1
    must("4.5", switch.is_on(host.status_becomes(switch.is_on)), "COMMAND 1 of a new session is not executed")
    for _ in range(2):
        host.answer(host.query)
    newest = host.status()[1]
    hear_through(host, newest)
    host.open(committed=newest)
    found = "no ANSWER 1 in a new session, whose HELLO commits the newest event"
    must("4.5", host.ask(host.query, number=1) is not None, found)
    host.last_command = 1


def events_come_again_in_a_new_session(host: Host) -> None:
    before = waiting(host, 2)
    host.open()
    after = host.events(EVENT_RETRY_MAX_S)
    must("4.6", bool(after) and after[0].number == before[0].number, f"first {after[:1]}, before {before[0].number}")
    numbers = {one.number for one in after}
    must("4.6", {one.number for one in before} <= numbers, f"EVENTs {sorted(numbers)} come in the new session")


def older_hellos_are_dropped(host: Host) -> None:
    """Checks that a HELLO with an older opening, or with an opening exactly half the range away, opens no session and
    changes nothing.
    """
    ours = host.opening
    for far in (-1, -1000, HALF, HALF + 1):
        opening = (ours + far) % 2**32
        host.say_hello(opening=opening)
        came = host.listen(QUIET_S)
        heard = [one for one in came if one.header.host_opening == opening and not is_event(one)]  # these are 3.6
        must("4.7", not heard, f"HELLO {opening} in session {ours}: {shown(heard)}")
    host.answer(host.query)


def openings_wrap(host: Host) -> None:
    """Checks that openings are compared by serial arithmetic: a newer one is less than half the range ahead, even over
    the end of the range.
    """
    ours = host.opening
    host.open(opening=ours + HALF - 1)
    host.open(opening=ours + 2 * (HALF - 1))
    host.open(opening=ours + 5)
    for far in (2**8, 2**16, 2**24, HALF - 1):
        host.status()
        opening = (host.opening + far) % 2**32
        host.watch.expects(opening)
        host.say_hello(opening=opening)
        heard = host.first(FrameKind.IDENTITY, 0, within_s=QUIET_S)
        must("4.4", heard is not None, f"no IDENTITY to an opening that is newer by {far}")
        host.open(opening=opening)


def a_silent_host_is_replaced(host: Host) -> None:
    """Checks that a HELLO with an older opening opens a session after 2 s of silence, and not before."""
    _is_not_replaced(host)
    host.answer(host.query)  # the silence begins here
    for far in (-5, HALF):
        ours = host.opening
        older = (ours + far) % 2**32
        for _ in range(round((SILENT_AFTER_S - 0.5) / HELLO_EVERY_S)):
            host.say_hello(opening=older)
            heard = [one for one in host.listen(HELLO_EVERY_S, alive=False) if _is_identity_of(one, older)]
            must("4.7", not heard, f"HELLO {older} in session {ours}, silent for less than 2 s: {shown(heard)}")
        host.answer(host.query)
        host.answer(host.query)
        host.listen(SILENT_AFTER_S - 0.5, alive=False)
        _replaced(host, older)


def _is_not_replaced(host: Host) -> None:
    """Checks that a host that sends frames stays, however long another host sends HELLOs of an older opening."""
    older = (host.opening - 1) % 2**32
    for _ in range(round((SILENCE_S + SILENT_AFTER_S) / HELLO_EVERY_S)):
        host.say_hello(opening=older)
        heard = [one for one in host.listen(HELLO_EVERY_S) if _is_identity_of(one, older)]
        must("4.7", not heard, f"HELLO {older}, said again and again in the living session {host.opening}")


def _replaced(host: Host, opening: int) -> None:
    """Checks that a HELLO opens a session 2 s after the last frame of the session before, however often the other host
    has sent the HELLO meanwhile.
    """
    host.watch.expects(opening)
    heard: list[Heard] = []
    for _ in range(round((SILENCE_S - SILENT_AFTER_S + 0.5) / HELLO_EVERY_S) + 1):
        if any(_is_identity_of(one, opening) for one in heard):
            break
        host.say_hello(opening=opening)
        heard = host.listen(HELLO_EVERY_S, alive=False, until=lambda one: _is_identity_of(one, opening))
    is_there = any(_is_identity_of(one, opening) for one in heard)
    must("4.4", is_there, f"no IDENTITY to opening {opening}, said again and again behind 2 s of silence")
    host.opening, host.last_command, host.command_before = opening, 0, host.last_command
    host.answer(host.query)


def a_hello_acknowledges(host: Host) -> None:
    with suppress(Skipped):
        waiting(host, len(_COMMITS))
    found = waiting(host, 2)
    commits = _COMMITS if len(found) >= len(_COMMITS) else _COMMITS[1:3]
    for number, again in enumerate(commits, found[0].number):
        identity = _committed(host, host.boot, number, again=again)
        is_taken(host, number, identity.oldest_event)
        came = {one.number for one in host.events(EVENT_RETRY_MAX_S + QUIET_S)}
        must("4.8", number not in came, f"EVENT {number} comes again, and HELLO said that it is committed")


def is_taken(host: Host, number: int, oldest: int) -> None:
    """Checks that `oldest`, the oldest event in an IDENTITY, is the event after event `number`, which the HELLO has
    acknowledged. Raises Broken; the duty is 4.10 if only the next IDENTITY is right.
    """
    is_late = oldest != number + 1 and _hello_again(host).oldest_event == number + 1
    found = f"committed {number}: oldest_event {oldest}{', in the next IDENTITY another' if is_late else ''}"
    must("4.10" if is_late else "4.8", oldest == number + 1, found)


_COMMITS: Final = (True, True, False, True)
"""Said in a HELLO of the session, or in that of a new one (False): one after the other."""


def a_hello_acknowledges_nothing_else(host: Host) -> None:
    first = waiting(host)[0].number
    newest = host.status()[1]
    far = (1, -1, -host.boot, *(2**bits for bits in (8, 16, 24, 31)))
    others = [(host.boot + away, newest) for away in far]
    others += [(host.boot, 0), (0, 0), (host.boot + 1, 0)]
    to_come = [(host.boot, newest + far) for far in (1, FAR, 2**8, 2**16, 2**24)]
    for boot, number in (*others, *to_come):
        for again in (True, False):
            identity = _committed(host, boot % 2**32, number, again=again)
            found = f"committed {number} of boot {boot}: oldest_event {identity.oldest_event}, {first} waits"
            must("4.9", identity.oldest_event == first, found)
    comes_again(host, "4.9", first, f"EVENT {first} comes no more")


def _committed(host: Host, boot: int, number: int, *, again: bool, minor: int = UNPAIRED_MINOR) -> rows.IdentityBody:
    """Sends a HELLO that acknowledges event `number`, and returns the IDENTITY. `again`: True for the present session,
    False for a new one. `minor`: its minor version.
    """
    host.opening = (host.opening + (not again)) % 2**32
    host.watch.expects(host.opening)
    if not again:
        host.last_command = 0
    body = rows.HELLO_LAYOUT.encode(rows.HelloBody(PROTOCOL_MAJOR, minor, boot, number))
    host.say(FrameKind.HELLO, 0, body, boot=0)
    heard = host.first(FrameKind.IDENTITY, 0)
    return host.read_identity(there("4.1", heard, "no IDENTITY"))[0]
