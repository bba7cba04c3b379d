"""Sections 2 to 8: frame, header, sessions, commands, events, signs of life; the same for every kind of device."""

from itertools import pairwise
from typing import Final

from firmware_protocols.framing import DELIMITER, encode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.line import Event, Heard, Host, Skipped, must, shown
from firmware_protocols.tdp.link import (
    EVENT_RETRY_MAX_S,
    EVENT_RETRY_S,
    EVENTS_LOCK,
    HEADER,
    NO_SESSION_EVERY_S,
    PROTOCOL_MAJOR,
    SILENT_AFTER_S,
    FrameKind,
    Header,
    build,
)

OK: Final = 0
BAD_COMMAND: Final = 1
QUIET_S: Final = 0.4  # long enough for an answer that must not come
COMMAND_ANSWERED_S: Final = 0.05
LATENESS_S: Final = 0.1  # of a line, of this computer
FAR: Final = 1000  # events that no device has made yet
NEVER: Final = 0x55  # a kind that the table does not have


# --- section 2: the frame


def damaged_frames_are_dropped(host: Host) -> None:
    body = HEADER.pack(FrameKind.HEARTBEAT, host.opening, host.boot, 7) + b"\0"
    good = bytes(build_heartbeat(host, 7))
    wrong = {
        "wrong CRC": good[:-3] + bytes((good[-3] % 255 + 1,)) + good[-2:],
        "a tag": DELIMITER + encode_frame(body, tag=b"\1" + bytes(7)),
        "a body of 12 bytes": DELIMITER + encode_frame(body[:12]),
        "no COBS": DELIMITER + b"\x7f\x01\x02" + DELIMITER,
        "206 bytes without a zero": DELIMITER + b"\x01" * 206 + DELIMITER,
    }
    for name, data in wrong.items():
        host.line.say(data)
        heard = _answers(host.listen(QUIET_S, alive=False))
        must(not heard, f"{name}: {shown(heard)}")
    host.status()


def noise_does_no_harm(host: Host) -> None:
    host.line.say(bytes(byte % 255 + 1 for byte in range(4096)) + DELIMITER * 3)
    host.status()


# --- section 3: the header


def other_kinds_are_dropped(host: Host) -> None:
    for kind in (NEVER, FrameKind.HEARTBEAT_REPLY, FrameKind.ANSWER):
        host.say(kind, 1)
        heard = _answers(host.listen(QUIET_S, alive=False))
        must(not heard, f"kind {kind:#04x}: {shown(heard)}")
    host.status()


def heartbeats_have_their_length(host: Host) -> None:
    for payload in (b"", b"\0\0", b"\2"):
        host.say(FrameKind.HEARTBEAT, 99, payload)
        must(host.first(FrameKind.HEARTBEAT_REPLY, 99, within_s=QUIET_S) is None, f"a reply to payload {payload.hex()}")
    host.status()


def hello_has_no_boot_and_no_number(host: Host) -> None:
    for boot, number in ((host.boot, 0), (0, 1)):
        host.say_hello(opening=host.opening + 1, boot=boot, number=number)
        heard = [one for one in host.listen(QUIET_S) if one.header.kind == FrameKind.IDENTITY]
        must(not heard, f"HELLO with boot {boot}, number {number}: {shown(heard)}")
    host.status()


def other_sessions_are_refused(host: Host) -> None:
    """Whatever the payload: the session is looked at before it."""
    for opening, boot in ((host.opening + 1, host.boot), (host.opening, host.boot % 0xFFFFFFFF + 1)):
        for kind, payload in ((FrameKind.COMMAND, host.query), (FrameKind.HEARTBEAT, b"\7\7"), (FrameKind.ACK, b"\1")):
            host.listen(2 * NO_SESSION_EVERY_S)
            host.say(kind, 1, payload, opening=opening, boot=boot)
            heard = _answers(host.listen(QUIET_S, alive=False))
            said = [(one.header.kind, one.header.host_opening, one.header.device_boot) for one in heard]
            must(said == [(FrameKind.NO_SESSION, opening % 2**32, host.boot)], f"{kind.name}: {shown(heard)}")
    host.answer(host.query)


def refusals_do_not_fill_the_line(host: Host) -> None:
    host.listen(2 * NO_SESSION_EVERY_S)
    for _ in range(20):
        host.say(FrameKind.COMMAND, 1, host.query, boot=host.boot % 0xFFFFFFFF + 1)
    heard = [one for one in host.listen(NO_SESSION_EVERY_S / 2) if one.header.kind == FrameKind.NO_SESSION]
    must(len(heard) <= 1, f"{len(heard)} NO_SESSION to 20 frames at once")


# --- section 4: sessions


def it_says_who_it_is(host: Host) -> None:
    """`simulated` is 1 in everything that is no hardware: behind a pty there is none."""
    identity, _status = host.open()
    must(identity.kind is host.schema.kind, f"kind {identity.kind}")
    must(host.is_simulated is not True or identity.simulated, "simulated 0 at a pseudo terminal")
    must(host.boot != 0, "device_boot 0")
    must(identity.oldest_event <= identity.next_event, f"oldest {identity.oldest_event}, next {identity.next_event}")
    must(bool(identity.model and identity.serial and identity.firmware), f"{identity}")


def the_same_hello_resets_nothing(host: Host) -> None:
    host.answer(host.query)
    host.say_hello()
    must(host.first(FrameKind.IDENTITY, 0) is not None, "no IDENTITY to the HELLO that came again")
    must(host.answer(host.query).result == OK, "COMMAND 2 refused")


def older_hellos_are_dropped(host: Host) -> None:
    """Also one that is half the range away, which is newer neither way."""
    for opening in ((host.opening - 1) % 2**32, (host.opening + 2**31) % 2**32):
        host.say_hello(opening=opening)
        heard = [one for one in host.listen(QUIET_S) if one.header.host_opening == opening]
        must(not heard, f"HELLO {opening} in session {host.opening}: {shown(heard)}")
    host.answer(host.query)


def another_major_is_told_ours(host: Host) -> None:
    """With a payload that no version has yet; the session goes on."""
    opening = host.opening + 1
    host.say(FrameKind.HELLO, 0, bytes((PROTOCOL_MAJOR + 1, 9)) + b"\5" * 23, opening=opening, boot=0)
    heard = host.first(FrameKind.IDENTITY, 0)
    must(heard is not None and heard.header.host_opening == opening % 2**32, "no IDENTITY to another major")
    if heard is not None:
        body, _status = host.read_identity(heard)
        must(body.major == PROTOCOL_MAJOR, f"major {body.major}")
    must(host.answer(host.query).result == OK, "the session is gone")


# --- section 5: commands


def commands_are_done_once(host: Host) -> None:
    """The last number is answered again with what is kept; any other but the next is answered by nothing."""
    must(host.ask(host.query, number=0) is None, "an ANSWER to COMMAND 0")
    first = host.answer(host.query)
    again = host.ask(b"\xee", number=1)  # the number alone counts
    must(again is not None and again.result == first.result, f"COMMAND 1 again: {again and again.result}")
    for number in (3, 0):
        must(host.ask(host.query, number=number) is None, f"an ANSWER to COMMAND {number} behind 1")
    must(host.answer(host.query).result == OK, "COMMAND 2 refused")


def nonsense_is_a_bad_command(host: Host) -> None:
    before = host.status()[0]
    cut_short = (bytes((row.id,)) for row in host.schema.commands if row.fields)  # a sensor has none
    for payload in (b"", b"\xee", *cut_short, host.query + b"\0"):
        answer = host.answer(payload)
        must(answer.result == BAD_COMMAND, f"payload {payload.hex() or 'empty'}: result {answer.result}")
    must(host.status()[0] == before, "the status changed")


def answers_come_at_once(host: Host) -> None:
    """The quickest of five: the line and this computer may be late."""
    quickest = min(host.answer(host.query).after_s for _ in range(5))
    must(quickest <= COMMAND_ANSWERED_S + LATENESS_S, f"{quickest * 1000:.0f} ms")


# --- section 6: events


def the_first_event_is_started(host: Host) -> None:
    waiting = _waiting(host)
    if waiting[0].oldest != 1:
        raise Skipped("acknowledged-before")
    must(waiting[0].body[0] == host.schema.events[0].id, f"EVENT 1 has message id {waiting[0].body[0]:#04x}")


def events_come_again(host: Host) -> None:
    """After 0.2 s, then later and later up to 1 s; the same bytes but `oldest_event`."""
    number = _waiting(host)[0].number
    host.open()
    came = [one for one in host.events(4.0) if one.number == number]
    must(len({one.body for one in came}) == 1, "other bytes each time")
    pauses = [later.at_s - earlier.at_s for earlier, later in pairwise(came)]
    must(len(pauses) >= 2, f"{len(came)} times in 4 s")
    must(all(pause > EVENT_RETRY_S - 0.05 for pause in pauses), f"{min(pauses):.2f} s between two")
    must(max(pauses) <= EVENT_RETRY_MAX_S + LATENESS_S, f"{max(pauses):.2f} s between two")


def a_slow_host_is_given_time(host: Host) -> None:
    number = _waiting(host)[0].number
    host.open()
    host.say_pulse(not_yet_durable=True)
    came = [one.at_s for one in host.events(2 * EVENT_RETRY_MAX_S) if one.number == number]
    must(len(came) > 1, f"{len(came)} times in {2 * EVENT_RETRY_MAX_S:.0f} s")
    must(came[1] - came[0] > EVENT_RETRY_MAX_S - LATENESS_S, f"again after {came[1] - came[0]:.2f} s")


def events_outlive_a_session(host: Host) -> None:
    before = _waiting(host)[0]
    host.open()
    after = [(one.number, one.body) for one in host.events(EVENT_RETRY_MAX_S)]
    must((before.number, before.body) in after, f"EVENT {before.number} does not come in the new session")


def no_event_ends_that_was_not_made(host: Host) -> None:
    before = _waiting(host)[0].number
    host.acknowledge(before + FAR)
    host.say(FrameKind.ACK, before, b"\1")
    came = {one.number for one in host.events(EVENT_RETRY_MAX_S + 0.4)}
    must(before in came, f"EVENT {before} does not come again")


def nobody_is_told_in_silence(host: Host) -> None:
    """Behind 2 s without a frame of the session nothing is repeated; the next frame ends it."""
    number = _waiting(host)[0].number
    host.listen(SILENT_AFTER_S + 0.3, alive=False)
    heard = host.listen(1.5, alive=False)
    must(not heard, f"in the silence: {shown(heard)}")
    status, newest = host.status()
    is_kept_silent = newest - number + 1 >= EVENTS_LOCK
    must(is_kept_silent or not status.host_silent, "host_silent in the reply that ends it")
    must(number in {one.number for one in host.events(1.0)}, f"EVENT {number} does not come again")


def acknowledged_events_are_gone(host: Host) -> None:
    newest = host.status()[1]
    _waiting(host)
    host.acknowledge(newest)
    host.listen(0.2)
    came = host.events(1.5)
    must(not came, f"EVENT {came[0].number if came else 0} after ACK {newest}")
    host.say_hello()
    heard = host.first(FrameKind.IDENTITY, 0)
    must(heard is not None, "no IDENTITY")
    if heard is not None:
        body, _status = host.read_identity(heard)
        must(body.oldest_event == body.next_event == newest + 1, f"oldest {body.oldest_event}, next {body.next_event}")


# --- section 7: signs of life


def heartbeats_are_answered(host: Host) -> None:
    for _ in range(3):
        host.status()


# --- parts


def build_heartbeat(host: Host, number: int) -> bytes:
    """A good one of this session."""
    payload = rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(not_yet_durable=False))
    return build(Header(FrameKind.HEARTBEAT, host.opening, host.boot, number), payload)


def _answers(heard: list[Heard]) -> list[Heard]:
    """Frames that answer something: events come by themselves."""
    return [one for one in heard if one.header.kind != FrameKind.EVENT]


def _waiting(host: Host) -> list[Event]:
    """Events that the device repeats now. Raises Skipped where it holds none."""
    found = host.events(EVENT_RETRY_MAX_S + 0.4)
    if not found:
        raise Skipped("no-event-waits")
    return found
