"""What a picture of the table shows: cards as they lie, figures of the table, the machine's sensors. No hidden face."""

from controller.core.custody.state import Dealt
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.turning import lies_face_down
from controller.protocol.status import FiguresStatus, HandStatus

BANK = 0


def backs(state: BlackjackState) -> list[HandStatus]:
    """How many cards lie at each seat: what whoever may open the socket reads."""
    return [HandStatus(one.seat, [None] * len(one.cards), one.hand) for one in hands(state)]


def hands(state: BlackjackState) -> list[HandStatus]:
    """The cards on the table, in the order in which they were dealt, the bank's last; faces are for who has a role."""
    lying: dict[tuple[int, int], list[str | None]] = {}
    for dealt in state.game.dealt:
        lying.setdefault((dealt.seat, dealt.hand), []).append(_card(dealt))
    order = sorted(lying, key=lambda at: (at[0] == BANK, at))
    return [HandStatus(seat, lying[seat, hand], hand) for seat, hand in order]


def _card(dealt: Dealt) -> str | None:
    """A face that everybody at the table sees; "" where the reader could not read it; None: it lies face down."""
    if lies_face_down(dealt):
        return None
    return dealt.card or ""


def figures(state: BlackjackState) -> FiguresStatus:
    """What does not change in a session, and what the machine's sensors say."""
    machine, setup = state.devices.shuffler.status, state.setup
    return FiguresStatus(
        seats=setup.seats,
        decks=setup.decks,
        packets=setup.parameters.min_packets,
        presence_ms=setup.parameters.presence_timeout_ms,
        lid_open=machine is not None and machine.lid_open,
        path_blocked=machine is not None and machine.path_blocked,
        found=list(state.custody.found) if state.house.session.value == "checking" else [],
        foreign=state.custody.found_foreign,
        provisional=state.game.provisional,
    )
