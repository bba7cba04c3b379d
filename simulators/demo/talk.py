"""The demo's words, and how they are written on a terminal: wrapped, coloured only where somebody sees it."""

import io
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Mapping
from enum import StrEnum, unique
from pathlib import Path
from typing import Final, TextIO

import segno

WORDS: Final[Mapping[str, str]] = {
    "welcome": "SIMULATED table {table}. The controller is the real one (sabot run); its devices and people are "
    "simulated. Ctrl-C ends everything.",
    "welcome.look": "Look at the table from a second terminal:\n    {command}",
    "welcome.guest": "You may take over from the chief supervisor: number {person}, PIN {pin}. When a card jams, sign "
    "in by taking charge of the hold and follow the steps that the status shows. The scripted supervisor then steps "
    "back until you are done, or have not acted for a minute.\n    {command}",
    "welcome.dealer": "As a dealer (number {person}, PIN {pin}) the same act is refused, with the clause:\n"
    "    {command}",
    "socket.taken": "Another controller has the usual socket, so the commands name this one's.",
    "session.closed": "The table is closed.",
    "session.opened": "Session {number} is open: the cards are brought and made ready.",
    "session.displayed": "The players have seen the cards: they are mixed.",
    "session.mixed": "The cards are mixed. The chief supervisor comes to watch the loading.",
    "session.loading": "The shuffler is loaded, packet by packet, as the law of the table has it watched.",
    "session.taking-out": "The loading failed; the cards are taken out again.",
    "session.loaded": "The shuffler is loaded. What has to be burnt comes out first.",
    "session.gathered": "All cards are gathered, to be mixed anew.",
    "session.cut": "The cards are cut; the warning card is put in.",
    "session.mixed.by-hand": "The cards are mixed; the players are offered the cut.",
    "session.loaded.by-hand": "Shoe or box is filled. Cards are burnt.",
    "session.unloading.by-hand": "What is left is taken out.",
    "session.in-play": "The table is open.",
    "session.closing": "The closing is indicated.",
    "session.unloading": "The shuffler is unloaded.",
    "session.checking": "The dealer orders the cards by deck and checks them.",
    "round": "Round {number}: bets on seats {seats}. No more bets.",
    "round.cards": "  {cards}",
    "hand.burn": "One card is burnt, face down.",
    "hand.open-lid": "Hands: the lid is opened.",
    "hand.close-lid": "Hands: the lid is closed.",
    "hand.free-jam": "Hands: the stuck card is freed; it lies now: {to}.",
    "hand.swap-damaged": "Hands: the damaged card is replaced by a spare of the same face.",
    "hand.hear-player": "The chief supervisor hears the player.",
    "hand.call-technician": "Something in the machine is broken; a technician is called over.",
    "hand.repair": "The technician mends the machine.",
    "hand.plug": "Hands: the cable of the {device} is put back.",
    "hand.feed-packet": "A packet goes into the feed.",
    "hand.cut-cards": "The cards are cut.",
    "hand.lay-warning-card": "The warning card goes into the pack.",
    "hand.gather-cards": "All cards are gathered on the table.",
    "hand.feed-rack": "The cards of the discard rack go back into the feed.",
    "act.done": "{who}: {act} {values}",
    "act.refused": "{who}: {act} was refused: {reason}",
    "hold.raised": "ALERT {id}: {text}",
    "hold.take-over": "To take over:\n    {command}",
    "hold.ended": "{id} is ended after {seconds} s; the table plays on.",
    "guest.acted": "You, as {person}: {act}.",
    "guest.refused": "You, as {person}: {act} was refused.",
    "guest.next": "The next step is yours:\n    {command}",
    "prank.cable": "Somebody stumbles over the cable of the {device}.",
    "prank.power": "The {device} loses power for a moment.",
    "controller.died": "The controller has gone (exit code {code}); it is started again.",
    "progress": "{session}, round {number}",
    "ending": "Ending.",
    "end.well": "The books agree: physical cards, status and journal. {rounds} rounds, {jams} jams, {entries} entries.",
    "end.violation": "VIOLATION: {text}",
    "controller.log": "The end of the controller's log:\n{tail}",
}


@unique
class Ink(StrEnum):
    """What a line is, as the terminal's colours show it."""

    PLAIN = ""
    STEP = "1"
    ALERT = "1;31"
    HAND = "36"
    GUEST = "33"
    GOOD = "32"


class Talk:
    """Writes to one stream."""

    def __init__(self, stream: TextIO, environment: Mapping[str, str], socket: Path | None = None) -> None:
        """`socket`: the one that commands have to name; None where the usual one leads to this table."""
        self._stream = stream
        self._colours = stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
        self._socket = socket

    def name_socket(self, socket: Path) -> None:
        """From now on commands name this socket."""
        self._socket = socket

    def plain(self, text: str) -> None:
        """A line as it stands: an address, a picture."""
        print(text, file=self._stream, flush=True)

    def say(self, key: str, ink: Ink = Ink.PLAIN, **values: str) -> None:
        """One message of `WORDS`; its indented lines are commands and stay whole."""
        width = min(shutil.get_terminal_size().columns, 100)
        for line in WORDS[key].format(**values).split("\n"):
            if line.startswith("    "):
                self._write(line, ink)
            else:
                indent = "  " if line.startswith("  ") else ""
                for part in textwrap.wrap(line, width, subsequent_indent=indent or "", break_long_words=False):
                    self._write(part, ink)
        self._stream.flush()

    def act_command(self, act: str, person: int | None, values: Mapping[str, str]) -> str:
        """The command by which a person asks for an act; it asks for the PIN. None: the dealer at the table."""
        given = [f"--value {shlex.quote(f'{name}={value}')}" for name, value in values.items()]
        return self.command(f"act {act}", *([] if person is None else [f"--person {person}"]), *given)

    def command(self, *words: str) -> str:
        """A `sabot` command as it can be typed here."""
        where = [] if self._socket is None else [f"--socket {shlex.quote(str(self._socket))}"]
        return " ".join([_sabot(), *words, *where])

    def _write(self, line: str, ink: Ink) -> None:
        coloured = f"\x1b[{ink.value}m{line}\x1b[0m" if self._colours and ink is not Ink.PLAIN else line
        self._stream.write(coloured + "\n")


def _sabot() -> str:
    """How `sabot` is called from here: by name where it is on the path, else by the path beside this Python."""
    if shutil.which("sabot"):
        return "sabot"
    beside = Path(sys.executable).with_name("sabot")
    here = Path(os.getcwd())  # noqa: PTH109
    return str(beside.relative_to(here)) if beside.is_relative_to(here) else str(beside)


def qr_code(text: str) -> str:
    """A code that a telephone reads off the terminal."""
    picture = io.StringIO()
    segno.make(text, error="l").terminal(out=picture, compact=True)
    return picture.getvalue().rstrip("\n")
