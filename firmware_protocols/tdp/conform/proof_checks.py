"""Checks of PROTOCOL.md, section 18: when a device takes a key, and the frames that it then accepts and sends.

Most of them give the device a key of their own and take it away again (own_key.py).
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from firmware_protocols.framing import DELIMITER, TAG_BYTES, encode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.life_checks import say_for
from firmware_protocols.tdp.conform.line import ANSWERS_WITHIN_S, Broken, Heard, Host, Skipped, must, shown, there
from firmware_protocols.tdp.conform.own_key import KEY, can_be_paired, given, paired, take_away, turn_on
from firmware_protocols.tdp.conform.parts import (
    LATENESS_S,
    QUIET_S,
    SILENCE_S,
    lasting,
    let_a_card_pass,
    permit,
    told,
    waiting,
)
from firmware_protocols.tdp.link import (
    EVENTS_LOCK,
    NO_SESSION_EVERY_S,
    PAIRING_S,
    SILENT_AFTER_S,
    FrameKind,
    Header,
    body_of,
)
from firmware_protocols.tdp.proof import KEY_BYTES, NO_KEY, NONCE_BYTES, tag_of
from firmware_protocols.tdp.schema import DeviceKind

ANOTHER: Final = bytes(range(2, KEY_BYTES + 2))
_HELLOS: Final = 12
NONCES: Final = 257  # sessions: a count of one byte comes round
_BEAT: Final = rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(not_yet_durable=False))


# --- the switch


def a_key_is_taken_by_hands_alone(host: Host) -> None:
    """No key is taken without the switch or after its minute; a key of zeros takes the key away."""
    can_be_paired(host)
    _is_refused(host, "although nobody turned the switch on")
    _turn_on_what_is_permitted(host)
    host.open()
    status, _newest = host.status()
    must("18.14", status.host_silent, f"its switch is on, and it says {status}")
    host.listen(PAIRING_S + LATENESS_S)
    host.watch.is_locked_by_right = False
    host.open()
    _is_refused(host, f"{PAIRING_S} s behind the switch")
    with paired(host):
        host.open()
        status, newest = host.status()
        is_full = newest - host.watch.acked >= EVENTS_LOCK
        must("18.13", is_full or not status.host_silent, f"it has its key, and its switch is on still: {status}")


def _turn_on_what_is_permitted(host: Host) -> None:
    """The switch itself withdraws a permission, and none is given while the switch is on."""
    permission = None
    if host.moves or host.schema.kind is not DeviceKind.SHUFFLER:
        with suppress(Skipped):
            permission = lasting(host)
            permit(host, permission)
    turn_on(host)
    if permission is None:
        return
    status = host.status()[0]
    must("18.14", permission.is_locked(status), f"its switch is on, and it says {status}")
    host.apply(permission.ask(status))
    status = host.status()[0]
    must("18.14", permission.is_locked(status), f"permitted while its switch is on: {status}")


def _is_refused(host: Host, when: str) -> None:
    was, host.pair_key = host.pair_key, KEY  # the key that a PAIRED would be tagged with
    taken = given(host, KEY)
    if taken is not None:
        with suppress(Broken, Skipped):
            take_away(host)
        raise Broken("18.13", f"a key is taken {when}")
    host.pair_key = was


# --- a session with proof


def a_paired_device_proves_itself(host: Host) -> None:
    with paired(host):
        _nonces_are_new(host)
        _takes_its_host_alone(host)
        _takes_its_tag_alone(host)
        _denies_with_its_tag(host)
        _lives_on_news_alone(host)
        _hears_each_greater_number(host)
        _takes_no_key_in_a_proven_session(host)


def _hears_each_greater_number(host: Host) -> None:
    host.open()
    for number in (2**31 - 1, 2**31 + 5, 2**32 - 1):
        host.say(FrameKind.HEARTBEAT, number, _BEAT)
        heard = host.first(FrameKind.HEARTBEAT_REPLY, number)
        must("7.2", heard is not None, f"no HEARTBEAT_REPLY {number}, the greatest so far")


def _takes_no_key_in_a_proven_session(host: Host) -> None:
    """A PAIR has no tag: in a proven session it is dropped, with the switch on as well."""
    host.open()
    host.status()
    turn_on(host)
    must("18.6", given(host, ANOTHER) is None, "a key is taken in a proven session, from a frame without its tag")


def _nonce_of(one: Heard) -> bytes:
    return one.raw[rows.IDENTITY_LAYOUT.size :][:NONCE_BYTES]


def _nonces_are_new(host: Host) -> None:
    """Each session has another nonce of the device, and within a session it stays the same."""
    nonces = []
    for _ in range(3):
        host.open()
        same = []
        for _ in range(2):
            host.say_hello()
            same.append(_nonce_of(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")))
        must("18.5", same[0] == same[1], f"nonces of one session: {same[0].hex()}, {same[1].hex()}")
        host.status()  # a sign of life
        _say_hello(host, host.opening, b"\x07" * NONCE_BYTES, host.pair_key)
        other = host.first(FrameKind.IDENTITY, 0, within_s=QUIET_S)
        must("18.5", other is None, "the session's opening with another nonce is answered by IDENTITY")
        nonces.append(same[0])
    for _ in range(NONCES):
        host.open()
        host.say_hello()
        nonces.append(_nonce_of(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")))
    again = [one.hex() for one, times in Counter(nonces).items() if times > 1]
    must("18.4", not again, f"nonces of more than one of {len(nonces)} sessions: {again[:3]}")


def _takes_its_host_alone(host: Host) -> None:
    """A HELLO without tag, or with another pair's tag, opens no session and ends none, even after a silence."""
    host.open()
    for key, is_silent in ((None, False), (ANOTHER, False), (None, True), (ANOTHER, True)):
        opening = host.opening + 1
        host.listen(SILENCE_S if is_silent else 2 * NO_SESSION_EVERY_S, alive=not is_silent)
        _strangers_hello(host, opening, key)
        came = host.listen(ANSWERS_WITHIN_S, until=lambda one: one.header.kind == FrameKind.NOT_PROVEN)
        is_denied = [one for one in came if one.header.kind == FrameKind.NOT_PROVEN]
        answered = [one for one in came if one.header.host_opening == opening and one not in is_denied]
        must("18.1", not answered, f"a HELLO without the pair's tag is answered by {shown(answered)}")
        must("18.1", bool(is_denied), f"no NOT_PROVEN to a HELLO without the pair's tag, but {shown(came)}")
        found = is_denied[0].header
        must("18.1", (found.host_opening, found.device_boot) == (opening, host.boot), f"NOT_PROVEN of {found}")
        must("18.1", host.ask(host.query) is not None, "a HELLO without the pair's tag ends the session")
    begun_s = host.line.now_s()
    for _ in range(_HELLOS):
        _strangers_hello(host, host.opening + 1, None)
    came = [one for one in host.listen(QUIET_S) if one.header.kind == FrameKind.NOT_PROVEN]
    most = round((host.line.now_s() - begun_s) / NO_SESSION_EVERY_S) + 1
    must("18.2", len(came) <= most // 2, f"{len(came)} NOT_PROVEN to {_HELLOS} HELLOs")
    host.listen(2 * NO_SESSION_EVERY_S)
    _strangers_hello(host, host.opening + 1, None)
    host.say(FrameKind.HEARTBEAT, 1, _BEAT, opening=host.opening + 1)
    denied = [one for one in host.listen(NO_SESSION_EVERY_S / 2) if one.header.kind in _DENIES]
    must("18.2", len(denied) < 2, f"at once: {shown(denied)}")


_DENIES: Final = (FrameKind.NOT_PROVEN, FrameKind.NO_SESSION)


def _strangers_hello(host: Host, opening: int, key: bytes | None) -> None:
    _say_hello(host, opening, b"\x07" * NONCE_BYTES * (key is not None), key)


def _say_hello(host: Host, opening: int, nonce: bytes, key: bytes | None) -> None:
    payload = rows.HELLO_LAYOUT.encode(rows.HelloBody(1, 0 if key is None else 1, 0, 0))
    host.say(FrameKind.HELLO, 0, payload + nonce, opening=opening, boot=0, key=key)


def _takes_its_tag_alone(host: Host) -> None:
    number = waiting(host)[0].number
    for key in (None, host.pair_key, ANOTHER):
        host.say(FrameKind.COMMAND, host.last_command + 1, host.query, key=key)
        host.say(FrameKind.ACK, number, key=key)
        host.say(FrameKind.HEARTBEAT, 0x7000, _BEAT, key=key)
        came = host.listen(QUIET_S, alive=False)
        wrong = [one for one in came if (one.header.kind, one.header.number) in _ANSWERS | {_answer(host)}]
        must("18.6", not wrong, f"a frame without the session's tag is answered by {shown(wrong)}")
    for place in range(TAG_BYTES):
        _say_with_a_spoilt_tag(host, place)
        wrong = [one for one in host.listen(QUIET_S, alive=False) if one.header.kind == FrameKind.HEARTBEAT_REPLY]
        must("18.6", not wrong, f"byte {place} of the tag is wrong: {shown(wrong)}")
    host.open()
    must(
        "18.6", any(one.number == number for one in host.events(QUIET_S)), f"an ACK without its tag took EVENT {number}"
    )


def _say_with_a_spoilt_tag(host: Host, place: int) -> None:
    body = body_of(Header(FrameKind.HEARTBEAT, host.opening, host.boot, 0x7001), _BEAT)
    tag = bytearray(tag_of(host.proof.session or NO_KEY, body))
    tag[place] ^= 0x40
    host.say_bytes(DELIMITER + encode_frame(body, bytes(tag)))


_ANSWERS: Final = frozenset({(FrameKind.HEARTBEAT_REPLY, 0x7000)})


def _answer(host: Host) -> tuple[int, int]:
    return FrameKind.ANSWER, host.last_command + 1


def _denies_with_its_tag(host: Host) -> None:
    """A NO_SESSION has the session's tag: `Watch` tests that."""
    opening, host.opening = host.opening, host.opening + 0x100
    host.say(FrameKind.HEARTBEAT, 1, _BEAT)
    there("18.10", host.first(FrameKind.NO_SESSION, 0), "no NO_SESSION to another session's frame")
    host.opening = opening


_COPIES: Final[dict[str, tuple[str, Callable[[Host], object]]]] = {
    "HEARTBEAT 1 again": ("18.7", lambda host: host.say(FrameKind.HEARTBEAT, 1, _BEAT)),
    "COMMAND 1 again": ("18.7", lambda host: host.say(FrameKind.COMMAND, 1, host.query)),
    "COMMAND 0x7000": ("18.7", lambda host: host.say(FrameKind.COMMAND, 0x7000, host.query)),
    "ACK 0": ("18.7", lambda host: host.say(FrameKind.ACK, 0)),
    "HEARTBEAT 0x7000 without its tag": (
        "18.6",
        lambda host: host.say(FrameKind.HEARTBEAT, 0x7000, _BEAT, key=None),
    ),
    "HELLO again": ("18.9", lambda host: host.say_hello()),
    "HELLO of a new session": ("18.9", lambda host: host.open()),
}


def _lives_on_news_alone(host: Host) -> None:
    """Copies of old frames are no sign of life: waiting events are not repeated for them."""
    number = waiting(host)[0].number
    for name, (duty, say) in _COPIES.items():
        host.open()
        host.say(FrameKind.HEARTBEAT, 0, _BEAT)
        none = host.first(FrameKind.HEARTBEAT_REPLY, 0, within_s=LATENESS_S)
        must("18.8", none is None, "HEARTBEAT 0 is answered, the first of its session")
        first = host.say_pulse()
        there("7.2", host.first(FrameKind.HEARTBEAT_REPLY, first), f"no HEARTBEAT_REPLY {first}")
        host.answer(host.query)
        host.say(FrameKind.HEARTBEAT, first, _BEAT)
        again = host.first(FrameKind.HEARTBEAT_REPLY, first, within_s=QUIET_S)
        must("18.8", again is None, f"HEARTBEAT {first} is answered twice")
        host.watch.is_locked_by_right = True
        say_for(host, SILENCE_S, say)
        came = say_for(host, SILENT_AFTER_S, say)
        host.watch.is_locked_by_right = False
        must(duty, number not in came, f"EVENT {number} comes although the host says nothing but {name}")


# --- a key that is kept, and a card that is hidden


def a_key_outlives_a_start(host: Host) -> None:
    """The device keeps its key over a start, and does not repeat its nonces after it."""
    nonces = []
    with paired(host):
        for _ in range(2):
            host.open()
            host.hand(Deed.POWER)
            try:
                host.open()
            except Broken as broken:
                raise Broken("18.17", f"behind a start: {broken.found}") from broken
            host.say_hello()
            again = there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")
            nonces.append(_nonce_of(again))
        must("18.4", nonces[0] != nonces[1], f"the first nonce of two boots is {nonces[0].hex()}")
    _key_is_stored_first(host)


def _key_is_stored_first(host: Host) -> None:
    """Power that fails right behind PAIRED takes no key away."""
    with paired(host):
        host.hand(Deed.POWER)
        try:
            host.open()
        except Broken as broken:
            raise Broken("18.19", f"behind PAIRED and a start: {broken.found}") from broken


def a_start_ends_the_minute(host: Host) -> None:
    can_be_paired(host)
    turn_on(host)
    host.hand(Deed.POWER)
    host.watch.is_locked_by_right = False
    host.open()
    _is_refused(host, "behind a start, with the switch turned on before it")


def a_card_is_covered(host: Host) -> None:
    """A card's byte is covered differently in each session, and in the same way within one."""
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
