"""An update asks its questions in their order, and writes nothing before all answers are good."""

import errno
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli.update import pin_check
from controller.config import Config, read_config
from controller.core.words import Role
from controller.journal.recovery import Walk
from controller.journal.root import RELEASE, updated_finding
from controller.journal.storage import DirectoryReader
from controller.protocol.lines import TABLE_SCREEN
from controller.update.course import TRIES, Checked, End, by_book, go_back, update
from controller.update.decision import Refusal
from tests.daemon.rig import CHIEF, DEALER, PINS, TECHNICIAN, Rig
from tests.update.fakes import NEW, NOW, OLD, FakeComputer, FakePeople

pytestmark = pytest.mark.waits

STICK = Path("update.raucb")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path) as made:
        yield made


@pytest.fixture
def config(rig: Rig) -> Config:
    """A table that has not been started yet."""
    return read_config(rig.config, ports_may_be_missing=True)


def test_a_root_is_let_in_in_this_order(config: Config) -> None:
    computer = FakeComputer()
    assert update(STICK, config, computer, FakePeople(), by_book(config)) == End()
    assert computer.did == ["read", "stop", "read", "install", "start", "restart"]
    said = f"updated {NEW} technician {TECHNICIAN} chief-supervisor {CHIEF}"
    assert updated_finding(config.journal) == (said,)


@pytest.mark.parametrize("refusal", [Refusal.SIGNATURE, Refusal.CUT_SHORT, Refusal.NO_FILE])
def test_a_file_that_is_no_signed_root_stops_nothing(config: Config, refusal: Refusal) -> None:
    computer = FakeComputer(reads=refusal)
    assert update(STICK, config, computer, FakePeople(), by_book(config)) == End(refusal, "the engine's words")
    assert computer.did == ["read"]


def test_an_older_one_than_the_card_s_own_is_refused_before_anybody_is_asked(config: Config) -> None:
    computer = FakeComputer()
    computer.offer = replace(computer.offer, release=OLD)
    assert update(STICK, config, computer, FakePeople(typed={}), by_book(config)) == End(Refusal.OLDER)
    assert computer.did == ["read"]


def test_another_file_in_the_place_of_the_agreed_one_is_not_written(config: Config) -> None:
    """Else one person who signs puts an older signed root there while the other one types the PIN."""
    computer = FakeComputer()

    class Swapping(FakePeople):
        def signs(self, role: Role) -> tuple[int, str]:
            computer.offer = replace(computer.offer, release=OLD)
            return super().signs(role)

    assert update(STICK, config, computer, Swapping(), by_book(config)) == End(Refusal.OTHER_FILE)
    assert computer.did == ["read", "stop", "read", "start"]
    assert updated_finding(config.journal) == ()


def test_a_no_writes_nothing(config: Config) -> None:
    computer = FakeComputer()
    assert update(STICK, config, computer, FakePeople(agrees=False, typed={}), by_book(config)) == End()
    assert computer.did == ["read"]


WRONG = {
    "wrong PIN of the technician": {Role.TECHNICIAN: (TECHNICIAN, PINS[CHIEF])},
    "wrong PIN of the chief supervisor": {Role.CHIEF_SUPERVISOR: (CHIEF, "000000")},
    "a dealer for the technician": {Role.TECHNICIAN: (DEALER, PINS[DEALER])},
    "one person for both": {Role.CHIEF_SUPERVISOR: (TECHNICIAN, PINS[TECHNICIAN])},
    "no number": {Role.TECHNICIAN: (0, "")},
}


@pytest.mark.parametrize("case", WRONG)
def test_without_the_two_people_nothing_is_stopped_and_nobody_goes_back(config: Config, case: str) -> None:
    computer, people = FakeComputer(), FakePeople()
    people.typed |= WRONG[case]
    assert update(STICK, config, computer, people, by_book(config)) == End(Refusal.PEOPLE)
    assert go_back(computer, people, by_book(config)) == End(Refusal.PEOPLE)
    assert computer.did == ["read"]


def test_who_mistypes_may_type_again_and_not_for_ever(config: Config) -> None:
    computer, people = FakeComputer(), FakePeople()
    people.mistypes = TRIES - 1
    assert update(STICK, config, computer, people, by_book(config)) == End()
    computer.did.clear()
    people.mistypes = TRIES
    assert update(STICK, config, computer, people, by_book(config)) == End(Refusal.PEOPLE)
    assert computer.did == ["read"]


def test_a_wrong_pin_at_a_running_table_is_an_entry_and_makes_wait(rig: Rig, config: Config) -> None:
    rig.start()
    check = pin_check(config, TABLE_SCREEN)
    assert check(TECHNICIAN, PINS[TECHNICIAN]) == Checked(Role.TECHNICIAN)
    wrong, waits = check(TECHNICIAN, PINS[CHIEF]), check(TECHNICIAN, PINS[TECHNICIAN])
    assert (wrong.role, waits.role) == (None, None)
    assert "" not in {wrong.why, waits.why}
    assert wrong.why != waits.why
    assert check(DEALER, PINS[DEALER]).role is None
    rig.stop()
    assert check(TECHNICIAN, PINS[TECHNICIAN]) == Checked(Role.TECHNICIAN), "no controller: by the staff file"
    with DirectoryReader(config.journal) as storage:
        assert [one.entry.kind for one in Walk(storage)].count("pin-refused") == 1


def test_where_writing_fails_the_table_starts_as_it_was_and_no_name_is_kept(config: Config) -> None:
    computer = FakeComputer(installs=Refusal.NOT_WRITTEN)
    assert update(STICK, config, computer, FakePeople(), by_book(config)) == End(
        Refusal.NOT_WRITTEN, "the engine's words"
    )
    assert computer.did[:4] == ["read", "stop", "read", "install"]
    assert "restart" not in computer.did
    assert updated_finding(config.journal) == ()


def test_where_the_card_itself_fails_no_name_is_kept_either(config: Config) -> None:
    class Broken(FakeComputer):
        def install(self, _file: Path) -> None:
            raise OSError(errno.EIO, "the card")

    with pytest.raises(OSError, match="the card"):
        update(STICK, config, Broken(), FakePeople(), by_book(config))
    assert updated_finding(config.journal) == ()


def test_an_open_table_takes_no_root_and_goes_back_all_the_same(rig: Rig, config: Config) -> None:
    rig.start()
    rig.act("sign-in", DEALER, operation="table")
    rig.act("open-session")
    rig.kill()
    computer = FakeComputer()
    assert update(STICK, config, computer, FakePeople(), by_book(config)) == End(Refusal.TABLE_OPEN)
    assert computer.did == ["read"]
    assert go_back(computer, FakePeople(), by_book(config)) == End()
    assert computer.did == ["read", "back", "restart"]


def test_an_older_one_than_the_journal_has_seen_is_refused(rig: Rig, config: Config) -> None:
    """A release older than one in the journal is refused, even where the card's root is older after a way back."""
    rig.start(**{RELEASE: str(NEW)})
    rig.stop()
    computer = FakeComputer()
    computer.offer = replace(computer.offer, release=NOW)
    assert update(STICK, config, computer, FakePeople(), by_book(config)) == End(Refusal.OLDER)
    computer.offer = replace(computer.offer, release=NEW)
    assert update(STICK, config, computer, FakePeople(), by_book(config)) == End()
