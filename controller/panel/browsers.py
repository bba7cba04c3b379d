"""The browsers that are known by their cookie: what each has open, and for whom it may speak."""

import asyncio
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import Final

from controller.catalogue import Language
from controller.panel.grid import Grid
from controller.panel.moment import Place
from controller.panel.offer import Step, Values
from controller.panel.places import OWN_SCREEN, Caller
from controller.panel.wire import Wire
from controller.protocol.lines import TABLE_SCREEN, ActDocument, Answer, PersonDocument
from controller.protocol.record import RecordDocument, RecordKind
from controller.protocol.status import HandStatus

MOST_BROWSERS: Final = 256
"""That are known at once, beside those of this computer."""

MOST_BROWSERS_OF_AN_ADDRESS: Final = 16
MOST_ANSWERS: Final = 8
OVER: Final = "over"
"""The controller's word for a right whose purpose is fulfilled."""

MOST_STREAMS: Final = 3
"""Of one browser: it opens six connections to a host, and the seventh tab would hang."""


@unique
class View(StrEnum):
    TABLE = "table"
    CHIEF = "chief"
    DEVICES = "devices"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class Pressed:
    """The outcome of a press. `wait_ms`: the next PIN counts only after so long."""

    is_done: bool
    say: str = ""
    wait_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """The request to be made once a person of these roles has signed in; `asks`: the act whose values come first.

    `known`: values that its sheet starts with. `reads`: of the journal; `tries`: the part that a technician sees work.
    `name`, `shown`: of the button that it came of, and what that showed when it was pressed.
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


@dataclass(frozen=True, slots=True)
class Right:
    """One person, signed in over a connection of this browser's own: it ends with the connection."""

    person: int
    name: str
    role: str
    purpose: str
    wire: Wire


class Stream:
    """One open page. It has one slot: that something is new. What it is, is made when the browser takes it.

    `is_one_too_many`: other pages of its browser have its place; it is told so, and does not come again.
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
        """True where something became new within so long."""
        try:
            async with asyncio.timeout(within_s):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True


@dataclass(slots=True)
class Browser:
    """One browser's open pages. Its rights alone are more than a matter of display.

    `caller`: where it is; its cookie is good for nothing elsewhere. `known`: by role, who signed in here last.
    `number`: what the buttons of its page carry; an earlier one was answered already, and gets that answer again.
    `sheet`: what lies over the page; `acts`, `act`, `picked`: the acts listed there, the one whose values are asked
    for, and those chosen; `given`: those that it was opened with, and asks nobody for; `grid`: the deck check's, while
    it is filled in; `form_in`, `form_facts`: the phase of the table and what is decided by, which are the present ones
    until something was entered (`has_entered`). `seats`: where bets lie, as tapped (None: as in the last round); where
    hands are followed `stakes` (before the round of `stakes_before`) and `seat`, the one that chips go to. `wanted`:
    what follows a sign-in; `asks_pin`: the PIN pad is open for it, for `asks_person` where that is known; `asks_why`:
    the word for why it is, though that person is signed in.
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
    act: ActDocument | None = None
    picked: dict[str, str] = field(default_factory=dict)
    grid: Grid | None = None
    form_in: str = ""
    form_facts: Mapping[str, str] = field(default_factory=dict)
    has_entered: bool = False
    given: Values = field(default_factory=dict)
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
    said_in: str = ""  # the phase of the table that it was said in: in the next one it is old
    said_at_s: float = 0.0  # when a page showed it first
    is_refusal: bool = False
    answered: OrderedDict[str, Pressed] = field(default_factory=OrderedDict)
    streams: list[Stream] = field(default_factory=list)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    version: int = 0

    def changed(self) -> None:
        """The page of this browser is another than it was."""
        self.version += 1
        for stream in self.streams:
            stream.wake()

    @property
    def terminal(self) -> str:
        """The screen's name for the controller, whose waits after wrong PINs go by it."""
        address = re.sub(r"[^a-z0-9]+", "-", self.caller.address)
        return TABLE_SCREEN if self.caller.is_own else f"panel-{address}"

    @property
    def is_idle(self) -> bool:
        """True where no page of it is open and no person is signed in."""
        return not self.streams and not self.rights

    @property
    def has_read(self) -> bool:
        """True where its view of the record is its own: something is read, or chosen to be."""
        return self.record is not None or self.percent is not None or bool(self.session or self.round)

    def answer(self, number: str, pressed: Pressed) -> None:
        """That press has its answer; the next one has another number."""
        self.answered[number] = pressed
        while len(self.answered) > MOST_ANSWERS:
            self.answered.popitem(last=False)
        self.number += 1
        self.changed()

    def say(self, text: str, *, is_refusal: bool = False) -> None:
        self.said, self.said_in, self.said_at_s, self.is_refusal = text, "", 0.0, is_refusal
        self.changed()

    def has_laid(self, stakes: Mapping[Place, int]) -> None:
        """Stakes that lie as they were tapped are the table's from now on: a later change is none of this page's."""
        self.stakes = {place: cents for place, cents in self.stakes.items() if not cents or stakes.get(place) != cents}

    def close_sheet(self, *, keeps_form: bool = False) -> None:
        """`keeps_form`: what lay over an act's form goes, and the form stays as it was filled in."""
        if not keeps_form:
            self.act, self.picked, self.grid, self.given = None, {}, None, {}
            self.form_in, self.has_entered = "", False
        self.sheet = self.form
        self.wanted, self.asks_pin, self.asks_person, self.asks_why = None, False, None, ""

    @property
    def form(self) -> str | None:
        """The sheet of the act whose values are asked for."""
        return None if self.act is None else f"act:{self.act.act}"

    @property
    def is_form_covered(self) -> bool:
        """True where something else is asked over the form."""
        return self.asks_pin or self.sheet != self.form

    def asks_of(self, person: str) -> bool:
        """True where the PIN pad is open for this person; "" is a pad that asks for the number.

        A PIN that was typed for one person is never taken for another's, nor for a number.
        """
        return self.asks_pin and person == ("" if self.asks_person is None else str(self.asks_person))

    @property
    def asks_name(self) -> str:
        """The name of the person whose PIN is asked for, where this browser was told it."""
        names = {one.number: one.name for one in self.people} | {one.person: one.name for one in self.rights.values()}
        return names.get(self.asks_person or 0, "")

    @property
    def people_here(self) -> dict[int, Right]:
        """The people signed in here, each once."""
        return {right.person: right for right in self.rights.values()}

    @property
    def names_here(self) -> tuple[str, ...]:
        return tuple(f"{number} {right.name}".rstrip() for number, right in self.people_here.items())

    @property
    def supervisors(self) -> dict[str, str]:
        """The people signed in here besides the dealer, by post."""
        rights = (one for one in self.rights.values() if one.role != "dealer")
        return {one.role: f"{one.person} {one.name}".rstrip() for one in rights}

    @property
    def is_shared(self) -> bool:
        """True where others touch this screen: the table's own, and one where the dealer or several are signed in."""
        return self.caller.is_own or "table" in self.rights or len(self.people_here) > 1

    def sign_out_person(self, number: int) -> None:
        """Every right of this person here."""
        for right in [one for one in self.rights.values() if one.person == number]:
            self.sign_out(right.purpose)

    def opened(self, stream: Stream) -> None:
        """One page more; beyond the most the oldest ends."""
        self.streams.append(stream)
        while len(self.streams) > MOST_STREAMS:
            oldest = self.streams.pop(0)
            oldest.is_one_too_many = True
            oldest.end()

    def gone(self, stream: Stream) -> None:
        if stream in self.streams:
            self.streams.remove(stream)

    def right_of(self, who: tuple[str, ...], purposes: tuple[str, ...]) -> Right | None:
        """Somebody of these roles who is signed in here for one of these purposes; the first that there is."""
        rights = (self.rights.get(purpose) for purpose in purposes)
        return next((right for right in rights if right is not None and right.role in who), None)

    def sign_in(self, right: Right) -> None:
        """The right takes the place of one for the same purpose."""
        self.sign_out(right.purpose)
        self.rights[right.purpose] = right
        self.known[right.role] = right.person
        right.wire.on_end = lambda: self._ended(right)
        right.wire.on_line = lambda line: self._heard(right, line)
        self.changed()

    def sign_out(self, purpose: str) -> None:
        right = self.rights.pop(purpose, None)
        if right is not None:
            right.wire.leave()  # the act that ended what it was for may have its answer to come
            self._forget_record()
            self.changed()

    def _heard(self, right: Right, line: Answer) -> None:
        """The end of the right; as long as it stands, the faces of the cards on the table, and how far a check is."""
        if self.rights.get(right.purpose) is not right:
            return
        if line.signed_out is not None:
            self.sign_out(right.purpose)
            if line.signed_out != OVER:  # its purpose is done: people need not hear that
                self.say(f"{right.person} {right.name}: {line.text}")
            return
        if line.hands is not None:
            before = self.lay if self.hands else {}  # on an empty table another round begins
            self.lay = before | {(one.seat, one.hand): one for one in line.hands} if line.hands else self.lay
            self.hands = line.hands
            self.changed()
        if line.checked_percent is not None:
            self.percent = line.checked_percent
            self.changed()

    def _ended(self, right: Right) -> None:
        """The controller has ended it, or is gone."""
        if self.rights.get(right.purpose) is right:
            del self.rights[right.purpose]
            self._forget_record()
            self.changed()

    def _forget_record(self) -> None:
        if not self.rights:
            self.record, self.lay = None, {}


class Browsers:
    """By cookie. The idle one that was not heard of for longest makes room: of its address first, never the table's own
    for others.
    """

    def __init__(self) -> None:
        self._by_cookie: OrderedDict[str, Browser] = OrderedDict()

    def find(self, cookie: str | None, caller: Caller) -> Browser | None:
        """The browser of this cookie, where it is asked for from the place that the cookie was given to."""
        found = self._by_cookie.get(cookie or "")
        if found is None or found.caller != caller:
            return None
        self._by_cookie.move_to_end(cookie or "")
        return found

    def new(self, language: Language, caller: Caller) -> tuple[str, Browser]:
        """A browser that was not known, and its cookie."""
        self._make_room(MOST_BROWSERS_OF_AN_ADDRESS, lambda one: one.caller == caller)
        if not caller.is_own:
            self._make_room(MOST_BROWSERS, lambda one: not one.caller.is_own)
        cookie, browser = secrets.token_urlsafe(32), Browser(language, caller)
        self._by_cookie[cookie] = browser
        return cookie, browser

    def renewed(self, browser: Browser) -> str:
        """Another cookie for the browser: the one that it had is good for nothing any more."""
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
        """Every stream ends, everybody is signed out."""
        for browser in self._by_cookie.values():
            for stream in browser.streams:
                stream.end()
            for purpose in list(browser.rights):
                browser.sign_out(purpose)
