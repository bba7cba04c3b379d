"""The requests other than acts: a reading of the journal, and a technician's trial of a device."""

import asyncio

from controller.panel.browsers import Browser, Pressed, Right, Wanted
from controller.panel.reading import WITHIN_S
from controller.panel.said import say, told
from controller.panel.wire import ANSWER_WITHIN_S, ControllerAway
from controller.protocol.lines import Answer, ErrorDocument
from controller.protocol.record import RecordKind


async def look(browser: Browser, right: Right, wanted: Wanted, round_number: int) -> Pressed:
    """Starts the reading of the journal that `wanted` asks for, unless one runs already. If `wanted` asks for no
    reading, has its device tried and waits for the result. Raises ControllerAway for the trial.
    """
    if wanted.reads is None:
        language = browser.language.value
        answer = await right.wire.ask(ANSWER_WITHIN_S, do="try", device=wanted.tries, language=language)
        browser.say(answer.text if answer.ok else told(answer), is_refusal=not answer.ok)
        return Pressed(answer.ok)
    if browser.percent is None:
        browser.percent, browser.record = 0, None
        browser.task = asyncio.create_task(_read(browser, right, wanted.reads, round_number))
    browser.say("")
    return Pressed(is_done=True)


async def _read(browser: Browser, right: Right, what: RecordKind, round_number: int) -> None:
    """Reads a part of the journal, and shows the result at `browser` if a person is still signed in there."""
    asked: dict[str, object] = {"what": what.value, "session": browser.session, "round": round_number}
    try:
        answer = await right.wire.ask(WITHIN_S, do="record", language=browser.language.value, **asked)
    except ControllerAway:
        answer = Answer(error=ErrorDocument("", say(browser.language, "panel.said.no-answer")))
    browser.percent = None
    if browser.rights:
        browser.record = answer.record
    browser.say("" if answer.ok else told(answer), is_refusal=not answer.ok)
