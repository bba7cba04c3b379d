"""Compares a button's text at the press with the button's text now. If the texts differ, the press does nothing."""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias
from urllib.parse import parse_qsl, urlencode

from controller.catalogue import Language, has_key, sentence
from controller.panel.offer import Offer, Step, word_of

Told: TypeAlias = dict[tuple[str, str, str], str]
"""The texts that a button shows, by act, seat and name of the value."""

ABOUT: Final = "about"
"""The name that stands in place of an act for the texts that a button shows besides its acts' values."""

_PLACES: Final = ("seat", "bettor")


def shown_of(offer: Offer) -> str:
    """Returns a button's acts, their values and its other texts as one text.

    The page sends this text with the press.
    """
    asked = ((offer.asks, offer.known),) if offer.asks else ()
    about = {"amount": offer.amount, "hold": offer.hold, "words": offer.about, **offer.shows}
    return written((*offer.steps, *asked, (ABOUT, {name: text for name, text in about.items() if text})))


def written(steps: Iterable[Step]) -> str:
    return "|".join(f"{act}?{urlencode(sorted(values.items()))}" for act, values in steps)


def gone_on(shown: str, offer: Offer | None, language: Language) -> str:
    """Returns the sentence that a button has changed since the press, and how, or that the button is gone. `shown`: the
    button's text at the press, by `shown_of`. `offer`: the button now; None if the page no longer has the button.
    Returns "" if the button is unchanged, or if the button is gone and `shown` begins with no known act.
    """
    if offer is None:
        act = shown.partition("?")[0]
        key = word_of(act)
        return sentence("panel.gone.over", {"act": sentence(key, (), language)}, language) if has_key(key) else ""
    now = shown_of(offer)
    if shown == now:
        return ""
    return changed(shown, now, sentence(offer.word, (), language), language)


def changed(shown: str, now: str, label: str, language: Language) -> str:
    """Returns the sentence that lists each value of an act that has changed since the press.

    `shown`, `now`: the button's texts at the press and now, by `shown_of`; `label`: the name of the act.
    """
    before, after = _told(shown), _told(now)
    found = [
        _change(key, before.get(key, ""), after.get(key, ""), language)
        for key in dict.fromkeys((*before, *after))
        if before.get(key) != after.get(key)
    ]
    return sentence("panel.gone.other", {"act": label, "changes": "; ".join(found)}, language)


def other_facts(before: Mapping[str, str], now: Mapping[str, str], label: str, language: Language) -> str:
    """Returns the sentence that lists the facts of a dispute that are new or changed since its form was opened. Without
    such a fact the sentence says that the act is over. `label`: the name of the act that decides the dispute.
    """
    changes = "; ".join(
        _change((name, "", name), before.get(name, ""), text, language) if name == "number" else text.rstrip(".")
        for name, text in now.items()
        if before.get(name) != text
    )
    key, values = ("other", {"act": label, "changes": changes}) if changes else ("over", {"act": label})
    return sentence(f"panel.gone.{key}", values, language)


def _told(shown: str) -> Told:
    """Returns the values in `shown`, a text of `shown_of` that a page has sent back. Accepts any other text, too."""
    found: Told = {}
    for part in shown.split("|"):
        act, _, text = part.partition("?")
        values = dict(parse_qsl(text, keep_blank_values=True))
        place = "/".join(values.pop(name) for name in _PLACES if name in values)
        found |= {(act, place, name): value for name, value in {"": "x", **values}.items()}
    return found


def _change(key: tuple[str, str, str], before: str, after: str, language: Language) -> str:
    act, place, name = key
    label = f"value.label.{name}" if name else word_of(act)
    words = sentence(label, (), language) if has_key(label) else name
    where = f"{sentence('panel.seat', {'seat': place}, language)}: " if place else ""
    if not name:
        return f"{where}{'+' if after else '−'} {words}"
    return f"{where}{words} {before or '–'} → {after or '–'}"
