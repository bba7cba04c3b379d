"""Checks of PROTOCOL.md, section 18: the frames that a paired device accepts and sends."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from firmware_protocols.framing import NO_TAG, TAG_BYTES
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.life_checks import say_for
from firmware_protocols.tdp.conform.line import ANSWERS_WITHIN_S, Broken, Host, Skipped, must, shown, there
from firmware_protocols.tdp.conform.minute_checks import takes_its_tag_alone
from firmware_protocols.tdp.conform.no_session_checks import keeps_its_pace
from firmware_protocols.tdp.conform.own_key import given, paired, turn_on
from firmware_protocols.tdp.conform.pairing_checks import ANOTHER, nonce_of
from firmware_protocols.tdp.conform.parts import (
    BAD_COMMAND,
    LATENESS_S,
    QUIET_S,
    SILENCE_S,
    waiting,
)
from firmware_protocols.tdp.conform.silence_checks import seen_in_silence
from firmware_protocols.tdp.conform.spoilt_tags import (
    another_nonce,
    say_by_the_key_before,
    say_hello_with_a_spoilt_tag,
    say_with_a_spoilt_tag,
    say_with_spoilt_tags,
)
from firmware_protocols.tdp.link import NO_SESSION_EVERY_S, SILENT_AFTER_S, FrameKind, Header, build
from firmware_protocols.tdp.proof import NONCE_BYTES

_HELLOS: Final = 12
NONCES: Final = 257  # sessions: a count of one byte comes round
_BEAT: Final = rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(not_yet_durable=False))


# --- a session with proof


def a_paired_device_proves_itself(host: Host) -> None:
    with paired(host):
        _nonces_are_new(host)
        _takes_its_host_alone(host)
        _takes_its_tag_alone(host)
        _denies_each_wrong_tag(host)
        _denies_with_its_tag(host)
        for deny in _DENIED:
            keeps_its_pace(host, "18.2", deny)
        _lives_on_news_alone(host)
        _each_news_keeps_it_awake(host)
        _a_hello_leaves_a_silence(host)
        with suppress(Skipped):
            _any_news_ends_a_silence(host)
        _hears_each_greater_number(host)
        _takes_no_key_in_a_proven_session(host)


def _a_hello_leaves_a_silence(host: Host) -> None:
    host.open()
    host.status()
    host.listen(SILENCE_S, alive=False)
    host.watch.is_locked_by_right = True
    _identity, status = host.open()
    host.watch.is_locked_by_right = False
    must("18.9", status.host_silent, f"a HELLO ends a silence: {status}")
    host.status()


def _any_news_ends_a_silence(host: Host) -> None:
    for say in (
        host.say_pulse,
        lambda: host.say(FrameKind.COMMAND, 1, host.query),
        lambda: host.say(FrameKind.COMMAND, 1, b"\xee"),
        lambda: host.acknowledge(host.watch.acked + 1),
    ):
        for duty in ("6.17", "18.9") if host.bench.is_quick else ("6.17",):
            number = waiting(host, 2)[-1].number
            host.listen(SILENCE_S, alive=False)
            if duty == "18.9":
                host.watch.is_locked_by_right = True
                host.open()
                host.watch.is_locked_by_right = False
            say()
            came = {one.number for one in host.events(LATENESS_S, alive=False)}
            if number not in came:
                is_asleep = duty == "18.9" or seen_in_silence(host)[1].host_silent
                found = f"EVENT {number} does not come with the first new frame behind a silence"
                raise Broken("18.9" if is_asleep else "6.17", found)


def _hears_each_greater_number(host: Host) -> None:
    """Checks that the device answers a HEARTBEAT if its number is greater than all before, and does not answer any
    other. A faulty device compares only a part of the number.
    """
    host.open()
    for number in (300, 2**16 + 300, 2**24 + 300, 2**31 - 1, 2**31 + 5, 2**32 - 1):
        host.say(FrameKind.HEARTBEAT, number, _BEAT)
        heard = host.first(FrameKind.HEARTBEAT_REPLY, number)
        must("7.2", heard is not None, f"no HEARTBEAT_REPLY {number}, the greatest so far")
        for lower in (number - 1, number % 2**16 + 1, number % 2**8 + 1):
            if lower < number:
                host.say(FrameKind.HEARTBEAT, lower, _BEAT)
                heard = host.first(FrameKind.HEARTBEAT_REPLY, lower, within_s=LATENESS_S)
                must("18.8", heard is None, f"HEARTBEAT {lower} is answered behind {number}")


def _takes_no_key_in_a_proven_session(host: Host) -> None:
    """Checks that the device drops a PAIR in a proven session, even with the switch on, since a PAIR has no tag."""
    host.open()
    host.status()
    turn_on(host)
    must("18.6", given(host, ANOTHER) is None, "a key is taken in a proven session, from a frame without its tag")
    takes_its_tag_alone(host)


def _nonces_are_new(host: Host) -> None:
    """Checks that the device has a new nonce in each session, and always the same nonce in one session."""
    nonces = []
    for places in (range(NONCE_BYTES), (0,), (NONCE_BYTES - 1,)):
        host.open()
        same = []
        for _ in range(2):
            host.say_hello()
            same.append(nonce_of(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")))
        must("18.5", same[0] == same[1], f"nonces of one session: {same[0].hex()}, {same[1].hex()}")
        host.status()  # a sign of life
        _say_hello(host, host.opening, another_nonce(host.proof.nonce, places), host.pair_key)
        other = host.first(FrameKind.IDENTITY, 0, within_s=QUIET_S)
        must("18.5", other is None, "the session's opening with another nonce is answered by IDENTITY")
        _knows_its_hello(host, "its opening with another nonce")
        nonces.append(same[0])
    for _ in range(NONCES):
        host.open()
        host.say_hello()
        nonces.append(nonce_of(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")))
    nonces += _nonces_of_one_opening(host)
    again = [one.hex() for one, times in Counter(nonces).items() if times > 1]
    must("18.4", not again, f"nonces of more than one of {len(nonces)} sessions: {again[:3]}")


def _knows_its_hello(host: Host, behind: str) -> None:
    """Checks that the device still answers the HELLO of its session after it has dropped or denied another HELLO.
    `Watch` tests the nonce, too.
    """
    host.say_hello()
    there("18.5", host.first(FrameKind.IDENTITY, 0), f"no IDENTITY to HELLO again, behind {behind}")


def _nonces_of_one_opening(host: Host) -> Iterator[bytes]:
    """Opens several sessions of the same opening, each after a silence and with a new nonce of the host. Yields the
    device's nonces.
    """
    for _ in range(3):
        host.status()
        host.listen(SILENCE_S, alive=False)
        host.nonces_more += 1
        host.watch.nonces.begins(host.opening)
        host.watch.is_locked_by_right = True
        host.open(opening=host.opening)
        host.status()
        host.watch.is_locked_by_right = False
        host.say_hello()
        yield nonce_of(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again"))


def _each_news_keeps_it_awake(host: Host) -> None:
    """Checks that new frames of each kind alone are signs of life in a proven session."""
    number = waiting(host)[0].number
    for name, say in _NEWS.items():
        host.open()
        host.status()
        say_for(host, SILENCE_S, say)
        came = say_for(host, SILENT_AFTER_S, say)
        must("18.7", number in came, f"EVENT {number} comes no more, although the host says {name} all the time")


def _say_next(host: Host, payload: bytes) -> None:
    host.last_command += 1
    host.say(FrameKind.COMMAND, host.last_command, payload)


_NEWS: Final[dict[str, Callable[[Host], object]]] = {
    "new HEARTBEATs": lambda host: host.say_pulse(),
    "new HEARTBEATs of a slow disk": lambda host: host.say_pulse(not_yet_durable=True),
    "new COMMANDs": lambda host: _say_next(host, host.query),
    "new COMMANDs that are bad": lambda host: _say_next(host, b"\xee"),
    "new COMMANDs without an id": lambda host: _say_next(host, b""),
}


def _takes_its_host_alone(host: Host) -> None:
    """Checks that a HELLO without a tag, or with the tag of another pair, opens no session and ends none, even after a
    silence.
    """
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
        _knows_its_hello(host, "a HELLO without the pair's tag")
    _takes_no_commit(host)
    _drops_what_it_does_not_deny(host)
    begun_s = host.line.now_s()
    for other in range(_HELLOS):
        _strangers_hello(host, host.opening + 1 + other, None)
    came = [one for one in host.listen(QUIET_S) if one.header.kind == FrameKind.NOT_PROVEN]
    most = round((host.line.now_s() - begun_s) / NO_SESSION_EVERY_S) + 1
    must("18.2", len(came) <= most // 2, f"{len(came)} NOT_PROVEN to {_HELLOS} HELLOs")
    host.listen(2 * NO_SESSION_EVERY_S)
    _strangers_hello(host, host.opening + 1, None)
    host.say(FrameKind.HEARTBEAT, 1, _BEAT, opening=host.opening + 1)
    denied = [one for one in host.listen(NO_SESSION_EVERY_S / 2) if one.header.kind in _DENIES]
    must("18.2", len(denied) < 2, f"at once: {shown(denied)}")


def _denies_each_wrong_tag(host: Host) -> None:
    """Checks that the device denies a HELLO if any one byte of its tag is wrong."""
    opening = (host.opening + 1) % 2**32
    for place in range(TAG_BYTES):
        host.status()
        host.listen(2 * NO_SESSION_EVERY_S)
        say_hello_with_a_spoilt_tag(host, opening, place)
        heard = [one for one in host.listen(LATENESS_S) if one.header.host_opening == opening]
        kinds = [one.header.kind for one in heard]
        must("18.1", kinds == [FrameKind.NOT_PROVEN], f"byte {place} of the tag of HELLO is wrong: {shown(heard)}")


def _takes_no_commit(host: Host) -> None:
    """Checks that a HELLO that the device denies acknowledges no event."""
    with suppress(Skipped):
        number = waiting(host)[0].number
        payload = rows.HELLO_LAYOUT.encode(rows.HelloBody(1, 1, host.boot, host.watch.newest)) + bytes(NONCE_BYTES)
        for opening in (host.opening, host.opening + 1):
            for key in (None, ANOTHER):
                host.listen(2 * NO_SESSION_EVERY_S)
                host.say_bytes(build(Header(FrameKind.HELLO, opening % 2**32, 0, 0), payload, key))
                host.listen(LATENESS_S)
        identity = host.open()[0]
        must("18.1", identity.oldest_event <= number, f"a HELLO that is denied has taken EVENT {number}: {identity}")


def _drops_what_it_does_not_deny(host: Host) -> None:
    """Checks that the device drops certain wrong HELLOs and does not deny them. Checks that it answers a HELLO of
    another major version like an unpaired device.
    """
    nonce = b"\x07" * NONCE_BYTES
    for name, opening, tail, boot in (
        ("without room for its nonce", host.opening + 1, nonce[:-1], 0),
        ("without a nonce", host.opening + 1, b"", 0),
        ("of an older opening", host.opening - 1, nonce, 0),
        ("of another boot", host.opening + 1, nonce, host.boot),
    ):
        for key in (host.pair_key, None) if boot else (host.pair_key,):
            host.status()
            host.listen(2 * NO_SESSION_EVERY_S)
            _say_hello(host, opening, tail, key, boot=boot)
            denied = [one for one in host.listen(QUIET_S) if one.header.kind in _DENIES]
            must("18.1", not denied, f"a HELLO {name} is denied: {shown(denied)}")
            _knows_its_hello(host, f"a HELLO {name}")
    host.say(FrameKind.HELLO, 0, b"\2\0" + bytes(8), opening=host.opening + 1, boot=0, key=None)
    heard = there("4.2", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to a HELLO of another major without a tag")
    must("4.2", heard.header.tag == NO_TAG, "IDENTITY to another major has a tag")
    host.status()


_DENIES: Final = (FrameKind.NOT_PROVEN, FrameKind.NO_SESSION)


def _strangers_hello(host: Host, opening: int, key: bytes | None) -> None:
    _say_hello(host, opening, b"\x07" * NONCE_BYTES * (key is not None), key)


def _say_hello(host: Host, opening: int, nonce: bytes, key: bytes | None, *, boot: int = 0) -> None:
    payload = rows.HELLO_LAYOUT.encode(rows.HelloBody(1, 0 if key is None else 1, 0, 0))
    host.say(FrameKind.HELLO, 0, payload + nonce, opening=opening, boot=boot, key=key)


def _takes_its_tag_alone(host: Host) -> None:
    number = waiting(host)[0].number
    host.answer(host.query)
    for key in (None, host.pair_key, ANOTHER):
        host.say(FrameKind.COMMAND, host.last_command + 1, host.query, key=key)
        host.say(FrameKind.ACK, number, key=key)
        host.say(FrameKind.HEARTBEAT, 0x7000, _BEAT, key=key)
        came = host.listen(QUIET_S, alive=False)
        wrong = [one for one in came if (one.header.kind, one.header.number) in _ANSWERS | {_answer(host)}]
        must("18.6", not wrong, f"a frame without the session's tag is answered by {shown(wrong)}")
    for place in (*range(TAG_BYTES), *range(-TAG_BYTES + 1, 0)):
        say_with_a_spoilt_tag(host, place)
        wrong = [one for one in host.listen(QUIET_S, alive=False) if one.header.kind == FrameKind.HEARTBEAT_REPLY]
        must("18.6", not wrong, f"byte {place} of the tag is wrong: {shown(wrong)}")
    say_with_spoilt_tags(host, number)
    wrong = [one for one in host.listen(QUIET_S, alive=False) if one.header.kind == FrameKind.ANSWER]
    must("18.6", not wrong, f"one byte of a COMMAND's tag is wrong: {shown(wrong)}")
    pulse = host.say_pulse()
    is_there = host.first(FrameKind.HEARTBEAT_REPLY, pulse) is not None
    must("18.6", is_there, f"behind frames without their tag HEARTBEAT {pulse} is not answered")
    found = f"behind frames without their tag COMMAND {host.last_command + 1} is not executed"
    answer = host.ask(b"\xee")
    must("18.6", answer is not None and answer.result == BAD_COMMAND, found)
    key = host.proof.session
    host.open()
    say_by_the_key_before(host, key)
    must(
        "18.6", any(one.number == number for one in host.events(QUIET_S)), f"an ACK without its tag took EVENT {number}"
    )


_ANSWERS: Final = frozenset({(FrameKind.HEARTBEAT_REPLY, 0x7000)})


def _answer(host: Host) -> tuple[int, int]:
    return FrameKind.ANSWER, host.last_command + 1


def _denies_with_its_tag(host: Host) -> None:
    """Makes the device answer a frame of another session with NO_SESSION. `Watch` tests that NO_SESSION has the right
    tag.
    """
    opening, host.opening = host.opening, host.opening + 0x100
    host.say(FrameKind.HEARTBEAT, 1, _BEAT)
    there("18.10", host.first(FrameKind.NO_SESSION, 0), "no NO_SESSION to another session's frame")
    host.opening = opening


_DENIED: Final[tuple[Callable[[Host], None], ...]] = (
    lambda host: _strangers_hello(host, host.opening + 5, None),
    lambda host: host.say(FrameKind.HEARTBEAT, 1, _BEAT, opening=host.opening + 0x100, key=None),
)


def _say_later_commands(host: Host) -> None:
    for number in (3, 2**8 + 2, 2**16 + 2, 0x7000, 2**31 + 2, 0):
        host.say(FrameKind.COMMAND, number, host.query)


_OF_A_BAD_ONE: Final = "a bad COMMAND again"
_COPIES: Final[dict[str, tuple[str, Callable[[Host], object]]]] = {
    "HEARTBEAT 1 again": ("18.7", lambda host: host.say(FrameKind.HEARTBEAT, 1, _BEAT)),
    "COMMAND 1 again": ("18.7", lambda host: host.say(FrameKind.COMMAND, 1, host.query)),
    _OF_A_BAD_ONE: ("18.7", lambda host: host.say(FrameKind.COMMAND, host.last_command, b"\xee")),
    "COMMANDs that are not the next": ("18.7", _say_later_commands),
    "ACK 0": ("18.7", lambda host: host.say(FrameKind.ACK, 0)),
    "the last ACK": ("18.7", lambda host: host.acknowledge(host.watch.acked)),
    "an ACK of an event to come": ("18.7", lambda host: host.say(FrameKind.ACK, host.watch.newest + 1)),
    "an ACK with a payload": ("18.7", lambda host: host.say(FrameKind.ACK, host.watch.acked + 1, b"\1")),
    "a HEARTBEAT of no value": (
        "18.7",
        lambda host: host.say(FrameKind.HEARTBEAT, round(host.line.now_s() * 1000) % 2**31, b"\7"),
    ),
    "HEARTBEAT 0x7000 without its tag": (
        "18.6",
        lambda host: host.say(FrameKind.HEARTBEAT, 0x7000, _BEAT, key=None),
    ),
    "HELLOs of another pair": ("18.1", lambda host: _strangers_hello(host, host.opening + 1, ANOTHER)),
    "HELLOs of its opening without a tag": ("18.1", lambda host: _strangers_hello(host, host.opening, None)),
    "HELLO again": ("18.9", lambda host: host.say_hello()),
    "HELLO of a new session": ("18.9", lambda host: host.open()),
}


def _lives_on_news_alone(host: Host) -> None:
    """Checks that copies of old frames are no signs of life: the device repeats no waiting event for them."""
    number = waiting(host)[0].number
    for name, (duty, say) in _COPIES.items():
        host.open()
        host.say(FrameKind.HEARTBEAT, 0, _BEAT)
        none = host.first(FrameKind.HEARTBEAT_REPLY, 0, within_s=LATENESS_S)
        must("18.8", none is None, "HEARTBEAT 0 is answered, the first of its session")
        first = host.say_pulse()
        there("7.2", host.first(FrameKind.HEARTBEAT_REPLY, first), f"no HEARTBEAT_REPLY {first}")
        host.answer(host.query)
        if name == _OF_A_BAD_ONE:
            host.answer(b"\xee")
        host.say(FrameKind.HEARTBEAT, first, _BEAT)
        again = host.first(FrameKind.HEARTBEAT_REPLY, first, within_s=QUIET_S)
        must("18.8", again is None, f"HEARTBEAT {first} is answered twice")
        host.say_hello()
        there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")
        host.say(FrameKind.HEARTBEAT, first, _BEAT)
        again = host.first(FrameKind.HEARTBEAT_REPLY, first, within_s=QUIET_S)
        must("18.8", again is None, f"HEARTBEAT {first} is answered twice, behind HELLO again")
        host.watch.is_locked_by_right = True
        say_for(host, SILENCE_S, say)
        came = say_for(host, SILENT_AFTER_S, say)
        host.watch.is_locked_by_right = False
        must(duty, number not in came, f"EVENT {number} comes although the host says nothing but {name}")
