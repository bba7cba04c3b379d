"""Sentences for the core's results: holds, refusals, notices, duties."""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from controller.catalogue.sentences import Language, Variants, fitting, sentence
from controller.core.choices import Machine
from controller.core.engine.decision import Notice, Refusal
from controller.core.house.state import Duty, Hold
from controller.core.setup import Procedure
from controller.core.words import HoldKind, Role


def variants_of(procedure: Procedure) -> Variants:
    """Returns the variants of sentences that a table uses: its machine, `by-hand` without a shuffler, its opening
    check, and `inspector-decides` if a table inspector decides incidents. A table without cards uses only `no-cards`.
    """
    if procedure.machine is Machine.NONE:
        return ("no-cards",)
    by_hand = () if procedure.machine is Machine.SHUFFLER else ("by-hand",)
    decides = ("inspector-decides",) if procedure.incident_authority is Role.TABLE_INSPECTOR else ()
    return (procedure.machine.value, *by_hand, f"opening-{procedure.opening_check.value}", *decides)


class HoldWords(Struct, frozen=True, gc=False):
    """A hold as people read it: its sentence, and the place at the table that it concerns."""

    text: str
    place: str


_DIFFERENCES: Final = frozenset({"difference", "grid", "deck-check", "put-back", "surplus"})
"""The causes of a hold for a count whose figures differ; for any other cause a count is only asked for."""


def hold_words(hold: Hold, language: Language, variants: Variants = ()) -> HoldWords:
    key, values = f"hold.{hold.kind.value}", hold_values(hold)
    is_asked = hold.kind is HoldKind.COUNT and hold.cause not in _DIFFERENCES
    text = sentence("supervised-count.asked" if is_asked else fitting(f"{key}.text", variants), values, language)
    if "deck_set_cards" in values and not hold.counted:
        text = f"{text} {sentence('supervised-count.short', values, language)}"
    if "behind" in values:
        text = f"{text} {sentence('complaint.behind', values, language)}"
    told = (_of_hand(hand, language) for hand in values.get("hands", "").split())
    text = " ".join((text, *told))
    return HoldWords(
        text,
        sentence(fitting(f"{key}.place", variants), values, language),
    )


def _of_hand(hand: str, language: Language) -> str:
    """Returns the sentence that names the hand a hold is about. `hand`: `3`, or `3/2` for the second hand of seat 3."""
    seat, _, index = hand.partition("/")
    key = "ruling.of-a-later-hand" if index else "ruling.of-a-seat"
    return sentence(key, {"seat": seat, "hand": index}, language)


def hold_values(hold: Hold) -> dict[str, str]:
    """Returns the values for the hold's sentence: its details, its id, device and place, and the count of repetitions.

    An empty detail is shown as a dash.
    """
    return {name: value or "–" for name, value in hold.details} | {
        "id": f"H{hold.id}",
        "device": hold.device.value if hold.device else "",
        "place": hold.place.value if hold.place else "",
        "times": str(hold.times),
    }


class RefusalWords(Struct, frozen=True, gc=False):
    """A refusal as people read it: the reason, and the remedy."""

    reason: str
    remedy: str


REFUSALS_OF_THEIR_OWN: Final = {
    ("cut_goes_in_turn", "seat", "-"): "cut-is-no-seats",
    ("cut_falls_to_the_right_person", "seat", "-"): "cut-falls-to-one",
    ("contest-spin.when", "round", "idle"): "spin-is-over",
}
"""The cases of a refusal that have sentences of their own (`refusal.<case>`), by guard or rule, name and value."""


def refusal_words(refusal: Refusal, language: Language, variants: Variants = ()) -> RefusalWords:
    """Returns the reason and the remedy of `refusal` as sentences. The word `{who}` in a sentence stands for the value
    `who` of the refusal, or for the roles in `refusal.who` if the refusal has no such value.
    """
    values = {"who": ",".join(refusal.who)} | dict(refusal.values)
    key = _key_of(refusal)
    reason, remedy = fitting(f"{key}.reason", variants), fitting(f"{key}.remedy", variants)
    told = sentence(reason, values, language)
    if refusal.because is not None:  # a correction says why the round forbids it
        told = f"{told} {refusal_words(refusal.because, language, variants).reason}"
    return RefusalWords(told, sentence(remedy, values, language))


def _key_of(refusal: Refusal) -> str:
    named = ((one, *value) for one in (refusal.guard, refusal.rule) for value in refusal.values)
    case = next(filter(None, map(REFUSALS_OF_THEIR_OWN.get, named)), None)
    return f"guard.{refusal.guard}" if case is None else f"refusal.{case}"


_OF_THEIR_OWN: Final = {
    ("round-step", "round", "betting"): "bets-open",  # the round has no number yet
    ("round-step", "round", "idle"): "round-over",
    ("amount", "rate", "-1:1"): "amount-lost",  # without a rate: the stake itself is lost
}
"""The sentences of their own that notices have, by key, name and value."""


_NOTICES_KEPT: Final = 256  # each status contains the last notices again


@lru_cache(_NOTICES_KEPT)
def notice_text(notice: Notice, language: Language) -> str:
    found = (_OF_THEIR_OWN.get((notice.key, name, value)) for name, value in notice.values)
    key = next(filter(None, found), notice.key)
    return sentence(f"notice.{key}", notice.values, language).rstrip()  # a hold without a place leaves a blank


def duty_text(duty: Duty, language: Language) -> str:
    return sentence(f"duty.{duty.kind.value}", dict(duty.details) | {"id": f"D{duty.id}"}, language)
