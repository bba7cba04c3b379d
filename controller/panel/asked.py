"""Describes the act on the PIN pad. The description tells a person what the PIN confirms."""

from collections.abc import Iterator
from typing import Final

from controller.catalogue import has_key, sentence
from controller.panel.browsers import Browser, Wanted
from controller.panel.moment import Moment
from controller.panel.offer import word_of
from controller.panel.wording import Wording
from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueDocument, ValueKind

_LONG: Final = frozenset({ValueKind.GRID, ValueKind.HOLD, ValueKind.TEXT})
"""The kinds of values that are not repeated, since they are too long or shown already."""


def asked_for(browser: Browser, t: Wording) -> str:
    """Returns the text of the PIN pad: the label of the act's button, the short values of its form, and the hold's id.
    Returns "" if no request of `browser` waits. Of several acts the last is named: a press first enters what was tapped
    before. A request to read the journal or to try a device has no label.
    """
    wanted = browser.wanted
    if wanted is None:
        return ""
    act = wanted.asks or next((act for act, _values in reversed(wanted.steps) if act != "sign-in"), "")
    own = f"panel.press.{wanted.name}"
    word = t(own) if wanted.name and has_key(own) else t(word_of(act)) if act else ""
    says = f"panel.pad.says.{wanted.name}"
    word = t(says) if wanted.name and has_key(says) else word
    return " · ".join(filter(None, (word, *_side_bet(wanted, t), *_chosen(browser.act, wanted, t), wanted.hold)))


def _side_bet(wanted: Wanted, t: Wording) -> Iterator[str]:
    """Yields seat, kind and amount of the side bet that a touch at a seat lays; nothing for any other request."""
    act, values = wanted.steps[-1] if wanted.steps and not wanted.asks else ("", {})
    if act == "place-side-bet" and wanted.name:
        yield t("panel.seat", seat=values["seat"])
        yield f"{t('side-bet.' + values['bet'])} +{values['amount']}"


def person_asked(browser: Browser, moment: Moment) -> str:
    """Returns the person that the pad asks for a PIN, in the form of `person_told`."""
    return person_told(browser, moment, browser.asks_person or 0)


def person_told(browser: Browser, moment: Moment, person: int) -> str:
    """Returns a person's number, name and role, as in "12 (A. Silva), dealer", without the name or role that `browser`
    does not know.
    """
    name, role = browser.name_of(person), _role(browser, moment, person)
    who = f"{person} ({name})" if name else str(person)
    return f"{who}, {sentence(f'role.{role}', (), browser.language)}" if role else who


def _role(browser: Browser, moment: Moment, person: int) -> str:
    roles = {number: role for role, number in browser.known.items()}
    roles |= {one.number: one.role for one in browser.people}
    roles |= {one.person: one.role for one in moment.status.present}
    roles |= {one.person: one.role for one in browser.rights.values()}
    return roles.get(person, "")


def _chosen(act: ActDocument | None, wanted: Wanted, t: Wording) -> Iterator[str]:
    """Yields one text for each short value in the open form: the value's label and the value."""
    given = dict(wanted.steps).get(act.act, {}) if act is not None else {}
    for value in act.values if act is not None else ():
        if value.kind not in _LONG and (text := given.get(value.name)):
            yield t("panel.pad.chosen", label=value.label or value.what, value=_told(value, text, t))


def _told(value: ValueDocument, text: str, t: Wording) -> str:
    labels = {choice.value: t.text(choice.label) for choice in value.choices}
    return ", ".join(labels.get(one) or t.amount(one) for one in text.split(","))
