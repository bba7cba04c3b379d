"""The socket answers acts, lists and changes, also beside clients that send nonsense, do not read, or are too many."""

import contextlib
import json
import select
import signal
import socket
import time
from typing import Any

import pytest

from controller.daemon.limits import MOST_OF_A_PROCESS
from controller.daemon.server import BACKLOG_BYTES
from controller.protocol.lines import LONGEST_LINE
from controller.protocol.status import KEYS
from tests.daemon.rig import CHIEF, DEALER, PINS, WITHIN_S, Rig
from tests.waiting import stopwatch, wait_for

pytestmark = pytest.mark.waits

Json = dict[str, Any]

SUBSCRIPTIONS = 2000  # each answered with a whole status: far more than any backlog


class RawClient:
    """A connection whose bytes the test writes itself."""

    def __init__(self, rig: Rig) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(WITHIN_S)
        self.socket.connect(str(rig.socket))
        self.lines = self.socket.makefile("rb")

    def __enter__(self) -> "RawClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.lines.close()
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def was_dropped(self) -> bool:
        """True where the controller ends the connection without reading any of the client's bytes."""
        poll = select.poll()
        poll.register(self.socket, select.POLLRDHUP)
        return bool(poll.poll(WITHIN_S * 1000))

    def hear(self) -> Json | None:
        """The next line, decoded; None after the controller has ended the connection."""
        try:
            line = self.lines.readline()
        except ConnectionError:
            return None
        return json.loads(line) if line else None


def act(number: int, name: str, person: int = DEALER, pin: str | None = PINS[DEALER], **values: str) -> bytes:
    request = {"id": number, "do": "act", "act": name, "person": person, "pin": pin, "values": values}
    return json.dumps(request).encode() + b"\n"


def test_an_act_is_done_refused_or_not_decided(running: Rig) -> None:
    with RawClient(running) as client:
        client.send(act(1, "sign-in", DEALER, "411123", operation="table"))
        done = client.hear()
        client.send(act(2, "begin-loading"))
        refused = client.hear()
        client.send(act(3, "sign-in", CHIEF, "0000", operation="loading"))
        wrong = client.hear()
        client.send(act(4, "sign-in", CHIEF, "412123", operation="loading"))
        locked = client.hear()
        client.send(act(5, "take-bets", seats="one"))
        bad = client.hear()
    assert done is not None
    assert (done["id"], done["ok"]) == (1, True)
    assert done["seq"] > 1
    assert done["text"]
    assert refused is not None
    assert refused["state_digest"] == done["state_digest"]
    assert refused["refusal"]["guard"] == "display_is_confirmed"
    assert refused["refusal"]["clause"] == "pt.bj.53a"
    assert refused["refusal"]["who"] == ["dealer"]
    assert refused["refusal"]["reason"]
    assert refused["refusal"]["remedy"]
    assert wrong is not None
    assert wrong["error"]["code"] == "pin-wrong"
    assert locked is not None
    assert locked["error"]["code"] == "locked-out"
    assert 0 < locked["error"]["wait_ms"] <= 1000
    assert bad is not None
    assert bad["error"]["code"] == "bad-value"
    assert "seats" in bad["error"]["text"] or "one" in bad["error"]["text"]


def test_the_list_says_of_every_act_whether_it_may_be_asked_for_and_why_not(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    with RawClient(running) as client:
        client.send(b'{"id":"x","do":"list"}\n')
        listed = client.hear()
    assert listed is not None
    acts = {one["act"]: one for one in listed["acts"]}
    assert acts["open-session"]["allowed"]
    assert acts["open-session"]["reason"] is None
    assert not acts["take-bets"]["allowed"]
    assert acts["take-bets"]["clause"] is None
    assert acts["begin-loading"]["clause"] == "pt.bj.53a"
    assert acts["take-bets"]["remedy"]
    assert [value["name"] for value in acts["take-bets"]["values"]] == ["seats"]
    assert acts["take-bets"]["values"][0]["what"]
    assert acts["begin-loading"]["who"] == ["dealer"]


def test_one_act_is_listed_as_in_the_whole_list_and_anew_after_each_change(running: Rig) -> None:
    with RawClient(running) as client:

        def listed(**asked: object) -> list[Json]:
            client.send(json.dumps({"id": 1, "do": "list", **asked}).encode() + b"\n")
            answer = client.hear()
            assert answer is not None
            return list(answer["acts"])

        (before,) = listed(act="open-session")
        assert before["allowed"]
        running.act("sign-in", DEALER, operation="table")
        running.act("open-session")
        (after,) = listed(act="open-session")
        assert not after["allowed"]
        assert listed(act="open-session", allowed=True) == []
        whole = listed()
        assert after in whole
        assert listed(allowed=True) == [one for one in whole if one["allowed"]]


def test_a_subscription_gives_everything_and_then_what_changes(running: Rig) -> None:
    with RawClient(running) as client:
        client.send(b'{"id":1,"do":"subscribe"}\n')
        first = client.hear()
        assert first is not None
        assert set(first["status"]) == set(KEYS)
        known, seqs = first["status"], [first["seq"]]
        running.act("sign-in", DEALER, operation="table")
        running.act("open-session")
        while known["session"] != "opened":
            change = client.hear()
            assert change is not None
            assert set(change) == {"seq", "changed"}
            assert set() < set(change["changed"]) < set(KEYS)
            known |= change["changed"]
            seqs.append(change["seq"])
    assert seqs == sorted(seqs)
    assert seqs[-1] > seqs[0]
    status = running.status()
    assert known["present"] == status["present"]
    assert known["state_digest"] == status["state_digest"]


def test_while_nothing_happens_only_counters_are_told_once_a_second(running: Rig) -> None:
    running.until(lambda _status: running.journal_has("staff-changed", 1))  # the last entry of a start
    running.connected()
    with RawClient(running) as client:
        client.send(b'{"id":1,"do":"subscribe"}\n')
        began, lines = time.monotonic(), 0
        while time.monotonic() - began < 2.5:
            change = client.hear()
            lines += 1
    assert change is not None
    assert set(change["changed"]) == {"devices"}
    assert lines <= 5


def test_changes_come_at_most_twenty_times_a_second_and_the_last_value_wins(running: Rig) -> None:
    with RawClient(running) as client:
        client.send(b'{"id":1,"do":"subscribe"}\n')
        client.hear()
        began, lines, jams = time.monotonic(), 0, 0
        for _ in range(40):
            running.host.call(running.shuffler.retry)
        while jams < 40:
            change = client.hear()
            assert change is not None
            lines += 1
            jams = change["changed"].get("tally", {}).get("retried", jams)
        took_s = time.monotonic() - began
    assert lines <= took_s * 20 + 2


def test_a_client_that_sends_its_last_line_and_stops_writing_is_answered(running: Rig) -> None:
    with RawClient(running) as client:
        client.send(act(1, "sign-in", DEALER, "411123", operation="table"))
        client.socket.shutdown(socket.SHUT_WR)
        answer = client.hear()
        assert answer is not None
        assert answer["ok"]
        assert client.hear() is None


NO_REQUESTS = (
    b"hello\n",
    b"{}\n",
    b'{"do":"dance"}\n',
    b'{"do":"status","hat":"red"}\n',
    b'{"id":1,"do":"act","act":"open-session","person":"12","pin":null,"values":{}}\n',
    b'{"id":1,"do":"act","act":"open-session","values":{"seats":3}}\n',
    b"\xff\xfe\n",
    b"[" * 60_000 + b"\n",
)


def test_a_line_that_is_no_request_is_told_so_and_dropped(running: Rig) -> None:
    for line in NO_REQUESTS:
        with RawClient(running) as client:
            client.send(line)
            answer = client.hear()
            assert answer is not None, line
            assert answer["error"]["code"] == "bad-request"
            assert client.hear() is None
    assert running.status()["table"] == "T1"


def test_a_line_without_end_is_dropped_at_its_limit(running: Rig) -> None:
    with RawClient(running) as client:
        client.send(b"x" * (LONGEST_LINE + 4096))
        answer = client.hear()
        assert answer is not None
        assert answer["error"]["code"] == "bad-request"
        assert client.hear() is None


def test_a_client_that_does_not_read_is_dropped_and_nobody_waits_for_it(running: Rig) -> None:
    before = running.resident_bytes()
    with RawClient(running) as deaf:
        deaf.socket.settimeout(0.2)
        with contextlib.suppress(OSError):  # dropped while it still sends
            for _ in range(20_000):
                deaf.send(b'{"id":1,"do":"list"}\n')
        assert deaf.was_dropped()
        assert running.child is not None
        took_s = stopwatch(running.child.pid)
        assert running.status()["table"] == "T1"
        assert took_s() < 1.0
    assert running.resident_bytes() - before < 8 * BACKLOG_BYTES


def test_a_subscriber_that_does_not_read_is_dropped(running: Rig) -> None:
    with RawClient(running) as deaf:
        deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        with contextlib.suppress(OSError):  # dropped while it still sends
            for _ in range(SUBSCRIPTIONS):
                deaf.send(b'{"id":1,"do":"subscribe"}\n')
        assert deaf.was_dropped()
        assert running.status()["table"] == "T1"


def test_one_client_too_many_is_told_so(running: Rig) -> None:
    clients = [RawClient(running) for _ in range(MOST_OF_A_PROCESS)]
    try:
        for client in clients:
            client.send(b'{"do":"status"}\n')
            assert client.hear() is not None
        with RawClient(running) as late:
            answer = late.hear()
            assert answer is not None
            assert answer["error"]["code"] == "too-many-connections"
            assert late.hear() is None
    finally:
        for client in clients:
            client.__exit__()
    wait_for(lambda: running.ask("status").status)  # it has not noticed their end yet


def test_an_answer_to_a_client_that_has_gone_harms_nobody(running: Rig) -> None:
    running.disk.write_text("0.3")
    with RawClient(running) as client:
        client.send(act(1, "sign-in", DEALER, "411123", operation="table"))
    running.until(lambda status: bool(status["present"]))
    assert running.child is not None
    assert running.child.poll() is None


def test_an_end_while_somebody_waits_for_an_answer_is_no_crash(running: Rig) -> None:
    running.disk.write_text("600")
    with RawClient(running) as client:
        client.send(act(1, "sign-in", DEALER, "411123", operation="table"))
        client.socket.shutdown(socket.SHUT_WR)
        running.until(lambda status: status["journal"]["waiting"] > 0)
        assert running.stop()[0] == 0
    assert [line for line in running.log_lines() if line["event"] == "crashed"] == []


def test_those_who_wait_are_told_at_the_end(running: Rig) -> None:
    running.act("sign-in", DEALER, operation="table")
    running.disk.write_text("hangs")
    assert running.child is not None
    with RawClient(running) as client:
        client.send(act(1, "open-session"))
        running.until(lambda status: status["session"] == "opened")
        running.child.send_signal(signal.SIGTERM)
        running.disk.write_text("0")
        answer = client.hear()
        assert running.child.wait(WITHIN_S) == 0
    assert answer is not None
    assert answer["ok"]
