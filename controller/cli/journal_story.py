"""One entry of a round in words, for a dispute: who or what told it, and which card was whose.

It says what the journal says: the face of a card that lies face down is in no sentence before it was turned.
"""

from collections import Counter
from collections.abc import Iterator

from controller.catalogue.sentences import Language, sentence
from controller.core.state import Dealt, State
from controller.journal.codec import Plain

_UNKNOWN = "–"


def told(kind: str, device: Plain, body: dict[str, Plain], language: Language) -> str:
    """What a device or the controller told: entry `kind` with `body`, by `device` if by any."""
    status = body.get("status")
    inside = status.get("inside") if isinstance(status, dict) else None
    values = {"device": device, "inside": inside} | body
    return sentence(f"told.{_key(kind, body)}", {name: _text(value) for name, value in values.items()}, language)


def _key(kind: str, body: dict[str, Plain]) -> str:
    if kind != "card-read" or body.get("card") is not None:
        return kind
    return "card-read-unread" if body.get("commitment") is None else "card-read-sealed"


def _text(value: Plain) -> str:
    return _UNKNOWN if value is None else str(value)


def received(before: State | None, after: State | None, language: Language) -> Iterator[str]:
    """Which cards had their place found by an entry: `before` and `after` are the table around it."""
    if before is None or after is None:
        return
    if after.tally.burned > before.tally.burned:
        yield sentence("told.burnt", {}, language)
    for dealt in changed(before, after):
        if (text := _to_seat(dealt, language, is_read=after.setup.has_reader)) is not None:
            yield text


def changed(before: State | None, after: State) -> Iterator[Dealt]:
    """The cards on the table that are new behind an entry, or of which more is known then."""
    lay = Counter(before.dealt if before is not None else ())
    for dealt in after.dealt:  # not by place: where a hand is collected the others move up
        if lay[dealt]:
            lay[dealt] -= 1
        else:
            yield dealt


def _to_seat(dealt: Dealt, language: Language, *, is_read: bool) -> str | None:
    """None while the card was counted and its identity is still to come; where nothing reads it, none does."""
    seat = {"seat": str(dealt.seat)}
    if dealt.card is not None:
        return sentence("told.to-seat", seat | {"card": dealt.card}, language)
    if dealt.face_down is not None:
        return sentence("told.to-seat-down", seat, language)
    return None if is_read else sentence("told.to-seat-unnamed", seat, language)
