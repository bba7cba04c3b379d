"""Cards that lie face down on the table: the acts that turn them, and the proof of their faces.

The core learns the face of such a card only when the card is turned (pt.bj.17b, mo.5.2.1.1), and takes it from the
seal. If the seal is lost, or no reader has seen the card, people read the face off. If the seal has another card, a
hold is raised.
"""

from typing import Any, Final, TypeAlias, assert_never

from controller.core.custody.agreement import corrects, needs_agreement
from controller.core.custody.doubt import cards_to_name, end_unread, is_unread
from controller.core.custody.game import game_of, lies_face_down, rule_on_undue
from controller.core.custody.round import NO_CARD_IS_OWED, of_the_round
from controller.core.custody.shoe import LAST_ROUND_IS_ANNOUNCED
from controller.core.custody.state import (
    FOREIGN,
    Card,
    CardState,
    CardStateT,
    Dealt,
    Join,
    commitment,
    last_dealt,
    with_round,
)
from controller.core.custody.taking_back import NO_CARD_WAS_ASKED_FOR, foreign_by_word, foreign_card
from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.holds import holds_of, raise_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.people import supervises
from controller.core.house.rule import CARDS_LIE, DEALER, DEALER_OR_CHIEF, ActGuard, ActRule, Guard, P, R
from controller.core.house.state import with_tally
from controller.core.house.undoing import Never, by, never
from controller.core.words import HoldKind, HoldPhase, Purpose, RoundPhase, TableMs


class StateCard(Act, frozen=True):
    """People state the face of an open card: card number `position`, from 1, at `seat`, which is 0 for the bank. Only
    without a reader.
    """

    seat: int
    position: int
    card: Card


class TurnHoleCard(Act, frozen=True):
    """The bank's face-down card is turned. `card` and `salt` come from the seal, or people read `card` off.
    `seal_differs`: True if the seal has another card than `card`. The seal's salt is then left out: guesses with the
    salt would reveal the sealed card.
    """

    card: Card | None
    salt: str | None
    seal_differs: bool = False


class TurnCard(Act, frozen=True):
    """A player shows a card that lies face down before him: number `position` at `seat`, the first dealt being 1."""

    seat: int
    position: int
    card: Card | None
    salt: str | None
    seal_differs: bool = False


Turning: TypeAlias = TurnHoleCard | TurnCard
"""The acts that turn a face-down card; `card` and `salt` come from the seal, or people read `card` off."""
TURNINGS: Final = (TurnHoleCard, TurnCard)


class RenameCard(Act, frozen=True):
    """People correct the face of a card on the table: card number `position` at `seat`, which is 0 for the bank."""

    seat: int
    position: int
    card: Card


def card_meant(state: CardState, act: Turning) -> Dealt | None:
    """The card that this act turns, as it lies on the table. None if no such card lies face down."""
    match act:
        case TurnHoleCard():
            return next((d for d in state.game.dealt if d.purpose is Purpose.HOLE and lies_face_down(d)), None)
        case TurnCard(seat=seat, position=position):
            found = _card_at(state, seat, position)
            return found if found is not None and _is_a_players(found) and lies_face_down(found) else None
        case _:
            assert_never(act)


def _card_at(state: CardState, seat: int, position: int) -> Dealt | None:
    at_seat = [d for d in state.game.dealt if d.seat == seat]
    return at_seat[position - 1] if 1 <= position <= len(at_seat) else None


def was_read_off(dealt: Dealt) -> bool:
    """True if only people have named the face of the card `dealt`, not a reader or a seal."""
    unseen = dealt.face_down is not None and dealt.commitment is None
    return dealt.card is not None and (dealt.named or unseen)


def card_to_rename(state: CardState, act: RenameCard) -> Dealt | None:
    """The card on the table that `act` renames. None if the card may not be renamed.

    A card may be renamed if its readings are in doubt, if people alone have named it, or if the new name is FOREIGN
    (pt.bj.3b). A supervisor may also rename a card at an attended hold for an unexpected card, or before a ruling.
    """
    found = _card_at(state, act.seat, act.position)
    if found in cards_to_name(state):
        return found
    if found is None or found.card is None:
        return None
    return found if was_read_off(found) or act.card == FOREIGN or _is_examined(state, act) else None


def _is_examined(state: CardState, act: RenameCard) -> bool:
    """True if a supervisor acts while a hold for an unexpected card is attended, or a ruling is owed."""
    return supervises(state.setup, act.role) and _may_be_examined(state)


def _may_be_examined(state: CardState) -> bool:
    attended = any(hold.phase is HoldPhase.ATTENDED for hold in holds_of(state, HoldKind.UNEXPECTED_CARD))
    return attended or bool(holds_of(state, HoldKind.RULING))


def nameless_card(state: CardState, act: StateCard) -> Dealt | None:
    """The open card without a face at the seat and position that `act` gives. None if no such card lies there."""
    found = _card_at(state, act.seat, act.position)
    return found if found is not None and is_unread(found) else None


def stated(state: CardStateT, act: StateCard, at_ms: TableMs) -> CardStateT:
    """The state with the stated face of an open card. Unchanged if no nameless card lies in that place.

    A foreign card counts as never dealt and raises a hold (pt.bj.3b).
    """
    meant = nameless_card(state, act)
    if meant is None:
        return state
    if act.card == FOREIGN:
        return foreign_by_word(state, _place_of(state, meant), act, at_ms)
    return _ruled_on(state, _changed(state, meant, replace(meant, card=act.card, named=True)), at_ms)


def renamed(state: CardStateT, act: RenameCard, at_ms: TableMs) -> CardStateT:
    """The state with the card's corrected face. A foreign card counts as never dealt and raises a hold (pt.bj.3b). The
    hold for unread cards ends with the last doubted or unread card.

    The number of corrections grows by one, even if the act names no card.
    """
    state, meant = with_tally(state, corrections=state.house.tally.corrections + 1), card_to_rename(state, act)
    if meant is None:
        return state
    if act.card == FOREIGN:
        return foreign_by_word(state, _place_of(state, meant), act, at_ms)
    changed = _changed(state, meant, replace(meant, card=act.card, named=True, doubted=None))
    state = _ruled_on(state, changed, at_ms)
    return state if cards_to_name(state) else end_unread(state)


def _ruled_on(before: CardStateT, after: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state `after` a card's face became known or was changed. A ruling is owed for each card or decision that the
    faces known now forbid and those known before permitted.
    """
    return rule_on_undue(after, at_ms, game_of(before).undue(before))


def is_the_last(state: CardState, act: RenameCard) -> bool:
    """True if the act renames the card dealt last."""
    meant = card_to_rename(state, act)
    return bool(state.game.dealt) and meant is last_dealt(state)


def _place_of(state: CardState, meant: Dealt) -> int:
    return next(index for index, dealt in enumerate(state.game.dealt) if dealt is meant)


def _is_a_players(dealt: Dealt) -> bool:
    return dealt.purpose is Purpose.SEAT


def players_cards_face_down(state: CardState) -> tuple[Dealt, ...]:
    """The players' cards that lie face down and must still be shown, in the order of the deal."""
    return tuple(dealt for dealt in state.game.dealt if _is_a_players(dealt) and lies_face_down(dealt))


def places_face_down(state: CardState) -> tuple[tuple[int, int], ...]:
    """The seat (0: the bank) and the number at that seat of every face-down card, in the order of the deal."""
    lying: dict[int, int] = {}
    found = []
    for dealt in state.game.dealt:
        lying[dealt.seat] = lying.get(dealt.seat, 0) + 1
        if lies_face_down(dealt):
            found.append((dealt.seat, lying[dealt.seat]))
    return tuple(found)


def face_is_committed(state: CardState, act: Turning) -> bool:
    """True if the given face may count: the face agrees with the card's commitment, or cannot be compared. Always False
    with `seal_differs`. Nothing can be compared without a face-down card, a commitment or a given face. With a lost
    salt (None) only a card that is already `disputed` passes.
    """
    if act.seal_differs:
        return False
    meant = card_meant(state, act)
    if meant is None or meant.commitment is None or act.card is None:
        return True
    if act.salt is None:
        return meant.disputed
    return commitment(bytes.fromhex(act.salt), act.card) == meant.commitment


def turn(state: CardStateT, act: Turning, at_ms: TableMs) -> CardStateT:
    """The state with the card face up.

    A foreign card counts as never dealt and raises a hold (pt.bj.3b). Another person must agree if the face was in
    doubt, or if the table has a reader and no seal proves the face. The game may call for a ruling.
    """
    meant = card_meant(state, act)
    if meant is None:
        return state
    if act.card == FOREIGN:
        at = _place_of(state, meant)
        return foreign_card(state, at, at_ms) if _is_sealed(meant, act) else foreign_by_word(state, at, act, at_ms)
    turned = _changed(state, meant, replace(meant, card=act.card, doubted=None))
    if meant.doubted is not None or not _is_shown(turned, meant, act):
        turned = needs_agreement(turned, act)
    return _ruled_on(state, turned, at_ms)


def _is_shown(state: CardState, meant: Dealt, act: Turning) -> bool:
    """True if the seal proves the face, or if the table has no reader, so that all at the table have seen the face."""
    return not state.setup.has_reader or _is_sealed(meant, act)


def _is_sealed(meant: Dealt, act: Turning) -> bool:
    return meant.commitment is not None and act.salt is not None


def face_disputed(state: CardStateT, act: Turning, at_ms: TableMs) -> CardStateT | None:
    """The state with a hold if the seal is lost or has another card; the face that people name after the hold counts.
    None if the given face may count at once.
    """
    if face_is_committed(state, act):
        return None
    meant = card_meant(state, act)
    state = state if meant is None else _changed(state, meant, replace(meant, disputed=True))
    is_lost = act.salt is None and not act.seal_differs
    details = (("cause", "seal-lost" if is_lost else "face-not-committed"),)
    return raise_hold(state, HoldKind.UNEXPECTED_CARD, at_ms, details=details, needs_count=not is_lost)


def _changed(state: CardStateT, meant: Dealt, changed: Dealt) -> CardStateT:
    return with_round(state, dealt=tuple(changed if d is meant else d for d in state.game.dealt))


HOLE_CARD_IS_FACE_DOWN = Guard[CardState](
    "hole_card_is_face_down",
    lambda state: any(d.purpose is Purpose.HOLE and lies_face_down(d) for d in state.game.dealt),
)
PLAYERS_CARD_IS_FACE_DOWN = ActGuard[CardState, TurnCard](
    "players_card_is_face_down",
    lambda state, act: card_meant(state, act) is not None,
    possible=lambda state: bool(players_cards_face_down(state)),
)
PLAYERS_CARDS_ARE_SHOWN = Guard[CardState](  # [R]: at the settlement at the latest, which compares points
    "players_cards_are_shown",
    lambda state: not players_cards_face_down(state),
    lambda state: (("seats", _seats_not_shown(state)),),
)


def _seats_not_shown(state: CardState) -> str:
    return ", ".join(dict.fromkeys(str(dealt.seat) for dealt in players_cards_face_down(state)))


def _face_is_given(_state: CardState, act: Act | None) -> bool:
    return not isinstance(act, TURNINGS) or act.card is not None


def _turning_act(_state: CardState, act: Act | None) -> Values:
    """The value `turning` of sentences: the act that turns the card, with the card's place if the act needs it."""
    place = f" --value seat={act.seat} --value position={act.position}" if isinstance(act, TurnCard) else ""
    return (("turning", ("turn-card" if place else "turn-hole-card") + place),)


FACE_IS_GIVEN = ActGuard[CardState, Act](
    "face_is_given",
    _face_is_given,
    _turning_act,  # for a player's card; the bank's has no place
)
NO_DEVICE_READS = Guard[CardState]("no_device_reads", lambda state: not state.setup.has_reader)
OPEN_CARD_HAS_NO_NAME = ActGuard[CardState, StateCard](
    "open_card_has_no_name",
    lambda state, act: nameless_card(state, act) is not None,
    possible=lambda state: any(map(is_unread, state.game.dealt)),
)
CARD_WAS_READ_OFF = ActGuard[CardState, RenameCard](
    "card_was_read_off",
    lambda state, act: card_to_rename(state, act) is not None,
    possible=lambda state: bool(cards_to_name(state)) or any(one.card is not None for one in state.game.dealt),
)


def _no_other_comes(state: CardState, act: RenameCard) -> bool:
    """True unless the act calls a card foreign that cannot be replaced now. A card can be replaced while no other card
    is on its way; during the deal only the card dealt last.
    """
    if act.card != FOREIGN:
        return True
    waits = state.game.requested is not None or state.custody.join != Join()
    return not waits and (state.game.phase is RoundPhase.PLAYING or is_the_last(state, act))


def _some_may_be_renamed(state: CardState) -> bool:
    """True if people may now name a doubted or stated card, examine the cards, or call a card foreign."""
    named = cards_to_name(state) or any(was_read_off(one) for one in state.game.dealt)
    waits = state.game.requested is not None or state.custody.join != Join()
    is_open = state.game.phase is RoundPhase.PLAYING or (bool(state.game.dealt) and last_dealt(state).card is not None)
    return _may_be_examined(state) or bool(named) or (is_open and not waits)


NO_OTHER_CARD_COMES_FIRST = ActGuard[CardState, RenameCard](
    "no_other_card_comes_first", _no_other_comes, possible=_some_may_be_renamed
)


def turning_acts(players_are_done: Guard[Any]) -> tuple[ActRule[Any, Any], ...]:
    """The rows of the acts that turn or state a card.

    `players_are_done`: the game's guard before the bank's card is turned.
    """
    return (
        ActRule(
            "turn-hole-card",
            TurnHoleCard,
            DEALER,
            of_the_round(turn),
            (HOLE_CARD_IS_FACE_DOWN, NO_CARD_IS_OWED, players_are_done),
            in_round=(R.PLAYING,),
            needs=P.BET,
            last=(LAST_ROUND_IS_ANNOUNCED, FACE_IS_GIVEN),
            instead=face_disputed,
            undone=never(Never.SEEN),
            money=Money.NAMED,
            manner=Manner.DOES,
        ),
        ActRule(
            "turn-card",
            TurnCard,
            DEALER,
            of_the_round(turn),  # at once for a hand above 21; [R] on a claim, and at the settlement
            (PLAYERS_CARD_IS_FACE_DOWN, NO_CARD_IS_OWED),
            in_round=(R.PLAYING,),
            needs=P.BET,
            last=(FACE_IS_GIVEN,),
            instead=face_disputed,
            undone=never(Never.SEEN),
            money=Money.NAMED,
            manner=Manner.DOES,
        ),
        ActRule(
            "state-card",
            StateCard,
            DEALER,
            of_the_round(stated),
            (NO_DEVICE_READS, OPEN_CARD_HAS_NO_NAME, NO_CARD_WAS_ASKED_FOR),
            in_round=CARDS_LIE,
            undone=by("rename-card"),
            money=Money.NAMED,
            manner=Manner.DOES,
        ),
    )


RENAMING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "rename-card",
        RenameCard,
        DEALER_OR_CHIEF,
        corrects(renamed),
        (CARD_WAS_READ_OFF, NO_OTHER_CARD_COMES_FIRST),
        in_round=CARDS_LIE,
        undone=by("rename-card"),
        money=Money.CORRECTED,
        manner=Manner.DOES,
    ),
)
