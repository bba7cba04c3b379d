"""A visitor with arbitrary HTTP requests to a panel, from any address of this computer."""

import html
import http.client
import json
import ssl
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.daemon.rig import DEALER
from tests.endings import HANGS_S

FORM = "application/x-www-form-urlencoded"
OURS = {"X-Sabot": "1", "Sec-Fetch-Site": "same-origin", "Content-Type": FORM}
TABLE_SCREEN = "127.0.0.1"


class Visitor:
    """A visitor of the panel. `cookie`: the panel's last cookie. With TLS the visitor checks no certificate."""

    def __init__(self, url: str, source: str = TABLE_SCREEN) -> None:
        self._url = urlsplit(url)
        self._source = source
        self.address = str(self._url.hostname), self._url.port or 0
        self.cookie = ""

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str]:
        connection = self._connection()
        given = {name.replace("_", "-"): text for name, text in headers.items()}
        if self.cookie:
            given.setdefault("Cookie", self.cookie)
        try:
            connection.request(method, path, body, given)
            answer = connection.getresponse()
            self.headers = dict(answer.getheaders())
            self.cookie = self.headers.get("set-cookie", self.cookie).split(";")[0]
            return answer.status, answer.read(100_000).decode("utf-8", "replace")
        finally:
            connection.close()

    def visit(self) -> None:
        """Opens the page and keeps its cookie; later requests send the cookie."""
        self.ask("GET", "/")
        assert self.cookie

    def post(self, path: str, body: str, **headers: str) -> tuple[int, str]:
        return self.ask("POST", path, body, **({name.replace("-", "_"): text for name, text in OURS.items()} | headers))

    def press(self, name: str, value: str = "", number: str = "") -> dict[str, Any]:
        """Presses a button of the present page, or of the page with that number."""
        page = self.ask("GET", "/")[1]
        shown = html.unescape(page.partition(f'data-press="{name}" data-shown="')[2].partition('"')[0])
        fields = {"number": number or number_of(page), "name": name, "value": value, "shown": shown, "sure": "1"}
        answer: dict[str, Any] = json.loads(self.post("/press", urlencode(fields))[1])
        return answer

    def sign_in(self, person: int, pin: str) -> dict[str, Any]:
        """Sends number and PIN after a press that asks for them; returns the panel's answer."""
        self.press("act:open-session" if person == DEALER else "read:summary")
        if 'data-person=""' in self.ask("GET", "/")[1]:
            self.post("/pin", urlencode({"pin": person, "person": ""}))
        answer: dict[str, Any] = json.loads(self.post("/pin", urlencode({"pin": pin, "person": person}))[1])
        return answer

    def _connection(self) -> http.client.HTTPConnection:
        source = (self._source, 0)
        if self._url.scheme == "http":
            return http.client.HTTPConnection(*self.address, timeout=HANGS_S, source_address=source)
        return http.client.HTTPSConnection(*self.address, timeout=HANGS_S, source_address=source, context=trusting())


def number_of(page: str) -> str:
    """The number on the buttons of the page."""
    return page.partition('data-number="')[2].partition('"')[0]


def trusting() -> ssl.SSLContext:
    """A TLS context that checks no certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
