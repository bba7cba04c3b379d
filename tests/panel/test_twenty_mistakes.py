"""Twenty wrong touches at the screen: two people at the table correct each with what the page offers.

The list was written before the corrections were known; `tests/scenarios/twenty_mistakes.txt` has the same mistakes.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import pytest

from controller.catalogue import Language
from controller.panel.banner import banner
from controller.panel.hold_offers import agreements
from controller.panel.moment import Moment
from controller.panel.offers import pressable
from controller.panel.stakes import stakes_of
from controller.runtime.game import game_of
from controller.screen.log_entries import entry_choices
from controller.screen.offers import offered_values
from controller.screen.status import waiting_status
from tests.panel.dealt import Dealt
from tests.panel.spun import Spun

Played: TypeAlias = Dealt | Spun

WITHIN_S: Final = 15
PIN_S: Final = 4
TYPED: Final = frozenset({"amount"})
"""The values that are typed with one touch a digit; every other value has a tile to touch."""


@dataclass(frozen=True)
class Mistake:
    """A mistake and its correction. `played`: the acts up to and with the mistake. `right`: the acts that correct it.

    `shows`: the headline after the correction. In a line `both` is dealer, then chief supervisor; `chief+` the reverse.
    """

    name: str
    table: Callable[[], Played]
    played: tuple[str, ...]
    right: tuple[str, ...]
    shows: str


def dealt(cards: str, profile: str = "pt-csm", **settings: str) -> Callable[[], Dealt]:
    def made() -> Dealt:
        table = Dealt(profile, **settings)
        table.cards, table.lays_back, table.waits = cards.split(), False, not cards
        return table

    return made


def spun(*numbers: int, **settings: str) -> Callable[[], Spun]:
    return lambda: Spun(*numbers, **settings)


BETS: Final = ("place-bet seat=1 amount=10", "place-bet seat=3 amount=20", "announce-no-more-bets")
HIGH: Final = ("place-bet seat=1 amount=100", "place-bet seat=3 amount=200", "announce-no-more-bets")
CHIPS: Final = (
    "give-colour player=1 colour=red value=10",
    "confirm-value player=1",
    "place-chips player=1 bet=straight-17 chips=1",
    "place-chips player=1 bet=red chips=1",
)
CLOSED: Final = ("launch-ball clockwise=yes", "announce-nothing-more")
RULED: Final = ("contest-spin", "chief+ rule-on-spin outcome=number-stands number=27")

MISTAKES: Final = (
    Mistake("TM-01", dealt("9S 8H 7D 5C KD QD"), BETS, ("both correct-entry entry=1 amount=100",), "SEAT 1?"),
    Mistake(
        "TM-02",
        dealt("9S 8H 7D 5C KD QD"),
        ("place-bet seat=2 amount=10", *BETS[1:]),
        ("both correct-entry entry=1 seat=1",),
        "SEAT 1?",
    ),
    Mistake(
        "TM-03",
        dealt("9S 8H 7D 5C 4D QD KH"),
        (*BETS, "draw-card seat=1"),
        ("report-misdealt seen=yes", "stand seat=1"),
        "SEAT 3?",
    ),
    Mistake("TM-04", dealt("9S 8H 7D 5C KD QD"), (*BETS, "stand seat=1"), ("both correct-entry entry=4",), "SEAT 1?"),
    Mistake(
        "TM-05",
        dealt("6S 8H 7D 5C KD QD 2D"),
        (*BETS, "double-down seat=1"),
        ("both correct-entry entry=4 instead=draw-card",),
        "SEAT 1?",
    ),
    Mistake(
        "TM-06", dealt("8S 8H 7D 8C KD QD"), (*BETS, "split-pair seat=1"), ("both correct-entry entry=4",), "SEAT 1?"
    ),
    Mistake(
        "TM-07",
        dealt("8S 8H AD 9C KD QD"),
        (*BETS, "insure seat=1 amount=5"),
        ("both correct-entry entry=4 seat=3",),
        "SEAT 1?",
    ),
    Mistake(
        "TM-08",
        dealt("AS 8H AD KC KD QD"),
        (*BETS, "take-even-money seat=1"),
        ("both correct-entry entry=4", "both confirm-differences"),
        "SEAT 3?",
    ),
    Mistake(
        "TM-09",
        dealt("9S 4H 7D 8C 3D QD 2D"),
        (*BETS, "draw-card seat=1"),
        ("report-misdealt seen=no", "stand seat=1", "draw-card seat=3"),
        "SEAT 3?",
    ),
    Mistake(
        "TM-10",
        dealt("10S 8H 7D 8C KD QD"),
        (*BETS, "stand seat=1", "stand seat=3", "turn-hole-card", "confirm-settled", "collect-cards"),
        ("both correct-entry entry=8 also=7", "both confirm-differences"),
        "PAY",
    ),
    Mistake(
        "TM-11",
        dealt("9S 8H 7D 8C KD QD"),
        (*BETS, "report-damaged-card card=9S"),
        ("both correct-entry entry=4",),
        "SEAT 1?",
    ),
    Mistake(
        "TM-12",
        dealt("9S 8H 7D 8C KD QD", jackpot="manual"),
        (*BETS[:2], "place-jackpot-bet seat=1", BETS[2], "collect-jackpot-bets"),
        ("both correct-entry entry=3 seat=3",),
        "SEAT 1?",
    ),
    Mistake(
        "TM-13",
        dealt("9S 8H 7D 7C KD", "mo-shoe"),
        (*HIGH, "surrender seat=1"),
        ("both correct-entry entry=4 seat=3", "both confirm-differences"),
        "SEAT 1?",
    ),
    Mistake("TM-14", dealt("", "mo-shoe"), HIGH, ("both correct-entry entry=3",), "BETS"),
    Mistake(
        "TM-15",
        dealt("9S 8H AD 7C KD", "mo-shoe"),
        (*HIGH, "insure seat=1 amount=100 accepted=yes"),
        ("both correct-entry entry=4 amount=50",),
        "SEAT 1?",
    ),
    Mistake(
        "TM-16",
        spun(27),
        (*CHIPS, *CLOSED),
        ("both correct-spin-entry entry=1 bet=straight-27",),
        "27 RED",
    ),
    Mistake(
        "TM-17",
        spun(wheel="no"),
        (*CHIPS, *CLOSED, "announce-number number=17"),
        (*RULED, "announce-number number=27"),
        "27 RED",
    ),
    Mistake("TM-18", spun(), (*CHIPS, CLOSED[0], "declare-null-spin"), RULED, "27 RED"),
    Mistake(
        "TM-19",
        spun(27),
        (*CHIPS, *CLOSED, "announce-number number=27", "pay-prizes group=simple"),
        ("both correct-spin-entry entry=6", "both confirm-differences"),
        "27 RED",
    ),
    Mistake("TM-20", spun(wheel="no"), (*CHIPS, *CLOSED), ("both correct-spin-entry entry=4",), "BALL RUNS"),
)


def moment(table: Played) -> Moment:
    status = table.status
    stakes = stakes_of(status.money)
    return Moment(status, True, (), frozenset({"dealer"}), faces=tuple(table.hands), stakes=stakes)


def parts(line: str) -> tuple[tuple[str, ...], str, dict[str, str]]:
    """The parts of a line: the roles that ask, one after the other; the act; the act's values."""
    first, _, rest = line.partition(" ")
    who = {"both": ("dealer", "chief_supervisor"), "chief+": ("chief_supervisor", "dealer")}.get(first, ("dealer",))
    act, *values = (rest if first in {"both", "chief+"} else line).split()
    return who, act, dict(value.split("=") for value in values)


def chosen(table: Played, act: str) -> dict[str, str]:
    """The values that the act's form has before any touch."""
    game, state = game_of(table.profile), table.player.state
    rule = game.registry.act_named[act]
    offered = offered_values(game.screen().offers, state, rule, Language.EN, allowed=True)
    return {one.name: one.default for one in offered.values if one.default is not None}


def seconds(table: Played, act: str, values: dict[str, str]) -> int:
    """The number of touches, a second each: one on the page; or to open the form, to enter values, and to send it."""
    about = moment(table)
    on_the_page = pressable(about)
    if any((act, values) in offer.steps for offer in on_the_page):
        return 1
    assert about.may(act), act
    has_form = any(offer.asks == act and not offer.known for offer in on_the_page)
    touched = {name: text for name, text in values.items() if chosen(table, act).get(name) != text}
    signs = sum(len(text) if name in TYPED else 1 + text.count(",") for name, text in touched.items())
    return (1 if has_form else 2) + signs + bool(values)


def asks(table: Played, act: str, values: dict[str, str], role: str) -> None:
    is_wheel = isinstance(table, Spun)
    reason = table.ask(act, values, "chief" if is_wheel and role == "chief_supervisor" else role)
    assert (act, reason) == (act, "")


def told(table: Played, act: str, values: dict[str, str]) -> None:
    """Checks that the second person has a button to agree and reads in each language which entry is meant."""
    (button,) = agreements(moment(table))
    assert button.steps[0][0] == act
    game, state = game_of(table.profile), table.player.state
    for language in Language:
        (waits,) = waiting_status(game, state, language)
        listed = {one.value: one.label for one in entry_choices(state, "entry", {}, [], language)}
        assert listed.get(values.get("entry", ""), "") in waits.text


def put_right(mistake: Mistake) -> Iterator[int]:
    """Plays the mistake and its correction, and checks the table at the end; yields the seconds of each request."""
    table = mistake.table()
    for line in mistake.played:
        who, act, values = parts(line)
        asks(table, act, values, who[0])
    for line in mistake.right:
        who, act, values = parts(line)
        yield seconds(table, act, values) + (PIN_S if who[0] != "dealer" else 0)
        asks(table, act, values, who[0])
        for second in who[1:]:
            told(table, act, values)
            yield 1 + PIN_S
            asks(table, act, values, second)
    assert banner(moment(table), Language.EN).headline == mistake.shows
    assert (table.status.waiting, table.status.differences) == ([], [])
    house = table.player.state.house
    assert (house.holds, house.tally.voided) == ((), 0)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda one: one.name)
def test_a_mistake_is_put_right(mistake: Mistake) -> None:
    """Two people correct each mistake: no round becomes void, and the table goes on where it was."""
    assert sum(put_right(mistake)) <= WITHIN_S
