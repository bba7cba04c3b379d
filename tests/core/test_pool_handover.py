"""A pool between two computers, after any crash or restore: never in two places, never in none.

The tests go through the table of states in pool_export.py cell by cell. A restore brings back an older state, and the
start reports it; a crash is only a start. `M2` and `M4` are attacks that were tried.
"""

from typing import Final

import pytest

from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.holds import holds_of
from controller.core.house.pool import levels_of
from controller.core.house.pool_export import code_of, export_away, name_of, read_export
from controller.core.house.state import with_house
from controller.core.words import HoldKind
from controller.journal.signing import Signer
from controller.scenario.player import Player
from controller.scenario.table import make_table
from tests.pool_lines import EXPORT, HERE, OWN, SOURCE, THIEF, export_line, receipt_line

JACKPOT: Final = (("jackpot", "manual"),)


class Computer(Player):
    """A table's computer, closed; `made` counts the starts of all, so that no two entries have the same place."""

    def __init__(self, number: int) -> None:
        super().__init__(make_table("pt-csm", list(JACKPOT)).setup)
        self.signer = Signer(bytes([number]) * 32)
        self.start()

    def does(self, who: str, act: str, **values: str) -> str:
        """Asks for an act; returns the guard that refuses it, or "" for an allowed act."""
        self.act(who, act, values)
        return "" if self.refusal is None else self.refusal.guard

    def both(self, act: str, **values: str) -> str:
        """Lets chief supervisor and room manager ask for the act, each with his own PIN.

        Returns the guard that refuses one of them, or "".
        """
        return self.does("chief", act, **values) or self.does("manager", act, **values)

    def restored(self, kept: BlackjackState) -> None:
        """Restores the computer from a backup of this state."""
        self.state = kept
        self.start("restored epoch 2 entry 7 code 1-7-AB")

    @property
    def name(self) -> str:
        return name_of(self.state.house.handover)

    @property
    def export(self) -> str:
        return self.state.house.handover.export

    @property
    def receipt(self) -> str:
        return self.state.house.handover.receipt

    @property
    def pool(self) -> int | None:
        return None if self.state.house.pool is None else self.state.house.pool.cents

    @property
    def is_doubted(self) -> bool:
        return bool(holds_of(self.state, HoldKind.JACKPOT_DOUBTED))

    def take_over(self, line: str, code: str = "") -> str:
        given = code or code_of(line)
        return self.does("chief", "take-over-jackpot", export=line, code=given) or self.does(
            "manager", "take-over-jackpot", code=given
        )

    def state_pool(self, amount: str) -> str:
        return self.does("chief", "state-jackpot", amount=amount) or self.does(
            "manager", "state-jackpot", amount=amount, reference="SRIJ-1"
        )


@pytest.fixture
def tables() -> tuple[Computer, Computer]:
    """Makes two closed computers: a source with a pool, and a target without one."""
    source, target = Computer(1), Computer(2)
    assert source.does("manager", "approve-jackpot", reference="G-1") == ""
    return source, target


def exported(source: Computer, target: Computer) -> str:
    assert source.both("export-jackpot", computer=target.name) == ""
    return source.export


# --- the source


def test_here_crashed_it_is_here(tables: tuple[Computer, Computer]) -> None:
    source, _target = tables
    source.start()
    assert (source.pool, source.is_doubted) == (1_000_000, False)


def test_away_crashed_it_is_away_by_the_same_line(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    line = exported(source, target)
    source.start()
    assert (source.pool, source.export, source.is_doubted) == (None, line, False)
    assert target.take_over(line) == ""


def test_restored_from_before_the_export_the_line_takes_the_pool_away_again(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    kept = source.state
    line = exported(source, target)
    assert target.take_over(line) == ""
    source.restored(kept)
    assert (source.pool, source.is_doubted) == (1_000_000, True)
    assert source.both("export-jackpot", computer="00000000000000aa") == "jackpot_is_sure"
    assert source.both("show-export", export=line) == ""
    assert (source.pool, source.export, source.is_doubted) == (None, line, False)
    assert source.does("chief", "show-receipt", receipt=target.receipt) == ""
    assert source.does("chief", "take-back-jackpot", reference="G-2") == "pool_is_away"


def test_restored_from_before_the_export_an_export_of_the_stated_pool_has_another_code(
    tables: tuple[Computer, Computer],
) -> None:
    """M2: once, two exports had one name, so that the second pool was nowhere."""
    source, target = tables
    kept = source.state
    first = exported(source, target)
    assert target.take_over(first) == ""
    back = Computer(1)
    assert target.both("export-jackpot", computer=back.name) == ""
    source.restored(kept)
    assert source.state_pool("10000") == ""
    second = exported(source, target)
    assert code_of(second) != code_of(first)
    assert target.take_over(second) == ""
    assert target.pool == 1_000_000


def test_restored_from_behind_the_export_it_is_away_and_two_people_say_so(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    line = exported(source, target)
    source.restored(source.state)
    assert (source.pool, source.is_doubted) == (None, True)
    assert source.does("manager", "approve-jackpot", reference="G-1") == "pool_is_accounted_for"
    assert source.state_pool("5") == "stated_pool_is_here"
    assert source.state_pool("0") == ""
    assert export_away(source.state.house.handover) == read_export(line)
    assert source.does("manager", "approve-jackpot", reference="G-1") == "pool_is_accounted_for"


def test_gone_restored_from_before_the_receipt_it_is_away_until_that_is_shown_again(
    tables: tuple[Computer, Computer],
) -> None:
    source, target = tables
    line = exported(source, target)
    kept = source.state
    assert target.take_over(line) == ""
    assert source.does("manager", "show-receipt", receipt=target.receipt) == ""
    assert source.does("manager", "approve-jackpot", reference="G-2") == ""
    source.restored(kept)
    assert source.state_pool("0") == ""
    assert source.does("manager", "approve-jackpot", reference="G-2") == "pool_is_accounted_for"
    assert source.does("manager", "show-receipt", receipt=target.receipt) == ""
    assert source.does("manager", "approve-jackpot", reference="G-2") == ""


def test_taken_back_restored_from_before_it_is_taken_back_and_stated(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    exported(source, target)
    kept = source.state
    assert source.both("take-back-jackpot", reference="G-2") == ""
    assert source.pool == 1_000_000
    source.start()
    assert (source.pool, source.is_doubted) == (1_000_000, False)
    source.restored(kept)
    assert source.both("take-back-jackpot", reference="G-2") == ""
    assert (source.pool, source.is_doubted) == (1_000_000, True)
    assert source.state_pool("10000.80") == ""
    assert (source.pool, source.is_doubted) == (1_000_080, False)


def test_taken_back_and_taken_over_too_is_found_by_the_receipt(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    line = exported(source, target)
    assert source.both("take-back-jackpot", reference="G-2") == ""
    assert target.take_over(line) == ""
    assert source.does("chief", "show-receipt", receipt=target.receipt) == ""
    assert source.is_doubted
    assert source.state_pool("0") == ""
    assert (source.pool, target.pool) == (0, 1_000_000)


# --- the target


def test_asked_crashed_the_second_person_completes_it(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    line = exported(source, target)
    assert target.does("chief", "take-over-jackpot", export=line, code=code_of(line)) == ""
    target.start()
    assert target.does("manager", "take-over-jackpot", code=code_of(line)) == ""
    assert (target.pool, target.is_doubted) == (1_000_000, False)


def test_taken_over_crashed_the_same_export_is_refused(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    line = exported(source, target)
    assert target.take_over(line) == ""
    target.start()
    assert target.take_over(line) == "export_is_taken_once"
    assert target.pool == 1_000_000


def test_restored_from_before_it_took_over_it_takes_over_in_doubt(tables: tuple[Computer, Computer]) -> None:
    """M2: once, the same export was taken over again without doubt."""
    source, target = tables
    kept, line = target.state, exported(source, target)
    assert target.take_over(line) == ""
    target.restored(kept)
    assert (target.pool, target.is_doubted) == (None, True)
    assert target.take_over(line) == ""
    assert (target.pool, target.is_doubted) == (1_000_000, True)
    assert target.state_pool("10250") == ""
    assert (target.pool, target.is_doubted) == (1_025_000, False)


def test_a_doubt_that_was_ended_before_the_old_export_comes_begins_again(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    kept, line = target.state, exported(source, target)
    target.restored(kept)
    assert target.state_pool("0") == ""
    assert target.take_over(line) == ""
    assert target.is_doubted


def test_a_pool_that_is_exported_behind_the_restore_is_in_no_doubt(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    before = target.name
    target.restored(target.state)
    assert source.both("export-jackpot", computer=target.name) == "another_computer_is_named"
    assert target.state_pool("0") == ""
    assert target.name != before
    line = exported(source, target)
    assert target.take_over(line) == ""
    assert (target.pool, target.is_doubted) == (1_000_000, False)


def test_the_same_backup_restored_twice_has_two_names(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    kept = target.state
    target.restored(kept)
    assert target.state_pool("0") == ""
    line = exported(source, target)
    assert target.take_over(line) == ""
    target.restored(kept)
    assert target.state_pool("0") == ""
    assert target.take_over(line) == ""
    assert target.is_doubted


def test_restored_from_behind_the_taking_over_the_same_export_is_refused(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    line = exported(source, target)
    assert target.take_over(line) == ""
    target.restored(target.state)
    assert (target.pool, target.is_doubted) == (1_000_000, True)
    assert target.take_over(line) == "export_is_taken_once"


def test_exported_further_and_restored_from_before_it_shows_its_own_export(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    assert target.take_over(exported(source, target)) == ""
    kept, third = target.state, Computer(3)
    line = exported(target, third)
    assert third.take_over(line) == ""
    target.restored(kept)
    assert target.both("show-export", export=line) == ""
    assert (target.pool, third.pool) == (None, 1_000_000)
    assert target.does("chief", "show-receipt", receipt=third.receipt) == ""


def test_a_pool_goes_there_and_back(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    before = source.state.house.pool
    assert target.take_over(exported(source, target)) == ""
    assert source.take_over(exported(target, source)) == ""
    after = source.state.house.pool
    assert before is not None
    assert after is not None
    assert (levels_of(after), after.meters) == (levels_of(before), before.meters)
    assert target.both("take-back-jackpot", reference="G-2") == ""  # its receipt was not shown yet
    assert target.does("chief", "show-receipt", receipt=source.receipt) == ""
    assert target.is_doubted


LOST = (
    "damage-sealed entry 4 segment 1",
    "behind-mark entry 4",
    "restored epoch 2",
    "unsigned-entries entry 4 last 6 kept 5",
    "second-copy-taken-over entry 4",
    "journal-begun-anew journal table.toml",
)


@pytest.mark.parametrize("finding", LOST)
def test_every_start_that_lost_entries_doubts_what_is_here_and_what_is_not(finding: str) -> None:
    """M2: once, a computer without a pool raised no doubt."""
    table = Computer(1)
    table.start(finding)
    assert (table.pool, table.is_doubted) == (None, True)
    assert table.does("manager", "approve-jackpot", reference="G-1") == "pool_is_accounted_for"
    assert table.does("chief", "state-jackpot", amount="0") == ""
    assert table.does("second-chief", "state-jackpot", amount="0") == "room_manager_states_it"
    assert table.does("manager", "state-jackpot", amount="0") == "statement_is_reported"
    assert table.does("manager", "state-jackpot", amount="0", reference="SRIJ-1") == ""
    assert table.does("manager", "approve-jackpot", reference="G-1") == ""


# --- forged lines


def test_two_chiefs_take_over_nothing(tables: tuple[Computer, Computer]) -> None:
    """M2, M4."""
    _source, target = tables
    line = export_line(THIEF, target=target.name)
    assert target.does("chief", "take-over-jackpot", export=line, code=code_of(line)) == ""
    assert target.does("second-chief", "take-over-jackpot", code=code_of(line)) == "room_manager_moves_it"
    assert target.pool is None


@pytest.mark.parametrize("purpose", [b"sabot mark 1\n", b"sabot jackpot receipt 1\n", b""])
def test_a_signature_for_another_purpose_signs_no_export(purpose: bytes, tables: tuple[Computer, Computer]) -> None:
    _source, target = tables
    line = export_line(SOURCE, target=target.name, purpose=purpose)
    assert target.take_over(line) == "export_is_signed"


def test_each_character_of_an_export_counts(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    line = exported(source, target)
    other = {"0": "1", "a": "b", ":": ";"}
    for at, letter in enumerate(line):
        changed = line[:at] + other.get(letter, "0") + line[at + 1 :]
        assert target.take_over(changed), at
        assert target.take_over(changed, code_of(line)), at
    assert target.take_over(line) == ""


def test_a_receipt_of_somebody_else_answers_for_nothing(tables: tuple[Computer, Computer]) -> None:
    source, target = tables
    line = exported(source, target)
    forged = receipt_line(Signer(bytes([9]) * 32), line, source.signer)
    assert source.does("chief", "show-receipt", receipt=forged) == "receipt_is_of_an_export"
    signed_by_thief = receipt_line(target.signer, line, source.signer)[:-128] + forged[-128:]
    assert source.does("chief", "show-receipt", receipt=signed_by_thief) == "receipt_is_signed"
    assert source.does("chief", "show-receipt", receipt=receipt_line(target.signer, line, source.signer)) == ""


def test_before_the_second_person_nothing_is_signed(tables: tuple[Computer, Computer]) -> None:
    """A signed export of a pool that stays would be a pool in two places."""
    source, target = tables
    for who in ("chief", "second-chief", "chief"):
        source.does(who, "export-jackpot", computer=target.name)
    assert [getattr(act, "signature", "") for act in source.trace] == [""] * len(source.trace)
    assert source.does("manager", "export-jackpot", computer=target.name) == ""
    assert getattr(source.trace[-1], "signature", "")


def test_with_a_prize_owed_no_export_is_shown() -> None:
    table = Computer(0)
    assert table.does("manager", "approve-jackpot", reference="G-1") == ""
    pool = table.state.house.pool
    assert pool is not None
    owed = with_house(table.state, pool=replace(pool, owed=("",)))
    table.restored(owed)
    assert table.both("show-export", export=OWN) == "no_prize_is_owed"


def test_names() -> None:
    assert Computer(0).name == HERE.public_key[:16]
    assert len(EXPORT) < 560
