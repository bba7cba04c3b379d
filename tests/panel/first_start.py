"""A bare table with simulated devices, and a technician who sets it up by fingers on its pages. Touches are counted."""

import contextlib
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Error, Locator, Page, expect

from controller.catalogue import Language, sentence
from controller.cli import commission_screen
from controller.commission import choices, usual
from controller.journal.signing import known_path
from controller.protocol.status import JournalStatus, Status
from simulators.devices.display import SimulatedDisplay
from simulators.devices.parts import SimulatedBadgeReader, SimulatedKey, SimulatedLamp, SimulatedRelay
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.pty_port import PtyHost
from tests.doctor.installation import Installation
from tests.waiting import wait_for

OF_KEY = "MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="
KEY = f"-----BEGIN PUBLIC KEY-----\n{OF_KEY}\n-----END PUBLIC KEY-----\n"
SHOWN = """() => {
  const main = document.getElementById("main"), asked = document.getElementById("asked");
  return main && !main.inert ? [main.dataset.number, main.dataset.kind, asked.innerText] : null;
}"""
SERIAL = ("shuffler", "shoe", "jackpot-display")
LINES = ("lamp", "buzzer", "key-switch")


@dataclass(frozen=True)
class Staffed:
    """A person of the table as the technician types him."""

    number: str
    name: str
    pin: str
    badge: str = ""


STRANGE_BADGE = "4F0000AA"
PEOPLE = {
    "dealer": Staffed("11", "A. Silva", "739164", "4F000011"),
    "chief_supervisor": Staffed("21", "Rui Sá", "739165", "4F000021"),
    "technician": Staffed("31", "J. Costa", "739166", "4F000031"),
}


class BareTable:
    """A computer with a shuffler, a reader, a jackpot display, a lamp, a buzzer, a key and a badge reader.

    It has no configuration. The questions are asked in a thread of this process, at the socket `socket`.
    """

    def __init__(self, root: Path, host: PtyHost, patch: pytest.MonkeyPatch, *, reader: bool = True) -> None:
        self.host, self.installation = host, Installation(root, ports=())
        self.config, self.socket = root / "etc/sabot/table.toml", root / "commission.sock"
        state = self.installation.state
        begun = filter(Path.is_file, (*state.iterdir(), *(state / "journal").iterdir()))
        for old in (self.config, known_path(self.config), *begun):
            old.unlink()
        (state / "journal.pub").write_text(KEY)
        self.key, self.reader = SimulatedKey(host.clock()), SimulatedBadgeReader()
        self._plug(root / "dev/sabot", reader=reader)
        self._become(root, patch)
        self._root = root

    def _plug(self, dev: Path, *, reader: bool) -> None:
        now_s = self.host.clock()
        devices = {
            "shuffler": SimulatedShuffler(rng=Random(1), now_s=now_s, serial="CSM-0001"),  # noqa: S311
            "shoe": SimulatedShoe(now_s=now_s, serial="SHOE-0001"),
            "jackpot-display": SimulatedDisplay(now_s=now_s, serial="SIGN-0001"),
            "lamp": SimulatedLamp(),
            "buzzer": SimulatedRelay(),
            "key-switch": self.key,
        } | ({"badge-reader": self.reader} if reader else {})
        for name, device in devices.items():
            self.host.add(dev / name, device, baud_rate=None)

    def _become(self, root: Path, patch: pytest.MonkeyPatch) -> None:
        """Makes the questions' usual places those of this computer."""
        dev = root / "dev/sabot"
        ports = [str(dev / name) for name in SERIAL]
        for module in (choices, usual):
            patch.setattr(module, "port_names", lambda: ports)
        places = {f"devices.{name.replace('-', '_')}.port": str(dev / name) for name in (*LINES, "badge-reader")}
        for key, place in places.items():
            patch.setitem(usual.USUAL, key, place)
        code = Status("", session="closed", journal=JournalStatus(code="1F2A-0C44-9D01"))
        patch.setattr(commission_screen, "status_of", lambda _config: code)
        patch.setattr(commission_screen, "TOLD_WITHIN_S", 0.0)

    def begins(self, answers: Path | None = None) -> threading.Thread:
        given = Namespace(config=self.config, serve=self.socket, answers=answers, rehearsal=True, root=self._root)
        thread = threading.Thread(target=commission_screen.lead_at_screen, args=(given,), daemon=True)
        thread.start()
        wait_for(self.socket.exists)
        return thread


@contextlib.contextmanager
def bare_table(root: Path, patch: pytest.MonkeyPatch, *, reader: bool = True) -> Iterator[BareTable]:
    with PtyHost() as host:
        table = BareTable(root, host, patch, reader=reader)
        yield table
        table.installation.close()


@dataclass
class Technician:
    """Answers each page with a finger. `touches`: the number of touches of each page, by the page's text.

    `looks`: called at each page before it is answered.
    """

    page: Page
    table: BareTable
    language: Language
    looks: Callable[[str, Page], None] = lambda _text, _page: None
    touches: list[tuple[str, int]] = field(default_factory=list)

    def words(self, key: str, **values: str) -> str:
        return sentence(key, values, self.language)

    def by_page(self) -> Mapping[str, int]:
        """Returns the number of touches by the text of the page."""
        counted: dict[str, int] = {}
        for text, touches in self.touches:
            counted[text] = counted.get(text, 0) + touches
        return counted

    def sets_up(self) -> None:
        """Answers each page until the table is set up."""
        while True:
            number, kind, text = self._next()
            self.looks(text, self.page)
            self._by_kind(kind, text)
            if text == self.words("panel.first.closed"):
                return
            self.page.locator(f'#main:not([data-number="{number}"])').wait_for()

    def _next(self) -> tuple[str, str, str]:
        """Waits for a page that takes touches, and returns its number, kind and text as they stand together."""
        while True:
            try:
                if (shown := self.page.evaluate(SHOWN)) is not None:
                    number, kind, text = shown
                    return number, kind, text
            except Error:  # the page is being loaded: its next one is read
                self.page.wait_for_load_state()

    def _by_kind(self, kind: str, text: str) -> None:
        match kind:
            case "choice":
                self._tap(text, self.page.locator(f'[data-answer="{self._chosen(text)}"]'))
            case "yes-no":
                self._tap(text, self.page.locator(f"#b-{'yes' if self._is_so(text) else 'no'}"))
            case "wait":
                self._hands(text)
            case "badge":
                self._shows_badge(text)
            case "text" | "number" | "pin":
                self._type(text, self._typed(text))
                if self.page.locator("#typed").get_attribute("data-length") == "0":
                    self._tap(text, self.page.locator("#b-on"))
            case _:
                self._tap(text, self.page.locator("#b-on"))

    def _tap(self, text: str, button: Locator) -> None:
        button.tap()
        self.touches.append((text, 1))

    def _type(self, text: str, wanted: str) -> None:
        typed = self.page.locator("#typed")
        if typed.input_value() == wanted:
            return
        for letter in wanted:
            key = self.page.locator(f'[data-key="{letter.lower()}"]')
            if letter.isalpha() and key.inner_text() != letter:
                self._tap(text, self.page.locator('[data-key="shift"]'))
            self._tap(text, key)
        expect(typed).to_have_value(wanted)

    # ---- what this technician knows

    def _chosen(self, text: str) -> str:
        chosen = {
            self.words("commission.touched.language"): self.language.value,
            self.words("commission.touched.profile"): "pt-csm",
            self.words("commission.table.minimum_bet"): "10",
            self.words("commission.table.maximum_bet"): "300",
        }
        return chosen.get(text) or self.page.locator("[data-answer].on").get_attribute("data-answer") or ""

    def _is_so(self, text: str) -> bool:
        return text != self.words("ask.has-jackpot_slots")

    def _typed(self, text: str) -> str:
        return self._known().get(text, self.page.locator("#typed").input_value())

    def _known(self) -> Mapping[str, str]:
        known = {self.words("commission.table.id"): "BJ-07"}
        for role, one in PEOPLE.items():
            known[self.words("commission.touched.number", of=role)] = one.number
            known[self.words("commission.staff.name", of=role)] = one.name
            for key in ("pin", "pin-again"):
                known[self.words(f"panel.first.{key}", number=one.number, name=one.name)] = one.pin
        return known

    def _shows_badge(self, text: str) -> None:
        """Holds the badge of the person whom the page names; a person who has none touches the button."""
        names = {self.words("panel.first.badge", number=one.number, name=one.name): one for one in PEOPLE.values()}
        one = names[text]
        if one.badge:
            self.table.host.call(lambda _now_s: self.table.reader.show(one.badge))
        else:
            self._tap(text, self.page.locator("#b-none"))

    def _hands(self, text: str) -> None:
        turn = self.table.key.turn
        if text == self.words("ask.turn-key", seconds="30"):
            self.table.host.call(lambda now_s: turn(now_s, on=True))
        elif text == self.words("ask.turn-key-back", seconds="30"):
            self.table.host.call(lambda now_s: turn(now_s, on=False))
        elif text == self.words("ask.hold-badge", seconds="30"):
            self.table.host.call(lambda _now_s: self.table.reader.show(STRANGE_BADGE))
