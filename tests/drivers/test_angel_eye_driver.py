"""The Angel Eye's driver drops copies, reports gaps, and repeats no command whose execution is in doubt."""

from collections.abc import Callable

import pytest

from drivers.angel_eye_driver import (
    ANSWER_WITHIN_S,
    ASK_AGAIN_AFTER_S,
    BOOT,
    DAMAGE_IS_OVER_S,
    TRIES,
    AngelEyeDriver,
    make_angel_eye_driver,
)
from drivers.driver import DeviceDriver
from drivers.errors import DriverError
from drivers.events import (
    CardsMayHavePassed,
    CommandRefused,
    ConnectionEvent,
    DeviceConnected,
    DeviceLost,
    LostReason,
    Reported,
    StatusHeard,
    UnseenCause,
)
from drivers.unproven import is_unauthenticated
from firmware_protocols.angel_eye.codec import encode_command, encode_telegram
from firmware_protocols.angel_eye.framing import ChecksumRule, encode_block, encode_interrupt
from firmware_protocols.angel_eye.words import (
    CancelError,
    CardDrawn,
    ErrorCleared,
    ErrorRaised,
    Lock,
    LockChanged,
    NakCode,
    PresetChanged,
    StandBy,
    Started,
    Target,
    Telegram,
)
from firmware_protocols.cards import card_byte
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.shoe import ShoeApply
from tests.drivers.toy_driver import taken

LOCK, UNLOCK = ShoeApply(locked=True), ShoeApply(locked=False)
EIGHT = CardDrawn(card_byte("8S"), Target.PLAYER, 1)
ACK = b"\x06"


def said(number: str, telegram: Telegram, copies: int = 3) -> bytes:
    return encode_interrupt(ord(number), encode_telegram(telegram)) * copies


def command(command: Lock | CancelError) -> bytes:
    return encode_block(encode_command(command))


def made(committed: tuple[int, int] = (0, 0), rule: ChecksumRule = ChecksumRule.FROM_STX) -> DeviceDriver:
    return make_angel_eye_driver(rule, simulated=True, committed=lambda: committed)(1, 0.0)


@pytest.fixture
def driver() -> DeviceDriver:
    """A connected driver, with its first events taken."""
    driver = made()
    taken(driver)
    return driver


def told(driver: DeviceDriver) -> list[Telegram]:
    return [event.event for event in taken(driver) if isinstance(event, Reported)]


def unseen(events: list[ConnectionEvent]) -> list[tuple[UnseenCause, int | None]]:
    return [(event.cause, event.missed) for event in events if isinstance(event, CardsMayHavePassed)]


def test_an_open_port_is_a_connection_of_which_nothing_is_known_and_something_may_be_missing() -> None:
    connected, missing = taken(made())
    assert isinstance(connected, DeviceConnected)
    assert is_unauthenticated(connected.identity)
    assert missing == CardsMayHavePassed(UnseenCause.NOBODY_LISTENED, None)


def test_three_copies_are_one_event(driver: DeviceDriver) -> None:
    driver.receive_data(said("1", EIGHT), 0.0)
    [event] = taken(driver)
    assert isinstance(event, Reported)
    assert (event.boot, event.event) == (BOOT, EIGHT)
    assert driver.stats.good == 3


def test_the_same_card_under_the_next_number_is_another_card(driver: DeviceDriver) -> None:
    driver.receive_data(said("1", EIGHT) + said("2", EIGHT), 0.0)
    assert told(driver) == [EIGHT, EIGHT]


def test_one_good_copy_is_enough(driver: DeviceDriver) -> None:
    frame = said("1", EIGHT, copies=1)
    driver.receive_data(frame[:5] + frame[1:] + frame, 0.0)
    assert told(driver) == [EIGHT]
    assert sum(driver.stats.rejected.values()) > 0
    driver.handle_timeout(DAMAGE_IS_OVER_S + 1)
    assert taken(driver) == []


def test_a_gap_is_told_with_its_number_before_what_follows_it(driver: DeviceDriver) -> None:
    driver.receive_data(said("1", EIGHT) + said("4", StandBy()), 0.0)
    first, gap, then = taken(driver)
    assert isinstance(first, Reported)
    assert gap == CardsMayHavePassed(UnseenCause.GAP, 2)
    assert isinstance(then, Reported)


def test_a_start_begins_the_numbers_anew_and_is_said_once(driver: DeviceDriver) -> None:
    driver.receive_data(said("7", EIGHT) + said("3", Started()) + said("4", EIGHT), 0.0)
    events = taken(driver)
    assert unseen(events) == []
    assert [event.event for event in events if isinstance(event, Reported)] == [EIGHT, Started(), EIGHT]


def test_a_start_under_the_number_of_the_telegram_before_it_is_one(driver: DeviceDriver) -> None:
    driver.receive_data(said("3", EIGHT) + said("3", Started()), 0.0)
    assert told(driver) == [EIGHT, Started()]


def test_another_content_under_the_same_number_is_no_card_and_not_passed_over(driver: DeviceDriver) -> None:
    other = CardDrawn(card_byte("5C"), Target.PLAYER, 1)
    driver.receive_data(said("1", EIGHT) + said("1", other) + said("2", StandBy()), 0.0)
    events = taken(driver)
    assert unseen(events) == [(UnseenCause.NOT_UNDERSTOOD, 1)]
    assert [event.event for event in events if isinstance(event, Reported)] == [EIGHT, StandBy()]
    assert driver.stats.rejected == {"repeated-number": 1}


@pytest.mark.parametrize(("data", "is_told"), [(b"D\x80\xb8", True), (b"R\x81\x88", True), (b"G\x95", False)])
def test_a_telegram_that_cannot_be_understood_may_be_a_card(
    driver: DeviceDriver, data: bytes, *, is_told: bool
) -> None:
    driver.receive_data(said("1", StandBy()) + encode_interrupt(ord("2"), data) * 3 + said("3", StandBy()), 0.0)
    events = taken(driver)
    assert unseen(events) == ([(UnseenCause.NOT_UNDERSTOOD, 1)] if is_told else [])
    assert driver.stats.rejected == {"out-of-bounds": 1}


def test_noise_without_a_good_telegram_behind_it_may_have_been_a_card(driver: DeviceDriver) -> None:
    driver.receive_data(b"\x05garbage\xff", 1.0)
    due_s = driver.next_timeout_s()
    assert due_s == pytest.approx(1.0 + DAMAGE_IS_OVER_S)
    driver.handle_timeout(1.0 + DAMAGE_IS_OVER_S)
    assert unseen(taken(driver)) == [(UnseenCause.DAMAGED, None)]
    driver.receive_data(b"\x05more\xff", 3.0)
    assert driver.next_timeout_s() is None, "noise that goes on is told once"


def test_what_was_heard_before_a_restart_is_a_copy_after_it(driver: DeviceDriver) -> None:
    driver.receive_data(said("1", EIGHT, copies=1), 0.0)
    [event] = taken(driver)
    assert isinstance(event, Reported)
    after = made((event.boot, event.number))
    after.receive_data(said("1", EIGHT, copies=2) + said("2", EIGHT), 0.0)
    *_, card = taken(after)
    assert isinstance(card, Reported)
    assert card.number > event.number


def test_what_was_heard_over_the_last_connection_is_a_copy_over_this_one() -> None:
    make = make_angel_eye_driver(ChecksumRule.FROM_STX, simulated=True, committed=lambda: (0, 0))
    first = make(1, 0.0)
    first.receive_data(said("1", EIGHT, copies=2), 0.0)
    second = make(2, 1.0)
    second.receive_data(said("1", EIGHT, copies=1), 1.0)
    assert told(first) == [EIGHT]
    assert told(second) == []


def test_the_numbers_of_another_protocols_device_are_not_ours() -> None:
    driver = made((57, 1234))
    driver.receive_data(said("1", EIGHT), 0.0)
    assert told(driver) == [EIGHT]


# ---- commands


def test_nothing_is_sent_before_anything_is_desired(driver: DeviceDriver) -> None:
    driver.receive_data(said("1", ErrorRaised(1, halted=True)), 0.0)
    assert driver.data_to_send() == b""
    assert driver.next_timeout_s() is None


def test_what_is_desired_is_said_once_and_its_answer_is_what_the_shoe_is(driver: DeviceDriver) -> None:
    driver.apply(LOCK, 0.0, is_answer=True)
    assert driver.data_to_send() == command(Lock(locked=True))
    assert driver.command_outstanding
    driver.receive_data(ACK, 0.05)
    [heard] = taken(driver)
    assert isinstance(heard, StatusHeard)
    assert driver.stats.rtt_ms == pytest.approx(50)
    driver.apply(LOCK, 0.1, is_answer=True)
    assert driver.data_to_send() == b""
    driver.apply(UNLOCK, 0.2, is_answer=True)
    assert driver.data_to_send() == command(Lock(locked=False))


def test_the_shoes_own_word_is_an_answer(driver: DeviceDriver) -> None:
    driver.apply(UNLOCK, 0.0, is_answer=True)
    driver.data_to_send()
    driver.receive_data(said("1", LockChanged(locked=False)), 0.1)
    assert not driver.command_outstanding
    driver.handle_timeout(5.0)
    assert driver.end is None


def test_a_lock_that_somebody_turned_is_turned_back(driver: DeviceDriver) -> None:
    driver.apply(LOCK, 0.0, is_answer=True)
    driver.receive_data(ACK, 0.0)
    driver.data_to_send()
    driver.receive_data(said("1", LockChanged(locked=False)), 1.0)
    assert driver.data_to_send() == command(Lock(locked=True))


def test_an_unlock_without_an_answer_is_not_said_again(driver: DeviceDriver) -> None:
    driver.apply(UNLOCK, 0.0, is_answer=True)
    driver.data_to_send()
    driver.handle_timeout(ANSWER_WITHIN_S)
    assert isinstance(driver.end, DeviceLost)
    assert (driver.end.reason, driver.end.command_unknown) == (LostReason.COMMAND_UNANSWERED, True)
    assert driver.data_to_send() == b""
    assert driver.next_timeout_s() is None


def test_a_lock_without_an_answer_is_said_again_and_not_for_ever(driver: DeviceDriver) -> None:
    driver.apply(LOCK, 0.0, is_answer=True)
    for attempt in range(1, TRIES + 1):
        assert driver.data_to_send() == command(Lock(locked=True))
        driver.handle_timeout(attempt * ANSWER_WITHIN_S)
    assert isinstance(driver.end, DeviceLost)
    assert driver.stats.retransmissions == TRIES - 1


@pytest.mark.parametrize("code", [NakCode.BUSY, NakCode.WRITING, NakCode.CHECKSUM, NakCode.LINE_ERROR, NakCode.NO_ETX])
def test_a_refusal_that_may_pass_is_met_with_patience(driver: DeviceDriver, code: NakCode) -> None:
    driver.apply(UNLOCK, 0.0, is_answer=True)
    for attempt in range(TRIES):
        assert driver.data_to_send() == command(Lock(locked=False)), attempt
        driver.receive_data(bytes((0x15, code)), float(attempt))
        assert driver.data_to_send() == b""
        driver.handle_timeout(attempt + ASK_AGAIN_AFTER_S)
    [refused] = [event for event in taken(driver) if isinstance(event, CommandRefused)]
    assert refused.result is code
    assert driver.data_to_send() == b""


def test_a_refusal_for_good_is_told_and_not_asked_again_until_something_changes(driver: DeviceDriver) -> None:
    driver.apply(UNLOCK, 0.0, is_answer=True)
    driver.data_to_send()
    driver.receive_data(bytes((0x15, NakCode.COMMAND)), 0.1)
    assert [type(event) for event in taken(driver)] == [CommandRefused]
    driver.handle_timeout(10.0)
    driver.apply(UNLOCK, 11.0, is_answer=True)
    assert driver.data_to_send() == b""
    driver.receive_data(said("1", LockChanged(locked=True)), 12.0)
    driver.apply(UNLOCK, 12.0, is_answer=True)
    assert driver.data_to_send() == command(Lock(locked=False))


def test_an_error_is_ended_when_the_procedure_lets_draws_go_on(driver: DeviceDriver) -> None:
    driver.apply(LOCK, 0.0, is_answer=True)
    driver.receive_data(ACK + said("1", ErrorRaised(1, halted=True)), 0.0)
    assert driver.data_to_send() == command(Lock(locked=True))
    driver.apply(UNLOCK, 1.0, is_answer=True)
    assert driver.data_to_send() == command(CancelError(1))
    driver.receive_data(ACK + said("2", ErrorCleared(1)), 1.1)
    driver.apply(UNLOCK, 1.1, is_answer=True)
    assert driver.data_to_send() == command(Lock(locked=False))


def test_an_error_that_comes_back_at_once_is_left_to_people(driver: DeviceDriver) -> None:
    driver.apply(UNLOCK, 0.0, is_answer=True)
    driver.receive_data(ACK + said("1", ErrorRaised(1, halted=True)), 0.0)
    driver.apply(UNLOCK, 0.0, is_answer=True)
    driver.data_to_send()
    driver.receive_data(ACK + said("2", ErrorRaised(1, halted=True)), 0.1)
    driver.apply(UNLOCK, 0.1, is_answer=True)
    assert driver.data_to_send() == b""
    driver.apply(LOCK, 0.2, is_answer=True)
    assert driver.data_to_send() == command(Lock(locked=True))


def test_an_answer_that_nobody_asked_for_means_nothing(driver: DeviceDriver) -> None:
    driver.receive_data(ACK + bytes((0x15, 0x21)) + encode_block(b"hello"), 0.0)
    assert taken(driver) == []
    assert driver.end is None


def test_the_rule_of_the_check_is_the_configured_one() -> None:
    driver = made(rule=ChecksumRule.AFTER_STX)
    driver.apply(LOCK, 0.0, is_answer=True)
    assert driver.data_to_send()[-2:] == b"19"


def test_a_shoe_cannot_become_a_display(driver: DeviceDriver) -> None:
    with pytest.raises(DriverError):
        driver.apply(DisplayApply(cents=1, fault=False), 0.0, is_answer=True)


@pytest.mark.parametrize(
    "say", [lambda: said("1", PresetChanged("07", "0001")), lambda: b"\xff" * 100, lambda: ACK * 3 + b"\x15"]
)
def test_nothing_that_comes_makes_it_turn_without_end(driver: DeviceDriver, say: Callable[[], bytes]) -> None:
    for turn in range(50):
        driver.receive_data(say(), turn / 10)
        driver.handle_timeout(turn / 10)
        assert driver.data_to_send() == b""
    assert isinstance(driver, AngelEyeDriver)
    assert len(taken(driver)) <= 2
