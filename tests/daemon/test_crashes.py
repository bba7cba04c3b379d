"""No PIN, card or value of an act leaves in a crash: each place crashes once, and the test searches every output."""

import http.client
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.core.words import Role
from controller.machine.crash import MOST_ERRORS, MOST_PLACES, told_of
from controller.staff import save_staff
from tests.daemon.rig import ROOT, WITHIN_S, Rig, Status, staff_book
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

PIN, CARD, VALUE = "918273", "QD", "REFERENCE-77341"
VALUES = f"{PIN} {CARD} {VALUE}"
SECRET = re.compile(rf"{PIN}|\b{CARD}\b|{VALUE}".encode())
ELSEWHERE = 31

Happens = Callable[[Rig], None]


def an_act(rig: Rig) -> None:
    """Asks for acts with a PIN, a value and a card, and expects no answer."""
    acts = (("record-authorisation", {"reference": VALUE}), ("report-damaged-card", {"card": CARD}))
    asked = ({"do": "act", "act": act, "person": ELSEWHERE, "pin": PIN, "values": values} for act, values in acts)
    with rig.client() as client:  # in one piece: a crashed controller reads no more
        client._socket.sendall(b"".join(json.dumps(one).encode() + b"\n" for one in asked))
        wait_for_crash(rig)


def a_card(rig: Rig) -> None:
    rig.host.call(lambda now_s: rig.shoe.card_passed(CARD, now_s))
    wait_for_crash(rig)


def wait_for_crash(rig: Rig) -> None:
    wait_for(lambda: crashes(rig), rig.log.read_text)


def crashes(rig: Rig) -> list[Status]:
    return [line for line in rig.log_lines() if line["event"] == "crashed"]


PLACES: dict[str, Happens] = {
    # a PIN and an act's values on their way in
    "controller.daemon.clients:decode_request": an_act,
    "controller.daemon.gate_requests:GateRequests.act": an_act,
    "controller.runtime.gate:parse_values": an_act,
    "controller.daemon.pins:PinChecker.start": an_act,
    "controller.staff.book:StaffBook.verify": an_act,
    "controller.runtime.gate:Gate.checked": an_act,
    # an act decided, recorded, answered
    "controller.runtime.kernel:decide_by": an_act,
    "controller.runtime.kernel:encode_recorded": an_act,
    "controller.journal.writer:perform": an_act,
    "controller.daemon.speaker:canonical_digest": an_act,
    # a card on its way in
    "drivers.tdp_driver:TdpDriver.receive_data": a_card,
    "controller.games.intake:Intake.fact": a_card,
    "controller.games.faces:Faces.identify": a_card,
    "controller.journal.seals:SealStore.seal": a_card,
}

BESIDE = {"controller.staff.book:StaffBook.verify"}
"""Places in a thread whose crash the controller survives; a crash in any other place ends it with exit code 1."""


@pytest.fixture
def crashing(rig: Rig) -> Rig:
    person = (ELSEWHERE, "Person", Role.CHIEF_SUPERVISOR, PIN)
    save_staff(staff_book().with_person(*person), rig.directory / "staff.toml")
    return rig


def start(rig: Rig, place: str) -> Path:
    """Starts a controller that will crash at `place`; returns the file that triggers the crash."""
    now = rig.directory / "crash-now"
    rig.start(SABOT_TEST_CRASH=place, SABOT_TEST_CRASH_NOW=str(now))
    rig.connected()
    return now


def outputs(rig: Rig) -> dict[str, bytes]:
    """The content of every file of the run, also of a core dump; without the journal, which has the acts.

    Keys and the staff file are left out, since they are input: their random bytes and hashes have the card's two
    letters as a word in one of some thousand runs.
    """
    own = {rig.journal, rig.directory / "crash-now", rig.directory / "staff.toml", *rig.directory.glob("*.key")}
    found = (path for path in rig.directory.rglob("*") if path.is_file() and own.isdisjoint({path, path.parent}))
    return {path.name: path.read_bytes() for path in found}


@pytest.mark.parametrize("place", PLACES)
def test_a_crash_tells_where_it_was_and_no_value(crashing: Rig, place: str) -> None:
    start(crashing, place).write_text(VALUES)
    PLACES[place](crashing)
    assert crashing.child is not None
    assert (crashing.stop()[0] if place in BESIDE else crashing.child.wait(WITHIN_S)) == (place not in BESIDE)
    assert not [name for name, data in outputs(crashing).items() if SECRET.search(data)]
    (crashed,) = crashes(crashing)
    assert [one["error"] for one in crashed["errors"]] == ["RuntimeError", "KeyError"]
    assert any("tests/daemon/child.py" in where for where in crashed["errors"][0]["places"])
    # The journal has the acts, and no face of this card; its digests have the two letters without the quotes.
    kept = PIN if PLACES[place] is an_act else f'"{CARD}"'
    assert not [path for path in crashing.journal.iterdir() if re.search(kept.encode(), path.read_bytes())]


def test_a_crash_on_a_terminal_tells_no_value_either(crashing: Rig) -> None:
    reading, writing = pty.openpty()
    crashing._stderr = writing
    now = start(crashing, "controller.runtime.kernel:decide_by")
    now.write_text(VALUES)
    with crashing.client() as client:
        line = {"do": "act", "act": "record-authorisation", "person": ELSEWHERE, "pin": PIN, "values": {}}
        client._socket.sendall(json.dumps(line | {"values": {"reference": VALUE}}).encode() + b"\n")
        assert crashing.child is not None
        assert crashing.child.wait(WITHIN_S) == 1
    os.set_blocking(reading, False)
    told = os.read(reading, 1 << 20)
    os.close(writing)
    os.close(reading)
    assert b"crashed" in told
    assert not SECRET.search(told)


@contextmanager
def panel(rig: Rig, place: str, now: Path) -> Iterator[http.client.HTTPConnection]:
    """Runs a panel that will crash at `place` once the file `now` exists; yields a connection to the panel."""
    environment = os.environ | {"SABOT_TEST_CRASH": place, "SABOT_TEST_CRASH_NOW": str(now), "SABOT_TEST_DISK": ""}
    command = [sys.executable, "-m", "tests.daemon.child", "panel", "--config", str(rig.config), "--port", "0"]
    with (
        rig.log.open("ab") as log,
        subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=log, text=True) as child,
    ):
        assert child.stdout is not None
        port = int(child.stdout.readline().rstrip("/\n").rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=WITHIN_S)
        try:
            yield connection
        finally:
            connection.close()
            child.terminate()


@pytest.mark.parametrize("place", ["controller.panel.press:Presses.pin", "controller.panel.browsers:Browsers.wake"])
def test_a_crash_of_the_panel_tells_no_value_either(crashing: Rig, place: str) -> None:
    """No output has a secret value after a panel's crash in a request, or in a task whose outcome no code awaits."""
    crashing.start()
    crashing.connected()
    now = crashing.directory / "crash-now"
    with panel(crashing, place, now) as connection:
        connection.request("GET", "/")
        answer = connection.getresponse()
        answer.read()
        cookie = answer.headers["set-cookie"].partition(";")[0]
        now.write_text(VALUES)
        headers = {"X-Sabot": "1", "Sec-Fetch-Site": "same-origin", "Cookie": cookie}
        connection.request("POST", "/pin", f"pin={PIN}", headers)
        connection.getresponse().read()
        wait_for_crash(crashing)
    assert not [name for name, data in outputs(crashing).items() if SECRET.search(data)]


def test_a_crash_while_the_journal_is_read_at_the_start_tells_no_value(crashing: Rig) -> None:
    crashing.start()
    crashing.connected()
    crashing.act("record-authorisation", ELSEWHERE, PIN, reference=VALUE)
    crashing.stop()
    now = crashing.directory / "crash-now"
    now.write_text(VALUES)
    crashing.log.unlink()
    environment = {"SABOT_TEST_CRASH": "controller.runtime.boot:fold", "SABOT_TEST_CRASH_NOW": str(now)}
    crashing._spawn(**environment)
    assert crashing.child is not None
    assert crashing.child.wait(WITHIN_S) == 1
    told = crashing.log.read_bytes()
    assert b'"event": "crashed"' in told
    assert not SECRET.search(told)


IN_A_COMMAND = """
import sys, threading
from controller.cli import act
from controller.cli.main import main

def run(arguments, talk):
    pin = "{pin}"
    class Kept:
        def __del__(self):
            raise RuntimeError(pin)
    Kept()
    thread = threading.Thread(target=lambda: int(pin + "x"))
    thread.start()
    thread.join()
    raise ExceptionGroup(pin, [ValueError(pin)])

act.run = run
sys.argv = ["sabot", "act", "sign-in"]
main()
"""


def test_a_crash_of_a_command_tells_no_value_wherever_it_is_raised() -> None:
    command = [sys.executable, "-c", IN_A_COMMAND.format(pin=PIN)]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=WITHIN_S)
    assert done.returncode == 1
    assert not SECRET.search(done.stdout + done.stderr)
    told = [[one["error"] for one in json.loads(line)["errors"]] for line in done.stderr.splitlines()]
    assert told == [["RuntimeError"], ["ValueError"], ["ExceptionGroup", "ValueError"]]


def test_a_process_that_dies_leaves_no_core(crashing: Rig) -> None:
    crashing.start()
    crashing.connected()
    assert crashing.child is not None
    limits = Path(f"/proc/{crashing.child.pid}/limits").read_text()
    assert re.search(r"^Max core file size +[01] +[01] ", limits, re.MULTILINE), limits
    crashing.stop(signal.SIGSEGV)
    assert "core dumped" not in crashing.log.read_text()


def test_what_is_told_of_an_endless_recursion_and_an_endless_chain_is_short() -> None:
    def again() -> None:
        again()

    with pytest.raises(RecursionError) as deep:
        again()
    assert len(told_of(deep.value)[0]["places"]) == MOST_PLACES
    chain = first = OSError(28, PIN)
    for _ in range(100):
        chain.__cause__ = chain = KeyError(PIN)
    chain.__cause__ = first
    told = told_of(first)
    assert len(told) == MOST_ERRORS
    assert told[0] == {"error": "OSError", "errno": "ENOSPC", "places": []}
