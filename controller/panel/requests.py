"""Acts that are asked for over a person's connection, or with a credential of their own."""

from dataclasses import dataclass, field

from controller.panel.browsers import Browser
from controller.panel.offer import Step
from controller.panel.wire import ANSWER_WITHIN_S, Wire
from controller.protocol.lines import MOST_THEN, Answer

HASHED_WITHIN_S = 20.0


@dataclass(frozen=True, slots=True)
class Credential:
    """The PIN, or badge and key (None), and the screen that it is given at."""

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
    """In as many requests as it takes, until one is not done: the answer, and the step that it is about.

    `scene`: where the table is at another one meanwhile the first is not done.
    """
    (act, values), *then = steps[: 1 + MOST_THEN]
    following = [{"act": one, "values": dict(its)} for one, its in then]
    language = browser.language.value
    own, within_s = ({}, ANSWER_WITHIN_S) if credential is None else (credential.fields, HASHED_WITHIN_S)
    request = {"act": act, "person": person, "values": dict(values), "language": language, "scene": scene} | own
    answer = await wire.ask(within_s, do="act", then=following, **request)
    rest = steps[1 + MOST_THEN :]
    if rest and answer.ok:
        return await ask_all(browser, wire, person, rest, credential=credential)
    return answer, steps[min(len(answer.done), len(steps) - 1)]


def is_elsewhere(answer: Answer) -> bool:
    """Nothing was asked for: the table is at another scene than the panel has seen."""
    return answer.error is not None and answer.error.code == "changed"
