"""Guards that are made from a row's own figures: its steps, and the permission that a hold can take away."""

from enum import StrEnum

from controller.core.house.guard import Guard
from controller.core.house.hold_table import hold_rule
from controller.core.house.holds import clause_of, forbidding
from controller.core.house.state import State
from controller.core.words import HoldKind, Permission, RoundPhase, SessionPhase

_OF_A_JAM = hold_rule(HoldKind.JAM).clause


def permission_guard(permission: Permission, *, despite_all_if_irregular: bool = False) -> Guard[State]:
    """No standing hold forbids this; the clause is that hold's own.

    `despite_all_if_irregular`: after an irregular closing it may be done whatever still stands (a dead device).
    """

    def clause(state: State) -> str:
        hold = forbidding(state, permission)
        return clause_of(hold) if hold else _OF_A_JAM

    return Guard[State](
        "no_hold_forbids_it",
        _OF_A_JAM,
        lambda state: forbidding(state, permission) is None or (despite_all_if_irregular and state.house.irregular),
        lambda state: (("hold", hold.kind.value if (hold := forbidding(state, permission)) else ""),),
        cites=clause,
    )


def session_guard(at: StrEnum | tuple[SessionPhase, ...], clause: str) -> Guard[State]:
    """The session is at a step where this act belongs: one of these, or one that the trigger leads away from."""

    def phases(state: State) -> tuple[SessionPhase, ...]:
        return at if isinstance(at, tuple) else state.SESSION.sources_in(state.setup.procedure, at)

    return Guard[State](
        "session_is_at_this_step",
        clause,
        lambda state: state.house.session in phases(state),
        lambda state: (
            ("session", state.house.session.value),
            ("needed", " ".join(p.value for p in phases(state))),
        ),
    )


def round_guard(at: StrEnum | tuple[RoundPhase, ...], clause: str) -> Guard[State]:
    """The round is at a step where this act belongs: one of these, or one that the trigger leads away from."""

    def phases(state: State) -> tuple[RoundPhase, ...]:
        return at if isinstance(at, tuple) else state.game.MACHINE.sources_in(state.setup.procedure, at)

    return Guard[State](
        "round_is_at_this_step",
        clause,
        lambda state: state.game.phase in phases(state),
        lambda state: (("round", state.game.phase.value), ("needed", " ".join(p.value for p in phases(state)))),
    )


def round_is_over(clause: str) -> Guard[State]:
    return Guard[State](
        "round_is_over",
        clause,
        lambda state: state.game.phase is RoundPhase.IDLE,
        lambda state: (("round", state.game.phase.value),),
    )
