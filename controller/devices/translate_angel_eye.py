"""An Angel Eye's telegrams in the core's words: a card's identity and what people must look at; nothing of its game.

The shoe plays baccarat by itself: target, index, result and overdraw come from that game. They are recorded and, at
this table, never believed (DESIGN 4). Whether a card was drawn in its game or outside it is the same to the table:
the shuffler has counted it or it has not.
"""

from collections.abc import Callable
from typing import Final, TypeAlias, assert_never

from controller.core.custody.reader import CardRead, CardReversed, PresetChanged, ReaderNoted, ReaderRestarted
from controller.core.custody.state import Identity
from controller.core.engine.act import Fact, Source
from drivers.events import AngelEyeStatus
from firmware_protocols.angel_eye import words as shoe

Identify: TypeAlias = Callable[[int], Identity]

NOT_READ: Final = frozenset({shoe.ErrorCode.CANNOT_READ, shoe.ErrorCode.CARD_CODE})
"""Errors that speak of a card which passed without a face."""

REVERSED: Final = frozenset({shoe.ErrorCode.REVERSED_AT_EXIT, shoe.ErrorCode.REVERSED_MIDWAY})


def of_angel_eye(  # noqa: C901
    source: Source, _status: AngelEyeStatus, telegram: shoe.Telegram, identify: Identify
) -> Fact:
    """One case per telegram; what each leads to is the core's (event_answers.py says it in words)."""
    match telegram:
        case shoe.CardDrawn(card, target, index):
            return _read(source, identify(card), f"{_word(target.name)} {index}")
        case shoe.CardDrawnOutside(card, reason, index):
            return _read(source, identify(card), f"{_word(reason.name)} {index}")
        case shoe.ErrorRaised(code) if code in NOT_READ:
            return CardRead(source, None, None, None, f"error {code}")
        case shoe.ErrorRaised(code) if code in REVERSED:
            return CardReversed(source, code)
        case shoe.ErrorRaised(code):
            return ReaderNoted(source, "error-raised", str(code))
        case shoe.ErrorCleared(code):
            return ReaderNoted(source, "error-cleared", str(code))
        case shoe.CardRetransmitted(_, target, index):
            return ReaderNoted(source, "retransmission", f"{_word(target.name)} {index}")
        case shoe.GameEnded(winner, player_pair, banker_pair):
            return ReaderNoted(source, "result", f"{_word(winner.name)} {player_pair:d}{banker_pair:d}")
        case shoe.LockChanged(locked):
            return ReaderNoted(source, "lock-changed", "locked" if locked else "unlocked")
        case shoe.CutCardDrawn():
            return ReaderNoted(source, "cut-card", None)
        case shoe.StandBy():
            return ReaderNoted(source, "standby", None)
        case shoe.PresetChanged(address, value):
            return PresetChanged(source, address, value)
        case shoe.Started():
            return ReaderRestarted(source)
        case _:
            assert_never(telegram)


def _read(source: Source, seen: Identity, told: str) -> CardRead:
    return CardRead(source, None, seen.card, seen.commitment, told)


def _word(name: str) -> str:
    return name.lower().replace("_", "-")
