"""The gate: PINs, waits after wrong ones, signed-in people, unreadable values."""

import pytest

from controller.core.house.manner import Credential
from controller.core.words import DutyKind, Person, Role
from controller.runtime.answers import Answer, Done, Failed, Refused, Trouble
from controller.runtime.budget import REFUSALS_AT_ONCE
from controller.runtime.gate import MOST_CHECKS, Asked, BadValues
from controller.staff.lockout import TERMINAL_WAIT_MS
from tests.runtime.bench import CHIEF, DEALER, Bench

PINS = {DEALER: "1111", CHIEF: "2222"}
ROLES = {DEALER: Role.DEALER, CHIEF: Role.CHIEF_SUPERVISOR}


class Door:
    """Clients at the gate, and a staff of two."""

    def __init__(self) -> None:
        self.bench = Bench()
        self.bench.run(1)
        self.hashed: list[int] = []
        self.tickets = 0

    def send(self, act: str, person: int | None = None, pin: str | None = None, **values: str) -> int:
        self.tickets += 1
        self.bench.gate.ask(self.tickets, Asked(act, person, pin, values), self.bench.now_s)
        return self.tickets

    def signed_in(self, act: str, **values: str) -> int:
        """Asks for an act over a connection at which the dealer has signed in; returns the request's number."""
        self.tickets += 1
        self.bench.gate.ask(self.tickets, Asked(act, DEALER, None, values, vouched=Role.DEALER), self.bench.now_s)
        return self.tickets

    def hash_all(self) -> None:
        while (check := self.bench.gate.next_check(self.bench.now_s)) is not None:
            self.hashed.append(check.person)
            right = PINS.get(Person(check.person)) == check.pin
            role = ROLES[Person(check.person)] if right else None
            self.bench.gate.checked(check, role, self.bench.now_s)

    def answer(self, ticket: int) -> Answer | BadValues:
        self.hash_all()
        self.bench.run(0.1)
        found = self.bench.answer_to(ticket)
        assert found is not None
        return found

    def try_wrong_pins(self, times: int, terminal: str) -> None:
        """Types wrong PINs, each for another number, so that no number must wait by itself.

        A PIN that must wait is not hashed.
        """
        for number in range(times):
            asked = Asked("sign-in", 500 + number, "0000", {"operation": "hold"}, terminal)
            self.tickets += 1
            self.bench.gate.ask(self.tickets, asked, self.bench.now_s)
            self.hash_all()
            self.bench.run(0.1)

    def ask(self, act: str, person: int | None = None, pin: str | None = None, **values: str) -> Answer | BadValues:
        return self.answer(self.send(act, person, pin, **values))

    def trouble(self, act: str, person: int | None = None, pin: str | None = None, **values: str) -> Trouble:
        answer = self.ask(act, person, pin, **values)
        assert isinstance(answer, Failed), answer
        return answer.trouble

    def wait_ms(self, person: int, terminal: str = "") -> int:
        return self.bench.runtime.lockout.wait_ms(person, self.bench.runtime.table_ms(self.bench.now_s), terminal)


@pytest.fixture
def door() -> Door:
    return Door()


def test_a_right_pin_speaks_for_its_person_and_role(door: Door) -> None:
    assert isinstance(door.ask("sign-in", DEALER, "1111", operation="table"), Done)
    assert door.bench.latest.house.present[0].person == DEALER
    assert isinstance(door.ask("open-session", CHIEF, "2222"), Refused)


def test_every_act_names_its_person_and_takes_his_pin_though_he_is_at_the_table(door: Door) -> None:
    door.ask("sign-in", DEALER, "1111", operation="table")
    assert door.trouble("open-session") is Trouble.PERSON_MISSING
    assert door.trouble("open-session", DEALER) is Trouble.PIN_MISSING
    assert isinstance(door.ask("open-session", DEALER, "1111"), Done)


def test_a_person_who_is_signed_in_over_the_connection_acts_without_a_pin(door: Door) -> None:
    door.ask("sign-in", DEALER, "1111", operation="table")
    assert isinstance(door.answer(door.signed_in("open-session")), Done)
    answer = door.answer(door.signed_in("number-deck-set", deck_set="1"))
    assert isinstance(answer, Refused), "it is another's act"


@pytest.mark.parametrize(
    ("person", "pin", "trouble"),
    [
        (None, None, Trouble.PERSON_MISSING),
        (DEALER, None, Trouble.PIN_MISSING),
        (None, "1111", Trouble.PERSON_MISSING),
        (DEALER, "1112", Trouble.PIN_WRONG),
        (77, "1111", Trouble.PIN_WRONG),
    ],
)
def test_signing_in_needs_person_and_right_pin(
    door: Door, person: int | None, pin: str | None, trouble: Trouble
) -> None:
    assert door.trouble("sign-in", person, pin, operation="table") is trouble
    assert door.bench.latest.house.present == ()


@pytest.mark.parametrize("act", ["confirm-outage", "confirm-deck-check"])
def test_the_second_persons_half_of_an_act_for_two_takes_that_persons_pin(door: Door, act: str) -> None:
    """The person at the socket, or at a screen of another's sign-in, is no second pair of eyes."""
    door.ask("sign-in", DEALER, "1111", operation="table")
    values = {"became": "unchanged"} if act == "confirm-outage" else {}
    assert door.answer(door.signed_in(act, **values)) == Failed(Trouble.PIN_MISSING)
    assert isinstance(door.ask(act, DEALER, "1111", **values), Refused), "by its guards alone"


@pytest.mark.parametrize("act", ["open-packet", "close-packet", "confirm-hold", "state-count"])
def test_an_attesting_act_takes_more_than_being_signed_in_at_a_screen_that_others_use(door: Door, act: str) -> None:
    """Once, the chief typed his PIN and left: the dealer alone attested for him."""
    values = {"confirm-hold": {"hold": "H1"}, "state-count": {"inside": "1"}}.get(act, {})
    answers = []
    for credential in (Credential.SHARED_SCREEN, Credential.OWN_SCREEN):
        door.tickets += 1
        asked = Asked(act, CHIEF, None, values, "1/screen", Role.CHIEF_SUPERVISOR, credential)
        door.bench.gate.ask(door.tickets, asked, door.bench.now_s)
        answers.append(door.answer(door.tickets))
    assert answers[0] == Failed(Trouble.PIN_MISSING)
    assert isinstance(answers[1], Refused | Done | BadValues), "by its guards alone"


@pytest.mark.parametrize(
    ("source", "target", "credential", "is_asked"),
    [
        ("in_hand", "rack", Credential.SHARED_SCREEN, False),
        ("jammed", "rack", Credential.SHARED_SCREEN, False),
        ("pending", "rack", Credential.SHARED_SCREEN, True),
        ("pending", "rack", Credential.OWN_SCREEN, False),
        ("in_hand", "foreign", Credential.SHARED_SCREEN, True),
        ("in_hand", "foreign", Credential.OWN_SCREEN, False),
        ("in_hand", "foreign", Credential.BADGE_AND_KEY, False),
    ],
)
def test_a_card_leaves_the_deck_set_or_the_next_hand_by_its_persons_own_credential_then(
    source: str, target: str, credential: Credential, door: Door, *, is_asked: bool
) -> None:
    """Once, the chief signed in for the hold and left: the dealer alone made the counts agree without a card."""
    door.tickets += 1
    values = {"source": source, "target": target, "count": "1"}
    asked = Asked("state-cards-moved", CHIEF, None, values, "1/screen", Role.CHIEF_SUPERVISOR, credential)
    door.bench.gate.ask(door.tickets, asked, door.bench.now_s)
    assert (door.answer(door.tickets) == Failed(Trouble.PIN_MISSING)) is is_asked


def test_what_a_signed_in_person_is_refused_counts_for_the_screen(door: Door) -> None:
    for _ in range(REFUSALS_AT_ONCE + 5):
        door.tickets += 1
        asked = Asked("open-session", CHIEF, None, {}, "1001/tablet", Role.CHIEF_SUPERVISOR)
        door.bench.gate.ask(door.tickets, asked, door.bench.now_s)
    assert sum(entry.refusal is not None for entry in door.bench.entries()) <= REFUSALS_AT_ONCE


def test_an_unknown_act_and_bad_values_are_told_without_a_hash(door: Door) -> None:
    assert door.trouble("dance", CHIEF, "2222") is Trouble.UNKNOWN_ACT
    answer = door.ask("sign-in", DEALER, "1111", operation="party", hat="red")
    assert isinstance(answer, BadValues)
    assert {problem.name for problem in answer.problems} == {"operation", "hat"}
    assert door.hashed == []


def test_a_wrong_pin_is_journaled_and_changes_nothing_of_the_table(door: Door) -> None:
    digest = door.bench.digest()
    door.trouble("open-session", DEALER, "9999")
    entry = door.bench.entries()[-1]
    assert (entry.kind, bytes(entry.body)) == ("pin-refused", b'{"act":"open-session","person":11}')
    assert door.bench.digest() == digest


def test_each_wrong_pin_doubles_the_wait_and_a_try_that_waits_is_not_hashed(door: Door) -> None:
    waits = []
    for _ in range(4):
        door.trouble("sign-in", CHIEF, "0000", operation="hold")
        waits.append(door.wait_ms(CHIEF))
        answer = door.ask("sign-in", CHIEF, "2222", operation="hold")
        assert isinstance(answer, Failed)
        assert answer.trouble is Trouble.LOCKED_OUT
        assert answer.wait_ms
        door.bench.run(waits[-1] / 1000 + 0.2)
    assert [round(wait / 1000) for wait in waits] == [1, 2, 4, 8]
    assert len(door.hashed) == 4
    assert isinstance(door.ask("sign-in", CHIEF, "2222", operation="hold"), Done)
    assert door.wait_ms(CHIEF) == 0


def test_many_tries_at_once_gain_nothing(door: Door) -> None:
    tickets = [door.send("sign-in", CHIEF, f"{number:04}", operation="hold") for number in range(10)]
    assert isinstance(door.answer(tickets[0]), Failed)
    troubles = [answer.trouble for answer in map(door.answer, tickets) if isinstance(answer, Failed)]
    assert troubles == [Trouble.PIN_WRONG] + [Trouble.LOCKED_OUT] * 9
    assert len(door.hashed) == 1


def test_one_pin_is_hashed_at_a_time_and_the_queue_is_bounded(door: Door) -> None:
    tickets = [door.send("sign-in", 100 + number, "1234", operation="hold") for number in range(MOST_CHECKS + 1)]
    assert door.bench.gate.next_check(door.bench.now_s) is not None
    assert door.bench.gate.next_check(door.bench.now_s) is None
    door.bench.run(0.1)
    assert door.bench.answer_to(tickets[-1]) == Failed(Trouble.BUSY)


def test_the_wait_outlives_a_restart(door: Door) -> None:
    for _ in range(6):
        door.trouble("sign-in", CHIEF, "0000", operation="hold")
        door.bench.run(40)
    door.trouble("sign-in", CHIEF, "0000", operation="hold")
    before = door.wait_ms(CHIEF)
    assert before > 60_000
    door.bench.kill()
    door.bench.now_s += 3600
    door.bench.start()
    assert before - 1000 <= door.wait_ms(CHIEF) <= before + 200, "table time stands still while nobody runs"


def test_the_dealers_acts_at_the_table_do_not_end_the_dealers_wait(door: Door) -> None:
    door.ask("sign-in", DEALER, "1111", operation="table")
    door.trouble("sign-in", DEALER, "0000", operation="table")
    wait_ms = door.wait_ms(DEALER)
    assert isinstance(door.answer(door.signed_in("open-session")), Done)
    assert door.wait_ms(DEALER) > wait_ms - 500
    assert door.bench.runtime.lockout.tries["", DEALER].wrong == 1


@pytest.mark.parametrize("credential", [Credential.BADGE_AND_KEY, Credential.POST, Credential.OWN_SCREEN])
def test_an_act_by_another_credential_says_nothing_about_a_pin(door: Door, credential: Credential) -> None:
    """The waits of somebody who guesses a chief's PIN grow, though the chief acts by badge or at his own tablet."""
    for _ in range(3):
        door.trouble("sign-in", CHIEF, "0000", operation="hold")
        door.bench.run(10)
    by = {"vouched": Role.CHIEF_SUPERVISOR, "credential": credential}
    door.tickets += 1
    door.bench.gate.ask(door.tickets, Asked("sign-in", CHIEF, None, {"operation": "hold"}, **by), door.bench.now_s)
    assert isinstance(door.answer(door.tickets), Done)
    assert door.bench.runtime.lockout.tries["", CHIEF].wrong == 3
    assert isinstance(door.ask("sign-in", CHIEF, "2222", operation="hold"), Done)
    assert not door.bench.runtime.lockout.tries


def test_ten_wrong_pins_within_an_hour_are_one_duty_of_the_room_manager_over_a_restart(door: Door) -> None:
    door.try_wrong_pins(5, "1001/a")
    assert door.bench.latest.house.duties == ()
    door.bench.kill()
    door.bench.start()
    door.try_wrong_pins(5, "1001/b")
    (duty,) = door.bench.durable.house.duties
    assert (duty.kind, duty.who) == (DutyKind.LOOK_INTO_WRONG_PINS, Role.ROOM_MANAGER)
    door.try_wrong_pins(3, "1001/c")
    assert [entry.kind for entry in door.bench.entries()].count("duty-arose") == 1
    entry = next(entry for entry in door.bench.entries() if entry.kind == "pin-refused")
    assert bytes(entry.body) == b'{"act":"sign-in","person":500,"terminal":"1001/a"}'


def test_whoever_sprays_at_one_terminal_keeps_nobody_from_another_and_himself_waiting(door: Door) -> None:
    door.try_wrong_pins(12, "1001/tablet")
    assert len(door.hashed) == 10, "the terminal waits from its tenth wrong PIN on"
    door.bench.kill()
    door.bench.start()
    waits = {name: door.wait_ms(CHIEF, name) for name in ("1001/tablet", "1001/screen", "1002")}
    assert 0 < waits.pop("1001/tablet") <= TERMINAL_WAIT_MS
    assert set(waits.values()) == {0}
    door.bench.run(TERMINAL_WAIT_MS / 1000)
    assert door.wait_ms(CHIEF, "1001/tablet") == 0, "nobody can shut out a screen"


def test_a_pin_that_could_not_be_checked_is_no_try(door: Door) -> None:
    ticket = door.send("sign-in", CHIEF, "2222", operation="hold")
    check = door.bench.gate.next_check(door.bench.now_s)
    assert check is not None
    door.bench.gate.not_checked(check)
    assert door.answer(ticket) == Failed(Trouble.STAFF_UNREADABLE)
    assert door.wait_ms(CHIEF) == 0


def test_a_pin_stands_in_no_text() -> None:
    assert "1234" not in repr(Asked("sign-in", 1, "1234", {}))


def test_the_dealer_turns_the_hole_card_without_naming_it(door: Door) -> None:
    door.bench.play()
    door.bench.deal(cards=("3C", "4C", "5C", "KH"))
    assert isinstance(door.answer(door.signed_in("turn-hole-card")), Done)
    assert door.bench.latest.game.dealt[3].card == "KH"
