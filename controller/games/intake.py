"""Turns the device reports of a card table into facts that are new to the table, and seals the faces of face-down
cards.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec import Struct

from controller.core.custody.devices import ShufflerStatusHeard
from controller.core.custody.reader import CardRead, ReaderNoted, ReaderStatusHeard, reader_word_is_news
from controller.core.engine.act import Fact, Source
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.facts import DeviceConnected, DisplayStatusHeard, EventsAwaited, EventsMissed, ShufflerStatus
from controller.core.house.sign import sign_is_news
from controller.core.house.state import Link, link_of
from controller.core.words import Device, TableMs
from controller.devices.telling import is_heard_again
from controller.devices.translate import TELLINGS, translate
from controller.games.faces import UNREAD, Faces
from drivers import events as driver
from drivers.events import DriverEvent
from firmware_protocols.angel_eye.words import GameEnded
from firmware_protocols.tdp.link import EVENT_WINDOW

CARDS_OF_A_GAME = 6
"""The most cards of a game of baccarat. A shoe's message on its own game says nothing of cards before the last six."""

_TELLS_CARDS = (Device.SHUFFLER, Device.SHOE)


class Found(Struct, frozen=True, gc=False):
    """The context of one device report: the device, the table's latest state, its durable state, and the table time."""

    device: Device
    state: BlackjackState
    durable: BlackjackState
    at_ms: TableMs


class Intake:
    """Turns device reports into facts. A report without news for the table gives None."""

    def __init__(self, faces: Faces) -> None:
        self._faces = faces
        self.take_seal = faces.take_seal  # the seal that must be durable before the entry of the last fact or act
        self._figures: ShufflerStatus | None = None  # the last status that the core was given
        self._faces_up = 0  # cards read since the last card with a secret face
        self._takes: Mapping[type[DriverEvent], Callable[[Any, Found], Fact | None]] = {
            driver.Reported: self._reported,
            driver.StatusHeard: self._heard,
            driver.CommandRefused: self._told_status,
            driver.EventsMissed: self._missed,
            driver.CardsMayHavePassed: self._unseen,
            driver.CommandUndone: self._told,
            driver.DeviceConnected: self._told,
            driver.DeviceLost: self._told,
            driver.DeviceRefused: self._told,
        }

    def reveals_hidden_card(self, event: DriverEvent) -> bool:
        """True if the mere time of `event` could reveal a face-down card: the shoe ends its game of baccarat, and fewer
        than six cards were read after that card.
        """
        is_end = isinstance(event, driver.Reported) and isinstance(event.event, GameEnded)
        return is_end and self._faces_up < CARDS_OF_A_GAME

    def fact(
        self, device: Device, event: DriverEvent, state: BlackjackState, durable: BlackjackState, at_ms: TableMs
    ) -> Fact | None:
        """Translates `event` of a device's driver into a fact. None if the event means nothing to the table or tells
        nothing new. `state`: the table's state. `durable`: the state on the disk.
        """
        return self._takes[type(event)](event, Found(device, state, durable, at_ms))

    def _reported(self, event: driver.Reported, found: Found) -> Fact | None:
        link = link_of(found.state, found.device)
        if _is_taken(event, link):
            return None
        source, tell = Source(event.boot, event.number), TELLINGS[type(event.status)].event
        identify = partial(self._faces.identify, state=found.state, at_ms=found.at_ms)
        fact = tell(source, event.status, event.event, identify)
        return self._without_hints(fact) if isinstance(fact, CardRead | ReaderNoted) else self._noted(fact)

    def _heard(self, event: driver.StatusHeard, found: Found) -> Fact | None:
        """Returns the fact that a status reports. None if it tells nothing new.

        If a card device's status includes events that the table has not recorded, the fact says only that these events
        must come first.
        """
        is_of_cards = found.device in _TELLS_CARDS
        if is_of_cards and event.newest_event > link_of(found.state, found.device).taken:
            return _awaited(event.newest_event, found)
        return self._told_status(event, found)

    def _told_status(self, event: driver.StatusHeard | driver.CommandRefused, found: Found) -> Fact | None:
        state, fact = found.state, TELLINGS[type(event.status)].heard(event.status)
        if found.device not in _TELLS_CARDS and is_heard_again(TABLE, event, fact, state):
            return None
        match fact:
            case ShufflerStatusHeard() if fact.status == self._figures:
                return None
            case ReaderStatusHeard() if not reader_word_is_news(state, fact.passages):
                return None
            case DisplayStatusHeard() if not sign_is_news(state, fact.status):
                return None
        return self._noted(fact)

    def _missed(self, event: driver.EventsMissed, found: Found) -> Fact | None:
        """Returns the fact that events of the device were lost. Leaves out events that the table has recorded; None if
        it has recorded all of them.
        """
        taken = link_of(found.state, found.device).taken
        if event.last <= taken:
            return None
        return EventsMissed(found.device, max(event.first, taken + 1), event.last)

    def _unseen(self, event: driver.CardsMayHavePassed, found: Found) -> Fact | None:
        self._faces_up = 0
        return self._told(event, found)

    def _told(self, event: DriverEvent, found: Found) -> Fact | None:
        return self._noted(translate(found.device, event, lambda _byte: UNREAD))

    def _noted(self, fact: Fact | None) -> Fact | None:
        """Returns the fact unchanged. Keeps the shuffler's figures in it, to recognise a status that repeats them."""
        figures = fact.shuffler if isinstance(fact, DeviceConnected) else getattr(fact, "status", None)
        if isinstance(figures, ShufflerStatus):
            self._figures = figures
        return fact

    def _without_hints(self, fact: CardRead | ReaderNoted) -> Fact:
        """Returns the fact without the shoe's message on its game of baccarat while the message could reveal a
        face-down card; else the fact unchanged.
        """
        if isinstance(fact, CardRead):
            self._faces_up = 0 if fact.card is None else self._faces_up + 1
        hides = fact.told is not None and self._faces_up < CARDS_OF_A_GAME
        return replace(fact, told=None) if hides else fact


def _is_taken(event: driver.Reported, link: Link) -> bool:
    """True if the table has already recorded this event. Devices repeat an event until it is acknowledged."""
    return event.boot == link.boot and event.number <= link.taken


def _awaited(newest: int, found: Found) -> EventsAwaited | None:
    """Returns the fact that the device's events up to `newest` must still come. None if the table already waits for
    them.

    At most EVENT_WINDOW events after the last durable one are awaited: without an acknowledgement, which follows only
    when the journal is on the disk, the device sends no more.
    """
    link, acknowledged = link_of(found.state, found.device), link_of(found.durable, found.device)
    sent = EVENT_WINDOW + (acknowledged.taken if acknowledged.boot == link.boot else 0)
    last = min(newest, sent)
    if last <= max(link.taken, link.awaited):
        return None
    return EventsAwaited(found.device, last)
