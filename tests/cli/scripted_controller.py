"""A controller's socket that answers from a script, for tests of the command line."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Self

import msgspec

from controller.catalogue import Language
from controller.core.games.blackjack.state import initial_state
from controller.core.games.blackjack.table import TABLE
from controller.core.house.permitted import permitted
from controller.daemon.speaker import Speaker
from controller.runtime.game import game_of
from controller.scenario.table import make_table

Json = dict[str, object]
Script = Callable[[Json], list[Json | bytes]]
"""A function from a request to the lines of its answer; bytes are sent unchanged, HANG_UP ends the connection."""

HANG_UP = b""


class ScriptedController:
    """Serves one connection after another until the context ends."""

    def __init__(self, path: Path, script: Script) -> None:
        self.path = path
        self.requests: list[Json] = []
        self._script = script
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # the context has ended
                return
            with connection, connection.makefile("rb") as lines, contextlib.suppress(ConnectionError):
                self._answer(connection, lines)  # until the other side has read enough

    def _answer(self, connection: socket.socket, lines: BinaryIO) -> None:
        for line in lines:
            request = json.loads(line)
            self.requests.append(request)
            for answer in self._script(request):
                if answer == HANG_UP:
                    return
                data = answer if isinstance(answer, bytes) else json.dumps(answer).encode() + b"\n"
                connection.sendall(data)


def listed(request: Json) -> Json:
    """A controller's answer to `list`: the acts of a closed table."""
    state = initial_state(make_table("pt-csm", []).setup)
    asked = [one for one in permitted(TABLE, state) if request.get("act", "") in {"", one.act}]
    if not asked:
        return {"ok": False, "error": {"code": "unknown-act", "text": "There is no such act."}}
    acts = Speaker(game_of("pt-csm"), Language.EN).acts(state, asked, None)
    return {"ok": True, "seq": 1, "acts": msgspec.to_builtins(acts)}


STATUS: Json = {
    "table": "BJ-07",
    "simulated": True,
    "state": "A mesa está parada: encravamento.",
    "session": "in-play",
    "round": "playing",
    "session_number": 3,
    "round_number": 17,
    "holds": [
        {
            "id": "H3",
            "kind": "jam",
            "device": "shuffler",
            "place": "shuffler, at the mouth",
            "text": "A card is jammed.",
            "steps": ["Call the chief supervisor.", "Open the lid."],
            "step": 2,
            "plan": [
                {"name": "call", "text": "Call the chief supervisor.", "state": "done", "who": ["dealer"]},
                {"name": "repair", "text": "The repair.", "state": "skipped", "who": ["technician"], "optional": True},
                {
                    "name": "clear",
                    "text": "Open the lid.",
                    "state": "next",
                    "who": ["chief_supervisor"],
                    "acts": [
                        {
                            "act": "clear-hold",
                            "values": {"hold": "H3"},
                            "asks": [],
                            "who": ["chief_supervisor"],
                            "person": 21,
                            "needs_pin": True,
                        }
                    ],
                },
            ],
            "who": ["chief_supervisor"],
            "recorded": False,
        }
    ],
    "counts": {"outside": 0, "inside": 301, "rack": 4, "table": 6, "jammed": 1, "total": 312},
    "next": [{"act": "attend-hold", "who": ["chief_supervisor"]}],
    "present": [{"person": 3, "role": "dealer", "operation": "table"}],
    "putting_back": {"due": 11, "done": 5},
    "duties": [{"id": "D1", "kind": "report-damaged-card", "who": "room_manager", "since": 120_000}],
    "journal": {"seq": 1234, "head": "ab" * 32, "lag_ms": 3500, "slow": True},
    "devices": {"shuffler": {"connected": True, "text": "jammed"}, "shoe": {"connected": False}},
    "state_digest": "cd" * 32,
    "something_new": [1, 2, 3],
}
