"""Rules of holds: what is forbidden while one stands, who ends it, in which order, on which evidence (pt.bj.51, 61).

What stands, an observer infers from the facts (troubles.py); here is what follows from it.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from simulators.oracles.export_reader import Entry
from simulators.oracles.faces import too_many
from simulators.oracles.rule import EVERY_KIND, Rule, on
from simulators.oracles.seen import Seen
from simulators.oracles.troubles import Trouble
from simulators.oracles.violation import Finding

# --- what is forbidden while one stands

_DRAW: Final = on("complete-loading", "draw-card", "confirm-card-dealt")
_FEED: Final = on("begin-loading", "open-packet", "fill-shoe")
_BET: Final = on(
    "open-session",
    "take-bets",
    "announce-no-more-bets",
    "turn-hole-card",
    "turn-card",
    "confirm-settled",
    "collect-hand",
    "collect-cards",
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
    ("count", "pt.bj.55b", _DRAW | _BET | _UNLOAD | _CLOSE | on("begin-loading")),  # a card found again is fed
    ("unread-card", "pt.bj.17a", _DRAW | _BET | _PUT_BACK | _CLOSE),
    ("damaged-card", "pt.bj.51a", _DRAW | _FEED | _BET | _PUT_BACK | _CLOSE),
    ("complaint", "pt.bj.61", _PUT_BACK | _CLOSE),
    ("ruling", "br.inc.1", _EVERYTHING),
    ("supervisor-absent", "pt.bj.54d", _FEED | _UNLOAD),
)
"""Kind of hold, clause, and the acts that wait until it has ended."""


def _is_of_the_reader(trouble: Trouble) -> bool:
    """A reader that is gone stops no unloading: the decks are ordered and entered by hand (pt.bj.55b)."""
    return (trouble.kind, trouble.device) == ("device-lost", "shoe")


def _forbidden(kind: str, seen: Seen, entry: Entry) -> Finding | None:
    if not seen.troubles.standing:
        return None
    is_without_a_reader = entry.kind in _UNLOAD | _CLOSE
    those = (one for one in seen.troubles.standing if one.kind == kind)
    goes_back = entry.kind in _PUT_BACK  # what a ruling on leftovers waits for
    those = (one for one in those if not (is_without_a_reader and _is_of_the_reader(one)))
    stands = next((one for one in those if not (goes_back and one.is_of_leftovers)), None)
    by_hand = seen.session.irregular and entry.kind == "complete-unloading"  # whatever the machine does
    if stands is None or by_hand:
        return None
    return Finding(
        f"{entry.kind} while {stands.name} stands, {stands.phase}, of entry {stands.raised}", "its end first"
    )


def _while_rules() -> Iterator[Rule]:
    for kind, clause, acts in FORBIDDEN:
        yield Rule(f"waits for the end of {kind}", clause, acts, partial(_forbidden, kind))


def _nothing_moves_in_a_jam(seen: Seen, _entry: Entry) -> Finding | None:
    """One card may have stood in the mouth before it was locked; whose end may be lost, the machine knows."""
    jam, status = seen.troubles.of("jam", "shuffler"), seen.status
    if jam is not None and jam.may_be_over and status is not None and not status.jammed:
        return None
    if jam is None or (jam.moved_in == 0 and jam.moved_out <= 1):
        return None
    return Finding(f"{jam.moved_in} cards fed and {jam.moved_out} drawn while {jam.name} stood", "none before its end")


# --- who ends it, in which order

_MACHINE_AND_JOURNAL: Final = frozenset(("device-lost", "journal-fault"))


def _of(seen: Seen, entry: Entry) -> Trouble | None:
    return seen.troubles.numbered(entry.number("hold"))


def _attended_by_the_chief(seen: Seen, entry: Entry) -> Finding | None:
    trouble, role = _of(seen, entry), entry.text("role")
    if trouble is None or role in seen.figures.supervisors or trouble.kind in _MACHINE_AND_JOURNAL:
        return None
    return Finding(f"{trouble.name} attended by {role}", "chief_supervisor")


_ASSISTED: Final = frozenset(("jam", *_MACHINE_AND_JOURNAL))


def _cleared_by_the_chief(seen: Seen, entry: Entry) -> Finding | None:
    """A technician may clear what he assists with; what is of cards alone is the chief supervisor's (pt.bj.51d-e)."""
    trouble, role = _of(seen, entry), entry.text("role")
    if trouble is None or role in seen.figures.supervisors or trouble.kind in _ASSISTED:
        return None
    return Finding(f"{trouble.name} cleared by {role}", "chief_supervisor")


def _by_a_technician_who_was_called(seen: Seen, entry: Entry) -> Finding | None:
    """A device's port and the journal are his to take up; a jam is the chief supervisor's (pt.bj.51e)."""
    trouble = _of(seen, entry)
    if trouble is None or entry.text("role") != "technician" or trouble.kind in _MACHINE_AND_JOURNAL:
        return None
    return (
        None if trouble.technician_called else Finding(f"{trouble.name} cleared by a technician", "one who was called")
    )


def _phase(wanted: tuple[str, ...], seen: Seen, entry: Entry) -> Finding | None:
    trouble = _of(seen, entry)
    if trouble is None or trouble.phase in wanted:
        return None
    return Finding(f"{entry.kind} of {trouble.name}, {trouble.phase}", " or ".join(wanted))


def _technician_was_called(seen: Seen, entry: Entry) -> Finding | None:
    trouble = _of(seen, entry)
    if trouble is None or trouble.technician_called:
        return None
    return Finding(f"repair of {trouble.name} attested, nobody called", "a technician whom the chief supervisor called")


def _repair_is_attested(seen: Seen, entry: Entry) -> Finding | None:
    trouble = _of(seen, entry)
    if trouble is None or not trouble.technician_called or trouble.repaired_by is not None:
        return None
    return Finding(f"{trouble.name} cleared, a technician called, no repair attested", "his attestation first")


# --- evidence: a row is kinds of hold, what is looked at, and what it must be


def _evidence(
    kinds: frozenset[str], look: Callable[[Seen, Trouble], object], wanted: object, seen: Seen, entry: Entry
) -> Finding | None:
    trouble = _of(seen, entry)
    if trouble is None or trouble.kind not in kinds:
        return None
    found = look(seen, trouble)
    return None if found == wanted else Finding(f"{entry.kind} of {trouble.name}: {found}", f"{wanted}")


def _path(seen: Seen, _trouble: Trouble) -> str:
    return "blocked" if seen.status is None or seen.status.path_blocked else "clear"


def _lid(seen: Seen, _trouble: Trouble) -> str:
    return "open" if seen.status is None or seen.status.lid_open else "closed"


def _machine(seen: Seen, _trouble: Trouble) -> str:
    return "jammed" if seen.status is None or seen.status.jammed else "running"


def _inside_figure(seen: Seen, trouble: Trouble) -> str:
    if not seen.figures.has_shuffler:
        return "counted anew"  # by people
    if any(one.kind in _COUNTED and one is not trouble for one in seen.troubles.standing):
        return "counted anew"  # or will be, before the last of them ends
    if seen.session.irregular or not seen.cards_are_compared:
        return "counted anew"  # nothing is to be compared with it
    if seen.status is None or seen.status.inside is None:
        return "unknown"
    return "not counted since hands were inside" if seen.devices.shuffler.hands_inside else "counted anew"


def _differences(seen: Seen, _trouble: Trouble) -> str:
    are_compared = seen.cards_are_compared and not seen.session.irregular
    if are_compared and seen.figures.has_shuffler and not seen.devices.links["shuffler"].connected:
        return "the shuffler is gone, nothing can be compared"
    return "; ".join(f"{name} {book}/{evidence}" for name, book, evidence in seen.differences())


def _pending(seen: Seen, _trouble: Trouble) -> str:
    """One that was set aside for whoever asks next is where it belongs (pt.bj.18d)."""
    return f"{seen.book.count('pending') - (seen.set_aside is not None)} pending"


def _faces(seen: Seen, _trouble: Trouble) -> str:
    return ", ".join(f"{count} {face} of {seen.figures.decks}" for face, count in too_many(seen).items())


def _cards(place: str, seen: Seen, _trouble: Trouble) -> str:
    return f"{seen.book.count(place)} {place}"


def _supervised_count(_seen: Seen, trouble: Trouble) -> str:
    return "whole, or none is needed" if trouble.counted or not trouble.needs_count else "none that is whole"


def _connection(seen: Seen, trouble: Trouble) -> str:
    return "there" if trouble.device is None or seen.devices.links[trouble.device].connected else "gone"


def _journal(seen: Seen, _trouble: Trouble) -> str:
    return "failing" if seen.journal_fails else "written"


def _damage(seen: Seen, _trouble: Trouble) -> str:
    return "replaced" if seen.damaged is None else f"{seen.damaged} not replaced"


_CLEAR: Final = on("clear-hold")
_CONFIRM: Final = on("confirm-hold")
_BOTH: Final = _CLEAR | _CONFIRM
_OF_MACHINE: Final = frozenset(("jam", "lid"))
_OF_CARDS: Final = _OF_MACHINE | {"count", "unexpected-card"}
_COUNTED: Final = _OF_CARDS | {"device-lost"}
_COMPARED: Final = _OF_CARDS | _MACHINE_AND_JOURNAL

_EVIDENCE: Final[
    tuple[tuple[str, str, frozenset[str], frozenset[str], Callable[[Seen, Trouble], object], object], ...]
] = (
    ("path is clear", "pt.bj.51c", _CLEAR, frozenset(("jam",)), _path, "clear"),
    ("lid is closed", "pt.bj.51d", _CLEAR, _OF_MACHINE, _lid, "closed"),
    ("jammed cards are stated", "pt.bj.51d", _CLEAR, frozenset(("jam",)), partial(_cards, "jammed"), "0 jammed"),
    ("no card pending", "pt.bj.17a", _CLEAR, frozenset(("unexpected-card",)), _pending, "0 pending"),
    (
        "supervised count is made",
        "pt.bj.51e",
        _CLEAR,
        frozenset(("count", "unexpected-card")),
        _supervised_count,
        "whole, or none is needed",
    ),
    ("faces are possible", "pt.bj.3a", _CLEAR, frozenset(("unexpected-card",)), _faces, ""),
    ("machine runs again", "pt.bj.51c", _CONFIRM, frozenset(("jam",)), _machine, "running"),
    ("cards are counted anew", "pt.bj.51e", _CONFIRM, _COUNTED, _inside_figure, "counted anew"),
    ("counts are compared", "pt.bj.51e", _CONFIRM, _COMPARED, _differences, ""),
    ("no card in hand", "pt.bj.51d", _CLEAR, _OF_CARDS, partial(_cards, "in_hand"), "0 in_hand"),
    ("device is there", "pt.bj.51e", _BOTH, frozenset(("device-lost",)), _connection, "there"),
    ("journal is written", "DESIGN 3.4", _BOTH, frozenset(("journal-fault",)), _journal, "written"),
    ("damaged card is replaced", "pt.bj.51a", _BOTH, frozenset(("damaged-card",)), _damage, "replaced"),
)


def _evidence_rules() -> Iterator[Rule]:
    for name, clause, acts, kinds, look, wanted in _EVIDENCE:
        yield Rule(name, clause, acts, partial(_evidence, kinds, look, wanted))


# --- damaged cards, statements, differences


def _same_card(seen: Seen, entry: Entry) -> Finding | None:
    replacement = entry.text("replacement")
    return None if replacement == seen.damaged else Finding(f"replaced by {replacement}", f"{seen.damaged}")


def _one_damaged_card_at_a_time(seen: Seen, _entry: Entry) -> Finding | None:
    return None if seen.damaged is None else Finding(f"{seen.damaged} not replaced yet", "that card first")


def _somebody_attends(seen: Seen, entry: Entry) -> Finding | None:
    if any(one.phase in {"attended", "cleared"} for one in seen.troubles.standing):
        return None
    return Finding(f"{entry.kind} while nobody attends a hold", "a hold that is attended")


def _moved_cards_were_there(seen: Seen, entry: Entry) -> Finding | None:
    source, count = entry.text("source"), entry.number("count")
    there = seen.book.count(source)
    return None if 0 < count <= there else Finding(f"{count} cards moved from {source}", f"1 to {there}")


def _difference_is_held(seen: Seen, entry: Entry) -> Finding | None:
    """A difference between book and evidence that lasts is a hold that names both figures (DESIGN 4)."""
    since_ms, figures = seen.differing_since_ms, seen.figures
    if since_ms is None or entry.text("timer") == "counts":
        return None
    if entry.table_ms - since_ms <= figures.difference_ms + figures.grace_ms:
        return None
    found = "; ".join(f"{name} {book}/{evidence}" for name, book, evidence in seen.differences())
    return Finding(f"{found} for {entry.table_ms - since_ms} ms", f"a hold after {figures.difference_ms} ms")


def _open_lid_is_held(seen: Seen, entry: Entry) -> Finding | None:
    """However the lid was opened: the alarm is there, or the hold for which it was opened (pt.bj.51d)."""
    since_ms, most_ms = seen.lid_open_since_ms, seen.figures.difference_ms + seen.figures.grace_ms
    if since_ms is None or entry.table_ms - since_ms <= most_ms:
        return None
    return Finding(f"the lid open for {entry.table_ms - since_ms} ms, and no hold", "the alarm, or the lid closed")


HOLD_RULES: Final = (
    *_while_rules(),
    Rule("nothing moves in a jam", "pt.bj.51c", on("card-counted-in", "card-counted-out"), _nothing_moves_in_a_jam,
         after=True),
    Rule("attended by the chief supervisor", "pt.bj.51c", on("attend-hold"), _attended_by_the_chief),
    Rule("cleared by the chief supervisor", "pt.bj.51d", on("clear-hold"), _cleared_by_the_chief),
    Rule("cleared by a technician who was called", "pt.bj.51e", on("clear-hold"), _by_a_technician_who_was_called),
    Rule("attended before it is cleared", "pt.bj.51d", _CLEAR, partial(_phase, ("attended",))),
    Rule("cleared before it is confirmed", "pt.bj.51d", _CONFIRM, partial(_phase, ("cleared",))),
    Rule("attended before a technician", "pt.bj.51e", on("call-technician"), partial(_phase, ("attended", "cleared"))),
    Rule("technician was called", "pt.bj.51e", on("attest-repair"), _technician_was_called),
    Rule("repair is attested", "pt.bj.51e", _CLEAR, _repair_is_attested),
    *_evidence_rules(),
    Rule("same card for same card", "pt.bj.51a", on("replace-card"), _same_card),
    Rule("one damaged card at a time", "pt.bj.51a", on("report-damaged-card"), _one_damaged_card_at_a_time),
    Rule("somebody attends", "pt.bj.51d", on("state-cards-moved", "state-count"), _somebody_attends),
    Rule("moved cards were there", "pt.bj.51d", on("state-cards-moved"), _moved_cards_were_there),
    Rule("difference is held", "DESIGN 4", EVERY_KIND, _difference_is_held),
    Rule("open lid is held", "pt.bj.51d", EVERY_KIND, _open_lid_is_held),
)  # fmt: skip
