"""The acts of a walk: frames that are right, wrong, repeated, damaged or of other sessions; silences, and deeds of
hands.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from firmware_protocols.framing import DELIMITER, encode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.judge import Judge
from firmware_protocols.tdp.conform.line import Skipped
from firmware_protocols.tdp.conform.lot import Lot
from firmware_protocols.tdp.conform.model import JAMS_FROM, Cause
from firmware_protocols.tdp.conform.own_key import KEY
from firmware_protocols.tdp.conform.told import U16, U32
from firmware_protocols.tdp.conform.walk_wishes import nonsense, wish
from firmware_protocols.tdp.link import HEADER, PROTOCOL_MAJOR, FrameKind
from firmware_protocols.tdp.schema import DeviceKind

Act = Callable[[], None]

MOST_WAIT: Final = 58  # of 65 a device may keep any number
NEARLY_FULL: Final = 40
SOON_S: Final = 0.03
DENIED_S: Final = 0.15  # after which a device denies again
_DEEDS: Final = {
    DeviceKind.SHUFFLER: {
        Deed.EVENT: 10,
        Deed.LID_OPEN: 3,
        Deed.LID_CLOSE: 8,
        Deed.JAM: 3,
        Deed.CLEAR: 8,
        Deed.LOAD: 4,
        Deed.DRAW: 4,
        Deed.POWER: 2,
    },
    DeviceKind.SHOE: {Deed.EVENT: 14, Deed.FAULT: 4, Deed.MEND: 4, Deed.POWER: 2},
    DeviceKind.SLOTS: {Deed.EVENT: 14, Deed.LOAD: 2, Deed.POWER: 2},
}
"""The acts of hands at a device of each kind, with their weights."""
_AT_A_DISPLAY: Final = {Deed.EVENT: 14, Deed.POWER: 2}


class Acts:
    """The acts of one walk. `lot` draws among them. `has_hands`: True if deeds of hands are among them."""

    def __init__(self, judge: Judge, lot: Lot, *, has_hands: bool) -> None:
        self._judge, self._host, self._lot = judge, judge.host, lot
        self._kind = self._host.schema.kind
        self._deeds = dict(_DEEDS.get(self._kind, _AT_A_DISPLAY)) if has_hands else {}

    def any_of(self) -> Act:
        """Draws the next act by the weights of all acts. Returns a function that does this act."""
        acts = list(self._of_the_host())
        acts += [(partial(self._hand, deed), weight) for deed, weight in self._deeds.items()]
        return self._lot.weighted(acts)

    def _of_the_host(self) -> Iterator[tuple[Act, int]]:
        yield from ((self._beat, 12), (self._beat_slowly, 4), (self._query, 6), (self._ask, 20), (self._again, 10))
        yield from ((self._nonsense, 8), (self._other_number, 8), (self._hello_again, 8), (self._hello_wrong, 6))
        yield from ((self._major, 4), (self._new_session, 8), (self._others, 8), (self._noise, 8), (self._wrong, 10))
        yield from ((self._ack, 10), (self._ack_wrong, 8), (self._burst, 10), (self._beat_anyhow, 4))
        if self._host.proof.is_asked:
            yield from ((self._copy, 8), (self._unproven, 8), (self._denied, 6))

    def makes_room(self) -> None:
        """Acknowledges events if more than MOST_WAIT wait."""
        if self._judge.twin.waiting_events > MOST_WAIT:
            self._learn()  # an ACK that ends a silence comes before the window is sent, or behind it
            self._say_ack(self._judge.twin.newest - self._lot.choice((0, 3, 30)))
            self._judge.waits(SOON_S)

    def _learn(self) -> None:
        """Makes the device report its newest event, so that twin and model know every event."""
        if self._judge.twin.in_session:
            self._beat()
            self._judge.waits(SOON_S)
            self._judge.waits_for_replies()
        if self._kind is DeviceKind.SHUFFLER and self._judge.twin.waiting_events > NEARLY_FULL:
            self._judge.model.forget_permissions()  # a card may make the 48th before an ACK

    def _never(self) -> int:
        """The number of an event that the device has not made, and will not make soon even if cards move."""
        nearest = MOST_WAIT if self._kind is DeviceKind.SHUFFLER else 1
        return self._judge.twin.newest + self._lot.choice((nearest, nearest + 1, 2**8, 2**16, 2**31))

    # ---- hands

    def _hand(self, deed: Deed) -> None:
        if deed is Deed.JAM and not self._can_jam():
            return
        times = self._times() if deed is Deed.EVENT else 1
        self._judge.says(str(deed))
        before = self._host.watch.hands
        try:
            self._host.hand(deed, times, alive=False)
        except Skipped:
            del self._deeds[deed]
            return
        self._host.watch.hands = _withdraws(self._kind, deed) or before
        if self._host.watch.hands is Deed.LID_OPEN:
            self._host.watch.lamp.lid_moved()
        self._was_done(deed)

    def _times(self) -> int:
        times = self._lot.choice((1, 1, 1, 1, 2, 5, 12, 50))
        if times == 1 or not self._judge.twin.in_session:
            return 1
        self._learn()
        room = MOST_WAIT + 4 - self._judge.twin.waiting_events
        return max(1, min(times, room // 2 if self._kind is DeviceKind.SHUFFLER else room))

    def _can_jam(self) -> bool:
        """True if the shuffler has enough cards inside for one to get stuck."""
        self._learn()
        return self._judge.twin.in_session and JAMS_FROM <= self._judge.model.status.inside < U16 - 1

    def _was_done(self, deed: Deed) -> None:
        if deed is Deed.POWER:
            self._started()
            return
        self._judge.model.did(deed)
        if self._lot.choice((False, True)):
            self._judge.waits(SOON_S)
            self._beat()

    def _started(self) -> None:
        """Does some acts, perhaps further starts, before the first session of the boot. Then opens this session."""
        self._judge.starts()
        for _ in range(self._lot.choice((0, 0, 1, 3))):
            self._judge.waits(DENIED_S)
            if self._lot.below(6):
                self._lot.choice((self._major, self._others, self._noise, self._wrong, self._hello_wrong))()
            else:
                self._judge.says(str(Deed.POWER))
                self._host.hand(Deed.POWER, alive=False)
                self._judge.starts()
            self._judge.waits(self._judge.settles_s)
        self._judge.open()

    # ---- sessions

    def _new_session(self) -> None:
        committed = self._lot.choice((0, 0, self._judge.twin.oldest)) if self._judge.twin.waiting_events else 0
        far = self._lot.choice((1, 1, 1, 2**8, 2**24, 2**31 - 1))
        if self._judge.twin.host_silent and not self._judge.is_unsure:
            far = self._lot.choice((1, far, -1, -(2**9), 2**31))  # any opening replaces a silent host
        self._judge.open(committed, None if self._host.proof.is_asked else self._host.opening + far)

    def _hello_again(self) -> None:
        self._learn()
        twin, lot = self._judge.twin, self._lot
        number = lot.choice((0, 0, twin.oldest, twin.newest, self._never(), U32 - 1))
        boot = (self._host.boot + lot.choice((0, 0, 1, -1))) % U32
        is_right = twin.oldest <= number <= twin.newest and boot == self._host.boot
        name = "hello-commits" if is_right else "hello-wrong-commit" if number else "hello-again"
        self._judge.says(name, Cause.HELLO_AGAIN)
        minor = 1 if self._host.proof.is_asked else lot.choice((0, 0, 1, 7, 255))
        if minor:
            self._judge.said[-1:] = [self._judge.said[-1], "hello-minor"]
        body = rows.HelloBody(PROTOCOL_MAJOR, minor, boot if number else 0, number)
        self._host.say(FrameKind.HELLO, 0, rows.HELLO_LAYOUT.encode(body) + self._host.proof.nonce, boot=0)

    def _hello_wrong(self) -> None:
        pick, opening = self._lot.choice, self._host.opening
        if pick((False, True)) and not self._judge.twin.host_silent:
            self._judge.says("hello-old", Cause.OLD_HELLO)
            self._host.say_hello(opening=opening - pick((1, 2, 300, 2**31)))
            return
        self._judge.says("hello-wrong", Cause.WRONG_HELLO)
        boot, number = pick(((self._host.boot, 0), (0, 1), (0, U32 - 1)))
        self._host.say_hello(boot=boot, number=number, opening=opening + pick((0, 0, 1)))

    def looks(self) -> None:
        """Reads the status by a HELLO of another major version, which is no sign of life. The judge can thus see
        `host_silent`.
        """
        self._judge.says("major", Cause.MAJOR)
        opening = self._host.opening + 1
        self._host.say(FrameKind.HELLO, 0, bytes((PROTOCOL_MAJOR + 1, 0)), opening=opening, boot=0)
        self._judge.waits(self._judge.settles_s)

    def is_heard(self) -> None:
        """Makes the device answer a heartbeat. The answer proves when the device last heard the host."""
        self._beat()
        self._judge.waits(self._judge.settles_s)

    def _major(self) -> None:
        self._judge.says("major", Cause.MAJOR)
        pick = self._lot.choice
        opening = self._host.opening + (pick((1, 5)) if self._host.proof.is_asked else pick((0, 1, 5, -1)))
        payload = bytes((PROTOCOL_MAJOR + pick((1, 7)), 0)) + b"\5" * pick((0, 8, 40))
        self._host.say(FrameKind.HELLO, pick((0, 3)), payload, opening=opening, boot=pick((0, self._host.boot)))

    def _others(self) -> None:
        self._judge.waits(DENIED_S)
        host, pick = self._host, self._lot.choice
        opening, boot = pick(
            ((1, 0), (-1, 0), (0, 1), (0, -1), (2**8, 0), (2**16, 0), (2**24, 0), (0, 2**8), (0, 2**24))
        )
        kind, number, payload = pick(
            (
                (FrameKind.COMMAND, host.last_command + 1, self._wish()),
                (FrameKind.COMMAND, 1, b"\xee"),
                (FrameKind.COMMAND, host.last_command + 1, b""),
                (FrameKind.ACK, self._judge.twin.newest, b""),
                (FrameKind.HEARTBEAT, 77, b"\0"),
                (FrameKind.HEARTBEAT, 77, b"\1"),
                (FrameKind.HEARTBEAT, 77, b"\1\2"),
            )
        )
        self._judge.says("others-ack" if kind == FrameKind.ACK else "others", Cause.OTHERS)
        for _ in range(pick((1, 2))):
            host.say(kind, number, payload, opening=host.opening + opening, boot=host.boot + boot)

    # ---- heartbeats and commands

    def _beat(self) -> None:
        self._judge.says("beat", Cause.BEAT)
        self._host.say_pulse()

    def _beat_slowly(self) -> None:
        self._judge.says("beat-slow", Cause.BEAT)
        self._host.say_pulse(not_yet_durable=True)

    def _beat_anyhow(self) -> None:
        number = self._lot.choice((0, 1, 2**8, 2**16, 2**24, 2**31, U32 - 1)) if not self._host.proof.is_asked else 0
        self._judge.says("copy" if self._host.proof.is_asked else "beat", Cause.BEAT)
        self._host.say(FrameKind.HEARTBEAT, number, b"\0")

    def _wish(self) -> bytes:
        return self._host.schema.encode_command(wish(self._host, self._judge.model.status, self._lot))

    def _command(self, payload: bytes) -> None:
        self._judge.says("command")
        self._host.last_command += 1
        self._host.say(FrameKind.COMMAND, self._host.last_command, payload)

    def _query(self) -> None:
        self._command(self._host.query)

    def _ask(self) -> None:
        self._command(self._wish())

    def _nonsense(self) -> None:
        self._command(self._lot.choice(nonsense(self._host, self._wish())))

    def _again(self) -> None:
        self._judge.says("command-again")
        payload = self._lot.choice((self._host.query, b"\xee", b"", self._wish()))
        self._host.say(FrameKind.COMMAND, self._host.last_command, payload)

    def _other_number(self) -> None:
        self._judge.says("command-other", Cause.OTHER_NUMBER)
        far = self._lot.choice((2, 3, -1, -2, 2**8, 2**8 + 1, 2**16 + 1, 2**31, 2**31 + 1))
        self._host.say(FrameKind.COMMAND, (self._host.last_command + far) % U32, self._wish())

    # ---- acknowledgements

    def _say_ack(self, number: int) -> None:
        self._judge.says("ack", Cause.ACK)
        self._host.acknowledge(max(0, number))

    def _ack(self) -> None:
        self._learn()
        wait = self._judge.twin.waiting_events
        self._say_ack(self._judge.twin.oldest - 1 + self._lot.choice((min(1, wait), wait // 2, wait, min(wait, 3))))

    def _ack_wrong(self) -> None:
        self._learn()
        twin, pick = self._judge.twin, self._lot.choice
        if pick((False, True)):
            self._judge.says("ack-payload", Cause.WRONG)
            self._host.say(FrameKind.ACK, twin.newest, b"\0")
            return
        self._judge.says("ack-wrong", Cause.ACK)
        self._host.acknowledge(pick((self._never(), U32 - 1, 0, max(0, twin.oldest - 2))) % U32)

    # ---- frames to be dropped

    def _whole(self) -> bytes:
        """The body of a valid frame of this session: one that the device would answer, or that would acknowledge
        events.
        """
        host = self._host
        kind, number, payload = self._lot.choice(
            (
                (FrameKind.COMMAND, host.last_command + 1, host.query),
                (FrameKind.HEARTBEAT, 88, b"\0"),
                (FrameKind.ACK, self._judge.twin.newest, b""),
            )
        )
        return HEADER.pack(kind, host.opening, host.boot, number) + payload

    def _noise(self) -> None:
        self._judge.says("noise", Cause.NOISE)
        frame, lot = bytearray(encode_frame(self._whole()))[:-1], self._lot
        match lot.below(5):
            case 0:
                place = lot.below(len(frame))
                frame[place] = (frame[place] ^ (1 << lot.below(8))) or 0x55
            case 1:
                del frame[1 + lot.below(len(frame) - 1) :]
            case 2:
                frame[:0] = lot.data(lot.choice((3, 206, 300)), 1)
            case 3:
                frame = bytearray(lot.data(60))
            case _:
                frame = bytearray(lot.choice((1, 5)))
        self._host.say_bytes(DELIMITER + bytes(frame) + DELIMITER)

    def _wrong(self) -> None:
        pick = self._lot.choice
        name, kind, payload = pick(
            (
                ("wrong-value", FrameKind.HEARTBEAT, pick((b"\2", b"\x80", b"\xff"))),
                ("wrong", FrameKind.HEARTBEAT, pick((b"", b"\0\0", b"\0" * 100))),
                ("wrong", pick((0x00, 0x06, 0x10, 0x55)), b"\0"),
                ("wrong", pick((0x81, 0x82, 0x84)), b"\0"),
                ("hello-short", FrameKind.HELLO, pick((b"\1\0", b"\1\0\0", b"\1\0" + b"\0" * 9))),
                ("tagged", FrameKind.COMMAND, self._host.query),
            )
        )
        if name == "tagged":
            self._judge.says("untagged" if self._host.proof.is_asked else name, Cause.TAGGED)
            self._host.say(kind, self._host.last_command + 1, payload, key=bytes(32))
        elif kind != FrameKind.HELLO or not self._host.proof.is_asked:
            self._judge.says(name, Cause.WRONG)
            is_hello = kind == FrameKind.HELLO
            self._host.say(kind, 0 if is_hello else 88, payload, boot=0 if is_hello else None)

    def _burst(self) -> None:
        """Sends several frames at once. There is no ACK among them and, in a proven session, no copy: with these, the
        statuses in the answers would depend on the order.
        """
        acts: list[Act] = [
            self._beat,
            self._query,
            self._ask,
            self._other_number,
            self._nonsense,
            self._wrong,
            self._noise,
        ]
        acts += [] if self._host.proof.is_asked else [self._again]
        for act in self._lot.sample(acts, self._lot.choice((2, 3, 4))):
            act()

    # ---- of a paired device

    def _copy(self) -> None:
        """Sends a frame that contains nothing new, and so is no sign of life in a proven session."""
        self._judge.says("copy", Cause.COPY)
        host = self._host
        kind, number, payload = self._lot.choice(
            ((FrameKind.HEARTBEAT, 0, b"\1"), (FrameKind.ACK, self._judge.twin.oldest - 1, b""))
        )
        host.say(kind, number, payload)

    def _unproven(self) -> None:
        self._judge.says("untagged", Cause.UNTAGGED)
        host = self._host
        key = self._lot.choice((None, KEY, bytes(32)))
        kind, number, payload = self._lot.choice(
            (
                (FrameKind.COMMAND, host.last_command + 1, self._wish()),
                (FrameKind.HEARTBEAT, 99, b"\0"),
                (FrameKind.ACK, self._judge.twin.newest, b""),
            )
        )
        host.say(kind, number, payload, key=key)

    def _denied(self) -> None:
        self._judge.waits(DENIED_S)
        self._judge.says("hello-unproven", Cause.UNTAGGED)
        body = rows.HELLO_LAYOUT.encode(rows.HelloBody(PROTOCOL_MAJOR, 1, 0, 0))
        opening = self._host.opening + self._lot.choice((1, 2))
        key = self._lot.choice((None, bytes(32)))
        self._host.say(FrameKind.HELLO, 0, body + bytes(16), opening=opening, boot=0, key=key)


def _withdraws(kind: DeviceKind, deed: Deed) -> Deed | None:
    """The deed by which `Watch` finds the permissions that `deed` may have withdrawn; None if `deed` withdraws none. At
    a shuffler, EVENT stands for the opening of the lid.
    """
    if deed is Deed.EVENT:
        return Deed.LID_OPEN if kind is DeviceKind.SHUFFLER else None
    return None if deed in (Deed.LOAD, Deed.DRAW) else deed
