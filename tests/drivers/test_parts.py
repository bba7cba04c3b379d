"""Lamp, buzzer, key switch and badge reader: output on their lines, reading of their input, and supervision."""

from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.backoff import Backoff
from drivers.badge import BETWEEN_KEYS_S, EVENT, LONGEST, REMEMBERED, WHOLE_S, BadgeReader
from drivers.errors import PortLost, PortMissing, PortRefused
from drivers.key_switch import STABLE_S, KeySwitch
from drivers.lamp import AGAIN_S, ALARM_S, Buzzer, Lamp
from drivers.parts import PartSupervisor
from drivers.trouble import TroubleCode

# ---- lamp and buzzer


def test_a_lamp_is_lit_until_somebody_knows_better() -> None:
    lamp = Lamp()
    lamp.opened(0.0)
    assert (lamp.state, lamp.data_to_send()) == ("lit", b"0"), "no power to the relay"


def test_a_lamp_is_dark_by_power_and_lit_without() -> None:
    lamp = Lamp()
    lamp.opened(0.0)
    lamp.light(lit=False)
    assert (lamp.state, lamp.data_to_send()) == ("dark", b"1")
    lamp.light(lit=True)
    assert (lamp.state, lamp.data_to_send()) == ("lit", b"0")
    lamp.light(lit=True)
    assert lamp.data_to_send() == b""


def test_a_lamp_says_it_again_for_a_relay_that_lets_go() -> None:
    lamp = Lamp()
    lamp.opened(10.0)
    lamp.light(lit=False)
    assert lamp.data_to_send() == b"1"
    assert lamp.next_timeout_s() == 10.0 + AGAIN_S
    lamp.handle_timeout(10.5)
    assert lamp.data_to_send() == b""
    lamp.handle_timeout(10.0 + AGAIN_S)
    assert lamp.data_to_send() == b"1"


def test_a_new_port_is_told_what_the_lamp_is() -> None:
    lamp = Lamp()
    lamp.light(lit=False)
    lamp.opened(5.0)
    assert lamp.data_to_send() == b"1"


def test_an_alarm_lasts_and_ends() -> None:
    assert ALARM_S >= 1.5
    buzzer = Buzzer()
    buzzer.opened(0.0)
    assert buzzer.data_to_send() == b"0"
    buzzer.alarm(10.0)
    assert (buzzer.state, buzzer.data_to_send(), buzzer.next_timeout_s()) == ("sounding", b"1", 10.0 + ALARM_S)
    buzzer.handle_timeout(10.0 + ALARM_S - 0.01)
    assert buzzer.data_to_send() == b""
    buzzer.handle_timeout(10.0 + ALARM_S)
    assert (buzzer.state, buzzer.data_to_send(), buzzer.next_timeout_s()) == ("silent", b"0", None)


@given(st.lists(st.floats(0, 3), min_size=1, max_size=8))
def test_no_alarm_is_ever_cut_short(waits: list[float]) -> None:
    buzzer = Buzzer()
    buzzer.opened(0.0)
    buzzer.data_to_send()
    now_s, sounding_since, is_on = 0.0, 0.0, False
    for wait in [*waits, 100.0]:
        end_s = now_s + wait
        while (due_s := buzzer.next_timeout_s()) is not None and due_s <= end_s:
            buzzer.handle_timeout(due_s)
            assert buzzer.data_to_send() == b"0"
            assert due_s - sounding_since >= 1.5
            is_on = False
        now_s = end_s
        buzzer.alarm(now_s)
        if not is_on:
            assert buzzer.data_to_send() == b"1"
            sounding_since, is_on = now_s, True


def test_an_alarm_during_an_alarm_is_heard_as_long_as_any() -> None:
    buzzer = Buzzer()
    buzzer.alarm(10.0)
    buzzer.alarm(11.9)
    assert buzzer.next_timeout_s() == 11.9 + ALARM_S


def test_an_alarm_that_lost_its_port_is_heard_anew() -> None:
    buzzer = Buzzer()
    buzzer.alarm(10.0)
    buzzer.opened(11.9)
    assert buzzer.data_to_send() == b"1"
    assert buzzer.next_timeout_s() == 11.9 + ALARM_S


# ---- key


def turned(key: KeySwitch, now_s: float) -> bool:
    due_s = key.next_timeout_s()
    if due_s is not None and due_s <= now_s:
        key.handle_timeout(now_s)
    return key.is_on


def test_a_key_counts_once_its_contacts_rest() -> None:
    key = KeySwitch()
    key.opened(0.0)
    for step, level in enumerate(b"1010101"):
        key.receive_data(bytes([level]), 1.0 + step * 0.01)
        assert not turned(key, 1.0 + step * 0.01)
    assert not turned(key, 1.06 + STABLE_S - 0.001)
    assert turned(key, 1.06 + STABLE_S + 0.001)
    assert (key.turns(), key.turns(), key.state) == ([True], [], "on")


def test_a_spike_is_no_key() -> None:
    key = KeySwitch()
    key.opened(0.0)
    key.receive_data(b"10", 1.0)
    assert not turned(key, 2.0)
    assert key.turns() == []


def test_a_line_that_was_lost_is_a_key_that_is_out() -> None:
    key = KeySwitch()
    key.opened(0.0)
    key.receive_data(b"1", 1.0)
    assert turned(key, 2.0)
    key.opened(3.0)
    assert not key.is_on
    assert key.turns() == [True, False]


@given(st.lists(st.tuples(st.binary(max_size=5), st.floats(0, 0.2)), max_size=40))
def test_noise_never_turns_a_key_faster_than_a_hand(noise: list[tuple[bytes, float]]) -> None:
    key, now_s, last_s = KeySwitch(), 0.0, -1.0
    key.opened(now_s)
    for data, wait in noise:
        key.receive_data(data, now_s)
        now_s += wait
        turned(key, now_s)
        if key.turns():
            assert now_s - last_s >= STABLE_S - 1e-9
            last_s = now_s


# ---- badge

CODES = dict(zip("1234567890", range(2, 12), strict=True)) | {"A": 30, "F": 33, "\n": 28, "Z": 44}


def press(letter: str) -> bytes:
    """The kernel's events of one key: press, report, release, report; 96 bytes on a 64-bit machine."""
    parts = ((1, CODES[letter], 1), (0, 0, 0), (1, CODES[letter], 0), (0, 0, 0))
    return b"".join(pack("@llHHi", 1700000000, 5, *part) for part in parts)


def typed(text: str) -> bytes:
    return b"".join(press(letter) for letter in text)


def test_an_event_is_as_long_as_the_kernel_s() -> None:
    assert EVENT.size in (16, 24)


def test_a_badge_is_read() -> None:
    reader = BadgeReader()
    reader.receive_data(typed("04A1F2\n"), 1.0)
    assert (reader.shown(), reader.shown()) == (["04A1F2"], [])


def test_a_badge_that_comes_in_single_bytes_is_read() -> None:
    reader = BadgeReader()
    for place, byte in enumerate(typed("123456\n")):
        reader.receive_data(bytes([byte]), 1.0 + place * 0.0001)
    assert reader.shown() == ["123456"]


def test_what_a_person_types_is_no_badge() -> None:
    reader = BadgeReader()
    for place, letter in enumerate("123456\n"):
        reader.receive_data(press(letter), 1.0 + place * (BETWEEN_KEYS_S + 0.02))
    assert reader.shown() == []
    assert sum(reader.rejected.values()) > 0


def test_fast_keys_that_go_on_for_too_long_are_no_badge() -> None:
    reader = BadgeReader()
    for place, letter in enumerate("12345678901234567890\n"):
        reader.receive_data(press(letter), 1.0 + place * 0.09)
    assert reader.shown() == []


@pytest.mark.parametrize(
    ("text", "reason"), [("123\n", "too-short"), ("1" * (LONGEST + 1) + "\n", "no-number"), ("12Z45\n", "no-number")]
)
def test_what_is_no_number_is_counted(text: str, reason: str) -> None:
    reader = BadgeReader()
    reader.receive_data(typed(text), 1.0)
    assert (reader.shown(), dict(reader.rejected)) == ([], {reason: 1})
    reader.receive_data(typed("4711\n"), 5.0)
    assert reader.shown() == ["4711"]


def test_what_is_never_ended_is_forgotten_in_time() -> None:
    reader = BadgeReader()
    reader.receive_data(typed("4711"), 1.0)
    due_s = reader.next_timeout_s()
    assert due_s == 1.0 + WHOLE_S
    reader.handle_timeout(due_s)
    assert (reader.next_timeout_s(), dict(reader.rejected)) == (None, {"unfinished": 1})
    reader.receive_data(typed("\n"), 2.1)
    assert reader.shown() == []


def test_badges_that_nobody_fetches_fill_no_memory() -> None:
    reader = BadgeReader()
    for place in range(1000):
        reader.receive_data(typed("4711\n"), float(place))
    assert len(reader.shown()) == REMEMBERED


@given(st.lists(st.binary(max_size=200), max_size=20))
def test_bytes_that_mean_nothing_name_nobody(parts: list[bytes]) -> None:
    """From any bytes a badge reader reports only numbers of its alphabet and of at most a badge's length."""
    reader = BadgeReader()
    for part in parts:
        reader.receive_data(part, 1.0)
    assert len(reader._rest) < EVENT.size
    assert all(set(number) <= set("0123456789ABCDEF") and 4 <= len(number) <= LONGEST for number in reader.shown())


def test_a_key_pressed_twice_without_a_release_spoils_one_badge_and_not_the_next() -> None:
    reader = BadgeReader()
    reader.receive_data(typed("4")[: EVENT.size] + typed("4711\n"), 1.0)
    assert (reader.shown(), reader.rejected) == ([], {"pressed-twice": 1})
    reader.receive_data(typed("4711\n"), 2.0)
    assert reader.shown() == ["4711"]


def test_a_flipped_bit_names_nobody_else() -> None:
    """Only a flip in a key's code can give another number; all other flips change nothing or end the reading."""
    code = range(EVENT.size - 6, EVENT.size - 4)
    whole = typed("4711\n")
    for place in (one for one in range(8 * len(whole)) if one // 8 % EVENT.size not in code):
        data = bytearray(whole)
        data[place // 8] ^= 1 << place % 8
        reader = BadgeReader()
        reader.receive_data(bytes(data), 1.0)
        assert reader.shown() in ([], ["4711"]), place


# ---- supervision


def supervised() -> PartSupervisor:
    return PartSupervisor("lamp", Lamp(), Backoff())


def test_a_part_is_opened_lost_and_opened_again() -> None:
    part = supervised()
    assert part.wants_open
    part.port_opened(1.0)
    assert (part.connected, part.data_to_send(), part.trouble) == (True, b"0", None)
    part.port_lost(PortLost("/dev/sabot/gpio", "gone"), 2.0)
    assert (part.connected, part.wants_close, part.wants_open) == (False, True, False)
    assert part.trouble is not None
    assert part.trouble.code is TroubleCode.PORT_LOST
    assert part.next_timeout_s() is None, "not before the port is closed"
    part.port_closed()
    due_s = part.next_timeout_s()
    assert due_s is not None
    part.handle_timeout(due_s)
    assert part.wants_open
    part.port_opened(due_s)
    assert (part.connected, part.reconnects, part.trouble) == (True, 1, None)


def test_a_part_that_is_away_is_tried_ever_more_rarely() -> None:
    part, now_s, waits = supervised(), 0.0, []
    for _ in range(8):
        part.port_failed(PortMissing("/dev/sabot/gpio", "nothing there"), now_s)
        due_s = part.next_timeout_s()
        assert due_s is not None
        waits.append(due_s - now_s)
        now_s = due_s
        part.handle_timeout(now_s)
    assert waits == sorted(waits)
    assert waits[0] < 1 < waits[-1] == Backoff().cap_s


def test_a_refused_line_is_not_tried_in_a_hurry() -> None:
    part = supervised()
    part.port_failed(PortRefused("/dev/sabot/gpio", "line 99"), 0.0)
    assert part.next_timeout_s() == Backoff().cap_s
