"""Rules about holds (pt.bj.51, 61): the duration of a hold, the acts that must wait for its end, the order of its
steps, and its evidence.

A status lists the holds. Only a few facts by themselves demand a hold (_CAUSES). The check of the cards (cards.py)
finds any other missing hold: without the hold the table soon claims cards in wrong places.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from simulators.oracles.export_entries import Entry
from simulators.oracles.rule import EVERY_KIND, Rule, on
from simulators.oracles.seen import BEFORE_LOADING, CARDS_INSIDE, Seen
from simulators.oracles.sightings import PLACES, SeenHold, Sighting
from simulators.oracles.violation import Finding

# --- acts that an open hold forbids

_DRAW: Final = on("complete-loading", "draw-card", "confirm-card-dealt")
_FEED: Final = on("begin-loading", "open-packet", "fill-shoe")
_BET: Final = on(
    *("open-session", "take-bets", "announce-no-more-bets", "turn-hole-card", "turn-card", "confirm-settled"),
    *("collect-hand", "collect-cards"),
)
_PUT_BACK: Final = on("begin-putting-back", "end-putting-back")
_UNLOAD: Final = on("take-out-loading", "confirm-taken-out", "begin-unloading", "complete-unloading")
_CLOSE: Final = on("abandon-opening", "indicate-closing", "gather-cards", "spread-cards")
_EVERYTHING: Final = _DRAW | _FEED | _BET | _PUT_BACK | _UNLOAD | _CLOSE

FORBIDDEN: Final[tuple[tuple[str, str, frozenset[str]], ...]] = (
    ("jam", "pt.bj.51c", _EVERYTHING),
    ("lid", "pt.bj.51d", _EVERYTHING),
    ("unexpected-card", "pt.bj.17a", _EVERYTHING),
    ("device-lost", "pt.bj.51e", _EVERYTHING),
    ("journal-fault", "DESIGN 3.4", _EVERYTHING),
    ("count", "pt.bj.55b", _DRAW | _BET | _UNLOAD | _CLOSE | on("begin-loading")),  # a card found again may be fed
    ("unread-card", "pt.bj.17a", _DRAW | _BET | _PUT_BACK | _CLOSE),
    ("damaged-card", "pt.bj.51a", _DRAW | _FEED | _BET | _PUT_BACK | _CLOSE),
    ("complaint", "pt.bj.61", _PUT_BACK | _CLOSE),
    ("ruling", "br.inc.1", _EVERYTHING - _PUT_BACK),  # a ruling on leftover cards waits until they are put back
    ("jackpot-owed", "pt.bj.49", _PUT_BACK | _CLOSE),
    ("linked-hit", "POOLS.md", on("take-bets") | _PUT_BACK | _CLOSE),
    ("supervisor-absent", "pt.bj.54d", _FEED | _UNLOAD),
)
"""The kind of a hold, the clause, and the acts that wait for the end of the hold."""


def _forbidden(kind: str, seen: Seen, entry: Entry) -> Finding | None:
    stands = next((one for one in seen.standing.values() if one.kind == kind), None)
    if stands is None:
        return None
    # A lost reader stops no unloading: the decks are ordered and entered by hand (pt.bj.55b).
    is_without_a_reader = stands.device == "shoe" and kind == "device-lost" and entry.kind in _UNLOAD | _CLOSE
    by_hand = seen.is_irregular and entry.kind == "complete-unloading"  # in any state of the machine
    if is_without_a_reader or by_hand:
        return None
    return Finding(f"{entry.kind} while {stands.name} stands, {stands.phase}", "its end first")


# --- holds stay open until their end


def holds_stand(seen: Seen, shown: Sighting) -> Finding | None:
    """Returns a finding if the status `shown` lacks a hold of an earlier status, although no entry may have ended the
    hold.
    """
    there = {hold.number for hold in shown.holds}
    gone = [hold for number, hold in seen.standing.items() if number not in there]
    return Finding(f"{', '.join(hold.name for hold in gone)} not shown any more", "it stands") if gone else None


_CAUSES: Final = {
    "shuffler-jammed": "jam",
    "events-missed": "count",
    "device-lost": "device-lost",
    "device-refused": "device-lost",
}
"""Facts that each demand a hold at a table with its cards in the machine, with the kind of that hold."""


def held_for(seen: Seen, entry: Entry) -> str | None:
    """Returns the kind of hold that must be open after this entry; None if the entry alone demands no hold."""
    if entry.refused or seen.is_irregular:
        return None
    if seen.shown.session in BEFORE_LOADING:
        return "count" if entry.kind == "card-counted-in" else None  # the feed was not opened
    kind, device = _CAUSES.get(entry.kind), entry.text("device")
    if entry.kind == "device-connected" and seen.devices.links[device].boot not in {0, entry.number("boot")}:
        kind = "device-lost"  # the device was without power
    of_what_is_needed = entry.kind == "shuffler-jammed" or device in seen.needed
    by_hand = device == "shoe" and seen.shown.session in {"taking-out", "unloading"} and kind == "count"
    return kind if seen.shown.session in CARDS_INSIDE and of_what_is_needed and not by_hand else None


def causes_hold(seen: Seen, shown: Sighting, due: set[str]) -> Finding | None:
    """Returns a finding if the status `shown` has no hold of a kind in `due`, and no such hold can have ended since the
    last status.
    """
    there = {hold.kind for hold in (*shown.holds, *seen.may_have_ended.values())}
    missing = due - there if shown.session in CARDS_INSIDE | BEFORE_LOADING else set()
    return Finding(f"no hold for {', '.join(sorted(missing))}", "it is raised") if missing else None


def nothing_lies_aside(seen: Seen, shown: Sighting) -> Finding | None:
    """Returns a finding if the status `shown` still has a card in the place "pending" between two rounds and without a
    hold. Returns None at a table where such a card may wait for the next round, and in an irregular closing.
    """
    is_between = (shown.session, shown.round) == ("in-play", "idle") and not shown.holds
    is_due = is_between and not seen.figures.extra_card_waits and not seen.is_irregular
    pending = (shown.counts or {}).get("pending", 0)
    return Finding(f"{pending} pending between two rounds", "0 pending") if is_due and pending else None


def every_card_is_somewhere(seen: Seen, shown: Sighting) -> Finding | None:
    """Returns a finding if the places in the status `shown` of a table without holds do not add up to all cards.
    Returns None after a foreign card, and for a surplus that is too new to cause a hold. In an irregular closing the
    status may show more cards than the set has, as the machine counted them, but never fewer.
    """
    total, cards = sum((shown.counts or {}).get(place, 0) for place in PLACES), seen.figures.cards
    is_due = bool(shown.counts) and shown.session != "closed" and not shown.holds and not seen.has_seen_foreign
    is_more = is_due and total > cards and not seen.is_irregular
    is_wrong = (is_due and total < cards) or seen.too_many_last(is_more=is_more)
    return Finding(f"{total} cards in all places", f"{cards}") if is_wrong else None


def _difference_is_held(seen: Seen, entry: Entry) -> Finding | None:
    """Returns a finding if status and machine have differed for too long without a hold (DESIGN 4)."""
    since_ms, figures = seen.differing_since_ms, seen.figures
    if since_ms is None or entry.text("timer") == "counts":
        return None
    if entry.table_ms - since_ms <= figures.difference_ms + figures.grace_ms:
        return None
    return Finding(
        f"{seen.difference()} for {entry.table_ms - since_ms} ms", f"a hold after {figures.difference_ms} ms"
    )


def _open_lid_is_held(seen: Seen, entry: Entry) -> Finding | None:
    """Returns a finding if the lid has been open for too long without a hold that explains it (pt.bj.51d)."""
    since_ms, most_ms = seen.devices.shuffler.lid_open_since_ms, seen.figures.difference_ms + seen.figures.grace_ms
    is_due = seen.shown.session != "closed" and seen.shown.seq == entry.seq - 1 and not seen.is_irregular
    if since_ms is None or not is_due or seen.holds_for("jam", "lid", "count") or entry.table_ms - since_ms <= most_ms:
        return None
    return Finding(f"the lid open for {entry.table_ms - since_ms} ms, and no hold", "the alarm, or the lid closed")


# --- the order of steps to a hold's end


def _phase(wanted: tuple[str, ...], seen: Seen, entry: Entry) -> Finding | None:
    hold = seen.standing.get(entry.number("hold"))
    if hold is None or hold.phase in wanted:
        return None
    return Finding(f"{entry.kind} of {hold.name}, {hold.phase}", " or ".join(wanted))


# --- evidence: a row has kinds of hold, the value to look at, and its right value

_Look = Callable[[Seen, SeenHold], object]
_UNKNOWN: Final = object()
"""No status was recorded since cards moved: no finding is possible."""


def _evidence(kinds: frozenset[str], look: _Look, wanted: object, seen: Seen, entry: Entry) -> Finding | None:
    hold = seen.standing.get(entry.number("hold"))
    if hold is None or hold.kind not in kinds:
        return None
    found = look(seen, hold)
    return None if found in {wanted, _UNKNOWN} else Finding(f"{entry.kind} of {hold.name}: {found}", f"{wanted}")


def _path(seen: Seen, _hold: SeenHold) -> str:
    status = seen.devices.shuffler.status
    return "blocked" if status is None or status.path_blocked else "clear"


def _lid(seen: Seen, _hold: SeenHold) -> str:
    status = seen.devices.shuffler.status
    return "open" if status is None or status.lid_open else "closed"


def _machine(seen: Seen, _hold: SeenHold) -> str:
    status = seen.devices.shuffler.status
    return "jammed" if status is None or status.jammed else "running"


def _inside_figure(seen: Seen, _hold: SeenHold) -> str:
    is_due = seen.figures.has_shuffler and seen.shown.session in CARDS_INSIDE and not seen.is_irregular
    waits = is_due and seen.devices.shuffler.hands_inside and len(seen.standing) == 1
    return "not counted since hands were inside" if waits else "counted anew"


def _counts(seen: Seen, _hold: SeenHold) -> object:
    if (
        seen.figures.has_shuffler
        and not seen.devices.links["shuffler"].connected
        and seen.shown.session in CARDS_INSIDE
    ):
        return "" if seen.is_irregular else "the shuffler is gone, nothing can be compared"
    return seen.difference() if seen.cards_are_known else _UNKNOWN


def _cards(place: str, seen: Seen, _hold: SeenHold) -> object:
    return f"{seen.count(place)} {place}" if seen.cards_are_known else _UNKNOWN


def _connection(seen: Seen, hold: SeenHold) -> str:
    return "there" if hold.device is None or seen.devices.links[hold.device].connected else "gone"


def _journal(seen: Seen, _hold: SeenHold) -> str:
    return "failing" if seen.journal_fails else "written"


def _damage(seen: Seen, _hold: SeenHold) -> str:
    # A whole deck goes after the round: the hold is ended, the round finished, the table held again (pt.bj.5b).
    is_first = seen.shown.round in _CARDS_LIE and seen.figures.whole_deck_goes
    return "replaced" if seen.damaged is None or is_first else f"{seen.damaged} not replaced"


_CARDS_LIE: Final = frozenset(("dealing", "playing"))


_CLEAR: Final = on("clear-hold")
_CONFIRM: Final = on("confirm-hold")
_BOTH: Final = _CLEAR | _CONFIRM
_JAM: Final = frozenset(("jam",))
_OF_MACHINE: Final = frozenset(("jam", "lid"))
_OF_CARDS: Final = _OF_MACHINE | {"count", "unexpected-card"}
_COMPARED: Final = _OF_CARDS | {"device-lost", "journal-fault"}

_EVIDENCE: Final[tuple[tuple[str, str, frozenset[str], frozenset[str], _Look, object], ...]] = (
    ("path is clear", "pt.bj.51c", _CLEAR, _JAM, _path, "clear"),
    ("lid is closed", "pt.bj.51d", _CLEAR, _OF_MACHINE, _lid, "closed"),
    ("jammed cards are stated", "pt.bj.51d", _CLEAR, _JAM, partial(_cards, "jammed"), "0 jammed"),
    ("no card in hand", "pt.bj.51d", _CLEAR, _OF_CARDS, partial(_cards, "in_hand"), "0 in_hand"),
    ("machine runs again", "pt.bj.51c", _CONFIRM, _JAM, _machine, "running"),
    ("cards are counted anew", "pt.bj.51e", _CONFIRM, _OF_MACHINE, _inside_figure, "counted anew"),
    ("counts are compared", "pt.bj.51e", _CONFIRM, _COMPARED, _counts, ""),
    ("device is there", "pt.bj.51e", _BOTH, frozenset(("device-lost",)), _connection, "there"),
    ("journal is written", "DESIGN 3.4", _BOTH, frozenset(("journal-fault",)), _journal, "written"),
    ("damaged card is replaced", "pt.bj.51a", _BOTH, frozenset(("damaged-card",)), _damage, "replaced"),
)


def _rules() -> Iterator[Rule]:
    for kind, clause, acts in FORBIDDEN:
        yield Rule(f"waits for the end of {kind}", clause, acts, partial(_forbidden, kind))
    for name, clause, acts, kinds, look, wanted in _EVIDENCE:
        yield Rule(name, clause, acts, partial(_evidence, kinds, look, wanted))


HOLD_RULES: Final = (
    *_rules(),
    Rule("attended before it is cleared", "pt.bj.51d", _CLEAR, partial(_phase, ("attended",))),
    Rule("cleared before it is confirmed", "pt.bj.51d", _CONFIRM, partial(_phase, ("cleared",))),
    Rule("difference is held", "DESIGN 4", EVERY_KIND, _difference_is_held),
    Rule("open lid is held", "pt.bj.51d", EVERY_KIND, _open_lid_is_held),
)
