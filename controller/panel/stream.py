"""Server-sent events of a page. After each change the page is sent, otherwise a beat that says if the controller
answers.

The panel hangs up on a browser that does not take an event within TAKEN_WITHIN_S. Only the newest page is sent, so no
queue of pages builds up.
"""

import asyncio
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from starlette.types import Receive, Scope, Send

from controller.machine.places import Places
from controller.panel.browsers import Browser, Stream
from controller.panel.said import SAID_STAYS_S

BEAT_EVERY_S: Final = 0.25
TAKEN_WITHIN_S: Final = 10.0

_HEADERS: Final = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]


class PageStream:
    """The ASGI response to one `EventSource`. `page` returns the current page, or None if there is nothing to send.

    `is_live` returns True while the controller answers. If no place is free, the response says so and ends.
    """

    def __init__(
        self,
        places: Places,
        browser: Browser,
        stream: Stream,
        page: Callable[[], str | None],
        is_live: Callable[[], bool],
    ) -> None:
        self._places = places
        self._browser = browser
        self._stream = stream
        self._page = page
        self._is_live = is_live
        self._sent = ""
        self._faded_s = 0.0

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        if not self._places.take(self._browser.caller):
            self._stream.is_one_too_many = True
            await self._send_all(send)
            return
        try:
            await self._follow(receive, send)
        finally:
            self._places.give_back(self._browser.caller)

    async def _follow(self, receive: Receive, send: Send) -> None:
        self._browser.opened(self._stream)
        sending = asyncio.create_task(self._send_all(send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._browser.gone(self._stream)
            sending.cancel()
            leaving.cancel()
            ended, _left = await asyncio.gather(sending, leaving, return_exceptions=True)
        if isinstance(ended, Exception) and not isinstance(ended, TimeoutError):
            raise ended

    def _fades(self) -> bool:
        """True once for each message of the browser, after it has stayed long enough: the page may be without it."""
        said_at_s = self._browser.said_at_s
        is_over = asyncio.get_running_loop().time() - said_at_s >= SAID_STAYS_S
        if not (self._browser.said and said_at_s and is_over) or said_at_s == self._faded_s:
            return False
        self._faded_s = said_at_s
        return True

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        await _send(send, b"retry: 300\n\n")
        told_s = 0.0
        while not self._stream.is_ended and not self._stream.is_one_too_many:
            page = self._page() if await self._stream.news(BEAT_EVERY_S) or self._fades() else None
            now_s = asyncio.get_running_loop().time()
            if page is not None and page != self._sent:
                self._sent = page
                await _send(send, event("page", page))
            elif now_s - told_s >= BEAT_EVERY_S:
                await _send(send, event("beat" if self._is_live() else "away", ""))
            else:
                continue
            told_s = now_s
        if self._stream.is_one_too_many:
            await _send(send, event("end", ""))
        await send({"type": "http.response.body", "body": b"", "more_body": False})


@lru_cache(maxsize=64)
def event(name: str, data: str) -> bytes:
    """Returns one event as bytes, cached for all browsers. The event's data is JSON, so no line break in it ends the
    event.
    """
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


async def _send(send: Send, data: bytes) -> None:
    async with asyncio.timeout(TAKEN_WITHIN_S):
        await send({"type": "http.response.body", "body": data, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
