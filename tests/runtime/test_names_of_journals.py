"""Names beside a journal's numbers, and keys beside its directory, in unusual forms and places."""

from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.catalogue import Language
from controller.journal.entry import encode_entry
from controller.journal.signing import key_path, public_path
from controller.journal.writer_logic import Batch
from controller.record.names import StaffNames, with_cuts
from controller.staff.known import NameCut
from simulators.disk import MemoryStorage
from tests.journal.journal_kit import entry, to_directory, write


def staff_changed(seq: int, body: object) -> Batch:
    changed = replace(entry(seq), kind="staff-changed", body=msgspec.Raw(msgspec.json.encode(body, order="sorted")))
    return Batch(seq, (encode_entry(changed),))


def test_a_staff_entry_of_another_form_tells_of_no_cut_and_ends_no_reading(tmp_path: Path) -> None:
    storage = MemoryStorage()
    cut = {"number": 12, "room_manager": 61, "chief_supervisor": 21, "on": "2026-11-27"}
    write(storage, [staff_changed(1, {"digest": 1}), staff_changed(2, {"digest": "ab", "forgotten": [cut]})])
    names = with_cuts(StaffNames((), Language.EN), to_directory(storage, tmp_path / "journal"))
    assert [type(one) for one in names.cuts] == [NameCut]
    assert names.cuts[0].number == 12


def test_the_keys_of_a_journal_behind_a_link_lie_beside_the_directory_itself(tmp_path: Path) -> None:
    place = tmp_path / "medium/journal"
    place.mkdir(parents=True)
    link = tmp_path / "journal"
    link.symlink_to(place)
    assert (key_path(link), public_path(link)) == (place.with_name("journal.key"), place.with_name("journal.pub"))
