"""The simulated wheel: its lines have the form of the recorded ones, and agree with its play."""

import re
from itertools import pairwise

import pytest

from simulators.devices.base import seeded
from simulators.devices.faults import BadSpin, Damage, DamagedLine, FaultPlan, SpinGoesWrong, WheelSilent
from simulators.devices.wheel import SimulatedWheel

STATUS = re.compile(r"\*X;([1-6]);(\d{3});( \d|[1-3]\d|  );([0-9A-F]);(\d{3});([01])")
HOUR_S = 3600.0


def lines_of(wheel: SimulatedWheel, until_s: float) -> list[tuple[float, str]]:
    """The lines that a wheel sends up to `until_s`, each with its time."""
    said: list[tuple[float, str]] = []
    while (due_s := wheel.next_time_s()) is not None and due_s <= until_s:
        wheel.on_time(due_s)
        text = wheel.data_to_send().decode("ascii")
        assert not text or text.endswith("\r\n")
        said += [(due_s, line) for line in text.split("\r\n") if line]
    return said


def wheel_with(*faults: BadSpin | WheelSilent | DamagedLine, game: int = 1) -> SimulatedWheel:
    return SimulatedWheel(rng=seeded(5), game=game, faults=FaultPlan(faults))


def states(said: list[tuple[float, str]]) -> str:
    """The states in the lines, in their order and without repetitions; `n` stands for a line with a number alone."""
    letters = (line[3] if line.startswith("*X;") else "n" for _at, line in said)
    return re.sub(r"(.)\1+", r"\1", "".join(letters))


def test_every_line_has_the_form_of_the_captured_ones() -> None:
    said = lines_of(wheel_with(), HOUR_S)
    statuses = [line for _at, line in said if line.startswith("*")]
    assert all(STATUS.fullmatch(line) for line in statuses)
    assert len(statuses) == pytest.approx(2 * HOUR_S, rel=0.03)
    assert {line for _at, line in said if not line.startswith("*")} <= {f"{number:2d}" for number in range(37)}


def test_the_number_alone_leads_its_first_status_by_0_18_s() -> None:
    said = lines_of(wheel_with(), HOUR_S)
    pairs = [(one, other) for one, other in pairwise(said) if not one[1].startswith("*")]
    assert len(pairs) > 60
    for (alone_s, number), (status_s, status) in pairs:
        assert status_s - alone_s == pytest.approx(0.18)
        assert re.fullmatch(rf"\*X;5;\d{{3}};{number};0;\d{{3}};[01]", status)


def test_a_regular_hour_goes_through_the_states_and_turns_the_other_way_each_time() -> None:
    wheel = wheel_with(game=254)
    said = lines_of(wheel, HOUR_S)
    assert re.fullmatch("1(234n5)+(2|23|234|)", states(said))
    directions = [one.clockwise for one in wheel.spins]
    assert all(one != other for one, other in pairwise(directions))
    assert [one.game for one in wheel.spins[:4]] == [254, 255, 1, 2]
    told = [int(line) for _at, line in said if not line.startswith("*")]
    assert told == [one.number for one in wheel.spins if one.number is not None]


WRONG = [
    (SpinGoesWrong.NO_BALL, "1232", "9"),
    (SpinGoesWrong.LAUNCHED_AGAIN, "12342", "0"),
    (SpinGoesWrong.NOT_LAUNCHED, "12n52", "0"),
    (SpinGoesWrong.SENSOR_BROKEN, "123462", "4"),
    (SpinGoesWrong.BALL_STUCK, "1234n52", "0"),
]


@pytest.mark.parametrize(("what", "expected", "warning"), WRONG)
def test_spins_that_go_wrong(what: SpinGoesWrong, expected: str, warning: str) -> None:
    wheel = wheel_with(BadSpin(1, what))
    said = lines_of(wheel, 400.0)
    assert states(said).startswith(expected)
    flags = {found[4] for _at, line in said if (found := STATUS.fullmatch(line))}
    assert flags == {"0", warning}
    assert wheel.faults_met == {"BadSpin": 1}
    has_number = what in (SpinGoesWrong.NOT_LAUNCHED, SpinGoesWrong.BALL_STUCK)
    assert (wheel.spins[0].number is not None) == has_number


def test_a_spin_without_a_number_leaves_no_ball_where_the_last_one_lay() -> None:
    wheel = wheel_with(BadSpin(2, SpinGoesWrong.NO_BALL))
    while (due_s := wheel.next_time_s()) is not None and not (len(wheel.spins) == 2 and wheel.is_ready):
        assert wheel.number in (None, wheel.spins[0].number if wheel.spins else None)
        wheel.on_time(due_s)
    assert wheel.spins[0].number is not None
    assert wheel.number is None


def test_the_same_direction_twice() -> None:
    wheel = wheel_with(BadSpin(2, SpinGoesWrong.SAME_DIRECTION))
    lines_of(wheel, 300.0)
    assert [one.clockwise for one in wheel.spins[:4]] == [True, True, False, True]


def test_a_dead_line_says_nothing_while_the_wheel_plays_on() -> None:
    wheel = wheel_with(WheelSilent(1, 200.0))
    said = lines_of(wheel, 400.0)
    [(begin_s, end_s)] = wheel.silences
    assert not [at for at, _line in said if begin_s <= at < end_s]
    assert len([one for one in wheel.spins if begin_s < one.begun_s < end_s]) >= 2


DAMAGES = [
    (Damage.NOISE, rb".+\*X;1;001;  ;0;\d{3};1\r\n"),
    (Damage.FIRST_HALF, rb"\*[^\n]*"),
    (Damage.LAST_HALF, rb"[^*]+\r\n"),
    (Damage.OVERLAPPED, rb"\*[^*]*\*X;\*X;1;001;  ;0;\d{3};1\r\n"),
    (Damage.BIT, rb".{19}\r\n"),
]


@pytest.mark.parametrize(("how", "form"), DAMAGES)
def test_damaged_lines(how: Damage, form: bytes) -> None:
    wheel = wheel_with(DamagedLine(1, how))
    wheel.on_time(0.0)
    assert re.fullmatch(form, wheel.data_to_send(), re.DOTALL)
    wheel.on_time(0.5)
    assert STATUS.fullmatch(wheel.data_to_send().decode().strip())


ANSWERS = [
    (b"*P 1\r\n", b"*P OK\r\n"),
    (b"*o\r\n", b"*o 1159\r\n"),
    (b"*T S\r\n*u 1\r\n", b"*T s 14.0 17.50000\r\n*u OK\r\n"),
    (b"*)\r\n", b"*) NO\r\n"),
    (b"*P", b""),
]


@pytest.mark.parametrize(("asked", "answer"), ANSWERS)
def test_commands_are_answered_as_the_captured_wheel_did(asked: bytes, answer: bytes) -> None:
    wheel = wheel_with()
    for byte in asked:
        wheel.receive_data(bytes((byte,)), 0.0)
    assert wheel.data_to_send() == answer
