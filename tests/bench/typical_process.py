"""The typical stack at PORT: a reader thread on pyserial, a queue, a locked machine, JSON, and SQLite for the journal.

It is written like many controllers of small machines: readable, safe, each library used as its documentation shows.
"""

import json
import queue
import sqlite3
import sys
import threading

import serial
from transitions.extensions import LockedMachine

STATES = ["idle", "dealing", "paying", "settled", "closed"]


class Table:
    """Counts cards; each card is one trigger."""

    def __init__(self) -> None:
        self.cards = 0
        self.machine = LockedMachine(model=self, states=STATES, initial="dealing")
        self.machine.add_transition("card", "dealing", "=", conditions="may_draw", after="count")

    def may_draw(self, _card: int) -> bool:
        return True

    def count(self, _card: int) -> None:
        self.cards += 1


def read_lines(port: serial.Serial, events: "queue.Queue[bytes]", event_bytes: int) -> None:
    """Reads frames of a fixed length, one for each event."""
    while True:
        events.put(port.read(event_bytes))


def main() -> None:
    path, event_bytes, answer_bytes, database = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    port = serial.Serial(path, 115200, timeout=None)
    journal = sqlite3.connect(database, isolation_level=None)
    journal.execute("PRAGMA journal_mode=WAL")
    journal.execute("PRAGMA synchronous=FULL")
    journal.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, entry TEXT)")
    events: queue.Queue[bytes] = queue.Queue()
    threading.Thread(target=read_lines, args=(port, events, event_bytes), daemon=True).start()
    table, answer = Table(), b"\x01" * answer_bytes
    print("up", flush=True)
    while True:
        event = events.get()
        table.card(event[0])
        entry = {"kind": "card", "state": table.state, "cards": table.cards, "frame": event.hex(), "time": 1}
        journal.execute("INSERT INTO entries (entry) VALUES (?)", (json.dumps(entry, sort_keys=True),))
        port.write(answer)


main()
