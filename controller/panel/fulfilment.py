"""Does what a browser's request asks, in the name of a person who is signed in there or gives a credential for it."""

import asyncio
from typing import Final

from msgspec.structs import replace

from controller.panel.browsers import Browser, Pressed, Right, Wanted
from controller.panel.complaints import HeardWords
from controller.panel.credential import OWN, ask_with, by_badge, comes_by_badge, takes_own
from controller.panel.gone import gone_on
from controller.panel.moment import Moment
from controller.panel.offer import THEN_ASKS
from controller.panel.offers import offer_of
from controller.panel.other_requests import look
from controller.panel.pending import waits_for
from controller.panel.purposes import come, operation_of, purposes
from controller.panel.requests import Credential, ask_all, is_elsewhere
from controller.panel.said import done, first_askers, gone, of_seat, refused, say, told
from controller.panel.sheets import NOTHING, Moments, Sheets, for_the_face
from controller.panel.touch import round_of
from controller.panel.wire import ANSWER_WITHIN_S, ControllerAway, Wires
from controller.protocol.lines import PersonDocument
from controller.protocol.status import SessionStep

PIN_WITHIN_S: Final = 20.0
CATCHES_UP_S: Final = 0.5
OPENS_WITHIN_S: Final = 2.0
LOOKS_EVERY_S: Final = 0.02

ENDS_BETS: Final = frozenset({"take-bets", "announce-no-more-bets"})

ANOTHER: Final = "another"
"""The reason for asking a signed-in person for his PIN: he has signed in for another purpose."""


class Fulfilment:
    """Does what requests ask, on the connection of a person who may make them. All methods raise ControllerAway."""

    def __init__(self, wires: Wires, moment: Moments, sheets: Sheets, heard: HeardWords) -> None:
        self._wires = wires
        self._heard = heard
        self._moment = moment
        self._sheets = sheets

    async def want(self, browser: Browser, wanted: Wanted) -> Pressed:
        """Does what `wanted` asks. If something is missing, first opens the PIN pad, a list of people or the act's
        form.
        """
        moment, browser.said = self._moment(browser), ""  # the words about the last press are over
        if takes_own(browser, moment, wanted):
            return await self._want_own(browser, moment, wanted)
        if browser.right_of(wanted.who, self._purposes(browser, wanted)) is not None:
            return await self._follow(browser, wanted)
        if (person := comes_by_badge(moment, wanted, browser)) is not None:
            return await self._sign_in(browser, wanted, person, None)
        await self._ask_who(browser, wanted)
        return NOTHING

    async def take_pin(self, browser: Browser, wanted: Wanted, person: int, pin: str) -> Pressed:
        """Does what `wanted` asks, with the PIN that `person` typed. The PIN serves for the acts of `wanted` alone, or
        first signs the person in.

        The pad stays open while the controller is away: the request may be possible afterwards.
        """
        moment = self._moment(browser)
        if moment is None or not moment.is_live:
            return Pressed(is_done=False, say=say(browser.language, "panel.said.away"))
        if browser.asks_why != OWN:
            return await self._sign_in(browser, wanted, person, pin)
        if text := self._gone_on(browser, wanted):
            browser.close_sheet(keeps_form=True)
            return gone(browser, text)
        return await self._asked_with(browser, wanted, person, pin)

    async def _want_own(self, browser: Browser, moment: Moment | None, wanted: Wanted) -> Pressed:
        """Does what `wanted` asks if it needs a credential of its own. If something is missing, opens first its form,
        then the PIN pad. Badge and key replace the PIN if the person has just used them.
        """
        if wanted.asks and not wanted.steps:
            return await self._sheets.ask_values(browser, wanted)
        if (person := by_badge(moment, wanted, browser)) is not None:
            return await self._asked_with(browser, wanted, person, None)
        await self._ask_who(browser, wanted, why=OWN)
        return NOTHING

    async def _ask_who(self, browser: Browser, wanted: Wanted, why: str = "") -> None:
        """Makes the request wait, and opens the PIN pad or a list of people to choose from.

        The pad asks the person identified by badge or key, else a signed-in person with the role. If there is neither,
        the browser shows a list of the people with the role, if it may know their names. Otherwise the pad asks the
        person with the role who last signed in at the browser or is at the table, or asks for a number. A person who
        made a request is never asked to agree with it.
        """
        moment = self._moment(browser)
        browser.close_sheet(keeps_form=True)
        waits_for(browser, wanted, moment)
        first = first_askers(wanted, moment)
        presented = moment.status.presented if moment is not None else None
        present = [one for one in (moment.status.present if moment is not None else ()) if one.person not in first]
        rights = (right for right in browser.rights.values() if right.person not in first)
        here = next((right.person for right in rights if right.role in wanted.who), None)
        if why and here is None:  # asks the same person again who watches or has charge
            here = next((one.person for one in present if one.role in wanted.who), None)
        browser.asks_why = why or ("" if here is None else ANOTHER)
        if presented is not None and presented.role in wanted.who and presented.person not in first:
            browser.asks_pin, browser.asks_person = True, presented.person
        elif here is not None:
            browser.asks_pin, browser.asks_person = True, here
        elif people := await self._people(browser, wanted.who):
            browser.people = tuple(one for one in people if one.number not in first)
            browser.asks_person = _likely(browser, moment, wanted)
            browser.asks_pin, browser.sheet = (True, browser.sheet) if browser.asks_person else (False, "who")
        else:
            browser.asks_pin = True
            known = {one.role: one.person for one in present}
            known |= {role: person for role, person in browser.known.items() if person not in first}
            browser.asks_person = next((known[role] for role in wanted.who if role in known), None)
        browser.changed()

    async def _people(self, browser: Browser, who: tuple[str, ...]) -> tuple[PersonDocument, ...]:
        """Returns the casino's people with one of the roles `who`. Returns () if no person is signed in at
        `browser`.
        """
        right = next(iter(browser.rights.values()), None)
        if right is None:
            return ()
        answer = await right.wire.ask(ANSWER_WITHIN_S, do="people")
        return tuple(person for person in answer.people if person.role in who)

    async def _do(self, browser: Browser, wanted: Wanted) -> Pressed:
        """Sends the acts of `wanted` in order until the first refusal, and returns the outcome."""
        right = browser.right_of(wanted.who, self._purposes(browser, wanted))
        if right is None:
            return refused(browser, "panel.said.stale")
        browser.close_sheet(keeps_form=True)
        scene, moment = self._scene(browser), self._moment(browser)
        said = done(wanted, browser, moment, right.person)
        answer, last = await ask_all(browser, right.wire, right.person, wanted.steps, scene)
        if is_elsewhere(answer) and await self._catches_up(browser, scene) and not self._gone_on(browser, wanted):
            answer, last = await ask_all(browser, right.wire, right.person, wanted.steps, self._scene(browser))
        if answer.error is not None and answer.error.code == "pin-missing":
            await self._ask_who(browser, _rest(wanted, len(answer.done)), why=OWN)
            return NOTHING
        if not answer.ok:
            text = of_seat(last, told(answer), browser.language) if len(wanted.steps) > 1 else told(answer)
            browser.say(text, is_refusal=True)
            if (asked := for_the_face(answer, last)) is not None:  # the sentence names the act: here is its form
                return await self._sheets.ask_values(browser, asked)
            return Pressed(is_done=False, say=text)
        self._heard.take(wanted.steps, moment)
        self._heard.decide(wanted.steps, moment)
        if any(act in ENDS_BETS for act, _values in wanted.steps):
            browser.seats = browser.seat = None
        browser.close_sheet()
        browser.say(said)
        return await self._open_next(browser, wanted)

    async def _open_next(self, browser: Browser, wanted: Wanted) -> Pressed:
        """Opens the form of the act that always comes next, once the session is open and its entry is durable. Does
        nothing if the table does not have the act by then.
        """
        form, until_s = THEN_ASKS.get(wanted.steps[-1][0], ""), asyncio.get_running_loop().time() + OPENS_WITHIN_S
        while form and asyncio.get_running_loop().time() < until_s:
            moment = self._moment(browser)
            if moment is not None and moment.may(form):
                return await self._sheets.ask_values(browser, Wanted(moment.who_may(form), asks=form))
            if moment is not None and _is_open_for_good(moment):
                return NOTHING
            await asyncio.sleep(LOOKS_EVERY_S)
        return NOTHING

    def _scene(self, browser: Browser) -> str:
        moment = self._moment(browser)
        return moment.status.scene if moment is not None else ""

    async def _catches_up(self, browser: Browser, scene: str) -> bool:
        """Waits up to CATCHES_UP_S seconds for the table to leave `scene`. Returns True if it does: the page was then
        out of date when the person pressed.
        """
        until_s = asyncio.get_running_loop().time() + CATCHES_UP_S
        while self._scene(browser) == scene and asyncio.get_running_loop().time() < until_s:
            await asyncio.sleep(LOOKS_EVERY_S)
        return self._scene(browser) != scene

    async def _asked_with(self, browser: Browser, wanted: Wanted, person: int, pin: str | None) -> Pressed:
        moment = self._moment(browser)
        pressed = await ask_with(self._wires, browser, moment, wanted, person, pin)
        if pressed.is_done:
            browser.known |= dict.fromkeys(wanted.who[:1] if len(wanted.who) == 1 else (), person)
            self._heard.take(wanted.steps, moment)
            self._heard.decide(wanted.steps, moment)
        return pressed

    async def _sign_in(self, browser: Browser, wanted: Wanted, person: int, pin: str | None) -> Pressed:
        """Signs the person in by PIN, or by badge and key (`pin` None), and then does what `wanted` asks."""
        wire = await self._wires.open(browser.caller)
        purpose = self._purposes(browser, wanted)[0]
        request = {"person": person, "purpose": purpose, **Credential(pin, browser.terminal).fields}
        try:
            answer = await wire.ask(PIN_WITHIN_S, do="sign-in", language=browser.language.value, **request)
        except ControllerAway:
            wire.close()
            raise
        if answer.signed_in is None:
            wire.close()
            if pin is None:  # the badge has served another request meanwhile
                await self._ask_who(browser, wanted)
                return NOTHING
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
        """Carries out the request of a person who has signed in for it. Does nothing if the pressed button has changed
        since the press.

        A request that reads the journal or tries a device is sent at once. Any other request first has its acts done.
        If they are done and the request asks for an act's values, opens that act's form.
        """
        if text := self._gone_on(browser, wanted):
            return gone(browser, text)
        if wanted.reads is not None or wanted.tries:
            return await self._beside(browser, wanted)
        if wanted.asks:
            pressed = await self._do(browser, replace(wanted, asks="")) if wanted.steps else NOTHING
            return await self._sheets.ask_values(browser, wanted) if pressed.is_done else pressed
        return await self._do(browser, wanted) if wanted.steps else NOTHING

    async def _beside(self, browser: Browser, wanted: Wanted) -> Pressed:
        right = browser.right_of(wanted.who, self._purposes(browser, wanted))
        if right is None:
            return refused(browser, "panel.said.stale")
        browser.close_sheet()
        return await look(browser, right, wanted, round_of(browser, self._moment(browser)))

    def _gone_on(self, browser: Browser, wanted: Wanted) -> str:
        """Returns the sentence that tells how the pressed button has changed since the press, or that the controller is
        away. Returns "" for an unchanged button, or if no button made the request.
        """
        if not wanted.name:
            return ""
        moment = self._moment(browser)
        if moment is None or not moment.is_live:
            return say(browser.language, "panel.said.away")
        return gone_on(wanted.shown, offer_of(moment, wanted.name), browser.language)


def _likely(browser: Browser, moment: Moment | None, wanted: Wanted) -> int | None:
    """Returns the person among `browser.people` whom the pad asks at once; None if a list asks who it is. This is the
    only person who may, or at a loading or unloading the one who last gave a credential here.
    """
    may = {one.number for one in browser.people}
    known = {browser.known.get(role) for role in wanted.who if operation_of(moment)} & may
    return next(iter(may if len(may) == 1 else known), None)


def _rest(wanted: Wanted, done: int) -> Wanted:
    """Returns the request without its first `done` steps. With `done` above 0 the button's name and text go too."""
    return replace(wanted, steps=wanted.steps[done:], name="", shown="") if done else wanted


def _is_open_for_good(moment: Moment) -> bool:
    """True if the session is open and each entry is durable: the acts are those of the durable entries."""
    return moment.status.session != SessionStep.CLOSED and not moment.status.journal.waiting
