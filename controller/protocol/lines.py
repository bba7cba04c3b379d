"""The lines of the controller's socket: each is one JSON object, a request of a client or an answer to it.

    {"id": 1, "do": "status"}       <- {"id": 1, "ok": true, "status": {...}}
    {"id": 2, "do": "act", "act": "open-session", "person": 12, "pin": "...", "values": {"seats": "1,3"}}
                                    <- {"id": 2, "ok": true, "seq": 7, "state_digest": "...", "text": "..."}
                                    <- {"id": 2, "ok": false, "refusal": {...}, "state_digest": "..."}
                                    <- {"id": 2, "ok": false, "error": {"code": "...", "text": "...", "wait_ms": 0}}
    {"id": 3, "do": "list"}         <- {"id": 3, "ok": true, "seq": 7, "acts": [...]}
    {"id": 4, "do": "subscribe"}    <- {"id": 4, "ok": true, "seq": 7, "status": {...}}, then for ever
                                    <- {"seq": 8, "changed": {key of the status: new value}}

An act names its person and gives that person's PIN, or needs none after a sign-in (below); with `"badge": true`, at the
table's screen, badge and key replace it. An answer with `seq` is on the disk. A `list` with `act` describes only this
act, with `allowed` only acts possible now. `language`: that of the sentences; without it the table's. The users of the
computer have different rights (daemon/peers.py); few may sign people in. An act may name its screen (`"terminal":
"tablet-2"`; `"screen"` is the table's), since each screen has its own waits after wrong PINs.

    {"id": 5, "do": "ping"}         <- {"id": 5, "ok": true, "seq": 8, "start_number": 3, "table_ms": 81250}
    {"id": 6, "do": "sign-in", "person": 21, "pin": "...", "purpose": "H6", "terminal": "screen"}
                                    <- {"id": 6, "ok": true, "signed_in": {"person": 21, "name": "...", ...}}
    {"id": 7, "do": "people"}       <- {"id": 7, "ok": true, "people": [{"number": 21, "name": "...", ...}]}
                                    <- {"hands": [{"seat": 1, "cards": ["10H", null]}, ...]}
                                    <- {"signed_out": "idle", "text": "..."}

After a sign-in this connection may ask for acts of the person without a PIN, where the act's `asks` in the status
allows it (controller/core/SECOND.md). `purpose`: `table` (the dealer), a hold's number, `loading` or `unloading` (with
the holds that interrupt it), or `look`. After each change it also gets the faces of the cards (`hands`); the status has
only their backs. The sign-in ends with the connection, with its purpose, or after a time without use.

    {"id": 8, "do": "record", "what": "story", "session": 1, "round": 12}
                                    <- {"id": 8, "ok": true, "record": {"what": "story", "rows": [...], ...}}
                                    <- {"checked_percent": 40}
    {"id": 9, "do": "try", "device": "lamp"}
                                    <- {"id": 9, "ok": true, "text": "..."}

A `record` is an extract from the journal for a signed-in person who may read it: `story` (of one round); `holds`,
`refusals`, `complaints`, `people`, `incidents`, `summary`, `shift`, `handover` (of one session; 0: the last);
`checkpoint` (for witnesses); `check` (the whole journal); `pool` (the jackpot's movements; needs no sign-in). `try` is
for a technician at a closed table. `"then": [{"act": ..., "values": {...}}]` adds acts, done in order up to the first
refusal, which is then the answer; `done` names those done; one `"by_post": true` is that of the person signed in over
the connection, by the sign-in alone. A user's requests with the same `key` are done once; one with a `scene` (of the
status) does nothing if the table has changed. `carry`, `keep`, `checkpoint`, `pool`: controller/uplink/WIRE.md.
"""

from enum import StrEnum, unique
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Struct

from controller.protocol.carried import LARGEST_SEQ, NONCE_DIGITS, Checkpoint, NoteText, SignedStatement
from controller.protocol.linked import SignedPool
from controller.protocol.record import RecordDocument, RecordKind
from controller.protocol.status import HandStatus, Status, StepStatus
from controller.protocol.suggestion import Suggestion
from controller.protocol.values import ValueDocument

LONGEST_LINE: Final = 65_536
LARGEST_PERSON: Final = 99_999
MOST_THEN: Final = 4
LARGEST_NUMBER: Final = 1_000_000_000

RequestId: TypeAlias = int | str | None
TABLE_SCREEN: Final = "screen"  # the table's own screen: wrong PINs typed elsewhere cause no wait here

ScreenName: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9-]{0,32}$")]
PersonNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_PERSON)]


@unique
class Do(StrEnum):
    STATUS = "status"
    ACT = "act"
    LIST = "list"
    SUBSCRIBE = "subscribe"
    PING = "ping"
    SIGN_IN = "sign-in"
    PEOPLE = "people"
    RECORD = "record"
    TRY = "try"
    CARRY = "carry"
    CHECKPOINT = "checkpoint"
    KEEP = "keep"
    POOL = "pool"


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """A further act in a request. `by_post`: True for an act of the person who is signed in over the connection."""

    act: str
    values: dict[str, str] = {}
    by_post: bool = False


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """One request of a client. Fields that belong to one kind of request: `allowed` (list); `what`, `session`, `round`
    (record); `device` (try); `after`, `nonce` (carry); `note` (keep, checkpoint); `pool` (pool). All other fields
    belong to acts and sign-ins.
    """

    do: Do
    id: RequestId = None
    act: str = ""
    person: PersonNumber | None = None
    pin: str | None = None
    values: dict[str, str] = {}
    allowed: bool = False
    language: str = ""
    terminal: ScreenName = ""
    purpose: str = ""
    then: Annotated[list[Step], msgspec.Meta(max_length=MOST_THEN)] = []
    scene: str = ""
    key: Annotated[str, msgspec.Meta(max_length=64)] = ""
    badge: bool = False
    what: RecordKind = RecordKind.SUMMARY
    session: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_NUMBER)] = 0
    round: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_NUMBER)] = 0
    device: str = ""
    after: Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEQ)] = 0
    nonce: Annotated[str, msgspec.Meta(pattern=rf"^[0-9a-f]{{0,{NONCE_DIGITS}}}$")] = ""
    note: NoteText = ""
    pool: SignedPool | None = None


_REQUESTS: Final = msgspec.json.Decoder(Request)
_ENCODER: Final = msgspec.json.Encoder()


def decode_request(line: bytes) -> Request | None:
    """Returns the request in a line. Returns None if the line is no request."""
    try:
        return _REQUESTS.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


class StatusAnswer(Struct, frozen=True):
    id: RequestId
    status: Status
    ok: bool = True


class Subscribed(Struct, frozen=True):
    id: RequestId
    seq: int
    status: Status
    ok: bool = True


class Changed(Struct, frozen=True):
    """A line to a subscriber: the keys of the status that have changed since the last line, with their new values."""

    seq: int
    changed: dict[str, object]


class DoneAct(Struct, frozen=True):
    act: str
    seq: int


class Allowed(Struct, frozen=True):
    """The answer to an act that was done. `next`: the next step of its hold, or of the first open hold."""

    id: RequestId
    seq: int
    state_digest: str
    text: str
    ok: bool = True
    done: list[DoneAct] = []
    next: StepStatus | None = None


class RefusalDocument(Struct, frozen=True):
    """The reason for a refused act. `clause`: the law's clause; null for our own rule, which `why` explains."""

    guard: str
    rule: str
    clause: str | None
    why: str | None
    reason: str
    remedy: str
    who: list[str]
    remedy_acts: list[Suggestion] = []


class NotAllowed(Struct, frozen=True):
    id: RequestId
    refusal: RefusalDocument
    state_digest: str
    ok: bool = False
    done: list[DoneAct] = []


class ErrorDocument(Struct, frozen=True):
    """The reason why the core did not decide a request. `wait_ms`: milliseconds until it may come again, or None."""

    code: str
    text: str
    wait_ms: int | None = None


class NotDecided(Struct, frozen=True):
    id: RequestId
    error: ErrorDocument
    ok: bool = False
    done: list[DoneAct] = []


class ActDocument(Struct, frozen=True):
    """One act: if it is possible now or why not, the roles that may ask for it, and its values. `needs_pin`: False if a
    dealer signed in over the connection needs no PIN. `hold_ms`: the milliseconds for which a button is pressed.
    `combinations`: the combinations possible now, if the values depend on each other.
    """

    act: str
    label: str
    what: str
    who: list[str]
    allowed: bool
    needs_pin: bool
    hold_ms: int
    rule: str | None
    clause: str | None
    why: str | None
    reason: str | None
    remedy: str | None
    values: list[ValueDocument]
    combinations: list[dict[str, str]]
    remedy_acts: list[Suggestion] = []


class Listed(Struct, frozen=True):
    """The answer to `list`. `seq`: the last entry of the state that the list describes."""

    id: RequestId
    seq: int
    acts: list[ActDocument]
    ok: bool = True


class Pong(Struct, frozen=True):
    """The answer to `ping`. `start_number`: the controller's starts so far; `table_ms`: the table time."""

    id: RequestId
    seq: int
    start_number: int
    table_ms: int
    ok: bool = True


class SignedIn(Struct, frozen=True):
    """The person signed in over a connection. Acts of this person within `purpose` need no PIN there."""

    person: int
    name: str
    role: str
    purpose: str


class SignInAnswer(Struct, frozen=True):
    id: RequestId
    signed_in: SignedIn
    ok: bool = True


class SignedOut(Struct, frozen=True):
    """The message to a client that the sign-in over its connection has ended. `text`: the reason."""

    signed_out: str
    text: str


class Hands(Struct, frozen=True):
    """The cards on the table. Sent after each change, only to connections with a signed-in person."""

    hands: list[HandStatus]


class PersonDocument(Struct, frozen=True):
    number: int
    name: str
    role: str


class PeopleAnswer(Struct, frozen=True):
    """The answer to `people`: the casino's people. Sent only to connections with a signed-in person."""

    id: RequestId
    people: list[PersonDocument]
    ok: bool = True


class RecordAnswer(Struct, frozen=True):
    id: RequestId
    record: RecordDocument
    ok: bool = True


class Checked(Struct, frozen=True):
    """The progress of a check of the journal, sent to the connection that asked for it."""

    checked_percent: int


class Tried(Struct, frozen=True):
    """The answer to `try`: the lamp or buzzer is on for a moment. `text` tells the person what to see or hear."""

    id: RequestId
    text: str
    ok: bool = True


class CarryAnswer(Struct, frozen=True):
    id: RequestId
    carried: SignedStatement
    ok: bool = True


class CheckpointAnswer(Struct, frozen=True):
    id: RequestId
    checkpoint: Checkpoint
    ok: bool = True


class KeptAnswer(Struct, frozen=True):
    id: RequestId
    seq: int
    ok: bool = True


Line: TypeAlias = (
    StatusAnswer
    | Subscribed
    | Changed
    | Allowed
    | NotAllowed
    | NotDecided
    | Listed
    | Pong
    | SignInAnswer
    | SignedOut
    | PeopleAnswer
    | Hands
    | RecordAnswer
    | Checked
    | Tried
    | CarryAnswer
    | CheckpointAnswer
    | KeptAnswer
)


def encode_line(line: Line) -> bytes:
    return _ENCODER.encode(line) + b"\n"


class Answer(Struct):
    """Any line of the controller, decoded by a client. A missing field is None, empty or False. `line`: as received."""

    id: RequestId = None
    ok: bool = False
    seq: int | None = None
    state_digest: str | None = None
    text: str = ""
    status: dict[str, msgspec.Raw] | None = None
    changed: dict[str, msgspec.Raw] | None = None
    acts: tuple[ActDocument, ...] = ()
    refusal: RefusalDocument | None = None
    error: ErrorDocument | None = None
    done: tuple[DoneAct, ...] = ()
    next: StepStatus | None = None
    start_number: int | None = None
    table_ms: int | None = None
    signed_in: SignedIn | None = None
    signed_out: str | None = None
    hands: list[HandStatus] | None = None
    people: tuple[PersonDocument, ...] = ()
    record: RecordDocument | None = None
    checked_percent: int | None = None
    carried: SignedStatement | None = None
    checkpoint: Checkpoint | None = None
    line: bytes = b""

    def document(self) -> dict[str, object]:
        """Returns the line as a dictionary, without the id of its request."""
        document = msgspec.json.decode(self.line, type=dict[str, object])
        document.pop("id", None)
        return document


_ANSWERS: Final = msgspec.json.Decoder(Answer)


def decode_answer(line: bytes) -> Answer:
    """Returns the decoded line. Raises msgspec.DecodeError, UnicodeDecodeError for a line in another form."""
    answer = _ANSWERS.decode(line)
    answer.line = line
    return answer
