"""Answers a press: opens a sheet at this browser, or asks for acts over the connection of a person signed in there.

The page carries a number. A second press with the same number does nothing and gets the first one's answer.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from controller.catalogue import sentence
from controller.panel.browsers import Browser, Pressed, Right, Wanted
from controller.panel.credential import OWN, ask_with, by_badge, takes_own
from controller.panel.forms import asking, enter, filled, first_grid, follow_table, form_shown, is_number, take_typed
from controller.panel.gone import changed, gone_on, shown_of, written
from controller.panel.listed import arranged
from controller.panel.moment import Moment
from controller.panel.offer import Offer, Step
from controller.panel.offers import offer_of
from controller.panel.other_requests import look
from controller.panel.purposes import come, purposes
from controller.panel.reading import TECHNICIAN, TRIED, readers_of
from controller.panel.requests import ask_all, is_elsewhere
from controller.panel.said import follows, gone, of_seat, refused, say, told, why_not
from controller.panel.settings import PanelSettings
from controller.panel.touch import round_of, touch_chip, touch_seat, turn_pages
from controller.panel.wire import ANSWER_WITHIN_S, ControllerAway, Wires
from controller.protocol.lines import LARGEST_PERSON, ActDocument, PersonDocument
from controller.protocol.record import RecordKind

PIN_WITHIN_S: Final = 20.0
CATCHES_UP_S: Final = 0.5
LOOKS_EVERY_S: Final = 0.02
LONGEST_VALUE: Final = 1000
STEPS_OF_ROUNDS: Final = frozenset({"-10", "-1", "1", "10"})

ENDS_BETS: Final = frozenset({"take-bets", "announce-no-more-bets"})
PLACES: Final = frozenset({"seat", "hand", "bettor"})
"""Values that name a place; a form opened for a place does not ask for it again."""

ANOTHER: Final = "another"
"""The reason for asking a signed-in person for his PIN: he signed in for another purpose."""

NOTHING: Final = Pressed(is_done=True)


class Presses:
    """Answers the presses and PINs of every browser."""

    def __init__(self, settings: PanelSettings, moment: Callable[[Browser], Moment | None]) -> None:
        self._settings = settings
        self._wires = Wires(settings.socket)
        self._moment = moment

    async def press(self, browser: Browser, fields: dict[str, str]) -> Pressed:
        """The outcome of one press; an unknown press changes nothing."""
        kind, _, name = fields.get("name", "").partition(":")
        value, is_sure = fields.get("value", ""), fields.get("sure") == "1"
        number = fields.get("number", "")
        if kind != "ui" and number != str(browser.number):
            return browser.answered.get(number) or refused(browser, "panel.said.stale")
        shown = fields.get("shown", "")
        take_typed(browser, fields, LONGEST_VALUE)
        try:
            if kind == "ui":
                return await self._open(browser, name, value, shown, is_sure=is_sure)
            pressed = await self._act(browser, kind, name, shown, is_sure=is_sure)
        except ControllerAway:
            pressed = refused(browser, "panel.said.no-answer")
        browser.answer(number, pressed)
        return pressed

    async def pin(self, browser: Browser, fields: dict[str, str]) -> Pressed:
        """Takes a person's number or PIN from the pad; after a right PIN the waiting request follows."""
        wanted, typed = browser.wanted, fields.get("pin", "")
        if wanted is None or not is_number(typed, 12) or not browser.asks_of(fields.get("person", "")):
            return Pressed(is_done=False, say=say(browser.language, "panel.said.stale"))
        if browser.asks_person is None:
            if not 1 <= int(typed) <= LARGEST_PERSON:  # a PIN typed by mistake: the page must not show it
                return Pressed(is_done=False, say=say(browser.language, "panel.said.no-number"))
            browser.asks_person = int(typed)
            browser.changed()
            return NOTHING
        try:
            if browser.asks_why == OWN:
                if text := self._gone_on(browser, wanted):
                    return gone(browser, text)
                return await self._asked_with(browser, wanted, browser.asks_person, typed)
            return await self._sign_in(browser, wanted, browser.asks_person, typed)
        except ControllerAway:
            return Pressed(is_done=False, say=say(browser.language, "panel.said.no-answer"))

    # ---- signing in

    async def _sign_in(self, browser: Browser, wanted: Wanted, person: int, pin: str) -> Pressed:
        wire = await self._wires.open(browser.caller)
        purpose = self._purposes(browser, wanted)[0]
        request = {"person": person, "pin": pin, "purpose": purpose, "terminal": browser.terminal}
        try:
            answer = await wire.ask(PIN_WITHIN_S, do="sign-in", language=browser.language.value, **request)
        except ControllerAway:
            wire.close()
            raise
        if answer.signed_in is None:
            wire.close()
            is_wrong = answer.error is not None and answer.error.code == "pin-wrong"
            browser.asks_person = None if is_wrong and person not in browser.known.values() else person
            browser.changed()
            return Pressed(is_done=False, say=told(answer), wait_ms=answer.error.wait_ms if answer.error else None)
        who = answer.signed_in
        browser.sign_in(Right(who.person, who.name, who.role, purpose, wire))
        browser.close_sheet(keeps_form=True)
        browser.changed()
        first = come(self._moment(browser), purpose, who.person)
        if first and wanted.steps[:1] != first:
            wanted = replace(wanted, steps=(*first, *wanted.steps))
        return await self._follow(browser, wanted)

    def _purposes(self, browser: Browser, wanted: Wanted) -> tuple[str, ...]:
        return purposes(browser, self._moment(browser), wanted)

    async def _follow(self, browser: Browser, wanted: Wanted) -> Pressed:
        """Fulfils the request: asks for the acts, for their values, or for a reading."""
        if text := self._gone_on(browser, wanted):
            return gone(browser, text)
        if wanted.reads is not None or wanted.tries:
            return await self._beside(browser, wanted)
        if wanted.asks:
            pressed = await self._do(browser, replace(wanted, asks="")) if wanted.steps else NOTHING
            return await self._ask_values(browser, wanted) if pressed.is_done else pressed
        return await self._do(browser, wanted) if wanted.steps else NOTHING

    async def _beside(self, browser: Browser, wanted: Wanted) -> Pressed:
        right = browser.right_of(wanted.who, self._purposes(browser, wanted))
        if right is None:
            return refused(browser, "panel.said.stale")
        browser.close_sheet()
        return await look(browser, right, wanted, round_of(browser, self._moment(browser)))

    # ---- acts

    def _gone_on(self, browser: Browser, wanted: Wanted) -> str:
        """The sentence on the button's change since the press; "" without a change or a button."""
        if not wanted.name:
            return ""
        moment = self._moment(browser)
        if moment is None or not moment.is_live:
            return say(browser.language, "panel.said.stale")
        return gone_on(wanted.shown, offer_of(moment, wanted.name), browser.language)

    async def _act(self, browser: Browser, kind: str, name: str, shown: str, *, is_sure: bool) -> Pressed:
        moment = self._moment(browser)
        if moment is None or not moment.is_live:
            return refused(browser, "panel.said.stale")
        if kind == "read" and name in set(RecordKind):
            what = RecordKind(name)
            return await self._want(browser, Wanted(readers_of(what), reads=what))
        if kind == "try" and name in TRIED:
            return await self._want(browser, Wanted(TECHNICIAN, tries=name))
        if kind == "more":
            return await self._listed(browser, name, is_sure=is_sure)
        if kind != "act":
            return refused(browser, "panel.said.stale")
        offer = offer_of(moment, name)
        if text := gone_on(shown, offer, browser.language):
            return gone(browser, text)
        if offer is None:
            return refused(browser, "panel.said.stale")
        return await self._offered(browser, offer, is_sure=is_sure)

    async def _offered(self, browser: Browser, offer: Offer, *, is_sure: bool) -> Pressed:
        wanted = Wanted(
            offer.who,
            offer.steps,
            offer.hold,
            offer.asks,
            offer.known,
            takes_own_pin=offer.takes_own_pin,
            name=offer.name,
            shown=shown_of(offer),
        )
        if offer.hold_ms and not is_sure:
            browser.close_sheet()
            browser.wanted, browser.sheet = wanted, "sure"
            browser.changed()
            return NOTHING
        return await self._want(browser, wanted)

    async def _listed(self, browser: Browser, act: str, *, is_sure: bool) -> Pressed:
        """Presses an act in the list of all acts."""
        document = next((one for one in browser.acts if one.act == act), None)
        if document is None:
            return refused(browser, "panel.said.stale")
        moment = self._moment(browser)
        hold = moment.hold.id if moment is not None and moment.hold is not None else ""
        asks = act if document.values else ""
        steps: tuple[Step, ...] = () if document.values else ((act, {}),)
        wanted = Wanted(tuple(document.who), steps, hold, asks)
        if document.hold_ms and not document.values and not is_sure:
            browser.wanted, browser.sheet = wanted, "sure"
            browser.changed()
            return NOTHING
        return await self._want(browser, wanted)

    async def _want(self, browser: Browser, wanted: Wanted) -> Pressed:
        """Fulfils the request; if no suitable person is signed in, asks for a credential first."""
        moment = self._moment(browser)
        if takes_own(browser, moment, wanted):
            return await self._want_own(browser, moment, wanted)
        if browser.right_of(wanted.who, self._purposes(browser, wanted)) is not None:
            return await self._follow(browser, wanted)
        await self._ask_who(browser, wanted)
        return NOTHING

    async def _want_own(self, browser: Browser, moment: Moment | None, wanted: Wanted) -> Pressed:
        """Opens the act's form first; then takes badge and key, or opens the PIN pad."""
        if wanted.asks and not wanted.steps:
            return await self._ask_values(browser, wanted)
        if (person := by_badge(moment, wanted, browser)) is not None:
            return await self._asked_with(browser, wanted, person, None)
        await self._ask_who(browser, wanted, why=OWN)
        return NOTHING

    async def _asked_with(self, browser: Browser, wanted: Wanted, person: int, pin: str | None) -> Pressed:
        return await ask_with(self._wires, browser, self._moment(browser), wanted, person, pin)

    async def _ask_who(self, browser: Browser, wanted: Wanted, why: str = "") -> None:
        """Opens the PIN pad, or a list of people to choose from.

        The pad is for the person identified by badge or key, else for a person of the role signed in here. Without such
        a person it opens a list of the people with the role, if this browser may know their names. Otherwise the pad
        starts with the person who signed in here last or is at the table, or asks for a number. Numbers are no secret.
        """
        moment = self._moment(browser)
        browser.close_sheet(keeps_form=True)
        browser.wanted = wanted
        presented = moment.status.presented if moment is not None else None
        here = next((right.person for right in browser.rights.values() if right.role in wanted.who), None)
        if why and here is None and moment is not None:  # asks the same person again who watches or has charge
            here = next((one.person for one in moment.status.present if one.role in wanted.who), None)
        browser.asks_why = why or ("" if here is None else ANOTHER)
        if presented is not None and presented.role in wanted.who:
            browser.asks_pin, browser.asks_person = True, presented.person
        elif here is not None:
            browser.asks_pin, browser.asks_person = True, here
        elif people := await self._people(browser, wanted.who):
            browser.people, browser.sheet = people, "who"
        else:
            browser.asks_pin = True
            at_table = {one.role: one.person for one in (moment.status.present if moment is not None else ())}
            known = at_table | browser.known
            browser.asks_person = next((known[role] for role in wanted.who if role in known), None)
        browser.changed()

    async def _people(self, browser: Browser, who: tuple[str, ...]) -> tuple[PersonDocument, ...]:
        """The casino's people with these roles; empty where no person is signed in at this browser."""
        right = next(iter(browser.rights.values()), None)
        if right is None:
            return ()
        answer = await right.wire.ask(ANSWER_WITHIN_S, do="people")
        return tuple(person for person in answer.people if person.role in who)

    async def _do(self, browser: Browser, wanted: Wanted) -> Pressed:
        """Asks for the acts in order until the first refusal."""
        right = browser.right_of(wanted.who, self._purposes(browser, wanted))
        if right is None:
            return refused(browser, "panel.said.stale")
        browser.close_sheet(keeps_form=True)
        scene, moment = self._scene(browser), self._moment(browser)
        answer, last = await ask_all(browser, right.wire, right.person, wanted.steps, scene)
        if is_elsewhere(answer) and await self._catches_up(browser, scene) and not self._gone_on(browser, wanted):
            answer, last = await ask_all(browser, right.wire, right.person, wanted.steps, self._scene(browser))
        if answer.error is not None and answer.error.code == "pin-missing":
            await self._ask_who(browser, replace(wanted, steps=wanted.steps[len(answer.done) :]), why=OWN)
            return NOTHING
        if not answer.ok:
            text = of_seat(last, told(answer), browser.language) if len(wanted.steps) > 1 else told(answer)
            browser.say(text, is_refusal=True)
            return Pressed(is_done=False, say=text)
        if any(act in ENDS_BETS for act, _values in wanted.steps):
            browser.seats = browser.seat = None
        browser.close_sheet()
        browser.say(follows(wanted, moment, browser.language))
        return NOTHING

    def _scene(self, browser: Browser) -> str:
        moment = self._moment(browser)
        return moment.status.scene if moment is not None else ""

    async def _catches_up(self, browser: Browser, scene: str) -> bool:
        """True where the panel soon sees another scene than this one: its page was out of date."""
        until_s = asyncio.get_running_loop().time() + CATCHES_UP_S
        while self._scene(browser) == scene and asyncio.get_running_loop().time() < until_s:
            await asyncio.sleep(LOOKS_EVERY_S)
        return self._scene(browser) != scene

    # ---- open sheets

    async def _open(self, browser: Browser, name: str, value: str, shown: str, *, is_sure: bool) -> Pressed:
        match name:
            case "not" if (moment := self._moment(browser)) is not None and value in moment.choices:
                browser.say(say(browser.language, why_not(moment, value)), is_refusal=True)
            case "sheet" if value in {"more", "report", "why"}:
                browser.close_sheet()
                browser.said = ""
                listed = await self._list(browser)
                browser.acts = arranged(listed, self._moment(browser), are_possible=value != "why")
                browser.sheet = value
            case "sure" if browser.wanted is not None and shown == written(browser.wanted.steps):
                return await self._want(browser, browser.wanted)
            case "do" if browser.act is not None:
                return await self._do_with_values(browser, browser.act, shown, is_sure=is_sure)
            case "pick" | "toggle" | "step" | "digit" | "keep" | "cell" | "count":
                enter(browser, self._moment(browser), name, value[:LONGEST_VALUE])
            case "seat" if (moment := self._moment(browser)) is not None:
                browser.said = ""
                touch_seat(browser, moment, value)
            case "chip" if (moment := self._moment(browser)) is not None:
                browser.said = ""
                touch_chip(browser, moment, value)
            case "round" | "session" if value in STEPS_OF_ROUNDS:
                turn_pages(browser, self._moment(browser), name, int(value))
            case _:
                return self._show(browser, name, value)
        browser.changed()
        return NOTHING

    def _show(self, browser: Browser, name: str, value: str) -> Pressed:
        """Carries out a press that changes only this browser's page, or signs a person out."""
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
                is_dealer = browser.people_here[int(value)].role == "dealer"
                browser.sign_out_person(int(value))
                browser.close_sheet()
                moment = self._moment(browser)
                deals_on = is_dealer and (moment is None or moment.status.session != "closed")
                key = f"panel.said.signed-out-{'dealer' if deals_on else 'person'}"
                browser.say(sentence(key, {"person": value}, browser.language))
            case "person":
                browser.asks_person = int(value) if is_number(value, 5) else None
                browser.asks_pin, browser.sheet = browser.wanted is not None, browser.form
            case _:
                return Pressed(is_done=False)
        browser.changed()
        return NOTHING

    async def _list(self, browser: Browser, act: str = "") -> tuple[ActDocument, ...]:
        wire = await self._wires.open(browser.caller)
        try:
            return (await wire.ask(ANSWER_WITHIN_S, do="list", act=act, language=browser.language.value)).acts
        finally:
            wire.close()

    async def _ask_values(self, browser: Browser, wanted: Wanted) -> Pressed:
        """Opens the sheet that asks for the act's values."""
        document = next(iter(await self._list(browser, wanted.asks)), None)
        if document is None:
            return refused(browser, "panel.said.stale")
        browser.close_sheet()
        browser.act, browser.sheet = asking(document, wanted.known), f"act:{wanted.asks}"
        browser.picked = dict(wanted.known)
        browser.given = {name: value for name, value in wanted.known.items() if value and name in PLACES}
        browser.grid = first_grid(self._moment(browser), document)
        browser.changed()
        return NOTHING

    async def _do_with_values(self, browser: Browser, act: ActDocument, shown: str, *, is_sure: bool) -> Pressed:
        moment = self._moment(browser)
        if moment is not None:
            follow_table(browser, moment)
            if browser.act is None:
                return Pressed(is_done=False, say=browser.said)
        now = form_shown(browser)
        if shown != now:
            return gone(browser, changed(shown, now, act.label, browser.language))
        if moment is not None and browser.has_entered and browser.form_in != moment.phase:
            browser.form_in = moment.phase  # the person has read the refusal before a second press
            return refused(browser, "panel.said.form-stale")
        hold = moment.hold.id if moment is not None and moment.hold is not None else ""
        wanted = Wanted(tuple(act.who), ((act.act, filled(browser, act)),), hold)
        if act.hold_ms and not is_sure:
            browser.wanted, browser.sheet = wanted, "sure"
            browser.changed()
            return NOTHING
        return await self._want(browser, wanted)
