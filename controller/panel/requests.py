"""Asks the controller for acts, over a person's connection or with a credential for the requested acts alone."""

from dataclasses import dataclass, field
from typing import Final

from controller.panel.browsers import Browser
from controller.panel.offer import Step
from controller.panel.reading import MARKS
from controller.panel.wire import ANSWER_WITHIN_S, Wire
from controller.protocol.lines import MOST_THEN, Answer

HASHED_WITHIN_S = 20.0

BY_POST: Final = frozenset({"begin-loading"})
"""The acts of the dealer, by his sign-in at the browser, that a supervisor's press does between his own."""


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential for one request: a PIN, or badge and key (`pin` None), and the screen where it is given."""

    pin: str | None = field(repr=False)
    terminal: str

    @property
    def fields(self) -> dict[str, object]:
        own: dict[str, object] = {"badge": True} if self.pin is None else {"pin": self.pin}
        return own | {"terminal": self.terminal}


async def ask_all(
    browser: Browser,
    wire: Wire,
    person: int,
    steps: tuple[Step, ...],
    scene: str = "",
    credential: Credential | None = None,
) -> tuple[Answer, Step]:
    """Sends the steps to the controller until one fails, and returns the last answer and its step. Stores the last
    act's entry at the browser. `steps` must not be empty. Raises ControllerAway.

    Steps above the limit of one request are sent in further requests. `scene`: the controller does nothing if the table
    has another scene by now; "" for any scene.
    """
    (act, values), *then = steps[: 1 + MOST_THEN]
    following = [_further(step, is_credited=credential is not None) for step in then]
    language = browser.language.value
    own, within_s = ({}, ANSWER_WITHIN_S) if credential is None else (credential.fields, HASHED_WITHIN_S)
    request = {"act": act, "person": person, "values": dict(values), "language": language, "scene": scene} | own
    answer = await wire.ask(within_s, do="act", then=following, **request)
    browser.entry = _last_entry(answer, browser.entry)
    if answer.ok and act == MARKS:
        browser.record = None
    rest = steps[1 + MOST_THEN :]
    if rest and answer.ok:
        return await ask_all(browser, wire, person, rest, credential=credential)
    return answer, steps[min(len(answer.done), len(steps) - 1)]


def _further(step: Step, *, is_credited: bool) -> dict[str, object]:
    act, values = step
    own = {"by_post": True} if is_credited and act in BY_POST else {}
    return {"act": act, "values": dict(values), **own}


def is_with_dealer(steps: tuple[Step, ...]) -> bool:
    """True if an act after the first in `steps` is an act of the dealer."""
    return any(act in BY_POST for act, _values in steps[1:])


def _last_entry(answer: Answer, before: int) -> int:
    done = answer.done[-1].seq if answer.done else before
    return done if answer.seq is None else answer.seq


def is_elsewhere(answer: Answer) -> bool:
    """True if the controller did nothing: the table's scene was no longer the scene that the panel last saw."""
    return answer.error is not None and answer.error.code == "changed"
