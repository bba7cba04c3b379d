"""A request may have several acts, may be repeated, and may be bound to the state of the table that its person saw."""

import json
from typing import Any

import pytest

from tests.daemon.rig import CHIEF, DEALER, PINS, Rig
from tests.daemon.test_socket import RawClient

pytestmark = pytest.mark.waits

Json = dict[str, Any]


def asked(number: int, name: str, *then: str, **fields: object) -> bytes:
    steps = [{"act": one} for one in then]
    request = {"id": number, "do": "act", "act": name, "person": DEALER, "then": steps} | fields
    return json.dumps(request).encode() + b"\n"


def signed_in(client: RawClient) -> RawClient:
    """The connection, with the dealer signed in over it."""
    request = {"id": 0, "do": "sign-in", "person": DEALER, "pin": PINS[DEALER], "purpose": "table"}
    assert told(client, json.dumps(request).encode() + b"\n")["signed_in"]["person"] == DEALER
    assert client.hear() == {"hands": []}
    return client


def told(client: RawClient, line: bytes) -> Json:
    client.send(line)
    answer = client.hear()
    assert answer is not None
    return answer


@pytest.fixture
def opened(running: Rig) -> Rig:
    running.act("sign-in", DEALER, operation="table")
    running.act("open-session")
    return running


def test_the_acts_of_one_request_are_done_in_order_up_to_the_first_refusal(opened: Rig) -> None:
    opened.act("number-deck-set", CHIEF, deck_set="1")
    with RawClient(opened) as connection:
        client = signed_in(connection)
        answer = told(client, asked(1, "confirm-display", "confirm-mixing", "take-bets", "open-session"))
        assert [one["act"] for one in answer["done"]] == ["confirm-display", "confirm-mixing"]
        assert answer["error"]["code"] == "bad-value"
        assert opened.status()["session"] == "mixed"
        answer = told(client, asked(2, "abandon-opening", "confirm-display", "open-session"))
    assert [one["act"] for one in answer["done"]] == ["abandon-opening"]
    assert answer["refusal"]["guard"]
    assert opened.status()["session"] == "closed"


def test_all_acts_of_a_request_are_answered_once_and_durable(opened: Rig) -> None:
    opened.act("number-deck-set", CHIEF, deck_set="1")
    with RawClient(opened) as connection:
        client = signed_in(connection)
        answer = told(client, asked(7, "confirm-display", "confirm-mixing"))
        assert (answer["id"], answer["ok"]) == (7, True)
        assert answer["seq"] == answer["done"][-1]["seq"] > answer["done"][0]["seq"]
        assert told(client, b'{"id":8,"do":"status"}\n')["id"] == 8


def test_a_double_tap_is_one_act(opened: Rig) -> None:
    line = asked(1, "number-deck-set", person=CHIEF, pin=PINS[CHIEF], values={"deck_set": "4"}, key="tap-1")
    with RawClient(opened) as client, RawClient(opened) as other:
        before = opened.status()["journal"]["seq"]
        client.send(line)
        other.send(line.replace(b'"id": 1', b'"id": 2'))
        first, second = client.hear(), other.hear()
        assert first is not None
        assert second is not None
        assert (first["id"], second["id"]) == (1, 2)
        assert first | {"id": 2} == second
        assert told(client, line) == first
        assert opened.status()["journal"]["seq"] == before + 1
        changed = line.replace(b'"4"', b'"5"')
        assert told(client, changed)["error"]["code"] == "key-used"


def test_a_sign_in_takes_no_act_s_key(opened: Rig) -> None:
    line = asked(1, "number-deck-set", person=CHIEF, pin=PINS[CHIEF], values={"deck_set": "4"}, key="tap-3")
    with RawClient(opened) as client:
        first = told(client, line)
        wrong = {"id": 1, "do": "sign-in", "person": DEALER, "pin": "000000", "key": "tap-3"}
        assert told(client, json.dumps(wrong).encode() + b"\n")["error"]["code"] == "pin-wrong"
        assert told(client, line) == first


def test_what_was_not_decided_may_be_asked_for_again_with_its_key(opened: Rig) -> None:
    fields: Json = {"person": CHIEF, "values": {"deck_set": "4"}, "key": "tap-2"}
    with RawClient(opened) as client:
        assert told(client, asked(1, "number-deck-set", **fields))["error"]["code"] == "pin-missing"
        assert told(client, asked(2, "number-deck-set", pin=PINS[CHIEF], **fields))["ok"]


def test_an_act_for_a_table_that_has_changed_since_is_not_asked_for(opened: Rig) -> None:
    seen = opened.status()["scene"]
    opened.act("number-deck-set", CHIEF, deck_set="1")
    with RawClient(opened) as connection:
        client = signed_in(connection)
        assert told(client, asked(1, "confirm-display", scene=seen))["ok"]
        stale = told(client, asked(2, "confirm-mixing", scene=seen, key="tap-3"))
        assert stale["error"]["code"] == "changed"
        assert stale["error"]["text"].startswith("The table has changed since: The cards have been displayed")
        now = opened.status()["scene"]
        assert now != seen
        assert told(client, asked(3, "confirm-mixing", scene=now, key="tap-3"))["ok"]


def test_faces_are_told_to_who_is_signed_in_and_to_nobody_else(opened: Rig) -> None:
    asked_for = {"do": "sign-in", "person": CHIEF, "pin": PINS[CHIEF], "purpose": "look"}
    with RawClient(opened) as signed_in, RawClient(opened) as other:
        assert told(signed_in, json.dumps({"id": 1} | asked_for).encode() + b"\n")["signed_in"]["person"] == CHIEF
        assert signed_in.hear() == {"hands": []}
        wrong = told(other, json.dumps({"id": 2} | asked_for | {"pin": "000000"}).encode() + b"\n")
        assert wrong["error"]["code"] == "pin-wrong"
        assert told(other, b'{"id":3,"do":"status"}\n')["id"] == 3, "and no line about hands before"
