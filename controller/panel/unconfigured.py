"""The page of a screen whose table has no readable configuration: the cause, and two steps to remove it.

The page has the text in every language, since the table's own language is in the configuration.
"""

from collections.abc import Callable
from typing import Final

from controller.catalogue import Language, sentence
from controller.panel.first import Asks
from controller.panel.troubles import STEPS
from controller.protocol.commission import Input, Question
from controller.protocol.commission import Request as Asked
from controller.protocol.stopped import Cause

NOT_STARTED: Final = "panel.headline.not-started"
LANGUAGES: Final = (Language.EN, Language.PT, Language.ZH)


def unconfigured(cause_now: Callable[[], Cause | None], is_set_up: Callable[[], bool]) -> Asks:
    """Returns a function that answers every request with one question: the cause in every language. The function
    answers OVER once `cause_now` finds no cause, or once a person sets up the configuration (`is_set_up`).
    """

    async def asks(_request: Asked) -> Question | None:
        cause = cause_now()
        if cause is None or is_set_up():
            return Question(0, Input.OVER, "", LANGUAGES[0].value)
        first, *others = (_said(cause, language) for language in LANGUAGES)
        return Question(0, Input.WAIT, first, LANGUAGES[0].value, said=tuple(others))

    return asks


def _said(cause: Cause, language: Language) -> str:
    return " ".join(sentence(f"panel.stopped.{cause.value}.{part}", (), language) for part in ("text", *STEPS))
