"""Opens, fills and closes a browser's sheets: lists of acts, and forms.

A press that this module answers changes only the browser in which it was made, and no journal.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from controller.catalogue import sentence
from controller.panel.browsers import Browser, Pressed, Wanted
from controller.panel.complete import first_grid
from controller.panel.forms import asking, enter, is_number
from controller.panel.listed import LISTS, arranged, stays_at
from controller.panel.moment import Moment
from controller.panel.offer import Step
from controller.panel.said import gone, refused, seat_told, why_not
from controller.panel.settings import PanelSettings
from controller.panel.touch import touch_chip, touch_seat, turn_pages
from controller.panel.wire import ANSWER_WITHIN_S, Wires
from controller.protocol.lines import ActDocument, Answer

Moments: TypeAlias = Callable[[Browser], Moment | None]
"""Returns the table as this browser sees it; None before the controller has answered once."""

LONGEST_VALUE: Final = 1000
STEPS_OF_ROUNDS: Final = frozenset({"-10", "-1", "1", "10"})

PLACES: Final = frozenset({"seat", "hand", "bettor"})
"""The values that name a place; a form opened for a place does not ask for these again."""

NOTHING: Final = Pressed(is_done=True)


class Sheets:
    """Opens, fills and closes the sheets of every browser."""

    def __init__(self, settings: PanelSettings, wires: Wires, moment: Moments) -> None:
        self._settings = settings
        self._wires = wires
        self._moment = moment

    async def open(self, browser: Browser, name: str, value: str) -> Pressed:
        """Carries out the press `name` with `value`, without a record in the journal. An unknown press changes nothing.
        Raises ControllerAway for a list of acts.
        """
        moment = self._moment(browser)
        match name:
            case "not" if moment is not None and value in moment.choices:
                return refused(browser, why_not(moment, value))
            case "seat-closed" if moment is not None and is_number(value, 2):
                return gone(browser, seat_told(moment, value, browser.language))
            case "seat" | "chip" if moment is not None and not (moment.may_bet or moment.may_lay):
                return refused(browser, "panel.said.stale")
            case "sheet" if value in LISTS:
                await self._open_list(browser, value)
            case "close" | "no-pin" if below := _list_below(browser):
                await self._open_list(browser, below)
            case "pick" | "toggle" | "step" | "digit" | "key" | "keep" | "cell" | "count":
                enter(browser, moment, name, value[:LONGEST_VALUE])
            case "seat" if moment is not None:
                browser.said = ""
                touch_seat(browser, moment, value)
            case "chip" if moment is not None:
                browser.said = ""
                touch_chip(browser, moment, value)
            case "round" | "session" if value in STEPS_OF_ROUNDS:
                turn_pages(browser, moment, name, int(value))
            case _:
                return self._show(browser, name, value)
        browser.changed()
        return NOTHING

    async def _open_list(self, browser: Browser, which: str) -> None:
        browser.close_sheet()
        browser.said = ""
        listed = await self._list(browser)
        moment = self._moment(browser)
        browser.acts = arranged(listed, moment, are_possible=which != "why", here=tuple(browser.people_here))
        browser.stays_at = stays_at(listed, moment)
        browser.sheet, browser.listed = which, "more" if which == "why" else ""

    def _show(self, browser: Browser, name: str, value: str) -> Pressed:
        """Carries out a press that changes only the page of `browser`, or signs a person out."""
        match name:
            case "close" | "no-pin":
                browser.close_sheet(keeps_form=browser.is_form_covered)
                browser.said = ""
            case "hold":
                browser.hold = value[:8]
            case "language":
                known = {language.value: language for language in self._settings.languages}
                browser.language = known.get(value, browser.language)
                browser.close_sheet()
            case "sign-out" if is_number(value, 5) and int(value) in browser.people_here:
                self._sign_out(browser, int(value))
            case "person":
                browser.asks_person = int(value) if is_number(value, 5) else None
                browser.asks_pin, browser.sheet = browser.wanted is not None, browser.form
            case _:
                return Pressed(is_done=False)
        browser.changed()
        return NOTHING

    def _sign_out(self, browser: Browser, person: int) -> None:
        is_dealer = browser.people_here[person].role == "dealer"
        browser.sign_out_person(person)
        browser.close_sheet()
        moment = self._moment(browser)
        deals_on = is_dealer and (moment is None or moment.status.session != "closed")
        key = f"panel.said.signed-out-{'dealer' if deals_on else 'person'}"
        browser.say(sentence(key, {"person": str(person)}, browser.language))

    async def _list(self, browser: Browser, act: str = "") -> tuple[ActDocument, ...]:
        wire = await self._wires.open(browser.caller)
        try:
            return (await wire.ask(ANSWER_WITHIN_S, do="list", act=act, language=browser.language.value)).acts
        finally:
            wire.close()

    async def ask_values(self, browser: Browser, wanted: Wanted) -> Pressed:
        """Opens the sheet that asks for the values of the act `wanted.asks`. Refuses an act that the controller does
        not list.

        Raises ControllerAway.
        """
        document = next(iter(await self._list(browser, wanted.asks)), None)
        if document is None:
            return refused(browser, "panel.said.stale")
        browser.close_sheet()
        browser.act, browser.sheet = asking(document, wanted.known), f"act:{wanted.asks}"
        browser.picked, browser.listed = dict(wanted.known), wanted.listed
        browser.given = {name: value for name, value in wanted.known.items() if value and name in PLACES}
        browser.grid = first_grid(self._moment(browser), document)
        browser.changed()
        return NOTHING


def _list_below(browser: Browser) -> str:
    """Returns the list of acts that appears when the top sheet closes. Returns "" if the table or a covered form
    appears.
    """
    if browser.is_form_covered and browser.wanted is not None:
        return "" if browser.act is not None else browser.wanted.listed
    return browser.listed


def for_the_face(answer: Answer, last: Step) -> Wanted | None:
    """Returns the request that asks for the missing face of the card in `last`. Returns None if no face is missing."""
    if answer.refusal is None or answer.refusal.guard != "face_is_given":
        return None
    return Wanted(tuple(answer.refusal.who), asks=last[0], known={**last[1], "card": ""})
