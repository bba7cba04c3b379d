"""Answers a press: opens a sheet at the browser, or asks for acts over the connection of a person signed in there.

The page carries a number. A second press with the same number does nothing, and gets the answer to the first.
"""

from controller.panel.browsers import Browser, Pressed, Wanted
from controller.panel.complaints import HeardWords
from controller.panel.forms import filled, follow_table, form_shown, is_number, take_typed
from controller.panel.fulfilment import Fulfilment
from controller.panel.gone import changed, gone_on, written
from controller.panel.listed import LISTS
from controller.panel.offer import Offer, Step
from controller.panel.offers import offer_of
from controller.panel.pending import waits_for
from controller.panel.reading import TECHNICIAN, TRIED, marks_recording, may_be_marked, readers_of
from controller.panel.said import gone, refused, say
from controller.panel.settings import PanelSettings
from controller.panel.sheets import LONGEST_VALUE, NOTHING, Moments, Sheets
from controller.panel.stakes import laid_before
from controller.panel.wanted import wanted_of
from controller.panel.wire import ControllerAway, Wires
from controller.protocol.lines import LARGEST_PERSON, ActDocument
from controller.protocol.record import RecordKind


class Presses:
    """Answers the presses and PINs of every browser. `heard`: the words of complaints that were recorded at the
    panel.
    """

    def __init__(self, settings: PanelSettings, moment: Moments) -> None:
        wires = Wires(settings.socket)
        self._moment = moment
        self._sheets = Sheets(settings, wires, moment)
        self.heard = HeardWords()
        self._fulfilment = Fulfilment(wires, moment, self._sheets, self.heard)

    async def press(self, browser: Browser, fields: dict[str, str]) -> Pressed:
        """Carries out one press and returns its result. An unknown press does nothing. A press that asks for an act
        carries the page's number.

        A press with an earlier number gets the answer to the press that had this number. A press with an unknown number
        is refused. A different touch with an earlier number does nothing: its page was out of date.
        """
        kind, _, name = fields.get("name", "").partition(":")
        value, is_sure = fields.get("value", ""), fields.get("sure") == "1"
        number, touch = fields.get("number", ""), fields.get("touch", "")
        if kind != "ui" and number != str(browser.number):
            if touch != browser.touches.get(number, touch):
                return Pressed(is_done=False)
            return browser.answered.get(number) or refused(browser, "panel.said.stale")
        shown = fields.get("shown", "")
        take_typed(browser, fields, LONGEST_VALUE)
        try:
            if kind == "ui":
                return await self._open(browser, name, value, shown, is_sure=is_sure)
            pressed = await self._act(browser, kind, name, shown, is_sure=is_sure)
        except ControllerAway:
            pressed = refused(browser, "panel.said.no-answer")
        browser.answer(number, pressed, touch)
        return pressed

    async def pin(self, browser: Browser, fields: dict[str, str]) -> Pressed:
        """Takes a person's number or PIN from the pad. After a correct PIN, does what the waiting request asks."""
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
            return await self._fulfilment.take_pin(browser, wanted, browser.asks_person, typed)
        except ControllerAway:
            return Pressed(is_done=False, say=say(browser.language, "panel.said.no-answer"))

    # ---- acts

    async def _act(self, browser: Browser, kind: str, name: str, shown: str, *, is_sure: bool) -> Pressed:
        moment = self._moment(browser)
        if moment is None or not moment.is_live:
            return refused(browser, "panel.said.away")
        if kind == "read" and name in set(RecordKind):
            what = RecordKind(name)
            return await self._fulfilment.want(browser, Wanted(readers_of(what), reads=what))
        if kind == "keep" and may_be_marked(browser.record, name):
            return await self._fulfilment.want(browser, marks_recording(moment, name))
        if kind == "try" and name in TRIED:
            return await self._fulfilment.want(browser, Wanted(TECHNICIAN, tries=name))
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
        wanted = wanted_of(offer)
        if offer.hold_ms and not is_sure:
            browser.close_sheet()
            self._asks_again(browser, wanted)
            return NOTHING
        return await self._fulfilment.want(browser, wanted)

    async def _listed(self, browser: Browser, act: str, *, is_sure: bool) -> Pressed:
        """Carries out a press on an act in the list of all acts."""
        document = next((one for one in browser.acts if one.act == act), None)
        if document is None:
            return refused(browser, "panel.said.stale")
        moment = self._moment(browser)
        hold = moment.hold.id if moment is not None and moment.hold is not None else ""
        asks = act if document.values else ""
        own: tuple[Step, ...] = () if document.values else ((act, {}),)
        steps = (*laid_before(moment, act), *own)
        wanted = Wanted(tuple(document.who), steps, hold, asks, listed=browser.sheet if browser.sheet in LISTS else "")
        if document.hold_ms and not document.values and not is_sure:
            self._asks_again(browser, wanted)
            return NOTHING
        return await self._fulfilment.want(browser, wanted)

    def _asks_again(self, browser: Browser, wanted: Wanted) -> None:
        waits_for(browser, wanted, self._moment(browser))
        browser.sheet = "sure"
        browser.changed()

    # ---- open sheets

    async def _open(self, browser: Browser, name: str, value: str, shown: str, *, is_sure: bool) -> Pressed:
        if name == "sure" and browser.wanted is not None and shown == written(browser.wanted.steps):
            return await self._fulfilment.want(browser, browser.wanted)
        if name == "do" and browser.act is not None:
            return await self._do_with_values(browser, browser.act, shown, is_sure=is_sure)
        return await self._sheets.open(browser, name, value)

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
            self._asks_again(browser, wanted)
            return NOTHING
        return await self._fulfilment.want(browser, wanted)
