"""The dealer's deeds and acts with a shoe or a box (pt.bj.7 to 12, mo.2.1 and 2.2, br.prep and br.dev): counting,
mixing and cutting the decks, the warning card, filling, the last round, and gathering.

The profile's parameters and the permitted acts select the deeds. The dealer first does a deed by hand and then states
it. If the deed needs permission, the dealer asks first.
"""

from typing import Final

from controller.core.choices import CutFallback, LastRound
from controller.core.words import Role, RoundPhase, SessionPhase
from controller.protocol.status import ShoeStatus
from simulators.people import hands as h
from simulators.people.doing import LATE_S, Ask, Doing, Touch, View
from simulators.people.pack import PackLook, WarningCardIs


def prepare(view: View) -> Doing:
    """Returns the dealer's next deed or act of preparing a shoe or box, from the opening (or an announced gathering) to
    the filling.

    Returns None if none is due, and at a table whose machine is not filled by hand.
    """
    shoe, pack = view.status.shoe, view.sight.pack
    if shoe is None or pack is None:
        return None
    match view.status.session:
        case SessionPhase.OPENED:
            return _opening_check(view) or _mix(view, shoe, pack)
        case SessionPhase.DISPLAYED:
            return _mix(view, shoe, pack)
        case SessionPhase.GATHERED:
            return _gathered(view, shoe, pack)
        case SessionPhase.MIXED | SessionPhase.CUT if view.sight.rack:
            return Touch(h.AtTable.ORDER_DECKS)  # cards that were left behind at the gathering
        case SessionPhase.MIXED:
            return _cut(view, shoe, pack)
        case SessionPhase.CUT:
            return _warning_card(view, shoe, pack) or _fill(view, pack)
        case _:
            return None


def _opening_check(view: View) -> Doing:
    """Returns the act that confirms seals, order and number of the cards (br.prep.2), or the display of all cards
    (pt.bj.7b).

    If a deck stays incomplete for LATE_S seconds, returns the act that abandons the opening.
    """
    decks, outside = view.choices.cards // 52, view.sight.outside
    counted = ",".join(map(str, (*[52] * (decks - 1), outside - 52 * (decks - 1))))
    count = Ask("confirm-count", {"counted": counted})
    if view.recall.guard(count) is not None:
        return view.ask("abandon-opening") if view.is_quiet_for(LATE_S) else None
    return view.asked(count) or view.ask("confirm-display")


def _mix(view: View, shoe: ShoeStatus, pack: PackLook) -> Doing:
    """Returns the next deed or act of the mixing. Each deck is first shuffled by itself, if the rule demands it. Then
    all decks are mixed together.

    Returns None before the deck set has its number.
    """
    procedure, session = view.procedure, view.status.session_number
    left = [deck for deck in range(1, view.choices.cards // 52 + 1) if deck not in shoe.decks_shuffled]
    if procedure.shuffle_each_deck and left and view.status.allows("shuffle-deck", Role.DEALER):
        passes = view.choices.shuffle_passes(session, shoe.filling, left[0], procedure.shuffle_passes)
        return view.ask("shuffle-deck", deck=str(left[0]), passes=str(passes))
    is_due = view.status.allows("confirm-mixing", Role.DEALER) or _is_to_be_counted(view)
    if not pack.is_mixed and is_due:
        return Touch(h.AtPack.MIX_CARDS)
    return _count_again(view) or view.ask("confirm-mixing")


def _is_to_be_counted(view: View) -> bool:
    return view.status.session is SessionPhase.GATHERED and view.status.allows("confirm-count", Role.DEALER)


def _count_again(view: View) -> Doing:
    """Returns the act that counts the cards before the next shoe (br.prep.3b, br.dev.4); None if no count is due, or if
    it is done.

    If cards are still missing after LATE_S seconds, returns the act that closes the table.
    """
    if not _is_to_be_counted(view) or view.status.allows("confirm-mixing", Role.DEALER):
        return None  # not due, or done
    count = Ask("confirm-count", {"counted": str(view.sight.outside)})
    if view.recall.guard(count) is None:
        return count
    return view.ask("indicate-closing") if view.is_quiet_for(LATE_S) else None


def _gathered(view: View, shoe: ShoeStatus, pack: PackLook) -> Doing:
    """Returns the next deed or act after an announced gathering: all cards are gathered, then mixed."""
    sight = view.sight
    if pack.is_in_machine or sight.rack or sight.burnt or sight.table or sight.aside:
        return Touch(h.GatherCards())
    return _mix(view, shoe, pack)


def _cut(view: View, shoe: ShoeStatus, pack: PackLook) -> Doing:
    """Returns the next deed or act of the cut: players are asked in turn (pt.bj.8b-d); if no player cuts, the bank
    does.

    Returns None if the profile names another person instead of the bank.
    """
    session = view.status.session_number
    players = view.choices.players(session, shoe.filling)
    if shoe.players != list(players):
        return view.ask("state-players", **({"seats": ",".join(map(str, players))} if players else {}))
    seat = shoe.cut_offered_to
    if seat is not None and view.choices.refuses_cut(session, shoe.filling, seat):
        return view.ask("refuse-cut", seat=str(seat))
    if seat is None and view.procedure.cut_fallback is not CutFallback.BANK:
        return None  # the table inspector cuts
    return cut(view, pack, Role.DEALER, seat)


def cut(view: View, pack: PackLook, role: Role, seat: int | None) -> Doing:
    """Returns the deed of cutting the cards, then the act that states the cut; None if this role may not state it.

    `seat`: the seat of the player who cuts; None if the person of this role cuts.
    """
    said = view.ask("confirm-cut", role, seat=str(seat or 0))
    return said if said is None or pack.is_cut else Touch(h.AtPack.CUT_CARDS)


def _warning_card(view: View, shoe: ShoeStatus, pack: PackLook) -> Doing:
    if shoe.warning_card != "waiting" or shoe.cards_behind is None:
        return None
    if pack.warning_card is not WarningCardIs.IN_PACK:
        return Touch(h.LayWarningCard(shoe.cards_behind))
    return view.ask("place-warning-card", behind=str(shoe.cards_behind))


def _fill(view: View, pack: PackLook) -> Doing:
    if not view.status.allows("fill-shoe", Role.DEALER):
        return None
    if pack.is_in_machine and view.sight.outside:
        return Touch(h.LayBehind())
    return view.ask("fill-shoe") if pack.is_in_machine else Touch(h.FillMachine())


# --- in play


def lay_behind(view: View) -> Doing:
    """Returns the deed that puts cards behind the cards in the machine, if the book already has the new cards inside.
    Returns None otherwise.
    """
    is_filled = view.status.session in {SessionPhase.LOADED, SessionPhase.IN_PLAY}
    if view.sight.pack is None or not is_filled or view.status.journal.waiting:
        return None
    match view.unbooked:
        case {"outside": found, "inside": missing, **others} if found == -missing > 0 and not others:
            return Touch(h.LayBehind())
        case {"rack": found, "inside": missing, **others} if found == -missing > 0 and not others:
            return Touch(h.LayBehind(found)) if view.is_quiet_for(LATE_S) else None
        case _:
            return None


def mind_warning_card(view: View) -> Doing:
    """Returns the act that reports the warning card if the card has come out and the shoe has not reported it. Once the
    last round is due, returns the act that announces it. Returns None otherwise. A dealer who has forgotten the
    announcement first asks for the bank's card, and announces the last round after the refusal (pt.bj.11, mo.1.3).
    """
    shoe, pack = view.status.shoe, view.sight.pack
    if shoe is None or pack is None or view.procedure.last_round is not LastRound.WARNING_CARD:
        return None
    if pack.warning_card is WarningCardIs.OUT and shoe.warning_card == "placed":
        return view.ask("report-warning-card") if view.book_has_caught_up else None
    if not shoe.last_round or shoe.announced or (pack.is_untold and view.status.round is RoundPhase.DEALING):
        return None
    is_forgotten = pack.is_untold and view.status.round is RoundPhase.PLAYING and not view.status.is_held
    return _BANKS_CARD if is_forgotten and view.recall.guard(_BANKS_CARD) is None else view.ask("announce-last-round")


_BANKS_CARD: Final = Ask("draw-card", {"seat": "0"})
"""The request of a dealer who forgot to announce the last round; the refusal gives the reason."""


def gather(view: View) -> Doing:
    """Returns the act that spreads or gathers the cards between two rounds (pt.bj.11b, 12, mo.2.2.2), if the shoe is
    over or the game stops; else None.
    """
    status, shoe = view.status, view.status.shoe
    if shoe is None:
        return None
    if not status.allows("take-bets" if status.money is None else "place-bet", Role.DEALER):
        return view.ask("gather-cards")
    if view.choices.stops_the_shoe(status.session_number, status.round_number, shoe.filling):
        return view.ask("spread-cards") or view.ask("gather-cards")
    return None


def take_out(view: View) -> Doing:
    """Returns the deed that empties a machine filled by hand at the closing. Returns None if the machine is empty."""
    pack = view.sight.pack
    return Touch(h.GatherCards()) if pack is not None and pack.is_in_machine else None
