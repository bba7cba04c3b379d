"""The system's user at the socket decides on rights: the service of figures only reads, the panel acts for people."""

import json
import os
import pwd
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from pytest_mock import MockerFixture

from controller.core.games.blackjack.table import TABLE
from controller.daemon.peers import CARRY, PASS_ON, READ, may, rights_of_users
from controller.protocol.lines import Do
from controller.staff import load_staff, save_staff
from tests.daemon.rig import CHIEF, DEALER, PINS, Rig
from tests.daemon.test_socket import Json, RawClient
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

NOBODY = 65534


def test_users_of_services_have_their_rights_and_ours_passes_on(mocker: MockerFixture) -> None:
    known = {"sabot-metrics": 901, "sabot-panel": 902, "sabot-uplink": 903}
    mocker.patch.object(pwd, "getpwnam", lambda name: SimpleNamespace(pw_uid=known[name]))
    own = {0: PASS_ON} | {os.geteuid(): frozenset(Do)}
    assert rights_of_users() == {901: READ, 902: PASS_ON, 903: CARRY} | own
    known.clear()
    assert rights_of_users() == own


@pytest.mark.parametrize(
    ("user", "may_do"),
    [
        (901, {Do.STATUS, Do.PING}),
        (902, {Do.STATUS, Do.PING, Do.ACT, Do.SIGN_IN}),
        (903, {Do.PING, Do.CARRY, Do.KEEP, Do.CHECKPOINT, Do.STATUS}),
        (1000, {Do.STATUS, Do.PING, Do.ACT}),
    ],
)
def test_a_user_sends_what_its_right_covers(user: int, may_do: set[Do]) -> None:
    rights = {901: READ, 902: PASS_ON, 903: CARRY}
    asked = (Do.STATUS, Do.PING, Do.ACT, Do.SIGN_IN, Do.CARRY, Do.KEEP, Do.CHECKPOINT)
    assert {do for do in asked if may(rights, user, do)} == may_do


def test_a_dealer_at_the_table_lends_nobody_at_the_socket_his_name(running: Rig) -> None:
    """A present dealer gives other users no act without a PIN: once, any process could do 67 of 99 acts."""
    running.act("sign-in", DEALER, operation="table")
    with RawClient(running) as client:
        for person in (None, DEALER, CHIEF):
            request = {"id": 1, "do": "act", "act": "open-session", "person": person}
            client.send(json.dumps(request).encode() + b"\n")
            answer = client.hear()
            assert answer is not None
            assert answer["error"]["code"] in {"person-missing", "pin-missing"}
    assert running.status()["session"] == "closed"


@pytest.fixture
def as_another_user(running: Rig) -> Iterator[RawClient]:
    """A connection of another user; the system notes the user when the connection is made."""
    running.socket.chmod(0o666)
    for place in running.socket.parents[:-1]:
        place.chmod(place.stat().st_mode | 0o055)
    os.seteuid(NOBODY)
    try:
        client = RawClient(running)
    finally:
        os.seteuid(0)
    with client:
        yield client


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can connect as another user")
def test_another_user_acts_with_a_pin_each_time_and_signs_in_nowhere(as_another_user: RawClient) -> None:
    def answer(**request: object) -> Json:
        as_another_user.send(json.dumps({"id": 1, **request}).encode() + b"\n")
        heard = as_another_user.hear()
        assert heard is not None
        return heard

    who = {"person": DEALER, "pin": PINS[DEALER]}
    assert answer(do="status")["ok"]
    assert answer(do="carry", after=0, nonce="00" * 16)["error"]["code"] == "not-by-this-user"
    assert answer(do="sign-in", purpose="table", **who)["error"]["code"] == "not-by-this-user"
    assert answer(do="act", act="sign-in", values={"operation": "table"}, **who)["ok"]
    assert answer(do="act", act="open-session", person=DEALER)["error"]["code"] == "pin-missing"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can connect as another user")
def test_no_act_of_another_user_slips_by_without_its_persons_pin(as_another_user: RawClient, running: Rig) -> None:
    """The controller refuses another user's process each act and sign-in in a present dealer's name without a PIN."""
    running.act("sign-in", DEALER, operation="table")
    before, codes = running.status()["journal"]["seq"], set()
    for act in TABLE.act_named:
        for request in ({"do": "sign-in", "purpose": "table"}, {"do": "act", "act": act}):
            as_another_user.send(json.dumps({"id": 1, "person": DEALER, **request}).encode() + b"\n")
            heard = as_another_user.hear()
            assert heard is not None
            codes.add(heard["error"]["code"])
    assert codes == {"not-by-this-user", "pin-missing", "bad-value"}
    assert running.status()["journal"]["seq"] == before


def test_a_new_pin_signs_out_who_came_with_the_old_one_and_a_new_name_does_not(running: Rig) -> None:
    path = running.directory / "staff.toml"
    with RawClient(running) as client:

        def answer(**request: object) -> Json:
            client.send(json.dumps({"id": 1, **request}).encode() + b"\n")
            while "id" not in (heard := client.hear() or {"id": None}):
                pass  # lines that come unasked
            return heard

        assert answer(do="sign-in", person=CHIEF, pin=PINS[CHIEF], purpose="look")["ok"]
        save_staff(load_staff(path).with_name(CHIEF, "Another name"), path)
        wait_for(lambda: "Another name" in str(answer(do="people")["people"]), str)
        save_staff(load_staff(path).with_pin(CHIEF, "903317"), path)
        while "signed_out" not in (told := client.hear() or {"signed_out": "hung up"}):
            pass
        assert told["signed_out"] == "renewed"
        assert answer(do="people")["error"]["code"] == "not-signed-in"
