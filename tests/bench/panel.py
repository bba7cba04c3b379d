"""G19: the cost of open pages for a card, and people's wait for a page and for the answer to a tap.

The panel runs as its unit has it, behind the table (nice 5), with fifty open pages, one of which never reads. A card is
measured as in G1, with and without them by turns.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter
from urllib.parse import urlencode, urlsplit

from tests.bench.card_event import FACE_UP, Measured, deals
from tests.bench.panel_clients import cookie_of, opened
from tests.bench.processes import END_WITHIN_S, line_of, running
from tests.bench.real_table import DEALER, PIN, RealTable
from tests.bench.rows import Goal, Plan, Row, ratios, say, spread

READING, SILENT = 49, 1
DEALS = 20  # in one repetition, with the pages and without
ROUNDS = 4  # dealt by taps, in one repetition
NICE = 5
FORM = {"X-Sabot": "1", "Sec-Fetch-Site": "same-origin", "Content-Type": "application/x-www-form-urlencoded"}


class Browser:
    """One browser: its presses, and its present page."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        self.host, self.port = str(address.hostname), int(address.port or 80)
        self._cookie = cookie_of(self.host, self.port)
        self.stream = opened(self.host, self.port, self._cookie)
        self._heard = b""
        self.page = ""

    def close(self) -> None:
        self.stream.close()

    def listen(self, within_s: float) -> None:
        """Reads for at most so long; keeps the newest page."""
        self.stream.settimeout(within_s)
        try:
            self._heard += self.stream.recv(1 << 20)
        except TimeoutError:
            return
        *lines, self._heard = self._heard.split(b"\n")
        for line in lines:
            if line.startswith(b'data: "<main'):
                self.page = json.loads(line[6:])

    def post(self, path: str, **fields: str) -> bool:
        connection = HTTPConnection(self.host, self.port, timeout=10)
        connection.request("POST", path, urlencode(fields), FORM | {"Cookie": self._cookie})
        response = connection.getresponse()
        answer = json.loads(response.read())
        connection.close()
        if cookie := response.headers["set-cookie"]:  # a sign-in replaces it
            self._cookie = cookie.split(";")[0]
        return bool(answer["ok"])

    def press(self, name: str) -> bool:
        number = self.page.partition('data-number="')[2].partition('"')[0]
        shown = unescape(self.page.partition(f'data-press="{name}" data-shown="')[2].partition('"')[0])
        return self.post("/press", number=number, name=name, value="", shown=shown, sure="1")


@contextmanager
def served(table: RealTable) -> Iterator[tuple[str, int]]:
    """The panel of this table: its address and its process."""
    command = [sys.executable, "-m", "controller.cli.main", "panel", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--config", str(table.directory / "table.toml")],
        stdout=subprocess.PIPE,
        preexec_fn=lambda: os.nice(NICE),  # noqa: PLW1509 (no thread runs here)
    )
    try:
        assert process.stdout is not None
        yield line_of(process.stdout, table.serve).decode().strip().removeprefix("panel: "), process.pid
    finally:
        process.terminate()
        process.wait(END_WITHIN_S)
        if process.stdout is not None:
            process.stdout.close()


def run(plan: Plan) -> list[Row]:
    alone, watched, memory = Measured(), Measured(), []
    pages: list[float] = []
    taps: list[float] = []
    with TemporaryDirectory() as name, ExitStack() as open_:
        table = open_.enter_context(RealTable(Path(name)))
        table.open_session()
        url, pid = open_.enter_context(served(table))
        browser = Browser(url)
        open_.callback(browser.close)
        for repetition in range(plan.repetitions):
            events = plan.count(DEALS * len(FACE_UP))
            alone.add(*deals(table, events))
            where = (browser.host, str(browser.port), str(READING), str(SILENT))
            with running("panel_clients.py", *where, wait=table.serve):
                watched.add(*deals(table, events))
                for _ in range(ROUNDS):
                    _round(table, browser, pages, taps)
                memory.append(_resident_mib(pid))
            say(f"  {repetition + 1}/{plan.repetitions} {alone.p50[-1]:.0f} us alone, {watched.p50[-1]:.0f} us watched")
    return _rows(alone, watched, pages, taps, memory)


def _round(table: RealTable, browser: Browser, pages: list[float], taps: list[float]) -> None:
    """Plays a round announced by a tap at the page; times its cards to the page that shows them."""
    _heard(table, browser)  # rounds may have been dealt meanwhile without it
    _until(table, browser, 'id="b-same-seats"')
    began = perf_counter()
    is_done = browser.press("act:same-seats")
    taps.append(1000 * (perf_counter() - began))
    if 'id="asks-pin"' in _heard(table, browser):  # asks for the person the first time
        taps.pop()
        if 'data-person=""' in browser.page:  # a person at the table already need not give his number
            browser.post("/pin", pin=str(DEALER))
        is_done = browser.post("/pin", pin=PIN, person=str(DEALER))
    assert is_done, browser.page
    table.until_open()
    for number, card in enumerate(FACE_UP, 1):
        table.count_card()
        began = perf_counter()
        table.read_card_us(card)
        while not _shows(browser.page, number):
            browser.listen(0.002)
            table.serve()
        pages.append(1000 * (perf_counter() - began))
    table.draw("4S")
    table.end_round()


def _shows(page: str, cards: int) -> bool:
    """True where so many cards lie on the cloth, each with its face instead of a question mark."""
    return page.count('<li class="card') >= cards and ">?</span>" not in page


def _heard(table: RealTable, browser: Browser) -> str:
    """The page after 0.15 s of its stream."""
    end_s = monotonic() + 0.15
    while monotonic() < end_s:
        browser.listen(0.02)
        table.serve()
    return browser.page


def _until(table: RealTable, browser: Browser, text: str) -> None:
    deadline_s = monotonic() + 10
    while text not in browser.page:
        assert monotonic() < deadline_s, browser.page
        browser.listen(0.02)
        table.serve()


def _resident_mib(pid: int) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _rows(alone: Measured, watched: Measured, pages: list[float], taps: list[float], memory: list[float]) -> list[Row]:
    p50 = {"with 50 pages": spread(watched.p50), "without": spread(alone.p50)}
    p99 = {"with 50 pages": spread([watched.p99]), "without": spread([alone.p99])}
    p95 = quantiles(pages, n=20)[18]
    tap = quantiles(taps, n=20)[18]
    return [
        Row(
            "G19",
            "card event to command, with 50 open pages over without",
            ratios(watched.p50, alone.p50),
            p50,
            "us",
            Goal(1.10),
        ),
        Row("G19", "the same, p99", spread([watched.p99 / alone.p99]), p99, "us", Goal(1.5, gates=False)),
        Row(
            "G19",
            "a card's identity on the tty to the page that shows it, p95",
            spread([p95]),
            {"all": spread(pages)},
            "ms",
            Goal(150.0),
            f"{len(pages)} cards, 50 ms of them gathered",
        ),
        Row("tap", "a tap of two acts to its answer, p95", spread([tap]), {"all": spread(taps)}, "ms", Goal(300.0)),
        Row("memory", "of the panel", spread(memory), {}, "MiB", Goal(256.0)),
    ]
