"""Sends changes of the status to its subscribers, no more often than a person can follow."""

import asyncio
from collections.abc import Callable
from typing import Final

from controller.daemon.language_views import LanguageView, LanguageViews
from controller.daemon.server import Client
from controller.protocol.lines import Changed, Request, Subscribed, encode_line
from controller.protocol.status import KEYS
from controller.runtime.kernel import Runtime

CHANGES_EVERY_S: Final = 0.05
"""The shortest interval of changes to a subscriber."""

FIGURES_EVERY_S: Final = 1.0
"""The interval in seconds at which subscribers get changed counters and the journal's lag, which change without an
event.
"""


class Subscribers:
    """Sends the changed keys of the status to the clients that have subscribed. Before it sends a scheduled line, it
    calls `look`, which may change the status.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, runtime: Runtime, views: LanguageViews, look: Callable[[], None]
    ) -> None:
        self._loop = loop
        self._runtime = runtime
        self._views = views
        self._look = look
        self._next_change: asyncio.TimerHandle | None = None

    def add(self, client: Client, request: Request) -> None:
        """Sends the client the whole status, and from then on every change."""
        self._send()  # so that the other subscribers have the same status
        view = self._views.of(request.language)
        if view.told is None:
            view.told = self._views.status(view, self._loop.time())
        client.send(encode_line(Subscribed(request.id, self._runtime.ledger.durable_seq, view.told)))
        client.listens = True
        if client not in view.subscribers:
            view.subscribers.append(client)
        self._schedule(FIGURES_EVERY_S)

    def tell_changes(self) -> None:
        """Schedules a line with the next changes for the subscribers. At most one line is sent each CHANGES_EVERY_S
        seconds.
        """
        self._schedule(CHANGES_EVERY_S)

    def stop(self) -> None:
        """Sends the subscribers their last change, and forgets them."""
        self._cancel()
        self._send()
        self._views.clear()

    def _schedule(self, within_s: float) -> None:
        due_s = self._loop.time() + within_s
        if self._next_change is not None and self._next_change.when() <= due_s:
            return
        if not any(view.subscribers for view in self._views.every()):
            return
        self._cancel()
        self._next_change = self._loop.call_at(due_s, self._due)

    def _cancel(self) -> None:
        if self._next_change is not None:
            self._next_change.cancel()
            self._next_change = None

    def _due(self) -> None:
        self._next_change = None
        self._look()
        self._send()
        self._schedule(FIGURES_EVERY_S)

    def _send(self) -> None:
        """Sends every subscriber one line with the keys of the status that have changed since the last line."""
        for view in self._views.every():
            self._send_in(view)

    def _send_in(self, view: LanguageView) -> None:
        view.subscribers = [client for client in view.subscribers if not client.is_gone]
        if not view.subscribers:
            view.told = None
            return
        before, now = view.told, self._views.status(view, self._loop.time())
        view.told = now
        changed = {key: getattr(now, key) for key in KEYS if getattr(now, key) != getattr(before, key)}
        if changed:
            line = encode_line(Changed(self._runtime.ledger.durable_seq, changed))
            for client in view.subscribers:
                client.send(line)
