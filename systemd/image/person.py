"""Plays the person who answers the panel's questions at a first start, over HTTP. Finds each answer by the sentence of
the question.
"""

import http.client
import re
from collections.abc import Mapping
from html import unescape
from typing import Final
from urllib.parse import urlencode

from controller.catalogue import Language, sentence
from controller.protocol.commission import Input

ANSWERS_WITHIN_S: Final = 60.0
PANEL: Final = "127.0.0.1:8021"
"""The panel's own address in the machine, which the browser of its screen asks for."""

PINS: Final = {"11": "739164", "21": "739165", "31": "739166"}
NAME: Final = "BJ-07"
TO_READ: Final = ("panel.first.written", "panel.first.not-ready", "panel.first.closed")
"""The second one comes if the controller needs longer than a minute, as in an emulator."""


def answers_of() -> dict[str, str]:
    """Returns the answers that differ from table to table, so that no file of answers has them, by the sentence of the
    question.
    """
    words = {"commission.touched.language": "en", "commission.table.id": NAME} | dict.fromkeys(TO_READ, "")
    given = {sentence(key, {}, Language.EN): text for key, text in words.items()}
    for number, pin in PINS.items():
        for key in ("panel.first.pin", "panel.first.pin-again"):
            given[sentence(key, {"number": number, "name": "N"}, Language.EN)] = pin
    return given


class Person:
    """A simulated person who reads and answers the panel's pages at a port of this computer. `did`: the last answer,
    without a PIN.

    `said`: the sentences above the last question. `wrong`: the questions that the panel should not have asked, because
    the file of answers answers them.
    """

    def __init__(self, port: int, answers: Mapping[str, str]) -> None:
        self._port, self._answers = port, answers
        self.did = ""
        self.said: list[str] = []
        self.wrong: list[str] = []

    def asked(self) -> str | None:
        """Returns the page if it asks a question; None if it does not."""
        page = self._get()
        kind = _of(r'data-kind="([a-z-]+)"', page)
        return None if kind in {"", Input.WAIT.value, Input.OVER.value} else page

    def goes_on(self) -> bool | None:
        """Answers the open question and returns False. Returns True at the table's own page. Returns None if the page
        asks nothing.
        """
        page = self._get()
        if page and 'class="first"' not in page:
            return True
        kind, text = _of(r'data-kind="([a-z-]+)"', page), unescape(_of(r'id="asked">([^<]*)<', page))
        if kind in {"", Input.WAIT.value, Input.OVER.value}:
            return None
        self.said = [unescape(said) for said in re.findall(r'role="alert">([^<]*)<', page)]
        if text not in self._answers:
            self.wrong.append(f"asked though no person should be: {text!r}")
        return self._answer(_of(r'data-number="(\d+)"', page), text, kind)

    def _answer(self, number: str, text: str, kind: str) -> bool | None:
        answer = self._answers.get(text, "")
        self.did = f"{text} -> {'******' if kind == Input.PIN.value else answer or 'Go on'}"
        body = urlencode({"do": "answer", "number": number, "answer": answer})
        return False if self._ask("POST", "/answer", body) else None

    def _get(self) -> str:
        return self._ask("GET", "/")

    def _ask(self, method: str, path: str, body: str | None = None) -> str:
        """Returns the text of the panel's answer to an HTTP request; "" if the panel does not answer, for example in
        the pause between two of its processes.
        """
        headers = {"Host": PANEL, "X-Sabot": "1", "Sec-Fetch-Site": "same-origin"}
        headers |= {} if body is None else {"Content-Type": "application/x-www-form-urlencoded"}
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=ANSWERS_WITHIN_S)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        except (OSError, http.client.HTTPException):
            return ""
        finally:
            connection.close()
        return text if answer.status == http.client.OK else ""


def _of(pattern: str, page: str) -> str:
    found = re.search(pattern, page)
    return found[1] if found else ""
