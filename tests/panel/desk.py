"""Presses buttons as a browser does, without a browser, and records the requested acts and the purpose of each PIN."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from controller.catalogue import Language
from controller.core.games.blackjack.state import initial_state
from controller.core.games.blackjack.table import ACT_RULES
from controller.core.games.roulette.table import ROULETTE
from controller.machine.places import Caller
from controller.panel.browsers import Browser, Pressed
from controller.panel.forms import form_shown
from controller.panel.gone import shown_of
from controller.panel.moment import Moment
from controller.panel.offer import Offer
from controller.panel.offers import offer_of
from controller.panel.press import Presses
from controller.panel.settings import PanelSettings
from controller.protocol.status import HandStatus, HoldStatus, NextStatus, Status
from tests.core.table import SETUP
from tests.panel.scripted import Json, ScriptedTable

DEALER, CHIEF, MANAGER, TECHNICIAN = 11, 21, 31, 41
ROLES = {DEALER: "dealer", CHIEF: "chief_supervisor", MANAGER: "room_manager", TECHNICIAN: "technician"}
CHIEF_ALONE = ("chief_supervisor",)


RULES = {rule.name: rule for rule in (*ACT_RULES, *ROULETTE.acts)}
TABLET = Caller("192.0.2.7", is_own=False)

Result = TypeVar("Result")


def run(doing: Coroutine[Any, Any, Result]) -> Result:
    """Runs the coroutine in a thread of its own and returns its result: the tests' thread may have a browser's loop."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, doing).result()


class Staffed(ScriptedTable):
    """A table with every post held. `refusal`: the answer to every act. `scene`: the scene in its status.

    `on_act`: called after each act.
    """

    refusal: Json | None = None
    scene: str = ""
    refuses_badge: bool = False
    on_elsewhere: Callable[[], None] = staticmethod(lambda: None)
    on_act: Callable[[], None] = staticmethod(lambda: None)

    def _answer(self, request: Json) -> Json:
        if request["do"] == "sign-in" and request.get("badge") and self.refuses_badge:
            return {"ok": False, "error": {"code": "pin-missing", "text": "The PIN is missing."}}
        if request["do"] == "sign-in":
            person = request["person"]
            who = {"person": person, "name": f"Person {person}", "role": ROLES[person]}
            return {"signed_in": who | {"purpose": request["purpose"]}}
        if request["do"] == "act" and request.get("scene", "") != self.scene:
            self.on_elsewhere()
            return {"ok": False, "error": {"code": "changed", "text": "The table is elsewhere."}}
        if request["do"] == "act" and self.refusal is not None:
            return {"ok": False, "refusal": self.refusal}
        answer = super()._answer(request)
        if request["do"] == "act":
            self.on_act()
        return answer


@dataclass
class Desk:
    """Presses buttons of a panel's pages. `table.asked`: the requested acts; `pins`: the purpose of each typed PIN."""

    table: Staffed
    status: Status
    browser: Browser = field(default_factory=lambda: Browser(Language.EN))
    pins: list[str] = field(default_factory=list)
    faces: tuple[HandStatus, ...] = ()
    is_live: bool = True

    def __post_init__(self) -> None:
        settings = PanelSettings(self.table.socket, "127.0.0.1", 0, None, (), "10in", (Language.EN,), "EUR")
        self.presses = Presses(settings, self.moment)

    def moment(self, browser: Browser) -> Moment:
        roles = frozenset(right.role for right in browser.rights.values())
        supervisors = browser.supervisors
        seen = Moment(self.status, self.is_live, (), roles, browser.hold, self.faces)
        return replace(seen, here=browser.names_here, supervisors=supervisors)

    def offer(self, name: str) -> Offer:
        """The button `name` of the present page."""
        found = offer_of(self.moment(self.browser), name.removeprefix("act:"))
        assert found is not None
        return found

    def shown(self, name: str) -> str:
        """The present text of the button `name`; "" where the page has no such button."""
        if name == "ui:do":
            return form_shown(self.browser)
        offer = offer_of(self.moment(self.browser), name.removeprefix("act:"))
        return "" if offer is None else shown_of(offer)

    async def press(self, name: str, value: str = "", shown: str | None = None, **typed: str) -> Pressed:
        """Presses the button `name` as the page shows it now, or with the earlier text `shown`."""
        given = self.shown(name) if shown is None else shown
        fields = {"name": name, "value": value, "shown": given, "sure": "1", "number": str(self.browser.number)}
        typed = {name.replace("_", "-", 1): text for name, text in typed.items()}
        return await self.presses.press(self.browser, fields | typed)

    async def comes(self, person: int) -> None:
        """Types the person's number and PIN on the pad, or the PIN alone where the pad asks for no number."""
        if not self.browser.asks_pin:
            await self.press("ui:person", str(person))
        if self.browser.asks_person is None:
            await self.presses.pin(self.browser, {"pin": str(person), "person": ""})
        before = set(self.browser.rights)
        await self.types_pin(person)
        self.pins.append(next(iter(set(self.browser.rights) - before), "own"))

    async def types_pin(self, person: int) -> Pressed:
        """Types a right PIN on the pad that names the person."""
        return await self.presses.pin(self.browser, {"pin": "314159", "person": str(person)})


def table_of(directory: Path) -> Staffed:
    return Staffed(directory / "control.sock", Status(), initial_state(SETUP), {})


def status(session: str, *acts: str, who: Sequence[str] = CHIEF_ALONE, **changes: object) -> Status:
    """A status at this step of a session, with these acts open to these roles."""
    counts = {"outside": 312, "inside": 0, "rack": 0, "total": 312}
    given: dict[str, object] = {"session": session, "counts": counts, "simulated": True}
    return Status(**(given | {"next": [NextStatus(act, list(who), asks_of(act)) for act in acts]} | changes))


def asks_of(act: str) -> str:
    """The credential that the controller requires for the act."""
    rule = RULES[act]
    return "pin" if rule.own_pin else rule.manner.value


def hold(number: int, kind: str, phase: str = "raised") -> HoldStatus:
    return HoldStatus(f"H{number}", kind, phase, who=list(CHIEF_ALONE))
