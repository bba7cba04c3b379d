"""The pages of the first start and of an update: each page shows a service's question and passes on the answer.

All questions share one template. The panel writes and keeps nothing: the service behind the socket asks, checks and
writes. The commissioning service ends once the table has closed for the first time.
"""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import uvicorn
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from controller.catalogue import Language, sentence
from controller.machine import web
from controller.panel.fields import fields_of
from controller.panel.keyboard import KEYS
from controller.panel.pages import HERE, HTML_LANGUAGE, assets, qr_of
from controller.panel.security import Doorkeeper
from controller.panel.settings import PanelSettings
from controller.protocol.commission import NO, YES, Do, Input, Question
from controller.protocol.commission import Request as Asked

ANSWER_WITHIN_S: Final = 10.0
LOOKS_EVERY_S: Final = 1.0
KEEP_ALIVE_S: Final = 5
MOST_REQUESTS: Final = 32
LONGEST_QUESTION: Final = 65_536
WRITTEN_AT_MOST: Final = 80

SETTING_UP: Final = "panel.first.headline"
UPDATING: Final = "update.headline"

Asks: TypeAlias = Callable[[Asked], Awaitable[Question | None]]
"""Passes a request to the service; returns the question open afterwards, or None where the service does not answer."""


def commission_at(path: Path) -> Asks:
    """Returns a function that sends a request to the commissioning or update service at the socket `path`.

    The function returns the service's open question, or None if the service does not answer within ANSWER_WITHIN_S.
    """

    async def asks(request: Asked) -> Question | None:
        try:
            async with asyncio.timeout(ANSWER_WITHIN_S):
                reader, writer = await asyncio.open_unix_connection(path, limit=LONGEST_QUESTION)
                try:
                    writer.write(msgspec.json.encode(request) + b"\n")
                    return msgspec.json.decode(await reader.readline(), type=Question)
                finally:
                    writer.close()
        # the service has not started yet, or has ended: the page asks again
        except (OSError, TimeoutError, ValueError):
            return None

    return asks


def while_there(path: Path) -> Asks:
    """Returns a function like that of `commission_at`, which returns a question of the kind OVER once the socket is
    gone.
    """
    asked = commission_at(path)

    async def asks(request: Asked) -> Question | None:
        if not path.exists():
            return Question(0, Input.OVER, "", Language.EN.value)
        return await asked(request)

    return asks


class First:
    """The web application that shows the questions that `asks` returns. `headline`: the key of the pages' headline.

    `is_over`: True once `asks` has returned OVER.
    """

    def __init__(self, settings: PanelSettings, asks: Asks, headline: str) -> None:
        self.settings = settings
        self.is_over = False
        self._asks = asks
        self._headline = headline
        self._pages = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            undefined=StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
        )

    def application(self, port: int) -> ASGIApp:
        doors = Middleware(Doorkeeper, hosts=self.settings.hosts(port), scheme=self.settings.scheme)
        routes = [
            Route("/", self._page, methods=["GET"]),
            Route("/answer", self._answer, methods=["POST"]),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ]
        return Starlette(routes=routes, middleware=[doors])

    async def _page(self, _request: Request) -> Response:
        return HTMLResponse(self.page(await self.asked(Asked(Do.ASK))))

    async def _answer(self, request: Request) -> Response:
        fields = await fields_of(request)
        if fields is None or not fields.get("number", "").isdecimal() or fields.get("do") not in set(Do):
            return JSONResponse({"ok": False}, status_code=400)
        asked = Asked(Do(fields["do"]), int(fields["number"]), fields.get("answer", ""))
        stands = await self.asked(asked)
        return JSONResponse({"ok": stands is not None})

    async def asked(self, request: Asked) -> Question | None:
        """Sends the request to the service. Returns the service's open question, or None if the service does not
        answer.
        """
        question = await self._asks(request)
        self.is_over |= question is not None and question.input is Input.OVER
        return question

    def page(self, question: Question | None) -> str:
        language = Language(question.language) if question is not None and question.language else Language.EN

        def words(key: str, **values: object) -> str:
            return sentence(key, {name: str(value) for name, value in values.items()}, language)

        return self._pages.get_template("first.html").render(
            question=question,
            headline=self._headline,
            kind=Input.WAIT.value if question is None else question.input.value,
            t=words,
            lang=HTML_LANGUAGE[language.value],
            screen=self.settings.screen,
            assets=assets(),
            codes=[(one.label, _short(one.text), qr_of(one.text)) for one in (question.codes if question else ())],
            keys=KEYS,
            own_words={one.value: one.label for one in (question.choices if question else ())},
            yes_no=(YES, NO),
        )


def _short(code: str) -> str:
    """Returns the code if it is short enough for a person to write down; "" for a key, which only a camera reads."""
    return code if len(code) <= WRITTEN_AT_MOST else ""


def serve_first(first: First, server: socket.socket, tell: Callable[[str], None]) -> None:
    """Serves the pages of `first` until the questions are over or a signal ends the process. `tell` receives the
    address of the pages.
    """
    logging.disable(logging.CRITICAL)  # the libraries' own log quotes their arguments: PINs, names
    asyncio.run(_serve(first, server, tell), debug=False)


async def _serve(first: First, server: socket.socket, tell: Callable[[str], None]) -> None:
    port = server.getsockname()[1]
    application = first.application(port)
    serving = uvicorn.Server(web.settings(application, keep_alive_s=KEEP_ALIVE_S, most_requests=MOST_REQUESTS))
    async with asyncio.TaskGroup() as group:
        looking = group.create_task(_until_over(first, serving))
        tell(f"{first.settings.scheme}://{first.settings.listen}:{port}/")
        await serving.serve([server])
        looking.cancel()


async def _until_over(first: First, serving: uvicorn.Server) -> None:
    """Stops the server once the service's questions are over. Polls the service, because no browser may be open."""
    while not first.is_over:
        await asyncio.sleep(LOOKS_EVERY_S)
        await first.asked(Asked(Do.ASK))
    serving.should_exit = True
