"""A Cammegh wheel's line: its messages, lines of any other kind, and the spins that the messages report."""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_protocols.cammegh
from firmware_protocols.cammegh.lines import MAX_LINE, Found, LineDecoder, decode_line
from firmware_protocols.cammegh.spins import (
    LAUNCH_HIDES_IN_S,
    LONGEST_SPIN_S,
    SILENT_AFTER_S,
    BallLaunched,
    BetsClosed,
    LineHeard,
    LineSilent,
    NumberChanged,
    SpinEnded,
    SpinEvent,
    SpinOverdue,
    SpinsUnseen,
    SpinTracker,
    Trouble,
    WarningsChanged,
    games_between,
)
from firmware_protocols.cammegh.words import Answered, BonusWon, GameState, Message, NumberSaid, Status, Warnings
from firmware_protocols.errors import FrameError, RejectReason
from tests.protocols.wheel_lines import line_of

BETS, RIM, CLOSED, NUMBER = (
    GameState.PLACE_BETS, GameState.BALL_IN_RIM, GameState.NO_MORE_BETS, GameState.NUMBER_DETECTED,
)  # fmt: skip
NONE = Warnings.NONE

GOLDEN: dict[bytes, Message] = {
    # sent by a wheel
    b"*X;2;002;31;0;146;1": Status(BETS, 2, 31, NONE, 146, clockwise=False),
    b"*X;3;002;31;0;170;0": Status(RIM, 2, 31, NONE, 170, clockwise=True),
    b"*X;4;002;31;0;172;0": Status(CLOSED, 2, 31, NONE, 172, clockwise=True),
    b"28": NumberSaid(28),
    b"*X;5;002;28;0;172;0": Status(NUMBER, 2, 28, NONE, 172, clockwise=True),
    b"*X;2;003;28;0;171;0": Status(BETS, 3, 28, NONE, 171, clockwise=True),
    b"*X;4;146; 9;0;158;0": Status(CLOSED, 146, 9, NONE, 158, clockwise=True),
    b"*P OK": Answered("P OK"),
    b"*P NO": Answered("P NO"),
    b"*u OK": Answered("u OK"),
    b"*o 1159": Answered("o 1159"),
    b"*o BUSY": Answered("o BUSY"),
    b"*O 6 1 60 1158": Answered("O 6 1 60 1158"),
    b"*T s 14.0 17.50000": Answered("T s 14.0 17.50000"),
    b"*) NO": Answered(") NO"),
    b"*  NO": Answered("  NO"),
    # by the same rule
    b"*X;1;001;  ;0;000;0": Status(GameState.STARTED, 1, None, NONE, 0, clockwise=True),
    b"*X;6;255; 0;F;999;1": Status(GameState.IDLE, 255, 0, Warnings(15), 999, clockwise=False),
    b"*X;6;120;36;c;010;1": Status(GameState.IDLE, 120, 36, Warnings(12), 10, clockwise=False),
    b" 0": NumberSaid(0),
    b" 9": NumberSaid(9),
    b"36": NumberSaid(36),
    b"*Y;1;  5": BonusWon(1, 5),
    b"*Y;6;120": BonusWon(6, 120),
}


@pytest.mark.parametrize(("line", "message"), GOLDEN.items())
def test_golden_lines(line: bytes, message: Message) -> None:
    assert decode_line(line) == message
    assert line_of(message).lower() == line.lower() + b"\r\n"


BAD = [
    # a line without a star, if it is no number of two digits, is noise
    (b"6; 9;0;158;0", RejectReason.NOISE),
    (b"4;146; 9;0;159;0", RejectReason.NOISE),
    (b"9", RejectReason.NOISE),
    (b"0", RejectReason.NOISE),
    (b"09", RejectReason.NOISE),
    (b"00", RejectReason.NOISE),
    (b"9 ", RejectReason.NOISE),
    (b"  ", RejectReason.NOISE),
    (b"128", RejectReason.NOISE),
    (b"37", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;146;37;0;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;146;09;0;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;146;00;0;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;146;9 ;0;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;146;9;0;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;0;146; 9;0;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;7;146; 9;0;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;000; 9;0;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;256; 9;0;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;146; 9;g;158;0", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;146; 9;0;158;2", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;146; 9;0;158;0;", RejectReason.OUT_OF_BOUNDS),
    (b"*X;4;14", RejectReason.OUT_OF_BOUNDS),
    (b"*X:1:052:26:0x0:031:1", RejectReason.UNKNOWN_MESSAGE),
    (b"*Z;4;146; 9;0;158;0", RejectReason.UNKNOWN_MESSAGE),
    (b"*X", RejectReason.UNKNOWN_MESSAGE),
    (b"*", RejectReason.UNKNOWN_MESSAGE),
    (b"*P \xff", RejectReason.UNKNOWN_MESSAGE),
    (b"*Y;0;  5", RejectReason.OUT_OF_BOUNDS),
    (b"*Y;1;5 5", RejectReason.OUT_OF_BOUNDS),
    (b"*Y;1;5  ", RejectReason.OUT_OF_BOUNDS),
    (b"*Y;1;   ", RejectReason.OUT_OF_BOUNDS),
]


@pytest.mark.parametrize(("line", "reason"), BAD)
def test_lines_that_say_nothing(line: bytes, reason: RejectReason) -> None:
    with pytest.raises(FrameError) as caught:
        decode_line(line)
    assert caught.value.reason is reason


STATUSES = st.builds(
    Status,
    st.sampled_from(GameState),
    st.integers(1, 255),
    st.none() | st.integers(0, 36),
    st.integers(0, 15).map(Warnings),
    st.integers(0, 999),
    clockwise=st.booleans(),
)
MESSAGES = (
    STATUSES | st.builds(NumberSaid, st.integers(0, 36)) | st.builds(BonusWon, st.integers(1, 6), st.integers(0, 999))
)


@given(st.lists(MESSAGES), st.data())
def test_every_message_survives_any_cutting_into_chunks(messages: list[Message], data: st.DataObject) -> None:
    stream = b"".join(map(line_of, messages))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    decoder = LineDecoder()
    found: list[Found] = []
    for begin, end in zip([0, *cuts], [*cuts, len(stream)], strict=True):
        found += decoder.feed(stream[begin:end])
        assert decoder.held <= MAX_LINE
    assert found == messages


BURST = b"6; 9;0;158;0\r\n4;146; 9;0;159;0\r\n*X;4;14*X;*X;4;146; 9;0;158;0\r\n"


def test_the_captured_burst_ends_in_the_line_that_is_whole() -> None:
    assert LineDecoder().feed(BURST) == [
        RejectReason.NOISE,
        RejectReason.NOISE,
        RejectReason.CUT_SHORT,
        Status(CLOSED, 146, 9, NONE, 158, clockwise=True),
    ]


GOOD = b"*X;4;146; 9;0;158;0\r\n"
STATUS = Status(CLOSED, 146, 9, NONE, 158, clockwise=True)
STREAMS = [
    (GOOD[:-2] + b"\r" + GOOD, [STATUS, STATUS]),  # one of the two ends is lost
    (GOOD[:-2] + b"\n" + GOOD, [STATUS, STATUS]),
    (GOOD[:-2] + GOOD, [RejectReason.CUT_SHORT, STATUS]),  # both
    (b"\r\n\r\n" + GOOD, [STATUS]),
    (GOOD[:-2] + b"  \0\r\n" + GOOD, [STATUS, STATUS]),  # filled up after its last field
    (GOOD[:9] + b"\r\n" + GOOD, [RejectReason.OUT_OF_BOUNDS, STATUS]),
    (GOOD[9:] + GOOD, [RejectReason.NOISE, STATUS]),
    (b"\xff\x00*" + GOOD, [RejectReason.NOISE, STATUS]),
    (b"x" * 200 + GOOD, [RejectReason.OVERSIZE, STATUS]),
    (b"x" * 200 + b"\r\n" + GOOD, [RejectReason.OVERSIZE, STATUS]),
    (b"*" + b"x" * 200 + GOOD, [RejectReason.OVERSIZE, STATUS]),
]


@pytest.mark.parametrize(("stream", "expected"), STREAMS)
def test_damaged_streams_whole_and_byte_by_byte(stream: bytes, expected: list[Found]) -> None:
    assert LineDecoder().feed(stream) == expected
    decoder = LineDecoder()
    found = [one for byte in stream for one in decoder.feed(bytes((byte,)))]
    assert [one for one, _again in groupby(found)] == [one for one, _again in groupby(expected)]
    assert decoder.held == 0


@pytest.mark.parametrize("noise", [b"*" * 200, b"*" + b"x" * 200, b"x" * 200, b"x" * 60 + b"*" * 60])
def test_no_line_holds_more_than_its_bound_and_the_next_star_begins_anew(noise: bytes) -> None:
    whole, by_bytes = LineDecoder(), LineDecoder()
    whole.feed(noise)
    assert whole.held <= MAX_LINE
    for byte in noise:
        by_bytes.feed(bytes((byte,)))
        assert by_bytes.held <= MAX_LINE
    assert whole.feed(GOOD)[-1:] == by_bytes.feed(GOOD)[-1:] == [STATUS]


@pytest.mark.parametrize(("length", "reason"), [(MAX_LINE, RejectReason.NOISE), (MAX_LINE + 1, RejectReason.OVERSIZE)])
def test_how_long_a_line_may_be(length: int, reason: RejectReason) -> None:
    assert LineDecoder().feed(b"x" * length + b"\r\n") == [reason]


@given(st.binary(max_size=300))
def test_after_any_noise_the_next_line_is_understood(noise: bytes) -> None:
    decoder = LineDecoder()
    decoder.feed(noise)
    assert decoder.feed(GOOD)[-1:] == [STATUS]


# ---- spins


def status(
    state: GameState, game: int, number: int | None, *, warnings: Warnings = NONE, clockwise: bool = True
) -> Status:
    return Status(state, game, number, warnings, 150, clockwise)


def heard(*messages: Message, every_s: float = 0.5) -> list[SpinEvent]:
    """The events that a new tracker reports on these messages, one each `every_s` seconds."""
    tracker = SpinTracker(0.0)
    return list(_heard(tracker, messages, every_s))


def _heard(tracker: SpinTracker, messages: tuple[Message, ...], every_s: float) -> Iterator[SpinEvent]:
    for at, message in enumerate(messages, start=1):
        yield from tracker.on_time(at * every_s)
        yield from tracker.take(message, at * every_s)


def twice(*statuses: Status) -> tuple[Status, ...]:
    return tuple(one for each in statuses for one in (each, each))


OPEN = twice(status(BETS, 2, 31, clockwise=False))
RUN = twice(status(RIM, 2, 31), status(CLOSED, 2, 31))
LAY = (NumberSaid(28), *twice(status(NUMBER, 2, 28)))
NEXT = twice(status(BETS, 3, 28))
BEGUN: list[SpinEvent] = [BallLaunched(2, clockwise=True), BetsClosed(2)]
REGULAR = [*BEGUN, SpinEnded(2, 28, ())]


def test_a_regular_spin() -> None:
    assert heard(*OPEN, *RUN, *LAY, *NEXT) == REGULAR


@pytest.mark.parametrize(
    "lying",
    [
        (NumberSaid(28), status(NUMBER, 2, 28)),
        twice(status(NUMBER, 2, 28)),
        (status(NUMBER, 2, 28), status(BETS, 3, 28)),
        (NumberSaid(28), status(BETS, 3, 28)),
        (NumberSaid(28), status(RIM, 3, 28)),  # the next ball runs already
        (NumberSaid(20), *twice(status(NUMBER, 2, 28))),  # only the number was damaged
        (NumberSaid(28), status(NUMBER, 2, 20), status(NUMBER, 2, 28)),
    ],
)
def test_two_lines_of_any_kind_give_the_number_once(lying: tuple[Message, ...]) -> None:
    assert heard(*OPEN, *RUN, *lying, *NEXT) == REGULAR


def test_one_line_is_not_believed() -> None:
    blip = status(RIM, 2, 31)
    assert heard(*OPEN, blip, *OPEN, status(BETS, 9, 31), *OPEN) == []
    assert heard(*OPEN, *RUN, status(NUMBER, 2, 31), status(CLOSED, 2, 31), NumberSaid(7), *RUN[2:], *LAY) == REGULAR


def test_a_number_that_only_the_next_game_shows_was_not_witnessed() -> None:
    assert heard(*OPEN, *RUN, *NEXT) == [*BEGUN, SpinEnded(2, 28, (Trouble.UNWITNESSED,))]


def test_a_game_that_goes_on_with_the_same_number_and_no_witness_has_none() -> None:
    assert heard(*OPEN, *RUN, *twice(status(BETS, 3, 31))) == [*BEGUN, SpinEnded(2, None, (Trouble.NO_NUMBER,))]


def test_a_spin_that_is_given_up_and_begun_again() -> None:
    again = twice(status(BETS, 2, 31), status(RIM, 2, 31, clockwise=False))
    assert heard(*OPEN, *RUN, *again, *LAY, *NEXT) == [
        *BEGUN,
        SpinEnded(2, None, (Trouble.NO_NUMBER,)),
        BallLaunched(2, clockwise=False),
        SpinEnded(2, 28, ()),
    ]
    at_once = twice(status(RIM, 2, 31, clockwise=False))
    assert heard(*OPEN, *RUN, *at_once, *LAY) == [
        *BEGUN,
        SpinEnded(2, None, (Trouble.NO_NUMBER,)),
        BallLaunched(2, clockwise=False),
        SpinEnded(2, 28, ()),
    ]


def test_a_given_up_game_is_not_unseen_when_the_counter_goes_on() -> None:
    assert heard(*OPEN, *RUN, *twice(status(BETS, 2, 31), status(BETS, 3, 31))) == [
        *BEGUN,
        SpinEnded(2, None, (Trouble.NO_NUMBER,)),
    ]


def test_a_wheel_that_stops_with_an_error() -> None:
    broken = twice(status(GameState.IDLE, 2, 31, warnings=Warnings.SENSOR_BROKEN))
    assert heard(*OPEN, *RUN, *broken, *twice(status(BETS, 2, 31))) == [
        *BEGUN,
        WarningsChanged(Warnings.SENSOR_BROKEN),
        SpinEnded(2, None, (Trouble.SENSOR_BROKEN, Trouble.STOPPED)),
        WarningsChanged(NONE),
    ]


@pytest.mark.parametrize(
    ("warnings", "trouble"),
    [
        (Warnings.BALL_REMOVED, Trouble.BALL_REMOVED),
        (Warnings.BALL_DIRECTION, Trouble.BALL_DIRECTION),
        (Warnings.SENSOR_BROKEN, Trouble.SENSOR_BROKEN),
        (Warnings.LAUNCH_FAILED, Trouble.LAUNCH_FAILED),
    ],
)
def test_a_warning_while_the_ball_runs_makes_the_spin_irregular(warnings: Warnings, trouble: Trouble) -> None:
    warned = twice(status(RIM, 2, 31, warnings=warnings), status(CLOSED, 2, 31))
    assert heard(*OPEN, *warned, *LAY) == [
        WarningsChanged(warnings),
        BallLaunched(2, clockwise=True),
        WarningsChanged(NONE),
        BetsClosed(2),
        SpinEnded(2, 28, (trouble,)),
    ]


def test_a_warning_in_the_rim_is_no_other_launch() -> None:
    warned = twice(status(RIM, 2, 31), status(RIM, 2, 31, warnings=Warnings.BALL_DIRECTION), status(CLOSED, 2, 31))
    launches = [event for event in heard(*OPEN, *warned, *LAY) if isinstance(event, BallLaunched)]
    assert launches == [BallLaunched(2, clockwise=True)]


def test_a_wheel_that_has_no_number_yet() -> None:
    first = twice(*(status(state, 2, None) for state in (BETS, RIM, CLOSED, NUMBER)))
    assert heard(*first) == BEGUN
    assert heard(*first, *LAY, *NEXT) == REGULAR
    assert heard(*twice(status(BETS, 2, None), status(NUMBER, 2, None))) == []


def test_the_same_direction_twice() -> None:
    run = twice(status(RIM, 3, 28), status(CLOSED, 3, 28))
    assert heard(*OPEN, *RUN, *LAY, *NEXT, *run, *twice(status(NUMBER, 3, 5)))[-1] == SpinEnded(
        3, 5, (Trouble.SAME_DIRECTION,)
    )
    other = [Status(one.state, 3, 28, NONE, 0, clockwise=False) for one in run]
    assert heard(*OPEN, *RUN, *LAY, *NEXT, *other, *twice(status(NUMBER, 3, 5)))[-1] == SpinEnded(3, 5, ())


def test_a_number_without_a_spin() -> None:
    assert heard(*OPEN, *LAY, *NEXT) == [SpinEnded(2, 28, (Trouble.NOT_LAUNCHED,))]


def test_another_number_for_the_same_game() -> None:
    other = twice(status(NUMBER, 2, 20))
    assert heard(*OPEN, *RUN, *LAY, *other, *NEXT) == [*REGULAR, NumberChanged(2, 28, 20), NumberChanged(3, 20, 28)]
    assert heard(*OPEN, *RUN, *twice(status(CLOSED, 2, 5)), *LAY) == [*BEGUN, NumberChanged(2, 31, 5), REGULAR[-1]]


@pytest.mark.parametrize(("state", "last"), [(RIM, [BallLaunched(2, clockwise=True)]), (CLOSED, BEGUN)])
def test_a_ball_that_ran_when_we_began_to_hear(state: GameState, last: list[SpinEvent]) -> None:
    assert heard(*twice(status(state, 2, 31)), *LAY) == [*last, SpinEnded(2, 28, (Trouble.LAUNCH_UNSEEN,))]


def test_a_number_that_lay_there_when_we_began_to_hear_is_nobodys() -> None:
    assert heard(*twice(status(NUMBER, 2, 28)), *NEXT) == []


# ---- time


def test_a_ball_that_does_not_fall_is_told_once() -> None:
    tracker = SpinTracker(0.0)
    events = list(_heard(tracker, (*OPEN, *RUN), 0.5))
    launched_s = 2.0  # the second status of the rim
    for at in range(int(2 * LONGEST_SPIN_S) + 20):
        now_s = 4.5 + at / 2
        events += tracker.on_time(now_s)
        assert (SpinOverdue(2) in events) == (now_s >= launched_s + LONGEST_SPIN_S)
        events += tracker.take(RUN[-1], now_s)
    assert tracker.take(LAY[1], 200.0) == []
    assert [*events, *tracker.take(LAY[1], 200.5)] == [*BEGUN, SpinOverdue(2), SpinEnded(2, 28, (Trouble.OVERDUE,))]


def test_it_is_due_when_something_is() -> None:
    tracker = SpinTracker(10.0)
    assert tracker.next_time_s() == 10.0 + SILENT_AFTER_S
    for message in (*OPEN, *RUN):
        tracker.take(message, 11.0)
    assert tracker.next_time_s() == 11.0 + SILENT_AFTER_S
    assert tracker.on_time(12.9) == []
    assert tracker.on_time(13.0) == [LineSilent()]
    assert tracker.on_time(14.0) == []
    assert tracker.next_time_s() == 11.0 + LONGEST_SPIN_S
    assert tracker.on_time(200.0) == [SpinOverdue(2)]
    assert tracker.next_time_s() is None


def after_silence(
    before: tuple[Message, ...], behind: tuple[Message, ...], *, lasts_s: float = 10.0
) -> list[SpinEvent]:
    """A tracker's events of the messages `behind` a silence of `lasts_s` seconds, without the line's return."""
    tracker = SpinTracker(0.0)
    for message in before:
        tracker.take(message, 1.0)
    assert tracker.on_time(1.0 + SILENT_AFTER_S) == [LineSilent()]
    events = [event for message in behind for event in tracker.take(message, 1.0 + lasts_s)]
    assert events[0] == LineHeard()
    return events[1:]


def test_silence_in_which_nothing_happened() -> None:
    assert after_silence(OPEN, OPEN) == []
    assert after_silence((*OPEN, *RUN), (*RUN[2:], *LAY)) == [SpinEnded(2, 28, ())]


def test_silence_in_which_a_spin_ended() -> None:
    assert after_silence((*OPEN, *RUN), NEXT) == [SpinEnded(2, 28, (Trouble.UNWITNESSED,))]
    assert after_silence((*OPEN, *RUN), twice(status(RIM, 3, 28, clockwise=False))) == [
        SpinEnded(2, 28, (Trouble.UNWITNESSED,)),
        BallLaunched(3, clockwise=False),
    ]


def test_the_next_games_number_is_not_taken_for_this_ones() -> None:
    assert after_silence((*OPEN, *RUN), twice(status(NUMBER, 3, 5))) == [
        SpinEnded(2, None, (Trouble.NO_NUMBER,)),
        SpinEnded(3, 5, (Trouble.LAUNCH_UNSEEN,)),
    ]
    assert after_silence((*OPEN, *RUN, NumberSaid(5)), (status(NUMBER, 3, 5), *RUN[2:])) == []


def test_a_number_two_games_later_says_nothing_of_this_one() -> None:
    assert after_silence((*OPEN, *RUN, NumberSaid(28)), (status(BETS, 4, 28),)) == []


def test_silence_in_which_a_spin_began() -> None:
    assert after_silence(OPEN, (*RUN[2:], *LAY)) == [*BEGUN, SpinEnded(2, 28, (Trouble.LAUNCH_UNSEEN,))]
    assert after_silence(OPEN, LAY) == [SpinEnded(2, 28, (Trouble.LAUNCH_UNSEEN,))]


def test_silence_in_which_whole_spins_passed() -> None:
    assert after_silence(OPEN, NEXT) == [SpinsUnseen(1, 28)]
    assert after_silence(OPEN, twice(status(BETS, 7, 28))) == [SpinsUnseen(5, 28)]
    assert after_silence((*OPEN, *RUN), twice(status(BETS, 5, 28))) == [
        SpinEnded(2, None, (Trouble.NO_NUMBER,)),
        SpinsUnseen(2, 28),
    ]
    assert after_silence((*OPEN, *RUN, *LAY), twice(status(BETS, 4, 5))) == [SpinsUnseen(1, 5)]


def test_silence_in_which_a_given_up_spin_was_launched_again() -> None:
    assert after_silence((*OPEN, *RUN, *OPEN), NEXT) == [SpinsUnseen(1, 28)]


def test_behind_a_silence_no_direction_is_the_same_as_before() -> None:
    run = twice(status(RIM, 3, 28), status(CLOSED, 3, 28), status(NUMBER, 3, 5))
    heard_before = (*OPEN, *RUN, *LAY)
    assert after_silence(heard_before, (*NEXT, *run))[-1] == SpinEnded(3, 5, ())
    soon = after_silence(heard_before, (*NEXT, *run), lasts_s=LAUNCH_HIDES_IN_S - 0.1)
    assert soon[-1] == SpinEnded(3, 5, (Trouble.SAME_DIRECTION,))


def test_a_wheel_that_counts_anew_says_how_many_no_more() -> None:
    anew = twice(status(BETS, 1, None))
    assert after_silence((*OPEN, *RUN, *LAY), anew) == [SpinsUnseen(None, None)]
    last_game = twice(status(CLOSED, 255, 31), status(NUMBER, 255, 28))
    assert after_silence(last_game, anew) == [SpinsUnseen(None, None)]
    none_yet = (twice(status(BETS, 1, None)), twice(status(BETS, 4, None)))
    assert after_silence(*none_yet) == [SpinsUnseen(3, None)]


@pytest.mark.parametrize(("before", "now", "games"), [(1, 2, 1), (255, 1, 1), (254, 2, 3), (5, 5, 0), (5, 4, 254)])
def test_games_between(before: int, now: int, games: int) -> None:
    assert games_between(before, now) == games


def test_other_lines_are_no_matter_of_spins() -> None:
    assert heard(*OPEN, BonusWon(1, 5), Answered("P OK"), NumberSaid(5), *OPEN, every_s=0.2) == []


def test_a_bonus_may_be_padded_with_zeros() -> None:
    assert decode_line(b"*Y;1;005") == decode_line(b"*Y;1; 05") == BonusWon(1, 5)


# ---- any input


@given(st.lists(st.tuples(MESSAGES, st.integers(1, 3), st.floats(0.0, 3.0)), max_size=60))
def test_whatever_comes_each_launch_ends_before_the_next_and_nothing_is_due_in_the_past(
    said: list[tuple[Message, int, float]],
) -> None:
    tracker, now_s, is_running = SpinTracker(0.0), 0.0, False
    for message, times, later_s in said:
        now_s += later_s
        events = [*tracker.on_time(now_s), *(event for _ in range(times) for event in tracker.take(message, now_s))]
        for event in events:
            if isinstance(event, BallLaunched):
                assert not is_running
                is_running = True
            elif isinstance(event, SpinEnded):
                assert is_running or set(event.troubles) & {Trouble.NOT_LAUNCHED, Trouble.LAUNCH_UNSEEN}
                assert event.number is not None or event.troubles
                is_running = False
        due_s = tracker.next_time_s()
        assert due_s is None or due_s >= now_s or not tracker.on_time(now_s)


# ---- the prose

TEXT = (Path(firmware_protocols.cammegh.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")


def test_the_lines_of_the_text_are_golden() -> None:
    lines = re.findall(r"^\| `([^`]+)` \|", TEXT.partition("| line | says |")[2], re.MULTILINE)
    assert [line.encode() for line in lines] == list(GOLDEN)[:7]


def test_the_troubles_of_the_text_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", TEXT.partition("| trouble | is |")[2], re.MULTILINE)
    assert {name for row in rows for name in re.findall("`([a-z-]+)`", row)} == set(Trouble)


def test_the_burst_of_the_text_is_the_captured_one() -> None:
    [burst] = re.findall(r"```lines\n(.*?)```", TEXT, re.DOTALL)
    assert LineDecoder().feed(burst.encode()) == LineDecoder().feed(BURST)


def test_the_times_of_the_text_are_those_of_the_code() -> None:
    assert f"{SILENT_AFTER_S:.0f} s without a status" in TEXT
    assert f"silence of {LAUNCH_HIDES_IN_S:.0f} s" in TEXT
    assert f"no number {LONGEST_SPIN_S:.0f} s after the launch" in TEXT
    assert f"{MAX_LINE} bytes without an end" in TEXT
