"""The sheet for the hand-over of a shift: open holds, duties, complaints, recordings, counts and responsible people.
The sheet shows the table at its last entry, or at the last hand-over with both signatures.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from controller.catalogue import Language, sentence
from controller.core.house.state import Duty, Hold, Presence, State
from controller.core.money import units
from controller.core.words import HoldKind, Person
from controller.protocol.record import RecordDocument, RecordFigure, RecordKind, RecordRow
from controller.record.incidents import Course, Incident, in_values
from controller.record.names import StaffNames
from controller.record.shown import Shown
from controller.record.story import Names, clock_text, person_text
from controller.runtime.game import game_of

HANDED: Final = "hand-over-shift"
TAKEN: Final = "take-over-shift"

Standing: TypeAlias = Hold | Duty | Presence


class Since(NamedTuple):
    """The entry with which a hold, a duty, a presence or a signature began. `is_before`: True if the beginning was
    before the first entry that was read. The fields then name that first entry.
    """

    wall_ms: int
    seq: int
    is_before: bool = False


class Signature(NamedTuple):
    person: int
    role: str
    at: Since


@dataclass(frozen=True, slots=True)
class Sheet:
    """The content of a hand-over's sheet: the table after the entry `one`. `since`: the beginning of each hold, duty
    and presence. `handed`, `taken`: the two signatures of the last hand-over; None for a missing one.
    """

    one: Shown
    state: State
    since: dict[Standing, Since]
    incidents: list[Incident]
    handed: Signature | None
    taken: Signature | None


@dataclass(slots=True)
class _Reading:
    """Follows a journal's entries in order, and collects the content of the sheet."""

    course: Course = field(default_factory=Course)
    since: dict[str, Since] = field(default_factory=dict)
    handed: Signature | None = None
    taken: Signature | None = None
    is_first: bool = True

    def take(self, one: Shown, state: State) -> None:
        self.course.take(one, state)
        now = Since(one.entry.wall_ms, one.entry.seq, self.is_first)
        self.since = {(key := _key(each)): self.since.get(key, now) for each in _standing(state)}
        self.is_first = False
        person, role = one.body.get("person"), one.body.get("role")
        if one.entry.refusal is None and isinstance(person, int) and isinstance(role, str):
            self._sign(one.entry.kind, Signature(person, role, now))

    def _sign(self, kind: str, signature: Signature) -> None:
        if kind == HANDED:
            self.handed, self.taken = signature, None
        elif kind == TAKEN:
            self.taken = signature

    def sheet(self, one: Shown, state: State, session: int) -> Sheet:
        since = {each: self.since[_key(each)] for each in _standing(state)}
        return Sheet(one, state, since, self.course.found(session), self.handed, self.taken)


def sheet_of(entries: Iterable[Shown], session: int, *, is_signed: bool) -> Sheet | None:
    """Returns the sheet at the last entry of the session `session`, or if `is_signed` at the session's last hand-over
    with both signatures. None if the session has no such entry.
    """
    reading, last, signed = _Reading(), None, None
    for one in entries:
        if one.decision is None:
            continue
        state = one.decision.state
        if state.house.session_number > session:
            break
        reading.take(one, state)
        last = one, state
        if one.entry.kind == TAKEN and one.entry.refusal is None and state.house.session_number == session:
            signed = reading.sheet(one, state, session)
    if is_signed or last is None:
        return signed
    return reading.sheet(*last, session)


def _standing(state: State) -> Iterator[Standing]:
    yield from state.house.holds
    yield from state.house.duties
    yield from state.house.present


def _key(each: Standing) -> str:
    match each:
        case Hold():
            return f"H{each.id}"
        case Duty():
            return f"D{each.id}"
        case Presence():
            return f"P{each.person} {each.operation.value} {each.since_ms}"


def shift_document(sheet: Sheet, what: RecordKind, language: Language, names: StaffNames) -> RecordDocument:
    """Returns the sheet as a document to read and print."""
    words = _Words(sheet, language, names.at(sheet.one.staff))
    key = "handed-on" if what is RecordKind.HANDOVER else "as-it-stands"
    text = words.say(key, entry=str(sheet.one.entry.seq), at=clock_text(sheet.one.entry.wall_ms))
    figures = [RecordFigure(words.say(f"figure.{name}"), value) for name, value in words.figures() if value]
    title = words.say("of-session", session=str(sheet.state.house.session_number))
    return RecordDocument(what, title, list(words.rows()), figures, text)


@dataclass(frozen=True, slots=True)
class _Words:
    sheet: Sheet
    language: Language
    names: Names

    def figures(self) -> Iterator[tuple[str, str]]:
        house, game = self.sheet.state.house, self.sheet.state.game
        yield "handed", self._signed(self.sheet.handed)
        yield "taken", self._signed(self.sheet.taken)
        yield "rounds", str(game.number)
        yield "holds", str(len(house.holds))
        yield "duties", str(len(house.duties))
        yield "undecided", str(sum(1 for hold in house.holds if hold.kind is HoldKind.COMPLAINT))
        yield "recordings", str(len(self.sheet.incidents))
        yield "cards", ", ".join(self._cards())
        yield "pool", "" if house.pool is None else units(house.pool.cents)
        yield "present", ", ".join(self._present(one) for one in dict.fromkeys(one.person for one in house.present))

    def rows(self) -> Iterator[RecordRow]:
        """Yields the rows of holds, then of duties, then of incidents whose recordings must be kept."""
        house = self.sheet.state.house
        for hold in house.holds:
            text = self.say(
                "hold-stands", kind=hold.kind.value, place=_place(hold), phase=hold.phase.value, id=f"H{hold.id}"
            )
            yield self._row(hold, text)
        for duty in house.duties:
            text = self.say("duty-is-open", id=f"D{duty.id}", kind=duty.kind.value, role=duty.who.value)
            yield self._row(duty, text)
        for one in self.sheet.incidents:
            values = in_values(one, lambda key, **said: sentence(key, said, self.language))
            text = self.say(one.sentence, **values)
            yield RecordRow(one.began.seq, clock_text(one.began.wall_ms), one.round, text)

    def _row(self, each: Hold | Duty, text: str) -> RecordRow:
        since = self.sheet.since[each]
        told = self.say("began-before", what=text) if since.is_before else text
        return RecordRow(since.seq, clock_text(since.wall_ms), 0, told)

    def _cards(self) -> Iterator[str]:
        state = self.sheet.state
        for place, count in game_of(state.setup.profile).record().places(state):
            yield f"{count} {sentence(f'place.{place.value}', {}, self.language)}"

    def _present(self, person: Person) -> str:
        """Returns a signed-in person in words, with every post that the person holds at this table and the time of the
        first sign-in.
        """
        own = [one for one in self.sheet.state.house.present if one.person == person]
        since = min((self.sheet.since[one] for one in own), key=lambda since: since.seq)
        roles = " ".join(dict.fromkeys(one.role.value for one in own))
        key = "present-before" if since.is_before else "present-since"
        return self.say(key, role=roles, person=self._person(person), at=clock_text(since.wall_ms)[11:19])

    def _signed(self, signature: Signature | None) -> str:
        if signature is None:
            return ""
        at = clock_text(signature.at.wall_ms)
        person = self._person(signature.person)
        return self.say("signed", role=signature.role, person=person, at=at, entry=str(signature.at.seq))

    def _person(self, number: int) -> str:
        return person_text(number, self.names, self.language)

    def say(self, key: str, **values: str) -> str:
        return sentence(f"record.{key}", values, self.language)


def _place(hold: Hold) -> str:
    return hold.place.value if hold.place else hold.device.value if hold.device else ""
