"""The lines of the socket: a request in, an answer out; one JSON object each. Words in the table's language.

    {"id": 1, "do": "status"}       <- {"id": 1, "ok": true, "status": {...}}
    {"id": 2, "do": "act", "act": "open-session", "person": 12, "pin": "...", "values": {"seats": "1,3"}}
                                    <- {"id": 2, "ok": true, "seq": 7, "state_digest": "...", "text": "..."}
                                    <- {"id": 2, "ok": false, "refusal": {...}, "state_digest": "..."}
                                    <- {"id": 2, "ok": false, "error": {"code": "...", "text": "...", "wait_ms": 0}}
    {"id": 3, "do": "list"}         <- {"id": 3, "ok": true, "acts": [...]}
    {"id": 4, "do": "subscribe"}    <- {"id": 4, "ok": true, "seq": 7, "status": {...}}, then for ever
                                    <- {"seq": 8, "changed": {key of the status: new value}}

`person` null: the dealer who is signed in at the table. An answer with `seq` is durable.
"""

from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Annotated, Final, TypeAlias, assert_never

import msgspec

from controller.act_values import asked_values
from controller.catalogue import Language, sentence
from controller.catalogue.words import Variants, refusal_words
from controller.core.decision import Permitted, Refusal
from controller.core.rules import ACTS
from controller.journal.codec import canonical_digest
from controller.runtime.answers import Answer, Done, Failed, Refused, Trouble
from controller.runtime.gate import Asked, BadValues
from controller.staff.book import LARGEST_NUMBER
from controller.status import state_sentence
from controller.status_document import Status

LONGEST_LINE: Final = 65_536

RequestId: TypeAlias = int | str | None


@unique
class Do(StrEnum):
    STATUS = "status"
    ACT = "act"
    LIST = "list"
    SUBSCRIBE = "subscribe"


PersonNumber: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_NUMBER)]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line from a client; only an act has the fields behind `do`."""

    do: Do
    id: RequestId = None
    act: str = ""
    person: PersonNumber | None = None
    pin: str | None = None
    values: dict[str, str] = {}

    def asked(self) -> Asked:
        return Asked(self.act, self.person, self.pin, self.values)


_DECODER: Final = msgspec.json.Decoder(Request)
_ENCODER: Final = msgspec.json.Encoder()


def decode_request(line: bytes) -> Request | None:
    """The request in a line; None where it is none."""
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


@dataclass(frozen=True, slots=True)
class StatusAnswer:
    id: RequestId
    status: Status
    ok: bool = True


@dataclass(frozen=True, slots=True)
class Subscribed:
    id: RequestId
    seq: int
    status: Status
    ok: bool = True


@dataclass(frozen=True, slots=True)
class Changed:
    """The keys of the status that are other than they were when the last line was sent."""

    seq: int
    changed: dict[str, object]


@dataclass(frozen=True, slots=True)
class Allowed:
    id: RequestId
    seq: int
    state_digest: str
    text: str
    ok: bool = True


@dataclass(frozen=True, slots=True)
class RefusalDocument:
    guard: str
    clause: str
    reason: str
    remedy: str
    who: list[str]


@dataclass(frozen=True, slots=True)
class NotAllowed:
    id: RequestId
    refusal: RefusalDocument
    state_digest: str
    ok: bool = False


@dataclass(frozen=True, slots=True)
class ErrorDocument:
    code: str
    text: str
    wait_ms: int | None = None


@dataclass(frozen=True, slots=True)
class NotDecided:
    id: RequestId
    error: ErrorDocument
    ok: bool = False


@dataclass(frozen=True, slots=True)
class ValueDocument:
    name: str
    what: str


@dataclass(frozen=True, slots=True)
class ActDocument:
    act: str
    what: str
    who: list[str]
    allowed: bool
    clause: str | None
    reason: str | None
    remedy: str | None
    values: list[ValueDocument]


@dataclass(frozen=True, slots=True)
class Listed:
    id: RequestId
    acts: list[ActDocument]
    ok: bool = True


Line: TypeAlias = StatusAnswer | Subscribed | Changed | Allowed | NotAllowed | NotDecided | Listed


def encode_line(line: Line) -> bytes:
    return _ENCODER.encode(line) + b"\n"


@dataclass(frozen=True, slots=True)
class Speaker:
    """Puts what the runtime gives into lines, in one language."""

    language: Language
    variants: Variants = ()

    def answer(self, request_id: RequestId, answer: Answer | BadValues) -> Line:
        match answer:
            case Done():
                text = state_sentence(answer.state, self.language)
                return Allowed(request_id, answer.seq, canonical_digest(answer.state), text)
            case Refused():
                return NotAllowed(request_id, self._refusal(answer.refusal), canonical_digest(answer.state))
            case Failed():
                return self.error(request_id, answer.trouble.value, wait_ms=answer.wait_ms)
            case BadValues():
                text = " ".join(problem.text(self.language) for problem in answer.problems)
                return NotDecided(request_id, ErrorDocument("bad-value", text))
            case _:
                assert_never(answer)

    def error(self, request_id: RequestId, code: str, *, wait_ms: int | None = None) -> NotDecided:
        """`code` is a word under `trouble` in the catalogue."""
        text = sentence(f"trouble.{code}", (), self.language)
        return NotDecided(request_id, ErrorDocument(code, text, wait_ms))

    def listed(self, request_id: RequestId, permitted: tuple[Permitted, ...], trouble: Trouble | None) -> Listed:
        """Every act; with trouble none is allowed, and the trouble is the reason."""
        return Listed(request_id, [self._act(one, trouble) for one in permitted])

    def _act(self, one: Permitted, trouble: Trouble | None) -> ActDocument:
        clause = reason = remedy = None
        if trouble is not None:
            reason = sentence(f"trouble.{trouble.value}", (), self.language)
        elif one.refusal is not None:
            why = self._refusal(one.refusal)
            clause, reason, remedy = why.clause, why.reason, why.remedy
        return ActDocument(
            act=one.act,
            what=sentence(f"act.{one.act}.what", (), self.language),
            who=[role.value for role in one.who],
            allowed=reason is None,
            clause=clause,
            reason=reason,
            remedy=remedy,
            values=[self._value(one.act, name) for name in asked_values(ACTS[one.act])],
        )

    def _value(self, act: str, name: str) -> ValueDocument:
        return ValueDocument(name, sentence(f"act.{act}.value.{name}", (), self.language))

    def _refusal(self, refusal: Refusal) -> RefusalDocument:
        words = refusal_words(refusal, self.language, self.variants)
        who = [role.value for role in refusal.who]
        return RefusalDocument(refusal.guard, refusal.clause, words.reason, words.remedy, who)
