"""A person at a screen: what he sees, and what he taps, counted. Numbers and PINs are typed and not counted."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Locator, Page, Request, expect

from tests.endings import HANGS_S
from tests.panel.tables import Table

WAIT_MS = HANGS_S * 1000
SENT_MS = 3000
"""After a tap that is taken, its request leaves at once."""

TRIES = 5
LOOKS_EVERY_MS = 10
NOBODY_THERE = "net::ERR_CONNECTION_REFUSED"
ANYWHERE = ("seat-", "g-", "p-", "m-", "c-", "s-", "r-", "n-", "hold-", "lang-", "out-", "chip-", "d-", "mark-")
"""The parts beside the buttons at the bottom."""

SCREENS_AT_THE_TABLE = ((1024, 600, "10in"), (1280, 800, "10in"), (1280, 720, "7in"))
"""Width, height, and what the configuration calls such a screen."""


@dataclass
class Screen:
    """One page of the panel. `taps`: everything that was tapped but the keys of the PIN pad; `pins`: PINs typed."""

    page: Page
    table: Table
    taps: int = 0
    pins: int = 0
    troubles: list[str] = field(default_factory=list)
    _presses: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", lambda message: self._complains(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", lambda request: self._presses.extend([request] * request.url.endswith("/press")))
        self.page.set_default_timeout(WAIT_MS)

    def _complains(self, text: str) -> None:
        """A page whose panel has ended looks for it: tables end before their screens do."""
        if NOBODY_THERE not in text:
            self.troubles.append(text)

    @property
    def headline(self) -> str:
        return self.page.locator("h1").text_content() or ""

    def sees(self, headline: str) -> None:
        expect(self.page.locator("h1")).to_have_text(headline)

    def offers(self, name: str) -> bool:
        return self.page.locator(_where(name)).count() > 0

    def tap(self, name: str, *, hold_s: float = 0.0) -> None:
        """Taps a button once it is there and takes a tap; returns once the panel has answered."""
        button = self.page.locator(_where(name))
        for _try in range(TRIES):
            button.wait_for()
            self.page.locator("html:not(.fresh)").wait_for()
            before = len(self._presses)
            self._touch(button, hold_s)
            if self._is_sent(before):
                self._presses[before].response()
                self.taps += 1
                return
        raise AssertionError(name)

    def _is_sent(self, before: int) -> bool:
        """False: the page moved under the finger, and what came new takes no tap for a moment.

        A tap whose answer takes its time is not tapped again.
        """
        until_s = time.monotonic() + SENT_MS / 1000
        while len(self._presses) == before and time.monotonic() < until_s:
            self.page.wait_for_timeout(LOOKS_EVERY_MS)
        return len(self._presses) > before

    def _touch(self, button: Locator, hold_s: float) -> None:
        if not hold_s:
            button.tap(force=button.get_attribute("aria-disabled") == "true")  # it says at a touch why it is closed
            return
        button.hover()
        self.page.mouse.down()
        self.page.wait_for_timeout(hold_s * 1000)
        self.page.mouse.up()

    def is_of(self, screen: tuple[int, int, str]) -> None:
        """The page as a screen of this size shows it."""
        width, height, name = screen
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(f"() => {{ document.documentElement.dataset.screen = '{name}'; }}")

    def hides(self, what: str, below: str = "html") -> list[str]:
        """The parts of this that stand, in part at least, beyond the edges of that."""
        found: list[str] = self.page.evaluate(HIDDEN, [what, below])
        return found

    def picture(self, name: str) -> None:
        """The page as it is, for the README, into the directory that SABOT_PICTURES names."""
        folder = os.environ.get("SABOT_PICTURES")
        if folder:
            self.page.locator("html:not(.fresh)").wait_for()
            Path(folder, f"{name}.png").write_bytes(self.page.screenshot())

    @property
    def number(self) -> str:
        """The number on the buttons of the page."""
        return self.page.locator("#number").get_attribute("data-number") or ""

    def sign_in(self, person: int, pin: str | None = None) -> None:
        """Number and PIN on the pad, or the PIN alone where the person is named already."""
        self.page.locator("#pad").wait_for()
        if not self.page.locator("#asks-pin").get_attribute("data-person"):
            self._type(str(person))
            self.page.locator(f'#asks-pin[data-person="{person}"]').wait_for(state="attached")
        self._type(self.table.pins[person] if pin is None else pin)
        self.pins += 1

    def signed_in(self) -> None:
        expect(self.page.locator("#pad")).to_be_hidden()

    def _type(self, digits: str) -> None:
        for digit in digits:
            self.page.locator(f'#pad [data-key="{digit}"]').tap()
        with self.page.expect_response("**/pin"):
            self.page.locator('#pad [data-key="enter"]').tap()


HIDDEN = """([what, frame]) => {
  const edge = document.querySelector(frame).getBoundingClientRect();
  const isInside = (box) => box.left >= edge.left - 1 && box.right <= edge.right + 1
    && box.top >= edge.top - 1 && box.bottom <= edge.bottom + 1;
  const shown = [...document.querySelectorAll(what)].filter((one) => one.getClientRects().length);
  return shown.filter((one) => !isInside(one.getBoundingClientRect())).map((one) => one.textContent.trim());
}"""


def _where(name: str) -> str:
    return f"#{name}" if name.startswith(ANYWHERE) else f"#b-{name}"
