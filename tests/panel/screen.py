"""A person at a screen in a real browser. Taps are counted, except those that type numbers and PINs."""

import contextlib
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import parse_qs

from playwright.sync_api import Locator, Page, Request, TimeoutError, expect

from tests.endings import HANGS_S
from tests.panel.tables import Table

WAIT_MS = HANGS_S * 1000
WITHIN_S = 2 * HANGS_S
LOOKS_AGAIN_MS = 10_000
LOOKS_EVERY_MS = 10
HOLDS_S = 10.0
"""The longest time for which a button is held down: a busy machine notices the end late."""

FOLLOWS = """(() => {
  const root = () => document.documentElement, ask = fetch;
  let open = 0, answered = 0;
  const shown = () => Number((document.getElementById("number") || { dataset: {} }).dataset.version || 0);
  const tell = () => root().toggleAttribute("data-behind", open > 0 || shown() < answered);
  const seen = { subtree: true, childList: true, attributes: true, attributeFilter: ["data-version"] };
  new MutationObserver(tell).observe(document, seen);
  window.fetch = async (...given) => {
    open += 1;
    root().toggleAttribute("data-asked", true);
    tell();
    try {
      const answer = await ask(...given), told = await answer.clone().json().catch(() => ({}));
      answered = Math.max(answered, told.version || 0);
      return answer;
    } finally { open -= 1; tell(); }
  };
})()"""
"""A script that runs in each page before the page's own script.

The script sets `data-asked` on the root element with each request, and `data-behind` until the page has the version
names.
"""

AT_REST = """async (given) => {{
  const before = performance.now(), main = document.getElementById('main');
  const isAway = () => main.matches('.stale, .lost') || main.querySelector('.facts .back');
  do {{
    await new Promise((go) => setTimeout(go, isAway() ? 20 : 0));
    document.body.getBoundingClientRect();
    await document.fonts.ready;
  }} while ((document.fonts.status === 'loading' || isAway()) && performance.now() - before < {wait_ms});
  return ({script})(given);
}}"""
_ENDS = ("CONNECTION_REFUSED", "CONNECTION_RESET", "CONNECTION_CLOSED", "EMPTY_RESPONSE", "SOCKET_NOT_CONNECTED")
NOBODY_THERE = tuple(f"net::ERR_{what}" for what in _ENDS)
"""The browser's errors where the panel ends before or during a request."""

ANYWHERE = ("seat-", "g-", "p-", "m-", "c-", "s-", "r-", "n-", "hold-", "lang-", "out-", "chip-", "d-", "mark-")
"""The beginnings of the ids of the elements besides the buttons at the bottom."""

SCREENS_AT_THE_TABLE = ((1024, 600, "10in"), (1280, 800, "10in"), (1280, 720, "7in"))
"""Width, height, and the configuration's name for such a screen."""


Measured: TypeAlias = Any


@dataclass
class Screen:
    """One page of the panel. `taps`: all taps except the keys of the PIN pad; `pins`: typed PINs."""

    page: Page
    table: Table
    taps: int = 0
    pins: int = 0
    troubles: list[str] = field(default_factory=list)
    _presses: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.add_init_script(FOLLOWS)
        self.page.on("console", lambda message: self._complains(message.text))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", lambda request: self._presses.extend([request] * request.url.endswith("/press")))
        self.page.set_default_timeout(WAIT_MS)

    def _complains(self, text: str) -> None:
        """Notes an error of the page, except those after the end of its panel."""
        if not any(one in text for one in NOBODY_THERE):
            self.troubles.append(text)

    @property
    def headline(self) -> str:
        return self.page.locator("h1").text_content() or ""

    def sees(self, headline: str) -> None:
        expect(self.page.locator("h1")).to_have_text(headline)

    def offers(self, name: str) -> bool:
        return self.page.locator(_where(name)).count() > 0

    def tap(self, name: str, *, hold_s: float = 0.0) -> None:
        """Taps the button once the page has it and it accepts taps; returns once the page shows the result."""
        button = self.page.locator(_where(name))
        until_s = time.monotonic() + WITHIN_S
        while time.monotonic() < until_s:
            button.wait_for()
            self.page.locator("html:not(.fresh)").wait_for()
            self.is_up_to_date()
            before = len(self._presses)
            with contextlib.suppress(TimeoutError):  # it was closed, or opened, after the look
                self._touch(button, hold_s, before)
            if self._is_sent(before):
                self._presses[before].response()
                self.is_up_to_date()
                self.taps += 1
                return
        raise AssertionError(name)

    def speak(self, language: str) -> None:
        """Sets the page to this language; a page in it has no button for it."""
        page = self.page.locator(f'html[lang^="{language}"]')
        if not page.count():
            self.tap("more")
            self.tap(f"lang-{language}")
            page.wait_for()  # with another language the page begins anew

    def is_up_to_date(self) -> None:
        """Waits until the page shows the result of all presses.

        A button of an earlier page carries an old number and old values, and would do nothing.
        """
        self.page.locator("html:not([data-behind])").wait_for(state="attached")

    def _is_sent(self, before: int) -> bool:
        """False where the page moved under the finger, since new buttons accept no tap for a moment.

        The page asks as soon as a finger is lifted; the test notices it a little later.
        """
        is_asking = self.page.locator("html[data-asked]").count() > 0
        until_s = time.monotonic() + (HANGS_S if is_asking else 0)
        while len(self._presses) == before and time.monotonic() < until_s:
            self.page.wait_for_timeout(LOOKS_EVERY_MS)
        return len(self._presses) > before

    def _touch(self, button: Locator, hold_s: float, before: int) -> None:
        self.page.evaluate("() => document.documentElement.removeAttribute('data-asked')")
        if not hold_s:
            is_closed = button.get_attribute("aria-disabled") == "true"  # it gives the reason at a touch
            button.tap(force=is_closed, timeout=LOOKS_AGAIN_MS)
            return
        button.hover()
        self.page.mouse.down()
        until_s = time.monotonic() + HOLDS_S
        self.page.wait_for_timeout(hold_s * 1000)
        while button.and_(self.page.locator(".holding")).count() and time.monotonic() < until_s:
            self.page.wait_for_timeout(LOOKS_EVERY_MS)
        self.page.mouse.up()

    def is_of(self, screen: tuple[int, int, str]) -> None:
        """Makes the page one of a screen of this size."""
        width, height, name = screen
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.evaluate(f"() => {{ document.documentElement.dataset.screen = '{name}'; }}")
        self.page.evaluate("() => new Promise((go) => requestAnimationFrame(go))")  # the page hears of its size before

    def hides(self, what: str, below: str = "html") -> list[str]:
        """The elements `what` that lie, at least partly, beyond the edges of the element `below`."""
        found: list[str] = self.measured(HIDDEN, [what, below])
        return found

    def measured(self, script: str, given: object = None) -> Measured:
        """Runs the script with `given` once the page is up to date; returns the script's result."""
        self.is_up_to_date()
        return self.page.evaluate(at_rest(script), given)

    def picture(self, name: str) -> None:
        """Saves a picture of the page for the README in the directory that SABOT_PICTURES names."""
        folder = os.environ.get("SABOT_PICTURES")
        if folder:
            self.page.locator("html:not(.fresh)").wait_for()
            Path(folder, f"{name}.png").write_bytes(self.page.screenshot())

    @property
    def sent(self) -> list[str]:
        """The names of the presses so far, in their order."""
        return [parse_qs(one.post_data or "")["name"][0] for one in self._presses]

    @property
    def number(self) -> str:
        """The number on the buttons of the page."""
        return self.page.locator("#number").get_attribute("data-number") or ""

    def sign_in(self, person: int, pin: str | None = None) -> None:
        """Types number and PIN on the pad, or the PIN alone where the pad names the person."""
        self.page.locator("#pad").wait_for()
        if not self.page.locator("#asks-pin").get_attribute("data-person"):
            refusal = self._type(str(person))
            assert not refusal, refusal
            self.page.locator(f'#asks-pin[data-person="{person}"]').wait_for(state="attached")
        self._type(self.table.pins[person] if pin is None else pin)
        self.pins += 1

    def signed_in(self) -> None:
        expect(self.page.locator("#pad")).to_be_hidden()
        self.is_up_to_date()

    def _type(self, digits: str) -> str:
        """Types the digits on the pad, each once the pad has the one before. Returns the words of a refusal, or ""."""
        for typed, digit in enumerate(digits, start=1):
            self.page.locator(f'#pad [data-key="{digit}"]').tap()
            expect(self.page.locator("#pad .dots")).to_have_text("•" * typed)
        with self.page.expect_response("**/pin") as sent:
            self.page.locator('#pad [data-key="enter"]').tap()
        return str(sent.value.json().get("say", ""))


HIDDEN = """([what, frame]) => {
  const edge = document.querySelector(frame).getBoundingClientRect();
  const isInside = (box) => box.left >= edge.left - 1 && box.right <= edge.right + 1
    && box.top >= edge.top - 1 && box.bottom <= edge.bottom + 1;
  const shown = [...document.querySelectorAll(what)].filter((one) => one.getClientRects().length);
  return shown.filter((one) => !isInside(one.getBoundingClientRect())).map((one) => one.textContent.trim());
}"""


def at_rest(script: str) -> str:
    """A script that runs `script` in the page once the page is connected and has loaded its fonts.

    A font is requested at its first word; until it is loaded another font takes other room. A busy machine loses
    the table for a moment, and the page shows the loss and the return in free room.
    """
    return AT_REST.format(script=script, wait_ms=WAIT_MS)


def _where(name: str) -> str:
    return f"#{name}" if name.startswith(ANYWHERE) else f"#b-{name}"
