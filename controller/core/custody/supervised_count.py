"""A supervised count: people count what no device counts, and what they find is what the book says from then on."""

from controller.core.custody import acts as a
from controller.core.custody.books import COUNTER_SPAN, cards_of_the_set, counted_inside
from controller.core.custody.faces import may_come_again
from controller.core.custody.game import game_of
from controller.core.custody.numbers import followed
from controller.core.custody.owed import burns_at_start
from controller.core.custody.session_table import CardTrigger
from controller.core.custody.state import CardState, CardStateT
from controller.core.engine.replacing import replace
from controller.core.house.holds import holds_of, raise_hold, update_hold
from controller.core.house.state import ReaderKnown, ShufflerKnown, session_moved
from controller.core.words import HoldKind, HoldPhase, RoundPhase, SessionPhase, TableMs


def state_count(state: CardStateT, act: a.StateCount | a.StateWholeCount, at_ms: TableMs) -> CardStateT:
    """The state after what people have counted. Only a count that finds every card changes the book."""
    inside = act.inside if isinstance(act, a.StateWholeCount) else counted_inside(state)
    if inside is None:
        return state
    book = replace(
        state.custody.book,
        rack=act.rack,
        table=act.table,
        burnt=act.burnt if isinstance(act, a.StateWholeCount) else state.custody.book.burnt,
        pending=act.pending if isinstance(act, a.StateCount) else 0,
        in_hand=act.in_hand,
        outside=act.outside,
        inside=inside,
        jammed_inside=0,
        jammed_feed=0,
    )
    whole = book.total == cards_of_the_set(state, book.total)
    if whole:  # what an irregular closing was proposed for can be mended after all
        state = replace(state, house=replace(state.house, irregular_proposed_by=None))
        state = replace(
            state,
            custody=replace(state.custody, book=book),
            devices=replace(state.devices, shuffler=_counts_taken(state.devices.shuffler)),
            game=replace(state.game, put_back_due=state.game.put_back + act.rack),
        )
        state = may_come_again(
            replace(state, devices=replace(state.devices, reader=_figure_taken(state.devices.reader)))
        )
        state = _as_they_lie(_shoe_counted(state))
        state = _nobodys_cards_hold(state, at_ms)
    figures = (("stated", str(book.total)), ("deck_set_cards", str(state.setup.cards)))
    for hold in state.house.holds:
        if hold.needs_count and hold.phase is HoldPhase.ATTENDED:
            state = update_hold(state, replace(hold, counted=whole, details=(*_without(hold.details), *figures)))
    return state


def _nobodys_cards_hold(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """A card that people count apart and that does not lie aside for somebody waits for their word where it goes."""
    of_nobody = state.custody.book.pending - (0 if state.custody.set_aside is None else 1)
    if of_nobody <= 0 or holds_of(state, HoldKind.UNEXPECTED_CARD):
        return state
    return raise_hold(state, HoldKind.UNEXPECTED_CARD, at_ms, details=(("cause", "not-owed"),))


def _counts_taken(known: ShufflerKnown) -> ShufflerKnown:
    status = known.status
    return known if status is None else followed(known, status)


def _figure_taken(reader: ReaderKnown) -> ReaderKnown:
    """Every card is accounted for: what the reader has counted beside its events is where its figure begins anew."""
    if reader.heard is None:
        return replace(reader, unseen=0)
    return replace(reader, passages=reader.heard, heard=None, missing=0, unseen=0)


def _shoe_counted(state: CardStateT) -> CardStateT:
    """People have counted the shoe's cards, too: its reader's figure, if it knows one, counts on from there."""
    if state.setup.has_shuffler:
        return state
    figure, out = state.devices.reader.passages, state.setup.cards - state.custody.book.inside
    filled_at = None if figure is None else (figure - out) % COUNTER_SPAN
    return replace(
        state, custody=replace(state.custody, shoe_game=replace(state.custody.shoe_game, filled_at=filled_at))
    )


def _without(details: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in details if key not in {"stated", "deck_set_cards"})


def _as_they_lie(state: CardStateT) -> CardStateT:
    """What no shuffler counts a whole count says anew: the burn, and where people say what was dealt the round."""
    if state.setup.has_shuffler:
        return state
    if state.house.session is SessionPhase.LOADED or _no_round_has_begun(state):
        return _burnt_as_counted(state)
    is_open = state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}
    return game_of(state).counted(state) if is_open and state.setup.is_dealt_by_word else state


def _burnt_as_counted(state: CardStateT) -> CardStateT:
    burned = getattr(state.custody.book, state.setup.procedure.burn_place.value)
    tally = replace(state.house.tally, burned=state.house.tally.burned + burned - state.custody.burned)
    state = replace(state, custody=replace(state.custody, burned=burned), house=replace(state.house, tally=tally))
    is_drawn = burned >= burns_at_start(state.setup)
    trigger = CardTrigger.BURN_DRAWN if is_drawn else CardTrigger.BURN_MISSED
    return session_moved(state, trigger)


def _no_round_has_begun(state: CardState) -> bool:
    """Since the box was filled: what was said of its burn can still be put right by the burn itself."""
    is_before = state.game.number < state.custody.shoe_game.first_round
    return state.house.session is SessionPhase.IN_PLAY and state.game.phase is RoundPhase.IDLE and is_before
