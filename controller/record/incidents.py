"""Finds the incidents for which a table's recordings must be kept, each with its beginning and end.

Most incidents are holds. A void round lasts from its first bet to the act that voids it. An irregular closing lasts
from its proposal to the end of the session; a withdrawn proposal is no incident. A complaint has the number and
beginning of the round that it concerns, which may be an earlier round.

All times, and the last day of keeping, are by this computer's clock. The difference from the recorder's clock comes
from the last comparison of the two clocks in the session (`compare-clock`). A supervisor's mark (`keep-recording`)
names the first entry of an incident, and counts only if the incident had ended before. Of several marks the last one
counts.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final

from controller.core.house.state import State
from controller.core.words import HoldKind
from controller.protocol.incidents import KIND_OF_HOLD, IncidentKind, Told, Turn
from controller.record.names import StaffNames
from controller.record.shown import Shown
from controller.record.story import clock_text
from controller.record.typed_texts import NO_WORDS
from controller.runtime.incidents import incidents_told
from controller.staff.known import StaffKnown

MARKED: Final = "keep-recording"
USUAL_DAYS: Final = 30
"""The days for which recordings are kept if the journal does not say how many: it has no entry, or those of an
earlier program.
"""


_HALF_A_DAY_S: Final = 43_200

OF_HOLD: Final[Mapping[HoldKind, IncidentKind | None]] = {HoldKind(word): kind for word, kind in KIND_OF_HOLD.items()}


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry's number and its wall-clock time. `is_synchronised`: True if the wall clock was synchronised at this
    time.
    """

    seq: int
    wall_ms: int
    is_synchronised: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """The difference between the recorder's clock and this computer's clock, which people stated in entry `seq`.
    `ahead_s`: the seconds by which the recorder's clock is ahead; negative for a late recorder.
    """

    seq: int
    ahead_s: int
    wall_ms: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A supervisor has said that the recording of an incident is kept at `place`. `incident`: the number of the
    incident's first entry. `at`: the entry of the act.
    """

    incident: int
    place: str
    person: int
    role: str
    at: Moment
    staff: StaffKnown


@dataclass(frozen=True, slots=True)
class Incident:
    """An incident for which recordings must be kept. `hold`: the hold's number; 0 if the incident is no hold. `ended`:
    None before the incident's end. `days`: the number of days for which the profile wants its recordings kept.
    `recorder`: None if the session has no comparison of clocks. `kept`: None until a supervisor has said where its
    recording is kept. `round`: for a complaint, the round that it concerns. `concerned`: the beginning of that round;
    None if no entry shows this, and for other incidents.
    """

    kind: IncidentKind
    hold: int
    session: int
    round: int
    began: Moment
    ended: Moment | None = None
    recorder: Compared | None = None
    kept: Kept | None = None
    days: int = USUAL_DAYS
    concerned: Moment | None = None

    @property
    def sentence(self) -> str:
        """The catalogue key of the sentence on this incident, without the prefix `record.`."""
        return "incident-open" if self.ended is None else "incident"

    @property
    def is_synchronised(self) -> bool:
        """True if the clock was synchronised at the incident's beginning and, after the incident's end, at the end as
        well.
        """
        return self.began.is_synchronised and (self.ended is None or self.ended.is_synchronised)

    def kept_until(self, days: int | None = None) -> date | None:
        """The last day on which the recordings must be kept; None while the incident goes on. `days`: the number of
        days to keep them; None for the profile's number.
        """
        if self.ended is None:
            return None
        days = self.days if days is None else days
        return datetime.fromtimestamp(self.ended.wall_ms // 1000).astimezone().date() + timedelta(days=days)


def incidents_of(entries: Iterable[Shown], session: int = 0) -> list[Incident]:
    """Returns the incidents of session `session`, sorted by their beginnings; of all sessions if `session` is 0."""
    return course_of(entries).found(session)


def course_of(entries: Iterable[Shown]) -> "Course":
    """Returns the incidents in these entries, and the supervisors' marks of kept recordings."""
    course = Course()
    for one in entries:
        if one.decision is not None:
            course.take(one, one.decision.state)
    return course


class Course:
    """Collects from entries the incidents and the supervisors' marks of kept recordings. `take` must get the entries in
    order.
    """

    def __init__(self) -> None:
        self.ended: list[Incident] = []
        self.standing: dict[int, Incident] = {}
        self.closing: Incident | None = None
        self.compared: dict[int, Compared] = {}  # by session
        self.kept: list[Kept] = []
        self.days = USUAL_DAYS
        self._before: State | None = None
        self._round_began: Moment | None = None  # the last beginning of a round
        self._rounds: dict[tuple[int, int], Moment] = {}  # the beginnings of rounds, by session and round

    def found(self, session: int = 0) -> list[Incident]:
        """Returns the incidents of session `session` (0: of all sessions), in the order of their beginnings."""
        found = (*self.ended, *self.standing.values(), *filter(None, (self.closing,)))
        wanted = (
            replace(one, recorder=self.compared.get(one.session), kept=self._mark_of(one))
            for one in found
            if session in (0, one.session)
        )
        return sorted(wanted, key=lambda one: (one.began.seq, one.hold))

    def strays(self) -> list[Kept]:
        """The supervisors' marks of kept recordings that belong to no incident of these entries."""
        found = self.found()
        return [mark for mark in self.kept if not any(_is_of(mark, one) for one in found)]

    def _mark_of(self, one: Incident) -> Kept | None:
        return next((mark for mark in reversed(self.kept) if _is_of(mark, one)), None)

    def take(self, one: Shown, after: State) -> None:
        now = Moment(one.entry.seq, one.entry.wall_ms, one.entry.wall_synced)
        self.days = after.setup.parameters.days_of_recordings
        if one.entry.kind == "compare-clock" and one.entry.refusal is None:
            self.compared[after.house.session_number] = _compared(one, now)
        if one.entry.kind == MARKED and one.entry.refusal is None:
            self.kept.append(_kept(one, now))
        if one.round_first == now.seq:
            self._round_began = self._rounds[one.session, one.round] = now
        before, self._before = self._before, after
        self._take_holds(one, after, now)
        if before is not None:
            for told in incidents_told(before, after, one.round_first):
                self._take_told(told, one, before, now)

    def _take_holds(self, one: Shown, after: State, now: Moment) -> None:
        stand = {int(hold.id): OF_HOLD[hold.kind] for hold in after.house.holds}
        for number, kind in stand.items():
            if kind is not None and number not in self.standing:
                began = self._began(one, after, kind, now, number)
                self.standing[number] = began if one.complained_of is None else self._about(began, one.complained_of)
        for number in self.standing.keys() - stand.keys():
            self.ended.append(replace(self.standing.pop(number), ended=now))

    def _take_told(self, told: Told, one: Shown, state: State, now: Moment) -> None:
        match told.kind, told.turn:
            case IncidentKind.VOID_ROUND, Turn.ENDED:
                began = self._round_began
                began = began if began is not None and began.seq == told.first else now
                self.ended.append(replace(self._began(one, state, told.kind, began), ended=now))
            case IncidentKind.VOID_ROUND, _:
                last = next((ended for ended in reversed(self.ended) if ended.kind is told.kind), None)
                self.ended = [ended for ended in self.ended if ended is not last]
            case _, Turn.BEGAN:
                self.closing = self._began(one, state, told.kind, now)
            case _:
                ended = self.closing if told.turn is Turn.ENDED else None
                self.ended += [] if ended is None else [replace(ended, ended=now)]
                self.closing = None

    def _about(self, began: Incident, number: int) -> Incident:
        return replace(began, round=number, concerned=self._rounds.get((began.session, number)))

    @staticmethod
    def _began(one: Shown, state: State, kind: IncidentKind, now: Moment, hold: int = 0) -> Incident:
        days = state.setup.parameters.days_of_recordings
        session, number = state.house.session_number, one.round or state.game.number
        return Incident(kind, hold, session, number, now, days=days)


def _is_of(mark: Kept, one: Incident) -> bool:
    """True if the mark names this incident's first entry and came after the incident's end."""
    return mark.incident == one.began.seq and one.ended is not None and mark.at.seq > one.ended.seq


def _kept(one: Shown, now: Moment) -> Kept:
    incident, person = int(str(one.body["incident"])), int(str(one.body["person"]))
    return Kept(incident, str(one.body["kept_at"]), person, str(one.body["role"]), now, one.staff)


def _compared(one: Shown, now: Moment) -> Compared:
    """Returns the difference of the recorder's clock from this computer's, always less than half a day.

    If the recorder shows 00:00:02 when this computer shows 23:59:58, the recorder is four seconds ahead.
    """
    here = datetime.fromtimestamp(now.wall_ms // 1000).astimezone()
    hour, minute, second = (int(str(one.body[name])) for name in ("hour", "minute", "second"))
    ahead = (hour - here.hour) * 3600 + (minute - here.minute) * 60 + second - here.second
    return Compared(now.seq, (ahead + _HALF_A_DAY_S) % (2 * _HALF_A_DAY_S) - _HALF_A_DAY_S, now.wall_ms)


def in_values(
    one: Incident, words: Callable[..., str], names: StaffNames | None = None, days: int | None = None
) -> dict[str, str]:
    """Returns the values for the placeholders in the catalogue's sentence on an incident, including the last day on
    which its recordings must be kept.

    `words`: returns the catalogue's sentence for a key. `names`: None to name people by number. `days`: as for
    `Incident.kept_until`.
    """
    until = one.kept_until(days)
    return {
        "kind": one.kind.value,
        "hold": f" H{one.hold}" if one.hold else "",
        "session": str(one.session),
        "round": str(one.round),
        "concerned": _concerned(one.concerned, words),
        "first": str(one.began.seq),
        "last": "" if one.ended is None else str(one.ended.seq),
        "began": clock_text(one.began.wall_ms),
        "ended": "" if one.ended is None else clock_text(one.ended.wall_ms),
        "clock": "synchronised" if one.is_synchronised else "alone",
        "recorder": _recorder(one.recorder, words),
        "until": "" if until is None else until.isoformat(),
        "kept": kept_text(one.kept, words, names),
    }


def _concerned(at: Moment | None, words: Callable[..., str]) -> str:
    return "" if at is None else words("record.round-began", at=clock_text(at.wall_ms), entry=str(at.seq))


def kept_text(kept: Kept | None, words: Callable[..., str], names: StaffNames | None) -> str:
    """Returns a supervisor's mark in words, with place, person and entry. If `kept` is None, returns the sentence that
    the recording is not marked.

    `names`: None to name people by number.
    """
    if kept is None:
        return words("record.not-marked")
    name = "" if names is None else names.at(kept.staff).get(kept.person, "")
    person = words("record.names", number=str(kept.person), name=name) if name else str(kept.person)
    place = words(f"record.{kept.place}") if kept.place in NO_WORDS else kept.place
    at = {"at": clock_text(kept.at.wall_ms), "entry": str(kept.at.seq)}
    return words("record.marked", place=place, role=kept.role, person=person, **at)


def _recorder(compared: Compared | None, words: Callable[..., str]) -> str:
    if compared is None:
        return words("record.not-compared")
    values = {"ahead": f"{compared.ahead_s:+d}", "at": clock_text(compared.wall_ms), "entry": str(compared.seq)}
    return words("record.compared", **values)
