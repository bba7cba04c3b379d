"""Turns the reports of a card table's devices into facts that are new to the table; seals faces on the way."""

from controller.core.custody.devices import ShufflerStatusHeard
from controller.core.custody.reader import (
    CardRead,
    CardsMayHavePassed,
    ReaderNoted,
    ReaderStatusHeard,
    reader_word_is_news,
)
from controller.core.engine.act import Fact
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.facts import DeviceConnected, DisplayStatusHeard, EventsAwaited, ShufflerStatus
from controller.core.house.sign import sign_is_news
from controller.core.house.state import link_of
from controller.core.words import Device, TableMs
from controller.devices.telling import is_heard_again
from controller.devices.translate import translate
from controller.games.faces import Faces
from drivers.events import (
    DriverEvent,
    EventsMissed,
    Reported,
    StatusHeard,
)
from firmware_protocols.angel_eye.words import GameEnded
from firmware_protocols.tdp.link import EVENT_WINDOW

CARDS_OF_A_GAME = 6
"""The most cards of a game of baccarat: a shoe's message on its own game is about its last six cards at most."""


_TELLS_CARDS = (Device.SHUFFLER, Device.SHOE)


class Intake:
    """Turns a device's report into a fact, or into None for a report without news."""

    def __init__(self, faces: Faces) -> None:
        self._faces = faces
        self._figures: ShufflerStatus | None = None  # the last status given to the core
        self._faces_up = 0  # cards read since the last card with a secret face

    def reveals_hidden_card(self, event: DriverEvent) -> bool:
        """True where the arrival of the report may reveal a face-down card, as the end of the shoe's own game may."""
        is_end = isinstance(event, Reported) and isinstance(event.event, GameEnded)
        return is_end and self._faces_up < CARDS_OF_A_GAME

    def fact(
        self, device: Device, event: DriverEvent, state: BlackjackState, durable: BlackjackState, at_ms: TableMs
    ) -> Fact | None:
        """The fact in `event` for a table in `state`; None without news."""
        if isinstance(event, StatusHeard) and device in _TELLS_CARDS and _is_ahead(device, event, state):
            return _awaited(device, event.newest_event, state, durable)
        if _is_known(device, event, state):
            return None
        if isinstance(event, EventsMissed):
            event = _untaken(event, link_of(state, device).taken)
        fact = translate(device, event, lambda byte: self._faces.identify(byte, state, at_ms))
        if device not in _TELLS_CARDS and is_heard_again(TABLE, event, fact, state):
            return None
        match fact:
            case ShufflerStatusHeard() if fact.status == self._figures:
                return None
            case ReaderStatusHeard() if not reader_word_is_news(state, fact.passages):
                return None
            case DisplayStatusHeard() if not sign_is_news(state, fact.status):
                return None
            case CardRead() | ReaderNoted():
                return self._without_hints(fact)
            case CardsMayHavePassed():
                self._faces_up = 0
            case _:
                self._figures = _figures_in(fact) or self._figures
        return fact

    def _without_hints(self, fact: CardRead | ReaderNoted) -> Fact:
        """The fact without the shoe's message on its own game, while that could reveal a face-down card."""
        if isinstance(fact, CardRead):
            self._faces_up = 0 if fact.card is None else self._faces_up + 1
        hides = fact.told is not None and self._faces_up < CARDS_OF_A_GAME
        return replace(fact, told=None) if hides else fact


def _is_known(device: Device, event: DriverEvent, state: BlackjackState) -> bool:
    """True for an event that the table has recorded already (a device repeats an event until it is acknowledged)."""
    link = link_of(state, device)
    match event:
        case Reported():
            return event.boot == link.boot and event.number <= link.taken
        case EventsMissed():  # about the device's present boot
            return event.last <= link.taken
        case _:
            return False


def _is_ahead(device: Device, status: StatusHeard, state: BlackjackState) -> bool:
    """True where the status includes unrecorded events. Not called for a sign, whose amount moves nothing."""
    return status.newest_event > link_of(state, device).taken


def _untaken(event: EventsMissed, taken: int) -> EventsMissed:
    """The part of a gap that the table has not recorded; a device's first gap covers all its events so far."""
    return EventsMissed(max(event.first, taken + 1), event.last)


def _awaited(device: Device, newest: int, state: BlackjackState, durable: BlackjackState) -> EventsAwaited | None:
    """The fact that further events must come, where a status is ahead of the table; None where that is known.

    The figures of such a status wait for these events. A device sends no event before the one EVENT_WINDOW earlier is
    acknowledged, and the acknowledgement waits for the journal.
    """
    link, acknowledged = link_of(state, device), link_of(durable, device)
    sent = EVENT_WINDOW + (acknowledged.taken if acknowledged.boot == link.boot else 0)
    last = min(newest, sent)
    if last <= max(link.taken, link.awaited):
        return None
    return EventsAwaited(device, last)


def _figures_in(fact: Fact | None) -> ShufflerStatus | None:
    """The shuffler's status in a fact; None without one."""
    found = fact.shuffler if isinstance(fact, DeviceConnected) else getattr(fact, "status", None)
    return found if isinstance(found, ShufflerStatus) else None
