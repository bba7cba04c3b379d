"""The lines of the socket: a request in, an answer out; one JSON object each. Words in the language asked for.

    {"id": 1, "do": "status"}       <- {"id": 1, "ok": true, "status": {...}}
    {"id": 2, "do": "act", "act": "open-session", "person": 12, "pin": "...", "values": {"seats": "1,3"}}
                                    <- {"id": 2, "ok": true, "seq": 7, "state_digest": "...", "text": "..."}
                                    <- {"id": 2, "ok": false, "refusal": {...}, "state_digest": "..."}
                                    <- {"id": 2, "ok": false, "error": {"code": "...", "text": "...", "wait_ms": 0}}
    {"id": 3, "do": "list"}         <- {"id": 3, "ok": true, "seq": 7, "acts": [...]}
    {"id": 4, "do": "subscribe"}    <- {"id": 4, "ok": true, "seq": 7, "status": {...}}, then for ever
                                    <- {"seq": 8, "changed": {key of the status: new value}}

An act names its person and carries that person's PIN (with `"badge": true`, at the table's screen, badge and key stand
for it), or comes over a connection that the person has signed in at. An answer with `seq` is durable. `list` with `act`
is about that act alone, with `allowed` about those alone that may be asked for now. `language`: `pt` or `en`; without
it the table's. Whoever may open the socket reads status and list; the figures' user nothing else. People sign in over
connections of the panel's user alone. An act may name the screen that it was typed at (`"terminal": "tablet-2"`;
`"screen"`: the table's). Each has waits of its own after wrong PINs; one more is shared by all of a user but the
table's.

    {"id": 5, "do": "ping"}         <- {"id": 5, "ok": true, "seq": 8, "start_number": 3, "table_ms": 81250}
    {"id": 6, "do": "sign-in", "person": 21, "pin": "...", "purpose": "H6", "terminal": "screen"}
                                    <- {"id": 6, "ok": true, "signed_in": {"person": 21, "name": "...", ...}}
    {"id": 7, "do": "people"}       <- {"id": 7, "ok": true, "people": [{"number": 21, "name": "...", ...}]}
                                    <- {"hands": [{"seat": 1, "cards": ["10H", null]}, ...]}
                                    <- {"signed_out": "idle", "text": "..."}

Then the connection asks for that person's acts without a PIN, as far as what each `asks` in `next` lets it
(controller/core/SECOND.md). `purpose`: `table` (the dealer), a hold's number, `loading` or `unloading` with the holds
that interrupt it, or `look`. It is told the faces of the cards whenever they change; the status has their backs. It
ends with the connection, its purpose, or by itself.
    {"id": 8, "do": "record", "what": "story", "session": 1, "round": 12}
                                    <- {"id": 8, "ok": true, "record": {"what": "story", "rows": [...], ...}}
                                    <- {"checked_percent": 40}
    {"id": 9, "do": "try", "device": "lamp"}
                                    <- {"id": 9, "ok": true, "text": "..."}

`record` is read from the journal by a process of its own, for one who is signed in and may; `what`: `story` (of one
round), of one session `holds`, `refusals`, `complaints`, `people`, `incidents` or `summary`, and `check` (of the whole
journal, with how far it has come). What moved the jackpot (`pool`) anybody may read. `session` 0: the last one. `try`
is for a technician signed in, at a closed table. `"then": [{"act": ..., "values": {...}}]` behind an act is what
follows it, in order, up to the first refusal, which is the answer; each is an entry of its own, and `done` names them.
With a `key` a user's request is done once. With a `scene` (the status has it) nothing is asked for where the table has
changed. `carry`, `keep`, `checkpoint`, `pool`: controller/uplink/WIRE.md.
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
TABLE_SCREEN: Final = "screen"  # at the table itself: no wrong PIN typed elsewhere keeps anybody waiting there

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
    """One act of several."""

    act: str
    values: dict[str, str] = {}


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    """One line from a client; `allowed` belongs to a list, `what` to `round` to a record, `device` to a try, `after`
    and `nonce` to a carry, `note` to a keep or a checkpoint, `pool` to a pool, the rest to an act or a sign-in
    (`badge`: in the place of the PIN, at the table's screen).
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
    """The request in a line; None where it is none."""
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
    """The keys of the status that are other than they were when the last line was sent."""

    seq: int
    changed: dict[str, object]


class DoneAct(Struct, frozen=True):
    act: str
    seq: int


class Allowed(Struct, frozen=True):
    """The act is done. `next`: what comes next at the hold that the act was about, or at the first that stands."""

    id: RequestId
    seq: int
    state_digest: str
    text: str
    ok: bool = True
    done: list[DoneAct] = []
    next: StepStatus | None = None


class RefusalDocument(Struct, frozen=True):
    """Why an act was refused. `clause` says the rule; null: the rule is ours, and `why` says what it is for."""

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
    """A request that was not decided."""

    code: str
    text: str
    wait_ms: int | None = None


class NotDecided(Struct, frozen=True):
    id: RequestId
    error: ErrorDocument
    ok: bool = False
    done: list[DoneAct] = []


class ActDocument(Struct, frozen=True):
    """One act: whether it may be asked for now, by whom, why not, and what it takes.

    `needs_pin` False: a dealer who has signed in over the connection gives none again. `hold_ms`: so long a button is
    held before the act is sent. `combinations`: where several values depend on one another, what fits together now.
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
    """`seq`: the last entry of the state that the list is about."""

    id: RequestId
    seq: int
    acts: list[ActDocument]
    ok: bool = True


class Pong(Struct, frozen=True):
    """The controller answers. `start_number`: how often it has started; `table_ms`: its table time."""

    id: RequestId
    seq: int
    start_number: int
    table_ms: int
    ok: bool = True


class SignedIn(Struct, frozen=True):
    """From now on this connection may ask for acts of this person without the PIN, for `purpose` alone."""

    person: int
    name: str
    role: str
    purpose: str


class SignInAnswer(Struct, frozen=True):
    id: RequestId
    signed_in: SignedIn
    ok: bool = True


class SignedOut(Struct, frozen=True):
    """The right of this connection has ended; `text` says why."""

    signed_out: str
    text: str


class Hands(Struct, frozen=True):
    """The cards that lie on the table, whenever they have changed: for connections over which somebody is signed in."""

    hands: list[HandStatus]


class PersonDocument(Struct, frozen=True):
    number: int
    name: str
    role: str


class PeopleAnswer(Struct, frozen=True):
    """The casino's people, for a connection over which somebody is signed in."""

    id: RequestId
    people: list[PersonDocument]
    ok: bool = True


class RecordAnswer(Struct, frozen=True):
    id: RequestId
    record: RecordDocument
    ok: bool = True


class Checked(Struct, frozen=True):
    """How far a check of the journal has come: for the connection that asked for it."""

    checked_percent: int


class Tried(Struct, frozen=True):
    """The lamp is lit, or the buzzer sounds, for a moment; `text` says what is to be seen or heard."""

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
    """Any line of the controller as a client reads it; what it does not have is None, or empty. `line`: as it came."""

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
        """The whole line, without the number that paired it with its request."""
        document = msgspec.json.decode(self.line, type=dict[str, object])
        document.pop("id", None)
        return document


_ANSWERS: Final = msgspec.json.Decoder(Answer)


def decode_answer(line: bytes) -> Answer:
    """Raises msgspec.DecodeError, UnicodeDecodeError for what no controller sends."""
    answer = _ANSWERS.decode(line)
    answer.line = line
    return answer
