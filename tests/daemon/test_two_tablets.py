"""Two of four screens answer a hold at the same time: one answer counts."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest

from controller.catalogue import Language
from controller.core.words import Role
from controller.machine.places import OWN_SCREEN, Caller
from controller.panel.app import Panel
from controller.panel.browsers import Browser, Pressed
from controller.panel.gone import shown_of
from controller.panel.moment import Moment
from controller.panel.offers import offer_of
from controller.panel.pending import follow_request
from controller.panel.press import Presses
from controller.panel.settings import PanelSettings
from controller.staff import load_staff, save_staff
from tests.daemon.rig import CHIEF, PINS, Rig
from tests.endings import HANGS_S
from tests.night import examples

pytestmark = pytest.mark.waits

HOLDS: Final = examples(10)
OTHERS: Final = (22, 23, 24)
PEOPLE: Final = (CHIEF, *OTHERS)
ANSWERS: Final = ("take-charge", "clear-hold", "play-on")
PLACES: Final = (
    Caller("192.0.2.1", is_own=False),
    Caller("192.0.2.2", is_own=False),
    Caller("198.51.100.3", is_own=False),
    OWN_SCREEN,
)


@dataclass
class Screen:
    """One screen and its supervisor. `asked`: how often the screen asked for a PIN, by hold and answer."""

    person: int
    browser: Browser
    presses: Presses
    moment: Callable[[Browser], Moment | None]
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def now(self) -> Moment:
        moment = self.moment(self.browser)
        assert moment is not None
        follow_request(self.browser, moment)
        return moment

    def offers(self, name: str) -> bool:
        return self.now.is_live and offer_of(self.now, name) is not None

    async def touch(self, name: str) -> Pressed:
        """Presses the button as it is shown now, and types the PIN once where the pad opens."""
        offer = offer_of(self.now, name)
        assert offer is not None
        number = str(self.browser.number)
        about = {"name": f"act:{name}", "shown": shown_of(offer), "number": number, "sure": "1"}
        pressed = await self.presses.press(self.browser, about)
        if self.browser.sheet == "who":
            await self.presses.press(self.browser, {"name": "ui:person", "value": str(self.person)})
        if self.browser.asks_pin:
            return await self._known(offer.hold, name)
        return pressed

    async def _known(self, hold: str, name: str) -> Pressed:
        self.asked[hold, name] += 1
        if self.browser.asks_person != self.person:
            self.browser.asks_person = None
            await self.presses.pin(self.browser, {"pin": str(self.person), "person": ""})
        return await self.presses.pin(self.browser, {"pin": PINS[CHIEF], "person": str(self.person)})


async def until(what: Callable[[], bool], told: Callable[[], object]) -> None:
    try:
        async with asyncio.timeout(HANGS_S):
            while not what():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(told()) from None


async def evening(rig: Rig, doing: Callable[[list[Screen]], Awaitable[None]]) -> None:
    """Runs `doing` with the screens of four supervisors, each at a screen of his own."""
    settings = PanelSettings(rig.socket, "127.0.0.1", 0, None, (), "10in", (Language.EN,), "EUR")
    panel = Panel(settings)
    await panel.watch(Language.EN).first.wait()
    presses = Presses(settings, panel.moment)
    screens = [
        Screen(person, panel.browsers.new(Language.EN, place)[1], presses, panel.moment)
        for person, place in zip(PEOPLE, PLACES, strict=True)
    ]
    try:
        await doing(screens)
    finally:
        await panel.stop()


def with_people(directory: Path) -> None:
    """Adds three chief supervisors with the first one's PIN."""
    book = load_staff(directory / "staff.toml")
    for number in OTHERS:
        book = book.with_person(number, f"Person {number}", Role.CHIEF_SUPERVISOR, PINS[CHIEF])
    save_staff(book, directory / "staff.toml")


@pytest.mark.timeout(600)
def test_each_hold_that_two_answer_at_the_same_instant_is_answered_once_and_the_other_is_told(rig: Rig) -> None:
    with_people(rig.directory)
    rig.start()
    rig.connected()

    async def doing(screens: list[Screen]) -> None:
        pairs, kinds = list(combinations(screens, 2)), tuple(CAUSES)
        for number in range(HOLDS):
            await answered(rig, kinds[number % len(kinds)], pairs[number % len(pairs)])
        for screen in screens:
            assert set(screen.asked.values()) <= {1}, screen.asked

    asyncio.run(evening(rig, doing))
    rig.kill()


def the_lid_opens(rig: Rig, now_s: float) -> None:
    rig.shuffler.lid(now_s, is_open=True)
    rig.shuffler.lid(now_s, is_open=False)


def a_card_jams(rig: Rig, now_s: float) -> None:
    """Jams the path; hands free it before anybody answers."""
    rig.shuffler.jam(now_s)
    rig.shuffler.clear_path(now_s)


CAUSES: Final[Mapping[str, Callable[[Rig, float], None]]] = {"lid": the_lid_opens, "jam": a_card_jams}


async def answered(rig: Rig, kind: str, pair: tuple[Screen, Screen]) -> None:
    """Causes a hold and answers it to the end: both screens take each step at once, and one press counts."""
    await asyncio.to_thread(rig.host.call, lambda now_s: CAUSES[kind](rig, now_s))
    await until(lambda: any(hold.kind == kind for hold in pair[0].now.status.holds), lambda: pair[0].now.status)
    for name in ANSWERS:
        await until(lambda name=name: all(one.offers(name) for one in pair), lambda: pair[0].now.status.holds)
        pressed = await asyncio.gather(*(one.touch(name) for one in pair))
        assert [one.is_done for one in pressed].count(True) == 1, (name, pressed)
        loser = pair[[one.is_done for one in pressed].index(False)]
        assert loser.browser.said or next(one.say for one in pressed if not one.is_done), name
        await until(lambda name=name: not any(one.offers(name) for one in pair), lambda: pair[0].now.status.holds)
        assert not any(one.browser.asks_pin for one in pair), name
    await until(lambda: not pair[0].now.status.holds, lambda: pair[0].now.status.holds)
