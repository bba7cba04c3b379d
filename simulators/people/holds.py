"""The chief supervisor's way to the end of each kind of hold: deeds, statements and acts.

`sabot status` shows the same way as a list of steps. Here each step is done at its time.
"""

from collections.abc import Mapping
from typing import Final, assert_never

from controller.core.choices import ComplaintWindow, DamagedCard, PutBack
from controller.core.house.hold_table import Evidence
from controller.core.words import HoldKind, HoldPhase, Role, RoundPhase, SessionPhase
from simulators.devices.faults import Spot
from simulators.people import hands as h
from simulators.people import impossible
from simulators.people.corrections import rule
from simulators.people.doing import SETTLED_S, Doing, Touch, View
from simulators.people.jackpot import pay_by_hand, state_pool
from simulators.people.out_of_play import carry
from simulators.people.sight import NOTHING_LOADED
from simulators.people.status import ShownHold

CHIEF: Final = Role.CHIEF_SUPERVISOR

MOVES: Final[Mapping[str, tuple[str, ...]]] = {
    "jammed": ("rack", "outside", "inside"),
    "pending": ("rack", "outside", "burnt"),
    "in_hand": ("rack", "outside", "inside"),
}
"""Movements of cards that people state: by origin, the possible targets. All other differences are counted."""

OUT_OF_THE_MACHINE: Final[Mapping[str, tuple[str, ...]]] = {**MOVES, "inside": ("outside",)}
"""The movements of MOVES, and those from inside to outside, while the machine must be empty."""

COUNTED: Final = frozenset(
    (
        Evidence.COUNT_IS_STATED,
        Evidence.COUNTS_AGREE,
        Evidence.JAMMED_CARDS_ARE_STATED,
        Evidence.NO_CARD_IS_IN_HAND,
        Evidence.NO_CARD_IS_PENDING,
    )
)
"""Evidence for a hold that comes from a supervised count."""

RECOUNTED_S: Final = 4.0
"""Seconds in which the machine counts its own slots; a step not offered by then waits for people."""

PATIENCE_S: Final = 30.0
"""Seconds in a hold without a possible deed, after which people declare the count beyond correction."""


def end_hold(view: View, hold: ShownHold) -> Doing:
    """Returns the chief supervisor's next deed or act at this hold. Returns None if another person must act, or if time
    must pass.
    """
    match hold.kind:
        case HoldKind.JACKPOT_OWED | HoldKind.JACKPOT_DOUBTED:
            return pay_by_hand(view) or state_pool(view, CHIEF)  # the dealer pays other prizes
        case HoldKind.COMPLAINT | HoldKind.RULING:
            return (rule if hold.kind is HoldKind.RULING else decide_complaint)(view, CHIEF)
        case HoldKind.SUPERVISOR_ABSENT:
            return view.take_step(hold, CHIEF)
        case HoldKind.DAMAGED_CARD:
            return _replace_card(view, hold)
        case HoldKind.COUNT if view.status.session is SessionPhase.CHECKING:
            return _emptied(view, hold) or _decks_do_not_agree(view)
        case HoldKind.COUNT | HoldKind.UNEXPECTED_CARD if view.status.allows("state-outage", CHIEF):
            return _attend(view, hold) or view.ask("state-outage", CHIEF, became=view.became)
        case HoldKind.JAM | HoldKind.LID | HoldKind.COUNT | HoldKind.UNEXPECTED_CARD:
            return _attend(view, hold) or _at_the_machine(view, hold) or _clear_or_confirm(view, hold)
        case HoldKind.DEVICE_LOST | HoldKind.JOURNAL_FAULT:
            # else the technician acts (technician.py)
            return _clear_or_confirm(view, hold) if hold.phase is HoldPhase.CLEARED else None
        case HoldKind.UNREAD_CARD | HoldKind.IRREGULAR_SPIN | HoldKind.MOVED_CHIPS | HoldKind.LINKED_HIT:
            return None  # the dealer names the card, or pays; at a wheel others act
        case _:
            assert_never(hold.kind)


# --- kinds that end by an act of their own


def decide_complaint(view: View, role: Role) -> Doing:
    """Returns the deed of hearing the player, then the act that decides the complaint. Returns None for a role that may
    not decide.

    The chief supervisor decides. If the profile treats complaints as incidents, the incident authority does (br.inc.1).
    """
    is_incident = view.procedure.complaints is ComplaintWindow.INSPECTOR_DECIDES
    if role is not (view.procedure.incident_authority if is_incident else CHIEF):
        return None
    if view.sight.complaint is not None:
        return Touch(h.AtTable.HEAR_PLAYER)
    upheld = view.choices.upholds(view.status.session_number, view.status.round_number)
    return view.ask("decide-complaint", role, upheld="yes" if upheld else "no")


def _replace_card(view: View, hold: ShownHold) -> Doing:
    """Returns the next deed or act of replacing a damaged card by the same card (pt.bj.51a): first on the table, then
    in the book.

    If the table demands a whole new deck, first returns the act that records the inspection service's permission to
    replace only the card (pt.bj.5c).
    """
    if hold.phase is not HoldPhase.ATTENDED:
        return _attend(view, hold) or _clear_or_confirm(view, hold)
    if replaced := _replace_deck(view, hold) or _round_comes_first(view, hold):
        return replaced
    if not view.status.allows("replace-card", CHIEF):
        return view.ask("record-authorisation", CHIEF, reference=f"SRIJ {view.status.session_number}")
    face = impossible.card_in(hold)
    if view.sight.damaged and face in {view.sight.damaged, None}:
        return Touch(h.AtTable.SWAP_DAMAGED)
    return view.ask("replace-card", CHIEF, replacement=face) if face else None


def _replace_deck(view: View, hold: ShownHold) -> Doing:
    """Returns the next deed or act of replacing the whole deck: first the cards, then the book. Returns None if the
    table forbids it (pt.bj.5b), no new deck is ready, or people choose to replace only the card.
    """
    status, sight = view.status, view.sight
    lies_there = impossible.card_in(hold) in {sight.damaged, sight.damaged_in_rack} - {None}
    if not status.allows("replace-deck", CHIEF):
        return None
    if not lies_there and sight.swapped_deck is not None:
        return view.ask("replace-deck", CHIEF, deck=str(sight.swapped_deck))
    chosen = view.choices.replaces_deck(status.session_number, status.round_number)
    return Touch(h.AtTable.SWAP_DECK) if lies_there and chosen and sight.new_deck_is_ready else None


def _round_comes_first(view: View, hold: ShownHold) -> Doing:
    """Returns the act that clears the hold now, if people finish the round first and replace the whole deck afterwards;
    else None.

    The deck cannot be replaced while cards of the round lie on the table (pt.bj.5b).
    """
    status = view.status
    if status.allows("replace-deck", CHIEF) or not view.sight.new_deck_is_ready:
        return None
    chosen = view.choices.replaces_deck(status.session_number, status.round_number)
    may_go = view.procedure.damaged_card in {DamagedCard.DECK, DamagedCard.INSPECTOR_DECIDES}
    return view.ask("clear-hold", CHIEF, hold=hold.id) if chosen and may_go else None


def _decks_do_not_agree(view: View) -> Doing:
    """Returns the act that proposes an irregular closing if the cards themselves are wrong. Returns None while cards
    must still be ordered, and if the cards are right: the dealer then corrects a wrong entry.
    """
    if view.deck_is_regular or view.sight.rack or view.sight.tray:
        return None
    return view.ask("propose-irregular-closing", CHIEF)


# --- kinds that are attended, cleared and confirmed


def _attend(view: View, hold: ShownHold) -> Doing:
    return view.take_step(hold, CHIEF) if hold.phase is HoldPhase.RAISED else None


def _clear_or_confirm(view: View, hold: ShownHold) -> Doing:
    """Returns the step that the screen offers. If it offers no step, returns a deed or act that brings the missing
    evidence: a doubtful card's name, a look at faces seen too often, or one supervised count.
    """
    if hold.phase not in {HoldPhase.ATTENDED, HoldPhase.CLEARED}:
        return None
    if step := view.take_step(hold, CHIEF):
        return step
    if hold.phase is HoldPhase.ATTENDED and (named := impossible.name_doubted(view, hold)):
        return named
    if hold.phase is HoldPhase.ATTENDED and impossible.is_told_by(hold):
        return _look_at_faces(view, hold)
    if view.recall.last_done in impossible.COUNTS:
        return None  # the missing evidence is no count
    is_lacking = not hold.unmet.isdisjoint(COUNTED) or view.is_quiet_for(RECOUNTED_S)
    return supervised_count(view) if is_lacking else None


def _look_at_faces(view: View, hold: ShownHold) -> Doing:
    """Returns the next act about a face that was seen too often: renames a card, else calls for a ruling, else states a
    count.
    """
    if view.status.held_by(HoldKind.RULING):
        return None  # the ruling comes first
    return impossible.name_misread(view, hold) or impossible.call_for_ruling(view) or supervised_count(view)


def supervised_count(view: View) -> Doing:
    """Returns the next deed or act of a supervised count. Returns None while the cards still move, or if cards of the
    set are missing. First the cards laid aside, and the cards on the table that the book has in another place, go to
    the rack. Then people count all cards; at a shuffler, the cards outside it.
    """
    if not view.is_quiet_for(SETTLED_S):
        return None
    if hand := carry(view):
        return Touch(hand)
    if _was_not_collected(view):
        return Touch(h.CollectTable(view.status.session_number, view.status.round_number))
    if (beyond := view.unbooked.get("table", 0)) > 0:
        return Touch(h.TakeOffTable(beyond))
    if view.sight.aside:
        return Touch(h.TidyAside())
    if view.sight.pack is not None:
        return _whole_count(view)
    seen = view.seen
    if (burnt := view.status.count("burnt") - seen.get("burnt", 0)) > 0:  # burnt cards went into the rack, too
        return view.ask("state-cards-moved", CHIEF, source="burnt", target="rack", count=str(burnt))
    named = ("rack", "table", "pending", "in_hand", "outside")
    whole = sum(seen.values()) + (view.sight.shown_inside or 0) == view.choices.cards and burnt == 0
    return view.ask("state-count", CHIEF, **{place: str(seen[place]) for place in named}) if whole else None


def _was_not_collected(view: View) -> bool:
    """True if the round's burnt card is still in its place although the book has it in the rack with
    the other cards.
    """
    is_collected = view.status.round in {RoundPhase.COLLECTED, RoundPhase.PUTTING_BACK}
    goes_back = view.procedure.put_back is PutBack.AFTER_EACH_ROUND
    return is_collected and goes_back and view.unbooked.get("burnt", 0) > 0


def _whole_count(view: View) -> Doing:
    """Returns the act that states a count of all cards, including those in the shoe or box. Returns None if cards are
    missing. The cards are counted one by one, face down.
    """
    seen, inside = view.seen, 0 if view.sight.pack is None else view.sight.pack.inside
    values = {place: str(seen[place]) for place in ("rack", "table", "burnt", "in_hand", "outside")} | {
        "inside": str(inside)
    }
    is_whole = sum(seen.values()) + inside == view.choices.cards
    return view.ask("state-whole-count", CHIEF, **values) if is_whole else None


def _at_the_machine(view: View, hold: ShownHold) -> Doing:
    """Returns the next deed or act at the shuffler for an attended hold; None if there is none.

    People free stuck cards, close the lid, call a technician, and state the cards' new places.
    """
    if hold.phase is not HoldPhase.ATTENDED:
        return None
    sight = view.sight
    if emptied := _take_out(view, hold):
        return emptied
    if hold.kind is HoldKind.JAM and sight.jammed:
        return Touch(h.FreeJam(_where_to(view))) if sight.lid_open else Touch(h.AtShuffler.OPEN_LID)
    if sight.lid_open and not (sight.jammed and view.status.held_by(HoldKind.JAM)):
        return Touch(h.AtShuffler.CLOSE_LID)
    if hold.kind is HoldKind.UNEXPECTED_CARD and (tidied := _tidy(view)):
        return tidied
    return _call_technician(view, hold) or _state_moved(view)


MUST_BE_EMPTY: Final = (*NOTHING_LOADED, SessionPhase.CHECKING)


def _take_out(view: View, hold: ShownHold) -> Doing:
    """Returns the deed that empties a machine that must be empty: opening the lid, or taking the cards out through the
    open lid and laying them outside. Returns None if neither deed is needed.
    """
    sight, status = view.sight, view.status
    if status.session not in MUST_BE_EMPTY or sight.jammed:
        return None
    if sight.lid_open:
        return Touch(h.AtShuffler.TAKE_OUT_INSIDE) if sight.seen_inside else None
    is_at_it = status.held_by(HoldKind.LID) or status.held_by(HoldKind.JAM)
    is_open_by_right = hold.kind is HoldKind.COUNT and not is_at_it
    return Touch(h.AtShuffler.OPEN_LID) if sight.shown_inside and is_open_by_right else None


def _emptied(view: View, hold: ShownHold) -> Doing:
    """Returns the next deed or act that empties the machine while its display shows cards inside; else None."""
    return (_attend(view, hold) or _at_the_machine(view, hold)) if view.sight.shown_inside else None


def _tidy(view: View) -> Doing:
    """Returns the deed that moves unexpected cards to the rack; None if there are none.

    They are the cards laid aside, or cards on the table that the book has as pending. The latter are moved once nothing
    has changed for SETTLED_S seconds.
    """
    if view.sight.aside:
        return Touch(h.TidyAside())
    laid = min(view.unbooked.get("table", 0), view.status.count("pending"))
    return Touch(h.TakeOffTable(laid)) if laid > 0 and view.is_quiet_for(SETTLED_S) else None


def _where_to(view: View) -> h.FreedTo:
    """Returns the place to which freed cards go: outside if the machine must be empty, else a slot for a card of the
    carousel.

    A card stuck in feed or mouth goes to the packet during a loading, outside while cards are taken out, and to the
    rack otherwise.
    """
    if view.status.session in MUST_BE_EMPTY:
        return h.FreedTo.OUTSIDE
    if view.sight.stuck_at is Spot.CAROUSEL:
        return h.FreedTo.INSIDE
    match view.status.session:
        case SessionPhase.LOADING:
            return h.FreedTo.PACKET
        case SessionPhase.TAKING_OUT:
            return h.FreedTo.OUTSIDE
        case _:
            return h.FreedTo.RACK


def _call_technician(view: View, hold: ShownHold) -> Doing:
    """Returns the act, and after it the deed, that calls a technician to a broken part. Returns None if no part is
    broken, or if the technician is here.

    The technician then attests the repair (pt.bj.51e).
    """
    if not view.sight.broken or view.sight.technician_here:
        return None
    if view.recall.last_done == "call-technician":
        return Touch(h.AtTable.CALL_TECHNICIAN_OVER)
    return view.ask("call-technician", CHIEF, hold=hold.id)


def _state_moved(view: View) -> Doing:
    """Returns the act that states the new place of freed cards; None if no movement listed in MOVES has happened.

    If the cards differ from the book in other ways, too, returns the act once nothing has changed for SETTLED_S
    seconds.
    """
    moves = OUT_OF_THE_MACHINE if view.status.session in MUST_BE_EMPTY else MOVES
    move = next_statement(view.status.counts, view.unbooked, moves)
    if move is None:
        return None
    source, target, count = move
    explained = view.unbooked == {source: -count, target: count}
    if not explained and not view.is_quiet_for(SETTLED_S):
        return None
    values = {"source": source, "target": target, "count": str(count)}
    return view.ask("state-cards-moved", CHIEF, **values)


def next_statement(
    book: Mapping[str, int], unbooked: Mapping[str, int], moves: Mapping[str, tuple[str, ...]] = MOVES
) -> tuple[str, str, int] | None:
    """Returns a movement (from, to, count) that brings the book closer to the cards seen; None if only a count can do
    so. `unbooked`: for each place the cards seen there minus the cards in the book. `moves`: the movements that may be
    stated.
    """
    for source, targets in moves.items():
        missing = min(-unbooked.get(source, 0), book.get(source, 0))
        for target in targets:
            wanted = unbooked.get(target, 0)
            if missing > 0 and wanted > 0:
                return source, target, min(missing, wanted)
    return None
