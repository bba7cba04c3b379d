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
from controller.panel.grid import Grid
from controller.panel.moment import Place
from controller.panel.offer import Step, Values
from controller.panel.places import OWN_SCREEN, Caller
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
    """The outcome of a press. `is_done` is also True where the press only opened a sheet or the PIN pad.

    `say`: the text of a refusal. `wait_ms`: milliseconds until the controller accepts another PIN; None for no wait.
    """

    is_done: bool
    say: str = ""
    wait_ms: int | None = None


class Wanted(Struct, frozen=True, gc=False):
    """A request for a person with one of the roles `who`; it waits while a sign-in, credential or second touch is due.

    `steps`: the acts with their values, in order. `asks`: the act whose values a sheet asks for first; `known`: values
    that the sheet starts with. `hold`: the id of the hold that the request is about; "" for none. `reads`: the part of
    the journal to be read; `tries`: the device that a technician tries. `takes_own_pin`: a sign-in does not suffice.
    `name`: the pressed button; `shown`: the text that the button showed at the press. `listed`: the list of acts from
    which the act was chosen. `was_possible`: the act was possible when the wait began.
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
    """A person's sign-in at this browser for one purpose; it lasts at most as long as its own connection `wire`."""

    person: int
    name: str
    role: str
    purpose: str
    wire: Wire


class Stream:
    """One open page, with a flag for news; the page itself is drawn when the browser takes it.

    `is_one_too_many`: the browser has too many pages open; the panel tells this page so, and the page does not connect
    again.
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
        """Waits up to `within_s` seconds for news or the stream's end; returns False where neither has come."""
        try:
            async with asyncio.timeout(within_s):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


class Browser(Struct):
    """One browser with its open pages and their state. Of all this only `rights`, the sign-ins, lets a person act.

    `caller`: the address that its cookie is valid for. `known`: the person who signed in here last, by role. `number`:
    the number of the next press, which each button carries; a press with an earlier number gets the stored answer to
    that number. `sheet`: the sheet that is open over the page. `acts`: the acts listed there; `stays_at`: the place of
    the last card where the list leaves its move out; `act`: the act whose values the sheet asks for; `picked`: the
    values chosen so far; `given`: the values that the sheet was opened with and does not ask for; `listed`: the list of
    acts from which it was opened; `grid`: the counts of a deck check while they are entered. `form_in`, `form_facts`:
    phase and facts of the table; they follow the table until a value is entered (`has_entered`). `seats`: the seats
    with a bet, as tapped (None: as in the last round). Where hands are followed: `stakes`, tapped for the round after
    `stakes_before`, and `seat`, to which chips go. `hands`: the cards on the table; `lay`: the cards of this round,
    also those that have left the table. `percent`: the progress of a reading of the journal (None: no reading);
    `record`: its result; `session`, `round`: the part of the journal chosen for it (0: none chosen). `wanted`: the
    request that waits for a sign-in, a credential or a second touch. `asks_pin`: the PIN pad is open, for `asks_person`
    where the person is known; `asks_why`: the reason for asking although that person is signed in.
    """

    language: Language
    caller: Caller = OWN_SCREEN
    number: int = 1
    rights: dict[str, Right] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    hold: str = ""
    seats: frozenset[int] | None = None
    stakes: dict[Place, int] = field(default_factory=dict)
    stakes_before: tuple[int, int] | None = None
    seat: int | None = None
    sheet: str | None = None
    acts: tuple[ActDocument, ...] = ()
    stays_at: str = ""
    act: ActDocument | None = None
    picked: dict[str, str] = field(default_factory=dict)
    grid: Grid | None = None
    form_in: str = ""
    form_facts: Mapping[str, str] = field(default_factory=dict)
    has_entered: bool = False
    given: Values = field(default_factory=dict)
    listed: str = ""
    hands: list[HandStatus] = field(default_factory=list)
    lay: dict[tuple[int, int], HandStatus] = field(default_factory=dict)
    people: tuple[PersonDocument, ...] = ()
    record: RecordDocument | None = None
    percent: int | None = None
    session: int = 0
    round: int = 0
    task: "asyncio.Task[None] | None" = None
    wanted: Wanted | None = None
    asks_pin: bool = False
    asks_person: int | None = None
    asks_why: str = ""
    said: str = ""
    said_in: str = ""  # the table's phase at that time: in the next phase the text is old
    said_at_s: float = 0.0  # the time of the first page that showed the text
    is_refusal: bool = False
    answered: OrderedDict[str, Pressed] = field(default_factory=OrderedDict)
    streams: list[Stream] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    version: int = 0
    entry: int = 0  # the journal's entry of the last act that was asked for here

    def changed(self) -> None:
        """Counts up the version of this browser's page and wakes its streams."""
        self.version += 1
        for stream in self.streams:
            stream.wake()

    @property
    def terminal(self) -> str:
        """Returns the name of this screen for the controller, which counts wrong PINs by screen."""
        address = re.sub(r"[^a-z0-9]+", "-", self.caller.address)
        return TABLE_SCREEN if self.caller.is_own else f"panel-{address}"

    @property
    def is_idle(self) -> bool:
        """Returns True where the browser has no page open and no person is signed in at it."""
        return not self.streams and not self.rights

    @property
    def has_read(self) -> bool:
        """True where the browser shows its own part of the journal: a reading, or a chosen session or round."""
        return self.record is not None or self.percent is not None or bool(self.session or self.round)

    def answer(self, number: str, pressed: Pressed) -> None:
        """Stores the answer to the press of this number, and gives the next press a new number."""
        self.answered[number] = pressed
        while len(self.answered) > MOST_ANSWERS:
            self.answered.popitem(last=False)
        self.number += 1
        self.changed()

    def say(self, text: str, *, is_refusal: bool = False) -> None:
        self.said, self.said_in, self.said_at_s, self.is_refusal = text, "", 0.0, is_refusal
        self.changed()

    def drop_laid(self, stakes: Mapping[Place, int]) -> None:
        """Removes each tapped stake that the table now reports as laid; from then on the table's value counts."""
        self.stakes = {place: cents for place, cents in self.stakes.items() if not cents or stakes.get(place) != cents}

    def close_sheet(self, *, keeps_form: bool = False) -> None:
        """Closes the open sheet and the PIN pad, and drops the request that waits for a sign-in.

        `keeps_form`: the form of an act stays open with its values, and only a sheet or the pad over it closes.
        """
        if not keeps_form:
            self.act, self.picked, self.grid, self.given = None, {}, None, {}
            self.form_in, self.has_entered, self.listed = "", False, ""
        self.sheet = self.form
        self.wanted, self.asks_pin, self.asks_person, self.asks_why = None, False, None, ""

    @property
    def form(self) -> str | None:
        """Returns the name of the sheet that asks for an act's values; None if no act is open."""
        return None if self.act is None else f"act:{self.act.act}"

    @property
    def is_form_covered(self) -> bool:
        """Returns True where the PIN pad or another sheet covers the form."""
        return self.asks_pin or self.sheet != self.form

    def asks_of(self, person: str) -> bool:
        """True where the open PIN pad asks for this person's PIN; for "", where it asks for the person's number first.

        So a PIN that was typed for one person is never taken for another person's PIN, nor for a number.
        """
        return self.asks_pin and person == ("" if self.asks_person is None else str(self.asks_person))

    def name_of(self, person: int) -> str:
        """Returns the name of the person with this number; "" where this browser does not know the name."""
        names = {one.number: one.name for one in self.people} | {one.person: one.name for one in self.rights.values()}
        return names.get(person, "")

    @property
    def people_here(self) -> dict[int, Right]:
        """Returns the people signed in here, by number, each with one of the person's rights."""
        return {right.person: right for right in self.rights.values()}

    @property
    def names_here(self) -> tuple[str, ...]:
        return tuple(f"{number} {right.name}".rstrip() for number, right in self.people_here.items())

    @property
    def supervisors(self) -> dict[str, str]:
        """Returns the people signed in here other than the dealer: number and name, by role."""
        rights = (one for one in self.rights.values() if one.role != "dealer")
        return {one.role: f"{one.person} {one.name}".rstrip() for one in rights}

    @property
    def is_shared(self) -> bool:
        """True where several people use this screen: the table's own, or one with the dealer or two people at it."""
        return self.caller.is_own or "table" in self.rights or len(self.people_here) > 1

    def sign_out_person(self, number: int) -> None:
        """Ends every right of this person at this browser."""
        for right in [one for one in self.rights.values() if one.person == number]:
            self.sign_out(right.purpose)

    def opened(self, stream: Stream) -> None:
        """Adds a page's stream; above MOST_STREAMS the oldest stream ends."""
        self.streams.append(stream)
        while len(self.streams) > MOST_STREAMS:
            oldest = self.streams.pop(0)
            oldest.is_one_too_many = True
            oldest.end()

    def gone(self, stream: Stream) -> None:
        if stream in self.streams:
            self.streams.remove(stream)

    def right_of(self, who: tuple[str, ...], purposes: tuple[str, ...]) -> Right | None:
        """The first right, in the order of these purposes, of a person with one of these roles; None without one."""
        rights = (self.rights.get(purpose) for purpose in purposes)
        return next((right for right in rights if right is not None and right.role in who), None)

    def sign_in(self, right: Right) -> None:
        """Adds the right, in place of the right with the same purpose; `known` then names its person."""
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
        """Takes a line from the controller: a sign-out, the faces of the cards, or the progress of a check."""
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
        """The reason for a sign-out in this browser's language; the controller's text is in the table's language."""
        key = f"signed-out.{line.signed_out}"
        return sentence(key, (), self.language) if has_key(key) else line.text

    def _ended(self, right: Right) -> None:
        """Removes the right after the controller has closed its connection."""
        if self.rights.get(right.purpose) is right:
            del self.rights[right.purpose]
            self._forget_record()
            self.changed()

    def _forget_record(self) -> None:
        if not self.rights:
            self.record, self.lay = None, {}


class Browsers:
    """The browsers by cookie. Above a limit a new browser replaces the idle browser that was used least recently.

    First the browsers of its own address give way (MOST_BROWSERS_OF_AN_ADDRESS), then those of all other computers
    (MOST_BROWSERS). A browser in use (an open page, a person signed in) stays, even above a limit. A browser at another
    computer never replaces one at the table's own screen.
    """

    def __init__(self) -> None:
        self._by_cookie: OrderedDict[str, Browser] = OrderedDict()

    def find(self, cookie: str | None, caller: Caller) -> Browser | None:
        """The browser with this cookie, now the last used; None where the cookie is unknown or from another address."""
        found = self._by_cookie.get(cookie or "")
        if found is None or found.caller != caller:
            return None
        self._by_cookie.move_to_end(cookie or "")
        return found

    def new(self, language: Language, caller: Caller) -> tuple[str, Browser]:
        """Makes a new browser; returns its cookie and the browser."""
        self._make_room(MOST_BROWSERS_OF_AN_ADDRESS, lambda one: one.caller == caller)
        if not caller.is_own:
            self._make_room(MOST_BROWSERS, lambda one: not one.caller.is_own)
        cookie, browser = secrets.token_urlsafe(32), Browser(language, caller)
        self._by_cookie[cookie] = browser
        return cookie, browser

    def renewed(self, browser: Browser) -> str:
        """Gives the browser a new cookie and returns it; the old cookie is no longer valid."""
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
        """Ends every stream, and signs everybody out."""
        for browser in self._by_cookie.values():
            for stream in browser.streams:
                stream.end()
            for purpose in list(browser.rights):
                browser.sign_out(purpose)
