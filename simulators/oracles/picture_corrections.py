"""How corrections and rulings move the observer's picture (pt.bj.17c, 18d-f, 19b, br.inc, mo.5.1).

The last card changes to whom it belongs, and nothing else; what becomes of it, the profile says.
"""

from collections.abc import Callable
from typing import Final

from simulators.oracles.course import BANK, HOLE, SEAT, Lying
from simulators.oracles.export_reader import Entry
from simulators.oracles.faces import left_the_table
from simulators.oracles.picture_round import discard_set_aside
from simulators.oracles.seen import OF_A_DEVICE, Seen


def report_misdealt(seen: Seen, entry: Entry) -> None:
    """Seen: annulled; not seen: for the next who asks (pt.bj.18d-f); or somebody decides (br.inc.1)."""
    if seen.set_aside is not None:  # the card that lay aside was turned
        discard_set_aside(seen)
        return
    procedure = seen.figures.procedure
    _becomes(seen, entry, procedure.misdealt_seen if _was_seen(entry) else procedure.misdealt_unseen)


def report_extra_card(seen: Seen, entry: Entry) -> None:
    """It never counts (pt.bj.19b); where the profile allows it, unseen it is the next that is drawn (mo.6.1b)."""
    choice = seen.figures.procedure.bank_extra_card
    if choice == "valid-if-unseen":
        choice = "discard" if _was_seen(entry) else "next-who-asks"
    _becomes(seen, entry, choice)


def _was_seen(entry: Entry) -> bool:
    return entry.body.get("seen") is True


def _becomes(seen: Seen, entry: Entry, choice: str) -> None:
    if choice == "discard":
        _discard(seen)
    elif choice == "next-who-asks":
        _set_aside(seen)
        if seen.set_aside is not None and entry.kind == "report-extra-card":
            seen.set_aside.outlives_round = True
    elif choice == "inspector-decides":
        seen.raise_("ruling", entry).is_of_a_card = True


def _discard(seen: Seen) -> None:
    if seen.set_aside is not None:
        discard_set_aside(seen)
    elif _is_the_pending_one(seen):
        seen.book.move("pending", "rack")
    else:
        take_back(seen, "rack")


def _set_aside(seen: Seen) -> None:
    """It waits face down for whoever asks next."""
    if _is_the_pending_one(seen):
        seen.set_aside = Lying(SEAT, 0)
    else:
        seen.set_aside = take_back(seen, "pending")


def _is_the_pending_one(seen: Seen) -> bool:
    return not seen.round.can_be_corrected and seen.is_pending_alone


def take_back(seen: Seen, place: str) -> Lying | None:
    """The last card leaves the table; one of the deal is owed again (pt.bj.17c)."""
    now = seen.round
    now.can_be_corrected = False
    if not now.dealt:
        return None
    of_the_deal = seen.last_is_of_the_deal
    last = now.dealt.pop()
    left_the_table(seen, [last], place)
    seen.book.move("table", place)
    if last.is_unread:
        seen.troubles.end("unread-card")
    if now.step == "playing" and of_the_deal:
        now.step = "dealing"
    return last


def move_card(seen: Seen, entry: Entry) -> None:
    """It lies at the wrong place: it is given to whom it belongs (mo.5.1.2a)."""
    now, seat = seen.round, entry.number("seat")
    if now.dealt:
        last = now.dealt[-1]
        last.seat, last.purpose = seat, HOLE if last.purpose == HOLE else SEAT if seat else BANK
    now.can_be_corrected = False


def report_hole_exposed(seen: Seen, _entry: Entry) -> None:
    """Discarded, and another one is drawn (pt.bj.17c)."""
    take_back(seen, "rack")


def report_face_up_card(seen: Seen, _entry: Entry) -> None:
    """It does not count and its place gets the next card (br.inc.2); the first of the game may be left (mo.5.1.1)."""
    procedure, now = seen.figures.procedure, seen.round
    is_first = now.number == seen.shoe.first_round and len(now.dealt) == 1
    if is_first and procedure.face_up_card == "valid-if-first":
        now.can_be_corrected = False
        return
    was_asked_for = not seen.last_is_of_the_deal
    last = take_back(seen, "rack" if procedure.face_up_card == "discard" else procedure.burn_place)
    now.requested = last.seat if last is not None and was_asked_for else None


# --- rulings


def call_for_ruling(seen: Seen, entry: Entry) -> None:
    seen.raise_("ruling", entry)


def make_ruling(seen: Seen, entry: Entry) -> None:
    """What was decided takes effect (br.inc.1, mo.5.1.2b)."""
    seen.troubles.end("ruling")
    outcome = entry.text("outcome")
    if outcome == "card-discarded":
        _discard(seen)
    elif outcome == "card-to-next":
        _set_aside(seen)
    elif outcome == "turn-given-back":
        seen.round.turn_back = 0
    elif outcome == "round-void":
        void_round(seen)
    elif outcome == "continue" and seen.book.count("pending"):
        seen.round.can_be_corrected = False  # what may be corrected now is the card that lies apart
    if outcome == "continue" or outcome.startswith("spare-device"):
        _with_device(seen, is_spare=outcome != "continue")


def _with_device(seen: Seen, *, is_spare: bool) -> None:
    """A spare device stands in for one that fails still, or the round goes on with the same one."""
    for trouble in seen.troubles.standing:
        if trouble.kind in OF_A_DEVICE:
            link = seen.devices.links[trouble.device or "shuffler"]
            is_back = trouble.kind == "device-lost" and link.connected
            trouble.instead_of = link.serial if is_spare and not is_back else ""


def void_round(seen: Seen) -> None:
    """No card of it counts, one that lies aside neither; all are collected as after any round."""
    seen.troubles.end("unread-card")
    seen.round.step, seen.round.requested, seen.round.can_be_corrected = "settled", None, False
    discard_set_aside(seen)


TAKES: Final[dict[str, Callable[[Seen, Entry], None]]] = {
    "report-misdealt": report_misdealt,
    "report-extra-card": report_extra_card,
    "move-card": move_card,
    "report-hole-exposed": report_hole_exposed,
    "report-face-up-card": report_face_up_card,
    "call-for-ruling": call_for_ruling,
    "make-ruling": make_ruling,
}
