"""Finds the entries for a proof: of one round, or of one hold from its cause to its end."""

from collections.abc import Callable
from pathlib import Path

from controller.journal.errors import NotProved
from controller.journal.progress import is_opening
from controller.journal.verify import entries_of
from controller.record.shown import Shown, entries_shown, session_shown

Span = tuple[int, int]
"""The numbers of the first and of the last entry."""


def of_round(path: Path, number: int, session: int | None) -> Span:
    """Returns the entries of round `number`, from its first bet until its cards are put away or its last payment is
    made.

    `session`: the round's session; None if only one session has a round of this number. Raises NotProved,
    JournalDamaged, StorageFailed.
    """
    return _span(path, session, lambda one: one.round == number and one.is_of_a_round, f"round {number}")


def of_hold(path: Path, number: int, session: int | None) -> Span:
    """Returns the entries of hold `number`, from its beginning to its end. For an open hold they go to the last entry.

    `session`: the hold's session; None if only one session has a hold of this number. Raises NotProved, JournalDamaged,
    StorageFailed.
    """
    return _span(path, session, _about_hold(number), f"H{number}")


def opening_before(path: Path, seq: int) -> int:
    """Returns the number of the last entry up to `seq` that opens a session; `seq` if there is no such entry. Raises
    JournalDamaged, StorageFailed.
    """
    opened = seq
    for entry in entries_of(path):
        if entry.seq > seq:
            break
        opened = entry.seq if is_opening(entry) else opened
    return opened


def _about_hold(number: int) -> Callable[[Shown], bool]:
    stood = False

    def is_about(one: Shown) -> bool:
        nonlocal stood
        holds = () if one.decision is None else one.decision.state.house.holds
        stands, before = any(int(hold.id) == number for hold in holds), stood
        stood = stands
        return stands or before

    return is_about


def _span(path: Path, session: int | None, is_wanted: Callable[[Shown], bool], name: str) -> Span:
    shown = entries_shown(path) if session is None else session_shown(path, session)
    spans: dict[int, Span] = {}
    for one in shown:
        if is_wanted(one) and session in {None, one.session}:
            spans[one.session] = spans.get(one.session, (one.entry.seq,))[0], one.entry.seq
    if not spans:
        raise NotProved("none-such", name=name)
    if len(spans) > 1:
        raise NotProved("which-session", name=name, sessions=", ".join(map(str, sorted(spans))))
    return next(iter(spans.values()))
