"""A socket that answers like a controller whose table has a given state. It accepts every PIN and every act."""

import asyncio
import contextlib
import json
import threading
from pathlib import Path
from typing import Any

import msgspec

from controller.catalogue import Language
from controller.core.games.blackjack.table import ACT_RULES
from controller.core.house.permitted import permitted
from controller.core.house.state import State
from controller.daemon.speaker import Speaker
from controller.protocol.lines import decode_request
from controller.protocol.status import Status
from controller.runtime.game import game_of
from tests.endings import HANGS_S

Json = dict[str, Any]
WITH_OWN_PIN = frozenset(rule.name for rule in ACT_RULES if rule.own_pin)


class ScriptedTable:
    """The served table. A context manager serves it; `asked` has the requested acts with their values."""

    def __init__(self, path: Path, status: Status, state: State, person: Json) -> None:
        self.socket = path
        self.asked: list[tuple[str, dict[str, str]]] = []
        self._status = status
        self._person = person
        game = game_of(state.setup.profile)
        self._acts = msgspec.to_builtins(Speaker(game, Language.EN).acts(state, permitted(game.registry, state), None))
        self._clients: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._serves = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "ScriptedTable":
        self._thread.start()
        assert self._serves.wait(HANGS_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def comes(self, person: int, role: str) -> None:
        """Makes the next sign-in one of this person."""
        self._person = {"person": person, "name": f"Person {person}", "role": role}

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_unix_server(self._client, self.socket)
        self._serves.set()
        await self._stop.wait()
        for listener in server.sockets:  # first, since a closed server leaves newly accepted connections open
            self._loop.remove_reader(listener.fileno())
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            for writer in self._clients.values():
                writer.close()
            await asyncio.gather(*others)
        server.close()

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if self._stop.is_set():
            writer.close()
            return
        self._clients[task] = writer
        self._opened(writer)
        with contextlib.suppress(ConnectionError):  # an unread answer at its leaving: the system reports a reset
            await self._answer_lines(reader, writer)
        writer.close()
        del self._clients[task]

    async def _answer_lines(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            if decode_request(line) is None:  # like the controller
                return
            request = json.loads(line)
            writer.write(json.dumps({"id": request["id"], "ok": True} | self._answer(request)).encode() + b"\n")

    def _opened(self, writer: asyncio.StreamWriter) -> None:
        """Notes a new client."""

    def _answer(self, request: Json) -> Json:
        match request["do"]:
            case "ping":
                return {"seq": 1, "start_number": 1, "table_ms": 0}
            case "list":
                return {"acts": [one for one in self._acts if request.get("act", "") in {"", one["act"]}]}
            case "sign-in":
                return {"signed_in": self._person | {"purpose": request["purpose"]}}
            case "act":
                steps = [request, *request.get("then", [])]
                if request.get("pin") is None and any(step["act"] in WITH_OWN_PIN for step in steps):
                    return {"ok": False, "error": {"code": "pin-missing", "text": "The PIN is missing."}}
                self.asked += [(step["act"], step["values"]) for step in steps]
                return {"seq": self._status.journal.seq, "state_digest": "", "text": ""}
            case _:
                return {"seq": 1, "status": msgspec.to_builtins(self._status), "people": []}
