"""The scripted dealer: opens, displays, mixes, feeds, deals, settles, puts back, unloads, checks the decks (pt.bj.53 to
60).

Each function handles one step of session or round, and returns the dealer's next deed or act from the present situation
alone. Before drawing a card, and before acts that depend on cards, the dealer waits until the table's book has all
cards on the table.
"""

from typing import assert_never

from controller.core.choices import Faces, PutBack
from controller.core.words import HoldKind, Purpose, Role, RoundPhase, SessionPhase
from controller.protocol.status import OwedStatus
from simulators.people import by_word, shoe, stakes
from simulators.people import hands as h
from simulators.people.corrections import call_for_uncounted, follow_the_book, is_something_said, see_to_it
from simulators.people.deck_check import check_decks
from simulators.people.doing import LATE_S, OUT_OF_TURN, STUCK_FEED_S, Ask, Doing, Touch, View
from simulators.people.face_down import show_cards
from simulators.people.jackpot import is_to_be_approved, mind_jackpot
from simulators.people.out_of_play import hands_left, out_of_play, points
from simulators.people.putting_right import agreed, is_to_be_put_right, put_right

BANK = 0
FULL_TRAY = 52


def deal(view: View) -> Doing:
    """Returns this dealer's next deed or act, beginning with the sign-in; None while another dealer is on duty."""
    if view.sight.on_duty not in {0, view.person}:
        return None
    if not view.status.is_at_table(view.person):
        return view.ask("sign-in", operation="table")
    if doing := follow_the_book(view, _to_be_given(view)) or shoe.lay_behind(view) or _incidents(view):
        return doing
    if not by_word.is_told(view):
        return by_word.tell(view)
    if is_to_be_put_right(view):
        return put_right(view, Role.DEALER)
    return see_to_it(view) if is_something_said(view) else _session(view)


# --- deeds that may be due at any moment


def _incidents(view: View) -> Doing:
    """Returns the dealer's deed or act about an outage, an unread or damaged card, a complaint, another person's
    request, or the jackpot.
    """
    status, sight = view.status, view.sight
    if asked := agreed(view):
        return asked
    if status.allows("confirm-outage", Role.DEALER):
        return view.ask("confirm-outage", became=view.became)
    if status.held_by(HoldKind.UNREAD_CARD):
        named = _face_to_name(view) or _last_face(view)
        return view.ask("name-card", card=named) if named else None
    is_new = not status.held_by(HoldKind.DAMAGED_CARD) and status.allows("report-damaged-card", Role.DEALER)
    if sight.damaged and is_new:
        return view.ask("report-damaged-card", card=sight.damaged)
    if sight.complaint is not None and not status.held_by(HoldKind.COMPLAINT):
        return view.ask("record-complaint", seat=str(sight.complaint))
    if view.status.allows("agree-corrections", Role.DEALER) and view.is_quiet_for(LATE_S):
        return view.agreement(Role.DEALER)  # a supervisor's correction; the supervisor agrees to a dealer's
    return mind_jackpot(view)


def _face_to_name(view: View) -> str | None:
    """Returns the face of the open card in the place that the hold for an unread card names. Returns None if no open
    card lies there.
    """
    about = next(hold.about for hold in view.status.holds if hold.kind is HoldKind.UNREAD_CARD)
    at_seat = [card.face for card in view.sight.table if str(card.seat) == about.get("seat")]
    return dict(enumerate(at_seat, 1)).get(int(about.get("position", 0)))


def _last_face(view: View) -> str | None:
    return next((card.face for card in reversed(view.sight.table) if card.face), None)


# --- the session


def _session(view: View) -> Doing:  # noqa: C901 - one case a step
    status, sight = view.status, view.sight
    match status.session:
        case SessionPhase.CLOSED:
            opens = view.another_session and not is_to_be_approved(view)
            return view.ask("open-session") if opens else None
        case SessionPhase.OPENED | SessionPhase.DISPLAYED | SessionPhase.MIXED if sight.pack is None:
            return _before_loading(view)
        case (
            SessionPhase.OPENED | SessionPhase.DISPLAYED | SessionPhase.MIXED | SessionPhase.GATHERED | SessionPhase.CUT
        ):
            is_over = status.session is SessionPhase.GATHERED and not _more_rounds(view)  # then without mixing
            return (view.ask("indicate-closing") if is_over else None) or shoe.prepare(view)
        case SessionPhase.LOADING:
            return _loading(view)
        case SessionPhase.TAKING_OUT:
            return None
        case SessionPhase.LOADED:
            return _draw(view)
        case SessionPhase.IN_PLAY:
            return _round(view)
        case SessionPhase.CLOSING:
            return view.ask("begin-unloading")
        case SessionPhase.UNLOADING:
            return _unloading(view)
        case SessionPhase.CHECKING:
            return check_decks(view)
        case _:
            assert_never(status.session)


def _before_loading(view: View) -> Doing:
    """Returns the next deed or act before a loading: the display, the mixing, or the beginning of the loading
    (mo.2.1.2).
    """
    sight = view.sight
    if sight.hopper:
        return Touch(h.EmptyHopper(h.FreedTo.OUTSIDE))
    match view.status.session:
        case SessionPhase.OPENED:
            return view.ask("confirm-display") or view.ask("begin-loading")
        case SessionPhase.DISPLAYED:
            return view.ask("confirm-mixing")
        case _:
            return Touch(h.AtTable.ORDER_DECKS) if sight.packet or sight.rack else view.ask("begin-loading")


def _more_rounds(view: View) -> bool:
    return view.status.round_number < view.rounds


def _loading(view: View) -> Doing:
    """Returns the deed of feeding the open packet, or the act that completes the loading once all cards are in; else
    None.
    """
    sight = view.sight
    is_open = view.status.allows("close-packet", Role.CHIEF_SUPERVISOR)
    if is_open and sight.packet and not sight.hopper:
        return Touch(h.AtShuffler.FEED_PACKET)
    if not is_open and not sight.packet and not sight.outside and not sight.hopper and view.book_has_caught_up:
        return view.ask("complete-loading")
    return None


def _unloading(view: View) -> Doing:
    """Returns the next deed or act of the unloading. The cards of an unfinished round go to the rack, then the machine
    is emptied.
    """
    status, sight = view.status, view.sight
    if sight.table:
        return Touch(h.CollectTable(status.session_number, status.round_number))
    if sight.aside:
        return Touch(h.TidyAside())
    if sight.hopper:
        return Touch(h.EmptyHopper(h.FreedTo.RACK))
    if taken := shoe.take_out(view):
        return taken
    if sight.tray >= FULL_TRAY or (sight.tray and (not sight.shown_inside or view.is_quiet_for(LATE_S))):
        return Touch(h.AtShuffler.EMPTY_TRAY)
    if sight.shown_inside and (status.held_by(HoldKind.DEVICE_LOST) or status.held_by(HoldKind.JAM)):
        return None  # the unloading goes on after the hold; an irregular closing would take his word at once
    return view.ask("complete-unloading") if view.book_has_caught_up else None


# --- the round


def _noticed(view: View) -> Doing:
    """Returns the dealer's act about a card that must be handled before the round goes on: the warning card, an unnamed
    card, or an uncounted one.
    """
    return shoe.mind_warning_card(view) or by_word.name_card(view) or call_for_uncounted(view)


def _round(view: View) -> Doing:
    status, sight = view.status, view.sight
    if doing := _noticed(view):
        return doing
    match status.round:
        case RoundPhase.IDLE:
            return _between_rounds(view)
        case RoundPhase.BETTING:
            return stakes.next_bet(view) or view.ask("announce-no-more-bets") or _too_few_cards(view)
        case RoundPhase.DEALING:
            return _draw(view)
        case RoundPhase.PLAYING:
            # a presented card that no player asked for
            is_offered = view.offers and status.allows("draw-card", Role.DEALER)
            is_drawn = status.owed and not is_offered
            return stakes.lay_pair(view) or (_draw(view) if is_drawn else _taken(view))
        case RoundPhase.SETTLED:
            if sight.table or (sight.burnt and view.procedure.put_back is PutBack.AFTER_EACH_ROUND):
                return Touch(h.CollectTable(status.session_number, status.round_number))
            return view.ask("collect-cards")
        case RoundPhase.COLLECTED:
            return _after_collecting(view)
        case RoundPhase.PUTTING_BACK:
            return _putting_back(view)
        case _:
            return None  # rounds of a wheel


def _between_rounds(view: View) -> Doing:
    """Returns the dealer's next act between two rounds: gather the cards or take bets.

    After the last round, and after bets were cancelled because of too few cards, returns the acts of closing. People
    first empty a machine that hands fill.
    """
    status = view.status
    has_too_few = view.recall.last_done == "cancel-bets"
    if not _more_rounds(view) or has_too_few:
        mixed_anew = has_too_few and view.sight.pack is not None
        return (view.ask("gather-cards") if mixed_anew else None) or view.ask("indicate-closing")
    if doing := shoe.gather(view):
        return doing
    if status.money is not None:
        return stakes.next_bet(view)
    seats = view.choices.seats(status.session_number, status.round_number + 1)
    return view.ask("take-bets", seats=",".join(map(str, seats)))


def _too_few_cards(view: View) -> Doing:
    """Returns the act that cancels the bets, if the table permits it because the cards are too few for the seats
    (pt.bj.60a), once nothing has changed for LATE_S seconds.

    Returns None during a hold and while a device is disconnected: no round can begin then anyway.
    """
    status = view.status
    if status.is_held or not all(device.connected for device in status.devices.values()):
        return None
    return view.ask("cancel-bets") if view.is_quiet_for(LATE_S) else None


def _draw(view: View) -> Doing:
    """Returns the deed of drawing the card in the mouth, to the place that the status names as `owed`.

    Returns None if the mouth offers no card, if the book does not have all earlier cards yet, and during a hold at a
    table with a shoe or box.
    """
    owed = view.status.owed
    if not view.sight.mouth_open or owed is None or not view.book_has_caught_up:
        return None
    if view.sight.pack is not None and view.status.is_held:
        return None  # a box has no lock, so the dealer himself must wait
    return Touch(pull_of(view, owed))


def pull_of(view: View, card: OwedStatus) -> h.PullCard:
    """Returns the deed of drawing this card, face up or face down as the profile demands."""
    status, purpose = view.status, Purpose(card.purpose)
    face_down = _lies_face_down(view, purpose)
    hand = stakes.hand_owed(view, card)
    return h.PullCard(purpose, card.seat, status.session_number, status.round_number, face_down, hand)


def _lies_face_down(view: View, purpose: Purpose) -> bool:
    """True for the bank's hole card, and for a player's card in a deal that is face down (mo.5.2.1.1)."""
    is_dealing = view.status.round is RoundPhase.DEALING
    is_players = purpose is Purpose.SEAT and is_dealing and view.procedure.player_cards is Faces.DOWN
    return is_players or purpose is Purpose.HOLE


def _taken(view: View) -> Doing:
    """Returns the dealer's next deed or act in play. The dealer draws a card that the machine presents without the act
    `draw-card`.
    """
    doing = _further_cards(view)
    asks = isinstance(doing, Ask) and doing.act == "draw-card"
    return _draw(view) if asks and view.offers and view.status.owed else doing


def _further_cards(view: View) -> Doing:
    """Returns the next deed or act in play: players draw, the bank turns its card and draws, and the
    round is settled.
    """
    if not view.book_has_caught_up:
        return None
    money = view.status.money
    is_decided = money is not None and money.turn == "bank"
    seat = None if is_decided else next_wanted(view)
    if turning := show_cards(view, seat):
        return turning
    if (over := out_of_play(view)) is not None and (said := view.ask("collect-hand", seat=str(over))):
        return said
    if is_decided:
        return (
            _turn_hole_card(view) or stakes.bank_draws(view) or view.ask("confirm-settled") or _nothing_is_offered(view)
        )
    if money is not None:
        return stakes.decide(view, money)
    if seat not in {None, BANK}:
        return view.ask("draw-card", seat=str(seat))
    return _turn_hole_card(view) or (
        view.ask("confirm-settled") if seat is None else view.ask("draw-card", seat=str(seat))
    )


def _nothing_is_offered(view: View) -> Doing:
    """Returns the act that asks for a card although the machine offers none: the refusal gives the reason.

    Once the table has refused the act and nothing has changed for LATE_S seconds, returns a call for a ruling. Returns
    None before that, and during a hold.
    """
    card = view.ask("draw-card", seat=str(BANK))
    if card or view.status.is_held or not view.is_quiet_for(LATE_S):
        return card
    return view.ask("call-for-ruling", cause="deal-beyond-repair")


def next_wanted(view: View) -> int | None:
    """Returns the seat that gets the next card in play (0: the bank). Returns None if no seat wants a card, and if no
    card is inside.
    """
    status = view.status
    if status.money is not None:
        return stakes.seat_in_turn(view, status.money)
    if not status.count("inside") and view.book_has_caught_up:
        return None
    left = hands_left(view)
    if status.collected and not left:
        return None
    return next((seat for seat in (*left, BANK) if _wants_card(view, seat)), None)


def _wants_card(view: View, seat: int) -> bool:
    """True if this seat gets a further card.

    A visitor at the post sees the totals. With a visitor, the bank draws up to 17, and players ask for no card at 17 or
    more.
    """
    if view.recall.guard(_further(seat)) == OUT_OF_TURN:
        return False
    lying = [card.face for card in view.sight.table if card.seat == seat]
    wanted = view.choices.further_cards(view.status.session_number, view.status.round_number, seat)
    if not view.choices.for_a_guest:
        return len(lying) < 2 + wanted
    return points([face for face in lying if face]) < stakes.BANK_DRAWS_TO and (seat == BANK or len(lying) < 2 + wanted)


def _further(seat: int) -> Ask:
    return Ask("draw-card", {"seat": str(seat)})


def _to_be_given(view: View) -> h.GiveAside:
    """Returns the deed of giving away the card laid aside.

    In a new round the first seat gets the card (mo.6.1b). During play the hand that asks for a card gets it. If no hand
    asks, the next seat that wants a card gets it, and if no seat wants one, the bank.
    """
    if view.status.round is RoundPhase.DEALING and view.status.seats:
        return h.GiveAside(min(view.status.seats), _lies_face_down(view, Purpose.SEAT))
    asked = dict(word.partition("=")[::2] for word in view.recall.last_words[1:])
    if view.status.money is not None and view.recall.last_done in {"draw-card", "double-down"}:
        return h.GiveAside(int(asked["seat"]), hand=int(asked.get("hand", 1)))
    return h.GiveAside(next_wanted(view) or BANK)


def _turn_hole_card(view: View) -> Doing:
    if not view.status.allows("turn-hole-card", Role.DEALER):
        return None
    if any(card.seat == BANK and card.face is None for card in view.sight.table):
        return Touch(h.AtTable.TURN_HOLE_CARD)
    # The face comes from the seal. For a card without a seal (the reader could not read it) people state the face.
    banks = [card.face for card in view.sight.table if card.seat == BANK and card.face]
    hole = banks[1:2] or banks  # the second card, where the first lies there, too
    by_seal = None if by_word.is_dealt_by_word(view) else view.ask("turn-hole-card")
    return by_seal or (view.ask("turn-hole-card", card=hole[0]) if hole else None)


def _after_collecting(view: View) -> Doing:
    status = view.status
    if view.sight.table:  # the act of collection came before its deed
        return Touch(h.CollectTable(status.session_number, status.round_number))
    is_last = not _more_rounds(view)
    if not is_last and view.choices.leaves_in_rack(status.session_number, status.round_number):
        return view.ask("leave-in-rack")
    says = view.choices.says_that_cards_go_back(status.session_number, status.round_number)
    is_empty = not view.sight.rack
    says |= is_empty and not view.choices.for_a_guest  # a visitor sees the empty rack himself
    if says or ((is_empty or view.sight.hopper) and view.is_quiet_for(LATE_S)):
        return view.ask("begin-putting-back")
    may = status.allows("begin-putting-back", Role.DEALER)
    if may and view.choices.for_a_guest and view.sight.rack:
        return view.ask("begin-putting-back")  # players may still complain, and he alone says that none does
    return Touch(h.AtShuffler.FEED_RACK) if may and not view.sight.hopper else None


def _putting_back(view: View) -> Doing:
    sight = view.sight
    if sight.rack and not sight.hopper:
        return Touch(h.AtShuffler.FEED_RACK)
    if sight.hopper and not view.status.holds and view.is_quiet_for(STUCK_FEED_S):
        return view.ask("end-putting-back")
    if sight.hopper or view.status.holds or not view.book_has_caught_up:
        return None
    return view.ask("end-putting-back")
