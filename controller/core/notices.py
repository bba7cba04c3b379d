"""What people should hear after a decision, read off the difference between two states."""

from controller.core.choices import WarningCard
from controller.core.custody.shoe_game import cards_behind, cut_is_offered_to, last_round_is_told
from controller.core.custody.state import ShoeGame
from controller.core.engine.decision import Notice, Values
from controller.core.games.blackjack.deal import seats_in_play
from controller.core.games.blackjack.state import Ruling
from controller.core.house.state import Hold
from controller.core.prompts import prompts_between
from controller.core.state import State
from controller.core.words import HoldPhase, SessionPhase

_LATE_CARDS = 5  # the hand that is being dealt is finished before it is said


def notices_between(before: State, after: State) -> tuple[Notice, ...]:
    """Holds raised, raised again, attended, cleared, ended; duties; corrections and rulings; steps."""
    told: list[Notice] = []
    if before.house.holds is not after.house.holds:
        told += _of_holds(before, after)
    if before.house.duties is not after.house.duties:
        told += _of_duties(before, after)
    if before.devices.display is not after.devices.display:
        told += _of_display(before, after)
    if before.house.tally is not after.house.tally or _made(before, after):
        told += _of_corrections(before, after)
    if before.custody.shoe_game is not after.custody.shoe_game or before.house.session is not after.house.session:
        told += _of_shoe(before, after)
    if before.house.session is not after.house.session or before.game.phase is not after.game.phase:
        told += [*_of_steps(before, after), *prompts_between(before, after)]
    return tuple(told)


def _of_holds(before: State, after: State) -> list[Notice]:
    old = {hold.id: hold for hold in before.house.holds}
    new = {hold.id: hold for hold in after.house.holds}
    found = [_of_hold(old.get(hold.id), hold) for hold in after.house.holds]
    ended = [Notice("hold-ended", _hold_values(hold)) for hold in before.house.holds if hold.id not in new]
    return [notice for notice in found if notice is not None] + ended


def _of_hold(before: Hold | None, after: Hold) -> Notice | None:
    if before is None or after.times > before.times:
        return Notice("hold-raised", _hold_values(after))
    if after.phase is before.phase:
        return None
    match after.phase:
        case HoldPhase.ATTENDED:
            return Notice("hold-attended", _hold_values(after))
        case HoldPhase.CLEARED:
            return Notice("hold-cleared", _hold_values(after))
        case HoldPhase.RAISED | HoldPhase.ENDED:
            return Notice("hold-raised", _hold_values(after))


def _hold_values(hold: Hold) -> Values:
    place = hold.place.value if hold.place else (hold.device.value if hold.device else "")
    return (("id", f"H{hold.id}"), ("kind", hold.kind.value), ("place", place))


def _of_duties(before: State, after: State) -> list[Notice]:
    opened = [d for d in after.house.duties if d not in before.house.duties]
    ended = [d for d in before.house.duties if d not in after.house.duties]
    return [Notice("duty-opened", (("id", f"D{d.id}"), ("kind", d.kind.value))) for d in opened] + [
        Notice("duty-ended", (("id", f"D{d.id}"), ("kind", d.kind.value))) for d in ended
    ]


def _of_display(before: State, after: State) -> list[Notice]:
    """The sign stops nothing, but what stands on it may be old while nobody can tell."""
    was, now = before.devices.display.link.connected, after.devices.display.link.connected
    if was is now or before.house.start_number != after.house.start_number:
        return []
    return [Notice("display-back" if now else "display-lost")]


def _of_corrections(before: State, after: State) -> list[Notice]:
    """A card's attribution was corrected; an incident was decided, and by whom."""
    made = _made(before, after)
    rulings = [Notice("ruling-made", (("outcome", made.outcome.value), ("role", made.role.value)))] if made else []
    corrected = after.house.tally.corrections > before.house.tally.corrections
    seats = _stakes_back(before, after) if after.house.tally.voided > before.house.tally.voided else ()
    stakes = [Notice("stakes-go-back", (("seats", " ".join(map(str, seats))),))] if seats else []
    return [*([Notice("card-corrected")] if corrected else []), *rulings, *stakes]


def _stakes_back(before: State, after: State) -> tuple[int, ...]:
    """As was ruled; else those of the hands that were not settled and collected yet (br.dev.3b)."""
    made = _made(before, after)
    return made.stakes_back if made else seats_in_play(before)


def _made(before: State, after: State) -> Ruling | None:
    return after.game.last_ruling if after.game.last_ruling is not before.game.last_ruling else None


def _is_overdue(game: ShoeGame) -> bool:
    """The warning card should have come some cards ago, and nobody has said that it has (pt.bj.9a, 11a)."""
    return game.expected is not None and game.measured is None and game.out > game.expected + _LATE_CARDS


def _is_off_its_place(state: State) -> bool:
    """No tolerance is printed for "as near as possible": another place is recorded and told (pt.bj.9a)."""
    is_counted = state.setup.procedure.warning_card is WarningCard.COUNTED
    return is_counted and state.custody.shoe_game.behind not in {None, cards_behind(state)}


def _of_shoe(before: State, after: State) -> list[Notice]:
    """Where the warning card came out, against where it should have (pt.bj.9a); whose the cut is (pt.bj.8b)."""
    was, game = before.custody.shoe_game, after.custody.shoe_game
    told: list[Notice] = []
    if game.measured is not None and was.measured is None and game.expected is not None:
        figures = (("measured", str(game.measured)), ("expected", str(game.expected)))
        told.append(Notice("warning-card-out", (*figures, ("deviation", f"{game.measured - game.expected:+d}"))))
    if game.behind != was.behind and _is_off_its_place(after):
        told.append(Notice("warning-card-off", (("behind", str(game.behind)), ("rule", str(cards_behind(after))))))
    if _is_overdue(game) and not _is_overdue(was):
        told.append(Notice("warning-card-overdue", (("out", str(game.out)), ("expected", str(game.expected)))))
    if game.measured is None and game.last_round is not None and was.last_round is None and last_round_is_told(after):
        told.append(Notice("last-round-begins", (("inside", str(after.custody.book.inside)),)))
    seat = cut_is_offered_to(after) if after.house.session is SessionPhase.MIXED else None
    if seat is not None and (before.house.session is not after.house.session or cut_is_offered_to(before) != seat):
        told.append(Notice("cut-offered", (("seat", str(seat)),)))
    return told


def _of_steps(before: State, after: State) -> list[Notice]:
    steps: list[Notice] = []
    if before.house.session is not after.house.session:
        steps.append(Notice("session-step", (("session", after.house.session.value),)))
    if before.game.phase is not after.game.phase:
        steps.append(Notice("round-step", (("round", after.game.phase.value), ("number", str(after.game.number)))))
    return steps
