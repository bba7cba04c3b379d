"""The table's screen for simulated people: the contents of the status document, without the document.

The contents are those of controller/screen/status.py; a test compares the two whenever a person looks. People look at
the screen some twenty times a round and need only a few acts each time, so the contents are computed on demand.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from controller.catalogue import Language
from controller.catalogue.words import hold_words, variants_of
from controller.core.custody.deck_check import grid_cards, grids_entered
from controller.core.custody.game import next_owed
from controller.core.custody.turning import places_face_down
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import ACTS, TABLE
from controller.core.house.permitted import who_may_ask
from controller.core.house.state import Hold, State
from controller.core.words import Role
from controller.games.blackjack import at_blackjack
from controller.games.blackjack_screen import counts, loading_status
from controller.games.blackjack_steps import STEPS
from controller.games.jackpot_status import jackpot_status
from controller.games.money_status import decisions, money_status
from controller.games.shoe_status import shoe_status
from controller.games.table_status import figures
from controller.protocol.status import FaceDownStatus, OwedStatus, StepStatus
from controller.protocol.suggestion import Suggestion
from controller.runtime.game import AnyGame
from controller.runtime.kernel import Runtime
from controller.screen.status import evidence, waiting_status, who_goes_on
from controller.screen.steps import plan_of
from simulators.people.status import PresentPerson, ShownDuty, ShownHold, ShownJournal, TableStatus

_LANGUAGE: Final = Language.EN


class Offers:
    """The acts that are possible in one state; each act is looked up only once for all people."""

    def __init__(self, state: BlackjackState) -> None:
        self.state = state
        self._who: dict[str, tuple[Role, ...]] = {}

    @cached_property
    def decisions(self) -> Sequence[Suggestion]:
        """The decisions on hands that are possible in the state."""
        return decisions(self.state)

    def who(self, act: str) -> tuple[Role, ...]:
        """Returns the roles that may ask for this act in the state."""
        who = self._who.get(act)
        if who is None:
            who = self._who[act] = who_may_ask(TABLE, self.state, ACTS[act])
        return who


class Screen(TableStatus, frozen=True, kw_only=True):
    """A status that looks up acts and the steps at holds on demand. `offers`: None if no act may be asked for now."""

    latest: BlackjackState
    offers: Offers | None = None

    def plan(self, hold: ShownHold) -> Sequence[StepStatus]:
        found = next(one for one in self.latest.house.holds if f"H{one.id}" == hold.id)
        setup = self.latest.setup
        who, variants = who_goes_on(setup, found), variants_of(setup.procedure)
        return plan_of(TABLE, STEPS, self.latest, found, who, _LANGUAGE, variants)

    @property
    def decisions(self) -> Sequence[Suggestion]:
        return () if self.offers is None else self.offers.decisions

    def allows(self, act: str, role: Role) -> bool:
        return self.offers is not None and role in self.offers.who(act)


class ScreenMaker:
    """Makes the screen of one run of the controller. Returns one object as long as the screen's contents stay equal."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self._of: tuple[State, State, int, bool] | None = None
        self._screen: Screen | None = None
        self._offers: Offers | None = None

    def look(self) -> Screen:
        """Returns the screen as it is now."""
        ledger = self.runtime.ledger
        latest, durable, waiting, is_taking = self._of or (None, None, 0, False)
        takes_acts = self.runtime.trouble() is None
        is_known = latest is ledger.latest and durable is ledger.durable
        if self._screen is None or not is_known or (waiting, is_taking) != (ledger.waiting, takes_acts):
            self._of = (ledger.latest, ledger.durable, ledger.waiting, takes_acts)
            self._screen = _screen(self.runtime, self._offers_in(at_blackjack(ledger.durable)) if takes_acts else None)
        return self._screen

    def _offers_in(self, durable: BlackjackState) -> Offers:
        if self._offers is None or self._offers.state is not durable:
            self._offers = Offers(durable)
        return self._offers


def _screen(runtime: Runtime, offers: Offers | None) -> Screen:
    """Returns the screen as it is now, without the devices. `offers`: the acts possible now."""
    latest, durable = at_blackjack(runtime.ledger.latest), at_blackjack(runtime.ledger.durable)
    owed = next_owed(durable)
    return Screen(
        session=latest.house.session,
        round=latest.game.phase,
        session_number=latest.house.session_number,
        round_number=latest.game.number,
        seats=latest.game.seats,
        collected=tuple(seat for seat in latest.game.seats if seat in latest.game.collected),
        owed=None if owed is None else OwedStatus(owed.purpose, owed.seat),
        face_down=[FaceDownStatus(*place) for place in places_face_down(durable)],
        holds=tuple(_hold(runtime.game, hold, latest, durable) for hold in latest.house.holds),
        counts=counts(latest),
        loading=loading_status(latest),
        waiting=tuple(waiting_status(runtime.game, durable, _LANGUAGE)),
        duties=tuple(ShownDuty(f"D{duty.id}", duty.kind, duty.who) for duty in latest.house.duties),
        present=tuple(PresentPerson(p.person, p.role, p.operation) for p in latest.house.present),
        shoe=shoe_status(latest),
        grids_entered=tuple(grids_entered(latest)),
        grid_cards=tuple(grid_cards(latest)),
        figures=figures(durable),
        journal=ShownJournal(runtime.ledger.durable_seq, runtime.head.hex(), runtime.ledger.waiting),
        money=money_status(durable),
        jackpot=jackpot_status(durable),
        latest=latest,
        offers=offers,
    )


def _hold(game: AnyGame, hold: Hold, latest: BlackjackState, durable: BlackjackState) -> ShownHold:
    words = hold_words(hold, _LANGUAGE)
    return ShownHold(
        id=f"H{hold.id}",
        kind=hold.kind,
        phase=hold.phase,
        device=hold.device.value if hold.device else None,
        place=words.place,
        text=words.text,
        recorded=hold in durable.house.holds,
        evidence=evidence(game, latest, hold),
        about=dict(hold.details),
    )
