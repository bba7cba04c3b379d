"""An attestation requires its person's own credential at that moment: PIN, badge and key, or a sign-in at a tablet of
one's own.
"""

from collections.abc import Iterator

import pytest

from controller.cli.client import Client
from controller.record.shown import entries_shown
from simulators.demo.parts import TableParts
from tests.daemon.badges import hold_badge
from tests.daemon.rig import BADGE, CHIEF, DEALER, PINS, Rig

pytestmark = pytest.mark.waits

WATCH = {"operation": "loading"}


@pytest.fixture
def table(rig: Rig) -> Iterator[Rig]:
    """A rig at which the cards are shown and mixed and the dealer is at the table."""
    rig.start()
    rig.connected()
    assert rig.act("sign-in", DEALER, operation="table").ok
    assert rig.act("open-session", DEALER).ok
    yield rig
    rig.kill()


def signed_in(client: Client, person: int, purpose: str, terminal: str) -> None:
    request = {"person": person, "pin": PINS[person], "purpose": purpose, "terminal": terminal}
    assert client.ask("sign-in", **request).ok


def outcome(client: Client, act: str, person: int, values: dict[str, str], **how: object) -> str:
    """Asks for the act; returns `ok`, the guard that refused it, or the error's code."""
    client.ask("status")  # the rest of the connection has been read
    answer = client.ask("act", act=act, person=person, values=values, **how)
    if answer.refusal is not None:
        return answer.refusal.guard
    return "ok" if answer.error is None else answer.error.code


def given(table: Rig, act: str, person: int) -> list[object]:
    """Kills the controller; returns the credential of each entry in which the person did the act or was refused it."""
    table.kill()
    return [
        one.entry.credential
        for one in entries_shown(table.journal)
        if one.entry.kind == act and one.body["person"] == person
    ]


def test_at_the_tables_screen_a_supervisors_sign_in_attests_and_decides_nothing(table: Rig) -> None:
    """A sign-in alone attests nothing: once, after a supervisor's PIN, the dealer alone attested his presence."""
    with table.client() as client:
        signed_in(client, CHIEF, "loading", "screen")
        assert outcome(client, "number-deck-set", CHIEF, {"deck_set": "1"}) == "pin-missing"
        assert outcome(client, "sign-in", CHIEF, WATCH) == "pin-missing"
        assert outcome(client, "sign-in", CHIEF, WATCH, pin=PINS[CHIEF], terminal="screen") == "ok"
        assert outcome(client, "open-packet", CHIEF, {}) == "pin-missing"
        assert outcome(client, "close-packet", CHIEF, {}) == "pin-missing"


def test_one_pin_serves_a_press_with_what_belongs_to_it(table: Rig) -> None:
    then = [{"act": "number-deck-set", "values": {"deck_set": "1"}}]
    with table.client() as client:
        assert outcome(client, "sign-in", CHIEF, WATCH, pin="000000", then=then) == "pin-wrong"
        assert table.status()["figures"]["deck_set"] == 0
        assert outcome(client, "sign-in", CHIEF, WATCH, pin=PINS[CHIEF], terminal="screen", then=then) == "ok"
    assert table.status()["figures"]["deck_set"] == 1
    assert given(table, "number-deck-set", CHIEF) == ["pin"], "the press's PIN serves what belongs to it"


def test_between_two_acts_of_one_pin_the_dealer_at_the_same_connection_acts_by_his_post(table: Rig) -> None:
    then = [
        {"act": "confirm-display", "values": {}, "by_post": True},
        {"act": "number-deck-set", "values": {"deck_set": "2"}},
    ]
    how: dict[str, object] = {"pin": PINS[CHIEF], "terminal": "screen", "then": then}
    with table.client() as client:
        assert outcome(client, "number-deck-set", CHIEF, {"deck_set": "1"}, **how) == "not-for-this"
        assert table.status()["figures"]["deck_set"] == 0, "nobody is signed in over this connection"
        signed_in(client, DEALER, "table", "screen")
        assert outcome(client, "number-deck-set", CHIEF, {"deck_set": "1"}, **how) == "session_is_at_this_step"
        assert table.status()["session"] == "displayed"
    assert given(table, "confirm-display", DEALER) == ["post"]
    assert given(table, "number-deck-set", CHIEF) == ["pin", "pin"], "the last was refused, by its own PIN"


def test_the_pin_of_the_request_serves_no_act_of_the_post(table: Rig) -> None:
    then = [{"act": "number-deck-set", "values": {"deck_set": "1"}, "by_post": True}]
    with table.client() as client:
        signed_in(client, DEALER, "table", "screen")
        refused = outcome(client, "sign-in", CHIEF, WATCH, pin=PINS[CHIEF], terminal="screen", then=then)
    assert refused == "role_may"
    assert table.status()["figures"]["deck_set"] == 0


def test_a_tablet_is_a_persons_own_until_somebody_else_signs_in_there(table: Rig) -> None:
    with table.client() as chief, table.client() as dealer:
        signed_in(chief, CHIEF, "loading", "panel-a")
        assert outcome(chief, "sign-in", CHIEF, WATCH) == "ok"
        signed_in(dealer, DEALER, "table", "panel-a")
        assert outcome(chief, "sign-in", CHIEF, WATCH) == "pin-missing"
        assert outcome(dealer, "confirm-display", DEALER, {}) != "pin-missing"
    assert given(table, "sign-in", CHIEF) == ["own-screen"]
    assert given(table, "confirm-display", DEALER) == ["post"]


def test_badge_and_key_serve_one_request_at_the_tables_screen_within_seconds(rig: Rig, parts: TableParts) -> None:
    rig.start()
    rig.connected()

    def touch(*, on: bool) -> None:
        rig.host.call(lambda now_s: parts.key.turn(now_s, on=on))
        by, state = ("badge-and-key", "turned on") if on else ("badge", "off")

        def is_seen() -> bool:
            status = rig.status()
            return (status["presented"] or {}).get("by") == by and state in status["devices"]["key_switch"]["text"]

        hold_badge(rig, parts, BADGE, is_seen)

    with rig.client() as client:
        watch = ("sign-in", CHIEF, WATCH)
        touch(on=False)
        assert outcome(client, *watch, badge=True, terminal="screen") == "pin-missing"
        touch(on=True)
        assert outcome(client, *watch, badge=True, terminal="panel-a") == "pin-missing"
        assert (
            outcome(client, "sign-in", DEALER, {"operation": "table"}, badge=True, terminal="screen") == "pin-missing"
        )
        assert outcome(client, "confirm-deck-check", CHIEF, {}, badge=True, terminal="screen") == "pin-missing"
        touch(on=True)
        assert (
            outcome(client, *watch, badge=True, terminal="screen", then=[{"act": "sign-in", "values": WATCH}]) == "ok"
        )
        assert outcome(client, *watch, badge=True, terminal="screen") == "pin-missing"
    assert given(rig, "sign-in", CHIEF) == ["badge-and-key", "badge-and-key"]
