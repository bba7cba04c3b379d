"""Answers the requests for records of the journal, and for trying the lamp or the buzzer.

The record of the jackpot's pool is for everybody. Any other request needs a signed-in person.
"""

from functools import partial

from msgspec import Struct

from controller.catalogue import sentence
from controller.config import PartKind
from controller.core.house.state import State
from controller.core.words import Role, SessionPhase
from controller.daemon.logs import Log
from controller.daemon.parts import Parts
from controller.daemon.record import RecordReader
from controller.daemon.rights import Right, may_read
from controller.daemon.server import Client
from controller.daemon.speaker import Speaker
from controller.protocol.lines import Checked, Line, RecordAnswer, Request, Tried, encode_line
from controller.protocol.record import RecordDocument

TRIED = (PartKind.LAMP, PartKind.BUZZER)


class Beside(Struct, frozen=True):
    """Answers the requests for records and for trying lamp and buzzer. An answer never changes the table's state."""

    reader: RecordReader
    parts: Parts
    log: Log

    def record(self, client: Client, request: Request, right: Right | None, state: State, speaker: Speaker) -> None:
        """Starts to read the requested record. The client gets the percentage that is read, and at the end the record
        or an error.

        Sends an error at once if the person may not read the record, or another record is being read.
        """
        if not may_read(right, request.what):
            code = "not-signed-in" if right is None else "not-this-person"
            client.send(encode_line(speaker.error(request.id, code)))
        elif self.reader.is_busy:
            client.send(encode_line(speaker.error(request.id, "record-busy")))
        else:
            person = 0 if right is None else right.person
            self.log.say("record-read", person=person, what=request.what.value, terminal=request.terminal)
            client.expect_answer()
            done = partial(_answer, client, request, speaker)
            session = state.house.session_number
            self.reader.start(request, session, speaker.language, partial(_tell, client), done)

    def try_out(self, request: Request, right: Right | None, state: State, speaker: Speaker) -> Line:
        """Lights the lamp or sounds the buzzer, and returns the answer for the client.

        Returns an error unless a technician is signed in, the table has the part, and the table is closed without
        holds.
        """
        if right is None or right.role is not Role.TECHNICIAN:
            return speaker.error(request.id, "not-signed-in" if right is None else "not-this-person")
        kind = next((one for one in TRIED if one.value == request.device and self.parts.has(one)), None)
        if kind is None:
            return speaker.error(request.id, "no-such-part")
        if state.house.session is not SessionPhase.CLOSED or state.house.holds:
            return speaker.error(request.id, "table-in-use")
        self.log.say("part-tried", device=kind.value, person=right.person)
        self.parts.try_out(kind)
        return Tried(request.id, sentence(f"tried.{kind.value}", (), speaker.language))


def _tell(client: Client, percent: int) -> None:
    client.send(encode_line(Checked(percent)))


def _answer(client: Client, request: Request, speaker: Speaker, found: RecordDocument | None) -> None:
    line: Line = speaker.error(request.id, "record-late") if found is None else RecordAnswer(request.id, found)
    client.send_answer(encode_line(line))
