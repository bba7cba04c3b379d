"""`sabot-sim train`: a scripted dealer practises through the socket, and sees his mistakes by kind."""

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from controller.core.words import Role
from simulators.demo.line import Line
from simulators.demo.segments import SegmentTail
from tests.demo.evenings import PLAYS_S, ROOT, SIM, WARM
from tests.endings import HANGS_S
from tests.waiting import wait_for, whole_lines

pytestmark = pytest.mark.waits

DEALER = 12
DEAL = ("--drill", "deal")
LEFT_TO_OTHERS = frozenset({"rule-on-spin"})
"""Acts whose second half the script's room manager gives, too: he may do so while the trainee's PIN is checked."""


AT_ONE_PRESS = {"confirm-settled": "collect-cards"}
"""For an act the further act that the page's button states with it, before hands have done their part."""


def _is_done(act: str, values: dict[str, str], shown: dict[str, Any]) -> bool:
    """True if the act for this player is done already; the table may still offer the act for another player.

    The program names an act anew in each state, and the display's reports change the state while the act waits.
    """
    if act not in {"give-colour", "confirm-value"}:
        return False
    confirmed = {str(one["player"]): one["confirmed"] for one in shown["wheel"]["players"]}
    return confirmed.get(values["player"], False) if act == "confirm-value" else values["player"] in confirmed


class Trainee:
    """A dealer who does the deeds that the program names, and some mistakes besides."""

    def __init__(self, directory: Path, *words: str) -> None:
        self.log, self.out = directory.with_suffix(".log"), directory.with_suffix(".json")
        words = (*WARM, "train", *(words or DEAL), "--seed", "7", "--json", "--state-dir", str(directory))
        with self.log.open("wb") as log, self.out.open("wb") as out:
            self.process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=log)
        self.table = directory / "table-1"
        self.pin = self._pin()
        self.line, self.told = Line(self.table / "control.sock"), 0
        self._tail, self._done = SegmentTail(self.table / "journal"), list[str]()

    def _pin(self) -> str:
        try:
            lines = wait_for(
                lambda: [line for line in whole_lines(self.log) if line.startswith("you: ")],
                self.log.read_text,
                PLAYS_S,
            )
        except AssertionError:
            self.process.terminate()
            self.process.wait(HANGS_S)
            raise
        return lines[0].split()[3]

    def turn(self) -> None:
        """Does what he was told, in order, and waits where the display has still to show a player's value."""
        turns = [line for line in whole_lines(self.log) if line.startswith(f"your turn: {DEALER} ")]
        for line in turns[self.told :]:
            act, *words = line.split()[3:]
            values = dict(word.split("=", 1) for word in words)
            if (shown := self.status()) is None:
                return
            if act == "confirm-value" and not all(one["shown"] == one["value"] for one in shown["wheel"]["players"]):
                return
            self.told += 1
            is_offered = any(act == one["act"] and Role.DEALER in one["who"] for one in shown["next"])
            if is_offered and act not in LEFT_TO_OTHERS and not _is_done(act, values, shown):
                self.press(act, values)

    def press(self, act: str, values: dict[str, str]) -> None:
        """Asks for an act, and for the act that the page states with it before the program's hands look again."""
        if act not in AT_ONE_PRESS:
            self.act(act, **values)
            return
        self.process.send_signal(signal.SIGSTOP)
        try:
            self.act(act, **values)
            self.act(AT_ONE_PRESS[act])
        finally:
            self.process.send_signal(signal.SIGCONT)

    def status(self) -> dict[str, Any] | None:
        """The status; None once the controller has ended."""
        document = self.line.status()
        return None if document is None else json.loads(document)

    def act(self, name: str, **values: str) -> None:
        """Asks for the act, and waits until the status has it: an older status still offers the act."""
        answer = self.line.act(name, DEALER, self.pin, values)
        if answer is not None:
            self.line.wait_until_known(answer)

    def done(self) -> list[str]:
        self._done += [one.kind for one in self._tail.new_entries() if not one.refused]
        return self._done

    def until(self, act: str, times: int = 1) -> None:
        def has_come() -> bool:
            self.turn()
            return self.done().count(act) >= times

        wait_for(has_come, self.log.read_text, within_s=PLAYS_S)

    def plays_on(self) -> bool:
        """Does what he was told; False once the program has ended by itself."""
        if self.process.poll() is None:
            self.turn()
        return self.process.poll() is None

    def end(self) -> dict[str, Any]:
        self.process.send_signal(signal.SIGINT)
        return self.result()

    def result(self) -> dict[str, Any]:
        self.line.hang_up()
        assert self.process.wait(HANGS_S) == 0, self.log.read_text()
        document: dict[str, Any] = json.loads(self.out.read_text())
        return document

    def cards(self) -> list[object]:
        journal = SegmentTail(self.table / "journal").new_entries()
        return [one.body.get("card") for one in journal if one.kind == "card-read"]


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
def test_a_dealer_sees_his_mistakes_by_kind_and_the_same_seed_gives_the_same_cards(tmp_path: Path) -> None:
    first, second = (Trainee(tmp_path / name) for name in ("first", "second"))
    try:
        first.until("open-session")
        first.act("indicate-closing")
        first.until("take-bets")
        first.act("take-bets", seats="9")
        for one in (first, second):
            one.until("collect-cards")
        results = [one.end() for one in (first, second)]
    finally:
        for one in (first, second):
            one.process.terminate()
            one.process.wait(HANGS_S)
    assert first.log.read_text().startswith("PRACTICE")
    assert 'id = "PRACTICE"' in (first.table / "table.toml").read_text()
    found = results[0]
    assert found["mistakes"] == {"too-early": 1, "wrong-seat": 1}
    assert [(one["act"], one["clause"]) for one in found["refusals"]] == [
        ("indicate-closing", None),
        ("take-bets", "pt.bj.2"),
    ]
    assert all(one["reason"] and one["remedy"] for one in found["refusals"])
    assert (found["rounds"], found["last"]) == (1, None)
    assert json.loads((first.table.parent / "results.json").read_text())[0]["acts"] == found["acts"]
    cards = [one.cards() for one in (first, second)]
    assert len(cards[0]) >= 4
    assert cards[0] == cards[1]


WHEEL = ("--profile", "pt-roulette")


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
@pytest.mark.parametrize(
    ("words", "acts", "ends"),
    [
        (("--drill", "hands"), ("place-bet", "confirm-settled"), "collect-cards"),
        (("--drill", "pay"), ("confirm-settled",), "collect-cards"),
        (("--drill", "split"), ("split-pair",), "collect-cards"),
        (("--drill", "insurance"), ("insure",), "collect-cards"),
        (("--drill", "jam"), ("attend-hold", "confirm-hold"), "collect-cards"),
        ((*WHEEL, "--drill", "wheel"), ("give-colour", "place-chips", "pay-prizes"), "confirm-payments"),
    ],
    ids=lambda one: one[-1] if isinstance(one, tuple) and one[0].startswith("--") else "",
)
def test_each_drill_is_played_through(tmp_path: Path, words: tuple[str, ...], acts: tuple[str, ...], ends: str) -> None:
    """A drill's subject comes in its first rounds, and each drill ends with the dealer's own last act."""
    dealer = Trainee(tmp_path / "drill", *words)
    try:
        for act in acts:
            dealer.until(act)
        before = dealer.done().count(ends)
        dealer.until(ends, before + 1)
        found = dealer.end()
    finally:
        dealer.process.terminate()
        dealer.process.wait(HANGS_S)
    assert found["rounds"] == before + 1
    assert found["drill"] == words[-1]
    assert found["seconds_a_round"] > 0
    assert found["level"] == 1
    assert found["mistakes"] == {}
    assert (found["errors"], found["is_broken_off"], found["seed"]) == (0, True, 7)


def test_a_practice_that_ends_in_its_first_second_has_a_result(tmp_path: Path) -> None:
    """A list without mistakes leads to the usual drill, and to a sentence that says why."""
    (tmp_path / "none.json").write_text('{"mistakes": []}')
    log, out = tmp_path / "log", tmp_path / "out"
    words = (
        *SIM,
        "train",
        "--json",
        "--state-dir",
        str(tmp_path / "drill"),
        "--from-journal",
        str(tmp_path / "none.json"),
    )
    with log.open("wb") as told, out.open("wb") as shown:
        process = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=shown, stderr=told)
    try:
        wait_for(lambda: "PRACTICE" in log.read_text(), log.read_text)
        process.send_signal(signal.SIGINT)
        assert process.wait(HANGS_S) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()
    assert "has no mistakes to practise" in " ".join(log.read_text().split())
    assert "Traceback" not in log.read_text()
    found = json.loads(out.read_text())
    assert (found["drill"], found["acts"], found["is_broken_off"]) == ("deal", 0, True)


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
@pytest.mark.parametrize("drill", ["pay", "insurance"])
def test_a_whole_drill_at_a_shoe_ends_by_itself(tmp_path: Path, drill: str) -> None:
    """The page states settlement and collection at one press: the hands collect the cards afterwards."""
    dealer = Trainee(tmp_path / "drill", "--profile", "pt-shoe", "--drill", drill)
    try:
        wait_for(lambda: not dealer.plays_on(), dealer.log.read_text, within_s=PLAYS_S)
        found = dealer.result()
    finally:
        dealer.process.terminate()
        dealer.process.wait(HANGS_S)
    assert (found["rounds"], found["is_broken_off"], found["profile"]) == (10, False, "pt-shoe")
    assert found["mistakes"] == {}
