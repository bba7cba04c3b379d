"""Each written scenario is a test of its own; a spoiled one fails."""

from functools import cache
from pathlib import Path

import pytest

from controller.catalogue import Language, has_key, sentence
from controller.scenario.play import Begun, Played, play
from controller.scenario.text import Scenario, read_scenarios

FILES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.txt"))
BEGUN = Begun()


@cache
def scenarios(path: Path) -> list[Scenario]:
    found, mistakes = read_scenarios(path.read_text("utf-8"))
    assert mistakes == []
    return found


@cache
def played(path: Path, name: str) -> Played:
    """Played once for all tests in this process: each alone, and the states of the scenarios (reached.py)."""
    (one,) = (one for one in scenarios(path) if one.id == name)
    return play(one, begun=BEGUN)


def told(played: Played) -> str:
    if played.failure is None:
        return ""
    key, values = f"scenario.{played.failure.what}", played.failure.values
    wrong = [sentence(one.wrong.key, one.wrong.values, Language.EN) for one in played.failure.problems]
    return f"line {played.failure.line}: {' '.join((sentence(key, values, Language.EN), *wrong))}"


@pytest.mark.parametrize(
    ("path", "scenario"),
    [pytest.param(path, one, id=f"{path.stem}-{one.id}") for path in FILES for one in scenarios(path)],
)
def test_scenario(path: Path, scenario: Scenario) -> None:
    assert told(played(path, scenario.id)) == ""
    assert scenario.clauses or scenario.rules, "a scenario names the clauses that it shows, or rules of ours"


def test_what_begins_alike_is_played_on_from_there_as_if_it_were_alone() -> None:
    """The texts include two people who ask for the same act, and a first act that is refused."""
    texts = (
        "given loaded\nwhen draw\nthen inside 311",
        "given loaded\nwhen chief: sign-in operation=table\nthen refused",
        "given loaded\nthen inside 312",
        "given chief: sign-in operation=table\nthen no-hold",
        "given dealer: sign-in operation=table\nthen no-hold",
        "when dealer: sign-in operation=table\nthen no-hold",
    )
    read = [read_scenarios(f"scenario X one\n{text}")[0][0] for text in texts]
    begun = Begun()
    alone = [play(one) for one in read]
    for _time in range(2):
        assert [play(one, begun=begun) for one in read] == alone
    assert [one.failure is None for one in alone] == [True, True, True, False, True, True]


def play_text(text: str) -> str:
    found, mistakes = read_scenarios("scenario X one\n" + text)
    assert [one for one in mistakes if one.what != "no-then"] == []
    played = play(found[0])
    if played.failure is not None:
        assert has_key(f"scenario.{played.failure.what}")
    return told(played)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("given loaded\nthen inside 311", "line 3: wanted: inside 311; found: 312."),
        ("given loaded\nthen hold jam", "line 3: wanted: hold jam; found: -."),
        ("given in-play\njam mouth\nthen no-hold", "line 4: wanted: no-hold; found: jam."),
        ("given in-play\njam mouth\nthen hold jam cleared", "line 4: wanted: hold jam cleared; found: jam raised."),
        (
            "given mixed\nwhen dealer: begin-loading\nwhen wait 1",
            "line 3: begin-loading was refused: supervisor_is_present",
        ),
        (
            "given mixed\nwhen dealer: begin-loading",
            "line 3: begin-loading was refused: supervisor_is_present",
        ),
        (
            "given mixed\nwhen dealer: begin-loading\nthen session loading",
            "line 3: begin-loading was refused: supervisor_is_present",
        ),
        ("given mixed\nthen refused", "line 3: wanted: refused; found: allowed."),
        ("given loaded\nwhen deal 1", "line 3: announce-no-more-bets was refused inside a shorthand: burn_is_done"),
        ("given in-play\nwhen draw", "line 3: The mouth is locked: no card can be drawn."),
        ("given in-play\nwhen feed 1", "line 3: The feed is closed: no card can be put in."),
        ("given in-play\nwhen unload 1", "line 3: The machine does not unload."),
        ("missing 2C", "line 2: missing stands in another part"),
        ("given\nmissing 2C 2C 2C 2C 2C 2C 2C", "line 3: No such card is there: 2C."),
        ("given\nmissing 2C\nloaded", "line 4: loaded: no card is left to be put in or taken out"),
        ("set decks 5\ngiven mixed", "line 1: The configuration is refused: pt.bj.3a."),
        ("profile pt-roulette\nset min_packets 3\ngiven in-play", "refused: parameters.min_packets."),
        ("set decks 5\nthen configuration-accepted", "line 3: wanted: configuration-accepted; found: pt.bj.3a."),
        ("set decks 4\nthen configuration-refused pt.bj.3a", "found: accepted."),
        (
            "set decks 5\nset seats 5\nthen configuration-refused pt.bj.3a",
            "wanted: configuration-refused pt.bj.3a; found: pt.bj.3a pt.bj.2.",
        ),
        (
            "set jackpot manual\nprize 1 7-7-suited 0.00\nprize 2 7-7-7 rest\nthen configuration-accepted",
            "found: jackpot.prizes. 7-7-suited pays 0.00: nothing, more than the pool begins with (10000.00)",
        ),
        (
            "set jackpot manual\ngiven reconfigured jackpot_bet 2.00\nthen jackpot-bet 2.00",
            "line 3: The controller does not start: the configuration is refused (pt.bj.44). 10000.00 is less than",
        ),
        ("given in-play\nthen may begin-loading", "wanted: may begin-loading; found: loading_is_not_done_yet"),
        ("given in-play\nthen may-not take-bets", "wanted: may-not take-bets; found: allowed."),
        ("given in-play\ndeal 1\nthen bank 2C 3C", "wanted: bank 2C 3C; found: 3C hidden."),
    ],
)
def test_what_does_not_come_true_is_said_with_its_line(text: str, message: str) -> None:
    if text.startswith("missing"):
        _found, mistakes = read_scenarios("scenario X one\n" + text)
        assert [(one.line, one.what) for one in mistakes] == [(2, "other-part"), (1, "no-then")]
    else:
        assert message in play_text(text)


def test_to_the_end_every_fact_is_told_and_what_became_of_each_line() -> None:
    story = "given in-play\nwhen dealer: begin-loading\nthen refused\nsession loaded\ninside 3\nwhen draw\nthen rack 9"
    text = f"scenario X one\n{story}"
    played = play(read_scenarios(text)[0][0], to_the_end=True)
    assert [(one.line, one.what) for one in played.failures] == [
        (5, "failed.otherwise"),
        (6, "failed.otherwise"),
        (7, "stopped.mouth-is-locked"),
    ]
    assert [(one.line.number, one.refusal is None, one.owed) for one in played.trace] == [
        (2, True, "nothing"),
        (3, False, "nothing"),
        (7, True, "nothing"),
    ]


def test_every_event_goes_through_the_core_and_is_told() -> None:
    found, _mistakes = read_scenarios("scenario X one\ngiven loaded")
    kinds = [type(event).__name__ for event in play(found[0]).events]
    assert kinds[:3] == ["ControllerStarted", "DeviceConnected", "DeviceConnected"]
    assert kinds.count("CardCountedIn") == 312
    assert kinds.count("OpenPacket") == 2


def test_a_hole_card_is_turned_by_its_seal_and_a_wrong_face_holds() -> None:
    dealt = "given in-play\ndeal 1\n"
    assert play_text(dealt + "when dealer: turn-hole-card\nthen bank 3C 5C") == ""
    assert play_text(dealt + "when dealer: turn-hole-card card=KH\nthen hold unexpected-card raised") == ""
