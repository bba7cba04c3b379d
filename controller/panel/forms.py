"""The form of an act: the values that it shows at first, and the effect of each touch on them."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from msgspec.structs import replace

from controller.panel.adding import ADDS, values_of_added
from controller.panel.browsers import Browser
from controller.panel.cloth import TAPPED, bets_at
from controller.panel.fitted import fitted
from controller.panel.gone import other_facts, written
from controller.panel.moment import Moment
from controller.panel.offer import THEN_ASKS, Values
from controller.panel.stakes import stakes_of
from controller.protocol.amount import units
from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueDocument, ValueKind

LARGEST: Final = 1_000_000
LARGEST_STEPPED: Final = 99
DIGITS: Final = frozenset("0123456789")
AMOUNT: Final = re.compile(r"[0-9]{1,9}(\.[0-9]{0,2})?", re.ASCII)
"""An amount while it is being typed, perhaps unfinished."""

LIST: Final = re.compile(r"(?:[0-9]{1,9},)*[0-9]{0,9}", re.ASCII)
"""A list of numbers while it is being typed, perhaps with a comma at its end."""

JOKER: Final = "JOKER"
"""The name under which people enter a card that belongs to no deck of the table."""

LISTED: Final = frozenset({ValueKind.SEATS, ValueKind.NUMBERS, ValueKind.CARDS})
NUMBER: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
"""A number of one to nine digits; the text of a field may be anything."""

JUDGES: Final = frozenset({"decide-complaint", "make-ruling", "rule-on-spin", "decide-claim"})
"""The acts that decide a dispute; their forms show the dispute's facts in the hold's own words."""


def is_number(text: str, most_digits: int) -> bool:
    """True if the text is one to `most_digits` ASCII digits. A press may send any text, so the text is checked."""
    return re.fullmatch(r"[0-9]+", text, re.ASCII) is not None and len(text) <= most_digits


def is_typed(act: ActDocument, value: ValueDocument) -> bool:
    """True if a person types the number `value` digit by digit; False if a person steps it up and down. The act's only
    number is typed if it has no upper bound, or an upper bound above LARGEST_STEPPED.
    """
    is_only = [one.name for one in act.values if one.kind is ValueKind.NUMBER] == [value.name]
    return is_only and (value.most is None or value.most > LARGEST_STEPPED)


OLD: Final = "old"
"""The phase of a refusal after another value was entered: its words are hidden, and nothing moves."""

KEYED: Final = "keyed"
"""The entry of a form's touches that says to which of several numbers the next digit goes."""


def keyed(act: ActDocument) -> tuple[str, ...]:
    """Returns the names of the numbers that share one pad of digits, as in a count by places. Returns () for fewer than
    two.

    A person touches a number and then types it: with step buttons, a hundred cards would need ten touches.
    """
    numbers = [one for one in act.values if one.kind is ValueKind.NUMBER and not one.choices]
    is_whole = all(one.kind is ValueKind.NUMBER and not one.may_be_left_out for one in act.values)
    return tuple(one.name for one in numbers) if is_whole and len(numbers) > 1 else ()


def keyed_now(browser: Browser, act: ActDocument) -> str:
    """Returns the name of the number that gets the next digit: the touched number, or the first of `keyed` if no number
    was touched. Returns "" if the form has no number to type.
    """
    names = keyed(act)
    touched = browser.picked.get(KEYED, "")
    return touched if touched in names else next(iter(names), "")


CORRECTS: Final = frozenset({"correct-entry", "correct-spin-entry"})
"""The acts that correct an entry of the log."""


def shown_first(act: ActDocument, value: ValueDocument) -> str:
    """Returns the value that the form shows before any choice, or "" if the form shows no value. A correction's form
    preselects no entry: no person then corrects the wrong entry by mistake.
    """
    if act.act in CORRECTS and value.name == "entry":
        return ""
    if value.default is not None:
        return value.default
    is_stepped = value.kind is ValueKind.NUMBER and not value.may_be_left_out and not is_typed(act, value)
    is_stepped = is_stepped and act.act not in ADDS  # a forgotten act is told, never presumed
    return str(value.least or 0) if is_stepped else ""


_OF_THE_LOG: Final = frozenset({"entry", "instead", "also"})
"""The values of a correction that are about the log; all others are values of the entry itself."""


def recorded(browser: Browser) -> Values:
    """Returns the recorded values of the entry that the open form corrects, or of the bet that it changes, by name.

    Returns {} for any other form.
    """
    return _corrected(browser) or _lying(browser)


def _lying(browser: Browser) -> Values:
    """Returns the amount that lies at the place to which the open form gives another amount. Returns {} without one."""
    if browser.act is None or browser.act.act != "change-bet":
        return {}
    chosen = {**browser.given, **browser.picked}
    seat = chosen.get("seat", "")
    place = (seat, chosen.get("bettor") or seat)
    cents = browser.lying.get((int(place[0]), int(place[1]))) if all(map(NUMBER.fullmatch, place)) else None
    return {"amount": units(cents)} if cents else {}


def _corrected(browser: Browser) -> Values | None:
    """Returns the recorded values of the corrected entry, by name. Returns {} if no entry is chosen, and None if the
    list of entries lacks the chosen one.
    """
    values = browser.act.values if browser.act is not None and browser.act.act in CORRECTS else ()
    entry = next((one for one in values if one.name == "entry"), None)
    if browser.act is None or entry is None:
        return {}
    chosen = browser.picked.get("entry")
    return next((one.has for one in entry.choices if one.value == chosen), None) if chosen else {}


def fitting(act: ActDocument, picked: Values) -> list[ValueDocument]:
    """Returns the act's values, each with the choices that are possible after the values in `picked`. Leaves out a seat
    without a possible choice. A seat that the picked values require is mandatory.
    """
    if act.act in ADDS:
        return values_of_added(act, picked)
    return [one for value in act.values if (one := fitted(act, value, picked)) is not None]


def _taken_instead(act: ActDocument, picked: Values) -> Mapping[str, bool]:
    """Returns the values of the act chosen to replace the corrected entry: by name, True for a mandatory value.

    Returns {} if no act is chosen.
    """
    acts = next((one.choices for one in act.values if one.name == "instead"), [])
    return next((one.takes for one in acts if one.value == picked.get("instead")), {}) if act.act in CORRECTS else {}


def asked_values(browser: Browser, act: ActDocument) -> list[ValueDocument]:
    """Returns the values that the form asks for, in order.

    A correction first asks for its entry alone. Then it asks for the entry's recorded values, amounts first, for the
    act that replaces the entry, and for the further values of that act. So nothing above the finger moves when the act
    is chosen. If the further values or the entry are unknown, the form asks for all values.
    """
    known = browser.given
    asked = [
        one for one in fitting(act, browser.picked) if one.name not in known and not (one.name == "hand" and known)
    ]
    asked = [one for one in asked if one.choices or one.name != "back"]
    if act.act not in CORRECTS:
        return asked
    asked = [_others(one, browser.picked.get("entry", "")) if one.name == "also" else one for one in asked]
    asked = [one for one in asked if one.choices or one.name != "also"]
    if not browser.picked.get("entry"):
        return [one for one in asked if one.name == "entry"]
    has, corrected = recorded(browser), _corrected(browser)
    takes = _taken_instead(act, browser.picked)
    is_any = corrected is None or (bool(browser.picked.get("instead")) and not takes)
    own = [one for one in asked if one.name in {*_OF_THE_LOG, *has, *takes} or is_any]
    first = ("entry", *has) if corrected is not None else [one.name for one in own if one.name not in _OF_THE_LOG]

    def place(one: ValueDocument) -> tuple[bool, ...]:
        is_after = one.name == "also", one.name not in {*first, "instead"}, one.name == "instead"
        return one.name != "entry", *is_after, not has.get(one.name), one.kind is not ValueKind.AMOUNT

    return sorted(own, key=place)


def _others(also: ValueDocument, entry: str) -> ValueDocument:
    """Returns the value `also` without the corrected entry: the further entries that a correction takes back."""
    return replace(also, choices=[one for one in also.choices if one.value != entry])


def shown(browser: Browser, act: ActDocument, value: ValueDocument) -> str:
    """Returns the text that the form shows for `value`: the entered text if there is any, otherwise the recorded text,
    otherwise that of `shown_first`.
    """
    as_recorded = recorded(browser).get(value.name)
    entered = browser.picked.get(value.name)
    return (entered or as_recorded) if as_recorded else shown_first(act, value) if entered is None else entered


def presumed(browser: Browser, act: ActDocument, value: ValueDocument) -> str:
    """Returns the number that an empty field means: the seat's own player for the player of a bet, "" for any other
    value.
    """
    if value.name != "bettor" or not value.may_be_left_out:
        return ""
    seat = browser.given.get("seat") or browser.picked.get("seat") or recorded(browser).get("seat", "")
    return seat if any(one.name == "seat" for one in act.values) else ""


def _is_as_recorded(value: ValueDocument, text: str, as_recorded: str | None) -> bool:
    if value.kind is ValueKind.AMOUNT and as_recorded and AMOUNT.fullmatch(text):
        return Decimal(text) == Decimal(as_recorded)
    return text == as_recorded


def asking(act: ActDocument, known: Values) -> ActDocument:
    """Returns the act with each value in `known` made mandatory, as the form of a button asks for it."""
    values = [replace(one, may_be_left_out=one.may_be_left_out and one.name not in known) for one in act.values]
    return replace(act, values=values)


def pick(browser: Browser, act: ActDocument, how: str, value: str) -> None:
    """Applies one touch to the form of `act`: `how`, such as `toggle`, `step` or `digit`, with `value` as `NAME=VALUE`.
    An unknown NAME changes nothing. Without NAME the digit goes to `keyed_now`.

    A stepped number stays within its bounds, and a typed number stays at or below its upper bound. A typed amount stays
    a valid amount.
    """
    name, _, given = value.partition("=")
    name = name or keyed_now(browser, act)
    own = next((one for one in act.values if name in {one.name, f"{one.name}.rank", f"{one.name}.suit"}), None)
    if own is None:
        return
    before = shown(browser, act, own)
    match how:
        case "toggle":
            items = [item for item in before.split(",") if item]
            items = [item for item in items if item != given] if given in items else [*items, given]
            browser.picked[own.name] = ",".join(items)
        case "step":
            by = int(given) if given in {"-10", "-1", "1", "10"} else 0
            begun = before or presumed(browser, act, own)
            number = int(begun) + by if NUMBER.fullmatch(begun) else by
            most = LARGEST if own.most is None else own.most
            browser.picked[own.name] = str(max(own.least or 0, min(most, number)))
        case "digit" if own.kind in LISTED:
            _enter_in_list(browser, own, given, before)
        case "digit" if own.kind is ValueKind.AMOUNT:
            is_recorded = before == recorded(browser).get(own.name)  # the first digit begins another amount
            typed = ("" if is_recorded else before) + given if given else before[:-1]
            if not typed or AMOUNT.fullmatch(typed):
                browser.picked[own.name] = typed
        case "digit":
            if given and given not in DIGITS:
                return
            typed = browser.picked.get(own.name, "") + given if given else before[:-1]
            most = LARGEST if own.most is None else own.most
            browser.picked[own.name] = str(min(most, int(typed))) if NUMBER.fullmatch(typed) else ""
        case _:
            _choose(browser, own, name, given, before)


def _enter_in_list(browser: Browser, own: ValueDocument, given: str, before: str) -> None:
    """Adds the digit, comma or joker `given` to the text `before`, or deletes the last character if `given` is "". In a
    list of cards, "" deletes the touched half of a card, else the last card.
    """
    if own.kind is not ValueKind.CARDS:
        typed = before + given if given else before[:-1]
        browser.picked |= {own.name: typed} if LIST.fullmatch(typed) else {}
    elif given:
        browser.picked |= {own.name: f"{before},{given}".strip(",")} if given == JOKER else {}
    elif not [key for part in ("rank", "suit") if browser.picked.pop(key := f"{own.name}.{part}", "")]:
        browser.picked[own.name] = before.rpartition(",")[0]


def _choose(browser: Browser, own: ValueDocument, name: str, given: str, before: str) -> None:
    """Enters the choice `given`. A second touch on an optional choice removes it.

    A card is entered by two touches, one for the rank and one for the suit. A list then has room for the next card.
    """
    if name != own.name:
        browser.picked[name] = given
        rank, suit = (browser.picked.get(f"{own.name}.{part}", "") for part in ("rank", "suit"))
        card = f"{rank}{suit.upper()}"
        if rank and suit and own.kind is ValueKind.CARDS:
            browser.picked |= {own.name: f"{before},{card}".strip(","), f"{own.name}.rank": "", f"{own.name}.suit": ""}
        elif rank and suit:
            browser.picked[own.name] = card
        return
    if name == "entry":
        browser.picked.clear()  # each value was entered for the entry that was chosen before
    is_tapped = bool(own.choices) or own.kind is ValueKind.NUMBER
    taken = "" if given == before and own.may_be_left_out and is_tapped else given
    is_bet = name == "bet" and (not taken or bool(bets_at(given)))
    browser.picked |= {name: taken} | ({TAPPED: taken} if is_bet else {})


def enter(browser: Browser, moment: Moment | None, how: str, value: str) -> None:
    """Enters one touch in the open form: `how`, such as `digit` or `cell`, with `value`. After the first touch, except
    one that only selects the number to type, the form no longer follows the table.
    """
    if moment is not None:
        follow_table(browser, moment)
    browser.said_in = OLD if browser.is_refusal else browser.said_in
    if how == "key" and browser.act is not None:
        is_of_a_row = value not in keyed(browser.act) and any(one.name == value for one in browser.act.values)
        browser.picked |= {KEYED: value} | ({value: ""} if is_of_a_row else {})
        return
    if how in {"cell", "count"} and browser.grid is not None:
        by = int(value) if value in {"-1", "1"} else 0
        browser.grid = browser.grid.select(value) if how == "cell" else browser.grid.change(by)
    elif browser.act is not None:
        pick(browser, browser.act, how, value)
    browser.has_entered = browser.act is not None


def follow_table(browser: Browser, moment: Moment) -> None:
    """Updates the phase and facts of an untouched form from the table, and closes the form if its act is no longer
    possible. A touched form about a dispute closes if the facts of the dispute change; a message then names the changed
    facts. While the controller is away, forms stay open.
    """
    if browser.act is None:
        return
    browser.lying = stakes_of(moment.status.money)
    if browser.has_entered:
        if moment.is_live and browser.act.act in JUDGES and browser.form_facts != moment.facts:
            text = other_facts(browser.form_facts, moment.facts, browser.act.label, browser.language)
            browser.close_sheet()
            browser.say(text, is_refusal=True)
        return
    is_done = browser.act.act in THEN_ASKS.values() and browser.form_in not in {"", moment.phase}
    browser.form_in, browser.form_facts = moment.phase, moment.facts
    if moment.is_live and (is_done or not moment.may(browser.act.act)) and not browser.is_form_covered:
        browser.close_sheet()


def filled(browser: Browser, act: ActDocument) -> dict[str, str]:
    """Returns the values of the open form, by name: the chosen values, and the values shown at first where no person
    has chosen, without empty ones. A correction also leaves out the values that equal the recorded values, and the
    values that the act in place of the entry does not have.
    """
    takes = _taken_instead(act, browser.picked)
    values = [one for one in fitting(act, browser.picked) if not takes or one.name in {*_OF_THE_LOG, *takes}]
    defaults = {value.name: text for value in values if (text := shown_first(act, value))}
    amounts = {one.name: one.kind is ValueKind.AMOUNT for one in values}  # a typed comma waits for its cents
    grids = {one.name: browser.grid.text for one in values if one.kind is ValueKind.GRID and browser.grid}
    chosen = {value.name: browser.picked[value.name] for value in values if value.name in browser.picked}
    chosen = {name: text for name, text in chosen.items() if _is_open(values, name, text)}
    chosen = {name: text.rstrip("." if amounts.get(name) else ",") for name, text in chosen.items()}
    has, kinds = recorded(browser), {value.name: value for value in values}
    found = {name: text for name, text in {**defaults, **chosen, **grids}.items() if text}
    return {name: text for name, text in found.items() if not _is_as_recorded(kinds[name], text, has.get(name))}


def _is_open(values: Sequence[ValueDocument], name: str, text: str) -> bool:
    """True unless `text` is a seat that the earlier values of the form exclude."""
    value = next(one for one in values if one.name == name)
    return value.kind is not ValueKind.SEAT or not value.choices or text in {"", *(one.value for one in value.choices)}


def form_shown(browser: Browser) -> str:
    """Returns the open form's act and values as one text, as `written` makes it. Returns "" without an open form.
    Leaves out values typed on a keyboard, which each press sends separately.
    """
    if browser.act is None:
        return ""
    typed = {value.name for value in browser.act.values if is_text(value)}
    return written(((browser.act.act, {k: v for k, v in filled(browser, browser.act).items() if k not in typed}),))


def is_text(value: ValueDocument) -> bool:
    """True if the value is typed on a keyboard."""
    return not value.choices and value.kind not in _TOUCHED


_TOUCHED: Final = LISTED | {
    *(ValueKind.CARD, ValueKind.GRID),
    *(ValueKind.AMOUNT, ValueKind.NUMBER, ValueKind.ENTRY),
}


def take_typed(browser: Browser, fields: Mapping[str, str], most: int) -> None:
    """Copies the open form's keyboard texts from the fields of a press, each cut to `most` characters."""
    for value in browser.act.values if browser.act is not None else ():
        text = fields.get(f"t-{value.name}")
        if is_text(value) and text is not None and text != browser.picked.get(value.name, ""):
            browser.picked[value.name], browser.has_entered = text[:most], True
