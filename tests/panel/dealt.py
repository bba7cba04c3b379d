"""A table that follows hands, played by the core itself: owed cards come at once, in the order of a list.

`Dealt` is the table; `Served` puts it behind a socket, so that a panel shows it and plays it.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.catalogue import Language
from controller.catalogue.words import refusal_words
from controller.core.custody.game import next_owed
from controller.core.games.blackjack.table import TABLE
from controller.core.house.permitted import offered, permitted
from controller.core.words import Purpose, RoundPhase
from controller.daemon.speaker import Speaker
from controller.protocol.lines import RefusalDocument
from controller.protocol.status import DeviceStatus, HandStatus, JournalStatus, NextStatus, Status
from controller.runtime.game import game_of
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of
from controller.screen.status import differences_status, hold_status, lapsed_status, waiting_status
from tests.endings import HANGS_S
from tests.panel.scripted import Json, ScriptedTable
from tests.panel.spun import Spun

STEPS = vocabulary_of("pt-csm").steps
PRIZES = ("1 J-J-suited 50.00", "2 A-A-suited rest")
ROLES = {"dealer": "dealer", "chief_supervisor": "chief", "table_inspector": "inspector", "room_manager": "manager"}


class Dealt:
    """A table in play from the start. `cards`: the next cards; without them the machine's next ones.

    `lays_back`: the cards of a round go into the feed as soon as they are collected. `waits`: cards come only by the
    test's calls, one fact after the other.
    """

    def __init__(self, profile: str = "pt-csm", **settings: str) -> None:
        self.profile = profile
        self._settings = settings
        self.player = self._in_play()
        self.cards: list[str] = []
        self.lays_back = True
        self.waits = False

    def _in_play(self) -> Player:
        prizes = PRIZES if "jackpot" in self._settings else ()
        table = make_table(self.profile, [("tracks", "hands"), *self._settings.items()], prizes)
        assert not table.problems
        player = Player(table.setup)
        player.start()
        if prizes:
            player.act("manager", "approve-jackpot", {"reference": "G-1"})
        STEPS["in-play"].do(player, ())
        return player

    def begin_again(self) -> None:
        """Puts a new table in play in place of this one."""
        self.player = self._in_play()

    def ask(self, act: str, values: Mapping[str, str], role: str = "dealer") -> str:
        """Does the act and deals the cards that result. Returns the reason of a refusal, else ""."""
        self.player.act(ROLES[role], act, values)
        if self.player.refusal is not None:
            return refusal_words(self.player.refusal, Language.EN).reason
        while not self.waits and self.fact():
            pass
        return ""

    def fact(self) -> bool:
        """Makes the next due card come, or a collected card go back. Returns False where neither is due."""
        if self._is_due():
            self.draw()
        elif self.lays_back and self.player.state.game.phase is RoundPhase.COLLECTED:
            STEPS["put-back"].do(self.player, ())
        else:
            return False
        return True

    def _is_due(self) -> bool:
        owed, setup = next_owed(self.player.state), self.player.state.setup
        is_asked = setup.delivery.value == "ejects" or self.player.state.game.phase is not RoundPhase.PLAYING
        return owed is not None and (is_asked or self.player.state.game.requested is not None)

    def draw(self) -> None:
        owed = next_owed(self.player.state)
        is_burnt = owed is not None and owed.purpose is Purpose.BURN
        STEPS["draw"].do(self.player, (self.cards.pop(0),) if self.cards and not is_burnt else ())

    @property
    def hands(self) -> list[HandStatus]:
        return game_of(self.profile).screen().hands(self.player.state)

    @property
    def status(self) -> Status:
        state, game = self.player.state, game_of(self.profile)
        screen = game.screen()
        part = screen.part(state, state)
        return Status(
            table="table-7",
            simulated=True,
            language="en",
            profile=self.profile,
            session=state.house.session.value,
            session_number=1,
            round=state.game.phase.value,
            round_number=state.game.number,
            seats=list(part.seats),
            collected=part.collected,
            owed=screen.owed(state),
            face_down=part.face_down,
            holds=[hold_status(game, state, state, hold, Language.EN) for hold in state.house.holds],
            counts=part.counts,
            hands=part.hands,
            money=part.money,
            jackpot=part.jackpot,
            figures=part.figures,
            devices={"shoe": DeviceStatus(connected=True)} if state.setup.has_reader else {},
            waiting=waiting_status(game, state, Language.EN),
            lapsed=lapsed_status(game, state, Language.EN),
            differences=differences_status(state, Language.EN),
            next=[NextStatus(act, [role.value for role in who]) for act, who in offered(TABLE, state)],
        )


class Served(ScriptedTable):
    """Serves the table at a socket: sends each change to subscribers, and the cards' faces to signed-in people.

    `entry`: the last entry of a journal with each act and each fact.
    """

    def __init__(self, path: Path, dealt: Dealt | Spun, person: Json) -> None:
        super().__init__(path, dealt.status, dealt.player.state, person)
        self.dealt = dealt
        self.entry = dealt.status.journal.seq
        self._writers: list[asyncio.StreamWriter] = []

    def _opened(self, writer: asyncio.StreamWriter) -> None:
        self._writers.append(writer)

    def happens(self, fact: Callable[[], object]) -> None:
        """Calls `fact`, which changes the table without a touch; returns once every subscriber has the change."""
        told = threading.Event()

        def happen() -> None:
            fact()
            self.entry += 1
            self._tell()
            told.set()

        self._loop.call_soon_threadsafe(happen)
        assert told.wait(HANGS_S)

    def _answer(self, request: Json) -> Json:
        match request["do"]:
            case "act":
                for step in [request, *request.get("then", [])]:
                    if reason := self.dealt.ask(step["act"], step["values"], self._person["role"]):
                        self._tell()  # the steps before it are done
                        return {"ok": False, "refusal": _refusal(reason)}
                    self.asked.append((step["act"], step["values"]))
                    self.entry += 1
                self._tell()
                return {"seq": self.entry, "state_digest": "", "text": ""}
            case "list":
                state = self.dealt.player.state
                game = game_of(self.dealt.profile)
                listed = Speaker(game, Language.EN).acts(state, permitted(game.registry, state), None)
                acts: list[Any] = msgspec.to_builtins(listed)
                return {"acts": [one for one in acts if request.get("act", "") in {"", one["act"]}]}
            case "status" | "subscribe":
                return {"seq": self.entry, "status": self._document()}
            case _:
                return super()._answer(request)

    def _tell(self) -> None:
        changed = {"seq": self.entry, "changed": self._document()}
        hands = {"hands": msgspec.to_builtins(self.dealt.hands)}
        for writer in self._writers:
            if not writer.is_closing():
                for line in (changed, hands):
                    writer.write(json.dumps(line).encode() + b"\n")

    def _document(self) -> Json:
        document: Json = msgspec.to_builtins(replace(self.dealt.status, journal=JournalStatus(self.entry)))
        return document


def _refusal(reason: str) -> Json:
    refusal: Json = msgspec.to_builtins(RefusalDocument("", "", None, None, reason, "", []))
    return refusal
