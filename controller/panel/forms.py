"""The form of an act: what it shows at first, and what a touch makes of it."""

from typing import Final

from controller.panel.browsers import Browser
from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueDocument, ValueKind

LARGEST: Final = 1_000_000
DIGITS: Final = frozenset("0123456789")


def shown_first(value: ValueDocument) -> str:
    """What a form shows before anybody has chosen; "" where there is nothing to show."""
    if value.default is not None:
        return value.default
    is_number = value.kind is ValueKind.NUMBER and not value.may_be_left_out
    return str(value.least or 0) if is_number else ""


def pick(browser: Browser, act: ActDocument, how: str, value: str) -> None:
    """Takes one choice of the open sheet."""
    name, _, given = value.partition("=")
    own = next((one for one in act.values if one.name == name.partition(".")[0]), None)
    if own is None:
        return
    before = browser.picked.get(own.name, shown_first(own))
    match how:
        case "toggle":
            items = [item for item in before.split(",") if item]
            items = [item for item in items if item != given] if given in items else [*items, given]
            browser.picked[own.name] = ",".join(items)
        case "step":
            by = int(given) if given in {"-10", "-1", "1", "10"} else 0
            number = (int(before) if before.isdigit() else own.least or 0) + by
            most = LARGEST if own.most is None else own.most
            browser.picked[own.name] = str(max(own.least or 0, min(most, number)))
        case "digit":
            if given and given not in DIGITS:
                return
            typed = browser.picked.get(own.name, "") + given if given else before[:-1]
            most = LARGEST if own.most is None else own.most
            browser.picked[own.name] = str(min(most, int(typed or "0")))
        case "pick" if name != own.name:  # suit and rank of a card, one after the other
            browser.picked[name] = given
            rank, suit = (browser.picked.get(f"{own.name}.{part}", "") for part in ("rank", "suit"))
            if rank and suit:
                browser.picked[own.name] = f"{rank}{suit.upper()}"
        case _:
            browser.picked[name] = given
