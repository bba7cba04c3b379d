"""An Angel Eye's telegrams in the core's words: a card's identity and what people must look at; nothing of its game.

The shoe plays baccarat by itself: target, index, result and overdraw come from that game. They are recorded and, at
this table, never believed (DESIGN 4). Whether a card was drawn in its game or outside it is the same to the table:
the shuffler has counted it or it has not.
"""

from collections.abc import Callable
from typing import Final, TypeAlias, assert_never

from controller.core.custody.state import Identity
from controller.core.games.blackjack import all_facts as core
from drivers.events import AngelEyeStatus
from firmware_protocols.angel_eye import words as shoe

Identify: TypeAlias = Callable[[int], Identity]

NOT_READ: Final = frozenset({shoe.ErrorCode.CANNOT_READ, shoe.ErrorCode.CARD_CODE})
"""Errors that speak of a card which passed without a face."""

REVERSED: Final = frozenset({shoe.ErrorCode.REVERSED_AT_EXIT, shoe.ErrorCode.REVERSED_MIDWAY})


def of_angel_eye(  # noqa: C901
    source: core.Source, _status: AngelEyeStatus, telegram: shoe.Telegram, identify: Identify
) -> core.Fact:
    """One case per telegram; what each leads to is the core's (event_answers.py says it in words)."""
    match telegram:
        case shoe.CardDrawn(card, target, index):
            return _read(source, identify(card), f"{_word(target.name)} {index}")
        case shoe.CardDrawnOutside(card, reason, index):
            return _read(source, identify(card), f"{_word(reason.name)} {index}")
        case shoe.ErrorRaised(code) if code in NOT_READ:
            return core.CardRead(source, None, None, None, f"error {code}")
        case shoe.ErrorRaised(code) if code in REVERSED:
            return core.CardReversed(source, code)
        case shoe.ErrorRaised(code):
            return core.ReaderNoted(source, "error-raised", str(code))
        case shoe.ErrorCleared(code):
            return core.ReaderNoted(source, "error-cleared", str(code))
        case shoe.CardRetransmitted(_, target, index):
            return core.ReaderNoted(source, "retransmission", f"{_word(target.name)} {index}")
        case shoe.GameEnded(winner, player_pair, banker_pair):
            return core.ReaderNoted(source, "result", f"{_word(winner.name)} {player_pair:d}{banker_pair:d}")
        case shoe.LockChanged(locked):
            return core.ReaderNoted(source, "lock-changed", "locked" if locked else "unlocked")
        case shoe.CutCardDrawn():
            return core.ReaderNoted(source, "cut-card", None)
        case shoe.StandBy():
            return core.ReaderNoted(source, "standby", None)
        case shoe.PresetChanged(address, value):
            return core.PresetChanged(source, address, value)
        case shoe.Started():
            return core.ReaderRestarted(source)
        case _:
            assert_never(telegram)


def _read(source: core.Source, seen: Identity, told: str) -> core.CardRead:
    return core.CardRead(source, None, seen.card, seen.commitment, told)


def _word(name: str) -> str:
    return name.lower().replace("_", "-")
