"""Acts that are asked for over a person's connection."""

from controller.panel.browsers import Browser, Right
from controller.panel.offer import Step
from controller.panel.wire import ANSWER_WITHIN_S
from controller.protocol.lines import MOST_THEN, Answer


async def ask_all(browser: Browser, right: Right, steps: tuple[Step, ...], scene: str = "") -> tuple[Answer, Step]:
    """In as many requests as it takes, until one is not done: the answer, and the step that it is about.

    `scene`: where the table is at another one meanwhile the first is not done.
    """
    (act, values), *then = steps[: 1 + MOST_THEN]
    following = [{"act": one, "values": dict(its)} for one, its in then]
    language = browser.language.value
    request = {"act": act, "person": right.person, "values": dict(values), "language": language, "scene": scene}
    answer = await right.wire.ask(ANSWER_WITHIN_S, do="act", then=following, **request)
    rest = steps[1 + MOST_THEN :]
    if rest and answer.ok:
        return await ask_all(browser, right, rest)
    return answer, steps[min(len(answer.done), len(steps) - 1)]


def is_elsewhere(answer: Answer) -> bool:
    """Nothing was asked for: the table is at another scene than the panel has seen."""
    return answer.error is not None and answer.error.code == "changed"
