"""Decides on the next deed or act of each person at a roulette table, from what the person sees."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct, field

from controller.core.house.round_log import NO_LOG, RoundLog
from controller.core.words import DutyKind, HoldKind, Role, RoundPhase, SessionPhase
from controller.protocol.status import HoldStatus, Status, StepState
from controller.protocol.wheel_status import WheelStatus
from simulators.people.mistyped import addition_of, corrections_of
from simulators.wheel.players import COLOURS, Players
from simulators.wheel.room import Amiss, Hand, HandAct, Launch, Sight, SpinKey

WITHOUT_A_NUMBER_S: Final = 30.0
"""Seconds without a number at a wheel at rest, after which the dealer calls a null spin."""


class Ask(Struct, frozen=True):
    """An act for which a person asks. `gives_pin`: True if the person gives number and PIN."""

    act: str
    values: Mapping[str, str] = field(default_factory=dict)
    gives_pin: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """The act's name and its values as a tuple, to compare two acts."""
        return self.act, *(f"{name}={value}" for name, value in sorted(self.values.items()))

    @property
    def told(self) -> str:
        return "asks: " + " ".join(self.words)


class Touch(Struct, frozen=True):
    """A deed at the table. An act at the screen is an `Ask`."""

    hand: HandAct

    @property
    def told(self) -> str:
        hand = self.hand
        return "hands: " + (f"launch {'right' if hand.clockwise else 'left'}" if isinstance(hand, Launch) else hand)

    @property
    def act(self) -> str:
        """The deed's name, as a key of the table of durations in crew.py."""
        return "launch" if isinstance(self.hand, Launch) else self.hand.value


Doing: TypeAlias = Ask | Touch | None
"""A person's next act or deed; None if there is none now."""


class View(Struct, frozen=True):
    """All that a person sees of screen and table when deciding on a deed. `quiet_s`: seconds since the last change."""

    status: Status
    sight: Sight
    players: Players
    person: int
    spins: int  # spins of a session
    sessions: int | None = 1  # None: no limit
    quiet_s: float = 0.0
    done: frozenset[tuple[str, ...]] = frozenset()  # `Ask.words` of acts with an answer in this spin
    refused: frozenset[tuple[str, ...]] = frozenset()  # `Ask.words` of acts refused in this state
    log: RoundLog = NO_LOG  # the round's list

    @property
    def wheel(self) -> WheelStatus:
        return self.status.wheel or WheelStatus()

    @property
    def spin(self) -> SpinKey:
        return self.status.session_number, self.status.round_number, self.status.tally.get("voided", 0)

    @property
    def is_over(self) -> bool:
        """True once the last session is closed and all its duties are reported."""
        is_last = self.sessions is not None and self.status.session_number >= self.sessions
        return self.status.session == SessionPhase.CLOSED and is_last and not self.status.duties

    @property
    def dealers(self) -> tuple[int, ...]:
        return tuple(one.person for one in self.status.present if one.role == Role.DEALER)

    def holds(self, kind: HoldKind) -> bool:
        return any(one.kind == kind for one in self.status.holds)

    def offers(self, act: str, role: Role) -> bool:
        return any(one.act == act and role.value in one.who for one in self.status.next)

    def ask(self, role: Role, act: str, values: Mapping[str, str] | None = None) -> Ask | None:
        """Returns the act if the screen offers it to this role and it was not refused in this state; else None."""
        asked = Ask(act, values or {}, gives_pin=role is not Role.DEALER or act == "sign-in")
        return asked if self.offers(act, role) and asked.words not in self.refused else None


# --- holds


def _by_steps(view: View, role: Role) -> Ask | None:
    """Returns the first step at an open hold that this role can take and that was not refused; else None."""
    asks = (ask for hold in view.status.holds for ask in _next_step(view, hold, role))
    return next((ask for ask in asks if ask.words not in view.refused), None)


def _next_step(view: View, hold: HoldStatus, role: Role) -> Iterator[Ask]:
    for step in hold.plan:
        if step.state is not StepState.NEXT:
            continue
        for way in step.acts:
            if role.value in way.who:
                values = {"hold": hold.id} if "hold" in way.asks else {}
                yield Ask(
                    way.act,
                    way.values | values | _decided(view, way.act),
                    gives_pin=way.needs_pin or role is not Role.DEALER,
                )


def _agreed(view: View, role: Role) -> Ask | None:
    for one in view.status.waiting:
        if role.value in one.who and one.person != view.person:
            return Ask(one.act, one.values)
    return None


def _decided(view: View, act: str) -> dict[str, str]:
    """Returns the values that a person must choose for this act."""
    match act:
        case "rule-on-spin":
            return _ruling(view)
        case "rebuild-markings":
            return {"by": "recorded" if view.wheel.follows_bets else "staff"}
        case "decide-claim":
            return {"upheld": "no"}
        case "report-duty":
            return {"reference": "by telephone"}
        case _:
            return {}


def _ruling(view: View) -> dict[str, str]:
    """Returns the values of a ruling on a spin: its number stands, the spin is null, or the game goes on."""
    status, sight = view.status, view.sight
    is_known = sight.number is not None or status.round == RoundPhase.NULL_SPIN
    is_told = view.wheel.contested or any(hold.cause == _CONTESTED for hold in status.holds)
    is_contested = is_known and is_told
    is_open = status.round in {RoundPhase.SPINNING, RoundPhase.NO_MORE_BETS} and view.wheel.result is None
    if not is_contested and not is_open:
        return {"outcome": "goes-on"} | ({} if sight.number is None else {"number": str(sight.number)})
    if not is_contested and (sight.launched_for != view.spin or sight.running):
        return {"outcome": "goes-on"}
    return {"outcome": "null"} if sight.number is None else {"outcome": "number-stands", "number": str(sight.number)}


# --- the dealer


def deal(view: View) -> Doing:
    status, sight = view.status, view.sight
    # the step is from the newest state, the wheel's status from the recorded state
    if view.is_over or status.journal.waiting:
        return None
    if not view.dealers or (
        view.wheel.dealer_due and status.round == RoundPhase.IDLE and view.person not in view.dealers
    ):
        return view.ask(Role.DEALER, "sign-in", {"operation": "table"})
    if view.person not in view.dealers:
        return None
    if Amiss.BALL_DEFECTIVE in sight.amiss and status.round == RoundPhase.IDLE:
        return _unless_done(view, "replace-ball", {"diameter_mm": "20"}) or Touch(Hand.SWAP_BALL)
    if Amiss.FELL_IN in sight.amiss:
        return view.ask(Role.DEALER, "declare-null-spin") or Touch(Hand.CLEAR_WHEEL)
    if asked := _agreed(view, Role.DEALER) or _reported(view) or _by_steps(view, Role.DEALER):
        return asked
    return _put_right(view) if _is_to_be_put_right(view) else _played(view)


def _is_to_be_put_right(view: View) -> bool:
    return view.sight.mistyped is not None or view.offers(_SETTLED, Role.DEALER)


def _put_right(view: View) -> Doing:
    """Returns the dealer's next deed or act about a mistyped entry; None while another person must agree."""
    wrong = view.sight.mistyped
    if not view.status.next or any(one.act in {_SETTLED, _CORRECT, _ADD} for one in view.status.waiting):
        return None
    if view.offers(_SETTLED, Role.DEALER):
        return view.ask(Role.DEALER, _SETTLED)
    if wrong is not None and wrong.entered.act == "declare-null-spin":
        return _contested(view)
    if wrong is None:
        return Touch(Hand.FORGET_ENTRY)
    if (added := addition_of(wrong, view.log)) is not None:
        return view.ask(Role.DEALER, _ADD, added) or Touch(Hand.FORGET_ENTRY)
    if not wrong.stands_in(view.log):
        return Touch(Hand.FORGET_ENTRY)
    tries = (view.ask(Role.DEALER, _CORRECT, values) for values in corrections_of(wrong, view.log))
    return next(filter(None, tries), None) or Touch(Hand.FORGET_ENTRY)


def _contested(view: View) -> Doing:
    """Returns the act that contests a null spin, else the deed that forgets the matter. None during a spin or hold."""
    if view.sight.running or view.holds(HoldKind.IRREGULAR_SPIN):
        return None
    is_null = view.status.round == RoundPhase.NULL_SPIN and view.sight.number is not None
    return (view.ask(Role.DEALER, "contest-spin") if is_null else None) or Touch(Hand.FORGET_ENTRY)


_RETURNED: Final = "confirm-return"
_CONTESTED: Final = "contested"
_CORRECT: Final = "correct-spin-entry"
_ADD: Final = "add-spin-entry"
_SETTLED: Final = "confirm-differences"


def _reported(view: View) -> Doing:
    """Returns the dealer's next deed or act about moved chips or a complaining player; None without either."""
    if Amiss.CHIPS_MOVED in view.sight.amiss:
        if told := _unless_done(view, "report-moved-chips", {}):
            return told
        if not view.holds(HoldKind.MOVED_CHIPS):
            return Touch(Hand.LAY_CHIPS_BACK)
    if Amiss.PLAYER_COMPLAINS in view.sight.amiss:
        return _unless_done(view, "record-claim", {"player": "1"}) or Touch(Hand.HEAR_PLAYER)
    return None


def _unless_done(view: View, act: str, values: Mapping[str, str]) -> Ask | None:
    """Returns the dealer's act; None if the screen does not offer it, or if it was asked for in this spin."""
    asked = view.ask(Role.DEALER, act, values)
    return asked if asked is not None and asked.words not in view.done else None


def _played(view: View) -> Doing:
    status = view.status
    if _is_misread(view) and (contested := view.ask(Role.DEALER, "contest-spin")):
        return contested
    match status.round:
        case _ if status.session == SessionPhase.CLOSED:
            return view.ask(Role.DEALER, "open-session")
        case RoundPhase.SPINNING:
            return _spinning(view)
        case RoundPhase.NO_MORE_BETS:
            return _announced(view)
        case RoundPhase.PAYING:
            return _paid(view)
        case _ if status.session == SessionPhase.IN_PLAY:
            return _before_the_launch(view)
        case _:
            return None


def _is_misread(view: View) -> bool:
    """True if people notice that screen and ball differ: at once in even spins, after the last prize in odd ones."""
    result, sight = view.wheel.result, view.sight
    is_of_it = sight.launched_for == view.spin and not sight.running and sight.number is not None
    is_paid = view.status.round == RoundPhase.PAYING and not view.wheel.next_prizes
    is_seen = is_paid or view.status.round_number % 2 == 0
    return is_of_it and is_seen and result is not None and result != sight.number


def _before_the_launch(view: View) -> Doing:
    """Returns the dealer's next deed or act before a launch: closing, ball, bets, or the launch itself."""
    status, wheel = view.status, view.wheel
    if status.round == RoundPhase.IDLE and status.round_number >= view.spins:
        return _cleared_away(view)
    if wheel.ball_due and (changed := view.ask(Role.DEALER, "change-ball")):
        return changed
    if status.round == RoundPhase.NULL_SPIN and wheel.last_number is not None:
        put = view.ask(Role.DEALER, "put-ball-back", {"number": str(wheel.last_number)})
        if put is not None and put.words not in view.done:
            return put
    if not view.sight.ready:
        return None
    return _bets(view) or view.ask(Role.DEALER, "launch-ball", {"clockwise": "yes" if wheel.next_clockwise else "no"})


def _cleared_away(view: View) -> Doing:
    """Returns the next act before the closing: remove a bet, exchange a player's chips, or indicate the closing."""
    for stake in view.wheel.stakes:
        return view.ask(Role.DEALER, "remove-bet", {"player": str(stake.player), "bet": stake.bet})
    for who, is_confirmed in (({"player": str(one.player)}, one.confirmed) for one in view.wheel.players):
        if is_confirmed:
            return view.ask(Role.DEALER, "exchange-chips", {**who, "chips": "7"})
        return view.ask(Role.DEALER, "confirm-value", who) or view.ask(Role.DEALER, "take-colour-back", who)
    return view.ask(Role.DEALER, "indicate-closing")


def _bets(view: View) -> Ask | None:
    """Returns the act for the next wish of a player: colour, value of the chips, or a bet; None after the last wish."""
    wheel, (session, spin, _) = view.wheel, view.spin
    has_laid = any(words[0].startswith("place-") for words in view.done)
    if wheel.follows_bets and wheel.stakes and not has_laid and view.players.takes_down(session, spin):
        stake = wheel.stakes[0]
        return view.ask(Role.DEALER, "remove-bet", {"player": str(stake.player), "bet": stake.bet})
    if asked := _colours(view, view.players.here_at(session, spin)):
        return asked
    if (waits := view.players.waiting(session, spin)) and (asked := _unless_done(view, "state-waiting", waits)):
        return asked
    wishes = view.players.wishes(session, spin) if wheel.follows_bets else ()
    return next((asked for wish in wishes if (asked := _unless_done(view, wish.act, wish.values))), None)


def _colours(view: View, here: tuple[int, ...]) -> Ask | None:
    """Returns the act that gives or confirms a player's colour, or exchanges chips of a lost colour; else None."""
    held = {one.player: one for one in view.wheel.players}
    free = [colour for colour in COLOURS if all(one.colour != colour for one in view.wheel.players)]
    asks = []
    for player in here:
        who = {"player": str(player)}
        if player in held:
            asks += [] if held[player].confirmed else [view.ask(Role.DEALER, "confirm-value", who)]
        elif free:
            values = who | {"colour": free[0], "value": view.players.value_of(player)}
            asks.append(_unless_done(view, "give-colour", values))
    lost = [str(one.player) for one in view.wheel.players if one.lost]
    asks += [view.ask(Role.DEALER, "exchange-chips", {"player": player, "chips": "3"}) for player in lost]
    return next((asked for asked in asks if asked), None)


def _spinning(view: View) -> Doing:
    sight = view.sight
    if sight.launched_for != view.spin and sight.ready:
        return Touch(Launch(not view.wheel.next_clockwise, view.spin))
    if not view.wheel.follows_bets:
        idle = [one.player for one in view.wheel.players if one.player not in view.players.here_at(*view.spin[:2])]
        for player in idle:
            if asked := _unless_done(view, "state-without-bet", {"player": str(player)}):
                return asked
    if sight.running:
        return view.ask(Role.DEALER, "announce-nothing-more")
    return _null_at_last(view)


def _null_at_last(view: View) -> Ask | None:
    is_late = view.quiet_s >= WITHOUT_A_NUMBER_S and not view.status.holds and not view.sight.running
    return view.ask(Role.DEALER, "declare-null-spin") if is_late and view.wheel.result is None else None


def _announced(view: View) -> Doing:
    result = view.wheel.result
    if result is None:
        return _null_at_last(view)
    return view.ask(Role.DEALER, "announce-number", {"number": str(result)})


def _paid(view: View) -> Doing:
    """Returns the act that pays the next player in the next group of bets (pt.rou.30b), or that ends the payments."""
    group, prizes = view.wheel.next_prizes, view.wheel.prizes
    if not group:
        return view.ask(Role.DEALER, "confirm-payments")
    return view.ask(Role.DEALER, "pay-prizes", {"group": group, "player": str(prizes[0].player)})


# --- people who are called


def supervise(view: View) -> Doing:
    if asked := _agreed(view, Role.CHIEF_SUPERVISOR) or _by_steps(view, Role.CHIEF_SUPERVISOR):
        return asked
    if view.status.round == RoundPhase.NULL_SPIN and view.wheel.last_number is None:
        put = view.ask(Role.CHIEF_SUPERVISOR, "put-ball-back", {"number": "0"})
        if put is not None and put.words not in view.done:
            return put
    if not any(one.act == _RETURNED for one in view.status.waiting) and view.offers(_RETURNED, Role.CHIEF_SUPERVISOR):
        return view.ask(Role.CHIEF_SUPERVISOR, _RETURNED)
    return _compared(view) or view.ask(Role.CHIEF_SUPERVISOR, "end-session") or _duty(view, Role.CHIEF_SUPERVISOR)


def _compared(view: View) -> Ask | None:
    """Returns the act that compares the clocks, if that duty is due. The video recorder always shows 20:15:00."""
    is_due = any(duty.kind == DutyKind.COMPARE_CLOCK for duty in view.status.duties)
    shown = {"hour": "20", "minute": "15", "second": "0"}
    return view.ask(Role.CHIEF_SUPERVISOR, "compare-clock", shown) if is_due else None


def manage(view: View) -> Doing:
    return _agreed(view, Role.ROOM_MANAGER) or _by_steps(view, Role.ROOM_MANAGER) or _duty(view, Role.ROOM_MANAGER)


def _duty(view: View, role: Role) -> Ask | None:
    for duty in view.status.duties:
        if duty.who == role:
            return view.ask(role, "report-duty", {"duty": duty.id, "reference": "by telephone"})
    return None


def repair(view: View) -> Doing:
    """Returns the technician's next deed or act: plug in a cable, or do a step at a hold. Returns None if the
    technician has nothing to do.
    """
    if Amiss.UNPLUGGED in view.sight.amiss:
        return Touch(Hand.PLUG)
    return _by_steps(view, Role.TECHNICIAN)
