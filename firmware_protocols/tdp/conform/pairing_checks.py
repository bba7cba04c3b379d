"""Checks of PROTOCOL.md, section 18: when a device accepts a key, and that it keeps the key.

Each check pairs the device with the key of the checks and unpairs it afterwards (own_key.py).
"""

from contextlib import suppress
from typing import Final

from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform import minute_checks as m
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Broken, Heard, Host, Skipped, must, there
from firmware_protocols.tdp.conform.own_key import KEY, can_be_paired, given, paired, take_away, take_key, turn_on
from firmware_protocols.tdp.conform.parts import (
    LATENESS_S,
    QUIET_S,
    lasting,
    let_a_card_pass,
    permissions_of,
    permit,
    ready,
    told,
)
from firmware_protocols.tdp.conform.refusals import Lock, refuses
from firmware_protocols.tdp.conform.shut_checks import no_card_passes
from firmware_protocols.tdp.conform.unopened_checks import looked_at
from firmware_protocols.tdp.host_proof import HostProof
from firmware_protocols.tdp.link import (
    EVENTS_LOCK,
    NO_SESSION_EVERY_S,
    PAIRING_S,
    SILENT_AFTER_S,
    FrameKind,
)
from firmware_protocols.tdp.proof import KEY_BYTES, NONCE_BYTES
from firmware_protocols.tdp.schema import DeviceKind

BOOTS_WITHIN_TRIES: Final = 25
ANOTHER: Final = bytes(range(2, KEY_BYTES + 2))


# --- the switch


def a_key_is_taken_by_hands_alone(host: Host) -> None:
    """Checks that the device accepts a key only in the minute after hands have turned on its switch, and that a key of
    zeros unpairs it.
    """
    can_be_paired(host)
    _is_refused(host, "although nobody turned the switch on")
    begun_s = host.line.now_s()
    _turn_on_what_is_permitted(host, in_the_mouth=True)
    host.open()
    status, _newest = host.status()
    must("18.14", status.host_silent, f"its switch is on, and it says {status}")
    _takes_no_other_length(host)
    _is_locked_after(host, begun_s, PAIRING_S / 2)
    begun_s = host.line.now_s()
    turn_on(host)  # once more: its minute begins anew
    switched_s = host.line.now_s()
    for after_s in _IN_THE_MINUTE_S:
        _is_locked_after(host, begun_s, after_s)
    host.listen(switched_s + PAIRING_S - host.line.now_s() + LATENESS_S)
    status = looked_at(host)[1]
    for permission in permissions_of(host):
        must("9.17", permission.is_locked(status), f"the minute of its switch is over, and {permission.name} is back")
    host.watch.is_locked_by_right = False
    host.open()
    _is_refused(host, f"{PAIRING_S} s behind the switch")
    with paired(host):
        _is_over(host)
        _says_paired_again(host)
        host.open()
        status, newest = host.status()
        is_full = newest - host.watch.acked >= EVENTS_LOCK
        must("18.13", is_full or not status.host_silent, f"it has its key, and its switch is on still: {status}")


def _turn_on_what_is_permitted(host: Host, *, in_the_mouth: bool = False) -> None:
    """Makes hands turn the switch on. Checks that this withdraws a permission, and that the device gives none while the
    switch is on. `in_the_mouth`: a card stands in the mouth of a shuffler then.
    """
    permission = None
    if host.moves or host.schema.kind is not DeviceKind.SHUFFLER:
        with suppress(Skipped):
            permission = lasting(host)
            permit(host, permission)
            if in_the_mouth and host.schema.kind is DeviceKind.SHUFFLER:
                m.opens_its_mouth(host)
    was_lit = getattr(host.status()[0], "lamp_lit", False)
    turn_on(host)
    m.the_lamp_stays(host, was_lit)
    if permission is not None:
        status = host.status()[0]
        must("18.14", permission.is_locked(status), f"its switch is on, and it says {status}")
        if in_the_mouth and host.schema.kind is DeviceKind.SHUFFLER:
            with suppress(Skipped):
                m.shuts_its_mouth(host)
    _is_locked_by_the_switch(host)
    if host.moves or host.schema.kind is not DeviceKind.SHUFFLER:
        with suppress(Skipped):
            _refuses_by_the_switch(host)


_IN_THE_MINUTE_S: Final = (PAIRING_S / 2 + 5.0, PAIRING_S - 8.0, PAIRING_S - 1.0)
"""Seconds behind the moment at which hands were asked to turn the switch on: they may have done it a little later."""


def _is_locked_after(host: Host, begun_s: float, after_s: float) -> None:
    """Checks that the minute after hands have turned the switch on, at `begun_s`, still lasts `after_s` later."""
    host.listen(begun_s + after_s - host.line.now_s())
    host.open()
    status, _newest = host.status()
    if not status.host_silent:
        _ended_too_soon(host, f"its switch is on for less than {PAIRING_S} s, and it says {status}")
    _is_locked_by_the_switch(host)


def _ended_too_soon(host: Host, found: str) -> None:
    """Raises Broken, since the switch's minute has ended too soon. The duty is 18.13 if the device accepts no key, and
    18.14 if it only is not locked.
    """
    host.pair_key = KEY  # the key that a PAIRED would be tagged with
    is_taken = given(host, KEY) is not None
    with suppress(Broken, Skipped):
        take_away(host)
    raise Broken("18.14" if is_taken else "18.13", found)


def _is_locked_by_the_switch(host: Host) -> None:
    """Checks that the device gives no permission while the switch is on."""
    for permission in permissions_of(host) if host.moves or host.schema.kind is not DeviceKind.SHUFFLER else ():
        host.apply(permission.ask(host.status()[0]))
        status = host.status()[0]
        must("18.14", permission.is_locked(status), f"{permission.name} is permitted while its switch is on: {status}")
    if host.schema.kind is DeviceKind.SHOE and host.statement.has("lock"):
        with suppress(Skipped):
            host.hand(Deed.LOAD)
            no_card_passes(host, "its switch")


def _refuses_by_the_switch(host: Host) -> None:
    """Checks that commands have the same results and effects while the switch is on as while 48 events wait."""
    if host.schema.kind is DeviceKind.SHUFFLER:
        ready(host)
    refuses(host, Lock("while its switch is on", "18.14"))


def _is_refused(host: Host, when: str, duty: str = "18.13", tag_key: bytes | None = None, *, key: bytes = KEY) -> None:
    was, host.pair_key = host.pair_key, KEY  # the key that a PAIRED would be tagged with
    taken = given(host, key, tag_key)
    if taken is not None:
        with suppress(Broken, Skipped):
            take_away(host)
        raise Broken(duty, f"a key is taken {when}")
    host.pair_key = was


def _says_paired_again(host: Host) -> None:
    """Checks that the device answers a repeated PAIR in any session of the same boot."""
    giver = host.opening
    host.open()
    host.say(FrameKind.PAIR, 0, KEY, opening=giver, key=None)
    ours = host.opening, host.proof
    host.opening, host.proof = giver, HostProof(None)  # PAIRED has the pair's tag
    heard = host.first(FrameKind.PAIRED, 0)
    host.opening, host.proof = ours
    must("18.15", heard is not None, "no PAIRED to the same PAIR, in a new session of its boot")


def _takes_no_other_length(host: Host) -> None:
    for size in (0, 1, KEY_BYTES - 1, KEY_BYTES + 1, 2 * KEY_BYTES):
        _is_refused(host, f"of {size} bytes", "3.2", key=(KEY + ANOTHER)[:size])
    _is_refused(host, "from a frame with a tag", "2.2", ANOTHER)


def _is_over(host: Host) -> None:
    """Checks that a session in which the device got a key is over, and that the device accepts no further key in it."""
    host.say(FrameKind.PAIR, 0, ANOTHER, key=None)
    heard = [one for one in host.listen(QUIET_S, alive=False) if one.header.kind == FrameKind.PAIRED]
    must("18.13", not heard, "behind PAIRED another key is taken")
    for far in (1, 7):
        host.say(FrameKind.PAIR, 0, KEY, opening=host.opening + far, key=None)
        heard = [one for one in host.listen(QUIET_S, alive=False) if one.header.kind == FrameKind.PAIRED]
        must("18.15", not heard, "PAIRED answers a PAIR of another session")
    host.listen(2 * NO_SESSION_EVERY_S, alive=False)
    host.say(FrameKind.HEARTBEAT, 0x7000, b"\0")
    kinds = [one.header.kind for one in host.listen(QUIET_S, alive=False) if one.header.kind != FrameKind.EVENT]
    must("18.15", kinds == [FrameKind.NO_SESSION], f"behind PAIRED its session goes on: {kinds}")


def nonce_of(one: Heard) -> bytes:
    return one.raw[rows.IDENTITY_LAYOUT.size :][:NONCE_BYTES]


# --- a key that is kept, and a card that is hidden


def a_key_outlives_a_start(host: Host) -> None:
    """Checks that the device keeps its key when it starts, and then uses no nonce that it used before."""
    nonces = []
    with paired(host):
        for _ in range(2):
            host.open()
            host.hand(Deed.POWER, alive=False)
            for _ in range(BOOTS_WITHIN_TRIES):
                host.say(FrameKind.HEARTBEAT, 0x7000, b"\0")
                if host.first(FrameKind.NO_SESSION, 0, within_s=QUIET_S):
                    break
            try:
                host.open()
            except Broken as broken:
                raise Broken("18.17", f"behind a start: {broken.found}") from broken
            host.say_hello()
            again = there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")
            nonces.append(nonce_of(again))
        must("18.4", nonces[0] != nonces[1], f"the first nonce of two boots is {nonces[0].hex()}")
    _key_is_stored_first(host)
    _another_key_is_taken(host)
    _has_no_tag_left(host)
    host.hand(Deed.POWER)
    try:
        host.open()
    except Broken as broken:
        raise Broken("18.17", f"behind a start a key that was taken away is there again: {broken.found}") from broken
    take_away(host)  # of one that has no key: zeros are answered all the same


def _has_no_tag_left(host: Host) -> None:
    """Makes an unpaired device refuse a frame. `Watch` tests that the refusal has no tag."""
    host.open()
    opening, host.opening = host.opening, host.opening + 9
    host.say(FrameKind.HEARTBEAT, 1, b"\0")
    host.first(FrameKind.NO_SESSION, 0)
    host.opening = opening


def _another_key_is_taken(host: Host) -> None:
    """Checks that a paired device accepts another key. Checks that, if no key comes, the session ends with the switch's
    minute.
    """
    with paired(host):
        host.open()
        _turn_on_what_is_permitted(host)
        status = host.status()[0]
        must("18.14", status.host_silent, f"its switch is on, in a proven session, and it says {status}")
        try:
            host.open()
        except Broken as broken:
            raise Broken("18.13", f"its own host, while its switch is on: {broken.found}") from broken
        was, host.pair_key = host.pair_key, None
        host.open()
        host.pair_key = was
        host.listen(PAIRING_S + LATENESS_S)
        host.watch.is_locked_by_right = False
        host.listen(2 * NO_SESSION_EVERY_S, alive=False)
        host.say(FrameKind.HEARTBEAT, 0x7000, b"\0")
        kinds = [one.header.kind for one in host.listen(QUIET_S, alive=False) if one.header.kind != FrameKind.EVENT]
        must("18.13", kinds == [FrameKind.NO_SESSION], f"the session of the switch's minute goes on: {kinds}")
        host.open()
        before = KEY
        for key in _KEYS if host.bench.is_quick else _KEYS[:1]:
            turn_on(host)
            host.pair_key = None
            host.open()
            host.pair_key = before
            m.denies_with_its_tag(host, before)
            host.pair_key = None
            _takes(host, key, before)
            before = key
            host.open()
            must("18.15", host.ask(host.query) is not None, "a second key is not taken")
            host.hand(Deed.POWER)
            try:
                host.open()
            except Broken as broken:
                raise Broken("18.17", f"a second key, {key.hex()}, behind a start: {broken.found}") from broken


_KEYS: Final = (bytes(KEY_BYTES - 1) + b"\1", b"\1" + bytes(KEY_BYTES - 1), ANOTHER)
"""Keys that come one over the other. In two of them one byte alone is not zero: they are keys as any other."""


def _takes(host: Host, key: bytes, before: bytes) -> None:
    """Checks that the device accepts the key `key` and no longer has the key `before`."""
    host.pair_key = key
    said = given(host, key, within_s=None)
    is_said = said is not None
    is_none = said is not None and said.header.tag == NO_TAG
    must("18.16", not is_none, f"PAIRED of the key {key.hex()}, that is not of zeros alone, has no tag")
    try:
        take_key(host, key, "18.15")
        host.open()
    except Broken as broken:
        if is_said and (_has_key(host, before) or broken.duty == _NO_IDENTITY):
            found = f"PAIRED was said, and the device has another key: {broken.found}"
            raise Broken("18.19", found) from broken
        raise


_NO_IDENTITY: Final = "4.1"


def _has_key(host: Host, key: bytes) -> bool:
    """True if the device opens a session with the key `key`. The host then uses this key from now on."""
    was, host.pair_key = host.pair_key, key
    try:
        host.open()
    except Broken:
        host.pair_key = was
        return False
    return True


def _key_is_stored_first(host: Host) -> None:
    """Checks that the device has its new key even if its power fails directly after PAIRED."""
    with paired(host):
        host.hand(Deed.POWER)
        try:
            host.open()
        except Broken as broken:
            raise Broken("18.19", f"behind PAIRED and a start: {broken.found}") from broken


def a_key_outlives_lost_numbers(host: Host) -> None:
    """Checks that the device still has its key after it has lost its boot number and counts."""
    with paired(host):
        host.open()
        host.hand(Deed.FORGET)
        try:
            host.open()
        except Broken as broken:
            raise Broken("18.17", f"its kept numbers are spoilt, and its key is lost: {broken.found}") from broken


def a_start_ends_the_minute(host: Host) -> None:
    can_be_paired(host)
    turn_on(host)
    host.hand(Deed.POWER)
    host.watch.is_locked_by_right = False
    host.open()
    _is_refused(host, "behind a start, with the switch turned on before it")


def a_card_is_covered(host: Host) -> None:
    """Checks that the device encrypts a card's byte differently in different sessions, and always equally in one
    session.
    """
    can_be_paired(host)
    newest = host.status()[1]
    let_a_card_pass(host)
    told(host, newest)
    with paired(host):
        host.open()
        let_a_card_pass(host)
        faces: list[int] = []
        plain: set[int] = set()
        for _ in range(_SESSIONS):
            host.open()
            came = [one for one in host.listen(SILENT_AFTER_S) if _has_a_card(host, one)]
            plain |= {_face(host, one.payload) for one in came[:1]}
            if not came:
                raise Skipped("no-card-passed")
            number = came[0].header.number
            bytes_there = {_face(host, one.raw) for one in came if one.header.number == number}
            must("18.12", len(bytes_there) == 1, f"EVENT {number} carries {len(bytes_there)} different bytes")
            faces += bytes_there
        must("18.11", len(set(faces)) > 1, f"in {_SESSIONS} sessions EVENT {number} carries the same byte")
        must("18.11", len(plain) == 1, f"under its pads EVENT {number} is {len(plain)} different cards")


_SESSIONS: Final = 4


def _has_a_card(host: Host, one: Heard) -> bool:
    return one.header.kind == FrameKind.EVENT and host.schema.secret_at(one.raw[rows.EVENT_LAYOUT.size :]) is not None


def _face(host: Host, payload: bytes) -> int:
    event = payload[rows.EVENT_LAYOUT.size :]
    return event[host.schema.secret_at(event) or 0]
