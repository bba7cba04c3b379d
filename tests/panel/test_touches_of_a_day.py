"""Every touch of an opening, a round and a jam is one of the list, in each way in which a supervisor gives his word."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from simulators.devices.faults import Jam, Spot
from tests.daemon.rig import CHIEF, DEALER
from tests.panel.at_hand import AtHand
from tests.panel.conftest import OpenScreen
from tests.panel.screen import Screen
from tests.panel.touches import JAM, OPENING, ROUND, Touched, Way

pytestmark = pytest.mark.waits

SIZES = ((1280, 800), (800, 480))
KINDS = {
    f"{way.name.lower()}-{size[0]}x{size[1]}-{language}": (way, size, language)
    for way, size, language in product(Way, SIZES, ("pt", "en"))
}
JAMS_AT = 14
"""The card at the mouth that jams: one of the second round."""

MOST_DRAWN = 9
"""More cards than a bank can draw; each of its cards is a touch more."""

COUNTS = """() => {
  const ask = window.fetch;
  let last = '';
  window.touched = [];
  document.addEventListener('pointerdown', (event) => {
    const one = event.target.closest('button');
    if (one && one.dataset.key) window.touched.push('');
    else if (one) last = one.id.replace(/^b-/, '');
  }, true);
  window.fetch = (...given) => { if (given[0] === '/press') window.touched.push(last); return ask(...given); };
}"""
"""Lists each touch that the page takes: the button's name, or "" for a key of the PIN pad."""


@pytest.fixture
def table(tmp_path: Path, forked_panels: None) -> Iterator[AtHand]:
    table = AtHand(tmp_path / "table", Jam(at=JAMS_AT, spot=Spot.MOUTH))
    yield table
    table.end()


@dataclass
class People:
    """Dealer and chief supervisor at their screens, which may be the same."""

    table: AtHand
    way: Way
    dealer: Screen
    chief: Screen

    def says(self, name: str) -> None:
        """The chief supervisor presses the button and gives his credential."""
        if self.way is Way.BADGE:
            self.table.hold_badge()
            self.chief.page.locator(f"#b-{name} .of-whom", has_text=str(CHIEF)).wait_for(state="attached")
        self.chief.tap(name)
        if self.way is Way.PIN:
            self.signs(self.chief, CHIEF)

    @staticmethod
    def signs(screen: Screen, person: int) -> None:
        screen.sign_in(person)
        screen.signed_in()

    def counted(self) -> dict[str, int]:
        """The touches since the last call, by button; the keys of the pad belong to the button before them."""
        screens = dict.fromkeys(map(id, (self.dealer, self.chief)))
        found: dict[str, int] = {}
        for screen in (self.dealer, self.chief)[: len(screens)]:
            last = ""
            for name in screen.page.evaluate("() => window.touched.splice(0)"):
                last = name or last
                found[last] = found.get(last, 0) + 1
        return found

    def open(self) -> None:
        self.dealer.tap("open-session")
        self.signs(self.dealer, DEALER)
        if self.way is Way.TABLET:
            self.chief.tap("number-deck-set")
            self.signs(self.chief, CHIEF)
        self.chief.tap("d-deck_set-1")
        self.says("do")
        self.dealer.tap("confirm-display")
        self.dealer.tap("confirm-mixing", hold_s=1.2)

    def load(self) -> None:
        if self.way is Way.TABLET:
            self.says("watch-loading")
            self.dealer.tap("begin-loading")
            self.says("open-packet")
        else:
            self.says("begin-watched")
        self.table.feed(104, 104)
        self.says("next-packet")
        self.table.feed(104, 208)
        self.says("last-packet")
        self.table.burn()

    def play(self, *closing: str) -> None:
        """Plays a round of three seats that stand; `closing`: the buttons that lay the bets and close them."""
        for name in closing:
            self.dealer.tap(name)
        self.table.deal()
        if self.table.is_held:
            before = self.counted()
            self.solve_jam()
            assert self.counted() == listed(JAM, self.way)
            self.dealer.page.evaluate("(before) => window.touched.push(...before)", list(before))
            self.table.deal()
        for seat in (2, 3, 4):
            self.dealer.tap(f"stand-{seat}")
        self.dealer.tap("turn-hole-card")
        while not self.table.is_decided:
            assert not self.table.is_held, self.table.rig.status()["holds"]
            self.dealer.tap("draw-card-bank")
            self.table.deal()
        self.dealer.tap("settled-collected")
        self.table.collect()
        self.dealer.tap("begin-putting-back")
        self.table.put_back()

    def solve_jam(self) -> None:
        self.says("take-charge")
        if self.way is Way.TABLET:
            self.signs(self.chief, CHIEF)
        self.table.free_jam()
        self.chief.tap("jammed-rack")
        self.says("play-on")


def listed(steps: tuple[Touched, ...], way: Way) -> dict[str, int]:
    return {one.button: one.touches[way] for one in steps if one.touches[way]}


@pytest.mark.drawn(1)
@pytest.mark.timeout(500)
@pytest.mark.parametrize(("way", "size", "language"), KINDS.values(), ids=KINDS)
def test_the_touches_are_those_of_the_list(
    open_screen: OpenScreen, table: AtHand, way: Way, size: tuple[int, int], language: str
) -> None:
    dealer = open_screen(table, "", *size)
    chief = open_screen(table.at_tablet(), "chief", *size) if way is Way.TABLET else dealer
    people = People(table, way, dealer, chief)
    for screen in {id(dealer): dealer, id(chief): chief}.values():
        screen.speak(language)
        screen.page.evaluate(COUNTS)
    if way is Way.BADGE:
        table.turn_key(on=True)
    people.open()
    people.load()
    dealer.tap("seat-3")
    dealer.tap("chip-1000")
    assert people.counted() == listed(OPENING, way)
    for seat in (2, 4):
        dealer.tap(f"seat-{seat}")
        dealer.tap("chip-1000")
    people.play("bets-laid")
    people.counted()
    people.play("same-bets", "bets-laid")
    found = people.counted()
    assert found.pop("draw-card-bank", 0) < MOST_DRAWN
    assert found == listed(ROUND, way)
