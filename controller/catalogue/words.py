"""Words for what the core gives back: a hold, a refusal, a notice, a duty; each from its one place in the catalogue."""

from dataclasses import dataclass

from controller.catalogue.sentences import Language, sentence, steps
from controller.core.decision import Notice, Refusal
from controller.core.state import Duty, Hold


@dataclass(frozen=True, slots=True)
class HoldWords:
    """What people read about a hold: what it is, where, and what to do, in order."""

    text: str
    place: str
    steps: list[str]


def hold_words(hold: Hold, language: Language) -> HoldWords:
    key, values = f"hold.{hold.kind.value}", _hold_values(hold)
    return HoldWords(
        sentence(f"{key}.text", values, language),
        sentence(f"{key}.place", values, language),
        steps(f"{key}.steps", values, language),
    )


def _hold_values(hold: Hold) -> dict[str, str]:
    """The details of the hold, an empty one as a dash, and what every hold has."""
    return {name: value or "–" for name, value in hold.details} | {
        "id": f"H{hold.id}",
        "device": hold.device.value if hold.device else "",
        "place": hold.place.value if hold.place else "",
        "times": str(hold.times),
    }


@dataclass(frozen=True, slots=True)
class RefusalWords:
    """Why an act was refused, and what to do so that it is not."""

    reason: str
    remedy: str


def refusal_words(refusal: Refusal, language: Language) -> RefusalWords:
    values = dict(refusal.values) | {"who": ",".join(refusal.who)}
    key = f"guard.{refusal.guard}"
    return RefusalWords(sentence(f"{key}.reason", values, language), sentence(f"{key}.remedy", values, language))


def notice_text(notice: Notice, language: Language) -> str:
    return sentence(f"notice.{notice.key}", notice.values, language).rstrip()  # not every hold has a place


def duty_text(duty: Duty, language: Language) -> str:
    return sentence(f"duty.{duty.kind.value}", dict(duty.details) | {"id": f"D{duty.id}"}, language)
