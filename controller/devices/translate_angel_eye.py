"""Translates the telegrams of an Angel Eye shoe into facts: a card's identity, and faults that people must look at.

The shoe itself plays baccarat. The target, index, result and overdraw in its telegrams belong to baccarat. They are
recorded but never used at Sabot's table (DESIGN 4). A card counts in the same way inside and outside a baccarat game,
since only the shuffler's count matters.
"""

from collections.abc import Callable
from typing import Final, TypeAlias, assert_never

from controller.core.custody.reader import CardRead, CardReversed, PresetChanged, ReaderNoted, ReaderRestarted
from controller.core.custody.state import Identity
from controller.core.engine.act import Fact, Source
from controller.devices.telling import word
from drivers.events import AngelEyeStatus
from firmware_protocols.angel_eye import words as shoe

Identify: TypeAlias = Callable[[int], Identity]

NOT_READ: Final = frozenset({shoe.ErrorCode.CANNOT_READ, shoe.ErrorCode.CARD_CODE})
"""The errors that mean: a card has passed, but its face was not read."""

REVERSED: Final = frozenset({shoe.ErrorCode.REVERSED_AT_EXIT, shoe.ErrorCode.REVERSED_MIDWAY})


def of_angel_eye(  # noqa: C901
    source: Source, _status: AngelEyeStatus, telegram: shoe.Telegram, identify: Identify
) -> Fact:
    """Returns the fact in a telegram. The core decides its consequences (event_answers.py describes them)."""
    match telegram:
        case shoe.CardDrawn(card, target, index):
            return _read(source, identify(card), f"{word(target.name)} {index}")
        case shoe.CardDrawnOutside(card, reason, index):
            return _read(source, identify(card), f"{word(reason.name)} {index}")
        case shoe.ErrorRaised(code) if code in NOT_READ:
            return CardRead(source, None, None, None, f"error {code}")
        case shoe.ErrorRaised(code) if code in REVERSED:
            return CardReversed(source, code)
        case shoe.ErrorRaised(code):
            return ReaderNoted(source, "error-raised", str(code))
        case shoe.ErrorCleared(code):
            return ReaderNoted(source, "error-cleared", str(code))
        case shoe.CardRetransmitted(_, target, index):
            return ReaderNoted(source, "retransmission", f"{word(target.name)} {index}")
        case shoe.GameEnded(winner, player_pair, banker_pair):
            return ReaderNoted(source, "result", f"{word(winner.name)} {player_pair:d}{banker_pair:d}")
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
