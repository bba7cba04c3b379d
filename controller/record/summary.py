"""Puts an evening into words: its figures, and a row for each hold with the time that people needed."""

from dataclasses import dataclass

from controller.catalogue import Language, has_key, sentence
from controller.protocol.record import RecordDocument, RecordFigure, RecordKind, RecordRow
from controller.record.session_summary import HoldTold, SessionSummary, by_kind
from controller.record.story import NOBODY, Names, clock_text, person_text


def summary(evening: SessionSummary, language: Language, names: Names = NOBODY) -> RecordDocument:
    """Returns the document with figures and holds of one session. The number of each row is its hold's number."""
    words = _Words(language, names)
    rows = [
        RecordRow(number, clock_text(told.wall_ms), 0, words.hold(number, told))
        for number, told in evening.holds.items()
    ]
    figures = [RecordFigure(words.word(f"record.figure.{name}"), value) for name, value in words.figures(evening)]
    return RecordDocument(RecordKind.SUMMARY, words.say("of-session", session=str(evening.session)), rows, figures)


@dataclass(frozen=True, slots=True)
class _Words:
    """Puts figures into the words of one language, with the known names of people."""

    language: Language
    names: Names

    def figures(self, evening: SessionSummary) -> list[tuple[str, str]]:
        """Returns the name and value of each figure that is not empty."""
        kinds = ", ".join(f"{count} {self.word(f'hold-kind.{kind.value}')}" for kind, count in by_kind(evening).items())
        people = [
            f"{self.role(role)} {person_text(number, self.names, self.language)}" for number, role in evening.people
        ]
        closing = "unsettled" if not evening.is_over else "irregular" if evening.is_irregular else "regular"
        values = {
            "deck_set": evening.deck_set,
            "began": clock_text(evening.began_ms) if evening.began_ms else "",
            "ended": self.say("goes-on") if evening.ended_ms is None else clock_text(evening.ended_ms),
            "clock": self._clock(evening),
            "closing": self.say(closing),
            "rounds": str(evening.rounds),
            "drawn": str(evening.drawn) if evening.has_cards else "",
            "voided": str(evening.voided),
            "holds": f"{len(evening.holds)}: {kinds}" if kinds else "0",
            "refusals": str(evening.refusals.total()),
            "complaints": str(evening.complaints),
            "upheld": str(sum(evening.upheld)),
            "wrong_pins": str(evening.wrong_pins),
            "starts": str(evening.starts),
            "people": ", ".join(people),
        }
        return [(name, value) for name, value in values.items() if value]

    def _clock(self, evening: SessionSummary) -> str:
        """Returns the sentence that all times are by a synchronised clock, or the sentence with the number of entries
        without one.
        """
        if not evening.unsynced:
            return self.say("clock-synchronised")
        return self.say("clock-alone", count=str(evening.unsynced), all=str(evening.entries))

    def hold(self, number: int, told: HoldTold) -> str:
        def after(at_ms: int | None) -> str:
            if at_ms is None:
                return self.say("not-yet" if told.ended_ms is None else "skipped")
            return self.say("after", time=_duration((at_ms - told.hold.raised_ms) // 1000))

        values = {"id": f"H{number}", "kind": told.hold.kind.value, "at": clock_text(told.wall_ms)[11:19]}
        return self.say("hold", attended=after(told.attended_ms), ended=after(told.ended_ms), **values)

    def role(self, role: str) -> str:
        """Returns the word for a role. Returns an unknown role, which a forged journal may have, unchanged."""
        return self.word(f"role.{role}") if has_key(f"role.{role}") else role

    def word(self, key: str) -> str:
        return sentence(key, (), self.language)

    def say(self, key: str, **values: str) -> str:
        return sentence(f"record.{key}", values, self.language)


def _duration(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02}"
