"""The pace of a line: a byte takes ten bits, none is lost, added or exchanged."""

from hypothesis import given
from hypothesis import strategies as st

from simulators.devices.wire import FULL_PACKET_BYTES, Adapter, PacedWire


def test_bytes_arrive_one_after_another() -> None:
    wire = PacedWire(10)  # one byte a second
    wire.push(b"abc", 100.0)
    assert wire.pop(100.9) == b""
    assert wire.pop(101.0) == b"a"
    assert wire.pop(102.5) == b"b"
    assert wire.pop(103.0) == b"c"
    assert (wire.pending, wire.next_time_s()) == (0, None)


def test_a_second_burst_waits_for_the_first() -> None:
    wire = PacedWire(10)
    wire.push(b"ab", 0.0)
    wire.push(b"cd", 0.5)
    assert wire.pop(3.0) == b"abc"
    assert wire.next_time_s() == 4.0


def test_sixteen_bytes_take_1_39_ms_at_115200() -> None:
    wire = PacedWire(115_200)
    wire.push(bytes(16), 5.0)
    due_s = wire.next_time_s()
    assert due_s is not None
    assert abs(due_s - 5.00138889) < 1e-8
    assert wire.pop(due_s) == bytes(16)


def test_without_pacing_bytes_are_there_at_once() -> None:
    wire = PacedWire(None)
    wire.push(b"abc", 1.0)
    assert wire.pop(1.0) == b"abc"


def test_what_is_under_way_is_lost_with_the_cable() -> None:
    wire = PacedWire(10)
    wire.push(b"abc", 0.0)
    wire.pop(1.0)
    assert wire.clear() == 2
    assert (wire.pop(9.0), wire.next_time_s()) == (b"", None)


@given(st.lists(st.tuples(st.binary(max_size=40), st.floats(0, 0.01)), max_size=20))
def test_everything_arrives_in_order_and_never_too_early(bursts: list[tuple[bytes, float]]) -> None:
    wire, now_s, sent, got = PacedWire(115_200), 1000.0, b"", b""
    for data, step_s in bursts:
        wire.push(data, now_s)
        sent += data
        now_s += step_s
        got += wire.pop(now_s)
        assert len(got) <= (now_s - 1000.0) * 11_520 + 0.001
        assert wire.pending == len(sent) - len(got)
    while (due_s := wire.next_time_s()) is not None:
        before = wire.pending
        got += wire.pop(due_s)
        assert wire.pending < before, "a due time brings at least one byte"
    assert got == sent


def test_an_adapter_keeps_a_small_frame_until_its_timer_comes_round() -> None:
    adapter = Adapter(0.016, began_s=100.0)
    assert adapter.take(b"card", 100.020) == b""
    assert adapter.next_time_s() == 100.032, "the timer runs by itself: the wait is what is left of its round"
    assert adapter.take(b"", 100.031) == b""
    assert (adapter.take(b"", 100.032), adapter.next_time_s()) == (b"card", None)


def test_an_adapter_lets_full_packets_go_and_keeps_the_rest() -> None:
    adapter, frame = Adapter(0.016), bytes(range(FULL_PACKET_BYTES + 3))
    assert adapter.take(frame, 0.001) == frame[:FULL_PACKET_BYTES]
    assert adapter.take(b"", 0.016) == frame[FULL_PACKET_BYTES:]


def test_what_an_adapter_keeps_is_lost_with_its_cable() -> None:
    adapter = Adapter(0.016)
    assert adapter.take(b"card", 0.001) == b""
    assert (adapter.clear(), adapter.next_time_s()) == (4, None)


@given(st.lists(st.tuples(st.binary(min_size=1, max_size=200), st.integers(0, 40)), max_size=30))
def test_an_adapter_loses_and_turns_round_nothing(bursts: list[tuple[bytes, int]]) -> None:
    adapter, now_s, out = Adapter(0.016), 0.0, b""
    for data, wait_ms in bursts:
        out += adapter.take(data, now_s)
        now_s += wait_ms / 1000
    due_s = adapter.next_time_s()
    assert out + (adapter.take(b"", due_s) if due_s is not None else b"") == b"".join(data for data, _ in bursts)
