"""The browsers, each known by its cookie: its open pages, its sheet, and the people signed in at it."""

import asyncio
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from enum import StrEnum, unique
from typing import Final

from msgspec import Struct, field

from controller.catalogue import Language, has_key, sentence
from controller.machine.places import OWN_SCREEN, Caller
from controller.panel.grid import Grid
from controller.panel.moment import Place
from controller.panel.offer import Step, Values
from controller.panel.wire import Wire
from controller.protocol.lines import TABLE_SCREEN, ActDocument, Answer, PersonDocument
from controller.protocol.record import RecordDocument, RecordKind
from controller.protocol.status import HandStatus

MOST_BROWSERS: Final = 256
"""The most browsers known at one time, besides those on this computer."""

MOST_BROWSERS_OF_AN_ADDRESS: Final = 16
MOST_ANSWERS: Final = 8
OVER: Final = "over"
"""The controller's reason for a sign-out where the purpose of the sign-in is fulfilled."""

MOST_STREAMS: Final = 3
"""The most streams of one browser. A browser opens at most six connections to a host; presses need some of them."""


@unique
class View(StrEnum):
    TABLE = "table"
    CHIEF = "chief"
    DEVICES = "devices"
    RECORD = "record"


class Pressed(Struct, frozen=True, gc=False):
    """The outcome of a press. `is_done`: the act was done, or a sheet or the PIN pad was opened.

    `say`: the text of a refusal. `wait_ms`: milliseconds until the controller accepts another PIN; None for no wait.
    """

    is_done: bool
    say: str = ""
    wait_ms: int | None = None


class Wanted(Struct, frozen=True, gc=False):
    """A request that a person with one of the roles `who` may make. It waits for a sign-in, a credential or a second
    touch. `steps`: the acts with their values, in order. `asks`: the act whose values a sheet asks for first; `known`:
    values that the sheet starts with. `hold`: the id of the hold that the request is about; "" for none. `reads`: the
    journal entries to be read; `tries`: the device that a technician tries. `takes_own_pin`: a sign-in does not
    suffice. `name`: the pressed button; `shown`: the text that the button showed at the press. `listed`: the list of
    acts from which the act was chosen. `was_possible`: the act was possible when the wait began.
    """

    who: tuple[str, ...]
    steps: tuple[Step, ...] = ()
    hold: str = ""
    asks: str = ""
    known: Values = field(default_factory=dict)
    reads: RecordKind | None = None
    tries: str = ""
    takes_own_pin: bool = False
    name: str = ""
    shown: str = ""
    listed: str = ""
    was_possible: bool = False


class Right(Struct, frozen=True):
    """A person's sign-in at a browser for one purpose. It is over at the latest when its connection `wire` ends."""

    person: int
    name: str
    role: str
    purpose: str
    wire: Wire


class Stream:
    """The event stream of one open page. A flag says that the page has changed. The page is drawn only when it is sent.

    `is_one_too_many`: the browser has too many open pages. The panel tells the page so, and it does not connect again.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.is_ended = False
        self.is_one_too_many = False
        self._news = asyncio.Event()
        self._news.set()

    def wake(self) -> None:
        self._news.set()

    def end(self) -> None:
        self.is_ended = True
        self._news.set()

    async def news(self, within_s: float) -> bool:
        """Waits until the page changes or the stream ends. False if neither happens within `within_s` seconds."""
        try:
            async with asyncio.timeout(within_s):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


class Browser(Struct):
    """One browser: its open pages, their state, and the people signed in at it. Only a sign-in in `rights` permits an
    act.
    """

    language: Language
    caller: Caller = OWN_SCREEN  # the address for which the cookie is valid
    number: int = 1  # of the next press; a press with an earlier number gets the answer stored for it
    rights: dict[str, Right] = field(default_factory=dict)  # the sign-ins, by purpose
    known: dict[str, int] = field(default_factory=dict)  # the person who signed in here last, by role
    hold: str = ""  # the id of the hold chosen to be seen; "" for none
    seats: frozenset[int] | None = None  # the seats with a bet, as tapped; None: as in the last round
    stakes: dict[Place, int] = field(default_factory=dict)  # tapped for the round after `stakes_before`
    stakes_before: tuple[int, int] | None = None  # numbers of session and round
    seat: int | None = None  # the seat to which tapped chips go, where hands are followed
    sheet: str | None = None  # the sheet that is open over the page
    acts: tuple[ActDocument, ...] = ()  # the acts that the sheet lists
    stays_at: str = ""  # the last card's place, if the list leaves out this card's move
    act: ActDocument | None = None  # the act of the open form, which asks for its values
    picked: dict[str, str] = field(default_factory=dict)  # the values chosen so far
    lying: Mapping[Place, int] = field(default_factory=dict)  # cents that lie, for the form of a change
    grid: Grid | None = None  # the counts of a deck check while they are entered
    form_in: str = ""  # the table's phase until the first value was entered, then kept
    form_facts: Mapping[str, str] = field(default_factory=dict)  # the table's facts at that time
    has_entered: bool = False  # a value has been entered in the form
    given: Values = field(default_factory=dict)  # values with which the form was opened and which it does not ask for
    listed: str = ""  # the list of acts from which the sheet was opened
    hands: list[HandStatus] = field(default_factory=list)  # the cards on the table
    lay: dict[tuple[int, int], HandStatus] = field(default_factory=dict)  # this round's cards, also those removed since
    people: tuple[PersonDocument, ...] = ()  # the people to choose from in the list of people
    record: RecordDocument | None = None  # the result of a reading of the journal
    percent: int | None = None  # the reading's progress; None: no reading runs
    session: int = 0  # the session to be read; 0: none chosen
    round: int = 0  # the round to be read; 0: none chosen
    task: "asyncio.Task[None] | None" = None
    wanted: Wanted | None = None  # the request that waits for a sign-in, a credential or a second touch
    asks_pin: bool = False  # the PIN pad is open
    asks_person: int | None = None  # the person whose PIN the pad asks for; None: it asks for the number first
    asks_why: str = ""  # the reason for asking a person who is signed in already
    said: str = ""  # the message that the page shows
    said_in: str = ""  # the phase in which it was first shown: in the next phase it is old
    said_at_s: float = 0.0  # the time at which it was first shown
    is_refusal: bool = False
    answered: OrderedDict[str, Pressed] = field(default_factory=OrderedDict)
    touches: dict[str, str] = field(default_factory=dict)  # the touch of each answered press, by the press's number
    streams: list[Stream] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    version: int = 0
    entry: int = 0  # the journal's entry of the last act that was asked for here

    def changed(self) -> None:
        """Raises the version of the browser's page and wakes its streams."""
        self.version += 1
        for stream in self.streams:
            stream.wake()

    @property
    def terminal(self) -> str:
        """Returns the name of the browser's screen. The controller counts wrong PINs by this name."""
        address = re.sub(r"[^a-z0-9]+", "-", self.caller.address)
        return TABLE_SCREEN if self.caller.is_own else f"panel-{address}"

    @property
    def is_idle(self) -> bool:
        """True if the browser has no open page and no person is signed in at it."""
        return not self.streams and not self.rights

    @property
    def has_read(self) -> bool:
        """True if the browser shows or reads a part of the journal, or a person has chosen a session or round."""
        return self.record is not None or self.percent is not None or bool(self.session or self.round)

    def answer(self, number: str, pressed: Pressed, touch: str = "") -> None:
        """Stores `pressed` as the answer to the press with this number, and raises the number for the next press.

        `touch`: the id that the page gave to the touch; "" for none.
        """
        self.answered[number], self.touches[number] = pressed, touch
        while len(self.answered) > MOST_ANSWERS:
            self.touches.pop(self.answered.popitem(last=False)[0])
        self.number += 1
        self.changed()

    def say(self, text: str, *, is_refusal: bool = False) -> None:
        self.said, self.said_in, self.said_at_s, self.is_refusal = text, "", 0.0, is_refusal
        self.changed()

    def drop_laid(self, stakes: Mapping[Place, int]) -> None:
        """Removes each tapped stake that is equal to the table's stake at that place in `stakes`. A tapped stake of 0
        stays.
        """
        self.stakes = {place: cents for place, cents in self.stakes.items() if not cents or stakes.get(place) != cents}

    def close_sheet(self, *, keeps_form: bool = False) -> None:
        """Closes the open sheet and the PIN pad, and drops the request that waits for a sign-in.

        `keeps_form`: an act's open form stays with its values. Only a sheet or PIN pad above the form closes.
        """
        if not keeps_form:
            self.act, self.picked, self.grid, self.given = None, {}, None, {}
            self.form_in, self.has_entered, self.listed = "", False, ""
        self.sheet = self.form
        self.wanted, self.asks_pin, self.asks_person, self.asks_why = None, False, None, ""

    @property
    def form(self) -> str | None:
        """Returns the name of the sheet that asks for an act's values. Returns None if no act is open."""
        return None if self.act is None else f"act:{self.act.act}"

    @property
    def is_form_covered(self) -> bool:
        """True if the PIN pad or another sheet covers the form."""
        return self.asks_pin or self.sheet != self.form

    def asks_of(self, person: str) -> bool:
        """True if the open PIN pad asks for the PIN of `person`, or for a person's number if `person` is "".

        So a PIN typed for one person is never taken as another person's PIN, or as a number.
        """
        return self.asks_pin and person == ("" if self.asks_person is None else str(self.asks_person))

    def name_of(self, person: int) -> str:
        """Returns the name of the person with the number `person`. Returns "" if the browser does not know the name."""
        names = {one.number: one.name for one in self.people} | {one.person: one.name for one in self.rights.values()}
        return names.get(person, "")

    @property
    def people_here(self) -> dict[int, Right]:
        """Returns one sign-in of each person who is signed in here, by the person's number."""
        return {right.person: right for right in self.rights.values()}

    @property
    def names_here(self) -> tuple[str, ...]:
        return tuple(f"{number} {right.name}".rstrip() for number, right in self.people_here.items())

    @property
    def supervisors(self) -> dict[str, str]:
        """Returns number and name of each person signed in at the browser, by role, without the dealer."""
        rights = (one for one in self.rights.values() if one.role != "dealer")
        return {one.role: f"{one.person} {one.name}".rstrip() for one in rights}

    @property
    def is_shared(self) -> bool:
        """True at the table's own screen, and if the dealer or more than one person is signed in."""
        return self.caller.is_own or "table" in self.rights or len(self.people_here) > 1

    def sign_out_person(self, number: int) -> None:
        """Ends every sign-in of the person `number` at the browser."""
        for right in [one for one in self.rights.values() if one.person == number]:
            self.sign_out(right.purpose)

    def opened(self, stream: Stream) -> None:
        """Adds a page's stream. Above MOST_STREAMS streams the oldest one ends."""
        self.streams.append(stream)
        while len(self.streams) > MOST_STREAMS:
            oldest = self.streams.pop(0)
            oldest.is_one_too_many = True
            oldest.end()

    def gone(self, stream: Stream) -> None:
        if stream in self.streams:
            self.streams.remove(stream)

    def right_of(self, who: tuple[str, ...], purposes: tuple[str, ...]) -> Right | None:
        """Returns the sign-in of a person with a role in `who`, the first in the order of `purposes`. Returns None if
        no such person is signed in.
        """
        rights = (self.rights.get(purpose) for purpose in purposes)
        return next((right for right in rights if right is not None and right.role in who), None)

    def sign_in(self, right: Right) -> None:
        """Adds the sign-in `right`, and stores its person in `known`. An earlier sign-in for the same purpose is
        replaced.
        """
        self.sign_out(right.purpose)
        self.rights[right.purpose] = right
        self.known[right.role] = right.person
        right.wire.on_end = lambda: self._ended(right)
        right.wire.on_line = lambda line: self._heard(right, line)
        self.changed()

    def sign_out(self, purpose: str) -> None:
        right = self.rights.pop(purpose, None)
        if right is not None:
            right.wire.leave()  # the answer to the act that ended the purpose may still arrive
            self._forget_record()
            self.changed()

    def _heard(self, right: Right, line: Answer) -> None:
        """Handles a line from the controller: a sign-out, the faces of the cards, or the progress of a reading."""
        if self.rights.get(right.purpose) is not right:
            return
        if line.signed_out is not None:
            self.sign_out(right.purpose)
            if line.signed_out != OVER:  # an end of the sign-in with its purpose needs no message
                self.say(f"{right.person} {right.name}: {self._why_out(line)}")
            return
        if line.hands is not None:
            before = self.lay if self.hands else {}  # an empty table begins another round, whose last cards are kept
            self.lay = before | {(one.seat, one.hand): one for one in line.hands} if line.hands else self.lay
            self.hands = line.hands
            self.changed()
        if line.checked_percent is not None:
            self.percent = line.checked_percent
            self.changed()

    def _why_out(self, line: Answer) -> str:
        """Returns the reason for the sign-out in `line`, in the browser's language, else the controller's own text."""
        key = f"signed-out.{line.signed_out}"
        return sentence(key, (), self.language) if has_key(key) else line.text

    def _ended(self, right: Right) -> None:
        if self.rights.get(right.purpose) is right:
            del self.rights[right.purpose]
            self._forget_record()
            self.changed()

    def _forget_record(self) -> None:
        if not self.rights:
            self.record, self.lay = None, {}


class Browsers:
    """The browsers by cookie. Above a limit, a new browser replaces the idle browser that was used least recently.

    MOST_BROWSERS_OF_AN_ADDRESS limits the browsers of one address; MOST_BROWSERS limits those of all other computers
    together. A browser with an open page or a signed-in person stays even above a limit. A browser at another computer
    never replaces a browser at the table's own screen.
    """

    def __init__(self) -> None:
        self._by_cookie: OrderedDict[str, Browser] = OrderedDict()

    def find(self, cookie: str | None, caller: Caller) -> Browser | None:
        """Returns the browser with `cookie`, which then counts as the last one used. None if the cookie is unknown or
        belongs to another address than `caller`.
        """
        found = self._by_cookie.get(cookie or "")
        if found is None or found.caller != caller:
            return None
        self._by_cookie.move_to_end(cookie or "")
        return found

    def new(self, language: Language, caller: Caller) -> tuple[str, Browser]:
        """Makes a new browser for `caller`. Returns the cookie of the browser, and the browser."""
        self._make_room(MOST_BROWSERS_OF_AN_ADDRESS, lambda one: one.caller == caller)
        if not caller.is_own:
            self._make_room(MOST_BROWSERS, lambda one: not one.caller.is_own)
        cookie, browser = secrets.token_urlsafe(32), Browser(language, caller)
        self._by_cookie[cookie] = browser
        return cookie, browser

    def renewed(self, browser: Browser) -> str:
        """Gives the browser a new cookie and returns the cookie. The browser's old cookie is no longer valid."""
        self._by_cookie = OrderedDict((key, one) for key, one in self._by_cookie.items() if one is not browser)
        cookie = secrets.token_urlsafe(32)
        self._by_cookie[cookie] = browser
        return cookie

    def _make_room(self, most: int, counts: Callable[[Browser], bool]) -> None:
        counted = [(cookie, one.is_idle) for cookie, one in self._by_cookie.items() if counts(one)]
        idle = [cookie for cookie, is_idle in counted if is_idle]
        for cookie in idle[: max(0, len(counted) + 1 - most)]:
            del self._by_cookie[cookie]

    def all(self) -> list[Browser]:
        return list(self._by_cookie.values())

    def wake(self) -> None:
        for browser in self._by_cookie.values():
            for stream in browser.streams:
                stream.wake()

    def end(self) -> None:
        """Ends every stream, and signs out all people."""
        for browser in self._by_cookie.values():
            for stream in browser.streams:
                stream.end()
            for purpose in list(browser.rights):
                browser.sign_out(purpose)
